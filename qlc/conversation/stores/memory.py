"""Conversations in the memory of a process: for tests, and for hosts that need no more."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from qlc.conversation.stores.protocol import ConversationBusy, Saved


class MemoryStore:
    def __init__(self) -> None:
        self._saved: dict[str, Saved] = {}
        self._lock = threading.Lock()

    def read(self, id: str) -> Saved | None:
        return self._saved.get(id)

    def write(self, id: str, data: str, revision: int) -> None:
        with self._lock:
            found = self._saved.get(id)
            if (found.revision if found is not None else 0) != revision - 1:
                raise ConversationBusy.elsewhere(id)
            self._saved.pop(id, None)  # the one that is written last is listed first
            self._saved[id] = Saved(revision, data)

    def delete(self, id: str) -> None:
        with self._lock:
            self._saved.pop(id, None)

    def ids(self) -> Sequence[str]:
        with self._lock:
            return list(reversed(self._saved))
