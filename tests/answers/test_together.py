"""Searches that do not wait for one another go out as one request."""

from typing import Any

import pytest

import qlc
from qlc.base.errors import RequestFailed
from qlc.outcome import Outcome
from qlc.resolver import driver
from tests.tables import table

PROGRAMS = table(__file__, "PROGRAMS")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[driver.HttpCall]:
    found: list[driver.HttpCall] = []
    send = driver._send

    def sending(call: driver.HttpCall, *more: Any) -> Any:
        found.append(call)
        return send(call, *more)

    monkeypatch.setattr(driver, "_send", sending)
    return found


def _plain(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    return [one.model_dump(exclude={"stats", "cursor"}) for one in outcomes]


def test_programs_that_run_together_find_what_each_finds_alone(
    library: qlc.Corpus, sent: list[driver.HttpCall]
) -> None:
    compiler = library.compiler()
    alone = [compiler.run(one) for one in PROGRAMS]
    before = len(sent)
    together, requests = library.compiler().run_together(PROGRAMS)
    assert _plain(together) == _plain(alone)
    assert [one.kind for one in together] == ["count", "hits", "invalid", "value", "hits", "aggregate", "count"]
    assert requests < sum(one.stats.round_trips + one.stats.further for one in alone)
    assert len(sent) - before < before
    assert any(call.path == "/_msearch" and len(call.covers) > 4 for call in sent[before:])


def test_a_program_that_fails_fails_alone(library: qlc.Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = library.compiler()
    alone = [compiler.run(one) for one in PROGRAMS]
    send = driver._send

    def refusing(call: driver.HttpCall, *more: Any) -> Any:
        if all(part in str(call.body) for part in ("liability_cap", "aggs")):
            raise RequestFailed("rejected", "no")
        return send(call, *more)

    monkeypatch.setattr(driver, "_send", refusing)
    together, _ = compiler.run_together(PROGRAMS)
    assert [one.kind for one in together] == ["count", "hits", "invalid", "failed", "hits", "aggregate", "count"]
    others = [at for at in range(len(PROGRAMS)) if at != 3]
    assert _plain([together[at] for at in others]) == _plain([alone[at] for at in others])


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("Which contracts have a notice period under 80 days?", 15),  # four for letters that change others
        ("What is the notice period in the Borden cleaning agreement?", 11),
        ("Show the contracts effective in 1950", 14),
        ("What does the travel policy say about hotels?", 13),  # one for the files that could not be read
    ],
)
def test_an_answer_sends_the_searches_of_a_stage_together(
    library: qlc.Corpus, question: str, most: int, sent: list[driver.HttpCall]
) -> None:
    spent = library.ask(question).stats.spent
    assert spent.requests <= most
    assert len([call for call in sent if call.path.endswith("search")]) <= most
