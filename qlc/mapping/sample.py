"""What a live index shows of itself: a few documents, which fields are filled, and with which values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qlc.mapping.fields import FieldKind, IndexMapping, MappedField

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

SAMPLED_DOCUMENTS = 1000
MOST_VALUES = 30
"""A keyword with more values than this is not closed."""

_FIELDS_PER_REQUEST = 50


@dataclass(slots=True)
class FieldSample:
    """What the sampled documents have at one path.

    `per_document` is the most values that one document, or one element of its list, has there; `filled` how many
    documents or elements have any.
    """

    values: list[Any] = field(default_factory=list)
    per_document: int = 0
    filled: int = 0


@dataclass(slots=True)
class IndexSample:
    """`total` documents in the index, `read` of them looked at.

    `seen` says what is at each path, `object_lists` which objects occur several times in one document. `empty` are
    paths that no document of the index fills, `terms` all values of keywords that have few, most frequent first.
    """

    total: int
    ids: list[str]
    seen: dict[str, FieldSample]
    object_lists: set[str]
    empty: frozenset[str] = frozenset()
    terms: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def read(self) -> int:
        return len(self.ids)


def sample_index(client: Elasticsearch, mapping: IndexMapping) -> IndexSample:
    """Look at the index behind a mapping. Raises what the client raises where it cannot be asked."""
    answer = client.search(index=mapping.index, size=SAMPLED_DOCUMENTS, sort=["_doc"], track_total_hits=True)
    hits = answer["hits"]["hits"]
    sample = IndexSample(
        total=int(answer["hits"]["total"]["value"]), ids=[str(hit["_id"]) for hit in hits], seen={}, object_lists=set()
    )
    for hit in hits:
        _read_object(hit.get("_source") or {}, "", sample, mapping)
    sample.empty = _empty_fields(client, mapping, sample)
    sample.terms = _few_terms(client, mapping, sample)
    return sample


def _read_object(source: Mapping[str, Any], prefix: str, sample: IndexSample, mapping: IndexMapping) -> None:
    for name, value in source.items():
        path = prefix + name
        items = [one for one in (value if isinstance(value, list) else [value]) if one is not None]
        if path in mapping.fields:
            # A point may be written as a list of two numbers; it is one value all the same.
            is_point = mapping.fields[path].kind in (FieldKind.GEO_POINT, FieldKind.VECTOR)
            _note(sample.seen.setdefault(path, FieldSample()), [value] if is_point and items else items)
            continue
        objects = [one for one in items if isinstance(one, Mapping)]
        if len(objects) > 1 and path not in mapping.nested:
            sample.object_lists.add(path)
        for one in objects:
            _read_object(one, path + ".", sample, mapping)


def _note(at: FieldSample, items: Sequence[Any]) -> None:
    if items:
        at.filled += 1
        at.per_document = max(at.per_document, len(items))
        at.values += items


def _empty_fields(client: Elasticsearch, mapping: IndexMapping, sample: IndexSample) -> frozenset[str]:
    """The fields without a value in any document; asked of those only that no sampled document has."""
    unseen = [(path, mapped) for path, mapped in mapping.fields.items() if path not in sample.seen]
    empty = []
    for part in _parts(unseen):
        filters = {str(n): _exists(mapped) for n, (_, mapped) in enumerate(part)}
        answer = client.search(index=mapping.index, size=0, aggs={"filled": {"filters": {"filters": filters}}})
        buckets = answer["aggregations"]["filled"]["buckets"]
        empty += [path for n, (path, _) in enumerate(part) if not buckets[str(n)]["doc_count"]]
    return frozenset(empty)


def _exists(mapped: MappedField) -> dict[str, Any]:
    query: dict[str, Any] = {"exists": {"field": mapped.path}}
    for path in reversed(mapped.nested):
        query = {"nested": {"path": path, "query": query}}
    return query


def _few_terms(client: Elasticsearch, mapping: IndexMapping, sample: IndexSample) -> dict[str, tuple[str, ...]]:
    """All values of the keywords that have few of them."""
    asked = [
        (path, mapped)
        for path, mapped in mapping.fields.items()
        if mapped.kind is FieldKind.KEYWORD and mapped.doc_values and mapped.exact and mapped.es_type != "flattened"
        if path not in sample.empty and not _has_many_values(sample.seen.get(path))
    ]
    found = {}
    for part in _parts(asked):
        aggs = {str(n): _terms(mapped) for n, (_, mapped) in enumerate(part)}
        answer = client.search(index=mapping.index, size=0, aggs=aggs)
        for n, (path, mapped) in enumerate(part):
            result = answer["aggregations"][str(n)]
            for _ in mapped.nested:
                result = result["inner"]
            buckets = result["buckets"]
            if len(buckets) <= MOST_VALUES:
                found[path] = tuple(str(bucket["key"]) for bucket in buckets)
    return found


def _has_many_values(seen: FieldSample | None) -> bool:
    return seen is not None and len({str(value) for value in seen.values}) > MOST_VALUES


def _terms(mapped: MappedField) -> dict[str, Any]:
    aggregation: dict[str, Any] = {"terms": {"field": mapped.exact, "size": MOST_VALUES + 1}}
    for path in reversed(mapped.nested):
        aggregation = {"nested": {"path": path}, "aggs": {"inner": aggregation}}
    return aggregation


def _parts(
    fields: Sequence[tuple[str, MappedField]],
) -> Iterator[Sequence[tuple[str, MappedField]]]:
    for start in range(0, len(fields), _FIELDS_PER_REQUEST):
        yield fields[start : start + _FIELDS_PER_REQUEST]


def is_unique(client: Elasticsearch, index: str, mapped: MappedField) -> bool:
    """Whether no two documents have the same value: no value counts more than once."""
    most_frequent = {"terms": {"field": mapped.exact, "size": 1}}
    answer = client.search(index=index, size=0, aggs={"most_frequent": most_frequent})
    buckets = answer["aggregations"]["most_frequent"]["buckets"]
    return bool(buckets) and buckets[0]["doc_count"] == 1


def count_known(client: Elasticsearch, index: str, mapped: MappedField, values: Iterable[str]) -> int:
    """How many documents have one of the values in a field."""
    answer = client.search(
        index=index, size=0, query={"terms": {str(mapped.exact): list(values)}}, track_total_hits=True
    )
    return int(answer["hits"]["total"]["value"])
