"""The ports of the world in the words of their questions."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tests.reference.model import Row, distance, plain

from ..table import Answer, Test, accept, buckets, hits, these, value
from ..table import count as count_rows
from ..words import both_of, eq

RAIL, ROAD, AIRPORT, POST = "rail terminal", "road terminal", "airport", "postal exchange office"
INLAND, BORDER, PIPE = "inland clearance depot", "border crossing", "fixed transport"


def rows() -> Sequence[Row]:
    return plain("ports")


@cache
def port(locode: str) -> Row:
    """The one port of this code."""
    (found,) = [row for row in rows() if row.locode == locode]
    return found


# ---- tests -------------------------------------------------------------------------------------------------------


def country(*codes: str) -> Test:
    return eq("country", *codes)


def has_function(*names: str) -> Test:
    """Each of the functions is there."""
    return lambda row: all(name in row.functions for name in names)


def one_of(*names: str) -> Test:
    return lambda row: any(name in row.functions for name in names)


def status(*codes: str) -> Test:
    return eq("status", *codes)


def subdivision(*codes: str) -> Test:
    return eq("subdivision", *codes)


def called(name: str) -> Test:
    return lambda row: name.lower() in (row.name.lower(), row.name_ascii.lower())


def named(part: str) -> Test:
    """The text stands in the name."""
    return lambda row: part.lower() in row.name.lower()


def word(text: str) -> Test:
    """The word stands in the name."""
    return lambda row: text.lower() in row.name.lower().replace("-", " ").replace(",", " ").split()


def near(kilometres: float, latitude: float, longitude: float) -> Test:
    return lambda row: distance(row.location, (latitude, longitude)) <= kilometres


# ---- answers -----------------------------------------------------------------------------------------------------


def ports(*tests: Test, **more: Any) -> Answer:
    return hits(rows, both_of(*tests), **more)


def count(*tests: Test) -> Answer:
    return count_rows(rows, both_of(*tests))


def per(key: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(rows, both_of(*tests), keyed(key), **more)


def keyed(key: Test | str) -> Test:
    return key if callable(key) else lambda row: row[key]


def found(*tests: Test) -> list[Row]:
    return [row for row in rows() if both_of(*tests)(row)]


def told(row: Callable[[], Row], *any_of: Any) -> Answer:
    """A plain value of a port; the port itself as well."""
    return accept(value(*any_of), these(row))


@cache
def rail_leader() -> str:
    """The country with the most ports that have a rail terminal."""
    with_rail = [row.country for row in found(has_function(RAIL))]
    return max(set(with_rail), key=with_rail.count)
