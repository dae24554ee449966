"""Queries on analysed text from their JSON: match and its kin, and fuzzy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.mapping import Field
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, MatchNone, Query, checked_term
from qlc_engine.queries.by_type import metadata_query, pattern_field, prefix_query, search_text, term_query
from qlc_engine.queries.compound import Bool, ConstantScore, minimum_should_match
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.fuzzy import Fuzzy, auto_edits
from qlc_engine.queries.phrase import Phrase, PrefixOfText
from qlc_engine.queries.terms import Prefix, Term
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import text_of


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


def match_options(params: Params) -> MatchOptions:
    operator = str(params.take("operator", "or")).lower()
    if operator not in ("or", "and"):
        raise illegal_argument(f"operator needs to be either OR or AND, but not [{operator.upper()}]")
    fuzziness = params.take("fuzziness")
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


def _zero_terms(params: Params) -> str:
    given = str(params.take("zero_terms_query", "none")).lower()
    if given not in ("none", "all"):
        raise parsing_error(f"Unsupported zero_terms_query value [{given}]")
    return given


def read_slop(params: Params) -> int:
    slop = params.integer("slop", 0)
    if slop < 0:
        raise illegal_argument("No negative slop allowed.")
    return slop


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
        raise parsing_error("No text specified for text query")
    return path, text, params


def parse_match(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match", body)
    options = match_options(params)
    params.finish()
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
    terms = analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    return of_words([_token_query(field, term, options) for term, _ in terms], options)


def of_words(queries: list[Query], options: MatchOptions) -> Query:
    """The query of a text from those of its words."""
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
        if field.split_whitespace and isinstance(text, str):
            parts = text.split()
            return of_words([term_query(field, part, context) for part in parts], options) if parts else MatchNone()
        return term_query(field, text, context)
    except EngineError:
        if options.lenient:
            return MatchNone()
        raise


def analyzed(field: Field, text: Any, options: MatchOptions, context: QueryContext) -> list[tuple[str, int]]:
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
    options = MatchOptions(analyzer=params.take("analyzer"), zero_terms=_zero_terms(params), slop=read_slop(params))
    params.finish()
    return phrase_query(path, text, options, context)


def phrase_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        return _match_whole_value(field, text, options, context)
    terms = analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    if len(terms) == 1:
        return Term(field.path, encode_term(terms[0][0]))
    _check_positions(field)
    if field.index_phrases and options.slop == 0:
        raise not_implemented(f"a phrase in the field [{field.path}] with [index_phrases]")
    return Phrase(field.path, tuple((encode_term(term), at) for term, at in terms), options.slop)


def _check_positions(field: Field) -> None:
    if field.index_options in ("docs", "freqs"):
        raise illegal_argument(f"field:[{field.path}] was indexed without position data; cannot run PhraseQuery")


def parse_match_phrase_prefix(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match_phrase_prefix", body)
    options = MatchOptions(
        analyzer=params.take("analyzer"),
        zero_terms=_zero_terms(params),
        slop=read_slop(params),
        max_expansions=params.integer("max_expansions", 50),
    )
    if options.max_expansions < 0:
        raise illegal_argument("No negative maxExpansions allowed.")
    params.finish()
    return phrase_prefix_query(path, text, options, context)


def phrase_prefix_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        raise illegal_argument(
            f"Can only use phrase prefix queries on text fields - not on [{path}] which is of type [{field.type}]"
        )
    terms = analyzed(field, text, options, context)
    if not terms:
        return MatchAll() if options.zero_terms == "all" else MatchNone()
    if len(terms) == 1:
        return PrefixOfText(field.path, encode_term(terms[0][0]), options.max_expansions)
    _check_positions(field)
    if field.index_prefixes or field.index_phrases:
        raise not_implemented(f"a phrase with a prefix in the field [{field.path}] with [index_prefixes]")
    slots = tuple((encode_term(term), at) for term, at in terms)
    return Phrase(field.path, slots, options.slop, last_prefix=True, max_expansions=options.max_expansions)


def parse_match_bool_prefix(body: Any, context: QueryContext) -> Query:
    path, text, params = _field_and_value("match_bool_prefix", body)
    options = match_options(params)
    params.finish()
    return bool_prefix_query(path, text, options, context)


def bool_prefix_query(path: str, text: Any, options: MatchOptions, context: QueryContext) -> Query:
    field = context.field(path)
    if field is None:
        return MatchNone()
    if not field.is_text:
        return prefix_query(field, text, context, case_insensitive=False)
    terms = analyzed(field, text, options, context)
    if not terms:
        return MatchNone()
    queries = [_token_query(field, term, options) for term, _ in terms]
    analyzer = context.analyzer(options.analyzer) if options.analyzer else context.search_analyzer(field)
    if analyzer.tokens(text_of(text))[-1].end == len(text_of(text)):
        # only a word with which the text ends may go on
        queries[-1] = ConstantScore(Prefix(field.path, encode_term(terms[-1][0])))
    return of_words(queries, options)


def parse_fuzzy(body: Any, context: QueryContext) -> Query:
    path, value = Params("fuzzy", body).single_field()
    if isinstance(value, list):
        raise parsing_error("[fuzzy] unexpected token [START_ARRAY] after [" + path + "]")
    params = Params("fuzzy", value if isinstance(value, dict) else {"value": value})
    text = params.take("value")
    fuzziness = checked_fuzziness(params.take("fuzziness", "AUTO"))
    prefix_length, max_expansions = params.integer("prefix_length", 0), params.integer("max_expansions", 50)
    transpositions = params.boolean("transpositions", True)
    params.finish()
    if text is None:
        raise illegal_argument("query value cannot be null")
    checked_term(text)
    field = context.field(path)
    if field is None:
        return MatchNone()
    pattern_field(field, "fuzzy", "keyword and text")
    term = search_text(field, text, context)
    return Fuzzy(field.path, term, auto_edits(fuzziness, term), prefix_length, max_expansions, transpositions)
