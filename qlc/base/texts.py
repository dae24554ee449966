"""Texts with special characters: unpaired surrogates, terminal controls, display width.

An unpaired surrogate is a character in Python only: JSON, files and terminals reject it.
"""

from __future__ import annotations

import re
from typing import Any
from unicodedata import combining, east_asian_width

REPLACEMENT = "\ufffd"
"""Replacement for an unpaired surrogate."""

_HALF = re.compile("[\ud800-\udfff]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls except tab and line feed, changes of text direction, characters without width, unpaired surrogates."""

UNPRINTED = re.compile(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]+")
"""Characters that end a line of YAML, or cannot occur in one unescaped."""


def half_of(text: str) -> int:
    """Return the position of an unpaired surrogate in a text; -1 if there is none."""
    if text.isascii():
        return -1
    found = _HALF.search(text)
    return -1 if found is None else found.start()


def whole(text: str) -> str:
    """Return the text with U+FFFD for each unpaired surrogate; other characters keep their places."""
    return text if text.isascii() else _HALF.sub(REPLACEMENT, text)


def has_half(data: Any) -> bool:
    """Whether a text anywhere in plain data (mappings, lists, their keys) has an unpaired surrogate."""
    left = [data]
    for one in left:  # what is appended meanwhile is looked at too
        kind = type(one)
        if kind is str:
            if not one.isascii() and _HALF.search(one):
                return True
        elif kind is dict:
            left += one
            left += one.values()
        elif kind is list or kind is tuple:
            left += one
    return False


def whole_data(data: Any) -> Any:
    """Apply `whole` to every text in plain data; the same object is returned if nothing changes."""
    return _whole_data(data) if has_half(data) else data


def _whole_data(data: Any) -> Any:
    match data:
        case str():
            return whole(data)
        case dict():
            return {_whole_data(key): _whole_data(one) for key, one in data.items()}
        case list():
            return list(map(_whole_data, data))
        case tuple():
            return tuple(map(_whole_data, data))
        case _:
            return data


def one_line(text: str) -> str:
    r"""Return the text as one line for a comment of YAML: "a\nb" -> "a b"."""
    return UNPRINTED.sub(" ", text)


def with_capital(text: str) -> str:
    """Capitalize the first letter, and leave the others."""
    return text[:1].upper() + text[1:]


def escaped(text: str) -> str:
    r"""Escape characters for a terminal: invisible and control characters become `\x1b`, `\u202e`.

    Tabs and line feeds are kept.
    """
    return text if text.isascii() and text.isprintable() else _UNSEEN.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    code = ord(found[0])
    # From 127 on JSON allows the character itself and not \x: what is printed on a terminal can still be JSON.
    return f"\\x{code:02x}" if code < 0x7F else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def width_of(text: str) -> int:
    """Return the number of terminal columns of a text: ideographs take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)
