"""Sort values: one per document, selected from several values, or from nested elements."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.source import below_key
from qlc_engine.columns import IntArray, KeywordColumn, NumericColumn, OrdArray
from qlc_engine.docset import Ordinals
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query
from qlc_engine.terms import EMPTY_DICTIONARY, TermDictionary, encode_term

Keys = NDArray[np.int64] | NDArray[np.float64]
#: Which documents have a value; None: all.
Present = NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True)
class NestedSort:
    """Values come from the elements of a nested path that match `filter`."""

    path: str
    filter: Query | None = None


def values_of(leaf: Leaf, path: str, ids: Ordinals, mode: str, nested: NestedSort | None) -> tuple[Keys, Present]:
    """The sort value of each document (for keywords: the ordinal) and whether it has one (None: each has)."""
    if nested is None:
        return _direct(leaf, path, ids, mode)
    below = leaf.child(nested.path)
    if below is None:
        return np.zeros(len(ids), np.int64), np.zeros(len(ids), np.bool_)
    child, documents = below
    elements: Ordinals = np.arange(child.n) if nested.filter is None else nested.filter.docs(child).ids
    parents = documents[elements]
    # an average is over all values of all elements
    values, present = _direct(child, path, elements, "sum" if mode == "avg" else mode)
    if present is None:
        present = np.ones(len(elements), np.bool_)
    owners = parents[present]
    counts = None
    if mode == "avg":
        column = child.space.columns[path]
        counts = (column.starts[elements + 1] - column.starts[elements])[present] if len(owners) else None
    return _per_owner(leaf.n, owners, values[present], ids, mode, counts)


def below_flattened(leaf: Leaf, path: str, key: str, ids: Ordinals, mode: str) -> tuple[Keys, Present, TermDictionary]:
    """The ordinals of the values below one key of a flattened field, and what these values are."""
    column = leaf.keyword_column(path)
    if column is None:
        return np.zeros(len(ids), np.int64), np.zeros(len(ids), np.bool_), EMPTY_DICTIONARY
    cut = below_key(column, key)
    ordinals, present = _of_runs(cut.starts, cut.ords, ids, mode)
    return ordinals, present, TermDictionary.from_sorted([encode_term(term) for term in cut.terms])


def _direct(leaf: Leaf, path: str, ids: Ordinals, mode: str) -> tuple[Keys, Present]:
    column = leaf.space.columns.get(path)
    if isinstance(column, KeywordColumn | NumericColumn):
        values = column.ords if isinstance(column, KeywordColumn) else column.values
        if leaf.one_each(path, column.starts):
            found = values.take(ids)
            return (found.astype(np.int64, copy=False) if found.dtype != np.float64 else found), None  # type: ignore[return-value]
        return _of_runs(column.starts, values, ids, mode)
    return np.zeros(len(ids), np.int64), np.zeros(len(ids), np.bool_)


def _of_runs(starts: IntArray, values: Keys | OrdArray, ids: Ordinals, mode: str) -> tuple[Keys, Present]:
    """Runs are ascending, so that the least value comes first and the greatest last."""
    begins, ends = starts[ids], starts[ids + 1]
    present = ends > begins
    out: Keys = np.zeros(len(ids), np.int64)
    if values.dtype == np.float64:
        out = out.astype(np.float64)
    if mode in ("min", "max"):
        at = begins[present] if mode == "min" else ends[present] - 1
        out[present] = values[at]
        return out, present
    chosen = [values[begin:end] for begin, end in zip(begins[present].tolist(), ends[present].tolist(), strict=True)]
    out[present] = [_reduced(run, mode) for run in chosen]
    return out, present


def _reduced(run: Keys | OrdArray, mode: str) -> float:
    if len(run) == 1:
        return run[0].item()  # type: ignore[no-any-return]
    if mode == "sum":
        return float(run.sum()) if run.dtype == np.float64 else int(run.sum())
    if mode == "avg":
        # the sum of longs goes round, as in Java
        return float(np.mean(run)) if run.dtype == np.float64 else _java_round(float(run.sum()) / len(run))
    middle = len(run) // 2
    if len(run) % 2:
        return run[middle].item()  # type: ignore[no-any-return]
    median = (run[middle - 1].item() + run[middle].item()) / 2
    return median if run.dtype == np.float64 else _java_round(median)


def _java_round(number: float) -> int:
    """Java's Math.round: halves go up, and what is beyond a long ends at its bounds."""
    return max(-(2**63), min(2**63 - 1, math.floor(number + 0.5)))


def _per_owner(
    n: int, owners: IntArray, values: Keys, ids: Ordinals, mode: str, counts: IntArray | None
) -> tuple[Keys, Present]:
    present = np.zeros(n, np.bool_)
    present[owners] = True
    whole = values.dtype != np.float64
    combined: Keys = np.zeros(n, np.int64)
    if not whole:
        combined = combined.astype(np.float64)
    if mode in ("min", "max"):
        least: float = np.iinfo(np.int64).max if whole else np.inf
        combined[:] = least if mode == "min" else (-least - 1 if whole else -least)
        (np.minimum if mode == "min" else np.maximum).at(combined, owners, values)
    else:
        np.add.at(combined, owners, values)
        if counts is not None:
            totals = np.maximum(np.bincount(owners, weights=counts, minlength=n), 1)
            combined = np.floor(combined / totals + 0.5).astype(np.int64) if whole else combined / totals
    return combined[ids], present[ids]
