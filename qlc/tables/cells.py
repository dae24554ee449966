"""Reads a cell of text: a number with its signs, a date, a truth value, or nothing.

A cell alone is often ambiguous ("1.234", "03/04/2025", "00012"); `qlc.tables.columns` decides by the whole column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache

from qlc.base.currencies import CURRENCIES
from qlc.base.units import find_unit
from qlc.language.dates import day_of

MISSING = frozenset(
    ["", "n/a", "#n/a", "na", "n.a.", "n. a.", "k.a.", "k. a.", "-", "–", "—", "--", "?", "??", "null", "none", "nan",
     "nil", "(null)", "(blank)", "(empty)", "<na>", "#null!", "#ref!", "#value!", "#div/0!", "missing", "unknown",
     "unbekannt", "inconnu"]
)  # fmt: skip
"""Texts for a missing value, in small letters."""

TRUTH = {
    **dict.fromkeys(["true", "yes", "y", "t", "ja", "j", "wahr", "oui", "vrai", "si", "sí", "x", "✓", "✔"], True),
    **dict.fromkeys(["false", "no", "n", "f", "nein", "falsch", "non", "faux", "✗", "✘"], False),
}
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN", "kr": "", "fr.": "CHF"}
_SPACES = " \u00a0\u202f\u2009'’"
_NUMBER = re.compile(
    rf"(?P<minus>[+\-−(]?)\s*(?P<before>[^\d\s+\-−(),.]{{1,4}})?\s*(?P<sign>[+\-−]?)"
    rf"(?P<digits>\d[\d.,{_SPACES}]*\d|\d|[.,]\d+)(?P<power>[eE][+-]?\d+)?\s*(?P<after>%|[^\d\s].{{0,15}})?"
)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
_SPACED = re.compile(rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?![\d{_SPACES}])")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier janv enero gennaio",
            "february feb februar février fevrier févr febrero febbraio",
            "march mar märz maerz mrz mars marzo",
            "april apr avril avr abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet juil julio luglio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober okt octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre déc diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
def is_month(word: str) -> bool:
    """Whether a word is the name of a month, in one of some languages."""
    return word.casefold() in _MONTHS


_TIME = (
    r"(?:[T ,]+(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:\s*(?P<half>[AaPp]\.?[Mm]\.?))?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_ISO = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})" + _TIME)
_NUMERIC = re.compile(r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})" + _TIME)
_DAY_MONTH = re.compile(
    r"(?:\w{2,9}\.?,?\s+)?(?P<day>\d{1,2})\.?[ -](?P<name>[^\W\d]{3,10})\.?,?[ -](?P<year>\d{4})" + _TIME
)
_MONTH_DAY = re.compile(
    r"(?:\w{2,9}\.?,?\s+)?(?P<name>[^\W\d]{3,10})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})" + _TIME
)
_CENTURY = 69
"""Two-digit years up to this one are of the 21st century, as POSIX `strptime` has it."""


ISO_SHAPE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?", re.ASCII)
"""Dates that are stored as they are written, if there is such a day."""
PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?", re.ASCII)
"""Numbers that Python reads as they are written, with a point as decimal mark."""
_LONGEST_MISSING = max(map(len, MISSING))


def is_missing(text: str) -> bool:
    text = text.strip()
    return len(text) <= _LONGEST_MISSING and text.casefold() in MISSING


def is_iso(text: str) -> bool:
    """Whether a text of the shape of a date in ISO 8601 is a day of the calendar."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Number:
    """The parts of a number: its digits as they are written, what is before and after them.

    `decimal` is the decimal mark if the digits prove it, `grouped` the mark between thousands if it looks like one and
    nothing proves it ("1,234"). `zeros`: it begins with a zero that no number has ("00012").
    """

    digits: str
    negative: bool
    decimal: str = ""
    grouped: str = ""
    zeros: bool = False
    currency: str = ""
    unit: str = ""
    percent: bool = False

    def is_whole(self, decimal: str) -> bool:
        """Whether it is a whole number, with a decimal mark."""
        return float(self.value(decimal)).is_integer()

    def value(self, decimal: str) -> float | int:
        """The number, with the decimal mark of its column. Whole numbers are ints."""
        thousands = "," if decimal == "." else "."
        plain = self.digits.translate(_NO_SPACES).replace(thousands, "").replace(decimal, ".")
        number = float(plain) if "." in plain or "e" in plain.lower() else int(plain)
        return -number if self.negative else number


