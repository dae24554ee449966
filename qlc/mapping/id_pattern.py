"""Patterns of ids: regular expressions that match in time linear in the text.

Python's `re` backtracks, and a text chosen by a caller can take exponential time (`([a-z0-9]+-?)+` and a long word that
ends in `!`). This module simulates all states at once, as in Thompson, "Regular Expression Search Algorithm", CACM 11
(1968). It supports characters, classes, groups, `|` and repetition in the notation of `re`; no look-around, back
reference or flag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

MOST_STATES = 2_000
"""Most states of one pattern; `[0-9]{16}` has 17."""
_MOST_STEPS = 10_000
_MOST_GROUPS = 50
_TOKEN = re.compile(
    r"(?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\}|\{,[0-9]+\})\??)"
    r"|(?P<atom>\\[dDwWsS]|\\[^A-Za-z0-9]|\[\^?\]?(?:\\.|[^\]\\])*\]|[^][\\(){}|*+?^$])"
    r"|(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<or>\|)",
    re.DOTALL,
)
_REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}

_States = frozenset[int]


@lru_cache(maxsize=512)
def id_pattern(written: str, any_case: bool = False) -> IdPattern:
    """Compile a pattern. Raises ValueError for unsupported syntax."""
    return _Reader(written, re.IGNORECASE if any_case else re.NOFLAG).read()


@dataclass(slots=True)
class IdPattern:
    """A nondeterministic automaton: the empty transitions of each state, and its transitions by characters."""

    free: list[list[int]] = field(default_factory=list)
    by: list[list[tuple[re.Pattern[str], int]]] = field(default_factory=list)
    last: int = 0
    _steps: dict[tuple[_States, str], _States] = field(default_factory=dict)

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text is an id."""
        return self.match(text, 0, whole=True) is not None

    def match(self, text: str, at: int, *, whole: bool = False) -> int | None:
        """Return the end of the longest id that begins at a place of a text. `whole`: it must end at the end of the
        text."""
        states, end = self._reached([0]), None
        while states:
            if self.last in states:
                end = at
            if at == len(text):
                break
            states = self._step(states, text[at])
            at += 1
        return None if whole and end != len(text) else end

    def _step(self, states: _States, character: str) -> _States:
        known = self._steps.get((states, character))
        if known is None:
            known = self._reached([to for state in states for one, to in self.by[state] if one.match(character)])
            if len(self._steps) >= _MOST_STEPS:
                self._steps.clear()
            self._steps[states, character] = known
        return known

    def _reached(self, states: list[int]) -> _States:
        found: set[int] = set()
        while states:
            state = states.pop()
            if state not in found:
                found.add(state)
                states += self.free[state]
        return frozenset(found)

    def add(self) -> int:
        """Add a state. Raises ValueError."""
        if len(self.free) == MOST_STATES:
            raise ValueError("it is too long")
        self.free.append([])
        self.by.append([])
        return len(self.free) - 1


class _Reader:
    """A recursive descent parser. Each rule starts at a state and returns its end state; a repeated part is parsed
    again."""

    def __init__(self, written: str, flags: re.RegexFlag) -> None:
        self.flags = flags
        whole = written.removeprefix("^")
        self.tokens = list(_tokens(whole if whole.endswith(r"\$") else whole.removesuffix("$")))
        self.at = 0
        self.depth = 0
        self.made = IdPattern()

    def read(self) -> IdPattern:
        self.made.last = self._choice(self.made.add())
        if self.at < len(self.tokens):
            raise ValueError("a bracket is closed that was not opened")
        return self.made

    def _next(self, *kinds: str) -> str | None:
        """Consume the next token if it is of one of these kinds, and return its text."""
        if self.at == len(self.tokens) or self.tokens[self.at][0] not in kinds:
            return None
        self.at += 1
        return self.tokens[self.at - 1][1]

    def _choice(self, start: int) -> int:
        end = self.made.add()
        while True:
            begin = self.made.add()
            self.made.free[start].append(begin)
            self.made.free[self._sequence(begin)].append(end)
            if self._next("or") is None:
                return end

    def _sequence(self, state: int) -> int:
        while self.at < len(self.tokens) and self.tokens[self.at][0] in ("atom", "open"):
            begins = self.at
            end = self._one(state)
            repeat = self._next("repeat")
            if repeat is not None:
                after = self.at
                end = self._repeated(state, end, begins, repeat)
                self.at = after
            state = end
        if self._next("repeat") is not None:
            raise ValueError("a sign of repetition has nothing to repeat")
        return state

    def _one(self, state: int) -> int:
        if self._next("open") is not None:
            self.depth += 1
            if self.depth > _MOST_GROUPS:
                raise ValueError("it has too many brackets inside brackets")
            end = self._choice(state)
            self.depth -= 1
            if self._next("close") is None:
                raise ValueError("a bracket is not closed")
            return end
        end = self.made.add()
        self.made.by[state].append((re.compile(self._next("atom") or "", self.flags), end))
        return end

    def _repeated(self, start: int, end: int, begins: int, repeat: str) -> int:
        least, most = _times(repeat)
        if most == 0:
            return start
        ends = [start, end]
        for _ in range(1, least if most is None else most):
            self.at = begins
            ends.append(self._one(ends[-1]))
        done = self.made.add()
        for place in ends[least:]:
            self.made.free[place].append(done)
        if most is None:  # the last of those that are there may come again
            self.made.free[ends[-1]].append(ends[-2])
        return done


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise ValueError(f"'{text[at : at + 2]}' is not supported here")
        yield found.lastgroup, found[0]
        at = found.end()


def _times(repeat: str) -> tuple[int, int | None]:
    sign = repeat if repeat in _REPEATS else repeat.removesuffix("?")
    if sign in _REPEATS:
        return _REPEATS[sign]
    least, comma, most = sign.strip("{}").partition(",")
    return int(least or 0), (int(most) if most else None) if comma else int(least)
