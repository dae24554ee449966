"""Dialogues over real documents: what each turn answers, what it costs, and whom it asks."""

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.conversation import AsyncConversation, Conversation
from qlc.outcome import Clarify, Exhausted, Hits
from qlc.translator.entry import Asker
from qlc.translator.protocol import AskBack, Question, Step, Translated, Translating
from tests.pipeline.wire import Wire
from tests.tables import holds, table

from .conftest import NOW, Talk, counted, said

TALKS = [(title, *row) for title, rows in table(__file__, "TALKS").items() for row in rows]


@pytest.mark.parametrize(("title", "turns", "wanted"), TALKS, ids=[f"{one[0]}: {one[1][-1]}" for one in TALKS])
def test_what_the_replies_are(talk: Talk, title: str, turns: list[str], wanted: dict[str, Any]) -> None:
    holds(said(talk(), *turns), wanted)


# --- choices ---------------------------------------------------------------------------------------------------------


def test_a_choice_is_bound_and_asks_no_translator(drive: Asker) -> None:
    asker, last = counted(drive)
    conversation = Conversation(asker, now=NOW)
    asked, chosen = said(conversation, "documents in Tax", "the nonprofit one")
    assert isinstance(asked.outcome, Clarify)
    assert (chosen.origin, last.asked) == ("choice", [])
    ids = asker.compiler.run(
        'find documents where folder = "root/Open Door Nonprofit/Tax"', now=NOW, size=20
    ).model_dump()["ids"]
    rest = conversation.turn("the rest").outcome.model_dump()["ids"]
    assert [*chosen.outcome.model_dump()["ids"], *rest] == ids


def ids_in(asker: Asker, folder: str) -> list[str]:
    program = f'find documents where folder = "{folder}" and vendor = "Costco"'
    return list(asker.compiler.run(program, now=NOW).model_dump()["ids"])


def test_another_of_the_options_is_taken_later(drive: Asker, talk: Talk) -> None:
    conversation = talk()
    *_, other, back = said(conversation, "files in Receipts", "the kowalski one", "only from Costco",
                           "what about the archive one instead?", "and the kowalski one?")  # fmt: skip
    assert (other.origin, back.origin) == ("choice", "choice")
    assert other.outcome.model_dump()["ids"] == ids_in(drive, "root/Archive/Receipts")
    assert back.outcome.model_dump()["ids"] == ids_in(drive, "root/Kowalski Bakery/Receipts")


def test_a_name_means_what_was_listed_before(talk: Talk) -> None:
    listed, inside = said(talk(), "subfolders of Lakehouse", "what's in the Leases folder?")
    assert isinstance(inside.outcome, Hits)
    assert "it was listed before" in inside.outcome.notes[0]
    assert inside.choices
    assert set(inside.choices.values()) <= set(listed.outcome.model_dump()["ids"])


def test_all_of_them(talk: Talk) -> None:
    one, other, both = talk(), talk(), talk()
    question = "how many documents are in Travel?"
    values = [
        said(conversation, question, answer)[-1].outcome.model_dump()["value"]
        for conversation, answer in ((one, "1"), (other, "2"), (both, "both of them"))
    ]
    assert values[2] == values[0] + values[1]


def test_only_the_question_itself_goes_to_another_translator_and_no_choice(drive: Asker) -> None:
    asker, last = counted(drive)
    conversation = Conversation(asker, now=NOW)
    asked, chosen = said(conversation, "files for Contoso", "counterparty")
    assert (asked.outcome.kind, chosen.outcome.query) == ("clarify", 'find documents where counterparty = "Contoso"')
    either = said(Conversation(asker, now=NOW), "files for Contoso", "both")[-1]
    assert isinstance(either.outcome, Hits)
    assert either.outcome.query == 'find documents where vendor = "Contoso" or counterparty = "Contoso"'
    assert last.asked == ["files for Contoso"] * 2


def test_an_answer_that_fits_several_asks_among_these(talk: Talk) -> None:
    asked, fewer, chosen = said(talk(), "documents in Tax", "not Dana's", "the bakery's")
    assert len(fewer.outcome.options) == len(asked.outcome.options) - 1
    assert chosen.outcome.kind == "hits"


