"""The requests of the web logs in the words of their questions."""

from collections.abc import Sequence
from functools import partial

from tests.reference.model import Row, plain

from .answers import About
from .words import Test, eq

WHEN = "timestamp"
FIREFOX, CHROME = "Firefox/6.0a1", "Chrome/11.0"
WINDOWS = ("win xp", "win 7", "win 8")
ARTIFACTS, WWW = "artifacts.opensearch.org", "www.opensearch.org"
CDN = "cdn.opensearch-opensearch-opensearch.org"
KB = 1000
GB = 10**9


def rows() -> Sequence[Row]:
    return plain("logs")


# ---- tests -------------------------------------------------------------------------------------------------------


status = partial(eq, "response")
source = partial(eq, "geo.src")
dest = partial(eq, "geo.dest")
system = partial(eq, "machine.os")
host = partial(eq, "host")
ext = partial(eq, "extension")
client = partial(eq, "clientip")


def browser(name: str) -> Test:
    return lambda row: name in row.agent


def tagged(tag: str) -> Test:
    return lambda row: tag in row.tags


path = partial(eq, "request")


def path_has(text: str) -> Test:
    return lambda row: text in row.request.lower()


def referred_by(site: str) -> Test:
    return lambda row: site in row.referer


# ---- answers -----------------------------------------------------------------------------------------------------

ABOUT = About(rows)
requests, count, per = ABOUT.hits, ABOUT.count, ABOUT.per
per2, found = ABOUT.per2, ABOUT.found


def weekday(row: Row) -> str:
    return str(row.timestamp.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.timestamp.hour)
