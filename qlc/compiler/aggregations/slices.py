"""Splits the known keys of a tree into slices that each fit into one response."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import prod

from qlc.base.deadline import timed
from qlc.compiler.aggregations.tree import Keys
from qlc.compiler.typed import Scalar

Slice = tuple[frozenset[Scalar], ...]
"""The allowed keys of each level. A slice can also admit combinations of other slices, but at the level where slices
were cut their keys are disjoint, so no row is read twice."""


def cut(combinations: Sequence[Keys], most: int) -> list[Slice]:
    """Slices of at most `most` combinations each. Together they cover all of them, none twice."""
    if not combinations:
        return []
    depth = len(combinations[0])
    return [
        tuple(frozenset(column) for column in zip(*part, strict=True)) for part in _parts(combinations, most, 0, depth)
    ]


def _parts(combinations: Sequence[Keys], most: int, level: int, depth: int) -> Iterator[list[Keys]]:
    """Yield groups of at most `most` combinations, cut where the key at `level` changes. A key with more is cut
    at the next level."""
    if len(combinations) <= most or level == depth:
        yield list(combinations)
        return
    run: list[Keys] = []
    for _, equal in timed(groupby(sorted(combinations, key=lambda keys: keys[level]), key=lambda keys: keys[level])):
        same = list(equal)
        if run and len(run) + len(same) > most:
            yield run
            run = []  # a yielded list must not be changed
        if len(same) > most:
            yield from _parts(same, most, level + 1, depth)
        else:
            run += same
    if run:
        yield run


def shares(sizes: Sequence[int], most: int) -> list[int]:
    """How many keys of each part may be read together, so that the product is at most `most` (each at least 1)."""
    limits = [max(1, size) for size in sizes]
    while (product := prod(limits)) > most and product > 1:
        largest = max(range(len(limits)), key=limits.__getitem__)
        limits[largest] = (limits[largest] + 1) // 2
    return limits
