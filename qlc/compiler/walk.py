"""Walking typed queries: every node in the order of the program."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any

from qlc.compiler import typed


def typed_parts(node: Any, closed: tuple[type, ...] = ()) -> list[Any]:
    """A typed node and all nodes in it, in the order of the program; those of a `closed` type are not opened."""
    found: list[Any] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is tuple:
            waiting += part[::-1]
            continue
        attributes = _ATTRIBUTES[kind]
        if attributes is None:
            continue
        found.append(part)
        if kind not in closed:
            for name in attributes:
                waiting.append(getattr(part, name))
    return found


class _Attributes(dict[type, tuple[str, ...] | None]):
    """The attributes of a typed node that can hold nodes, last first (they go on a stack); None for all that is no
    typed node: schema objects and plain values."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        names = None
        if kind.__module__ == typed.__name__ and is_dataclass(kind):
            names = tuple(a.name for a in reversed(fields(kind)) if _NODES & set(re.findall(r"\w+", str(a.type))))
        self[kind] = names
        return names


def _is_node(annotated: object) -> bool:
    if isinstance(annotated, UnionType):
        return any(map(_is_node, annotated.__args__))
    return isinstance(annotated, type) and annotated.__module__ == typed.__name__


_NODES = {name for name, annotated in vars(typed).items() if _is_node(annotated)}
"""The names of the typed nodes and of their unions, as annotations have them."""

_ATTRIBUTES = _Attributes()
