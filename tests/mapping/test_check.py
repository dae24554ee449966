"""Catalog against mapping: every finding, on the line it belongs to."""

from __future__ import annotations

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
    "shape": {"type": "geo_shape"},
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


FIELDS = {
    "{path: titel}": "the index mapping has no field titel",
    "{path: author}": "author is an object, not a field: id, name, note",
    "{path: shares}": "shares is an object, not a field: who, name, role",
    "{path: shares.role}": "shares.role is in the nested list shares",
    "{path: shape}": "shape is mapped as geo_shape, which the query language cannot search",
    "{path: title, unit: bytes}": "a unit needs a whole number or number field, and title is mapped as text",
    "{path: bytes, unit: byts}": "'byts' is not a unit",
    "{path: price, unit_field: curency}": "there is no field called 'curency'",
    "{path: price, unit_field: it}": "there is no field called 'it'",
    "{path: title, whole_days: true}": "whole_days needs a date field, and title is mapped as text",
    "{path: bytes, values: [1, big]}": "bytes is mapped as long, and 'big' is not a whole number",
    "{path: body, values: [a]}": "values needs a keyword or whole number field, and body is mapped as text",
    "{path: kind, values: {A: x, B: X}}": "'X' stands for 'A' already",
    "{path: kind, aliases: {A: x, B: X}}": "'X' stands for 'A' already",
    "{path: kind, values: {A: b, B: c}}": "'b' is a value itself, and no other spelling of 'A'",
    "{path: kind, values: [A, a]}": "'a' and 'A' differ in case only",
    "{path: kind, values: {A: x}, groups: {X: [A]}}": "the group 'X' is a spelling of 'A' already",
    "{path: kind, values: [A], groups: {all: [A, B]}}": "'B' in the group 'all' is none of the values",
    "{path: parent, refers_to: thng}": "there is no entity called 'thng'",
    "{path: body, refers_to: thing}": "a reference needs exact values, and body is mapped as text alone",
    "{path: author.id, refers_to: thing, name_at: author.nam}": "the index mapping has no field author.nam",
    "{path: author.id, refers_to: thing, name_at: author.note}": "'name_at' needs exact values, and author.note is",
    "{path: author.id, refers_to: thing, name_at: shares.name}": "'name_at' and 'path' are not beside each other:",
    "{path: parent, refers_to: thing, under: abov}": "the index mapping has no field abov",
    "{path: parent, refers_to: thing, constants: {the root: r}}": "'the root' cannot be the name of a constant",
}


@pytest.mark.parametrize("field", FIELDS)
def test_fields(field: str) -> None:
    (message,) = told(THING + f"fields: {{it: {field}}}")
    assert message.startswith(FIELDS[field])


LISTS = {
    "sharez": "the index mapping has no list sharez",
    "title": "title is a single field, not a list of elements",
    "{path: shares, fields: {who: whom}}": "the elements of shares have no field whom",
    "{path: shares, fields: {a-b: who}}": "'a-b' cannot be the name of a field: use a letter or _, then letters",
    "{path: shares, key: who, value: rol}": "the elements of shares have no field rol",
    "{path: lines, key: sku, value: price}": "lines is not nested, so it is unknown which value belongs to which key",
    "{path: shares, fields: {who: {path: who, words: [role]}, role: role}}": "'role' is a name already",
}


@pytest.mark.parametrize("part", LISTS)
def test_lists(part: str) -> None:
    (message,) = told(THING + f"lists: {{it: {part}}}")
    assert message.startswith(LISTS[part])


ENTITIES = {
    "{where: {knd: A}}": "the index mapping has no field knd",
    "{where: {body: A}}": "'where' needs exact values, and body is mapped as text alone",
    "{where: {bytes: A}}": "'A' is not a value of bytes, which is mapped as long",
    "{where: {draft: maybe}}": "'maybe' is not a value of draft, which is mapped as boolean",
    "{where: {shares.role: a}}": "shares.role is in the nested list shares",
    "{id: idd}": "there is no field called 'idd'",
    "{id: text}": "'id' needs exact values, and body is mapped as text alone",
    "{id: secret}": "'id' names the sensitive field 'secret'",
    "{id_pattern: '['}": "id_pattern is not a regular expression: ",
    "{names: [name, nam]}": "there is no field called 'nam'",
    "{names: [size]}": "'names' needs a keyword field, and bytes is mapped as long",
    "{path: nowhere}": "there is no field called 'nowhere'",
    "{parent: name}": "the parent 'name' is not a reference",
    "{text: [size]}": "'text' needs analysed text, and bytes is mapped as long",
    "{vector: size}": "'vector' needs a vector field, and bytes is mapped as long",
    "{date: creatd}": "there is no field called 'creatd'",
    "{date: size}": "'date' needs a date field, and bytes is mapped as long",
    "{number: created}": "'number' needs a whole number or number field, and created is mapped as date",
    "{normalized_name: kind}": "kind has no normalizer",
    "{show: [name, shares.rol]}": "there is no field of 'shares' called 'rol'",
    "{show: [titl]}": "there is no field called 'titl'",
    "{tell_apart: [secret]}": "'tell_apart' names the sensitive field 'secret'",
    "{sort: created down}": "'created down' is not an order",
    "{sort: text}": "things cannot be sorted by 'text'",
    "{sort: creatd desc}": "things have no field 'creatd' to sort by",
    "{conditions: {name: size > 1}}": "the condition 'name' has the same name as the field 'name'",
    "{conditions: {Large: size > 1}, fields: {big: {path: bytes, words: large}}}": "the condition 'Large' has",
    "{conditions: {big: sise > 1}}": "the condition 'big': things have no field 'sise'",
    "{access: tenant = $t}": "the access rule: things have no field 'tenant'",
    "{fields: {Name: kind}}": "'name' and 'Name' are the same name to a reader",
    "{fields: {it: {path: kind, words: [NAME]}}}": "'NAME' is a name already",
    "{fields: {it: {path: kind, words: ['']}}}": "'' has no letters or digits",
    "{words: [' - ']}": "' - ' has no letters or digits",
    "{fields: {today: kind}}": "'today' is a word of the query language and cannot be the name of a field",
    "{lists: {name: shares}}": "'name' is a field and a list",
    "{virtual: true}": "'thing' has no documents of its own, and the catalog has no entity with documents",
}
SHARED = """
fields: {name: title, text: body, size: bytes, created: created, secret: {path: author.name, sensitive: true}}
lists: {shares: {path: shares, fields: {who: who, role: role}}}
"""


