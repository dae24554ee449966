"""Stored values as the resolver hands them on: dates become aware datetimes, all else stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qlc.compiler.environment import Values
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.resolver.instants import as_datetime
from qlc.resolver.names.entries import stored_values


def field_values(hit: Mapping[str, Any], field: Field) -> Values:
    """The distinct values of a field in a hit's source, in stored order."""
    return converted(stored_values(hit, field), field)


def converted(values: Iterable[Scalar], field: Field) -> Values:
    """Values as stored; of a date field as datetimes in UTC."""
    found = tuple(values) if field.kind is not FieldKind.DATE else tuple(map(as_datetime, values))
    return found if len(found) < 2 else tuple(dict.fromkeys(found))
