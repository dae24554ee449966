"""Calls that are made to break something, and callers who want what is another's."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp.server.auth.settings import AuthSettings
from starlette.testclient import TestClient

import qlc
from qlc.agents.mcp import JwtVerifier, create_server

from .conftest import EachCall, text
from .test_transports import AUDIENCE, ISSUER, SECRET, token

LONG = "9" * 5_000
CALLS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "a cursor of a table that is too long": ("run", {"program": "count orders by customer", "cursor": LONG}, True),
    "a cursor that is negative": ("run", {"program": "count orders by customer", "cursor": "-1"}, True),
    "a cursor that is large": ("run", {"program": "find orders limit 3", "cursor": "x" * 100_000}, True),
    "a cursor of a text that is too long": ("describe", {"about": "catalog", "cursor": LONG}, False),
    "a cursor beyond the end": ("describe", {"about": "catalog", "cursor": "999999999"}, False),
    "a program that is too deep": ("run", {"program": "count orders where " + "(" * 100_000}, True),
    "words without end": ("ask", {"words": "order " * 50_000}, True),
    "no words": ("ask", {"words": "\0"}, True),
    "half a character": ("run", {"program": 'count orders where customer = "\\ud800"'}, True),
    "a size without end": ("ask", {"words": "orders", "size": 10**30}, True),
    "a list as a program": ("run", {"program": ["count orders"]}, True),
    "no tool": ("delete", {"program": "count orders"}, True),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_that_cannot_be_done_is_a_result(client: EachCall, name: str) -> None:
    tool, given, is_error = CALLS[name]
    found = await client.call_tool(tool, given)
    assert found.is_error == is_error
    assert text(found)
    assert not text(found).startswith("Error executing tool") or "validation error" in text(found)


@pytest.mark.parametrize("about", ["x" * 100_000, f"order.{'x' * 100_000}", f"{'x' * 100_000}.y"])
async def test_a_name_is_not_repeated_without_end(client: EachCall, about: str) -> None:
    assert len(text(await client.call_tool("describe", {"about": about}))) < 24_000


async def test_rights_are_no_argument(client: EachCall) -> None:
    given = {"program": "count orders", "context": {"branches": ["south"]}, "options": {"context": {}}}
    assert '"value":84' in text(await client.call_tool("run", given))


async def test_a_beginning_is_no_program(client: EachCall) -> None:
    for given in ({"about": "order.customer", "starts_with": '" or branch = "south'},
                  {"about": 'order.customer where branch = "south"'}, {"about": "order.margin"}):  # fmt: skip
        shown = text(await client.call_tool("describe", given))
        assert "south" not in shown.replace(json.dumps(given)[1:-1], "").replace('branch = \\"south', "")
        assert "0.25" not in shown


@pytest.fixture
def http(asker: qlc.Asker) -> Iterator[TestClient]:
    auth = AuthSettings(issuer_url=ISSUER, resource_server_url="http://127.0.0.1/mcp", validate_token_resource=False)
    server = create_server(
        asker, claims={"branches": "org.branches"}, auth=auth,
        token_verifier=JwtVerifier(SECRET, issuer=ISSUER, audience=AUDIENCE),
    )  # fmt: skip
    app = server.streamable_http_app(json_response=True)
    with TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
        yield client


def headers(sub: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(sub=sub)}", "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json", **more}  # fmt: skip


BEGIN = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}  # fmt: skip
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def test_a_session_is_of_who_began_it(http: TestClient) -> None:
    begun = http.post("/mcp", json=BEGIN, headers=headers("ada"))
    assert begun.status_code == 200
    session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}
    assert http.post("/mcp", json=LIST, headers=headers("ada", **session)).status_code == 200
    for method in ("POST", "DELETE"):
        other = http.request(method, "/mcp", json=LIST, headers=headers("eve", **session))
        assert other.status_code in (403, 404)
    assert http.post("/mcp", json=LIST, headers=session).status_code == 401
    assert http.post("/mcp", json=LIST, headers=headers("ada", **session)).status_code == 200


def test_bodies_and_hosts_that_are_not_taken(http: TestClient) -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b"[" * 200_000
    for body in (deep, b"", b"null", b"\xff", b'{"jsonrpc":"2.0","id":' + LONG.encode() + b"}", b" " * 20_000_000):
        answered = http.post("/mcp", content=body, headers=headers("ada"))
        assert 400 <= answered.status_code < 500, body[:60]
    for more in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        assert http.post("/mcp", json=BEGIN, headers=headers("ada", **more)).status_code in (403, 421)
