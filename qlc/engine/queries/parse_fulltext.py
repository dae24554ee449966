"""Queries on analysed text from their JSON: match and its kin, multi_match, fuzzy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc.engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc.engine.mapping import Field
from qlc.engine.queries.base import MatchAll, MatchNone, Query
from qlc.engine.queries.by_type import pattern_field, prefix_query, search_text, term_query
from qlc.engine.queries.compound import Bool, Boosted, ConstantScore, DisMax
from qlc.engine.queries.context import QueryContext
from qlc.engine.queries.fuzzy import Fuzzy, auto_edits
from qlc.engine.queries.minimum import minimum_should_match
from qlc.engine.queries.on_metadata import metadata_query
from qlc.engine.queries.params import Params
from qlc.engine.queries.phrase import Phrase, PrefixOfText
from qlc.engine.queries.terms import Prefix, Term
from qlc.engine.terms import encode_term
from qlc.engine.value_parsers import text_of


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The parameters of `match`, also inside `multi_match`."""

    operator: str = "or"
    minimum: Any = None
    analyzer: str | None = None
    fuzziness: str | None = None
    prefix_length: int = 0
    max_expansions: int = 50
    transpositions: bool = True
    zero_terms: str = "none"
    lenient: bool = False
    slop: int = 0


def _options(params: Params) -> MatchOptions:
    operator = str(params.take("operator", "or")).lower()
    if operator not in ("or", "and"):
        raise illegal_argument(f"operator needs to be either OR or AND, but not [{operator.upper()}]")
    fuzziness = params.take("fuzziness")
    refuse_rewrite("match", params.take("fuzzy_rewrite"))
    params.take("auto_generate_synonyms_phrase_query")
    return MatchOptions(
        operator=operator,
        minimum=params.take("minimum_should_match"),
        analyzer=params.take("analyzer"),
        fuzziness=None if fuzziness is None else checked_fuzziness(fuzziness),
        prefix_length=params.integer("prefix_length", 0),
        max_expansions=params.integer("max_expansions", 50),
        transpositions=params.boolean("fuzzy_transpositions", True),
        zero_terms=_zero_terms(params),
        lenient=params.boolean("lenient", False),
    )


def refuse_rewrite(query: str, rewrite: Any) -> None:
    """Terms that a pattern stands for score as one; ways to score each of them are not there."""
    if rewrite not in (None, "constant_score", "constant_score_blended", "constant_score_boolean"):
        raise not_implemented(f"[rewrite] of query [{query}]")


def _zero_terms(params: Params) -> str:
    given = str(params.take("zero_terms_query", "none")).lower()
    if given not in ("none", "all"):
        raise parsing_error(f"Unsupported zero_terms_query value [{given}]")
    return given


def checked_fuzziness(value: Any) -> str:
    text = str(value)
    try:
        edits = auto_edits(text, "")
    except ValueError:
        raise illegal_argument(f"Invalid fuzziness value: {text}") from None
    if not 0 <= edits <= 2:
        raise illegal_argument(f"Valid edit distances are [0, 1, 2] but was [{text}]")
    return text


def _field_and_value(kind: str, body: Any) -> tuple[str, Any, Params]:
    path, value = Params(kind, body).single_field()
    if isinstance(value, list):
        raise illegal_argument(f"unknown token [START_ARRAY] after [{path}]")
    if value is None:
        raise parsing_error("No text specified for text query")
    params = Params(kind, value if isinstance(value, dict) else {"query": value})
    text = params.take("query")
    if text is None:
        raise (
            parsing_error("No text specified for text query")
            if "query" in params
            else illegal_argument(f"[{kind}] requires query value")
        )
    return path, text, params


