"""More names for the expectations in `cases/`, beside those of the model, the periods and the measures."""

import struct
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache, partial
from typing import Any

import numpy as np

from .model import Row, below, by_id, documents, folder, folder_at, folders, holder, person, plain, words
from .periods import WEEKDAYS, bucket, span, weekday
from .tables import Ref, Table, Test, groups, where
from .tables import highest as highest_of
from .tables import mean as mean_of

KB, MB, KIB, MIB = 10**3, 10**6, 2**10, 2**20


def key(field: str) -> Test:
    return lambda row: row[field]


TYPE, EXTENSION, APP, CATEGORY = key("type"), key("extension"), key("app"), key("category")
CONTINENT, CITY = key("geoip.continent_name"), key("geoip.city_name")


def bucket_of(unit: str, field: str) -> Test:
    return lambda row: bucket(row[field], unit)


month, year = bucket_of("month", "created"), bucket_of("year", "created")


def by_weekday(found: Table) -> Table:
    return sorted(found, key=lambda row: WEEKDAYS.index(row[0]))


def single(number: float) -> float:
    """A bound at the precision of a `float` field."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def half(number: float) -> float:
    """A bound at the precision of a `half_float` field."""
    return float(struct.unpack("e", struct.pack("e", number))[0])


def shortest(measure: Callable[[Iterable[Row]], Any]) -> Callable[[Iterable[Row]], float]:
    """The measure as the shortest number that a `float` field keeps so."""
    return lambda rows: float(str(np.float32(measure(rows))))


def average(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


# ---- the document store ------------------------------------------------------------------------------------------


def of(kind: str) -> list[Row]:
    return where(documents(), lambda d: d.type == kind)


def tree(name: str) -> list[Row]:
    return where(documents(), lambda d: below(d, folder(name)))


@cache
def inside(name: str) -> list[Row]:
    return where(documents(), lambda d: d.folder == folder(name).id)


def vendor(name: str) -> list[Row]:
    return where(documents(), lambda d: d.vendor == name)


def ref(field: str) -> Test:
    return lambda d: None if d[field] is None else Ref(d[field])


def parent(field: str) -> Test:
    """A field of the folder that holds a row."""
    return lambda d: None if holder(d) is None else Ref(holder(d)[field])


def up(d: Row, steps: int, field: str) -> Any:
    """A field of the folder so many steps above; None beyond the top."""
    place: Row | None = d
    for _ in range(steps):
        place = holder(place) if place is not None else None
    return None if place is None else place[field]


def original(d: Row) -> Row | None:
    return by_id().get(d.copied_from)


@cache
def originals() -> set[str]:
    return {row.copied_from for row in by_id().values() if row.copied_from}


@cache
def named(name: str) -> list[str]:
    return [row.id for row in folders() if row.name == name]


def documents_named(name: str) -> list[str]:
    return [row.id for row in documents() if row.name == name]


def ids_of(*names: str) -> list[str]:
    return [person(name) for name in names]


@cache
def biggest(parent: str, number: int) -> set[str]:
    within = where(folders(), lambda f: f.folder == folder_at(parent).id)
    return {f.id for f in sorted(within, key=lambda f: (-f.document_count, f.name))[:number]}


def newest_in(name: str) -> Row:
    return max(inside(name), key=created)


def created(d: Row) -> datetime:
    when: datetime = d.created
    return when


@cache
def fields_in(name: str, field: str) -> set[Any]:
    """Return the values that the documents directly in a folder have in a field."""
    return {d[field] for d in inside(name) if d[field] is not None}


@cache
def maximum(kind: str | None, field: str) -> Any:
    """The largest value of a field, over the documents of a type."""
    return max(d[field] for d in documents() if (kind is None or d.type == kind) and d[field] is not None)


@cache
def largest_document() -> Row:
    return max(documents(), key=lambda d: d.size)


def most_common(field: str, rows: Iterable[Row], number: int) -> list[str]:
    return [value for value, _ in Counter(d[field] for d in rows if d[field]).most_common(number)]


@cache
def top_types(name: str, number: int) -> set[str]:
    return set(most_common("type", inside(name), number))


@cache
def top_type_below(name: str) -> str:
    return most_common("type", tree(name), 1)[0]


@cache
def top_owner(kind: str) -> str:
    return most_common("owner", of(kind), 1)[0]


@cache
def owners_of_many(number: int) -> set[str]:
    return {owner for owner, group in groups(documents(), key("owner")).items() if len(group) > number}


@cache
def large_types() -> set[str]:
    return {d.type for d in documents() if d.type and d.size > 20 * 10**6}


@cache
def busiest(number: int) -> set[str]:
    found = sorted(groups(documents(), key("folder")).items(), key=lambda pair: -len(pair[1]))
    return {place for place, _ in found[:number]}


@cache
def quoters() -> set[str]:
    return {d.creator for d in of("Quote") if d.created in span("2026-02")}


def reviewers(row: Row) -> set[str]:
    return {item.value for item in row.attributes if item.key == "reviewer"}


@cache
def reviewers_of(kind: str) -> set[str]:
    return {name for one in of(kind) for name in reviewers(one)}


# ---- the indices without a catalog -------------------------------------------------------------------------------

flights, orders, logs = partial(plain, "flights"), partial(plain, "ecommerce"), partial(plain, "logs")
ports, ships = partial(plain, "ports"), partial(plain, "ais")


def price(order: Row) -> float:
    return float(order.taxful_total_price)


def stems(text: str) -> set[str]:
    return {word.removesuffix("s") for word in words(text)}


def day_name(flight: Row) -> str | None:
    return weekday(flight.timestamp)


@cache
def flight(number: str) -> Row:
    return next(row for row in flights() if row.FlightNum == number)


@cache
def cancelled_from_rome() -> set[str]:
    return {r.DestCityName for r in flights() if r.OriginCityName == "Rome" and r.Cancelled}


@cache
def all_from_rome() -> set[str]:
    return {r.DestCityName for r in flights() if r.OriginCityName == "Rome"}


@cache
def usual_price() -> float:
    return float(mean_of("AvgTicketPrice")(flights()))


@cache
def dearest() -> float:
    return float(highest_of("AvgTicketPrice")(flights()))
