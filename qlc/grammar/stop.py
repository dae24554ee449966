"""Where the parser stopped, and what it could have gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.lark_parser import spellings
from qlc.grammar.reading import END, Token, accepted_after, stopped_at

OPERATORS = frozenset({
    "EQUAL", "UNEQUAL", "COMPARE", "IN", "HAS", "CONTAINS", "STARTS", "STARTS_WITH", "ENDS", "ENDS_WITH", "LIKE",
    "MATCHES", "MENTIONS", "UNDER", "BETWEEN", "WITHIN", "MISSING", "EXISTS", "IS", "NOT",
})  # fmt: skip
MEASURES = frozenset({"MEASURE", "PERCENTILE", "SHARE"})
TEXT_CONDITIONS = frozenset({"MENTIONS_ALONE", "ABOUT_ALONE"})
CLAUSES = ("WHERE", "BY", "GROUP", "HAVING", "SORT", "ORDER", "LIMIT", "SHOW")
VALUES = frozenset({
    "STRING", "NUMBER", "DATE", "TRUE", "FALSE", "NOW", "DAY", "THIS", "LAST", "NEXT", "PARAMETER", "LSQB",
})  # fmt: skip
STARTS = ("FIND", "COUNT", "GET")

Fix = Callable[[str], str | None]
"""A text as a program: as it is, or with the one certain fix."""


@dataclass(frozen=True)
class Stop:
    """The token that could not follow, and the ones before it."""

    source: str
    token: Token
    before: tuple[Token, ...]
    fix: Fix

    @classmethod
    def of(cls, source: str, fix: Fix) -> Stop:
        """Where the parser stops in this text, which is no program. `fix` looks for what else is wrong with it."""
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
        """Of the token; after the last one where the text ends."""
        if self.token.kind == END:
            return Span(self.place, self.place)
        return self.token.span

    @property
    def place(self) -> int:
        """Where something that is missing would go: after the last token."""
        return self.before[-1].end if self.before else self.token.start

    @cached_property
    def word(self) -> str:
        return self.token.text.lower()

    def kinds(self, count: int) -> tuple[str, ...]:
        """The kinds of the last tokens before the stop."""
        return self.before_kinds[-count:]

    def accepted_before(self, back: int) -> Set[str]:
        """What could have been in the place of the token `back` places before the stop."""
        return accepted_after(self.before_kinds[: len(self.before) - back])

    def problem(self, code: str, message: str, hint: str = "", fixed: str | None = None, *,
                span: Span | None = None, suggestions: tuple[str, ...] = ()) -> Diagnostic:  # fmt: skip
        return Diagnostic(code, message, span or self.span, hint, suggestions, fixed=fixed)


def clauses_of(before: Sequence[Token]) -> set[str]:
    """The kinds of the clauses that the statement at the end of the tokens has already."""
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
    """The words of these terminals; units apart."""
    return [text for text, uses in spellings().items() if text.isidentifier() and not terminals.isdisjoint(uses)]


def spelling(terminal: str) -> str:
    """A terminal as it is written; the first of several spellings."""
    return next((text for text, uses in spellings().items() if terminal in uses), terminal.lower())
