"""What users wrote and what the index holds: left out of spans and events unless it is asked for."""

from __future__ import annotations

import os
import re

VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable by which instrumentations of GenAI are asked for content."""

_captured: bool | None = None

_LITERAL = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"?)
      | (?P<name>`[^`]*`?)                                     # may be a key that the index has
      | (?<![\w.$])-?[0-9][\w.:+\-]*%?                         # numbers and dates
    """,
    re.VERBOSE,
)


def capture_content(captured: bool | None) -> None:
    """Whether events hold the question and the program with its values. None: what the environment variable says."""
    global _captured
    _captured = captured


def is_captured() -> bool:
    return _captured if _captured is not None else os.environ.get(VARIABLE, "").strip().lower() in ("true", "1")


def without_values(program: str) -> str:
    """A program in canonical form, with `?` for each text, number and date."""
    return _LITERAL.sub(lambda one: '"?"' if one["text"] else "`?`" if one["name"] else "?", program)
