"""Find every number and date that an English text mentions, with all its readings.

`quantities` returns what is surely meant; a check of a text must see everything that could be meant. `1.234` may be
1.234 or 1234, and `5/3/2024` is in March or in May.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from qlc.base.units import find_unit

from .dates import MONTHS, WEEKDAYS
from .numbers import NUMBER_IN_WORDS, SCALES, parse_words, readings

# --- numbers ---------------------------------------------------------------------------------------------------------

Readings = tuple[tuple[float, float], ...]
"""Values, each with the size of its last digit."""


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number with its readings, in the base of its dimension (`qlc.base.units`); a plain number has none.

    `whole`: written in full, without decimals or scale. `before`: up to four words before it.
    """

    values: Readings
    dimension: str
    start: int
    end: int
    whole: bool = True
    before: tuple[str, ...] = ()


_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−+](?=\d))?(?P<number>\d{1,3}(?:[  '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    r"(?P<ordinal>st|nd|rd|th)?\b"
    r"|(?<![\w.,])(?P<joined>\d+(?:[.,]\d+)*)(?P<after>[a-zA-Z]{1,5})\b"
)
_IN_WORDS = re.compile(rf"(?<!\w){NUMBER_IN_WORDS}(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEXT = re.compile(r"[\s -]*([^\W\d_]+(?![^\W_])|%|°[CF])")


def numbers_in(text: str) -> list[NumberMention]:
    """Return the numbers of a text with their units; `2 h 5 min` is one duration."""
    digits = list(_in_digits(text))
    words = [one for one in _in_words(text) if all(one.end <= d.start or one.start >= d.end for d in digits)]
    return list(_durations(sorted([*digits, *words], key=lambda one: one.start), text))


def _in_digits(text: str) -> Iterator[NumberMention]:
    for match in _NUMBER.finditer(text):
        after, digits = match["after"], match["joined"] or match["number"]
        if after is not None and after.lower() not in SCALES and find_unit(after) is None and after != "M":
            continue  # part of a name: A4, 5W30
        sign = -1 if (match["sign"] or "+") in "-−" else 1
        values = tuple((sign * value, step) for value, step in readings(digits))
        end = match.end() if after is None else match.start("after")
        yield _with_unit(text, match.start(), end, values, whole="." not in digits and "," not in digits)


def _in_words(text: str) -> Iterator[NumberMention]:
    for match in _IN_WORDS.finditer(text):
        for one in parse_words(match[0]):
            start, end = match.start() + one.start, match.start() + one.end
            yield _with_unit(text, start, end, ((float(one.value), 1.0),), whole=True)


def _scale_of(word: str) -> int | None:
    """`m` after a number is metres, `M` is a million."""
    return 10**6 if word == "M" else SCALES.get(word.lower()) if word.lower() not in ("m", "grand") else None


def _with_unit(text: str, start: int, end: int, values: Readings, *, whole: bool) -> NumberMention:
    before = tuple(word.lower() for word in _WORD.findall(text[max(start - 60, 0) : start]))[-4:]
    following = _NEXT.match(text, end)
    if following is not None and (scale := _scale_of(following[1])) is not None:
        values, whole, end = tuple((v * scale, step * scale) for v, step in values), False, following.end()
        following = _NEXT.match(text, end)
    unit = find_unit(following[1]) if following is not None else None
    if unit is None or following is None:
        return NumberMention(values, "", start, end, whole, before)
    factor = unit.numerator / unit.denominator
    based = tuple((value * factor, step * factor) for value, step in values)
    return NumberMention(based, unit.dimension, start, following.end(), whole, before)


def _durations(found: Sequence[NumberMention], text: str) -> Iterator[NumberMention]:
    """Add up the parts of a duration: `2 h 5 min` -> 7500 s. The last part gives the size of the last digit."""
    at = 0
    while at < len(found):
        one = found[at]
        at += 1
        while (
            at < len(found) and one.dimension == found[at].dimension == "time"
            and re.fullmatch(r"[\s,]*(?:and\s+)?", text[one.end : found[at].start])
            and found[at].values[0][0] < one.values[0][1]
        ):  # fmt: skip
            (value, _), (more, step) = one.values[0], found[at].values[0]
            one = NumberMention(((value + more, step),), "time", one.start, found[at].end, False, one.before)
            at += 1
        yield one


# --- dates -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as far as a text gives it: `March 2024` has a year and a month. Monday is weekday 0."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    hour: int | None = None
    minute: int | None = None

    @property
    def parts(self) -> tuple[int | None, ...]:
        return self.year, self.month, self.day, self.weekday, self.hour, self.minute

    def is_part_of(self, others: Sequence[int | None]) -> bool:
        """Return whether every part that the text gives is the same in others."""
        return all(one is None or one == other for one, other in zip(self.parts, others, strict=True))

    def is_of(self, instant: datetime) -> bool:
        """Return whether an instant fits: `March 2024` fits each of its days."""
        parts = (instant.year, instant.month, instant.day, instant.weekday(), instant.hour, instant.minute)
        return self.is_part_of(parts)


_MONTH = "|".join(sorted(MONTHS["en"], key=len, reverse=True))
_WEEKDAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_CLOCK = r"(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
_DATES = tuple(
    re.compile(rf"(?<![\w.,]){pattern}(?!\w|[.,]\d)", re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})" + _CLOCK,
        r"(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})",
        rf"(?P<name>{_MONTH})\.?\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?",
        rf"{_DAY}\.?\s+(?:of\s+)?(?P<name>{_MONTH})\.?(?:,?\s+{_YEAR})?",
        rf"(?P<name>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}",
        r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<other>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})",
        r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])",
        rf"(?P<weekday>{_WEEKDAY})(?:(?<=day)s)?",
        r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?:\s*(?P<half>[ap])\.?m\b\.?)?",
        r"(?P<hour>\d{1,2})\s*(?P<half>[ap])\.?m\b\.?",
        rf"(?P<name>{_MONTH})",
    )
)


def dates_in(text: str) -> list[tuple[DateMention, ...]]:
    """Return the dates of a text, each with its readings: two for `5/3/2024`."""
    found: list[tuple[DateMention, ...]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if all(match.end() <= one[0].start or one[0].end <= match.start() for one in found):
                found += [one] if (one := _readings_of(match)) else []
    return found


def _readings_of(match: re.Match[str]) -> tuple[DateMention, ...]:
    given = {part: text for part, text in match.groupdict().items() if text is not None}
    names = [given[part] for part in ("name", "weekday") if part in given]
    if any(not name[0].isupper() for name in names):
        return ()  # `may`, `mar`, `sat` are other words without a capital
    parts = {part: int(text) for part, text in given.items() if text.isdecimal()}
    if parts.get("year", 100) < 100:
        parts["year"] += 2000
    if "half" in given:
        parts["hour"] = parts["hour"] % 12 + (12 if given["half"] in "pP" else 0)
    if "name" in given:
        parts["month"] = MONTHS["en"][given["name"].lower()]
    if "weekday" in given:
        parts["weekday"] = WEEKDAYS[given["weekday"].lower()]
    if "mark" not in given:
        return (DateMention(*match.span(), **parts),)
    one, other, year = parts["one"], parts["other"], parts["year"]
    return DateMention(*match.span(), year, one, other), DateMention(*match.span(), year, other, one)
