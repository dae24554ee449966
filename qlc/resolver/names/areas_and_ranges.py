"""Places, shapes and ranges of stored documents as texts: `41.9, 12.5`, `POINT (12.5 41.9)`, `5 to 10`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from qlc.mapping.fields import RANGES, FieldKind, MappedField
from qlc.resolver.names.sources import parts_at

_WKT = re.compile(r"\s*POINT\s*\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)\s*", re.IGNORECASE)
_BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"


def texts_at(source: Any, mapped: MappedField) -> Iterator[str]:
    """Yield the places, shapes or ranges of a field in a source as texts. Values that Elasticsearch could not read are
    skipped."""
    text = _range_text if mapped.kind in RANGES else _TEXTS[mapped.kind]
    is_place = mapped.kind is FieldKind.GEO_POINT
    for one in parts_at(source, mapped.path, _is_pair if is_place else lambda value: False):
        try:
            shown = text(one)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            continue
        if shown:
            yield shown


def _is_pair(value: list[Any]) -> bool:
    return bool(value) and isinstance(value[0], int | float)


# --- places ----------------------------------------------------------------------------------------------------------


def _place_text(value: Any) -> str:
    latitude, longitude = _point(value)
    return f"{_number(latitude)}, {_number(longitude)}"


def _point(value: Any) -> tuple[float, float]:
    """Return latitude and longitude of an object, GeoJSON, a list, a text, WKT or a geohash. Raises errors of its
    parts."""
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
    """Return the south-west corner of a geohash cell, which Elasticsearch takes as the place."""
    low, size = [-180.0, -90.0], [360.0, 180.0]
    bits = [_BASE32.index(letter) >> shift & 1 for letter in geohash.lower() for shift in (4, 3, 2, 1, 0)]
    for number, bit in enumerate(bits):
        axis = number % 2
        size[axis] /= 2
        low[axis] += bit * size[axis]
    return low[1], low[0]


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


# --- shapes ----------------------------------------------------------------------------------------------------------


def _shape_text(value: Any) -> str:
    """Return a shape as WKT, which has the longitude first: GeoJSON is rewritten, WKT kept."""
    if isinstance(value, str):
        return " ".join(value.split())
    kind = str(value["type"]).upper()
    if kind == "GEOMETRYCOLLECTION":
        return f"{kind} ({', '.join(map(_shape_text, value['geometries']))})"
    at = value["coordinates"]
    if kind == "ENVELOPE":
        (left, top), (right, bottom) = at
        return f"BBOX ({', '.join(map(_number, (left, right, top, bottom)))})"
    return f"{kind} {_wkt(at)}" if isinstance(at[0], list) else f"{kind} ({_wkt(at)})"


def _wkt(at: Any) -> str:
    if isinstance(at[0], list):
        return f"({', '.join(map(_wkt, at))})"
    return " ".join(map(_number, at))


# --- ranges ----------------------------------------------------------------------------------------------------------


def _range_text(value: Any) -> str:
    """Return a range: `{"gte": 5, "lt": 10}` -> `5 to below 10`, `{"gte": 5}` -> `from 5`. A block of addresses is
    written as it is."""
    if isinstance(value, str):
        return value
    low, above = _end(value, ("gte", "from"), "gt", "include_lower")
    high, below = _end(value, ("lte", "to"), "lt", "include_upper")
    if low is None and high is None:
        return "any"
    last = f"below {high}" if below else f"{high}"
    if low is None:
        return last if below else f"up to {last}"
    first = f"above {low}" if above else f"{low}"
    return f"{first} to {last}" if high is not None else first if above else f"from {first}"


def _end(value: Mapping[str, Any], included: tuple[str, str], excluded: str, switch: str) -> tuple[Any, bool]:
    """Return one end of a range, None if it is open, and whether the end itself is left out."""
    if value.get(excluded) is not None:
        return value[excluded], True
    found = next((value[name] for name in included if value.get(name) is not None), None)
    return found, value.get(switch) is False


_TEXTS: Mapping[FieldKind, Callable[[Any], str]] = {
    FieldKind.GEO_POINT: _place_text,
    FieldKind.GEO_SHAPE: _shape_text,
}
