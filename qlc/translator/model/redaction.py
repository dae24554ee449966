"""What of a prompt may be in a log: nothing that users wrote, and nothing of the index."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"?')
"""A text of users or of the index; one that is not closed ends with its line."""
_QUOTED_NAME = re.compile(r"`[^`\n]*`?")
"""A name in back quotes may be a key of the index."""


def redacted(text: str) -> str:
    """A prompt or a checked program without its literals."""
    return _QUOTED_NAME.sub("`...`", _LITERAL.sub('"..."', text))


def redacted_message(content: Any) -> str:
    """What a message says. Of what was sent back to be fixed the codes alone: the rest repeats a program."""
    if isinstance(content, str):
        return redacted(content)
    return "; ".join(_codes(json.loads(block.get("content") or block["text"])) for block in content)


def _codes(wrong: Mapping[str, Any]) -> str:
    found = [one["code"] for one in wrong.get("diagnostics", ())]
    return f"wrong program: {', '.join(found)}" if found else "no usable answer"
