"""Where conversations are kept between turns, and within one: after one protocol, for a host that wants a store."""

from qlc.conversation.stores.memory import MemoryStore
from qlc.conversation.stores.owned import OwnedStore
from qlc.conversation.stores.protocol import ConversationBusy, Saved, Store, StoreUnavailable
from qlc.conversation.stores.sqlite import SQLiteStore

__all__ = ["ConversationBusy", "MemoryStore", "OwnedStore", "SQLiteStore", "Saved", "Store", "StoreUnavailable"]
