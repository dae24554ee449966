"""Splits text into sentences.

A full stop ends a sentence if white space and no small letter follow, unless it belongs to an abbreviation, an initial
or a section number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.base.words.sentences import ABBREVIATIONS
from qlc.language.dates import MONTH_NAMES

from .pages import Span

_END = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*(?=\s+[^\sa-z,;:)\]])|[。！？]+[」』”’)]*|\n[ \t]*\n)")
_NUMBER_OF_SECTION = re.compile(r"[a-z]{0,2}[\d.]+[a-z]?|[a-z]|[ivx]+")
_DAY = re.compile(rf"\b[0-3]?\d\.\s+(?:{MONTH_NAMES})\b", re.IGNORECASE)
_LAST_WORD = re.compile(r"([\w.]*\w|)\.+[\"'”’»)\]]*$")


def sentences(text: str, within: Span) -> Iterator[Span]:
    """Yield the sentences of a part of a text, without white space around them."""
    begin = at = within.begin
    while found := _END.search(text, at, within.end):
        at = found.end()
        if not (_is_abbreviation(text, begin, at) or _DAY.search(text, max(begin, at - 4), at + 12)):
            yield from _trimmed(text, Span(begin, at))
            begin = at
    yield from _trimmed(text, Span(begin, within.end))


def _is_abbreviation(text: str, begin: int, end: int) -> bool:
    last = _LAST_WORD.search(text, max(begin, end - 30), end)
    if last is None:
        return False
    word = last[1].lower()
    if word in ABBREVIATIONS:
        return True
    if not text[begin : last.start()].strip():
        return _NUMBER_OF_SECTION.fullmatch(word) is not None
    return len(word) == 1 and text[last.start(1)].isupper() and text[last.start(1) - 1] != "°"


def _trimmed(text: str, span: Span) -> Iterator[Span]:
    part = text[span.begin : span.end]
    if stripped := part.strip():
        begin = span.begin + part.index(stripped)
        yield Span(begin, begin + len(stripped))
