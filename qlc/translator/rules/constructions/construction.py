"""Constructions of English: the rows of the tables, and the interpreter that reads a question by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from qlc.translator.rules.constructions.pattern import Match, Notation, Part, matches, needed
from qlc.translator.rules.parse import Found, Parse

T = TypeVar("T")
Meaning = Callable[[Match], Iterable[Found[T]]]


@dataclass(frozen=True)
class Construction(Generic[T]):
    """One row: how something is said, and what it means.

    `reads` and `leaves` are a question that the row reads and one that it must leave to others; a test asks both of the
    sample catalogs (tests/translator/constructions).
    """

    name: str
    meaning: Meaning[T]
    cost: float
    pattern: str
    reads: str
    leaves: str


class Table(Generic[T]):
    """The constructions of one place in a sentence (a whole question, what follows rows), compiled on first use."""

    def __init__(self, notation: Callable[[], Notation], rows: Sequence[Construction[T]]) -> None:
        self.rows = rows
        self._notation = notation

    @cached_property
    def _compiled(self) -> tuple[tuple[Construction[T], tuple[Part, ...], tuple[frozenset[str], ...]], ...]:
        notation = self._notation()
        parts = [notation.read(row.pattern) for row in self.rows]
        return tuple((row, one, needed(one)) for row, one in zip(self.rows, parts, strict=True))

    def readings(self, p: Parse, at: int, entity: str = "", given: Any = None) -> Iterator[Found[T]]:
        """What the rows read from a position on. `given` is what they change: the rows of numbers, in `{given}`."""
        for row, parts, cues in self._compiled:
            if any(p.last[one] < at for one in cues):
                continue
            for match in matches(parts, Match(p, at, at, entity, {"given": given})):
                for one in row.meaning(match):
                    yield Found(one.end, one.value, round(one.cost + match.cost + row.cost, 3))
