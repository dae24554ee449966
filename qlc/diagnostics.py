"""Diagnostics are data: a code, a span of the source, one sentence, a way out. They are rendered at the edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Span(NamedTuple):
    """Half-open range of character offsets into the source text."""

    start: int
    end: int


NO_SPAN = Span(-1, -1)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a program.

    `code` is a stable kebab-case name (docs/diagnostics.md lists all). `message` is one sentence in plain words.
    `hint` says what to do instead. `suggestions` are nearest names or values, best first. `mended` is the whole
    program with every error mended, where each mend is certain; a program that is checked has only those `mended` that
    check without errors.
    """

    code: str
    message: str
    span: Span = NO_SPAN
    hint: str = ""
    suggestions: tuple[str, ...] = ()
    severity: Severity = "error"
    mended: str | None = None


def an(noun: str) -> str:
    """The noun with its article."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel or noun.lower().startswith('hour') else 'a'} {noun}"


def render(diagnostic: Diagnostic, source: str) -> str:
    """The diagnostic as text: code and sentence, the source line with a caret line below, the hint behind the carets.

    error[unknown-field]: documents have no field 'folderName'
      1 | find documents where folderName = "Tax"
        |                      ^^^^^^^^^^ did you mean 'folder' or 'name'?
    """
    head = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    if diagnostic.span == NO_SPAN:
        return f"{head}\n  = {diagnostic.hint}" if diagnostic.hint else head
    start = min(max(diagnostic.span.start, 0), len(source))
    line_start = source.rfind("\n", 0, start) + 1
    line_end = source.find("\n", start)
    line_end = len(source) if line_end < 0 else line_end
    number = str(source.count("\n", 0, start) + 1)
    column = start - line_start
    width = max(1, min(diagnostic.span.end, line_end) - start)
    # A tab before the carets must be as wide as the one above it.
    pad = "".join("\t" if character == "\t" else " " for character in source[line_start:start][:column])
    margin = " " * len(number)
    return "\n".join(
        [
            head,
            f"  {number} | {source[line_start:line_end]}",
            f"  {margin} | {pad}{'^' * width} {diagnostic.hint}".rstrip(),
        ]
    )
