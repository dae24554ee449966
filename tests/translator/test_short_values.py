"""Finds values by a part of their name."""

from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Field
from qlc.outcome import Declined, Hits
from qlc.translator.entry import Asker
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.lexicon.values import beginnings, cost_of_a_part, parts, without_apostrophe, without_initials
from tests.reference import model


def test_only_one_value_begins_so() -> None:
    found = dict(beginnings(["Acme Corp", "Cedar Point Plumbing", "Harbor Foods", "Harbor Light Yoga"]))
    assert found == {
        "acme": "Acme Corp",
        "cedar": "Cedar Point Plumbing",
        "cedar point": "Cedar Point Plumbing",
        "harbor light": "Harbor Light Yoga",
    }


def test_what_is_no_name_has_no_beginning() -> None:
    values = ["net terms", "San Marino", "Every Word Of A Long Title Counts", "women's shoes", "Top Foods"]
    assert not dict(beginnings(values))


def test_names_are_written_with_a_capital() -> None:
    first, whole = ("acme",), "Acme Corp"
    in_capitals = [cost_of_a_part(first, whole, "Acme", at) for at in (2, 0)]
    assert in_capitals[0] < in_capitals[1] < cost_of_a_part(first, whole, "acme", 2)
    assert cost_of_a_part(("gable", "repair"), "Gable Repair Works", "gable", 2) == in_capitals[0]
    assert cost_of_a_part(("gable",), "Gable end in brick", "gable", 2) == in_capitals[0]


def test_words_inside_of_only_one_value() -> None:
    works, guild = _field("works"), _field("guild_master")
    found = {part: (ref.path[0], value) for part, ref, value in parts({
        works: ["Old gable end repair", "Gable end in brick", "Chimney for a kiln", "lead flashing", "Main hall"],
        guild: ["Ms Ada Holm", "Mr Ivo Brandt"],
    })}  # fmt: skip
    assert found["end repair"] == ("works", "Old gable end repair")
    assert found["chimney"] == ("works", "Chimney for a kiln")
    assert found["holm"] == found["ms holm"] == ("guild_master", "Ms Ada Holm")
    for unclear in ("gable end", "gable", "lead", "repair", "main", "kiln", "for a kiln"):
        assert unclear not in found, unclear


def test_what_two_fields_have_is_no_part_of_either() -> None:
    people = {_field("owner"): ["Ada Holm", "Ivar Brandt"], _field("inspector"): ["Ada Holm", "Unni Kerr"]}
    assert {part for part, _, _ in parts(people)} == {"ivar", "brandt", "unni", "kerr"}
    companies = {_field("supplier"): ["Holm Wines", "Brandt Foods"]}
    assert {part for part, _, _ in parts(companies)} == {"holm", "brandt"}


def _field(name: str) -> FieldRef:
    return FieldRef(
        (name,), Field(name, MappedField(name, "keyword", FieldKind.KEYWORD, exact=name), FieldKind.KEYWORD)
    )


def test_apostrophes_and_initials() -> None:
    assert (without_apostrophe("Trader Joe's"), without_apostrophe("Staples")) == ("Trader Joes", None)
    assert (without_initials("Bogota D.C."), without_initials("Bogota")) == ("bogota", None)


def test_what_was_taken_for_it_is_reported(drive: Asker) -> None:
    said = drive.ask("Northwind invoices", now="2026-03-15T12:00:00Z", size=0)
    assert isinstance(said, Hits)
    assert said.notes == ["Took 'Northwind' for 'Northwind Traders'."]


def test_in_small_letters_it_is_offered(drive: Asker) -> None:
    said = drive.ask("invoices from acme", now="2026-03-15T12:00:00Z", size=0)
    assert isinstance(said, Declined)
    assert said.suggestions == ["invoices from Acme Corp"]
    assert drive.ask(said.suggestions[0], now="2026-03-15T12:00:00Z", size=0).kind == "hits"


def test_a_text_in_quotes_is_a_name_before_it_is_a_value(drive: Asker) -> None:
    found = drive.ask('documents in "Legal"', now=model.NOW)  # a folder and a category are called so
    assert found.query == 'find documents where folder = "Legal"'
    found = drive.ask('documents with category "Legal"', now=model.NOW)
    assert found.query == 'find documents where category = "Legal"'
