"""Queries from their JSON. Every query and every parameter that is not here is refused by its name."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from qlc_engine.errors import (
    EngineError,
    illegal_argument,
    no_scripts,
    not_implemented,
    parsing_error,
    query_shard_error,
)
from qlc_engine.json_input import json_token
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, MatchNone, Query
from qlc_engine.queries.compound import (
    MAX_CLAUSE_COUNT,
    Bool,
    Boosted,
    Boosting,
    ConstantScore,
    DisMax,
    Nested,
    check_clauses,
    minimum_should_match,
)
from qlc_engine.queries.context import ParseQuery, QueryContext
from qlc_engine.queries.parse_fulltext import (
    parse_fuzzy,
    parse_match,
    parse_match_bool_prefix,
    parse_match_phrase,
    parse_match_phrase_prefix,
)
from qlc_engine.queries.parse_function_score import parse_function_score
from qlc_engine.queries.parse_geo import parse_geo_bounding_box, parse_geo_distance, parse_geo_shape
from qlc_engine.queries.parse_multi_match import parse_multi_match
from qlc_engine.queries.parse_query_string import parse_query_string
from qlc_engine.queries.parse_simple_query_string import parse_simple_query_string
from qlc_engine.queries.parse_term_level import (
    parse_exists,
    parse_ids,
    parse_prefix,
    parse_range,
    parse_regexp,
    parse_term,
    parse_terms,
    parse_wildcard,
)
from qlc_engine.queries.scripted import parse_script
from qlc_engine.queries.vectors import NearestVectors, check_vector
from qlc_engine.time_limit import check_time

#: `indices.query.bool.max_nested_depth`
_MAX_DEPTH = 30


def parse_query(body: Any, context: QueryContext) -> Query:
    """The query of one clause. JSON errors are the request's, errors about fields are the shard's."""
    if not isinstance(body, dict):
        raise parsing_error("[_na] query malformed, must start with start_object")
    if not body:
        raise illegal_argument("query malformed, empty clause found")
    (kind, inner), *more = body.items()
    parser = _PARSERS.get(kind)
    if parser is None:
        raise _unknown_query(kind)
    if more:
        raise parsing_error(f"[{kind}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]")
    name, boost = None, 1.0
    if isinstance(inner, dict):
        inner = dict(inner)
        name, boost = _common(kind, inner)
    check_time()
    context.clauses[0] += 1
    if context.clauses[0] > MAX_CLAUSE_COUNT:
        check_clauses(context.clauses[0])
    context.depth[0] += 1
    try:
        if context.depth[0] > _MAX_DEPTH:
            raise illegal_argument(
                "The nested depth of the query exceeds the maximum nested depth for queries set in "
                "[indices.query.bool.max_nested_depth]"
            )
        query = parser(inner, context)
    finally:
        context.depth[0] -= 1
    if boost != 1.0:
        query = Boosted(query, boost)
    if name is not None:
        context.named.append((name, query, context.nested_path))
    return query


def _common(kind: str, inner: dict[str, Any]) -> tuple[str | None, float]:
    """Takes `_name` and `boost` out, wherever this kind of query has them."""
    holder = inner
    if kind in _BY_FIELD:
        fields = [key for key, value in inner.items() if isinstance(value, dict)]
        if len(inner) == 1 and len(fields) == 1:
            holder = inner[fields[0]] = dict(inner[fields[0]])
    name, boost = holder.pop("_name", None), holder.pop("boost", 1.0)
    try:
        boost = float(boost)
    except (TypeError, ValueError):
        raise EngineError("number_format_exception", f'For input string: "{boost}"') from None
    if boost < 0:
        raise illegal_argument(f"negative [boost] are not allowed in [{kind}], use a value >= 0")
    return (None if name is None else str(name)), boost


#: queries whose parameters are below the name of the field
_BY_FIELD = frozenset(
    {
        "term", "range", "prefix", "wildcard", "regexp", "fuzzy", "match", "match_phrase", "match_phrase_prefix",
        "match_bool_prefix",
    }
)  # fmt: skip


def _unknown_query(kind: str) -> EngineError:
    if kind in _KNOWN_ELSEWHERE:
        return not_implemented(f"query [{kind}]")
    if kind == "script_score":
        return no_scripts(f"query [{kind}]")
    near = difflib.get_close_matches(kind, _PARSERS, n=1, cutoff=0.7)
    hint = f" did you mean [{near[0]}]?" if near else ""
    return parsing_error(f"unknown query [{kind}]{hint}")


def _clauses(body: Any, context: QueryContext) -> list[Query]:
    return [parse_query(part, context) for part in (body if isinstance(body, list) else [body])]


def _match_all(body: Any, context: QueryContext) -> Query:
    Params("match_all", body).finish()
    return MatchAll()


def _match_none(body: Any, context: QueryContext) -> Query:
    Params("match_none", body).finish()
    return MatchNone()


def _bool_clauses(occur: str, body: Any, context: QueryContext) -> list[Query]:
    if body is None:
        return []
    if not isinstance(body, dict | list):
        raise parsing_error(f"[bool] {occur} doesn't support values of type: {json_token(body)}")
    return _clauses(body, context)


def _bool(body: Any, context: QueryContext) -> Query:
    params = Params("bool", body)
    must, filters, should, must_not = (
        _bool_clauses(occur, params.take(occur, []), context) for occur in ("must", "filter", "should", "must_not")
    )
    given = params.take("minimum_should_match")
    params.boolean("adjust_pure_negative", True)
    params.finish()
    if not (must or filters or should or must_not):
        return MatchAll()
    minimum = 0 if must or filters or not should else 1
    if given is not None and should:
        minimum = minimum_should_match(given, len(should))
        if not (must or filters):
            minimum = max(minimum, 1)
    return Bool(must, filters, should, must_not, minimum)


def _constant_score(body: Any, context: QueryContext) -> Query:
    params = Params("constant_score", body)
    inner = params.take("filter")
    params.finish()
    if inner is None:
        raise parsing_error("[constant_score] requires a 'filter' element")
    return ConstantScore(parse_query(inner, context))


def _dis_max(body: Any, context: QueryContext) -> Query:
    params = Params("dis_max", body)
    queries = params.take("queries")
    tie_breaker = params.number("tie_breaker", 0.0)
    params.finish()
    if not queries:
        raise parsing_error("[dis_max] requires 'queries' field with at least one clause")
    return DisMax(_clauses(queries, context), tie_breaker)


def _boosting(body: Any, context: QueryContext) -> Query:
    params = Params("boosting", body)
    positive, negative = params.take("positive"), params.take("negative")
    negative_boost = params.number("negative_boost", -1.0)
    params.finish()
    if positive is None or negative is None:
        raise parsing_error(f"[boosting] query requires '{'negative' if positive else 'positive'}' query to be set'")
    if negative_boost < 0:
        raise parsing_error("[boosting] query requires 'negative_boost' to be set to be a positive value'")
    return Boosting(parse_query(positive, context), parse_query(negative, context), negative_boost)


def _nested(body: Any, context: QueryContext) -> Query:
    params = Params("nested", body)
    path, inner = params.take("path"), params.take("query")
    score_mode = params.take("score_mode", "avg")
    ignore_unmapped = params.boolean("ignore_unmapped", False)
    if "inner_hits" in params:
        raise not_implemented("[inner_hits] of query [nested]")
    params.finish()
    if inner is None or path is None:
        missing = "query" if inner is None else "path"
        raise illegal_argument(f"[nested] requires '{missing}' field")
    if score_mode not in ("avg", "sum", "min", "max", "none"):
        raise illegal_argument(f"No score mode for child query [{score_mode}] found")
    found = context.mapping.object(path)
    if found is None or not found.nested:
        if ignore_unmapped:
            return MatchNone()
        if found is None:
            reason = f"[nested] failed to find nested object under path [{path}]"
        else:
            reason = f"[nested] nested object under path [{path}] is not of nested type"
        raise query_shard_error(reason)
    if path == context.nested_path:
        # the server takes the element after each that matches, in the order in which they happen to be stored
        raise not_implemented(f"[nested] below [nested] of the same path [{path}]")
    query = parse_query(inner, context.below(path))
    return Nested(path, query, None if score_mode == "none" else score_mode)


def _knn(body: Any, context: QueryContext) -> Query:
    params = Params("knn", body)
    nearest = parse_nearest(params, context)
    return nearest.find(context.statistics, context.nested_path)


def parse_nearest(params: Params, context: QueryContext) -> NearestVectors:
    """The knn query and each knn section of a search."""
    path = str(params.require("field"))
    vector = params.take("query_vector")
    if vector is None:
        raise not_implemented("knn without [query_vector]")
    if isinstance(vector, str):
        raise not_implemented("a [query_vector] of hexadecimal digits")
    wanted = min(context.size, params.integer("num_candidates", 10_000, keep=True))
    k = params.integer("k", wanted)
    candidates = params.integer("num_candidates", max(k, min(10_000, int(1.5 * k))))
    filters = params.take("filter", [])
    similarity = params.take("similarity")
    if params.take("inner_hits") not in (None, {}):
        raise not_implemented("[inner_hits] of [knn]")
    params.finish()
    if k < 1:
        raise illegal_argument("[k] must be greater than 0")
    if candidates < k:
        raise illegal_argument("[num_candidates] cannot be less than [k]")
    if candidates > 10_000:
        raise illegal_argument("[num_candidates] cannot exceed [10000]")
    field = context.field(path)
    if field is None:
        return NearestVectors(path, "cosine", (), k)
    if field.type != "dense_vector":
        raise query_shard_error("[knn] queries are only supported on [dense_vector] fields")
    if not field.index:
        reason = f"to perform knn search on field [{path}], its mapping must have [index] set to [true]"
        raise query_shard_error(reason)
    check_vector(np.array(vector, np.float64), field.similarity or "cosine")
    if field.dims and len(vector) != field.dims:
        raise query_shard_error(
            f"the query vector has a different dimension [{len(vector)}] than the index vectors [{field.dims}]"
        )
    return NearestVectors(
        path=field.path,
        similarity_name=field.similarity or "cosine",
        vector=tuple(float(part) for part in vector),
        k=k,
        filters=tuple(_clauses(filters, context)),
        least_similarity=None if similarity is None else float(similarity),
    )


def _function_score(body: Any, context: QueryContext) -> Query:
    return parse_function_score(body, context, parse_query)


_PARSERS: dict[str, ParseQuery] = {
    "function_score": _function_score,
    "match_all": _match_all,
    "match_none": _match_none,
    "bool": _bool,
    "constant_score": _constant_score,
    "dis_max": _dis_max,
    "boosting": _boosting,
    "nested": _nested,
    "term": parse_term,
    "terms": parse_terms,
    "range": parse_range,
    "exists": parse_exists,
    "prefix": parse_prefix,
    "wildcard": parse_wildcard,
    "regexp": parse_regexp,
    "ids": parse_ids,
    "knn": _knn,
    "fuzzy": parse_fuzzy,
    "match": parse_match,
    "match_phrase": parse_match_phrase,
    "match_phrase_prefix": parse_match_phrase_prefix,
    "match_bool_prefix": parse_match_bool_prefix,
    "multi_match": parse_multi_match,
    "query_string": parse_query_string,
    "simple_query_string": parse_simple_query_string,
    "geo_distance": parse_geo_distance,
    "geo_bounding_box": parse_geo_bounding_box,
    "geo_shape": parse_geo_shape,
    "script": parse_script,
}


#: what the server has besides
_KNOWN_ELSEWHERE = frozenset(
    {
        "combined_fields", "distance_feature", "field_masking_span", "geo_grid", "geo_polygon",
        "has_child", "has_parent", "intervals", "more_like_this", "parent_id", "percolate", "pinned", "rank_feature",
        "rule", "semantic", "shape", "span_containing", "span_field_masking", "span_first", "span_multi", "span_near",
        "span_not", "span_or", "span_term", "span_within", "sparse_vector", "terms_set", "text_expansion",
        "weighted_tokens", "wrapper",
    }
)  # fmt: skip


def implemented_queries() -> list[str]:
    """The types that are answered, for the documentation."""
    return sorted(_PARSERS)
