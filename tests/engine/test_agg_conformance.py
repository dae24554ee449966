"""Raw aggregation requests over a small awkward corpus, with the answers that Elasticsearch 8.19 gave.

`test_agg_conformance.json` holds mapping, documents and cases. The embedded engine is compared with the recorded
answers; where a real server is at hand, so is the server (`QLC_RECORD=1` writes down what it says instead).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import ApiError, Elasticsearch

from qlc_engine.engine import Engine
from qlc_engine.node import node_class
from tests.servers.fixtures import RealElasticsearch

FIXTURE = Path(__file__).with_suffix(".json")
RECORDED: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
INDEX = "agg-conformance"

#: sums of floats may differ in the last bits
RELATIVE = 1e-12


@pytest.fixture(scope="module")
def embedded() -> Iterator[Elasticsearch]:
    with Engine.open(None) as engine:
        client = Elasticsearch("http://embedded:9200", node_class=node_class(engine))
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
    """The aggregations of the answer, or status and types of the error."""
    try:
        answer = client.perform_request(
            "POST",
            f"/{INDEX}/_search",
            params={"size": "0"},
            headers={"accept": "application/json", "content-type": "application/json"},
            body=body,
        )
    except ApiError as error:
        found = error.body["error"]
        roots = found["root_cause"]
        return {"status": error.status_code, "type": found["type"], "root": roots[0]["type"] if roots else None}
    return {"aggregations": answer.body["aggregations"]}


def difference(expected: Any, found: Any, at: str = "") -> str | None:
    """The first place where two answers differ; key order counts only among keyed buckets."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if expected.keys() != found.keys():
            return f"{at}: keys {sorted(expected)} / {sorted(found)}"
        if at.endswith(".buckets") and list(expected) != list(found):
            return f"{at}: order {list(expected)} / {list(found)}"
        pairs: list[tuple[str, Any, Any]] = [(f"{at}.{key}", expected[key], found[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{at}: {len(expected)} / {len(found)} entries"
        pairs = [(f"{at}[{i}]", *pair) for i, pair in enumerate(zip(expected, found, strict=True))]
    elif isinstance(expected, float) and isinstance(found, float):
        return None if math.isclose(expected, found, rel_tol=RELATIVE) else f"{at}: {expected!r} / {found!r}"
    else:
        same = type(expected) is type(found) and expected == found
        return None if same else f"{at}: {expected!r} / {found!r}"
    return next((told for where, a, b in pairs if (told := difference(a, b, where)) is not None), None)


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["name"])
def test_embedded_engine_answers_as_recorded(embedded: Elasticsearch, case: dict[str, Any]) -> None:
    assert difference(case["answer"], ask(embedded, case["body"])) is None


def test_server_answers_as_recorded(real_elasticsearch_8: RealElasticsearch) -> None:
    client = real_elasticsearch_8.client()
    load(client)
    told = {case["name"]: ask(client, case["body"]) for case in RECORDED["cases"]}
    client.indices.delete(index=INDEX)
    if os.environ.get("QLC_RECORD"):
        write({**RECORDED, "cases": [{**case, "answer": told[case["name"]]} for case in RECORDED["cases"]]})
        return
    differing = {case["name"]: difference(case["answer"], told[case["name"]]) for case in RECORDED["cases"]}
    assert {name: told for name, told in differing.items() if told is not None} == {}


def write(recorded: dict[str, Any]) -> None:
    """One line per document and case, so that changes can be read."""
    lines = ["{", f'"mappings": {json.dumps(recorded["mappings"])},', '"documents": [']
    lines.append(",\n".join(json.dumps(document, ensure_ascii=False) for document in recorded["documents"]))
    lines.extend(["],", '"cases": ['])
    lines.append(",\n".join(json.dumps(case, ensure_ascii=False) for case in recorded["cases"]))
    lines.extend(["]", "}", ""])
    FIXTURE.write_text("\n".join(lines), encoding="utf-8")
