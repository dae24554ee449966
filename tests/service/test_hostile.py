"""Requests that are made to break something, and callers who want more than they may see."""

import gzip
import hashlib
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.service import ApiKeys, BearerTokens, Caller, Settings, create_app
from tests.service.test_auth import SECRET, hashed, token
from tests.service.test_events import SSE, events
from tests.service.test_serving import serving
from tests.tables import rows, table

CATALOG = table(__file__, "CATALOG")
KEY = "ключ"
RED, BLUE = ({"x-api-key": name} for name in ("red", "blue"))


async def store(hidden: int) -> qlc.Compiler:
    """30 papers of the red team, with salaries and papers of the blue team that follow from `hidden`."""
    client = qlc.connect_async(":memory:")
    fields: dict[str, Any] = {name: {"type": "keyword"} for name in ("id", "title", "team")}
    await client.indices.create(index="papers", mappings={"properties": {**fields, "salary": {"type": "integer"}}})
    papers = [(f"r{n}", f"Red plan {n // 2}", "red", n + hidden) for n in range(30)]
    papers += [(f"b{n}", f"Blue plan {n * hidden}", "blue", n) for n in range(hidden)]
    for id, title, team, salary in papers:
        await client.index(index="papers", id=id, document={"id": id, "title": title, "team": team, "salary": salary})
    await client.indices.refresh(index="papers")
    return qlc.Compiler(client, read_catalog(CATALOG, "papers"), cursor_key="of the tests, 16 bytes")


def served(compiler: qlc.Compiler) -> TestClient:
    keys = ApiKeys({hashed("red"): Caller("red", {"team": "red"}), hashed("blue"): Caller("blue", {"team": "blue"}),
                    hashed(KEY): Caller("unicode", {"team": "red"})})  # fmt: skip
    app = create_app(compiler, auth=[keys, BearerTokens(SECRET, claims={"team": "team"})], settings=Settings(rate=None))
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
async def papers() -> AsyncIterator[qlc.Compiler]:
    compiler = await store(7)
    yield compiler
    await compiler.client.close()  # type: ignore[union-attr]


@pytest.fixture
def http(papers: qlc.Compiler) -> Iterator[TestClient]:
    with served(papers) as client:
        yield client


# --- bodies, headers and addresses -----------------------------------------------------------------------------------

DEEP = b"[" * 400_000
BODIES = {
    "a list that is too deep": DEEP,
    "a parameter that is too deep": b'{"program":"count papers","params":{"a":' + DEEP + b"]" * 400_000 + b"}}",
    "a program that is too deep": b'{"program":"count papers where ' + b"(" * 200_000 + b'"}',
    "a number that is too long": b'{"program":"count papers","size":' + b"9" * 5_000 + b"}",
    "no number": b'{"program":"count papers","deadline":NaN}',
    "half a character": b'{"program":"count papers where title = \\"\\ud800\\""}',
    "half a character in a choice": b'{"program":"count papers","choices":{"\\ud800":"\\ud800"}}',
    "half a character as a cursor": b'{"program":"find papers limit 3","cursor":"\\ud800"}',
    "no text": b'{"program":"\xff\xfe"}',
    "nothing": b"null",
    "a zone that is a path": b'{"program":"count papers","timezone":"../../etc/passwd"}',
    "compressed": gzip.compress(b'{"program":"count papers"}'),
    "rights": b'{"program":"count papers","context":{"team":"blue"}}',
    "too large": b" " * 1_000_001,
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_cannot_be_used_is_said(http: TestClient, name: str) -> None:
    started = time.monotonic()
    answered = http.post("/v1/run", content=BODIES[name], headers={**RED, "content-type": "application/json"})
    assert 400 <= answered.status_code < 500
    assert answered.json()
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("length", ["9" * 5_000, "-1", "\u0663", "1e3", ""])
def test_a_length_that_is_none_is_refused(http: TestClient, length: str) -> None:
    headers = {**RED, "content-length": length.encode()}
    assert http.post("/v1/run", content=b"{}", headers=headers).status_code == 413  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path",
    ["/static/..%2f..%2fapp.py", "/static/%2e%2e/app.py", "/static/index.html%00.js", "/v1/conversations/..%2f..",
     "/v1/conversations/%00", f"/v1/conversations/{'a' * 101}", "/v1/documents/..%2f..%2fetc%2fpasswd/pages/1.png"],
)  # fmt: skip
def test_an_address_is_no_path(http: TestClient, path: str) -> None:
    answered = http.get(path, headers=RED)
    assert answered.status_code in (404, 422)
    assert answered.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "PATCH", "TRACE"])
