"""Our automaton against Lark's own tables: the same programs, and the same tokens possible at every place of them."""

from __future__ import annotations

from typing import Any

import pytest

from qlc.grammar.build import BUILDERS
from qlc.grammar.generate import GRAMMAR, load_grammar
from qlc.grammar.machine import END, Machine, accepts, tokens

from .test_language import CANONICAL


class LarkTables:
    """The parse table as Lark made it, driven in the plainest way."""

    def __init__(self) -> None:
        lark = load_grammar(GRAMMAR.read_text(encoding="utf-8"))
        self.table: Any = lark.parser.parser._parse_table  # type: ignore[attr-defined]
        (self.first,) = self.table.start_states.values()
        (self.last,) = self.table.end_states.values()
        ignored = set(lark.ignore_tokens)
        self.terminals = {terminal.name for terminal in lark.terminals} - ignored | {END, "UNIT"}

    def after(self, stack: list[int], terminal: str) -> list[int] | None:
        """The stack when the terminal has been read; None where it cannot come."""
        stack = list(stack)
        while not (terminal == END and stack[-1] == self.last):
            if terminal not in self.table.states[stack[-1]]:
                return None
            action, target = self.table.states[stack[-1]][terminal]
            if action.name == "Shift":
                return [*stack, target]
            del stack[len(stack) - len(target.expansion) :]
            stack.append(self.table.states[stack[-1]][target.origin.name][1])
        return stack


@pytest.fixture(scope="module")
def lark() -> LarkTables:
    return LarkTables()


@pytest.mark.parametrize("source", CANONICAL)
def test_the_same_tokens_are_possible_at_every_place(lark: LarkTables, source: str) -> None:
    machine, stack = Machine(BUILDERS), [lark.first]
    for token in tokens(source, machine.states, []):
        possible = {name for name in lark.terminals if lark.after(stack, name) is not None}
        assert accepts(machine.states) == possible
        machine.feed(token)
        after = lark.after(stack, token.kind)
        assert after is not None
        stack = after
