"""Questions in words, drafts, pasted requests and conversations over a server that fails: what is answered is what a
whole server answers, within the deadline, or it is said that it failed."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.conversation import StoreUnavailable
from qlc.conversation.stores.sqlite import SQLiteStore
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from tests.faults import proxy as faults
from tests.faults.conftest import Bench
from tests.faults.proxy import Exchange
from tests.pipeline.conftest import never_open
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
NOW = "2026-02-10T12:00:00Z"
PROPERTIES = {"id": {"type": "keyword"}, "state": {"type": "keyword"}, "sent": {"type": "date"}}
HUNG, SOON = 0.3, 2.0
"""Seconds of the deadline, and within which a run on a busy machine has ended that keeps it."""


@pytest.fixture(scope="module")
def letters(bench: Bench) -> Iterator[Bench]:
    """Letters of two months, some sent after now; those of the second month have a field more."""
    pages = {"pages": {"type": "nested", "properties": {"number": {"type": "long"}}}}
    for month, more in (("01", {}), ("02", {"stamp": {"type": "keyword"}})):
        properties = {**PROPERTIES, **more, **(pages if more else {})}
        bench.direct.indices.create(index=f"letters-{month}", mappings={"properties": properties})
        for day in ("05", "20"):
            letter = {"id": f"{month}-{day}", "state": "open", "sent": f"2026-{month}-{day}"}
            letter |= dict.fromkeys(more, "red")
            bench.direct.index(index=f"letters-{month}", id=letter["id"], document=letter, refresh=True)
    yield bench
    bench.direct.indices.delete(index="letters-01,letters-02")


def compiler_of(bench: Bench, **more: Any) -> Compiler:
    given = more or {"catalog": read_catalog(CATALOG)}
    return Compiler(qlc.connect(bench.proxy.url), breaker=never_open(), **given)


def nth(number: int) -> Callable[[Exchange], bool]:
    met: list[int] = []
    return lambda exchange: exchange.searches and not met.append(1) and len(met) == number + 1  # type: ignore[func-returns-value]


def answer(outcome: Outcome) -> Any:
    return outcome.kind, outcome.query, getattr(outcome, "ids", None), getattr(outcome, "value", None), outcome.notes


@pytest.mark.parametrize("question", ["latest letter", "how many letters are open", "letters by state"])
def test_no_search_of_a_question_can_be_missed(letters: Bench, question: str) -> None:
    """Whether letters are still to be sent decides which is the latest: where that is not known, none is named."""
    letters.proxy.requests.clear()
    whole = qlc.compile_and_run(question, compiler_of(letters), now=NOW)
    searches = sum(path.endswith(("_search", "_msearch")) for _, path in letters.proxy.requests)
    assert question != "latest letter" or whole.ids == ["02-05"]
    for number in range(searches):
        with letters.proxy.failing(faults.changed(faults.out_of_time), when=nth(number)):
            outcome = qlc.compile_and_run(question, compiler_of(letters), now=NOW)
        assert outcome.kind == "failed" or answer(outcome) == answer(whole), number


ANYTHING: Callable[[Exchange], bool] = lambda exchange: True  # noqa: E731
PASTED = 'GET letters-*/_search\n{"query": {"term": {"state": "open"}}}'


@pytest.mark.parametrize("source", ["how many letters are open", "count entries", PASTED])
@pytest.mark.parametrize("given", [{}, {"index": "letters-*"}], ids=["catalog", "draft"])
def test_what_is_read_first_is_within_the_deadline(letters: Bench, source: str, given: dict[str, Any]) -> None:
    compiler, began = compiler_of(letters, **given), time.monotonic()
    with letters.proxy.failing(faults.hung, when=ANYTHING):
        outcome = qlc.compile_and_run(source, compiler, deadline=HUNG)
        took = time.monotonic() - began
    assert (outcome.kind, getattr(outcome, "reason", "")) == ("failed", "timeout")
    assert took < SOON


def test_a_draft_of_a_server_that_was_away_is_made_when_it_is_back(letters: Bench) -> None:
    compiler = compiler_of(letters, index="letters-*")
    with letters.proxy.failing(faults.says(503), when=ANYTHING):
        assert qlc.compile_and_run("how many letters are open", compiler, deadline=HUNG).kind == "failed"
    assert compiler.drafted() is not compiler


def test_a_draft_of_a_part_is_none(letters: Bench) -> None:
    compiler = compiler_of(letters, index="letters-*")
    with letters.proxy.failing(faults.changed(faults.lacking_a_shard)):
        assert compiler.drafted() is compiler


def test_a_closed_index_is_told(letters: Bench) -> None:
    def closed(answer: dict[str, Any]) -> None:
        answer["letters-03"] = {"settings": {"index": {"verified_before_close": "true"}}}

    compiler = compiler_of(letters)
    with letters.proxy.failing(faults.changed(closed), when=lambda exchange: exchange.path.endswith("_settings")):
        for source in ("count letters", PASTED):
            assert "Closed, and so not searched: letters-03." in qlc.compile_and_run(source, compiler).notes


def test_fields_and_lists_that_some_indices_lack_are_searched(letters: Bench) -> None:
    outcome = compiler_of(letters).run("find all letters sort stamp")
    assert (outcome.kind, outcome.ids[:2]) == ("hits", ["02-05", "02-20"])
    outcome = compiler_of(letters, index="letters-*").run("count entries where not (pages.number = 1)")
    assert (outcome.kind, outcome.value) == ("count", 4)


def test_a_pattern_of_which_nothing_is_left_has_no_zero(letters: Bench) -> None:
    letters.direct.indices.create(index="notes-1", mappings={"properties": PROPERTIES})
    compiler = compiler_of(letters, index="notes-*")
    assert compiler.run("count entries").value == 0
    letters.direct.indices.delete(index="notes-1")
    assert compiler.run("count entries").reason == "no-index"


def test_what_failed_can_be_said_again(letters: Bench) -> None:
    talk = qlc.Conversation(compiler_of(letters), now=NOW)
    talk.turn("letters in January")
    with letters.proxy.failing(faults.changed(faults.out_of_time)):
        assert talk.turn("newest first").outcomes[0].kind == "failed"
    (other,) = talk.turn("only open ones").outcomes
    assert other.message.startswith("Nothing was searched for: the message before this one failed. Say it again")
    (outcome,) = talk.turn("newest first").outcomes
    assert outcome.ids == ["01-20", "01-05"]
    with letters.proxy.failing(faults.says(503)), pytest.raises(qlc.outcome.export.ExportFailed):
        list(talk.export("csv"))


def test_a_store_that_is_locked_is_within_the_deadline(letters: Bench, tmp_path: Path) -> None:
    talk = qlc.Conversation(compiler_of(letters), store=SQLiteStore(tmp_path / "talks"), id="t", now=NOW)
    talk.turn("letters in January")
    other = sqlite3.connect(tmp_path / "talks")
    other.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        talk.turn("newest first", deadline=HUNG)
    assert time.monotonic() - began < SOON
    other.close()
    assert talk.turn("newest first").outcomes[0].ids == ["01-20", "01-05"]
