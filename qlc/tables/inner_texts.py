"""Texts inside the texts of a column: `FM, DAB` is a list of two, and `Canada` of `Sherbrooke, Canada` a field.

A column of lists is stored as lists, so that "with DAB" finds each row that has it. A part at a certain place is a
field of its own. As with `qlc.tables.inner_numbers`, rules of English never use such fields; a language model is told
of each from which text it is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from qlc.tables.cells import as_text, is_missing
from qlc.tables.facts import Facts

if TYPE_CHECKING:
    from qlc.tables.columns import Column

Place = Literal["first", "last"]

_BRACKET = r"\s*\((?=[^()]*\)$)"
_MARKS = (*(rf"{one}(?![^()]*\))" for one in (r"\n", r"[;•|]", r",(?:\s+(?:and\s+)?|$)", r"(?<![/:])/(?!/)")), _BRACKET)
"""Marks between parts, outside of brackets, as patterns. The first one whose parts come again is that of a column."""
_LONGEST, _LONGEST_PART = 200, 40
_FEWEST = 3
_AGAIN = 0.6
"""Share of different texts among the parts, up to which they come again: those of names and prose hardly do."""
_FILLED, _FILLED_LISTS = 0.5, 0.1
"""Least share of rows with a mark, for the mark to separate parts at certain places, and elements of lists."""
_APART, _ALIKE = 0.1, 0.4
"""Share of the parts that stand last and elsewhere too: up to the first one the last part is of another kind (a
country), from the second one on all are elements of a list."""


@dataclass(frozen=True, slots=True)
class InnerText:
    """The texts of a column at a place between marks: the `first` or the `last` one."""

    column: int
    mark: str
    place: Place
    example: str

    @property
    def name(self) -> str:
        """Name of the field, after that of its column: `last` of `venue_last`."""
        return self.place

    def read(self, cell: Any) -> str | None:
        """Return what stands at the place: `Canada` of `Sherbrooke, Canada`; None of a text without the mark, unless
        the part before brackets is asked for."""
        found = parts(self.mark, as_text(cell)) if cell is not None and not isinstance(cell, list | tuple) else ()
        is_whole = self.mark == _BRACKET and self.place == "first"
        return found[0 if self.place == "first" else -1] if len(found) > (not is_whole) else None

    def described(self, header: str) -> str:
        """Return what the field holds: `The last part of "Venue": "Canada" of "Sherbrooke, Canada".`"""
        return f'The {self.place} part of "{header}": "{self.read(self.example)}" of "{self.example}".'


@dataclass(frozen=True, slots=True)
class _Places:
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
    for mark in _MARKS[:-1] if known.longest <= _LONGEST else ():
        found = _places(mark, known.others)
        is_list = found is not None and found.are_often(_FILLED_LISTS) and found.alike >= _ALIKE
        if found is not None and is_list and _comes_again(found.last + found.before + found.alone):
            return mark
    return ""


def inner_texts(columns: Sequence[Column], facts: Sequence[Facts]) -> Iterator[InnerText]:
    """Yield the texts inside the columns of texts whose parts come again."""
    for at, (column, known) in enumerate(zip(columns, facts, strict=True)):
        if column.kind in ("keyword", "text") and not column.many and known.longest <= _LONGEST:
            for mark in _MARKS:
                places = _single_places(mark, known.others)
                if places:
                    example = min((one for one in known.others if len(parts(mark, one)) > 1), key=len)
                    yield from (InnerText(at, mark, place, example) for place in places)
                    break


def _single_places(mark: str, texts: Counter[str]) -> list[Place]:
    """Return which parts of texts are worth a field: `Sherbrooke, Canada` -> the last."""
    found = _places(mark, texts)
    if found is None or not found.are_often(_FILLED) or (mark != _BRACKET and found.alike > _APART):
        return []
    by_place: dict[Place, Counter[str]] = {"first": found.first, "last": found.last}
    return [place for place, ones in by_place.items() if _comes_again(ones)]


def _places(mark: str, texts: Counter[str]) -> _Places | None:
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
    return _Places(first, last, before, alone) if last else None


def _comes_again(found: Counter[str]) -> bool:
    """Return whether parts are words that come again."""
    return 1 < len(found) <= _AGAIN * found.total() and sum(one[0].isalpha() for one in found) > len(found) / 2


@lru_cache(maxsize=65_536)
def parts(mark: str, text: str) -> tuple[str, ...]:
    """Return the parts of a text: `FM, DAB` -> `FM`, `DAB`."""
    split = re.split(mark, text)
    last = split[-1].removesuffix(")") if mark == _BRACKET and len(split) > 1 else split[-1]
    return tuple(one for part in (*split[:-1], last) if not is_missing(one := part.strip()))
