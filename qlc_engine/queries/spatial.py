"""Queries on ranges and shapes, which are terms of their fields, and on points in an area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import GeoColumn, Postings
from qlc_engine.docset import DocSet, Mask
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query
from qlc_engine.queries.terms import docs_of_terms
from qlc_engine.range_types import ends_of
from qlc_engine.shapes import Part, box_around, decoded, inside, intersects, lies_within
from qlc_engine.time_limit import timed

Relation = Literal["intersects", "within", "disjoint", "contains"]
RELATIONS: dict[str, Relation] = {name: name for name in get_args(Relation)}


@dataclass(frozen=True)
class RangeRelation(Query):
    """Ranges that lie so to the one from `low` to `high`, both included."""

    path: str
    kind: str
    low: Any
    high: Any
    relation: Relation

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        lows, highs = self._ends(leaf, postings)
        match self.relation:
            case "contains":
                hits = (lows <= self.low) & (highs >= self.high)
            case "within":
                hits = (lows >= self.low) & (highs <= self.high)
            case _:
                hits = (lows <= self.high) & (highs >= self.low)
        return docs_of_terms(postings, np.flatnonzero(hits).tolist(), leaf.n)

    def _ends(self, leaf: Leaf, postings: Postings) -> NDArray[Any]:
        """Return the ends of all ranges of a segment, read once."""
        key = ("ranges", leaf.nested_path or "", self.path)
        found = leaf.segment.derived.get(key)
        if found is None:
            found = ends_of(self.kind, timed(postings.terms))
            leaf.segment.derived[key] = found
        return found


@dataclass(frozen=True, eq=False)
class ShapeRelation(Query):
    """Shapes that lie so to an area. Several shapes of a document count as one."""

    path: str
    area: tuple[Part, ...]
    relation: Relation

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        boxes = self._boxes(leaf, postings)
        near = np.zeros(len(boxes), np.bool_)
        for part in self.area:
            west, south, east, north = part.box
            near |= (boxes[:, 0] <= east) & (boxes[:, 2] >= west) & (boxes[:, 1] <= north) & (boxes[:, 3] >= south)
        test = lies_within if self.relation == "within" else intersects
        candidates = timed(np.flatnonzero(near).tolist())
        hits = [at for at in candidates if test(decoded(postings.terms[at]), self.area)]
        found = docs_of_terms(postings, hits, leaf.n)
        if self.relation == "intersects":
            return found
        if self.relation == "disjoint":
            return _without(docs_of_terms(postings, range(len(boxes)), leaf.n), found, leaf.n)
        outside = np.setdiff1d(np.arange(len(boxes)), hits).tolist()
        return _without(found, docs_of_terms(postings, outside, leaf.n), leaf.n)

    def _boxes(self, leaf: Leaf, postings: Postings) -> NDArray[Any]:
        key = ("shapes", leaf.nested_path or "", self.path)
        found = leaf.segment.derived.get(key)
        if found is None:
            found = np.array([box_around(term) for term in timed(postings.terms)]).reshape(-1, 4)
            leaf.segment.derived[key] = found
        return found


def _without(docs: DocSet, others: DocSet, n: int) -> DocSet:
    return DocSet(n, ids=np.setdiff1d(docs.ids, others.ids, assume_unique=True))


@dataclass(frozen=True, eq=False)
class PointRelation(Query):
    """Points that lie so to an area: one of a document (`intersects`), all (`within`), or none (`disjoint`)."""

    path: str
    area: tuple[Part, ...]
    relation: Relation

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.space.columns.get(self.path)
        if not isinstance(column, GeoColumn):
            return DocSet.none(leaf.n)
        hits = inside(self.area, np.column_stack((column.lon, column.lat)))
        owners = np.repeat(np.arange(leaf.n), np.diff(column.starts))
        count = np.bincount(owners[hits], minlength=leaf.n)
        has = np.diff(column.starts) > 0
        mask: Mask = count > 0
        if self.relation == "within":
            mask = has & (count == np.diff(column.starts))
        elif self.relation == "disjoint":
            mask = has & (count == 0)
        return DocSet(leaf.n, mask=mask)
