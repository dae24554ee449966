"""Answers as JSON: stored documents are put in as the bytes they came as, without reading them again.

For a client in the same process an answer need not become JSON: it is handed over as the objects that would be read.
"""

from __future__ import annotations

import json
import math
import os
from typing import Any


class RawJson:
    """JSON that is already written."""

    __slots__ = ("source",)

    def __init__(self, source: bytes) -> None:
        self.source = source


class Handed:
    """An answer that no one else holds a part of, made of nothing but what reading its JSON would give."""

    __slots__ = ("body",)

    def __init__(self, body: Any) -> None:
        self.body = body


_decoder = json.JSONDecoder()


def read_stored(source: bytes) -> Any:
    """A stored document as a client would read it from an answer. It was read when it was written: it is JSON."""
    return _decoder.raw_decode(source.decode("utf-8", "surrogatepass"))[0]


#: Marks the place of a RawJson. No text of an answer is the same: nobody knows it before.
_MARK = f"raw {os.urandom(12).hex()}"
_ENCODED_MARK = f'"{_MARK}"'.encode()


def _without_constants(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _without_constants(item) for key, item in value.items()}
    return [_without_constants(item) for item in value] if isinstance(value, list | tuple) else value


def dump_json(body: Any) -> bytes:
    raws: list[bytes] = []

    def keep(value: Any) -> str:
        if not isinstance(value, RawJson):
            raise TypeError(f"{type(value).__name__} cannot be in an answer")
        raws.append(value.source)
        return _MARK

    # responses have no cycles
    encoder = json.JSONEncoder(
        default=keep, ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
    )
    try:
        written = encoder.encode(body)
    except ValueError:
        # a number that JSON has not: a server writes it as a text
        raws.clear()
        written = encoder.encode(_without_constants(body))
    encoded = written.encode("utf-8", "surrogatepass")
    if not raws:
        return encoded
    # they were met in the order in which they are
    around = encoded.split(_ENCODED_MARK)
    joined = [around[0]]
    for raw, after in zip(raws, around[1:], strict=True):
        joined += (raw, after)
    return b"".join(joined)
