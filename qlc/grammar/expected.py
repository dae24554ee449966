"""The list of what could have come at a syntax error, with terminals folded into phrases that a reader knows."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from qlc.base.words.sentences import listed
from qlc.grammar.fixes import repaired, replace
from qlc.grammar.reading import END
from qlc.grammar.stop import ARITHMETIC, CLAUSES, MEASURES, OPERATORS, TEXT_CONDITIONS, Stop, clauses_of, spelling

_ENTITY = frozenset({"FIND", "COUNT", "OF"})
_STATEMENTS = frozenset({"FIND", "COUNT", "COUNT_ALL", "GET", "LET", *MEASURES})
_SILENT = frozenset(
    {"SEMICOLON", "UNIT", "GROUP", "ORDER", "_SORT_BY", "_BY_RANKING", "_FIND_ALL", "_EXACTLY",
     "COUNT_ALL", "MEASURE_NAME", "ASC", "ASCENDING",
     "DESCENDING", "_GROUPS", "TURNED_STRING", "TURNED_NUMBER", "TURNED_DATE", "RANGE",
     "COUNT_FIRST", "ABS", "ROUND", "SIZE", "FIRST_NUMBER", "FIRST_DATE", "FIRST_NOW", "FIRST_DAY", "FIRST_YEAR"}
)  # fmt: skip
_RARE = frozenset({"DOT", "LSQB", "TOP", "WITH", "INCLUDING"}) | ARITHMETIC
_USUAL = frozenset({"AND", "OR", "RPAR", "RSQB", "COMMA"})
"""Named before rarer signs and words."""
_GROUPS = frozenset({"CALENDAR", "MINUTE", "CYCLE", "BINS", "STEP"})


def expected(stop: Stop) -> str:
    """Return a phrase for the terminals: {EQUAL, HAS} -> `an operator such as '=', 'in' or 'contains'`."""
    return listed(_phrases(stop, set(stop.accepted)), "or")


class _Phrase(NamedTuple):
    """A phrase for terminals, used if all it `needs` (or one of `some`) could have come, after a token in `after`."""

    text: str
    needs: Set[str]
    takes: Set[str]
    some: Set[str] = frozenset()
    after: Set[str] = frozenset()


_DATES = frozenset({"DATE", "DAY", "NOW", "THIS", "LAST", "NEXT"})
_VALUE = frozenset({"STRING", "NUMBER", "NAME"})
_PHRASES = (
    _Phrase("'find', 'count', 'get' or a measure such as 'sum(...)'", {"FIND", "GET"}, {*_STATEMENTS, "LPAR"}),
    _Phrase("an entity such as 'documents'", {"NAME"}, {"NAME"}, after=frozenset(_ENTITY)),
    _Phrase("a condition such as 'name = \"...\"'", set(),
            {"NAME", "NOT", "LPAR", "CYCLE", *MEASURES, *TEXT_CONDITIONS}, some=TEXT_CONDITIONS),
    _Phrase("an operator such as '=', 'in' or 'contains'", {"EQUAL", "HAS"}, {*OPERATORS, "LPAR"}),
    _Phrase("", _VALUE, {"IN"}, after={"UNDER"}),
    _Phrase("a value", _VALUE, {*_VALUE, *_DATES, *MEASURES, "PARAMETER", "LPAR", "LSQB", "TRUE", "FALSE", "CALENDAR",
                                "MINUTE", "NULL", "ALL", "ANY", "FIND", "COUNT"}),
    _Phrase("a value", {"STRING", "NUMBER"}, {"STRING", "NUMBER", *_DATES, "TRUE", "FALSE"}),
    _Phrase("a text in quotes", {"STRING"}, {"STRING", "PARAMETER"}),
    _Phrase("a lookup such as 'document(\"...\")'", {"NAME", "PARAMETER"}, {"NAME", "PARAMETER", "LPAR"}),
    _Phrase("a name", {"NAME"}, {"NAME", *_GROUPS, *MEASURES}, after={"LET"}),
    _Phrase("a field", {"NAME"}, {"NAME", "LPAR", *_GROUPS, *MEASURES}),
    _Phrase("a measure such as 'sum(...)'", set(), {"COUNT", "LPAR", *MEASURES}, some=MEASURES),
    _Phrase("a number", {"NUMBER"}, {"NUMBER"}),
    _Phrase("a date", {"DATE"}, _DATES),
    _Phrase("a unit such as 'week' or 'month'", {"PERIOD"}, {"PERIOD"}),
)  # fmt: skip
"""Tried in order; each takes its terminals away from the following ones."""


def _phrases(stop: Stop, left: set[str]) -> list[str]:
    phrases: list[str] = []
    previous = stop.before[-1].kind if stop.before else ""
    for one in _PHRASES:
        fits = one.needs <= left and (not one.some or one.some & left) and (not one.after or previous in one.after)
        if fits:
            phrases += [one.text] if one.text else []
            left -= one.takes
    left -= _SILENT
    used = clauses_of(stop.before)
    clauses = [name for name in CLAUSES if name in left and name not in used]
    plain = left - {END, *CLAUSES}
    if END in left or clauses:
        plain -= _STATEMENTS
    if phrases or clauses or plain - _RARE:
        plain -= _RARE
    phrases += [f"'{spelling(name)}'" for name in sorted(plain, key=lambda one: (one not in _USUAL, one))]
    if "AND" in plain and len(clauses) > 1:
        phrases.append("a clause such as 'sort'")
    else:
        phrases += [f"'{spelling(name)}'" for name in clauses]
    return [*phrases, "the end"] if END in left else phrases


def way_out(stop: Stop) -> str:
    """Return a hint with an example: `write a condition, such as FIELD = "..." or FIELD > 5`."""
    accepted = stop.accepted
    previous = stop.before[-1].kind if stop.before else ""
    before = {token.kind for token in stop.before[-4:]}
    if "COMMA" in accepted and before & {"BINS", "STEP", "PERCENTILE"}:
        return "write bins(FIELD, 100, 200), step(FIELD, 100) or percentile(FIELD, 95)"
    if "FIND" in accepted and "GET" in accepted:
        return "write 'find ENTITIES where ...', 'count ENTITIES by FIELD' or 'avg(FIELD) of ENTITIES'"
    if "NAME" in accepted and previous in _ENTITY:
        return f"write the name of an entity after '{stop.before[-1].text}'"
    if accepted & TEXT_CONDITIONS:
        return 'write a condition, such as FIELD = "...", FIELD > 5 or FIELD exists'
    if {"STRING", "NUMBER"} <= accepted:
        return 'write a text in quotes, a number, a date such as 2024-03, or a list such as ["a", "b"]'
    if {"EQUAL", "HAS"} <= accepted:
        return 'write an operator and a value, such as = "..." or > 5'
    for terminal, example in _EXAMPLES.items():
        if terminal in accepted:
            return example
    if END in accepted and stop.token.kind != END and repaired(stop.source, replace(stop.place, stop.token.end, "")):
        return "leave it out, or write one of those before it"
    return "write one of those here"


_EXAMPLES = {
    "PERIOD": "write, for example, last 30 days or this week",
    "NUMBER": "write a number, such as 10",
    "STRING": "write a text in quotes",
    "EQUAL": "write '=' and a value",
    "NAME": "write a name",
}
