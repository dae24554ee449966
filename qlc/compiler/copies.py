"""Conditions on passages by their copies of document fields, which make a lookup of the documents unnecessary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from qlc.compiler import typed
from qlc.compiler.walk import SOURCES, typed_parts
from qlc.mapping.fields import MappedField
from qlc.mapping.schema import Entity, Field, NestedList


def of_copies(condition: typed.Condition, whole: Entity, passages: Entity) -> typed.Condition | None:
    """Rewrite a condition on documents of `whole` as one on the passages' own copies; None if a copy is missing."""
    copies = {field.mapped.path: field for field in passages.fields.values()}
    kinds = [terms for terms in whole.filter if terms.field.path not in {own.field.path for own in passages.filter}]
    if not all(terms.field.path in copies for terms in kinds) or not asks_only(condition, set(copies)):
        return None
    parts = [*(typed.Equals(copies[one.field.path], tuple(map(typed.Literal, one.values))) for one in kinds), condition]
    return parts[0] if len(parts) == 1 else typed.And(tuple(parts))


def asks_only(condition: typed.Condition, paths: set[str]) -> bool:
    """Whether a condition uses only fields at these paths, and no id: passages have ids of their own."""
    for part in typed_parts(condition, SOURCES):
        for value in _attributes(part):
            if isinstance(value, NestedList | MappedField):
                return False
            if isinstance(value, Field) and (value.is_id or value.mapped.path not in paths):
                return False
    return True


def _attributes(part: Any) -> Iterator[Any]:
    if isinstance(part, (*SOURCES, typed.Taken)):
        return
    for one in fields(part):
        value = getattr(part, one.name)
        yield from value if isinstance(value, tuple) else (value,)
