"""The schema that catalog and mapping make."""

from __future__ import annotations

import pytest

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.fields import FieldKind
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.schema import MatchSwitches, NameSource, Schema

KEYWORD = {"type": "keyword"}
PAIR = {"properties": {"id": KEYWORD, "name": KEYWORD}}
MAPPING = read_mapping(
    {
        "properties": {
            "kind": KEYWORD,
            "n": {"type": "long"},
            "draft": {"type": "boolean"},
            "by": PAIR,
            "to": PAIR,
            "rows": {"type": "nested", "properties": {"x": KEYWORD, "who": KEYWORD, "whoName": KEYWORD}},
            "lines": {"properties": {"x": KEYWORD, "y": KEYWORD}},
        }
    },
    "things",
)


def build(text: str) -> Schema:
    return build_schema(read_catalog("version: 1\nindex: things\n" + text), MAPPING)


class TestWithoutCatalog:
    schema = build_schema(None, MAPPING)

    def test_one_entity_of_all_paths(self) -> None:
        entry = self.schema.entity("entry")
        assert (entry.plural, entry.index, entry.id, entry.names) == ("entries", "things", None, ())
        assert {"kind", "n", "by.id", "lines.x"} <= set(entry.fields)
        assert not any(field.from_catalog for field in entry.fields.values())
        assert {field.many for field in entry.fields.values()} == {None}

    def test_nested_lists_have_their_elements_by_relative_path(self) -> None:
        rows = self.schema.entity("entry").lists["rows"]
        assert (rows.tied, list(rows.fields)) == (True, ["x", "who", "whoName"])
        assert rows.fields["x"].name == "rows.x"
        assert "rows.x" not in self.schema.entity("entry").fields

    def test_text_fields_are_all_analysed_ones(self) -> None:
        mapping = read_mapping({"properties": {"a": {"type": "text"}, "b": KEYWORD}})
        assert [field.name for field in build_schema(None, mapping).entity("entry").text] == ["a"]


class TestSharing:
    schema = build(
        """
entities:
  thing: {where: {kind: A}, fields: {n: {path: n, unit: km}}, conditions: {big: n > 5}, sort: n desc}
  other: {where: {kind: [B, C]}}
  all: {plural: all_things, open_paths: false}
defaults: {id: key, sort: key, tell_apart: key, conditions: {big: n > 9, small: n < 2}, match_steps: [words]}
fields: {key: kind, n: n}
"""
    )

    def test_an_entity_s_own_word_wins(self) -> None:
        thing, other = self.schema.entity("thing"), self.schema.entity("other")
        assert (thing.fields["n"].unit, other.fields["n"].unit) == ("km", None)
        assert (thing.default_sort, other.default_sort) == ("n desc", "key")
        assert thing.conditions == {"big": "n > 5", "small": "n < 2"}
        assert other.conditions == {"big": "n > 9", "small": "n < 2"}
        assert (other.open_paths, self.schema.entity("all").open_paths) == (True, False)

    def test_the_id_is_a_field_of_its_own(self) -> None:
        thing = self.schema.entity("thing")
        assert thing.id is thing.fields["key"]
        assert thing.id is not None
        assert (thing.id.is_id, thing.id.many) == (True, False)

    def test_an_entity_of_all_kinds(self) -> None:
        assert self.schema.entity("all").kinds == ("thing", "other")
        assert self.schema.entity("thing").kinds == ()

    def test_match_steps(self) -> None:
        words_only = MatchSwitches(folded=False, extension=False, words=True, near=False)
        assert self.schema.entity("thing").match_steps == words_only


@pytest.mark.parametrize(("path", "written", "stored"), [("kind", "7", "7"), ("n", "7", 7), ("draft", "true", True)])
def test_filters_have_values_as_stored(path: str, written: str, stored: object) -> None:
    (terms,) = build(f"entities: {{thing: {{where: {{{path}: {written}}}}}}}").entity("thing").filter
    assert (terms.field.path, terms.values) == (path, (stored,))
    assert type(terms.values[0]) is type(stored)


