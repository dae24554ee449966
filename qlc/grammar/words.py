"""Words of plain English and of other languages, and the keywords that they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class OtherWords:
    """A row of words. `needs`: one of these terminals must be possible. `certain`: reported even if no fix parses."""

    meaning: dict[str, str]
    needs: frozenset[str]
    certain: bool

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        words = sorted(self.meaning, key=len, reverse=True)
        return re.compile(rf"(?:{'|'.join(word.replace(' ', '[ ]+') for word in words)})\b", re.IGNORECASE)

    def of(self, match: re.Match[str]) -> str:
        """Return the keyword that is meant; empty if several could be."""
        return self.meaning[" ".join(match[0].lower().split())]


START_WORDS = OtherWords(
    {
        "list": "find", "search": "find", "search for": "find", "fetch": "find", "display": "find", "retrieve": "find",
        "show": "find", "show me": "find", "give me": "find", "get me": "find", "look for": "find", "return": "find",
        "how many": "count", "number of": "count", "average": "avg",
    },
    frozenset({"FIND"}),
    certain=False,
)  # fmt: skip

CLAUSE_WORDS = OtherWords(
    {
        "with": "where", "whose": "where", "which": "where", "that": "where", "that are": "where", "which are": "where",
        "who are": "where", "are": "where", "if": "where", "mentioning": "where mentions",
        "filter": "where", "having": "where", "sorted by": "sort", "ordered by": "sort", "orderby": "sort",
        "grouped by": "by", "groupby": "by", "per": "by", "for each": "by", "return": "show", "select": "show",
        "fields": "show", "take": "limit", "top": "limit", "first": "limit",
        "to": "and", "plus": "and",
    },
    frozenset({"WHERE", "SORT", "LIMIT", "BY", "SHOW", "AND"}),
    certain=False,
)  # fmt: skip

OPERATOR_WORDS = OtherWords(
    {
        "since": ">=", "after": ">", "later than": ">", "newer than": ">", "before": "<", "earlier than": "<",
        "older than": "<", "until": "<=", "till": "<=", "on": "=", "at": "=", "during": "in",
        "equals": "=", "equal to": "=", "equal": "=", "eq": "=", "ne": "!=", "not equal to": "!=", "gt": ">",
        "gte": ">=", "lt": "<", "lte": "<=", "greater than": ">", "more than": ">", "larger than": ">",
        "bigger than": ">", "over": ">", "above": ">", "exceeds": ">", "less than": "<", "smaller than": "<",
        "fewer than": "<", "below": "<", "at least": ">=", "at most": "<=", "startswith": "starts with",
        "begins with": "starts with", "endswith": "ends with", "ilike": "like", "includes": "", "include": "",
        "from": "", "containing": "", "one of": "in", "any of": "in",
        "contain": "contains", "does not contain": "not contains", "doesn't contain": "not contains",
        "does not equal": "!=", "doesn't equal": "!=", "does not have": "not has", "doesn't have": "not has",
        "isn't": "!=", "isnt": "!=",
    },
    frozenset({"HAS"}),
    certain=True,
)  # fmt: skip

MONTHS = {name: f"{number:02}" for number, name in enumerate(
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)}  # fmt: skip
"""Number of each month, by the first three letters of its name."""
