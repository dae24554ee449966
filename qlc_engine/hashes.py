"""Hash functions of the server, where its answers depend on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Words = TypeVar("_Words", np.uint32, NDArray[np.uint32])


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


def murmur3_of_texts(texts: Sequence[bytes], seed: int) -> NDArray[np.uint32]:
    """`murmur3` of many texts at once, as unsigned numbers."""
    found = np.empty(len(texts), np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    for length in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == length)
        padded = -length % 4
        data = b"".join(texts[place] + b"\0" * padded for place in places.tolist())
        found[places] = _murmur3(np.frombuffer(data, "<u4").reshape(len(places), -1), length, seed)
    return found


def _murmur3(blocks: NDArray[np.uint32], length: int, seed: int) -> NDArray[np.uint32]:
    value = np.full(len(blocks), seed, np.uint32)
    whole = length // 4
    with np.errstate(over="ignore"):
        for at in range(blocks.shape[1]):
            block = blocks[:, at].astype(np.uint32) * np.uint32(0xCC9E2D51)
            value ^= ((block << np.uint32(15)) | (block >> np.uint32(17))) * np.uint32(0x1B873593)
            if at < whole:
                value = ((value << np.uint32(13)) | (value >> np.uint32(19))) * np.uint32(5) + np.uint32(0xE6546B64)
    return mix32(value ^ np.uint32(length))


def mix32(value: _Words) -> _Words:
    """The last step of murmur3, which lets every bit depend on every other."""
    with np.errstate(over="ignore"):
        value = (value ^ (value >> np.uint32(16))) * np.uint32(0x85EBCA6B)
        value = (value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return value ^ (value >> np.uint32(16))
