"""What `parse` raises."""

from __future__ import annotations

from qlc.diagnostics import Diagnostic


class SyntaxProblem(ValueError):
    """A text that is no program. `diagnostic` says where and why, and what to write instead."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
