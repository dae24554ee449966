"""What a draft makes of common fields: names, dates, units, numbers as ids; with nothing mended by hand."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.mapping.catalog_model import CatalogFile
from qlc.mapping.draft import draft_catalog
from tests.mapping.double import index_of
from tests.mapping.test_draft import DATE, KEYWORD, drafted

LONG = {"type": "long"}
TEXT = {"type": "text", "fields": {"keyword": KEYWORD}}


def catalog_of(properties: dict[str, Any], documents: list[dict[str, Any]], index: str = "things") -> CatalogFile:
    return read_catalog(drafted(properties, documents, index)).file


class TestNames:
    def test_the_name_in_an_object_is_that_of_the_object(self) -> None:
        file = catalog_of(
            {"title": TEXT, "supplier": {"properties": {"name": KEYWORD, "country": KEYWORD}}},
            [{"title": f"Thing {n}", "supplier": {"name": "ab"[n % 2], "country": "PT"}} for n in range(8)],
        )
        assert file.entities["thing"].names == ("title",)
        assert file.fields["supplier_name"].path == "supplier.name"

    def test_a_name_in_an_object_that_most_documents_have_another_of_is_their_own(self) -> None:
        properties = {"common": {"properties": {"name": KEYWORD, "state": KEYWORD}}}
        file = catalog_of(properties, [{"common": {"name": f"n{n}", "state": "new"}} for n in range(8)])
        assert (file.entities["thing"].names, file.fields["name"].path) == (("name",), "common.name")

    def test_a_name_of_longer_words_is_the_documents_own_where_it_tells_them_apart(self) -> None:
        documents = [{"firstName": "AB"[n % 2], "fullName": f"A {n}", "job_title": "Nurse"} for n in range(8)]
        file = catalog_of({"firstName": KEYWORD, "fullName": KEYWORD, "job_title": KEYWORD}, documents)
        assert file.entities["thing"].names == ("full_name",)

    def test_what_is_called_after_the_things_is_their_name(self) -> None:
        file = catalog_of({"thing_name": KEYWORD}, [{"thing_name": "bolt"}] * 8)
        assert file.entities["thing"].names == ("thing_name",)

    def test_a_name_in_several_languages(self) -> None:
        properties = {"name": {"properties": {"en": TEXT, "native": TEXT}}, "state": KEYWORD}
        documents = [{"name": {"en": f"Museum {n}", "native": f"博物館 {n}"}, "state": "x"} for n in range(8)]
        assert catalog_of(properties, documents).entities["thing"].names == ("name_en", "name_native")

    def test_a_text_that_is_not_for_everybody_is_not_searched(self) -> None:
        file = catalog_of({"phone": TEXT, "note": TEXT}, [{"phone": "+49 30 1234", "note": "call back"}])
        assert file.entities["thing"].text == ("note",)


class TestDates:
    def test_the_order_is_by_a_date_that_most_documents_have_and_it_is_shown(self) -> None:
        documents = [{"bought": f"2024-01-{n:02}", "color": "red"} for n in range(10, 20)]
        documents[0]["scrapped"] = "2025-01-01"
        thing = catalog_of({"scrapped": DATE, "bought": DATE, "color": KEYWORD}, documents).entities["thing"]
        assert (thing.sort, thing.show) == ("bought desc", ("color", "bought"))
        rare = [{"color": "red"}, {"color": "red"}, {"color": "red", "scrapped": "2025-01-01"}]
        assert catalog_of({"scrapped": DATE, "color": KEYWORD}, rare).entities["thing"].sort is None

    def test_the_date_of_a_document_is_when_it_was_made(self) -> None:
        documents = [{"ended_at": "2024-01-02", "created_at": "2024-01-01", "date_of_birth": "1999-01-01"}] * 3
        file = catalog_of({"ended_at": DATE, "date_of_birth": DATE, "created_at": DATE}, documents)
        assert (file.entities["thing"].date, file.entities["thing"].sort) == ("created_at", "created_at desc")

    def test_another_date_is_a_guess(self) -> None:
        text = drafted({"ended": DATE, "paid": DATE}, [{"ended": "2024-01-02", "paid": "2024-01-01"}] * 3)
        assert "    # ? date: ended" in text


class TestUnits:
    @pytest.mark.parametrize(
        ("names", "unit"),
        [
            (("ram_gb",), "GB"),
            (("latency_ms",), "ms"),
            (("FlightTimeMin",), "minutes"),
            (("salary_min", "salary_max"), None),
            (("response_time_min", "response_time_max"), None),
        ],
    )
    def test_the_unit_that_a_name_ends_with(self, names: tuple[str, ...], unit: str | None) -> None:
        file = catalog_of(dict.fromkeys(names, LONG), [dict.fromkeys(names, 3)])
        assert next(iter(file.fields.values())).unit == unit

    def test_a_currency_at_the_end_of_a_name(self) -> None:
        fields = catalog_of({"cost_gbp": LONG, "try": LONG}, [{"cost_gbp": 3, "try": 1}]).fields
        assert (fields["cost_gbp"].unit, fields["try"].unit) == ("GBP", None)

    def test_speeds_are_hardly_in_milliseconds(self) -> None:
        text = drafted({"topSpeedMs": LONG, "delayMs": LONG}, [{"topSpeedMs": 3, "delayMs": 4}])
        assert "    # ? unit: m/s" in text
        assert "    unit: ms" in text

    def test_siblings_are_marked_alike(self) -> None:
        text = drafted({"response_min": LONG, "repair_min": LONG}, [{"response_min": 3, "repair_min": 4}])
        assert (text.count("unit: minutes"), text.count("# ? unit")) == (2, 0)

    def test_what_may_be_the_smallest_is_a_guess(self) -> None:
        assert "# ? unit: minutes" in drafted({"value_min": LONG}, [{"value_min": 3}])


class TestWhatIsMeantWhereNothingIsNamed:
    @pytest.mark.parametrize("name", ["signedUp", "hired_on", "customerSince", "ordered_at", "joined"])
    def test_one_date_is_the_date_of_a_document(self, name: str) -> None:
        documents = [{name: f"2024-01-0{n}", "until": f"2025-01-0{n}"} for n in range(1, 6)]
        both = drafted({name: DATE, "until": DATE}, documents)
        alone = drafted({name: DATE}, [{name: one[name]} for one in documents])
        assert all("\n    date: " in text for text in (both, alone))

    def test_the_only_number_and_the_only_amount(self) -> None:
        assert "\n    number: beds" in drafted({"beds": LONG}, [{"beds": 3}] * 4)
        assert "\n    # ? number: price" in drafted({"beds": LONG, "price": LONG}, [{"beds": 3, "price": 1}] * 4)
        assert "number:" not in drafted({"beds": LONG, "floors": LONG}, [{"beds": 3, "floors": 1}] * 4)
        assert "number:" not in drafted({"year": LONG}, [{"year": 1999}] * 4)


class TestClosedValues:
    def test_sentences_and_ids_are_no_values(self) -> None:
        said = ["It came back with a broken lock", "The lid does not close any more", "Nobody knows what this one is"]
        states = ["in use", "lost"]
        documents = [{"said": said[n % 3], "boxRef": f"b{n % 3}", "state": states[n % 2]} for n in range(30)]
        text = drafted({"said": KEYWORD, "boxRef": KEYWORD, "state": KEYWORD}, documents)
        assert "# ? values: [in use, lost]" in text
        assert text.count("values:") == 1


class TestNumbersAsIds:
    PROPERTIES: ClassVar = {
        "type": KEYWORD, "id": LONG, "name": KEYWORD, "since": DATE, "customer_id": LONG, "total": LONG,
    }  # fmt: skip

    def documents(self) -> list[dict[str, Any]]:
        customers = [{"type": "customer", "id": 500 + n, "name": f"C{n}", "since": "2020-01-01"} for n in range(6)]
        orders = [{"type": "order", "id": 900 + n, "customer_id": 500 + n % 6, "total": n} for n in range(20)]
        return [*customers, *orders]

    def test_they_identify_and_are_referred_to(self) -> None:
        file = catalog_of(self.PROPERTIES, self.documents())
        assert (file.defaults.id, file.entities["order"].id_pattern) == ("id", "[0-9]+")
        customer = file.entities["order"].fields["customer"]
        assert (customer.path, customer.refers_to) == ("customer_id", "customer")
        assert file.entities["order"].fields["total"].refers_to is None

    def test_texts_are_no_ids_that_are_numbers(self) -> None:
        documents = [one | {"customer_id": "c500"} if "customer_id" in one else one for one in self.documents()]
        file = catalog_of(self.PROPERTIES | {"customer_id": KEYWORD}, documents)
        assert file.entities["order"].fields["customer_id"].refers_to is None


def test_the_type_of_what_several_documents_share_tells_no_kinds() -> None:
    properties = {"device_id": KEYWORD, "device_type": KEYWORD, "co2": LONG, "warmth": LONG, "opened": LONG}
    measured = {"air": "co2", "thermostat": "warmth", "door": "opened"}
    documents = [{"device_id": kind, "device_type": kind, field: 1} for kind, field in measured.items()] * 4
    assert set(catalog_of(properties, documents, "readings").entities) == {"reading"}


def test_of_many_fields_that_are_never_filled_some_are_named() -> None:
    text = drafted({"a": KEYWORD, **{f"empty{n:03}": KEYWORD for n in range(300)}}, [{"a": "x"}])
    (line,) = [line for line in text.splitlines() if line.startswith("# left out")]
    assert line.endswith("empty038, empty039 and 260 more")


@pytest.mark.parametrize(("prefix", "mark"), [("T-", ""), ("", "# ? ")])
def test_ids_of_letters_and_a_number_are_known_by_them(prefix: str, mark: str) -> None:
    text = drafted({"code": KEYWORD}, [{"code": f"{prefix}{n}"} for n in range(95, 105)])
    assert f"\n    {mark}id_pattern: '{prefix}[0-9]+'" in text


def test_several_indices_of_which_one_has_a_list() -> None:
    """A list that few of the documents read have is looked for in all of them."""
    body = {"mappings": {"properties": {"lines": {"type": "nested", "properties": {"sku": KEYWORD}}, "a": KEYWORD}}}
    client = index_of("bills-1", body, [(str(n), {"a": "x"}) for n in range(1100)])
    client.index(index="bills-1", document={"lines": [{"sku": "s"}]}, refresh=True)
    client.index(index="bills-2", document={"b": "y"}, refresh=True)
    assert "lines" in read_catalog(draft_catalog(client, "bills-1,bills-2")).file.lists
