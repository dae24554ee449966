"""Formats values for people: amounts with units, sizes, durations, instants."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime, tzinfo
from typing import Any

from qlc.base.currencies import CURRENCIES
from qlc.base.units import find_unit

_SIZES = ("kB", "MB", "GB", "TB", "PB")
_TIMES = ((86_400, "days", "day"), (3_600, "h", "h"), (60, "min", "min"), (1, "s", "s"))
_ONE = {"days": "day", "hours": "hour", "minutes": "minute", "seconds": "second", "weeks": "week", "miles": "mile",
        "bytes": "byte"}  # fmt: skip

MIXED = "mixed"
"""In place of the unit of a row whose amounts have several."""


def number(value: float) -> str:
    """Format a number with thousands separators: up to six decimals as they are, more of them, as an average has,
    rounded to two, below 1 to three significant digits."""
    if isinstance(value, int):
        return f"{value:,}"
    decimals = _few_decimals(value)
    if 0 < abs(value) < 1 and decimals is None:
        return f"{value:.3g}"
    return f"{value:z,.{decimals or 2}f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:g}"


MOST_DECIMALS = 6
"""Decimals of a number that somebody may have written; a calculated one has more, mostly by chance."""


def _few_decimals(value: float) -> int | None:
    """Return how many decimals a number has: `1.0834` -> 4. None for more than somebody writes."""
    whole, _, decimals = repr(float(value)).partition(".")
    return len(decimals) if len(decimals) <= MOST_DECIMALS and "e" not in f"{whole}{decimals}" else None


def amount(value: float, unit: str | None) -> str:
    """A number in its stored unit: `568.3 kB`, `12 min 18 s`, `43 %`, `90 days`, `EUR 536.00`."""
    known = find_unit(unit) if unit is not None else None
    if unit in CURRENCIES:
        return f"{unit} {value:z,.{max(2, _few_decimals(value) or 0)}f}"
    if known is None:
        return f"{number(value)} {unit}" if unit else number(value)
    if known.dimension == "size":
        return _size(value * known.numerator / known.denominator)
    if known.dimension == "time" and known.numerator <= 3600 and abs(value * known.numerator) >= known.denominator:
        return _time(value * known.numerator / known.denominator)
    if known.dimension == "part":
        return f"{number(_rounded(100 * value * known.numerator / known.denominator))} %"
    return f"{number(value)} {_ONE.get(known.name, known.name) if value == 1 else known.name}"


def several(count: int, noun: str) -> str:
    """Format a count with its noun: `1 row`, `1,200 rows`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def counted(value: float, name: str) -> str:
    """Format a number of a field without a unit; years get no thousands separators."""
    if 1000 <= value <= 9999 and value == int(value) and "year" in name.casefold() and not is_mean(name):
        return str(int(value))
    return number(value)


def are_years(values: Iterable[Any], name: str) -> bool:
    """Whether the numbers of a column are years, as far as one sees: 1997 and 2014, and neither counted nor summed."""
    known = [one for one in values if one is not None]
    is_own = _MEASURE.split(name)[0] not in ("count", "sum", "distinct")
    return is_own and bool(known) and all(isinstance(one, int) and one in _YEARS for one in known)


_YEARS = range(1500, 2101)
_MEASURE = re.compile(r"[ (_]")


def is_mean(name: str) -> bool:
    """Whether a measure with this name is calculated from several values, so that its decimals are by chance."""
    return _MEASURE.split(name)[0] in ("avg", "median")


def _size(octets: float) -> str:
    if abs(octets) < 1000:
        return f"{number(octets)} {'byte' if octets == 1 else 'bytes'}"
    power = next((n for n in range(1, len(_SIZES)) if abs(octets) / 1000**n < 999.95), len(_SIZES))
    return f"{octets / 1000**power:,.1f}".removesuffix(".0") + f" {_SIZES[power - 1]}"


def _time(seconds: float) -> str:
    """Format a duration to the minute (`1 day 12 h 30 min`), below an hour to the second, below a minute exactly."""
    sign, left = ("-" if seconds < 0 else ""), abs(seconds)
    if left < 60:
        return f"{sign}{number(_rounded(left))} s"
    smallest = 60 if left >= 3_600 else 1
    whole = int(left / smallest + 0.5) * smallest
    parts = []
    for factor, name, one in _TIMES:
        count, whole = divmod(whole, factor)
        if count:
            parts.append(f"{count:,} {one if count == 1 else name}")
    return sign + " ".join(parts)


def _rounded(value: float) -> float | int:
    found = round(value, 2)
    return int(found) if found == int(found) else found


def is_day(text: str) -> bool:
    """Whether a date is midnight in UTC, as dates without a time are stored."""
    return not text[11:].strip("0:.Z")


def instant(text: str, zone: tzinfo | None = None, *, day: bool | None = None) -> str:
    """Format a date of an outcome (ISO 8601 in UTC) to the minute in a zone, or as a day for whole days."""
    if is_day(text) if day is None else day:
        return text[:10]
    if zone is not None:
        text = datetime.fromisoformat(text).astimezone(zone).isoformat()
    return text[:16].replace("T", " ")


def is_instant(value: Any) -> bool:
    """Whether a value of an outcome is an ISO 8601 date."""
    return isinstance(value, str) and len(value) >= 20 and value[10:11] == "T" and value.endswith("Z")


def spelled_unit(unit: str) -> str:
    """A unit of documents as the query language writes it."""
    return SPELLED.get(unit, unit)


SPELLED = {"d": "days", "h": "hours", "s": "seconds", "week": "weeks", "month": "months", "year": "years"}
"""Units of time with their names in the query language."""


def cell(
    value: Any, name: str = "", unit: str | None = None, *, days: bool | None = None, zone: tzinfo | None = None
) -> str:
    """Format a value: amounts in human units, numbers with separators, names of references, dates to the minute."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            value = round(value, 2) if is_mean(name) and abs(value) >= 1 else value
            return amount(value, unit) if unit is not None else counted(value, name)
        case dict():
            return str(value.get("name") or value.get("id") or json.dumps(value, ensure_ascii=False))
        case list():
            return ", ".join(cell(item, name, unit, days=days, zone=zone) for item in value)
        case str() if is_instant(value):
            return instant(value, zone, day=days)
        case _:
            return " ".join(str(value).split())
