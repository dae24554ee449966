"""`qlc serve`: what it refuses, and a process that answers and stops when it is told to."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from qlc.cli.main import main
from qlc.cli.serve import listening_at
from tests.tables import rows


@contextmanager
def serving(*options: str, command: str = "serve", **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process and its address."""
    arguments = [sys.executable, "-m", "qlc", command, "--port", "0", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            found, lines = None, []
            for line in iter(process.stderr.readline, ""):
                lines.append(line)
                if found := re.search(r"listening on (http://\S+)", line):
                    break
            yield process, found[1]
        finally:
            process.kill()


def test_it_answers_and_stops() -> None:
    with serving("--demo") as (process, address):
        answered = httpx.post(f"{address}/v1/ask", json={"text": "how many W2s are there?"}, timeout=60)
        assert answered.json()["value"] == 143
        assert "server" not in answered.headers
        assert httpx.get(f"{address}/readyz").json()["status"] == "ok"
        assert httpx.get(f"{address}/readyz", headers={"host": "evil.example"}).status_code == 421
        for path in ("/healthz", "/readyz", "/metrics", "/"):
            headed, got = httpx.head(f"{address}{path}"), httpx.get(f"{address}{path}")
            assert (headed.status_code, headed.content) == (200, b""), path
            assert headed.headers["content-type"] == got.headers["content-type"]
            if path != "/metrics":  # which counts the requests
                assert headed.headers["content-length"] == got.headers["content-length"] != "0"
        assert httpx.head(f"{address}/v1/ask").status_code == 405
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)


def test_a_server_that_cannot_be_reached_is_an_outcome() -> None:
    with serving("--url", "http://127.0.0.1:1", "--catalog", "drive") as (_, address):
        answered = httpx.post(f"{address}/v1/run", json={"program": "count documents", "deadline": 2}, timeout=60)
        assert (answered.status_code, answered.json()["reason"]) == (502, "unreachable")
        ready = httpx.get(f"{address}/readyz", timeout=60)
        assert (ready.status_code, ready.json()["detail"]) == (503, "unreachable")
        assert httpx.get(f"{address}/healthz").status_code == 200


@pytest.mark.parametrize(("options", "said"), rows(__file__, "test_what_it_refuses"))
def test_what_it_refuses(options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--demo", *options]) == 2
    assert said in capsys.readouterr().err


def test_answers_do_not_wait_for_the_client() -> None:
    """asyncio sets TCP_NODELAY for sockets of this kind."""
    with listening_at("127.0.0.1", 0) as made:
        assert (made.family, made.type, made.proto) == (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)


def test_a_secret_in_a_file_is_enough_for_another_host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets as far as the data, which is not named."""
    key = tmp_path / "secret"
    key.write_text("a secret of the tests, of 32 bytes\n")
    options = ["--jwt-key", str(key), "--jwt-algorithm", "HS256", "--claim", "team=team"]
    assert main(["serve", "--host", "0.0.0.0", "--port", "0", *options]) == 2
    assert "say where the data is" in capsys.readouterr().err


def test_openapi_is_valid_and_has_the_outcomes() -> None:
    from openapi_spec_validator import validate

    from qlc.service import Settings, create_app
    from tests.service.conftest import bare_compiler

    schema = create_app(bare_compiler(), settings=Settings()).openapi()
    validate(schema)
    answered = schema["paths"]["/v1/ask"]["post"]["responses"]
    outcome = answered["200"]["content"]["application/json"]["schema"]
    kinds = {one["$ref"].rpartition("/")[2] for one in outcome["oneOf"]}
    assert kinds >= {"Hits", "Answer", "Clarify", "Several", "NotInCorpus"}
    assert list(answered["4XX"]["content"]) == ["application/json", "application/problem+json"]
