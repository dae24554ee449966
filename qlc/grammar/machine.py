"""The LALR(1) automaton over the generated tables. The stack is a list: depth of nesting is no recursion here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from qlc.grammar._tables import ROWS, RULES
from qlc.grammar.lexer import Token, span_of
from qlc.limits import MOST_DEPTH

Build = Callable[..., Any]
Children = Callable[[list[Any]], Sequence[Any]]
"""Takes the children of a rule that is complete from the end of the stack of values."""


class _AtToken(Exception):
    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class Unexpected(_AtToken):
    """The state has no place for the token."""


class TooDeep(_AtToken):
    """More is open at the token than a program may nest."""


class Machine:
    """Takes tokens, one by one, and calls a builder for each rule as soon as it is complete."""

    __slots__ = ("_builders", "_end", "_starts", "states", "values")

    def __init__(self, builders: Mapping[str, Build]) -> None:
        self.states = [0]
        self.values: list[Any] = []
        self._starts: list[int] = []
        self._end = 0
        self._builders = builders

    def feed(self, token: Token) -> None:
        """As `read`, one token."""
        self.read((token,))

    def read(self, tokens: Iterable[Token]) -> None:
        """Raises Unexpected, TooDeep and what the builders raise. generate.py says what a rule does: `=` passes
        its only child on, `*` collects a list, anything else is the name of a builder."""
        states, values, starts, builders = self.states, self.values, self._starts, self._builders
        rows, reductions, span, end = ROWS, _REDUCTIONS, span_of, self._end
        for token in tokens:
            kind = token[0]
            row = rows[states[-1]]
            while (action := row.get(kind, _NO_PLACE)) < 0:
                if action == _NO_PLACE:
                    raise Unexpected(token)
                name, length, rest, done, children = reductions[~action]
                if children is None:  # one symbol, kept
                    if done != "=":
                        values[-1] = builders[done](span((starts[-1], end)), values[-1])
                else:
                    if done == "*":
                        value: Any = children(values)
                    elif done == "=":
                        (value,) = children(values)
                    else:
                        value = builders[done](span((starts[-length], end)), *children(values))
                    if length > 1:
                        del states[rest], values[rest], starts[rest]
                    values[-1] = value
                states[-1] = state = rows[states[-2]][name]
                row = rows[state]
            states.append(action)
            values.append(token)
            starts.append(token[2])
            self._end = end = token[3]
            if len(states) > MOST_DEPTH:
                raise TooDeep(token)


def accepts(states: list[int]) -> set[str]:
    """The terminals that could really come next: the rows hold more, since LALR merges states."""
    return {terminal for terminal in ROWS[states[-1]] if terminal.isupper() and _shifts(states, terminal)}


def _shifts(states: list[int], terminal: str) -> bool:
    stack = list(states)
    while (action := ROWS[stack[-1]].get(terminal)) is not None:
        if action >= 0:
            return True
        name, length, _, _ = RULES[~action]
        del stack[len(stack) - length :]
        stack.append(ROWS[stack[-1]][name])
    return False


_NO_PLACE = -len(RULES) - 1
"""Below the number of every rule."""


def _children(length: int, kept: tuple[tuple[int, bool], ...], done: str) -> Children:
    """How the children are taken that a rule of so many symbols keeps; lists among them are spliced in."""
    places = [place - length for place, _ in kept]
    if done == "*" and kept[0][1]:
        return lambda values: _grown(*[values[place] for place in places])
    if not any(is_list for _, is_list in kept):
        if len(places) > 1:
            return itemgetter(*places) if done != "*" else lambda values: [values[place] for place in places]
        return itemgetter(slice(places[0], places[0] + 1 or None)) if places else _none

    def spliced(values: list[Any]) -> list[Any]:
        children: list[Any] = []
        for place, (_, is_list) in zip(places, kept, strict=True):
            if is_list:
                children += values[place]
            else:
                children.append(values[place])
        return children

    return spliced


def _grown(items: list[Any], *more: Any) -> list[Any]:
    """A list takes its next items in place: a copy for each would make long lists slow."""
    items += more
    return items


def _none(values: list[Any]) -> tuple[()]:
    return ()


_REDUCTIONS: tuple[tuple[str, int, slice, str, Children | None], ...] = tuple(
    (name, length, slice(1 - length, None), done,
     None if length == 1 and kept == ((0, False),) and done != "*" else _children(length, kept, done))
    for name, length, kept, done in RULES
)  # fmt: skip
"""The rules, made ready for `Machine.read`: what is built, of how many symbols, those after the first (they leave the
stack), what is done, and with which children; None for the only symbol, which is most of them."""
