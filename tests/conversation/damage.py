"""Conversations, damaged in every way that is thought of: for histories, and for what stores keep."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from tests.tables import table

TALKS = table(__file__, "TALKS")

MESSAGES = table(__file__, "MESSAGES")

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 3, 10**12, 10**13, 10**30, 1.5, 1e308, "", "x", "\ud800", "a\udfffb", "x" * 5_000, [], {}, [[]],
    [None], {"": None}, [{}], {"id": 1}, "find documents where", "find x ( ", "find documents", "2026-13-45",
    "9999-12-31T23:59:59+00:00", "\x00", "‹each›", "‹found by›x (", "hits", "clarify", "aggregate", "value", "several",
)  # fmt: skip

MARKS = ("\x00", "\ud83d", '"', "(", "é", " ", "9", "\n", "\U0001f600", "=")


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    each = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, one in each:
        yield (*path, key)
        yield from places(one, (*path, key))


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def damaged(history: Any, chance: random.Random) -> Any:
    """A copy with one to four places damaged: left out, of another type, exchanged, cut, doubled, in disorder."""
    data = copy.deepcopy(history)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        every = list(places(data))
        if not every:
            break
        path = chance.choice(every)
        parent, key = _at(data, path[:-1]), path[-1]
        one = parent[key]
        match chance.randrange(8):
            case 0:
                del parent[key]
            case 1:
                parent[key] = copy.deepcopy(chance.choice(ODD))
            case 2:
                parent[key] = copy.deepcopy(_at(data, chance.choice(every)))
            case 3 if isinstance(one, str) and one:
                at = chance.randrange(len(one))
                parent[key] = one[:at] + chance.choice(MARKS) + one[at + 1 :]
            case 4 if isinstance(one, int | float):
                parent[key] = chance.choice([one + 1, one - 1, -one, one * 1_000, float(one)])
            case 5 if isinstance(parent, list):
                parent.insert(chance.randrange(len(parent) + 1), copy.deepcopy(one))
            case 6 if isinstance(parent, list):
                chance.shuffle(parent)
            case 7 if isinstance(one, str):
                parent[key] = one[: chance.randrange(len(one) + 1)]
            case _ if isinstance(parent, dict):
                parent["more"] = 1
            case _:
                parent.append(1)
    return data


def flipped(data: bytes, chance: random.Random) -> bytes:
    """The same with some bytes that are others."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        found[chance.randrange(len(found))] ^= chance.randrange(1, 256)
    return bytes(found)
