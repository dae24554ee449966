"""`rare_terms`: the values of a field that few documents have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.keyed import count_cells, key_selection, regroup
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.terms import KeyFilter, KeyRenderer, allowed_keys, read_key_filters
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.errors import illegal_argument
from qlc_engine.mapping import FLOAT_TYPES, FieldLookup


@dataclass
class RareTermsAggregator(Aggregator):
    source: Source
    max_doc_count: int
    include: KeyFilter | None
    exclude: KeyFilter | None

    def collect(self, selection: Selection) -> BucketList:
        keyed = key_selection(self.source, selection)
        cells = count_cells(keyed, selection.n_owners)
        allowed = allowed_keys(keyed.keys, cells.n_keys, self.include, self.exclude)
        order = np.lexsort((cells.ids, cells.counts, cells.owners))
        rare = (cells.counts <= self.max_doc_count) & (allowed[cells.ids] if len(cells.ids) else True)
        chosen = order[rare[order]]
        selection.run.count_buckets(len(chosen))
        return BucketList(
            kind=self._kind(),
            starts=np.searchsorted(cells.owners[chosen], np.arange(selection.n_owners + 1)),
            doc_counts=cells.counts[chosen],
            renderer=KeyRenderer(self.source, keyed.keys, cells.ids[chosen]),
            children=self.children.collect_below(lambda: regroup(selection, keyed, cells, chosen, len(chosen))),
        )

    def _kind(self) -> str:
        if self.source.field is None and self.source.missing is None:
            return "umrareterms"
        return "srareterms" if self.source.is_keyword else "lrareterms"


def parse_rare_terms(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    source = read_source(body, mapping, accepts="keyed")
    if source.field is not None and source.field.type in FLOAT_TYPES:
        raise illegal_argument("RareTerms aggregation does not support floating point fields.", on_shard=True)
    most = body.integer("max_doc_count", 1, at_least=-(2**31))
    body.number("precision", 0.001)
    if most <= 0 or most > 100:
        bound = "greater than 0" if most <= 0 else "smaller than 100"
        reason = f"[max_doc_count] must be {bound}. Found [{most}] in [{body.name}]"
        raise body.failed("max_doc_count", illegal_argument(reason))
    include, exclude = read_key_filters(body, source)
    return {"source": source, "max_doc_count": most, "include": include, "exclude": exclude}
