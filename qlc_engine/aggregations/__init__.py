"""Aggregations: a request's `aggs` read once (`parse_aggregations`), computed over any number of segments.

Every bucket aggregation assigns bucket ordinals to whole arrays of documents (`selection.Selection`), so that a tree
of any depth costs a few passes over the values and no loop over documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qlc_engine.aggcontext import AggContext
from qlc_engine.aggregations.parsing import implemented_aggregations, parse_children
from qlc_engine.aggregations.selection import Run, select_matching
from qlc_engine.aggregations.tree import Children
from qlc_engine.mapping import FieldLookup

__all__ = ["Aggregations", "implemented_aggregations", "parse_aggregations"]


@dataclass(frozen=True)
class Aggregations:
    """The aggregations of one request, checked against the mapping."""

    children: Children

    def compute(self, context: AggContext) -> dict[str, Any]:
        """The value of `aggregations` in the answer. Raises `EngineError` for what only the documents show."""
        return self.children.collect(select_matching(Run(context))).render(0)


def parse_aggregations(spec: Any, mapping: FieldLookup) -> Aggregations:
    """Reads `aggs`. Raises `EngineError` (status 400) for what is malformed, unknown or not implemented."""
    return Aggregations(parse_children(spec, mapping, ()))
