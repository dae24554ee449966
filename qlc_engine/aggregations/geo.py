"""Aggregations of points: `geo_bounds`, `geo_centroid`, `geo_distance`, `geohash_grid`, `geotile_grid`.

Source: org.elasticsearch.search.aggregations.metrics.GeoBoundsAggregator, bucket.geogrid.GeoTileUtils and
org.elasticsearch.geometry.utils.Geohash.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.expanded import of_points
from qlc_engine.aggregations.grouping import group
from qlc_engine.aggregations.ranges import Range, RangeAggregator, RangeRenderer, entries_of, sorted_ranges
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.tree import AggJson, Aggregator, BucketList, Result
from qlc_engine.columns import GeoColumn, IntArray
from qlc_engine.docset import expand_runs
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.geo import (
    distances,
    encode_geohash,
    geohash_number,
    geohash_precision,
    parse_point,
    plane_distances,
    tile_of,
    tile_precision,
    unit_meters,
)
from qlc_engine.mapping import FieldLookup

FloatArray = NDArray[np.float64]


def points_of(source: Source, part: Slice) -> tuple[IntArray, FloatArray, FloatArray]:
    """Of a slice's documents: for each of their points the position of the document, latitude and longitude."""
    column = None if source.field is None else part.space.columns.get(source.field.path)
    if not isinstance(column, GeoColumn):
        nothing = np.empty(0, np.float64)
        if source.missing is None:
            return np.empty(0, np.int64), nothing, nothing
        count = len(part.docs)
        lat, lon = source.missing
        return np.arange(count), np.full(count, lat), np.full(count, lon)
    counts = column.starts[part.docs + 1] - column.starts[part.docs]
    at = expand_runs(column.starts[part.docs].astype(np.int64), counts.astype(np.int64))
    return np.repeat(np.arange(len(part.docs)), counts), column.lat[at], column.lon[at]


def _source(body: Body, mapping: FieldLookup) -> Source:
    missing = body.take("missing")
    source = read_source(body, mapping, accepts="geo")
    if missing is None:
        return source
    try:
        point = parse_point(missing)
    except ValueError as error:
        raise EngineError("parse_exception", str(error), on_shard=True) from None
    return Source(source.path, source.field, source.format, point)


@dataclass(frozen=True)
class _Shown(Result):
    kind: str
    values: list[dict[str, Any]]

    def render(self, owner: int) -> AggJson:
        return AggJson(self.kind, self.values[owner])


def _by_owner(source: Source, selection: Selection) -> list[tuple[FloatArray, FloatArray]]:
    lats: list[list[FloatArray]] = [[] for _ in range(selection.n_owners)]
    lons: list[list[FloatArray]] = [[] for _ in range(selection.n_owners)]
    for part in selection.slices:
        positions, lat, lon = points_of(source, part)
        owners = part.owner_array()[positions]
        for owner in np.unique(owners).tolist():
            lats[owner].append(lat[owners == owner])
            lons[owner].append(lon[owners == owner])
    joined = zip(lats, lons, strict=True)
    none = [np.empty(0, np.float64)]
    return [(np.concatenate(one or none), np.concatenate(other or none)) for one, other in joined]


@dataclass
class GeoBoundsAggregator(Aggregator):
    source: Source
    wrap_longitude: bool
    takes_children = False

    def collect(self, selection: Selection) -> Result:
        shown = [self._bounds(lat, lon) for lat, lon in _by_owner(self.source, selection)]
        return _Shown("geo_bounds", shown)

    def _bounds(self, lat: FloatArray, lon: FloatArray) -> dict[str, Any]:
        if len(lat) == 0:
            return {}
        left, right = float(lon.min()), float(lon.max())
        east, west = lon[lon >= 0], lon[lon < 0]
        if self.wrap_longitude and len(east) and len(west):
            unwrapped = float(east.max()) - float(west.min())
            wrapped = (180 - float(east.min())) - (-180 - float(west.max()))
            if wrapped < unwrapped:
                left, right = float(east.min()), float(west.max())
        corners = {
            "top_left": {"lat": float(lat.max()), "lon": left},
            "bottom_right": {"lat": float(lat.min()), "lon": right},
        }
        return {"bounds": corners}


