"""Texts inside the texts of a column, as fields of their own: `Canada` of `Sherbrooke, Canada`; of `FM, DAB` both.

Without them no program counts by a part of a cell. As with `qlc.tables.inner_numbers`, rules of English never use such
fields; a language model is told of each from which text it is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from qlc.tables.cells import as_text, is_missing
from qlc.tables.columns import Column
from qlc.tables.facts import Facts

Place = Literal["parts", "first", "last"]

_BRACKET = r"\s*\((?=[^()]*\)$)"
_MARKS = (*(rf"{one}(?![^()]*\))" for one in (r"\n", r"[;•|]", r",(?:\s+(?:and\s+)?|$)", r"(?<![/:])/(?!/)")), _BRACKET)
"""Marks between parts, outside of brackets, as patterns. The first one whose parts come again is that of a column."""
_LONGEST, _LONGEST_PART = 200, 40
_FEWEST = 3
_AGAIN = 0.6
"""Share of different texts among the parts, up to which they come again: those of names and prose hardly do."""
_FILLED = 0.5
"""Least share of rows with a mark, for the mark to separate parts."""
_APART = 0.1
"""Share of the parts that stand last and elsewhere too, up to which the last one is of another kind: a country."""


@dataclass(frozen=True, slots=True)
class InnerText:
    """The texts of a column at a place between marks: all `parts`, the `first` or the `last` one."""

    column: int
    mark: str
    place: Place
    example: str

    @property
    def name(self) -> str:
        """Name of the field, after that of its column: `last` of `venue_last`."""
        return self.place

    def read(self, cell: Any) -> list[str] | str | None:
        """Return what stands at the place: `Canada` of `Sherbrooke, Canada`; None of a text without the mark, unless
        all parts are asked for, or the one before brackets."""
        found = _parts(self.mark, as_text(cell)) if cell is not None and not isinstance(cell, list | tuple) else ()
        if self.place == "parts":
            return [*found] or None
        is_whole = self.mark == _BRACKET and self.place == "first"
        return found[0 if self.place == "first" else -1] if len(found) > (not is_whole) else None

    def described(self, header: str) -> str:
        """Return what the field holds: `The last part of "Venue": "Canada" of "Sherbrooke, Canada".`"""
        which = "The parts" if self.place == "parts" else f"The {self.place} part"
        read = self.read(self.example)
        shown = " and ".join(f'"{one}"' for one in ([read] if isinstance(read, str) else read or ()))
        return f'{which} of "{header}": {shown} of "{self.example}".'


def inner_texts(columns: Sequence[Column], facts: Sequence[Facts]) -> Iterator[InnerText]:
    """Yield the texts inside the columns of texts whose parts come again."""
    for at, (column, known) in enumerate(zip(columns, facts, strict=True)):
        if column.kind in ("keyword", "text") and not column.many and known.longest <= _LONGEST:
            for mark in _MARKS:
                places = _places(mark, known.others)
                if places:
                    example = min((one for one in known.others if len(_parts(mark, one)) > 1), key=len)
                    yield from (InnerText(at, mark, place, example) for place in places)
                    break


def _places(mark: str, texts: Counter[str]) -> list[Place]:
    """Return which parts of texts are worth a field: `Sherbrooke, Canada` -> the last; `FM, DAB` -> all."""
    first, last, before, alone = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for text, count in texts.items():
        parts = _parts(mark, text)
        if any(len(one) > _LONGEST_PART for one in parts):
            return []
        if len(parts) == 1:
            alone[parts[0]] += count
        elif parts:
            first[parts[0]] += count
            last[parts[-1]] += count
            before.update(dict.fromkeys(parts[:-1], count))
    if last.total() < max(_FEWEST, _FILLED * texts.total()):
        return []
    are_alike = mark != _BRACKET and sum(one in before for one in last + alone) > _APART * len(last)
    if are_alike:
        return ["parts"] if _comes_again(last + before + alone) else []
    places: dict[Place, Counter[str]] = {"first": first, "last": last}
    return [place for place, found in places.items() if _comes_again(found)]


def _comes_again(parts: Counter[str]) -> bool:
    """Return whether parts are words that come again."""
    return 1 < len(parts) <= _AGAIN * parts.total() and sum(one[0].isalpha() for one in parts) > len(parts) / 2


@lru_cache(maxsize=65_536)
def _parts(mark: str, text: str) -> tuple[str, ...]:
    """Return the parts of a text: `FM, DAB` -> `FM`, `DAB`."""
    parts = re.split(mark, text)
    last = parts[-1].removesuffix(")") if mark == _BRACKET and len(parts) > 1 else parts[-1]
    return tuple(one for part in (*parts[:-1], last) if not is_missing(one := part.strip()))
