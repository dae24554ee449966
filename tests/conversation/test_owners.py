"""Conversations of owners in one store: what belongs to another is as if it were not there."""

from typing import Any

import pytest

from qlc.base.errors import UsageError
from qlc.conversation import Conversation, ConversationBusy, MemoryStore, OwnedStore, SQLiteStore, Store
from qlc.translator.entry import Asker

from .conftest import NOW, said


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    made = SQLiteStore(tmp_path / "talk.sqlite")
    yield MemoryStore() if request.param == "memory" else made
    made.close()


def test_nobody_sees_what_another_asked(drive: Asker, store: Store) -> None:
    dana, ann = OwnedStore(store, "dana"), OwnedStore(store, "ann")
    said(Conversation(drive, store=dana, id="1", now=NOW), "documents in Travel", "the business one")
    for id in ("1", "no such conversation"):  # whose it is, and whether it is there, looks the same
        other = Conversation(drive, store=ann, id=id, now=NOW)
        assert (other.resume(), other.history) == (None, {"version": 1})
        assert ann.read(id) is None
        with pytest.raises(UsageError, match="there is no answer yet"):
            other.export("csv")
    assert (list(ann.ids()), list(dana.ids())) == ([], ["1"])


def test_the_same_id_is_another_conversation(drive: Asker, store: Store) -> None:
    dana, ann = OwnedStore(store, "dana"), OwnedStore(store, "ann")
    said(Conversation(drive, store=dana, id="1", now=NOW), "documents in Travel", "the business one")
    assert Conversation(drive, store=ann, id="1", now=NOW).turn("show more").outcome.kind == "declined"
    ann.delete("1")
    gone_on = Conversation(drive, store=OwnedStore(store, "dana"), id="1", now=NOW)
    reply = gone_on.resume()
    assert (reply.number, gone_on.turn("show more").number) == (2, 3)


@pytest.mark.parametrize("owner", ["", None, 5])
def test_an_owner_is_a_text(owner: Any) -> None:
    with pytest.raises(UsageError, match="owner must be a text"):
        OwnedStore(MemoryStore(), owner)


def test_a_busy_conversation_is_named_without_its_owner(store: Store) -> None:
    with pytest.raises(ConversationBusy, match="the conversation '1' was continued elsewhere"):
        OwnedStore(store, "dana").write("1", "{}", 5)
