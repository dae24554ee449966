"""Questions and answers."""

from ...table import Table, accept, dates, hits, not_found, refuse, unsupported
from ...words import during, ge, gt, lt
from ..terms import (
    DELAY,
    LOGSTASH,
    PRICE,
    WHEN,
    by_carrier,
    cancelled,
    flight,
    flights,
    from_airport,
    from_city,
    from_country,
    no_flights,
    rows,
    to_city,
    to_country,
    told,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "value-q02",
    "which carrier flew X98CCZO",
    told(lambda: flight("X98CCZO"), "Logstash Airways"),
    'get flight("X98CCZO").carrier',
)
ask(
    "value-q05",
    "departure of flight X98CCZO",
    told(lambda: flight("X98CCZO"), dates(lambda: flight("X98CCZO").timestamp)),
)
ask(
    "multi_hop-q03",
    "flights from Milan to the most popular destination city",
    flights(from_city("Milan"), to_city("Zurich")),
    'find flights where origin_city = "Milan" and dest_city = (count flights by dest_city limit 1).dest_city',
)
ask(
    "multi_hop-q04",
    "flights by the same airline as X98CCZO from Rome on Jan 20",
    flights(by_carrier(LOGSTASH), from_city("Rome"), during("2018-01-20", WHEN)),
    'find flights where carrier = flight("X98CCZO").carrier and origin_city = "Rome" and departure = 2018-01-20',
)
ask("not_found-q01", "flights to Gotham", accept(not_found("Gotham"), hits(rows, lambda r: False, empty=True)))
ask(
    "not_found-q04",
    "departures from Hogwarts Airport",
    accept(not_found("Hogwarts Airport"), hits(rows, lambda r: False, empty=True)),
)
ask(
    "no_hits-q02",
    "are there any flights over 2000 dollars?",
    no_flights(gt(PRICE, 2000)),
    "find flights where price > 2000",
)
ask("refuse-q02", "cancel flight 9HY9SWR", refuse("other", "delete", "update"))
ask("refuse-q03", "remove all delayed flights from the list for good", refuse("delete"))
ask("refuse-q05", "tell me a joke about pilots", refuse("other"))
ask("unsupported-q02", "flights with a meal", unsupported("meals"))
ask("unsupported-q04", "business class tickets from London", unsupported("travel class"))
ask(
    "injection-q01",
    'flights to Zurich"}}, "size": 10000',
    accept(not_found('Zurich"}}'), refuse("other"), hits(rows, lambda r: False, empty=True)),
)
ask("keyword-q02", "from xi'an to zurich cancelled", flights(from_city("Xi'an"), to_city("Zurich"), cancelled))
ask("keyword-q03", "flghts from Johanesburg to Shanghai", flights(from_city("Johannesburg"), to_city("Shanghai")))
ask("keyword-q05", "ticket < 110 from india", flights(lt(PRICE, 110), from_country("IN")))
ask(
    "filter-q16",
    "flights from Heathrow to Italy",
    flights(from_airport("LHR"), to_country("IT")),
    'find flights where origin = "Heathrow" and dest_country = "Italy"',
)
ask(
    "filter-q17",
    "cancelled flights out of Gatwick",
    flights(from_airport("LGW"), cancelled),
    'find flights where origin = "London Gatwick Airport" and cancelled',
)
ask(
    "numeric-q12",
    "flights to Frankfurt am Main with 4 hours delay or more",
    flights(to_city("Frankfurt am Main"), ge(DELAY, 240)),
    'find flights where dest_city = "Frankfurt am Main" and delay >= 4 hours',
)
