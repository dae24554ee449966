"""A segment: an immutable part of an index, its documents' columns together with their ids, versions and order."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import DocSpace, IntArray, OrdArray
from qlc_engine.docset import DocSet
from qlc_engine.terms import TermDictionary


@dataclass(frozen=True, slots=True)
class Identities:
    """The ids, versions and sequence numbers of a segment's documents. `ids` are sorted; `doc_of[i]` has the id `i`."""

    ids: TermDictionary
    doc_of: OrdArray
    ord_of: OrdArray
    seq_nos: IntArray
    versions: IntArray

    def find(self, doc_id: str) -> int:
        """The document with that id, -1 if none."""
        at = self.ids.find(doc_id.encode())
        return -1 if at < 0 else self.doc_of.item(at)

    def id_of(self, doc: int) -> str:
        return self.ids[self.ord_of.item(doc)]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """`name` is unique in the index and stays the same when documents are deleted."""

    name: str
    space: DocSpace
    identities: Identities
    #: caches of derived arrays by key; they depend on the columns only, not on `live`
    derived: dict[tuple[str, ...], NDArray[np.generic]] = field(default_factory=dict)
    #: what terms add to scores at most, by block of documents; see `qlc_engine.queries.impacts`
    impacts: dict[tuple[str, str, int, int], NDArray[np.uint8]] = field(default_factory=dict)
    #: the documents of terms that are in many; see `qlc_engine.queries.terms`
    frequent: dict[tuple[str, str, bytes], DocSet] = field(default_factory=dict)

    @property
    def n_docs(self) -> int:
        return self.space.n_docs

    @property
    def n_live(self) -> int:
        live = self.space.live
        return self.space.n_docs if live is None else int(np.count_nonzero(live))

    def without(self, docs: list[int]) -> Segment:
        """The segment with these documents deleted; columns are shared."""
        live = np.ones(self.n_docs, np.bool_) if self.space.live is None else self.space.live.copy()
        live[docs] = False
        return dataclasses.replace(self, space=dataclasses.replace(self.space, live=live))
