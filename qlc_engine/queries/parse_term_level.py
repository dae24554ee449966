"""Term-level queries from their JSON: what is asked of whole values, not of words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qlc_engine.dates import date_format, parse_zone
from qlc_engine.errors import illegal_argument, not_implemented, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.lucene_regexp import operators_of
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchNone, Query, checked_term
from qlc_engine.queries.by_type import (
    exists_query,
    id_query,
    metadata_query,
    prefix_query,
    range_query,
    regexp_query,
    term_query,
    terms_query,
    wildcard_query,
)
from qlc_engine.queries.compound import ConstantScore
from qlc_engine.queries.context import ParseQuery, QueryContext
from qlc_engine.queries.spatial import RELATIONS, Relation


def parse_term(body: Any, context: QueryContext) -> Query:
    if body == {}:
        raise illegal_argument("field name is null or empty")
    path, value = Params("term", body).single_field()
    case_insensitive = False
    if isinstance(value, dict):
        params = Params("term", value)
        case_insensitive = params.boolean("case_insensitive", False)
        value = params.take("value", params.take("term"))
        params.finish()
    elif isinstance(value, list):
        raise parsing_error("[term] query does not support array of values")
    if value is None:
        raise illegal_argument("value cannot be null")
    checked_term(value)
    on_metadata = metadata_query(path, "term", [value], context)
    if on_metadata is not None:
        return on_metadata
    field = context.field(path)
    if field is None:
        return MatchNone()
    return term_query(field, value, context, case_insensitive=case_insensitive)


def parse_terms(body: Any, context: QueryContext) -> Query:
    params = Params("terms", body)
    path, values = params.single_field()
    if isinstance(values, dict):
        raise not_implemented("[terms] query with a terms lookup")
    if not isinstance(values, list):
        raise parsing_error("[terms] query does not support [" + path + "]")
    if any(value is None for value in values):
        raise parsing_error("No value specified for terms query")
    for value in values:
        checked_term(value)
    on_metadata = metadata_query(path, "terms", values, context)
    if on_metadata is not None:
        return on_metadata
    field = context.field(path)
    if field is None or not values:
        return MatchNone()
    return ConstantScore(terms_query(field, values, context))


def parse_range(body: Any, context: QueryContext) -> Query:
    path, bounds = Params("range", body).single_field()
    params = Params("range", bounds)
    low, high = params.take("from"), params.take("to")
    include_low, include_high = params.boolean("include_lower", True), params.boolean("include_upper", True)
    for key in bounds:
        # of two words for one end the last one counts
        if key in ("gte", "gt"):
            low, include_low = params.take(key), key == "gte"
        elif key in ("lte", "lt"):
            high, include_high = params.take(key), key == "lte"
    format, time_zone = params.take("format"), params.take("time_zone")
    if time_zone is not None:
        parse_zone(str(time_zone))
    if format is not None:
        # a pattern that is none is refused with the request, whatever the field is
        date_format(str(format))
    relation = _relation(params)
    params.finish()
    for bound in (low, high):
        checked_term(bound)
    on_metadata = metadata_query(path, "range", [low, high], context)
    if on_metadata is not None:
        return on_metadata
    field = context.field(path)
    if field is None:
        return MatchNone()
    if low is None and high is None:
        return exists_query(path, context)
    return range_query(field, context, low, high, include_low, include_high, format, time_zone, relation)


def _relation(params: Params) -> Relation:
    given = params.text("relation") or "intersects"
    relation = RELATIONS.get(given.lower(), "disjoint")
    if relation == "disjoint":
        raise illegal_argument(f"[range] query does not support relation [{given}]")
    return relation


def parse_exists(body: Any, context: QueryContext) -> Query:
    params = Params("exists", body)
    path = params.take("field")
    params.finish()
    if path == "":
        raise illegal_argument("field name is null or empty")
    if isinstance(path, dict | list):
        raise parsing_error(f"[exists] unknown token [{json_token(path)}] after [field]")
    if path is None:
        raise parsing_error("[exists] must be provided with a [field]")
    return exists_query(str(path), context)


def _pattern_parser(kind: str, value_keys: tuple[str, ...], make: Callable[..., Query]) -> ParseQuery:
    def parse(body: Any, context: QueryContext) -> Query:
        path, value = Params(kind, body).single_field()
        options: dict[str, Any] = {"case_insensitive": False}
        if isinstance(value, dict):
            params = Params(kind, value)
            options["case_insensitive"] = params.boolean("case_insensitive", False)
            value = next((params.take(key) for key in value_keys if key in params), None)
            if kind == "regexp":
                options["flags"] = str(params.take("flags", "ALL"))
                operators_of(options["flags"])
                params.integer("max_determinized_states", 10_000)
            params.finish()
        if value is None:
            raise illegal_argument("value cannot be null")
        on_metadata = metadata_query(path, kind, [value], context)
        if on_metadata is not None:
            return on_metadata
        field = context.field(path)
        if field is None:
            return MatchNone()
        return make(field, value, context, **options)

    return parse


def parse_ids(body: Any, context: QueryContext) -> Query:
    params = Params("ids", body)
    values = params.take("values", [])
    params.finish()
    if not isinstance(values, list | str):
        kind = "VALUE_NULL" if values is None else "VALUE_BOOLEAN" if isinstance(values, bool) else "VALUE_NUMBER"
        raise parsing_error(f"[1:1] [ids] values doesn't support values of type: {kind}")
    return id_query(values if isinstance(values, list) else [values])


parse_prefix = _pattern_parser("prefix", ("value", "prefix"), prefix_query)
parse_wildcard = _pattern_parser("wildcard", ("value", "wildcard"), wildcard_query)
parse_regexp = _pattern_parser("regexp", ("value",), regexp_query)
