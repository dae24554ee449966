"""The hits of an answer: documents fetched from the store and printed as asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from qlc_engine.highlight.highlighter import Highlighter
from qlc_engine.java_order import hash_order
from qlc_engine.json_output import RawJson, read_stored
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import printed_score
from qlc_engine.search.fetch_fields import doc_values, fields_from_source, ignored_values
from qlc_engine.search.inner_hits import inner_hits
from qlc_engine.search.named import matching
from qlc_engine.search.printed_values import printed
from qlc_engine.search.ranking import Ranked
from qlc_engine.search.request import FetchOptions
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SortKey
from qlc_engine.time_limit import timed


class StaleSnapshotError(Exception):
    """A document of the snapshot has been purged from the store by now: search again on a newer one."""


def fetch_hits(
    shards: Sequence[Shard],
    ranked: Sequence[Ranked],
    keys: Sequence[SortKey] | None,
    options: FetchOptions,
    *,
    with_scores: bool,
) -> list[dict[str, Any]]:
    """The hits in their order. `keys` None: no sort values are printed."""
    documents = _stored(shards, ranked, options)
    hits: list[dict[str, Any]] = []
    for found, stored in timed(zip(ranked, documents, strict=True)):
        shard = shards[found.shard]
        identities = found.leaf.segment.identities
        hit: dict[str, Any] = {"_index": shard.index.name}
        hit["_id"] = identities.id_of(found.doc) if stored is None else stored[0]
        hit["_score"] = printed_score(found.score) if with_scores and found.score is not None else None
        ignored = _ignored(found.leaf, found.doc)
        if ignored:
            hit["_ignored"] = ignored
        if stored is not None:
            source = stored[1]
            _add_source(hit, source, options, shard, ignored, identities.versions.item(found.doc))
            if options.highlight is not None:
                query = shard.context.main[0] if shard.context.main else None
                _add_highlight(hit, Highlighter(options.highlight, query, shard.context), found, json.loads(source))
        if options.docvalue_fields:
            values = doc_values(found.leaf, found.doc, options.docvalue_fields, shard.mapping)
            if values:
                hit["fields"] = {**values, **hit.get("fields", {})}
        if keys is not None:
            hit["sort"] = [printed(key, value) for key, value in zip(keys, found.values, strict=True)]
        named = matching(shard.context, found.leaf, found.doc) if shard.context.named else {}
        if named:
            hit["matched_queries"] = hash_order(named)
        if shard.context.inner_hits:
            hit["inner_hits"] = inner_hits(shards, shard.context.inner_hits, found)
        hits.append(hit)
    return hits


def _stored(
    shards: Sequence[Shard], ranked: Sequence[Ranked], options: FetchOptions
) -> Sequence[tuple[str, bytes] | None]:
    """Id and `_source` of each hit, if the latter is needed."""
    if not options.source.enabled and not options.fields and options.highlight is None:
        return [None] * len(ranked)
    places = [(found.shard, found.leaf.segment.identities.seq_nos.item(found.doc)) for found in ranked]
    wanted: dict[int, list[int]] = {}
    for number, seq_no in places:
        wanted.setdefault(number, []).append(seq_no)
    rows = {
        number: shards[number].store.ids_and_sources(shards[number].index.record.id, seq_nos)
        for number, seq_nos in wanted.items()
    }
    try:
        return [rows[number][seq_no] for number, seq_no in places]
    except KeyError:
        raise StaleSnapshotError from None


def _add_source(
    hit: dict[str, Any], source: bytes, options: FetchOptions, shard: Shard, ignored: Sequence[str], version: int
) -> None:
    if not options.source.enabled and not options.fields:
        return
    if options.source.whole and not options.fields:
        hit["_source"] = read_stored(source) if shard.as_objects else RawJson(source)
        return
    parsed = json.loads(source)
    if options.source.enabled:
        hit["_source"] = options.source.of(parsed)
    if options.fields:
        fields = fields_from_source(parsed, options.fields, shard.mapping, shard.context.analysis)
        if fields:
            hit["fields"] = {**hit.get("fields", {}), **fields}
        identity = {"_id": [hit.get("_id")], "_index": [hit["_index"]], "_version": [version]}
        asked = {request.pattern for request in options.fields}
        hit["fields"] = {**hit.get("fields", {}), **{name: identity[name] for name in identity if name in asked}}
        if not hit.get("fields"):
            hit.pop("fields", None)
        values = ignored_values(parsed, ignored, options.fields, shard.mapping)
        if values:
            hit["ignored_field_values"] = values


def _add_highlight(hit: dict[str, Any], highlighter: Highlighter, found: Ranked, source: dict[str, Any]) -> None:
    fragments = highlighter.of(found.leaf, found.doc, source)
    if fragments:
        hit["highlight"] = fragments


def _ignored(leaf: Leaf, doc: int) -> list[str]:
    column = leaf.keyword_column("_ignored") if "_ignored" in leaf.space.columns else None
    if column is None:
        return []
    return [column.terms[at] for at in column.ords[column.starts.item(doc) : column.starts.item(doc + 1)].tolist()]