class TestFields:
    schema = build(
        """
entities: {thing: {}, person: {virtual: true}}
fields:
  by: {path: by.id, name_at: by.name, refers_to: person}
  up: {path: kind, refers_to: thing, constants: {root: "0"}, under: to.id, list: false}
  kind:
    path: kind
    values: {A: [first, One], B: }
    groups: {Both: [a, B]}
lists:
  rows: {path: rows, sensitive: true, fields: {who: {path: who, name_at: whoName, refers_to: person}}}
  pairs: {path: rows, key: x, value: who}
  lines: lines
"""
    )
    thing = schema.entity("thing")

    def test_references(self) -> None:
        up = self.thing.fields["up"]
        assert up.reference is not None
        assert (up.reference.entity, up.reference.constants, up.many) == ("thing", {"root": "0"}, False)
        assert up.reference.ancestors == MAPPING.fields["to.id"]
        by = self.thing.fields["by"].reference
        assert by is not None
        assert by.name_at == MAPPING.fields["by.name"]

    def test_closed_values(self) -> None:
        values = self.thing.fields["kind"].values
        assert values is not None
        assert values.display == ("A", "B")
        assert values.spellings == {"a": "A", "b": "B", "first": "A", "one": "A"}
        assert (values.groups, values.group_names) == ({"both": ("A", "B")}, ("Both",))

    def test_elements(self) -> None:
        rows = self.thing.lists["rows"]
        assert (rows.sensitive, rows.fields["who"].sensitive, rows.fields["who"].name) == (True, True, "rows.who")
        assert rows.fields["who"].mapped.nested == ("rows",)

    def test_key_value_lists_need_no_fields(self) -> None:
        pairs = self.thing.lists["pairs"]
        assert (pairs.key, pairs.value, list(pairs.fields)) == ("x", "who", ["x", "who"])

    def test_lists_that_are_not_nested_are_not_tied(self) -> None:
        lines = self.thing.lists["lines"]
        assert (lines.tied, list(lines.fields)) == (False, ["x", "y"])
        assert lines.fields["x"].mapped.in_object_list == "lines"


class TestVirtualEntities:
    FIELDS = """
fields:
  by: {path: by.id, name_at: by.name, refers_to: person}
  to: {path: to.id, name_at: to.name, refers_to: person, sensitive: true}
lists: {rows: {path: rows, fields: {who: {path: who, name_at: whoName, refers_to: person}}}}
"""

    def sources(self, entities: str) -> list[tuple[str, str, str]]:
        person = build(f"entities: {{{entities}}}" + self.FIELDS).entity("person")
        assert person.virtual
        return [_shown(source) for source in person.sources]

    def test_every_reference_with_a_name_and_none_that_is_sensitive(self) -> None:
        assert self.sources("thing: {}, person: {virtual: true}") == [
            ("thing", "by.id", "by.name"),
            ("thing", "rows.who", "rows.whoName"),
        ]

    def test_documents_are_read_once(self) -> None:
        """`all` holds the documents of `a` and `b`; without it both are read."""
        kinds = "a: {where: {kind: A}}, b: {where: {kind: B}}, person: {virtual: true}"
        assert [holder for holder, key, _ in self.sources(kinds) if key == "by.id"] == ["a", "b"]
        assert [holder for holder, key, _ in self.sources("all: {}, " + kinds) if key == "by.id"] == ["all"]

    def test_stated_sources(self) -> None:
        stated = "person: {sources: [{key: to.id, name: to.name}, {key: by.id, name: by.name, entity: b}]}"
        assert self.sources("a: {}, b: {where: {kind: B}}, " + stated) == [("b", "by.id", "by.name")]

    def test_names_that_are_all_confidential_name_nothing(self) -> None:
        with pytest.raises(CatalogError, match="names of persons are confidential"):
            self.sources("a: {}, person: {sources: [{key: to.id, name: to.name}]}")

    def test_id_and_name_stand_for_the_first_source(self) -> None:
        person = build("entities: {thing: {}, person: {virtual: true, id_pattern: '[0-9]+'}}" + self.FIELDS).entity(
            "person"
        )
        assert list(person.fields) == ["id", "name"]
        assert person.id is person.fields["id"]
        assert person.names == (person.fields["name"],)
        assert (person.id_pattern, person.index, person.open_paths) == ("[0-9]+", "things", False)


def _shown(source: NameSource) -> tuple[str, str, str]:
    return source.entity, source.key.path, source.name.path


class TestWholeFile:
    def test_bounds_week_and_index(self) -> None:
        schema = build("entities: {thing: {}}\nbounds: {rows: 10}\nweek_start: sunday")
        assert (schema.bounds.rows, schema.bounds.depth, schema.week_start, schema.index) == (10, 50, 6, "things")

    def test_several_indices(self) -> None:
        catalog = read_catalog("version: 1\nindex: a\nentities: {x: {}, y: {index: b, fields: {f: m}}}\nfields: {f: k}")
        mappings = {
            "a": read_mapping({"properties": {"k": KEYWORD}}, "a"),
            "b": read_mapping({"properties": {"m": {"type": "date"}}}, "b"),
        }
        schema = build_schema(catalog, mappings)
        assert [(e.index, e.fields["f"].kind) for e in schema.entities.values()] == [
            ("a", FieldKind.KEYWORD),
            ("b", FieldKind.DATE),
        ]

    def test_the_version_changes_with_catalog_and_mapping(self) -> None:
        one, same, other = (build(f"entities: {{{name}: {{}}}}").version for name in ("a", "a", "b"))
        assert one == same != other
        catalog = read_catalog("version: 1\nindex: things\nentities: {a: {}}")
        mapping = read_mapping({"properties": {"new": KEYWORD}}, "things")
        assert build_schema(catalog, MAPPING).version != build_schema(catalog, mapping).version
