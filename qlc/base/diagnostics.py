"""Diagnostics as data: a code, a span of the source, one sentence, a hint. They are rendered at the edge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from qlc.base.frozen import unguarded_dataclass
from qlc.base.texts import escaped, width_of

Severity = Literal["error", "warning"]


class Span(NamedTuple):
    """Half-open range of character offsets into the source text."""

    start: int
    end: int


NO_SPAN = Span(-1, -1)


@unguarded_dataclass(frozen=True, slots=True, kw_only=True)
class Spanned:
    """A node with its span in the source, which does not take part in equality."""

    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a program.

    `code` is a stable kebab-case name (docs/diagnostics.md lists all). `message` is one sentence in plain words.
    `hint` says what to do instead. `suggestions` are nearest names or values, best first. `fixed` is the whole
    program with every error fixed, where each fix is certain; a program that is checked has only those `fixed` that
    check without errors.
    """

    code: str
    message: str
    span: Span = NO_SPAN
    hint: str = ""
    suggestions: tuple[str, ...] = ()
    severity: Severity = "error"
    fixed: str | None = None

    @property
    def mended(self) -> str | None:
        """Alias of `fixed`, for one version."""
        return self.fixed


def an(noun: str) -> str:
    """Return the noun with its article."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel or noun.lower().startswith('hour') else 'a'} {noun}"


LONGEST_LINE, AROUND = 400, 100
"""Most characters of a source line that is shown whole; of longer ones, how many before and after the marked part."""


def render(diagnostic: Diagnostic, source: str) -> str:
    """Render a diagnostic: code and sentence, the source line, carets below it, and the hint after the carets.

    Invisible characters are escaped so that the carets line up. A long line is shown in part.

        error[unknown-field]: documents have no field 'folderName'
          1 | find documents where folderName = "Tax"
            |                      ^^^^^^^^^^ did you mean 'folder' or 'name'?
    """
    head = f"{diagnostic.severity}[{diagnostic.code}]: {escaped(diagnostic.message)}"
    hint = escaped(diagnostic.hint)
    if diagnostic.span == NO_SPAN:
        return f"{head}\n  = {hint}" if hint else head
    start = min(max(diagnostic.span.start, 0), len(source))
    line_start = source.rfind("\n", 0, start) + 1
    line_end = source.find("\n", start)
    line_end = len(source) if line_end < 0 else line_end
    number = str(source.count("\n", 0, start) + 1)
    marked_end = min(max(diagnostic.span.end, start), line_end)
    before, marked, after = source[line_start:start], source[start:marked_end], source[marked_end:line_end]
    if line_end - line_start > LONGEST_LINE:  # a part of it, with what is marked
        before = before if len(before) <= AROUND else f"…{before[-AROUND:]}"
        marked = marked if len(marked) <= LONGEST_LINE - 2 * AROUND else f"{marked[: LONGEST_LINE - 2 * AROUND]}…"
        after = after if len(after) <= AROUND else f"{after[:AROUND]}…"
    # A tab before the carets must be as wide as the one above it.
    pad = "\t".join(" " * width_of(part) for part in escaped(before).split("\t"))
    carets = "^" * max(1, width_of(escaped(marked)))
    margin = " " * len(number)
    return "\n".join(
        [
            head,
            f"  {number} | {escaped(before + marked + after)}",
            f"  {margin} | {pad}{carets} {hint}".rstrip(),
        ]
    )
