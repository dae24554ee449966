"""Walking typed queries: every node in the order of the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from types import UnionType
from typing import Any, Literal, get_args

from qlc.base.deadline import checkpoint
from qlc.compiler import typed

_EVERY = 256
"""The deadline is checked once per this many nodes."""


def typed_parts(node: Any, closed: tuple[type, ...] = ()) -> list[Any]:
    """Return a node and all nodes in it, in the order of the program, without going into nodes of a `closed` type.

    An object that occurs several times is walked once.
    """
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is tuple:
            waiting += part[::-1]
            continue
        inside = _INSIDE[kind]
        if inside is None or id(part) in seen:
            continue
        seen.add(id(part))
        if len(found) % _EVERY == 0:
            checkpoint()
        found.append(part)
        if inside and kind not in closed:
            waiting += inside(part)
    return found


def levels(node: Any) -> int:
    """Return the depth of nested sources in a node: the levels of its plan, without those that access rules add."""
    depth: dict[int, int] = {}
    waiting = [(node, False)]
    while waiting:
        part, opened = waiting.pop()
        if id(part) in depth:
            continue
        if len(depth) % _EVERY == 0:
            checkpoint()
        if type(part) is typed.Taken and type(part.source) is typed.Lookup:
            depth[id(part)] = 1  # of which there may be very many
            continue
        inner = _inner(part)
        if not opened:
            waiting.append((part, True))
            waiting += [(one, False) for one in inner if id(one) not in depth]
        else:
            deepest = max((depth[id(one)] for one in inner), default=0)
            depth[id(part)] = deepest + isinstance(part, SOURCES)
    return depth[id(node)]


SOURCES = get_args(typed.Source)


def _inner(part: Any) -> list[Any]:
    """Return the direct child nodes of a node or a tuple. Literals have none, and are common."""
    if type(part) is tuple:
        return [one for one in part if type(one) is not typed.Literal]
    inside = _INSIDE[type(part)]
    return list(inside(part)) if inside else []


Inside = Callable[[Any], tuple[Any, ...]] | Literal[False]


class _Inside(dict[type, Inside | None]):
    """Maps each type to a function that returns the attributes that can hold nodes, last first (for a stack).

    False for a node without such attributes, None for values that are not typed nodes: schema objects and plain values.
    """

    def __missing__(self, kind: type) -> Inside | None:
        inside = None
        if kind.__module__ == typed.__name__ and is_dataclass(kind):
            inside = _taking([a.name for a in reversed(fields(kind)) if _NODES & set(re.findall(r"\w+", str(a.type)))])
        self[kind] = inside
        return inside


def _taking(names: list[str]) -> Inside:
    if not names:
        return False
    take = attrgetter(*names)
    return take if len(names) > 1 else lambda part: (take(part),)


def _is_node(annotated: object) -> bool:
    if isinstance(annotated, UnionType):
        return any(map(_is_node, annotated.__args__))
    return isinstance(annotated, type) and annotated.__module__ == typed.__name__


_NODES = {name for name, annotated in vars(typed).items() if _is_node(annotated)}
"""Names of typed nodes and of their unions, as used in annotations."""

_INSIDE = _Inside()
