"""`distance_feature`: the nearer a date or point is to a given one, the higher the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.columns import GeoColumn, NumericColumn
from qlc_engine.dates import parse_date
from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import EngineError, illegal_argument, xcontent_error
from qlc_engine.geo import distances, parse_distance, parse_point
from qlc_engine.index_settings import time_seconds
from qlc_engine.json_input import json_token
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import MatchNone, Query, Scores
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.numeric import HasValues
from qlc_engine.queries.params import Params
from qlc_engine.value_parsers import text_of


@dataclass(frozen=True)
class DistanceFeature(Query):
    """The nearest value counts: `boost * pivot / (pivot + distance)`."""

    path: str
    origin: int | tuple[float, float]
    #: in the unit of the column, or metres
    pivot: float

    def docs(self, leaf: Leaf) -> DocSet:
        return HasValues(self.path).docs(leaf)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        column = leaf.space.columns.get(self.path)
        out = np.zeros(len(ids), np.float64)
        for place, doc in enumerate(ids.tolist()):
            if not isinstance(column, NumericColumn | GeoColumn):
                break
            run = slice(column.starts.item(doc), column.starts.item(doc + 1))
            if run.start == run.stop:
                continue
            if isinstance(column, GeoColumn) and isinstance(self.origin, tuple):
                distance = float(distances(*self.origin, column.lat[run], column.lon[run]).min())
            elif isinstance(column, NumericColumn) and isinstance(self.origin, int):
                distance = float(min(abs(value - self.origin) for value in column.values[run].tolist()))
            else:
                continue
            out[place] = float(np.float32(float(np.float32(boost)) * (self.pivot / (self.pivot + distance))))
        return out


def parse_distance_feature(body: Any, context: QueryContext) -> Query:
    params = Params("distance_feature", body, object_parser=True)
    path, origin, pivot = params.take("field"), params.take("origin"), params.take("pivot")
    params.finish()
    missing = [name for name, value in (("field", path), ("origin", origin), ("pivot", pivot)) if value is None]
    if missing:
        raise illegal_argument(f"Required [{', '.join(missing)}]")
    if not isinstance(pivot, str):
        raise xcontent_error(f"[1:1] [distance_feature] pivot doesn't support values of type: {json_token(pivot)}")
    field = context.field(str(path))
    if field is None:
        return MatchNone()
    with context.on_shard():
        if field.type in ("date", "date_nanos"):
            at = parse_date(text_of(origin), field.format, now_ms=context.now_ms, round_up=True)
            scale = 1_000_000 if field.type == "date_nanos" else 1
            return DistanceFeature(field.path, at * scale, time_seconds(str(pivot), "distance_feature") * 1000 * scale)
        if field.type == "geo_point":
            try:
                return DistanceFeature(field.path, parse_point(origin), parse_distance(pivot))
            except ValueError as error:
                raise EngineError("parse_exception", str(error)) from None
        raise illegal_argument(
            f"Illegal data type of [{field.type}]![distance_feature] query can only be run on a date, date_nanos or "
            "geo_point field type!"
        )
