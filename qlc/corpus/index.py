"""The index of a corpus, and its catalog, both derived from `corpus.yaml`.

One index holds documents, passages and annotations, distinguished by `kind`. Passages have copies of the typed fields
of their document, so that one search filters and ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from qlc.base.units import find_unit

from .schema import BucketPart, CorpusSchema, FieldPart, singular

DOCUMENT, PASSAGE = "document", "passage"
CONTENT = "content"
"""The field with the hash of a document's file. Documents of earlier versions lack it: `rights.check_identities`."""
BODY, ANNOTATIONS = "body", "annotations"
"""The paths where a document repeats the text of its passages: as a whole, and as labelled values."""
CONTEXT, PAGE_HEAD, NAMES = "context", "page_head", "names"
"""Fields of passages for searches only: a passage with where it stands (title, headings, the beginning of its page and
of its table), what its page begins with, and what its document is called: possible titles, folders and file name."""
TITLE = "title"
"""A field of this name in a schema gives documents their names."""
VECTOR = "vector"
"""The field with the vector of a passage."""

KEYWORD = {"type": "keyword", "ignore_above": 8191}
_NAME = {**KEYWORD, "fields": {"text": {"type": "text"}}}
_DATE = {"type": "date", "format": "strict_date_optional_time"}
_INTEGER = {"type": "integer"}
_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 1024}}},
    "name": _NAME,
    "number": {"type": "double"},
    "duration": {"type": "double"},
    "date": _DATE,
    "boolean": {"type": "boolean"},
    "choice": KEYWORD,
    "money": {"properties": {"amount": {"type": "double"}, "currency": {"type": "keyword"}}},
}


@dataclass(frozen=True, slots=True)
class Placed:
    """A field of a bucket and the path of its values."""

    bucket: str
    name: str
    part: FieldPart
    path: str
    is_shared: bool
    """Whether all buckets with a field of this name mean the same by it."""


def placed_fields(schema: CorpusSchema) -> list[Placed]:
    """Assign paths to fields. Fields of one name share a path, unless their types or units differ."""
    kinds: dict[tuple[str, str], set[tuple[str, str, bool]]] = {}
    for bucket in schema.whole.file.buckets.values():
        for name, part in bucket.fields.items():
            for column, one in {"": part, **part.fields}.items():
                kinds.setdefault((name, column), set()).add((one.type, one.unit if not column else "", one.list))
    apart = {name for (name, _), found in kinds.items() if len(found) > 1}
    return [
        Placed(bucket, name, part, f"values.{f'{bucket}_{name}' if name in apart else name}", name not in apart)
        for bucket, held in schema.file.buckets.items()
        for name, part in held.fields.items()
    ]


# --- mapping ---------------------------------------------------------------------------------------------------------


def index_definition(schema: CorpusSchema, shards: int = 1) -> dict[str, Any]:
    """Return settings and mapping of the index; vectors are added later (`vector_mapping`)."""
    analysed = {"type": "text", "analyzer": schema.file.language}
    placed = {**analysed, "copy_to": CONTEXT}
    properties: dict[str, Any] = {
        **dict.fromkeys(("kind", "id", "document", "bucket", "media_type", "state", "reason", "made"), KEYWORD),
        CONTENT: KEYWORD,
        **dict.fromkeys(("pages", "page", "page_to", "ordinal", "begin", "end", "passages"), _INTEGER),
        **dict.fromkeys(("created", "modified", "added"), _DATE),
        **dict.fromkeys(("head", "text", "unhyphenated", PAGE_HEAD), placed),
        **dict.fromkeys((BODY, CONTEXT, NAMES), analysed),
        "title": {**placed, "fields": {"keyword": KEYWORD}},
        "titles": KEYWORD,
        "files": {**KEYWORD, "fields": {"text": {"type": "text"}}},
        "message": {"type": "text"},
        "bytes": {"type": "long"},
        "section": {**placed, "fields": {"keyword": KEYWORD}},
        "values": {"properties": _value_properties(schema)},
        "disputed": KEYWORD,
        "extraction": EXTRACTION,
        "places": {"type": "object", "enabled": False},
        "annotations": {"type": "nested", "properties": _ANNOTATION},
    }
    return {
        "settings": {"refresh_interval": "-1", "number_of_shards": shards},
        "mappings": {"dynamic": "strict", "properties": properties},
    }


EXTRACTION: Mapping[str, Any] = {
    "properties": {
        **dict.fromkeys(("by", "reason"), KEYWORD),
        "dropped": _INTEGER,
        "is_whole": {"type": "boolean"},
        "message": {"type": "text"},
    }
}
"""Result of a model's reading of a document."""


def vector_mapping(dimensions: int) -> dict[str, Any]:
    """Return the mapping of vectors of passages. By default Elasticsearch 9 would quantize them to bits."""
    return {"type": "dense_vector", "dims": dimensions, "index": True, "similarity": "cosine",
            "index_options": {"type": "int8_hnsw"}}  # fmt: skip


