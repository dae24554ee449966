"""Translates queries on places, shapes and ranges to conditions."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.index_mapping import range_element
from qlc.pasted.clauses import Clause
from qlc.pasted.date_ranges import days_of, instant_text, period_of
from qlc.pasted.dates import interval
from qlc.pasted.reach import FieldUse
from qlc.pasted.saying import CannotSay, Saying, literal, number

# --- places and shapes -----------------------------------------------------------------------------------------------


def distance(clause: Clause, saying: Saying) -> tree.Condition:
    used, params = clause.field, clause.params
    assert used is not None
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(m|km|mi|meters|kilometers|miles|)\s*", str(params["distance"]))
    if match is None or params.get("distance_type", "arc") != "arc":
        raise CannotSay(f"the distance {params['distance']!r}")
    center = _point(params["place"])
    _, path = saying.field(used)
    unit = {"": "m", "meters": "m", "kilometers": "km", "miles": "mi"}.get(match[2], match[2])
    far = number(match[1])
    return tree.Spatial(path, "within", tree.Circle(tree.Number(far.value, far.text, unit), center))


def bounding_box(clause: Clause, saying: Saying) -> tree.Condition:
    assert clause.field is not None
    place = clause.params["place"]
    match place:
        case {"top_left": first, "bottom_right": last}:
            box = tree.Box(_point(first), _point(last))
        case {"top": top, "left": left, "bottom": bottom, "right": right}:
            box = tree.Box(tree.GeoPoint(number(top), number(left)), tree.GeoPoint(number(bottom), number(right)))
        case _:
            raise CannotSay(f"the box {place!r}")
    _, path = saying.field(clause.field)
    return tree.Spatial(path, "within", box)


def shape(clause: Clause, saying: Saying) -> tree.Condition:
    assert clause.field is not None
    given, relation = clause.params["shape"], clause.params.get("relation", "intersects")
    field, path = saying.field(clause.field)
    area = _area(given)
    if clause.field.kind is not FieldKind.GEO_POINT:
        return tree.Spatial(path, relation, area)
    inside = tree.Spatial(path, "within", area)
    if relation != "intersects" and field.many is not False:
        raise CannotSay(f"that all places of '{field.name}' are {relation}")
    if relation != "disjoint":
        return inside
    return tree.And((tree.Presence(path, missing=False), tree.Not(inside)))


def _area(given: Any) -> tree.Box | tree.Polygon:
    match given["type"].lower(), given["coordinates"]:
        case "envelope", [first, last]:
            return tree.Box(_point(first), _point(last))
        case "polygon", [[first, *others, last]] if first == last:
            return tree.Polygon(tuple(map(_point, (first, *others))))
    raise CannotSay(f"a shape of the type '{given['type']}'")


def _point(place: Any) -> tree.GeoPoint:
    """Return a place that is written as an object, a list with the longitude first, or a text."""
    match place:
        case {"lat": lat, "lon": lon}:
            pass
        case [lon, lat]:
            pass
        case str() if re.fullmatch(r"\s*-?[0-9.]+\s*,\s*-?[0-9.]+\s*", place):
            lat, lon = place.split(",")
        case _:
            raise CannotSay(f"the place {place!r}")
    return tree.GeoPoint(number(lat), number(lon))


# --- ranges ----------------------------------------------------------------------------------------------------------


def range_test(clause: Clause, saying: Saying) -> tree.Condition:
    """Translate a range that is compared with ranges: `contains` one value or period, `overlaps` any."""
    used, params = clause.field, clause.params
    assert used is not None
    relation = params.get("relation", "intersects")
    _, path = saying.field(used)
    if not params.keys() & {"gt", "gte", "lt", "lte"}:
        return tree.Presence(path, missing=False)
    low, high = _dates(used, params, saying) if used.kind is FieldKind.DATE_RANGE else _ends(used, params, saying)
    if relation == "intersects":
        return tree.Overlaps(path, low, high)
    if relation == "contains" and high is None:
        return tree.Comparison(path, "contains", low)
    raise CannotSay(f"ranges in '{used.path}' that lie so to another ({relation})")


def _dates(used: FieldUse, params: Any, saying: Saying) -> tuple[tree.Value, tree.Value | None]:
    """Return the ends of a range of dates; one value if it is a period or an instant."""
    found = interval(dict(params), used.mapped.date_format)
    if found is None or found.low is None or found.high is None:
        raise CannotSay(f"the dates that '{used.path}' is compared with, in their form")
    field, _ = saying.field(used)
    zone = UTC if field.whole_days else saying.clock.zone
    period = period_of(found, replace(saying.clock, zone=zone))
    if period is not None:
        return period, None
    days = days_of(found, zone)
    if days is not None:
        return tree.DateLiteral(days[0]), tree.DateLiteral(days[1])
    if field.whole_days:
        raise CannotSay(f"a time of day in '{field.name}', which holds whole days")
    low = tree.DateLiteral(instant_text(found.low))
    last = found.high - timedelta(milliseconds=1)
    return low, None if last == found.low else tree.DateLiteral(instant_text(last))


def _ends(used: FieldUse, params: Any, saying: Saying) -> tuple[tree.Value, tree.Value | None]:
    if not {"gte", "lte"} <= params.keys():
        raise CannotSay(f"a range with an open end, to which '{used.path}' is compared")
    field, _ = saying.field(used)
    element = replace(field, mapped=range_element(field.mapped), kind=range_element(field.mapped).kind)
    low, high = (literal(params[name], element, saying, folded=True) for name in ("gte", "lte"))
    return low, None if low == high else high