def parse_match(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match", body)
    options = _options(params)
    params.finish()
    with context.on_shard():
        return match_query(path, text, options, context)


def match_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    on_metadata = metadata_query(path, "term", [text], context)
    if on_metadata is not None:
        return on_metadata
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text and options.analyzer is None:
        return _match_whole_value(field, text, options, context)
    terms = _analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    queries = [_token_query(field, term, options) for term, _ in terms]
    if len(queries) == 1:
        return queries[0]
    if options.operator == "and":
        return Bool(must=queries)
    minimum = 1 if options.minimum is None else max(1, minimum_should_match(options.minimum, len(queries)))
    return Bool(should=queries, minimum=minimum)


def _match_whole_value(field: Field, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    try:
        if options.fuzziness is not None and field.is_keyword:
            return _fuzzy(field, search_text(field, text, context), options)
        return term_query(field, text, context)
    except EngineError:
        if options.lenient:
            return MatchNone()
        raise


def _analyzed(field: Field, text: Any, options: MatchOptions, context: QueryContext) -> list[tuple[str, int]]:
    analyzer = context.analyzer(options.analyzer) if options.analyzer else context.search_analyzer(field)
    terms, positions, _ = analyzer.terms(text_of(text))
    return list(zip(terms, positions, strict=True))


def _token_query(field: Field, term: str, options: MatchOptions) -> Query:
    return Term(field.path, encode_term(term)) if options.fuzziness is None else _fuzzy(field, term, options)


def _fuzzy(field: Field, term: str, options: MatchOptions) -> Query:
    return Fuzzy(
        field.path,
        term,
        auto_edits(options.fuzziness or "AUTO", term),
        options.prefix_length,
        options.max_expansions,
        options.transpositions,
    )


def parse_match_phrase(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match_phrase", body)
    options = MatchOptions(
        analyzer=params.take("analyzer"), zero_terms=_zero_terms(params), slop=params.integer("slop", 0)
    )
    params.finish()
    with context.on_shard():
        return phrase_query(path, text, options, context)


def phrase_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        return _match_whole_value(field, text, options, context)
    terms = _analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    if len(terms) == 1:
        return Term(field.path, encode_term(terms[0][0]))
    _check_positions(field)
    return Phrase(field.path, tuple((encode_term(term), at) for term, at in terms), options.slop)


def _check_positions(field: Field) -> None:
    if field.index_options in ("docs", "freqs"):
        raise illegal_argument(f"field:[{field.path}] was indexed without position data; cannot run PhraseQuery")


def parse_match_phrase_prefix(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match_phrase_prefix", body)
    options = MatchOptions(
        analyzer=params.take("analyzer"),
        zero_terms=_zero_terms(params),
        slop=params.integer("slop", 0),
        max_expansions=params.integer("max_expansions", 50),
    )
    params.finish()
    with context.on_shard():
        return phrase_prefix_query(path, text, options, context)


def phrase_prefix_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        raise illegal_argument(
            f"Can only use phrase prefix queries on text fields - not on [{path}] which is of type [{field.type}]"
        )
    terms = _analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    if len(terms) == 1:
        return PrefixOfText(field.path, encode_term(terms[0][0]), options.max_expansions)
    _check_positions(field)
    slots = tuple((encode_term(term), at) for term, at in terms)
    return Phrase(field.path, slots, options.slop, last_prefix=True, max_expansions=options.max_expansions)


def parse_match_bool_prefix(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match_bool_prefix", body)
    options = _options(params)
    params.finish()
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        return prefix_query(field, text, context, case_insensitive=False)
    terms = _analyzed(field, text, options, context)
    if not terms:
        return MatchNone()
    queries = [_token_query(field, term, options) for term, _ in terms]
    analyzer = context.analyzer(options.analyzer) if options.analyzer else context.search_analyzer(field)
    if analyzer.tokens(text_of(text))[-1].end == len(text_of(text)):
        # only a word with which the text ends may go on
        queries[-1] = ConstantScore(Prefix(field.path, encode_term(terms[-1][0])))
    if len(queries) == 1:
        return queries[0]
    if options.operator == "and":
        return Bool(must=queries)
    minimum = 1 if options.minimum is None else max(1, minimum_should_match(options.minimum, len(queries)))
    return Bool(should=queries, minimum=minimum)


def parse_multi_match(body: Any, context: QueryContext) -> Query:
    params = Params("multi_match", body)
    text = params.take("query")
    fields = params.take("fields", [])
    kind = str(params.take("type", "best_fields"))
    tie_breaker = params.take("tie_breaker")
    slop = params.integer("slop", 0)
    options = _options(params)
    params.finish()
    if text is None:
        raise parsing_error("No text specified for multi_match query")
    make = _MULTI_MATCH.get(kind)
    if make is None:
        if kind in ("cross_fields", "bool_prefix"):
            raise not_implemented(f"multi_match type [{kind}]")
        raise EngineError("parse_exception", f"failed to parse [multi_match] query type [{kind}]. unknown type.")
    if not fields:
        raise not_implemented("multi_match without [fields]")
    options = MatchOptions(
        **{key: getattr(options, key) for key in MatchOptions.__dataclass_fields__ if key != "slop"}, slop=slop
    )
    queries: list[Query] = []
    for path, boost in _weighted_fields(fields if isinstance(fields, list) else [fields], context):
        with context.on_shard():
            query = make(path, text, options, context)
        queries.append(query if boost == 1.0 else Boosted(query, boost))
    if not queries:
        return MatchNone()
    default = 1.0 if kind == "most_fields" else 0.0
    return queries[0] if len(queries) == 1 else DisMax(queries, default if tie_breaker is None else float(tie_breaker))


_MULTI_MATCH: dict[str, Callable[[str, Any, MatchOptions, QueryContext], Query]] = {
    "best_fields": match_query,
    "most_fields": match_query,
    "phrase": phrase_query,
    "phrase_prefix": phrase_prefix_query,
}


def _weighted_fields(fields: list[Any], context: QueryContext) -> list[tuple[str, float]]:
    """The fields with their boosts; patterns stand for the text and keyword fields that they fit."""
    weighted: dict[str, float] = {}
    for given in fields:
        pattern, _, power = str(given).partition("^")
        boost = float(power) if power else 1.0
        for path in context.mapping.expand(pattern):
            field = context.field(path)
            if field is not None and ("*" not in pattern or field.is_text or field.is_keyword):
                weighted[path] = weighted.get(path, 1.0) * boost
    return list(weighted.items())


def parse_fuzzy(body: Any, context: QueryContext) -> Query:
    path, value = Params("fuzzy", body).single_field()
    if isinstance(value, list):
        raise parsing_error("[fuzzy] unexpected token [START_ARRAY] after [" + path + "]")
    params = Params("fuzzy", value if isinstance(value, dict) else {"value": value})
    text = params.take("value")
    fuzziness = checked_fuzziness(params.take("fuzziness", "AUTO"))
    prefix_length, max_expansions = params.integer("prefix_length", 0), params.integer("max_expansions", 50)
    transpositions = params.boolean("transpositions", True)
    refuse_rewrite("fuzzy", params.take("rewrite"))
    params.finish()
    if text is None:
        raise illegal_argument("query value cannot be null")
    field = context.field(path)
    if field is None:
        return MatchNone()
    with context.on_shard():
        pattern_field(field, context, "fuzzy", "keyword and text")
    term = search_text(field, text, context)
    return Fuzzy(field.path, term, auto_edits(fuzziness, term), prefix_length, max_expansions, transpositions)
