"""`not done yet`, of a state that has `cancelled` beside `done`: whether those are meant is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.outcome import Clarify, Declined
from qlc.translator.entry import Asker

KEYWORD = {"type": "keyword"}
STATES = {"jobs": ("open", "done", "cancelled", "waiting"), "tasks": ("open", "done", "waiting", "planned")}


@pytest.fixture(scope="module", params=STATES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Asker]]:
    client = qlc.connect(str(tmp_path_factory.mktemp("not-yet")))
    client.indices.create(index=request.param, mappings={"properties": {"code": KEYWORD, "state": KEYWORD}})
    for n in range(40):
        document = {"code": f"J-{n}", "state": STATES[request.param][n % 4]}
        client.index(index=request.param, id=str(n), document=document, refresh=n == 39)
    yield request.param, Asker(qlc.Compiler(client, index=request.param))
    client.close()


def test_what_was_called_off_is_asked_about(made: tuple[str, Asker]) -> None:
    things, asker = made
    outcome = asker.ask(f"{things} that are not done yet")
    plain = f'find {things} where state != "done"'
    if things == "tasks":
        assert outcome.query == plain
        return
    assert isinstance(outcome, Clarify)
    assert [one.id for one in outcome.options] == [f'{plain} and state != "cancelled"', plain]


def test_what_is_said_in_so_many_words_is_as_it_is(made: tuple[str, Asker]) -> None:
    things, asker = made
    assert asker.ask(f"{things} that are not done").query == f'find {things} where state != "done"'


# --- states that go on, with a date or without ------------------------------------------------------------------------

GOING_ON = ("open", "shipped", "delivered", "returned")
BOXES = [
    {"code": f"B-{n}", "state": GOING_ON[n % 4], "depot": ("Kiel", "Nice")[n % 3 == 0],
     **({"shipped_on": f"2026-01-{n + 1:02}"} if n % 4 else {})}
    for n in range(24)
]  # fmt: skip
DENIED = ["{} not yet shipped", "{} that have not shipped yet", "{} which have not been shipped", "{} never shipped"]


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Asker]]:
    client = qlc.connect(str(tmp_path_factory.mktemp("sent")))
    left_out = {"boxes": set(), "crates": {"shipped_on"}, "bales": set()}
    for index, gone in left_out.items():
        types = {"code": KEYWORD, "state": KEYWORD, "depot": KEYWORD, "shipped_on": {"type": "date"}}
        client.indices.create(index=index, mappings={"properties": {n: t for n, t in types.items() if n not in gone}})
        for n, box in enumerate(BOXES):
            undated = gone | ({"shipped_on"} if index == "bales" and n == 1 else set())
            document = {name: value for name, value in box.items() if name not in undated}
            client.index(index=index, id=box["code"], document=document)
        client.indices.refresh(index=index)
    yield {index: Asker(qlc.Compiler(client, index=index)) for index in left_out}
    client.close()


@pytest.mark.parametrize("words", DENIED)
def test_what_is_not_done_has_no_date_of_it(sent: dict[str, Asker], words: str) -> None:
    outcome = sent["boxes"].ask(words.format("boxes"))
    assert outcome.query == "find boxes where shipped_on missing"
    assert set(outcome.ids) == {box["code"] for box in BOXES if "shipped_on" not in box}


@pytest.mark.parametrize("words", DENIED)
def test_where_state_and_date_disagree_it_is_asked(sent: dict[str, Asker], words: str) -> None:
    outcome = sent["bales"].ask(words.format("bales"))
    assert isinstance(outcome, Clarify), outcome.query
    assert [one.id for one in outcome.options] == [
        'find bales where shipped_on missing and state != "shipped"', "find bales where shipped_on missing",
    ]  # fmt: skip


@pytest.mark.parametrize("words", ["{} not yet shipped", "{} in Kiel not yet shipped", "how many {} never shipped"])
def test_a_state_with_others_past_it_is_declined(sent: dict[str, Asker], words: str) -> None:
    outcome = sent["crates"].ask(words.format("crates"))
    assert isinstance(outcome, Declined), outcome.query


def test_the_states_that_may_be_meant_are_named(sent: dict[str, Asker]) -> None:
    assert sent["crates"].ask("crates not yet shipped").message == (
        "What is past 'shipped' is not 'shipped' any more. "
        "Say which ones you mean by their state: delivered, open, returned."
    )


DONE = ["{} that have been shipped", "{} which were shipped", "how many {} have been shipped"]


@pytest.mark.parametrize("words", DONE)
def test_what_was_done_has_a_date_of_it(sent: dict[str, Asker], words: str) -> None:
    query = sent["boxes"].ask(words.format("boxes")).query
    assert query.removeprefix("find ").removeprefix("count ") == "boxes where shipped_on exists"
    outcome = sent["bales"].ask(words.format("bales"))
    assert isinstance(outcome, Clarify), outcome.query
    found = [one.id.removeprefix("find ").removeprefix("count ") for one in outcome.options]
    assert found == ['bales where shipped_on exists or state = "shipped"', "bales where shipped_on exists"]


def test_a_state_that_is_no_closed_list_has_its_date_too(tmp_path: Path) -> None:
    client = qlc.connect()
    rows = ["No,Ship Date,Status", "1,2025-02-01,delivered", "2,2025-03-15,shipped", "3,,open"]
    (tmp_path / "orders.csv").write_text("\n".join(rows))
    qlc.load(client, tmp_path / "orders.csv")
    asker = Asker(qlc.Compiler(client, index="orders"))
    assert asker.ask("orders not shipped yet").query == "find orders where ship_date missing"
    assert asker.ask("how many orders were shipped").query == "count orders where ship_date exists"
    assert asker.ask("shipped orders").query == 'find orders where status = "shipped"'
