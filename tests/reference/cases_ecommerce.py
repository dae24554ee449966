"""Orders by mapping path alone: lists, objects that are not nested, half precision prices, stemmed names."""

import struct
from functools import cache
from typing import Any

from .case import (
    Case,
    Test,
    bin_table,
    count,
    distinct,
    hits,
    mean,
    on_data,
    refused,
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
from .model import Row, among, distance, has_phrase, holds, least, most, over, plain, same, under, words
from .periods import WEEKDAYS, bucket, span, weekday

MEN, WOMEN = "Men's Clothing", "Women's Clothing"


@cache
def orders() -> tuple[Row, ...]:
    return plain("ecommerce")


def half(number: float) -> float:
    """A bound at the precision of a `half_float` field."""
    return float(struct.unpack("e", struct.pack("e", number))[0])


def some(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(orders, id, program, test, **more)


def many(id: str, program: str, test: Test, **more: Any) -> Case:
    return count(id, program, test, orders, **more)


def key(field: str) -> Test:
    return lambda r: r[field]


def price(r: Row) -> float:
    return float(r.taxful_total_price)


def at(unit: str) -> Test:
    return lambda r: bucket(r.order_date, unit)


def any_of(field: str, test: Test) -> Test:
    return lambda r: any(test(item) for item in r[field])


def stems(text: str) -> set[str]:
    return {word.removesuffix("s") for word in words(text)}


CONTINENT, CITY = key("geoip.continent_name"), key("geoip.city_name")

CASES = on_data(
    "ecommerce",
    [
        some("order", 'find entries where order_id = "584677"', lambda r: r.order_id == "584677"),
        some(
            "orders",
            'find entries where order_id in ["584677", "584021", "1"]',
            lambda r: r.order_id in ("584677", "584021"),
        ),
        some(
            "name",
            'find entries where customer_full_name = "Elyssa Hansen"',
            lambda r: r.customer_full_name == "Elyssa Hansen",
        ),
        some(
            "name-case",
            'find entries where customer_full_name = "ELYSSA hansen"',
            lambda r: same(r.customer_full_name, "Elyssa Hansen"),
        ),
        some(
            "last-name",
            'find entries where customer_last_name = "Underwood" and customer_gender = "MALE"',
            lambda r: r.customer_last_name == "Underwood" and r.customer_gender == "MALE",
        ),
        some("email-starts", 'find entries where email starts with "mary@b"', lambda r: r.email.startswith("mary@b")),
        some(
            "email-like",
            'find entries where email like "*.@*-family.zzz" and total_quantity = 4',
            lambda r: ".@" in r.email and r.total_quantity == 4,
        ),
        some("city", 'find entries where geoip.city_name = "Monte Carlo"', lambda r: CITY(r) == "Monte Carlo"),
        some(
            "city-broken-spelling",
            'find entries where geoip.city_name = "Bogotu00e1" and total_quantity = 1',
            lambda r: CITY(r) == "Bogotu00e1" and r.total_quantity == 1,
        ),
        many("city-missing", "count entries where geoip.city_name missing", lambda r: CITY(r) is None),
        many(
            "city-exists-region-missing",
            "count entries where geoip.city_name exists and geoip.region_name missing",
            lambda r: CITY(r) is not None and r["geoip.region_name"] is None,
        ),
        many(
            "not-city-takes-missing",
            'count entries where geoip.city_name != "New York"',
            lambda r: CITY(r) != "New York",
        ),
        many(
            "continents",
            'count entries where geoip.continent_name in ["Asia", "Africa"]',
            lambda r: CONTINENT(r) in ("Asia", "Africa"),
        ),
        many(
            "near",
            "count entries where geoip.location within 50 km of (40.75, -74)",
            lambda r: distance(r["geoip.location"], (40.75, -74)) <= 50,
        ),
        # -- lists
        many("category", 'count entries where category = "Men\'s Clothing"', lambda r: MEN in r.category),
        many("category-case", 'count entries where category = "men\'s clothing"', lambda r: MEN in r.category),
        some(
            "category-all",
            f'find entries where category has all ["{MEN}", "{WOMEN}"]',
            lambda r: {MEN, WOMEN} <= set(r.category),
            tags=("empty",),
        ),
        some(
            "category-all-found",
            'find entries where category has all ["Men\'s Clothing", "Men\'s Shoes", "Men\'s Accessories"]',
            lambda r: {MEN, "Men's Shoes", "Men's Accessories"} <= set(r.category),
        ),
        many(
            "category-any",
            'count entries where category has any ["Women\'s Shoes", "Women\'s Accessories"]',
            lambda r: {"Women's Shoes", "Women's Accessories"} & set(r.category),
        ),
        many("category-not", 'count entries where category != "Men\'s Clothing"', lambda r: MEN not in r.category),
        many(
            "category-not-in",
            f'count entries where category not in ["{MEN}", "{WOMEN}"]',
            lambda r: not {MEN, WOMEN} & set(r.category),
        ),
        some(
            "manufacturer-two",
            'find entries where manufacturer = "Karmanite" and manufacturer = "Oceanavigations"',
            lambda r: {"Karmanite", "Oceanavigations"} <= set(r.manufacturer),
        ),
        many("manufacturer-empty-string", 'count entries where manufacturer = ""', lambda r: "" in r.manufacturer),
        many(
            "manufacturer-starts",
            'count entries where manufacturer starts with "Tigress"',
            any_of("manufacturer", lambda m: m.startswith("Tigress")),
        ),
        many(
            "manufacturer-contains",
            'count entries where manufacturer contains "curvy"',
            any_of("manufacturer", lambda m: holds(m, "curvy")),
        ),
        some("sku", 'find entries where sku = "ZO0549605496"', lambda r: "ZO0549605496" in r.sku),
        # -- objects that are not nested
        some(
            "product-name",
            'find entries where products.product_name = "Boots - black" and geoip.city_name = "Cairo"',
            lambda r: "Boots - black" in r["products.product_name"] and CITY(r) == "Cairo",
        ),
        many(
            "product-word",
            'count entries where products.product_name matches "sweatshirt"',
            any_of("products.product_name", lambda n: "sweatshirt" in stems(n)),
        ),
        many(
            "product-words",
            'count entries where products.product_name matches "boot black"',
            lambda r: {"boot", "black"} <= stems(" ".join(r["products.product_name"])),
            open_to_reading=True,
            why="`all words in it` is read as in the field: the words may stand in two products of an order",
        ),
        many(
            "product-phrase",
            'count entries where products.product_name mentions "dark blue"',
            any_of("products.product_name", lambda n: has_phrase(n, "dark blue")),
        ),
        many("product-price", "count entries where products.price > 200", any_of("products.price", lambda p: p > 200)),
        many(
            "product-bracket", "count entries where products[price > 200]", any_of("products.price", lambda p: p > 200)
        ),
        many(
            "product-between",
            "count entries where products.price between 190 and 210",
            any_of("products.price", lambda p: 190 <= p <= 210),
        ),
        many(
            "product-two-elements",
            "count entries where products.price > 150 and products.price < 20",
            lambda r: any(p > 150 for p in r["products.price"]) and any(p < 20 for p in r["products.price"]),
        ),
        many(
            "product-not",
            "count entries where not products.price > 20",
            lambda r: not any(p > 20 for p in r["products.price"]),
        ),
        many(
            "product-discount",
            "count entries where products.discount_percentage = 20",
            lambda r: 20 in r["products.discount_percentage"],
        ),
        some("product-quantity", "find entries where products.quantity = 2", lambda r: 2 in r["products.quantity"]),
        refused("product-two-fields", "find entries where products[price > 200 and quantity = 2]", "object list"),
        refused(
            "product-two-names",
            'find entries where products[manufacturer = "Angeldale" and price > 100]',
            "object list",
        ),
        # -- numbers at half precision
        many("price", "count entries where taxful_total_price > 200", lambda r: price(r) > 200),
        many(
            "price-equal-rounded", "count entries where taxful_total_price = 99.98", lambda r: price(r) == half(99.98)
        ),
        many("price-equal-round", "count entries where taxful_total_price = 100", lambda r: price(r) == 100),
        many(
            "price-above-rounded",
            "count entries where taxful_total_price > 99.98",
            lambda r: price(r) > half(99.98),  # stored as 100, which Elasticsearch alone finds above 99.98
        ),
        many("price-below-rounded", "count entries where taxful_total_price < 99.98", lambda r: price(r) < half(99.98)),
        many(
            "price-from-rounded", "count entries where taxful_total_price >= 249.98", lambda r: price(r) >= half(249.98)
        ),
        many(
            "price-between",
            "count entries where taxful_total_price between 50 and 60",
            lambda r: among(price(r), 50, 60),
        ),
        some("price-top", "find entries where taxful_total_price > 500", lambda r: over(price(r), 500)),
        many("quantity", "count entries where total_quantity >= 4", lambda r: least(r.total_quantity, 4)),
        many(
            "quantity-one", "count entries where total_unique_products < 2", lambda r: under(r.total_unique_products, 2)
        ),
        many("day-number", "count entries where day_of_week_i <= 1", lambda r: most(r.day_of_week_i, 1)),
        # -- dates
        many("day", "count entries where order_date = 2016-12-24", lambda r: r.order_date in span("2016-12-24")),
        many("week", "count entries where order_date = 2016-W50", lambda r: r.order_date in span("2016-W50")),
        many(
            "between",
            "count entries where order_date between 2016-12-24 and 2016-12-26",
            lambda r: span("2016-12-24").start <= r.order_date < span("2016-12-26").end,
        ),
        many(
            "weekday",
            'count entries where weekday(order_date) = "Thursday"',
            lambda r: weekday(r.order_date) == "Thursday",
        ),
        many(
            "last-week-then",
            "count entries where order_date = last week",
            lambda r: r.order_date in span("2016-W51"),
            now="2016-12-28T09:00:00Z",
        ),
        # -- sorting
        some(
            "dearest",
            "find entries sort taxful_total_price desc, order_id limit 5",
            lambda r: True,
            sort=[(price, True), (key("order_id"), False)],
            limit=5,
        ),
        some(
            "cairo-latest",
            'find entries where geoip.city_name = "Cairo" sort order_date desc, order_id limit 10',
            lambda r: CITY(r) == "Cairo",
            sort=[(key("order_date"), True), (key("order_id"), False)],
            limit=10,
        ),
        # -- measures
        value("sum", "sum(taxful_total_price) of entries", lambda: total("taxful_total_price")(orders()), near=1e-6),
        value(
            "avg",
            'avg(taxful_total_price) of entries where geoip.continent_name = "Europe"',
            lambda: mean("taxful_total_price")(where(orders(), lambda r: CONTINENT(r) == "Europe")),
            near=1e-6,
        ),
        value(
            "min-max",
            "min(taxful_total_price), max(taxful_total_price) of entries",
            lambda: (6.99, 2250.0),  # written as 6.99, kept as 6.98828125; and 2249.92, kept as 2250
        ),
        value("distinct", "distinct(customer_full_name), distinct(customer_id) of entries", lambda: (3321, 46)),
        value("distinct-list", "distinct(manufacturer) of entries", lambda: distinct("manufacturer")(orders())),
        value(
            "share",
            "share(products.discount_percentage = 20) of entries",
            lambda: share(lambda r: 20 in r["products.discount_percentage"])(orders()),
        ),
        # -- groups
        rows("by-continent", "count entries by geoip.continent_name", lambda: table(orders(), CONTINENT)),
        rows("by-category", "count entries by category", lambda: table(orders(), key("category"))),
        rows(
            "by-manufacturer",
            "count entries by manufacturer limit 5",
            lambda: table(orders(), key("manufacturer"), limit=5),
        ),
        rows(
            "by-product",
            "count entries by products.product_name limit 4",
            lambda: table(orders(), key("products.product_name"), limit=4),
        ),
        rows(
            "by-product-category",
            "count entries by products.category",
            lambda: table(orders(), key("products.category")),
        ),
        rows(
            "revenue-by-city",
            "sum(taxful_total_price) of entries by geoip.city_name",
            lambda: table(orders(), CITY, measure=total("taxful_total_price")),
            near=1e-6,
        ),
        rows(
            "several",
            'count, avg(taxful_total_price), share(customer_gender = "FEMALE") of entries by geoip.country_iso_code',
            lambda: table(
                orders(),
                key("geoip.country_iso_code"),
                measure=several(len, mean("taxful_total_price"), share(lambda r: r.customer_gender == "FEMALE")),
            ),
            near=1e-6,
        ),
        rows(
            "days",
            "sum(taxful_total_price) of entries by day(order_date)",
            lambda: table(orders(), at("day"), measure=total("taxful_total_price"), by="key"),
            near=1e-6,
        ),
        rows("weeks", "count entries by week(order_date)", lambda: table(orders(), at("week"), by="key")),
        rows(
            "weekdays",
            "count entries by weekday(order_date)",
            lambda: sorted(table(orders(), lambda r: weekday(r.order_date)), key=lambda row: WEEKDAYS.index(row[0])),
        ),
        rows(
            "bins",
            "count entries by bins(taxful_total_price, 50, 100, 200)",
            lambda: bin_table(orders(), "taxful_total_price", 50, 100, 200),
        ),
        rows(
            "step",
            "count entries where taxful_total_price < 300 by step(taxful_total_price, 50)",
            lambda: table(where(orders(), lambda r: price(r) < 300), step("taxful_total_price", 50), by="key"),
        ),
        rows(
            "having",
            "count entries by geoip.city_name having avg(taxful_total_price) > 80",
            lambda: table(orders(), CITY, having=lambda g: mean("taxful_total_price")(g) > 80),
        ),
        rows(
            "two",
            "count entries by geoip.continent_name, customer_gender",
            lambda: table(orders(), CONTINENT, key("customer_gender")),
        ),
        rows(
            "top",
            "count entries by geoip.continent_name, category top 1",
            lambda: top_per_parent(table(orders(), CONTINENT, key("category")), 1),
        ),
        rows("by-quantity", "count entries by total_quantity", lambda: table(orders(), key("total_quantity"))),
        # -- refused
        refused("unknown-field", 'find entries where city = "Cairo"', "unknown field"),
        refused("wrong-type", 'find entries where total_quantity = "two"', "wrong type"),
        refused("everything", "find entries sort order_date", "everything"),
    ],
)
