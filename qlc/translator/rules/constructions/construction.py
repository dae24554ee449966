"""Constructions of English: the rows of the tables, and the interpreter that reads a question by them."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, Generic, TypeVar

from qlc.base.frozen import unguarded_dataclass
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words.phrases import Phrases

_MARKS = re.compile(r"\{[^}]*\}|<[^>]*>|[()\[\]|]|[^\s()\[\]|{}<>]+")
_CLOSING = {"(": ")", "[": "]"}


@unguarded_dataclass(frozen=True, slots=True)
class Match:
    """State of a match: tokens from `start` to `end`, the values of the slots, and the `entity` that one named."""

    parse: Parse
    start: int
    end: int
    entity: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    ends: Mapping[str, int] = field(default_factory=dict)
    cost: float = 0.0

    def __getitem__(self, slot: str) -> Any:
        return self.values[slot]

    def get(self, slot: str) -> Any:
        """The value of a slot; None where the pattern matched without it."""
        return self.values.get(slot)

    def plural(self, slot: str) -> bool:
        """Whether the noun that a slot read is in the plural: `causes of delay`, not `cause of delays`."""
        last = self.ends[slot]
        first = max([self.start, *(end for end in self.ends.values() if end < last)])
        head = next((at for at in range(first, last) if self.parse.word(at) == "of"), last)
        return self.parse.plural(head)

    def moved(self, end: int) -> Match:
        """The same, up to another token."""
        return Match(self.parse, self.start, end, self.entity, self.values, self.ends, self.cost)

    def with_value(self, slot: str, found: Found[Any], entity: str) -> Match:
        """The match with what a slot has read at its end."""
        values, ends = {**self.values, slot: found.value}, {**self.ends, slot: found.end}
        return Match(self.parse, self.start, found.end, entity, values, ends, self.cost + found.cost)

    def has(self, *words: str) -> bool:
        """Whether one of the words is part of the match."""
        return any(self.parse.word(at) in words for at in range(self.start, self.end))


Slot = Callable[[Match], Iterable[tuple[Found[Any], str]]]
"""Reads a value where the match ends. Yields each reading with the entity that it speaks of: mostly the match's own."""


def slot_of(slots: dict[str, Slot]) -> Callable[[Slot], Slot]:
    """Return a decorator that makes a function the slot of its name: `def group_(match)` -> `{group}`."""

    def named(function: Slot) -> Slot:
        slots[function.__name__.rstrip("_")] = function
        return function

    return named


@dataclass(frozen=True, slots=True)
class Word:
    text: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """One phrase of a table; `repeated`: as many words of a list as are there; `perhaps`: or fewer of them."""

    table: Phrases | frozenset[str]
    repeated: bool = False
    perhaps: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    slot: Slot


@dataclass(frozen=True, slots=True)
class Ways:
    """Alternatives, each a sequence of parts."""

    ways: tuple[tuple[Part, ...], ...]


Part = Word | OneOf | Value | Ways


@dataclass(frozen=True, slots=True)
class Notation:
    """The slots and word lists that patterns may name."""

    slots: Mapping[str, Slot]
    tables: Mapping[str, Phrases | frozenset[str]]

    def read(self, pattern: str) -> tuple[Part, ...]:
        """The parts of a pattern. Raises ValueError for a bracket that is not closed, KeyError for an unknown name."""
        marks = deque(_MARKS.findall(pattern))
        ways = self._ways(marks)
        if marks:
            raise ValueError(f"a bracket too many in {pattern!r}")
        return ways[0] if len(ways) == 1 else (Ways(tuple(ways)),)

    def _ways(self, marks: deque[str]) -> list[tuple[Part, ...]]:
        ways: list[tuple[Part, ...]] = []
        parts: list[Part] = []
        while marks and marks[0] not in ")]":
            mark = marks.popleft()
            if mark == "|":
                ways.append(tuple(parts))
                parts = []
            elif mark in _CLOSING:
                inner = self._ways(marks) + ([()] if mark == "[" else [])
                if not marks or marks.popleft() != _CLOSING[mark]:
                    raise ValueError(f"a bracket {mark} is not closed")
                parts.append(Ways(tuple(inner)))
            else:
                parts.append(self._part(mark))
        return [*ways, tuple(parts)]

    def _part(self, mark: str) -> Part:
        if mark[0] == "{":
            name = mark[1:-1]
            return Value(name, self.slots[name.partition(".")[0]])
        if mark[0] == "<":
            name, sign = mark[1:-1].rstrip("*?"), mark[-2]
            return OneOf(self.tables[name], repeated=sign in "*?", perhaps=sign == "?")
        return Word(mark)


