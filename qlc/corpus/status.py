"""What a corpus has: documents by bucket and state, files that cannot be read, and how far each field is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .index import DOCUMENT, PASSAGE, placed_fields
from .schema import CorpusSchema

_MOST_BUCKETS = 1_000
_MOST_PROBLEMS = 1_000


@dataclass(frozen=True, slots=True)
class FieldCoverage:
    """Of how many documents a field is known, and of how many two places say different things."""

    known: int
    disputed: int


@dataclass(frozen=True, slots=True)
class BucketStatus:
    documents: int
    ready: int
    fields: Mapping[str, FieldCoverage]


@dataclass(frozen=True, slots=True)
class Unread:
    """A document without text, and why. `reason` is one of qlc.corpus.errors.Reason."""

    files: tuple[str, ...]
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a field and where it was read: on which page, in which words. What people gave has no page."""

    field: str
    value: str
    page: int
    quote: str
    is_disputed: bool
    """Whether another place says something else, so that the field has no value."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with all that is known of where its values stand."""

    id: str
    title: str
    files: tuple[str, ...]
    bucket: str
    state: str
    pages: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Status:
    documents: int
    passages: int
    embedded: int
    """Passages with a vector."""
    buckets: Mapping[str, BucketStatus]
    problems: tuple[Unread, ...]
    disputes: tuple[Document, ...]
    """Documents of which places disagree, with these places alone."""


def read_status(client: Any, index: str, schema: CorpusSchema) -> Status:
    """Three searches, however many documents there are."""
    fields: dict[str, dict[str, str]] = {}
    for one in placed_fields(schema):
        if one.part.type == "rows":  # elements exist where one of their fields does
            continue
        fields.setdefault(one.bucket, {})[one.name] = one.path
    documents = {"term": {"kind": DOCUMENT}}
    per_bucket = {f"in {name}": _of_bucket(name, fields.get(name, {})) for name in schema.file.buckets}
    counted = client.search(
        index=index,
        size=0,
        aggs={
            "kinds": {"filters": {"filters": {
                DOCUMENT: documents,
                PASSAGE: {"term": {"kind": PASSAGE}},
                "embedded": {"exists": {"field": "vector"}},
            }}},
            "buckets": {"filter": documents, "aggs": {
                "names": {"terms": {"field": "bucket", "size": _MOST_BUCKETS}, "aggs": {"ready": {"filter": _READY}}},
            }},
            **per_bucket,
        },
    )["aggregations"]  # fmt: skip
    kinds = {name: one["doc_count"] for name, one in counted["kinds"]["buckets"].items()}
    buckets = {
        one["key"]: BucketStatus(
            one["doc_count"], one["ready"]["doc_count"], _coverage(counted.get(f"in {one['key']}", {}))
        )
        for one in counted["buckets"]["names"]["buckets"]
    }
    return Status(
        kinds[DOCUMENT],
        kinds[PASSAGE],
        kinds["embedded"],
        buckets,
        _problems(client, index),
        _disputes(client, index, schema),
    )


def bucket_names(client: Any, index: str) -> list[str]:
    """The buckets that documents are in."""
    counted = client.search(
        index=index, size=0, query={"term": {"kind": DOCUMENT}},
        aggs={"names": {"terms": {"field": "bucket", "size": _MOST_BUCKETS}}},
    )  # fmt: skip
    return [one["key"] for one in counted["aggregations"]["names"]["buckets"]]


_READY = {"term": {"state": "ready"}}


def _of_bucket(name: str, fields: Mapping[str, str]) -> dict[str, Any]:
    known = {field: {"exists": {"field": path}} for field, path in fields.items()}
    return {
        "filter": {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"term": {"bucket": name}}]}},
        "aggs": {
            **({"known": {"filters": {"filters": known}}} if known else {}),
            "disputed": {"terms": {"field": "disputed", "size": 1_000}},
        },
    }


def _coverage(counted: Mapping[str, Any]) -> dict[str, FieldCoverage]:
    disputed = {one["key"]: one["doc_count"] for one in counted.get("disputed", {}).get("buckets", ())}
    known = counted.get("known", {}).get("buckets", {})
    return {name: FieldCoverage(one["doc_count"], disputed.get(name, 0)) for name, one in known.items()}


def _problems(client: Any, index: str) -> tuple[Unread, ...]:
    found = client.search(
        index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}], source=["files", "reason", "message"],
        query={"bool": {"filter": [{"term": {"kind": DOCUMENT}}], "must_not": [_READY]}},
    )["hits"]["hits"]  # fmt: skip
    return tuple(
        Unread(tuple(one["files"]), one["reason"], one["message"]) for one in (hit["_source"] for hit in found)
    )


# --- documents -------------------------------------------------------------------------------------------------------


def read_document(client: Any, index: str, schema: CorpusSchema, file: str) -> Document | None:
    """The document of a file; None where there is none."""
    found = _documents(client, index, schema, {"term": {"files": file}})
    return found[0] if found else None


def _disputes(client: Any, index: str, schema: CorpusSchema) -> tuple[Document, ...]:
    found = _documents(client, index, schema, {"exists": {"field": "disputed"}})
    disputed = (replace(one, places=tuple(place for place in one.places if place.is_disputed)) for one in found)
    return tuple(one for one in disputed if one.places)


def _documents(client: Any, index: str, schema: CorpusSchema, query: dict[str, Any]) -> list[Document]:
    found = client.search(
        index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}],
        source=["id", "title", "files", "bucket", "state", "pages", "places", "values"],
        query={"bool": {"filter": [{"term": {"kind": DOCUMENT}}, query]}},
    )["hits"]["hits"]  # fmt: skip
    return [_document(hit["_source"], schema) for hit in found]


def _document(record: Mapping[str, Any], schema: CorpusSchema) -> Document:
    head = (record["id"], record["title"], tuple(record["files"]), record["bucket"], record["state"])
    return Document(*head, record.get("pages", 0), tuple(_places(record, schema)))


def _places(record: Mapping[str, Any], schema: CorpusSchema) -> Iterator[Place]:
    """Of each field that is not confidential. The value of a row is its text."""
    rows: set[tuple[str, int, str]] = set()
    fields = {one.name: one for one in placed_fields(schema) if one.bucket == record["bucket"]}
    for name, places in record.get("places", {}).items():
        field = fields.get(name.partition(".")[0])
        if field is None or field.part.sensitive or any(one.sensitive for one in field.part.fields.values()):
            continue
        stored = record.get("values", {}).get(field.path.removeprefix("values."), [])
        values = iter(stored if isinstance(stored, list) else [stored])
        for place in places:
            quote = place.get("quote", "")
            page = place.get("page", 0)
            if field.part.type == "rows":
                if (row := (field.name, page, quote)) not in rows:
                    rows.add(row)
                    yield Place(field.name, " | ".join(quote.split("\t")), page, quote, False)
                continue
            is_disputed = "disputed" in place
            value = place["disputed"] if is_disputed else _told(next(values, ""), field.part.unit)
            yield Place(name, value, page, quote, is_disputed)


def _told(value: Any, unit: str) -> str:
    if isinstance(value, dict):
        return f"{value['amount']:,.2f} {value.get('currency', '')}".strip()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g} {unit}".strip() if isinstance(value, float | int) else str(value)
