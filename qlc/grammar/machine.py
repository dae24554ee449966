"""The LALR(1) automaton over the generated tables. The stack is a list: depth of nesting is no recursion here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qlc.diagnostics import Span
from qlc.grammar._tables import ROWS, RULES
from qlc.grammar.lexer import Token

MAX_DEPTH = 200
"""Symbols that may wait on the stack. Lists and chains of `and` need a constant number of them, each bracket or `not`
one to six, so this bounds the nesting of the tree, and with it the recursion of all who walk it."""

Build = Callable[..., Any]


class Unexpected(Exception):
    """The state has no place for the token."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class TooDeep(Exception):
    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


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
        """Raises Unexpected, TooDeep and what the builders raise. What a rule does is told in generate.py: `=` passes
        its only child on, `*` collects a list, anything else is the name of a builder."""
        states, values, starts = self.states, self.values, self._starts
        kind = token.kind
        while True:
            action = ROWS[states[-1]].get(kind)
            if action is None:
                raise Unexpected(token)
            if action >= 0:
                states.append(action)
                values.append(token)
                starts.append(token.start)
                self._end = token.end
                if len(states) > MAX_DEPTH:
                    raise TooDeep(token)
                return
            name, length, kept, done = RULES[~action]
            if length == 1:
                if done == "*":
                    values[-1] = [values[-1]]
                elif done != "=":
                    children = values[-1] if kept and kept[0][1] else values[-1:] if kept else ()
                    values[-1] = self._builders[done](Span(starts[-1], self._end), *children)
                states[-1] = ROWS[states[-2]][name]
                continue
            values[-length:] = (self._value(values[-length:], kept, done, starts[-length]),)
            del states[-length:], starts[1 - length :]
            states.append(ROWS[states[-1]][name])

    def _value(self, values: list[Any], kept: tuple[tuple[int, bool], ...], done: str, start: int) -> Any:
        if done == "*":
            place, is_list = kept[0]
            if is_list:
                values[place].extend(values[other] for other, _ in kept[1:])
                return values[place]
            return [values[other] for other, _ in kept]
        children: list[Any] = []
        for place, is_list in kept:
            if is_list:
                children += values[place]
            else:
                children.append(values[place])
        if done == "=":
            return children[0]
        return self._builders[done](Span(start, self._end), *children)

    @property
    def result(self) -> Any:
        """What the first rule was built to; END has been fed."""
        return self.values[0]


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
