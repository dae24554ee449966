"""`geo_shape` on points: inside of envelopes, polygons and circles."""

from __future__ import annotations

import re
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error, query_shard_error
from qlc_engine.geo import parse_distance, quantize
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.compound import Bool, ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.numeric import GeoBox, GeoDistance, GeoPolygon, HasValues
from qlc_engine.queries.params import Params

_RELATIONS = ("intersects", "disjoint", "within", "contains")
_NUMBER = r"[-+0-9.eE]+"
_PAIR = re.compile(rf"({_NUMBER})\s+({_NUMBER})")


def parse_geo_shape(body: Any, context: QueryContext) -> Query:
    params = Params("geo_shape", body)
    ignore_unmapped = params.boolean("ignore_unmapped", False)
    path, given = params.single_field()
    inner = Params("geo_shape", given)
    shape, relation = inner.take("shape"), str(inner.take("relation", "intersects")).lower()
    indexed = inner.take("indexed_shape")
    inner.finish()
    if indexed is not None:
        raise not_implemented("[indexed_shape] of query [geo_shape]")
    if shape is None:
        raise illegal_argument("either shape or indexedShapeId is required")
    if relation not in _RELATIONS:
        raise parsing_error(f"Unknown shape operation [{relation}]")
    field = context.field(path)
    if field is None:
        if ignore_unmapped:
            return MatchNone()
        raise query_shard_error(f"failed to find type for field [{path}]", index=context.index)
    if field.type != "geo_point":
        with context.on_shard():
            raise illegal_argument(
                f"Field [{path}] is of unsupported type [{field.type}] for [geo_shape] query. Supported types are: "
                "geo_point, geo_shape"
            )
    inside = _inside(field.path, _shape_of(shape))
    if relation == "disjoint":
        return ConstantScore(Bool(must=[HasValues(field.path)], must_not=[inside]), 0.0)
    return ConstantScore(inside, 0.0)


def _shape_of(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    text = str(given).strip()
    kind, _, rest = text.partition("(")
    kind = kind.strip().lower()
    if kind == "bbox":
        left, right, top, bottom = (float(part) for part in rest.rstrip(") ").split(","))
        return {"type": "envelope", "coordinates": [[left, top], [right, bottom]]}
    pairs = [[[float(x), float(y)] for x, y in _PAIR.findall(ring)] for ring in re.findall(r"\(([^()]+)\)", text)]
    if kind == "polygon":
        return {"type": "polygon", "coordinates": pairs}
    if kind == "point":
        return {"type": "point", "coordinates": pairs[0][0]}
    raise not_implemented(f"the shape [{kind}] of query [geo_shape]")


def _inside(path: str, shape: dict[str, Any]) -> Query:
    kind = str(shape.get("type", "")).lower()
    coordinates = shape.get("coordinates")
    try:
        if kind == "envelope":
            (left, top), (right, bottom) = coordinates  # type: ignore[misc]
            return GeoBox(path, float(top), float(left), float(bottom), float(right))
        if kind == "polygon":
            return _polygon(path, coordinates)
        if kind == "multipolygon":
            return Bool(should=[_polygon(path, rings) for rings in coordinates or ()], minimum=1)
        if kind == "point":
            lon, lat = coordinates  # type: ignore[misc]
            lat, lon = quantize(float(lat), float(lon))
            return GeoBox(path, lat, lon, lat, lon)
        if kind == "circle":
            lon, lat = coordinates  # type: ignore[misc]
            return GeoDistance(path, float(lat), float(lon), parse_distance(shape.get("radius")))
        if kind == "geometrycollection":
            return Bool(should=[_inside(path, part) for part in shape.get("geometries", ())], minimum=1)
    except (TypeError, ValueError) as error:
        raise EngineError("parse_exception", f"invalid coordinates of a shape: {error}") from None
    raise not_implemented(f"the shape [{kind}] of query [geo_shape]")


def _polygon(path: str, rings: Any) -> Query:
    outer, *holes = [GeoPolygon(path, tuple((float(lat), float(lon)) for lon, lat, *_ in ring)) for ring in rings]
    return outer if not holes else Bool(must=[outer], must_not=holes)