def matches(parts: tuple[Part, ...], match: Match) -> Iterator[Match]:
    """Every way to go on with a match through the parts, in the order in which they are written."""
    if not parts:
        yield match
        return
    for one in after(parts[0], match):
        yield from matches(parts[1:], one)


def after(part: Part, match: Match) -> Iterable[Match]:
    """Every way to go on with a match through a part."""
    p, at = match.parse, match.end
    match part:
        case Word():
            return (match.moved(at + 1),) if p.word(at) == part.text else ()
        case Value():
            return [match.with_value(part.name, found, entity) for found, entity in part.slot(match)]
        case OneOf(table=Phrases() as table):
            return map(match.moved, p.phrases(at, table))
        case OneOf(table=frozenset() as words, repeated=True):
            end = p.past(at, words)
            if end == at:
                return (match,)
            return map(match.moved, range(end, at - 1, -1) if part.perhaps else (end,))
        case OneOf(table=frozenset() as words):
            return (match.moved(at + 1),) if p.word(at) in words else ()
        case Ways():
            return chain.from_iterable(matches(way, match) for way in part.ways)
    raise ValueError(f"a table of phrases is not repeated: {part}")


def beginnings(parts: tuple[Part, ...]) -> frozenset[str] | None:
    """The words with which a match of the parts can begin; None where that can be any word, or nothing."""
    found = frozenset[str]()
    for part in parts:
        match part:
            case Word():
                return found | {part.text}
            case OneOf(table=table):
                found |= {one[0] for one in table} if isinstance(table, Phrases) else table
                if not part.repeated:
                    return found
            case Value():
                return None
            case Ways():
                each = [beginnings(way) for way in part.ways if way]
                if None in each:
                    return None
                found = found.union(*filter(None, each))
                if all(part.ways):
                    return found
    return None


def needed(parts: tuple[Part, ...]) -> tuple[frozenset[str], ...]:
    """Return sets of words; a question needs one of each for the pattern to match: {`how`, `number`}, {`of`}."""
    return tuple(filter(None, map(_cues, parts)))


def _cues(part: Part) -> frozenset[str]:
    match part:
        case Word():
            return frozenset([part.text])
        case OneOf(repeated=False, table=Phrases() as table):
            return frozenset(phrase[0] for phrase in table)
        case OneOf(repeated=False, table=frozenset() as words):
            return words
        case Ways():
            each = [needed(way) for way in part.ways]
            return frozenset[str]().union(*(sets[0] for sets in each)) if all(each) else frozenset()
        case _:
            return frozenset()


SAID = 0.0  # in so many words; nothing else can be meant
CLEAR = 0.05
USUAL = 0.1  # one word is left to what people usually mean
SHORT = 0.15  # A note rather than a sentence: `invoices by vendor`
LIKELY = 0.2  # the number or the things are not named
WEAK = 0.4  # another construction would rather say this
T = TypeVar("T")
Meaning = Callable[[Match], Iterable[Found[T]]]


@dataclass(frozen=True)
class Construction(Generic[T]):
    """One row: pattern, meaning, cost, and two questions that are its test: it `reads` one and `leaves` the other."""

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
        return {word: [(number, cues) for number, one, cues in begun if one is None or word in one]
                for word in frozenset([""]).union(*(one for _, one, _ in begun if one is not None))}

    def readings(self, p: Parse, at: int, entity: str = "", given: Any = None) -> Iterator[Found[T]]:
        """Yield the readings of the rows from a position on, in order; rows change the value `given`."""
        rows = self._beginning.get(p.word(at)) or self._beginning[""]
        possible = frozenset(number for number, cues in rows if all(p.last[one] >= at for one in cues))
        found = self._first.readings(Match(p, at, at, entity, {"given": given}, {}), possible)
        return (one for _, one in sorted(found, key=itemgetter(0)))
