"""Samples a live index: a few documents, the fields that are filled, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qlc.mapping.counting import Query, count_left_out, in_parts, terms_of_each
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.shapes import searched

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

SAMPLED_DOCUMENTS = 1000
MOST_VALUES = 30
"""A keyword with more values than this is open."""

ENOUGH = 20
"""A field with fewer values than this in the sample is read from further documents."""

_SOUGHT_DOCUMENTS = 50

Place = tuple[str | int, ...]
"""A document id, and the position of a list element in the document."""


@dataclass(slots=True)
class FieldSample:
    """The values at one path in the sampled documents.

    `per_document`: most values in one document, or in one element of a list. `filled`: how many of them have any.
    `by_place`: the values of each document or element, by id and position.
    """

    values: list[Any] = field(default_factory=list)
    per_document: int = 0
    filled: int = 0
    by_place: dict[Place, list[Any]] = field(default_factory=dict)


@dataclass(slots=True)
class Sample:
    """A sample of the `total` documents that match `query`; `ids` are those read.

    `seen` has the values by path, `object_lists` the objects that occur several times in one document. `filled` are
    paths with values in any document, `terms` all values of closed keywords, most frequent first. `left_out` counts
    documents whose value the index left out.
    """

    query: Query
    total: int
    ids: list[str]
    seen: dict[str, FieldSample] = field(default_factory=dict)
    object_lists: set[str] = field(default_factory=set)
    filled: frozenset[str] = frozenset()
    terms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def read(self) -> int:
        return len(self.ids)

    def at(self, path: str) -> FieldSample:
        return self.seen.get(path) or FieldSample()


def sample_documents(client: Elasticsearch, mapping: IndexMapping, query: Query | None = None) -> Sample:
    """Sample the documents that match a query, by default all. Raises what the client raises."""
    query = query or {"match_all": {}}
    answer = searched(
        client, index=mapping.index, query=query, size=SAMPLED_DOCUMENTS, sort=["_doc"], track_total_hits=True
    )
    hits = answer["hits"]["hits"]
    sample = Sample(query, int(answer["hits"]["total"]["value"]), [str(hit["_id"]) for hit in hits])
    for hit in hits:
        _read_object(hit.get("_source") or {}, "", (str(hit["_id"]),), sample, mapping)
    sample.filled = frozenset(sample.seen)
    if sample.total > sample.read:
        _look_further(client, mapping, sample)
    sample.left_out = count_left_out(client, mapping, query=query)
    sample.terms = _few_terms(client, mapping, sample)
    return sample


def _read_object(source: Mapping[str, Any], prefix: str, place: Place, sample: Sample, mapping: IndexMapping) -> None:
    for name, value in source.items():
        path = prefix + name
        items = [one for one in (value if isinstance(value, list) else [value]) if one is not None]
        if path in mapping.fields:
            # A point may be written as a list of two numbers; it is one value all the same.
            is_point = mapping.fields[path].kind in (FieldKind.GEO_POINT, FieldKind.VECTOR)
            if items:
                _note(sample.seen.setdefault(path, FieldSample()), place, [value] if is_point else items)
            continue
        objects = [one for one in items if isinstance(one, Mapping)]
        if len(objects) > 1 and path not in mapping.nested:
            sample.object_lists.add(path)
        for number, one in enumerate(objects):
            inside = (*place, number) if isinstance(value, list) else place
            _read_object(one, path + ".", inside, sample, mapping)


def _note(at: FieldSample, place: Place, items: Sequence[Any]) -> None:
    at.by_place.setdefault(place, []).extend(items)
    at.filled += 1
    at.per_document = max(at.per_document, len(items))
    at.values += items


def _look_further(client: Elasticsearch, mapping: IndexMapping, sample: Sample) -> None:
    """Look for documents with rare fields, and read the values of these."""
    rare = [(path, one) for path, one in mapping.fields.items() if len(sample.at(path).values) < ENOUGH]
    for part in in_parts(rare):
        paths = [path for path, _ in part]
        filters = {str(n): filled(mapped) for n, (_, mapped) in enumerate(part)}
        some = {"some": {"top_hits": {"size": _SOUGHT_DOCUMENTS, "_source": paths}}}
        aggs = {"rare": {"filters": {"filters": filters}, "aggs": some}}
        answer = searched(client, index=mapping.index, query=sample.query, size=0, aggs=aggs)
        for n, path in enumerate(paths):
            found = Sample(sample.query, 0, [])
            for hit in answer["aggregations"]["rare"]["buckets"][str(n)]["some"]["hits"]["hits"]:
                _read_object(hit.get("_source") or {}, "", (str(hit["_id"]),), found, mapping)
            sample.object_lists |= found.object_lists
            if path in found.seen:
                sample.seen[path] = found.seen[path]
                sample.filled |= {path}


def filled(mapped: MappedField) -> Query:
    """Return the query for documents with a value in a field, even if some of several indices lack its nested list."""
    query: dict[str, Any] = {"exists": {"field": mapped.path}}
    for path in reversed(mapped.nested):
        query = {"nested": {"path": path, "query": query, "ignore_unmapped": True}}
    return query


def _few_terms(client: Elasticsearch, mapping: IndexMapping, sample: Sample) -> dict[str, tuple[str, ...]]:
    """Return all values of keywords that have few."""
    asked = [
        (path, mapped)
        for path, mapped in mapping.fields.items()
        if mapped.kind is FieldKind.KEYWORD and mapped.doc_values and mapped.exact and mapped.es_type != "flattened"
        if path not in sample.left_out  # one more value is not among the terms
        if path in sample.filled and len(set(map(str, sample.at(path).values))) <= MOST_VALUES
    ]
    found = terms_of_each(client, mapping.index, [(mapped, sample.query) for _, mapped in asked], MOST_VALUES + 1)
    return {
        path: tuple(str(bucket["key"]) for bucket in buckets)
        for (path, _), buckets in zip(asked, found, strict=True)
        if len(buckets) <= MOST_VALUES
    }


@dataclass(frozen=True, slots=True)
class Profile:
    """A value of a field: `count` documents have it, and `fields` counts those with any value at other paths."""

    count: int
    fields: Mapping[str, int]


def profiles(
    client: Elasticsearch, mapping: IndexMapping, key: MappedField, paths: Iterable[str]
) -> dict[str, Profile]:
    """Count for each value of `key` how many of its documents fill each path."""
    counts: dict[str, int] = {}
    fields: dict[str, dict[str, int]] = {}
    for part in in_parts(list(paths)):
        filters = {str(n): filled(mapping.fields[path]) for n, path in enumerate(part)}
        counted = {"filled": {"filters": {"filters": filters}}}
        aggs = {"values": {"terms": {"field": key.exact, "size": MOST_VALUES}, "aggs": counted}}
        answer = searched(client, index=mapping.index, size=0, aggs=aggs)
        for bucket in answer["aggregations"]["values"]["buckets"]:
            value = str(bucket["key"])
            counts[value] = bucket["doc_count"]
            inner = bucket["filled"]["buckets"]
            fields.setdefault(value, {}).update((path, inner[str(n)]["doc_count"]) for n, path in enumerate(part))
    return {value: Profile(count, fields[value]) for value, count in counts.items()}


def is_unique(client: Elasticsearch, index: str, mapped: MappedField, query: Query) -> bool:
    """Whether documents that match a query have distinct values in a field."""
    most_frequent = {"terms": {"field": mapped.exact, "size": 1}}
    answer = searched(client, index=index, query=query, size=0, aggs={"most_frequent": most_frequent})
    buckets = answer["aggregations"]["most_frequent"]["buckets"]
    return bool(buckets) and buckets[0]["doc_count"] == 1
