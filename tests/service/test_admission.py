"""One admission for every request: its turn, its deadline from arrival, and nothing computed in the event loop."""

import asyncio
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.base.limits import MOST_VALUES
from qlc.service import Settings, bodies, create_app
from qlc.service.backend import Backend
from qlc.service.bodies import DEEPEST, MOST_ITEMS, MOST_KEYS
from qlc.service.guard import is_in_loop
from qlc.service.limits import READING
from qlc.service.schemas import AskRequest
from tests.service.conftest import NOW, bare_compiler
from tests.service.routes import Route, routes_of
from tests.service.test_events import SSE, Client, slow, until

__all__ = ["slow"]

WITHOUT_A_TURN = {"/healthz", "/readyz", "/metrics", "/openapi.json", "/", "/static/{name}"}
JSON = {"content-type": "application/json"}


def every_route() -> list[Route]:
    return routes_of(create_app(bare_compiler(), files="."))


@pytest.fixture
def full() -> Iterator[TestClient]:
    """A service in which somebody has the only turn."""
    app = create_app(bare_compiler(), files=".", settings=Settings(concurrent=1, queue=0, rate=None))
    app.state.qlc.admission.working = 1
    with TestClient(app, raise_server_exceptions=False) as http:
        yield http


# --- turns -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", every_route(), ids="{0.method} {0.template}".format)
def test_a_route_takes_a_turn(full: TestClient, route: Route) -> None:
    answered = full.request(route.method, route.path, json={} if route.method == "POST" else None)
    is_refused = answered.status_code == 503 and answered.json().get("code") == "busy"
    assert is_refused == (route.template not in WITHOUT_A_TURN)
    assert is_in_loop(route.path) == (route.template in WITHOUT_A_TURN)


def test_a_route_that_is_added_later_takes_a_turn(full: TestClient) -> None:
    called: list[int] = []
    full.app.get("/v1/later")(lambda: called.append(1))  # type: ignore[attr-defined]
    assert full.get("/v1/later").json()["code"] == "busy"
    assert not called


def test_there_are_routes() -> None:
    assert len(every_route()) > 20
    assert {one.template for one in every_route()} > WITHOUT_A_TURN


def test_every_response_is_neither_guessed_nor_kept() -> None:
    with TestClient(create_app(bare_compiler(), settings=Settings(rate=None)), raise_server_exceptions=False) as http:
        for method, path in (*((one.method, one.path) for one in every_route()), ("GET", "/nothing")):
            headers = http.request(method, path, json={} if method == "POST" else None).headers
            assert headers["x-content-type-options"] == "nosniff", path
            assert headers["cache-control"] == ("no-cache" if path in ("/", "/static/main.js") else "no-store"), path


async def test_the_turn_of_a_request_ends_with_its_answer(slow: dict[str, Any]) -> None:
    admission = slow["app"].state.qlc.admission
    for headers in ({}, SSE):
        client = Client(slow["app"], headers)
        await until(lambda: admission.working == 1)
        slow["go"].set()
        await client.task
        assert (admission.working, admission.waiting) == (0, 0)
        slow["go"].clear()


