"""`intervals` from its JSON."""

from __future__ import annotations

from typing import Any

from qlc_engine.analysis import Analyzer
from qlc_engine.errors import illegal_argument, no_scripts, not_implemented, parsing_error, xcontent_error
from qlc_engine.highlight.matching import term_test
from qlc_engine.mapping import Field
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.by_type import prefix_query, regexp_query, wildcard_query
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.fuzzy import Fuzzy, auto_edits
from qlc_engine.queries.intervals import FILTERS, AllOf, AnyOf, Filtered, Intervals, Source, Words
from qlc_engine.queries.params import Params
from qlc_engine.queries.terms import TermRange
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import text_of


def parse_intervals(body: Any, context: QueryContext) -> Query:
    path, rule = Params("intervals", body).single_field()
    if not isinstance(rule, dict):
        raise parsing_error(f"Expected [START_OBJECT] but got something else for [{path}]")
    rule = {key: value for key, value in rule.items() if key not in ("boost", "_name")}
    if len(rule) != 1:
        few = "Missing intervals from interval query definition"
        raise parsing_error("Only one interval rule can be specified" if rule else few)
    field = context.field(path)
    if field is None:
        return MatchNone()
    with context.on_shard():
        if not field.is_text:
            raise illegal_argument(
                f"Can only use interval queries on text fields - not on [{field.path}] which is of type [{field.type}]"
            )
    return Intervals(field.path, _source(rule, field, context))


def _source(rule: Any, field: Field, context: QueryContext) -> Source:
    if not isinstance(rule, dict) or len(rule) != 1:
        raise parsing_error("Expected a single interval rule")
    ((kind, body),) = rule.items()
    if kind not in ("match", "any_of", "all_of", "prefix", "wildcard", "regexp", "fuzzy", "range"):
        kinds = "[any_of, all_of, match, prefix, wildcard, regexp, fuzzy, range]"
        raise parsing_error(f"Unknown interval type [{kind}], expecting one of {kinds}")
    params = Params(kind, body, object_parser=True)
    chosen = params.take("use_field")
    if chosen is not None:
        raise not_implemented("[use_field] of query [intervals]")
    conditions = params.take("filter")
    _check_keys(kind, body)
    found = _rule(kind, params, field, context)
    params.finish()
    return found if conditions is None else _filtered(found, conditions, field, context)


_KEYS = {
    "match": {"query", "max_gaps", "ordered", "mode", "analyzer", "filter", "use_field"},
    "any_of": {"intervals", "filter"},
    "all_of": {"intervals", "max_gaps", "ordered", "mode", "filter"},
}


def _check_keys(kind: str, body: dict[str, Any]) -> None:
    for key in body if kind in _KEYS else ():
        if key not in _KEYS[kind]:
            raise xcontent_error(f"[1:1] [{kind}] unknown field [{key}]")


def _rule(kind: str, params: Params, field: Field, context: QueryContext) -> Source:
    if kind in ("any_of", "all_of"):
        parts = tuple(_source(part, field, context) for part in params.require("intervals"))
        if kind == "any_of":
            return AnyOf(parts)
        ordered = _ordered(params)
        return AllOf(parts, ordered, params.integer("max_gaps", -1))
    analyzer = params.take("analyzer")
    using = context.analyzer(str(analyzer)) if analyzer else context.search_analyzer(field)
    if kind == "match":
        ordered, gaps = _ordered(params), params.integer("max_gaps", -1)
        terms, _, _ = using.terms(text_of(params.require("query")))
        words = tuple(Words((encode_term(term),)) for term in terms)
        if not words:
            return Words()
        return words[0] if len(words) == 1 else AllOf(words, ordered, gaps)
    if kind == "range":
        return _range(params, using)
    key = {"prefix": "prefix", "wildcard": "pattern", "regexp": "pattern", "fuzzy": "term"}[kind]
    text = using.normalize(text_of(params.require(key)))
    params.take("max_expansions")
    if kind == "fuzzy":
        fuzziness = str(params.take("fuzziness", "AUTO"))
        query: Query = Fuzzy(
            field.path, text, auto_edits(fuzziness, text), params.integer("prefix_length", 0), 50,
            params.boolean("transpositions", True),
        )  # fmt: skip
    else:
        make = {"prefix": prefix_query, "wildcard": wildcard_query, "regexp": regexp_query}[kind]
        query = make(field, text, context, case_insensitive=False)
    return Words(test=term_test(query))


def _range(params: Params, using: Analyzer) -> Source:
    bounds = {
        key: encode_term(using.normalize(text_of(value)))
        for key in ("gte", "gt", "lte", "lt")
        if (value := params.take(key)) is not None
    }
    if not {"gte", "gt"} & set(bounds) or not {"lte", "lt"} & set(bounds):
        raise illegal_argument("Either [gte] or [gt], and [lte] or [lt] must be specified")
    low, high = bounds.get("gte", bounds.get("gt")), bounds.get("lte", bounds.get("lt"))
    return Words(test=term_test(TermRange("", low, high, "gte" in bounds, "lte" in bounds)))


def _ordered(params: Params) -> bool:
    mode = params.take("mode")
    if mode is not None:
        return str(mode) == "ordered"
    return params.boolean("ordered", False)


def _filtered(source: Source, conditions: Any, field: Field, context: QueryContext) -> Source:
    if not isinstance(conditions, dict) or len(conditions) != 1:
        raise parsing_error("Expected a single interval filter")
    ((relation, rule),) = conditions.items()
    if relation == "script":
        with context.on_shard():
            raise no_scripts("filter [script] of query [intervals]", on_shard=False)
    if relation not in FILTERS:
        with context.on_shard():
            raise illegal_argument(f"Unknown filter type [{relation}]")
    return Filtered(source, relation, _source(rule, field, context))
