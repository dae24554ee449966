"""Notes, clarifications and refusals of follow-ups, beside the programs that they become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn

from .dialogues import NOW


def history(asker: Asker, *programs: str, now: str = NOW["drive"]) -> list[Turn]:
    turns = []
    for number, program in enumerate(programs, 1):
        outcome = asker.compiler.run(program, now=now).model_dump(mode="json")
        turns.append(Turn(f"question {number}", outcome["query"], outcome, number=number))
    return turns


def said(asker: Callable[[str], Asker], text: str, *programs: str, data: str = "drive", **more: Any) -> Any:
    one = asker(data)
    turns = [*history(one, *programs, now=NOW[data]), *more.pop("after", ())]
    return one.program_of(text, history=turns, now=NOW[data])


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
def test_what_was_replaced_or_left_out_is_reported(asker: Callable[[str], Asker], text: str, note: str) -> None:
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
def test_nothing_is_changed_after_what_was_not_understood(asker: Callable[[str], Asker], text: str) -> None:
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
    for text in ("drop the category", "remove the Initech filter", "clear the owner condition"):
        outcome = said(asker, text, COSTCO)
        assert outcome.kind == "explain"
        assert "nothing can be left out" in outcome.message
        assert "vendor is 'Costco'" in outcome.message


def test_the_first_of_nothing_is_not_one_of_an_earlier_list(asker: Callable[[str], Asker]) -> None:
    empty = 'find documents where type = "NDA" and created = 1990'
    assert said(asker, "who owns the first one?", COSTCO, empty).kind == "declined"


@pytest.mark.parametrize("text", ["why nothing?", "which filters did you use?", "why is Q3 Report.pdf not there?"])
def test_what_was_not_understood_is_not_explained_by_an_earlier_search(
    asker: Callable[[str], Asker], text: str
) -> None:
    unknown = Turn("frobnicate the glimmer", "", {"kind": "declined", "message": ""})
    outcome = said(asker, text, COSTCO, after=[unknown])
    assert outcome.kind == "declined"
    assert "not understood" in outcome.message
    assert said(asker, "explain your last query", COSTCO, after=[unknown]).kind == "explain"


@pytest.mark.parametrize("text", ["which filter removes everything?", "what can I drop to get something?"])
def test_what_keeps_everything_out_is_reported(asker: Callable[[str], Asker], text: str) -> None:
    outcome = said(asker, text, 'find documents where type = "Lease" and created = 1990')
    assert (outcome.kind, outcome.about) == ("explain", "empty")


RUNBOOK = 'find document("Cutover Runbook.docx")'


def unheard(text: str, kind: str = "declined", message: str = "") -> Turn:
    return Turn(text, "", {"kind": kind, "message": message})


@pytest.mark.parametrize("aside", ["who can lift it?", "what's its colour?", "why is it late?", "when?",
                                   "did you sort the results?"])  # fmt: skip
def test_what_was_asked_beside_it_changes_nothing_of_what_is_spoken_of(
    asker: Callable[[str], Asker], aside: str
) -> None:
    assert said(asker, "only the jpgs", COSTCO, after=[unheard(aside)]).program.endswith('extension = "jpg"')
    assert said(asker, "who owns it?", RUNBOOK, after=[unheard(aside)]).program.startswith("get document(")


@pytest.mark.parametrize("other", ["only the purple ones", "what about Glimmer Ltd?", "what papers did she sign?",
                                   "how many did he frobnicate?", "glimmers from Costco"])  # fmt: skip
def test_after_another_question_it_is_not_known_what_is_spoken_of(asker: Callable[[str], Asker], other: str) -> None:
    outcome = said(asker, "only the jpgs", COSTCO, after=[unheard(other)])
    assert outcome.kind == "declined"
    assert "'back to my last search'" in outcome.message
    assert said(asker, "back to my last search", COSTCO, after=[unheard(other)]).program == COSTCO


def test_one_thing_is_not_meant_after_what_spoke_of_another(asker: Callable[[str], Asker]) -> None:
    outcome = said(asker, "who owns it?", RUNBOOK, after=[unheard("show me the purple glimmer")])
    assert outcome.kind == "declined"


def test_why_a_request_was_refused_is_reported(asker: Callable[[str], Asker]) -> None:
    rejected = unheard("{...}", "rejected_query", "The request is not run: there is no field 'colour'.")
    outcome = said(asker, "why not?", COSTCO, after=[rejected])
    assert (outcome.kind, outcome.message) == ("explain", "The request is not run: there is no field 'colour'.")


CONTRACTS = 'find documents where type = "Contract"'


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("which aren't?", f"{CONTRACTS} and signed = false"),
        ("and which ones are not?", f"{CONTRACTS} and signed = false"),
        ("how many aren't?", 'count documents where type = "Contract" and signed = false'),
    ],
)
def test_those_that_are_not_so_are_of_what_was_said_last(
    asker: Callable[[str], Asker], text: str, program: str
) -> None:
    signed = 'count documents where type = "Contract" and signed = true'
    assert said(asker, text, CONTRACTS, signed).program == program
    denied = 'find documents where type = "Contract" and signed = false'
    assert said(asker, "how many aren't?", signed, denied).program == (
        'count documents where type = "Contract" and signed = false'
    )


def test_of_what_was_said_at_once_only_a_yes_or_no_is_denied(asker: Callable[[str], Asker]) -> None:
    overdue = 'find documents where overdue and type = "Invoice"'
    assert said(asker, "which aren't?", overdue).program == 'find documents where not overdue and type = "Invoice"'
    assert said(asker, "which aren't?", COSTCO).kind == "declined"


def test_a_filter_on_where_things_lie_is_dropped_and_nothing_else(asker: Callable[[str], Asker]) -> None:
    meals = 'find documents where type = "Receipt" and folder = "Meals"'
    assert said(asker, "drop the folder", meals).program == 'find documents where type = "Receipt"'
    assert said(asker, "delete the folder", meals).kind == "refuse"
    assert said(asker, "drop the folder", COSTCO).kind in ("refuse", "declined")


def test_a_time_after_a_list_is_no_name(asker: Callable[[str], Asker]) -> None:
    leases = 'find documents where type = "Lease"'
    assert said(asker, "last week", leases).program.endswith("created = last week")
    assert "folder" in said(asker, "show me the folder Last Week", leases).program


def test_ids_are_reported_by_their_names(asker: Callable[[str], Asker]) -> None:
    folders = 'find folders where folder = "Business" sort name'
    drive = asker("drive")
    first, second = history(drive, folders)[0].outcome["ids"][:2]
    found = said(asker, "and the second?", folders, f'count documents where folder = "{first}"')
    assert found.program == f'count documents where folder = "{second}"'
    assert not any(id in note for id in (first, second) for note in found.notes)
    assert "before it was: folder is 'Banking'" in found.notes[0]


def test_what_else_is_not_the_thing_itself(asker: Callable[[str], Asker]) -> None:
    owner = 'get folder("Brand Assets").owner'
    assert said(asker, "what else do they own?", owner).program.endswith('and id != folder("Brand Assets")')
    assert "!=" not in said(asker, "what do they own?", owner).program


BY_VENDOR = 'count documents where type = "Invoice" by vendor'


def test_an_order_that_there_is_can_be_asked_for_again(asker: Callable[[str], Asker]) -> None:
    newest = 'find documents where type = "Lease" sort created desc'
    assert said(asker, "newest first", newest).program == newest


GLOBEX = 'find documents where type = "Invoice" and vendor = "Globex"'


def test_what_was_not_asked_for_is_not_exchanged(asker: Callable[[str], Asker]) -> None:
    assert said(asker, "Initech instead of Acme Corp", GLOBEX).kind == "declined"
    assert said(asker, "change the owner to Dana", GLOBEX).kind in ("refuse", "declined")


DECKS = 'find documents where extension = "pptx" and created >= 2025'
PRIYAS = 'count documents where owner = "Priya Raman"'
LEASES = 'find documents where type = "Lease"'
GLOBEX_NDAS = 'find documents where type = "NDA" and counterparty = "Globex"'


def test_equals_that_find_nothing_are_asked_about(asker: Callable[[str], Asker]) -> None:
    outcome = said(asker, "only Marcus Webb's", 'find documents where type = "Payslip" and created = 2025')
    assert outcome.kind == "clarify"
    assert [option.label for option in outcome.options] == ["folder is 'Marcus Webb'", "owner is 'Marcus Webb'"]


def test_a_condition_taken_away_is_no_question_why(asker: Callable[[str], Asker]) -> None:
    signed = LEASES + ' and signature_provider = "docusign"'
    assert said(asker, "remove the signing condition", signed).about == "filters"
