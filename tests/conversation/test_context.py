"""The step from a message and a history to the one context object, alone: no index, no translator, no run."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

import pytest

from qlc.conversation.context import Context
from qlc.conversation.every_choice import name_of_token, with_all, with_any
from qlc.conversation.history import Exchange, Execution, History, Part, Pending
from qlc.conversation.reading import context_of
from qlc.outcome import Option
from tests.tables import rows, table

NOW = "2026-03-15T12:00:00+00:00"
TRAVEL = urlsafe_b64encode(json.dumps(["name", "folder", "Travel"]).encode()).decode().rstrip("=")
OPTIONS = (
    Option(id="c993", label="Travel (root/Business/Travel, owner Omar)", name="Travel", entity="folder"),
    Option(id="fe3f", label="Travel (root/Personal/Travel, owner Dana)", name="Travel", entity="folder"),
)
PENDING = Pending(what="name", message="Which do you mean?", options=OPTIONS, words="documents in Travel",
                  token=TRAVEL, program='find documents where folder = "Travel"', now=NOW)  # fmt: skip


def shown(number: int, program: str, words: str, *, cursor: str | None = None, **more: Any) -> Exchange:
    at = {"list": number, "now": NOW, "size": 10, "shown": 10, "total": 47, "cursor": cursor, **more}
    part = Part(words=words, program=program, execution=Execution(**at), outcome={"message": "47 documents. 10 shown."})
    return Exchange(number=number, text=words, origin="words", parts=(part,))


def after(*turns: Exchange) -> History:
    return History(said=len(turns), turns=turns)


NDAS = shown(1, 'find documents where type = "NDA"', "the NDAs please", cursor="C1")
LEASES = shown(2, 'find documents where type = "Lease"', "leases", cursor="C2")
ASKED = Exchange(number=1, text="documents in Travel", origin="words", pending=PENDING)


def test_words_and_programs_begin_anew() -> None:
    words = context_of("receipts from Costco", History())
    assert (words.origin, words.tasks[0].words, words.tasks[0].program) == ("words", "receipts from Costco", "")
    program = context_of("find documents where signed", History())
    assert (program.origin, program.tasks[0].words) == ("program", "find documents where signed")


def test_the_same_message_and_history_are_the_same_context() -> None:
    history = after(NDAS, LEASES)
    again = History.model_validate_json(history.model_dump_json())
    for message in ("more", "show the next 5", "receipts, 5 at a time", "2", 'find folders where name = "x"'):
        first = context_of(message, history)
        assert first == context_of(message, again)
        assert Context.model_validate_json(first.model_dump_json()) == first


def test_all_of_them_is_a_run_for_each_where_one_is_needed() -> None:
    pending = PENDING.model_copy(update={"program": 'get folder("Travel").owner'})
    tasks = context_of("both", after(ASKED.model_copy(update={"pending": pending}))).tasks
    assert [task.choices for task in tasks] == [{TRAVEL: "c993"}, {TRAVEL: "fe3f"}]
    assert {task.program for task in tasks} == {'get folder("Travel").owner'}


FOLDERS = '{"query": {"term": {"entityType.keyword": "FOLDER"}}, "size": 5}'


@pytest.mark.parametrize("message", ["why?", "show the query", "which filters?", "translate it into your language"])
@pytest.mark.parametrize("program", ["", "find folders where depth = 1"])
def test_a_request_is_explained_where_no_program_says_it(message: str, program: str) -> None:
    part = Part(words=FOLDERS, request=FOLDERS, program=program, outcome={"kind": "hits", "ids": ["a"], "total": 9})
    context = context_of(message, History(turns=(Exchange(number=1, text=FOLDERS, origin="pasted", parts=(part,)),)))
    if program and not message.startswith("translate"):
        assert context.origin == "words"  # the program tells it, with what was found
    else:
        assert [(task.request, task.want) for task in context.tasks] == [(FOLDERS, "explain")]


def test_what_may_be_a_question_is_tried_as_one_before_it_is_asked_again() -> None:
    context = context_of("only the PDFs", after(ASKED))
    assert (context.origin, context.tasks[0].words) == ("words", "only the PDFs")
    assert context.otherwise["kind"] == "clarify"


def test_a_question_that_is_old_is_not_answered_any_more() -> None:
    later = Exchange(number=2, text="how many W2s are there?", origin="words")
    for answer in ("2", "2.", "#1", "option 2"):
        assert context_of(answer, after(ASKED, later)).origin == "nothing"
    assert context_of("2024", after(ASKED, later)).origin == "words"


def test_a_list_that_is_named_goes_on_whatever_else_is_open() -> None:
    for message in ("more NDAs", "back to the NDAs: next page", "more of the ndas"):
        (task,) = context_of(message, after(NDAS, LEASES)).tasks
        assert task.cursor == "C1"
    assert context_of("more invoices", after(NDAS, LEASES)).origin == "words"


def test_the_list_whose_pages_were_just_turned_goes_on() -> None:
    page = shown(3, 'find documents where type = "NDA"', "the NDAs please", cursor="C3", list=1, first=10,
                 paged=True)  # fmt: skip
    (task,) = context_of("keep going", after(NDAS, LEASES, page)).tasks
    assert (task.cursor, task.first) == ("C3", 20)


def test_a_list_that_took_the_place_of_another_is_the_only_open_one() -> None:
    only = shown(2, 'find documents where type = "NDA" and signed', "only the signed ones", cursor="C9", follows=1)
    (task,) = context_of("more", after(NDAS, only)).tasks
    assert task.cursor == "C9"


def test_it_stays_the_only_one_when_its_pages_are_turned() -> None:
    only = shown(2, 'find documents where type = "NDA" and signed', "only the signed ones", cursor="C9", follows=1)
    page = shown(3, 'find documents where type = "NDA" and signed', "only the signed ones", cursor="C10", list=2)
    later = Exchange(number=4, text="how many W2s?", origin="words", parts=(Part(words="how many W2s?"),))
    (task,) = context_of("more", after(NDAS, only, page, later)).tasks
    assert task.cursor == "C10"


def test_translators_see_a_further_part_of_a_cut_list_as_the_question_was() -> None:
    first = shown(1, 'find documents where type = "NDA" sort created desc limit 2', "2 newest NDAs", shown=2, total=2)
    further = shown(2, 'find documents where type = "NDA" sort created desc limit 2 offset 2', "2 newest NDAs", list=1,
                    base=2, first=2, shown=2, total=4)  # fmt: skip
    assert {turn.program for turn in after(first, further).for_translators()} == {first.parts[0].program}


def test_a_list_that_the_question_cut_goes_on_after_the_cut() -> None:
    first = shown(1, 'find documents where type = "NDA" sort created desc limit 10', "10 newest NDAs", total=10)
    (task,) = context_of("next 5", after(first)).tasks
    assert task.program == 'find documents where type = "NDA" sort created desc limit 5 offset 10'
    assert (task.first, task.base, task.cursor) == (10, 10, None)
    fewer = shown(1, 'find documents where type = "NDA" limit 10', "10 newest NDAs", shown=4, total=4)
    assert context_of("next 5", after(fewer)).tasks == ()


# --- programs for several choices ------------------------------------------------------------------------------------

WIDENED = table(__file__, "WIDENED")


@pytest.mark.parametrize("program", WIDENED)
def test_a_name_becomes_all_that_it_can_mean(program: str) -> None:
    assert with_all(program, TRAVEL, ["a", "b"]) == WIDENED[program]


@pytest.mark.parametrize("token", ["", "====", "list", "reading:85d6", "WzFd"])
def test_a_token_that_names_nothing(token: str) -> None:
    assert name_of_token(token) is None
    assert with_all(PENDING.program, token, ["a"]) is None


EITHER: list[tuple[Sequence[str], str | None]] = rows(__file__, "EITHER")


@pytest.mark.parametrize(("programs", "one"), EITHER)
def test_readings_become_one_program_where_they_differ_in_conditions_alone(
    programs: Sequence[str], one: str | None
) -> None:
    assert with_any(programs) == one
