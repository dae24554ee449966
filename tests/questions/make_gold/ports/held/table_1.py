"""Questions and answers."""

from ...table import Table, accept, clarify, hits, not_found, number, unsupported
from ...words import by, lacks, neg
from ..terms import (
    AIRPORT,
    BORDER,
    RAIL,
    ROAD,
    called,
    count,
    country,
    found,
    has_function,
    named,
    near,
    one_of,
    per,
    port,
    ports,
    rows,
    status,
    subdivision,
    told,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "filter-q03",
    "harbours in Malta that have an airport",
    ports(country("MT"), has_function(AIRPORT)),
    'find ports where country = "Malta" and functions has "airport"',
)
ask(
    "filter-q05",
    "ports in Estonia with a border crossing",
    ports(country("EE"), has_function(BORDER)),
    'find ports where country = "EE" and functions has "border crossing"',
)
ask(
    "filter-q07",
    "all ports in the state of Ohio (OH), USA",
    ports(country("US"), subdivision("OH")),
    'find ports where country = "US" and subdivision = "OH"',
)
ask(
    "filter-q10",
    "entries in Canada approved by customs",
    ports(country("CA"), status("AC")),
    'find ports where country = "CA" and status = "approved by customs"',
)
ask("filter-q11", "ports in Singapore with a road terminal", ports(country("SG"), has_function(ROAD)))
ask("filter-q12", "places to be removed from the list", accept(ports(status("XX"))), 'find ports where status = "XX"')
ask("name-q02", "ports called Newport", ports(called("Newport")), 'find ports where name = "Newport"')
ask(
    "name-q04",
    "which country is Busan in?",
    told(lambda: port("KRPUS"), "KR", "South Korea", "Korea"),
    'get port("Busan").country',
)
ask(
    "name-q07",
    "the port of Rotterdam in the Netherlands",
    ports(called("Rotterdam"), country("NL")),
    'find ports where name = "Rotterdam" and country = "NL"',
)
ask(
    "name-q08",
    "what facilities does Hamburg have",
    told(lambda: port("DEHAM"), "rail terminal"),
    'get port("Hamburg").functions',
)
ask(
    "name-q09",
    "iata code of Halifax",
    accept(told(lambda: port("CAHAL"), "YHC"), ports(called("Halifax"))),
    'get port("Halifax").iata',
)
ask(
    "name_pattern-q01",
    "ports whose name starts with Saint Mar",
    ports(lambda r: r.name.lower().startswith("saint mar")),
    'find ports where name starts with "Saint Mar"',
)
ask(
    "name_pattern-q02",
    'names containing "terminal" in Nigeria',
    ports(named("terminal"), country("NG")),
    'find ports where name contains "terminal" and country = "Nigeria"',
)
ask(
    "boolean-q02",
    "ports in Latvia or Lithuania",
    ports(country("LV", "LT")),
    'find ports where country in ["LV", "LT"]',
)
ask(
    "boolean-q05",
    "ports in Panama which are neither road terminals nor airports nor anything with status RQ",
    ports(country("PA"), neg(one_of(ROAD, AIRPORT)), neg(status("RQ"))),
)
ask(
    "boolean-q06",
    "canadian ports with rail and road and airport but not in Quebec (QC) or Ontario (ON)",
    ports(country("CA"), has_function(RAIL, ROAD, AIRPORT), neg(subdivision("QC", "ON"))),
    'find ports where country = "CA" and functions has all ["rail", "road", "airport"] and subdivision not in ["QC", "ON"]',
)
ask(
    "exists_missing-q01",
    "ports in Panama without coordinates",
    ports(country("PA"), lacks("location")),
    'find ports where country = "Panama" and position missing',
)
ask("exists_missing-q04", "how many ports have no status?", count(lacks("status")), "count ports where status missing")
ask(
    "geo-q02",
    "ports no more than 15 miles from (51.9, 4.5) that have a rail terminal",
    ports(near(15 * 1.609344, 51.9, 4.5), has_function(RAIL)),
    'find ports where position within 15 miles of (51.9, 4.5) and functions has "rail terminal"',
)
ask("count-q01", "how many ports are there in Greece", count(country("GR")), 'count ports where country = "Greece"')
ask(
    "count-q03",
    "how many countries have ports?",
    number(lambda: len({r.country for r in rows()})),
    "distinct(country) of ports",
)
ask(
    "count-q05",
    "how many ports in Norway are recognised locations",
    count(country("NO"), status("RL")),
    'count ports where country = "Norway" and status = "RL"',
)
ask("group_by-q01", "ports per country", per("country"), "count ports by country")
ask(
    "group_by-q04",
    "ports by function in Turkey",
    per("functions", country("TR")),
    'count ports where country = "Turkey" by functions',
)
ask(
    "group_by-q05",
    "status breakdown of Canadian ports",
    per("status", country("CA")),
    'count ports where country = "CA" by status',
)
ask(
    "group_by-q08",
    "3 US states with the most ports",
    per("subdivision", country("US"), top=3),
    'count ports where country = "US" by subdivision limit 3',
)
ask(
    "top_n-q01",
    "first 5 ports of Portugal by locode",
    ports(country("PT"), sort=by("locode"), limit=5),
    'find ports where country = "Portugal" sort locode limit 5',
)
ask(
    "ambiguous-q02",
    "which country is Belfast in",
    accept(clarify(lambda: found(called("Belfast"))), ports(called("Belfast"))),
    'get port("Belfast").country',
)
ask(
    "multi_hop-q01",
    "ports in the same subdivision and country as Bergen, with a rail terminal",
    ports(country("NO"), subdivision("12"), has_function(RAIL)),
    'find ports where country = port("Bergen").country and subdivision = port("Bergen").subdivision and functions has "rail terminal"',
)
ask("not_found-q02", "locode XXZZZ", accept(not_found("XXZZZ"), hits(rows, lambda r: False, empty=True)))
ask("unsupported-q01", "ports deeper than 12 metres", unsupported("depth"))
ask("keyword-q01", "italy airport rail port", ports(country("IT"), has_function(AIRPORT, RAIL)))