def parse_geo_bounds(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": _source(body, mapping), "wrap_longitude": body.boolean("wrap_longitude", True)}


@dataclass
class GeoCentroidAggregator(Aggregator):
    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> Result:
        shown: list[dict[str, Any]] = []
        for lat, lon in _by_owner(self.source, selection):
            found: dict[str, Any] = {}
            if len(lat):
                found["location"] = {"lat": math.fsum(lat) / len(lat), "lon": math.fsum(lon) / len(lon)}
            shown.append({**found, "count": len(lat)})
        return _Shown("geo_centroid", shown)


def parse_geo_centroid(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": _source(body, mapping)}


class _Distances(RangeRenderer):
    """A distance without a lower bound begins at none."""

    def key_fields(self, bucket: int) -> dict[str, Any]:
        shown = super().key_fields(bucket)
        key = {"key": shown.pop("key")} if "key" in shown else {}
        return {**key, "from": 0.0, **shown}


@dataclass
class GeoDistanceAggregator(RangeAggregator):
    """Documents by the distance of any of their points."""

    origin: tuple[float, float]
    unit: float
    plane: bool

    def collect(self, selection: Selection) -> BucketList:
        slices = []
        for part in selection.slices:
            positions, lat, lon = points_of(self.source, part)
            far = (plane_distances if self.plane else distances)(*self.origin, lat, lon) / self.unit
            masks = []
            for wanted in self.ranges:
                mask = np.ones(len(far), np.bool_) if wanted.low is None else far >= wanted.low
                masks.append(mask if wanted.high is None else mask & (far < wanted.high))
            slices.append(self._slice(part, positions, masks))
        number = selection.n_owners * len(self.ranges)
        selection.run.count_buckets(selection.occupied() * len(self.ranges))
        below = Selection(selection.run, selection.path, number, slices)
        return BucketList(
            kind="geo_distance",
            starts=np.arange(selection.n_owners + 1) * len(self.ranges),
            doc_counts=below.doc_counts(),
            renderer=_Distances(self.ranges, self.source, False, self.keyed),
            children=self.children.collect(below),
            keyed=self.keyed,
        )


def parse_geo_distance(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    origin = next((body.take(key) for key in ("origin", "point", "por", "center") if body.has(key)), None)
    unit = body.text("unit") or "m"
    kind = body.text("distance_type") or "arc"
    ranges = []
    for key, entry in entries_of(body):
        low, high = (None if entry[end] is None else float(entry[end]) for end in ("from", "to"))
        ranges.append(Range(key, low or None, high, (low, high)))
    if origin is None:
        raise illegal_argument("Required [origin]")
    meters = unit_meters(unit)
    if meters is None:
        raise body.failed("unit", illegal_argument(f"No distance unit match [{unit}]"))
    if kind not in ("arc", "plane"):
        raise body.failed("distance_type", illegal_argument(f"No geo distance for [{kind}]"))
    try:
        point = parse_point(origin)
    except ValueError as error:
        raise body.failed("origin", EngineError("parse_exception", str(error))) from None
    return {
        "source": _source(body, mapping),
        "ranges": sorted_ranges(ranges),
        "keyed": body.boolean("keyed"),
        "origin": point,
        "unit": meters,
        "plane": kind == "plane",
    }


@dataclass(frozen=True, slots=True)
class CellNames:
    names: list[str]

    def key_fields(self, bucket: int) -> dict[str, Any]:
        return {"key": self.names[bucket]}

    def key_text(self, bucket: int) -> str:
        return self.names[bucket]


@dataclass
class GeoGridAggregator(Aggregator):
    """Points by cells of a grid; those outside of `bounds` (top, left, bottom, right) do not count."""

    source: Source
    precision: int
    size: int
    bounds: tuple[float, float, float, float] | None

    def _cells(self, part: Slice) -> Iterable[tuple[int, Any]]:
        positions, lats, lons = points_of(self.source, part)
        for position, lat, lon in zip(positions.tolist(), lats.tolist(), lons.tolist(), strict=True):
            tiles = self.type == "geotile_grid"
            cell: Any = tile_of(lat, lon, self.precision) if tiles else encode_geohash(lat, lon, self.precision)
            if self.bounds is None or _touches(cell, self.bounds, self.type):
                yield position, cell

    def collect(self, selection: Selection) -> BucketList:
        groups = group(selection, self._cells)
        chosen = []
        for owner in range(selection.n_owners):
            ranked = sorted(groups.of_owner(owner), key=lambda each: (each.count, _place(each.key)), reverse=True)
            chosen += ranked[: self.size]
        selection.run.count_buckets(len(chosen))
        starts, below = groups.chosen(chosen)
        return BucketList(
            kind=self.type,
            starts=starts,
            doc_counts=np.array([each.count for each in chosen], np.int64),
            renderer=CellNames([_name(each.key) for each in chosen]),
            children=self.children.collect_below(lambda: below),
        )


def _place(key: Any) -> int:
    """The number that the server keeps for a cell, with its sign."""
    if isinstance(key, tuple):
        zoom, column, row = key
        return int(zoom << 58 | column << 29 | row)
    number = geohash_number(key) << 4 | len(key)
    return number - 2**64 if number >= 2**63 else number


def _name(key: Any) -> str:
    return key if isinstance(key, str) else "/".join(map(str, key))


def _touches(cell: Any, bounds: tuple[float, float, float, float], kind: str) -> bool:
    """Whether a cell and a box have a point in common."""
    from qlc_engine.geo import geohash_box, tile_box  # seldom asked for

    south, west, north, east = tile_box(cell) if kind == "geotile_grid" else geohash_box(cell)
    top, left, bottom, right = bounds
    if not (south < top and north > bottom):
        return False
    if left <= right:
        return west < right and east > left
    return west < right or east > left


def parse_geo_grid(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    hashes = body.type == "geohash_grid"
    given = body.take("precision", 5 if hashes else 7)
    try:
        precision = geohash_precision(given) if hashes else tile_precision(given)
    except (TypeError, ValueError) as error:
        raise body.failed("precision", illegal_argument(str(error))) from None
    size = body.integer("size", 10_000, at_least=1)
    body.integer("shard_size", 10_000, at_least=1)
    box = body.object("bounds")
    return {
        "source": _source(body, mapping),
        "precision": precision,
        "size": size,
        "bounds": None if box is None else _box(body, box),
    }


def read_tiles(body: Body, mapping: FieldLookup) -> Source:
    """Points as the numbers of the tiles that they lie on, as `composite` has them."""
    try:
        zoom = tile_precision(body.take("precision", 7))
    except (TypeError, ValueError) as error:
        raise body.failed("precision", illegal_argument(str(error))) from None
    given = body.object("bounds")
    bounds = None if given is None else _box(body, given)

    def number(lat: float, lon: float) -> int | None:
        cell = tile_of(lat, lon, zoom)
        return _place(cell) if bounds is None or _touches(cell, bounds, "geotile_grid") else None

    return dataclasses.replace(_source(body, mapping), expansion=of_points(("tiles", zoom, bounds), number))


def tile_name(number: int) -> str:
    return f"{number >> 58}/{number >> 29 & (1 << 29) - 1}/{number & (1 << 29) - 1}"


def tile_number(name: str) -> int:
    """The number of a tile by its name, `zoom/column/row`."""
    parts = name.split("/")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        form = "Must be three integers in a form \"zoom/x/y\"."
        raise illegal_argument(f"Invalid geotile_grid hash string of {name}. {form}")
    return _place(tuple(map(int, parts)))


def _box(body: Body, box: dict[str, Any]) -> tuple[float, float, float, float]:
    from qlc_engine.queries.parse_geo import corners_of  # what reads the box of a query reads this one too

    try:
        return corners_of(box)
    except EngineError as error:
        raise body.failed("bounds", error) from None
