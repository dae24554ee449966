"""What people say in place of a value's whole name."""

from __future__ import annotations

from qlc.outcome import Declined, Hits
from qlc.translator.entry import Asker
from qlc.translator.rules.lexicon.values import beginnings, cost_of_a_beginning, without_apostrophe, without_initials


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
    assert cost_of_a_beginning("Acme", 2) < cost_of_a_beginning("Acme", 0) < cost_of_a_beginning("acme", 2)


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
