"""Questions and answers."""

from datetime import UTC, datetime

from tests.reference.case import total

from ...table import Table, accept, measure, number
from ...words import after, before, days, during, eq, ge, gt, lt, mean, neg
from ..terms import (
    MA,
    MC,
    MS,
    TOTAL,
    WA,
    WHEN,
    WS,
    category,
    city,
    continent,
    count,
    country,
    customer,
    different,
    exactly,
    gender,
    maker,
    mean_of,
    orders,
    per,
    product,
    rows,
    some,
    weekday,
)

TABLE = Table()
ask = TABLE.ask

ask("filter-q03", "men's shoes, region Bogota D.C.", orders(category(MS), eq("geoip.region_name", "Bogota D.C.")))
ask(
    "filter-q06",
    "crystal lighting orders",
    orders(maker("Crystal Lighting")),
    'find orders where makers has "Crystal Lighting"',
)
ask(
    "filter-q07",
    "orders placed by men in Cannes",
    orders(gender("MALE"), city("Cannes")),
    'find orders where gender = "MALE" and city = "Cannes"',
)
ask(
    "filter-q08",
    "purchases from saudi arabia with mens accessories",
    orders(country("SA"), category(MA)),
    'find orders where country = "Saudi Arabia" and categories has "mens accessories"',
)
ask(
    "filter-q10",
    "orders from Birmingham which include Microlutions",
    orders(city("Birmingham"), maker("Microlutions")),
    'find orders where city = "Birmingham" and makers has "Microlutions"',
)
ask(
    "filter-q12",
    "primemaster shoes orders for women",
    accept(
        orders(maker("Primemaster"), category(WS)), orders(maker("Primemaster"), category(WS, MS), gender("FEMALE"))
    ),
)
ask("name-q03", "what did Mostafa Rivera buy", orders(customer("Mostafa Rivera")))
ask("name-q04", "order 713071", orders(eq("order_id", "713071")), 'find orders where number = "713071"')
ask("name-q05", "show order number 584677 please", orders(eq("order_id", "584677")))
ask(
    "name-q06",
    "orders by anyone whose last name is Jimenez and who lives in Abu Dhabi or Dubai",
    orders(eq("customer_last_name", "Jimenez"), city("Abu Dhabi", "Dubai")),
)
ask("numeric-q02", "orders worth less than 8 EUR", orders(lt(TOTAL, 8)), "find orders where total < 8")
ask(
    "numeric-q05",
    "which orders have more than 4 items?",
    orders(gt("total_quantity", 4)),
    "find orders where quantity > 4",
)
ask(
    "numeric-q06",
    "orders with at least three different products in Los Angeles",
    orders(ge("total_unique_products", 3), city("Los Angeles")),
    'find orders where product_count >= 3 and city = "Los Angeles"',
)
ask(
    "numeric-q08",
    "orders with a discounted product",
    accept(orders(some("discount_amount", lambda p: p > 0)), orders(some("discount_percentage", lambda p: p > 0))),
    "find orders where products.discount > 0",
)
ask("numeric-q10", "orders of men's clothing above one hundred and seventy euros", orders(category(MC), gt(TOTAL, 170)))
ask("dates-q04", "orders from Dec 3 2016", orders(during("2016-12-03", WHEN)), "find orders where ordered = 2016-12-03")
ask(
    "dates-q06",
    "last week's orders with Champion Arts",
    accept(
        orders(days("2016-12-19", "2016-12-25", WHEN), maker("Champion Arts")),
        orders(gt(WHEN, datetime(2016, 12, 24, 23, 50, tzinfo=UTC)), maker("Champion Arts")),
        orders(days("2016-12-18", "2016-12-24", WHEN), maker("Champion Arts")),
    ),
    'find orders where ordered = last week and makers has "Champion Arts"',
)
ask(
    "dates-q07",
    "orders in the last 3 days over 150",
    orders(gt(WHEN, datetime(2016, 12, 28, 23, 50, tzinfo=UTC)), gt(TOTAL, 150)),
    "find orders where ordered = last 3 days and total > 150",
)
ask(
    "dates-q08",
    "men's shoes ordered before 2016-12-04 in France",
    orders(category(MS), before("2016-12-04", WHEN), country("FR")),
    'find orders where categories has "Men\'s Shoes" and ordered < 2016-12-04 and country = "France"',
)
ask(
    "dates-q09",
    "orders placed after december 29 with accessories for women",
    orders(after("2016-12-29", WHEN), category(WA)),
    'find orders where ordered > 2016-12-29 and categories has "Women\'s Accessories"',
)
ask(
    "boolean-q02",
    "orders with Angeldale and Gnomehouse products together",
    orders(maker("Angeldale"), maker("Gnomehouse")),
    'find orders where makers has all ["Angeldale", "Gnomehouse"]',
)
ask(
    "boolean-q03",
    "orders with Spherecords but without Tigress Enterprises from Europe",
    orders(maker("Spherecords"), neg(maker("Tigress Enterprises")), continent("Europe")),
    'find orders where makers has "Spherecords" and not makers has "Tigress Enterprises" and continent = "Europe"',
)
ask(
    "boolean-q04",
    "orders from Egypt or Morocco above 180",
    orders(country("EG", "MA"), gt(TOTAL, 180)),
    'find orders where country in ["EG", "MA"] and total > 180',
)
ask(
    "boolean-q05",
    "orders in africa that are not from Cairo and cost more than 150",
    orders(continent("Africa"), neg(city("Cairo")), gt(TOTAL, 150)),
    'find orders where continent = "Africa" and city != "Cairo" and total > 150',
)
ask(
    "products-q02",
    "orders with a rucksack from the Alpes-Maritimes region",
    orders(product("rucksack"), eq("geoip.region_name", "Alpes-Maritimes")),
)
ask(
    "products-q03",
    "orders with a watch in them, New York only",
    orders(product("watch"), city("New York")),
    'find orders where products.name contains "watch" and city = "New York"',
)
ask(
    "products-q06",
    "tights orders in the UAE",
    orders(product("tights"), country("AE")),
    'find orders where products.name contains "tights" and country = "UAE"',
)
ask(
    "products-q07",
    "find purchases of clutch bags in black (Clutch - black) that cost over 100 in total",
    accept(orders(exactly("Clutch - black"), gt(TOTAL, 100)), orders(product("Clutch - black"), gt(TOTAL, 100))),
)
ask("count-q01", "how many orders are there from Turkey?", count(country("TR")), 'count orders where country = "TR"')
ask(
    "count-q03",
    "how many orders did we get on december 13?",
    count(during("2016-12-13", WHEN)),
    "count orders where ordered = 2016-12-13",
)
ask(
    "count-q05",
    "how many different cities do we ship to",
    number(different("geoip.city_name")),
    "distinct(city) of orders",
)
ask(
    "count-q06",
    "how many brands do we sell?",
    accept(number(lambda: len({m for r in rows() for m in r.manufacturer if m})), number(different("manufacturer"))),
    "distinct(makers) of orders",
)
ask("count-q08", "how many orders does rania tran have", count(customer("rania Tran")))
ask(
    "group_by-q02",
    "revenue by country",
    per("geoip.country_iso_code", measure=total(TOTAL)),
    "sum(total) of orders by country",
)
ask(
    "group_by-q03",
    "average order value per city",
    per("geoip.city_name", measure=mean(TOTAL)),
    "avg(total) of orders by city",
)
ask("group_by-q05", "orders by weekday", per(weekday), "count orders by weekday(ordered)")
ask("group_by-q06", "number of orders by gender", per("customer_gender"), "count orders by gender")
ask(
    "group_by-q07",
    "total sales per continent for women",
    per("geoip.continent_name", gender("FEMALE"), measure=total(TOTAL)),
    'sum(total) of orders where gender = "FEMALE" by continent',
)
ask(
    "group_by-q09",
    "average number of items per order in Egypt",
    measure("avg", mean_of("total_quantity", country("EG"))),
    'avg(quantity) of orders where country = "EG"',
)
ask(
    "group_by-q11",
    "top 5 cities by revenue",
    per("geoip.city_name", measure=total(TOTAL), top=5),
    "sum(total) of orders by city limit 5",
)
ask(
    "group_by-q13",
    "highest order value per country",
    per("geoip.country_iso_code", measure=lambda rs: max(r[TOTAL] for r in rs)),
    "max(total) of orders by country",
)
