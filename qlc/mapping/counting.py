"""Counts documents for many queries, and reads values of many fields, in few searches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from qlc.mapping.fields import IndexMapping, MappedField
from qlc.mapping.shapes import searched

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_PER_REQUEST = 50

Query = Mapping[str, Any]
_Item = TypeVar("_Item")


def in_parts(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Split the items into parts of the size of one search."""
    for start in range(0, len(items), _PER_REQUEST):
        yield items[start : start + _PER_REQUEST]


def count_each(client: Elasticsearch, index: str, queries: Sequence[Query]) -> list[int]:
    """Return how many documents match each query. Raises what the client raises."""
    counts = []
    for part in in_parts(queries):
        filters = {str(n): query for n, query in enumerate(part)}
        answer = searched(client, index=index, size=0, aggs={"each": {"filters": {"filters": filters}}})
        buckets = answer["aggregations"]["each"]["buckets"]
        counts += [int(buckets[str(n)]["doc_count"]) for n in range(len(part))]
    return counts


def count_left_out(
    client: Elasticsearch, mapping: IndexMapping, paths: Sequence[str] = (), query: Query | None = None
) -> dict[str, int]:
    """Count the documents in which the index left out a value, by path; for all fields without `paths`.

    Raises what the client raises.
    """
    fields = {path: mapping.fields[path] for path in paths or mapping.fields if path in mapping.fields}
    asked = [(path, one) for path, one in fields.items() if one.may_ignore]
    queries: list[Query] = [
        {"bool": {"filter": [query or {"match_all": {}}, {"term": {"_ignored": one.term_path}}]}} for _, one in asked
    ]
    counts = count_each(client, mapping.index, queries)
    return {path: count for (path, _), count in zip(asked, counts, strict=True) if count}


def terms_of_each(
    client: Elasticsearch, index: str, asked: Sequence[tuple[MappedField, Query]], size: int
) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Return the values of each field in the documents that match its query, as buckets, most frequent first.

    Raises what the client raises.
    """
    for part in in_parts(asked):
        aggs = {}
        for n, (mapped, query) in enumerate(part):
            inner: dict[str, Any] = {"terms": {"field": mapped.exact, "size": size}}
            for path in reversed(mapped.nested):
                inner = {"nested": {"path": path}, "aggs": {"inner": inner}}
            aggs[str(n)] = {"filter": query, "aggs": {"inner": inner}}
        answer = searched(client, index=index, size=0, aggs=aggs)["aggregations"]
        for n, (mapped, _) in enumerate(part):
            result = answer[str(n)]["inner"]
            for _ in mapped.nested:
                result = result["inner"]
            yield result["buckets"]
