"""Where sentences end.

A full stop ends a sentence where white space and no small letter follow, unless it belongs to an abbreviation, an
initial or the number of a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .pages import Span
from .values.dates import MONTH_NAMES

_END = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*(?=\s+[^\sa-z,;:)\]])|[。！？]+[」』”’)]*|\n[ \t]*\n)")
_ABBREVIATIONS = frozenset(
    """no nos mr mrs ms dr prof st art sec sect fig figs tab eq ref refs vol pp p para paras cl cf e.g i.e eg ie vs
    approx ca inc ltd co corp plc bros llc gmbh mbh dept est min max temp resp incl excl jan feb mar apr jun jul aug
    sep sept oct nov dec u.s u.k a.m p.m nr bzw z.b abs usw ggf tel ph""".split()  # noqa: SIM905
)
_NUMBER_OF_SECTION = re.compile(r"[a-z]{0,2}[\d.]+[a-z]?|[a-z]|[ivx]+")
_DAY = re.compile(rf"\b[0-3]?\d\.\s+(?:{MONTH_NAMES})\b", re.IGNORECASE)
_LAST_WORD = re.compile(r"([\w.]*\w|)\.+[\"'”’»)\]]*$")


def sentences(text: str, within: Span) -> Iterator[Span]:
    """The sentences of a part of a text, without the white space around them."""
    begin = at = within.begin
    while found := _END.search(text, at, within.end):
        at = found.end()
        if not (_is_abbreviation(text, begin, at) or _DAY.search(text, max(begin, at - 4), at + 12)):
            yield from _trimmed(text, Span(begin, at))
            begin = at
    yield from _trimmed(text, Span(begin, within.end))


def ends_with_abbreviation(text: str) -> bool:
    """Whether the full stop at the end of a text belongs to its last word: `Ltd.`, `S.A.`, `Inc.`"""
    last = re.search(r"(\S+)\.$", text)
    return last is not None and (last[1].lower() in _ABBREVIATIONS or "." in last[1])


def _is_abbreviation(text: str, begin: int, end: int) -> bool:
    last = _LAST_WORD.search(text, max(begin, end - 30), end)
    if last is None:
        return False
    word = last[1].lower()
    if word in _ABBREVIATIONS:
        return True
    if not text[begin : last.start()].strip():
        return _NUMBER_OF_SECTION.fullmatch(word) is not None
    return len(word) == 1 and text[last.start(1)].isupper() and text[last.start(1) - 1] != "°"


def _trimmed(text: str, span: Span) -> Iterator[Span]:
    part = text[span.begin : span.end]
    if stripped := part.strip():
        begin = span.begin + part.index(stripped)
        yield Span(begin, begin + len(stripped))
