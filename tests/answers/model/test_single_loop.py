"""One conversation with tools: the same budget, the same verification, the same outcomes."""

from typing import Any

import pytest

import qlc
from tests.answers.model.conftest import Scripted, writes
from tests.answers.model.test_orchestrator import HOTEL, INVENTED, ROOMS
from tests.model.messages_api import Said, uses

SEARCH = uses("search_text", {"query": "hotel cost", "bucket": "documents"})
SENTENCE = "Hotels may cost up to EUR 140 a night."


@pytest.fixture
def hotel(library: qlc.Corpus) -> str:
    """The id of the passage that tells what hotels may cost."""
    result: Any = library.call_tool("search_text", {"query": "hotel cost"})
    return next(one.passage for one in result.passages if HOTEL in one.snippet)


def test_what_tools_found_is_cited(library: qlc.Corpus, scripted: Scripted, hotel: str) -> None:
    reader, server = scripted(
        uses("search_text", {"query": "hotel cost"}), writes((SENTENCE, [(hotel, HOTEL)])), mode="single_loop"
    )
    found = library.ask(ROOMS, reader=reader)
    assert found.claims[0].citations[0].file == "notes/travel_policy.md"
    assert HOTEL in str(server.requests[1]["messages"][-1])


def test_a_passage_that_no_tool_gave_cannot_be_cited(library: qlc.Corpus, scripted: Scripted, hotel: str) -> None:
    reader, server = scripted(writes((SENTENCE, [(hotel, HOTEL)])), mode="single_loop")
    assert library.ask(ROOMS, reader=reader).kind == "declined"
    assert len(server.requests) == 2


def test_an_invented_quote_goes_back_once(library: qlc.Corpus, scripted: Scripted, hotel: str) -> None:
    invented = writes((INVENTED[0], [(hotel, INVENTED[1][0][1])]))
    right = writes((SENTENCE, [(hotel, HOTEL)]))
    reader, _ = scripted(uses("search_text", {"query": "hotel cost"}), invented, right, mode="single_loop")
    assert library.ask(ROOMS, reader=reader).message == SENTENCE


def test_searching_without_end_ends(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(uses("search_text", {"query": "hotel"}), mode="single_loop")
    found = library.ask(ROOMS, reader=reader)
    assert found.message == library.ask(ROOMS).message
    assert len(server.requests) == 7
    assert [tool["name"] for tool in server.requests[-1]["tools"]] == ["write_answer"]


@pytest.mark.parametrize(
    "wrong",
    [uses("search_text", {"quary": "hotel"}), uses("run_query", {"program": "find nothing at all"})],
    ids=["unknown argument", "a program with errors"],
)
def test_what_is_wrong_with_a_tool_is_told(wrong: Said, library: qlc.Corpus, scripted: Scripted, hotel: str) -> None:
    reader, server = scripted(wrong, writes(status="not_in_evidence"), mode="single_loop")
    assert library.ask(ROOMS, reader=reader).kind == "not_in_corpus"
    (result,) = server.requests[1]["messages"][-1]["content"]
    assert result["is_error"]
    assert "hint" in result["content"]


def test_a_computed_number_is_that_of_the_program(library: qlc.Corpus, scripted: Scripted) -> None:
    program = uses("run_query", {"program": "count contracts where notice < 80 days"})
    real = library.compiler().run("count contracts where notice < 80 days")
    right = writes((f"There are {real.value} contracts where notice is under 80 days.", [("r1", "")]))  # type: ignore[union-attr]
    reader, _ = scripted(program, right, mode="single_loop")
    found = library.ask(ROOMS, reader=reader)
    assert found.computed
    reader, _ = scripted(program, writes(("There are 41 contracts under 80 days.", [("r1", "")])), mode="single_loop")
    assert library.ask(ROOMS, reader=reader).kind == "declined"
