"""What the name of a number says of its unit: `playMinutes`, `size_kb`, `price_eur`."""

from __future__ import annotations

from collections.abc import Collection

from qlc.mapping.draft.naming import words_of

_UNITS = {
    "bytes": "bytes", "seconds": "seconds second secs sec", "minutes": "minutes minute mins", "hours": "hours hour hrs",
    "days": "days", "weeks": "weeks", "km": "kilometers kilometres kilometer kilometre km", "miles": "miles",
    "percent": "percent percentage pct", "kg": "kg kilograms", "g": "grams", "mg": "mg", "mm": "mm", "cm": "cm",
    "m": "meters metres", "ml": "ml", "l": "litres liters", "km/h": "kmh kph", "m/s": "mps", "mph": "mph",
    "kWh": "kwh", "m2": "sqm m2", "sqft": "sqft", "ms": "ms msec millis milliseconds", "kB": "kb", "MB": "mb",
    "GB": "gb", "KiB": "kib", "MiB": "mib", "GiB": "gib",
}  # fmt: skip
_UNIT_WORDS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
"""Last words of a field's name that say which unit its numbers are in."""

_UNIT_LETTERS = {
    "g": ("g", ("weight", "mass")), "t": ("t", ("weight", "mass", "load")), "l": ("l", ("volume", "capacity", "fuel")),
    "m": ("m", ("length", "height", "width", "depth", "distance", "altitude", "elevation", "draft", "draught")),
    "s": ("seconds", ("duration", "elapsed", "time", "timeout")),
}  # fmt: skip
"""Letters that are a unit after a word for what is measured."""

_TIMES = frozenset({"seconds", "minutes", "hours", "days", "weeks"})
"""Units that a name may begin with: `minutesSpent`."""

_SPEEDS = frozenset({"speed", "velocity", "pace", "gust", "wind"})
"""After these words `ms` is rather metres a second than milliseconds."""

CURRENCIES = frozenset(
    "usd eur gbp chf jpy sek nok dkk pln czk huf inr cny aud nzd sgd hkd zar brl mxn krw".split()  # noqa: SIM905
)
"""Codes of currencies that are no other words, at the end of a name: `cost_gbp`."""

_MEASURED_IN_TIME = frozenset(
    ["time", "duration", "delay", "wait", "waiting", "response", "elapsed", "runtime", "length", "ride", "playing"]
)
"""After these words `min` is rather minutes than the smallest."""


def unit_of(path: str) -> str | None:
    """The unit that a name ends with; a number of one unit for each of another (`co2_g_km`) has none, nor has what is
    counted within a time (`rides_last30_days`)."""
    *before, last = words_of(path)
    if _UNIT_WORDS.get(last) in _TIMES and any(one[-1:].isdigit() for one in before[-1:]):
        return None
    if {"per", "each", *_UNIT_WORDS, *_UNIT_LETTERS} & set(before[-1:]):
        return None
    if last in CURRENCIES and before:
        return last.upper()
    letter, measured = _UNIT_LETTERS.get(last, ("", ()))
    if letter and set(before) & set(measured):
        return letter
    first = (before or [""])[0]
    return _UNIT_WORDS.get(last) or (first if first in _TIMES and "per" not in before else None)


def unit_and_doubt(path: str, beside: Collection[str]) -> tuple[str | None, str]:
    """The unit of a number, and why that may be wrong: empty where it hardly is. `beside` are all paths there."""
    words, unit = words_of(path), unit_of(path)
    if unit == "ms" and _SPEEDS & set(words):
        return "m/s", "ms after a speed"
    if unit is not None or not _may_be_minutes(words, beside):
        return unit, ""
    times = [one for one in map(words_of, beside) if _may_be_minutes(one, beside)]
    return "minutes", "" if any(_MEASURED_IN_TIME & set(one) for one in times) else "min may be the smallest"


def _may_be_minutes(words: list[str], beside: Collection[str]) -> bool:
    """The `min` of `salary_min` beside `salary_max` is the smallest."""
    largest = [*words[:-1], "max"]
    return words[-1] == "min" and len(words) > 1 and all(words_of(other) != largest for other in beside)


def how_long_it_takes(path: str, beside: Collection[str]) -> tuple[str, ...]:
    """What people call the only time of `beside` that something is done in: `handling time` for `handling_days`. Empty
    where it is another one, or where there are several."""
    found = [one for one in beside if _doing(one)]
    return (f"{_doing(path)} time", "duration") if found == [path] else ()


def _doing(path: str) -> str:
    unit, words = unit_of(path), words_of(path)
    stem = [word for word in words if word not in _UNIT_WORDS]
    deed = len(stem) == 1 and (stem[0] in _DEEDS or (stem[0].endswith("ing") and stem[0] not in _IDLE))
    return stem[0] if unit in _TIMES and deed else ""


_DEEDS = frozenset({"resolution", "repair", "turnaround", "completion", "delivery", "production", "execution"})
_IDLE = frozenset({"waiting", "remaining", "outstanding", "during", "warning", "parking", "morning", "evening"})
"""Nouns in `-ing` for no deed that takes a time of its own."""
