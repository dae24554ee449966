"""Every wrong request is answered with problem+json that says what to do."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.outcome import Failed, RejectedQuery, Unsupported
from qlc.service import Settings, create_app
from qlc.service.problems import status_of

JSON = {"content-type": "application/json"}
PLAIN = {"content-type": "text/plain"}


def chunks() -> Iterator[bytes]:
    for _ in range(200):
        yield b"x" * 10_000


@pytest.mark.parametrize(
    ("method", "path", "given", "status", "code"),
    [
        ("POST", "/v1/ask", {"content": b"{", "headers": JSON}, 400, "invalid-json"),
        ("POST", "/v1/ask", {"content": b"\xff\xfe", "headers": JSON}, 400, "invalid-json"),
        ("POST", "/v1/ask", {"content": b"[" * 100_000, "headers": JSON}, 400, "unreadable-body"),
        ("POST", "/v1/ask", {"content": b'{"text": "x"}', "headers": PLAIN}, 422, "no-json-object"),
        ("POST", "/v1/ask", {"content": b"[]", "headers": JSON}, 422, "no-json-object"),
        ("POST", "/v1/ask", {"json": {"text": 5}}, 422, "invalid-request"),
        ("POST", "/v1/ask", {"json": {"text": "x", "context": {"user_id": "dana"}}}, 422, "invalid-request"),
        ("POST", "/v1/ask", {"json": {"text": "x", "now": "2026-01-01"}}, 422, "invalid-request"),
        ("POST", "/v1/ask", {"json": {}}, 422, "invalid-request"),
        ("POST", "/v1/ask", {"content": b"x" * 1_000_001, "headers": JSON}, 413, "body-too-large"),
        ("POST", "/v1/ask", {"content": chunks, "headers": JSON}, 413, "body-too-large"),
        ("GET", "/v1/ask", {}, 405, "method-not-allowed"),
        ("GET", "/nothing", {}, 404, "not-found"),
        ("POST", "/v1/pasted", {"json": {"text": "hello"}}, 400, "not-possible"),
        ("POST", "/v1/check", {"json": {"program": "count documents", "timezone": "Mars"}}, 400, "option-timezone"),
    ],
)  # fmt: skip
def test_problems(http: TestClient, method: str, path: str, given: Any, status: int, code: str) -> None:
    if callable(given.get("content")):
        given = {**given, "content": given["content"]()}
    answered = http.request(method, path, **given)
    body = answered.json()
    assert (answered.status_code, body["code"], body["status"]) == (status, code, status)
    assert answered.headers["content-type"] == "application/problem+json"
    assert body["detail"].endswith(".")
    if status == 405:
        assert answered.headers["allow"] == "POST"
    if code == "body-too-large":
        assert "1,000,000 bytes" in body["detail"]


def test_a_wrong_value_is_not_repeated(http: TestClient) -> None:
    assert "hunter2" not in http.post("/v1/ask", json={"text": {"password": "hunter2"}}).text


def test_another_host_is_refused(compiler: qlc.Compiler) -> None:
    app = create_app(compiler, settings=Settings(hosts=frozenset({"localhost"})))
    with TestClient(app, base_url="http://localhost:8765") as http:
        assert http.get("/healthz").status_code == 200
        assert http.get("/healthz", headers={"host": "evil.example:8765"}).json()["code"] == "other-host"


def test_the_status_of_every_outcome_is_as_documented() -> None:
    """The table of docs/api.md, row for row."""
    page = Path(__file__).parents[2].joinpath("docs/api.md").read_text(encoding="utf-8")
    table = page.partition("### Outcomes as HTTP")[2].partition("###")[0]
    checked = 0
    for cell, status in re.findall(r"^\| (.*?) \| (\d{3}) \|", table, re.MULTILINE):
        names = re.findall(r"`([\w-]+)`", cell)
        if cell.startswith("`failed`: "):
            outcomes: list[Any] = [Failed(reason=name) for name in names[1:]]
        elif cell.startswith("`rejected_query`: "):
            outcomes = [RejectedQuery(reason=name) for name in names[1:]]
        elif cell.startswith("`unsupported`"):
            outcomes = [Unsupported()]
        else:
            continue
        for one in outcomes:
            assert status_of(one) == int(status), one
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("wrong", [{"concurrent": 0}, {"deadline": -1.0}, {"queue": -1}, {"rate": "often"}])
def test_settings_that_make_no_sense(compiler: qlc.Compiler, wrong: Any) -> None:
    with pytest.raises(qlc.UsageError):
        create_app(compiler, settings=Settings(**wrong))


def test_a_synchronous_client_is_refused() -> None:
    with pytest.raises(qlc.UsageError, match="asynchronous client"):
        create_app(qlc.Compiler(qlc.connect(":memory:"), index="x"))
