"""Going through syntax trees: what is in a node, all that is in it, the tree with other nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from qlc.grammar import tree

N = TypeVar("N", bound=tree.Node)


_ATTRIBUTES: dict[type[tree.Node], tuple[str, ...]] = {}


def _attributes(kind: type[tree.Node]) -> tuple[str, ...]:
    """What a node is made of: neither spans nor comments, which equal trees need not share."""
    found = _ATTRIBUTES.get(kind)
    if found is None:
        found = _ATTRIBUTES[kind] = tuple(one.name for one in fields(kind) if one.compare)
    return found


def children(node: tree.Node) -> Iterator[tree.Node]:
    """The direct children of a node."""
    for name in _attributes(type(node)):
        value = getattr(node, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, tree.Node):
                yield one


def walked(node: tree.Node) -> Iterator[tree.Node]:
    """A node and all nodes in it, each before what is in it."""
    yield node
    for one in children(node):
        yield from walked(one)


def rebuilt(node: Any, change: Callable[[tree.Node], tree.Node]) -> Any:
    """The tree with each node changed, and then those in it."""
    if isinstance(node, tuple):
        return tuple(rebuilt(one, change) for one in node)
    if not isinstance(node, tree.Node):
        return node
    node = change(node)
    inside = {name: getattr(node, name) for name in _attributes(type(node))}
    new = {name: rebuilt(one, change) for name, one in inside.items() if isinstance(one, tree.Node | tuple)}
    return replace(node, **new) if new else node


def mapped(node: N, change: Callable[[tree.Node], tree.Node | None]) -> N:
    """The tree with the nodes that `change` gives another for; what was changed is not looked into."""
    changed = change(node)
    if changed is not None:
        return changed  # type: ignore[return-value]
    new: dict[str, Any] = {}
    for name in _attributes(type(node)):
        value = getattr(node, name)
        if isinstance(value, tree.Node):
            new[name] = mapped(value, change)
        elif isinstance(value, tuple):
            new[name] = tuple(mapped(one, change) if isinstance(one, tree.Node) else one for one in value)
    changes = {name: one for name, one in new.items() if one != getattr(node, name)}
    return replace(node, **changes) if changes else node
