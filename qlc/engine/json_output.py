"""Answers as JSON: stored documents are put in as the bytes they came as, without reading them again."""

from __future__ import annotations

import json
import re
from typing import Any


class RawJson:
    """JSON that stands ready in an answer."""

    __slots__ = ("source",)

    def __init__(self, source: bytes) -> None:
        self.source = source


#: Marks the place of a RawJson; a text of the answer that looks like it is told apart by the escaped character.
_MARK = "\x00raw:"
_MARK_PATTERN = re.compile(rb'"\\u0000raw:(\d+)"')


def dump_json(body: Any) -> bytes:
    raws: list[bytes] = []

    def keep(value: Any) -> str:
        if not isinstance(value, RawJson):
            raise TypeError(f"{type(value).__name__} cannot stand in an answer")
        raws.append(value.source)
        return f"{_MARK}{len(raws) - 1}"

    text = json.dumps(body, default=keep, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    encoded = text.encode("utf-8", "surrogatepass")
    if not raws:
        return encoded
    return _MARK_PATTERN.sub(lambda found: raws[int(found.group(1))], encoded)
