"""Units from the names of numbers: `playMinutes`, `size_kb`, `price_eur`."""

from __future__ import annotations

from collections.abc import Collection

from qlc.base.currencies import SCALE
from qlc.base.units import find_unit
from qlc.language.nouns import snake
from qlc.mapping.draft.naming import words_of

_UNITS = {
    "bytes": "bytes", "seconds": "seconds second secs sec", "minutes": "minutes minute mins", "hours": "hours hour hrs",
    "days": "days", "weeks": "weeks", "km": "kilometers kilometres kilometer kilometre km", "miles": "miles mi",
    "percent": "percent percentage pct", "kg": "kg kilograms", "g": "grams", "mg": "mg", "mm": "mm", "cm": "cm",
    "m": "meters metres", "ml": "ml", "l": "litres liters", "km/h": "kmh kph", "m/s": "mps", "mph": "mph",
    "kWh": "kwh", "m2": "sqm m2 m²", "sqft": "sqft", "ms": "ms msec millis milliseconds", "kB": "kb", "MB": "mb",
    "GB": "gb", "KiB": "kib", "MiB": "mib", "GiB": "gib", "km2": "km2 sqkm km²", "ha": "hectares", "m3": "m3 m³ cbm",
    "°C": "celsius degc", "°F": "fahrenheit degf", "ft": "ft feet foot", "nmi": "nmi", "knots": "knots kts",
    "acres": "acres", "lb": "lb lbs", "oz": "oz ounces", "gal": "gal gallons", "kW": "kw", "Hz": "hz", "MHz": "mhz",
}  # fmt: skip
_UNIT_WORDS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
"""Last words of field names that give the unit."""

_UNIT_LETTERS = {
    "g": ("g", ("weight", "mass")), "t": ("t", ("weight", "mass", "load")), "l": ("l", ("volume", "capacity", "fuel")),
    "m": ("m", ("length", "height", "width", "depth", "distance", "altitude", "elevation", "draft", "draught")),
    "s": ("seconds", ("duration", "elapsed", "time", "timeout")),
    "c": ("°C", ("temp", "temperature")), "f": ("°F", ("temp", "temperature")),
}  # fmt: skip
"""Letters that are units after a word for the measured quantity."""

_TIMES = frozenset({"seconds", "minutes", "hours", "days", "weeks"})
"""Units at the beginning of a name: `minutesSpent`."""

_EACH_TIME = frozenset({"week", "month", "day", "year", "shift", "weekly", "monthly", "daily", "yearly"})
"""Last words of numbers that are for a time: `hours_week`."""

_SPEEDS = frozenset({"speed", "velocity", "pace", "gust", "wind"})
"""Words after which `ms` means metres per second rather than milliseconds."""

CURRENCIES = frozenset(
    "usd eur gbp chf jpy sek nok dkk pln czk huf inr cny aud nzd sgd hkd zar brl mxn krw".split()  # noqa: SIM905
)
"""Currency codes at the end of a name that are not also words: `cost_gbp`."""

_MEASURED_IN_TIME = frozenset(
    ["time", "duration", "delay", "wait", "waiting", "response", "elapsed", "runtime", "length", "ride", "playing"]
)
"""Words after which `min` means minutes rather than the minimum."""


def unit_of(path: str) -> str | None:
    """Return the unit at the end of a name. Rates (`co2_g_km`) and counts within a time (`rides_last30_days`) have
    none."""
    *before, last = words_of(path)
    if _UNIT_WORDS.get(last) in _TIMES and any(one[-1:].isdigit() for one in before[-1:]):
        return None
    ends_with_unit = last in _UNIT_WORDS or last in _UNIT_LETTERS
    if {"per", "each"} & set(before) or (ends_with_unit and {*_UNIT_WORDS, *_UNIT_LETTERS} & set(before[-1:])):
        return None
    if last in CURRENCIES and before:
        return last.upper()
    letter, measured = _UNIT_LETTERS.get(last, ("", ()))
    if letter and set(before) & set(measured):
        return letter
    first = (before or [""])[0]
    return _UNIT_WORDS.get(last) or (first if first in _TIMES and last not in _EACH_TIME else None)


def unit_of_label(label: str) -> str | None:
    """Return the unit that a header ends with, if it can be nothing else: `flow m³/s` -> `m3/s`, `area [km²]` -> `km2`;
    None for `size m`, whose `m` may be anything."""
    before, _, last = label.strip().rstrip(")]").replace("(", " ").replace("[", " ").rpartition(" ")
    unit = find_unit(last) if before else None
    return unit.name if unit is not None and not last.isalpha() else None


def without_unit(path: str, label: str = "") -> str:
    """Return what a number is called without the unit that begins its name or is a sign in it, as words: `minutes_wait`
    -> `wait`, `area_km2` -> `area`, the label `flow m³/s` -> `flow`. Empty without such a unit."""
    if unit_of_label(label):
        return snake(label.strip().rpartition(" ")[0]).replace("_", " ")
    first, *rest = words_of(path)
    if unit_of(path) is None or not rest:
        return ""
    if first in _TIMES and rest[-1] not in _UNIT_WORDS:
        return " ".join(rest)
    return "" if rest[-1].isascii() and rest[-1].isalpha() else " ".join([first, *rest[:-1]])


def unit_and_doubt(path: str, beside: Collection[str], label: str = "") -> tuple[str | None, str]:
    """Return the unit of a number, and why it can be wrong (empty if it is sure). `beside` are all paths of the
    documents, `label` is the header as people wrote it."""
    if SCALE.search(label or " ".join(words_of(path))) is not None:
        return None, ""
    words, unit = words_of(path), unit_of(path) or unit_of_label(label)
    if unit == "ms" and _SPEEDS & set(words):
        return "m/s", "ms after a speed"
    if unit is not None or not _may_be_minutes(words, beside):
        return unit, ""
    times = [one for one in map(words_of, beside) if _may_be_minutes(one, beside)]
    return "minutes", "" if any(_MEASURED_IN_TIME & set(one) for one in times) else "min may be the smallest"


def _may_be_minutes(words: list[str], beside: Collection[str]) -> bool:
    """Whether `min` can be minutes: `salary_min` beside `salary_max` is the minimum."""
    largest = [*words[:-1], "max"]
    return words[-1] == "min" and len(words) > 1 and all(words_of(other) != largest for other in beside)


def how_long_it_takes(path: str, beside: Collection[str]) -> tuple[str, ...]:
    """Return words for the only duration among the fields: `handling time` for `handling_days`, `time spent` for
    `minutes_spent`. Empty if there are several."""
    found = [one for one in beside if _doing(one)]
    if found != [path]:
        return ()
    doing = _doing(path)
    return (f"time {doing}" if doing in _OF_TIME else f"{doing} time", "duration")


def _doing(path: str) -> str:
    unit, words = unit_of(path), words_of(path)
    stem = [word for word in words if word not in _UNIT_WORDS]
    deed = len(stem) == 1 and (stem[0] in _DEEDS | _OF_TIME or (stem[0].endswith("ing") and stem[0] not in _IDLE))
    return stem[0] if unit in _TIMES and deed else ""


_DEEDS = frozenset({"resolution", "repair", "turnaround", "completion", "delivery", "production", "execution"})
_OF_TIME = frozenset({"spent", "taken", "needed"})
"""Participles of the time that something takes."""
_IDLE = frozenset({"waiting", "remaining", "outstanding", "during", "warning", "parking", "morning", "evening"})
"""Nouns in `-ing` that are not activities with a duration."""
