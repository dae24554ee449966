"""Flights by mapping path alone: keywords, numbers, booleans, dates, points, sub-queries, order."""

from functools import cache
from typing import Any

from .case import (
    Case,
    Table,
    Test,
    count,
    highest,
    hits,
    mean,
    on_data,
    refused,
    where,
)
from .model import Row, among, distance, holds, least, moment, over, plain, under
from .periods import WEEKDAYS, bucket, span, weekday

ROME = (41.9, 12.5)


def flights() -> tuple[Row, ...]:
    return plain("flights")


def some(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(flights, id, program, test, **more)


def many(id: str, program: str, test: Test, **more: Any) -> Case:
    return count(id, program, test, flights, **more)


def key(field: str) -> Test:
    return lambda r: r[field]


def at(unit: str) -> Test:
    return lambda r: bucket(r.timestamp, unit)


def day_name(r: Row) -> str | None:
    return weekday(r.timestamp)


def by_weekday(found: Table) -> Table:
    return sorted(found, key=lambda row: WEEKDAYS.index(row[0]))


@cache
def rome() -> list[Row]:
    return where(flights(), lambda r: r.OriginCityName == "Rome")


@cache
def cancelled_from_rome() -> set[str]:
    return {r.DestCityName for r in rome() if r.Cancelled}


@cache
def all_from_rome() -> set[str]:
    return {r.DestCityName for r in rome()}


@cache
def usual_price() -> float:
    return float(mean("AvgTicketPrice")(flights()))


@cache
def dearest() -> float:
    return float(highest("AvgTicketPrice")(flights()))


@cache
def number(name: str) -> Row:
    return next(r for r in flights() if r.FlightNum == name)


CASES = on_data(
    "flights",
    [
        # -- keywords
        some("city", 'find entries where DestCityName = "Rome"', lambda r: r.DestCityName == "Rome"),
        some(
            "city-quote",
            'find entries where DestCityName = "Xi\'an" and Cancelled',
            lambda r: r.DestCityName == "Xi'an" and r.Cancelled,
        ),
        some(
            "airport-slash",
            'find entries where Dest = "Winnipeg / James Armstrong Richardson International Airport" and FlightDelay',
            lambda r: r.Dest.startswith("Winnipeg /") and r.FlightDelay,
        ),
        some(
            "weather-ampersand",
            'find entries where OriginWeather = "Thunder & Lightning" and DestCityName = "Rome"',
            lambda r: r.OriginWeather == "Thunder & Lightning" and r.DestCityName == "Rome",
        ),
        some(
            "two-cities",
            'find entries where OriginCityName = "Rome" and DestCityName = "London"',
            lambda r: (r.OriginCityName, r.DestCityName) == ("Rome", "London"),
        ),
        some(
            "cities-in",
            'find entries where OriginCityName in ["Quito", "Osaka"] and DestCountry = "IT" and Cancelled = true',
            lambda r: r.OriginCityName in ("Quito", "Osaka") and r.DestCountry == "IT" and r.Cancelled,
        ),
        some(
            "country-not",
            'find entries where OriginCountry = "IT" and DestCountry != "IT" and FlightDelayMin = 360',
            lambda r: r.OriginCountry == "IT" and r.DestCountry != "IT" and r.FlightDelayMin == 360,
        ),
        some(
            "country-not-in",
            'find entries where OriginCityName = "Quito" and DestCountry not in ["IT", "US", "CN"]',
            lambda r: r.OriginCityName == "Quito" and r.DestCountry not in ("IT", "US", "CN"),
        ),
        some("by-number", 'find entries where FlightNum = "9HY9SWR"', lambda r: r.FlightNum == "9HY9SWR"),
        some(
            "by-numbers",
            'find entries where FlightNum in ["9HY9SWR", "X98CCZO", "UFK2WIZ"]',
            lambda r: r.FlightNum in ("9HY9SWR", "X98CCZO", "UFK2WIZ"),
        ),
        some("starts", 'find entries where FlightNum starts with "9H"', lambda r: r.FlightNum.startswith("9H")),
        some("ends", 'find entries where FlightNum ends with "zz"', lambda r: r.FlightNum.endswith("ZZ")),
        some(
            "contains",
            'find entries where Origin contains "gaulle" and DestCountry = "US"',
            lambda r: holds(r.Origin, "gaulle") and r.DestCountry == "US",
        ),
        some(
            "like",
            'find entries where FlightNum like "A?B*"',
            lambda r: r.FlightNum[0] == "A" and r.FlightNum[2] == "B",
        ),
        some(
            "like-quote",
            'find entries where DestCityName like "xi*an" and OriginCityName = "Rome"',
            lambda r: r.DestCityName == "Xi'an" and r.OriginCityName == "Rome",
        ),
        some(
            "same-city",
            "find entries where OriginCityName = DestCityName and FlightDelayMin > 300",
            lambda r: r.OriginCityName == r.DestCityName and r.FlightDelayMin > 300,
        ),
        many(
            "same-weather",
            "count entries where OriginWeather = DestWeather",
            lambda r: r.OriginWeather == r.DestWeather,
        ),
        many(
            "other-weather",
            "count entries where OriginWeather != DestWeather and Cancelled",
            lambda r: r.OriginWeather != r.DestWeather and r.Cancelled,
        ),
        many(
            "same-country",
            "count entries where OriginCountry = DestCountry",
            lambda r: r.OriginCountry == r.DestCountry,
        ),
        many("booleans-equal", "count entries where Cancelled = FlightDelay", lambda r: r.Cancelled == r.FlightDelay),
        # -- booleans and logic
        many("cancelled", "count entries where Cancelled", lambda r: r.Cancelled),
        many(
            "not-cancelled",
            "count entries where not Cancelled and FlightDelay",
            lambda r: not r.Cancelled and r.FlightDelay,
        ),
        many(
            "or",
            'count entries where OriginCityName = "Rome" or DestCityName = "Rome"',
            lambda r: "Rome" in (r.OriginCityName, r.DestCityName),
        ),
        many(
            "and-or",
            'count entries where Cancelled and (OriginCountry = "IT" or DestCountry = "IT")',
            lambda r: r.Cancelled and "IT" in (r.OriginCountry, r.DestCountry),
        ),
        many(
            "not-or", "count entries where not (Cancelled or FlightDelay)", lambda r: not (r.Cancelled or r.FlightDelay)
        ),
        # -- numbers
        some("price", "find entries where AvgTicketPrice > 1199", lambda r: over(r.AvgTicketPrice, 1199)),
        some(
            "price-between",
            "find entries where AvgTicketPrice between 500 and 500.5",
            lambda r: among(r.AvgTicketPrice, 500, 500.5),
        ),
        some("price-low", "find entries where AvgTicketPrice < 100.5", lambda r: under(r.AvgTicketPrice, 100.5)),
        some(
            "distance",
            "find entries where DistanceKilometers >= 19000 and Cancelled",
            lambda r: least(r.DistanceKilometers, 19000) and r.Cancelled,
        ),
        many("distance-zero", "count entries where DistanceKilometers = 0", lambda r: r.DistanceKilometers == 0),
        many("delay", "count entries where FlightDelayMin >= 300", lambda r: r.FlightDelayMin >= 300),
        many(
            "delay-in", "count entries where FlightDelayMin in [30, 60, 90]", lambda r: r.FlightDelayMin in (30, 60, 90)
        ),
        many(
            "delay-not-between",
            "count entries where not FlightDelayMin between 1 and 359",
            lambda r: not 1 <= r.FlightDelayMin <= 359,
        ),
        many("day-of-week", "count entries where dayOfWeek = 6", lambda r: r.dayOfWeek == 6),
        many(
            "above-average",
            "count entries where AvgTicketPrice > (avg(AvgTicketPrice) of entries)",
            lambda r: r.AvgTicketPrice > usual_price(),
        ),
        some(
            "dearest",
            "find entries where AvgTicketPrice = (max(AvgTicketPrice) of entries)",
            lambda r: r.AvgTicketPrice > 1199 and r.AvgTicketPrice == dearest(),
        ),
        # -- dates
        many("day", "count entries where timestamp = 2018-01-15", lambda r: r.timestamp in span("2018-01-15")),
        many("month", "count entries where timestamp = 2018-01", lambda r: r.timestamp in span("2018-01")),
        many("week", "count entries where timestamp = 2018-W05", lambda r: r.timestamp in span("2018-W05")),
        some("hour", "find entries where timestamp = 2018-01-15T08", lambda r: r.timestamp in span("2018-01-15T08")),
        many("before", "count entries where timestamp < 2018-01-08", lambda r: r.timestamp < moment("2018-01-08")),
        many("after", "count entries where timestamp > 2018-02-10", lambda r: r.timestamp >= moment("2018-02-11")),
        many(
            "between",
            "count entries where timestamp between 2018-01-29 and 2018-02-02",
            lambda r: moment("2018-01-29") <= r.timestamp < moment("2018-02-03"),
        ),
        many(
            "last-week",
            "count entries where timestamp = last week and Cancelled",
            lambda r: r.timestamp in span("2018-W05") and r.Cancelled,
            now="2018-02-08T12:00:00Z",
        ),
        many(
            "yesterday",
            "count entries where timestamp = yesterday",
            lambda r: r.timestamp in span("2018-02-07"),
            now="2018-02-08T12:00:00Z",
        ),
        many(
            "last-24-hours",
            "count entries where timestamp in last 24 hours",
            lambda r: moment("2018-02-07T12:00") <= r.timestamp < moment("2018-02-08T12:00"),
            now="2018-02-08T12:00:00Z",
        ),
        many(
            "new-york-day",
            "count entries where timestamp = 2018-01-15",
            lambda r: r.timestamp in span("2018-01-15", "America/New_York"),
            timezone="America/New_York",
        ),
        some(
            "after-flight",
            'find entries where OriginCityName = "Rome" and Cancelled and timestamp >'
            ' (find entries where FlightNum = "58U013N").timestamp',
            lambda r: r.OriginCityName == "Rome" and r.Cancelled and r.timestamp > number("58U013N").timestamp,
        ),
        many("sunday", 'count entries where weekday(timestamp) = "Sunday"', lambda r: day_name(r) == "Sunday"),
        many(
            "weekend-night",
            'count entries where weekday(timestamp) in ["Saturday", "Sunday"]'
            " and hour_of_day(timestamp) between 0 and 4",
            lambda r: day_name(r) in ("Saturday", "Sunday") and r.timestamp.hour <= 4,
        ),
        # -- points
        many(
            "near-rome",
            "count entries where DestLocation within 40 km of (41.9, 12.5)",
            lambda r: distance(r.DestLocation, ROME) <= 40,
        ),
        some(
            "from-near-to-near",
            "find entries where OriginLocation within 150 km of (48.85, 2.35)"
            " and DestLocation within 100 km of (41.9, 12.5)",
            lambda r: distance(r.OriginLocation, (48.85, 2.35)) <= 150 and distance(r.DestLocation, ROME) <= 100,
        ),
        many(
            "not-near",
            'count entries where DestCountry = "IT" and not DestLocation within 200 km of (41.9, 12.5)',
            lambda r: r.DestCountry == "IT" and distance(r.DestLocation, ROME) > 200,
        ),
        # -- sub-queries
        some(
            "busiest-destination",
            "find entries where FlightDelayMin = 360 and DestCityName ="
            " (count entries by DestCityName limit 1).DestCityName",
            lambda r: r.FlightDelayMin == 360 and r.DestCityName == "Zurich",
        ),
        many(
            "origin-is-busiest",
            "count entries where OriginCityName = (count entries by DestCityName limit 1).DestCityName",
            lambda r: r.OriginCityName == "Zurich",
        ),
        many(
            "set-of-cities",
            "count entries where DestCityName in"
            ' (find entries where OriginCityName = "Rome" and Cancelled).DestCityName',
            lambda r: r.DestCityName in cancelled_from_rome(),
        ),
        many(
            "not-in-set",
            'count entries where DestCityName not in (find entries where OriginCityName = "Rome").DestCityName',
            lambda r: r.DestCityName not in all_from_rome(),
        ),
        # -- sorting
        some(
            "dearest-ten",
            "find entries sort AvgTicketPrice desc limit 10",
            lambda r: True,
            sort=key("AvgTicketPrice"),
            desc=True,
            limit=10,
        ),
        some(
            "cheapest-to-rome",
            'find entries where DestCityName = "Rome" sort AvgTicketPrice limit 5 offset 5',
            lambda r: r.DestCityName == "Rome",
            sort=key("AvgTicketPrice"),
            limit=5,
            offset=5,
        ),
        some(
            "latest-cancelled",
            'find entries where Cancelled and OriginCityName = "Rome" sort timestamp desc, FlightNum limit 8',
            lambda r: r.Cancelled and r.OriginCityName == "Rome",
            sort=[(key("timestamp"), True), (key("FlightNum"), False)],
            limit=8,
        ),
        # -- refused
        refused("unknown-field", 'find entries where DestTown = "Rome"', "unknown field"),
        refused("unknown-entity", 'find planes where DestCityName = "Rome"', "unknown entity"),
        refused("everything", "find entries", "everything"),
        refused("wrong-type", 'find entries where AvgTicketPrice > "cheap"', "wrong type"),
        refused("wrong-operator", 'find entries where AvgTicketPrice contains "9"', "wrong operator"),
        some(
            "no-contradiction-known",
            "find entries where AvgTicketPrice > 900 and AvgTicketPrice < 300",
            lambda r: False,
            tags=("empty",),
            open_to_reading=True,
            why="without a catalog a field may be a list, of which each condition may be met by another value",
        ),
        refused("limit-of-months", "count entries by month(timestamp) limit 1", "limit without sort"),
    ],
)
