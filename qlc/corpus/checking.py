"""Whether a corpus with a `corpus.yaml` can be asked: its catalog is made and checked before any file is added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from qlc.diagnostics import Diagnostic, Span
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.yaml_source import Key, YamlSource

from .index import VECTOR, catalog_text, index_definition, vector_mapping
from .schema import CorpusSchema, singular

_DIMENSIONS = 384


def check_schema(schema: CorpusSchema, name: str = "corpus.yaml") -> None:
    """Raise CatalogError with what the query language cannot use, each finding in its place in `corpus.yaml`.

    A field `last` -> error[corpus-name]: 'last' is a word of the query language and cannot be the name of a field
    """
    definition = index_definition(schema)
    definition["mappings"]["properties"][VECTOR] = vector_mapping(_DIMENSIONS)
    text = catalog_text(schema, "corpus", has_vectors=True)
    try:
        build_schema(read_catalog(text), read_mapping(definition))
    except CatalogError as error:
        made, source = YamlSource(text), YamlSource(schema.text)
        found: dict[Span, Diagnostic] = {}
        for one in error.diagnostics:
            span = _place(made.location(one.span.start), schema, source)
            found.setdefault(span, replace(one, code="corpus-name", span=span))
        raise CatalogError(sorted(found.values(), key=lambda one: one.span), source.text, name) from None


def _place(location: tuple[Key, ...], schema: CorpusSchema, source: YamlSource) -> Span:
    """Where in `corpus.yaml` a part of the catalog is from: an entity is of a bucket, or of all that have a field."""
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
