"""Content written by users or stored in the index, which spans and events leave out by default."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable that makes instrumentations of GenAI include content."""

_captured: bool | None = None

LONGEST = 10_000
"""Most characters of a program that is reported without values."""

_PART = re.compile(
    r"""(?P<comment>(?<!\S)--[^\r\n]*)
      | (?P<text>"(?:[^"\\]|\\.)*"?)
      | (?P<quoted>`[^`]*`?)                                   # may be a key that the index has
      | (?P<parameter>\$[^\W\d]\w*)
      | (?P<literal>(?<![\w.$])-?[0-9][\w.:+\-]*%?)            # numbers and dates
      | (?P<dot>(?<=\.))?(?P<name>@?[^\W\d]\w*)
    """,
    re.VERBOSE,
)

IsKnown = Callable[[str, bool], bool]
"""Whether a word is a name of the schema, or (if it is not part of a path) a word of the language."""


def capture_content(captured: bool | None) -> None:
    """Set whether events contain the question and the program with values. None: as in the environment variable."""
    global _captured
    _captured = captured


def is_captured() -> bool:
    return _captured if _captured is not None else os.environ.get(VARIABLE, "").strip().lower() in ("true", "1")


def without_values(program: str, is_known: IsKnown | None = None) -> str:
    """Return a canonical program with `?` for each text, number and date, and for each unknown name.

    `count orders where colour = "red"` -> `count orders where ? = "?"`, if the schema has no field colour. Without
    `is_known` names are kept.
    """

    def hidden(part: re.Match[str]) -> str:
        match part.lastgroup:
            case "comment":
                return "-- ?"
            case "text":
                return '"?"'
            case "quoted":
                return "`?`"
            case "parameter":
                return part[0] if is_known is None else "$?"
            case "name":
                return part[0] if is_known is None or is_known(part[0], part["dot"] is not None) else "?"
            case _:
                return "?"

    found = _PART.sub(hidden, program[:LONGEST])
    return found if len(program) <= LONGEST else f"{found}..."
