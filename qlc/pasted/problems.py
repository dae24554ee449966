"""Problems of a pasted request as data: all at once, each with its place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from qlc.base.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.pasted.curl import Quoted
from qlc.pasted.json_tree import Fix

Reason = Literal[
    "script", "other_index", "confidential", "syntax", "unknown_field", "not_allowed", "wrong_type", "too_large",
    "not_accepted",
]  # fmt: skip
"""Reasons not to run a request, the most serious first; docs/pasted.md explains each."""

CODES: dict[Reason, str] = {reason: f"pasted-{reason.replace('_', '-')}" for reason in get_args(Reason)}


MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason not to run a request. `fix` corrects it if that is certain; its span is in the body.

    `what` names the subject: the field, the query, the endpoint.
    """

    reason: Reason
    message: str
    span: Span = NO_SPAN
    hint: str = ""
    what: str = ""
    suggestions: tuple[str, ...] = ()
    fix: Fix | None = None

    def diagnostic(self, fixed: str | None = None) -> Diagnostic:
        return Diagnostic(CODES[self.reason], self.message, self.span, self.hint, self.suggestions, fixed=fixed)


class Rejected(Exception):
    """Raised to give up a part of a request, whose problem is recorded."""


@dataclass(slots=True)
class Findings:
    """Problems and notes of one request.

    `body` maps places in the body to places in the source; `line` is the place of the request line. `improvements` are
    fixes of parts that would run but cannot be intended.
    """

    body: Quoted | None = None
    line: Span = NO_SPAN
    problems: list[Problem] = field(default_factory=list)
    improvements: list[Fix] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def reject(
        self,
        reason: Reason,
        message: str,
        span: Span,
        hint: str = "",
        *,
        what: str = "",
        suggestions: Sequence[str] = (),
        fix: Fix | None = None,
    ) -> Rejected:
        """Record a problem at a place in the body, up to a limit. Returns the exception for giving up the part.

        Problems in the address have no place in the body and cannot be fixed there.
        """
        if fix is not None and fix.span == NO_SPAN:
            fix = None
        place = self.body.span(span) if self.body is not None and span != NO_SPAN else self.line
        problem = Problem(reason, message, place, hint, what, tuple(suggestions), fix)
        if problem not in self.problems and not self.full:
            self.problems.append(problem)
        return Rejected()

    def reject_around(
        self, reason: Reason, message: str, place: Span, hint: str, what: str = "", near: Sequence[str] = ()
    ) -> None:
        """Record a problem at a place of the source outside of the body."""
        self.problems.append(Problem(reason, message, place, hint, what, tuple(near)))

    def text(self, span: Span) -> str:
        """Return a part of the body."""
        return self.body.text[span.start : span.end] if self.body is not None else ""

    @property
    def full(self) -> bool:
        return len(self.problems) >= MOST_PROBLEMS

    def tell(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def weightiest(problems: Sequence[Problem]) -> Problem:
    order = get_args(Reason)
    return min(problems, key=lambda one: order.index(one.reason))
