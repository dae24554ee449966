"""Decades and centuries, and years before the calendar's usual ones: `the 1890s`, `the 18th century`, `1066`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.words.phrases import words

_DECADE = re.compile(r"(1\d|20)(\d0)s")
_SHORT_DECADE = re.compile(r"([3-9]0)s")
_YEAR = re.compile(r"(?:1\d|2[01])\d\d")
_LATEST_CENTURY = 21
_WRITTEN = dict(
    zip(
        "twenties thirties forties fifties sixties seventies eighties nineties".split(),  # noqa: SIM905
        range(1920, 2000, 10),
        strict=True,
    )
)


class Span(NamedTuple):
    """The first and the last year of a span."""

    first: int
    last: int


@rule
def span_of_years(p: Parse, at: int) -> Iterator[Found[Span]]:
    """`the 1890s`, `the '90s`, `the nineties`, `the 18th century`: the 18th goes from 1700 to 1799."""
    start = p.past(at, ("the", "early", "late", "mid", "-", "'")) if p.word(at) in ("the", "'") else at
    if any(p.word(i) in ("early", "late", "mid") for i in range(at, start)):
        return  # a part of it, of which nobody says where it ends
    word, end = p.word(start), start + 1
    if word[-1:].isdecimal() and p.word(end) in ("'s", "s"):
        word, end = f"{word}s", end + 1
    if found := _DECADE.fullmatch(word):
        first = int(found[1] + found[2])
        yield Found(end, Span(first, first + (99 if found[2] == "00" and found[1] != "20" else 9)), 0.0)
    elif (short := _SHORT_DECADE.fullmatch(word)) and start > at:
        yield Found(end, Span(1900 + int(short[1]), 1909 + int(short[1])), 0.1)
    elif word in _WRITTEN and start > at:
        yield Found(end, Span(_WRITTEN[word], _WRITTEN[word] + 9), 0.1)
    nth = ordinal(p, start)
    after = p.past(nth.end, ("-",)) if nth is not None else start
    if nth is not None and p.word(after) in words("century centuries") and nth.value <= _LATEST_CENTURY:
        yield Found(after + 1, Span(100 * (nth.value - 1), 100 * nth.value - 1), 0.0)


def any_year(p: Parse, at: int) -> int | None:
    """The year of four digits that stands here, of any century since the eleventh."""
    word = p.word(at)
    return int(word) if _YEAR.fullmatch(word) else None
