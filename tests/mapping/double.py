"""A client double: the few requests that the mapping package sends, answered from documents in memory."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Document = Mapping[str, Any]


class IndexDouble:
    """`client.indices.get_mapping`, `get_settings` and `client.search` over one index."""

    def __init__(self, index: str, body: Mapping[str, Any], documents: list[tuple[str, Document]]) -> None:
        self.index = index
        self.documents = documents
        self.sub_fields = {"keyword", "folded"}
        self.requests: list[dict[str, Any]] = []
        self.indices = SimpleNamespace(
            get_mapping=lambda index: SimpleNamespace(body=self._by_name({"mappings": body["mappings"]})),
            get_settings=lambda index: SimpleNamespace(body=self._by_name({"settings": body.get("settings", {})})),
        )

    def _by_name(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        return {self.index: answer}

    def search(self, *, index: str, **body: Any) -> dict[str, Any]:
        assert index == self.index
        self.requests.append(body)
        found = [(key, one) for key, one in self.documents if self._matches(one, body.get("query"))]
        hits = [{"_id": key, "_source": one} for key, one in found[: body.get("size", 10)]]
        return {
            "hits": {"total": {"value": len(found)}, "hits": hits},
            "aggregations": {
                name: self._aggregate(one, [source for _, source in found])
                for name, one in body.get("aggs", {}).items()
            },
        }

    def _matches(self, source: Document, query: Mapping[str, Any] | None) -> bool:
        if query is None:
            return True
        ((kind, of),) = query.items()
        if kind == "exists":
            return any(True for _ in self.values(source, of["field"]))
        if kind == "nested":
            return self._matches(source, of["query"])
        assert kind == "terms", kind
        ((path, values),) = of.items()
        return any(str(value) in values for value in self.values(source, path))

    def _aggregate(self, aggregation: Mapping[str, Any], documents: list[Document]) -> dict[str, Any]:
        if "nested" in aggregation:
            return {"inner": self._aggregate(aggregation["aggs"]["inner"], documents)}
        if "filters" in aggregation:
            counted: Callable[[Any], int] = lambda query: sum(self._matches(one, query) for one in documents)  # noqa: E731
            filters = aggregation["filters"]["filters"]
            return {"buckets": {name: {"doc_count": counted(query)} for name, query in filters.items()}}
        terms = aggregation["terms"]
        counts = Counter(str(value) for one in documents for value in set(self.values(one, terms["field"])))
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return {"buckets": [{"key": key, "doc_count": count} for key, count in ordered[: terms["size"]]]}

    def values(self, node: Any, path: str) -> Iterator[Any]:
        if isinstance(node, list):
            for item in node:
                yield from self.values(item, path)
        elif not path or path in self.sub_fields:
            if node is not None:
                yield json.dumps(node) if isinstance(node, dict) else node
        elif isinstance(node, dict):
            head, _, rest = path.partition(".")
            if head in node:
                yield from self.values(node[head], rest)


def index_double(index: str, mapping: Path, documents: Path, key: str | None) -> IndexDouble:
    """The double of an index whose mapping and documents are in files; `key` is the field that is the _id."""
    with gzip.open(documents, "rt", encoding="utf-8") as lines:
        sources = [json.loads(line) for line in lines]
    keyed = [(str(_at(source, key)) if key else str(number), source) for number, source in enumerate(sources)]
    return IndexDouble(index, json.loads(mapping.read_text("utf-8")), keyed)


def _at(source: Document, path: str) -> Any:
    value: Any = source
    for part in path.split("."):
        value = value[part]
    return value
