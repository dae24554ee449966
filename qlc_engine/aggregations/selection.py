"""Selections: the documents in each bucket while a tree of aggregations is computed.

A `Selection` is the vectorised form of Lucene's "owning bucket ordinals": per segment a list of documents and, for
each, the ordinal of its bucket. A document occurs once for each bucket that holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggcontext import AggContext, AggDocs
from qlc_engine.columns import DocSpace, IntArray
from qlc_engine.derived import derived
from qlc_engine.docset import Ordinals, expand_runs
from qlc_engine.errors import EngineError

MAX_BUCKETS = 65_536


class TooManyBucketsError(EngineError):
    """`too_many_buckets_exception`."""

    def __init__(self) -> None:
        super().__init__(
            "too_many_buckets_exception",
            f"Trying to create too many buckets. Must be less than or equal to: [{MAX_BUCKETS}] but this number of "
            "buckets was exceeded. This limit can be set by changing the [search.max_buckets] cluster level setting.",
            details={"max_buckets": MAX_BUCKETS},
        )


@dataclass(slots=True)
class Run:
    """One computation: what the search gave, and how many buckets have been made so far."""

    context: AggContext
    buckets: int = 0

    def count_buckets(self, number: int) -> None:
        """Raises `TooManyBucketsError` beyond `search.max_buckets`."""
        self.buckets += number
        if self.buckets > MAX_BUCKETS:
            raise TooManyBucketsError


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a selection in one segment. `owners` is None where all documents are in bucket 0.

    `docs` are ordinals in `space`, ascending within each bucket.
    """

    segment: int
    space: DocSpace
    docs: Ordinals
    owners: IntArray | None

    def owner_array(self) -> IntArray:
        return np.zeros(len(self.docs), np.int64) if self.owners is None else self.owners

    def pick(self, positions: IntArray | NDArray[np.bool_], owners: IntArray | None) -> Slice:
        """The documents at some positions, in the buckets `owners`."""
        return Slice(self.segment, self.space, self.docs[positions], owners)

    def keep(self, mask: NDArray[np.bool_]) -> Slice:
        return Slice(self.segment, self.space, self.docs[mask], None if self.owners is None else self.owners[mask])


@dataclass(frozen=True, slots=True)
class Selection:
    """Documents by bucket, at one nesting level (`path`, None at the top), over all segments."""

    run: Run
    path: str | None
    n_owners: int
    slices: Sequence[Slice] = field(default_factory=tuple)
    #: whether it is what the query gives, with no aggregation between
    is_whole: bool = False

    def doc_counts(self) -> IntArray:
        """How many documents each bucket holds."""
        counts = np.zeros(self.n_owners, np.int64)
        for part in self.slices:
            if part.owners is None:
                counts[0] += len(part.docs)
            else:
                counts += np.bincount(part.owners, minlength=self.n_owners)
        return counts

    def occupied(self) -> int:
        """How many buckets hold a document. Only below these are buckets of fixed number counted by the server."""
        return int(np.count_nonzero(self.doc_counts()))

    def with_slices(self, slices: Sequence[Slice], *, path: str | None = None, same_path: bool = True) -> Selection:
        return Selection(self.run, self.path if same_path else path, self.n_owners, slices)

    def docs_of(self, owner: int) -> list[AggDocs]:
        """The documents of one bucket, for `top_hits`."""
        found = []
        for part in self.slices:
            docs = part.docs if part.owners is None else part.docs[part.owners == owner]
            if len(docs):
                found.append(AggDocs(part.segment, docs))
        return found


def select_matching(run: Run) -> Selection:
    """The root: all matching documents in one bucket."""
    slices = [
        Slice(number, segment.space, segment.matching, None) for number, segment in enumerate(run.context.segments)
    ]
    return Selection(run, None, 1, slices, is_whole=True)


def descend(selection: Selection, path: str) -> Selection:
    """The elements of a nested path below the selected documents, in the buckets of these."""
    slices = []
    for part in selection.slices:
        chain = _chain_to(part.space, path)
        if chain is None:
            continue
        current = part
        for space in chain:
            current = _children(current, space)
        slices.append(current)
    return selection.with_slices(slices, path=path, same_path=False)


def ascend(selection: Selection, path: str | None, roots: Sequence[DocSpace]) -> Selection:
    """The documents of an enclosing level (None: the top) around the selected elements, each once per bucket."""
    slices = []
    for part in selection.slices:
        chain = _chain_to(roots[part.segment], selection.path) if selection.path is not None else []
        if chain is None:
            continue
        spaces = [roots[part.segment], *chain]
        target = _chain_to(roots[part.segment], path) if path is not None else []
        if target is None:
            continue
        docs = part.docs
        for space in reversed(spaces[len(target) + 1 :]):
            assert space.parent is not None
            docs = space.parent[docs]
        owners = part.owner_array()
        space = spaces[len(target)]
        codes = np.unique(owners * np.int64(max(space.n_docs, 1)) + docs)
        owners, docs = np.divmod(codes, np.int64(max(space.n_docs, 1)))
        slices.append(Slice(part.segment, space, docs, owners))
    return selection.with_slices(slices, path=path, same_path=False)


def _chain_to(space: DocSpace, path: str | None) -> list[DocSpace] | None:
    """The DocSpaces from below `space` down to `path`; None where the segment has no such elements."""
    if path is None:
        return []
    for name, child in space.children.items():
        if name == path:
            return [child]
        if path.startswith(name + "."):
            rest = _chain_to(child, path)
            return None if rest is None else [child, *rest]
    return None


def _children(part: Slice, child: DocSpace) -> Slice:
    parent = child.parent
    assert parent is not None
    starts = derived((parent,), ("child starts", part.space.n_docs), lambda: _child_starts(parent, part.space.n_docs))
    counts = starts[part.docs + 1] - starts[part.docs]
    docs = expand_runs(starts[part.docs], counts)
    owners = None if part.owners is None else np.repeat(part.owners, counts)
    return Slice(part.segment, child, docs, owners)


def _child_starts(parent: IntArray, n_docs: int) -> IntArray:
    starts = np.zeros(n_docs + 1, np.int64)
    np.cumsum(np.bincount(parent, minlength=n_docs), out=starts[1:])
    return starts