@pytest.mark.parametrize("entity", ENTITIES)
def test_entities(entity: str) -> None:
    message, *others = told(f"entities: {{thing: {entity}}}" + SHARED)
    assert not others
    assert message.startswith(ENTITIES[entity])


def test_conditions_may_use_each_other_brackets_sub_queries_and_constants() -> None:
    conditions = {
        "big": "size > 5",
        "other": "big and created exists",
        "given": 'shares[who = $me and role = "editor"]',
        "same": "id in (find things where size > 3)",
        "top": "up = root",
    }
    listed = "".join(f"      {name}: '{text}'\n" for name, text in conditions.items())
    more = "entities:\n  thing:\n    conditions:\n" + listed + SHARED.replace(
        "{name:", "{id: id, up: {path: parent, refers_to: thing, constants: root}, name:"
    )  # fmt: skip
    assert told(more) == []


REFERENCE = "fields: {by: {path: author.id, refers_to: person, name_at: author.name}}\n"
SEVERAL = {
    # names of entities
    "{thing: {words: [Parts]}, part: {}}": ["'Parts' stands for 'part' already, so it cannot stand for 'thing' too"],
    "{a thing: {plural: things}}": [
        "'a thing' cannot be the name of an entity: use a letter or _, then letters, digits and _"
    ],
    "{fish: {plural: fish}}": [],
    # entities without documents
    "{thing: {}, person: {virtual: true}}\n" + REFERENCE: [],
    "{thing: {}, person: {virtual: true}}":
        ["nothing refers to 'person' with a name beside the id, so none can be found by name"],
    "{person: {sources: [{key: author.id, name: author.name}]}}":
        ["'person' has no documents of its own, and the catalog has no entity with documents"],
    "{thing: {}, person: {virtual: true, where: {kind: A}}}\n" + REFERENCE:
        ["'person' has no documents of its own, so 'where' means nothing"],
    ("{thing: {}, person: {sources: [{key: author.id, name: author.note, entity: thing}, {key: author.id, "
     "name: author.name, entity: thng}]}}"):
        ["'name' needs exact values, and author.note is mapped as text alone",
         "there is no entity with documents called 'thng'"],
    # a shared field is reported once
    "{thing: {where: {kind: a}}, other: {where: {kind: b}}}\nfields: {it: titel}":
        ["the index mapping has no field titel"],
}  # fmt: skip


@pytest.mark.parametrize("entities", SEVERAL)
def test_several_entities(entities: str) -> None:
    assert told(f"entities: {entities}") == SEVERAL[entities]


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


STATE = "{path: state, values: {late: [tardy], paid: []}}"
SPELLINGS = [
    ({"payer": "{path: payer, words: [Tardy]}"},
     ["'Tardy' stands for the field 'payer' and for 'late' of the field 'state'"]),
    ({"condition": "late: due < today"}, ["the condition 'late' has the same name as 'late' of the field 'state' is"]),
    ({"condition": 'late: due < today and state = "late"'}, []),
    ({"condition": "overdue: due < today"}, []),
    ({"payer": "{path: payer, words: [client]}"}, []),
    ({"state": "{path: state, words: [late], values: [late, paid]}"}, []),
    ({"state": "{path: state, values: [payer, due]}"}, []),
]


@pytest.mark.parametrize(("parts", "messages"), SPELLINGS)
def test_words_of_fields_and_names_of_conditions_that_are_values_too(parts: dict[str, str],
                                                                     messages: list[str]) -> None:
    """What means the same thing is no clash, and the name of a field may be a value."""
    mapping = read_mapping({"properties": {"state": KEYWORD, "payer": KEYWORD, "due": {"type": "date"}}}, "things")
    fields = f"{{state: {parts.get('state', STATE)}, payer: {parts.get('payer', 'payer')}, due: due}}"
    found = check(f"entities: {{bill: {{conditions: {{{parts.get('condition', '')}}}}}}}\nfields: {fields}\n", mapping)
    assert all(one.severity == "warning" and one.hint for one in found)
    assert [one.message for one in found] == messages
