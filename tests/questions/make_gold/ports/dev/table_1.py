"""Questions and answers."""

from ...table import Table, accept, clarify, hits, not_found, refuse, unsupported, value
from ...words import by, eq, has, lacks, neg
from ..terms import (
    AIRPORT,
    INLAND,
    PIPE,
    POST,
    RAIL,
    ROAD,
    called,
    count,
    country,
    found,
    has_function,
    near,
    one_of,
    per,
    port,
    ports,
    rail_leader,
    rows,
    status,
    subdivision,
    told,
    word,
)

TABLE = Table()
ask = TABLE.ask

ask("filter-q01", "ports in Iceland", ports(country("IS")), 'find ports where country = "Iceland"')
ask(
    "filter-q02",
    "show me swiss ports with a rail terminal",
    ports(country("CH"), has_function(RAIL)),
    'find ports where country = "Switzerland" and functions has "rail"',
)
ask(
    "filter-q04",
    "which ports in France have a pipeline?",
    ports(country("FR"), has_function(PIPE)),
    'find ports where country = "France" and functions has "pipeline"',
)
ask("filter-q06", "Paraguay ports", ports(country("PY")))
ask(
    "filter-q08",
    "inland clearance depots in Austria",
    ports(country("AT"), has_function(INLAND)),
    'find ports where country = "Austria" and functions has "inland clearance depot"',
)
ask("filter-q09", "ports in the uk whose functions are not verified", accept(ports(country("GB"), status("AQ"))))
ask(
    "name-q01",
    "where is Felixstowe?",
    accept(ports(called("Felixstowe")), value("GB", "United Kingdom")),
    'get port("Felixstowe").country',
)
ask("name-q03", "locode of Piraeus", told(lambda: port("GRPIR"), "GRPIR"), 'get port("Piraeus").locode')
ask("name-q05", "show USLAX", ports(eq("locode", "USLAX")), 'find ports where locode = "USLAX"')
ask("name-q06", "port with code NOBGO", ports(eq("locode", "NOBGO")))
ask("name-q10", "ports named San Lorenzo", ports(called("San Lorenzo")), 'find ports where name = "San Lorenzo"')
ask(
    "name_pattern-q03",
    "ports with Beach in the name in Florida (FL)",
    ports(word("beach"), subdivision("FL"), country("US")),
    'find ports where name contains "beach" and subdivision = "FL" and country = "US"',
)
ask(
    "name_pattern-q04",
    "norwegian ports ending in fjord",
    ports(lambda r: r.name.lower().endswith("fjord"), country("NO")),
    'find ports where name ends with "fjord" and country = "Norway"',
)
ask(
    "boolean-q01",
    "ports in Denmark with both a rail terminal and an airport",
    ports(country("DK"), has_function(RAIL, AIRPORT)),
    'find ports where country = "Denmark" and functions has all ["rail terminal", "airport"]',
)
ask(
    "boolean-q03",
    "irish ports with an airport but no road terminal",
    ports(country("IE"), has_function(AIRPORT), neg(has_function(ROAD))),
    'find ports where country = "Ireland" and functions has "airport" and not functions has "road"',
)
ask(
    "boolean-q04",
    "German harbours that have a post office or a pipeline",
    ports(country("DE"), one_of(POST, PIPE)),
    'find ports where country = "Germany" and functions has any ["post office", "pipeline"]',
)
ask(
    "exists_missing-q02",
    "German ports that have an IATA code",
    ports(country("DE"), has("iata")),
    'find ports where country = "DE" and iata exists',
)
ask(
    "exists_missing-q03",
    "Indian ports with no subdivision",
    ports(country("IN"), lacks("subdivision")),
    'find ports where country = "India" and subdivision missing',
)
ask(
    "geo-q01",
    "ports within 30 km of 53.5, 9.9",
    ports(near(30, 53.5, 9.9)),
    "find ports where position within 30 km of (53.5, 9.9)",
)
ask(
    "count-q02",
    "number of ports with an airport",
    count(has_function(AIRPORT)),
    'count ports where functions has "airport"',
)
ask("count-q04", "count of croatian harbours with a road terminal", count(country("HR"), has_function(ROAD)))
ask("group_by-q02", "top 10 countries by number of ports", per("country", top=10), "count ports by country limit 10")
ask(
    "group_by-q03",
    "which country has the most ports with a rail terminal?",
    accept(per("country", has_function(RAIL), top=1), value(lambda: [rail_leader()])),
    'count ports where functions has "rail terminal" by country limit 1',
)
ask(
    "group_by-q06",
    "number of ports per state in Australia",
    per("subdivision", country("AU")),
    'count ports where country = "AU" by subdivision',
)
ask(
    "group_by-q07",
    "countries with more than 500 ports",
    per("country", having=lambda n: n > 500),
    "count ports by country having count > 500",
)
ask(
    "top_n-q02",
    "ports in Bolivia sorted by locode",
    ports(country("BO"), sort=by("locode")),
    'find ports where country = "BO" sort locode',
)
ask(
    "ambiguous-q01",
    "what's the locode of Portland?",
    accept(clarify(lambda: found(called("Portland"))), ports(called("Portland"))),
    'get port("Portland").locode',
)
ask("not_found-q01", "port of Atlantisburg", accept(not_found("Atlantisburg"), hits(rows, lambda r: False, empty=True)))
ask("refuse-q01", "add a new port called Testhaven in Norway", refuse("create"))
ask("unsupported-q02", "which ports handle the most containers", unsupported("container throughput"))
ask(
    "injection-q01",
    'ports in Norway" or country = "SE',
    accept(not_found('Norway" or country = "SE'), refuse("other"), hits(rows, lambda r: False, empty=True)),
)
ask("keyword-q02", "harbors in New Zeland", ports(country("NZ")), 'find ports where country = "New Zealand"')
