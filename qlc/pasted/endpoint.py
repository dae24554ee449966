"""The request line: what is asked of which index, and whether it only reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal
from urllib.parse import parse_qsl, unquote

from qlc.mapping.nearest import did_you_mean, nearest
from qlc.mapping.schema import Schema
from qlc.pasted.problems import Findings, Problem, Reason
from qlc.pasted.recognise import Pasted

Kind = Literal["search", "count", "document"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a request line asks for. `index` is empty where it names none; `id` is that of a `_doc` request. `searched`
    are those of the index that it names, where they are some of several."""

    kind: Kind = "search"
    index: str = ""
    id: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    searched: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """The request would change something. `what` is the endpoint or method, `intent` that of a refusal."""

    what: str
    intent: Literal["delete", "other"]
    does: str


_WRITES: Mapping[str, tuple[Literal["delete", "other"], str]] = {
    "_delete_by_query": ("delete", "deletes every document that the query finds"),
    "_update_by_query": ("other", "changes every document that the query finds"),
    "_bulk": ("other", "writes several documents at once"),
    "_update": ("other", "changes a document"),
    "_create": ("other", "creates a document"),
    "_reindex": ("other", "copies documents into another index"),
    "_forcemerge": ("other", "rewrites the index"),
    "_refresh": ("other", "refreshes the index"),
    "_flush": ("other", "writes the index to disk"),
    "_close": ("other", "closes the index"),
    "_open": ("other", "opens an index"),
    "_rollover": ("other", "begins another index"),
    "_shrink": ("other", "makes another index"),
    "_split": ("other", "makes another index"),
    "_clone": ("other", "makes another index"),
    "_aliases": ("other", "changes names of indices"),
    "_cache": ("other", "empties caches"),
    "_ingest": ("other", "changes how documents are written"),
    "_snapshot": ("other", "works on backups"),
    "_restore": ("other", "works on backups"),
    "_security": ("other", "works on users and rights"),
    "_scripts": ("other", "works on stored scripts"),
    "_tasks": ("other", "works on running tasks"),
    "_rethrottle": ("other", "works on running tasks"),
    "_block": ("other", "locks an index"),
}
_SCRIPTED = frozenset({"template"})


def read_endpoint(pasted: Pasted, schema: Schema, findings: Findings) -> Endpoint | Write:
    """What the request line asks for; problems are recorded. A body alone is a search."""
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
    if set(rest) & _SCRIPTED:
        findings.problems.append(_problem(pasted, "script", "a search template is a script, and scripts are not run",
                                          "paste the search itself", "_search/template"))
        return Endpoint("search", index)
    shown = "/".join(rest) or f"{pasted.method} {pasted.path}"
    findings.problems.append(_problem(pasted, "not_allowed", f"'{shown}' is not answered here",
                                      "searches (_search), counts (_count) and single documents (_doc) are", shown))
    return Endpoint("search", index)


def _problem(
    pasted: Pasted, reason: Reason, message: str, hint: str, what: str, near: Sequence[str] = ()
) -> Problem:
    return Problem(reason, message, pasted.path_span, hint, what, tuple(near))


def _write(method: str, action: str, has_body: bool) -> Write | None:
    if action in _WRITES:
        intent, does = _WRITES[action]
        # Reading of what these are about is refused too, but not as a change.
        return None if method in ("GET", "HEAD") and intent == "other" else Write(action, intent, does)
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
    """The catalog's name of the index; a problem where it is another one."""
    indices = {one.index: one.mapping.indices for one in schema.entities.values() if not one.virtual}
    if name in indices:
        return name
    for known, behind in indices.items():
        if behind == (name,) or _is_a_part(name, known):
            return known
    near = nearest(name, indices, 2)
    hint = did_you_mean(near) or "leave the index out"
    findings.problems.append(_problem(pasted, "other_index", f"'{name}' is not searched here", hint, name, near))
    return ""


def _is_a_part(name: str, known: str) -> bool:
    """Whether a name, a pattern or a list of such stands for nothing that is not of the catalog's own pattern."""
    parts = name.split(",")
    plain = all(part and part[0] not in "-<_" and ":" not in part for part in parts)
    return "*" in known and name != known and plain and all(_is_within(part, known) for part in parts)


def _is_within(part: str, known: str) -> bool:
    """Whatever stands for a `*` of the part has to be within a `*` of the whole."""
    return fnmatchcase(part.replace("*", "\0"), known.replace("[", "[[]").replace("?", "[?]"))
