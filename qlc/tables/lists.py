"""Lists in the texts of a column: the marks between their elements, and the parts of a text by their place."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from qlc.tables.cells import is_missing
from qlc.tables.facts import Facts

BRACKET = r"\s*\((?=[^()]*\)$)"
MARKS = (*(rf"{one}(?![^()]*\))" for one in (r"\n", r"[;•|]", r",(?:\s+(?:and\s+)?|$)", r"(?<![/:])/(?!/)")), BRACKET)
"""Marks between parts, outside of brackets, as patterns. The first one whose parts come again is that of a column."""
LONGEST, _LONGEST_PART = 200, 40
_FEWEST = 3
_AGAIN = 0.6
"""Share of different texts among the parts, up to which they come again: those of names and prose hardly do."""
_FILLED = 0.1
"""Least share of rows with a mark, for the mark to separate the elements of lists."""
_ALIKE = 0.4
"""Least share of the last parts that stand at other places too, for all to be elements of lists."""


@dataclass(frozen=True, slots=True)
class Places:
    """The parts of the texts of a column by their place, with how many rows have each; `alone` are whole texts."""

    first: Counter[str]
    last: Counter[str]
    before: Counter[str]
    alone: Counter[str]

    @property
    def alike(self) -> float:
        """Share of the last parts that stand at other places too."""
        return sum(one in self.before or one in self.alone for one in self.last) / len(self.last)

    def are_often(self, share: float) -> bool:
        """Return whether a least share of the rows has several parts."""
        return self.last.total() >= max(_FEWEST, share * (self.last.total() + self.alone.total()))


def list_mark(known: Facts) -> str:
    """Return the mark between the elements, as a pattern, if the texts of a column are lists; else nothing."""
    for mark in MARKS[:-1] if known.longest <= LONGEST else ():
        found = parts_by_place(mark, known.others)
        is_list = found is not None and found.are_often(_FILLED) and found.alike >= _ALIKE
        if found is not None and is_list and comes_again(found.last + found.before + found.alone):
            return mark
    return ""


def parts_by_place(mark: str, texts: Counter[str]) -> Places | None:
    """Return the parts of texts by their place; None if no text has several, or if a part is as long as prose."""
    first, last, before, alone = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for text, count in texts.items():
        found = parts(mark, text)
        if any(len(one) > _LONGEST_PART for one in found):
            return None
        if len(found) == 1:
            alone[found[0]] += count
        elif found:
            first[found[0]] += count
            last[found[-1]] += count
            before.update(dict.fromkeys(found[:-1], count))
    return Places(first, last, before, alone) if last else None


def comes_again(found: Counter[str]) -> bool:
    """Return whether parts are words that come again."""
    return 1 < len(found) <= _AGAIN * found.total() and sum(one[0].isalpha() for one in found) > len(found) / 2


@lru_cache(maxsize=65_536)
def parts(mark: str, text: str) -> tuple[str, ...]:
    """Return the parts of a text: `FM, DAB` -> `FM`, `DAB`."""
    split = re.split(mark, text)
    last = split[-1].removesuffix(")") if mark == BRACKET and len(split) > 1 else split[-1]
    return tuple(one for part in (*split[:-1], last) if not is_missing(one := part.strip()))