_FOOTNOTES = re.compile(r"(?<=\w)\s*(?:\[(?P<inside>[^\[\]]{1,30})\]|(?<=\d\d)\*|[†‡§])+")


def without_footnotes(text: str) -> str:
    """Return a number or a date without the marks of footnotes after it: `1,050[a]`, `2,282†`, `101*` -> `101`."""
    text = text.strip()
    if text[-1:] not in ("]", "*", "†", "‡", "§"):
        return text
    marks = next((one for one in _FOOTNOTES.finditer(text) if one.end() == len(text)), None)
    is_unit = marks is not None and marks["inside"] and find_unit(marks["inside"]) is not None
    return text if marks is None or is_unit else text[: marks.start()]


_NO_SPACES = {ord(one): None for one in _SPACES}


@lru_cache(maxsize=65_536)
def read_number(text: str) -> Number | None:
    """The number that a cell holds; None where it holds something else, such as a phone number.

    "1.234,56 €" -> digits "1.234,56", decimal ",", currency EUR; "44.7%" -> percent; "12 kg" -> unit kg.
    """
    found = _NUMBER.fullmatch(without_footnotes(text))
    if found is None:
        return None
    before, after = found["before"] or "", (found["after"] or "").strip()
    in_brackets = found["minus"] == "(" and after.endswith(")")
    after = after.removesuffix(")") if in_brackets else after
    if (found["minus"] == "(") != in_brackets:
        return None
    currency = next((code for one in (before, after) if (code := _currency(one)) is not None), None)
    percent, unit = after == "%", ""
    if before and currency is None:
        return None
    if after and not percent and _currency(after) is None:
        known = find_unit(after)
        if known is None or currency is not None:  # "$1.2M" is no price of 1.2
            return None
        unit = known.name
    digits = found["digits"]
    spaced = any(one in digits for one in _SPACES)
    if spaced and not _SPACED.match(digits):
        return None  # "030 23125 424" is no number
    marks = [one for one in digits if one in ".,"]
    decimal = grouped = ""
    if len(set(marks)) == 2:
        decimal = marks[-1]
        if marks.count(decimal) > 1 or not _GROUPED.fullmatch(digits.rpartition(decimal)[0]):
            return None
    elif marks and (spaced or len(marks) == 1) and not _GROUPED.fullmatch(digits):
        decimal = marks[0]
    elif marks:
        if not _GROUPED.fullmatch(digits):
            return None
        grouped = marks[0]
        if len(marks) > 1:  # "1,234,567"
            decimal, grouped = ("." if grouped == "," else ","), ""
    whole = re.split("[.,]", digits)[0]
    zeros = len(whole) > 1 and whole.startswith("0")
    negative = "-" in (found["minus"], found["sign"]) or "−" in (found["minus"], found["sign"]) or in_brackets
    return Number(digits + (found["power"] or ""), negative, decimal, grouped, zeros, currency or "", unit, percent)


def _currency(text: str) -> str | None:
    """The code of a currency; None where a text is none."""
    word = text.strip().rstrip(".").casefold() if text else ""
    if word in _SIGNS:
        return _SIGNS[word] or None
    return word.upper() if word.upper() in CURRENCIES and text.strip().isupper() else None


@dataclass(frozen=True, slots=True)
class Day:
    """A date as it is written. `one` and `two` are day and month in an order that only the column can prove; an ISO
    date or one with a name of a month has its month in `two` and is `sure`."""

    year: int
    one: int
    two: int
    sure: bool
    mark: str = ""
    time: str = ""
    zone: str = ""

    @property
    def orders(self) -> frozenset[str]:
        """The orders, `dmy` and `mdy`, in which it is a day of the calendar."""
        ways = (("dmy", self.one, self.two), ("mdy", self.two, self.one))
        return frozenset(order for order, day, month in ways if day_of(self.year, month, day))

    def value(self, order: str) -> str:
        """ISO 8601. Raises ValueError for a day that the order does not have."""
        day, month = (self.one, self.two) if self.sure or order == "dmy" else (self.two, self.one)
        text = date(self.year, month, day).isoformat()
        return f"{text}T{self.time}{self.zone}" if self.time else text


