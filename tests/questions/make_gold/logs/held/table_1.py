"""Questions and answers."""

from tests.reference.case import total

from ...table import Table, accept, refuse, unsupported, value
from ...words import anything, between, by, calendar_of, days, during, gt, has, lt, mean, neg, since
from ..terms import (
    ARTIFACTS,
    CHROME,
    FIREFOX,
    GB,
    WHEN,
    WWW,
    browser,
    client,
    count,
    dest,
    ext,
    host,
    path,
    path_has,
    per,
    per2,
    referred_by,
    requests,
    source,
    status,
    system,
    tagged,
    weekday,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "filter-q01",
    "all 503s from artifacts",
    requests(status("503"), host(ARTIFACTS)),
    'find requests where status = "503" and host = "artifacts"',
)
ask(
    "filter-q02",
    "requests from Brazil that got a 404",
    requests(source("BR"), status("404")),
    'find requests where source = "BR" and status = "404"',
)
ask(
    "filter-q03",
    "show hits tagged login with status 503",
    requests(tagged("login"), status("503")),
    'find requests where tags has "login" and status = "503"',
)
ask(
    "filter-q05",
    "requests from 164.85.94.243",
    requests(client("164.85.94.243")),
    'find requests where client = "164.85.94.243"',
)
ask(
    "filter-q07",
    "requests for /styles/app.css that failed with 404",
    requests(path("/styles/app.css"), status("404")),
    'find requests where path = "/styles/app.css" and status = "404"',
)
ask(
    "filter-q10",
    "visits from nytimes.com referrers that got service unavailable",
    requests(referred_by("nytimes.com"), status("503")),
    'find requests where referrer contains "nytimes.com" and status = "503"',
)
ask(
    "numeric-q03",
    "requests with php memory above 350000 bytes",
    requests(gt("phpmemory", 350000)),
    "find requests where php_memory > 350000",
)
ask(
    "numeric-q04",
    "css requests between 9000 and 9200 bytes",
    requests(ext("css"), between("bytes", 9000, 9200)),
    'find requests where extension = "css" and bytes between 9000 and 9200',
)
ask(
    "numeric-q05",
    "machines with less than 2.2 GB of ram requesting from Spain",
    requests(lt("machine.ram", 2.2 * GB), source("ES")),
    'find requests where ram < 2.2 GB and source = "Spain"',
)
ask(
    "dates-q02",
    "errors (404 or 503) yesterday on www",
    requests(status("404", "503"), during("2018-09-19", WHEN), host(WWW)),
    'find requests where status = "errors" and time = yesterday and host = "www"',
)
ask(
    "dates-q06",
    "requests on september 2nd at 3 in the morning",
    requests(during("2018-09-02T03", WHEN)),
    "find requests where time = 2018-09-02T03",
)
ask(
    "dates-q07",
    "security warnings since Sept 18",
    accept(requests(tagged("security"), tagged("warning"), since("2018-09-18", WHEN))),
    'find requests where tags has all ["security", "warning"] and time >= 2018-09-18',
)
ask(
    "dates-q08",
    "rpm downloads in July on a sunday",
    requests(ext("rpm"), during("2018-07", WHEN), lambda r: weekday(r) == "Sunday"),
    'find requests where extension = "rpm" and time = 2018-07 and weekday(time) = "Sunday"',
)
ask(
    "boolean-q02",
    "requests from Japan or Korea answered with 503",
    requests(source("JP", "KR"), status("503")),
    'find requests where source in ["JP", "KR"] and status = "503"',
)
ask(
    "boolean-q04",
    "deb or rpm downloads from Mexico except from firefox users",
    requests(ext("deb", "rpm"), source("MX"), neg(browser(FIREFOX))),
    'find requests where extension in ["deb", "rpm"] and source = "MX" and browser != "firefox"',
)
ask(
    "comparison-q01",
    "requests from Vietnam to the same country",
    requests(source("VN"), dest("VN")),
    'find requests where source = destination and source = "VN"',
)
ask(
    "text-q01",
    "requests whose path contains passwd",
    requests(path_has("passwd")),
    'find requests where path contains "passwd"',
)
ask(
    "count-q02",
    "number of visits from China yesterday",
    count(source("CN"), during("2018-09-19", WHEN)),
    'count requests where source = "CN" and time = yesterday',
)
ask(
    "count-q05",
    "count chrome hits on osx",
    count(browser(CHROME), system("osx")),
    'count requests where browser = "Chrome" and os = "osx"',
)
ask("group_by-q01", "requests per status code", per("response"), "count requests by status")
ask("group_by-q04", "total bytes per host", per("host", measure=total("bytes")), "sum(bytes) of requests by host")
ask(
    "group_by-q05",
    "average response size by file extension",
    accept(
        per("extension", measure=mean("bytes")), per("extension", lambda r: r.extension != "", measure=mean("bytes"))
    ),
    "avg(bytes) of requests by extension",
)
ask(
    "group_by-q06",
    "errors per day in the week of 10 september 2018",
    per(calendar_of("day", WHEN), days("2018-09-10", "2018-09-16", WHEN), status("404", "503")),
    'count requests where status = "errors" and time between 2018-09-10 and 2018-09-16 by day(time)',
)
ask(
    "group_by-q07",
    "which ip address made the most requests",
    accept(per("clientip", top=1), value("30.156.16.164")),
    "count requests by client limit 1",
)
ask("group_by-q10", "status codes per host", per2("host", "response"), "count requests by host, status")
ask(
    "top_n-q01",
    "the 3 largest responses",
    requests(anything, sort=by("bytes"), desc=True, limit=3),
    "find requests sort bytes desc limit 3",
)
ask(
    "top_n-q03",
    "first 404 of september",
    requests(status("404"), during("2018-09", WHEN), sort=by(WHEN), limit=1),
    'find requests where status = "404" and time = 2018-09 sort time limit 1',
)
ask(
    "exists_missing-q01",
    "requests with php memory recorded in august from the US",
    requests(has("phpmemory"), during("2018-08", WHEN), source("US")),
    'find requests where php_memory exists and time = 2018-08 and source = "US"',
)
ask(
    "multi_hop-q01",
    "503s from the country with the most requests, today",
    requests(status("503"), source("CN"), during("2018-09-20", WHEN)),
    'find requests where status = "503" and source = (count requests by source limit 1).source and time = today',
)
ask("refuse-q01", "block the ip 30.156.16.164", refuse("other", "update"))
ask("unsupported-q01", "average response time in milliseconds", unsupported("response time"))
ask("keyword-q02", "rpm downloads pakistan august", requests(ext("rpm"), source("PK"), during("2018-08", WHEN)))
