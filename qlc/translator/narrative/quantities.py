"""Numbers, amounts and dates in prose, in the ways that people write them. Pure English: nothing of a domain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from qlc.base.units import find_unit
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

SCALES = {**{name: scale for name, scale in english.SCALES.items() if name not in ("m", "grand", "hundred")},
          "hundred": 100, "trillion": 10**12, "dozen": 12}  # fmt: skip
NUMBERS = {name: value for name, value in english.NUMBERS.items() if name != "dozen"}
ORDINALS = {name: value for name, value in english.ORDINALS.items() if value > 0}
NEVER_SAID = words(
    "half halves twice thrice double triple dozens dozen hundreds thousands millions billions couple majority minority "
    "both"
)
"""Words for amounts that somebody would have to work out: no answer says them."""
NOTHING = words("no none zero neither nobody nothing nowhere nil")


@dataclass(frozen=True, slots=True)
class Amount:
    """What a number may be: its values (`1.234` is one and a bit, or a thousand), each with the size of its last digit.

    `dimension` is that of its unit (values are in its base), empty for a plain number. `whole`: written to the last
    digit, with neither point nor scale. `before` are the words before it.
    """

    values: tuple[tuple[float, float], ...]
    dimension: str
    start: int
    end: int
    whole: bool = True
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as it is said: year, month, day, weekday (0 is Monday), hour, minute."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    hour: int | None = None
    minute: int | None = None

    def is_of(self, instant: datetime) -> bool:
        """Whether the instant is one that this says."""
        asked = (self.year, self.month, self.day, self.weekday, self.hour, self.minute)
        known = (instant.year, instant.month, instant.day, instant.weekday(), instant.hour, instant.minute)
        return all(one is None or one == other for one, other in zip(asked, known, strict=True))


# --- dates -----------------------------------------------------------------------------------------------------------

_MONTH = "|".join(sorted(english.MONTHS, key=len, reverse=True))
_WEEKDAY = "|".join(sorted(english.WEEKDAYS, key=len, reverse=True))
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
        rf"(?P<weekday>{_WEEKDAY})",
        r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?:\s*(?P<half>[ap])\.?m\b\.?)?",
        r"(?P<hour>\d{1,2})\s*(?P<half>[ap])\.?m\b\.?",
        rf"(?P<name>{_MONTH})",
    )
)


def moments(text: str) -> list[Moment | tuple[Moment, Moment]]:
    """The dates of a text; a pair where it can be read in two ways (`5/3/2024`)."""
    found: list[Moment | tuple[Moment, Moment]] = []
    taken: list[tuple[int, int]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            one = _moment(match)
            if one is not None:
                taken.append((start, end))
                found.append(one)
    return found


def _moment(match: re.Match[str]) -> Moment | tuple[Moment, Moment] | None:
    given = match.groupdict()
    start, end = match.span()
    year = _whole(given.get("year"))
    if year is not None and year < 100:
        year += 2000
    if given.get("mark"):
        one, other = int(given["one"]), int(given["other"])
        return Moment(start, end, year, one, other), Moment(start, end, year, other, one)
    name = given.get("name")
    if name is not None and name.islower():
        return None  # `may` and `mar` are words too; months have a capital
    weekday = given.get("weekday")
    if weekday is not None and not weekday[0].isupper():
        return None
    hour, half = _whole(given.get("hour")), (given.get("half") or "").lower()
    if half and hour is not None:
        hour = hour % 12 + (12 if half == "p" else 0)
    month = english.MONTHS[name.lower()] if name is not None else _whole(given.get("month"))
    day_of_week = english.WEEKDAYS[weekday.lower()] if weekday is not None else None
    return Moment(start, end, year, month, _whole(given.get("day")), day_of_week, hour, _whole(given.get("minute")))


def _whole(text: str | None) -> int | None:
    return int(text) if text else None


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?")


def instant_of(text: str, zone: tzinfo | None = None) -> datetime | None:
    """The instant that a whole text is, in a zone; None where it is none."""
    if not _ISO.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.astimezone(zone) if found.tzinfo is not None and zone is not None else found


# --- numbers ---------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−+](?=\d))?(?P<number>\d{1,3}(?:[  '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    r"(?P<ordinal>st|nd|rd|th)?\b"
    r"|(?<![\w.,])(?P<joined>\d+(?:[.,]\d+)*)(?P<after>[a-zA-Z]{1,5})\b"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEXT = re.compile(r"[\s -]*([^\W\d_]+(?![^\W_])|%)")
_IN_WORDS = re.compile(r"(?<!\w)(?:" + "|".join(sorted({*NUMBERS, *ORDINALS, *SCALES}, key=len, reverse=True))
                       + r")(?!\w)", re.IGNORECASE)  # fmt: skip


def amounts(text: str) -> list[Amount]:
    """The numbers of a text, with their units; a duration of several parts (`2 h 5 min`) is one."""
    digits = list(_in_digits(text))
    said = [one for one in _in_words(text) if all(one.end <= d.start or one.start >= d.end for d in digits)]
    return list(_durations(sorted([*digits, *said], key=lambda one: one.start), text))


def _in_digits(text: str) -> Iterator[Amount]:
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        after, digits = match["after"], match["joined"] or match["number"]
        if after is not None and after.lower() not in SCALES and find_unit(after) is None and after != "M":
            continue  # a word with digits in it, which is judged as a name
        end = match.end() if after is None else match.start("after")
        readings = _readings(digits, negative=(match["sign"] or "+") in "-−")
        yield _with_unit(text, start, end, readings, whole="." not in digits and "," not in digits)


def _readings(digits: str, *, negative: bool) -> tuple[tuple[float, float], ...]:
    """What digits with points and commas may be: values with the size of the last digit."""
    plain = re.sub(r"[  '’]", "", digits)
    found: dict[tuple[float, float], None] = {}
    for thousands, point in ((",", "."), (".", ",")):
        groups, _, decimals = plain.partition(point)
        parts = groups.split(thousands)
        grouped = len(parts) == 1 or (len(parts[0]) <= 3 and all(len(one) == 3 for one in parts[1:]))
        if grouped and thousands not in decimals and point not in decimals:
            value = float("".join(parts) + (f".{decimals}" if decimals else ""))
            found[-value if negative else value, 10.0 ** -len(decimals)] = None
    return tuple(found)


def _in_words(text: str) -> Iterator[Amount]:
    """`forty-seven`, `two thousand three hundred`, `the third`."""
    at = 0
    while (match := _IN_WORDS.search(text, at)) is not None:
        end, total, part = match.start(), 0.0, 0.0
        said = False
        while (one := _IN_WORDS.match(text, end)) is not None:
            word = one[0].lower()
            if word in SCALES and not said and word != "hundred" and len(word) < 4:
                break  # `k` and `bn` come after digits
            if word in SCALES:
                part = (part or 1.0) * SCALES[word]
                if SCALES[word] >= 1000:
                    total, part = total + part, 0.0
            else:
                part += NUMBERS[word] if word in NUMBERS else ORDINALS[word]
            said, end = True, one.end()
            joint = re.match(r"(?:\s+and\s+|[\s-]+)", text[end:])
            if word in ORDINALS or joint is None or not _IN_WORDS.match(text, end + joint.end()):
                break
            end += joint.end()
        at = max(end, match.end())
        if said:
            yield _with_unit(text, match.start(), end, ((total + part, 1.0),), whole=True)


def _with_unit(
    text: str, start: int, end: int, readings: tuple[tuple[float, float], ...], *, whole: bool
) -> Amount:
    """The number with the scale and the unit after it."""
    before = tuple(word.lower() for word in _WORD.findall(text[max(start - 60, 0) : start]))[-4:]
    following = _NEXT.match(text, end)
    word = following[1] if following is not None else ""
    scale = 10**6 if word == "M" else SCALES.get(word.lower())
    if following is not None and scale is not None:
        readings, whole, end = tuple((v * scale, step * scale) for v, step in readings), False, following.end()
        following = _NEXT.match(text, end)
        word = following[1] if following is not None else ""
    unit = find_unit(word) if word else None
    if unit is None or following is None:
        return Amount(readings, "", start, end, whole, before)
    factor = unit.numerator / unit.denominator
    based = tuple((value * factor, step * factor) for value, step in readings)
    return Amount(based, unit.dimension, start, following.end(), whole, before)


def _durations(found: Sequence[Amount], text: str) -> Iterator[Amount]:
    """Parts of one duration that follow each other, added up: the last part says how exact it is."""
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
            one = Amount(((value + more, step),), "time", one.start, found[at].end, False, one.before)
            at += 1
        yield one
