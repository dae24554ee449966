"""Conversations in a store: one writer at a time, nothing lost by a kill, nothing mixed up."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.conversation import (
    AsyncConversation,
    Conversation,
    ConversationBusy,
    HistoryError,
    MemoryStore,
    Reply,
    SQLiteStore,
    Store,
    StoreUnavailable,
)
from qlc.conversation.stages import STAGES
from qlc.conversation.stores import Saved
from qlc.translator.entry import Asker
from qlc.translator.protocol import Question, Step, Translated, Translating
from tests.tables import table

from .conftest import NOW, said
from .killed import status_of_killed


def opened(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """An empty store of a kind."""
    match kind:
        case "memory":
            return MemoryStore()
        case "sqlite":
            return SQLiteStore(tmp_path / "talk.sqlite")
        case "postgres":
            from qlc.conversation.stores.postgres import PostgresStore

            made: Any = PostgresStore(request.getfixturevalue("real_postgres"))
        case _:
            from qlc.conversation.stores.redis import RedisStore

            made = RedisStore(request.getfixturevalue("real_redis"))
    for id in made.ids():
        made.delete(id)
    return made


@pytest.fixture(params=["memory", "sqlite", "postgres", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made = opened(request.param, request, tmp_path)
    yield made
    if not isinstance(made, MemoryStore):
        made.close()


# --- the protocol ----------------------------------------------------------------------------------------------------


def test_a_store_keeps_what_was_written_last(store: Store) -> None:
    assert store.read("a") is None
    store.write("a", "one é \U0001f600", 1)
    store.write("b", "two", 1)
    store.write("a", "three", 2)
    found = store.read("a")
    assert (found.revision, found.data) == (2, "three")
    assert list(store.ids()) == ["a", "b"]
    store.delete("a")
    store.delete("nothing")
    assert store.read("a") is None


@pytest.mark.parametrize("revision", [1, 2, 4])
def test_a_write_after_another_one_is_refused(store: Store, revision: int) -> None:
    store.write("a", "one", 1)
    store.write("a", "two", 2)
    with pytest.raises(ConversationBusy):
        store.write("a", "other", revision)
    found = store.read("a")
    assert found.data == "two"


def test_of_many_writers_one_wins(store: Store) -> None:
    won: list[int] = []

    def write(number: int) -> None:
        try:
            store.write("a", str(number), 1)
            won.append(number)
        except ConversationBusy:
            pass

    threads = [threading.Thread(target=write, args=(n,)) for n in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = store.read("a")
    assert [str(n) for n in won] == [found.data]


def test_a_connection_that_was_lost_is_opened_again(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """And a write whose acknowledgement was lost is not taken for that of somebody else."""
    store = opened("postgres", request, tmp_path)
    store.write("a", "one", 1)
    with store._psycopg.connect(request.getfixturevalue("real_postgres"), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid()")
    store.write("a", "two", 2)
    store.write("a", "two", 2)
    assert store.read("a") == Saved(2, "two")
    store.close()
    assert store.read("a") == Saved(2, "two")
    store.close()


def test_a_connection_to_redis_that_was_lost_is_opened_again(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    store = opened("redis", request, tmp_path)
    store.write("a", "one", 1)
    store._client.client_kill_filter(_type="normal", skipme=False)
    store.write("a", "two", 2)
    store.write("a", "two", 2)
    assert store.read("a") == Saved(2, "two")
    store.close()


@pytest.mark.parametrize(("name", "address"), [
    ("PostgresStore", "host=/nowhere dbname=x user=u password=s3cret"), ("RedisStore", "unix:///nowhere/redis.sock"),
    ("RedisStore", "http://example.invalid"),
])  # fmt: skip
def test_a_server_that_is_not_there_is_reported(name: str, address: str) -> None:
    module = {"PostgresStore": "psycopg", "RedisStore": "redis"}[name]
    pytest.importorskip(module, reason=f"the package {module} is not installed")
    from qlc.conversation.stores import postgres, redis

    made = {"PostgresStore": postgres.PostgresStore, "RedisStore": redis.RedisStore}[name]
    with pytest.raises(StoreUnavailable, match="cannot be stored") as told:
        made(address)
    assert "s3cret" not in str(told.value)


def test_a_package_that_is_missing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from qlc.conversation.stores.redis import RedisStore

    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(UsageError, match=r"qlc-search\[redis\]"):
        RedisStore("redis://localhost")


# --- conversations in it ---------------------------------------------------------------------------------------------


def test_a_conversation_goes_on_from_its_store(drive: Asker, store: Store) -> None:
    first = Conversation(drive, store=store, id="a", now=NOW)
    said(first, "documents in Travel", "the business one")
    second = Conversation(drive, store=store, id="a", now=NOW)
    assert second.history == first.history
    assert second.turn("show more").outcome.message == "27 documents. 11 to 20 shown."
    # The first one learns of it.
    assert first.turn("show more").outcome.message == "27 documents. 21 to 27 shown."
    assert Conversation(drive, store=store, id="b", now=NOW).history == {"version": 1}


@pytest.mark.parametrize("options", [{"id": "a"}, {"store": MemoryStore()}, {"store": MemoryStore(), "id": ""}])
def test_a_store_needs_an_id(drive: Asker, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="store and the id"):
        Conversation(drive, **options)
    with pytest.raises(UsageError, match="not both"):
        Conversation(drive, {"version": 1}, store=MemoryStore(), id="a")


def test_a_newer_version_in_the_store_is_reported(drive: Asker) -> None:
    store = MemoryStore()
    store.write("a", json.dumps({"version": 3}), 1)
    with pytest.raises(HistoryError, match="newer"):
        Conversation(drive, store=store, id="a")


def test_a_file_of_something_else_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database at all, whatever the name says " * 50)
    with pytest.raises(UsageError, match="cannot be stored"):
        SQLiteStore(path)
    with pytest.raises(UsageError, match="cannot be stored"):
        SQLiteStore(tmp_path / "missing" / "x.sqlite")


class Slow:
    """A translator that says when it is asked, and waits to be let go on."""

    def __init__(self) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        self.asked.set()
        assert self.go_on.wait(60)
        return Translated("count documents where signed")
        yield


def answered(conversation: Conversation, text: str, into: list[Any]) -> threading.Thread:
    def turn() -> None:
        try:
            into.append(conversation.turn(text))
        except qlc.QlcError as problem:
            into.append(problem)

    thread = threading.Thread(target=turn)
    thread.start()
    return thread


def test_two_turns_at_once_on_one_object_wait_for_each_other(drive: Asker) -> None:
    slow, found = Slow(), []
    conversation = Conversation(Asker(drive.compiler, (slow,)), now=NOW)
    threads = [answered(conversation, f"question {n}", found) for n in range(3)]
    assert slow.asked.wait(60)
    slow.go_on.set()
    for one in threads:
        one.join()
    assert sorted(reply.number for reply in found) == [1, 2, 3]
    assert [turn["number"] for turn in conversation.history["turns"]] == [1, 2, 3]


def test_two_turns_at_once_through_a_store_are_reported_or_wait(drive: Asker, store: Store) -> None:
    slow, first = Slow(), []
    asker = Asker(drive.compiler, (slow,))
    thread = answered(Conversation(asker, store=store, id="a", now=NOW), "one", first)
    assert slow.asked.wait(60)
    with pytest.raises(ConversationBusy, match="answering another message"):
        Conversation(drive, store=store, id="a", now=NOW).turn("how many W2s are there?")
    second: list[Any] = []
    waiting = answered(Conversation(drive, store=store, id="a", now=NOW, wait=60), "how many W2s are there?", second)
    time.sleep(0.1)
    slow.go_on.set()
    thread.join()
    waiting.join()
    assert [(reply.number, reply.outcome.kind) for reply in (*first, *second)] == [(1, "count"), (2, "count")]


def test_a_turn_that_is_taken_over_is_reported(drive: Asker, store: Store) -> None:
    """The one who resumes wins; the other one cannot write any more."""
    slow, first = Slow(), []
    thread = answered(Conversation(Asker(drive.compiler, (slow,)), store=store, id="a", now=NOW), "W2s", first)
    assert slow.asked.wait(60)
    taken = Conversation(drive, store=store, id="a", now=NOW).resume()
    slow.go_on.set()
    thread.join()
    assert (taken.text, taken.outcome.kind) == ("W2s", "hits")
    assert isinstance(first[0], ConversationBusy)
    assert len(Conversation(drive, store=store, id="a", now=NOW).history["turns"]) == 1


class Broken:
    """A translator with a mistake that is its host's."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        raise UsageError("the host gave something that cannot be used")
        yield