_ANNOTATION: Mapping[str, Any] = {
    "label": {**KEYWORD, "normalizer": "lowercase", "fields": {"text": {"type": "text"}}},
    "text": {**KEYWORD, "ignore_above": 1024},
    "number": {"type": "double"},
    "unit": KEYWORD,
    "date": _DATE,
    **dict.fromkeys(("page", "begin", "end"), _INTEGER),
}


def _value_properties(schema: CorpusSchema) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in placed_fields(schema):
        name = one.path.removeprefix("values.")
        if one.part.type == "rows":
            inner = {column: _TYPES[part.type] for column, part in one.part.fields.items()}
            known = found.get(name, {}).get("properties", {})
            found[name] = {"type": "nested", "properties": {**known, **inner, "page": _INTEGER}}
        else:
            found[name] = _TYPES[one.part.type]
    return found


def passages_on_page(document: str, page: int) -> dict[str, Any]:
    """Return the query for all passages on a page of a document, whoever may see them."""
    on_page = [{"range": {"page": {"lte": page}}}, {"range": {"page_to": {"gte": page}}}]
    return {"bool": {"filter": [{"term": {"kind": PASSAGE}}, {"term": {"document": document}}, *on_page]}}


# --- catalog ---------------------------------------------------------------------------------------------------------


def catalog_text(schema: CorpusSchema, index: str, *, has_vectors: bool, has_context: bool = True) -> str:
    """Return the catalog of a corpus, as YAML. One of an earlier version has no context of its passages."""
    buckets = {
        one.singular or singular(name): _of_bucket(name, one, schema) for name, one in schema.file.buckets.items()
    }
    kinds = [] if len(buckets) > _MOST_KINDS else [*buckets]
    shared = [one for one in placed_fields(schema) if one.is_shared]
    documents = {
        "description": "A file of the corpus, whatever its bucket",
        "where": {"kind": [DOCUMENT]},
        **_of_documents(shared, ["bucket", "pages"]),
    }
    entities = {DOCUMENT: documents, PASSAGE: _passage(shared, kinds, has_vectors, has_context), **buckets}
    catalog = {
        "version": 1,
        "index": index,
        "description": schema.file.description or schema.file.name,
        "defaults": {"id": "id", "open_paths": False},
        "entities": entities,
        "fields": {"id": "id"},
    }
    return yaml.dump(catalog, Dumper=_WithoutAliases, sort_keys=False, allow_unicode=True, width=120)


class _WithoutAliases(yaml.SafeDumper):
    """Dumps repeated objects twice, without aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_OF_FILES: Mapping[str, Any] = {
    "title": {"path": "title", "words": ["name"]},
    "file": {"path": "files", "list": True, "words": ["files", "file name", "path"]},
    "bucket": {"path": "bucket", "words": ["kind of document"]},
}
_OF_DOCUMENTS: Mapping[str, Any] = {
    **_OF_FILES,
    **{name: {"path": name} for name in ("created", "modified", "added", "reason")},
    "media_type": {"path": "media_type", "words": ["format", "file type"]},
    "pages": {"path": "pages", "words": ["number of pages", "page count"]},
    "size": {"path": "bytes", "unit": "bytes", "words": ["file size"]},
    "state": {
        "path": "state",
        "values": {"ready": ["readable"], "no_text": ["without text"], "failed": ["unreadable"]},
    },
    "body": {"path": "body", "words": ["text", "whole text"]},
}
_BODY = "whole_text"
"""Name of a document's text if a schema has a field `body`."""
_PASSAGE_FIELDS: Mapping[str, Any] = {
    "document": {"path": "document", "refers_to": DOCUMENT, "name_at": "title.keyword"},
    **{name: {"path": name} for name in ("page", "page_to", "ordinal", "text", "head", "unhyphenated")},
    "section": {"path": "section", "list": True, "words": ["heading"]},
}
_OF_CONTEXT: Mapping[str, str] = {"context_text": CONTEXT, "page_head": PAGE_HEAD, "document_names": NAMES}
_ANNOTATIONS: Mapping[str, Any] = {
    "path": "annotations",
    "key": "label",
    "value": "text",
    "words": ["annotation", "labelled values"],
    "fields": {
        **{name: name for name in ("label", "text", "unit", "date", "page")},
        "number": {"path": "number", "unit_field": "unit", "base_units": True},
    },
}


_MOST_KINDS = 30
"""Most buckets for which passages have a field each that says whether their document is of this kind."""


def _passage(shared: list[Placed], kinds: list[str], has_vectors: bool, has_context: bool) -> dict[str, Any]:
    of_kinds = {kind: {"path": "document", "refers_to": kind, "name_at": "title.keyword"} for kind in kinds}
    own = _fields([one for one in shared if one.name not in _PASSAGE_FIELDS], kinds)
    entity: dict[str, Any] = {
        "description": "A part of a document, of some sentences",
        "words": ["section", "sections", "excerpt", "excerpts", "paragraph", "paragraphs"],
        "where": {"kind": [PASSAGE]},
        "text": ["text", "section", "title", "head", "unhyphenated"],
        "show": ["title", "page", "text"],
        "fields": _beside({**_OF_FILES, **_PASSAGE_FIELDS}, {**own, **of_kinds}),
    }
    if has_context:
        entity["text"] += _OF_CONTEXT
        entity["fields"] |= {name: path for name, path in _OF_CONTEXT.items() if name not in entity["fields"]}
    if has_vectors:
        entity["vector"] = VECTOR
        entity["fields"][VECTOR] = VECTOR
    return entity


