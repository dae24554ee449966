"""The orders of the fashion shop in the words of its questions. Prices are as the index holds them (half precision)."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from tests.reference.model import Row, plain, plain_documents
from tests.reference.tables import many

from .answers import About
from .words import Test, eq

TOTAL = "taxful_total_price"
WHEN = "order_date"
WC, WS, WA = "Women's Clothing", "Women's Shoes", "Women's Accessories"
MC, MS, MA = "Men's Clothing", "Men's Shoes", "Men's Accessories"


def rows() -> Sequence[Row]:
    return plain("ecommerce")


def order(number: str) -> Row:
    return next(row for row in rows() if row.order_id == number)


def stored(number: str) -> dict[str, Any]:
    """The document as it was sent, with prices in full precision."""
    return plain_documents("ecommerce")[number]


# ---- tests -------------------------------------------------------------------------------------------------------


def category(*names: str) -> Test:
    """At least one of the categories."""
    return lambda row: any(name in row.category for name in names)


def maker(*names: str) -> Test:
    return lambda row: any(name in row.manufacturer for name in names)


gender = partial(eq, "customer_gender")
city = partial(eq, "geoip.city_name")
country = partial(eq, "geoip.country_iso_code")
continent = partial(eq, "geoip.continent_name")


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

ABOUT = About(rows)
orders, no_orders, count = ABOUT.hits, ABOUT.none, ABOUT.count
per, per2, found, sum_of, mean_of = ABOUT.per, ABOUT.per2, ABOUT.found, ABOUT.sum_of, ABOUT.mean_of


def different(field: str, *tests: Test) -> int:
    """How many values there are."""
    return len({item for row in found(*tests) for item in many(row[field])})


def weekday(row: Row) -> str:
    return str(row.order_date.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.order_date.hour)


@cache
def average(city_name: str | None = None) -> float:
    """The mean order total, of all orders or of a city."""
    return float(mean_of(TOTAL, *([city(city_name)] if city_name else [])))
