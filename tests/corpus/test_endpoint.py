"""Vectors made by an inference endpoint of the server, which answers as Elasticsearch documents it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from qlc.base.errors import RequestFailed, UsageError
from qlc.cli.main import main
from qlc.corpus.corpus import Corpus
from qlc.outcome import Unsupported
from tests.corpora import written
from tests.faults.proxy import JSON, Answer, FaultProxy, error, says, server_behind
from tests.servers.fixtures import RealElasticsearch

from .test_search import FILES, SCHEMA, Concepts

NAME = "corpus-endpoint"
PATH = "/_inference/text_embedding/concepts"


@pytest.fixture
def server(real_elasticsearch_8: RealElasticsearch) -> Iterator[FaultProxy]:
    """A real server with the endpoint `concepts`, whose vectors are five times as long as they should be."""
    search = server_behind(real_elasticsearch_8.url)

    def upstream(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        if method != "POST" or target != PATH:
            return search(method, target, headers, body)
        vectors = Concepts().embed(json.loads(body)["input"])
        found = [{"embedding": [5 * number for number in vector]} for vector in vectors]
        return Answer(200, JSON, json.dumps({"text_embedding": found}).encode())

    proxy = FaultProxy(upstream)
    yield proxy
    proxy.stop()
    with real_elasticsearch_8.client() as client:
        client.indices.delete(index=NAME, ignore_unavailable=True)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "corpus.yaml").write_text(SCHEMA, "utf-8")
    return written(tmp_path / "files", FILES), tmp_path / "corpus.yaml"


def is_inference(exchange: object) -> bool:
    return getattr(exchange, "path", "").startswith("/_inference")


def test_a_corpus_remembers_its_endpoint(
    server: FaultProxy, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, schema = files
    assert main(["corpus", "add", NAME, str(folder), "--schema", str(schema), "--url", server.url]) == 0
    assert main(["corpus", "embed", NAME, "--endpoint", "concepts", "--url", server.url]) == 0
    assert capsys.readouterr().out.endswith("passages embedded.\n")
    with Corpus.open(NAME, url=server.url) as corpus:
        assert corpus.vectors_by == "inference:concepts"
        found = corpus.compiler().run('find contracts where about "exit" by meaning')
        assert [hit.name for hit in found.hits][:2] == ["Rental", "Supply"]
    with pytest.raises(UsageError, match="were made by inference:concepts, and not by inference:other"):
        Corpus.open(NAME, url=server.url, embedder="other")


def test_an_endpoint_that_fails_is_named(server: FaultProxy, files: tuple[Path, Path]) -> None:
    folder, schema = files
    with Corpus.create(NAME, schema, url=server.url, embedder="concepts", max_retries=0) as corpus:
        corpus.add(folder, processes=1)
        with (
            server.failing(says(200, {"text_embedding": []}), when=is_inference),
            pytest.raises(RequestFailed, match="returned 0 vectors"),
        ):
            corpus.embed()
        corpus.embed()
        refused = error(403, "security_exception", "current license is non-compliant for [inference]")
        with server.failing(refused, when=is_inference):
            outcome = corpus.compiler().run('find contracts where about "exit" by meaning')
        assert isinstance(outcome, Unsupported)
        assert outcome.what == "no-vector"
        assert "non-compliant" in outcome.message


def test_a_real_server_has_no_such_endpoint(real_elasticsearch_8: RealElasticsearch, files: tuple[Path, Path]) -> None:
    with Corpus.create(NAME, files[1], url=real_elasticsearch_8.url, embedder="concepts") as corpus:
        corpus.add(files[0], processes=1)
        try:
            with pytest.raises(RequestFailed, match=r"concepts|license"):
                corpus.embed()
        finally:
            corpus.delete()
