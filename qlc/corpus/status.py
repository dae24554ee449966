"""What a corpus has: documents by bucket and state, files that cannot be read, and how far each field is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.language.quantities import unit_as_written
from qlc.mapping.shapes import searched

from .index import DOCUMENT, PASSAGE, placed_fields
from .schema import CorpusSchema

_MOST_BUCKETS = 1_000
_MOST_PROBLEMS = 1_000
_MOST_LACKING = 10


@dataclass(frozen=True, slots=True)
class FieldCoverage:
    """Of how many documents a field is known, of how many two places say different things, and of how many no place
    says it; of rows, whether there are any, and whether any has the column."""

    known: int
    disputed: int
    lacking: int = 0
    files: tuple[str, ...] = ()
    """The first files of those that lack it, by their names."""


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
    """Whether another place says something else, so that this is no value of the field."""
    by: str = "given"
    """given, rules, meaning or model."""
    stored: Any = None
    """The value as it is stored: a number in the unit of its field, a text, an object of amount and currency."""


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
    """Documents of which places disagree, with the places of these fields alone."""
    by_model: int = 0
    """Documents that a model has read, beside the rules."""
    in_part: int = 0
    """Of these, how many were too long to be sent whole."""
    dropped: int = 0
    """Values of a model that do not stand where it said, and are not kept."""
    by_rules: tuple[Unread, ...] = ()
    """Documents that a model was to read and did not, and why: rules alone did."""


def read_status(client: Any, index: str, schema: CorpusSchema) -> Status:
    """Three searches, however many documents there are."""
    fields: dict[str, dict[str, Any]] = {}
    for one in placed_fields(schema):
        known = fields.setdefault(one.bucket, {})
        columns = {f"{one.name}.{name}": f"{one.path}.{name}" for name in one.part.fields}
        within: dict[str, Any] = {name: {"exists": {"field": path}} for name, path in columns.items()}
        if columns:
            within = {one.name: {"bool": {"should": [*within.values()]}}, **within}
            known |= {name: {"nested": {"path": one.path, "query": query}} for name, query in within.items()}
        else:
            known[one.name] = {"exists": {"field": one.path}}
    documents = {"term": {"kind": DOCUMENT}}
    per_bucket = {f"in {name}": _of_bucket(name, fields.get(name, {})) for name in schema.file.buckets}
    counted = searched(
        client, index=index,
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
            "model": {"filter": {"exists": {"field": "extraction.by"}}, "aggs": {
                "in part": {"filter": {"term": {"extraction.is_whole": False}}},
                "dropped": {"sum": {"field": "extraction.dropped"}},
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
        _unread(client, index, {"bool": {"filter": [documents], "must_not": [_READY]}}),
        _disputes(client, index, schema),
        counted["model"]["doc_count"],
        counted["model"]["in part"]["doc_count"],
        int(counted["model"]["dropped"]["value"]),
        _unread(client, index, {"exists": {"field": "extraction.reason"}}, "extraction"),
    )


def bucket_names(client: Any, index: str) -> list[str]:
    """The buckets that documents are in."""
    counted = searched(
        client, index=index, size=0, query={"term": {"kind": DOCUMENT}},
        aggs={"names": {"terms": {"field": "bucket", "size": _MOST_BUCKETS}}},
    )  # fmt: skip
    return [one["key"] for one in counted["aggregations"]["names"]["buckets"]]


_READY = {"term": {"state": "ready"}}


def _of_bucket(name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    lacking = {
        field: {"bool": {"filter": [_READY], "must_not": [query, {"term": {"disputed": field}}]}}
        for field, query in known.items()
    }
    files = {"terms": {"field": "files", "size": _MOST_LACKING, "order": {"_key": "asc"}}}
    return {
        "filter": {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"term": {"bucket": name}}]}},
        "aggs": {
            **({"known": {"filters": {"filters": known}}} if known else {}),
            **({"lacking": {"filters": {"filters": lacking}, "aggs": {"files": files}}} if known else {}),
            "disputed": {"terms": {"field": "disputed", "size": 1_000}},
        },
    }


def _coverage(counted: Mapping[str, Any]) -> dict[str, FieldCoverage]:
    disputed = {one["key"]: one["doc_count"] for one in counted.get("disputed", {}).get("buckets", ())}
    known = counted.get("known", {}).get("buckets", {})
    lacking = counted.get("lacking", {}).get("buckets", {})
    return {
        name: FieldCoverage(
            one["doc_count"],
            disputed.get(name, 0),
            lacking[name]["doc_count"],
            tuple(each["key"] for each in lacking[name]["files"]["buckets"]),
        )
        for name, one in known.items()
    }


def _unread(client: Any, index: str, query: Mapping[str, Any], at: str = "") -> tuple[Unread, ...]:
    """The documents that a query finds, with the reason and the message that are in their records, or in `at` there."""
    found = searched(
        client, index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}], query=query,
        source=["files", *([at] if at else ["reason", "message"])],
    )["hits"]["hits"]  # fmt: skip
    told = [(record["files"], record[at] if at else record) for record in (hit["_source"] for hit in found)]
    return tuple(Unread(tuple(files), one["reason"], one["message"]) for files, one in told)


# --- documents -------------------------------------------------------------------------------------------------------


def read_document(client: Any, index: str, schema: CorpusSchema, file: str) -> Document | None:
    """The document of a file; None where there is none."""
    found = _documents(client, index, schema, {"term": {"files": file}})
    return found[0] if found else None


def read_documents(client: Any, index: str, schema: CorpusSchema, ids: Sequence[str]) -> list[Document]:
    """The documents with these ids, in their order."""
    found = {one.id: one for one in _documents(client, index, schema, {"terms": {"id": list(ids)}})}
    return [found[one] for one in ids if one in found]


def _disputes(client: Any, index: str, schema: CorpusSchema) -> tuple[Document, ...]:
    """Documents of which places disagree, with the places of these fields alone."""
    found = []
    for one in _documents(client, index, schema, {"exists": {"field": "disputed"}}):
        names = {place.field for place in one.places if place.is_disputed}
        if names:
            found.append(replace(one, places=tuple(place for place in one.places if place.field in names)))
    return tuple(found)


def _documents(client: Any, index: str, schema: CorpusSchema, query: dict[str, Any]) -> list[Document]:
    found = searched(
        client, index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}],
        source=["id", "title", "files", "bucket", "state", "pages", "places", "values"],
        query={"bool": {"filter": [{"term": {"kind": DOCUMENT}}, query]}},
    )["hits"]["hits"]  # fmt: skip
    return [
        Document(
            record["id"], record["title"], tuple(record["files"]), record["bucket"], record["state"],
            record.get("pages", 0), tuple(_places(record, schema)),
        )
        for record in (hit["_source"] for hit in found)
    ]  # fmt: skip


def _places(record: Mapping[str, Any], schema: CorpusSchema) -> Iterator[Place]:
    """Of each field that is not confidential. The value of a row is its text."""
    rows: set[tuple[str, int, str]] = set()
    fields = {one.name: one for one in placed_fields(schema) if one.bucket == record["bucket"]}
    for name, places in record.get("places", {}).items():
        field = fields.get(name.partition(".")[0])
        if field is None or field.part.is_confidential:
            continue
        stored = record.get("values", {}).get(field.path.removeprefix("values."), [])
        values = iter(stored if isinstance(stored, list) else [stored])
        for place in places:
            quote = place.get("quote", "")
            page = place.get("page", 0)
            is_disputed = "disputed" in place
            if field.part.type == "rows":
                if (row := (field.name, page, quote)) not in rows:
                    rows.add(row)
                    yield Place(field.name, " | ".join(quote.split("\t")), page, quote, is_disputed, place["by"])
                continue
            kept = None if is_disputed else next(values, "")
            value = (
                place["disputed"] if is_disputed else _value_text(kept, unit_as_written(kept, field.part.unit, quote))
            )
            yield Place(name, value, page, quote, is_disputed, place["by"], kept)


def _value_text(value: Any, unit: str) -> str:
    if isinstance(value, dict):
        return f"{value['amount']:,.2f} {value.get('currency', '')}".strip()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g} {unit}".strip() if isinstance(value, float | int) else str(value)
