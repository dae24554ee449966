"""Whatever a catalog or a mapping file holds: a result or a finding, never another exception."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qlc import catalogs
from qlc.diagnostics import render
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.errors import CatalogError, MappingError
from qlc.mapping.index_mapping import KINDS, load_mapping, read_mapping
from qlc.mapping.names import find_field, nearest_names

CATALOG = catalogs.path("ecommerce").read_text("utf-8")
MAPPING = load_mapping(catalogs.mapping_path("ecommerce"))
SIGNS = [*"{}[]:,-#&*!|>'\"%@`~? \n\tx0é", "null", "<<: ", "- ", "path", "words: ", "true", "1.5"]


def mutated(seed: int) -> str:
    """The catalog with a few of its characters, words or lines exchanged, doubled or lost."""
    chance = random.Random(seed)
    text = CATALOG
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice([0, 1, 5, 40]))
        put = chance.choice([chance.choice(SIGNS), text[start:end] * 2, "".join(chance.choices(SIGNS, k=3)), ""])
        text = text[:start] + put + text[end:]
    return text


def try_catalog(text: str) -> None:
    """Read, check and show the findings of a catalog that may be anything."""
    try:
        catalog = read_catalog(text)
    except CatalogError as error:
        catalog, told = None, str(error)
    if catalog is None:
        assert "error[catalog-" in told
        return
    found = check_catalog(catalog, MAPPING)
    for one in found:
        assert 0 <= one.span.start <= one.span.end <= len(catalog.text)
        assert render(one, catalog.text)
    if not found:
        for entity in build_schema(catalog, MAPPING).entities.values():
            assert find_field(entity, ("category",)) is not None or nearest_names(entity, "category") is not None


@pytest.mark.parametrize("seed", range(150))
def test_mutated_catalogs(seed: int) -> None:
    try_catalog(mutated(seed))


DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["path", "words", "fields", "lists", "entities", "values", "where", "thing", "sources"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(entities=DATA, fields=DATA, lists=DATA, defaults=DATA)
def test_catalogs_of_any_data(entities: Any, fields: Any, lists: Any, defaults: Any) -> None:
    """JSON is YAML, so any data makes a catalog's text."""
    parts = {"entities": entities, "fields": fields, "lists": lists, "defaults": defaults}
    try_catalog("version: 1\nindex: things\n" + "".join(f"{key}: {json.dumps(one)}\n" for key, one in parts.items()))


TYPES = st.sampled_from([*KINDS, "object", "nested", "alias", "geo_shape", "passthrough"])
PROPERTIES = st.recursive(
    st.fixed_dictionaries({"type": TYPES}, optional={"index": st.booleans(), "ignore_above": st.integers(0, 99)}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "path": st.sampled_from(["a", "a.b", "c"]),
            "enabled": st.booleans(),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
            "fields": st.dictionaries(st.sampled_from(["keyword", "text"]), inner, max_size=2),
        },
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b", "c", "d.e"]), PROPERTIES, max_size=4))
def test_any_mapping_makes_a_schema(properties: dict[str, Any]) -> None:
    try:
        mapping = read_mapping({"mappings": {"properties": properties}}, "things")
    except MappingError:
        return
    entity = build_schema(None, mapping).entity("entry")
    for path, mapped in mapping.fields.items():
        found = find_field(entity, tuple(path.split(".")))
        assert found is not None
        assert mapped.nested == tuple(one for one in mapped.nested if one in mapping.nested)
