"""Labelled values in lines: after a colon or an equals sign, below their label, at the end of a short line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.language.quantities import Style, quantities

from ..pages import Page, Span
from ..sentences import sentences
from .boxes import MARKED
from .labelled import COLON, Labelled, kind_of, labelled_at

_EQUALS = re.compile(r"(?P<label>[^\W_][^=\n\t:;]{0,48}?)\s*=\s+(?P<value>[^\s=][^\n]*)")
_CAPITALS = re.compile(
    r"(?P<label>(?=(?:[^\W\d_]|\W)*[^\W\d_]{4})[^\W\d_a-z]{2,}(?:[ /&-]+[^\W\d_a-z]{2,})*)\s+"
    r"(?P<value>(?![^\W\d_a-z]+\s*$)[^\s:=|–—-][^\n\t]*)"
)
_SENTENCE_BEFORE = re.compile(r"(?:\S+\s+){3,}[^\s.]*[^\W\d_]{3,}[.!?]\s+(?=[^\W\d_a-z])")
_CODE = re.compile(
    r"(?P<label>(?:[^\W\d_][\w'’/-]*\s+){0,4}(?i:no|nr|num|ref|id|number|reference|nummer|revision|#)\.?)"
    r"[ \t:#]+(?P<value>(?=[\w./-]*\d)[A-Z0-9][\w./-]*\w)"
)
_DASH = re.compile(r"(?P<label>[^\W_](?:[^\n\t:;–—]){0,48}?) [–—] (?P<value>[^\s–—][^\n\t]*)")
_LABEL_ALONE = re.compile(
    r"(?:\*\*|__)?[^\W\d_](?:[^\d\n\t.:;,!?()]|\.(?=[\w):]|$)|\([^()\d\n\t]{1,30}\))*:?(?:\*\*|__)?"
)


def labelled_in_lines(page: Page, spans: list[Span], style: Style) -> Iterator[Labelled]:
    lines = [
        (span.begin + line.start(), line[0])
        for span in spans
        for line in re.finditer(r"[^\n]*\S[^\n]*", page.text[span.begin : span.end])
    ]
    texts = [text for _, text in lines]
    if len(spans) == 1 and len(lines) > 1:
        begin = spans[0].begin
        if enumerated := _enumerated(page.text[begin : spans[0].end]):
            yield from (_of_match(page, begin + at, found) for at, found in enumerated)
            return
    forms = [
        form for form in (COLON, _EQUALS, _DASH, _CODE, _CAPITALS)
        if form not in (_DASH, _CAPITALS) or sum(form.match(text) is not None for text in texts) > 1
    ]  # fmt: skip
    stacked: Collection[int] = ()
    if _CAPITALS not in forms and not any(_EQUALS.match(text) for text in texts):
        stacked = range(0, len(lines), 2) if len(spans) == 1 and _is_stacked(texts) else _stacked(texts, style)
    marked = _marked(texts)
    for place, (at, text) in enumerate(lines):
        if place in marked:
            (label_at, label), (first, value_at), (last, value_end) = marked[place]
            begin, end = lines[first][0] + value_at, lines[last][0] + value_end
            label_begin = lines[place][0] + label_at
            whole = Span(min(label_begin, begin), max(label_begin + len(label), end))
            yield Labelled(label, page.text[begin:end], page.number, whole, Span(begin, end))
            continue
        if any(first <= place <= last for _, (first, _), (last, _) in marked.values()):
            continue
        if place in stacked:
            begin, value = lines[place + 1]
            yield labelled_at(text, value.strip(), page, at, begin + len(value) - len(value.lstrip()))
            continue
        if place - 1 in stacked:
            continue
        if "\t" in text:
            yield from _of_cells(page, at, text)
            continue
        if enumerated := _enumerated(text):
            yield from (_of_match(page, at + begin, found) for begin, found in enumerated)
            continue
        found = next((match for form in forms if (match := form.match(text))), None)
        if found and len(found["label"].split()) <= 8:
            value, label, label_at = found["value"].rstrip(), found["label"], found.start("label")
            if ended := _SENTENCE_BEFORE.match(label):  # a label within a text: its value is of its sentence
                label, label_at = label[ended.end() :], label_at + ended.end()
                value = next((value[one.begin : one.end] for one in sentences(value, Span(0, len(value)))), value)
                value = value if ends_with_abbreviation(value) else value.rstrip(".")
            yield labelled_at(label, value, page, at + label_at, at + found.start("value"))
        elif len(text) <= 90:
            yield from _amount_at_end(page, at, text, style)


_BOX = MARKED.pattern.replace("?P<on>", "?:").replace("?P<off>", "?:")
_BESIDE_BOXES = re.compile(rf"(?P<label>[^\W_](?:(?!{_BOX})[^\t:?]){{1,58}})\s*[:?]\s*(?P<value>(?=.*(?:{_BOX})).*\S)")
_AFTER_BOXES = re.compile(rf"(?P<value>(?:(?:{_BOX})\s*\w+\s+){{2}})(?P<label>[^\W\d_][^:\t]{{1,58}}?)\s*[?:]?\s*")
_BOX_FIRST = re.compile(rf"\W{{0,2}}(?:{_BOX})\s*\w")

_Marked = tuple[tuple[int, str], tuple[int, int], tuple[int, int]]
"""A label with its place in its line, and the lines and places in which its boxes begin and end."""


def _marked(texts: Sequence[str]) -> dict[int, _Marked]:
    """Return labels whose value is a choice of boxes, by line: `Sex: ☐ Female ☒ Male`, `☒ Yes ☐ No Smoker?`, or a label
    with a box in each line below it."""
    found: dict[int, _Marked] = {}
    for place, text in enumerate(texts):
        if not MARKED.search(text):
            last = place + 1
            while last < len(texts) and _BOX_FIRST.match(texts[last]):
                last += 1
            if last - place > 2 and (label := text.strip(" :?*_")) and len(label) <= 60:
                found[place] = (text.index(label), label), (place + 1, 0), (last - 1, len(texts[last - 1].rstrip()))
        elif match := _BESIDE_BOXES.match(text) or _AFTER_BOXES.fullmatch(text):
            begin, end = match.span("value")
            found[place] = (match.start("label"), match["label"].strip()), (place, begin), (place, end)
    return found


_LINE_OR_PART = re.compile(r"[^\s;|•·](?:[^;|•·\n]|\n(?![^:\n;|•·]{2,60}:\s))*")
_PART = re.compile(r"[^\s;|•·][^;|•·]*")
_SENTENCE = re.compile(r"[^\s.](?:[^.\n]|\.(?!\s+[^\W\d_][^:.\n]{0,40}:\s|\s*$))*")


def _enumerated(text: str) -> list[tuple[int, re.Match[str]]]:
    """Split `Length: 12 m; Beam: 4 m | Built: 1999` into parts with their places, if each is a label and its value."""
    for form in (_LINE_OR_PART, _PART) if "\n" in text else (_PART, _SENTENCE):
        parts = [*form.finditer(text)]
        found = [(part.start(), COLON.fullmatch(part[0].replace("\n", " ").rstrip())) for part in parts]
        matches = [(at, match) for at, match in found if match and len(match["label"].split()) <= 8]
        if len(parts) == len(matches) > 1 and not any(": " in match["value"] for _, match in matches):
            return matches
    return []


def _of_match(page: Page, at: int, found: re.Match[str]) -> Labelled:
    value = found["value"].rstrip()
    value = value if ends_with_abbreviation(value) else value.rstrip(".")
    return labelled_at(found["label"], value, page, at, at + found.start("value"))


def _is_stacked(lines: list[str]) -> bool:
    """Whether each label has its value in the line below: short lines, and labels without digits or signs."""
    return (
        0 < len(lines) <= 40
        and len(lines) % 2 == 0
        and all(_LABEL_ALONE.fullmatch(line) and len(line.split()) <= 6 for line in lines[::2])
        and all(len(line) <= 60 and not re.search(r"\t|:\s|(?:\S+ ){5}.*\.$", line) for line in lines[1::2])
    )


def _stacked(lines: list[str], style: Style) -> set[int]:
    """Return the positions of labels whose value is in the line below, among other lines.

    A value that is only an amount is sure; next to these, texts can be values too.
    """
    bare = [line.strip() for line in lines]
    is_label = [
        _LABEL_ALONE.fullmatch(line) is not None and len(line.split()) <= 6 and not _DASH.match(line) for line in bare
    ]
    kinds = [kind_of(line, style) if len(line) <= 60 else "text" for line in bare]
    sure = {
        at
        for at in range(len(lines) - 1)
        if is_label[at] and not is_label[at + 1] and kinds[at + 1] != "text" and not COLON.match(bare[at + 1])
    }
    sure |= {at for at in range(len(lines) - 1) if is_label[at] and bare[at][-1] == ":" and _can_be_value(bare[at + 1])}
    if len(sure) == 1:
        sure = {at for at in sure if kinds[at + 1] != "number"}
    found = set(sure)
    for at in sure:
        for step in (-2, 2):
            for near in (at + step, at + 2 * step):
                pair = bare[max(near, 0) : near + 2]
                if len(pair) < 2 or near < 0 or not is_label[near] or not _can_be_value(pair[1]) or near + 1 in found:
                    break
                found.add(near)
    return found


def _can_be_value(line: str) -> bool:
    return len(line) <= 60 and not re.search(r"\t|:\s|:$|(?:\S+ ){5}.*\.$", line) and not _DASH.match(line)


def _of_cells(page: Page, at: int, text: str) -> Iterator[Labelled]:
    """Yield values of a single line with wide gaps: cells with their own labels, or a label and its value."""
    cells = [(found.start(), found[0].rstrip()) for found in re.finditer(r"[^\s][^\t]*", text)]
    matches = [(begin, found) for begin, cell in cells if (found := COLON.match(cell) or _CODE.match(cell))]
    for begin, found in matches:
        yield labelled_at(found["label"], found["value"], page, at + begin, at + begin + found.start("value"))
    if len(cells) == 2 and not matches:
        (first, label), (second, value) = cells
        yield labelled_at(label.rstrip(":"), value, page, at + first, at + second)


def _amount_at_end(page: Page, at: int, text: str, style: Style) -> Iterator[Labelled]:
    """`Total GBP 1,484.40`: words, and an amount that ends the line."""
    found = quantities(text, style)
    end = len(text.rstrip(" ."))
    if not found or found[-1].end < end or (len(found) > 1 and text.rstrip().endswith(".")):
        return
    label = text[: found[-1].start].strip(" :-–.")
    if len(found) > 1 and re.search(r"[,;]\s", label):
        return  # several labels with their amounts
    words = label.split()
    if re.search(r"\S {3,}\S", label):
        return  # wide gaps: the line is a row of a table, and read as one
    if 1 <= len(words) <= 6 and re.search(r"[^\W\d_]", words[0]) and (found[-1].kind != "number" or len(words) <= 3):
        yield replace(labelled_at(label, text[found[-1].start : end], page, at, at + found[-1].start), is_amount=True)
