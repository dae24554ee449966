"""An address that is not that of an Elasticsearch server: one sentence says what is there, on every way in."""

import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from elasticsearch import AsyncElasticsearch, Elasticsearch

import qlc
from qlc.cli.main import main
from qlc.outcome import Failed
from qlc.resolver import driver
from tests.faults.test_server_faults import TECHNICAL
from tests.servers.loopback import Answered, answering
from tests.tables import rows


class Says(NamedTuple):
    """The answers of a server by the beginning of a path; the longest matching beginning counts."""

    bodies: dict[str, Any]
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


@contextmanager
def serving(says: Says) -> Iterator[str]:
    def answer(handler: BaseHTTPRequestHandler, _: bytes) -> Answered:
        found = says.bodies[max((one for one in says.bodies if handler.path.startswith(one)), key=len)]
        body = found.encode() if isinstance(found, str) else json.dumps(found).encode()
        status = says.status if handler.path != "/" else 200
        return status, {"content-type": "application/json", **says.headers}, body

    with answering(answer) as address:
        yield address


MAPPING = {"books": {"mappings": {"properties": {"title": {"type": "keyword"}}}}}
ROOT = {"name": "n", "version": {"distribution": "opensearch", "number": "2.11.0"}, "tagline": "The OpenSearch Project"}
HTML = {"content-type": "text/html; charset=utf-8"}
SECURED = {"error": {"type": "security_exception", "reason": "missing authentication credentials"}, "status": 401}
STRANGERS = {
    "an old server": (Says({"/": {"version": {"number": "6.8.0"}, "tagline": ""}, "/books": MAPPING}), "so old"),
    "a site": (Says({"/": "<html><body>Welcome</body></html>"}, headers=HTML), "web site"),
    "an api": (Says({"/": {"hello": 1}}), "Another kind of server"),
    "text": (Says({"/": "pong"}, headers={"content-type": "text/plain"}), "Another kind of server"),
    "a list": (Says({"/": [1]}), "Another kind of server"),
    "bytes": (Says({"/": "\x00\x01"}, headers={"content-type": "application/octet-stream"}), "Another kind of server"),
    "JSON that is cut": (Says({"/": '{"a": '}), "Another kind of server"),
    "nothing": (Says({"/": ""}, headers={"content-type": ""}), "Another kind of server"),
    "an api without such a path": (Says({"/": {"hello": 1}, "/books": {"message": "Not Found"}}, 404), "Another kind"),
    "a site without such a page": (
        Says({"/": "<!DOCTYPE html><html></html>", "/books": "<html>404</html>"}, 404, HTML), "web site"),
    "a server that takes no such request": (
        Says({"/": "<html></html>", "/books": "no"}, 405, {"content-type": "text/plain"}), "web site"),
    "a site that sends elsewhere": (
        Says({"/": ""}, 302, {**HTML, "location": "https://login.example/"}), "web site"),
    "credentials": (Says({"/": SECURED}, 401), "does not accept the credentials"),
    "credentials of a site": (Says({"/": "<html>no</html>"}, 401, HTML), "does not accept the credentials"),
    "rights": (Says({"/": SECURED}, 403), "may not search here"),
}  # fmt: skip


def is_told(outcome: Any, said: str) -> None:
    assert isinstance(outcome, Failed)
    assert said in outcome.message
    assert "cannot be read" not in outcome.message
    assert not TECHNICAL.search(outcome.message), outcome.message


@pytest.mark.parametrize("name", STRANGERS)
async def test_a_server_of_another_kind_is_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    says, said = STRANGERS[name]
    with serving(says) as url:
        with qlc.connect(url) as client:
            is_told(qlc.Compiler(client, index="books").run("count entries"), said)
        client = qlc.connect_async(url)
        is_told(await qlc.Compiler(client, index="books").run_async("count entries"), said)
        await client.close()
        lines = tmp_path / "books.ndjson"
        lines.write_text('{"title": "a"}\n')
        for command in (
            ["run", "count entries", "--url", url, "--index", "books"],
            ["run", "count entries", "--url", url],
            ["index", str(lines), "--url", url],
        ):
            assert main(command) == 5
            shown = capsys.readouterr()
            assert said in shown.out + shown.err, command


