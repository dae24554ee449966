"""The status of a corpus: documents by bucket and state, unreadable files, and coverage of each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.language.quantities import unit_as_written
from qlc.mapping.shapes import searched

from .index import CONTENT, DOCUMENT, PASSAGE, placed_fields
from .orders import MARK
from .schema import CorpusSchema

_MOST_BUCKETS = 1_000
_MOST_PROBLEMS = 1_000
_MOST_LACKING = 10


@dataclass(frozen=True, slots=True)
class FieldCoverage:
    """How many documents have a value of a field, in how many it is left out, how many lack it; for rows, whether
    there are any, and whether any has the column."""

    known: int
    disputed: int
    lacking: int = 0
    files: tuple[str, ...] = ()
    """Names of the first files without the field."""


@dataclass(frozen=True, slots=True)
class BucketStatus:
    documents: int
    ready: int
    fields: Mapping[str, FieldCoverage]


@dataclass(frozen=True, slots=True)
class Unread:
    """A document without text, and the reason. `reason` is one of qlc.corpus.errors.Reason."""

    files: tuple[str, ...]
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a field and its place: the page and the quote. A given value has no page."""

    field: str
    value: str
    page: int
    quote: str
    is_disputed: bool
    """Whether the field has no value, since another place has a different one, or since this one cannot be read."""
    by: str = "given"
    """Source of the value: given, rules, meaning or model."""
    stored: Any = None
    """The stored value: a number in the unit of its field, a text, an object of amount and currency."""
    why: str = ""
    """Reason of a disputed value: `it is a range`."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with the places of its values."""

    id: str
    title: str
    files: tuple[str, ...]
    bucket: str
    state: str
    pages: int
    places: tuple[Place, ...]
    content: str = ""
    """Digest of the file: copies under other names have the same."""


@dataclass(frozen=True, slots=True)
class Status:
    documents: int
    passages: int
    embedded: int
    """Number of passages with a vector."""
    buckets: Mapping[str, BucketStatus]
    problems: tuple[Unread, ...]
    disputes: tuple[Document, ...]
    """Documents with values that are left out, with only the places of these fields."""
    by_model: int = 0
    """Number of documents that a model has read, in addition to rules."""
    in_part: int = 0
    """How many of these were too long to be sent whole."""
    dropped: int = 0
    """Number of a model's values that were dropped, since they were not found at the place that it gave."""
    by_rules: tuple[Unread, ...] = ()
    """Documents that only rules read, although a model was to read them, with the reason."""
    orders: tuple[str, ...] = ()
    """Files that give orders to language models, which are left out of passages and values."""


def read_status(client: Any, index: str, schema: CorpusSchema) -> Status:
    """Read the status in three searches, for any number of documents."""
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
            "orders": {"filter": {"match_phrase": {"text": MARK}}, "aggs": {
                "files": {"terms": {"field": "files", "size": _MOST_PROBLEMS, "order": {"_key": "asc"}}},
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
        tuple(one["key"] for one in counted["orders"]["files"]["buckets"]),
    )


def bucket_names(client: Any, index: str) -> list[str]:
    """Return the buckets of documents."""
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
    """Return the documents of a query with the reason and message in their records, or in `at` there."""
    found = searched(
        client, index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}], query=query,
        source=["files", *([at] if at else ["reason", "message"])],
    )["hits"]["hits"]  # fmt: skip
    told = [(record["files"], record[at] if at else record) for record in (hit["_source"] for hit in found)]
    return tuple(Unread(tuple(files), one["reason"], one["message"]) for files, one in told)


# --- documents -------------------------------------------------------------------------------------------------------


def read_document(client: Any, index: str, schema: CorpusSchema, file: str) -> Document | None:
    """Return the document of a file; None if there is none."""
    found = _documents(client, index, schema, {"term": {"files": file}})
    return found[0] if found else None


def read_documents(client: Any, index: str, schema: CorpusSchema, ids: Sequence[str]) -> list[Document]:
    """Return the documents with these ids, in order."""
    found = {one.id: one for one in _documents(client, index, schema, {"terms": {"id": list(ids)}})}
    return [found[one] for one in ids if one in found]


def _disputes(client: Any, index: str, schema: CorpusSchema) -> tuple[Document, ...]:
    """Return documents with disagreeing places, with only the places of these fields."""
    found = []
    for one in _documents(client, index, schema, {"exists": {"field": "disputed"}}):
        names = {place.field for place in one.places if place.is_disputed}
        if names:
            found.append(replace(one, places=tuple(place for place in one.places if place.field in names)))
    return tuple(found)


def _documents(client: Any, index: str, schema: CorpusSchema, query: dict[str, Any]) -> list[Document]:
    found = searched(
        client, index=index, size=_MOST_PROBLEMS, sort=[{"files": "asc"}],
        source=["id", "title", "files", "bucket", "state", "pages", "places", "values", CONTENT],
        query={"bool": {"filter": [{"term": {"kind": DOCUMENT}}, query]}},
    )["hits"]["hits"]  # fmt: skip
    return [
        Document(
            record["id"], record["title"], tuple(record["files"]), record["bucket"], record["state"],
            record.get("pages", 0), tuple(_places(record, schema)), record.get(CONTENT, ""),
        )
        for record in (hit["_source"] for hit in found)
    ]  # fmt: skip


def _places(record: Mapping[str, Any], schema: CorpusSchema) -> Iterator[Place]:
    """Yield places of fields that are not confidential. The value of a row is its text."""
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
            if field.part.by == "period":
                if name.endswith(".value"):
                    row: Any = None if is_disputed else next(values, {})
                    text = place["disputed"] if row is None else _row_text(row)
                    yield Place(field.name, text, page, quote, is_disputed, place["by"], row, place.get("why", ""))
                continue
            if field.part.type == "rows" and is_disputed:
                yield Place(name, place["disputed"], page, quote, True, place["by"], None, place["why"])
                continue
            if field.part.type == "rows":
                if (row := (field.name, page, quote)) not in rows:
                    rows.add(row)
                    yield Place(field.name, " | ".join(quote.split("\t")), page, quote, is_disputed, place["by"])
                continue
            kept = None if is_disputed else place["value"] if "value" in place else next(values, "")
            value = (
                place["disputed"] if is_disputed else _value_text(kept, unit_as_written(kept, field.part.unit, quote))
            )
            yield Place(name, value, page, quote, is_disputed, place["by"], kept, place.get("why", ""))


def _row_text(row: Mapping[str, Any]) -> str:
    """Return the amount of a period: `2018: 32,765,000,000.00 USD`."""
    return f"{row.get('period', '')}: {_value_text(row.get('value'), '')}"


def _value_text(value: Any, unit: str) -> str:
    if isinstance(value, dict):
        return f"{value['amount']:,.2f} {value.get('currency', '')}".strip()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g} {unit}".strip() if isinstance(value, float | int) else str(value)
