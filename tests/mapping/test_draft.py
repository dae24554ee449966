"""Drafted catalogs: they load and check as they are, and their guesses are right where they can be tried."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from elasticsearch import Elasticsearch, NotFoundError

from qlc import catalogs
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.errors import MappingError
from qlc.mapping.index_mapping import fetch_mapping
from tests.mapping.double import Counted, documents_in, index_of

KEYWORD = {"type": "keyword"}
DATE = {"type": "date"}


@cache
def drive() -> Elasticsearch:
    body = json.loads(catalogs.mapping_path("drive").read_text("utf-8"))
    return index_of("entities-v4", body, documents_in(catalogs.documents_path("drive"), "systemAttributes.id"))


def draft(client: Elasticsearch, index: str) -> str:
    """The draft, which has loaded and checked without a finding."""
    text = draft_catalog(client, index)
    assert check_catalog(read_catalog(text), fetch_mapping(client, index)) == []
    return text


@cache
def document_store() -> str:
    return draft(drive(), "entities-v4")


def drafted(properties: dict[str, Any], documents: list[dict[str, Any]], index: str = "things") -> str:
    body = {"mappings": {"properties": properties}}
    return draft(index_of(index, body, [(str(n), one) for n, one in enumerate(documents)]), index)


def unmarked(text: str, *keys: str) -> str:
    """A draft whose guesses of some keys are taken as right."""
    for key in keys:
        text = text.replace(f"# ? {key}:", f"{key}:")
    return text


def test_a_longer_name_of_an_index_ends_with_what_people_say() -> None:
    text = drafted({"speed": KEYWORD}, [{"speed": "slow"}], "ais_positions")
    entity = read_catalog(text).file.entities["ais_position"]
    assert (entity.plural, entity.words) == ("ais_positions", ("position", "positions"))


class TestDocumentStore:
    def test_facts(self) -> None:
        catalog = read_catalog(document_store()).file
        assert catalog.defaults.id == "id"
        document, folder = catalog.entities["document"], catalog.entities["folder"]
        assert (document.where, folder.where) == ({"entityType": ("DOCUMENT",)}, {"entityType": ("FOLDER",)})
        assert (document.names, document.sort) == (("name",), "create_date desc")
        assert document.fields["size_in_bytes"].unit == "bytes"
        assert catalog.fields["tags"].list
        assert set(document.lists) == {"permissions", "comments", "custom_attributes"}
        assert document.lists["permissions"].fields["role"].path == "role"

    def test_guesses_are_comments(self) -> None:
        text = document_store()
        assert "    # ? whole_days: true" in text
        assert "    # ? values: [paid, overdue, unpaid]" in text
        assert "    # ? sensitive: true" in text
        assert "    refers_to: folder" in text
        assert "then name_at: systemAttributes.owner.ownerName" in text
        assert (
            "# ? refers_to: person  # or whatever it is: an entity with virtual: true; then name_at: authorName" in text
        )

    def test_guesses_of_values_and_references_hold_when_their_mark_is_removed(self) -> None:
        text = unmarked(document_store(), "values", "whole_days")
        assert check_catalog(read_catalog(text), fetch_mapping(drive(), "entities-v4")) == []


def test_a_blank_value_is_one_of_those_there_are() -> None:
    states = ["", "open", "closed"] * 8
    text = drafted({"state": KEYWORD}, [{"state": state} for state in states])
    (guess,) = [line for line in text.splitlines() if "# ? values:" in line]
    values = read_catalog(unmarked(text, "values")).file.fields["state"].values
    assert values is not None, guess
    assert '""' in guess
    assert {"", "open", "closed"} <= set(values)


def test_few_requests_are_sent() -> None:
    """Some for fifty fields each, for each kind."""
    client = Counted(drive())
    draft_catalog(client, "entities-v4")  # type: ignore[arg-type]
    assert client.searches < 30


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
    text = drafted({"a": KEYWORD, "b": KEYWORD, "span": {"type": "long_range"}}, [{"a": "x"}])
    assert "# left out: span, mapped as long_range, which cannot be asked about" in text
    assert "# left out, no document has them: b" in text


def test_an_index_without_documents_has_all_its_fields() -> None:
    assert list(read_catalog(drafted({"a": KEYWORD, "b": DATE}, [])).file.fields) == ["a", "b"]


def test_an_id_is_unique_in_the_whole_index() -> None:
    """The first thousand documents have different numbers; one further on has a number again."""
    documents = [{"number": str(n), "code": str(n)} for n in range(1200)]
    documents.append({"number": "0", "code": "new"})
    text = drafted({"number": KEYWORD, "code": KEYWORD}, documents)
    assert read_catalog(text).file.entities["thing"].id == "code"


def test_an_index_that_does_not_exist_is_told() -> None:
    with pytest.raises((MappingError, NotFoundError), match="other"):
        draft_catalog(index_of("things", {}, []), "other")


class TestRareFields:
    """A field that only late documents have is read from these."""

    EARLY = tuple({"code": f"c{n}"} for n in range(1100))

    def test_days(self) -> None:
        late = [{"code": f"d{n}", "due": f"2024-05-{n + 1:02}"} for n in range(5)]
        assert "# ? whole_days: true" in drafted({"code": KEYWORD, "due": DATE}, [*self.EARLY, *late])

    def test_references(self) -> None:
        late = [{"code": f"d{n}", "copy": f"c{n}"} for n in range(3)]
        text = drafted({"code": KEYWORD, "copy": KEYWORD}, [*self.EARLY, *late])
        assert "# ? refers_to: thing" in text


def test_days_are_told_from_instants() -> None:
    documents = [{"day": f"2024-05-{n:02}", "at": f"2024-05-{n:02}T0{n % 3}:00:00Z"} for n in range(1, 20)]
    text = drafted({"day": DATE, "at": DATE}, documents)
    assert read_catalog(unmarked(text, "whole_days")).file.fields["day"].whole_days
    assert not read_catalog(unmarked(text, "whole_days")).file.fields["at"].whole_days


def test_days_in_milliseconds() -> None:
    documents = [{"day": n * 86_400_000} for n in range(3)]
    assert "# ? whole_days: true" in drafted({"day": DATE}, documents)


NUMBER = {"type": "double"}


class TestUnits:
    def test_what_a_name_ends_with(self) -> None:
        names = {
            "weight_kg": "kg", "weightG": "g", "top_speed_kmh": "km/h", "diameterMm": "mm", "notice_days": "days",
            "fuel_litres": "l", "elapsed_s": "seconds", "duration_min": "minutes", "height_m": "m", "price_m": None,
            "co2_g_km": None, "km_per_l": None, "min": None, "code_s": None, "seats": None,
        }  # fmt: skip
        text = drafted(dict.fromkeys(names, NUMBER), [{name: 1.5 + n for n, name in enumerate(names)}])
        fields = read_catalog(text).file.fields
        found = {one.path: one.unit for one in fields.values()}
        assert {name: found[name] for name in names} == names


class TestAmounts:
    def test_the_currency_called_after_an_amount(self) -> None:
        text = drafted(
            {"listPrice": NUMBER, "height": NUMBER, "priceCurrency": KEYWORD},
            [{"listPrice": 1.5, "height": 2.5, "priceCurrency": "EUR"}],
        )
        fields = read_catalog(unmarked(text, "unit_field")).file.fields
        assert (fields["list_price"].unit_field, fields["height"].unit_field) == ("price_currency", None)

    def test_what_is_no_money_has_no_currency(self) -> None:
        text = drafted(
            {"cost": NUMBER, "weight": NUMBER, "interest_rate": NUMBER, "currency": KEYWORD},
            [{"cost": 1.5, "weight": 2.5, "interest_rate": 0.5, "currency": "EUR"}],
        )
        fields = read_catalog(unmarked(text, "unit_field")).file.fields
        found = [fields[one].unit_field for one in ("cost", "weight", "interest_rate")]
        assert found == ["currency", None, None]

    def test_the_only_currency(self) -> None:
        text = drafted(
            {"total": NUMBER, "lines": {"type": "long"}, "currency": KEYWORD},
            [{"total": 1.5, "lines": 2, "currency": "EUR"}],
        )
        fields = read_catalog(unmarked(text, "unit_field")).file.fields
        assert (fields["total"].unit_field, fields["lines"].unit_field) == ("currency", None)
