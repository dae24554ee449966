"""The `unified` highlighter: sentences with matches, the best of them by a score like BM25.

Source: org.apache.lucene.search.uhighlight.PassageScorer and
org.elasticsearch.lucene.search.uhighlight.CustomFieldHighlighter.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from qlc_engine.highlight.break_iterators import (
    VALUE_SEPARATOR,
    BoundedBreakIterator,
    BreakIterator,
    Breaks,
    SplitBreaks,
    sentence_boundaries,
    word_boundaries,
)
from qlc_engine.highlight.matching import Hit
from qlc_engine.highlight.options import HighlightOptions

_K1, _B, _PIVOT = 1.2, 0.75, 87.0


@dataclass(slots=True)
class Passage:
    """A part of the text with the matches in it."""

    start: int
    end: int
    hits: list[Hit] = field(default_factory=list)
    score: float = 0.0


def unified(values: Sequence[str], hits: Sequence[Hit], options: HighlightOptions) -> list[str]:
    """The fragments of the joined values, marked; none if there is nothing to show."""
    text = VALUE_SEPARATOR.join(values)
    passages = _passages(text, hits, options)
    if not passages and options.no_match_size > 0:
        passages = _without_match(text, options.no_match_size)
    marked = [(passage, mark(text, passage, options)) for passage in passages]
    marked = [(passage, fragment) for passage, fragment in marked if fragment.strip()]
    if options.by_score:
        marked.sort(key=lambda pair: -pair[0].score)
    return [fragment for _, fragment in marked]


def _passages(text: str, hits: Sequence[Hit], options: HighlightOptions) -> list[Passage]:
    breaks = SplitBreaks(text, lambda part: _breaks(part, options))
    found: list[Passage] = []
    for hit in hits:
        if hit.end > len(text):
            continue
        if not found or hit.start >= found[-1].end:
            first, last = breaks.around(hit.start, hit.end)
            reached = found[-1].end if found else 0
            found.append(Passage(min(hit.start, max(first, reached)), max(hit.end, last)))
        found[-1].hits.append(hit)
    for passage in found:
        passage.score = _score(passage, len(text))
    if options.number_of_fragments > 0:
        found = heapq.nsmallest(options.number_of_fragments, found, key=lambda each: (-each.score, each.start))
    return sorted(found, key=lambda each: each.start)


def _breaks(text: str, options: HighlightOptions) -> Breaks:
    if options.number_of_fragments == 0:
        return BreakIterator([0, len(text)])
    if options.boundary_scanner == "word":
        return BreakIterator(word_boundaries(text))
    if options.fragment_size > 0:
        return BoundedBreakIterator(text, options.fragment_size)
    return BreakIterator(sentence_boundaries(text))


def _score(passage: Passage, text_length: int) -> float:
    in_passage: dict[object, int] = {}
    in_text: dict[object, int] = {}
    for hit in passage.hits:
        in_passage[hit.key] = in_passage.get(hit.key, 0) + 1
        in_text[hit.key] = hit.frequency
    norm = _K1 * ((1 - _B) + _B * ((passage.end - passage.start) / _PIVOT))
    total = 0.0
    for key, times in in_passage.items():
        weight = (_K1 + 1) * math.log(1 + (1 + text_length / _PIVOT + 0.5) / (in_text[key] + 0.5))
        total += times / (times + norm) * weight
    return total * (1 + 1 / math.log(_PIVOT + passage.start))


def _without_match(text: str, size: int) -> list[Passage]:
    """The begin of the first value, up to the end of a word."""
    start = len(text) - len(text.lstrip(VALUE_SEPARATOR))
    if start >= len(text):
        return []
    end = text.find(VALUE_SEPARATOR, start)
    end = len(text) if end < 0 else end
    if start + size < end:
        end = BreakIterator(word_boundaries(text)).following(start + size)
        end = len(text) if end < 0 else end
    return [Passage(start, end)]


def mark(text: str, passage: Passage, options: HighlightOptions) -> str:
    """A passage with tags around its matches."""
    parts: list[str] = []
    at = passage.start
    for hit in passage.hits:
        if hit.start > at:
            parts.append(encoded(text[at : hit.start], options))
        if hit.end > at:
            parts += [options.pre_tag, encoded(text[max(at, hit.start) : hit.end], options), options.post_tag]
            at = hit.end
    parts.append(encoded(text[at : max(at, passage.end)], options))
    whole = "".join(parts)
    if whole[-1:] in (VALUE_SEPARATOR, "\0"):
        whole = whole[:-1]
    return whole.strip("".join(map(chr, range(33))))


_HTML = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#x27;", "/": "&#x2F;"}


def encoded(text: str, options: HighlightOptions) -> str:
    return "".join(_HTML.get(character, character) for character in text) if options.html else text
