"""Requests that a page of another site makes a browser send, and requests whose end two servers see differently."""

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from qlc.cli.serve import http_config, listening_at
from qlc.service import Settings, create_app
from tests.service.conftest import bare_compiler
from tests.service.routes import Route, routes_of
from tests.service.test_hostile import _said
from tests.tables import table

FOREIGN: list[dict[str, str]] = table(__file__, "FOREIGN")
OWN: list[dict[str, str]] = table(__file__, "OWN")


def changing() -> list[Route]:
    return [one for one in routes_of(create_app(bare_compiler(), files=".")) if one.method not in ("GET", "HEAD")]


@pytest.fixture
def http() -> Iterator[TestClient]:
    app = create_app(bare_compiler(), files=".", settings=Settings(rate=None, origins=frozenset({"https://app.example"})))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_foreign_page_changes_nothing(http: TestClient, headers: dict[str, str]) -> None:
    for route in changing():
        for body in ({}, {"json": {"text": "x"}}, {"content": b"x", "headers": {"content-type": "text/plain"}}):
            given: dict[str, Any] = {**body, "headers": {**body.get("headers", {}), **headers}}
            refused = http.request(route.method, route.path, **given)
            assert (refused.status_code, refused.json()["code"]) == (403, "other-origin"), route
    assert http.get("/v1/conversations").json() == {"ids": []}


@pytest.mark.parametrize("headers", [*OWN, {"origin": "https://app.example", "sec-fetch-site": "cross-site"}], ids=str)
def test_the_own_page_and_other_clients_may(http: TestClient, headers: dict[str, str]) -> None:
    assert http.post("/v1/conversations", headers=headers).status_code == 201


def test_a_link_from_a_foreign_page_is_followed(http: TestClient) -> None:
    assert http.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


# --- framing ---------------------------------------------------------------------------------------------------------

HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
CHUNKED = b"0\r\n\r\n"
UNCLEAR = {
    "length and chunks": (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", CHUNKED),
    "chunks and length": (b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", CHUNKED),
    "other case": (b"content-length: 4\r\nTRANSFER-ENCODING: chunked\r\n", CHUNKED),
    "other line ends": (b"Content-Length: 4\nTransfer-Encoding: chunked\n", CHUNKED),
    "two lengths": (b"Content-Length: 0\r\nContent-Length: 40\r\n", b""),
    "one length twice": (b"Content-Length: 0\r\nContent-Length: 0\r\n", b""),
    "a list of lengths": (b"Content-Length: 0, 0\r\n", b""),
    "a sign": (b"Content-Length: +0\r\n", b""),
    "hexadecimal": (b"Content-Length: 0x0\r\n", b""),
    "no number": (b"Content-Length:\r\n", b""),
    "chunks twice": (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", CHUNKED),
}


@contextmanager
def answering() -> Iterator[tuple[str, list[str]]]:
    """A server as `qlc serve`, `qlc ui` and `qlc mcp --http` start it: its address, and the paths that were asked."""
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        asked.append(scope["path"])
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    with listening_at("127.0.0.1", 0) as listening:
        server = uvicorn.Server(http_config(app, lifespan="off"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize("good", [b"", b"POST /good HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"])
@pytest.mark.parametrize("name", UNCLEAR)
def test_a_request_with_an_unclear_end_is_refused_also_after_a_good_one(name: str, good: bytes) -> None:
    lines, body = UNCLEAR[name]
    with answering() as (address, asked):
        answer = _said(address, good + b"POST /seen HTTP/1.1\r\nHost: a\r\n" + lines + b"\r\n" + body + HIDDEN)
        assert re.findall(rb"HTTP/1.1 (\d+)", answer) == ([b"200", b"400"] if good else [b"400"])
        assert asked == ["/good"] * bool(good)


@pytest.mark.parametrize("lines", [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_request_with_one_end_is_answered_piece_by_piece(lines: bytes) -> None:
    sent = b"5\r\nhello\r\n0\r\n\r\n" if b"chunked" in lines else b"hello"
    whole = b"POST /seen HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + lines + b"\r\n" + sent
    with answering() as (address, asked):
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=30) as made:
            for at in range(len(whole)):
                made.sendall(whole[at : at + 1])
            answer = b""
            with suppress(ConnectionError):
                while some := made.recv(65_536):
                    answer += some
        assert answer.startswith(b"HTTP/1.1 200")
        assert asked == ["/seen"]


@pytest.mark.parametrize(
    "headers",
    [
        [("content-length", "2"), ("transfer-encoding", "chunked")],
        [("content-length", "2"), ("content-length", "2")],
        [("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
    ],
)
def test_so_it_is_in_another_server(http: TestClient, headers: list[tuple[str, str]]) -> None:
    """The application is mounted in servers that may let such a request through."""
    refused = http.post("/v1/ask", content=b"{}", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "unclear-length")
    assert refused.headers["connection"] == "close"