class Narrowing:
    """A translator of follow-up questions: it narrows the program of the turn before."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        before = question.history[-1]
        if question.text == "which of them?":
            return AskBack("Which?", ((f"{before.program} and signed", "signed"), (before.program, "all")))
        return Translated(f'{before.program} and extension = "pdf"')
        yield


def test_a_choice_holds_for_what_follows_and_not_for_what_is_said_anew(drive: Asker) -> None:
    asker = Asker(drive.compiler, (*drive.translators, Narrowing()))
    conversation = Conversation(asker, now=NOW)
    said(conversation, "documents in Travel", "the business one")
    narrowed = conversation.turn("zzz yyy xxx")
    assert narrowed.choices == {next(iter(narrowed.choices)): "c993af70-04d7-4768-99c9-5f1c11ec1667"}
    assert 0 < narrowed.outcome.total < 27
    again = conversation.turn("how many documents are in Travel?")
    assert again.outcome.kind == "clarify"


def test_what_follows_takes_the_place_of_its_list(drive: Asker) -> None:
    asker = Asker(drive.compiler, (*drive.translators, Narrowing()))
    replies = said(Conversation(asker, now=NOW), "the receipts", "zzz yyy xxx", "show more")
    assert replies[-1].outcome.kind == "hits"
    assert replies[-1].outcome.query == replies[-2].outcome.query


# --- pages -----------------------------------------------------------------------------------------------------------


def test_pages_are_the_list_without_gap_or_repetition(drive: Asker) -> None:
    asker, last = counted(drive)
    whole = asker.compiler.run('find documents where folder = "Tax Documents"', now=NOW, size=100).model_dump()["ids"]
    conversation = Conversation(asker, now=NOW)
    question = "documents in Tax Documents, 9 at a time"
    pages = said(conversation, question, "more", "next 5", "keep going", "show 12 more", "the rest", "more")
    shown = [reply.outcome.model_dump().get("ids", []) for reply in pages]
    assert [len(ids) for ids in shown] == [9, 9, 5, 5, 12, 7, 0]
    assert [id for ids in shown for id in ids] == whole
    assert [reply.has_more for reply in pages] == [True] * 5 + [False, False]
    assert [reply.cursor is None for reply in pages] == [False] * 5 + [True, True]
    assert isinstance(pages[-1].outcome, Exhausted)
    assert pages[-1].outcome.total == 47
    assert last.asked == []


def test_back_pages_are_the_pages_of_before(talk: Talk) -> None:
    conversation = talk(size=6)
    first, second, third, back, first_again, beginning = said(
        conversation, "documents in Tax Documents", "more", "more", "previous", "go back", "previous page"
    )
    assert back.outcome.model_dump()["ids"] == second.outcome.model_dump()["ids"]
    assert first_again.outcome.model_dump()["ids"] == first.outcome.model_dump()["ids"]
    assert beginning.outcome.kind == "exhausted"
    forth = conversation.turn("more")
    assert forth.outcome.model_dump()["ids"] == second.outcome.model_dump()["ids"]
    assert third.outcome.message == "47 documents. 13 to 18 shown."


def test_a_list_that_the_question_cut_goes_on(talk: Talk) -> None:
    newest = talk().turn("30 newest NDAs", size=30).outcome.model_dump()["ids"]
    conversation = talk()
    first, _, second, third, back = said(
        conversation, "10 newest NDAs please", "who owns Brand Assets?", "back to the NDAs: show the next 10 of those",
        "10 more", "previous",
    )  # fmt: skip
    ids = [reply.outcome.model_dump()["ids"] for reply in (first, second, third)]
    assert ids[0] + ids[1] + ids[2] == newest
    assert back.outcome.model_dump()["ids"] == ids[1]


def test_rows_go_on_too_and_end(flights: Asker) -> None:
    conversation = Conversation(flights, now=NOW)
    question = "top 60 destination cities by number of flights"
    first, second, third, fourth = said(conversation, question, "next 60", "next 60", "more")
    rows = [*first.outcome.model_dump()["rows"], *second.outcome.model_dump()["rows"]]
    rows += third.outcome.model_dump().get("rows", [])
    everything = flights.compiler.run("count flights by dest_city", now=NOW).model_dump()["rows"]
    assert sorted(row["key"] for row in rows) == sorted(row["key"] for row in everything)
    assert fourth.outcome.kind == "exhausted"


def test_several_open_lists(orders: Asker) -> None:
    conversation = Conversation(orders, now=NOW)
    first, _, asked, chosen, on = said(
        conversation, "orders over 200 euros", "orders from Eddie", "show 3 more", "over 200", "keep going"
    )
    assert asked.outcome.what == "list"
    assert [option.name for option in asked.outcome.options] == ["orders from Eddie", "orders over 200 euros"]
    everything = orders.compiler.run(first.outcome.query, now=NOW, size=16).model_dump()["ids"]
    assert [*chosen.outcome.model_dump()["ids"], *on.outcome.model_dump()["ids"]] == everything[10:16]


@pytest.fixture
def notes() -> Iterator[tuple[Wire, Conversation]]:
    """A conversation over 25 notes, in pages of ten, and its requests."""
    wire = Wire()
    with wire.client() as client:
        for n in range(25):
            client.index(index="notes", id=str(n), document={"title": f"note {n}", "pages": n})
        client.indices.refresh(index="notes")
        yield wire, Conversation(qlc.Compiler(client, index="notes"), now=NOW, size=10)


def test_a_page_costs_one_search(notes: tuple[Wire, Conversation]) -> None:
    """And no search is made where there is nothing left to show."""
    wire, conversation = notes
    conversation.turn("find entries where pages >= 5")
    wire.calls.clear()
    page = conversation.turn("more")
    searches = [call for call in wire.calls if "_search" in call.path]
    assert (len(searches), page.outcome.stats.round_trips, page.has_more) == (1, 1, False)
    wire.calls.clear()
    assert conversation.turn("more").outcome.kind == "exhausted"
    assert wire.calls == []


def test_a_page_whose_place_is_lost_is_read_anew(notes: tuple[Wire, Conversation]) -> None:
    """The cursor belongs to what the caller may see: with other rights it is not followed, and the list goes on."""
    _, conversation = notes
    turns = [("find entries where pages >= 0 sort pages", {}), ("more", {"sensitive": ["title"]}), ("more", {})]
    pages = [conversation.turn(text, context=context).outcome.model_dump()["ids"] for text, context in turns]
    assert pages == [[str(n) for n in range(*part)] for part in ((10,), (10, 20), (20, 25))]


def test_relative_dates_stay_where_they_were(talk: Talk) -> None:
    conversation = talk()
    first = conversation.turn("receipts from last month", now=NOW)
    second = conversation.turn("show more", now="2027-01-01T00:00:00Z")
    assert second.outcome.total == first.outcome.total


# --- both APIs, and what is no message -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "  ", "\n", "?", "\ud800", "x" * 5_000, "find documents where", "\x00"])
def test_no_message_raises(talk: Talk, text: str) -> None:
    conversation = talk()
    reply = conversation.turn(text)
    assert reply.outcome.kind in ("declined", "invalid", "refuse")
    assert talk(conversation.history).history == conversation.history


@pytest.mark.parametrize("options", [{"cursor": "x"}, {"choices": {"a": "b"}}])
def test_options_that_cannot_be_used_are_reported(talk: Talk, options: dict[str, Any]) -> None:
    conversation = talk()
    with pytest.raises((UsageError, TypeError)):
        conversation.turn("receipts", **options)
    assert conversation.turn("how many W2s are there?").number == 1


async def test_the_asynchronous_twin_answers_the_same() -> None:
    client = qlc.connect_async(":memory:")
    for n in range(25):
        await client.index(index="notes", id=str(n), document={"title": f"note {n}", "pages": n})
    await client.indices.refresh(index="notes")
    conversation = AsyncConversation(qlc.Compiler(client, index="notes"), now=NOW, size=10)
    first = await conversation.turn("find entries where pages >= 0 sort pages")
    second = await conversation.turn("next 3")
    asked = await conversation.turn("how many entries are there?")
    assert (first.outcome.kind, asked.outcome.kind) == ("hits", "count")
    assert second.outcome.model_dump()["ids"] == ["10", "11", "12"]
    again = await conversation.resume()
    assert again.outcome == asked.outcome
    await client.close()


# --- requests that were pasted, and questions about queries ----------------------------------------------------------

QUERY = '"query": {"term": {"commonAttributes.fileExtension": "mp4"}}'
MP4 = f'{{{QUERY}, "sort": [{{"commonAttributes.sizeInBytes": "desc"}}]'


def test_a_pasted_request_is_a_list_like_any_other(drive: Asker) -> None:
    asker, last = counted(drive)
    conversation = Conversation(asker, now=NOW)
    whole = asker.compiler.run('find entries where extension = "mp4" sort size desc', now=NOW, size=20).model_dump()
    first, second, third, back, fourth, rest, none = said(
        conversation, f'run this please {MP4}, "size": 4}}', "more", "next 2", "previous", "more", "the rest", "more"
    )
    shown = [reply.outcome.model_dump().get("ids", []) for reply in (first, second, third, rest)]
    assert [len(ids) for ids in shown] == [4, 4, 2, 1]
    assert shown[0] + shown[1] + shown[2] == whole["ids"][:10]
    assert (back.outcome.model_dump()["ids"], fourth.outcome.model_dump()["ids"]) == (shown[1], whole["ids"][8:12])
    assert none.outcome.kind == "exhausted"
    assert [reply.origin for reply in (first, second)] == ["pasted", "more"]
    assert last.asked == []


def test_a_request_with_typos_is_fixed_when_asked(talk: Talk) -> None:
    broken = '{query: {"term": {"commonAttributes.fileExtension": "mp4",}}, "size": 3}'
    rejected, fixed, more, explained = said(talk(), broken, "fix and run", "more", "explain it")
    assert (rejected.outcome.kind, fixed.outcome.kind, explained.outcome.kind) == ("rejected_query", "hits", "explain")
    assert more.outcome.model_dump()["ids"] != fixed.outcome.model_dump()["ids"]
    assert len(more.outcome.model_dump()["ids"]) == 3


def test_the_words_a_message_comes_from_make_no_difference_to_its_answer(talk: Talk) -> None:
    """One list, asked for in words, as a program, as a request, by a choice: the same hits."""
    program = 'find documents where folder = "Personal/Travel" sort size desc'
    by_program = talk().turn(program)
    by_words = talk().turn("documents in Personal/Travel, largest first")
    by_choice = said(talk(), 'find documents where folder = "Travel" sort size desc', "the personal one")[-1]
    ids = [reply.outcome.model_dump()["ids"] for reply in (by_program, by_words, by_choice)]
    assert ids[0] == ids[1] == ids[2] != []
    assert len({reply.origin for reply in (by_program, by_words, by_choice)}) == 3


def test_more_is_not_shown_while_it_is_asked_what_is_meant(talk: Talk) -> None:
    conversation = talk()
    conversation.turn("show me quotes")
    asked = conversation.turn("documents in Travel").outcome
    again = conversation.turn("next").outcome
    assert (asked.kind, again.kind) == ("clarify", "clarify")
    assert again.options == asked.options  # type: ignore[union-attr]


def test_a_list_that_was_gone_back_to_goes_on(talk: Talk) -> None:
    conversation = talk()
    first = conversation.turn("utility bills from Verizon").outcome
    conversation.turn("photos from 2022")
    conversation.turn("my first search again")
    more = conversation.turn("show the next page").outcome
    assert more.query == first.query
    assert not set(more.ids) & set(first.ids)  # type: ignore[union-attr]


def test_a_page_of_a_pasted_list_is_gone_to_by_its_number(talk: Talk) -> None:
    conversation = talk()
    request = (
        '{"query": {"term": {"commonAttributes.documentType.keyword": "NDA"}}, '
        '"sort": [{"systemAttributes.createDate": "desc"}], "size": %d}'
    )
    whole = talk().turn(request % 20).outcome.ids  # type: ignore[union-attr]
    conversation.turn(request % 5)
    assert conversation.turn("page 3").outcome.ids == whole[10:15]  # type: ignore[union-attr]
    assert conversation.turn("next page").outcome.ids == whole[15:20]  # type: ignore[union-attr]
    assert conversation.turn("page 1").outcome.ids == whole[:5]  # type: ignore[union-attr]
    assert conversation.turn("page 40").outcome.kind == "exhausted"


def test_a_request_is_fixed_after_a_question_about_it(talk: Talk) -> None:
    request = '{"query": {"term": {"commonAttributes.documentTyp": "Lease"}}}'
    rejected, why, fixed = said(talk(), request, "why not?", "fix it")
    assert (rejected.outcome.kind, why.outcome.kind) == ("rejected_query", "explain")
    assert why.outcome.message == rejected.outcome.message
    assert (fixed.origin, fixed.outcome.kind) == ("earlier", "hits")


def test_an_outcome_has_what_names_were_chosen_to_mean(talk: Talk) -> None:
    _, chosen, counted = said(talk(), "documents in Travel", "the business one", "how many is that?")
    for reply in (chosen, counted):
        (name,) = reply.outcome.names
        assert (name.entity, name.name, name.path) == ("folder", "Travel", "root/Business/Expenses/Travel")


