"""The translators that need no model."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from qlc.translator.protocol import Question, Step, Translating

if TYPE_CHECKING:
    from qlc.translator.catalog_help.translator import CatalogHelpTranslator
    from qlc.translator.forms.file import Forms
    from qlc.translator.forms.translator import FormTranslator
    from qlc.translator.rules.translator import RuleTranslator


class ByRules:
    """Taught forms, questions about what can be asked, what follows from earlier turns, then the rules. They share a
    lexicon.

    The modules of English are imported when the first words come: who asks programs alone does not pay for them.
    """

    def __init__(self, forms: Forms | None = None) -> None:
        self._forms = forms

    @cached_property
    def _first(self) -> CatalogHelpTranslator:
        from qlc.translator.catalog_help.translator import CatalogHelpTranslator
        from qlc.translator.follow_ups.translator import FollowUpTranslator
        from qlc.translator.rules.translator import RuleTranslator

        rules = RuleTranslator()
        return CatalogHelpTranslator(rules, FollowUpTranslator(rules))

    @cached_property
    def taught(self) -> FormTranslator:
        from qlc.translator.forms.file import Forms
        from qlc.translator.forms.translator import FormTranslator

        return FormTranslator(self._first, self.rules, Forms() if self._forms is None else self._forms)

    @property
    def rules(self) -> RuleTranslator:
        return self._first.rules

    def forget(self) -> None:
        self._first.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        return self.taught.translate(question, steps)
