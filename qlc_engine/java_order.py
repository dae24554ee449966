"""The order in which the server goes through the keys of a hash table, where an answer shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LEAST_BUCKETS = 16

#: how full the server lets a hash table of its own become
_LOAD = 0.6


def hash_order(keys: Iterable[str]) -> list[str]:
    """Keys in the order of a `java.util.HashMap` into which they were put one after the other."""
    kept = list(dict.fromkeys(keys))
    buckets = _LEAST_BUCKETS
    while len(kept) > 0.75 * buckets:
        buckets *= 2

    def bucket(key: str) -> int:
        code = hash_code(key)
        return (code ^ (code >> 16)) & (buckets - 1)

    return sorted(kept, key=bucket)


def paged_hash_order(keys: Sequence[str]) -> list[int]:
    """The places of different keys in the order of the server's own hash table, made for as many of them."""
    capacity = 1
    while capacity <= len(keys) / _LOAD:
        capacity *= 2
    slots: dict[int, int] = {}
    for place, key in enumerate(keys):
        slot = hash_code(key) & (capacity - 1)
        while slot in slots:
            slot = (slot + 1) & (capacity - 1)
        slots[slot] = place
    return [slots[slot] for slot in sorted(slots)]


def hash_code(text: str) -> int:
    """`String.hashCode`, as an unsigned number of 32 bits."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    code = 0
    for at in range(0, len(encoded), 2):
        code = (31 * code + int.from_bytes(encoded[at : at + 2], "big")) & 0xFFFFFFFF
    return code
