"""Hundreds of conversations at the same time, by threads and by tasks, over one compiler: none hears of another."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import qlc
from qlc.conversation import AsyncConversation, Conversation, MemoryStore, SQLiteStore, Store
from qlc.mapping.catalog import read_catalog
from tests.tables import table

from .conftest import NOW

MANY = int(os.environ.get("QLC_CONVERSATIONS", "60"))
"""Each team, board and size of a page; `make soak` has a thousand."""
TEAMS = 40
PER_TEAM = 12

CATALOG = table(__file__, "CATALOG")
PROPERTIES = {name: {"type": "keyword"} for name in ("number", "title", "kind", "team", "board")}


def documents() -> list[dict[str, Any]]:
    """Two boards of the same name; every team has cards on both, and may see its own."""
    found = [{"number": f"b{n}", "title": "Roadmap", "kind": "board"} for n in range(2)]
    for team in range(TEAMS):
        for n in range(PER_TEAM):
            board = f"b{n % 2}"
            found.append({"number": f"t{team:02}-{n:02}", "title": f"card {n}", "kind": "card", "team": f"t{team:02}",
                          "board": board})  # fmt: skip
    return found


def bulked(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for one in operations for part in ({"index": {"_id": one["number"]}}, one)]


QUESTION = 'find cards where board = "Roadmap" sort number'


def expected(number: int) -> list[list[str]]:
    """The pages of conversation `number`: its team's cards on the board that it chooses, in pages of its size."""
    team, board, size = f"t{number % TEAMS:02}", number % 2, 1 + number % 3
    ids = [f"{team}-{n:02}" for n in range(PER_TEAM) if n % 2 == board]
    return [ids[:size], ids[size : 2 * size]]


def options(number: int) -> dict[str, Any]:
    team = {"team": f"t{number % TEAMS:02}"}
    # Hundreds at once on a busy machine: what one waits for the others is no part of what is tested.
    return {"now": NOW, "size": 1 + number % 3, "context": team, "deadline": 300.0}


@pytest.fixture(scope="module")
def compiler() -> Any:
    client = qlc.connect(":memory:")
    client.indices.create(index="boards", mappings={"properties": PROPERTIES})
    client.bulk(index="boards", operations=bulked(documents()), refresh=True)
    yield qlc.Compiler(client, read_catalog(CATALOG))
    client.close()


@pytest.mark.parametrize("kept", ["by the host", "in memory", "in a file"])
def test_by_threads(compiler: qlc.Compiler, kept: str, tmp_path: Any) -> None:
    """Turns of all conversations are mixed: the first of each, then the second of each, in a pool of threads."""
    many = MANY if kept != "in a file" else min(MANY, 100)
    store: Store | None = MemoryStore() if kept == "in memory" else None
    store = SQLiteStore(tmp_path / "talk.sqlite") if kept == "in a file" else store
    histories: dict[int, Any] = {}

    def turn(number: int, text: str) -> Any:
        where = {"store": store, "id": str(number)} if store is not None else {"history": histories.get(number)}
        conversation = Conversation(compiler, **where, **options(number))
        reply = conversation.turn(text)
        histories[number] = reply.history
        return reply.outcome.model_dump()

    with ThreadPoolExecutor(16) as pool:
        asked = list(pool.map(lambda n: turn(n, QUESTION), range(many)))
        first = list(pool.map(lambda n: turn(n, str(1 + n % 2)), range(many)))
        second = list(pool.map(lambda n: turn(n, "show more"), range(many)))
    assert {one["kind"] for one in asked} == {"clarify"}
    assert [[one["ids"], other["ids"]] for one, other in zip(first, second, strict=True)] == [
        expected(n) for n in range(many)
    ]
    assert [len(histories[n]["turns"]) for n in range(many)] == [3] * many
    if isinstance(store, SQLiteStore):
        store.close()


async def test_by_tasks() -> None:
    client = qlc.connect_async(":memory:")
    await client.indices.create(index="boards", mappings={"properties": PROPERTIES})
    await client.bulk(index="boards", operations=bulked(documents()), refresh=True)
    compiler = qlc.Compiler(client, read_catalog(CATALOG))
    await compiler.load()

    async def talk(number: int) -> list[list[str]]:
        conversation = AsyncConversation(compiler, **options(number))
        asked = await conversation.turn(QUESTION)
        assert asked.outcome.kind == "clarify"
        pages = [await conversation.turn(text) for text in (str(1 + number % 2), "show more")]
        return [page.outcome.model_dump()["ids"] for page in pages]

    found = await asyncio.gather(*(talk(number) for number in range(MANY)))
    assert found == [expected(number) for number in range(MANY)]
    await client.close()