def test_a_method_that_is_not_taken(http: TestClient, method: str) -> None:
    for path in ("/v1/run", "/v1/catalog", "/v1/conversations/x"):
        assert http.request(method, path).status_code == 401
        refused = http.request(method, path, headers=RED)
        assert (refused.status_code, "allow" in refused.headers) == (405, True)


def test_keys_are_bytes(http: TestClient) -> None:
    for key, status in ((KEY.encode(), 200), (b"\xff\xfe", 401), (b"", 401), (b"red" * 5_000, 401)):
        assert http.get("/v1/catalog", headers={"x-api-key": key}).status_code == status  # type: ignore[dict-item]


def test_a_wrong_key_is_not_made_good_by_a_token(http: TestClient) -> None:
    right = token(team="red")
    assert http.get("/v1/catalog", headers=right).status_code == 200
    assert http.get("/v1/catalog", headers={**right, "x-api-key": "nobody"}).status_code == 401


# --- what belongs to another caller ----------------------------------------------------------------------------------


def test_a_stream_belongs_to_its_caller_with_these_rights(http: TestClient) -> None:
    asked = {"program": "count papers"}
    red = {**token(team="red"), **SSE}
    first = events(http.post("/v1/run", json=asked, headers=red).text)
    stream = first[0][0].rpartition(".")[0]

    def continued(headers: dict[str, str], position: str) -> str:
        text = http.post("/v1/run", json=asked, headers={**headers, "last-event-id": f"{stream}.{position}"}).text
        return str(events(text)[0][0].rpartition(".")[0])

    assert continued(red, "1") == stream
    for headers in ({**RED, **SSE}, {**token(team="blue"), **SSE}, {**token(team="red", sub="tom"), **SSE}):
        assert continued(headers, "0") != stream
    for position in ("9" * 5_000, "-1", "", "0x1", "\u00b2"):
        again = http.post("/v1/run", json=asked, headers={**red, "last-event-id": f"{stream}.{position}".encode()})  # type: ignore[dict-item]
        assert again.status_code == 200
        assert events(again.text)[0][0].rpartition(".")[0] != stream


def test_a_cursor_is_of_who_asked(http: TestClient) -> None:
    first = http.post("/v1/run", json={"program": "find papers sort title limit 14"}, headers=RED).json()
    assert len(first["ids"]) == 10
    for cursor in (first["cursor"], first["cursor"][:-2], "", "x" * 100_000):
        other = http.post("/v1/run", json={"program": first["query"], "cursor": cursor}, headers=BLUE)
        assert other.status_code == 400
    rest = http.post("/v1/run", json={"program": first["query"], "cursor": first["cursor"]}, headers=RED).json()
    assert len(rest["ids"]) == 4


def test_a_choice_shows_nothing_that_is_not_seen(http: TestClient) -> None:
    program = 'get paper("Red plan 1").team'
    asked = http.post("/v1/run", json={"program": program}, headers=RED).json()
    assert (asked["kind"], [one["id"] for one in asked["options"]]) == ("clarify", ["r2", "r3"])
    chosen = {asked["token"]: "r2"}
    assert http.post("/v1/run", json={"program": program, "choices": chosen}, headers=RED).json()["value"] == "red"
    other = http.post("/v1/run", json={"program": program, "choices": chosen}, headers=BLUE).json()
    assert (other["kind"], "r2" in json.dumps(other)) == ("not_found", False)
    for id in ("b1", "r4", "", "*"):  # what was not offered is not chosen
        again = http.post("/v1/run", json={"program": program, "choices": {asked["token"]: id}}, headers=RED).json()
        assert again["kind"] == "clarify"


