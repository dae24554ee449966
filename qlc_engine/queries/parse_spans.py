"""`span_*` queries from their JSON."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import illegal_argument, parsing_error
from qlc_engine.mapping import Field
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.by_type import search_text
from qlc_engine.queries.compound import Boosted, ConstantScore
from qlc_engine.queries.context import ParseQuery, QueryContext
from qlc_engine.queries.params import Params, checked_term
from qlc_engine.queries.spans import (
    SpanContain,
    SpanFirst,
    SpanGap,
    SpanMasked,
    SpanNear,
    SpanNot,
    SpanOr,
    SpanQuery,
    Spans,
    SpanTerm,
    SpanTerms,
)
from qlc_engine.terms import encode_term

SPAN_QUERIES = (
    "span_term", "span_multi", "span_first", "span_near", "span_or", "span_not", "span_containing", "span_within",
    "span_field_masking", "field_masking_span",
)  # fmt: skip


def parse_span(kind: str, body: Any, context: QueryContext, parse: ParseQuery) -> Query:
    """A query of one kind; `parse` reads the queries inside of `span_multi`."""
    return SpanQuery(_spans(kind, body, context, parse))


def _check_positions(field: Field) -> None:
    if not field.is_text or field.index_options in ("docs", "freqs"):
        raise illegal_argument(
            f"Span term query requires position data, but field {field.path} was indexed without position data"
        )


def _clause(given: Any, owner: str, context: QueryContext, parse: ParseQuery, *, gaps: bool = False) -> Spans:
    if not isinstance(given, dict) or len(given) != 1:
        raise parsing_error("[_na] query malformed, must start with start_object")
    (kind, body), = given.items()
    if kind == "span_gap" and gaps:
        (path, width), = body.items()
        return SpanGap(path, int(width))
    if kind not in SPAN_QUERIES:
        parse(given, context)
        raise parsing_error(f"[{owner}] query must be of type span query")
    return _spans(kind, body, context, parse)


def _term(body: Any, context: QueryContext) -> Spans:
    path, value = Params("span_term", body).single_field()
    if isinstance(value, dict):
        params = Params("span_term", value)
        value = params.take("value", params.take("term"))
        params.take("boost")
        params.take("_name")
        params.finish()
    if value is None:
        raise illegal_argument("value cannot be null")
    checked_term(value)
    field = context.field(path)
    if field is None:
        return SpanTerm(path, b"\xff")
    with context.on_shard():
        _check_positions(field)
        return SpanTerm(field.path, encode_term(search_text(field, value, context)))


def _clauses(params: Params, owner: str, context: QueryContext, parse: ParseQuery, *, gaps: bool) -> tuple[Spans, ...]:
    given = params.take("clauses")
    if not isinstance(given, list) or not given:
        raise parsing_error(f"[{owner}] must include [clauses]")
    found = tuple(_clause(entry, owner, context, parse, gaps=gaps) for entry in given)
    if len({clause.path for clause in found}) > 1:
        with context.on_shard():
            raise illegal_argument(f"Cannot add clauses of several fields to {owner}")
    return found


def _inner(params: Params, key: str, owner: str, context: QueryContext, parse: ParseQuery) -> Spans:
    given = params.take(key)
    if given is None:
        raise parsing_error(f"[{owner}] must have [{key}] span query clause")
    return _clause(given, owner, context, parse)


def _spans(kind: str, body: Any, context: QueryContext, parse: ParseQuery) -> Spans:
    if kind == "span_term":
        return _term(body, context)
    params = Params(kind, body)
    params.take("boost")
    params.take("_name")
    found: Spans
    if kind == "span_multi":
        found = _multi(params, context, parse)
    elif kind == "span_near":
        slop, in_order = params.integer("slop", 0), params.boolean("in_order", True)
        found = SpanNear(_clauses(params, kind, context, parse, gaps=True), slop, in_order)
    elif kind == "span_or":
        found = SpanOr(_clauses(params, kind, context, parse, gaps=False))
    elif kind == "span_first":
        end = params.integer("end", -1)
        found = SpanFirst(_inner(params, "match", kind, context, parse), end)
        if end < 0:
            raise parsing_error("span_first must have [end] set for it")
    elif kind == "span_not":
        distance = params.integer("dist", 0)
        before, after = params.integer("pre", distance), params.integer("post", distance)
        include = _inner(params, "include", kind, context, parse)
        found = SpanNot(include, _inner(params, "exclude", kind, context, parse), before, after)
    elif kind in ("span_containing", "span_within"):
        little = _inner(params, "little", kind, context, parse)
        found = SpanContain(_inner(params, "big", kind, context, parse), little, kind == "span_within")
    else:
        inner = _inner(params, "query", kind, context, parse)
        path = params.take("field")
        if path is None:
            raise parsing_error("field_masking_span must have [field] set for it")
        found = SpanMasked(inner, str(path))
    params.finish()
    return found


def _multi(params: Params, context: QueryContext, parse: ParseQuery) -> Spans:
    given = params.take("match")
    if not isinstance(given, dict) or not given:
        raise parsing_error("[span_multi] must have [match] multi term query clause")
    if next(iter(given)) not in ("prefix", "wildcard", "regexp", "fuzzy", "range"):
        raise parsing_error("[span_multi] [match] must be of type multi term query")
    query = parse(given, context)
    while isinstance(query, Boosted | ConstantScore):
        query = query.inner
    path = getattr(query, "path", next(iter(next(iter(given.values())))))
    field = context.field(path)
    if field is not None:
        with context.on_shard():
            _check_positions(field)
    return SpanTerms(path, MatchNone() if isinstance(query, MatchNone) else query)
