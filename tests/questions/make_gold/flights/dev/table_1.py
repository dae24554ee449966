"""Questions and answers."""

from ...table import Table, accept, figures, measure, number, value
from ...words import anything, between, by, calendar_of, during, eq, ge, gt, lt, mean, neg, since
from ..terms import (
    BEATS,
    DELAY,
    LOGSTASH,
    MILES,
    MINUTES,
    PRICE,
    WHEN,
    by_carrier,
    cancelled,
    count,
    delay_type,
    delayed,
    domestic,
    flight,
    flights,
    found,
    from_airport,
    from_city,
    from_country,
    mean_of,
    per,
    per2,
    to_city,
    to_country,
    told,
    weekday,
    worst,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "filter-q01",
    "flights from Dublin to Tokyo",
    flights(from_city("Dublin"), to_city("Tokyo")),
    'find flights where origin_city = "Dublin" and dest_city = "Tokyo"',
)
ask(
    "filter-q02",
    "show all BeatsWest flights out of Oslo",
    flights(by_carrier(BEATS), from_city("Oslo")),
    'find flights where carrier = "BeatsWest" and origin_city = "Oslo"',
)
ask("filter-q03", "flights to Cape Town", flights(to_city("Cape Town")), 'find flights where dest_city = "Cape Town"')
ask(
    "filter-q04",
    "which flights go from Spain to Argentina?",
    flights(from_country("ES"), to_country("AR")),
    'find flights where origin_country = "Spain" and dest_country = "Argentina"',
)
ask("filter-q05", "flights departing JFK", flights(from_airport("JFK")), 'find flights where origin = "JFK"')
ask(
    "filter-q07",
    "flights with a security delay leaving Rome",
    flights(delay_type("Security Delay"), from_city("Rome")),
    'find flights where delay_type = "Security Delay" and origin_city = "Rome"',
)
ask(
    "filter-q08",
    "logstash airways from lima to zurich",
    flights(by_carrier(LOGSTASH), from_city("Lima"), to_city("Zurich")),
    'find flights where carrier = "Logstash Airways" and origin_city = "lima" and dest_city = "zurich"',
)
ask("numeric-q02", "flights that cost more than 1190", flights(gt(PRICE, 1190)), "find flights where price > 1190")
ask(
    "numeric-q07",
    "flights from Venice shorter than 100 miles",
    accept(flights(from_city("Venice"), lt(MILES, 100))),
    'find flights where origin_city = "Venice" and distance_miles < 100 miles',
)
ask(
    "numeric-q08",
    "flights to China delayed by at least three hours costing 1100+",
    flights(to_country("CN"), ge(DELAY, 180), ge(PRICE, 1100)),
    'find flights where dest_country = "China" and delay >= 3 hours and price >= 1100',
)
ask(
    "numeric-q09",
    "BeatsWest flights delayed exactly 15 minutes",
    flights(by_carrier(BEATS), eq(DELAY, 15)),
    'find flights where carrier = "BeatsWest" and delay = 15 minutes',
)
ask(
    "numeric-q11",
    "flights with a flight time between 1 and 2 hours to Naples",
    flights(between(MINUTES, 60, 120), to_city("Naples")),
    'find flights where duration between 1 hour and 2 hours and dest_city = "Naples"',
)
ask(
    "dates-q01",
    "flights from Paris today",
    flights(from_city("Paris"), during("2018-02-11", WHEN)),
    'find flights where origin_city = "Paris" and departure = today',
)
ask(
    "dates-q02",
    "yesterday's cancelled flights",
    flights(cancelled, during("2018-02-10", WHEN)),
    "find flights where cancelled and departure = yesterday",
)
ask(
    "dates-q03",
    "flights departing on January 15, 2018 from Seoul",
    flights(from_city("Seoul"), during("2018-01-15", WHEN)),
    'find flights where origin_city = "Seoul" and departure = 2018-01-15',
)
ask(
    "dates-q06",
    "flights this week from Mumbai",
    flights(from_city("Mumbai"), since("2018-02-05", WHEN)),
    'find flights where origin_city = "Mumbai" and departure = this week',
)
ask(
    "dates-q07",
    "Saturday flights from Bogota with a weather delay",
    flights(from_city("Bogota"), lambda r: weekday(r) == "Saturday", delay_type("Weather Delay")),
    'find flights where origin_city = "Bogota" and weekday(departure) = "Saturday" and delay_type = "Weather Delay"',
)
ask(
    "boolean-q02",
    "flights from Norway not going to Norway or Switzerland",
    flights(from_country("NO"), neg(to_country("NO", "CH"))),
    'find flights where origin_country = "Norway" and dest_country not in ["NO", "CH"]',
)
ask(
    "boolean-q06",
    "flights out of Naples that are neither sunny nor clear at origin",
    flights(from_city("Naples"), neg(eq("OriginWeather", "Sunny", "Clear"))),
)
ask(
    "boolean-q07",
    "either carrier delay or NAS delay, from Zurich to Zurich",
    flights(from_city("Zurich"), to_city("Zurich"), delay_type("Carrier Delay", "NAS Delay")),
    'find flights where delay_type in ["Carrier Delay", "NAS"] and origin_city = "Zurich" and dest_city = "Zurich"',
)
ask(
    "comparison-q03",
    "domestic flights in Japan",
    flights(domestic, from_country("JP")),
    'find flights where domestic and origin_country = "Japan"',
)
ask(
    "comparison-q04",
    "international flights from Puerto Rico with a delay over 350 minutes",
    flights(neg(domestic), from_country("PR"), gt(DELAY, 350)),
    'find flights where not domestic and origin_country = "PR" and delay > 350',
)
ask(
    "comparison-q05",
    "how many flights stay within one country?",
    count(domestic),
    "count flights where origin_country = dest_country",
)
ask(
    "count-q01",
    "how many flights were cancelled in January",
    count(cancelled, during("2018-01", WHEN)),
    "count flights where cancelled and departure = 2018-01",
)
ask(
    "count-q02",
    "number of flights from Italy to Italy",
    count(from_country("IT"), to_country("IT")),
    'count flights where origin_country = "IT" and dest_country = "IT"',
)
ask(
    "count-q05",
    "to how many cities can i fly from Osaka",
    number(lambda: len({r.DestCityName for r in found(from_city("Osaka"))})),
    'distinct(dest_city) of flights where origin_city = "Osaka"',
)
ask("count-q08", "total number of flights to the united states", count(to_country("US")))
ask("group_by-q01", "flights per carrier", per("Carrier"), "count flights by carrier")
ask(
    "group_by-q02",
    "average ticket price by carrier",
    per("Carrier", measure=mean(PRICE)),
    "avg(price) of flights by carrier",
)
ask(
    "group_by-q04",
    "number of flights by delay type from London",
    per("FlightDelayType", from_city("London")),
    'count flights where origin_city = "London" by delay_type',
)
ask("group_by-q07", "flights per month", per(calendar_of("month", WHEN)), "count flights by month(departure)")
ask(
    "group_by-q08",
    "average delay of delayed flights, by carrier",
    per("Carrier", delayed, measure=mean(DELAY)),
    "avg(delay) of flights where delayed by carrier",
)
ask(
    "group_by-q11",
    "which carrier has the highest share of cancelled flights",
    accept(
        per("Carrier", measure=lambda rs: sum(r.Cancelled for r in rs) / len(rs), top=1),
        value(lambda: [worst("Cancelled")]),
    ),
    "share(cancelled) of flights by carrier limit 1",
)
ask(
    "group_by-q13",
    "what is the average price from Rome to Switzerland",
    measure("avg", mean_of(PRICE, from_city("Rome"), to_country("CH"))),
    'avg(price) of flights where origin_city = "Rome" and dest_country = "CH"',
)
ask(
    "group_by-q16",
    "5 cities with the most cancelled departures",
    per("OriginCityName", cancelled, top=5),
    "count flights where cancelled by origin_city limit 5",
)
ask(
    "group_by-q17",
    "flights by carrier and delay type",
    per2("Carrier", "FlightDelayType"),
    "count flights by carrier, delay_type",
)
ask(
    "group_by-q18",
    "destination cities with over 400 flights",
    per("DestCityName", having=lambda n: n > 400),
    "count flights by dest_city having count > 400",
)
ask(
    "top_n-q01",
    "the 5 most expensive flights",
    flights(anything, sort=by(PRICE), desc=True, limit=5),
    "find flights sort price desc limit 5",
)
ask(
    "top_n-q02",
    "longest flight in minutes from Edmonton",
    flights(from_city("Edmonton"), sort=by(MINUTES), desc=True, limit=1),
    'find flights where origin_city = "Edmonton" sort duration desc limit 1',
)
ask(
    "top_n-q06",
    "second cheapest ticket out of Copenhagen",
    flights(from_city("Copenhagen"), sort=by(PRICE), limit=1, offset=1),
    'find flights where origin_city = "Copenhagen" sort price limit 1 offset 1',
)
ask(
    "value-q01",
    "how much was flight 9HY9SWR?",
    told(
        lambda: flight("9HY9SWR"),
        figures(lambda: flight("9HY9SWR")[PRICE]),
        figures(lambda: round(flight("9HY9SWR")[PRICE])),
    ),
    'get flight("9HY9SWR").price',
)
