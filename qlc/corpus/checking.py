"""Checks a `corpus.yaml` before any file is added, by compiling its catalog."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from qlc.base.diagnostics import Diagnostic, Span
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.yaml_source import Key, YamlSource

from .index import TITLE, VECTOR, catalog_text, index_definition, vector_mapping
from .schema import CorpusSchema, FieldPart, bucket_forms, singular

_DIMENSIONS = 384


def check_schema(schema: CorpusSchema, name: str = "corpus.yaml") -> None:
    """Raise CatalogError for findings that prevent queries, each with its place in `corpus.yaml`.

    A field `last` -> error[corpus-name]: 'last' is a word of the query language and cannot be the name of a field
    """
    source = YamlSource(schema.text)
    taken = sorted(_taken(schema, source), key=lambda one: one.span)
    if taken:
        raise CatalogError(taken, source.text, name)
    definition = index_definition(schema)
    definition["mappings"]["properties"][VECTOR] = vector_mapping(_DIMENSIONS)
    text = catalog_text(schema, "corpus", has_vectors=True)
    try:
        build_schema(read_catalog(text), read_mapping(definition))
    except CatalogError as error:
        made = YamlSource(text)
        found: dict[Span, Diagnostic] = {}
        for one in error.diagnostics:
            span = _place(made.location(one.span.start), schema, source)
            found.setdefault(span, replace(one, code="corpus-name", span=span))
        raise CatalogError(sorted(found.values(), key=lambda one: one.span), source.text, name) from None


ALWAYS = frozenset({"id"})
"""Name of the field that identifies every document."""
IN_ROWS = frozenset({"page"})


def _taken(schema: CorpusSchema, source: YamlSource) -> Iterator[Diagnostic]:
    """Yield findings for buckets and fields with reserved names: parts of a document, its id, the currency of an
    amount."""
    for name, bucket in schema.file.buckets.items():
        place: tuple[Key, ...] = ("buckets", name)
        if not bucket_forms(name, bucket.singular):
            message = f"'{name}' or its singular is a word of the query language, or a part of every document"
            yield Diagnostic("corpus-bucket", message, source.span(place, key=True), "choose another name")
        for field, told in _taken_fields(bucket.fields, ALWAYS):
            yield Diagnostic("corpus-field", told, source.span((*place, "fields", field), key=True), _OTHER)
        for rows, part in bucket.fields.items():
            for field, told in _taken_fields(part.fields, IN_ROWS):
                span = source.span((*place, "fields", rows, "fields", field), key=True)
                yield Diagnostic("corpus-field", told, span, _OTHER)


_OTHER = "choose another name, and give this one among its 'words'"


def _taken_fields(fields: Mapping[str, FieldPart], always: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield reserved names of fields, each with a sentence that says why."""
    for name, part in fields.items():
        amount = fields.get(name.removesuffix("_currency"))
        if name in always:
            yield name, f"there is a '{name}' always"
        elif name.endswith("_currency") and amount is not None and amount.type == "money":
            yield name, f"'{name}' is the currency of '{name.removesuffix('_currency')}' already"
        elif name == TITLE and part.type not in ("name", "text"):
            yield name, "'title' is what a document is called by: its type is 'name'"


def _place(location: tuple[Key, ...], schema: CorpusSchema, source: YamlSource) -> Span:
    """Map a place in the catalog to one in `corpus.yaml`: an entity belongs to a bucket, or to all that have a
    field."""
    buckets = schema.file.buckets
    entity, inner = (*location[1:2], ""), [str(one) for one in location[3:]]
    own = next((name for name, one in buckets.items() if (one.singular or singular(name)) == entity[0]), None)
    for bucket in [own] if own is not None else buckets:
        place = tuple(_within(("buckets", bucket), inner, buckets[bucket].fields))
        if len(place) > 2:
            return source.span(place, key=True)
    named = next((name for name, one in buckets.items() if (one.singular or singular(name)) in inner), own)
    return source.span(("buckets", named) if named is not None else ("buckets",), key=True)


def _within(bucket: tuple[Key, ...], inner: list[str], fields: Mapping[str, object]) -> Iterator[Key]:
    yield from bucket
    if inner and (name := inner[0] if inner[0] in fields else inner[0].removesuffix("_currency")) in fields:
        yield from ("fields", name)
        if inner[1:2] == ["fields"] and len(inner) > 2:  # of a list of rows
            yield from ("fields", inner[2])
