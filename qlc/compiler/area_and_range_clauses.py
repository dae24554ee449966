"""Conditions on places, shapes and ranges as queries."""

from __future__ import annotations

import ipaddress
import math
from typing import Any

from elasticsearch.dsl.query import GeoBoundingBox, GeoDistance, GeoShape, MatchNone, Range

from qlc.compiler import typed
from qlc.compiler.date_clauses import DATE_FORMAT, iso_millis, swapped
from qlc.compiler.environment import Bindings, the_one
from qlc.compiler.literals import address_number
from qlc.compiler.numbers import beyond, is_number, within
from qlc.compiler.request import Clause, on
from qlc.mapping.fields import FieldKind

# --- places and shapes -----------------------------------------------------------------------------------------------


def spatial(condition: typed.Spatial, env: Bindings) -> Clause:
    path, area = condition.field.mapped.path, condition.area
    is_place = condition.field.kind is FieldKind.GEO_POINT
    if isinstance(area, typed.Circle):
        return on(GeoDistance, path, _place(area.latitude, area.longitude), distance=f"{area.metres:.10g}m")
    if is_place and isinstance(area, typed.Box):
        corners = {"top_left": _place(area.top, area.left), "bottom_right": _place(area.bottom, area.right)}
        return on(GeoBoundingBox, path, corners)
    # OpenSearch has no other relation for places; one of several places in the area is enough, as everywhere.
    return on(GeoShape, path, {"shape": _shape(area), "relation": "intersects" if is_place else condition.relation})


def _place(latitude: float, longitude: float) -> dict[str, float]:
    return {"lat": latitude, "lon": longitude}


def _shape(area: typed.Box | typed.Polygon) -> dict[str, Any]:
    """Return an area as GeoJSON, which has the longitude first."""
    if isinstance(area, typed.Box):
        return {"type": "envelope", "coordinates": [[area.left, area.top], [area.right, area.bottom]]}
    ring = [[longitude, latitude] for latitude, longitude in (*area.points, area.points[0])]
    return {"type": "polygon", "coordinates": [ring]}


# --- ranges ----------------------------------------------------------------------------------------------------------


def range_test(condition: typed.RangeTest, env: Bindings) -> Clause:
    match condition.element.kind:
        case FieldKind.DATE:
            ends: dict[str, Any] | None = _dates(condition, env)
        case FieldKind.IP:
            ends = _addresses(condition, env)
        case _:
            ends = _numbers(condition, env)
    if ends is None:
        return MatchNone()
    relation = "contains" if condition.relation == "contains" else "intersects"
    return on(Range, condition.field.mapped.path, {**ends, "relation": relation})


def _dates(condition: typed.RangeTest, env: Bindings) -> dict[str, Any]:
    element = condition.element
    bounds = [(">=", env.date_bounds(element, condition.low)), ("<=", env.date_bounds(element, condition.high))]
    if bounds[0][1].start >= bounds[1][1].end:
        bounds = swapped(bounds, element, env)
    start, end = bounds[0][1].start, bounds[1][1].end
    return {"gte": iso_millis(start), "lt": iso_millis(end), "format": DATE_FORMAT}


def _addresses(condition: typed.RangeTest, env: Bindings) -> dict[str, Any]:
    low, high = _ends(condition, env)
    if condition.low == condition.high:  # perhaps a block
        block = ipaddress.ip_network(str(low))
        return {"gte": str(block[0]), "lte": str(block[-1])}
    if address_number(str(low)) > address_number(str(high)):
        (_, low), (_, high) = swapped([(">=", low), ("<=", high)], condition.element, env)
    return {"gte": low, "lte": high}


def _numbers(condition: typed.RangeTest, env: Bindings) -> dict[str, Any] | None:
    """Return the ends as numbers that the field can hold; None if no range meets the condition.

    Ends of whole numbers are whole: `overlaps 2.5 to 7.5` is 3 to 7, and what contains 7.5 contains 7 to 8.
    """
    element = condition.element
    low, high = (end for end in _ends(condition, env) if is_number(end))
    if low > high:
        (_, low), (_, high) = swapped([(">=", low), ("<=", high)], element, env)
    if element.kind is FieldKind.WHOLE_NUMBER:
        contains = condition.relation == "contains"
        low, high = (math.floor(low), math.ceil(high)) if contains else (math.ceil(low), math.floor(high))
    if low > high or (condition.relation == "contains" and (beyond(element, low) or beyond(element, high))):
        return None
    return within(element.mapped, {"gte": low, "lte": high})


def _ends(condition: typed.RangeTest, env: Bindings) -> tuple[typed.Scalar, typed.Scalar]:
    is_one = condition.low == condition.high
    low = the_one(env.typed_scalars(condition.low, condition.element, "=" if is_one else ">="), condition.low)
    if is_one:
        return low, low
    return low, the_one(env.typed_scalars(condition.high, condition.element, "<="), condition.high)
