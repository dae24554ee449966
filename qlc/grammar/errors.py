"""What is wrong with a text that is no program, and how to mend it."""

from __future__ import annotations

from qlc.diagnostics import Diagnostic, Span
from qlc.grammar.lexer import Unreadable
from qlc.grammar.machine import TooDeep, Unexpected


def diagnose(source: str, stop: Unexpected | Unreadable | TooDeep) -> Diagnostic:
    if isinstance(stop, Unreadable):
        return Diagnostic("unreadable", f"cannot read {source[stop.position:][:10]!r}", Span(stop.position, stop.position + 1))
    return Diagnostic("unexpected", f"did not expect {stop.token}", Span(stop.token.start, stop.token.end))