# --- what nobody may see ---------------------------------------------------------------------------------------------

ASKED: list[tuple[str, dict[str, Any]]] = rows(__file__, "ASKED")


async def test_what_is_not_seen_changes_nothing() -> None:
    """Two stores that differ in what the caller may not see alone give the same, and neither has any of it."""
    answers = []
    for hidden in (7, 11):
        compiler = await store(hidden)
        with served(compiler) as http:
            got = [http.post(path, json=given, headers=RED) for path, given in ASKED]
            got.append(http.get("/v1/catalog", headers=RED))
        await compiler.client.close()  # type: ignore[union-attr]
        answers.append([_timeless(one.text) for one in got])
    for (path, given), first, second in zip([*ASKED, ("/v1/catalog", {})], *answers, strict=True):
        assert first == second, (path, given)
        said = json.dumps(given)
        assert "salary" in said or "salary" not in first, (path, given)
        assert "Blue" in said or "Blue" not in first, (path, given)
        assert "blue" not in first, (path, given)


_CHANGING = ("stats", "milliseconds", "cursor")


def _timeless(text: str) -> str:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: without(one) for name, one in value.items() if name not in _CHANGING}
        return [without(one) for one in value] if isinstance(value, list) else value

    return "\n".join(json.dumps(without(json.loads(line))) for line in text.splitlines())


def test_a_field_that_is_closed_is_completed_as_one_that_is_not_there(http: TestClient) -> None:
    def candidates(field: str) -> Any:
        found = http.post("/v1/complete", json={"program": f"count papers where {field} = "}, headers=RED).json()
        return [(one["text"], one["kind"]) for one in found["candidates"]]

    assert candidates("salary") == candidates("sabary")


# --- a connection ----------------------------------------------------------------------------------------------------


def _said(address: str, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send the parts on one connection, and return the response."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as made:
        found = b""
        try:
            for part in parts:
                made.sendall(part)
                time.sleep(pause)
            while some := made.recv(65_536):
                found += some
        except (ConnectionError, TimeoutError):
            pass
        return found


def test_requests_that_are_no_http(tmp_path: Path) -> None:
    keys = tmp_path / "keys.yaml"
    keys.write_text(f"- {{name: a, sha256: {hashlib.sha256(b'a').hexdigest()}}}\n")
    with serving("--demo", "--api-keys", str(keys)) as (_, address):
        for head in (
            b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: b\rc\r\n\r\n", b"GET /healthz\r\n\r\n", b"\x16\x03\x01" * 100,
            b"POST /v1/run HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
            b"POST /v1/run HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ):  # fmt: skip
            assert _said(address, head).startswith(b"HTTP/1.1 4"), head[:80]
        endless = _said(address, b"GET /healthz HTTP/1.1\r\nX: ", *[b"a" * 50_000] * 9, pause=0.1)
        assert endless[:10] in (b"", b"HTTP/1.1 4")  # the connection is reset
        # What is in the address stays there: no line of it becomes a header of the response.
        split = b"GET /v1/run%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: a\r\nX-API-Key: a\r\nConnection: close\r\n\r\n"
        assert b"set-cookie: a=b\r\n" not in _said(address, split).lower()
        # One that sends its header a byte at a time is not waited for.
        started = time.monotonic()
        answer = _said(address, *(bytes([one]) for one in b"GET /healthz HTTP/1.1" + b"a" * 29), pause=0.3)
        assert answer == b""
        assert time.monotonic() - started < 40
        right = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        assert _said(address, right).startswith(b"HTTP/1.1 200")
