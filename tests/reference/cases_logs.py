"""Web logs by mapping path alone: an alias for the date, addresses, long numbers, missing values."""

from functools import cache
from typing import Any

from .case import (
    Case,
    Test,
    bin_table,
    count,
    highest,
    hits,
    mean,
    on_data,
    refused,
    rows,
    several,
    share,
    table,
    total,
    value,
    where,
)
from .model import Row, among, distance, has_phrase, holds, least, over, plain
from .periods import WEEKDAYS, bucket, hour_of_day, span, weekday


@cache
def logs() -> tuple[Row, ...]:
    return plain("logs")


def some(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(logs, id, program, test, **more)


def many(id: str, program: str, test: Test, **more: Any) -> Case:
    return count(id, program, test, logs, **more)


def key(field: str) -> Test:
    return lambda r: r[field]


CASES = on_data(
    "logs",
    [
        many("response", 'count entries where response = "404"', lambda r: r.response == "404"),
        many("response-not", 'count entries where response != "200"', lambda r: r.response != "200"),
        many("extension", 'count entries where extension in ["deb", "rpm"]', lambda r: r.extension in ("deb", "rpm")),
        many("extension-empty", 'count entries where extension = ""', lambda r: r.extension == ""),
        many("bytes", "count entries where bytes > 15000", lambda r: over(r.bytes, 15000)),
        many("bytes-zero", "count entries where bytes = 0", lambda r: r.bytes == 0),
        many("ram", "count entries where machine.ram >= 32212254720", lambda r: least(r["machine.ram"], 32212254720)),
        many("os", 'count entries where machine.os = "WIN XP"', lambda r: r["machine.os"] == "win xp"),
        many(
            "os-starts", 'count entries where machine.os starts with "win"', lambda r: r["machine.os"].startswith("win")
        ),
        many(
            "tags",
            'count entries where tags has all ["error", "security"]',
            lambda r: {"error", "security"} <= set(r.tags),
        ),
        many(
            "tags-not",
            'count entries where tags != "success" and tags != "info"',
            lambda r: not {"success", "info"} & set(r.tags),
        ),
        many("memory-missing", "count entries where memory missing", lambda r: r.memory is None),
        many(
            "memory-exists",
            "count entries where memory exists and phpmemory > 300000",
            lambda r: r.memory is not None and over(r.phpmemory, 300000),
        ),
        many(
            "not-memory-takes-missing", "count entries where not memory > 100000", lambda r: not over(r.memory, 100000)
        ),
        some("address", 'find entries where clientip = "223.87.60.27"', lambda r: r.clientip == "223.87.60.27"),
        many(
            "source-is-destination", "count entries where geo.src = geo.dest", lambda r: r["geo.src"] == r["geo.dest"]
        ),
        many(
            "source",
            'count entries where geo.src = "CN" and geo.dest in ["IN", "US"]',
            lambda r: r["geo.src"] == "CN" and r["geo.dest"] in ("IN", "US"),
        ),
        many("request", 'count entries where request = "/apm"', lambda r: r.request == "/apm"),
        many(
            "request-starts",
            'count entries where request starts with "/beats/metric"',
            lambda r: r.request.startswith("/beats/metric"),
        ),
        many("url-ends", 'count entries where url ends with ".zip"', lambda r: r.url.endswith(".zip")),
        many("host", 'count entries where host contains "cdn."', lambda r: holds(r.host, "cdn.")),
        many(
            "referer",
            'count entries where referer like "*twitter.com*karen*"',
            lambda r: "karen" in r.referer.lower().partition("twitter.com")[2],
        ),
        many("agent", 'count entries where agent mentions "windows nt"', lambda r: has_phrase(r.agent, "windows nt")),
        many(
            "near",
            "count entries where geo.coordinates within 300 km of (40.7, -74)",
            lambda r: distance(r["geo.coordinates"], (40.7, -74)) <= 300,
        ),
        many("day", "count entries where timestamp = 2018-08-01", lambda r: r.timestamp in span("2018-08-01")),
        many("alias", "count entries where @timestamp = 2018-08-01", lambda r: r.timestamp in span("2018-08-01")),
        many("alias-quoted", "count entries where `@timestamp` in 2018-W32", lambda r: r.timestamp in span("2018-W32")),
        many(
            "seconds",
            "count entries where timestamp between 2018-08-01T10:00:00 and 2018-08-01T10:30:00",
            lambda r: among(r.timestamp, span("2018-08-01T10:00:00").start, span("2018-08-01T10:30:00").start),
        ),
        some(
            "millisecond",
            "find entries where timestamp = 2018-07-22T00:39:02",
            lambda r: r.timestamp in span("2018-07-22T00:39:02"),
        ),
        many("night", "count entries where hour_of_day(timestamp) < 2", lambda r: r.timestamp.hour < 2),
        some(
            "largest",
            "find entries where bytes > 19900 sort bytes desc, timestamp limit 5",
            lambda r: over(r.bytes, 19900),
            sort=[(key("bytes"), True), (key("timestamp"), False)],
            limit=5,
        ),
        value(
            "traffic",
            "sum(bytes), avg(bytes), max(bytes) of entries",
            lambda: (total("bytes")(logs()), mean("bytes")(logs()), highest("bytes")(logs())),
        ),
        value("avg-of-few", "avg(memory) of entries", lambda: mean("memory")(logs())),
        value("distinct", "distinct(clientip), distinct(geo.src) of entries", lambda: (1001, 183)),
        value(
            "errors",
            'share(response = "503") of entries where extension = "zip"',
            lambda: share(lambda r: r.response == "503")(where(logs(), lambda r: r.extension == "zip")),
        ),
        rows("responses", "count entries by response", lambda: table(logs(), key("response"))),
        rows("tags-by", "count entries by tags", lambda: table(logs(), key("tags"))),
        rows("addresses", "count entries by clientip limit 1", lambda: table(logs(), key("clientip"), limit=1)),
        rows(
            "bytes-by-os",
            "avg(bytes), share(bytes = 0) of entries by machine.os",
            lambda: table(logs(), key("machine.os"), measure=several(mean("bytes"), share(lambda r: r.bytes == 0))),
        ),
        rows(
            "days",
            "count entries where @timestamp = 2018-08 by day(@timestamp)",
            lambda: table(
                where(logs(), lambda r: r.timestamp in span("2018-08")), lambda r: bucket(r.timestamp, "day"), by="key"
            ),
        ),
        rows(
            "weekdays",
            "sum(bytes) of entries by weekday(timestamp)",
            lambda: sorted(
                table(logs(), lambda r: weekday(r.timestamp), measure=total("bytes")),
                key=lambda row: WEEKDAYS.index(row[0]),
            ),
        ),
        rows(
            "hours",
            "count entries by hour_of_day(timestamp)",
            lambda: table(logs(), lambda r: hour_of_day(r.timestamp), by="key"),
        ),
        rows(
            "bins",
            "count entries by bins(bytes, 1000, 5000, 10000)",
            lambda: bin_table(logs(), "bytes", 1000, 5000, 10000),
        ),
        rows("by-ram", "count entries by machine.ram limit 3", lambda: table(logs(), key("machine.ram"), limit=3)),
        refused("unknown-field", "find entries where status_code = 3", "unknown field"),
        refused("wrong-type", 'find entries where bytes = "many"', "wrong type"),
    ],
)
