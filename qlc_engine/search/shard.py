"""One index under search: the snapshot it is searched in, and what belongs to the request."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from qlc_engine.index import Index, Snapshot
from qlc_engine.leaf import Leaf, top_leaf
from qlc_engine.mapping import Mapping
from qlc_engine.queries.context import QueryContext
from qlc_engine.store import Store


@dataclass(frozen=True, slots=True)
class Shard:
    index: Index
    snapshot: Snapshot
    context: QueryContext
    store: Store
    #: whether stored documents are in the answer as objects, not as the JSON that they are stored as
    as_objects: bool = False

    @property
    def mapping(self) -> Mapping:
        return self.context.mapping

    def anew(self) -> Shard:
        """The same for another request: nothing of the named queries that this one has met."""
        context = dataclasses.replace(self.context, main=[], named=[])
        return dataclasses.replace(self, context=context)

    def leaves(self) -> list[Leaf]:
        return [top_leaf(segment, self.snapshot.statistics) for segment in self.snapshot.segments]
