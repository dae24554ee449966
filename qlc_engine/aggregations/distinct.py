"""`cardinality`: how many distinct values. Exact here, where the server estimates above its precision threshold."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.expanded import of_points
from qlc_engine.aggregations.keyed import count_cells, key_selection
from qlc_engine.aggregations.metrics import Count
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.tree import Aggregator
from qlc_engine.mapping import FieldLookup


@dataclass
class CardinalityAggregator(Aggregator):
    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> Count:
        keyed = key_selection(self.source, selection)
        cells = count_cells(keyed, selection.n_owners)
        return Count(np.bincount(cells.owners, minlength=selection.n_owners))


def parse_cardinality(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    body.integer("precision_threshold", 3_000)
    body.text("execution_hint")
    body.take("rehash")
    source = read_source(body, mapping, accepts="distinct")
    if source.field is not None and source.field.type == "geo_point":
        source = dataclasses.replace(source, expansion=of_points("point", _point_number))
    return {"source": source}


def _point_number(lat: float, lon: float) -> int:
    """A number for each point that the index tells from others."""
    lat_code, lon_code = round(lat * 2**32 / 180), round(lon * 2**32 / 360)
    return lat_code * 2**32 + lon_code
