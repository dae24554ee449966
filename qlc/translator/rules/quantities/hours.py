"""Times of day in words: `before noon`, `after 6 pm`, `between 9 and 11 am`. Whole hours only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.build import compare, number, path
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words.phrases import phrases

_HALVES = {"am": 0, "pm": 12}
_NAMED = {"noon": 12, "midday": 12, "midnight": 0}
_ATTACHED = re.compile(r"(\d{1,2})(am|pm)")
_AFTER = phrases("after | since | from | later than")
_BEFORE = phrases("before | until | earlier than")
_MORNING = phrases("in the morning | o'clock in the morning | at night | o'clock at night")
_AFTERNOON = phrases("in the (afternoon | evening) | o'clock in the (afternoon | evening)")


def at_hours(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """A condition on the hour of a date, on any day."""
    hour = tree.Cyclic("hour_of_day", path(*ref.path))
    for end in p.phrases(at, _BEFORE):
        for one in _hour(p, end):
            if one.value > 0:
                yield Found(one.end, compare(hour, "<", number(one.value)), 0.05)
    for end in p.phrases(at, _AFTER):
        for one in _hour(p, end):
            yield Found(one.end, compare(hour, ">=", number(one.value)), 0.05)
    if p.word(at) == "at":
        for one in _hour(p, at + 1):
            yield Found(one.end, compare(hour, "=", number(one.value)), 0.05)
    if p.word(at) in ("between", "from"):
        for low in _hour(p, at + 1, half_behind=True):
            if p.word(low.end) in ("and", "to", "until", "-", "–"):
                for high in _hour(p, low.end + 1):
                    if low.value < high.value:
                        between = tree.Between(hour, number(low.value), number(high.value - 1))
                        yield Found(high.end, between, 0.0)


def _hour(p: Parse, at: int, *, half_behind: bool = False) -> Iterator[Found[int]]:
    """`6 pm`, `6pm`, `18:00`, `noon`; with `half_behind` also the 6 of `6 and 8 am`."""
    word = p.word(at)
    if word in _NAMED:
        yield Found(at + 1, _NAMED[word], 0.0)
    elif attached := _ATTACHED.fullmatch(word):
        yield from _of_half(at + 1, int(attached[1]), attached[2])
    elif word.isdecimal() and len(word) <= 2:
        if p.word(at + 1) in _HALVES:
            yield from _of_half(at + 2, int(word), p.word(at + 1))
        elif p.phrase(at + 1, ":", "00") and int(word) < 24:
            yield Found(at + 3, int(word), 0.0)
        elif (end := _half_in_words(p, at + 1)) is not None:
            yield from _of_half(end[0], int(word), end[1])
        elif half_behind:
            ends = [p.word(i) for i in range(at + 2, min(at + 4, p.end))]
            half = next((end[-2:] for end in ends if end[-2:] in _HALVES), "")
            said = _half_in_words(p, at + 3) if p.word(at + 2).isdecimal() else None
            half = half or (said[1] if said is not None else "")
            yield from _of_half(at + 1, int(word), half) if half else ()


def _half_in_words(p: Parse, at: int) -> tuple[int, str] | None:
    """Behind `in the morning`, `in the evening`, and the half of the day. At night only early hours are told."""
    hour = int(p.word(at - 1)) if at and p.word(at - 1).isdecimal() else 0
    for end in p.phrases(at, _MORNING):
        if "night" not in (p.word(end - 1),) or hour <= 5:
            return end, "am"
    return next(((end, "pm") for end in p.phrases(at, _AFTERNOON)), None)


def _of_half(end: int, hour: int, half: str) -> Iterator[Found[int]]:
    if 1 <= hour <= 12:
        yield Found(end, hour % 12 + _HALVES[half], 0.0)
