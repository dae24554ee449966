"""The requests of the web logs in the words of their questions."""

from collections.abc import Sequence
from typing import Any

from tests.reference.model import Row, plain

from ..table import Answer, Test, buckets, hits
from ..table import count as count_rows
from ..words import both_of, eq

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


def status(*codes: str) -> Test:
    return eq("response", *codes)


def source(*codes: str) -> Test:
    return eq("geo.src", *codes)


def dest(*codes: str) -> Test:
    return eq("geo.dest", *codes)


def system(*names: str) -> Test:
    return eq("machine.os", *names)


def host(*names: str) -> Test:
    return eq("host", *names)


def ext(*names: str) -> Test:
    return eq("extension", *names)


def client(address: str) -> Test:
    return eq("clientip", address)


def browser(name: str) -> Test:
    return lambda row: name in row.agent


def tagged(tag: str) -> Test:
    return lambda row: tag in row.tags


def path(text: str) -> Test:
    return eq("request", text)


def path_has(text: str) -> Test:
    return lambda row: text in row.request.lower()


def referred_by(site: str) -> Test:
    return lambda row: site in row.referer


# ---- answers -----------------------------------------------------------------------------------------------------


def requests(*tests: Test, **more: Any) -> Answer:
    return hits(rows, both_of(*tests), **more)


def count(*tests: Test) -> Answer:
    return count_rows(rows, both_of(*tests))


def per(key: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(rows, both_of(*tests), keyed(key), **more)


def per2(first: Test | str, second: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(rows, both_of(*tests), keyed(first), keyed(second), **more)


def keyed(key: Test | str) -> Test:
    return key if callable(key) else lambda row: row[key]


def found(*tests: Test) -> list[Row]:
    return [row for row in rows() if both_of(*tests)(row)]


def weekday(row: Row) -> str:
    return str(row.timestamp.strftime("%A"))


def hour(row: Row) -> int:
    return int(row.timestamp.hour)
