"""Dates of hits whose format only the server can read: asked for as `fields`, put where the source has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from qlc.mapping.fields import FieldKind, IndexMapping
from qlc.resolver.names.entries import values_at
from qlc.resolver.source import keys_on

_SELF_EXPLAINING = {
    "strict_date_optional_time",
    "strict_date_optional_time_nanos",
    "strict_date_time",
    "strict_date",
    "date_optional_time",
    "epoch_millis",
}
"""Formats whose texts are ISO 8601, and the milliseconds that numbers are: these are read as they are stored."""

ISO = "strict_date_optional_time_nanos"


def asked_as_fields(mapping: IndexMapping, paths: Iterable[str]) -> list[dict[str, str]]:
    """What a search must ask of `fields` besides these paths of the source; mostly nothing."""
    formatted = _formatted(mapping)
    return [{"field": path, "format": ISO} for path in sorted(formatted.intersection(paths))] if formatted else []


@lru_cache(maxsize=256)
def _formatted(mapping: IndexMapping) -> frozenset[str]:
    """The dates that a mapping has in a format of its own."""
    return frozenset(
        path
        for path, field in mapping.fields.items()
        if field.kind is FieldKind.DATE and field.date_format is not None
        and not _SELF_EXPLAINING.issuperset(field.date_format.split("||"))
    )


def with_dates(
    hits: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, str]], mapping: IndexMapping
) -> Sequence[Mapping[str, Any]]:
    """The hits with ISO 8601 in their sources in place of dates of another format. `asked` as of `asked_as_fields`."""
    if not asked:
        return hits
    found = []
    for hit in hits:
        source = hit.get("_source")
        for one in asked:
            source = _with_date(source, one["field"], hit.get("fields", {}), mapping)
        found.append({**hit, "_source": source})
    return found


def _with_date(source: Any, path: str, fields: Mapping[str, Any], mapping: IndexMapping) -> Any:
    values: list[Any] = list(values_at(fields, path))
    stored = sum(1 for _ in values_at(source, path))
    if len(values) != stored:
        # Malformed values have no date, and nulls may have one: which is whose is known only without elements.
        field = mapping.fields[path]
        values = [] if field.nested or field.in_object_list else [values]
    return _replaced(source, path, iter(values))


def _replaced(source: Any, path: str, values: Iterator[Any]) -> Any:
    """A copy with each value at a path replaced by the next of `values`, or by nothing where they are at an end."""
    if isinstance(source, list):
        return [_replaced(item, path, values) for item in source]
    if not path:
        return None if source is None else next(values, None)
    if not isinstance(source, Mapping):
        return source
    copy = dict(source)
    for key, rest in keys_on(source, path):
        copy[key] = _replaced(copy[key], rest, values)
    return copy
