"""The `suggest` section of a search: words of the index near to those of a text."""

from qlc_engine.suggest.section import Suggester, implemented_suggesters, parse_suggest, suggested
from qlc_engine.suggest.terms import check_suggester

__all__ = ["Suggester", "check_suggester", "implemented_suggesters", "parse_suggest", "suggested"]
