"""The exception that `parse` raises."""

from __future__ import annotations

from typing import NoReturn

from qlc.base.diagnostics import Diagnostic, Span


class SyntaxProblem(ValueError):
    """Raised for a text that does not parse. `diagnostic` says where and why, and what to write instead."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def refuse(code: str, message: str, span: Span, hint: str = "") -> NoReturn:
    raise SyntaxProblem(Diagnostic(code, message, span, hint))
