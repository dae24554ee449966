"""Writes texts of users and documents as literals that cannot contain a delimiter of the prompt."""

from __future__ import annotations

import json
import re
from typing import Any

_TAG = re.compile(r"<(?=[^\s=\d])")
"""Possible beginning of a delimiter. A comparison of the language is `<` followed by a blank, a number or `=`."""


def literal(text: str, longest: int = 2_000) -> str:
    """A string literal of the query language. Angle brackets, line ends and all that is not printed are escapes: a text
    neither closes the part of the prompt that it is in nor looks like another one."""
    return '"' + "".join(_escape(one) if _is_special(one) else one for one in text[:longest]) + '"'


def plain(text: str, longest: int = 500) -> str:
    """A text of the catalog or the mapping on one line, no delimiter in it."""
    return line(" ".join(text[:longest].split()))


def line(program: str) -> str:
    """A program on one line, no delimiter in it: what is escaped can only be in its literals."""
    shown = "".join(one if one.isprintable() else " " for one in program)
    return _TAG.sub(lambda _: _escape("<"), shown)


def data_text(data: Any) -> str:
    """Data for a model as JSON, without signs that could be read as delimiters."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")


def _is_special(one: str) -> bool:
    return one in '<>"\\' or not one.isprintable()


def _escape(one: str) -> str:
    if one in '"\\':
        return "\\" + one
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
