"""Constructions of English: the rows of the tables, and the interpreter that reads a question by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, TypeVar

from qlc.translator.rules.constructions.pattern import Match, Notation, Part, after, beginnings, needed
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


class _Node(Generic[T]):
    """Common beginning of several rows; its parts are matched once for all of them."""

    def __init__(self) -> None:
        self.rows: set[int] = set()
        """Numbers of the rows that go through here."""
        self.after: dict[Part, _Node[T]] = {}
        self.ending: list[tuple[int, Construction[T]]] = []

    def add(self, number: int, row: Construction[T], parts: Sequence[Part]) -> None:
        self.rows.add(number)
        if parts:
            self.after.setdefault(parts[0], _Node()).add(number, row, parts[1:])
        else:
            self.ending.append((number, row))

    def readings(self, match: Match, possible: frozenset[int]) -> Iterator[tuple[int, Found[T]]]:
        """Yield the readings of the possible rows after a match, each with the number of its row."""
        for number, row in self.ending:
            if number in possible:
                for one in row.meaning(match):
                    yield number, Found(one.end, one.value, round(one.cost + match.cost + row.cost, 3))
        for part, node in self.after.items():
            if not node.rows.isdisjoint(possible):
                for longer in after(part, match):
                    yield from node.readings(longer, possible)


class Table(Generic[T]):
    """The constructions of one place in a sentence (a whole question, what follows rows), compiled on first use."""

    def __init__(self, notation: Callable[[], Notation], rows: Sequence[Construction[T]]) -> None:
        self.rows = rows
        self._notation = notation

    @cached_property
    def _patterns(self) -> list[tuple[Part, ...]]:
        return list(map(self._notation().read, (row.pattern for row in self.rows)))

    @cached_property
    def _first(self) -> _Node[T]:
        first: _Node[T] = _Node()
        for number, (row, parts) in enumerate(zip(self.rows, self._patterns, strict=True)):
            first.add(number, row, parts)
        return first

    @cached_property
    def _beginning(self) -> dict[str, list[tuple[int, tuple[frozenset[str], ...]]]]:
        """The rows that can begin with a word, by `""` those that can begin with any; with the words that they need."""
        begun = [(number, beginnings(parts), needed(parts)) for number, parts in enumerate(self._patterns)]
        return {
            word: [(number, cues) for number, one, cues in begun if one is None or word in one]
            for word in frozenset([""]).union(*(one for _, one, _ in begun if one is not None))
        }

    def readings(self, p: Parse, at: int, entity: str = "", given: Any = None) -> Iterator[Found[T]]:
        """Yield the readings of the rows from a position on, in the order of the rows.

        `given` is the value that rows change: a statement, which `{given}` refers to.
        """
        rows = self._beginning.get(p.word(at)) or self._beginning[""]
        possible = frozenset(number for number, cues in rows if all(p.last[one] >= at for one in cues))
        found = self._first.readings(Match(p, at, at, entity, {"given": given}, {}), possible)
        return (one for _, one in sorted(found, key=itemgetter(0)))
