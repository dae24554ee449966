"""OpenSearch as a server: by its address and over the application's own client of it, in both APIs."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import opensearchpy
import pytest
from elastic_transport import ApiResponseMeta, HttpHeaders, NodeConfig
from elastic_transport._node import NodeApiResponse
from elasticsearch import Elasticsearch

import qlc
from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.resolver import driver
from qlc.store.opensearch import ROOT, Sent, Server
from tests.servers.fixtures import RealElasticsearch
from tests.tables import rows

DOCUMENTS = 250
KEYWORD = {"type": "keyword"}
LONG = {"type": "text", "fields": {"keyword": {**KEYWORD, "ignore_above": 5}}}
MAPPINGS = {"properties": {"name": KEYWORD, "n": {"type": "long"}, "note": LONG}}


@pytest.fixture(scope="module")
def url(real_opensearch: RealElasticsearch) -> Iterator[str]:
    """The address of a server with an index in it: over three shards, and without a field that is an id."""
    with qlc.connect(real_opensearch.url) as client:
        client.indices.create(index="things", mappings=MAPPINGS, settings={"number_of_shards": 3})
        lines: list[Any] = []
        for number in range(DOCUMENTS):
            note = "much longer than five" if number < 7 else "short"
            lines += [{"index": {"_index": "things"}}, {"name": f"thing {number % 10}", "n": number, "note": note}]
        assert not client.bulk(operations=lines, refresh=True)["errors"]
        yield real_opensearch.url
        client.indices.delete(index="things")


@pytest.fixture(params=["an address", "a client of opensearch-py"])
def client(url: str, request: pytest.FixtureRequest) -> Iterator[Elasticsearch]:
    given = url if request.param == "an address" else opensearchpy.OpenSearch(url)
    with qlc.connect(given) as client:
        yield client


def test_programs_are_answered(client: Elasticsearch) -> None:
    compiler = qlc.Compiler(client, index="things")
    assert compiler.run("count entries where n >= 240").message == "10 entries."
    assert compiler.run('count entries where name = ""').message == "0 entries."
    assert compiler.run('sum(n) of entries where name = "thing 9"').value == 3225


def test_pages_hold_every_document_once(client: Elasticsearch) -> None:
    """They are read in a point in time, whose places need a key that is unique over all shards."""
    prepared = qlc.Compiler(client, index="things").prepare("find all entries sort name")
    found, cursor = [], None
    while True:
        page = prepared.run(size=40, cursor=cursor)
        found += page.ids
        cursor = page.cursor
        if cursor is None:
            break
    assert len(found) == len(set(found)) == DOCUMENTS


def test_values_that_are_too_long_are_told(client: Elasticsearch) -> None:
    (note,) = qlc.Compiler(client, index="things").run("count entries by note").notes
    assert note.startswith("7 entries have a value of 'note' that the index left out")


def test_failures_are_those_of_elasticsearch(client: Elasticsearch, tmp_path: Path) -> None:
    gone = qlc.Compiler(client, index="nothing").run("count entries")
    with qlc.connect(tmp_path / "folder") as embedded:
        expected = qlc.Compiler(embedded, index="nothing").run("count entries")
    assert (gone.kind, gone.reason, gone.message) == (expected.kind, expected.reason, expected.message)


@pytest.mark.parametrize("over", ["an address", "a client of opensearch-py"])
async def test_the_asynchronous_api(url: str, over: str) -> None:
    theirs = opensearchpy.AsyncOpenSearch(url)
    client = qlc.connect_async(url if over == "an address" else theirs)
    compiler = qlc.Compiler(client, index="things")
    counts = await asyncio.gather(*(compiler.run_async(f"count entries where n < {n}") for n in range(5)))
    assert [outcome.value for outcome in counts] == list(range(5))
    page = await compiler.run_async("find all entries sort name", size=200)
    rest = await compiler.run_async("find all entries sort name", size=200, cursor=page.cursor)
    assert len({*page.ids, *rest.ids}) == DOCUMENTS
    await client.close()
    await theirs.close()


def test_a_file_is_loaded_and_asked(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "loaded.ndjson"
    file.write_text("".join(json.dumps({"id": f"n{at}", "title": f"Note {at}"}) + "\n" for at in range(30)), "utf-8")
    for more in ((), (), ("--fresh",)):
        assert main(["index", str(file), "--url", url, "--id", "id", *more]) == 0
    assert main(["run", 'count entries where title = "Note 7"', "--url", url, "--index", "loaded"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 entry."
    with qlc.connect(url) as client:
        client.indices.delete(index="loaded")


def test_the_wrong_kind_of_client_is_refused() -> None:
    with pytest.raises(UsageError, match="connect_async an AsyncOpenSearch"):
        qlc.connect_async(opensearchpy.OpenSearch("http://localhost:1"))


def test_a_server_of_opensearch_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ATTEMPTS", 1)
    with qlc.connect(opensearchpy.OpenSearch("http://127.0.0.1:9")) as client:
        outcome = qlc.Compiler(client, index="things").run("count entries", deadline=20)
    assert outcome.reason == "unreachable"


def test_a_large_answer_of_their_client_is_refused(url: str) -> None:
    with qlc.connect(opensearchpy.OpenSearch(url), max_answer_bytes=500) as client:
        assert qlc.Compiler(client, index="things").run("find all entries").reason == "too-large"


# --- what is sent ----------------------------------------------------------------------------------------------------

CONFIG = NodeConfig("http", "localhost", 9200)
VENDOR = {"content-type": "application/vnd.elasticsearch+json; compatible-with=9"}
DENSE = {"type": "dense_vector", "dims": 2, "index": True, "similarity": "cosine"}
METHOD = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
KNN = {"type": "knn_vector", "dimension": 2, "method": METHOD}
TRANSLATED: dict[str, tuple[str, str, Any, str, Any]] = rows(__file__, "TRANSLATED")


@pytest.mark.parametrize("name", TRANSLATED)
def test_what_is_sent(name: str) -> None:
    method, target, body, expected_target, expected = TRANSLATED[name]
    data = None if body is None else json.dumps(body).encode()
    exchange = Server(opensearch=(2, 19)).exchange(Sent(method, target, data, VENDOR))
    sent = next(exchange)
    assert (sent.method, sent.target) == (method, expected_target)
    assert (None if sent.body is None else json.loads(sent.body)) == expected
    assert sent.headers["content-type"] == "application/json"


def test_newer_versions_have_places_in_points_in_time() -> None:
    body = json.dumps({"sort": [{"_shard_doc": "asc"}]}).encode()
    assert next(Server(opensearch=(3, 9)).exchange(Sent("POST", "/_search", body))).body is not None
    assert json.loads(next(Server(opensearch=(3, 9)).exchange(Sent("POST", "/_search", body))).body) == json.loads(body)


def _answer(status: int, body: Any, headers: Mapping[str, str] | None = None) -> NodeApiResponse:
    meta = ApiResponseMeta(status, "1.1", HttpHeaders(headers or {}), 0.0, CONFIG)
    return NodeApiResponse(meta, json.dumps(body).encode())


def _ended(exchange: Any, answer: NodeApiResponse) -> NodeApiResponse:
    with pytest.raises(StopIteration) as end:
        exchange.send(answer)
    return end.value.value


def test_elasticsearch_is_asked_nothing_more() -> None:
    server, wanted = Server(), Sent("GET", "/a/_mapping", None, VENDOR)
    exchange = server.exchange(wanted)
    assert next(exchange) == wanted
    _ended(exchange, _answer(200, {}, {"x-elastic-product": "Elasticsearch"}))
    assert server.is_elasticsearch


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_an_error_on_the_way_says_nothing_of_the_kind(status: int) -> None:
    server = Server()
    exchange = server.exchange(Sent("GET", "/a/_mapping"))
    next(exchange)
    assert _ended(exchange, _answer(status, {})).meta.status == status
    assert not server.is_elasticsearch


def test_what_was_done_is_not_sent_again() -> None:
    exchange = Server().exchange(Sent("DELETE", "/a"))
    next(exchange)
    assert exchange.send(_answer(200, {"acknowledged": True})) == ROOT
    root = {"version": {"distribution": "opensearch", "number": "2.19.6"}}
    assert json.loads(_ended(exchange, _answer(200, root)).body) == {"acknowledged": True}
