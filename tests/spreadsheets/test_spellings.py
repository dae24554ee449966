"""Answers over tables whose cells are not written alike: spellings that differ by case, years, means, groups."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome.tables import rows_cells
from qlc.tables.loading import load

FILES = Path(__file__).parent / "files"
APART = "'Status' has 'Open' and 'open', which are counted apart: they differ by case only."

GROUPED = """
version: 1
index: desk
entities:
  ticket:
    id: ticket_id
    fields:
      ticket_id: ticket_id
      item: {path: item, values: [Curved monitor, Flat monitor, Oak desk, Steel desk],
             groups: {monitor: [Curved monitor, Flat monitor]}}
"""


@pytest.fixture(scope="module")
def desk() -> Iterator[qlc.Compiler]:
    with qlc.connect() as client:
        load(client, FILES / "desk.csv")
        yield qlc.Compiler(client, index="desk")


@pytest.mark.parametrize(("question", "notes"), [
    ("tickets by status", [APART]),
    ("how many statuses are there", [APART]),
    ("how many statuses have tickets in Wien", [APART]),
    ("tickets by site", []),
    ("number of sites", []),
])  # fmt: skip
def test_spellings_that_are_counted_apart_are_named(desk: qlc.Compiler, question: str, notes: list[str]) -> None:
    assert qlc.Asker(desk).ask(question).notes == notes


@pytest.mark.parametrize(("program", "column"), [
    ("avg(price) of entries by site", ["1,750.00", "1,065.12", "430.17"]),
    ("avg(model_year) of entries by condition", ["2,022.00", "2,021.33"]),
    ("sum(model_year) of entries where model_year = 2019 by site", ["2,019", "2,019"]),
    ("max(model_year) of entries by site", ["2024", "2024", "2021"]),
])  # fmt: skip
def test_numbers_of_a_column_are_written_alike(desk: qlc.Compiler, program: str, column: list[str]) -> None:
    assert [row[-1] for row in rows_cells(desk.run(program))[1]] == column


def test_a_year_has_no_mark_between_thousands(desk: qlc.Compiler) -> None:
    assert desk.run("max(model_year) of entries").message == "Largest Model Year: 2024."
    assert desk.run("sum(model_year) of entries where site = \"Köln\"").message == "Sum of Model Year: 4,048."


def test_a_program_of_the_drafted_entity_goes_by_the_draft(desk: qlc.Compiler) -> None:
    asker = qlc.Asker(desk)
    assert asker.ask("find desks where price > 9000").message == "No desks found."
    assert asker.ask("find entries where price > 9000").message == "No entries found."


def test_a_follow_up_may_name_a_column_called_condition(desk: qlc.Compiler) -> None:
    talk = qlc.Conversation(qlc.Asker(desk))
    talk.turn("tickets in Wien")
    assert talk.turn("in poor condition").outcome.query == 'find desks where site = "Wien" and condition = "Poor"'


def test_a_group_of_values_is_no_shorter_value() -> None:
    with qlc.connect() as client:
        load(client, FILES / "desk.csv")
        outcome = qlc.Asker(qlc.Compiler(client, read_catalog(GROUPED))).ask("monitors")
    assert (outcome.query, outcome.total, outcome.notes) == ('find tickets where item = "monitor"', 4, [])
