"""geo_distance, geo_bounding_box and geo_shape from their JSON."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error, query_shard_error
from qlc_engine.geo import geohash_box, parse_distance, parse_point
from qlc_engine.mapping import Field
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.compound import ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.numeric import GeoBox, GeoDistance
from qlc_engine.queries.spatial import RELATIONS, PointRelation, Relation, ShapeRelation
from qlc_engine.shapes import box_of, parse_shape


def parse_geo_distance(body: Any, context: QueryContext) -> Query:
    params = Params("geo_distance", body)
    distance = params.take("distance")
    distance_type = params.take("distance_type", "arc")
    path, point = params.single_field()
    if distance is None:
        raise parsing_error("geo_distance requires 'distance' to be specified")
    if distance_type not in ("arc", "plane"):
        raise illegal_argument(f"No geo distance for [{distance_type}]")
    lat, lon = _point(point)
    try:
        meters = parse_distance(distance)
    except (ValueError, KeyError) as error:
        raise EngineError("number_format_exception", str(error)) from None
    if meters <= 0:
        raise illegal_argument("distance must be greater than zero")
    return ConstantScore(GeoDistance(_geo_path(path, context, "geo_distance"), lat, lon, meters))


def parse_geo_bounding_box(body: Any, context: QueryContext) -> Query:
    params = Params("geo_bounding_box", body)
    path, box = params.single_field()
    top, left, bottom, right = _corners(Params("geo_bounding_box", box))
    if top < bottom:
        raise illegal_argument(f"top is below bottom corner: {top} vs. {bottom}")
    field = context.field(path)
    if field is not None and field.type == "geo_shape":
        return ConstantScore(ShapeRelation(_indexed(field), box_of(top, left, bottom, right), "intersects"))
    return ConstantScore(GeoBox(_geo_path(path, context, "geo_bounding_box"), top, left, bottom, right))


def parse_geo_shape(body: Any, context: QueryContext) -> Query:
    params = Params("geo_shape", body)
    ignores_unmapped = params.boolean("ignore_unmapped", False)
    path, given = params.single_field()
    inner = Params("geo_shape", given)
    shape, relation = inner.require("shape"), _relation(str(inner.take("relation", "intersects")).lower())
    inner.finish()
    field = context.field(path)
    if field is None and ignores_unmapped:
        return MatchNone()
    if field is None:
        raise query_shard_error(f"failed to find type for field [{path}]")
    if field.type not in ("geo_point", "geo_shape"):
        raise query_shard_error(
            f"Field [{path}] is of unsupported type [{field.type}] for [geo_shape] query. Supported field types: "
            "[geo_point, geo_shape]"
        )
    try:
        area = parse_shape(shape)
    except (ValueError, TypeError, IndexError) as error:
        raise parsing_error(f"failed to parse the shape of a [geo_shape] query: {error}") from None
    if not all(part.is_area for part in area):
        raise not_implemented("a [geo_shape] query with a shape that is no area")
    if field.type == "geo_point":
        return ConstantScore(PointRelation(field.path, area, relation))
    return ConstantScore(ShapeRelation(_indexed(field), area, relation))


def _indexed(field: Field) -> str:
    """Return the path of a field of shapes. Raises EngineError if it is not indexed."""
    if not field.index:
        raise illegal_argument(f"Cannot search on field [{field.path}] since it is not indexed.")
    return field.path


def _relation(name: str) -> Relation:
    if name not in RELATIONS or name == "contains":
        raise not_implemented(f"the relation [{name}] of a [geo_shape] query")
    return RELATIONS[name]


def _corners(params: Params) -> tuple[float, float, float, float]:
    edges: dict[str, float] = {}
    for corner in ("top_left", "bottom_right", "top_right", "bottom_left"):
        if corner in params:
            given = params.take(corner)
            vertical, horizontal = corner.split("_")
            if isinstance(given, str) and given.isalnum():
                # of a geohash the corner of its cell
                south, west, north, east = _cell(given)
                edges[vertical] = north if vertical == "top" else south
                edges[horizontal] = west if horizontal == "left" else east
                continue
            edges[vertical], edges[horizontal] = _point(given)
    for edge in ("top", "left", "bottom", "right"):
        if edge in params:
            edges[edge] = params.number(edge, 0.0)
    params.finish()
    missing = {"top", "left", "bottom", "right"} - set(edges)
    if missing:
        edge = min(missing)
        kind = "latitude" if edge in ("bottom", "top") else "longitude"
        raise illegal_argument(f"{edge} {kind} is invalid: NaN")
    return edges["top"], edges["left"], edges["bottom"], edges["right"]


def _cell(geohash: str) -> tuple[float, float, float, float]:
    try:
        return geohash_box(geohash)
    except ValueError as error:
        raise EngineError("parse_exception", str(error)) from None


def _point(value: Any) -> tuple[float, float]:
    try:
        lat, lon = parse_point(value)
    except ValueError as error:
        raise EngineError("parse_exception", str(error)) from None
    for number, bound, name in ((lat, 90, "latitude"), (lon, 180, "longitude")):
        if not -bound <= number <= bound:
            raise query_shard_error(f"illegal {name} value [{number}]")
    return lat, lon


def _geo_path(path: str, context: QueryContext, query: str) -> str:
    """Return the path of a geo field's points."""
    field = context.field(path)
    if field is None:
        raise query_shard_error(f"failed to find geo field [{path}]")
    if field.type != "geo_point":
        raise query_shard_error(
            f"Field [{path}] is of unsupported type [{field.type}] for [{query}] query. Supported field types: "
            "[geo_point]"
        )
    return field.path
