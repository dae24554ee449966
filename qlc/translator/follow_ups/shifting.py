"""The period before or after the one that was asked for: `and the year before?`, `the month after that`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.grammar.walk import mapped
from qlc.translator.follow_ups import english
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english as plain

_UNITS = ("year", "quarter", "month", "week", "day")
_BACK, _ON = -1, 1


def beside_it(p: Parse, at: int, old: Condition) -> Iterator[tuple[Condition, int]]:
    """The condition on the period next to that of an old one, where one of its kind is asked for, and its end."""
    if not isinstance(old, tree.Comparison) or old.operator != "=":
        return
    for unit, way, end in _asked(p, at):
        moved = _moved(old.right, unit, way, p.now.date())
        if moved is not None:
            yield replace(old, right=moved), end


_YEAR = re.compile(r"\d{4}")


def says_no_year(p: Parse, at: int) -> bool:
    """Whether a month or a quarter is named without its year. `Monday` and `5 days ago` are of no year but now's."""
    parts = plain.MONTHS.keys() | {"q1", "q2", "q3", "q4", "quarter"}
    named = any(token.text in parts for token in p.tokens[at:])
    return named and at < p.end and not _YEAR.search(p.text[p.tokens[at].start :])


def in_its_year(p: Parse, at: int, new: Condition, old: Condition) -> Condition:
    """`February`, behind January 2025: that of the same year, where none is said."""
    right = old.right if isinstance(old, tree.Comparison) and old.operator == "=" else None
    if not says_no_year(p, at) or not isinstance(right, tree.DateLiteral) or len(right.text) > len("2025-Q1"):
        return new
    year = right.text[:4]
    return mapped(new, lambda one: tree.DateLiteral(year + one.text[4:]) if isinstance(one, tree.DateLiteral) else None)


def _asked(p: Parse, at: int) -> Iterator[tuple[str, int, int]]:
    """`the year before`, `the previous month`, `the week after that`: the unit, the way, and where it ends."""
    start = p.articles(at)
    word, following = p.word(start), p.word(start + 1)
    for tables, way in ((english.EARLIER, _BACK), (english.LATER, _ON)):
        if plain.CALENDAR.get(following) in _UNITS and word in tables[0]:
            yield plain.CALENDAR[following], way, start + 2
        if plain.CALENDAR.get(word) in _UNITS and following in tables[1]:
            yield plain.CALENDAR[word], way, p.past(start + 2, english.POINTING_BACK)


def _moved(old: tree.Value, unit: str, way: int, today: date) -> tree.Value | None:
    """The period of a unit beside an old one; None where the old one is none of that unit."""
    match old:
        case tree.RelativePeriod(which="last", unit=own, count=None) if own == unit and way == _ON:
            return tree.RelativePeriod("this", own)
        case tree.RelativePeriod(which="this", unit=own, count=None) if own == unit:
            return tree.RelativePeriod("last" if way == _BACK else "next", own)
        case tree.RelativePeriod(which="next", unit=own, count=None) if own == unit and way == _BACK:
            return tree.RelativePeriod("this", own)
        case tree.RelativePeriod(which="last" | "next", unit="year", count=None) if unit == "year":
            year = today.year + 2 * way
            return tree.Number(year, str(year))
        case tree.RelativePeriod(which="last" | "next", unit="month", count=None) if unit == "month":
            return _month(today.year, today.month + 2 * way)
        case tree.Day(which=which) if unit == "day":
            away = {"yesterday": -1, "today": 0, "tomorrow": 1}[which] + way
            return tree.DateLiteral((today + timedelta(days=away)).isoformat())
        case tree.Number(value=int() as year, unit=None) if unit == "year" and 1000 < year < 9999:
            return tree.Number(year + way, str(year + way))
        case tree.DateLiteral(text=text) if unit == "month" and len(text) == len("2024-03"):
            return _month(int(text[:4]), int(text[5:]) + way) if text[5:].isdecimal() else None
        case tree.DateLiteral(text=text) if unit == "quarter" and text[5:6] == "Q":
            place = int(text[:4]) * 4 + int(text[6:]) - 1 + way
            return tree.DateLiteral(f"{place // 4:04}-Q{place % 4 + 1}")
        case tree.DateLiteral(text=text) if unit == "day" and len(text) == len("2024-03-05"):
            return tree.DateLiteral((date.fromisoformat(text) + timedelta(days=way)).isoformat())
    return None


def _month(year: int, month: int) -> tree.DateLiteral:
    place = year * 12 + month - 1
    return tree.DateLiteral(f"{place // 12:04}-{place % 12 + 1:02}")
