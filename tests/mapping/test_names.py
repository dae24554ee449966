"""What names stand for: catalog names, other words, mapping paths, elements, and what is near a wrong name."""

from __future__ import annotations

import time
import timeit

import pytest

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
from tests.tables import rows, table

KEYWORD = {"type": "keyword"}


def resolve(entity: Entity, dotted: str) -> tuple[str, int] | None:
    """Name found and how many names it took."""
    found = find_field(entity, tuple(dotted.split(".")))
    return None if found is None else (found.found.name, found.consumed)


@pytest.fixture
def document(drive: Schema) -> Entity:
    return drive.entity("document")


@pytest.fixture
def plain() -> Entity:
    """An index without a catalog."""
    properties = {
        "DestCityName": KEYWORD,
        "title": {"type": "text", "fields": {"raw": KEYWORD, "words": {"type": "text"}}},
        "geoip": {"properties": {"city_name": KEYWORD, "code": KEYWORD}},
        "labels": {"type": "flattened"},
        "lines": {"type": "nested", "properties": {"sku": KEYWORD, "by": {"properties": {"name": KEYWORD}}}},
        "at": {"type": "alias", "path": "geoip.code"},
    }
    return build_schema(None, read_mapping({"properties": properties}, "plain")).entity("entry")


def test_entities_by_singular_plural_and_words_in_any_case(drive: Schema) -> None:
    for word in ("document", "documents", "Documents", "file", "FILES", "docs"):
        assert find_entity(drive, word) is drive.entity("document"), word
    assert find_entity(drive, "invoice") is None
    assert nearest_entities(drive, "documnts") == ["documents"]
    assert nearest_entities(drive, "persn") == ["people"]


NAMES = rows(__file__, "NAMES")


@pytest.mark.parametrize("dotted", NAMES)
def test_fields_of_a_catalog(document: Entity, dotted: str) -> None:
    assert resolve(document, dotted) == NAMES[dotted]


PATHS = rows(__file__, "PATHS")


@pytest.mark.parametrize("dotted", PATHS)
def test_fields_without_a_catalog(plain: Entity, dotted: str) -> None:
    assert resolve(plain, dotted) == PATHS[dotted]


def test_a_path_in_back_quotes_is_one_name(plain: Entity) -> None:
    found = find_field(plain, ("geoip.city_name",))
    assert found is not None
    assert found.consumed == 1


def test_fields_of_elements_know_their_list(document: Entity, plain: Entity) -> None:
    for entity, names, around in (
        (document, ("shares", "who"), "shares"),
        (document, ("comments", "commentId"), "comments"),
        (plain, ("lines", "by", "name"), "lines"),
    ):
        found = find_field(entity, names)
        assert found is not None
        assert found.within is entity.lists[around]
        assert isinstance(found.found, Field)
        assert found.found.mapped.nested_path == found.within.path


@pytest.mark.parametrize(("around", "names", "found"), [
    ("shares", "who", ("shares.who", 1)), ("shares", "permission", ("shares.role", 1)),
    ("shares", "who.name", ("shares.who", 1)),
    ("shares", "size", None), ("comments", "authorId", ("comments.author", 1)),
    ("lines", "by.name", ("lines.by.name", 2)),
])  # fmt: skip
def test_elements_are_found_by_names_words_and_paths_inside_the_element(
    document: Entity, plain: Entity, around: str, names: str, found: tuple[str, int] | None
) -> None:
    entity = plain if around == "lines" else document
    element = find_element(entity, entity.lists[around], tuple(names.split(".")))
    assert (None if element is None else (element.found.name, element.consumed)) == found


def test_nearest_names_of_elements(document: Entity) -> None:
    assert nearest_element_names(document, document.lists["shares"], "rol") == ["role"]


class TestNearestNames:
    def test_parts_of_a_name(self, document: Entity) -> None:
        assert set(nearest_names(document, "folderName")) >= {"folder", "name"}

    @pytest.mark.parametrize(("wrong", "right"), [
        ("ownr", "owner"), ("fileExtensions", "extension"), ("checksm", "systemAttributes.checksum"),
        ("principalNam", "shares.who"), ("unsignd", "unsigned"), ("dest_city", "DestCityName"),
    ])  # fmt: skip
    def test_names_words_path_ends_elements_and_conditions(
        self, document: Entity, plain: Entity, wrong: str, right: str
    ) -> None:
        entity = plain if right == "DestCityName" else document
        assert right in nearest_names(entity, wrong)

    def test_nothing_near(self, document: Entity) -> None:
        assert nearest_names(document, "qqqqqq") == []
        assert nearest_names(document, "") == []


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


class TestSensitiveFields:
    @pytest.fixture
    def thing(self) -> Entity:
        return build_schema(read_catalog(SECRETS % "true"), SECRET_MAPPING).entity("thing")

    @pytest.mark.parametrize(
        "path", ["mail", "email", "mail.keyword", "mail.words", "post", "by.name", "notes", "notes.text", "notes.at"]
    )
    def test_every_path_to_them_is_sensitive(self, thing: Entity, path: str) -> None:
        found = find_field(thing, tuple(path.split(".")))
        assert found is not None
        assert found.found.sensitive

    def test_they_are_not_suggested(self, thing: Entity) -> None:
        assert nearest_names(thing, "mial") == []
        assert nearest_names(thing, "note") == []
        assert nearest_names(thing, "othr") == ["other"]


def test_closed_paths_cannot_be_asked_for() -> None:
    thing = build_schema(read_catalog(SECRETS % "false"), SECRET_MAPPING).entity("thing")
    assert resolve(thing, "other") is None
    assert resolve(thing, "_id") is None
    assert resolve(thing, "by.id") == ("by", 1)
    assert nearest_names(thing, "othr") == []


def test_a_word_that_two_fields_share_when_spelled_loosely_stands_for_neither() -> None:
    mapping = read_mapping({"properties": {"fileName": KEYWORD, "file_name": KEYWORD}})
    entity = build_schema(None, mapping).entity("entry")
    found = [resolve(entity, name) for name in ("fileName", "file_name", "FileName")]
    assert found == [("fileName", 1), ("file_name", 1), None]


def test_the_same_name_is_the_same_field(document: Entity) -> None:
    """Plans compare fields by identity, so that equal lookups are done once."""
    for names in (("size",), ("systemAttributes", "checksum"), ("comments", "commentId")):
        one, two = find_field(document, names), find_field(document, names)
        assert one is not None
        assert two is not None
        assert one.found is two.found


def test_look_ups_are_fast(document: Entity) -> None:
    """About half a microsecond; the bound leaves room for a busy machine."""
    find_field(document, ("size",))
    assert (
        timeit.timeit(lambda: find_field(document, ("size",)), timer=time.thread_time, number=10_000) / 10_000 < 20e-6
    )
