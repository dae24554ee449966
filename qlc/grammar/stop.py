"""The place where parsing stopped, and the terminals that could have continued the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.lark_parser import spellings
from qlc.grammar.reading import END, Token, accepted_after, stopped_at

OPERATORS = frozenset({
    "EQUAL", "UNEQUAL", "COMPARE", "IN", "HAS", "CONTAINS", "STARTS", "STARTS_WITH", "ENDS", "ENDS_WITH", "LIKE",
    "MATCHES", "MENTIONS", "UNDER", "BETWEEN", "WITHIN", "INTERSECTS", "DISJOINT", "OVERLAPS", "MISSING",
    "EXISTS", "IS", "NOT",
})  # fmt: skip
MEASURES = frozenset({"MEASURE", "PERCENTILE", "SHARE", "_TOTAL"})
TEXT_CONDITIONS = frozenset({"MENTIONS_ALONE", "ABOUT_ALONE"})
CLAUSES = ("WHERE", "BY", "GROUP", "HAVING", "SORT", "ORDER", "LIMIT", "SHOW")
VALUES = frozenset({
    "STRING", "NUMBER", "DATE", "TRUE", "FALSE", "NOW", "DAY", "THIS", "LAST", "NEXT", "PARAMETER", "LSQB",
})  # fmt: skip
STARTS = ("FIND", "COUNT", "GET")
ARITHMETIC = frozenset({"PLUS", "MINUS", "TIMES", "DIVIDED", "AS"})
"""Terminals that can follow an operand of a calculation."""

Fix = Callable[[str], str | None]
"""A text as a program: unchanged, or with the one certain fix."""


@dataclass(frozen=True)
class Stop:
    """The first token that the parser does not accept, and the tokens before it."""

    source: str
    token: Token
    before: tuple[Token, ...]
    fix: Fix

    @classmethod
    def of(cls, source: str, fix: Fix) -> Stop:
        """Find the stop of a text that does not parse. `fix` looks for further errors in the text."""
        before, token = stopped_at(source)
        return cls(source, token, tuple(before), fix)

    @cached_property
    def accepted(self) -> Set[str]:
        return accepted_after(self.before_kinds)

    @cached_property
    def before_kinds(self) -> tuple[str, ...]:
        return tuple(token.kind for token in self.before)

    @property
    def span(self) -> Span:
        """The span of the token, empty after the last token at the end of the text."""
        if self.token.kind == END:
            return Span(self.place, self.place)
        return self.token.span

    @property
    def place(self) -> int:
        """The position for something missing: after the last token."""
        return self.before[-1].end if self.before else self.token.start

    @cached_property
    def word(self) -> str:
        return self.token.text.lower()

    def kinds(self, count: int) -> tuple[str, ...]:
        """The kinds of the last tokens before the stop."""
        return self.before_kinds[-count:]

    def accepted_before(self, back: int) -> Set[str]:
        """Return the terminals that could have come in place of the token `back` places before the stop."""
        return accepted_after(self.before_kinds[: len(self.before) - back])

    def problem(self, code: str, message: str, hint: str = "", fixed: str | None = None, *,
                span: Span | None = None, suggestions: tuple[str, ...] = ()) -> Diagnostic:  # fmt: skip
        return Diagnostic(code, message, span or self.span, hint, suggestions, fixed=fixed)


def clauses_of(before: Sequence[Token]) -> set[str]:
    """Return the kinds of clauses that the last statement among the tokens already has."""
    found: set[str] = set()
    depth = 0
    for token in reversed(before):
        depth += (token.kind in ("RPAR", "RSQB")) - (token.kind in ("LPAR", "LSQB"))
        if depth < 0 or (depth == 0 and token.kind in (*STARTS, "OF", "LET")):
            break
        if depth == 0 and token.kind in CLAUSES:
            found.add(token.kind)
    return found


def keywords(terminals: Set[str]) -> list[str]:
    """Return the words of these terminals, without units."""
    return [text for text, uses in spellings().items() if text.isidentifier() and not terminals.isdisjoint(uses)]


def spelling(terminal: str) -> str:
    """Return the first spelling of a terminal: `FIND` -> `find`."""
    return next((text for text, uses in spellings().items() if terminal in uses), terminal.lower())
