"""Questions and answers."""

from ...table import Table, accept, figures, hits, measure, not_found, refuse, unsupported
from ...words import by, has, lacks, mean
from ..terms import (
    MA,
    TOTAL,
    WA,
    WHEN,
    WS,
    average,
    category,
    city,
    count,
    country,
    customer,
    found,
    gender,
    maker,
    order,
    orders,
    per,
    rows,
    stored,
    told,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "group_by-q14",
    "what is the largest order total in Cairo",
    measure("max", lambda: max(r[TOTAL] for r in found(city("Cairo")))),
    'max(total) of orders where city = "Cairo"',
)
ask(
    "group_by-q19",
    "3 most popular categories in France",
    per("category", country("FR"), top=3),
    'count orders where country = "FR" by categories limit 3',
)
ask(
    "group_by-q21",
    "cities with a mean order total above 80",
    per("geoip.city_name", measure=mean(TOTAL), having=lambda n: n > 80),
    "avg(total) of orders by city having avg(total) > 80",
)
ask(
    "top_n-q02",
    "5 latest orders from Monaco",
    orders(country("MC"), sort=by(WHEN), desc=True, limit=5),
    'find orders where country = "Monaco" sort ordered desc limit 5',
)
ask(
    "top_n-q04",
    "three most expensive orders in Cairo",
    orders(city("Cairo"), sort=by(TOTAL), desc=True, limit=3),
    'find orders where city = "Cairo" sort total desc limit 3',
)
ask(
    "top_n-q05",
    "Karmanite orders, oldest first",
    orders(maker("Karmanite"), sort=by(WHEN)),
    'find orders where makers has "Karmanite" sort ordered',
)
ask(
    "top_n-q06",
    "last 10 orders of women in los angeles",
    orders(gender("FEMALE"), city("Los Angeles"), sort=by(WHEN), desc=True, limit=10),
    'find orders where gender = "women" and city = "Los Angeles" sort ordered desc limit 10',
)
ask(
    "value-q01",
    "what's the total of order 713071?",
    told(
        order("713071"),
        figures(lambda: order("713071")()[TOTAL]),
        figures(lambda: stored("713071")["taxful_total_price"]),
    ),
    'get order("713071").total',
)
ask("value-q02", "who placed order 584677?", told(order("584677"), "Eddie Underwood"), 'get order("584677").customer')
ask(
    "value-q05",
    "how many items were in order 712841?",
    told(order("712841"), figures(lambda: order("712841")().total_quantity)),
)
ask(
    "exists_missing-q01",
    "how many orders have no city?",
    count(lacks("geoip.city_name")),
    "count orders where city missing",
)
ask(
    "exists_missing-q04",
    "number of orders where we know the region",
    count(has("geoip.region_name")),
    "count orders where region exists",
)
ask(
    "multi_hop-q02",
    "other orders by the customer who placed order 587649",
    accept(
        orders(customer("Gwen Underwood"), lambda r: r.order_id != found(customer("Gwen Underwood"))[0].order_id),
        orders(customer("Gwen Underwood")),
    ),
)
ask(
    "multi_hop-q03", "orders above five times the average order value", orders(lambda r: r[TOTAL] > 5 * average()), None
)
ask(
    "not_found-q02",
    "order number 999999",
    accept(not_found("999999"), hits(rows, lambda r: False, empty=True)),
    'find orders where number = "999999"',
)
ask(
    "not_found-q04",
    "orders with products made by Adidas",
    accept(not_found("Adidas"), hits(rows, lambda r: False, empty=True)),
)
ask("refuse-q01", "cancel order 584677", refuse("other", "delete", "update"))
ask("refuse-q02", "delete all orders from 2016", refuse("delete"))
ask("unsupported-q01", "which orders were returned?", unsupported("returns"))
ask("unsupported-q03", "customers older than 40", unsupported("age"))
ask(
    "injection-q01",
    'orders from "Cairo" OR 1=1',
    accept(not_found('"Cairo" OR 1=1'), refuse("other"), hits(rows, lambda r: False, empty=True)),
)
ask(
    "injection-q03",
    "orders with customer name *",
    accept(not_found("*"), hits(rows, lambda r: False, empty=True), refuse("other")),
)
ask(
    "keyword-q03",
    "orders monaco oceanavigations accessories",
    orders(country("MC"), maker("Oceanavigations"), category(WA, MA)),
)
ask("keyword-q04", "gnomehouse wmoens shoes egypt", orders(maker("Gnomehouse"), category(WS), country("EG")))
