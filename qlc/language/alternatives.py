"""Regular expressions for one of many words, as a trie, which is several times as fast as a list of alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


def one_of(words: Iterable[str]) -> str:
    """Return an expression without groups that matches the longest of some words: `may march mar` ->
    `ma(?:y|r(?:ch)?)`."""
    trie: dict[str, Any] = {}
    for word in words:
        node = trie
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    return _expression(trie)


def _expression(node: dict[str, Any]) -> str:
    parts = [re.escape(character) + _expression(rest) for character, rest in node.items() if character]
    if not parts:
        return ""
    is_one = len(parts) == 1 and "" not in node
    return (parts[0] if is_one else f"(?:{'|'.join(parts)})") + ("?" if "" in node else "")

