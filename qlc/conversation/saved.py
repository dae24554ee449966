"""The stored form of a conversation: the history and the current turn, with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from qlc.base.texts import whole
from qlc.conversation.history import History, HistoryError, as_json, read_history
from qlc.conversation.stores.protocol import Saved, Store
from qlc.conversation.working import Working

VERSION = 2
"""Version of the stored form. Versions before 2 have no checksum."""


def packed(working: Working | None, history: History, until: float, id: str, revision: int) -> str:
    """Return the text to store. After the time `until` the current turn counts as broken off."""
    turn = working.model_dump(mode="json", exclude_defaults=True) if working is not None else None
    data = {"version": VERSION, "until": until, "turn": turn, "history": as_json(history)}
    return json.dumps({**data, "sum": _sum(data, id, revision)})


def begin(store: Store, id: str) -> None:
    """Store a new, empty conversation. Raises ConversationBusy if there is one with this id."""
    store.write(id, packed(None, History(), 0.0, id, 1), 1)


def unpacked(saved: Saved, id: str) -> tuple[History, Working | None, float]:
    """Return the history, the last turn, and the time until which that may be running. Raises HistoryError."""
    try:
        data = json.loads(saved.data)
        if type(saved.revision) is not int:
            raise TypeError
        if data["version"] > VERSION:
            raise HistoryError(f"the conversation '{id}' was written by a newer qlc: update qlc to continue it")
        if (data["version"] > 1 or "sum" in data) and data.pop("sum") != _sum(data, id, saved.revision):
            raise ValueError
        history, turn = read_history(data["history"]), data["turn"]
        text = whole(json.dumps(turn, ensure_ascii=False))
        return history, None if turn is None else Working.model_validate_json(text), float(data["until"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise HistoryError(f"what is stored of the conversation '{id}' is damaged: delete it") from None


def _sum(data: Mapping[str, Any], id: str, revision: int) -> str:
    """Return the checksum of a stored conversation: its id, its revision, and its data."""
    text = json.dumps([id, revision, data])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def read_kept(saved: Saved, id: str) -> dict[str, Any]:
    """Return the history of a stored conversation as plain JSON. Raises HistoryError."""
    return as_json(unpacked(saved, id)[0])
