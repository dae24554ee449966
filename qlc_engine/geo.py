"""Points on the earth: the ways a geo_point may be written, and distances as Lucene computes them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.errors import illegal_argument

#: Lucene's GeoUtils mean radius of the earth, metres
EARTH_MEAN_RADIUS_M = 6371008.7714

_LAT_STEP = 180.0 / 2**32
_LON_STEP = 360.0 / 2**32
_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"
_WKT = re.compile(r"\s*POINT\s*\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)\s*", re.IGNORECASE)

_UNIT_METERS = {
    "mm": 0.001, "millimeters": 0.001, "cm": 0.01, "centimeters": 0.01, "m": 1.0, "meters": 1.0, "km": 1000.0,
    "kilometers": 1000.0, "in": 0.0254, "inch": 0.0254, "ft": 0.3048, "feet": 0.3048, "yd": 0.9144, "yards": 0.9144,
    "mi": 1609.344, "miles": 1609.344, "nmi": 1852.0, "NM": 1852.0, "nauticalmiles": 1852.0,
}  # fmt: skip
_DISTANCE = re.compile(r"\s*([-+0-9.eE]+?)\s*([a-zA-Z]*)\s*")


def parse_point(value: Any) -> tuple[float, float]:
    """(latitude, longitude) of an object, array, `lat,lon`, WKT or geohash. Raises ValueError."""
    if isinstance(value, dict):
        return _point_of_object(value)
    if isinstance(value, list):
        if len(value) not in (2, 3) or not all(isinstance(part, int | float) for part in value):
            raise ValueError("[geo_point] field type does not accept more than 3 dimensions")
        return float(value[1]), float(value[0])
    if isinstance(value, str):
        return _point_of_text(value)
    raise ValueError("geo_point expected")


def _point_of_object(value: dict[str, Any]) -> tuple[float, float]:
    if value.get("type", "").lower() == "point" and "coordinates" in value:
        return parse_point(value["coordinates"])
    if "geohash" in value:
        return decode_geohash(str(value["geohash"]))
    unknown = set(value) - {"lat", "lon", "z"}
    if unknown:
        allowed = "lon, lat, z, type, coordinates, geohash"
        raise ValueError(f"field [{min(unknown)}] not supported - must be one of: {allowed}")
    if "lat" not in value or "lon" not in value:
        raise ValueError(f"field [{'lon' if 'lat' in value else 'lat'}] missing")
    try:
        return float(value["lat"]), float(value["lon"])
    except (TypeError, ValueError):
        raise ValueError("latitude and longitude must be numbers") from None


def _point_of_text(text: str) -> tuple[float, float]:
    if "," in text:
        parts = text.split(",")
        if len(parts) > 3:
            raise ValueError(f"failed to parse [{text}], expected 2 or 3 coordinates but found: [{len(parts)}]")
        try:
            return float(parts[0]), float(parts[1])
        except ValueError:
            raise ValueError("latitude must be a number") from None
    wkt = _WKT.fullmatch(text)
    if wkt is not None:
        return float(wkt.group(2)), float(wkt.group(1))
    return decode_geohash(text)


def decode_geohash(text: str) -> tuple[float, float]:
    """The south-west corner of the cell, as Elasticsearch reads a geohash."""
    low = [-90.0, -180.0]
    high = [90.0, 180.0]
    axis = 1
    for letter in text.lower():
        digit = _BASE32.find(letter)
        if digit < 0:
            raise ValueError(f"unsupported symbol [{letter}] in geohash [{text}]")
        for bit in (16, 8, 4, 2, 1):
            middle = (low[axis] + high[axis]) / 2
            if digit & bit:
                low[axis] = middle
            else:
                high[axis] = middle
            axis = 1 - axis
    return low[0], low[1]


def normalized(lat: float, lon: float) -> tuple[float, float]:
    """A point beyond the poles or the date line, brought back to where it is."""
    lat = (lat + 180) % 360 - 180
    if abs(lat) > 90:
        lat, lon = math.copysign(180, lat) - lat, lon + 180
    if abs(lon) > 180:
        lon = (lon + 180) % 360 - 180
    return lat, lon


def quantize(lat: float, lon: float) -> tuple[float, float]:
    """The point as Lucene stores it: both coordinates in 32 bits, rounded down. Raises EngineError (400)."""
    for axis, value, most in (("latitude", lat, 90.0), ("longitude", lon, 180.0)):
        if not -most <= value <= most:
            reason = f"invalid {axis} value: {value}; must be between {-most} and {most}"
            raise illegal_argument(reason, on_shard=True)
    lat_code = min(math.floor(lat / _LAT_STEP), 2**31 - 1)
    lon_code = min(math.floor(lon / _LON_STEP), 2**31 - 1)
    return lat_code * _LAT_STEP, lon_code * _LON_STEP


def unit_meters(unit: str) -> float | None:
    return _UNIT_METERS.get(unit)


def parse_distance(value: Any, default_unit: str = "m") -> float:
    """Metres of a distance such as `12km`. Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) * _UNIT_METERS[default_unit]
    found = _DISTANCE.fullmatch(str(value))
    scale = _UNIT_METERS.get(found.group(2) or default_unit) if found else None
    if found is None or scale is None:
        raise ValueError(f"failed to parse distance [{value}]")
    return float(found.group(1)) * scale


