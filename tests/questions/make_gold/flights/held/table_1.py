"""Questions and answers."""

from ...table import Table, accept, measure, number, value
from ...words import after, between, calendar_of, days, during, eq, gt, lt, mean, neg
from ..terms import (
    AIR,
    BEATS,
    DASHBOARDS,
    DELAY,
    KM,
    LOGSTASH,
    MINUTES,
    PRICE,
    THUNDER,
    WHEN,
    by_carrier,
    cancelled,
    count,
    delay_type,
    delayed,
    flights,
    found,
    from_city,
    from_country,
    hour,
    largest,
    per,
    sum_of,
    to_city,
    to_country,
    weekday,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "filter-q06",
    "cancelled flights from Warsaw",
    flights(cancelled, from_city("Warsaw")),
    'find flights where cancelled and origin_city = "Warsaw"',
)
ask(
    "filter-q09",
    "Flights that arrive in Helsinki when it hails there",
    flights(to_city("Helsinki"), eq("DestWeather", "Hail")),
    'find flights where dest_city = "Helsinki" and dest_weather = "Hail"',
)
ask(
    "filter-q10",
    "flights from Sydney with thunder & lightning at departure",
    flights(from_city("Sydney"), eq("OriginWeather", THUNDER)),
    'find flights where origin_city = "Sydney" and origin_weather = "Thunder & Lightning"',
)
ask(
    "filter-q11",
    "OpenSearch-Air connections from Brisbane to anywhere in Italy",
    flights(by_carrier(AIR), from_city("Brisbane"), to_country("IT")),
    'find flights where carrier = "OpenSearch-Air" and origin_city = "Brisbane" and dest_country = "IT"',
)
ask(
    "filter-q12",
    "delayed flights from Amsterdam to Xi'an",
    flights(delayed, from_city("Amsterdam"), to_city("Xi'an")),
    'find flights where delayed and origin_city = "Amsterdam" and dest_city = "Xi\'an"',
)
ask(
    "filter-q13",
    "flights landing at Narita International Airport from Germany",
    flights(eq("Dest", "Narita International Airport"), from_country("DE")),
    'find flights where dest = "Narita International Airport" and origin_country = "Germany"',
)
ask(
    "filter-q14",
    "domestic flights within Austria",
    flights(from_country("AT"), to_country("AT")),
    'find flights where domestic and origin_country = "Austria"',
)
ask("filter-q15", "everything from Jeju City to Osaka", flights(from_city("Jeju City"), to_city("Osaka")))
ask("numeric-q01", "flights under 105 dollars", accept(flights(lt(PRICE, 105))), "find flights where price < 105")
ask(
    "numeric-q03",
    "delays of more than 5 hours out of Moscow",
    flights(gt(DELAY, 300), from_city("Moscow")),
    'find flights where delay > 5 hours and origin_city = "Moscow"',
)
ask("numeric-q04", "flights longer than 19500 km", flights(gt(KM, 19500)), "find flights where distance > 19500 km")
ask(
    "numeric-q05",
    "flights between 300 and 310 dollars from London",
    flights(between(PRICE, 300, 310), from_city("London")),
    'find flights where price between 300 and 310 and origin_city = "London"',
)
ask(
    "numeric-q06",
    "which flights took over 30 hours?",
    flights(gt(MINUTES, 1800)),
    "find flights where duration > 30 hours",
)
ask(
    "numeric-q10",
    "cheap flights (less than $130) from Italy to Italy",
    flights(lt(PRICE, 130), from_country("IT"), to_country("IT")),
)
ask(
    "dates-q04",
    "flights between Jan 3 and Jan 5 to Buenos Aires",
    flights(to_city("Buenos Aires"), days("2018-01-03", "2018-01-05", WHEN)),
    'find flights where dest_city = "Buenos Aires" and departure between 2018-01-03 and 2018-01-05',
)
ask(
    "dates-q05",
    "what flew from Quito to Vienna last month?",
    flights(from_city("Quito"), to_city("Vienna"), during("2018-01", WHEN)),
    'find flights where origin_city = "Quito" and dest_city = "Vienna" and departure = last month',
)
ask(
    "dates-q08",
    "flights after February 9 to Moscow",
    flights(to_city("Moscow"), after("2018-02-09", WHEN)),
    'find flights where dest_city = "Moscow" and departure > 2018-02-09',
)
ask(
    "dates-q09",
    "flights on new year's day 2018 to Canada",
    flights(to_country("CA"), during("2018-01-01", WHEN)),
    'find flights where departure = 2018-01-01 and dest_country = "Canada"',
)
ask(
    "dates-q10",
    "flights leaving between 2 and 3 am from Milan (hour 2)",
    flights(from_city("Milan"), lambda r: hour(r) == 2),
    'find flights where origin_city = "Milan" and hour_of_day(departure) = 2',
)
ask(
    "dates-q11",
    "security delays in the second week of january 2018 (8th to 14th)",
    flights(delay_type("Security Delay"), days("2018-01-08", "2018-01-14", WHEN)),
    'find flights where delay_type = "Security Delay" and departure between 2018-01-08 and 2018-01-14',
)
ask(
    "boolean-q01",
    "flights from Pisa or Bari that were both delayed and cancelled",
    flights(from_city("Pisa", "Bari"), delayed, cancelled),
    'find flights where origin_city in ["Pisa", "Bari"] and delayed and cancelled',
)
ask(
    "boolean-q03",
    "flights from Toronto without any delay that weren't cancelled",
    flights(from_city("Toronto"), neg(delayed), neg(cancelled)),
    'find flights where origin_city = "Toronto" and not delayed and not cancelled',
)
ask(
    "boolean-q04",
    "flights to Lima by any carrier except Logstash Airways",
    flights(to_city("Lima"), neg(by_carrier(LOGSTASH))),
    'find flights where dest_city = "Lima" and carrier != "Logstash Airways"',
)
ask(
    "boolean-q05",
    "rain or hail at the destination, Madrid departures",
    flights(from_city("Madrid"), eq("DestWeather", "Rain", "Hail")),
    'find flights where origin_city = "Madrid" and dest_weather in ["Rain", "Hail"]',
)
ask(
    "comparison-q01",
    "flights where origin and destination are the same city, from Dubai",
    flights(from_city("Dubai"), to_city("Dubai")),
    'find flights where origin_city = dest_city and origin_city = "Dubai"',
)
ask(
    "comparison-q02",
    "flights from Madrid with the same weather at both ends",
    flights(from_city("Madrid"), lambda r: r.OriginWeather == r.DestWeather),
    'find flights where origin_city = "Madrid" and origin_weather = dest_weather',
)
ask(
    "count-q03",
    "how many flights does OpenSearch Dashboards Airlines have?",
    count(by_carrier(DASHBOARDS)),
    'count flights where carrier = "OpenSearch Dashboards Airlines"',
)
ask("count-q04", "count flights with late aircraft delay", count(delay_type("Late Aircraft Delay")))
ask(
    "count-q06",
    "how many airports do we fly to in Japan?",
    number(lambda: len({r.DestAirportID for r in found(to_country("JP"))})),
    'distinct(dest) of flights where dest_country = "JP"',
)
ask("count-q07", "how many delayed flights on 7 february", count(delayed, during("2018-02-07", WHEN)))
ask("group_by-q03", "cancellations per carrier", per("Carrier", cancelled), "count flights where cancelled by carrier")
ask(
    "group_by-q05",
    "which destination city gets the most flights?",
    accept(per("DestCityName", top=1), value("Zurich")),
    "count flights by dest_city limit 1",
)
ask("group_by-q06", "top 10 origin countries", per("OriginCountry", top=10), "count flights by origin_country limit 10")
ask(
    "group_by-q09",
    "flights per day in the first week of february (1-7)",
    per(calendar_of("day", WHEN), days("2018-02-01", "2018-02-07", WHEN)),
)
ask(
    "group_by-q10",
    "most expensive ticket per destination country",
    per("DestCountry", measure=largest(PRICE)),
    "max(price) of flights by dest_country",
)
ask(
    "group_by-q12",
    "delays by day of the week",
    per(weekday, delayed),
    "count flights where delayed by weekday(departure)",
)
ask(
    "group_by-q14",
    "total distance flown by BeatsWest in kilometers",
    measure("sum", sum_of(KM, by_carrier(BEATS))),
    'sum(distance) of flights where carrier = "BeatsWest"',
)
ask("group_by-q15", "origin weather counts for flights from Oslo", per("OriginWeather", from_city("Oslo")))
ask(
    "group_by-q19",
    "average flight time per origin country in minutes",
    per("OriginCountry", measure=mean(MINUTES)),
    "avg(duration) of flights by origin_country",
)
ask(
    "group_by-q20",
    "hourly distribution of departures on jan 10",
    per(hour, during("2018-01-10", WHEN)),
    "count flights where departure = 2018-01-10 by hour_of_day(departure)",
)
ask(
    "group_by-q21",
    "cheapest fare by carrier",
    per("Carrier", measure=lambda rs: min(r[PRICE] for r in rs)),
    "min(price) of flights by carrier",
)
