"""Hash functions of the server, where its answers depend on them."""

from __future__ import annotations


def murmur3(data: bytes, seed: int) -> int:
    """MurmurHash3 (x86, 32 bits) as a signed number."""
    mask = 0xFFFFFFFF
    value = seed
    for at in range(0, len(data) - 3, 4):
        value ^= _scramble(int.from_bytes(data[at : at + 4], "little"))
        value = (((value << 13) | (value >> 19)) & mask) * 5 + 0xE6546B64 & mask
    if tail := data[len(data) & ~3 :]:
        value ^= _scramble(int.from_bytes(tail, "little"))
    value ^= len(data)
    value = (value ^ (value >> 16)) * 0x85EBCA6B & mask
    value = (value ^ (value >> 13)) * 0xC2B2AE35 & mask
    value ^= value >> 16
    return value - (1 << 32) if value >> 31 else value


def _scramble(block: int) -> int:
    block = block * 0xCC9E2D51 & 0xFFFFFFFF
    return ((block << 15) | (block >> 17)) * 0x1B873593 & 0xFFFFFFFF
