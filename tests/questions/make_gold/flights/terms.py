"""The flights in the words of their questions."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tests.reference.case import total
from tests.reference.model import Row, plain

from ..table import Answer, Test, accept, buckets, hits, none_of, these, value
from ..table import count as count_rows
from ..words import both_of, eq, mean

WHEN = "timestamp"
PRICE, KM, MINUTES, DELAY = "AvgTicketPrice", "DistanceKilometers", "FlightTimeMin", "FlightDelayMin"
MILES = "DistanceMiles"
LOGSTASH, BEATS = "Logstash Airways", "BeatsWest"
DASHBOARDS, AIR = "OpenSearch Dashboards Airlines", "OpenSearch-Air"
THUNDER = "Thunder & Lightning"


def rows() -> Sequence[Row]:
    return plain("flights")


@cache
def flight(number: str) -> Row:
    return next(row for row in rows() if row.FlightNum == number)


# ---- tests -------------------------------------------------------------------------------------------------------


def by_carrier(*names: str) -> Test:
    return eq("Carrier", *names)


def from_city(*names: str) -> Test:
    return eq("OriginCityName", *names)


def to_city(*names: str) -> Test:
    return eq("DestCityName", *names)


def from_country(*codes: str) -> Test:
    return eq("OriginCountry", *codes)


def to_country(*codes: str) -> Test:
    return eq("DestCountry", *codes)


def from_airport(*codes: str) -> Test:
    return eq("OriginAirportID", *codes)


def to_airport(*codes: str) -> Test:
    return eq("DestAirportID", *codes)


def delayed(row: Row) -> bool:
    return bool(row.FlightDelay)


def cancelled(row: Row) -> bool:
    return bool(row.Cancelled)


def delay_type(*names: str) -> Test:
    return eq("FlightDelayType", *names)


def domestic(row: Row) -> bool:
    return bool(row.OriginCountry == row.DestCountry)


# ---- answers -----------------------------------------------------------------------------------------------------


def flights(*tests: Test, **more: Any) -> Answer:
    return hits(rows, both_of(*tests), **more)


def no_flights(*tests: Test) -> Answer:
    return none_of(rows, both_of(*tests))


def count(*tests: Test) -> Answer:
    return count_rows(rows, both_of(*tests))


def per(key: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(rows, both_of(*tests), keyed(key), **more)


def per2(first: Test | str, second: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(rows, both_of(*tests), keyed(first), keyed(second), **more)


def keyed(key: Test | str) -> Test:
    return key if callable(key) else lambda row: row[key]


def found(*tests: Test) -> list[Row]:
    return [row for row in rows() if both_of(*tests)(row)]


def sum_of(field: str, *tests: Test) -> Callable[[], Any]:
    return lambda: total(field)(found(*tests))


def mean_of(field: str, *tests: Test) -> Callable[[], Any]:
    return lambda: mean(field)(found(*tests))


@cache
def average(field: str, *tests: Test) -> float:
    return float(mean_of(field, *tests)())


def told(row: Callable[[], Row], *any_of: Any) -> Answer:
    """A plain value of a flight; the flight itself as well."""
    return accept(value(*any_of), these(row))


def weekday(row: Row) -> str:
    return str(row.timestamp.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.timestamp.hour)


def largest(field: str) -> Callable[[list[Row]], Any]:
    return lambda group: max(row[field] for row in group)


def worst(field: str) -> str:
    """The carrier with the largest part of flights of which the field is true."""
    names = {row.Carrier for row in rows()}
    return max(names, key=lambda name: average_true(field, name))


def average_true(field: str, name: str) -> float:
    group = found(by_carrier(name))
    return sum(bool(row[field]) for row in group) / len(group)
