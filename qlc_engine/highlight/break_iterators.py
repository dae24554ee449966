"""Break iterators: boundaries of sentences and words as in Java's BreakIterator, bounded by a length.

Source: java.text.BreakIterator and org.elasticsearch.lucene.search.uhighlight.BoundedBreakIteratorScanner.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

#: Between the values of a field.
VALUE_SEPARATOR = "\u2029"

_SPACE = r"[\t\r\f\n\u2028 \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_CLOSING = "[\"')\\]}\u2019\u201d\u00bb\u203a]"
_SENTENCE_END = re.compile(
    rf"(?:[!?\u3002\uff01\uff1f][.!?\u3002\uff01\uff1f]*{_CLOSING}*{_SPACE}*\u2029?"
    rf"|[.\uff0e](?:[.!?\u3002\uff01\uff1f\uff0e]|{_CLOSING})*(?:{_SPACE}+(?=\S)|\u2029)|\u2029)"
)
_WORD_PART = re.compile(
    r"\r\n|[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"
    r"|[$\u00a2-\u00a5\u20a0-\u20bf]?(?:[^\W_]|_)+(?:[-\u00ad\u2010-\u2015\u2027\"'.](?=[^\W\d_])[\w]+"
    r"|(?<=\d)[.,'\"](?=\d)\w+)*%?|.",
    re.DOTALL,
)


def sentence_boundaries(text: str) -> list[int]:
    """All boundaries, both ends included."""
    found = [0]
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        if match.group()[0] in ".\uff0e" and not match.group().endswith(VALUE_SEPARATOR):
            unclear = any(mark in match.group() for mark in "!?\u3002\uff01\uff1f")
            if not unclear and unicodedata.category(text[end])[:2] in ("Ll", "Nd", "Nl", "No"):
                continue
        if end < len(text):
            found.append(end)
    return [*found, len(text)] if text else [0]


def word_boundaries(text: str) -> list[int]:
    """All boundaries, both ends included."""
    return [0, *(match.end() for match in _WORD_PART.finditer(text))]


class BreakIterator:
    """Boundaries of one text; `preceding` and `following` are strict."""

    def __init__(self, boundaries: Sequence[int]) -> None:
        self._at = boundaries

    def preceding(self, offset: int) -> int:
        return self._at[max(bisect_left(self._at, offset) - 1, 0)]

    def following(self, offset: int) -> int:
        """-1 if there is none."""
        at = bisect_right(self._at, offset)
        return self._at[at] if at < len(self._at) else -1


class BoundedBreakIterator:
    """Sentences up to a length: long ones are cut between words, short ones joined.

    `preceding` must be called with ascending offsets, and `following` after it.
    """

    def __init__(self, text: str, most: int) -> None:
        self._outer = BreakIterator(sentence_boundaries(text))
        self._inner = BreakIterator(word_boundaries(text))
        self._length = len(text)
        self._most = most
        self._window = (-1, -1)
        self._start, self._end = -1, 0

    def preceding(self, offset: int) -> int:
        most = self._most
        if self._window[0] < offset < self._window[1]:
            self._start, self._end = self._end, self._window[1]
        else:
            start = self._outer.preceding(offset)
            target = offset + max(0, most - (offset - start))
            end = self._length if target + 1 > self._length else self._outer.preceding(target + 1)
            if start == end:
                end = self._outer.following(target)
            self._window = start, end
            self._start, self._end = start, end
        if self._end - self._start > most:
            if offset - most > self._start:
                self._start = max(self._start, self._inner.preceding(offset - most))
            remaining = max(0, most - (offset - self._start))
            if offset + remaining < self._window[1]:
                self._end = min(self._window[1], self._inner.following(offset + remaining))
        return self._start

    def following(self, offset: int) -> int:
        return self._end


Breaks = BreakIterator | BoundedBreakIterator


class SplitBreaks:
    """Breaks of each value of a joined text by itself; what makes them is asked once for a value."""

    def __init__(self, text: str, make: Callable[[str], Breaks]) -> None:
        self._text = text
        self._make = make
        self._slice = (-1, -1)
        self._breaks: Breaks | None = None

    def around(self, start: int, end: int) -> tuple[int, int]:
        """The begin and end of the passage that a match belongs to: what lies about its middle."""
        first = self._text.rfind(VALUE_SEPARATOR, 0, start) + 1
        last = self._text.find(VALUE_SEPARATOR, start)
        last = len(self._text) if last < 0 else last
        if self._breaks is None or self._slice != (first, last):
            self._slice = first, last
            self._breaks = self._make(self._text[first:last])
        middle = start + (end - start) // 2
        before = first + self._breaks.preceding(max(start + 1, middle) - first)
        after = first + self._breaks.following(min(end - 1, middle) - first)
        return before, min(after, last)
