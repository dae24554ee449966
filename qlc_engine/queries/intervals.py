"""`intervals`: stretches of a text by rules on words and their order.

Source: org.apache.lucene.queries.intervals and org.elasticsearch.index.query.IntervalsSourceProvider.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query, Scores
from qlc_engine.queries.spans import docs_with, positions_of
from qlc_engine.time_limit import timed

#: first and last position, and how many positions between its parts hold none of them
Interval = tuple[int, int, int]


class Source(ABC):
    """What gives intervals; all of one field."""

    @abstractmethod
    def find(self, leaf: Leaf, path: str, doc: int) -> list[Interval]:
        """Ascending by begin and end, none inside of another."""

    @abstractmethod
    def docs(self, leaf: Leaf, path: str) -> set[int]:
        """Documents among which all matches are."""

    @property
    def least_width(self) -> int:
        return 1


@dataclass(frozen=True)
class Words(Source):
    """Any of several terms; `test` tells which they are where they are not known beforehand."""

    terms: tuple[bytes, ...] = ()
    test: Callable[[bytes], bool] | None = None

    def _all(self, leaf: Leaf, path: str) -> Sequence[bytes]:
        postings = leaf.space.postings.get(path)
        if self.test is None or postings is None:
            return self.terms
        return [term for term in postings.terms.as_bytes() if self.test(term)]

    def find(self, leaf: Leaf, path: str, doc: int) -> list[Interval]:
        found = {at for term in self._all(leaf, path) for at in positions_of(leaf, path, term, doc)}
        return [(at, at, 0) for at in sorted(found)]

    def docs(self, leaf: Leaf, path: str) -> set[int]:
        return docs_with(leaf, path, self._all(leaf, path))


@dataclass(frozen=True)
class AnyOf(Source):
    parts: tuple[Source, ...]

    def find(self, leaf: Leaf, path: str, doc: int) -> list[Interval]:
        return _minimal([found for part in self.parts for found in part.find(leaf, path, doc)])

    def docs(self, leaf: Leaf, path: str) -> set[int]:
        return set().union(*(part.docs(leaf, path) for part in self.parts))

    @property
    def least_width(self) -> int:
        return min(part.least_width for part in self.parts)


@dataclass(frozen=True)
class AllOf(Source):
    """All parts, in order or not, with at most `gaps` positions between them (negative: any number)."""

    parts: tuple[Source, ...]
    ordered: bool
    gaps: int = -1

    def docs(self, leaf: Leaf, path: str) -> set[int]:
        return set.intersection(*(part.docs(leaf, path) for part in self.parts))

    @property
    def least_width(self) -> int:
        # a word that is asked for twice counts once
        return sum(part.least_width for part in dict.fromkeys(self.parts))

    def find(self, leaf: Leaf, path: str, doc: int) -> list[Interval]:
        parts = [part.find(leaf, path, doc) for part in self.parts]
        if not all(parts):
            return []
        found = self._in_order(parts) if self.ordered else self._in_any_order(parts)
        return [interval for interval in _minimal(found) if self.gaps < 0 or interval[2] <= self.gaps]

    @staticmethod
    def _in_order(parts: list[list[Interval]]) -> list[Interval]:
        out: list[Interval] = []
        for first in parts[0]:
            chain = [first]
            for part in parts[1:]:
                behind = next((interval for interval in part if interval[0] > chain[-1][1]), None)
                if behind is None:
                    return out
                chain.append(behind)
            out.append(_joined(chain))
        return out

    @staticmethod
    def _in_any_order(parts: list[list[Interval]]) -> list[Interval]:
        at = [0] * len(parts)
        out: list[Interval] = []
        while True:
            cells = [part[place] for part, place in zip(parts, at, strict=True)]
            if len({cell[0] for cell in cells}) == len(cells) or len(cells) == 1:
                out.append(_joined(cells))
            least = min(range(len(cells)), key=lambda number: (cells[number][0], cells[number][1]))
            at[least] += 1
            if at[least] >= len(parts[least]):
                return out


def _joined(cells: Sequence[Interval]) -> Interval:
    begin, end = min(cell[0] for cell in cells), max(cell[1] for cell in cells)
    return begin, end, end - begin + 1 - sum(cell[1] - cell[0] + 1 for cell in cells)


def _minimal(found: Sequence[Interval]) -> list[Interval]:
    """Those that contain no other."""
    out: list[Interval] = []
    for interval in sorted(set(found), key=lambda each: (each[0], each[1])):
        while out and out[-1][0] <= interval[0] and out[-1][1] >= interval[1]:
            out.pop()
        if not out or interval[1] > out[-1][1]:
            out.append(interval)
    return out


_TESTS: dict[str, Callable[[Interval, Interval], bool]] = {
    "containing": lambda own, other: own[0] <= other[0] and other[1] <= own[1],
    "contained_by": lambda own, other: other[0] <= own[0] and own[1] <= other[1],
    "overlapping": lambda own, other: own[0] <= other[1] and other[0] <= own[1],
    "before": lambda own, other: own[1] < other[0],
    "after": lambda own, other: own[0] > other[1],
}
FILTERS = (
    *_TESTS, "not_containing", "not_contained_by", "not_overlapping",
)  # fmt: skip


@dataclass(frozen=True)
class Filtered(Source):
    """The intervals of a source that stand to those of another as `relation` says."""

    inner: Source
    relation: str
    other: Source

    def find(self, leaf: Leaf, path: str, doc: int) -> list[Interval]:
        others = self.other.find(leaf, path, doc)
        negated = self.relation.startswith("not_")
        test = _TESTS[self.relation.removeprefix("not_")]
        found = self.inner.find(leaf, path, doc)
        return [own for own in found if any(test(own, other) for other in others) != negated]

    def docs(self, leaf: Leaf, path: str) -> set[int]:
        return self.inner.docs(leaf, path)

    @property
    def least_width(self) -> int:
        return self.inner.least_width


@dataclass(frozen=True)
class Intervals(Query):
    path: str
    source: Source

    def docs(self, leaf: Leaf) -> DocSet:
        among = timed(sorted(self.source.docs(leaf, self.path)))
        docs = [doc for doc in among if self.source.find(leaf, self.path, doc)]
        return DocSet(leaf.n, ids=np.array(docs, np.int64))

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        out = np.zeros(len(ids), np.float64)
        width = self.source.least_width
        for place, doc in enumerate(timed(ids.tolist())):
            found = self.source.find(leaf, self.path, doc)
            frequency = sum(1.0 / max(end - begin + 1 - width + 1, 1) for begin, end, _ in found)
            saturated = np.float32(1) - np.float32(1) / (np.float32(1) + np.float32(frequency))
            out[place] = float(np.float32(boost) * saturated)
        return out
