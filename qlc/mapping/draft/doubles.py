"""Finds redundant fields, by comparing values of the same documents rather than names.

One field of each pair is kept. The others can still be asked for by their full path, and the draft says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from qlc.base.units import UNITS
from qlc.mapping.draft.naming import words_of
from qlc.mapping.draft.sample import ENOUGH, Place, Sample
from qlc.mapping.draft.units import unit_and_doubt
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField

_NEAR = 0.01
"""Relative difference that rounding can cause between two amounts in different units."""
_IMPERIAL = frozenset({"ft", "miles", "nmi", "oz", "lb", "mph", "knots", "sqft", "acres", "gal"})
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip

Parts: Mapping[str, tuple[Callable[[datetime], object], ...]] = {
    "weekday": (
        lambda at: _DAYS[at.weekday()], lambda at: _DAYS[at.weekday()][:3], lambda at: at.weekday(),
        lambda at: at.isoweekday(), lambda at: at.isoweekday() % 7,
    ),
    "month": (lambda at: _MONTHS[at.month - 1], lambda at: _MONTHS[at.month - 1][:3], lambda at: at.month),
    "hour": (lambda at: at.hour,),
    "year": (lambda at: at.year,),
}  # fmt: skip
"""The ways in which each part of a date can be written."""

_PART_WORDS = {"dow": "weekday", "weekday": "weekday", "day": "weekday", "month": "month", "hour": "hour",
               "year": "year"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Double:
    """A redundant field: the one at `path` repeats the one at `of`, and `how` says in which way."""

    path: str
    of: str
    how: str


def find_doubles(
    fields: Mapping[str, MappedField], sample: Sample, lists: Collection[str | None], needed: Collection[str]
) -> dict[str, Double]:
    """Return the redundant fields by path, except the `needed` ones.

    `lists`: lists whose conditions cannot be tied to one element. They repeat a document field with the same values.
    """
    candidates = {path: one for path, one in fields.items() if not one.nested and _enough(path, sample)}
    found: dict[str, Double] = {}
    for looked in (
        _same(candidates, sample, lists, needed), _parts_of_dates(candidates, sample),
        _in_other_units(candidates, sample),
    ):  # fmt: skip
        for one in looked:
            if one.path not in needed and one.of not in found:
                found.setdefault(one.path, one)
    return found


def names_of_ids(labels: Mapping[str, str], sample: Sample) -> dict[str, str]:
    """Return pairs of `labels` (id and name) in which each id has only one name, and some ids repeat."""
    found = {}
    for path, name in labels.items():
        ids, names = _single(path, sample), _single(name, sample)
        pairs = {(str(ids[at]), str(names[at])) for at in ids.keys() & names}
        several = len(pairs) > 1 and len(pairs) == len({one for one, _ in pairs})
        if several and len(ids.keys() & names) > len(pairs) and ids.keys() >= names.keys():
            found[path] = name
    return found


def _enough(path: str, sample: Sample) -> bool:
    at = sample.at(path)
    return len(at.by_place) >= ENOUGH and len(set(map(str, at.values))) > 1


def _same(
    fields: Mapping[str, MappedField], sample: Sample, lists: Collection[str | None], needed: Collection[str]
) -> Iterator[Double]:
    """Yield fields with the same values in all sampled documents."""
    groups: dict[object, list[str]] = {}
    for path in fields:
        documents: dict[str | int, set[object]] = {}
        for place, values in sample.at(path).by_place.items():
            documents.setdefault(place[0], set()).update(map(_plain, values))
        key = frozenset((document, frozenset(values)) for document, values in documents.items())
        groups.setdefault(key, []).append(path)
    for same in groups.values():
        kinds: dict[bool, list[str]] = {}
        for path in same:  # a date is not the text that looks like it
            kinds.setdefault(fields[path].kind is FieldKind.DATE, []).append(path)
        for alike in kinds.values():
            first, *others = sorted(alike, key=lambda path: (path not in needed, _rank(path, fields[path], lists)))
            yield from (Double(path, first, f"has the values of {first}") for path in others)


def _rank(path: str, mapped: MappedField, lists: Collection[str | None]) -> tuple[object, ...]:
    in_list = any(path.startswith(f"{one}.") for one in lists)
    return in_list, mapped.exact is None, path.count("."), len(words_of(path)), len(path)


def _plain(value: Any) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return float(value)


def _parts_of_dates(fields: Mapping[str, MappedField], sample: Sample) -> Iterator[Double]:
    """Yield fields that are named after a part of a date (weekday, month, hour, year) and repeat that part."""
    dates = {
        path: {place: at for place, value in _single(path, sample).items() if (at := _moment(value)) is not None}
        for path, one in fields.items()
        if one.kind is FieldKind.DATE
    }
    for path, one in fields.items():
        part = next((_PART_WORDS[word] for word in words_of(path) if word in _PART_WORDS), None)
        if part is None or one.kind not in (FieldKind.KEYWORD, *NUMERIC):
            continue
        values = _single(path, sample)
        for date, moments in dates.items():
            if (
                values
                and values.keys() <= moments.keys()
                and any(all(_folded(values[at]) == str(write(moments[at])) for at in values) for write in Parts[part])
            ):
                yield Double(path, date, f"is the {part} of {date}")
                break


def _folded(value: Any) -> str:
    return str(value).strip().casefold()


def _single(path: str, sample: Sample) -> dict[Place, Any]:
    return {place: values[0] for place, values in sample.at(path).by_place.items() if len(values) == 1}


def _moment(value: Any) -> datetime | None:
    try:
        if isinstance(value, int):
            return datetime.fromtimestamp(value / 1000, UTC)
        at = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _in_other_units(fields: Mapping[str, MappedField], sample: Sample) -> Iterator[Double]:
    """Yield amounts stored in a second unit: `DistanceMiles` beside `DistanceKilometers`."""
    measured: dict[tuple[str, ...], list[tuple[bool, float, str, str]]] = {}
    units = {one.name: one for one in UNITS}
    for path, one in fields.items():
        name = unit_and_doubt(path, fields)[0] if one.kind in NUMERIC else None
        unit = units.get(name or "")
        if unit is not None:
            stem = (path.rpartition(".")[0], *words_of(path)[:-1], unit.dimension)
            size = unit.numerator / unit.denominator
            measured.setdefault(stem, []).append((unit.name in _IMPERIAL, size, path, unit.name))
    for alike in measured.values():
        (_, size, first, unit_name), *others = sorted(alike)
        yield from (
            Double(path, first, f"is {first} in another unit than {unit_name}")
            for _, other, path, _ in others
            if _proportional(_single(first, sample), _single(path, sample), other / size)
        )


def _proportional(one: Mapping[Place, Any], other: Mapping[Place, Any], factor: float) -> bool:
    pairs: Iterable[tuple[float, float]] = ((float(one[at]), float(other[at]) * factor) for at in one.keys() & other)
    rounding = factor / 2  # of an amount that is stored as a whole number
    return one.keys() == other.keys() and all(
        abs(a - b) <= max(_NEAR * max(abs(a), abs(b)), rounding if factor > 1 else 0) for a, b in pairs
    )
