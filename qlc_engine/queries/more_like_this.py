"""`more_like_this`: documents with the words that stand out in given texts or documents.

Source: org.elasticsearch.common.lucene.search.XMoreLikeThis and org.elasticsearch.index.query.MoreLikeThisQueryBuilder.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, parsing_error
from qlc_engine.mapping import Field
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.by_type import id_query
from qlc_engine.queries.compound import Bool, Boosted
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.minimum import minimum_should_match
from qlc_engine.queries.params import Params
from qlc_engine.queries.terms import Term
from qlc_engine.source_filter import values_at
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import text_of


@dataclass(frozen=True, slots=True)
class _Limits:
    min_term_freq: int
    max_query_terms: int
    min_doc_freq: int
    max_doc_freq: int
    min_word_length: int
    max_word_length: int
    stop_words: frozenset[str]
    boost_terms: float


#: a field, a term, and how often it occurs in what is given
_Word = tuple[Field, str, int]


def parse_more_like_this(body: Any, context: QueryContext) -> Query:
    params = Params("more_like_this", body)
    given, unlike = params.take("like"), params.take("unlike")
    names, minimum = params.take("fields"), params.take("minimum_should_match", "30%")
    include = params.boolean("include", False)
    params.take("analyzer")
    strict = params.boolean("fail_on_unsupported_field", True)
    limits = _Limits(
        min_term_freq=params.integer("min_term_freq", 2),
        max_query_terms=params.integer("max_query_terms", 25),
        min_doc_freq=params.integer("min_doc_freq", 5),
        max_doc_freq=params.integer("max_doc_freq", 2**31 - 1),
        min_word_length=params.integer("min_word_length", 0),
        max_word_length=params.integer("max_word_length", 0),
        stop_words=frozenset(map(str, params.take("stop_words", ()))),
        boost_terms=params.number("boost_terms", 0.0),
    )
    params.finish()
    if given is None or given == []:
        raise parsing_error("more_like_this requires 'like' to be specified")
    if names is not None and not names:
        raise parsing_error("more_like_this requires 'fields' to be non-empty")
    fields = _fields(names, context, strict=strict)
    if not fields:
        return MatchNone()
    likes = given if isinstance(given, list) else [given]
    unlikes = unlike if isinstance(unlike, list) else [] if unlike is None else [unlike]
    skipped = {term for _, counts in _texts(unlikes, fields, context) for term in counts}
    texts = [entry for entry in likes if isinstance(entry, str)]
    items = [entry for entry in likes if not isinstance(entry, str)]
    if texts and names is None:
        with context.on_shard():
            raise illegal_argument(
                "[more_like_this] query cannot infer the field to analyze the free text, you should update the "
                "[index.query.default_field] index setting to a specific field that exists in the mapping or set the "
                "[fields] option in the query."
            )
    parts = []
    if texts:
        parts.append([_in_commonest_fields(_texts(texts, fields[:1], context), fields, context)])
    if items:
        counted = _texts(items, fields, context)
        parts.append([[(field, term, times) for term, times in counts.items()] for field, counts in counted])
    found = [_query(part, limits, skipped, minimum, context) for part in parts]
    queries = [query for query in found if query is not None]
    if not queries:
        return MatchNone()
    made = Bool(should=queries, minimum=1)
    here = [item for item in items if item.get("_index", context.index) == context.index]
    own = [text_of(item["_id"]) for item in here if "_id" in item]
    if own and not include:
        return Bool(must=[made], must_not=[id_query(own)])
    return made


def _fields(names: Any, context: QueryContext, *, strict: bool) -> list[Field]:
    if names is None:
        return [field for name in context.mapping.names() if (field := context.field(name)) and field.is_text]
    found: list[Field] = []
    for name in names:
        for path in context.mapping.expand(str(name)):
            field = context.field(path)
            if field is None:
                continue
            if not (field.is_text or field.is_keyword):
                if strict:
                    with context.on_shard():
                        raise illegal_argument(f"more_like_this only supports text/keyword fields: [{name}]")
                continue
            found.append(field)
    return found


def _texts(entries: list[Any], fields: list[Field], context: QueryContext) -> list[tuple[Field, Counter[str]]]:
    """The terms of each field in the given texts and documents, with how often they occur."""
    out = []
    for field in fields:
        counts: Counter[str] = Counter()
        for entry in entries:
            values = [entry] if isinstance(entry, str) else _values(entry, field, context)
            for value in values:
                counts.update(_terms(field, value, context))
        out.append((field, counts))
    return out


def _values(item: Any, field: Field, context: QueryContext) -> list[str]:
    if not isinstance(item, dict):
        raise parsing_error("content of 'like' is neither a string nor an object")
    source = item.get("doc")
    if source is None:
        try:
            source = context.document(str(item.get("_index", context.index)), text_of(item.get("_id", "")))
        except EngineError:
            # of an index that is not there nothing is like
            return []
    if source is None:
        return []
    path = field.parent_field or field.path
    return [text_of(value) for value in values_at(source, path.split(".")) if value is not None]


def _terms(field: Field, text: str, context: QueryContext) -> list[str]:
    if field.is_text:
        return list(context.search_analyzer(field).terms(text)[0])
    return [context.analysis.normalize(field.normalizer, text)]


def _in_commonest_fields(
    counted: list[tuple[Field, Counter[str]]], fields: list[Field], context: QueryContext
) -> list[_Word]:
    """Words of free text, analysed as of the first field: each is looked for in the field where it is most frequent."""
    out: list[_Word] = []
    for _, counts in counted:
        for term, times in counts.items():
            encoded = encode_term(term)
            commonest = max(fields, key=lambda field: context.statistics.doc_freq(field.path, encoded))
            out.append((commonest, term, times))
    return out


def _query(
    queues: list[list[_Word]], limits: _Limits, skipped: set[str], minimum: Any, context: QueryContext
) -> Query | None:
    """The words of each queue that stand out among the others there."""
    clauses: list[Query] = []
    for words in queues:
        chosen = _chosen(words, limits, skipped, context)
        if not chosen:
            continue
        # the server measures boosts by the least of the words, not by the best
        least = chosen[-1][0]
        for score, term, path in chosen:
            query: Query = Term(path, encode_term(term))
            clauses.append(Boosted(query, limits.boost_terms * score / least) if limits.boost_terms > 0 else query)
    if not clauses:
        return None
    return Bool(should=clauses, minimum=max(1, minimum_should_match(minimum, len(clauses))))


def _chosen(
    words: list[_Word], limits: _Limits, skipped: set[str], context: QueryContext
) -> list[tuple[float, str, str]]:
    """The words with the highest tf-idf, the best first, each with its field."""
    scored: list[tuple[float, str, str]] = []
    total = sum(segment.n_docs for segment in context.statistics.segments)
    for field, term, times in words:
        if term in skipped or term in limits.stop_words or times < limits.min_term_freq:
            continue
        if len(term) < limits.min_word_length or 0 < limits.max_word_length < len(term):
            continue
        frequency = context.statistics.doc_freq(field.path, encode_term(term))
        if limits.min_doc_freq <= frequency <= limits.max_doc_freq and frequency > 0:
            scored.append((times * (1 + math.log((total + 1) / (frequency + 1))), term, field.path))
    scored.sort(key=lambda each: (-each[0], each[1]))
    return scored[: limits.max_query_terms]
