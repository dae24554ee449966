"""Date patterns in Java's letters (`yyyy-MM-dd'T'HH:mm`), compiled once into a regular expression and a printer.

Besides the letters, four tokens that no pattern of a user can contain (Java reserves the braces) serve the named
formats: `{year}` (four digits, no plus sign), `{fraction}` (a point and 1 to 9 digits), `{comma_fraction}` (also with
a comma) and `{zone}` (`Z`, an offset with or without colon, or a region).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from qlc_engine.dates.calendar import (
    MS_PER_DAY,
    civil_from_days,
    day_of_year,
    local_week,
    week_of_week_year,
    weekday,
)
from qlc_engine.dates.zones import Zone, parse_zone
from qlc_engine.errors import illegal_argument

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Instant:
    """An instant in a zone, as printers need it."""

    utc_ms: int
    zone: Zone
    offset_ms: int
    year: int
    month: int
    day: int
    days: int
    ms_of_day: int
    #: beyond its milliseconds
    nanos: int = 0


def instant(utc_ms: int, zone: Zone, nanos: int = 0) -> Instant:
    offset = zone.offset_ms(utc_ms)
    days, ms_of_day = divmod(utc_ms + offset, MS_PER_DAY)
    year, month, day = civil_from_days(days)
    return Instant(utc_ms, zone, offset, year, month, day, days, ms_of_day, nanos)


@dataclass(frozen=True, slots=True)
class ParsedFields:
    """The numbers found in a text by field name (`year`, `month`, `hour`...) and the zone it names, if any."""

    numbers: dict[str, int]
    zone: Zone | None


@dataclass(frozen=True, slots=True)
class _Element:
    """One token of a pattern: what it accepts, how its text becomes a number, and how it prints."""

    regex: str
    print: Callable[[Instant], str]
    field: str | None = None
    value: Callable[[str], int] = int


class Pattern:
    """A compiled pattern. Sections in brackets are optional when parsing and always printed."""

    def __init__(self, source: str, regex: str, elements: list[_Element]) -> None:
        self.source = source
        self._elements = elements
        self._regex = re.compile(regex, re.ASCII)

    def parse(self, text: str) -> ParsedFields | None:
        """The fields in the text; None if it does not fit. Raises `EngineError` for a zone that does not exist."""
        match = self._regex.fullmatch(text)
        if match is None:
            return None
        numbers: dict[str, int] = {}
        zone: Zone | None = None
        for index, element in enumerate(self._elements):
            found = match.group(f"e{index}") if element.field is not None else None
            if found is None or element.field is None:
                continue
            if element.field == "zone":
                zone = parse_zone(found)
            else:
                value = element.value(found)
                if numbers.setdefault(element.field, value) != value:
                    return None
        return ParsedFields(numbers, zone)

    def format(self, at: Instant) -> str:
        return "".join([element.print(at) for element in self._elements])


_TOKEN = re.compile(
    r"'(?P<quoted>(?:[^']|'')*)'|(?P<open>\[)|(?P<close>\])|\{(?P<named>[a-z_]+)\}|(?P<letter>[A-Za-z])(?P=letter)*|(?P<other>.)",
    re.DOTALL,
)


@lru_cache(maxsize=1024)
def compile_pattern(source: str, *, internal: bool = False) -> Pattern:
    """Compiles a pattern; `internal` allows the braced tokens. Raises `illegal_argument_exception` as Elasticsearch."""
    regex: list[str] = []
    elements: list[_Element] = []
    depth = 0
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None or (source[at] == "'" and match.group("quoted") is None):
            raise illegal_argument(
                f"Invalid format: [{source}]: Pattern ends with an incomplete string literal: {source}"
            )
        at = match.end()
        if match.group("open"):
            depth += 1
            regex.append("(?:")
            continue
        if match.group("close"):
            depth -= 1
            if depth < 0:
                reason = "Pattern invalid as it contains ] without previous ["
                raise illegal_argument(f"Invalid format: [{source}]: {reason}")
            regex.append(")?")
            continue
        if letter := match.group("letter"):
            element = _letter_element(source, letter, len(match.group()), iso_weeks=internal)
        elif named := match.group("named"):
            if not internal:
                raise illegal_argument(f"Invalid format: [{source}]: Pattern includes reserved character: '{{'")
            element = _NAMED_ELEMENTS[named]
        else:
            quoted = match.group("quoted")
            text = match.group("other") if quoted is None else quoted.replace("''", "'") or "'"
            if quoted is None and text in "{}#":
                raise illegal_argument(f"Invalid format: [{source}]: Pattern includes reserved character: '{text}'")
            element = _literal(text)
        name = f"?P<e{len(elements)}>" if element.field is not None else "?:"
        regex.append(f"({name}{element.regex})")
        elements.append(element)
    regex.extend(")?" for _ in range(depth))
    return Pattern(source, "".join(regex), elements)


def _literal(text: str) -> _Element:
    return _Element(re.escape(text), lambda _: text)


def _letter_element(source: str, letter: str, count: int, *, iso_weeks: bool) -> _Element:
    try:
        if not iso_weeks and letter in "Ywec" and count <= (4 if letter == "Y" else 2):
            return _local_week(letter, count)
        if letter in _NUMBERS:
            field, read, longest = _NUMBERS[letter]
            if count <= longest:
                return _number(field, read, count)
        elif letter in "yuY":
            return _year(letter, count)
        elif letter in "ML" and count <= 5:
            return _month(count)
        elif letter in "Eec" and count <= 5:
            return _weekday(letter, count)
        elif letter == "a" and count == 1:
            return _Element("AM|PM", lambda at: "PM" if at.ms_of_day >= MS_PER_DAY // 2 else "AM", "ampm", "AM PM".find)
        elif letter == "G" and count <= 3:
            return _Element("AD|BC", lambda at: "AD" if at.year > 0 else "BC", "era", lambda text: int(text == "AD"))
        elif letter in "Qq" and count <= 5:
            return _quarter(count)
        elif letter == "S" and count <= 9:
            return _fraction(count)
        elif letter in "XxZOVz":
            return _zone(letter, count)
        else:
            raise illegal_argument(f"Invalid format: [{source}]: Unknown pattern letter: {letter}")
    except KeyError:
        pass
    raise illegal_argument(f"Invalid format: [{source}]: Too many pattern letters: {letter}")


def _clock(divisor: int, modulus: int, zero: int = 0) -> Callable[[Instant], int]:
    return lambda at: at.ms_of_day // divisor % modulus or zero


#: letter -> field, its value at an instant, the longest run of the letter
_NUMBERS: dict[str, tuple[str, Callable[[Instant], int], int]] = {
    "D": ("day_of_year", lambda at: day_of_year(at.year, at.month, at.day), 3),
    "d": ("day", lambda at: at.day, 2),
    "w": ("week", lambda at: week_of_week_year(at.days)[1], 2),
    "H": ("hour", _clock(3_600_000, 24), 2),
    "k": ("clock_hour", _clock(3_600_000, 24, 24), 2),
    "K": ("hour_of_ampm", _clock(3_600_000, 12), 2),
    "h": ("clock_hour_of_ampm", _clock(3_600_000, 12, 12), 2),
    "m": ("minute", _clock(60_000, 60), 2),
    "s": ("second", _clock(1_000, 60), 2),
    "n": ("nano", lambda at: at.ms_of_day % 1_000 * 1_000_000, 19),
    "A": ("ms_of_day", lambda at: at.ms_of_day, 19),
    "N": ("nano_of_day", lambda at: at.ms_of_day * 1_000_000, 19),
}


def _number(field: str, read: Callable[[Instant], int], count: int) -> _Element:
    regex = r"-?\d{1,19}" if count == 1 else rf"\d{{{count}}}"
    if count > 3:
        regex = rf"\d{{{count},19}}"
    return _Element(regex, lambda at: str(read(at)).zfill(count), field)


def _year(letter: str, count: int) -> _Element:
    field = {"y": "year_of_era", "u": "year", "Y": "week_year"}[letter]

    def read(at: Instant) -> int:
        if letter == "Y":
            return week_of_week_year(at.days)[0]
        return at.year if letter == "u" or at.year > 0 else 1 - at.year

    if count == 2:
        return _Element(r"\d\d", lambda at: str(read(at) % 100).zfill(2), field, lambda text: 2000 + int(text))
    if count == 1:
        return _Element(r"-?\d{1,19}", lambda at: str(read(at)), field)
    regex = rf"-?\d{{{count}}}|[+-]\d{{{count + 1},19}}" if count > 3 else rf"-?\d{{{count},19}}"
    return _Element(regex, lambda at: _padded_year(read(at), count), field)


def _local_week(letter: str, count: int) -> _Element:
    """Weeks of patterns begin on Sunday and the first holds 1 January, as Java reads them in English; no named format
    does so."""
    if letter == "Y":
        return _week_year(count)
    if letter == "w":
        return _number("local_week", lambda at: local_week(at.days)[1], count)
    return _number("local_day_of_week", lambda at: weekday(at.days) % 7 + 1, count)


def _week_year(count: int) -> _Element:
    year = _year("u", count)

    def print_year(at: Instant) -> str:
        return year.print(replace(at, year=local_week(at.days)[0]))

    return _Element(year.regex, print_year, "local_week_year", year.value)


def _padded_year(year: int, width: int) -> str:
    text = str(abs(year)).zfill(width)
    if year < 0:
        return f"-{text}"
    return f"+{text}" if len(text) > width > 3 else text


def _names(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Short for three letters, full for four, the first character for five."""
    return tuple(name[:3] if count == 3 else name[:1] if count == 5 else name for name in names)


