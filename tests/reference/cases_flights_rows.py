"""Flights by mapping path alone: measures, and rows by fields, calendar and cyclic buckets, bins."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .case import (
    Case,
    Table,
    Test,
    bin_table,
    count,
    distinct,
    highest,
    hits,
    lowest,
    mean,
    median,
    on_data,
    percentile,
    rows,
    several,
    share,
    step,
    table,
    top_per_parent,
    total,
    value,
    where,
)
from .model import Row, plain
from .periods import WEEKDAYS, bucket, hour_of_day, span, weekday


def flights() -> tuple[Row, ...]:
    return plain("flights")


def some(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(flights, id, program, test, **more)


def many(id: str, program: str, test: Test, **more: Any) -> Case:
    return count(id, program, test, flights, **more)


def shortest(measure: Callable[[Iterable[Row]], Any]) -> Callable[[Iterable[Row]], float]:
    """The measure as the shortest number that a `float` field keeps so."""
    return lambda rows: float(str(np.float32(measure(rows))))


def key(field: str) -> Test:
    return lambda r: r[field]


def at(unit: str) -> Test:
    return lambda r: bucket(r.timestamp, unit)


def day_name(r: Row) -> str | None:
    return weekday(r.timestamp)


def by_weekday(found: Table) -> Table:
    return sorted(found, key=lambda row: WEEKDAYS.index(row[0]))


CASES = on_data(
    "flights",
    [
        # -- measures
        value("avg", "avg(AvgTicketPrice) of entries", lambda: mean("AvgTicketPrice")(flights())),
        value(
            "avg-where",
            'avg(AvgTicketPrice) of entries where Carrier = "Logstash Airways"',
            lambda: mean("AvgTicketPrice")(where(flights(), lambda r: r.Carrier == "Logstash Airways")),
        ),
        value(
            "sum",
            "sum(DistanceMiles) of entries where Cancelled",
            lambda: total("DistanceMiles")(where(flights(), key("Cancelled"))),
        ),
        value(
            "min-max",
            "min(timestamp), max(timestamp) of entries",
            lambda: (lowest("timestamp")(flights()), highest("timestamp")(flights())),
        ),
        value(
            "median",
            "median(FlightDelayMin) of entries where FlightDelay",
            lambda: median("FlightDelayMin")(where(flights(), key("FlightDelay"))),
            near=0.05,
        ),
        value(
            "percentile",
            "percentile(AvgTicketPrice, 95) of entries",
            lambda: percentile("AvgTicketPrice", 95)(flights()),
            near=0.01,
        ),
        value("distinct", "distinct(DestCityName) of entries", lambda: 143),
        value("distinct-many", "distinct(FlightNum) of entries", lambda: 13059),
        value("share", "share(Cancelled) of entries", lambda: share(key("Cancelled"))(flights())),
        value(
            "share-of-carrier",
            'share(FlightDelayMin > 120) of entries where Carrier = "BeatsWest"',
            lambda: share(lambda r: r.FlightDelayMin > 120)(where(flights(), lambda r: r.Carrier == "BeatsWest")),
        ),
        # -- groups
        rows("carrier", "count entries by Carrier", lambda: table(flights(), key("Carrier"))),
        rows(
            "destination",
            "count entries by DestCityName limit 10",
            lambda: table(flights(), key("DestCityName"), limit=10),
            tags=("ties",),
        ),
        rows(
            "delay-type",
            "count entries where FlightDelay by FlightDelayType",
            lambda: table(where(flights(), key("FlightDelay")), key("FlightDelayType")),
        ),
        rows(
            "price-by-carrier",
            "avg(AvgTicketPrice), max(AvgTicketPrice) of entries by Carrier",
            lambda: table(
                flights(), key("Carrier"), measure=several(mean("AvgTicketPrice"), shortest(highest("AvgTicketPrice")))
            ),
        ),
        rows(
            "cancelled-share",
            "share(Cancelled) of entries by Carrier",
            lambda: table(flights(), key("Carrier"), measure=share(key("Cancelled"))),
        ),
        rows(
            "worst-weather",
            "share(Cancelled) of entries by OriginWeather limit 3",
            lambda: table(flights(), key("OriginWeather"), measure=share(key("Cancelled")), limit=3),
        ),
        rows(
            "having",
            "count entries by DestCountry having count >= 300",
            lambda: table(flights(), key("DestCountry"), having=lambda g: len(g) >= 300),
        ),
        rows(
            "having-other",
            "avg(FlightDelayMin) of entries by OriginCityName having count > 200",
            lambda: table(
                flights(), key("OriginCityName"), measure=mean("FlightDelayMin"), having=lambda g: len(g) > 200
            ),
        ),
        rows("months", "count entries by month(timestamp)", lambda: table(flights(), at("month"), by="key")),
        rows(
            "weeks",
            "avg(AvgTicketPrice) of entries by week(timestamp)",
            lambda: table(flights(), at("week"), measure=mean("AvgTicketPrice"), by="key"),
        ),
        rows(
            "days",
            "count entries where timestamp = 2018-W03 by day(timestamp)",
            lambda: table(where(flights(), lambda r: r.timestamp in span("2018-W03")), at("day"), by="key"),
        ),
        rows(
            "hours",
            "count entries where timestamp = 2018-01-15 by hour(timestamp)",
            lambda: table(where(flights(), lambda r: r.timestamp in span("2018-01-15")), at("hour"), by="key"),
        ),
        rows("weekdays", "count entries by weekday(timestamp)", lambda: by_weekday(table(flights(), day_name))),
        rows(
            "weekday-cancelled",
            "share(Cancelled) of entries by weekday(timestamp)",
            lambda: by_weekday(table(flights(), day_name, measure=share(key("Cancelled")))),
        ),
        rows(
            "hours-of-day",
            "avg(FlightDelayMin) of entries by hour_of_day(timestamp)",
            lambda: table(flights(), lambda r: hour_of_day(r.timestamp), measure=mean("FlightDelayMin"), by="key"),
        ),
        rows(
            "bins",
            "count entries by bins(AvgTicketPrice, 300, 600, 900)",
            lambda: bin_table(flights(), "AvgTicketPrice", 300, 600, 900),
        ),
        rows(
            "bins-cancelled",
            "share(Cancelled) of entries by bins(DistanceKilometers, 1000, 5000, 10000)",
            lambda: bin_table(flights(), "DistanceKilometers", 1000, 5000, 10000, measure=share(key("Cancelled"))),
        ),
        rows(
            "step",
            "count entries by step(AvgTicketPrice, 100)",
            lambda: table(flights(), step("AvgTicketPrice", 100), by="key"),
        ),
        rows(
            "two", "count entries by Carrier, DestWeather", lambda: table(flights(), key("Carrier"), key("DestWeather"))
        ),
        rows(
            "top-origin",
            "count entries by Carrier, OriginCityName top 1",
            lambda: top_per_parent(table(flights(), key("Carrier"), key("OriginCityName")), 1),
        ),
        rows(
            "top-three",
            "avg(AvgTicketPrice) of entries by DestCountry, Carrier top 1 limit 5",
            lambda: top_per_parent(
                table(flights(), key("DestCountry"), key("Carrier"), measure=mean("AvgTicketPrice")), 1
            )[:5],
        ),
        rows(
            "month-carrier",
            "count entries by month(timestamp), Carrier sort month, Carrier",
            lambda: table(flights(), at("month"), key("Carrier"), by="key"),
        ),
        rows(
            "best-day",
            "count entries by day(timestamp) sort count desc limit 3",
            lambda: table(flights(), at("day"), limit=3),
            tags=("ties",),
        ),
        rows(
            "number", "count entries by dayOfWeek sort dayOfWeek", lambda: table(flights(), key("dayOfWeek"), by="key")
        ),
        rows(
            "distinct-by",
            "distinct(DestCityName) of entries by OriginCountry limit 5",
            lambda: table(flights(), key("OriginCountry"), measure=distinct("DestCityName"), limit=5),
            tags=("ties",),
        ),
        rows(
            "delhi-zone-days",
            "count entries where timestamp = 2018-W03 by day(timestamp)",
            lambda: table(
                where(flights(), lambda r: r.timestamp in span("2018-W03", "Asia/Kolkata")),
                lambda r: bucket(r.timestamp, "day", "Asia/Kolkata"),
                by="key",
            ),
            timezone="Asia/Kolkata",
        ),
    ],
)
