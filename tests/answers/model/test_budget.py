"""Limits of an answer's cost, the reported cost, and the outcome when a limit is reached."""

import json

import pytest

import qlc
from qlc.cli.main import main
from qlc.models.budgets import Budget
from qlc.outcome import Declined, Hits, Outcome, Spent
from tests.answers.model.conftest import Scripted, plans, routes, writes

LIST = "Which contracts have a notice period under 80 days?"
HOTELS = "Which sort of rooms may staff take, and what are they paid?"


def _spent(outcome: Outcome) -> Spent:
    assert outcome.stats.spent is not None
    return outcome.stats.spent


def test_what_was_spent_is_told(library: qlc.Corpus) -> None:
    found = library.explain(LIST)
    spent = _spent(found.outcome)
    assert spent.searches == len(found.steps) > 2
    assert 0 < spent.requests == found.outcome.stats.round_trips
    assert (spent.calls, spent.tokens, spent.cost) == (0, 0, 0.0)


@pytest.mark.parametrize("searches", range(12))
def test_too_few_searches_end_in_a_plain_message_and_never_in_another_answer(
    library: qlc.Corpus, searches: int
) -> None:
    whole = library.ask(LIST)
    found = library.ask(LIST, budget=Budget(searches=searches))
    assert isinstance(whole, Hits)
    if isinstance(found, Hits):
        assert (found.ids, found.total, found.notes) == (whole.ids, whole.total, whole.notes)
        return
    assert isinstance(found, Declined)
    assert f"may take ({searches:,}) ended" in found.message
    steps = library.explain(LIST, budget=Budget(searches=searches)).steps
    assert sum(one.tool != "verify" for one in steps) <= searches  # checks are charged, and never refused
    for program in found.suggestions:
        assert library.compiler().run(program).kind == "hits"


def test_a_list_that_was_found_before_the_end_is_named(library: qlc.Corpus) -> None:
    programs = [one.program for one in library.explain(LIST).steps]
    until = next(at for at, one in enumerate(programs) if one.startswith("find contracts where"))
    found = library.ask(LIST, budget=Budget(searches=until + 2))
    assert isinstance(found, Declined)
    assert any(note.startswith("Found so far: ") and "find contracts where" in note for note in found.notes)


def test_a_quote_that_was_found_is_checked_whatever_is_left(library: qlc.Corpus) -> None:
    question = "What is the notice period in the Borden cleaning agreement?"
    steps = library.explain(question).steps
    assert steps[-1].tool == "verify"
    found = library.ask(question, budget=Budget(searches=sum(one.tool != "verify" for one in steps)))
    assert found.claims


@pytest.mark.parametrize(
    ("budget", "calls"),
    [(Budget(calls=2), 2), (Budget(tokens=10), 0), (Budget(cost=0.0001), 0), (Budget(tokens=9_000), 2)],
    ids=["calls", "no tokens", "no money", "tokens of two calls"],
)
def test_a_model_without_budget_leaves_what_the_rules_find(
    library: qlc.Corpus,
    scripted: Scripted,
    budget: Budget,
    calls: int,
) -> None:
    reader, server = scripted(routes("contracts"), plans("contracts", topic_terms=["rooms"]), writes())
    found = library.ask(HOTELS, reader=reader, budget=budget)
    assert found.kind == library.ask(HOTELS).kind
    assert any("its budget for this question is used up" in note for note in found.notes)
    assert len(server.requests) == _spent(found).calls == calls
    assert _spent(found).tokens == calls * (120 + 30 + 4000)


def test_calls_of_a_model_are_told_with_tokens_and_cost(library: qlc.Corpus, scripted: Scripted) -> None:
    claim = ("Hotels may cost up to EUR 140 a night.", [("p1", "A hotel costs at most EUR 140 a night")])
    reader, _ = scripted(routes(), plans(topic_terms=["hotel", "travel policy"]), writes(claim))
    spent = _spent(library.ask(HOTELS, reader=reader))
    assert (spent.calls, spent.tokens) == (3, 3 * 4150)
    assert spent.cost == pytest.approx(3 * (120 * 1 + 4000 * 0.1 + 30 * 5) / 1e6)


def test_seconds_bound_the_whole_answer(library: qlc.Corpus) -> None:
    found = library.ask(LIST, budget=Budget(seconds=0.0))
    assert (found.kind, getattr(found, "reason", "")) == ("failed", "timeout")


def test_the_command_takes_a_budget_and_tells_what_was_spent(
    library: qlc.Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(library._folder)
    assert main(["ask", "--corpus", folder, "--json", "--budget", "searches=2", LIST]) == 4
    told = json.loads(capsys.readouterr().out)
    assert "may take (2) ended" in told["message"]
    assert told["stats"]["spent"]["searches"] == 2
    assert main(["explain", "--corpus", folder, LIST]) == 0
    assert "Spent" in capsys.readouterr().out


@pytest.mark.parametrize("budget", ["searches", "searches=many", "prices=1", "words=3"])
def test_a_wrong_budget_is_a_wrong_call(library: qlc.Corpus, budget: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--corpus", str(library._folder), "--budget", budget, LIST]) == 2
    assert "budget" in capsys.readouterr().err
