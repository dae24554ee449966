"""What the documents tell of one field: facts that are written down, and guesses to be marked as such."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from qlc.mapping.draft.kinds import Kind
from qlc.mapping.draft.naming import NAME_WORDS, REFERRING, listed, scalar, words_of
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField

_UNITS = {
    "bytes": "bytes", "seconds": "seconds secs sec", "minutes": "minutes mins", "hours": "hours hrs", "days": "days",
    "weeks": "weeks", "km": "kilometers kilometres km", "miles": "miles", "percent": "percent percentage pct",
    "kg": "kg kilograms", "g": "grams", "mg": "mg", "mm": "mm", "cm": "cm", "m": "meters metres", "ml": "ml",
    "l": "litres liters", "km/h": "kmh kph", "m/s": "mps", "mph": "mph", "kWh": "kwh", "m2": "sqm m2", "sqft": "sqft",
    "ms": "ms msec millis milliseconds", "kB": "kb", "MB": "mb", "GB": "gb", "KiB": "kib", "MiB": "mib", "GiB": "gib",
}  # fmt: skip
_UNIT_WORDS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
"""Last words of a field's name that say which unit its numbers are in."""

_UNIT_LETTERS = {
    "g": ("g", ("weight", "mass")), "t": ("t", ("weight", "mass", "load")), "l": ("l", ("volume", "capacity", "fuel")),
    "m": ("m", ("length", "height", "width", "depth", "distance", "altitude", "elevation", "draft", "draught")),
    "s": ("seconds", ("duration", "elapsed", "time", "timeout")),
}  # fmt: skip
"""Letters that are a unit after a word for what is measured."""

_SPEEDS = frozenset({"speed", "velocity", "pace", "gust", "wind"})
"""After these words `ms` is rather metres a second than milliseconds."""

_CURRENCIES = frozenset(
    "usd eur gbp chf jpy sek nok dkk pln czk huf inr cny aud nzd sgd hkd zar brl mxn krw".split()  # noqa: SIM905
)
"""Codes of currencies that are no other words, at the end of a name: `cost_gbp`."""

_MEASURED_IN_TIME = frozenset(
    ["time", "duration", "delay", "wait", "waiting", "response", "elapsed", "runtime", "length", "ride", "playing"]
)
"""After these words `min` is rather minutes than the smallest."""

_PRIVATE_WORDS = frozenset({"email", "mail", "phone", "password", "passwd", "ssn", "iban", "birth"})
_MIDNIGHT = re.compile(r"\d{4}-\d\d-\d\d(T00:00(:00(\.0+)?)?(Z|[+-]00:?00)?)?")
_MILLISECONDS_A_DAY = 86_400_000
_CURRENCY = "currency"

_EACH = 3
"""A value that stands for a kind of its own is had by so many documents; those of an open field are all different."""


_CERTAIN = 5
"""So many values that are all ids of what the field is called after are no accident."""


@dataclass(frozen=True, slots=True)
class Guesses:
    """Keys of a field with their values, as YAML writes them."""

    facts: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Siblings:
    """What is next to a field: the fields of its entity, or of the list `within` (empty: none) that it is in.

    `names` are what they are called by path, `labels` the paths of names beside ids.
    """

    fields: Mapping[str, MappedField]
    names: Mapping[str, str]
    labels: Mapping[str, str]
    within: str = ""


def guessed(kind: Kind, path: str, beside: Siblings, refers_to: str | None) -> Guesses:
    """What the documents of a kind tell of the field at a path; `refers_to` is the entity whose ids it has."""
    mapped, seen = beside.fields[path], kind.sample.at(path)
    words = words_of(path)
    facts: list[str] = []
    guesses: list[str] = []
    unit = _unit_of(words) if mapped.kind in NUMERIC else None
    if unit == "ms" and _SPEEDS & set(words):
        guesses.append("unit: m/s")
    elif unit is not None:
        facts.append(f"unit: {unit}")
    elif mapped.kind in NUMERIC and _may_be_minutes(words, beside):
        times = [one for one in map(words_of, beside.fields) if _may_be_minutes(one, beside)]
        (facts if any(_MEASURED_IN_TIME & set(one) for one in times) else guesses).append("unit: minutes")
    if seen.per_document > 1 and not beside.within:
        facts.append("list: true")
    if mapped.kind is FieldKind.DATE and len(seen.values) > 1 and all(map(is_midnight, seen.values)):
        guesses.append("whole_days: true  # no value has a time of day")
    several = len(set(map(str, seen.values))) > 1
    own_id = path == kind.identity
    reference = () if own_id else tuple(_reference(path, mapped, beside, refers_to, several=several))
    called_so = refers_to is not None and refers_to in "_".join(words)
    ids_by_name = words[-1] in REFERRING and not any(str(value).isdecimal() for value in seen.values)
    if (called_so or ids_by_name) and len(set(map(str, seen.values))) >= _CERTAIN:
        facts += reference
        reference = ()
    private = is_private(path)
    values = kind.sample.terms.get(path, ())
    closed = len(values) > 1 and seen.filled >= _EACH * len(values)
    names_something = words[-1] in NAME_WORDS or path in beside.labels.values()
    identifies = own_id or words[-1] in REFERRING
    if closed and not (refers_to or reference or private or names_something or identifies or _are_sentences(values)):
        guesses.append(f"values: {listed(values)}  # all there are now; put other spellings after each")
    if private:
        guesses.append("sensitive: true")
    currency = _currency_of(path, mapped, beside) if not facts else None
    if currency is not None:
        guesses.append(f"unit_field: {beside.names[currency]}  # amounts in several currencies are distinguished")
    return Guesses(tuple(facts), (*guesses, *reference))


