"""Catalog against mapping: every finding, on the line it belongs to."""

from typing import Any

import pytest

from qlc.base.diagnostics import Diagnostic
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.fields import IndexMapping
from qlc.mapping.index_mapping import mapping_from_responses, read_mapping

KEYWORD: dict[str, Any] = {"type": "keyword"}
MAPPING = read_mapping({"properties": {
    **dict.fromkeys(("kind", "id", "currency", "parent", "above"), KEYWORD),
    "title": {"type": "text", "fields": {"keyword": KEYWORD}}, "body": {"type": "text"}, "bytes": {"type": "long"},
    "price": {"type": "double"}, "created": {"type": "date"}, "draft": {"type": "boolean"},
    "shape": {"type": "shape"},
    "author": {"properties": {"id": KEYWORD, "name": KEYWORD, "note": {"type": "text"}}},
    "shares": {"type": "nested", "properties": {"who": KEYWORD, "name": KEYWORD, "role": KEYWORD}},
    "lines": {"properties": {"sku": KEYWORD, "price": {"type": "double"}}},
}}, "things")  # fmt: skip
HEAD = "version: 1\nindex: things\n"
THING = "entities: {thing: {}}\n"


def check(text: str, mapping: IndexMapping = MAPPING) -> list[Diagnostic]:
    return check_catalog(read_catalog(HEAD + text), mapping)


def told(text: str) -> list[str]:
    try:
        return [one.message for one in check(text)]
    except CatalogError as error:
        return [one.message for one in error.diagnostics]


SHARED = """
fields: {name: title, text: body, size: bytes, created: created, secret: {path: author.name, sensitive: true}}
lists: {shares: {path: shares, fields: {who: who, role: role}}}
"""


def test_conditions_may_use_each_other_brackets_sub_queries_and_constants() -> None:
    conditions = {
        "big": "size > 5", "other": "big and created exists", "given": 'shares[who = $me and role = "editor"]',
        "same": "id in (find things where size > 3)", "top": "up = root",
    }
    listed = "".join(f"      {name}: '{text}'\n" for name, text in conditions.items())
    more = "entities:\n  thing:\n    id: id\n    conditions:\n" + listed + SHARED.replace(
        "{name:", "{id: id, up: {path: parent, refers_to: thing, constants: root}, name:"
    )  # fmt: skip
    assert told(more) == []


class TestIndices:
    def test_a_missing_mapping_is_reported(self) -> None:
        text = "entities: {thing: {}, note: {index: notes}}"
        assert told(text) == ["no mapping is given for the index 'notes'"]
        catalog = read_catalog(HEAD + text)
        assert check_catalog(catalog, {"things": MAPPING, "notes": MAPPING}) == []

    def test_one_mapping_serves_a_catalog_of_one_index_whatever_its_name(self) -> None:
        assert check(THING, read_mapping({"properties": {}})) == []

    def test_conflicting_types_are_named(self) -> None:
        bodies = {n: {"mappings": {"properties": {"a": {"type": t}}}} for n, t in (("x", "long"), ("y", "keyword"))}
        mapping = mapping_from_responses("x,y", bodies, {})
        assert [one.message for one in check(THING + "fields: {a: a}", mapping)] == [
            "a has different types: long in x, keyword in y"
        ]


def test_copies_of_sensitive_fields_are_reported() -> None:
    mapping = read_mapping({"properties": {"mail": KEYWORD | {"copy_to": "all"}, "all": {"type": "text"}}})
    secret = "{path: mail, sensitive: true}"
    (found,) = check(THING + f"fields: {{mail: {secret}}}", mapping)
    assert (found.severity, found.message) == ("error", "mail is sensitive, and the index copies it to all")
    assert check(THING + f"fields: {{mail: {secret}, all: {{path: all, sensitive: true}}}}", mapping) == []


def test_findings_point_at_the_line_and_offer_near_names() -> None:
    text = THING + "fields:\n  name: titel\n  size:\n    path: byte\n    unit: byts\n"
    found = check(text)
    source = HEAD + text
    assert [(source.count("\n", 0, one.span.start) + 1, one.suggestions) for one in found] == [
        (5, ("title",)),
        (7, ("bytes",)),
    ]
    assert [source[one.span.start : one.span.end] for one in found] == ["titel", "byte"]


def test_build_schema_refuses_what_the_check_finds() -> None:
    with pytest.raises(CatalogError, match="the index mapping has no field titel") as caught:
        build_schema(read_catalog(HEAD + THING + "fields: {it: titel}", "things.yaml"), MAPPING)
    assert str(caught.value).startswith("things.yaml has errors:\nerror[catalog-path]:")
