"""The catalogs that ship: valid, without a finding, and true to the documents that ship with them."""

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest
import yaml

from qlc import catalogs
from qlc.base.json_schema import schema_text
from qlc.mapping.catalog import load_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.fields import MappedField
from qlc.mapping.index_mapping import load_mapping
from qlc.mapping.json_schema import PUBLISHED, catalog_json_schema
from qlc.mapping.schema import Entity, Schema
from tests.tables import rows, table


def test_names_and_paths() -> None:
    assert catalogs.names() == ("drive", "ecommerce", "flights")
    assert catalogs.path("drive").name == "drive.yaml"
    assert catalogs.documents_path("drive").is_file()
    with pytest.raises(KeyError, match="the catalogs are drive, ecommerce, flights"):
        catalogs.path("driv")


@pytest.mark.parametrize("name", catalogs.names())
def test_shipped_catalogs_have_no_findings(name: str) -> None:
    assert check_catalog(load_catalog(catalogs.path(name)), load_mapping(catalogs.mapping_path(name))) == []


@pytest.mark.parametrize("name", catalogs.names())
def test_shipped_catalogs_are_valid_by_the_published_schema(name: str) -> None:
    """As an editor reads them: with YAML's own idea of numbers and switches."""
    data = json.loads(json.dumps(yaml.safe_load(catalogs.path(name).read_text("utf-8"))))
    jsonschema.Draft202012Validator(catalog_json_schema()).validate(data)


def test_the_published_schema_is_current() -> None:
    """If not: python -m qlc.mapping.json_schema > qlc/mapping/catalog.schema.json"""
    assert PUBLISHED.read_text("utf-8") == schema_text(catalog_json_schema())
    jsonschema.Draft202012Validator.check_schema(json.loads(PUBLISHED.read_text("utf-8")))


@pytest.mark.parametrize("wrong", table(__file__, "test_the_published_schema_refuses_what_the_reader_refuses"))
def test_the_published_schema_refuses_what_the_reader_refuses(wrong: dict[str, Any]) -> None:
    data = {"version": 1, "index": "i", "entities": {"thing": {}}} | wrong
    assert list(jsonschema.Draft202012Validator(catalog_json_schema()).iter_errors(data))


# --- the document store ----------------------------------------------------------------------------------------------


@cache
def documents() -> list[dict[str, Any]]:
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def values(node: Any, path: str) -> Iterator[Any]:
    """The values that a document has at a path, through lists of objects too."""
    if isinstance(node, list):
        for item in node:
            yield from values(item, path)
    elif not path:
        if node is not None:
            yield node
    elif isinstance(node, dict):
        head, _, rest = path.partition(".")
        yield from values(node.get(head), rest)


def stored(mapped: MappedField) -> set[Any]:
    return {value for one in documents() for value in values(one, mapped.path)}


@pytest.fixture(scope="module")
def entry(drive: Schema) -> Entity:
    return drive.entity("entry")


def test_closed_fields_know_every_stored_value(entry: Entity) -> None:
    closed = [field for field in entry.fields.values() if field.values is not None]
    closed += [field for one in entry.lists.values() for field in one.fields.values() if field.values is not None]
    assert len(closed) > 20
    for field in closed:
        assert stored(field.mapped) <= set(field.values.display), field.name


def test_lists_and_single_values_are_what_the_documents_have(entry: Entity) -> None:
    for field in entry.fields.values():
        most = max(len(list(values(one, field.mapped.path))) for one in documents())
        assert most <= 1 if field.many is False else most > 1 or field.many is None, field.name


def test_every_field_is_filled_by_some_document(entry: Entity) -> None:
    for field in entry.fields.values():
        assert stored(field.mapped), field.name


def test_ids_fit_their_patterns(drive: Schema) -> None:
    for name in ("entry", "person"):
        entity = drive.entity(name)
        assert entity.id_pattern is not None
        pattern = re.compile(entity.id_pattern)
        assert all(pattern.fullmatch(value) for value in stored(entity.id.mapped))


def test_people_have_one_name_each_over_all_their_sources(drive: Schema) -> None:
    names: dict[str, set[str]] = {}
    for source in drive.entity("person").sources:
        for one in documents():
            for key, name in zip(values(one, source.key.path), values(one, source.name.path), strict=True):
                names.setdefault(key, set()).add(name)
    assert len(names) == 36
    assert all(len(known) == 1 for known in names.values())


def test_whole_days_have_no_time_of_day(entry: Entity) -> None:
    whole = {field.name: field for field in entry.fields.values() if field.whole_days}
    assert sorted(whole) == ["due", "effective", "expires"]
    assert all(value.endswith("T00:00:00Z") for field in whole.values() for value in stored(field.mapped))


def test_the_kinds_of_entries(drive: Schema) -> None:
    assert drive.entity("entry").kinds == ("document", "folder")
    assert [terms.values for terms in drive.entity("folder").filter] == [("FOLDER",)]


@pytest.mark.parametrize(("field", "spelling", "value"), rows(__file__, "test_spellings_that_people_use"))
def test_spellings_that_people_use(entry: Entity, field: str, spelling: str, value: str) -> None:
    known = entry.fields[field].values
    assert known.spellings[spelling] == value


@pytest.mark.parametrize(
    ("field", "group", "size"), [("type", "1099s", 3), ("app", "quickbooks", 2), ("extension", "images", 6)]
)
def test_groups_that_people_name(entry: Entity, field: str, group: str, size: int) -> None:
    known = entry.fields[field].values
    assert len(known.groups[group]) == size
