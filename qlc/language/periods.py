"""Read periods as the query language writes them: `last two weeks` -> `last 2 weeks`, `Q2 2024` -> `2024-Q2`.

`the first half of 2024` has no name in the language: it is two periods, from `2024-01` to `2024-06`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .dates import MONTHS
from .numbers import CARDINALS, ORDINALS

_UNIT = "year|quarter|month|week|day|hour|minute"
_MONTH = "|".join(sorted(MONTHS["en"], key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_COUNT = rf"\d{{1,4}}|{'|'.join(sorted(CARDINALS, key=len, reverse=True))}"
_NTH = {**{word: number for word, number in ORDINALS.items() if number < 5}, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
        "last": 0, "final": 0}  # fmt: skip
_WHICH = {
    **dict.fromkeys(("last", "past", "previous"), "last"), **dict.fromkeys(("this", "current"), "this"),
    **dict.fromkeys(("next", "coming"), "next"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """A period, with its place. `last` is its last part where the language has no name for all of it, else empty."""

    text: str
    start: int
    end: int
    last: str = ""


def _month(name: str, year: str) -> str:
    return f"{year}-{MONTHS['en'][name.lower()]:02}"


def _moving(found: re.Match[str]) -> Period | None:
    which, count, unit = _WHICH[found["which"].lower()], (found["count"] or "").lower(), found["unit"].lower()
    if not count:
        # the past week is the seven days up to now, last week the calendar week before this one
        text = f"last 1 {unit}" if found["which"].lower() == "past" else f"{which} {unit}"
        return None if found["plural"] else Period(text, *found.span())
    number = int(count) if count.isdecimal() else CARDINALS[count]
    text = f"{which} {number} {unit}{'s' if number != 1 else ''}"
    return None if which == "this" or not number else Period(text, *found.span())


def _month_of_year(found: re.Match[str]) -> Period | None:
    has_day = re.search(r"\d(?:st|nd|rd|th)?(?: day)?(?: of)? $", found.string[: found.start()])
    return None if has_day else Period(_month(found["month"], found["year"]), *found.span())


def _part_of_year(found: re.Match[str]) -> Period | None:
    year, short = found["year"] or found["before"], found["short"] or found["after"]
    parts = 2 if (short or found["part"]).lower().startswith("h") else 4
    nth = int(short[1]) if short else _NTH[found["nth"].lower()] or parts
    if nth > parts:
        return None
    first, last = f"{year}-{6 * nth - 5:02}", f"{year}-{6 * nth:02}"
    return Period(f"{year}-Q{nth}", *found.span()) if parts == 4 else Period(first, *found.span(), last)


def _named_day(found: re.Match[str]) -> Period:
    return Period(found[0].lower(), *found.span())


def _between_months(found: re.Match[str]) -> Period:
    first = _month(found["month"], found["year"] or found["last_year"])
    return Period(first, *found.span(), _month(found["last_month"], found["last_year"]))


_MONTHS_FROM_TO = (
    rf"(?:between|from) (?P<month>{_MONTH})\.?(?: (?P<year>{_YEAR}))? (?:and|to|until|through) "
    rf"(?P<last_month>{_MONTH})\.? (?P<last_year>{_YEAR})"
)
_HALF_OR_QUARTER = (
    rf"(?:(?:the )?(?:(?P<nth>{'|'.join(_NTH)}) (?P<part>half|quarter)(?:[- ]year)?|(?P<short>[HQ][1-4]))"
    rf"(?: of)?(?: the year)?,?[ /-]?(?P<year>{_YEAR})|(?P<before>{_YEAR})[ /-]?(?P<after>[HQ][1-4]))"
)
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Period | None]], ...] = tuple(
    (re.compile(rf"\b(?:{form})(?!\w)", re.IGNORECASE), read)
    for form, read in (
        (_MONTHS_FROM_TO, _between_months),
        (_HALF_OR_QUARTER, _part_of_year),
        (rf"(?P<which>{'|'.join(_WHICH)}) (?:(?P<count>{_COUNT}) )?(?P<unit>{_UNIT})(?P<plural>s)?", _moving),
        (rf"(?P<month>{_MONTH})\.?,? (?P<year>{_YEAR})", _month_of_year),
        (r"today|yesterday|tomorrow", _named_day),
    )
)


def periods(text: str) -> Iterator[Period]:
    """Yield the periods of a text that need no clock to be named. A month after a day is part of a date."""
    for form, read in _READERS:
        for found in form.finditer(text):
            if (period := read(found)) is not None:
                yield period
                text = text[: period.start] + "\0" * (period.end - period.start) + text[period.end :]
