"""Names of fields and entities in drafted catalogs, and how YAML writes them."""

from __future__ import annotations

import re

import pytest

from qlc.mapping.draft.naming import (
    entity_names,
    kind_names,
    names_beside,
    noun_in_an_id,
    noun_of_an_id,
    other_nouns,
    pattern_of,
    scalar,
    short_names,
    without_id,
    without_the_kind,
)
from qlc.mapping.yaml_source import YamlSource
from tests.tables import rows


def test_an_id_that_is_not_the_documents_own_is_called_after_what_it_identifies() -> None:
    names = {"party_id": "party_id", "accountManager.id": "account_manager_id"}
    assert short_names(["party_id", "accountManager.id"], "party_id") == names
    assert short_names(["system.id", "name"], "system.id")["system.id"] == "id"
    assert short_names(["a.id"])["a.id"] == "id"


def test_names_are_short_and_apart() -> None:
    names = {"a.sizeInBytes": "size_in_bytes", "a.id": "a_id", "b.id": "b_id", "c.d.e": "e", "@timestamp": "timestamp",
             "x.last": "x_last"}  # fmt: skip
    assert short_names(names) == names
    assert list(short_names(["fileName", "file_name", "not", "2fa"]).values()) == ["file_name", "file_name_2", "not_2",
                                                                                   "n2fa"]


def test_references_are_called_after_what_they_point_at() -> None:
    names = {"a": "owner_id", "b": "reader_ids", "c": "boss_id", "d": "boss", "e": "copy_of", "f": "id"}
    assert list(without_id(names, names).values()) == ["owner", "readers", "boss_id", "boss", "copy_of", "id"]


@pytest.mark.parametrize(("index", "names"), rows(__file__, "test_names_of_entities"))
def test_names_of_entities(index: str, names: str) -> None:
    assert " ".join(entity_names(index)) == names


def test_names_of_kinds() -> None:
    kinds = {"SUPPLIERS": ("supplier", "suppliers"), "ServiceCompany": ("service_company", "service_companies"),
             "address": ("address", "addresses"), "box": ("box", "boxes"), "this": ("this_2", "this_2s"),
             "7": ("n7", "n7s")}  # fmt: skip
    assert kind_names(kinds) == kinds


def test_the_name_beside_an_id() -> None:
    paths = ["ownerName", "ownerAccountId", "by.id", "by.name", "id", "name", "buyer_id", "buyer_full_name", "x_id"]
    assert names_beside(paths) == {"ownerAccountId": "ownerName", "by.id": "by.name", "buyer_id": "buyer_full_name"}


@pytest.mark.parametrize(("ids", "pattern"), rows(__file__, "test_the_form_of_ids"))
def test_the_form_of_ids(ids: list[str], pattern: str | None) -> None:
    assert pattern_of(ids) == pattern
    assert all(re.fullmatch(pattern or "", one) for one in ids if pattern)


@pytest.mark.parametrize(
    "text",
    ["no", "a b", "a: b", "12", "", "'", '"', "a #b", "x,y", "-", "~", "null", "Ä\n", "a ", "a\x85b", "a\u2028 b",
     "\x9f\x7f", "\ufeff", "\U0001f40d"],
)  # fmt: skip
def test_scalars_are_read_as_they_were(text: str) -> None:
    assert YamlSource(f"[{scalar(text)}]").data == [text]


def test_a_name_of_two_words_written_as_one() -> None:
    nouns = ("steam boat", "steam boats", "boat", "boats")
    assert other_nouns("steamboat", ["boat_kind", "machine_id"]) == nouns
    assert other_nouns("steamboat", ["machine_id", "oat"]) == ()
    assert other_nouns("boat", ["boat_kind"]) == ()


def test_what_things_are_called_besides() -> None:
    assert other_nouns("permit", ["issued_on"]) == ("application", "applications")
    assert other_nouns("permit", ["application_date"]) == ()
    surgery = ["procedure_code", "anaesthesia", "theatre"]
    assert other_nouns("case", surgery) == ("operation", "operations", "surgery", "surgeries")
    assert other_nouns("case", surgery[:2]) == ()
    assert other_nouns("person", ["hired_on", "salary", "department"]) == ("employee", "employees")
    assert other_nouns("person", ["hired_on", "salary", "ward"]) == ()
    assert noun_of_an_id("lot") == "lot"
    assert not any(map(noun_of_an_id, ["sku_code", "id", "isbn", "lots", "no", "first.lot"]))


def test_a_field_is_called_without_what_its_documents_are() -> None:
    assert without_the_kind("order_kind", "workorder", ["order_kind", "priority"]) == "kind"
    assert without_the_kind("permit_type", "permit", ["permit_type", "roof.type"]) == ""
    assert without_the_kind("machine_type", "workorder", ["machine_type"]) == ""


@pytest.mark.parametrize(("path", "paths", "values", "nouns"), [
    ("crate_no", ["crate_no", "kind"], [], ("crate", "crates")), ("crateNumber", [], [], ("crate", "crates")),
    ("crate_no", ["crate.weight"], [], ()), ("crate_no", ["first_crate"], [], ()), ("crate_no", [], ["Crate"], ()),
    ("parcel_no", [], [], ()), ("tag_no", [], [], ()), ("crate.no", [], [], ()), ("id", [], [], ()),
])  # fmt: skip
def test_the_noun_in_an_id(path: str, paths: list[str], values: list[str], nouns: tuple[str, ...]) -> None:
    assert noun_in_an_id(path, ("parcel", "parcels"), paths, values) == nouns


def test_what_says_nothing_alone_is_no_name() -> None:
    names = {"sold.on": "sold_on", "checked.by": "checked_by", "route.to": "route_to", "box.no": "box_no", "on": "on"}
    assert short_names(names) == names
