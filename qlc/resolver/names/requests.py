"""Searches of name resolution, and reading their hits to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elasticsearch.dsl.aggs import Nested
from elasticsearch.dsl.query import Bool, Ids, MatchNone, Term, Terms

from qlc.compiler.caseless import MAX_AUTOMATON_LENGTH, MAX_TERM_BYTES, equals_clause, has_case, pattern_clause
from qlc.compiler.codegen import MAX_TERMS
from qlc.compiler.request import Aggs, Body, Clause, Reading, SearchRequest, all_filtering, nested, on
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import ID_FIELD, FieldKind, MappedField
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.schema import Entity
from qlc.resolver.names.entries import asked_as_fields, id_field, name_fields, with_dates

PAGE = 5_000
"""Hits of one page."""

LONG_BEGINNING = 100
"""Length of a prefix that fits into a regular expression with all case variants."""

_LONG = range(-(2**63), 2**63)


def all_of(queries: Sequence[Clause], name: str | None = None) -> Clause:
    """Return the query for all of the queries, without scoring. `name` marks the matching hits."""
    return all_filtering(queries) if name is None else Bool(filter=list(queries), _name=name)


def with_id(entity: Entity, ids: Iterable[Scalar]) -> Clause:
    field = id_field(entity)
    return inside_nested(field, has_id(field, ids))


def has_id(field: MappedField, ids: Iterable[Scalar]) -> Clause:
    """Return the query for these ids. A text that cannot be an id (not a number, too long) matches nothing."""
    values = [value for one in ids if (value := _id_value(field, one)) is not None]
    if not values:
        return MatchNone()
    return Ids(values=list(map(str, values))) if field.path == ID_FIELD.path else on(Terms, field.term_path, values)


def named(entity: Entity, texts: Iterable[str]) -> list[Clause]:
    """Return a query for each name field and text, equal up to Unicode case (see `called`)."""
    wanted = list(texts)
    return [inside_nested(field, called(field, text)) for field in name_fields(entity) for text in wanted]


def called(field: MappedField, text: str) -> Clause:
    """Return the query for a text up to case. For a text that is too long it matches the beginning, so check the
    hits."""
    path = field.term_path
    if len(text) > MAX_AUTOMATON_LENGTH:
        return pattern_clause(path, [text[:LONG_BEGINNING], None])
    return equals_clause(path, text, field.normalizer)


def named_as_stored(entity: Entity, names: Sequence[str]) -> list[Clause]:
    """Return queries for names as stored, split by the number of terms that Elasticsearch accepts."""
    values = list(names[:MAX_TERMS])
    return [inside_nested(field, on(Terms, field.term_path, values)) for field in name_fields(entity) if values]


def as_normalized(field: MappedField, text: str) -> Clause:
    """Return the query for a text folded by the field's own normalizer."""
    if not _may_be_stored(text):
        return MatchNone()
    return inside_nested(field, on(Term, field.term_path, text))


def may_be_id(entity: Entity, text: str) -> bool:
    return entity.id_pattern is None or id_pattern(entity.id_pattern).fullmatch(text)


def asked_as_id(entity: Entity, field: MappedField, text: str) -> list[Clause]:
    """Return queries for a text as an id: as written, and up to case if ids are texts of the index."""
    queries = [has_id(field, [text])] if may_be_id(entity, text) else []
    fits = entity.id_pattern is None or id_pattern(entity.id_pattern, any_case=True).fullmatch(text)
    if fits and field.kind is FieldKind.KEYWORD and field.path != ID_FIELD.path and has_case(text):
        queries.append(called(field, text))
    return queries


def _id_value(field: MappedField, value: Scalar) -> Scalar | None:
    if isinstance(value, str) and not _may_be_stored(value):
        return None
    if field.kind is not FieldKind.WHOLE_NUMBER or not isinstance(value, str):
        return value
    return int(value) if value.isascii() and value.isdecimal() and int(value) in _LONG else None


def _may_be_stored(text: str) -> bool:
    return len(text.encode("utf-8", "surrogatepass")) <= MAX_TERM_BYTES


def inside_nested(field: MappedField, query: Clause) -> Clause:
    """The query within the nested element that the field is part of."""
    return nested(field.nested_path, query)


def read_hits(
    entity: Entity, query: Clause, paths: Sequence[str], purpose: str, limit: int, *, continues: bool = False
) -> Reading[tuple[list[Mapping[str, Any]], bool]]:
    """Return at most `limit` hits of a query by id, page by page, and whether there are more."""
    field = id_field(entity)
    ordered = entity.id is not None and field.doc_values and not field.nested
    size = min(limit + 1, PAGE)
    asked = asked_as_fields(entity.mapping, paths)
    found: list[Mapping[str, Any]] = []
    after: Sequence[Any] | None = None
    asking = all_of([query]).to_dict()
    while True:
        body: Body = {"query": asking}
        if ordered:
            body["sort"] = [field.term_path]
        body |= {"size": size, "track_total_hits": False, "_source": list(paths)}
        if asked:
            body["fields"] = asked
        if after is not None:
            body["search_after"] = list(after)
        response = yield SearchRequest(entity.index, body, purpose, continues or after is not None)
        hits = with_dates(response["hits"]["hits"], asked, entity.mapping)
        found += hits
        full = len(hits) == size
        if not full or len(found) > limit or not ordered:
            return found[:limit], len(found) > limit or (full and not ordered)
        after = hits[-1]["sort"]


def within(nested_path: str | None, aggs: Aggs) -> Aggs:
    """Wrap aggregations in the nested list of their fields, if they are in one."""
    return {"elements": Nested(path=nested_path, aggs=aggs)} if nested_path else aggs


def inside(bucket: Mapping[str, Any], nested_path: str | None) -> Mapping[str, Any]:
    """Return the bucket inside the wrapper of `within`."""
    found: Mapping[str, Any] = bucket["elements"] if nested_path else bucket
    return found
