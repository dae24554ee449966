"""Shapes on the earth: GeoJSON and WKT read into points, lines and polygons, and how these lie to an area.

Sides are straight in degrees, as Lucene has them. A shape that crosses longitude 180 is not implemented, but a box is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.errors import not_implemented
from qlc_engine.geo import quantize

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
#: a ring or a line: longitudes and latitudes, one row for each point
Rows = Floats


@dataclass(frozen=True, eq=False)
class Part:
    """A point (one row), a line, or a polygon: its outer ring, then its holes; rings are closed."""

    rings: tuple[Rows, ...]
    is_area: bool = False

    @cached_property
    def points(self) -> Rows:
        return np.concatenate(self.rings)

    @cached_property
    def sides(self) -> Floats:
        """The start and end of each side: four columns."""
        return np.concatenate([np.hstack((ring[:-1], ring[1:])) for ring in self.rings])

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """West, south, east and north."""
        low, high = self.points.min(0), self.points.max(0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


Shape = tuple[Part, ...]


# --- reading ---------------------------------------------------------------------------------------------------------

_SIMPLE = {"point": 0, "multipoint": 1, "linestring": 1, "multilinestring": 2, "polygon": 2, "multipolygon": 3}
"""The depth of lists in the coordinates of each type."""


def parse_shape(value: Any) -> Shape:
    """Read a shape in GeoJSON or WKT. Its coordinates are rounded as the index does, in documents and queries. Raises
    ValueError, and EngineError for a shape that is not implemented."""
    if isinstance(value, str):
        return _read_wkt(value)
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise ValueError("shape must be an object consisting of type and coordinates")
    kind = value["type"].lower()
    if kind == "geometrycollection":
        return tuple(part for one in value.get("geometries", ()) for part in parse_shape(one))
    if kind == "circle":
        raise not_implemented("a circle among shapes")
    if kind != "envelope" and kind not in _SIMPLE:
        raise ValueError(f"unknown geo_shape type: {value['type']}")
    return _of_coordinates(kind, value.get("coordinates"))


def _of_coordinates(kind: str, at: Any) -> Shape:
    if kind == "envelope":
        (left, top), (right, bottom) = _points(at)
        return box_of(top, left, bottom, right)
    depth = _SIMPLE[kind]
    if kind == "point":
        return (Part((_points([at]),)),)
    if kind == "multipoint":
        return tuple(Part((_points([one]),)) for one in at)
    if kind in ("linestring", "polygon"):
        at = [at]
        depth += 1
    if depth == 2:
        return tuple(_checked(Part((_line(one, 2),))) for one in at)
    return tuple(_checked(Part(tuple(_ring(one) for one in rings), is_area=True)) for rings in at)


def _points(at: Any) -> Rows:
    if not isinstance(at, list) or not at or not all(isinstance(one, list) and len(one) in (2, 3) for one in at):
        raise ValueError("invalid coordinates")
    if not all(isinstance(part, int | float) and not isinstance(part, bool) for one in at for part in one):
        raise ValueError("coordinates must be numbers")
    rows = np.array([[float(one[0]), float(one[1])] for one in at])
    beyond = np.abs(rows) > (180.0, 90.0)
    if beyond[:, 1].any():
        raise ValueError(f"invalid latitude {rows[beyond[:, 1]][0, 1]}; must be between -90.0 and 90.0")
    if beyond.any():
        raise not_implemented("a longitude beyond 180 degrees in a shape")
    return np.array([quantize(lat, lon)[::-1] for lon, lat in rows.tolist()])


def _line(at: Any, least: int) -> Rows:
    rows = _points(at)
    if len(rows) < least:
        raise ValueError(f"invalid number of points in LineString (found [{len(rows)}] - must be >= {least})")
    return rows


def _ring(at: Any) -> Rows:
    rows = _line(at, 4)
    if not np.array_equal(rows[0], rows[-1]):
        raise ValueError("first and last points of the linear ring must be the same")
    return rows


def _checked(part: Part) -> Part:
    west, _, east, _ = part.box
    if east - west > 180:
        raise not_implemented("a shape that spans more than 180 degrees of longitude")
    return part


def box_of(top: float, left: float, bottom: float, right: float) -> Shape:
    """Return a box; one whose left side is further east than its right side as two."""
    if top < bottom:
        raise ValueError(f"max y cannot be less than min y: {top} < {bottom}")
    if left > right:
        return (*box_of(top, left, bottom, 180.0), *box_of(top, -180.0, bottom, right))
    corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    return (Part((np.array(corners),), is_area=True),)


_WORD = re.compile(r"\s*([A-Za-z]+)\s*(?:Z\s*)?(\(.*\))\s*", re.DOTALL)
_NUMBERS = re.compile(r"[^(),]+")


def _read_wkt(text: str) -> Shape:
    """Read WKT by writing it as GeoJSON: `POINT (12 42)` -> `[[12, 42]]`."""
    found = _WORD.fullmatch(text)
    if found is None:
        raise ValueError(f"Unknown geometry type: {text[:40]}")
    kind, inside = found[1].lower(), found[2]
    if kind == "geometrycollection":
        return tuple(part for one in _split(inside[1:-1]) for part in _read_wkt(one))
    if kind == "bbox":
        left, right, top, bottom = map(float, inside[1:-1].split(","))
        return _of_coordinates("envelope", [[left, top], [right, bottom]])
    if kind not in _SIMPLE:
        raise ValueError(f"Unknown geometry type: {kind}")
    try:
        lists = json.loads(_NUMBERS.sub(_numbers, inside.replace("(", "[").replace(")", "]")))
    except ValueError:
        raise ValueError(f"the coordinates of {text[:40]} cannot be read") from None
    if kind == "multipoint":  # `MULTIPOINT (1 2, 3 4)` and `MULTIPOINT ((1 2), (3 4))`
        lists = [one[0] if isinstance(one[0], list) else one for one in lists]
    return _of_coordinates(kind, lists[0] if kind == "point" else lists)


def _numbers(found: re.Match[str]) -> str:
    """`12 42` -> `[12.0, 42.0]`; brackets and spaces between coordinates are kept."""
    text = found[0].strip("[] \n\t")
    if not text:
        return found[0]
    return found[0].replace(text, json.dumps([float(one) for one in text.split()]))


def _split(text: str) -> list[str]:
    """Split a list of shapes at its outer commas."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


