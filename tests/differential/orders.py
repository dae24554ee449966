"""Answers without the orders that OpenSearch has of its own: of documents without an id, and of estimates.

Before 3.3 it has no `_shard_doc`, so documents that the catalog gives no id tie in the order of `_id`, and not of the
index. Rows whose first measure is a percentile stand in the order of its estimates.
"""

import json
import re
from typing import Any

Answer = dict[str, Any]


def in_one_order(text: str, answer: Answer, *, has_ids: bool, has_estimates: bool) -> Answer:
    """Return the parts of an answer that do not depend on these orders: hits and rows sorted, all of a list or none."""
    if not has_ids and re.search(r"\b(?:limit|top)\s+\d", text):
        return {"kind": f"{answer['kind']}, not compared"}
    if not has_ids and answer["kind"] == "hits":
        hits, total = answer["hits"], answer["total"]
        some = {name: answer[name] for name in ("kind", "query", "total", "matching", "notes") if name in answer}
        return {**some, "hits": _sorted(hits) if len(hits) == total else []}
    if has_estimates and answer["kind"] == "aggregate":
        rows = {name: one for name, one in answer.items() if name not in ("message", "next page")}
        return {**rows, "rows": _sorted(answer["rows"])}
    return {name: one for name, one in answer.items() if not (has_estimates and name == "message")}


def _sorted(parts: list[Any]) -> list[Any]:
    return sorted(parts, key=lambda one: json.dumps(one.get("key", one), sort_keys=True))
