"""Conversations: a message and a history become answers and a longer history; with choices, pages, checkpoints."""

from qlc.conversation.conversation import AsyncConversation, Conversation
from qlc.conversation.history import HistoryError
from qlc.conversation.reply import Reply
from qlc.conversation.saved import read_kept
from qlc.conversation.stores import (
    ConversationBusy,
    MemoryStore,
    OwnedStore,
    SQLiteStore,
    Store,
    StoreUnavailable,
)

__all__ = [
    "AsyncConversation",
    "Conversation",
    "ConversationBusy",
    "HistoryError",
    "MemoryStore",
    "OwnedStore",
    "Reply",
    "SQLiteStore",
    "Store",
    "StoreUnavailable",
    "read_kept",
]