@lru_cache(maxsize=65_536)
def read_day(text: str) -> Day | None:
    """The date, with its time of day if there is one, that a cell holds; None where it holds something else.

    "2025-03-04T10:00+01:00", "04.03.2025", "3/4/25 2:30 pm", "4 March 2025", "Mar 4, 2025".
    """
    text = " ".join(without_footnotes(text).split())  # "May 17, 2001" may have spaces that do not break
    found = _ISO.fullmatch(text)
    if found is not None:
        day = Day(int(found["year"]), int(found["day"]), int(found["month"]), True)
    elif (found := _NUMERIC.fullmatch(text)) is not None:
        year = int(found["year"])
        if len(found["year"]) == 2:
            year += 1900 if year >= _CENTURY else 2000
        day = Day(year, int(found["one"]), int(found["two"]), False, found["mark"])
    elif (found := _DAY_MONTH.fullmatch(text) or _MONTH_DAY.fullmatch(text)) is not None:
        month = _MONTHS.get(found["name"].casefold())
        if month is None:
            return None
        day = Day(int(found["year"]), int(found["day"]), month, True)
    else:
        return None
    if not (day.orders if not day.sure else day_of(day.year, day.two, day.one)):
        return None
    clock = _clock(found["time"], found["half"])
    return None if clock is None else Day(day.year, day.one, day.two, day.sure, day.mark, clock, _zone(found["zone"]))


_YEAR_MONTH = re.compile(r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])", re.ASCII)
_NAMED_MONTH = re.compile(r"(?P<month>[^\W\d]{3,10})\.?,?[ -](?P<year>(?:19|20)\d\d)")


def read_month(text: str) -> Day | None:
    """The first day of a month that a cell holds: "2024-03", "Mar 1998"; None where it holds something else."""
    found = _YEAR_MONTH.fullmatch(text) or _NAMED_MONTH.fullmatch(text)
    month = found["month"].casefold() if found is not None else ""
    number = int(month) if month.isdigit() else _MONTHS.get(month)
    return None if found is None or number is None else Day(int(found["year"]), 1, number, True)


def is_like_a_day(text: str) -> bool:
    """Whether a text has the shape of a date with day and month in any order: its digits say whether it is one."""
    text = " ".join(text.split())
    return any(shape.fullmatch(text) for shape in (_ISO, _NUMERIC, _DAY_MONTH, _MONTH_DAY))


def _clock(time: str | None, half: str | None) -> str | None:
    """The time of day in 24 hours: "2:30" and "pm" -> "14:30:00"; empty where there is none, None where it is wrong."""
    if time is None:
        return ""
    hour, minute, *rest = time.replace(",", ".").split(":")
    hours = int(hour) % 12 + 12 * (half[0] in "pP") if half else int(hour)
    seconds = rest[0] if rest else "00"
    return f"{hours:02}:{minute}:{seconds}" if hours < 24 and int(minute) < 60 and float(seconds) < 61 else None


def _zone(zone: str | None) -> str:
    if not zone:
        return ""
    return "Z" if zone in ("Z", "UTC", "GMT") else zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"


def as_text(cell: object) -> str:
    """A cell as text: dates in ISO 8601, without the midnight of a spreadsheet, whole numbers without a fraction."""
    match cell:
        case str():
            return cell
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime() if cell.time() == time() and cell.tzinfo is None:
            return cell.date().isoformat()
        case datetime() | date():
            return cell.isoformat()
        case float() if cell.is_integer():
            return str(int(cell))
    return str(cell)


def is_of_each_row(cell: object) -> bool:
    """Whether a cell that is merged over several rows belongs to each: a text, a day, a year. An amount belongs to all
    of them together, and would be added up several times."""
    text = as_text(cell).strip()
    number = read_number(text) if text else None
    return bool(text) and (number is None or _YEAR.fullmatch(text) is not None or read_day(text) is not None)


_YEAR = re.compile(r"(?:19|20)\d\d")
