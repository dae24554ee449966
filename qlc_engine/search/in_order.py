"""Finds the first of many documents by one column, without reading all of their values.

The documents of a segment are kept in the order of the column. The first few of a set are found by walking that order;
for a set of one in ten, that reads ten documents for each result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.leaf import Leaf

#: Below so many documents their values are read faster than they are avoided.
_MANY = 2_000

#: Of the values in order one in so many is compared first.
_STEP = 512

#: So many documents of the order are looked at together, at the least.
_STRIDE = 256


@dataclass(frozen=True, slots=True)
class Span:
    """The positions that are wanted: from `after` on (not those before), up to `worst`. None: no bound."""

    after: Any = None
    worst: Any = None


def may_pay(n_docs: int, count: int) -> bool:
    """Whether walking the order can pay for so many documents, if the first `count` are wanted."""
    return n_docs >= _MANY and count * 4 <= n_docs


def first_in_order(
    leaf: Leaf,
    path: str,
    docs: DocSet,
    count: int,
    *,
    descending: bool,
    position: Callable[[Any], Any],
    span: Span,
) -> Ordinals | None:
    """Return documents that can be among the first `count` after `span.after`, ascending; of equal values all.

    `position` converts raw values of the column to places in the wanted order. None if walking the order would not pay:
    few documents, missing or multiple values, or a sparse set.
    """
    column = leaf.space.columns.get(path)
    n_docs = len(docs)
    if not may_pay(n_docs, count) or not isinstance(column, KeywordColumn | NumericColumn):
        return None
    if not leaf.one_each(path, column.starts):
        return None
    ascending, values = _order(leaf, path, column.ords if isinstance(column, KeywordColumn) else column.values)
    if descending:
        ascending, values = ascending[::-1], values[::-1]
    return _along(ascending, _Places(values, position), docs, n_docs, count, span)


class _Places:
    """The places of the documents in their order, which are ascending."""

    def __init__(self, values: NDArray[Any], position: Callable[[Any], Any]) -> None:
        self.values = values
        self.position = position
        # one in so many is looked at to find the run with a place: of a mapped file or a cold cache that is little
        self._coarse = position(values[::_STEP])

    def before(self, place: Any, side: Literal["left", "right"]) -> int:
        """How many are below a place, or, to the right, no further than it."""
        coarse = int(np.searchsorted(self._coarse, place, side))
        if coarse == 0:
            return 0
        run = (coarse - 1) * _STEP
        return run + int(np.searchsorted(self.position(self.values[run : run + _STEP]), place, side))


def _along(
    order: NDArray[np.int32], places: _Places, docs: DocSet, n_docs: int, count: int, span: Span
) -> Ordinals | None:
    end = len(order) if span.worst is None else places.before(span.worst, "right")
    at = beyond = 0
    if span.after is not None:
        # documents with the first value of `after` may be before or after it, and do not count
        at = places.before(span.after, "left")
        beyond = places.before(span.after, "right")
    found: list[Ordinals] = []
    missing, looked = count, 0
    stride = max(_STRIDE, 2 * count * len(order) // n_docs)
    while at < end:
        stop = min(end, beyond if at < beyond else at + stride)
        looked += stop - at
        if looked > n_docs:
            return None
        part = order[at:stop]
        inside = docs.contains_each(part)
        hits = part[inside]
        found.append(hits)
        if at >= beyond and missing > 0:
            if len(hits) < missing:
                missing -= len(hits)
            else:
                # further on only what equals the last one that is needed
                last = at + int(np.flatnonzero(inside)[missing - 1])
                end = min(end, places.before(places.position(places.values[last]), "right"))
                missing = 0
        at = stop
    return np.sort(np.concatenate(found)) if found else np.zeros(0, np.int32)


def _order(leaf: Leaf, path: str, values: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """The documents by their value, ascending, and their values in that order."""
    derived, where = leaf.segment.derived, (leaf.nested_path or "", path)
    order, ordered = derived.get(("order", *where)), derived.get(("in order", *where))
    if order is None or ordered is None:
        order = np.argsort(values).astype(np.int32)
        ordered = values[order]
        derived["order", *where], derived["in order", *where] = order, ordered
    return order, ordered  # type: ignore[return-value]
