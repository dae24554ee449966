"""The protocol of a store of conversations: one text for each id, and no two writers at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from qlc.base.errors import QlcError, UsageError
from qlc.base.lazy import optional
from qlc_search import install


class ConversationBusy(QlcError):
    """Another turn of the conversation is on its way, or was made since it was read. Try again when it has ended."""

    @classmethod
    def elsewhere(cls, id: str) -> Self:
        """Return the error for a write after that of another."""
        return cls(f"the conversation '{id}' was continued elsewhere: load it again")


class StoreUnavailable(QlcError):
    """The server of a store cannot be reached, or does not do the work."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The stored text of a conversation. `revision` counts its writes, from 1."""

    revision: int
    data: str


class Store(Protocol):
    """Anything that keeps texts by id. Methods are safe under threads and processes; a write is whole or not at all."""

    def read(self, id: str) -> Saved | None:
        """Return the text that was written last; None if there is none."""
        ...

    def write(self, id: str, data: str, revision: int) -> None:
        """Write the revision after the one that was read (1: the first). Raises ConversationBusy if that revision
        exists."""
        ...

    def delete(self, id: str) -> None:
        """Delete a conversation, if it exists."""
        ...

    def ids(self) -> Sequence[str]:
        """Return the ids of all conversations, those written last first."""
        ...


def driver(package: str, extra: str) -> Any:
    """Import the package that connects to a server. Raises UsageError, which says how to install it."""
    if (found := optional(package)) is None:
        raise UsageError(f"the package '{package}' is needed: {install(extra)}")
    return found