def distances(lat: float, lon: float, lats: NDArray[np.float64], lons: NDArray[np.float64]) -> NDArray[np.float64]:
    """Great-circle distances in metres, as Lucene's SloppyMath has them: what is below its precision is none."""
    lat1, lat2 = math.radians(lat), np.radians(lats)
    key = 1 - np.cos(lat2 - lat1)
    key += math.cos(lat1) * np.cos(lat2) * (1 - np.cos(np.radians(lons) - math.radians(lon)))
    out: NDArray[np.float64] = 2 * EARTH_MEAN_RADIUS_M * np.arcsin(np.minimum(1.0, np.sqrt(key * 0.5)))
    return out


def plane_distances(
    lat: float, lon: float, lats: NDArray[np.float64], lons: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distances in metres as on a map: exact near by, wrong near the poles and far away."""
    x = np.radians(lons - lon) * np.cos(np.radians((lats + lat) / 2))
    y = np.radians(lats - lat)
    out: NDArray[np.float64] = np.sqrt(x * x + y * y) * EARTH_MEAN_RADIUS_M
    return out


def _codes(lat: float, lon: float) -> tuple[int, int]:
    """Both coordinates as whole numbers of 32 bits without sign."""
    lat_code = min(max(round(lat / _LAT_STEP), -(2**31)), 2**31 - 1) + 2**31
    return lat_code, min(max(round(lon / _LON_STEP), -(2**31)), 2**31 - 1) + 2**31


def encode_geohash(lat: float, lon: float, precision: int) -> str:
    """The cell of a stored point, of so many letters."""
    lat_code, lon_code = _codes(lat, lon)
    letters: list[str] = []
    even, digit, bits = True, 0, 0
    lat_bit = lon_bit = 31
    while len(letters) < precision:
        if even:
            digit, lon_bit = digit << 1 | (lon_code >> lon_bit & 1), lon_bit - 1
        else:
            digit, lat_bit = digit << 1 | (lat_code >> lat_bit & 1), lat_bit - 1
        even = not even
        bits += 1
        if bits == 5:
            letters.append(_BASE32[digit])
            digit, bits = 0, 0
    return "".join(letters)


def geohash_number(cell: str) -> int:
    """The letters of a cell as digits of one number."""
    number = 0
    for letter in cell:
        number = number << 5 | _BASE32.index(letter)
    return number


def geohash_box(cell: str) -> tuple[float, float, float, float]:
    """South, west, north and east of a cell."""
    south, west = decode_geohash(cell)
    bits = 5 * len(cell)
    return south, west, south + 180.0 / 2 ** (bits // 2), west + 360.0 / 2 ** (bits - bits // 2)


def geohash_precision(given: Any) -> int:
    """Letters, of a number or a size of cells such as `1km`. Raises ValueError."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise ValueError(f"Invalid geohash aggregation precision of {given}. Must be between 1 and 12.")
    if isinstance(given, str) and not given.lstrip("-").isdigit():
        wanted = parse_distance(given)
        # the widest cells that are no wider and no higher than that, as GeoUtils.geoHashLevelsForPrecision
        for letters in range(1, 13):
            bits = 5 * letters
            width = 40075016.68557849 / 2 ** (bits - bits // 2)
            height = 20037508.342789244 / 2 ** (bits // 2)
            if math.hypot(width, height) <= wanted or letters == 12:
                return letters
    precision = int(given)
    if not 1 <= precision <= 12:
        raise ValueError(f"Invalid geohash aggregation precision of {precision}. Must be between 1 and 12.")
    return precision


def tile_of(lat: float, lon: float, zoom: int) -> tuple[int, int, int]:
    """Zoom, column and row of the map tile of a point."""
    tiles = 1 << zoom
    column = math.floor((lon + 180.0) / 360.0 * tiles)
    sine = math.sin(math.radians(lat))
    row = math.floor((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * tiles) if abs(sine) < 1 else (
        0 if sine > 0 else tiles - 1
    )
    return zoom, min(max(column, 0), tiles - 1), min(max(row, 0), tiles - 1)


def tile_box(cell: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """South, west, north and east of a tile."""
    zoom, column, row = cell
    tiles = 1 << zoom

    def latitude(edge: int) -> float:
        return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * edge / tiles))))

    return latitude(row + 1), column / tiles * 360 - 180, latitude(row), (column + 1) / tiles * 360 - 180


def tile_precision(given: Any) -> int:
    """Raises ValueError."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise ValueError("Invalid geotile_grid precision")
    precision = int(given)
    if not 0 <= precision <= 29:
        raise ValueError(f"Invalid geotile_grid precision of {precision}. Must be between 0 and 29.")
    return precision
