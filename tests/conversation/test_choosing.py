"""Answers to a question back: every way to name an option, and what is no answer."""

import pytest

from qlc.conversation.choosing import read_answer
from qlc.outcome import Hits, Option
from tests.tables import table

from .conftest import Talk


def folder(id: str, path: str, created: str, owner: str) -> Option:
    name = path.rpartition("/")[2]
    label = f"{name} ({path}, created {created}, owner {owner})"
    return Option(id=id, label=label, name=name, entity="folder", details={"path": path})


FOLDERS = [
    folder("c993", "root/Business/Expenses/Travel", "2023-05-20", "Omar Haddad"),
    folder("fe3f", "root/Personal/Travel", "2019-05-28", "Dana Ortiz"),
    folder("5b1a", "root/Open Door Nonprofit/Events/Travel", "2021-01-10", "Open Door Foundation"),
]
YEARS = [
    folder("aa01", "root/Business/Payroll/2026", "2025-12-12", "Brightwater LLC"),
    folder("aa02", "root/Business/Receipts/2026", "2024-04-04", "Brightwater LLC"),
]
READINGS = [
    Option(id='find documents where vendor = "Contoso"', label="vendor is 'Contoso'"),
    Option(id='find documents where counterparty = "Contoso"', label="counterparty is 'Contoso'"),
]
KINDS = [
    Option(id="find assets where maker = 1", label="assets where maker is 'Apple' and kind is 'phone' or 'laptop'"),
    Option(id="find assets", label="assets where kind is 'phone' or 'laptop'"),
]
FLIGHTS = [Option(id=one, label=one) for one in ("Rome", "London Heathrow", "London Gatwick", "2024", "2025")]

CHOSEN: list[tuple[str, list[Option], tuple[int, ...]]] = [
    ("2", FOLDERS, (1,)),
    ("#3", FOLDERS, (2,)),
    ("no. 1", FOLDERS, (0,)),
    ("option 2 please", FOLDERS, (1,)),
    ("the second", FOLDERS, (1,)),
    ("I mean the 3rd one", FOLDERS, (2,)),
    ("the last one", FOLDERS, (2,)),
    ("two", FOLDERS, (1,)),
    ("1 and 3", FOLDERS, (0, 2)),
    ("the first two", FOLDERS, (0, 1)),
    ("all of them", FOLDERS, (0, 1, 2)),
    ("all three", FOLDERS, (0, 1, 2)),
    ("both", YEARS, (0, 1)),
    ("fe3f", FOLDERS, (1,)),
    ("root/Personal/Travel", FOLDERS, (1,)),
    ("Personal/Travel", FOLDERS, (1,)),
    ("Business > Expenses", FOLDERS, (0,)),
    ("the business one", FOLDERS, (0,)),
    ("the nonprofit one", FOLDERS, (2,)),
    ("the non-profit one", FOLDERS, (2,)),
    ("Dana's", FOLDERS, (1,)),
    ("the folder that belongs to dana ortiz", FOLDERS, (1,)),
    ("omar hadad's", FOLDERS, (0,)),
    ("the one from 2019", FOLDERS, (1,)),
    ("the newest", FOLDERS, (0,)),
    ("not the payroll one", YEARS, (1,)),
    ("the older", YEARS, (1,)),
    ("vendor", READINGS, (0,)),
    ("Contoso as the counterparty", READINGS, (1,)),
    ("Apple", KINDS, (0,)),
    ("phones or laptops of Apple", KINDS, (0,)),
    ("heathrow", FLIGHTS, (1,)),
    ("the london gatwick one", FLIGHTS, (2,)),
]


@pytest.mark.parametrize(("text", "options", "places"), CHOSEN, ids=[case[0] for case in CHOSEN])
def test_an_answer_names_an_option(text: str, options: list[Option], places: tuple[int, ...]) -> None:
    found = read_answer(text, options)
    assert (found.kind, found.chosen) == ("chosen", places)


SEVERAL = [("london", FLIGHTS, (1, 2)), ("not the business one", FOLDERS, (1, 2))]


@pytest.mark.parametrize(("text", "options", "places"), SEVERAL, ids=[case[0] for case in SEVERAL])
def test_an_answer_that_fits_several_names_these(text: str, options: list[Option], places: tuple[int, ...]) -> None:
    found = read_answer(text, options)
    assert (found.kind, found.chosen) == ("several", places)


NO_CHOICE = table(__file__, "NO_CHOICE")


@pytest.mark.parametrize("text", NO_CHOICE)
def test_what_names_no_option(text: str) -> None:
    assert read_answer(text, FOLDERS).kind == NO_CHOICE[text]


def test_a_part_of_what_a_reading_says_is_another_question() -> None:
    assert read_answer("Apple phones", KINDS).kind == "maybe"


DROPPED = table(__file__, "DROPPED")


@pytest.mark.parametrize("text", DROPPED)
def test_a_question_can_be_taken_back(text: str) -> None:
    found = read_answer(text, FOLDERS)
    assert (found.kind, found.rest) == ("dropped", DROPPED[text])


@pytest.mark.parametrize("text", [
    "stop sign photos", "skip hire invoices", "cancel letters from Omar", "remove all expired leases",
    "clear everything in Legal", "drop all W2s of 2024",
    "drop everything before 2024", "forget everything but the letters",
])  # fmt: skip
def test_a_word_that_only_begins_so_takes_nothing_back(text: str) -> None:
    assert read_answer(text, FOLDERS).kind != "dropped"


def test_a_value_that_nothing_has_is_asked_about_where_another_comes_near(talk: Talk) -> None:
    conversation = talk()
    asked = conversation.turn('receipts with the vendor "Offise Depot"')
    assert asked.outcomes[0].kind == "clarify"
    assert asked.outcomes[0].message == "No document has the vendor 'Offise Depot'. Is it 'Office Depot'?"
    found = conversation.turn("yes please").outcomes[0]
    assert found.query == 'find documents where type = "Receipt" and vendor = "Office Depot"'
    written = conversation.turn('find documents where vendor = "Offise Depot"').outcomes[0]
    assert isinstance(written, Hits)
    assert written.suggestions[0] == 'find documents where vendor = "Office Depot"'
