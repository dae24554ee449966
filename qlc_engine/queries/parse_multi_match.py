"""`multi_match`: one text in several fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from qlc_engine.errors import EngineError, parsing_error
from qlc_engine.mapping import IGNORED, Field
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, MatchNone, Query
from qlc_engine.queries.blended import BlendedTerm
from qlc_engine.queries.by_type import METADATA
from qlc_engine.queries.compound import Boosted, DisMax
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.parse_fulltext import (
    MatchOptions,
    analyzed,
    bool_prefix_query,
    match_options,
    match_query,
    of_words,
    phrase_prefix_query,
    phrase_query,
    read_slop,
)
from qlc_engine.terms import encode_term

WeightedFields = list[tuple[str, float]]

#: of the types that score fields by themselves: how, and the tie breaker unless one is given
_BY_FIELD: dict[str, tuple[Callable[[str, Any, MatchOptions, QueryContext], Query], float]] = {
    "best_fields": (match_query, 0.0),
    "most_fields": (match_query, 1.0),
    "phrase": (phrase_query, 0.0),
    "phrase_prefix": (phrase_prefix_query, 0.0),
    "bool_prefix": (bool_prefix_query, 1.0),
}
_NOT_FUZZY = ("cross_fields", "phrase", "phrase_prefix")

#: types whose values are no terms that a text could be looked for in
_NOT_SEARCHED = frozenset({"geo_point", "dense_vector"})


def parse_multi_match(body: Any, context: QueryContext) -> Query:
    params = Params("multi_match", body)
    text = params.take("query")
    fields = params.take("fields", [])
    kind = str(params.take("type", "best_fields"))
    tie_breaker = params.take("tie_breaker")
    slop = read_slop(params)
    lenient = params.take("lenient")
    options = match_options(params)
    params.finish()
    if text is None:
        raise parsing_error("No text specified for multi_match query")
    check_kind(kind)
    if options.fuzziness is not None and kind in _NOT_FUZZY:
        raise parsing_error(f"Fuzziness not allowed for type [{kind}]")
    patterns = [str(given) for given in (fields if isinstance(fields, list) else [fields])]
    patterns = patterns or context.settings.default_fields
    if lenient is None:
        lenient = any(pattern.partition("^")[0] == "*" for pattern in patterns)
    options = dataclasses.replace(options, slop=slop, lenient=lenient in (True, "true"))
    weighted = weighted_fields(patterns, context)
    tie = default_tie(kind) if tie_breaker is None else float(tie_breaker)
    return of_kind(kind, weighted, text, options, tie, context)


def check_kind(kind: str) -> None:
    """Check the type of a `multi_match`. Raises EngineError for an unknown one."""
    if kind != "cross_fields" and kind not in _BY_FIELD:
        raise EngineError("parse_exception", f"failed to parse [multi_match] query type [{kind}]. unknown type.")


def default_tie(kind: str) -> float:
    """How much fields beside the best one count in this type."""
    return 0.0 if kind == "cross_fields" else _BY_FIELD[kind][1]


def of_kind(
    kind: str, weighted: WeightedFields, text: Any, options: MatchOptions, tie: float, context: QueryContext
) -> Query:
    """A text in several fields, by the type of the query."""
    if kind == "cross_fields":
        return _across(weighted, text, options, tie, context)
    make, _ = _BY_FIELD[kind]
    return best_of([boosted(_in_field(make, path, text, options, context), boost) for path, boost in weighted], tie)


def _in_field(
    make: Callable[[str, Any, MatchOptions, QueryContext], Query],
    path: str,
    text: Any,
    options: MatchOptions,
    context: QueryContext,
) -> Query:
    try:
        return make(path, text, options, context)
    except EngineError:
        if options.lenient:
            return MatchNone()
        raise


def boosted(query: Query, boost: float) -> Query:
    return query if boost == 1.0 else Boosted(query, boost)


def best_of(queries: list[Query], tie_breaker: float) -> Query:
    if not queries:
        return MatchNone()
    return queries[0] if len(queries) == 1 else DisMax(queries, tie_breaker)


def weighted_fields(patterns: Iterable[str], context: QueryContext) -> WeightedFields:
    """The fields with their boosts; patterns stand for the fields that they fit and that can be searched."""
    weighted: dict[str, float] = {}
    for given in patterns:
        pattern, _, power = given.partition("^")
        boost = float(power) if power else 1.0
        found: dict[str, None] = {}
        if pattern in METADATA or pattern == IGNORED.path:
            found[pattern] = None
        for path in context.mapping.expand(pattern):
            field = context.field(path)
            if field is None or ("*" in pattern and (not field.index or field.type in _NOT_SEARCHED)):
                continue
            # an alias beside its field is that field
            found[field.path if "*" in pattern and field.flattened_key is None else path] = None
        for path in found:
            weighted[path] = weighted.get(path, 1.0) * boost
    return list(weighted.items())


def _across(
    weighted: WeightedFields, text: Any, options: MatchOptions, tie_breaker: float, context: QueryContext
) -> Query:
    """`cross_fields`: fields of one analyser are searched as if they were one field."""
    groups: dict[tuple[str | None, str | None], list[tuple[Field, float]]] = {}
    for path, boost in weighted:
        field = context.field(path)
        if field is None:
            continue
        by_words = field.is_text or options.analyzer is not None
        name = options.analyzer or field.search_analyzer or field.analyzer
        groups.setdefault((name, None) if by_words else (None, field.normalizer), []).append((field, boost))
    queries: list[Query] = []
    for (analyzer, _), group in groups.items():
        first, boost = group[0]
        if len(group) == 1:
            queries.append(boosted(match_query(first.path, text, options, context), boost))
            continue
        if analyzer is None:
            parts = [boosted(match_query(field.path, text, options, context), boost) for field, boost in group]
            queries.append(DisMax(parts, 1.0))
            continue
        words = [term for term, _ in analyzed(first, text, options, context)]
        if not words:
            queries.append(MatchAll() if options.zero_terms == "all" else MatchNone())
            continue
        fields = tuple((field.path, boost) for field, boost in group)
        queries.append(of_words([BlendedTerm(fields, encode_term(word), tie_breaker) for word in words], options))
    return best_of(queries, tie_breaker)
