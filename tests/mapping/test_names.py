"""Resolves names: of the catalog, other words, mapping paths, elements, and suggestions for wrong names."""

import time
import timeit
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.names import (
    find_element,
    find_entity,
    find_field,
    nearest_element_names,
    nearest_entities,
    nearest_names,
)
from qlc.mapping.schema import Entity, Field, Schema
from tests.pairs import Case, check_beside, pairs, readable, report
from tests.tables import table

KEYWORD = {"type": "keyword"}


@pytest.fixture
def document(drive: Schema) -> Entity:
    return drive.entity("document")


@pytest.fixture
def plain() -> Schema:
    """An index without a catalog."""
    properties = {
        "DestCityName": KEYWORD,
        "title": {"type": "text", "fields": {"raw": KEYWORD, "words": {"type": "text"}}},
        "geoip": {"properties": {"city_name": KEYWORD, "code": KEYWORD}},
        "labels": {"type": "flattened"},
        "lines": {"type": "nested", "properties": {"sku": KEYWORD, "by": {"properties": {"name": KEYWORD}}}},
        "at": {"type": "alias", "path": "geoip.code"},
    }
    return build_schema(None, read_mapping({"properties": properties}, "plain"))


SECRETS = table(__file__, "SECRETS")
SECRET_MAPPING = read_mapping(
    {
        "properties": {
            "name": KEYWORD,
            "mail": {"type": "text", "fields": {"keyword": KEYWORD, "words": {"type": "text"}}},
            "by": {"properties": {"id": KEYWORD, "name": KEYWORD}},
            "notes": {"type": "nested", "properties": {"text": KEYWORD, "at": {"type": "date"}}},
            "post": {"type": "alias", "path": "mail"},
            "other": KEYWORD,
        }
    }
)


LOOSE = read_mapping({"properties": {"fileName": KEYWORD, "file_name": KEYWORD}})


def answer(schema: Schema, entity: Entity, source: str) -> object:
    """Of a dotted name what it stands for; in back quotes it is one name; `LIST: NAME` is inside an element."""
    verb, colon, text = source.partition(":")
    text = text.strip()
    if verb in ("entity", "entities near"):
        named = find_entity(schema, text)
        return nearest_entities(schema, text) if verb != "entity" else named and named.name
    if verb.endswith("near"):
        around = verb.removesuffix("near").strip()
        return nearest_element_names(entity, entity.lists[around], text) if around else nearest_names(entity, text)
    names = (source.strip("`"),) if source.startswith("`") else tuple((text or source).split("."))
    found = find_element(entity, entity.lists[verb], names) if colon else find_field(entity, names)
    if found is None:
        return None
    shown = [found.found.name, found.consumed, *(["sensitive"] if found.found.sensitive else [])]
    if found.within is not None:
        assert isinstance(found.found, Field)
        assert found.found.mapped.nested_path in (found.within.path, None)
        shown.append(f"of {found.within.name}")
    return shown


@pairs(Path(__file__).parent / "found", "name")
def test_names_stand_for_what_is_written_beside_them(
    path: Path, drive: Schema, plain: Schema, snapshot: SnapshotAssertion
) -> None:
    secret = {name: build_schema(read_catalog(SECRETS % is_open), SECRET_MAPPING)
              for name, is_open in (("sensitive", "true"), ("closed", "false"))}  # fmt: skip
    schemas = {"document": drive, "plain": plain, "loose": build_schema(None, LOOSE), **secret}

    def answered(case: Case) -> str:
        schema = schemas[case.world]
        entity = next(schema.entities[name] for name in ("document", "entry", "thing") if name in schema.entities)
        return readable(answer(schema, entity, case.source))

    check_beside(path, report(path, answered), snapshot)


def test_the_same_name_is_the_same_field(document: Entity) -> None:
    """Plans compare fields by identity, so that equal lookups are done once."""
    for names in (("size",), ("systemAttributes", "checksum"), ("comments", "commentId")):
        one, two = find_field(document, names), find_field(document, names)
        assert one.found is two.found


def test_look_ups_are_fast(document: Entity) -> None:
    """About half a microsecond; the bound leaves room for a busy machine."""
    find_field(document, ("size",))
    assert (
        timeit.timeit(lambda: find_field(document, ("size",)), timer=time.thread_time, number=10_000) / 10_000 < 20e-6
    )
