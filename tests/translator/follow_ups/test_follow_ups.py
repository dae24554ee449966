"""What a follow-up tells, asks and declines, beside the program that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qlc.translator.door import Asker
from qlc.translator.protocol import Turn

from .dialogues import NOW


def history(asker: Asker, *programs: str) -> list[Turn]:
    turns = []
    for number, program in enumerate(programs, 1):
        outcome = asker.compiler.run(program, now=NOW["drive"]).model_dump(mode="json")
        turns.append(Turn(f"question {number}", outcome["query"], outcome, number=number))
    return turns


def said(asker: Callable[[str], Asker], text: str, *programs: str, **more: Any) -> Any:
    drive = asker("drive")
    return drive.program_of(text, history=[*history(drive, *programs), *more.pop("after", ())], now=NOW["drive"])


COSTCO = 'find documents where type = "Receipt" and vendor = "Costco" and created = 2025'


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("what about Staples?", "Replaced: vendor is 'Staples', before it was: vendor is 'Costco'."),
        ("make that 2024", "Replaced: created is 2024, before it was: created is 2025."),
        ("forget the date", "Left out: created is 2025."),
        ("or Staples", "Widened: vendor is 'Costco' or 'Staples'."),
        ("the folders instead", "Looked for folders in place of documents."),
        ("include folders as well", "Looked for entries, not only for documents."),
    ],
)
def test_what_was_replaced_or_left_out_is_told(asker: Callable[[str], Asker], text: str, note: str) -> None:
    assert said(asker, text, COSTCO).notes == (note,)


def test_what_only_narrows_needs_no_word(asker: Callable[[str], Asker]) -> None:
    assert said(asker, "only the jpgs", COSTCO).notes == ()


def test_two_sensible_values_to_replace_are_asked_about(asker: Callable[[str], Asker]) -> None:
    both = 'find documents where creator = "Liam Ortiz" and owner = "Grace Kim"'
    outcome = said(asker, "same for Tom Baker", both)
    assert outcome.kind == "clarify"
    assert {option.id for option in outcome.options} == {
        'find documents where creator = "Tom Baker" and owner = "Grace Kim"',
        'find documents where creator = "Liam Ortiz" and owner = "Tom Baker"',
    }


def test_a_noun_alone_can_be_all_of_them_or_some(asker: Callable[[str], Asker]) -> None:
    outcome = said(asker, "PDFs", 'find documents where folder = "Legal"')
    assert outcome.kind == "clarify"
    assert len(outcome.options) == 2


@pytest.mark.parametrize("text", ["only the PDFs", "over 500 dollars", "newest first", "who owns it?", "in 2024"])
def test_nothing_is_changed_behind_what_was_not_understood(asker: Callable[[str], Asker], text: str) -> None:
    unknown = Turn("frobnicate the glimmer", "", {"kind": "declined", "message": ""})
    assert said(asker, text, COSTCO, after=[unknown]).kind == "declined"


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("who owns the 40th one?", COSTCO),
        ("what folders has she created?", COSTCO),
        ("when was it created?", "count documents where created = 2025"),
        ("who owns the second one?", 'find document("Q3 Report.pdf")'),
        ("make that Zorblax 9000", COSTCO + " and not_a_field = 3"),
    ],
)
def test_words_that_point_to_nothing_are_declined(asker: Callable[[str], Asker], text: str, program: str) -> None:
    assert said(asker, text, program).kind == "declined"


@pytest.mark.parametrize("text", ["delete those", "move them to Archive", "share it with Grace Kim"])
def test_actions_on_what_was_found_are_refused(asker: Callable[[str], Asker], text: str) -> None:
    assert said(asker, text, COSTCO).kind == "refuse"


def test_a_changed_list_takes_the_place_of_its_own_and_a_number_does_not(asker: Callable[[str], Asker]) -> None:
    assert said(asker, "only the jpgs", COSTCO).follows == 1
    assert said(asker, "how many is that?", COSTCO).follows is None
    assert said(asker, "show me the leases", COSTCO).follows is None


def test_those_of_a_list_that_was_cut_are_those_that_were_shown(asker: Callable[[str], Asker]) -> None:
    cut = 'find documents where type = "NDA" sort created desc limit 3'
    ids = history(asker("drive"), cut)[0].outcome["ids"]
    wanted = ", ".join(f'"{one}"' for one in ids)
    assert said(asker, "only the signed ones", cut).program == (
        f"find documents where id in [{wanted}] and signed = true sort created desc"
    )


def test_an_earlier_topic_comes_back_with_what_is_asked_of_it(asker: Callable[[str], Asker]) -> None:
    became = said(asker, "back to the NDAs: only the signed ones", 'find documents where type = "NDA"', COSTCO)
    assert became.program == 'find documents where type = "NDA" and signed = true'
    again = said(asker, "my first search again", 'find documents where type = "NDA"', COSTCO)
    assert again.program == 'find documents where type = "NDA"'
    assert again.notes == ("Back to: documents where type is 'NDA'.",)


def test_bindings_of_a_written_program_stay(asker: Callable[[str], Asker]) -> None:
    written = 'let then = 2024 find documents where type = "NDA" and created = then'
    became = said(asker, "only the signed ones", written)
    assert became.program.endswith('find documents where type = "NDA" and created = then and signed = true')
    assert became.program.startswith("let then = 2024")


def test_a_filter_that_is_not_there_is_no_deletion(asker: Callable[[str], Asker]) -> None:
    outcome = said(asker, "drop the category", COSTCO)
    assert outcome.kind == "declined"
    assert "nothing can be left out" in outcome.notes[0]


def test_the_first_of_nothing_is_not_one_of_an_earlier_list(asker: Callable[[str], Asker]) -> None:
    empty = 'find documents where type = "NDA" and created = 1990'
    assert said(asker, "who owns the first one?", COSTCO, empty).kind == "declined"


@pytest.mark.parametrize(
    ("text", "program", "meant"),
    [
        ("for 2025 only", 'sum(amount) of documents where type = "Receipt" by vendor',
         'sum(amount) of documents where type = "Receipt" and created = 2025 by vendor'),
        ("only from Granite Masonry", 'find documents where type = "Quote"',
         'find documents where type = "Quote" and vendor = "Granite Masonry"'),
    ],
)  # fmt: skip
def test_a_field_that_those_never_have_is_not_believed(
    asker: Callable[[str], Asker], text: str, program: str, meant: str
) -> None:
    assert said(asker, text, program).program == meant


def test_what_is_said_of_an_element_is_said_of_the_one_that_was_spoken_of(asker: Callable[[str], Asker]) -> None:
    shared = 'find documents where shares[who = "Peter Novak"]'
    assert said(asker, "as editor", shared).program == (
        'find documents where shares[who = "Peter Novak" and role = "editor"]'
    )


@pytest.mark.parametrize("text", ["why nothing?", "which filters did you use?", "why is Q3 Report.pdf not there?"])
def test_what_was_not_understood_is_not_explained_by_an_earlier_search(
    asker: Callable[[str], Asker], text: str
) -> None:
    unknown = Turn("frobnicate the glimmer", "", {"kind": "declined", "message": ""})
    outcome = said(asker, text, COSTCO, after=[unknown])
    assert outcome.kind == "declined"
    assert "not understood" in outcome.notes[0]
    assert said(asker, "explain your last query", COSTCO, after=[unknown]).kind == "explain"


@pytest.mark.parametrize("text", ["which filter removes everything?", "what can I drop to get something?"])
def test_what_keeps_everything_out_is_told(asker: Callable[[str], Asker], text: str) -> None:
    outcome = said(asker, text, 'find documents where type = "Lease" and created = 1990')
    assert (outcome.kind, outcome.about) == ("explain", "empty")
