"""What the engine says of itself: banner, health, list of indices, analysis of a text."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from qlc_engine.analysis import AnalysisRegistry, Analyzer, Token
from qlc_engine.effective_settings import NEW
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, xcontent_error
from qlc_engine.indices import options_of
from qlc_engine.json_input import json_token
from qlc_engine.reading import reading
from qlc_engine.rest.request import Request, Response
from qlc_engine.value_parsers import text_of, utf16_length

if TYPE_CHECKING:
    from qlc_engine.engine import Engine

HEALTH_PARAMETERS = frozenset(
    {
        "wait_for_status", "timeout", "level", "local", "master_timeout", "wait_for_nodes", "wait_for_active_shards",
        "wait_for_events", "wait_for_no_initializing_shards", "wait_for_no_relocating_shards", "expand_wildcards",
    }
)  # fmt: skip
CAT_PARAMETERS = frozenset({"h", "s", "v", "bytes", "health", "pri", "expand_wildcards", "help", "time"})


def banner(engine: Engine, request: Request) -> Response:
    from qlc_engine.engine import VERSION

    body = {
        "name": "embedded",
        "cluster_name": "embedded",
        "cluster_uuid": "embedded",
        "version": {
            "number": VERSION,
            "build_flavor": "default",
            "build_type": "embedded",
            "build_hash": "embedded",
            "build_date": "2025-01-01T00:00:00.000000000Z",
            "build_snapshot": False,
            "lucene_version": "9.12.1",
            "minimum_wire_compatibility_version": "7.17.0",
            "minimum_index_compatibility_version": "7.0.0",
        },
        "tagline": "You Know, for Search",
    }
    return Response(200, body)


def cluster_health(engine: Engine, request: Request) -> Response:
    found = [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]
    shards = sum(index.n_shards for index in found)
    body = {
        "cluster_name": "embedded", "status": "green", "timed_out": False, "number_of_nodes": 1,
        "number_of_data_nodes": 1, "active_primary_shards": shards, "active_shards": shards, "relocating_shards": 0,
        "initializing_shards": 0, "unassigned_shards": 0, "unassigned_primary_shards": 0,
        "delayed_unassigned_shards": 0, "number_of_pending_tasks": 0, "number_of_in_flight_fetch": 0,
        "task_max_waiting_in_queue_millis": 0, "active_shards_percent_as_number": 100.0,
    }  # fmt: skip
    return Response(200, body)


def cat_indices(engine: Engine, request: Request) -> Response:
    rows: list[dict[str, Any]] = []
    for target in engine.indices.resolve(request.index, options_of({})):
        index = target.index
        live = sum(segment.n_live for segment in index.snapshot.segments)
        dead = sum(segment.n_docs for segment in index.snapshot.segments) - live
        rows.append(
            {
                "health": "green", "status": "open", "index": index.name, "uuid": index.record.uuid,
                "pri": str(index.n_shards), "rep": str(index.n_copies - 1), "docs.count": str(live),
                "docs.deleted": str(dead), "store.size": "0b", "pri.store.size": "0b", "dataset.size": "0b",
            }
        )  # fmt: skip
    wanted = request.params.get("h")
    if wanted:
        columns = wanted.split(",")
        rows = [{column: row[column] for column in columns if column in row} for row in rows]
    if request.params.get("format") == "json":
        return Response(200, rows)
    return Response(200, "".join(" ".join(row.values()) + "\n" for row in rows))


def analyze(engine: Engine, request: Request) -> Response:
    left = request.json_object()
    texts = left.pop("text", None)
    name, path = left.pop("analyzer", None), left.pop("field", None)
    tokenizer, filters, normalizer = left.pop("tokenizer", None), left.pop("filter", []), left.pop("normalizer", None)
    for key in left:
        if key in ("char_filter", "explain", "attributes"):
            raise not_implemented(f"_analyze [{key}]")
        raise EngineError("x_content_parse_exception", f"[1:1] [analyze_request] unknown field [{key}]")
    named = {"analyzer": name, "field": path, "normalizer": normalizer}
    for key, value in named.items():
        if not isinstance(value, str | None):
            raise xcontent_error(f"[1:1] [analyze_request] {key} doesn't support values of type: {json_token(value)}")
    if texts is None:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: text is missing;")
    index_name = request.index or request.params.get("index", "")
    index = engine.indices.single(index_name) if index_name else None
    analysis = AnalysisRegistry() if index is None else index.analysis
    if path is not None and index is not None:
        field = index.mapping.field(path)
        if field is not None and field.is_text:
            name = field.analyzer
        elif field is not None and field.normalizer:
            normalizer = field.normalizer
        elif field is not None and not field.is_keyword:
            raise illegal_argument(
                f"Can't process field [{path}], Analysis requests are only supported on tokenized fields"
            )
        else:
            name = "keyword" if field is not None else "standard"
    tokens: list[dict[str, Any]] = []
    with reading("[text]"):
        texts = [text_of(text) for text in (texts if isinstance(texts, list) else [texts])]
    if normalizer is not None:
        if not analysis.has_normalizer(normalizer):
            raise illegal_argument(f"failed to find normalizer under [{normalizer}]")
        normalized = (Token(analysis.normalize(normalizer, text), 0, len(text), "word", 0) for text in texts)
        tokens.extend(_shown(token, 0, 0) for token in normalized)
        return Response(200, {"tokens": tokens})
    analyzer = _analyzer(analysis, name, tokenizer, filters)
    position = offset = 0
    for text in texts:
        found = analyzer.tokens(text)
        most = (NEW if index is None else index.effective).whole("analyze.max_token_count")
        if len(tokens) + len(found) > most:
            raise EngineError(
                "status_exception",
                f"The number of tokens produced by calling _analyze has exceeded the allowed maximum of [{most}]. This "
                "limit can be set by changing the [index.analyze.max_token_count] index level setting.",
            )
        tokens.extend(_shown(_in_utf16(token, text), position, offset) for token in found)
        # analysers of no index leave no gap between values
        gap = 0 if index is None else analyzer.position_increment_gap
        position += (found[-1].position if found else 0) + gap + 1
        offset += utf16_length(text) + 1
    return Response(200, {"tokens": tokens})


def _analyzer(analysis: AnalysisRegistry, name: str | None, tokenizer: Any, filters: Any) -> Analyzer:
    if tokenizer is not None:
        parts = [tokenizer, *filters] if isinstance(filters, list) else [None]
        if not all(isinstance(part, str) for part in parts):
            raise not_implemented("_analyze with definitions in the request")
        return analysis.adhoc(tokenizer, filters)
    found = analysis.analyzer(name or "standard")
    if found is None:
        raise illegal_argument(f"failed to find global analyzer [{name}]")
    return found


def _in_utf16(token: Token, text: str) -> Token:
    """Offsets as Java counts them."""
    if text.isascii():
        return token
    return dataclasses.replace(token, start=utf16_length(text[: token.start]), end=utf16_length(text[: token.end]))


def _shown(token: Token, position: int, offset: int) -> dict[str, Any]:
    return {
        "token": token.term,
        "start_offset": token.start + offset,
        "end_offset": token.end + offset,
        "type": token.type,
        "position": token.position + position,
    }
