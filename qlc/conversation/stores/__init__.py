"""Stores of conversations, all of one protocol, which a host can implement for its own store."""

from qlc.conversation.stores.memory import MemoryStore
from qlc.conversation.stores.owned import OwnedStore
from qlc.conversation.stores.protocol import ConversationBusy, Saved, Store, StoreUnavailable
from qlc.conversation.stores.sqlite import SQLiteStore

__all__ = ["ConversationBusy", "MemoryStore", "OwnedStore", "SQLiteStore", "Saved", "Store", "StoreUnavailable"]
