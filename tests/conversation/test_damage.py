"""Damaged and hostile histories: the error that says so, or an answer; never another exception, never half a text."""

import json
import logging
import random
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from qlc.base.errors import UsageError
from qlc.conversation import Conversation, HistoryError, MemoryStore, SQLiteStore
from qlc.conversation.history import LONGEST_READ, read_history
from qlc.conversation.saved import unpacked
from qlc.conversation.stores import Saved
from qlc.translator.entry import Asker
from tests.amounts import some

from .conftest import NOW
from .damage import MESSAGES, TALKS, damaged, flipped

MANY = some(12, 400)
"""Histories of each test."""


@pytest.fixture(scope="module")
def histories(drive: Asker) -> list[Any]:
    """Histories as they are after each message of some conversations."""
    found = []
    for texts in TALKS:
        talk = Conversation(drive, now=NOW)
        found += [json.loads(json.dumps(talk.turn(text).history)) for text in texts]
    return found


def gone_on_with(asker: Asker, history: Any, chance: random.Random) -> str:
    """Continue a history: return `refused`, or `answered` after two turns. Anything else raises."""
    try:
        talk = Conversation(asker, history, now=NOW)
    except HistoryError:
        return "refused"
    for text in chance.sample(MESSAGES, 2):
        reply = talk.turn(text)
        for outcome in reply.outcomes:
            assert (outcome.kind, getattr(outcome, "reason", "")) != ("failed", "internal"), text
            outcome.model_dump_json().encode()
        json.dumps(reply.history, ensure_ascii=False).encode()
        read_history(reply.history)
    return "answered"


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_history_is_refused_or_answered(
    drive: Asker, histories: list[Any], seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(seed)
    with caplog.at_level(logging.ERROR, "qlc"):
        became = [gone_on_with(drive, damaged(chance.choice(histories), chance), chance) for _ in range(MANY)]
    assert set(became) == {"refused", "answered"}
    assert caplog.records == []


def asked_of(drive: Asker, text: str) -> Any:
    talk = Conversation(drive, now=NOW)
    talk.turn(text)
    return json.loads(json.dumps(talk.history))


@pytest.mark.parametrize("program", ["find documents where", "(", "find x ( ", "\x00"])
@pytest.mark.parametrize("answer", ["all of them", "both", "2", "the archive one"])
def test_a_program_that_is_none_asks_no_further(drive: Asker, program: str, answer: str) -> None:
    history = asked_of(drive, "documents in Tax")
    history["turns"][0]["pending"]["program"] = program
    assert Conversation(drive, history, now=NOW).turn(answer).outcome.kind in ("invalid", "declined", "clarify")


DAMAGED: list[tuple[tuple[Any, ...], Any]] = [
    (("said",), -1), (("said",), 10**13), (("turns", 0, "number"), -1),
    (("turns", 0, "parts", 0, "execution", "now"), "soon"), (("turns", 0, "parts", 0, "execution", "size"), -5),
    (("turns", 0, "parts", 0, "execution", "first"), 10**30), (("turns", 0, "parts", 0, "outcome", "kind"), "poem"),
    (("turns", 0, "parts", 0, "outcome", "ids"), 5), (("turns", 0, "parts", 0, "outcome", "ids"), [1, 2]),
    (("turns", 0, "parts", 0, "outcome", "total"), "many"), (("turns", 0, "parts", 0, "outcome", "hits"), [5]),
    (("turns", 0, "parts", 0, "outcome", "hits", 0, "values"), []), (("turns", 0, "parts", 0, "request"), "hello"),
    (("turns", 0, "parts", 0, "choices"), {"x": 1}), (("turns", 0, "rights"), {"who": 5}),
    (("turns", 0, "text"), "x" * LONGEST_READ),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value"), DAMAGED, ids=lambda one: repr(one)[:40])
def test_a_history_with_what_cannot_be_is_refused(drive: Asker, place: tuple[Any, ...], value: Any) -> None:
    history = asked_of(drive, "receipts from Costco")
    parent = history
    for key in place[:-1]:
        parent = parent.setdefault(key, {}) if isinstance(parent, dict) else parent[key]
    parent[place[-1]] = value
    with pytest.raises(HistoryError, match="egin a new one"):
        Conversation(drive, history)


@pytest.mark.parametrize("kind", ["", "ghost"])
@pytest.mark.parametrize(
    "text", ["receipts from Costco", "documents in Travel", "find documents where id exists limit 1"]
)
def test_a_history_may_name_kinds_that_the_catalog_no_longer_has(
    drive: Asker, text: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = json.dumps(asked_of(drive, text))
    history = json.loads(re.sub(r'"entity": "\w+"', f'"entity": "{kind}"', kept))
    assert history != json.loads(kept)
    with caplog.at_level(logging.ERROR, "qlc"):
        for message in (*MESSAGES, "what's in that folder?", "who owns it?", "the first one", "its parent"):
            with suppress(HistoryError):
                Conversation(drive, history, now=NOW).turn(message)
    assert caplog.records == []


# --- half characters -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("half", ["\ud83d", "a\ud800b", "\udc00\ud800"])
def test_half_a_character_is_shown_replaced(drive: Asker, half: str) -> None:
    """In a message, an id, a name of an option, a choice, and a history."""
    store = MemoryStore()
    talk = Conversation(drive, store=store, id=f"id {half}", now=NOW)
    for text in (f"documents named '{half}'", f"documents in {half}", f'find documents where name = "{half}"',
                 f'{{"query": {{"term": {{"name": "{half}"}}}}}}', half):  # fmt: skip
        reply = talk.turn(text)
        for said in (*(one.model_dump() for one in reply.outcomes), reply.history):
            json.dumps(said, ensure_ascii=False).encode()
        assert "\N{REPLACEMENT CHARACTER}" in reply.text
        drive.ask(text, now=NOW, choices={half: half}).model_dump_json().encode()
    assert Conversation(drive, store=store, id=f"id {half}", now=NOW).history == talk.history
    history = asked_of(drive, "documents in Tax")
    history["turns"][0]["pending"]["options"][1]["label"] = f"Tax {half}"
    history["turns"][0]["text"] = history["turns"][0]["parts"][0]["words"] = half
    gone_on = Conversation(drive, history, now=NOW)
    assert "\N{REPLACEMENT CHARACTER}" in gone_on.history["turns"][0]["pending"]["options"][1]["label"]
    for text in ("2", half, "why?"):
        json.dumps(gone_on.turn(text).history, ensure_ascii=False).encode()


# --- stores ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(drive: Asker) -> Saved:
    store = MemoryStore()
    talk = Conversation(drive, store=store, id="a", now=NOW)
    for text in TALKS[0]:
        talk.turn(text)
    found = store.read("a")
    assert found is not None
    return found


def test_what_is_damaged_in_a_store_is_never_read_as_if_it_were_whole(kept: Saved) -> None:
    chance = random.Random(1)
    for _ in range(400):
        data = flipped(kept.data.encode(), chance).decode("utf-8", "replace")
        if data.split() == kept.data.split():
            continue  # one blank for another is no damage
        with pytest.raises(HistoryError):
            unpacked(Saved(kept.revision, data), "a")
    for at in range(0, len(kept.data), 97):
        with pytest.raises(HistoryError):
            unpacked(Saved(kept.revision, kept.data[:at]), "a")


@pytest.mark.parametrize("revision", [1, 10**9, None, "1", 1.5])
def test_it_belongs_to_its_id_and_its_revision(kept: Saved, revision: Any) -> None:
    for saved, id in ((Saved(revision, kept.data), "a"), (Saved(kept.revision, kept.data), "b")):
        with pytest.raises(HistoryError, match="damaged"):
            unpacked(saved, id)


def test_what_an_earlier_version_wrote_is_read(drive: Asker, kept: Saved) -> None:
    data = json.loads(kept.data)
    del data["sum"]
    store = MemoryStore()
    store.write("a", json.dumps({**data, "version": 1}), 1)
    talk = Conversation(drive, store=store, id="a", now=NOW)
    assert talk.history == data["history"]
    assert talk.turn("newest first").outcome.kind == "hits"
    written = store.read("a")
    assert json.loads(written.data)["version"] == 2
    store = MemoryStore()
    store.write("a", json.dumps(data), 1)
    with pytest.raises(HistoryError, match="damaged"):
        Conversation(drive, store=store, id="a")


def test_half_a_character_in_what_is_kept_is_shown_replaced(drive: Asker, kept: Saved) -> None:
    data = json.loads(kept.data)
    del data["sum"]
    data["turn"]["text"] = data["turn"]["outcomes"][0]["message"] = data["history"]["turns"][0]["text"] = "a\ud800"
    store = MemoryStore()
    store.write("a", json.dumps({**data, "version": 1}), 1)
    talk = Conversation(drive, store=store, id="a", now=NOW)
    reply = talk.resume()
    assert (reply.text, reply.outcome.message) == ("a\N{REPLACEMENT CHARACTER}",) * 2
    assert talk.turn("show more").outcome.kind in ("hits", "exhausted", "declined")


COLUMNS: list[tuple[str, Any]] = [
    ("data", None), ("data", b"\xff\xfe"), ("data", 5), ("data", "{}"), ("revision", "x"), ("revision", 2**62),
    ("revision", 1.5),
]  # fmt: skip


def says_the_same(one: bytes, other: str) -> bool:
    """Return whether a flipped bit changes no value: `1E-05` in place of `1e-05`, a capital in an escape."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def test_a_damaged_row_of_sqlite_is_reported(drive: Asker, kept: Saved, tmp_path: Path) -> None:
    path, chance = tmp_path / "talk.sqlite", random.Random(2)
    store = SQLiteStore(path)
    store.write("a", kept.data, 1)
    damaged = (flipped(kept.data.encode(), chance) for _ in range(60))
    rows = [("data", sqlite3.Binary(one)) for one in damaged if not says_the_same(one, kept.data)]
    for column, value in (*rows, *COLUMNS):
        with sqlite3.connect(path) as other:
            other.execute("UPDATE qlc_conversations SET revision = ?, data = ?", (kept.revision, kept.data))
        assert Conversation(drive, store=store, id="a").history["said"] == 5
        cast = "CAST(? AS TEXT)" if isinstance(value, memoryview) else "?"
        try:
            with sqlite3.connect(path) as other:
                other.execute(f"UPDATE qlc_conversations SET {column} = {cast}", (value,))
        except sqlite3.IntegrityError:
            continue
        with pytest.raises(HistoryError, match="damaged"):
            Conversation(drive, store=store, id="a")
        assert list(store.ids()) == ["a"]
    store.close()


def test_a_damaged_file_of_sqlite_is_reported(drive: Asker, kept: Saved, tmp_path: Path) -> None:
    whole, chance = tmp_path / "whole.sqlite", random.Random(3)
    store = SQLiteStore(whole)
    for number in range(1, kept.revision + 1):
        store.write("a", kept.data, number)
    store.close()
    content = whole.read_bytes()
    expected = json.loads(kept.data)["history"]
    for number in range(120):
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(flipped(content, chance))
        with suppress(UsageError):  # HistoryError is one
            damaged_store = SQLiteStore(path)
            assert Conversation(drive, store=damaged_store, id="a").history in (expected, {"version": 1})
            damaged_store.close()
