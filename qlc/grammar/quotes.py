"""Diagnostics for texts without quotes: `type = Tax Return`, `document(Report.pdf)`, `mentions water damage`."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import repaired, replace
from qlc.grammar.reading import END
from qlc.grammar.stop import Stop

_VALUE_KINDS = frozenset(
    {"NAME", "NUMBER", "DATE", "DOT", "UNIT", "TRUE", "FALSE", "DAY", "NOW", "LAST", "NEXT", "THIS"}
)
_WORDS_OF_TEXT = re.compile(
    r"[^\n\"()\[\],;=<>]*?(?=\s+(?:and|or|sort|order|limit|show|by|having)\b|\s*[\n\"()\[\],;]|\s*$)"
)
"""Words up to a keyword, a bracket or the end of the line."""


def unquoted_text(stop: Stop) -> Diagnostic | None:
    """Quote a text where nothing else can come: in a lookup, after `mentions` or `about` that was read as a field."""
    previous = stop.before[-1].text.lower() if stop.before else ""
    if not stop.accepted <= {"STRING", "PARAMETER"} and previous not in ("mentions", "about"):
        return None
    return _quoted(stop, stop.token.start)


def unquoted_value(stop: Stop) -> Diagnostic | None:
    """Quote several words after an operator, if the first was read as the value: `name = Tax Return 2024`."""
    first = len(stop.before)
    while first and stop.before[first - 1].kind in _VALUE_KINDS:
        first -= 1
    if first in (0, len(stop.before)) or stop.token.kind == END:
        return None
    if "STRING" not in stop.accepted_before(len(stop.before) - first) or stop.before[first - 1].kind == "COMPARE":
        return None
    if stop.before[first].kind in ("THIS", "LAST", "NEXT"):
        return None
    return _quoted(stop, stop.before[first].start)


def unquoted_words(stop: Stop) -> Diagnostic | None:
    """Offer quotes around the words of a value, if the second one was read as a clause: `type = Purchase Order`."""
    begun = len(stop.before) - (2 if stop.kinds(1) in (("ORDER",), ("GROUP",)) else 1)
    if begun < 1 or stop.before[begun].kind != "NAME" or "STRING" not in stop.accepted_before(len(stop.before) - begun):
        return None
    end = stop.place
    if begun == len(stop.before) - 1:
        match = _WORDS_OF_ITEM.match(stop.source, stop.token.start)
        if match is None or stop.before[begun - 1].kind not in ("LSQB", "COMMA"):
            return None
        end = match.end()
    span = Span(stop.before[begun].start, end)
    words = stop.source[span.start : end]
    # The other values of a list may be without quotes too: then this one alone makes no program.
    text = repaired(stop.source, replace(*span, f'"{words}"'))
    if text is None and end == stop.place:
        return None
    return stop.problem("unquoted-text", f"'{words}' must be in quotes", f'write "{words}"', text, span=span)


_WORDS_OF_ITEM = re.compile(r"[A-Za-z][^\n\"()\[\],;=<>]*?(?=\s*[,\]])")


def _quoted(stop: Stop, start: int) -> Diagnostic | None:
    match = _WORDS_OF_TEXT.match(stop.source, start)
    if match is None or not match[0] or match.end() < stop.token.end:
        return None
    words, span = match[0], Span(*match.span())
    text = repaired(stop.source, replace(*span, f'"{words}"'))
    if text is None:
        return None
    return stop.problem("unquoted-text", f"'{words}' must be in quotes", f'write "{words}"', text, span=span)
