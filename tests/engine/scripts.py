"""Asks an engine what scripts mean; records the answers of an OpenSearch, which has Painless where ours has a subset.

    python -m tests.servers start opensearch2 --port 9209
    python -m tests.engine.scripts http://127.0.0.1:9209
"""

import json
import sys
from pathlib import Path
from typing import Any

from elastic_transport import NodeConfig, Transport

from tests.tables import table

FILE = __file__.replace("scripts.py", "test_scripts.yaml")
RECORDED = Path(FILE).with_suffix(".json")
INDEX = "scripts"
PARAMS: dict[str, Any] = table(FILE, "PARAMS")
DOCUMENTS: list[dict[str, Any]] = table(FILE, "DOCUMENTS")

Answer = dict[str, Any]


def perform(transport: Transport, method: str, target: str, body: Any = None) -> tuple[int, Any]:
    """Status and body of one request."""
    headers = {"content-type": "application/json", "accept": "application/json"}
    answer = transport.perform_request(method, target, body=body, headers=headers)
    return answer.meta.status, answer.body


def load(transport: Transport) -> None:
    """The documents in three segments, one more that is deleted again."""
    perform(transport, "DELETE", f"/{INDEX}")
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    created = perform(transport, "PUT", f"/{INDEX}", {"mappings": table(FILE, "MAPPINGS"), "settings": settings})
    assert created[0] == 200, created
    for number, document in enumerate([*DOCUMENTS, {"k2": "deleted"}]):
        refresh = "true" if number % 3 == 1 else "false"
        status, body = perform(transport, "PUT", f"/{INDEX}/_doc/{number}?refresh={refresh}", document)
        assert status in (200, 201), body
    perform(transport, "POST", f"/{INDEX}/_refresh")
    perform(transport, "DELETE", f"/{INDEX}/_doc/{len(DOCUMENTS)}?refresh=true")


def _script(source: str) -> dict[str, Any]:
    return {"lang": "painless", "source": source, "params": PARAMS}


def value(transport: Transport, source: str, document: int) -> Any:
    """The number that a script has for a document, as the sort value; a list with the reason for an error."""
    sort = [{"_script": {"type": "number", "script": _script(source)}}]
    return _of_one(transport, {"query": {"ids": {"values": [str(document)]}}, "sort": sort}, "sort")


def matches(transport: Transport, source: str, document: int) -> Any:
    """Whether a script is true for a document; a list with the reason for an error."""
    conditions = [{"ids": {"values": [str(document)]}}, {"script": {"script": _script(source)}}]
    return _of_one(transport, {"query": {"bool": {"filter": conditions}}}, "_id")


def _of_one(transport: Transport, body: Any, key: str) -> Any:
    status, answer = perform(transport, "POST", f"/{INDEX}/_search", body)
    if status != 200 or answer["_shards"].get("failed"):
        return [status, *_reasons(answer)]
    hits = answer["hits"]["hits"]
    if key == "_id":
        return bool(hits)
    return hits[0]["sort"][0]


def _reasons(answer: Any) -> list[str]:
    error = answer["error"]
    cause = (error.get("failed_shards") or [{"reason": error}])[0]["reason"]
    found = []
    while cause is not None:
        found.append(str(cause.get("reason")))
        cause = cause.get("caused_by")
    return found




def answer(transport: Transport, body: Any) -> Answer:
    """The answer to a request, without what differs from run to run."""
    status, found = perform(transport, "POST", f"/{INDEX}/_search", {"_source": False, **body})
    if status != 200 or found["_shards"].get("failed"):
        return {"status": status, "reasons": _reasons(found)}
    for hit in found["hits"]["hits"]:
        hit.pop("_index")
    return {"hits": found["hits"], "aggregations": found.get("aggregations", {})}


def ask(transport: Transport) -> dict[str, Any]:
    """All answers of an engine."""
    numbers = range(len(DOCUMENTS))
    load(transport)
    return {
        "VALUES": {one: [value(transport, one, number) for number in numbers] for one in table(FILE, "VALUES")},
        "FILTERS": {one: [matches(transport, one, number) for number in numbers] for one in table(FILE, "FILTERS")},
        "REFUSED": {one: [value(transport, one, number) for number in numbers] for one in table(FILE, "REFUSED")},
        "BODIES": {name: answer(transport, body) for name, body in table(FILE, "BODIES").items()},
        "REFUSED_BODIES": {name: answer(transport, one) for name, one in table(FILE, "REFUSED_BODIES").items()},
    }


def connected(url: str) -> Transport:
    """A server as the tests start it: it compiles as many scripts as are asked."""
    scheme, _, place = url.partition("://")
    host, _, port = place.rstrip("/").partition(":")
    return Transport([NodeConfig(scheme, host, int(port), "")])


def main(url: str) -> None:
    """Record the answers of the server at this address."""
    answers = ask(connected(url))
    RECORDED.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
