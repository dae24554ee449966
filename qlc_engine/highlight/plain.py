"""The `plain` highlighter: fragments of about a length, the best first, each value by itself.

Source: org.apache.lucene.search.highlight.Highlighter with SimpleSpanFragmenter or SimpleFragmenter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from qlc_engine.highlight.matching import Hit, TextToken
from qlc_engine.highlight.options import HighlightOptions
from qlc_engine.highlight.unified import encoded

Analyse = Callable[[Sequence[str]], list[TextToken]]
Find = Callable[[Sequence[TextToken]], list[Hit]]


@dataclass(slots=True)
class _Fragment:
    number: int
    text: str = ""
    terms: set[bytes] = field(default_factory=set)


def plain(values: Sequence[str], analyse: Analyse, find: Find, options: HighlightOptions) -> list[str]:
    """The fragments of the values, marked; none if there is nothing to show."""
    most = options.number_of_fragments or 1
    found: list[_Fragment] = []
    for value in values:
        tokens = analyse([value])
        fragments = _fragments(value, tokens, find(tokens), options)
        best = sorted(fragments, key=lambda each: (-len(each.terms), each.number))[:most]
        found += sorted((fragment for fragment in best if fragment.terms), key=lambda each: each.number)
    if options.by_score:
        found.sort(key=lambda each: -len(each.terms))
    if not (options.number_of_fragments == 0 and len(values) > 1):
        found = found[:most]
    if not found and options.no_match_size > 0 and values:
        end = _end_without_match(values[0], analyse(values[:1]), options.no_match_size)
        return [values[0][:end]] if end > 0 else []
    return [fragment.text for fragment in found]


def _fragments(
    text: str, tokens: Sequence[TextToken], hits: Sequence[Hit], options: HighlightOptions
) -> list[_Fragment]:
    marked = {(hit.start, hit.end): hit for hit in hits}
    out = [_Fragment(0)]
    written = 0
    starts = _starts(text, tokens, marked, options)
    for number, token in enumerate(tokens):
        if number in starts:
            out.append(_Fragment(len(out)))
        if token.start < written:
            continue
        piece = encoded(text[token.start : token.end], options)
        if (token.start, token.end) in marked:
            piece = f"{options.pre_tag}{piece}{options.post_tag}"
            out[-1].terms.add(token.term)
        out[-1].text += encoded(text[written : token.start], options) + piece
        written = token.end
    out[-1].text += encoded(text[written:], options)
    return out


def _starts(
    text: str, tokens: Sequence[TextToken], marked: dict[tuple[int, int], Hit], options: HighlightOptions
) -> set[int]:
    """The tokens with which a new fragment begins."""
    size = options.fragment_size
    if options.number_of_fragments == 0:
        return set()
    out: set[int] = set()
    count = 1
    for number, token in enumerate(tokens[1:], 1):
        wanted = token.end >= size * count
        if options.fragmenter == "span":
            wanted = wanted and len(text) - token.end >= size >> 1
        if wanted:
            count += 1
            out.add(number)
    return out


def _end_without_match(text: str, tokens: Sequence[TextToken], size: int) -> int:
    """The last end of a token within the size."""
    if len(text) < size:
        return len(text)
    end = -1
    for token in tokens:
        if token.end == size:
            return size
        if token.end > size:
            return end
        end = token.end
    return end
