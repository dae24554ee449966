"""The order in which the server goes through the keys of a hash table, where an answer shows it."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST_BUCKETS = 16


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


def hash_code(text: str) -> int:
    """`String.hashCode`, as an unsigned number of 32 bits."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    code = 0
    for at in range(0, len(encoded), 2):
        code = (31 * code + int.from_bytes(encoded[at : at + 2], "big")) & 0xFFFFFFFF
    return code
