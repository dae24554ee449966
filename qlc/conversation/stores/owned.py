"""Conversations of one owner in a store of many: what belongs to others is as if it were not there."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from qlc.base.errors import UsageError
from qlc.conversation.stores.protocol import ConversationBusy, Saved, Store


class OwnedStore:
    """The part of a store that belongs to an owner: an identity of the host's, such as the id of a user.

    Owners cannot read, continue, delete or list the conversations of others, and may use the same ids. Raises
    UsageError for an owner that is empty or not a text.
    """

    def __init__(self, store: Store, owner: str) -> None:
        if not isinstance(owner, str) or not owner:
            raise UsageError("owner must be a text that says whose the conversations are, and not be empty")
        self._store = store
        self._prefix = f"{hashlib.blake2b(owner.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}:"

    def read(self, id: str) -> Saved | None:
        return self._store.read(self._prefix + id)

    def write(self, id: str, data: str, revision: int) -> None:
        try:
            self._store.write(self._prefix + id, data, revision)
        except ConversationBusy:  # its message has the id of the store
            raise ConversationBusy.elsewhere(id) from None

    def delete(self, id: str) -> None:
        self._store.delete(self._prefix + id)

    def ids(self) -> Sequence[str]:
        return [one.removeprefix(self._prefix) for one in self._store.ids() if one.startswith(self._prefix)]
