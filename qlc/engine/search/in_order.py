"""The first of many documents by one column, without a look at the values of all of them.

The documents of a segment stand once in the order of the column; whoever asks for the first few of a set goes along
that order until enough of the set have passed. Of a set of one in ten that is ten documents for each one wanted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc.engine.columns import KeywordColumn, NumericColumn
from qlc.engine.docset import DocSet, Ordinals
from qlc.engine.leaf import Leaf

#: Below so many documents their values are read faster than they are avoided.
_MANY = 2_000

#: So many documents of the order are looked at together, at the least.
_STRIDE = 256


@dataclass(frozen=True, slots=True)
class Span:
    """The positions that are wanted: from `after` on (not those before), up to `worst`. None: no bound."""

    after: Any = None
    worst: Any = None


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
    """Those of `docs` that may be among the first `count` beyond `span.after`, ascending; documents of one value all.

    `position` makes of a raw value of the column its place in the wanted order. None where going along the order would
    not pay: few documents, some without a value or with several, or too many that are not of the set.
    """
    column = leaf.space.columns.get(path)
    n_docs = len(docs)
    if n_docs < _MANY or count * 4 > n_docs or not isinstance(column, KeywordColumn | NumericColumn):
        return None
    if not leaf.one_each(path, column.starts):
        return None
    values = column.ords if isinstance(column, KeywordColumn) else column.values
    ascending = _order(leaf, path, values)
    order = ascending[::-1] if descending else ascending
    return _along(order, lambda doc: position(values.item(doc)), docs, n_docs, count, span)


def _along(
    order: NDArray[np.int32], place: Callable[[int], Any], docs: DocSet, n_docs: int, count: int, span: Span
) -> Ordinals | None:
    """`place` gives the position of a document."""

    def place_at(at: int) -> Any:
        return place(order.item(at))

    every = range(len(order))
    end = len(order) if span.worst is None else bisect_right(every, span.worst, key=place_at)
    at = beyond = 0
    if span.after is not None:
        # documents with the first value of `after` may be before or behind it, and do not count
        at = bisect_left(every, span.after, key=place_at)
        beyond = bisect_right(every, span.after, lo=at, key=place_at)
    found: list[Ordinals] = []
    missing, looked = count, 0
    stride = max(_STRIDE, 2 * count * len(order) // n_docs)
    while at < end:
        stop = min(end, beyond if at < beyond else at + stride)
        looked += stop - at
        if looked > n_docs:
            return None
        part = order[at:stop]
        hits = part[docs.contains_each(part)]
        found.append(hits)
        if at >= beyond and missing > 0:
            missing -= len(hits)
            if missing <= 0:
                # further on only what equals the last one that is needed
                last = place(hits.item(missing - 1))
                end = min(end, bisect_right(every, last, lo=at, key=place_at))
        at = stop
    return np.sort(np.concatenate(found)) if found else np.zeros(0, np.int32)


def _order(leaf: Leaf, path: str, values: NDArray[Any]) -> NDArray[np.int32]:
    """The documents by their value, ascending."""
    key = ("order", leaf.nested_path or "", path)
    found = leaf.segment.derived.get(key)
    if found is None:
        found = np.argsort(values).astype(np.int32)
        leaf.segment.derived[key] = found
    return found  # type: ignore[return-value]
