"""The request line: the endpoint and index of a request, and whether it only reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl, unquote

from qlc.base.words.spelling import did_you_mean, nearest
from qlc.mapping.schema import Schema
from qlc.pasted.problems import Findings
from qlc.pasted.reach import matches
from qlc.pasted.recognise import Pasted

Kind = Literal["search", "count", "document"]
Intent = Literal["delete", "other"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A request line. `index` is empty if it names none; `id` belongs to a `_doc` request. `searched`: the part of
    several indices that it names."""

    kind: Kind = "search"
    index: str = ""
    id: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    searched: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """A request that would change data. `what` is the endpoint or method, `intent` that of a refusal."""

    what: str
    intent: Intent
    does: str


_WRITES: Mapping[str, str] = {
    "_delete_by_query": "deletes every document that the query finds",
    "_update_by_query": "changes every document that the query finds",
    "_bulk": "writes several documents at once",
    "_update": "changes a document",
    "_create": "creates a document",
    "_reindex": "copies documents into another index",
    "_forcemerge": "rewrites the index",
    "_refresh": "refreshes the index",
    "_flush": "writes the index to disk",
    "_close": "closes the index",
    "_open": "opens an index",
    "_rollover": "begins another index",
    **dict.fromkeys(("_shrink", "_split", "_clone"), "makes another index"),
    "_aliases": "changes names of indices",
    "_cache": "empties caches",
    "_ingest": "changes how documents are written",
    **dict.fromkeys(("_snapshot", "_restore"), "works on backups"),
    "_security": "works on users and rights",
    "_scripts": "works on stored scripts",
    **dict.fromkeys(("_tasks", "_rethrottle"), "works on running tasks"),
    "_block": "locks an index",
}


def read_endpoint(pasted: Pasted, schema: Schema, findings: Findings) -> Endpoint | Write:
    """Read the request line and record problems. A body alone is a search."""
    if not pasted.method:
        return Endpoint()
    address, _, query = pasted.path.partition("?")
    parts = [unquote(part) for part in address.split("/") if part]
    params = dict(parse_qsl(query, keep_blank_values=True))
    index = parts[0] if parts and (not parts[0].startswith("_") or parts[0] == "_all") else ""
    rest = parts[1:] if index else parts
    action = next((part for part in rest if part.startswith("_")), "")
    write = _write(pasted.method, action, pasted.body is not None)
    if write is not None:
        return write
    searched = ""
    if index:
        asked, index = index, _known_index(index, schema, pasted, findings)
        searched = asked if index and _is_a_part(asked, index) else ""
    match action, rest:
        case "_search", ["_search"]:
            return Endpoint("search", index, "", params, searched)
        case "_count", ["_count"]:
            return Endpoint("count", index, "", params, searched)
        case ("_doc" | "_source"), [_, id]:
            return Endpoint("document", index, id, params, searched)
        case "", [] if pasted.body is not None:
            return Endpoint("search", index, "", params, searched)
    if "template" in rest:
        findings.reject_around("script", "a search template is a script, and scripts are not run", pasted.path_span,
                               "paste the search itself", "_search/template")
        return Endpoint("search", index)
    shown = "/".join(rest) or f"{pasted.method} {pasted.path}"
    findings.reject_around("not_allowed", f"'{shown}' is not answered here", pasted.path_span,
                           "searches (_search), counts (_count) and single documents (_doc) are", shown)
    return Endpoint("search", index)


def _write(method: str, action: str, has_body: bool) -> Write | None:
    if action in _WRITES:
        intent: Intent = "delete" if action == "_delete_by_query" else "other"
        # Reading of what these are about is refused too, but not as a change.
        return None if method in ("GET", "HEAD") and intent == "other" else Write(action, intent, _WRITES[action])
    if method == "DELETE":
        what = "the document" if action == "_doc" else "the index" if not action else "what it names"
        return Write("DELETE", "delete", f"deletes {what}")
    if method in ("PUT", "PATCH"):
        does = "writes a document" if action == "_doc" else "changes the index"
        return Write(method, "other", does)
    if method == "POST" and action == "_doc":
        return Write("_doc", "other", "writes a document")
    if method == "POST" and action in ("_mapping", "_settings", "_alias", "_template", "_index_template"):
        return Write(action, "other", "changes the index")
    if method == "POST" and not action and not has_body:
        return Write("POST", "other", "writes to the index")
    return None


def _known_index(name: str, schema: Schema, pasted: Pasted, findings: Findings) -> str:
    """Return the catalog's name of the index; report any other index."""
    indices = {one.index: one.mapping.indices for one in schema.entities.values() if not one.virtual}
    if name in indices:
        return name
    for known, members in indices.items():
        if members == (name,) or _is_a_part(name, known):
            return known
    near = nearest(name, indices, 2)
    hint = did_you_mean(near) or "leave the index out"
    findings.reject_around("other_index", f"'{name}' is not searched here", pasted.path_span, hint, name, near)
    return ""


def _is_a_part(name: str, known: str) -> bool:
    """Whether a name, a pattern or a list of these matches only indices of the catalog's pattern."""
    parts = name.split(",")
    plain = all(part and part[0] not in "-<_" and ":" not in part for part in parts)
    # Every `*` of a part has to be covered by a `*` of the catalog's pattern.
    within = all(matches(part.replace("*", "\0"), known) for part in parts)
    return "*" in known and name != known and plain and within
