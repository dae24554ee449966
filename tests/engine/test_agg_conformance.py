"""Aggregations over a small awkward corpus in several segments, with the answers that Elasticsearch 8.19 gave.

`test_agg_conformance.json` holds mapping, documents and cases. The embedded engine is compared with the recorded
answers; where a real server is at hand, so is the server.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import qlc_engine
from tests.conformance.comparing import differences
from tests.servers.fixtures import RealElasticsearch

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
INDEX = "agg-conformance"


@pytest.fixture(scope="module")
def embedded() -> Iterator[Elasticsearch]:
    with qlc_engine.Elasticsearch() as client:
        load(client)
        yield client


def load(client: Elasticsearch) -> None:
    """The corpus in three segments, one document deleted again."""
    client.options(ignore_status=404).indices.delete(index=INDEX)
    client.indices.create(index=INDEX, mappings=RECORDED["mappings"], settings={"number_of_shards": 1})
    for number, document in enumerate([*RECORDED["documents"], {"k": "deleted", "n": 77, "f": 7.5}]):
        client.index(index=INDEX, id=str(number), document=document, refresh=number % 2 == 1)
    client.delete(index=INDEX, id=str(len(RECORDED["documents"])), refresh=True)


def ask(client: Elasticsearch, body: dict[str, Any]) -> dict[str, Any]:
    """The aggregations of the answer, or the status of the error."""
    answer = client.options(ignore_status=[400, 500, 503]).search(index=INDEX, body={"size": 0, **body})
    if answer.meta.status != 200:
        return {"status": answer.meta.status}
    return {"aggregations": answer.body["aggregations"]}


def differing(client: Elasticsearch) -> dict[str, list[str]]:
    """Return the differences from the recorded answers, by case."""
    found = {case["name"]: differences(case["answer"], ask(client, case["body"])) for case in RECORDED["cases"]}
    return {name: told for name, told in found.items() if told}


def test_embedded_engine_answers_as_recorded(embedded: Elasticsearch) -> None:
    assert differing(embedded) == {}


def test_server_answers_as_recorded(real_elasticsearch_8: RealElasticsearch) -> None:
    client = real_elasticsearch_8.client()
    load(client)
    try:
        assert differing(client) == {}
    finally:
        client.indices.delete(index=INDEX)
