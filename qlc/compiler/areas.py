"""Areas in conditions on places and shapes: circles, boxes and polygons are checked and lowered."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from qlc.base.units import convert
from qlc.compiler import typed
from qlc.compiler.context import Refused
from qlc.compiler.operators import no_operator
from qlc.grammar import print_value, tree
from qlc.grammar.printer import print_area, print_point
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field

MOST_CORNERS = 200
"""Most points of a polygon: each pair of its sides is compared."""
_FARTHEST = 40_000_000
"""In metres."""
_HALF_WAY = 180
"""Most degrees of longitude that an area spans: an Elasticsearch polygon that spans more goes the other way round."""
_EXAMPLE = "write, for example, 40 km"


def area_of(node: tree.Area) -> typed.Area:
    """Check an area: `box (42, 12) to (41, 13)`. Raises Refused."""
    match node:
        case tree.Circle():
            return _circle(node)
        case tree.Box():
            return _box(node)
        case tree.Polygon():
            return _polygon(node)


def spatial(field: Field, node: tree.Spatial, area: typed.Area) -> typed.Spatial:
    """Check the relation of a field to an area. Raises Refused.

    `location intersects box ...` -> refused: a place lies within; `area within 5 km of ...` -> refused: no circle
    """
    is_point = field.kind is FieldKind.GEO_POINT
    if not is_point and field.kind is not FieldKind.GEO_SHAPE:
        raise no_operator(field, node.relation, node.operator_span)
    if is_point and node.relation != "within":
        hint = "within" if node.relation == "intersects" else f"{field.name} exists and not {field.name} within ..."
        raise Refused("wrong-operator", f"'{field.name}' is a place, which lies within an area or not",
                      node.operator_span, hint=f"write '{hint}'",
                      replacement="within" if node.relation == "intersects" else None)
    if not is_point and isinstance(area, typed.Circle):
        raise Refused("wrong-operator", f"'{field.name}' holds areas, which are not compared with a distance",
                      node.area.span, hint="write a box or a polygon: box (TOP, LEFT) to (BOTTOM, RIGHT)")
    return typed.Spatial(field, node.relation, area)


# --- circles, boxes, polygons ----------------------------------------------------------------------------------------


def _circle(node: tree.Circle) -> typed.Circle:
    latitude, longitude = _degrees(node.center)
    factor = convert(node.distance.unit or "m", "m")
    if factor is None or node.distance.value <= 0:
        raise Refused("wrong-unit", "the distance must be a length above zero", node.distance.span, hint=_EXAMPLE)
    metres = Fraction(node.distance.text) * factor
    if not 1 <= 100 * metres <= 100 * _FARTHEST:
        raise Refused("wrong-unit", "a distance is from 1 cm, as exactly as places are kept, to 40,000 km, once around "
                      "the Earth", node.distance.span, hint=_EXAMPLE)
    return typed.Circle(float(metres), latitude, longitude)


def _box(node: tree.Box) -> typed.Box:
    """Check a box. One whose left side is further east than its right side crosses longitude 180."""
    (top, left), (bottom, right) = _degrees(node.top_left), _degrees(node.bottom_right)
    width = right - left if left <= right else right - left + 360
    if top == bottom or left == right:
        raise Refused("invalid-area", f"the box has no {'height' if top == bottom else 'width'}", node.span,
                      hint="write box (TOP, LEFT) to (BOTTOM, RIGHT)")
    if top < bottom or (left > right and width > _HALF_WAY):
        upper, lower = sorted((node.top_left.latitude, node.bottom_right.latitude), key=lambda one: -one.value)
        west, east = node.top_left.longitude, node.bottom_right.longitude
        if width > _HALF_WAY and left > right:
            west, east = east, west
        corners = tree.GeoPoint(upper, west), tree.GeoPoint(lower, east)
        fixed = print_area(tree.Box(*corners))
        what = "its first corner lies below the second" if top < bottom else (
            f"it goes from {print_value(node.top_left.longitude)} east around the Earth to "
            f"{print_value(node.bottom_right.longitude)}")
        raise Refused("invalid-area", f"a box is from its top left corner to its bottom right one, and {what}",
                      node.span, hint=f"write {fixed}", replacement=fixed)
    return typed.Box(top, left, bottom, right)


def _polygon(node: tree.Polygon) -> typed.Polygon:
    """Check a polygon. The first point may be repeated at the end, as in GeoJSON; the polygon is closed anyway."""
    points = [_degrees(one) for one in node.points]
    if len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if len(points) > MOST_CORNERS:
        raise Refused("too-long", f"a polygon has at most {MOST_CORNERS} points", node.span,
                      hint="leave out points that lie near others")
    if len(set(points)) < 3:
        raise Refused("invalid-area", "a polygon has three different points or more", node.span,
                      hint="add points, or write a box: box (TOP, LEFT) to (BOTTOM, RIGHT)")
    first_at: dict[tuple[float, float], int] = {}
    for place, point in enumerate(points):
        if first_at.setdefault(point, place) != place:
            written = node.points[place]
            raise Refused("invalid-area", f"the polygon comes to {print_point(written)} twice", written.span,
                          hint="write each of its points once, in the order in which they are joined")
    longitudes = [longitude for _, longitude in points]
    if max(longitudes) - min(longitudes) > _HALF_WAY:
        raise Refused("invalid-area", f"the polygon spans more than {_HALF_WAY} degrees of longitude, so it is unknown "
                      "on which side of the Earth its sides are joined", node.span,
                      hint="split it, at longitude 180 if it crosses that, and join the conditions with 'or'")
    sides = [_Side(one, points[place - 1]) for place, one in enumerate(points)]
    if any(_meet(one, other) for one, other in combinations(sides, 2)):
        raise Refused("invalid-area", "sides of the polygon cross or touch each other", node.span,
                      hint="write its points in the order in which they are joined, around the area")
    return typed.Polygon(tuple(points))


def _degrees(point: tree.GeoPoint) -> tuple[float, float]:
    """Return latitude and longitude. Raises Refused, with the other order where only that is a place."""
    latitude, longitude = float(point.latitude.value), float(point.longitude.value)
    if _is_place(latitude, longitude):
        return latitude, longitude
    message = f"{print_point(point)} is not a place on Earth"
    if _is_place(longitude, latitude):
        fixed = print_point(tree.GeoPoint(point.longitude, point.latitude))
        raise Refused("invalid-place", f"{message}: the latitude comes first", point.span, hint=f"write {fixed}",
                      replacement=fixed)
    raise Refused("invalid-place", message, point.span,
                  hint="write (LATITUDE, LONGITUDE) in degrees: -90 to 90, -180 to 180")


def _is_place(latitude: float, longitude: float) -> bool:
    return -90 <= latitude <= 90 and -180 <= longitude <= 180


# --- sides of a polygon ----------------------------------------------------------------------------------------------

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Side:
    start: _Point
    end: _Point


def _meet(one: _Side, other: _Side) -> bool:
    """Whether two sides of a polygon have more in common than the corner that joins them."""
    shared = {one.start, one.end} & {other.start, other.end}
    if shared:
        (corner,) = shared if len(shared) == 1 else (one.start,)
        tips = [tip for tip in (one.start, one.end, other.start, other.end) if tip != corner]
        return _turn(corner, *tips) == 0 and not _is_between(tips[0], corner, tips[1])
    turns = (_turn(one.start, one.end, other.start), _turn(one.start, one.end, other.end),
             _turn(other.start, other.end, one.start), _turn(other.start, other.end, one.end))  # fmt: skip
    if turns[0] != turns[1] and turns[2] != turns[3]:
        return True
    ends = ((other.start, one), (other.end, one), (one.start, other), (one.end, other))
    return any(turn == 0 and _is_between(side.start, tip, side.end)
               for turn, (tip, side) in zip(turns, ends, strict=True))


def _turn(first: _Point, second: _Point, third: _Point) -> int:
    """Return the direction of a turn at `second`: 1, -1, or 0 for points on one line."""
    left, right = _products(first, second, third)
    if abs(left - right) <= _INEXACT * (abs(left) + abs(right)):
        left, right = _products(*(tuple(map(Fraction, point)) for point in (first, second, third)))
    return int(left > right) - int(left < right)


_INEXACT = 1e-12
"""The part of two products of floats by which their difference can be wrong, and more."""


def _products(first: Any, second: Any, third: Any) -> tuple[Any, Any]:
    (ax, ay), (bx, by), (cx, cy) = first, second, third
    return (bx - ax) * (cy - ay), (by - ay) * (cx - ax)


def _is_between(start: _Point, point: _Point, end: _Point) -> bool:
    """Whether a point on the line through two others lies between them."""
    return all(min(a, b) <= p <= max(a, b) for a, p, b in zip(start, point, end, strict=True))
