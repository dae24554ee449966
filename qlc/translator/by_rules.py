"""What understands words without a language model, put together."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from qlc.translator.protocol import Question, Step, Translating

if TYPE_CHECKING:
    from qlc.translator.catalog_help.translator import CatalogHelpTranslator
    from qlc.translator.rules.translator import RuleTranslator


class ByRules:
    """Questions about what can be asked, then what follows from earlier turns, then the rules. They share a lexicon.

    The modules of English are imported when the first words come: who asks programs alone does not pay for them.
    """

    @cached_property
    def _first(self) -> CatalogHelpTranslator:
        from qlc.translator.catalog_help.translator import CatalogHelpTranslator
        from qlc.translator.follow_ups.translator import FollowUpTranslator
        from qlc.translator.rules.translator import RuleTranslator

        rules = RuleTranslator()
        return CatalogHelpTranslator(rules, FollowUpTranslator(rules))

    @property
    def rules(self) -> RuleTranslator:
        return self._first.rules

    def forget(self) -> None:
        self._first.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        return self._first.translate(question, steps)
