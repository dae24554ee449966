"""Term-level queries on `_id`, `_index` and `_ignored`, which are no fields of the mapping."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import not_implemented, query_shard_error
from qlc_engine.mapping import matches_pattern
from qlc_engine.queries.base import MatchAll, MatchNone, Query
from qlc_engine.queries.by_type import id_query
from qlc_engine.queries.compound import ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.terms import AnyTerm, Term
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import text_of

METADATA = frozenset({"_id", "_index", "_ignored"})


def metadata_query(path: str, kind: str, values: list[Any], context: QueryContext) -> Query | None:
    """None where `path` is no metadata field."""
    if path == "_id":
        if kind in ("term", "terms"):
            return ConstantScore(id_query(values))
        raise query_shard_error(
            f"Can only use {kind} queries on keyword, text and wildcard fields - not on [_id] which is of type [_id]",
            index=context.index,
        )
    if path == "_ignored":
        if kind not in ("term", "terms"):
            raise not_implemented(f"query [{kind}] on [_ignored]")
        terms = tuple(encode_term(text_of(value)) for value in values)
        return Term(path, terms[0]) if kind == "term" else ConstantScore(AnyTerm(path, terms))
    if path == "_index":
        texts = [text_of(value) for value in values]
        if kind == "prefix":
            found = context.index.startswith(texts[0])
        else:
            # names with `*` are patterns in every kind of query
            found = any(matches_pattern(text, context.index) for text in texts)
        return ConstantScore(MatchAll()) if found else MatchNone()
    return None
