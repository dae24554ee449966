"""Sends the requests of a case and leaves of the answers what two servers must agree on."""

import json
import re
from collections.abc import Mapping
from typing import Any

from elasticsearch import Elasticsearch

from tests.conformance.cases import Case, Request

Answer = dict[str, Any]
_VOLATILE = frozenset({"took", "_shards", "pit_id", "_scroll_id", "index_uuid", "ingest_took", "num_reduce_phases"})
_HIDDEN = "<kept>"
_UUID = re.compile(r"\[([^/\[\]]+)/[\w-]{22}\]")


def ask(client: Elasticsearch, case: Case) -> list[Answer]:
    """The status and the comparable body of each answer."""
    kept: dict[str, Any] = {}
    answers = []
    for request in case.requests:
        status, body = send(client, request, kept)
        hidden = {path for path in request.keep.values() if "." not in path}
        for name, path in request.keep.items():
            kept[name] = _part(body, path)
        answers.append({"status": status, "body": _comparable(body, hidden)})
    return answers


def send(client: Elasticsearch, request: Request, kept: Mapping[str, Any]) -> tuple[int, Any]:
    """Send one request as it stands, past the checks of the client's methods."""
    body = _filled(request.body, kept)
    lines = isinstance(body, list)
    headers = {"accept": "application/json"}
    if body is not None:
        headers["content-type"] = "application/x-ndjson" if lines else "application/json"
        body = "".join(_dumps(line) + "\n" for line in body) if lines else _dumps(body)
    target = _filled(request.path, kept)
    answer = client.transport.perform_request(request.method, target, headers=headers, body=body)
    return answer.meta.status, answer.body


def _dumps(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _filled(value: Any, kept: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$") and value[1:] in kept:
        return kept[value[1:]]
    if isinstance(value, dict):
        return {key: _filled(item, kept) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, kept) for item in value]
    return value


def _part(body: Any, path: str) -> Any:
    """Return the value at a path of a response; None if there is none, as in an error."""
    for step in path.split("."):
        try:
            body = body[int(step)] if isinstance(body, list) else body[step]
        except (KeyError, IndexError):
            return None
    return body


def _comparable(value: Any, hidden: set[str]) -> Any:
    if isinstance(value, dict):
        if isinstance(value.get("error"), dict | str):
            value = {**value, "error": _error(value["error"])}
        return {
            key: _HIDDEN if key in hidden else _comparable(item, set())
            for key, item in value.items()
            if key not in _VOLATILE
        }
    if isinstance(value, list):
        return [_comparable(item, set()) for item in value]
    return value


def _error(error: Mapping[str, Any] | str) -> dict[str, Any]:
    """Its types, and its reasons for the reader."""
    if isinstance(error, str):
        return {"reason": _reason(error)}
    kept: dict[str, Any] = {"type": error.get("type"), "reason": _reason(error.get("reason"))}
    if "root_cause" in error:
        causes = error["root_cause"]
        kept["root_cause"] = [{"type": cause["type"], "reason": _reason(cause.get("reason"))} for cause in causes]
    cause = error
    while "caused_by" in cause:
        cause = cause["caused_by"]
        kept["because"] = _reason(cause.get("reason"))
    return kept


def _reason(text: str | None) -> str | None:
    """Without the server's own ids, so that the record stays the same."""
    return text and re.sub(r"context found for id \[\d+\]", "context found for id [n]", _UUID.sub(r"[\1/uuid]", text))
