"""A language model takes questions apart and writes answers; what it says is held to the corpus."""

import json
from typing import Any

import pytest

import qlc
from qlc.answers.grounding import conversions, unfounded
from qlc.outcome import Hits, NotInCorpus
from tests.answers.model.conftest import Scripted, judges, plans, writes
from tests.model.messages_api import Said, fails, message, uses
from tests.tables import rows, table

ROOMS = "Which sort of rooms may staff take, and what are they paid?"
"""The rules find no answer to it: no passage has `rooms` or `staff`."""
HOTEL = "A hotel costs at most EUR 140 a night"


NOTICE = "What is the notice period in the Borden cleaning agreement?"


def test_what_the_rules_answer_exactly_is_judged_once(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(judges(True))
    found = library.ask(NOTICE, reader=reader)
    assert found.model_copy(update={"stats": None, "steps": []}) == library.ask(NOTICE).model_copy(
        update={"stats": None, "steps": []}
    )
    (request,) = server.requests
    assert found.claims[0].citations[0].quote in request["messages"][0]["content"]  # type: ignore[union-attr]


def test_what_the_model_refuses_is_read_by_it(library: qlc.Corpus, scripted: Scripted) -> None:
    plan = plans("contracts", entities=[{"name": "Borden", "role": "party"}], fields=["notice"])
    reader, server = scripted(judges(False, "another notice"), plan, writes(status="not_in_evidence"))
    assert library.ask(NOTICE, reader=reader).kind == "not_in_corpus"
    assert len(server.requests) == 3


def test_a_plan_of_the_model_runs_as_one_of_the_rules(library: qlc.Corpus, scripted: Scripted) -> None:
    question = "Anything we can walk away from in less than 80 days, please tell which"
    said = "walk away from in less than 80 days"
    constraint = {"field": "notice", "operator": "<", "value": "80 days", "raw_text": said}
    reader, server = scripted(plans("contracts", "list", constraints=[constraint]), judges(True))
    found = library.ask(question, reader=reader)
    by_rules = library.ask("Which contracts have a notice period under 80 days?")
    assert {hit.id for hit in found.hits} == {hit.id for hit in by_rules.hits}
    assert found.hits
    assert len(server.requests) == 2


def _left_early(**of_renewal: Any) -> list[dict[str, Any]]:
    early = {"field": "notice", "operator": "<", "value": "40 days", "raw_text": "left within 40 days"}
    renews = {"field": "renews", "operator": "=", "value": "true", "raw_text": "go on by themselves"}
    return [early, renews | of_renewal]


def test_one_of_several_constraints_is_enough_where_a_plan_says_so(
    library: qlc.Corpus, scripted: Scripted
) -> None:  # fmt: skip
    question = "Agreements that can be left within 40 days or go on by themselves"
    plan = plans("contracts", "list", constraints=_left_early(), either=[[0, 1]])
    found = library.ask(question, reader=scripted(plan, judges(True))[0])
    assert found.query == "find contracts where (notice < 40 days or renews) limit 100"
    run = library.compiler().run
    ids = [{hit.id for hit in run(f"find contracts where {one}").hits} for one in ("notice < 40 days", "renews")]
    assert {hit.id for hit in found.hits} == ids[0] | ids[1] > ids[0]


def test_an_alternative_that_cannot_be_checked_leaves_no_condition(library: qlc.Corpus, scripted: Scripted) -> None:
    question = "Agreements that can be left within 40 days or go on by themselves"
    wrong = plans("contracts", "list", constraints=_left_early(field="renewal"), either=[[0, 1]])
    reader, server = scripted(wrong, wrong, writes(status="not_in_evidence"))
    found = library.ask(question, reader=reader)
    assert "notice" not in (found.query or "")
    assert "not each of them" in str(server.requests[1]["messages"][-1])


def test_a_sentence_is_shown_with_its_quote_and_page(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(*_to_write(), writes(("Hotels may cost up to EUR 140 a night.", [("p1", HOTEL)])))
    found = library.ask(ROOMS, reader=reader)
    assert found.message == "Hotels may cost up to EUR 140 a night."
    (citation,) = found.claims[0].citations
    assert citation.file == "notes/travel_policy.md"
    assert citation.quote == HOTEL
    assert len(server.requests) == 2


INVENTED = ("A hotel costs at most EUR 140 a night.", [("p1", "A hotel costs at most EUR 140 per night and person")])
MISTAKES = table(__file__, "MISTAKES")


@pytest.mark.parametrize("said", MISTAKES.values(), ids=MISTAKES)
def test_what_does_not_hold_goes_back_once_and_is_left_out(
    said: tuple[str, list[tuple[str, str]]], library: qlc.Corpus, scripted: Scripted
) -> None:
    right = ("Trains are booked in second class.", [("p1", "Trains are booked in second class.")])
    reader, server = scripted(*_to_write(), writes(said, right))
    found = library.ask(ROOMS, reader=reader)
    assert [one.text for one in found.claims] == [right[0]]
    assert any("left out" in note for note in found.notes)
    assert len(server.requests) == 3
    assert "claim 0" in str(server.requests[2]["messages"][-1])
    reader, server = scripted(*_to_write(), writes(said))
    nothing = library.ask(ROOMS, reader=reader)
    assert nothing.kind == "declined"
    assert "verified" in nothing.message


def test_a_conversion_is_shown_with_what_it_is_made_from() -> None:
    quote = ["Inner diameter: 2 in"]
    assert not unfounded("The inner diameter is 2 in = 50.8 mm.", quote, ())
    assert not unfounded("The inner diameter is 50.8 mm.", quote, ())
    assert conversions("The inner diameter is 50.8 mm.", quote) == ["2 in"]
    assert not conversions("The inner diameter is 2 in = 50.8 mm.", quote)
    assert unfounded("The inner diameter is 2 in = 51.8 mm.", quote, ())


def test_what_the_evidence_does_not_tell_is_not_in_the_corpus(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, _ = scripted(*_to_write(), writes(status="not_in_evidence"))
    assert isinstance(library.ask(ROOMS, reader=reader), NotInCorpus)


BROKEN = {
    "cut stream": Said({"type": "message", "content": [{"type": "text", "text": "x" * 500}]}, cut=True),
    "malformed JSON": Said(b'{"type": "message", "content": [{'),
    "no tool": message([{"type": "text", "text": "The hotel is free."}], stop="end_turn"),
    "another tool": uses("delete_all", {}),
    "another form": uses("write_answer", {"claims": "all"}),
    "too long": message([{"type": "tool_use", "id": "t", "name": "write_answer", "input": {}}], stop="max_tokens"),
    "refusal": message([], stop="refusal"),
    "not allowed": fails(401, "authentication_error"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_model_that_fails_leaves_the_answer_of_the_rules(
    broken: Said, library: qlc.Corpus, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qlc.models.client_model.FIRST_PAUSE", 0.001)
    reader, _ = scripted(broken)
    found = library.ask(ROOMS, reader=reader)
    by_rules = library.ask(ROOMS)
    assert (found.kind, found.message) == (by_rules.kind, by_rules.message)
    assert found.notes
    assert "SECRET" not in str(found)


def test_what_is_wrong_with_a_plan_goes_back_once_and_then_is_words(library: qlc.Corpus, scripted: Scripted) -> None:
    question = "Anything we can walk away from in less than 80 days, please tell which"
    wrong = {"field": "notise", "operator": "<", "value": "80 days", "raw_text": "walk away from in less than 80 days"}
    right = {**wrong, "field": "notice"}
    reader, server = scripted(
        plans("contracts", "list", constraints=[wrong]),
        plans("contracts", "list", constraints=[right]),
        judges(True),
    )
    assert isinstance(library.ask(question, reader=reader), Hits)
    told = str(server.requests[1]["messages"][-1])
    assert "notise" in told
    assert "notice" in told
    reader, _ = scripted(
        plans("contracts", constraints=[wrong]), plans("contracts", constraints=[wrong]),
        writes(status="not_in_evidence"),
    )  # fmt: skip
    found = library.ask(question, reader=reader)
    assert found.kind == "not_in_corpus"
    assert any("less than 80 days" in note for note in found.notes)


@pytest.mark.parametrize(
    "constraint",
    [
        {"field": "notice", "operator": "<", "value": "80 V", "raw_text": "walk away from in less than 80 days"},
        {"field": "notice", "operator": "<", "value": "80 days", "raw_text": "under 80 days"},
        {"field": "party", "operator": "=", "value": "Zedcorp", "raw_text": "walk away"},
        {"field": "effective", "operator": "=", "value": "31 February", "raw_text": "80 days"},
    ],
    ids=["another dimension", "no part of the question", "a name that nobody has", "a day that is none"],
)
def test_a_constraint_that_does_not_hold_is_sent_back(
    constraint: dict[str, str], library: qlc.Corpus, scripted: Scripted
) -> None:
    question = "Anything we can walk away from in less than 80 days, please tell which"
    reader, server = scripted(plans("contracts", constraints=[constraint]))
    with_model = library.decompose(question, reader=reader)
    assert len(server.requests) == 2
    assert not with_model.constraints
    assert not with_model.entities
    assert (constraint["raw_text"] in with_model.topic_terms) == (constraint["raw_text"] in question)


@pytest.mark.parametrize(
    "given",
    [
        {"constraints": [{"field": "notice", "operator": "<", "value": "80 days", "raw_text": "under Zedcorp"}]},
        {"constraints": [{"field": "zedcorp", "operator": "=", "value": "x", "raw_text": "Zedcorp"}]},
        {"entities": [{"name": "Zedcorp", "role": "party"}]},
        {"entities": [{"name": "Zedcorp", "role": "document"}]},
    ],
    ids=["a part", "a field", "a name", "a title"],
)
def test_what_the_question_does_not_say_is_quoted_and_searched_for_nowhere(
    given: dict[str, Any], library: qlc.Corpus, scripted: Scripted
) -> None:
    reader, _ = scripted(plans("contracts", **given), plans("contracts", **given), writes(status="not_in_evidence"))
    found = library.explain("Anything we can walk away from in less than 80 days?", reader=reader)
    shown = found.outcome.model_copy(update={"steps": [one for one in found.steps if one.tool != "check"]})
    assert "Zedcorp" not in str(shown)
    is_condition = given.get("entities", [{}])[0].get("role") != "document"
    assert any("a condition that is not in the question" in note for note in found.outcome.notes) == is_condition


def _to_write() -> tuple[Said]:
    return (plans(topic_terms=["hotel", "travel policy", "receipts"]),)


OWED = "The liability cap is GBP 10,000."


def test_a_follow_up_is_planned_with_what_was_said_before(library: qlc.Corpus, scripted: Scripted) -> None:
    plan = plans("contracts", entities=[{"name": "Borden", "role": "party"}], fields=["liability_cap"])
    reader, server = scripted(
        judges(True),
        plan,
        writes((OWED, [("p1", "Liability cap: GBP 10,000")]), values=[{"value": 10_000, "unit": "GBP", "claim": 0}]),
    )
    talk = qlc.Conversation(library, reader=reader, now="2026-06-15T12:00:00Z")
    talk.turn(NOTICE)
    found = talk.turn("and what would they owe us then?").outcome
    asked = json.dumps([one["messages"] for one in server.requests])
    assert "said before" in asked
    assert "Borden cleaning agreement" in asked
    assert [(one.value, one.unit) for one in found.values] == [(10_000, "GBP")]


DATES = "Which contracts with effective dates in the first quarter of 2024 or not known, and what under 80 days?"
QUARTER = "Which contracts have effective dates in the first quarter of 2024 or not known?"


@pytest.mark.parametrize(
    ("field", "operator", "value", "condition"),
    rows(__file__, "test_values_of_constraints_are_read_as_the_prompt_says"),
)
def test_values_of_constraints_are_read_as_the_prompt_says(
    field: str, operator: str, value: Any, condition: str, library: qlc.Corpus, scripted: Scripted
) -> None:
    given = {"field": field, "operator": operator, "value": value, "raw_text": QUARTER[21:-1]}
    reader, server = scripted(plans("contracts", "list", constraints=[given]), judges(True))
    found = library.explain(QUARTER, reader=reader).outcome
    assert f"find contracts where {condition}" in str(found.query), found
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("given", "why"),
    rows(__file__, "test_a_constraint_that_cannot_be_meant_goes_back_with_the_reason"),
)
def test_a_constraint_that_cannot_be_meant_goes_back_with_the_reason(
    given: dict[str, Any], why: str, library: qlc.Corpus, scripted: Scripted
) -> None:
    wrong = {**given, "raw_text": "under 80 days"}
    reader, server = scripted(plans("contracts", "list", constraints=[wrong]))
    assert not library.decompose(DATES, reader=reader).constraints
    assert why in str(server.requests[1]["messages"][-1])
