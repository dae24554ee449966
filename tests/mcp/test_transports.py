"""`qlc mcp` as a process of its own, on standard input and output and over HTTP, with tokens and without."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jwt
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.settings import AuthSettings
from starlette.testclient import TestClient

import qlc
from qlc.agents.mcp import JwtVerifier, create_server
from tests.service.test_tokens import ADDRESS, FOR_US, RSA, Issuer, signed
from tests.tables import rows

from .conftest import CATALOG, NOW, choosing, data, fill, text, write

MODES = ("auto", "legacy")
SECRET = "a secret of more than thirty-two characters"
ISSUER, AUDIENCE = "https://login.example.org", "orders"
QLC = (sys.executable, "-m", "qlc.cli.main", "mcp")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the embedded engine, the catalog, and the key of tokens."""
    made = tmp_path_factory.mktemp("mcp")
    write(made / "orders.yaml", CATALOG)
    write(made / "key", SECRET)
    with qlc.connect(made / "data") as client:
        fill(client)
    return made


def arguments(folder: Path, *more: str) -> list[str]:
    return ["--data", str(folder / "data"), "--catalog", str(folder / "orders.yaml"), "--now", NOW, *more]


def stdio(folder: Path, *more: str) -> StdioServerParameters:
    command, *rest = QLC
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    return StdioServerParameters(command=command, args=[*rest, *arguments(folder, *more)], env=environment)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    """A server over HTTP that takes signed tokens."""
    port = free_port()
    signed = ["--jwt-key", str(folder / "key"), "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE]
    options = arguments(folder, "--http", f"127.0.0.1:{port}", *signed, "--claim", "org.branches")
    with subprocess.Popen([*QLC, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()


def token(branches: Any = ("north",), **changes: Any) -> str:
    claims = {"iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 600, "sub": "ada",
              "org": {"branches": list(branches)}} | changes  # fmt: skip
    return jwt.encode({name: one for name, one in claims.items() if one is not None}, SECRET, "HS256")


@asynccontextmanager
async def over_http(url: str, token: str, mode: str = "auto", **given: Any) -> AsyncIterator[tuple[Client, Any]]:
    """A client, and the HTTP client below it, whose token can be changed."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **given) as client,
    ):
        yield client, http


@pytest.mark.parametrize("mode", MODES)
async def test_on_standard_input_and_output(folder: Path, mode: str) -> None:
    chosen = choosing("t1")
    server = stdio(folder, "--context", 'branches=["north"]')
    async with Client(server, mode=mode, elicitation_callback=chosen) as client:
        assert len((await client.list_tools()).tools) == 4
        assert data(await client.call_tool("run", {"program": "count orders"}))["outcome"]["value"] == 84
        found = data(await client.call_tool("ask", {"words": "how many orders have an amount over 70?"}))
        assert found["outcome"]["value"] == 9
        asked = data(await client.call_tool("run", {"program": 'get order("Twin").amount'}))
        assert asked["outcome"]["value"] == 1.0
        assert len(chosen.forms) == 1
        (resource,) = (await client.read_resource("qlc://catalog")).contents
        assert "entity order" in resource.text  # type: ignore[union-attr]


async def test_a_call_takes_milliseconds(folder: Path) -> None:
    """The median over standard input and output: 8 ms on a quiet machine, and other tests run beside this one."""
    async with Client(stdio(folder, "--context", 'branches=["north"]')) as client:
        times = []
        for _ in range(41):
            started = time.perf_counter()
            await client.call_tool("ask", {"words": "how many orders have an amount over 70?"})
            times.append(time.perf_counter() - started)
    assert sorted(times)[20] < 1


async def test_the_context_of_the_options_is_that_of_every_call(folder: Path) -> None:
    async with Client(stdio(folder, "--context", 'branches=["south"]')) as client:
        assert data(await client.call_tool("run", {"program": "count orders"}))["outcome"]["value"] == 40
    async with Client(stdio(folder)) as client:
        refused = await client.call_tool("run", {"program": "count orders"})
        assert refused.is_error
        assert data(refused)["outcome"]["reason"] == "context-missing"


@pytest.mark.parametrize("mode", MODES)
async def test_a_token_counts_for_its_call_and_not_for_the_session(url: str, mode: str) -> None:
    """Each call has the access of its own token, also with two tokens of one person."""
    async with over_http(url, token(["north"]), mode) as (client, http):
        for branches, count in ((["north"], 84), (["south"], 40), (["north", "south"], 124), (["north"], 84)):
            http.headers["Authorization"] = f"Bearer {token(branches)}"
            assert data(await client.call_tool("run", {"program": "count orders"}))["outcome"]["value"] == count


@pytest.mark.parametrize("mode", MODES)
async def test_callers_at_once_have_each_their_own(url: str, mode: str) -> None:
    import anyio

    wrong: list[Any] = []

    async def one(branch: str, count: int) -> None:
        async with over_http(url, token([branch], sub=branch), mode) as (client, _):
            for _ in range(5):
                found = data(await client.call_tool("run", {"program": "count orders by branch"}))["outcome"]["rows"]
                if found != [{"key": branch, "value": count}]:
                    wrong.append(found)

    async with anyio.create_task_group() as group:
        for n in range(8):
            group.start_soon(one, *(("north", 84) if n % 2 else ("south", 40)))
    assert not wrong


@pytest.mark.parametrize("org", [None, {"branches": []}])
@pytest.mark.parametrize("mode", MODES)
async def test_a_missing_claim_refuses_each_tool(url: str, mode: str, org: Any) -> None:
    async with over_http(url, token(org=org), mode) as (client, _):
        for tool, given in (
            ("run", {"program": "count orders"}), ("ask", {"words": "how many orders?"}), ("describe", {}),
            ("check", {"program": "count orders"}), ("describe", {"about": "order.branch"}),
        ):  # fmt: skip
            refused = await client.call_tool(tool, given)
            assert refused.is_error
            assert "claim 'org.branches'" in text(refused)
        with pytest.raises(Exception, match=r"org\.branches"):
            await client.read_resource("qlc://catalog")


@pytest.mark.parametrize("mode", MODES)
async def test_a_question_back_is_asked_over_http(url: str, mode: str) -> None:
    chosen = choosing("t2")
    async with over_http(url, token(), mode, elicitation_callback=chosen) as (client, _):
        found = data(await client.call_tool("run", {"program": 'get order("Twin").amount'}))
    assert found["outcome"]["value"] == 2.0


WRONG = {
    "none": None,
    "no token": "nonsense",
    "expired": token(exp=int(time.time()) - 600),
    "of another issuer": token(iss="https://evil.example.org"),
    "for somebody else": token(aud="invoices"),
    "without an end": token(exp=None),
    "of another key": jwt.encode({"iss": ISSUER, "aud": AUDIENCE, "exp": 9_999_999_999}, SECRET + "x", "HS256"),
    "not signed": jwt.encode({"iss": ISSUER, "aud": AUDIENCE, "exp": 9_999_999_999}, None, "none"),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_who_has_no_right_token_is_not_let_in(url: str, wrong: str) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    if WRONG[wrong] is not None:
        headers["Authorization"] = f"Bearer {WRONG[wrong]}"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient() as http:
        answer = await http.post(url, content=json.dumps(body), headers=headers)
    assert answer.status_code == 401
    assert "resource_metadata" in answer.headers["www-authenticate"]


async def test_the_keys_of_an_issuer_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    Issuer(monkeypatch, one=RSA)
    verifier = JwtVerifier(ADDRESS, **FOR_US)
    taken = await verifier.verify_token(signed(kid="one", scope="read more"))
    assert (taken.subject, taken.scopes) == ("dana", ["read", "more"])
    assert await verifier.verify_token(signed(kid="two")) is None
    with pytest.raises(qlc.UsageError, match="32 characters"):
        JwtVerifier("short", issuer=ISSUER, audience=AUDIENCE)


def test_an_issuer_that_is_down_does_not_sign_anybody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """401 would make a client throw its token away."""
    Issuer(monkeypatch).is_down = True
    auth = AuthSettings(issuer_url=ISSUER, resource_server_url="http://127.0.0.1/mcp", validate_token_resource=False)
    server = create_server(
        qlc.Asker(qlc.Compiler(None, None, "x")), token_verifier=JwtVerifier(ADDRESS, **FOR_US), auth=auth
    )
    with TestClient(server.streamable_http_app()) as http:
        answer = http.post("/mcp", json={}, headers={"Authorization": f"Bearer {signed(kid='one')}"})
    assert answer.status_code == 400
    assert "Try again later" in answer.text


@pytest.mark.parametrize(("options", "message"), rows(__file__, "test_options_that_would_serve_too_much_are_refused"))
def test_options_that_would_serve_too_much_are_refused(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from qlc.cli.main import main

    assert main(["mcp", *arguments(folder, *options)]) == 2
    assert message in capsys.readouterr().err


def test_without_the_extra_the_command_says_how_to_install_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from qlc.cli import main

    monkeypatch.setattr("qlc.base.extras.find_spec", lambda _: None)
    assert main.main(["mcp", *arguments(folder)]) == 2
    assert 'pip install "qlc-search[mcp]"' in capsys.readouterr().err


def test_a_client_that_never_ends_its_header_is_not_waited_for(url: str) -> None:
    started = time.monotonic()
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port), 30) as made:
        made.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        for _ in range(5):
            time.sleep(0.3)
            made.sendall(b"a")
        assert made.recv(100) == b""
    assert time.monotonic() - started < 25


def test_an_address_that_is_taken_is_said_in_a_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*QLC, *arguments(folder, "--http", f"127.0.0.1:{port}")]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"qlc: the service cannot listen on 127.0.0.1, port {port}: ")
    assert ended.stderr.endswith("; --http HOST:PORT takes another\n")