@pytest.mark.parametrize("headers", [{}, {"x-opensearch-version": "OpenSearch/3.0"}])
async def test_a_client_that_speaks_only_to_elasticsearch_tells_of_opensearch(headers: Mapping[str, str]) -> None:
    with serving(Says({"/": {} if headers else ROOT, "/books": MAPPING}, headers=headers)) as url:
        with Elasticsearch(url) as client:
            is_told(qlc.Compiler(client, index="books").run("count entries"), "is OpenSearch")
        async with AsyncElasticsearch(url) as client:
            is_told(await qlc.Compiler(client, index="books").run_async("count entries"), "is OpenSearch")


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ATTEMPTS", 1)


def _free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def both(url: str, **more: Any) -> list[Any]:
    with qlc.connect(url, **more) as client:
        found = [qlc.Compiler(client, index="books").run("count entries", deadline=20)]
    asynchronous = qlc.connect_async(url, **more)
    found.append(await qlc.Compiler(asynchronous, index="books").run_async("count entries", deadline=20))
    await asynchronous.close()
    return found


async def test_where_nothing_listens(once: None) -> None:
    for outcome in await both(f"http://127.0.0.1:{_free()}"):
        is_told(outcome, "nothing listens")


async def test_a_server_without_tls(once: None) -> None:
    with serving(STRANGERS["an api"][0]) as url:
        for outcome in await both(url.replace("http:", "https:")):
            is_told(outcome, "does not speak TLS")


async def test_a_server_that_closes_the_connection(once: None) -> None:
    """As one with TLS does if it is spoken to without."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def closing() -> None:
            while True:
                try:
                    made, _ = listening.accept()
                except OSError:
                    return
                made.recv(65_536)
                made.close()

        threading.Thread(target=closing, daemon=True).start()
        for outcome in await both(f"http://127.0.0.1:{listening.getsockname()[1]}"):
            is_told(outcome, "speaks TLS")
        listening.shutdown(socket.SHUT_RDWR)


REFUSED: dict[str, tuple[Any, dict[str, str]]] = rows(__file__, "REFUSED")


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("path", ["/books/_bulk", "/books/_mapping"])
def test_a_refused_load_tells_what_the_server_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, path: str
) -> None:
    body, headers = REFUSED[name]
    product = {"x-elastic-product": "Elasticsearch", **headers}
    lines = tmp_path / "books.ndjson"
    lines.write_text('{"title": "a"}\n')
    bodies = {"/": {"count": 0}, "/books": {}, path: body}
    with serving(Says(bodies, 400, product)) if path.endswith("mapping") else _refusing(bodies, product) as url:
        # Made anew: of an index that is there the mapping would be read, which here is a page or a text, too.
        assert main(["index", str(lines), "--fresh", "--url", url, "--api-key", "c2VjcmV0a2V5OnNlY3JldA=="]) == 5
    said = capsys.readouterr().err
    assert re.search(r"refused the request\. \(400 .*SAID limit", said), said
    assert "<" not in said
    assert "c2VjcmV0" not in said


@contextmanager
def _refusing(bodies: dict[str, Any], headers: dict[str, str]) -> Iterator[str]:
    """A server that takes the mapping and refuses the documents."""
    with serving(Says(bodies, 200, headers)) as url:
        original = BaseHTTPRequestHandler.send_response

        def send_response(self: BaseHTTPRequestHandler, code: int, message: str | None = None) -> None:
            original(self, 400 if "_bulk" in self.path else code, message)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseHTTPRequestHandler, "send_response", send_response)
            yield url