def _are_sentences(values: Sequence[str]) -> bool:
    """Whether most values are too long to be what somebody asks for by name."""
    return 2 * sum(len(value.split()) >= _SENTENCE for value in values) > len(values)


_SENTENCE = 5
"""Words that hardly a value of a closed field has."""


def _may_be_minutes(words: list[str], beside: Siblings) -> bool:
    """The `min` of `salary_min` beside `salary_max` is the smallest."""
    largest = [*words[:-1], "max"]
    return words[-1] == "min" and len(words) > 1 and all(words_of(other) != largest for other in beside.fields)


def _unit_of(words: list[str]) -> str | None:
    """The unit that a name ends with; a number of one unit for each of another (`co2_g_km`) has none."""
    *before, last = words
    if {"per", "each", *_UNIT_WORDS, *_UNIT_LETTERS} & set(before[-1:]):
        return None
    if last in _CURRENCIES and before:
        return last.upper()
    letter, measured = _UNIT_LETTERS.get(last, ("", ()))
    if letter and set(before) & set(measured):
        return letter
    return _UNIT_WORDS.get(last)


def _reference(
    path: str, mapped: MappedField, beside: Siblings, refers_to: str | None, *, several: bool
) -> Iterator[str]:
    """Values that are ids of other documents, or an id with a name beside it."""
    name_at = beside.labels.get(path)
    own = None if name_at is None else scalar(name_at.removeprefix(beside.within + "."))
    if refers_to is not None:
        yield f"refers_to: {refers_to}  # its values are ids of these"
        if own is not None:
            yield f"name_at: {own}  # the name that is stored beside the id"
    elif own is not None and several and mapped.kind is FieldKind.KEYWORD:
        yield f"refers_to: person  # or whatever it is: an entity with virtual: true; then name_at: {own}"


def is_of_money(path: str) -> bool:
    """Whether a number is called an amount of money."""
    return bool(_MONEY & set(words_of(path))) or words_of(path)[-1] in _CURRENCIES


_MONEY = frozenset({"price", "cost", "costs", "fee", "total", "amount", "revenue", "salary", "sum", "rent", "budget"})

_NO_MONEY = frozenset(
    [
        "weight", "height", "width", "length", "depth", "size", "area", "volume", "distance", "speed", "duration",
        "rate", "ratio", "share", "score", "rating", "temperature", "latitude", "longitude", "quantity", "age",
    ]
)  # fmt: skip
"""What a number is called that is measured in something else than a currency."""


def _currency_of(path: str, mapped: MappedField, beside: Siblings) -> str | None:
    """The path of the currency of an amount: the one called after it (`priceCurrency` of `listPrice`), else the only
    `currency` beside a number with decimals."""
    if mapped.kind not in NUMERIC:
        return None
    bare = []
    for other, one in beside.fields.items():
        *stem, end = words_of(other)
        if end != _CURRENCY or one.kind is not FieldKind.KEYWORD or one.nested != mapped.nested:
            continue
        if stem and set(stem) <= set(words_of(path)):
            return other
        money = mapped.kind is FieldKind.NUMBER and not _NO_MONEY & set(words_of(path))
        if not stem and money and other.rpartition(".")[0] == path.rpartition(".")[0]:
            bare.append(other)
    return bare[0] if bare else None


def is_private(path: str) -> bool:
    """Whether a field is called what is not for everybody's eyes."""
    return bool(_PRIVATE_WORDS & set(words_of(path)))


def is_midnight(value: object) -> bool:
    if isinstance(value, int):
        return value % _MILLISECONDS_A_DAY == 0
    return _MIDNIGHT.fullmatch(str(value)) is not None
