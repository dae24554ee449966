"""Walking typed queries: every node in the order of the program."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from qlc.compiler import typed
from qlc.mapping.fields import MappedField
from qlc.mapping.schema import Entity, Field, NestedList


def typed_parts(node: Any, closed: tuple[type, ...] = ()) -> list[Any]:
    """A typed node and all nodes in it, in the order of the program; those of a `closed` type are not opened."""
    found: list[Any] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if type(part) is tuple:
            waiting += reversed(part)
        elif attributes := _attributes(type(part)):
            found.append(part)
            if type(part) not in closed:
                waiting += [getattr(part, name) for name in attributes]
        elif isinstance(part, typed.Now | typed.All):
            found.append(part)
    return found


_ATTRIBUTES: dict[type, tuple[str, ...]] = {}


def _attributes(kind: type) -> tuple[str, ...]:
    """The attributes of a typed node, last first (they go on a stack). Schema objects and plain values have none."""
    if kind not in _ATTRIBUTES:
        holds = is_dataclass(kind) and not issubclass(kind, Entity | Field | NestedList | MappedField)
        _ATTRIBUTES[kind] = tuple(attribute.name for attribute in reversed(fields(kind))) if holds else ()
    return _ATTRIBUTES[kind]