# --- as one term -----------------------------------------------------------------------------------------------------


def encoded(shape: Shape) -> str:
    """Return a shape as the term that stands for it: the box around each part, then the parts."""
    boxes = np.array([part.box for part in shape])
    around = [*boxes[:, :2].min(0), *boxes[:, 2:].max(0)]
    return json.dumps([around, [[part.is_area, *(ring.tolist() for ring in part.rings)] for part in shape]])


def decoded(term: str) -> Shape:
    return tuple(Part(tuple(map(np.array, rings)), is_area) for is_area, *rings in json.loads(term)[1])


def box_around(term: str) -> list[float]:
    """West, south, east and north of an encoded shape."""
    found: list[float] = json.loads(term[1 : term.index("]") + 1])
    return found


# --- how shapes lie to an area ---------------------------------------------------------------------------------------


def inside(area: Sequence[Part], points: Rows) -> Mask:
    """Return a mask of the points in an area or on its outer edges, by ray casting."""
    found = np.zeros(len(points), np.bool_)
    for part in area:
        west, south, east, north = part.box
        x, y = points[:, 0], points[:, 1]
        near = np.flatnonzero((x >= west) & (x <= east) & (y >= south) & (y <= north) & ~found)
        if len(near):
            outer, *holes = part.rings
            hits = _in_ring(outer, points[near])
            for hole in holes:
                hits &= ~_in_ring(hole, points[near])
            found[near] = hits
    return found


def _in_ring(ring: Rows, points: Rows) -> Mask:
    x, y = points[:, 0], points[:, 1]
    odd, on_edge = np.zeros(len(points), np.bool_), np.zeros(len(points), np.bool_)
    for (x1, y1), (x2, y2) in zip(ring[:-1].tolist(), ring[1:].tolist(), strict=True):
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        in_height = (y >= min(y1, y2)) & (y <= max(y1, y2))
        on_edge |= in_height & (turn == 0) & (x >= min(x1, x2)) & (x <= max(x1, x2))
        crosses = (y1 > y) != (y2 > y)
        odd ^= crosses & ((turn > 0) == (y2 > y1))
    return odd | on_edge


def intersects(shape: Shape, area: Sequence[Part]) -> bool:
    """Whether a shape and an area have a point in common."""
    for part in shape:
        if inside(area, part.points).any():
            return True
        if len(part.points) > 1 and any(_meet(part.sides, one.sides, touching=True) for one in area):
            return True
        if part.is_area and any(inside((part,), one.rings[0][:1]).any() for one in area):
            return True
    return False


def lies_within(shape: Shape, area: Sequence[Part]) -> bool:
    """Whether all of a shape lies in an area, its edges included."""
    for part in shape:
        if not inside(area, part.points).all():
            return False
        if len(part.points) > 1 and any(_meet(part.sides, one.sides, touching=False) for one in area):
            return False
        holes = [hole for one in area for hole in one.rings[1:]]
        if part.is_area and any(inside((part,), hole).any() for hole in holes):
            return False
    return True


def _meet(sides: Floats, others: Floats, *, touching: bool) -> bool:
    """Whether a side crosses one of the others, or with `touching` has a point in common with it."""
    a, b = sides[:, None, :2], sides[:, None, 2:]
    c, d = others[None, :, :2], others[None, :, 2:]
    at_c, at_d, at_a, at_b = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    crossing = (at_c * at_d < 0) & (at_a * at_b < 0)
    if not touching or crossing.any():
        return bool(crossing.any())
    return any(
        bool(((turn == 0) & (np.minimum(start, end) <= tip).all(-1) & (tip <= np.maximum(start, end)).all(-1)).any())
        for turn, start, end, tip in ((at_c, a, b, c), (at_d, a, b, d), (at_a, c, d, a), (at_b, c, d, b))
    )


def _turn(first: Floats, second: Floats, third: Floats) -> Floats:
    """The direction of a turn at the second point, by its sign."""
    out: Floats = np.sign(
        (second[..., 0] - first[..., 0]) * (third[..., 1] - first[..., 1])
        - (second[..., 1] - first[..., 1]) * (third[..., 0] - first[..., 0])
    )
    return out
