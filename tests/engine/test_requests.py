"""Requests and their answers, as pairs of files in requests/: each title has an engine of its own."""

import json
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion

from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.pairs import Case, check_beside, pairs, readable, report

LEFT_OUT = {"took", "timed_out", "_shards", "shards_acknowledged", "_primary_term", "index_uuid", "shard", "root_cause"}
"""Parts of a response that are ignored: they differ each time."""


FOLDER = Path(__file__).parent / "requests"


@pairs(FOLDER, "requests")
def test_requests_are_answered_as_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    engines: dict[str, Asked] = {}

    def answered(case: Case) -> str:
        asked = engines.setdefault(case.title, Asked(Engine.open(None)))
        method, target, *body = case.source.split(" ", 2)
        sent = "".join(body)
        if "_bulk" in target or "_msearch" in target:
            sent = "".join(json.dumps(line) + "\n" for line in json.loads(sent))
        status, _, answer = asked.engine.handle(method, target, sent.encode())
        shown = readable(plain(json.loads(answer))) if answer else ""
        return f"{status} {shown}".encode("utf-8", "backslashreplace").decode()

    check_beside(path, report(path, answered), snapshot)
    for asked in engines.values():
        asked.engine.close()


def plain(answer: Any) -> Any:
    """Return a response without the ignored parts; of hits their ids, sources and places."""
    if isinstance(answer, list):
        return [plain(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    if "hits" in answer and isinstance(answer["hits"], dict):
        names = ("_id", "_source", "sort", "fields")
        shown = [{name: hit[name] for name in names if name in hit} for hit in answer["hits"]["hits"]]
        more = {"aggregations": answer["aggregations"]} if "aggregations" in answer else {}
        return {"total": answer["hits"]["total"]["value"], "hits": shown, **more}
    return {name: plain(one) for name, one in answer.items() if name not in LEFT_OUT}
