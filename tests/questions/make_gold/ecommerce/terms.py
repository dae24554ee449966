"""The orders of the fashion shop in the words of its questions. Prices are as the index holds them (half precision)."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tests.reference.case import total
from tests.reference.model import Row, plain, plain_documents

from ..table import Answer, Test, accept, buckets, hits, none_of, these, value
from ..table import count as count_rows
from ..words import both_of, eq, mean

TOTAL = "taxful_total_price"
WHEN = "order_date"
WC, WS, WA = "Women's Clothing", "Women's Shoes", "Women's Accessories"
MC, MS, MA = "Men's Clothing", "Men's Shoes", "Men's Accessories"


def rows() -> Sequence[Row]:
    return plain("ecommerce")


def order(number: str) -> Callable[[], Row]:
    return lambda: next(row for row in rows() if row.order_id == number)


def stored(number: str) -> dict[str, Any]:
    """The document as it was sent, with prices in full precision."""
    return plain_documents("ecommerce")[number]


# ---- tests -------------------------------------------------------------------------------------------------------


def category(*names: str) -> Test:
    """At least one of the categories."""
    return lambda row: any(name in row.category for name in names)


def maker(*names: str) -> Test:
    return lambda row: any(name in row.manufacturer for name in names)


def gender(name: str) -> Test:
    return eq("customer_gender", name)


def city(*names: str) -> Test:
    return eq("geoip.city_name", *names)


def country(*codes: str) -> Test:
    return eq("geoip.country_iso_code", *codes)


def continent(*names: str) -> Test:
    return eq("geoip.continent_name", *names)


def customer(name: str) -> Test:
    return lambda row: row.customer_full_name.lower() == name.lower()


def product(words: str) -> Test:
    """One product has the phrase in its name."""
    return lambda row: any(words.lower() in name.lower() for name in row["products.product_name"])


def exactly(name: str) -> Test:
    """One product is called so."""
    return lambda row: name in row["products.product_name"]


def some(field: str, test: Callable[[Any], bool]) -> Test:
    """One product's value passes."""
    return lambda row: any(test(item) for item in row["products." + field])


# ---- answers -----------------------------------------------------------------------------------------------------


def orders(*tests: Test, **more: Any) -> Answer:
    return hits(rows, both_of(*tests), **more)


def no_orders(*tests: Test) -> Answer:
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


def different(field: str, *tests: Test) -> Callable[[], int]:
    """How many values there are."""

    def amount() -> int:
        values = [row[field] for row in found(*tests)]
        return len({item for one in values for item in (one if isinstance(one, list) else [one]) if item is not None})

    return amount


def told(row: Callable[[], Row], *any_of: Any) -> Answer:
    """A plain value of an order; the order itself as well."""
    return accept(value(*any_of), these(row))


def weekday(row: Row) -> str:
    return str(row.order_date.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.order_date.hour)


@cache
def average(city_name: str | None = None) -> float:
    """The mean order total, of all orders or of a city."""
    return float(mean_of(TOTAL, *([city(city_name)] if city_name else []))())
