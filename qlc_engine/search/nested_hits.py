"""Hits that are elements of nested objects: for `top_hits` inside of nested aggregations and for `inner_hits`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from qlc_engine.aggcontext import space_of
from qlc_engine.columns import DocSpace
from qlc_engine.highlight.highlighter import Highlighter
from qlc_engine.java_order import hash_order
from qlc_engine.queries.base import Query, printed_score
from qlc_engine.search.fetch_fields import doc_values, fields_from_source
from qlc_engine.search.named import matching
from qlc_engine.search.printed_values import printed
from qlc_engine.search.ranking import Ranked
from qlc_engine.search.request import FetchOptions
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SortKey


def nested_hits(
    shards: Sequence[Shard],
    ranked: Sequence[Ranked],
    keys: Sequence[SortKey] | None,
    options: FetchOptions,
    *,
    with_scores: bool,
    query: Query | None = None,
) -> list[dict[str, Any]]:
    """Elements as hits; `query` is what highlighting shows."""
    hits: list[dict[str, Any]] = []
    for found in ranked:
        shard = shards[found.shard]
        identities = found.leaf.segment.identities
        steps = _steps(found.leaf.segment.space, found.leaf.nested_path or "", found.doc)
        root = steps[0][2]
        hit: dict[str, Any] = {
            "_index": shard.index.name,
            "_id": identities.id_of(root),
            "_nested": _nested_identity([(path, offset) for path, offset, _ in steps]),
            "_score": printed_score(found.score) if with_scores and found.score is not None else None,
        }
        if options.source.enabled or options.highlight is not None or options.fields:
            seq_no = identities.seq_nos.item(root)
            source = shard.store.sources(shard.index.record.id, [seq_no])[seq_no]
            element = _element(json.loads(source), [(path, offset) for path, offset, _ in steps])
            alone = _inside(element, [path for path, *_ in steps])
            if options.fields:
                fields = fields_from_source(alone, options.fields, shard.mapping, shard.context.analysis)
                if fields:
                    hit["fields"] = fields
            if options.source.enabled:
                hit["_source"] = _object_at(options.source.of_element(alone), found.leaf.nested_path or "")
            if options.highlight is not None:
                below = shard.context.below(found.leaf.nested_path or "")
                fragments = Highlighter(options.highlight, query, below).of(found.leaf, found.doc, element)
                if fragments:
                    hit["highlight"] = fragments
        if options.docvalue_fields:
            values = doc_values(found.leaf, found.doc, options.docvalue_fields, shard.mapping)
            if values:
                hit["fields"] = {**values, **hit.get("fields", {})}
        if keys is not None:
            hit["sort"] = [printed(key, value) for key, value in zip(keys, found.values, strict=True)]
        named = matching(shard.context, found.leaf, found.doc) if shard.context.named else {}
        if named:
            hit["matched_queries"] = hash_order(named)
        hits.append(hit)
    return hits


def _steps(top: DocSpace, nested_path: str, doc: int) -> list[tuple[str, int, int]]:
    """From the outermost nested object to the element: path, place among its siblings, enclosing document."""
    chain: list[str] = []
    space = top
    while True:
        step = next(path for path in space.children if path == nested_path or nested_path.startswith(path + "."))
        chain.append(step)
        space = space.children[step]
        if step == nested_path:
            break
    steps: list[tuple[str, int, int]] = []
    for path in reversed(chain):
        level = space_of(top, path)
        if level is None or level.parent is None:
            raise LookupError(path)
        owner = level.parent.item(doc)
        offset = doc - int(np.searchsorted(level.parent, owner))
        steps.append((path, offset, owner))
        doc = owner
    return steps[::-1]


def _nested_identity(steps: list[tuple[str, int]]) -> dict[str, Any]:
    identity: dict[str, Any] | None = None
    for at in range(len(steps) - 1, -1, -1):
        path, offset = steps[at]
        outer = steps[at - 1][0] + "." if at else ""
        step: dict[str, Any] = {"field": path[len(outer) :], "offset": offset}
        if identity is not None:
            step["_nested"] = identity
        identity = step
    return identity or {}


def _inside(element: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """A document that holds nothing but this element at the last of the nested paths."""
    current = element
    for outer, path in zip(reversed(["", *(f"{path}." for path in paths[:-1])]), reversed(paths), strict=True):
        for name in reversed(path[len(outer) :].split(".")):
            current = {name: current}
    return current


def _object_at(source: dict[str, Any], path: str) -> dict[str, Any]:
    """What is left of the element at a nested path."""
    for name in path.split("."):
        source = source.get(name, {})
    return source


def _element(source: dict[str, Any], steps: list[tuple[str, int]]) -> dict[str, Any]:
    """The element's own object out of the document."""
    current: Any = source
    outer = ""
    for path, offset in steps:
        elements: list[Any] = [current]
        for name in path[len(outer) :].split("."):
            elements = [
                part
                for element in elements
                if isinstance(element, dict) and name in element
                for part in (element[name] if isinstance(element[name], list) else [element[name]])
                if part is not None
            ]
        current = elements[offset]
        outer = path + "."
    return dict(current)
