"""Bounds of what a model gives as the input of a tool, before anything walks through it by recursion."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

from qlc.base.texts import has_half

MOST_VALUES = 40_000
"""Keys and values in one input: objects, lists, texts, numbers. The longest output that is asked for has fewer."""
MOST_CHARACTERS = 400_000
MOST_LEVELS = 20
"""Of objects and lists in each other."""


def excess(value: Any) -> str:
    """Return what is too much of a value, without recursion; empty if nothing is."""
    if has_half(value):
        return ": it has a text that is not valid Unicode"
    level: list[Any] = [value]
    left, characters = MOST_VALUES, MOST_CHARACTERS
    for _ in range(MOST_LEVELS):
        left -= len(level)
        if left < 0:
            return f": it has more than {MOST_VALUES} keys and values"
        characters -= sum(len(one) for one in level if isinstance(one, str))
        if characters < 0:
            return f": it has more than {MOST_CHARACTERS} characters"
        level = list(islice(chain.from_iterable(map(_parts, level)), left + 1))
        if not level:
            return ""
    return f": it has more than {MOST_LEVELS} levels of lists and objects"


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return chain(value, value.values())
    return value if isinstance(value, list) else ()
