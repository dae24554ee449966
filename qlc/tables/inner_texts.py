"""Parts of the texts of a column as fields of their own: `Canada` of `Sherbrooke, Canada`.

As with `qlc.tables.inner_numbers`, rules of English never use such fields; a language model is told of each from which
text it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qlc.tables.cells import as_text
from qlc.tables.columns import Column
from qlc.tables.facts import Facts
from qlc.tables.lists import BRACKET, LONGEST, MARKS, comes_again, parts, parts_by_place

Place = Literal["first", "last"]

_FILLED = 0.5
"""Least share of rows with a mark, for the mark to separate parts."""
_APART = 0.1
"""Share of the last parts that stand elsewhere too, up to which the last one is of another kind: a country."""


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
        is_whole = self.mark == BRACKET and self.place == "first"
        return found[0 if self.place == "first" else -1] if len(found) > (not is_whole) else None

    def described(self, header: str) -> str:
        """Return what the field holds: `The last part of "Venue": "Canada" of "Sherbrooke, Canada".`"""
        return f'The {self.place} part of "{header}": "{self.read(self.example)}" of "{self.example}".'


def inner_texts(columns: Sequence[Column], facts: Sequence[Facts]) -> Iterator[InnerText]:
    """Yield the texts inside the columns of texts whose parts come again."""
    for at, (column, known) in enumerate(zip(columns, facts, strict=True)):
        if column.kind in ("keyword", "text") and not column.many and known.longest <= LONGEST:
            for mark in MARKS:
                places = _worth_a_field(mark, known.others)
                if places:
                    example = min((one for one in known.others if len(parts(mark, one)) > 1), key=len)
                    yield from (InnerText(at, mark, place, example) for place in places)
                    break


def _worth_a_field(mark: str, texts: Counter[str]) -> list[Place]:
    """Return which parts of texts are worth a field: `Sherbrooke, Canada` -> the last."""
    found = parts_by_place(mark, texts)
    if found is None or not found.are_often(_FILLED) or (mark != BRACKET and found.alike > _APART):
        return []
    by_place: dict[Place, Counter[str]] = {"first": found.first, "last": found.last}
    return [place for place, ones in by_place.items() if comes_again(ones)]
