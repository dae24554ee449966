"""Names: which need no quotes, and their one normal form."""

from __future__ import annotations

import re

RESERVED = frozenset(
    ["and", "or", "not", "true", "false", "null", "now", "today", "yesterday", "tomorrow", "this", "last", "next"]
)
"""Never the first word of a name without back-quotes. After a dot every word is a name."""

_PLAIN = re.compile(r"[^\W\d]\w*|@\w*")


def normal(name: str) -> str:
    """NFC: two ways to write an accented letter are one name. Strings are left as they are."""
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", name)


def name_end(source: str, end: int, most: int) -> int:
    """Where the name goes on that matched up to `end`: over combining marks, which Python does not count as letters.
    Not gone on with for more than `most` characters."""
    from unicodedata import category

    last = min(len(source), end + most)
    while end < last and (source[end].isalnum() or source[end] == "_" or category(source[end])[0] == "M"):
        end += 1
    return end


def is_plain(name: str) -> bool:
    """Whether the name can be written without back-quotes, keywords aside."""
    match = _PLAIN.match(name)
    if match is None:
        return False
    end = match.end()
    return end == len(name) or (name[end] > "\u02ff" and name_end(name, end, len(name)) == len(name))
