"""Drafted catalogs: they load and check as they are, and their guesses are right where they can be tried."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from qlc import catalogs
from qlc.mapping.catalog import read_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.draft import draft_catalog, entity_names, scalar, short_names
from qlc.mapping.errors import MappingError
from qlc.mapping.index_mapping import fetch_mapping
from qlc.mapping.yaml_source import YamlSource
from tests.mapping.double import IndexDouble, index_double

KEYWORD = {"type": "keyword"}


@cache
def drive() -> IndexDouble:
    return index_double(
        "entities-v4", catalogs.mapping_path("drive"), catalogs.documents_path("drive"), "systemAttributes.id"
    )


def draft(client: IndexDouble) -> str:
    """The draft, which has loaded and checked without a finding."""
    text = draft_catalog(client, client.index)  # type: ignore[arg-type]
    assert check_catalog(read_catalog(text), fetch_mapping(client, client.index)) == []  # type: ignore[arg-type]
    return text


@cache
def document_store() -> str:
    return draft(drive())


def drafted(properties: dict[str, Any], documents: list[dict[str, Any]], index: str = "things") -> str:
    body = {"mappings": {"properties": properties}}
    return draft(IndexDouble(index, body, [(str(n), one) for n, one in enumerate(documents)]))


class TestDocumentStore:
    def test_facts(self) -> None:
        catalog = read_catalog(document_store()).file
        entry = catalog.entities["entry"]
        assert (entry.id, entry.names, entry.sort) == ("id", ("name",), "create_date desc")
        assert catalog.fields["size_in_bytes"].unit == "bytes"
        assert catalog.fields["tags"].list
        assert set(catalog.lists) == {"permissions", "comments", "custom_attributes"}
        assert catalog.lists["permissions"].fields["role"].path == "role"

    def test_guesses_are_comments(self) -> None:
        text = document_store()
        assert "    # ? whole_days: true" in text
        assert "    # ? values: [paid, overdue, unpaid]" in text
        assert "    # ? sensitive: true" in text
        assert "    # ? refers_to: entry" in text
        assert "then name_at: systemAttributes.owner.ownerName" in text
        assert (
            "        # ? refers_to: person  # or whatever it is: an entity with virtual: true; then name_at: authorName"
            in text
        )

    def test_guesses_of_values_and_references_hold_when_their_mark_is_removed(self) -> None:
        text = document_store()
        for guess in ("values:", "whole_days:", "refers_to: entry"):
            text = text.replace(f"# ? {guess}", guess)
        assert check_catalog(read_catalog(text), fetch_mapping(drive(), "entities-v4")) == []  # type: ignore[arg-type]


def test_a_blank_value_is_one_of_those_there_are() -> None:
    states = ["", "open", "closed"] * 8
    text = drafted({"state": KEYWORD}, [{"state": state} for state in states])
    (guess,) = [line for line in text.splitlines() if "# ? values:" in line]
    catalog = read_catalog(text.replace("# ? values:", "values:")).file
    values = catalog.fields["state"].values
    assert values is not None, guess
    assert '""' in guess
    assert {"", "open", "closed"} <= set(values)


def test_few_requests_are_sent() -> None:
    """Some for fifty fields each, and one for each field that may hold ids."""
    document_store()
    assert len(drive().requests) < 50


def test_an_id_that_is_not_the_documents_own_is_called_after_what_it_identifies() -> None:
    assert short_names(["party_id", "accountManager.id"], "party_id") == {
        "party_id": "party_id",
        "accountManager.id": "account_manager_id",
    }
    assert short_names(["system.id", "name"], "system.id")["system.id"] == "id"
    assert short_names(["a.id"])["a.id"] == "id"


def test_names_are_short_and_apart() -> None:
    assert short_names(["a.sizeInBytes", "a.id", "b.id", "c.d.e", "@timestamp", "x.last"]) == {
        "a.sizeInBytes": "size_in_bytes",
        "a.id": "a_id",
        "b.id": "b_id",
        "c.d.e": "e",
        "@timestamp": "timestamp",
        "x.last": "x_last",
    }


def test_names_that_differ_in_nothing_but_signs_are_numbered() -> None:
    assert list(short_names(["fileName", "file_name", "not", "2fa"]).values()) == [
        "file_name",
        "file_name_2",
        "not_2",
        "n2fa",
    ]


@pytest.mark.parametrize(
    ("index", "names"),
    [
        ("flights", ("flight", "flights")),
        ("web-logs-*", ("web_log", "web_logs")),
        ("entities", ("entity", "entities")),
        ("entities-v4", ("entry", "entries")),
        ("address", ("entry", "entries")),
        ("*", ("entry", "entries")),
    ],
)  # fmt: skip
def test_names_of_entities(index: str, names: tuple[str, str]) -> None:
    assert entity_names(index) == names


@pytest.mark.parametrize(
    "text", ["no", "a b", "a: b", "12", "", "'", '"', "a #b", "x,y", "-", "~", "null", "Ä\n", "a "]
)
def test_scalars_are_read_as_they_were(text: str) -> None:
    assert YamlSource(f"[{scalar(text)}]").data == [text]


class TestLists:
    def test_an_object_in_several_places_of_a_document_is_a_list(self) -> None:
        text = drafted(
            {"lines": {"properties": {"sku": KEYWORD, "n": {"type": "long"}}}, "one": {"properties": {"x": KEYWORD}}},
            [{"lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "one": {"x": "y"}}],
        )
        file = read_catalog(text).file
        assert list(file.lists["lines"].fields) == ["sku", "n"]
        assert list(file.fields) == ["x"]
        assert "# not nested in the mapping" in text

    def test_a_point_written_as_two_numbers_is_one_value(self) -> None:
        text = drafted({"at": {"type": "geo_point"}}, [{"at": [12.5, 41.9]}])
        assert "list: true" not in text


def test_text_fields_are_analysed_ones_with_names_or_prose() -> None:
    both = {"type": "text", "fields": {"keyword": KEYWORD}}
    text = drafted(
        {"name": KEYWORD, "title": both, "code": both, "note": both, "body": {"type": "text"}},
        [{"name": "a b", "title": "t", "code": "x-1", "note": "to be sold", "body": "all of it"}],
    )
    assert read_catalog(text).file.entities["thing"].text == ("title", "note", "body")


def test_what_cannot_be_asked_about_is_left_out_with_a_reason() -> None:
    text = drafted({"a": KEYWORD, "b": KEYWORD, "shape": {"type": "geo_shape"}}, [{"a": "x"}])
    assert "# left out: shape, mapped as geo_shape, which cannot be asked about" in text
    assert "# left out, no document has them: b" in text


def test_an_index_without_documents_has_all_its_fields() -> None:
    assert list(read_catalog(drafted({"a": KEYWORD, "b": {"type": "date"}}, [])).file.fields) == ["a", "b"]


def test_an_id_is_unique_in_the_whole_index() -> None:
    """The first thousand documents have different numbers; one further on has a number again."""
    documents = [{"number": str(n), "code": str(n)} for n in range(1200)]
    documents.append({"number": "0", "code": "new"})
    text = drafted({"number": KEYWORD, "code": KEYWORD}, documents)
    assert read_catalog(text).file.entities["thing"].id == "code"


def test_an_index_that_does_not_exist_is_told() -> None:
    client = IndexDouble("things", {"mappings": {}}, [])
    client.indices.get_mapping = lambda index: type("Answer", (), {"body": {}})
    with pytest.raises(MappingError, match="'other'"):
        draft_catalog(client, "other")  # type: ignore[arg-type]
