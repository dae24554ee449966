"""`top_hits`: the best documents of each bucket, as the search itself prints hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.tree import Aggregator, Result
from qlc_engine.errors import not_implemented
from qlc_engine.mapping import FieldLookup


@dataclass(frozen=True)
class TopHits(Result):
    selection: Selection
    body: dict[str, Any]

    def render(self, owner: int) -> dict[str, Any]:
        return self.selection.run.context.top_hits(self.body, self.selection.docs_of(owner))


@dataclass
class TopHitsAggregator(Aggregator):
    body: dict[str, Any]
    takes_children = False

    def collect(self, selection: Selection) -> TopHits:
        return TopHits(selection, self.body)


#: What the search's hook knows how to print; the rest is refused by name.
_KEYS = (
    "size", "from", "sort", "_source", "docvalue_fields", "fields", "stored_fields", "track_scores", "version",
    "seq_no_primary_term", "explain", "highlight",
)  # fmt: skip


def parse_top_hits(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    if body.has("script_fields"):
        raise not_implemented("top_hits [script_fields]")
    given = {key: body.take(key) for key in _KEYS if body.has(key)}
    return {"body": given}
