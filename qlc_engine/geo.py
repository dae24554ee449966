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
    """Wrap a point beyond a pole or the date line into -90..90 and -180..180 degrees."""
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
            raise illegal_argument(f"invalid {axis} value: {value}; must be between {-most} and {most}")
    lat_code = min(math.floor(lat / _LAT_STEP), 2**31 - 1)
    lon_code = min(math.floor(lon / _LON_STEP), 2**31 - 1)
    return lat_code * _LAT_STEP, lon_code * _LON_STEP


def parse_distance(value: Any) -> float:
    """Metres of a distance such as `12km`. Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    found = _DISTANCE.fullmatch(str(value))
    scale = _UNIT_METERS.get(found.group(2) or "m") if found else None
    if found is None or scale is None:
        raise ValueError(f"failed to parse distance [{value}]")
    return float(found.group(1)) * scale


def distances(lat: float, lon: float, lats: NDArray[np.float64], lons: NDArray[np.float64]) -> NDArray[np.float64]:
    """Great-circle distances in metres, as Lucene's SloppyMath has them: distances below its precision are 0."""
    lat1, lat2 = math.radians(lat), np.radians(lats)
    key = 1 - np.cos(lat2 - lat1)
    key += math.cos(lat1) * np.cos(lat2) * (1 - np.cos(np.radians(lons) - math.radians(lon)))
    out: NDArray[np.float64] = 2 * EARTH_MEAN_RADIUS_M * np.arcsin(np.minimum(1.0, np.sqrt(key * 0.5)))
    return out


def geohash_box(cell: str) -> tuple[float, float, float, float]:
    """South, west, north and east of a cell."""
    south, west = decode_geohash(cell)
    bits = 5 * len(cell)
    return south, west, south + 180.0 / 2 ** (bits // 2), west + 360.0 / 2 ** (bits - bits // 2)