# --- deadlines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, SSE])
async def test_the_deadline_of_a_request_ends_its_waiting(
    compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    """The first request does not end before the second one has."""
    app = create_app(compiler, settings=Settings(concurrent=1, queue=5, queue_time=3_000, deadline=3_000))
    go = asyncio.Event()

    async def ask(*_: Any) -> Any:
        await go.wait()
        return qlc.outcome.Count(value=1)

    monkeypatch.setattr(Backend, "ask", ask)
    first = Client(app, headers)
    await until(lambda: app.state.qlc.admission.working)
    second = Client(app, headers, more={"deadline": 0.05})
    await second.task
    assert (second.status, json.loads(b"".join(second.parts))["code"]) == (504, "timeout")
    assert not first.task.done()
    go.set()
    await first.task
    assert first.status == 200


async def test_the_time_in_the_queue_is_part_of_the_deadline(slow: dict[str, Any]) -> None:
    backend = slow["app"].state.qlc.backend
    caller = qlc.service.Caller("anonymous")
    asked = AskRequest(text="x", deadline=20.0)
    now = time.monotonic()
    assert backend.options(asked, caller, now + 5.0)["deadline"] <= 5.0
    assert 0 < backend.options(asked, caller, now - 5.0)["deadline"] < 0.001


# --- bodies ----------------------------------------------------------------------------------------------------------

LARGE: dict[str, Any] = {
    "unknown keys": {f"k{n}": 1 for n in range(70_000)},
    "a few unknown keys": {f"k{n}": 1 for n in range(MOST_KEYS - 1)},
    "keys of parameters": {"text": "x", "params": {f"k{n}": 1 for n in range(MOST_KEYS)}},
    "values": {"text": "x", "params": {"a": [1] * MOST_ITEMS}},
    "a long key": {"k" * 900_000: 1},
    "wrong values": {"text": "x", "choices": {f"k{n}": 1 for n in range(MOST_KEYS - 10)}},
    "depth": {"text": "x", "params": {"a": json.loads("[" * DEEPEST + "]" * DEEPEST)}},
    "a wrong value that is long": {"text": "x", "read_as": "y" * 900_000},
}
TAKE_BODIES = [one for one in every_route() if one.method == "POST" and not one.template.endswith(("resume", "ations"))]


@pytest.mark.parametrize("name", LARGE)
def test_a_body_that_is_all_wrong_is_answered_in_a_few_words(http: TestClient, name: str) -> None:
    body = json.dumps(LARGE[name]).encode()
    for route in TAKE_BODIES:
        answered = http.post(route.path, content=body, headers=JSON)
        assert answered.status_code == 422, route
        assert len(answered.content) < 3_000, route
        assert len(answered.json().get("errors", ())) <= 5, route


def test_a_body_with_the_longest_list_is_answered(http: TestClient) -> None:
    given = {"program": "count documents where size in $sizes", "params": {"sizes": list(range(MOST_VALUES))}}
    assert http.post("/v1/run", json=given).json()["kind"] == "count"


def test_bodies_are_read_beside_the_loop(http: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = http.portal.call(lambda: _thread())  # type: ignore[union-attr]
    threads: list[tuple[str, int]] = []
    parsed, validated = bodies.parsed, bodies.validated

    def record(name: str, made: Any) -> Any:
        def recorded(*given: Any) -> Any:
            threads.append((name, threading.get_ident()))
            return made(*given)

        return recorded

    monkeypatch.setattr("qlc.service.guard.parsed", record("parsed", parsed))
    monkeypatch.setattr(bodies, "validated", record("validated", validated))
    for route in TAKE_BODIES:
        threads.clear()
        http.post(route.path, json={"unknown": 1})
        assert [name for name, _ in threads] == ["parsed", "validated"], route
        assert loop not in [thread for _, thread in threads], route


async def _thread() -> int:
    return threading.get_ident()


async def test_bodies_that_are_read_do_not_take_all_threads(
    compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, reading = threading.Event(), []

    def parsed(body: bytes) -> Any:
        reading.append(body)
        go.wait()
        return json.loads(body)

    monkeypatch.setattr("qlc.service.guard.parsed", parsed)
    app = create_app(compiler, now=NOW)
    clients = [Client(app, text="count documents") for _ in range(8)]
    await until(lambda: len(reading) == READING)
    health = Client(app, path="/healthz", method="GET", sends_body=False)
    await health.task
    assert (health.status, len(reading)) == (200, READING)
    go.set()
    await asyncio.gather(*(one.task for one in clients))
    assert {one.status for one in clients} == {200}


# --- the event loop --------------------------------------------------------------------------------------------------

TERMS = " or ".join(f"size = {n}" for n in range(600))
TEXTS = {
    "a long program": f"count documents where {TERMS}",
    "long words": "the big file and " * 400,
    "a long request": "GET /x/_search\n"
    + json.dumps({"query": {"bool": {"should": [{"term": {"size": n}} for n in range(300)]}}}),
    "a command line": "curl -XGET 'http://x/_search' -d '" + '{"a":' * 2_000 + "'",
    "many rows": "find documents where size > 0 show name, size, folder, owner",
}
MOST_CALLS = 300
"""Calls of one function in the event loop, beyond those for a short text."""
MAY_GROW = ("asyncio", "export.py:export_async")
"""Places of calls that are waits, and the lines of an export being passed on."""


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_long_is_computed_in_the_event_loop(app: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Counts the calls of each function in the loop's thread: they do not grow with what is asked."""
    counts: Counter[str] = Counter()
    called = type(app).__call__

    def profile(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            counts[f"{frame.f_code.co_filename}:{frame.f_code.co_name}"] += 1

    async def profiled(*given: Any) -> None:
        if given[1]["type"] != "http":
            return await called(*given)
        sys.setprofile(profile)
        try:
            await called(*given)
        finally:
            sys.setprofile(None)

    monkeypatch.setattr(type(app), "__call__", profiled)
    with TestClient(app, raise_server_exceptions=False) as http:
        at = http.post("/v1/conversations").headers["location"]
        for route in TAKE_BODIES:
            path = route.path.replace("/v1/conversations/x", at)
            key = "program" if route.template in ("/v1/run", "/v1/check", "/v1/complete", "/v1/outline") else "text"
            seen = []
            for text in ("count documents", TEXTS[name]):
                counts.clear()
                http.post(path, json={key: text})
                seen.append(Counter(counts))
            grown = [(place, n) for place, n in (seen[1] - seen[0]).items() if n > MOST_CALLS]
            assert not [one for one in grown if not any(name in one[0] for name in MAY_GROW)], path
