"""A node of a cluster is lost while files are added to a corpus: nothing of them is. `make soak` runs it."""

import threading
from contextlib import suppress
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from qlc.base.errors import RequestFailed, UsageError
from qlc.corpus.adding import Step
from qlc.corpus.corpus import Corpus
from tests.corpus.kills import SCHEMA, records, slip
from tests.faults.conftest import ALL
from tests.servers import ElasticsearchCluster
from tests.servers.fixtures import require_build

pytestmark = pytest.mark.skipif(not ALL, reason="a cluster of three nodes: `make soak` runs it")
FILES = 600


def test_a_corpus_loses_nothing_with_a_node(tmp_path: Path) -> None:
    require_build(8)
    (tmp_path / "corpus.yaml").write_text(SCHEMA, "utf-8")
    for number in range(FILES):
        slip(tmp_path / "files", number, total=number)
    with Corpus.create(tmp_path / "whole", tmp_path / "corpus.yaml") as corpus:
        corpus.add(tmp_path / "files")
        expected = records(corpus)
    with ElasticsearchCluster(nodes=3, heap_mb=384) as cluster:
        client = Elasticsearch(cluster.urls, retry_on_timeout=True, max_retries=5, request_timeout=60)
        with client, Corpus.create("slips", tmp_path / "corpus.yaml", client=client, shards=3) as corpus:
            client.cluster.health(wait_for_status="green", timeout="60s")
            lost = threading.Event()

            def lose(step: Step) -> None:
                if step.done > FILES // 3 and not lost.is_set():
                    lost.set()
                    cluster.servers[0].kill()

            with suppress(RequestFailed, UsageError):  # it may end with an error, which the next run makes good
                corpus.add(tmp_path / "files", progress=lose)
            assert lost.is_set()
            client.cluster.health(wait_for_nodes="2", wait_for_status="yellow", timeout="50s")
            corpus.add(tmp_path / "files")
            assert records(corpus) == expected
