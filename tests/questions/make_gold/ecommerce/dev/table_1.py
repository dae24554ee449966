"""Questions and answers."""

from datetime import UTC, datetime

from tests.reference.case import total

from ...table import Table, accept, measure, value
from ...words import between, calendar_of, days, during, eq, ge, gt, neg, since
from ..terms import (
    MC,
    MS,
    TOTAL,
    WA,
    WC,
    WHEN,
    WS,
    category,
    city,
    continent,
    count,
    country,
    customer,
    exactly,
    gender,
    hour,
    maker,
    no_orders,
    orders,
    per,
    per2,
    product,
    some,
    sum_of,
    weekday,
)

TABLE = Table()
ask = TABLE.ask

ask("filter-q01", "orders from Istanbul", orders(city("Istanbul")), 'find orders where city = "Istanbul"')
ask(
    "filter-q02",
    "show me all orders with women's accessories shipped to Monaco",
    orders(category(WA), country("MC")),
    'find orders where categories has "Women\'s Accessories" and country = "Monaco"',
)
ask("filter-q04", "Orders by customers from Colombia", orders(country("CO")), 'find orders where country = "Colombia"')
ask(
    "filter-q05",
    "which orders contain something by Karmanite?",
    orders(maker("Karmanite")),
    'find orders where makers has "Karmanite"',
)
ask(
    "filter-q09",
    "orders delivered to California",
    orders(eq("geoip.region_name", "California")),
    'find orders where region = "California"',
)
ask(
    "filter-q11",
    "female customers in Marrakesh buying shoes",
    orders(gender("FEMALE"), city("Marrakesh"), category(WS, MS)),
    'find orders where gender = "FEMALE" and city = "Marrakesh" and categories has "shoes"',
)
ask(
    "name-q01",
    "all orders of Elyssa Hansen",
    orders(customer("Elyssa Hansen")),
    'find orders where customer = "Elyssa Hansen"',
)
ask(
    "name-q02",
    "stephanie hodges orders",
    orders(customer("Stephanie Hodges")),
    'find orders where customer = "stephanie hodges"',
)
ask(
    "name-q07",
    "orders from customers called Irwin",
    accept(orders(eq("customer_first_name", "Irwin"))),
    'find orders where first_name = "Irwin"',
)
ask(
    "name-q08",
    "orders with SKU ZO0549605496",
    orders(lambda r: "ZO0549605496" in r.sku),
    'find orders where skus has "ZO0549605496"',
)
ask("numeric-q01", "orders over 250 euros", orders(gt(TOTAL, 250)), "find orders where total > 250")
ask(
    "numeric-q03",
    "orders between 200 and 210 euro",
    orders(between(TOTAL, 200, 210)),
    "find orders where total between 200 and 210",
)
ask(
    "numeric-q04",
    "single-item orders from the UK",
    orders(eq("total_quantity", 1), country("GB")),
    'find orders where quantity = 1 and country = "GB"',
)
ask(
    "numeric-q07",
    "orders containing a product priced above €180",
    orders(some("taxful_price", lambda p: p > 180)),
    "find orders where products.price > 180",
)
ask("numeric-q09", "orders costing 150+ by women in Britain", orders(ge(TOTAL, 150), gender("FEMALE"), country("GB")))
ask("dates-q01", "orders placed today", orders(during("2016-12-31", WHEN)), "find orders where ordered = today")
ask(
    "dates-q02",
    "yesterday's orders from New York",
    orders(during("2016-12-30", WHEN), city("New York")),
    'find orders where ordered = yesterday and city = "New York"',
)
ask(
    "dates-q03",
    "what was ordered on christmas day (25 december) in Cairo",
    orders(during("2016-12-25", WHEN), city("Cairo")),
)
ask(
    "dates-q05",
    "orders between december 5th and december 7th from Monte Carlo",
    orders(days("2016-12-05", "2016-12-07", WHEN), city("Monte Carlo")),
    'find orders where ordered between 2016-12-05 and 2016-12-07 and city = "Monte Carlo"',
)
ask(
    "dates-q10",
    "orders on Sundays over 180 euros",
    orders(lambda r: weekday(r) == "Sunday", gt(TOTAL, 180)),
    'find orders where weekday(ordered) = "Sunday" and total > 180',
)
ask(
    "dates-q11",
    "orders this week from Colombia",
    orders(since("2016-12-26", WHEN), country("CO")),
    'find orders where ordered = this week and country = "CO"',
)
ask(
    "boolean-q01",
    "orders containing both men's shoes and women's clothing",
    no_orders(category(MS), category(WC)),
    'find orders where categories has all ["Men\'s Shoes", "Women\'s Clothing"]',
)
ask(
    "boolean-q06",
    "orders by men in Dubai with women's clothing, shoes or accessories",
    orders(gender("MALE"), category(WC, WS, WA), city("Dubai")),
    'find orders where gender = "men" and city = "Dubai" and categories has any ["women\'s"]',
)
ask(
    "boolean-q07",
    "either Pyramidustries active or Gnomehouse mom",
    orders(maker("Pyramidustries active", "Gnomehouse mom")),
    'find orders where makers has any ["Pyramidustries active", "Gnomehouse mom"]',
)
ask(
    "boolean-q08",
    "neither clothing nor shoes",
    orders(neg(category(WC, MC, WS, MS))),
    'find orders where not categories has any ["clothing", "shoes"]',
)
ask(
    "products-q01",
    "orders with ankle boots - cognac",
    accept(orders(exactly("Ankle boots - cognac")), orders(product("Ankle boots - cognac"))),
    'find orders where products.name = "Ankle boots - cognac"',
)
ask(
    "products-q04",
    'orders including "Classic coat - black" in the last 7 days',
    accept(
        orders(exactly("Classic coat - black"), gt(WHEN, datetime(2016, 12, 24, 23, 50, tzinfo=UTC))),
        orders(product("Classic coat - black"), gt(WHEN, datetime(2016, 12, 24, 23, 50, tzinfo=UTC))),
    ),
    'find orders where products.name = "Classic coat - black" and ordered = last 7 days',
)
ask(
    "products-q05",
    "orders for a weekend bag - black by women",
    accept(
        orders(exactly("Weekend bag - black"), gender("FEMALE")),
        orders(product("Weekend bag - black"), gender("FEMALE")),
    ),
)
ask(
    "count-q02",
    "number of orders with women's shoes",
    count(category(WS)),
    'count orders where categories has "Women\'s Shoes"',
)
ask("count-q04", "count of orders by women over 100 euros", count(gender("FEMALE"), gt(TOTAL, 100)))
ask(
    "count-q07",
    "how many orders contain Low Tide Media in december's first week (1-7 Dec)",
    count(maker("Low Tide Media"), days("2016-12-01", "2016-12-07", WHEN)),
)
ask("count-q09", "how many sales in south america", count(continent("South America")))
ask("group_by-q01", "orders per category", per("category"), "count orders by categories")
ask(
    "group_by-q04",
    "how many orders per day in the week of 19 December",
    per(calendar_of("day", WHEN), days("2016-12-19", "2016-12-25", WHEN)),
    "count orders where ordered between 2016-12-19 and 2016-12-25 by day(ordered)",
)
ask(
    "group_by-q08",
    "what was our total revenue on 24 december?",
    measure("sum", sum_of(TOTAL, during("2016-12-24", WHEN))),
    "sum(total) of orders where ordered = 2016-12-24",
)
ask(
    "group_by-q10",
    "which brand appears in the most orders?",
    accept(per("manufacturer", top=1), value("Low Tide Media")),
    "count orders by makers limit 1",
)
ask(
    "group_by-q12",
    "which country has the fewest orders",
    accept(per("geoip.country_iso_code", top=1, lowest=True), value("MC", "Monaco")),
    "count orders by country sort count limit 1",
)
ask(
    "group_by-q15",
    "gender split per category",
    per2("category", "customer_gender"),
    "count orders by categories, gender",
)
ask(
    "group_by-q16",
    "which weekday brings in the most money?",
    accept(per(weekday, measure=total(TOTAL), top=1), value("Friday")),
    "sum(total) of orders by weekday(ordered) sort sum desc limit 1",
)
ask(
    "group_by-q17",
    "count orders by hour of the day on december 30",
    per(hour, during("2016-12-30", WHEN)),
    "count orders where ordered = 2016-12-30 by hour_of_day(ordered)",
)
ask(
    "group_by-q18",
    "revenue by week",
    per(calendar_of("week", WHEN), measure=total(TOTAL)),
    "sum(total) of orders by week(ordered)",
)
