"""Automata over characters: match a text against a pattern in time linear in the text.

Python's `re` backtracks, which can take exponential time. Here all states are simulated at once (Thompson, "Regular
Expression Search Algorithm", CACM 11, 1968), and transitions between sets of states are cached: a term costs one dict
lookup per character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from qlc_engine.errors import illegal_argument

Test = Callable[[str], bool]
Part = Callable[["Automaton", int], int]
"""A part of a pattern: adds its states after a given state, and returns its end state. It can be added more than
once."""

MOST_STATES = 100_000
_MOST_REMEMBERED = 5_000
"""Most cached sets of states; with more, the cache is cleared."""


class _Set:
    """States that a text may have led to, and the sets that characters lead to from here."""

    __slots__ = ("accepts", "states", "to")

    def __init__(self, states: frozenset[int], accepts: bool) -> None:
        self.states = states
        self.accepts = accepts
        self.to: dict[str, _Set] = {}


class Automaton:
    """The automaton of one pattern."""

    def __init__(self, part: Part) -> None:
        """Build the automaton. Raises EngineError for too many states."""
        self._free: list[list[int]] = []
        self._by: list[list[tuple[Test, int]]] = []
        self._sets: dict[frozenset[int], _Set] = {}
        self._copies = 0
        self._last = part(self, self.state())

    # --- laying ------------------------------------------------------------------------------------------------------

    def state(self) -> int:
        if len(self._free) == MOST_STATES:
            raise illegal_argument(f"the pattern has more than {MOST_STATES} states")
        self._free.append([])
        self._by.append([])
        return len(self._free) - 1

    def lay_again(self, part: Part, at: int) -> int:
        """Add one of many copies of a part. Raises EngineError for more copies than the limit of states."""
        self._copies += 1
        if self._copies > MOST_STATES:
            raise illegal_argument(f"the pattern repeats its parts more than {MOST_STATES} times")
        return part(self, at)

    def jump(self, at: int, to: int) -> None:
        """Add an empty transition."""
        self._free[at].append(to)

    def step(self, at: int, test: Test) -> int:
        """Add a transition by one character to a new state."""
        to = self.state()
        self._by[at].append((test, to))
        return to

    # --- matching ----------------------------------------------------------------------------------------------------

    def fullmatch(self, text: str) -> bool:
        """Whether the pattern matches the whole text."""
        found = self._set([0])
        for character in text:
            found = found.to.get(character) or self._after(found, character)
            if not found.states:
                return False
        return found.accepts

    def ends(self, text: str) -> Iterator[int]:
        """Yield the ends of all matches at the beginning of the text."""
        found = self._set([0])
        for at, character in enumerate(text):
            if found.accepts:
                yield at
            found = found.to.get(character) or self._after(found, character)
        if found.accepts:
            yield len(text)

    def _after(self, found: _Set, character: str) -> _Set:
        after = self._set([to for state in found.states for test, to in self._by[state] if test(character)])
        found.to[character] = after
        return after

    def _set(self, states: list[int]) -> _Set:
        reached: set[int] = set()
        while states:
            state = states.pop()
            if state not in reached:
                reached.add(state)
                states += self._free[state]
        key = frozenset(reached)
        known = self._sets.get(key)
        if known is None:
            if len(self._sets) >= _MOST_REMEMBERED:
                for one in self._sets.values():
                    one.to.clear()
                self._sets.clear()
            known = self._sets[key] = _Set(key, self._last in key)
        return known


def sequence(parts: Iterable[Part]) -> Part:
    parts = tuple(parts)

    def lay(to: Automaton, at: int) -> int:
        for part in parts:
            at = part(to, at)
        return at

    return lay


def one_of(parts: Iterable[Part]) -> Part:
    parts = tuple(parts)

    def lay(to: Automaton, at: int) -> int:
        end = to.state()
        for part in parts:
            begin = to.state()
            to.jump(at, begin)
            to.jump(part(to, begin), end)
        return end

    return lay


def repeated(part: Part, least: int, most: int | None) -> Part:
    """So many times; `most` None: any number of times more."""

    def lay(to: Automaton, at: int) -> int:
        for _ in range(least):
            at = to.lay_again(part, at)
        end = to.state()
        to.jump(at, end)
        if most is None:
            again = to.state()  # of its own: what it begins after may be left in other ways
            to.jump(at, again)
            to.jump(again, end)
            to.jump(part(to, again), again)
        for _ in range(least, most or 0):
            at = to.lay_again(part, at)
            to.jump(at, end)
        return end

    return lay


def character(test: Test) -> Part:
    return lambda to, at: to.step(at, test)


def text(written: str) -> Part:
    return sequence(character(one.__eq__) for one in written)


def nothing_fits(to: Automaton, at: int) -> int:
    return to.state()


anything = repeated(character(lambda _: True), 0, None)
