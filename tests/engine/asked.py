"""An engine asked as a client asks it: by method, path and JSON."""

import json
from dataclasses import dataclass
from typing import Any

from qlc_engine import Engine


@dataclass
class Asked:
    """An engine with short ways to ask it."""

    engine: Engine

    def ask(self, method: str, target: str, body: Any = None) -> tuple[int, Any]:
        """Status and parsed body; a list goes as lines of JSON."""
        if isinstance(body, list):
            sent = "".join(json.dumps(line) + "\n" for line in body).encode()
        else:
            sent = b"" if body is None else json.dumps(body).encode()
        status, _, answered = self.engine.handle(method, target, sent)
        return status, json.loads(answered) if answered else None

    def ok(self, method: str, target: str, body: Any = None) -> Any:
        status, answered = self.ask(method, target, body)
        assert status in (200, 201), answered
        return answered

    def put(self, index: str, documents: dict[str, dict[str, Any]]) -> None:
        """Indexes the documents by id and makes them visible."""
        lines: list[Any] = []
        for doc_id, document in documents.items():
            lines += [{"index": {"_id": doc_id}}, document]
        answered = self.ok("POST", f"/{index}/_bulk?refresh=true", lines)
        assert not answered["errors"], answered

    def ids(self, index: str, query: dict[str, Any], **body: Any) -> list[str]:
        answered = self.ok("POST", f"/{index}/_search", {"size": 1000, "query": query, "_source": False, **body})
        return [hit["_id"] for hit in answered["hits"]["hits"]]
