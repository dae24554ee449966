"""The hits of an answer: documents fetched from the store and printed as asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from qlc_engine.highlight.highlighter import Highlighter
from qlc_engine.highlight.options import HighlightRequest
from qlc_engine.json_output import RawJson, read_stored
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import printed_score
from qlc_engine.queries.compound import Nested
from qlc_engine.queries.context import QueryContext
from qlc_engine.search.fetch_fields import fields_from_columns, fields_from_source, ignored_values
from qlc_engine.search.printed_values import printed
from qlc_engine.search.ranking import Ranked
from qlc_engine.search.request import FetchOptions
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SortKey
from qlc_engine.source_filter import without_numbers
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
    highlighters = [] if options.highlight is None else [_highlighter(options.highlight, shard) for shard in shards]
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
            _add_source(hit, source, options, shard, ignored)
            if highlighters:
                _add_highlight(hit, highlighters[found.shard], found, json.loads(source))
        if options.column_fields:
            values = fields_from_columns(found.leaf, found.doc, options.column_fields, shard.mapping)
            if values:
                hit["fields"] = {**values, **hit.get("fields", {})}
        if keys is not None:
            hit["sort"] = [printed(key, value) for key, value in zip(keys, found.values, strict=True)]
        named = _matched_names(shard.context, found.leaf, found.doc)
        if named:
            hit["matched_queries"] = named
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
    hit: dict[str, Any], source: bytes, options: FetchOptions, shard: Shard, ignored: Sequence[str]
) -> None:
    if not options.source.enabled and not options.fields:
        return
    if options.source.whole and not options.fields:
        hit["_source"] = read_stored(source) if shard.as_objects else RawJson(source)
        return
    if options.source.enabled and not options.fields:
        hit["_source"] = without_numbers(source, shard.mapping.vector_names, options.source.of)
        return
    parsed = json.loads(source)
    if options.source.enabled:
        hit["_source"] = options.source.of(parsed)
    if options.fields:
        fields = fields_from_source(parsed, options.fields, shard.mapping)
        if fields:
            hit["fields"] = fields
        values = ignored_values(parsed, ignored, options.fields, shard.mapping)
        if values:
            hit["ignored_field_values"] = values


def _highlighter(request: HighlightRequest, shard: Shard) -> Highlighter:
    return Highlighter(request, shard.context.main[0] if shard.context.main else None, shard.context)


def _add_highlight(hit: dict[str, Any], highlighter: Highlighter, found: Ranked, source: dict[str, Any]) -> None:
    fragments = highlighter.of(found.leaf, found.doc, source)
    if fragments:
        hit["highlight"] = fragments


def _matched_names(context: QueryContext, leaf: Leaf, doc: int) -> list[str]:
    """Return the named queries that a document matches, including queries on elements that are included in it."""
    found = (
        name
        for name, query, level in context.named
        if (level is None or not isinstance(query, Nested)) and query.docs(leaf).contains_each(np.array([doc]))[0]
    )
    return list(dict.fromkeys(found))


def _ignored(leaf: Leaf, doc: int) -> list[str]:
    column = leaf.keyword_column("_ignored") if "_ignored" in leaf.space.columns else None
    if column is None:
        return []
    return [column.terms[at] for at in column.ords[column.starts.item(doc) : column.starts.item(doc + 1)].tolist()]
