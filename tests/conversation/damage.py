"""Conversations, damaged in every way that is thought of: for histories, and for what stores keep."""

import copy
import random
from typing import Any

from tests.fuzz.changing import changed
from tests.tables import table

TALKS = table(__file__, "TALKS")

MESSAGES = table(__file__, "MESSAGES")

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 3, 10**12, 10**13, 10**30, 1.5, 1e308, "", "x", "\ud800", "a\udfffb", "x" * 5_000, [], {}, [[]],
    [None], {"": None}, [{}], {"id": 1}, "find documents where", "find x ( ", "find documents", "2026-13-45",
    "9999-12-31T23:59:59+00:00", "\x00", "‹each›", "‹found by›x (", "hits", "clarify", "aggregate", "value", "several",
)  # fmt: skip

KEYS = ("more", "turns", "text", "program", "outcome", "ids", "", "\ud800")


def damaged(history: Any, chance: random.Random) -> Any:
    """A copy with one to four places damaged: left out, of another type, exchanged, cut, doubled, one level deeper."""
    data = copy.deepcopy(history)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = changed(data, chance, ODD, KEYS)
    return data


def flipped(data: bytes, chance: random.Random) -> bytes:
    """The same with some bytes that are others."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        found[chance.randrange(len(found))] ^= chance.randrange(1, 256)
    return bytes(found)
