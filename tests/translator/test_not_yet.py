"""`not done yet`, of a state that has `cancelled` beside `done`: whether those are meant is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Clarify
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
