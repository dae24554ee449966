"""What understands words without a language model, put together."""

from __future__ import annotations

from qlc.translator.catalog_help.translator import CatalogHelpTranslator
from qlc.translator.follow_ups.translator import FollowUpTranslator
from qlc.translator.rules.translator import RuleTranslator


def by_rules() -> CatalogHelpTranslator:
    """Questions about what can be asked, then what follows from earlier turns, then the rules. They share a lexicon."""
    rules = RuleTranslator()
    return CatalogHelpTranslator(rules, FollowUpTranslator(rules))
