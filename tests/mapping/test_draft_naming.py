"""Names of fields, entities and values in drafted catalogs, as YAML has them."""

import re

import pytest

from qlc.mapping.draft.guesses import words_of_codes
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
from qlc.mapping.draft.objects import objects_of_some
from qlc.mapping.draft.other_words import kinds_of, names_of_languages
from qlc.mapping.draft.sample import FieldSample, Sample
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
    ("accession", [], [], ("accession", "accessions")), ("accession", [], ["accession"], ()), ("year", [], [], ()),
    ("parcel_no", [], [], ()), ("tag_no", [], [], ()), ("crate.no", [], [], ()), ("id", [], [], ()),
])  # fmt: skip
def test_the_noun_in_an_id(path: str, paths: list[str], values: list[str], nouns: tuple[str, ...]) -> None:
    assert noun_in_an_id(path, ("parcel", "parcels"), paths, values) == nouns


def test_what_says_nothing_alone_is_no_name() -> None:
    names = {"sold.on": "sold_on", "checked.by": "checked_by", "route.to": "route_to", "box.no": "box_no", "on": "on"}
    assert short_names(names) == names


@pytest.mark.parametrize(("values", "field", "called"), [
    (["sv", "fi"], ["lang"], {"sv": ("Swedish",), "fi": ("Finnish",)}),
    (["sv-SE", "EN_gb"], ["locale"], {"sv-SE": ("Swedish",), "EN_gb": ("English",)}),
    (["pt-BR", "pt-PT", "el"], ["language"], {"pt-BR": (), "pt-PT": (), "el": ("Greek",)}),
    (["sv", "fi"], ["country"], {}), (["sv", "xx"], ["language"], {}), ([], ["language"], {}),
])  # fmt: skip
def test_languages(values: list[str], field: list[str], called: dict[str, tuple[str, ...]]) -> None:
    assert names_of_languages(values, field) == called


@pytest.mark.parametrize(("values", "field", "kinds"), rows(__file__, "test_values_of_one_kind"))
def test_values_of_one_kind(values: list[str], field: str, kinds: dict[str, list[str]]) -> None:
    assert kinds_of(values, [field], {field}) == kinds


def sample(**having: int) -> Sample:
    """Twenty documents; each path is in as many as its number; `__` stands for a dot."""
    seen = {
        path.replace("__", "."): FieldSample(filled=count, by_place={(str(n),): ["x"] for n in range(count)})
        for path, count in having.items()
    }
    return Sample({}, 20, [str(n) for n in range(20)], seen)


def objects(read: Sample, *taken: str) -> dict[str, str]:
    return dict(objects_of_some(read.seen, read, taken))


def test_objects_that_some_documents_have() -> None:
    assert objects(sample(recall__note=6, recall__at=9, at=20)) == {"recall": "recall.at"}
    assert objects(sample(recalls__at=9)) == {"recall": "recalls.at"}
    assert objects(sample(recall__at=9), "Recall") == objects(sample(recall__at=9), "recalls") == {}
    assert objects(sample(recall__at=19)) == objects(sample(recall__at=3)) == objects(sample(details__at=9)) == {}


def test_an_object_without_a_field_that_is_always_there() -> None:
    read = sample(recall__at=9, recall__note=9)
    read.seen["recall.note"].by_place = {(str(n),): ["x"] for n in range(5, 14)}
    assert objects(read) == {}


@pytest.mark.parametrize("beside", [
    {"SEK": "Lindqvist AB", "EUR": "Europa Handel"}, {"SEK": "sektor nord", "EUR": "paid in euro notes"},
])  # fmt: skip
def test_a_code_has_no_words_from_values_beside_it(beside: dict[str, str]) -> None:
    codes = ["SEK", "EUR"] * 10
    places = {(str(n),): [code] for n, code in enumerate(codes)}
    texts = {(str(n),): [beside[code]] for n, code in enumerate(codes)}
    seen = {"pay_unit": FieldSample(filled=20, by_place=places), "buyer": FieldSample(filled=20, by_place=texts)}
    read = Sample({}, 20, [str(n) for n in range(20)], seen, terms={"pay_unit": ("EUR", "SEK")})
    assert words_of_codes(read, "pay_unit") == {}


def test_a_code_has_the_words_that_such_codes_are_short_for() -> None:
    read = Sample({}, 0, [], terms={"freight": ("STD", "PRIO")})
    assert words_of_codes(read, "freight") == {"STD": ("standard",), "PRIO": ("priority",)}
