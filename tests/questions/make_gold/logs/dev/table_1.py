"""Questions and answers."""

from datetime import UTC, datetime

from tests.reference.case import total

from ...table import Table, accept, hits, measure, not_found, number, refuse, unsupported, value
from ...words import by, calendar_of, days, during, gt, median_of, neg
from ..terms import (
    CDN,
    FIREFOX,
    WHEN,
    WINDOWS,
    browser,
    count,
    dest,
    ext,
    found,
    host,
    hour,
    path_has,
    per,
    requests,
    rows,
    source,
    status,
    system,
    tagged,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "filter-q04",
    "log entries from windows xp machines in Germany going to Japan",
    requests(system("win xp"), source("DE"), dest("JP")),
    'find requests where os = "windows xp" and source = "Germany" and destination = "Japan"',
)
ask(
    "filter-q06",
    "who downloaded rpm files from France?",
    requests(ext("rpm"), source("FR")),
    'find requests where extension = "rpm" and source = "France"',
)
ask("filter-q08", "iphone visits from the UK with an error tag", requests(system("ios"), source("GB"), tagged("error")))
ask(
    "filter-q09",
    "firefox requests from Colombia to China",
    requests(browser(FIREFOX), source("CO"), dest("CN")),
    'find requests where browser = "Firefox" and source = "Colombia" and destination = "China"',
)
ask("filter-q11", "zip downloads going to Turkey from India", requests(ext("zip"), dest("TR"), source("IN")))
ask(
    "filter-q12",
    "events tagged security and warning from Poland",
    requests(tagged("security"), tagged("warning"), source("PL")),
    'find requests where tags has all ["security", "warning"] and source = "PL"',
)
ask(
    "numeric-q01",
    "responses larger than 19,900 bytes",
    requests(gt("bytes", 19900)),
    "find requests where bytes > 19900",
)
ask(
    "numeric-q02",
    "requests over 15 KB from Italy",
    requests(gt("bytes", 15000), source("IT")),
    'find requests where bytes > 15 KB and source = "Italy"',
)
ask(
    "dates-q01",
    "404s today",
    requests(status("404"), during("2018-09-20", WHEN)),
    'find requests where status = "404" and time = today',
)
ask(
    "dates-q03",
    "requests from Nigeria in the last 24 hours",
    requests(source("NG"), gt(WHEN, datetime(2018, 9, 19, 22, tzinfo=UTC))),
    'find requests where source = "Nigeria" and time = last 24 hours',
)
ask(
    "dates-q04",
    "login events between 1 and 3 august 2018",
    requests(tagged("login"), days("2018-08-01", "2018-08-03", WHEN)),
    'find requests where tags has "login" and time between 2018-08-01 and 2018-08-03',
)
ask(
    "dates-q05",
    "503 responses last month from the cdn host",
    requests(status("503"), during("2018-08", WHEN), host(CDN)),
    'find requests where status = "503" and time = last month and host = "cdn"',
)
ask(
    "boolean-q01",
    "unsuccessful requests from Iran",
    accept(requests(source("IR"), status("404", "503")), requests(source("IR"), neg(tagged("success")))),
    'find requests where source = "IR" and failed',
)
ask(
    "boolean-q03",
    "404s in Egypt that weren't on windows",
    requests(source("EG"), status("404"), neg(system(*WINDOWS))),
    'find requests where source = "EG" and status = "404" and os != "windows"',
)
ask(
    "text-q02",
    "log lines mentioning wp-login",
    requests(path_has("wp-login")),
    'find requests where path contains "wp-login"',
)
ask(
    "text-q03",
    "urls with jmx-console in them",
    requests(lambda r: "jmx-console" in r.url.lower()),
    'find requests where url contains "jmx-console"',
)
ask("count-q01", "how many requests failed with 503", count(status("503")), 'count requests where status = "503"')
ask(
    "count-q03",
    "how many unique visitors (ip addresses) were there in august?",
    number(lambda: len({r.clientip for r in found(during("2018-08", WHEN))})),
    "distinct(client) of requests where time = 2018-08",
)
ask(
    "count-q04",
    "how many countries do requests come from",
    number(lambda: len({r["geo.src"] for r in rows()})),
    "distinct(source) of requests",
)
ask("group_by-q02", "hits by operating system", per("machine.os"), "count requests by os")
ask("group_by-q03", "top 5 source countries", per("geo.src", top=5), "count requests by source limit 5")
ask("group_by-q08", "requests by hour of day", per(hour), "count requests by hour_of_day(time)")
ask(
    "group_by-q09",
    "monthly traffic in bytes",
    per(calendar_of("month", WHEN), measure=total("bytes")),
    "sum(bytes) of requests by month(time)",
)
ask(
    "group_by-q11",
    "what's the median response size",
    measure("median", lambda: median_of(list(rows()), "bytes")),
    "median(bytes) of requests",
)
ask(
    "group_by-q12",
    "most requested path",
    accept(per("request", top=1), value("/apm")),
    "count requests by path limit 1",
)
ask(
    "top_n-q02",
    "latest 5 requests with a 503",
    requests(status("503"), sort=by(WHEN), desc=True, limit=5),
    'find requests where status = "503" sort time desc limit 5',
)
ask(
    "not_found-q01",
    "requests from the country Wakanda",
    accept(not_found("Wakanda"), hits(rows, lambda r: False, empty=True)),
)
ask("refuse-q02", "delete all logs older than august", refuse("delete"))
ask("unsupported-q02", "which user accounts logged in", accept(unsupported("user accounts"), unsupported("users")))
ask(
    "injection-q01",
    'requests where message is "*"; DELETE /logs',
    accept(refuse("delete"), refuse("other"), hits(rows, lambda r: False, empty=True), not_found("*")),
)
ask(
    "keyword-q01", "404 osx us sept 2018", requests(status("404"), system("osx"), source("US"), during("2018-09", WHEN))
)