def _choice(names: tuple[str, ...]) -> str:
    return "|".join(sorted((re.escape(name) for name in names), key=len, reverse=True))


def _month(count: int) -> _Element:
    if count <= 2:
        return _number("month", lambda at: at.month, count)
    names = _names(MONTHS, count)
    return _Element(_choice(names), lambda at: names[at.month - 1], "month", lambda text: names.index(text) + 1)


def _weekday(letter: str, count: int) -> _Element:
    if letter != "E" and count <= 2:
        return _number("day_of_week", lambda at: weekday(at.days), count)
    names = _names(DAYS, max(count, 3))
    return _Element(
        _choice(names), lambda at: names[weekday(at.days) - 1], "day_of_week", lambda text: names.index(text) + 1
    )


def _quarter(count: int) -> _Element:
    if count <= 2:
        return _number("quarter", lambda at: (at.month + 2) // 3, count)
    names = _QUARTERS[count]
    return _Element(
        _choice(names), lambda at: names[(at.month - 1) // 3], "quarter", lambda text: names.index(text) + 1
    )


#: by the number of letters
_QUARTERS = {
    3: ("Q1", "Q2", "Q3", "Q4"),
    4: ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter"),
    5: ("1", "2", "3", "4"),
}


def _fraction(count: int) -> _Element:
    def print_fraction(at: Instant) -> str:
        return str(at.ms_of_day % 1_000 * 1_000_000 + at.nanos).zfill(9)[:count]

    return _Element(rf"\d{{{count}}}", print_fraction, "nano", _nanos)


def _nanos(digits: str) -> int:
    return int(digits.ljust(9, "0"))


def format_offset(
    offset_ms: int, *, colon: str = ":", zero: str = "Z", shortest: bool = False, with_seconds: bool = False
) -> str:
    """`+05:30`; `shortest` leaves out minutes that are zero, `zero` stands for no offset at all."""
    if offset_ms == 0 and zero:
        return zero
    seconds = abs(offset_ms) // 1_000
    text = f"{'-' if offset_ms < 0 else '+'}{seconds // 3600:02d}"
    minutes, rest = seconds // 60 % 60, seconds % 60
    if minutes or not shortest:
        text += f"{colon}{minutes:02d}"
    return text + (f"{colon}{rest:02d}" if rest and with_seconds else "")


_DIGITS = r"[+-]\d\d"


def _zone(letter: str, count: int) -> _Element:
    if letter in "Xx":
        zero = "Z" if letter == "X" else ""
        colon = ":" if count in (3, 5) else ""
        minutes = {1: r"(?:\d\d)?", 2: r"\d\d", 3: r":\d\d", 4: r"\d\d(?:\d\d)?", 5: r":\d\d(?::\d\d)?"}[count]
        regex = f"{_DIGITS}{minutes}" + ("|Z" if zero else "")
        return _Element(
            regex,
            lambda at: format_offset(at.offset_ms, colon=colon, zero=zero, shortest=count == 1, with_seconds=count > 3),
            "zone",
        )
    if letter == "Z" and count <= 3:
        return _Element(rf"{_DIGITS}\d\d", lambda at: format_offset(at.offset_ms, colon="", zero=""), "zone")
    if letter == "Z" and count == 5:
        regex = rf"{_DIGITS}:\d\d(?::\d\d)?|Z"
        return _Element(regex, lambda at: format_offset(at.offset_ms, with_seconds=True), "zone")
    if letter == "O" and count == 1:
        return _Element(r"GMT(?:[+-]\d\d?(?::\d\d)?)?", _localized_offset, "zone")
    if letter in "OZ" and count == 4:
        return _Element(r"GMT(?:[+-]\d\d:\d\d)?", lambda at: f"GMT{format_offset(at.offset_ms, zero='')}", "zone")
    if letter == "V" and count == 2:
        return _NAMED_ELEMENTS["zone"]
    if letter == "z" and count <= 3:
        return _Element(_NAMED_ELEMENTS["zone"].regex, _zone_abbreviation, "zone")
    raise KeyError(letter)


def _localized_offset(at: Instant) -> str:
    """`GMT`, `GMT+1`, `GMT-3:30`."""
    if at.offset_ms == 0:
        return "GMT"
    hours, minutes = divmod(abs(at.offset_ms) // 60_000, 60)
    return f"GMT{'-' if at.offset_ms < 0 else '+'}{hours}" + (f":{minutes:02d}" if minutes else "")


def _zone_abbreviation(at: Instant) -> str:
    if at.zone.region is None:
        return at.zone.name
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at.utc_ms)
        return moment.astimezone(at.zone.region).tzname() or at.zone.name
    except OverflowError:  # a year that Python's calendar does not know
        return at.zone.name


def _milliseconds(at: Instant) -> str:
    return f".{at.ms_of_day % 1_000:03d}"


def _nanoseconds(at: Instant) -> str:
    """Three digits at the least, as many as there are at the most."""
    digits = f"{at.ms_of_day % 1_000 * 1_000_000 + at.nanos:09d}"
    return "." + digits[:3] + digits[3:].rstrip("0")


_ZONE_REGEX = r"[+-]\d\d(?::?\d\d(?::?\d\d)?)?|[A-Za-z][A-Za-z0-9~/._+:-]*"
_NAMED_ELEMENTS = {
    "year": _Element(r"-?\d{4}", lambda at: _padded_year(at.year, 4), "year"),
    "fraction": _Element(r"\.\d{1,9}", _milliseconds, "nano", lambda text: _nanos(text[1:])),
    "nano_fraction": _Element(r"[.,]\d{1,9}", _nanoseconds, "nano", lambda text: _nanos(text[1:])),
    "comma_fraction": _Element(r"[.,]\d{1,9}", _milliseconds, "nano", lambda text: _nanos(text[1:])),
    "zone": _Element(_ZONE_REGEX, lambda at: at.zone.name, "zone"),
}
