"""Ports and ships by mapping path alone: names in all letters, points, few or no values in many rows."""

import struct
from functools import cache
from typing import Any

from .case import (
    Case,
    Test,
    bin_table,
    count,
    distinct,
    highest,
    hits,
    mean,
    on_data,
    refused,
    rows,
    share,
    table,
    value,
    where,
)
from .model import Row, among, distance, holds, least, over, plain, same
from .periods import bucket, span


@cache
def ports() -> tuple[Row, ...]:
    return plain("ports")


@cache
def ships() -> tuple[Row, ...]:
    return plain("ais")


def port(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(ports, id, program, test, **more)


def ship(id: str, program: str, test: Test, **more: Any) -> Case:
    return count(id, program, test, ships, **more)


def key(field: str) -> Test:
    return lambda r: r[field]


def single(number: float) -> float:
    """A bound at the precision of a `float` field."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


PORTS = on_data(
    "ports",
    [
        port("locode", 'find entries where locode = "AEAUH"', lambda r: r.locode == "AEAUH"),
        port("locode-twice", 'find entries where locode = "BEBRU"', lambda r: r.locode == "BEBRU"),
        port("name", 'find entries where name = "Portland"', lambda r: r.name == "Portland"),
        port("name-case", 'find entries where name = "san LORENZO"', lambda r: same(r.name, "San Lorenzo")),
        port("name-accents", 'find entries where name_ascii = "GOTEBORG"', lambda r: same(r.name_ascii, "Goteborg")),
        port(
            "name-contains",
            'find entries where name contains "havn" and country = "DK" and functions = "airport"',
            lambda r: holds(r.name, "havn") and r.country == "DK" and "airport" in r.functions,
        ),
        port(
            "name-starts",
            'find entries where name starts with "santa" and functions has "airport"',
            lambda r: r.name.lower().startswith("santa") and "airport" in r.functions,
            tags=("empty",),
        ),
        port(
            "functions-all",
            'find entries where functions has all ["airport", "border crossing"]',
            lambda r: {"airport", "border crossing"} <= set(r.functions),
        ),
        port(
            "functions-not",
            'find entries where country = "NL" and not functions has any ["road terminal", "rail terminal"]',
            lambda r: r.country == "NL" and not {"road terminal", "rail terminal"} & set(r.functions),
        ),
        port(
            "iata",
            "find entries where iata exists and location missing",
            lambda r: r.iata is not None and r.location is None,
        ),
        port(
            "near",
            "find entries where location within 30 km of (51.92, 4.48)",
            lambda r: distance(r.location, (51.92, 4.48)) <= 30,
        ),
        port(
            "near-with-function",
            'find entries where location within 100 km of (1.29, 103.85) and functions = "airport"',
            lambda r: distance(r.location, (1.29, 103.85)) <= 100 and "airport" in r.functions,
        ),
        port(
            "not-near",
            'find entries where country = "SG" and not location within 10 km of (1.29, 103.85)',
            lambda r: r.country == "SG" and distance(r.location, (1.29, 103.85)) > 10,
        ),
        port(
            "sorted",
            'find entries where country = "MT" sort locode',
            lambda r: r.country == "MT",
            sort=key("locode"),
            tags=("ties",),
        ),
        count("missing-location", "count entries where location missing", lambda r: r.location is None, ports),
        count(
            "other-names",
            'count entries where country = "FR" and name != name_ascii',
            lambda r: r.country == "FR" and r.name != r.name_ascii,
            ports,
        ),
        port(
            "same-name",
            'find entries where country = "MT" and name = name_ascii',
            lambda r: r.country == "MT" and r.name == r.name_ascii,
        ),
        rows("countries", "count entries by country limit 6", lambda: table(ports(), key("country"), limit=6)),
        rows("functions", "count entries by functions", lambda: table(ports(), key("functions"))),
        rows("status", "count entries by status", lambda: table(ports(), key("status"))),
        rows(
            "located-share",
            "share(location exists) of entries by country having count > 700",
            lambda: table(
                ports(), key("country"), measure=share(lambda r: r.location is not None), having=lambda g: len(g) > 700
            ),
        ),
        value(
            "distinct",
            "distinct(country), distinct(locode) of entries",
            lambda: (distinct("country")(ports()), distinct("locode")(ports())),
        ),
        refused("unknown-port-field", 'find entries where harbour = "Portland"', "unknown field"),
    ],
)

SHIPS = on_data(
    "ais",
    [
        ship("vessel-name", 'count entries where vessel_name = "liberty"', lambda r: same(r.vessel_name, "LIBERTY")),
        ship("mmsi", 'count entries where mmsi = "338033000"', lambda r: r.mmsi == "338033000"),
        ship("speed", "count entries where sog > 20", lambda r: over(r.sog, 20)),
        ship("speed-equal", "count entries where sog = 0.1", lambda r: r.sog == single(0.1)),
        ship(
            "speed-between",
            "count entries where sog between 0.1 and 0.3",
            lambda r: among(r.sog, single(0.1), single(0.3)),
        ),
        ship(
            "heading-missing",
            "count entries where heading missing and sog > 5",
            lambda r: r.heading is None and over(r.sog, 5),
        ),
        ship(
            "status-in",
            "count entries where status in [1, 5] and length >= 300",
            lambda r: r.status in (1, 5) and least(r.length, 300),
        ),
        ship("tankers", "count entries where vessel_type between 80 and 89", lambda r: among(r.vessel_type, 80, 89)),
        ship("hour", "count entries where timestamp = 2022-01-03T00", lambda r: r.timestamp in span("2022-01-03T00")),
        ship(
            "minute",
            "count entries where timestamp = 2022-01-03T00:01",
            lambda r: r.timestamp in span("2022-01-03T00:01"),
        ),
        ship(
            "ships-near",
            "count entries where location within 20 km of (29.75, -95.1)",
            lambda r: distance(r.location, (29.75, -95.1)) <= 20,
        ),
        ship(
            "draft-missing",
            'count entries where transceiver_class = "B" and not draft > 0',
            lambda r: r.transceiver_class == "B" and not over(r.draft, 0),
        ),
        value(
            "fastest",
            "max(sog) of entries where vessel_type = 70",
            lambda: highest("sog")(where(ships(), lambda r: r.vessel_type == 70)),
            near=1e-6,
        ),
        value("vessels", "distinct(mmsi) of entries", lambda: 4918),
        rows("classes", "count entries by transceiver_class", lambda: table(ships(), key("transceiver_class"))),
        rows("statuses", "count entries by status", lambda: table(ships(), key("status"))),
        rows("speed-bins", "count entries by bins(sog, 1, 5, 10, 20)", lambda: bin_table(ships(), "sog", 1, 5, 10, 20)),
        rows(
            "speed-by-type",
            "avg(sog) of entries by vessel_type having count > 2000",
            lambda: table(ships(), key("vessel_type"), measure=mean("sog"), having=lambda g: len(g) > 2000),
            near=1e-6,
        ),
        rows(
            "hours",
            "count entries by hour(timestamp)",
            lambda: table(ships(), lambda r: bucket(r.timestamp, "hour"), by="key"),
        ),
    ],
)

CASES = PORTS + SHIPS
