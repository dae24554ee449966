"""Documents as they are stored, gone through by the path of a field: objects, lists, keys with dots in them, places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_WKT = re.compile(r"\s*POINT\s*\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)\s*", re.IGNORECASE)
_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"


def parts_at(source: Any, path: str, is_one: Callable[[list[Any]], bool] = lambda found: False) -> Iterator[Any]:
    """What is at a path of a source, through objects and lists, but for a list that `is_one` thing by itself."""
    if isinstance(source, list) and not is_one(source):
        for item in source:
            yield from parts_at(item, path, is_one)
    elif not path:
        yield source
    elif isinstance(source, Mapping):
        for key, rest in keys_on(source, path):
            yield from parts_at(source[key], rest, is_one)


def keys_on(source: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """The keys of an object that lie on a path, which may have dots in them, each with the rest of the path."""
    parts = path.split(".")
    for length in range(1, len(parts) + 1):
        key = ".".join(parts[:length])
        if key in source:
            yield key, ".".join(parts[length:])


# --- places ----------------------------------------------------------------------------------------------------------


def places_at(source: Any, path: str) -> Iterator[str]:
    """The places at a path of a source, through objects and lists, as texts like `41.9, 12.5`.

    One that is written in no way that Elasticsearch knows is none.
    """
    for one in parts_at(source, path, lambda value: bool(value) and isinstance(value[0], int | float)):
        try:
            latitude, longitude = _point(one)
        except (TypeError, ValueError, KeyError, IndexError):
            continue
        yield f"{_number(latitude)}, {_number(longitude)}"


def _point(value: Any) -> tuple[float, float]:
    """Latitude and longitude of an object, GeoJSON, a list, a text, WKT or a geohash. Raises what its parts raise."""
    if isinstance(value, Mapping):
        if "coordinates" in value:
            return _point(value["coordinates"])
        if "geohash" in value:
            return _corner(str(value["geohash"]))
        return float(value["lat"]), float(value["lon"])
    if isinstance(value, list):
        return float(value[1]), float(value[0])
    if not isinstance(value, str):
        raise TypeError(value)
    if "," in value:
        latitude, longitude, *_ = value.split(",")
        return float(latitude), float(longitude)
    point = _WKT.fullmatch(value)
    return (float(point[2]), float(point[1])) if point is not None else _corner(value)


def _corner(geohash: str) -> tuple[float, float]:
    """The south-west corner of its cell, which Elasticsearch takes for the place."""
    low, size = [-180.0, -90.0], [360.0, 180.0]
    bits = [_BASE32.index(letter) >> shift & 1 for letter in geohash.lower() for shift in (4, 3, 2, 1, 0)]
    for number, bit in enumerate(bits):
        axis = number % 2
        size[axis] /= 2
        low[axis] += bit * size[axis]
    return low[1], low[0]


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")