def _of_bucket(name: str, bucket: BucketPart, schema: CorpusSchema) -> dict[str, Any]:
    placed = [one for one in placed_fields(schema) if one.bucket == name]
    dates = [one.name for one in placed if one.part.type == "date"]
    entity: dict[str, Any] = {
        "plural": name,
        "words": list(bucket.words),
        "description": bucket.description,
        "where": {"kind": [DOCUMENT], "bucket": [name]},
        **_of_documents(placed, _shown([one for one in placed if one.part.type not in ("rows", "text")][:5])),
    }
    if len(dates) == 1:
        entity["date"] = dates[0]
    return {key: value for key, value in entity.items() if value != "" and value != []}


def _of_documents(placed: list[Placed], shown: Iterable[str]) -> dict[str, Any]:
    has_body = any(one.name == "body" for one in placed)
    return {
        "names": ["title", "file"],
        "text": ["title", _BODY if has_body else "body"],
        "passages": f"{PASSAGE}.document",
        "show": ["title", *shown, "file"],
        "fields": _beside(_OF_DOCUMENTS, _fields(placed)),
        "lists": {"annotations": _annotations(placed), **_lists(placed)},
    }


def _beside(usual: Mapping[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Merge the fields of all documents with those of a schema, which can override their names and words."""
    taken = {_word(name) for name in fields}
    kept = {
        name: {**one, "words": [word for word in one["words"] if _word(word) not in taken]} if "words" in one else one
        for name, one in usual.items()
    }
    return {**kept, **fields, **({_BODY: {"path": "body"}} if "body" in fields else {})}


def _fields(placed: list[Placed], others: Iterable[str] = ()) -> dict[str, Any]:
    """Return the fields of a schema; `others` are further names of the entity."""
    found = {
        name: field for one in placed if one.part.type != "rows" for name, field in _field(one.name, one.part, one.path)
    }
    if TITLE in found:  # it is what the document is called by
        found[TITLE] |= {"path": TITLE}
    usual = [word for one in (*_OF_DOCUMENTS.values(), _ANNOTATIONS) for word in one.get("words", ())]
    return _without_clashes(found, ("id", "annotations", *_OF_DOCUMENTS, *_PASSAGE_FIELDS, *usual, *others))


def _without_clashes(fields: dict[str, Any], others: Iterable[str] = ()) -> dict[str, Any]:
    """Remove labels from the words of a field if they are a name or a word of another field."""
    taken = {_word(name) for name in (*fields, *others)}
    for field in fields.values():
        if words := field.pop("words", None):
            kept = {_word(word): word for word in reversed(words) if _word(word) not in taken}
            taken |= kept.keys()
            if kept:
                field["words"] = [*reversed(kept.values())]
    return fields


def _word(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.lower())


def _annotations(placed: list[Placed]) -> dict[str, Any]:
    """Return the list of labelled values; names that the schema has for one field are synonyms."""
    names = [list(dict.fromkeys((one.name.replace("_", " "), *one.part.words, *one.part.labels))) for one in placed]
    taken = {_word(one.name) for one in placed}
    words = [one for one in _ANNOTATIONS["words"] if _word(one) not in taken]
    return {**_ANNOTATIONS, "words": words, "similar": [group for group in names if len(group) > 1]}


def _lists(placed: list[Placed]) -> dict[str, Any]:
    return {
        one.name: {
            "path": one.path,
            "words": list(one.part.words),
            "fields": _without_clashes({
                name: field for column, part in one.part.fields.items() for name, field in _field(column, part, column)
            }),
        }
        for one in placed
        if one.part.type == "rows"
    }


def _shown(placed: Sequence[Placed]) -> Iterator[str]:
    for one in placed:
        yield from (one.name, *((f"{one.name}_currency",) if one.part.type == "money" else ()))


def _field(name: str, part: FieldPart, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a field of the catalog, and for money the currency beside it."""
    field: dict[str, Any] = {
        "path": f"{path}.amount" if part.type == "money" else path,
        "words": [*part.words, *(label for label in part.labels if label.lower() != name)],
        "description": part.description,
        "list": part.list,
    }
    if part.type in ("number", "duration") and (unit := find_unit(part.unit)) is not None:
        field["unit"] = unit.name
    if part.type == "date":
        field["whole_days"] = True
    if part.type == "choice":
        field["values"] = {value: list(others) for value, others in part.values.items()}
    if part.sensitive:
        field["sensitive"] = True
    if part.type == "money":
        field["unit_field"] = f"{name}_currency"
        yield f"{name}_currency", {"path": f"{path}.currency", **({"sensitive": True} if part.sensitive else {})}
    yield name, {key: value for key, value in field.items() if value not in ("", [], False)}
