"""The searches of name resolution, and reading what they answer to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qlc.compiler.caseless import MAX_TERM_BYTES, equals_query, has_case, pattern_query
from qlc.compiler.request import Reading, SearchRequest
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import ID_FIELD, FieldKind, MappedField
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.schema import Entity
from qlc.resolver.names.dates import asked_as_fields, with_dates
from qlc.resolver.names.entries import id_field, name_fields

if TYPE_CHECKING:
    from elasticsearch.dsl.query import Query

MAX_TERMS = 65_536
"""Elasticsearch's default `index.max_terms_count`."""

PAGE = 5_000
"""Hits of one page."""

MAX_CASELESS = 1_000
"""The longest text that Lucene compares ignoring case (the states of an automaton)."""

LONG_BEGINNING = 100
"""Short enough for a regular expression with all case variants of its letters."""

_LONG = range(-(2**63), 2**63)


def any_of(queries: Sequence[Query]) -> Query:
    """At least one of the queries."""
    from elasticsearch.dsl import Q

    if len(queries) == 1:
        return queries[0]
    return Q("bool", should=list(queries), minimum_should_match=1) if queries else Q("match_none")


def all_of(queries: Sequence[Query], name: str | None = None) -> Query:
    """All of the queries, without a score. Hits that match are told by the name, if there is one."""
    from elasticsearch.dsl import Q

    if name is not None:
        return Q("bool", filter=list(queries), _name=name)
    return Q("bool", filter=list(queries)) if queries else Q("match_all")


def with_id(entity: Entity, ids: Iterable[Scalar]) -> Query:
    field = id_field(entity)
    return inside_nested(field, has_id(field, ids))


def has_id(field: MappedField, ids: Iterable[Scalar]) -> Query:
    """Exactly these ids. A text that cannot be an id, of a number or by its length, matches nothing."""
    from elasticsearch.dsl import Q

    values = [value for one in ids if (value := _id_value(field, one)) is not None]
    if not values:
        return Q("match_none")
    return Q("ids", values=values) if field.path == ID_FIELD.path else Q("terms", **{field.term_path: values})


def named(entity: Entity, texts: Iterable[str]) -> list[Query]:
    """A query for each name field and text: the field equals the text up to Unicode case (see `called`)."""
    wanted = list(texts)
    return [inside_nested(field, called(field, text)) for field in name_fields(entity) for text in wanted]


def called(field: MappedField, text: str) -> Query:
    """The field equals the text up to case; of one that is too long to ask for the beginning does. Judge the hits."""
    path = field.term_path
    if len(text) > MAX_CASELESS:
        return pattern_query(path, [text[:LONG_BEGINNING], None])
    return equals_query(path, text, field.normalizer)


def named_as_stored(entity: Entity, names: Sequence[str]) -> list[Query]:
    """The name is one of these values of the index; no more of them than Elasticsearch takes at once."""
    from elasticsearch.dsl import Q

    values = list(names[:MAX_TERMS])
    return [inside_nested(field, Q("terms", **{field.term_path: values})) for field in name_fields(entity) if values]


def as_normalized(field: MappedField, text: str) -> Query:
    """The text as the field's own normalizer folds it."""
    from elasticsearch.dsl import Q

    if not _may_be_stored(text):
        return Q("match_none")
    return inside_nested(field, Q("term", **{field.term_path: text}))


def may_be_id(entity: Entity, text: str) -> bool:
    return entity.id_pattern is None or id_pattern(entity.id_pattern).fullmatch(text)


def asked_as_id(entity: Entity, field: MappedField, text: str) -> list[Query]:
    """The queries for a text that may be an id: as it is written, and up to case where ids are texts of the index."""
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


def inside_nested(field: MappedField, query: Query) -> Query:
    """The query within the nested element that the field is part of."""
    from elasticsearch.dsl import Q

    return Q("nested", path=field.nested_path, query=query) if field.nested_path else query


def read_hits(
    entity: Entity, query: Query, paths: Sequence[str], purpose: str, limit: int, *, continues: bool = False
) -> Reading[tuple[list[Mapping[str, Any]], bool]]:
    """At most `limit` hits of a query in the order of their ids, page by page, and whether there are more."""
    from elasticsearch.dsl import Search

    field = id_field(entity)
    ordered = entity.id is not None and field.doc_values and not field.nested
    size = min(limit + 1, PAGE)
    asked = asked_as_fields(entity.mapping, paths)
    found: list[Mapping[str, Any]] = []
    after: Sequence[Any] | None = None
    while True:
        search = Search().query(all_of([query])).source(list(paths)).extra(size=size, track_total_hits=False)
        if asked:
            search = search.extra(fields=asked)
        if ordered:
            search = search.sort(field.term_path)
        if after is not None:
            search = search.extra(search_after=list(after))
        response = yield SearchRequest(entity.index, search.to_dict(), purpose, continues or after is not None)
        hits = with_dates(response["hits"]["hits"], asked, entity.mapping)
        found += hits
        full = len(hits) == size
        if not full or len(found) > limit or not ordered:
            return found[:limit], len(found) > limit or (full and not ordered)
        after = hits[-1]["sort"]


def within(buckets: Any, nested_path: str | None) -> Any:
    """The aggregation to hang others under: over the elements of a nested list where the fields are part of one."""
    return buckets.bucket("elements", "nested", path=nested_path) if nested_path else buckets


def inside(bucket: Mapping[str, Any], nested_path: str | None) -> Mapping[str, Any]:
    """What `within` hung the others under, in the response."""
    found: Mapping[str, Any] = bucket["elements"] if nested_path else bucket
    return found
