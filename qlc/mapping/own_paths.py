"""The fields that a condition asks about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from qlc.grammar import tree


def own_paths(node: object) -> Iterator[tree.Path]:
    """The paths in a condition that are fields of its entity.

    Those inside brackets are an element's, those of a sub-query another entity's, and a name on the right may be a
    constant.
    """
    if isinstance(node, tree.Path):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from own_paths(item)
    elif is_dataclass(node) and not isinstance(node, tree.Subquery | tree.NameValue):
        for part in fields(node):
            yield from own_paths(getattr(node, part.name))
