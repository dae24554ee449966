"""The flights in the words of their questions."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from tests.reference.model import Row, plain

from .answers import About
from .words import Test, eq

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


by_carrier = partial(eq, "Carrier")
from_city = partial(eq, "OriginCityName")
to_city = partial(eq, "DestCityName")
from_country = partial(eq, "OriginCountry")
to_country = partial(eq, "DestCountry")
from_airport = partial(eq, "OriginAirportID")
to_airport = partial(eq, "DestAirportID")


def delayed(row: Row) -> bool:
    return bool(row.FlightDelay)


def cancelled(row: Row) -> bool:
    return bool(row.Cancelled)


delay_type = partial(eq, "FlightDelayType")


def domestic(row: Row) -> bool:
    return bool(row.OriginCountry == row.DestCountry)


# ---- answers -----------------------------------------------------------------------------------------------------

ABOUT = About(rows)
flights, no_flights, count = ABOUT.hits, ABOUT.none, ABOUT.count
per, per2, found, sum_of, mean_of = ABOUT.per, ABOUT.per2, ABOUT.found, ABOUT.sum_of, ABOUT.mean_of


@cache
def average(field: str, *tests: Test) -> float:
    return float(mean_of(field, *tests))


def weekday(row: Row) -> str:
    return str(row.timestamp.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.timestamp.hour)


def largest(field: str) -> Callable[[list[Row]], Any]:
    return lambda group: max(row[field] for row in group)


def worst(field: str) -> str:
    """Return the carrier with the largest part of flights whose field is true."""
    names = {row.Carrier for row in rows()}
    return max(names, key=lambda name: average_true(field, name))


def average_true(field: str, name: str) -> float:
    group = found(by_carrier(name))
    return sum(bool(row[field]) for row in group) / len(group)