def test_a_turn_that_an_error_broke_off_does_not_hold_up_the_next(drive: Asker, store: Store) -> None:
    asker = Asker(drive.compiler, (Broken(),))
    with pytest.raises(UsageError, match="the host"):
        Conversation(asker, store=store, id="a", now=NOW).turn("W2s")
    again = Conversation(drive, store=store, id="a", now=NOW)
    resumed = again.resume()
    assert (resumed.number, resumed.outcome.kind) == (1, "hits")
    assert again.turn("how many W2s are there?").number == 2


def test_nothing_to_resume(drive: Asker, store: Store) -> None:
    assert Conversation(drive, store=store, id="a", now=NOW).resume() is None
    assert Conversation(drive, now=NOW).resume() is None


# --- a kill ----------------------------------------------------------------------------------------------------------

DIALOGUE = ["notes with more than 4 pages", "show more", "how many notes are there?"]

CATALOG = table(__file__, "CATALOG")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with an index of notes, and its catalog."""
    folder = tmp_path_factory.mktemp("notes")
    catalog = folder / "notes.yaml"
    catalog.write_text(CATALOG, encoding="utf-8")
    client = qlc.connect(folder / "data")
    properties = {"title": {"type": "keyword"}, "pages": {"type": "integer"}}
    client.indices.create(index="notes", mappings={"properties": properties})
    for n in range(20):
        client.index(index="notes", id=str(n), document={"title": f"note {n}", "pages": n})
    client.indices.refresh(index="notes")
    client.close()
    return folder / "data", catalog


def told(reply: Reply | None) -> Any:
    outcomes = [one.model_dump(mode="json", exclude={"stats", "cursor"}) for one in reply.outcomes]
    return reply.number, reply.text, reply.origin, outcomes


WRITES_OF_A_TURN = len(STAGES) + 1


@pytest.mark.parametrize("writes", range(1, WRITES_OF_A_TURN * len(DIALOGUE) + 1))
def test_a_kill_between_any_two_steps_changes_no_answer(notes: tuple[Path, Path], tmp_path: Path, writes: int) -> None:
    data, catalog = notes
    path = tmp_path / "talk.sqlite"
    assert status_of_killed(data, path, writes, catalog, DIALOGUE) == -signal.SIGKILL

    client = qlc.connect(data, read_only=True)
    options: dict[str, Any] = {"now": NOW, "size": 4}
    compiler = qlc.Compiler(client, catalog)
    expected = [told(reply) for reply in said(Conversation(compiler, **options), *DIALOGUE)]
    store = SQLiteStore(path)
    again = Conversation(compiler, store=store, id="a", **options)
    at = (writes - 1) // WRITES_OF_A_TURN
    assert told(again.resume()) == expected[at]
    assert [told(again.turn(text)) for text in DIALOGUE[at + 1 :]] == expected[at + 1 :]
    assert [turn["number"] for turn in again.history["turns"]] == [1, 2, 3]
    store.close()
    client.close()


def test_the_file_has_no_half_of_a_write(tmp_path: Path) -> None:
    """A process that writes and writes is killed: what is there is a whole write, and none that returned is lost."""
    path = tmp_path / "talk.sqlite"
    writing = (
        "import sys\nfrom qlc.conversation import SQLiteStore\nstore = SQLiteStore(sys.argv[1])\n"
        "for n in range(1, 100000):\n    store.write('a', str(n) * 5000, n)\n    print(n, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", writing, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    returned = 0
    while returned < 50:
        returned = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    process.stdout.close()
    returned = int(rest[-1]) if rest else returned
    store = SQLiteStore(path)
    found = store.read("a")
    store.close()
    assert found.revision in (returned, returned + 1)
    assert found.data == str(found.revision) * 5000
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


async def test_asynchronous_turns_through_a_store(store: Store) -> None:
    client = qlc.connect_async(":memory:")
    for n in range(9):
        await client.index(index="notes", id=str(n), document={"pages": n})
    await client.indices.refresh(index="notes")
    compiler = qlc.Compiler(client, index="notes")
    first = AsyncConversation(compiler, store=store, id="a", now=NOW, size=4)
    await first.turn("find entries where pages >= 0 sort pages")
    second = AsyncConversation(compiler, store=store, id="a", now=NOW, size=4)
    assert (await second.turn("more")).outcome.model_dump()["ids"] == ["4", "5", "6", "7"]
    resumed = await first.resume()
    assert resumed.number == 2
    assert (await first.turn("more")).outcome.model_dump()["ids"] == ["8"]
    await client.close()
