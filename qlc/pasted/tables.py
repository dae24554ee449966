"""Turns the results of aggregations into tables: a row for each bucket, and the numbers outside of buckets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from qlc.base.options import zone_of
from qlc.compiler.numbers import is_number
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.pasted.aggregations import Aggregation
from qlc.pipeline.present import plain

_ONE_BUCKET = frozenset({"filter", "missing", "nested", "reverse_nested"})
_SEVERAL_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "stats": ("count", "min", "max", "avg", "sum"),
    "extended_stats": ("count", "min", "max", "avg", "sum", "variance", "std_deviation"),
}
_ESTIMATED = frozenset({"cardinality", "percentiles", "median_absolute_deviation"})


@dataclass(slots=True)
class Table:
    """Rows of keys and measures; without groups there is one row."""

    groups: tuple[str, ...]
    measures: list[str] = field(default_factory=list)
    rows: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)


def tables(aggregations: Sequence[Aggregation], answer: Mapping[str, Any]) -> tuple[list[Table], list[str]]:
    """Return one table for each path of groups, and notes on results that are cut or estimated."""
    found: dict[tuple[str, ...], Table] = {}
    notes: list[str] = []
    alone = Table(())
    numbers = _level(aggregations, answer, (), (), found, notes)
    if numbers:
        alone.measures, alone.rows = list(numbers), [((), numbers)]
    made = [alone] if numbers else []
    made += [one for path, one in found.items() if one.rows or not any(
        len(other) > len(path) and other[: len(path)] == path for other in found)]
    notes += [f"'{one.name}' is an estimate." for top in aggregations for one in top.walk() if one.kind in _ESTIMATED]
    return made, list(dict.fromkeys(notes))


def _level(
    aggregations: Sequence[Aggregation],
    answer: Mapping[str, Any],
    path: tuple[str, ...],
    keys: tuple[Any, ...],
    found: dict[tuple[str, ...], Table],
    notes: list[str],
    prefix: str = "",
) -> dict[str, Any]:
    """Return the numbers of one level, and add the rows of its buckets to the tables."""
    numbers: dict[str, Any] = {}
    for one in aggregations:
        result = answer.get(one.name, {})
        if one.kind in _ONE_BUCKET:
            numbers[prefix + one.name] = result.get("doc_count", 0)
            numbers |= _level(one.inner, result, path, keys, found, notes, f"{prefix}{one.name}.")
        elif one.makes_buckets:
            names = tuple(source.name for source in one.sources) or (prefix + one.name,)
            _buckets(one, result, (*path, *names), keys, found, notes)
        else:
            numbers |= {f"{prefix}{name}": value for name, value in _numbers(one, result)}
    return numbers


def _buckets(
    one: Aggregation, result: Mapping[str, Any], path: tuple[str, ...], keys: tuple[Any, ...],
    found: dict[tuple[str, ...], Table], notes: list[str],
) -> None:  # fmt: skip
    groups = _distinct(path)
    table = found.setdefault(path, Table(groups))
    leaf = not any(inner.makes_buckets and inner.kind not in _ONE_BUCKET for top in one.inner for inner in top.walk())
    for own, bucket in _each(one, result):
        numbers = _level(one.inner, bucket, path, (*keys, *own), found, notes)
        if leaf or numbers:
            counted = "count" if "count" not in numbers else "documents"
            row = {counted: bucket.get("doc_count", 0), **numbers}
            table.measures = table.measures or list(row)
            table.rows.append(((*keys, *own), row))
    if leaf and not table.measures:
        table.measures = ["count"]
    after = result.get("after_key")
    if after is not None and len(result.get("buckets", ())) >= int(one.params.get("size", 0)):
        notes.append(f"'{one.name}' may have more combinations: add \"after\": {json.dumps(after)} for the next ones.")
    if other := result.get("sum_other_doc_count"):
        notes.append(f"'{one.name}' shows its {len(result.get('buckets', ())):,} largest groups; {other:,} more values "
                     "are in others.")
    if (off := result.get("doc_count_error_upper_bound") or 0) > 0:
        notes.append(f"Counts of '{one.name}' may be off by up to {off:,}.")


def _each(one: Aggregation, result: Mapping[str, Any]) -> Iterator[tuple[tuple[Any, ...], Mapping[str, Any]]]:
    """Yield the buckets with their keys: one key, or those of the sources of a `composite`."""
    buckets = result.get("buckets", ())
    if isinstance(buckets, Mapping):
        yield from (((key,), bucket) for key, bucket in buckets.items())
        return
    for bucket in buckets:
        if one.sources:
            key = bucket.get("key", {})
            yield tuple(_of_a_source(source, key.get(source.name)) for source in one.sources), bucket
        else:
            yield (_key(one, bucket),), bucket


def _of_a_source(source: Aggregation, value: Any) -> Any:
    """Return the value of a source; instants as text."""
    dated = source.field is not None and source.field.kind is FieldKind.DATE
    if dated and is_number(value):
        zone = zone_of(source.params.get("time_zone"))
        text = datetime.fromtimestamp(value / 1000, UTC).astimezone(zone).isoformat()
        return _key(source, {"key": value, "key_as_string": text})
    return _key(source, {"key": value})


_CUT: Mapping[str, int] = {"year": 4, "1y": 4, "month": 7, "1M": 7, "day": 10, "1d": 10, "week": 10, "1w": 10,
                           "hour": 13, "1h": 13, "minute": 16, "1m": 16}  # fmt: skip


def _key(one: Aggregation, bucket: Mapping[str, Any]) -> Any:
    """Return a key for display: dates by their calendar unit, whole numbers without a decimal point."""
    key, text = bucket.get("key"), bucket.get("key_as_string")
    if one.kind == "date_histogram" and isinstance(text, str) and "format" not in one.params:
        unit = str(one.params.get("calendar_interval", ""))
        if unit in ("quarter", "1q"):
            return f"{text[:4]}-Q{(int(text[5:7]) + 2) // 3}" if text[5:7].isdecimal() else text
        return text[: _CUT[unit]] if unit in _CUT and text[:4].isdecimal() else text
    kind = one.field.kind if one.field is not None else None
    if text is not None and kind not in NUMERIC:
        return {"true": True, "false": False}.get(text, text) if kind is FieldKind.BOOLEAN else text
    if isinstance(key, float) and key.is_integer():
        return int(key)
    return key


def _numbers(one: Aggregation, result: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if one.kind in _SEVERAL_NUMBERS:
        for name in _SEVERAL_NUMBERS[one.kind]:
            yield f"{one.name}.{name}", _value(one, result.get(name), result.get(f"{name}_as_string"), name)
    elif one.kind == "percentiles":
        for percent, value in result.get("values", {}).items():
            if not percent.endswith("_as_string"):
                shown = percent.removesuffix(".0")
                yield f"{one.name}.{shown}", _value(one, value, result["values"].get(f"{percent}_as_string"), "value")
    else:
        yield one.name, _value(one, result.get("value"), result.get("value_as_string"), one.kind)


def _value(one: Aggregation, value: Any, text: Any, what: str) -> Any:
    if value is None:
        return None
    date = one.field is not None and one.field.kind is FieldKind.DATE and what in ("min", "max", "avg", "value")
    if date and text is not None:
        return plain(text)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _distinct(path: tuple[str, ...]) -> tuple[str, ...]:
    """Number the names of groups that are equal."""
    seen: list[str] = []
    for name in path:
        number, unique = 2, name
        while unique in seen:
            unique, number = f"{name} {number}", number + 1
        seen.append(unique)
    return tuple(seen)
