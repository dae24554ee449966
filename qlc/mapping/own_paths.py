"""The fields that a condition asks about."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.walk import children


def own_paths(node: tree.Node) -> Iterator[tree.Path]:
    """The paths in a condition that are fields of its entity.

    Those inside brackets are an element's, those of a sub-query another entity's, and a name on the right may be a
    constant.
    """
    if isinstance(node, tree.Path):
        yield node
    elif not isinstance(node, tree.Subquery | tree.NameValue):
        for one in children(node):
            yield from own_paths(one)
