"""Parts of a period, as mid March or the first week of May: no rule reads them, and a sentence asks for the days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from qlc.grammar import tree
from qlc.grammar.tree import Value
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.words.phrases import phrases, words

Span = tuple[date, date]
"""The first and the last day."""
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_VAGUE = words("early mid late")
_PARTS = phrases(
    "[the | around the] (beginning | start | middle | end) of | "
    "(first | second | third | fourth | last | final) (half | month | week | weekend | day | days) (of | in) | "
    "(last | final) quarter (of | in) | (h1 | h2) [of | in]"
)
_YEAR, _MONTH = len("2026"), len("2026-03")


def _spans(p: Parse, at: int) -> Iterator[tuple[Found[Value], Span]]:
    """The periods that have parts: a year, a quarter, a month."""
    for one in (one for i in dict.fromkeys((at, p.articles(at))) for one in period(p, i)):
        if (span := _extent(one.value, p.now.date())) is not None:
            yield one, span


def _extent(value: Value, today: date) -> Span | None:
    match value:
        case tree.Number(value=year):
            return _months(date(int(year), 1, 1), 12)
        case tree.DateLiteral(text=text) if text[5:6] == "Q":
            return _months(date(int(text[:_YEAR]), 3 * int(text[6]) - 2, 1), 3)
        case tree.DateLiteral(text=text) if len(text) == _MONTH and text[5:].isdecimal():
            return _months(date.fromisoformat(f"{text}-01"), 1)
        case tree.RelativePeriod(which=which, unit=unit, count=None) if unit in _MONTHS_OF:
            many = _MONTHS_OF[unit]
            begun = date(today.year, today.month - (today.month - 1) % many, 1)
            return _months(_months_later(begun, {"last": -many, "this": 0, "next": many}[which]), many)
        case _:
            return None


def _months(first: date, many: int) -> Span:
    return first, _months_later(first, many) - timedelta(days=1)


def _months_later(first: date, many: int) -> date:
    months = first.year * 12 + first.month - 1 + many
    return date(months // 12, months % 12 + 1, 1)


def without_days(p: Parse) -> str | None:
    """A sentence about a part of a period: `mid March`, `the first week of May`."""
    for at in range(p.end):
        said_of_things = bool(p.lexemes[at]) and p.word(at + 1) == "in"  # `flights that were late in January`
        begins = [p.past(at + 1, ("-", "in"))] if p.word(at) in _VAGUE else [*p.phrases(at, _PARTS)]
        for begin in begins if at not in p.inside and not said_of_things else ():
            for whole, (first, last) in _spans(p, begin):
                said = p.raw(at, whole.end)
                return f"'{said}' is a part of a period. Say which days: between {first} and {last}, or fewer."
    return None
