"""Labelled values: a value beside its label in a table, after a colon, or at the end of a short line.

`Vceo | 60 V`, `Invoice no.: AC-82744`, `Total GBP 1,484.40`, `Contract no. C-2024-112`. Labels are not interpreted
here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.language.quantities import Style, currency_of, quantities, stated_scale, unit_of_label
from qlc.language.units import unit_of

from ..pages import Block, Page, Span
from ..sentences import sentences
from .boxes import MARKED


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with its label; both are verbatim on their page."""

    label: str
    value: str
    page: int
    span: Span
    """Span of the label and the value together."""
    value_span: Span
    unit: str = ""
    """Unit in another cell of the row, or in the head of the column, as written."""
    column: str = ""
    """The head of the value's column, if the row has several values."""
    row: int = -1
    """Row number in the document, for a table with a head; values of one row belong together."""
    is_amount: bool = False
    """Whether only the beginning of an amount separates label and value."""
    scale: int = 1
    """Factor of an amount of money without a scale of its own: 1000 for `(EUR in thousands)`."""
    is_again: bool = False
    """Whether its cell also has another reading: with the label of its row, or with the label beside it."""


_COLON = re.compile(r"(?P<label>[^\s:|][^:\n\t]{0,58}[^\s:(])\s*:(?:\*\*|__)?[ \t]+(?P<value>[^\s\n][^\n\t]*)")
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
_NUMBERING = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[a-z][.)])\s+(?=[^\W\d_])")
_HEADS_OF_VALUES = re.compile(
    r"(?:min(?:imum)?|typ(?:ical|ique)?|max(?:imum)?|values?|nom(?:inal)?|limit|rating|wert|valeur|results?)\b", re.I
)
_HEADS_OF_FINDINGS = re.compile(
    r"results?|measured|found|actual|reading|determined|value|ergebnis|(?:ist)?wert|valeur|résultat", re.I
)
"""Heads of columns with results; beside these, other columns are requirements."""
_HEADS_OF_UNITS = re.compile(r"units?\b|einheit|unité|uom|dim\.", re.IGNORECASE)
_HEADS_OF_SYMBOLS = re.compile(
    r"symbols?|symbole|symb\.?|formelzeichen|kurzzeichen|(?:test )?conditions?|notes?|remarks?|method|no\.?$|pos\.?$",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(
    r"(?:\*\*|__)?[^\W\d_](?:[^\d\n\t.:;,!?()]|\.(?=[\w):]|$)|\([^()\d\n\t]{1,30}\))*:?(?:\*\*|__)?"
)


def labelled_values(pages: Iterable[Page], style: Style) -> Iterator[Labelled]:
    """Yield the labelled values of a document, in order."""
    pages = [*pages]
    stated = _Scales(pages)
    rows = 0
    heads: list[str] = []  # columns of the table at the end of the previous page
    for page in pages:
        last: list[str] = []
        for at, part in enumerate(_parts(page)):
            if isinstance(part, Block):
                last = heads if at == 0 and len(heads) == len(part.rows[0]) else []
                found = _of_table(page, part, rows, style, last)
                rows += len(part.rows)
            else:
                last = []
                found = _of_text(page, part, style)
            yield from (stated.applied(one) for one in found if _says(one.label.strip("~")) and _says(one.value))
        heads = last


_STATEMENT = re.compile(
    r"^[ \t#*|>]*\(?(?P<all>all |alle )?"
    r"(?:amounts|figures|values|numbers|dollars|beträge|angaben|montants|importes|in|en"
    r"|[$\u20ac\u00a3]|(?:USD|EUR|GBP|CHF|T\u20ac|TEUR)\b)[^\n\d]{0,80}(?:000[^\n\d]{0,20})?$",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_SCALED = re.compile(r"\bper\b|\bpro\b|%|\bshares?\b|\bnumber\b|\bratio\b", re.IGNORECASE)


class _Scales:
    """Scales that a document states for amounts without their own: `(in thousands of EUR)` above a table holds for its
    page, `All amounts are in thousands` for the document."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._on: dict[int, list[tuple[int, int, str]]] = {}
        self._everywhere: tuple[int, str] = (1, "")
        for page in pages:
            for found in _STATEMENT.finditer(page.text):
                scale, currency = stated_scale(found[0])
                if scale == 1:
                    continue
                self._on.setdefault(page.number, []).append((found.start(), scale, currency))
                if found["all"]:
                    self._everywhere = (scale, currency)

    def applied(self, one: Labelled) -> Labelled:
        scale, currency = stated_scale(f"{one.label} {one.column}")
        if scale == 1 and not currency_of(one.unit) and not _NOT_SCALED.search(one.label):
            on_page = self._on.get(one.page, ())
            above = [each for each in on_page if each[0] < one.span.begin]
            _, scale, currency = (above or on_page or [(0, *self._everywhere)])[-1 if above else 0]
        return one if scale == 1 else replace(one, scale=scale, unit=currency or one.unit)


def _parts(page: Page) -> Iterator[Block | list[Span]]:
    """Yield tables and texts; consecutive short paragraphs are one text."""

    def is_line(block: Block) -> bool:
        text = page.of(block.span)
        return block.kind in ("paragraph", "item") and not block.rows and len(text) <= 90 and "\n" not in text

    for are_lines, blocks in groupby(page.blocks, is_line):
        if are_lines:
            yield [block.span for block in blocks]
        else:
            yield from (
                block if block.rows else [block.span] for block in blocks if block.rows or block.kind != "margin"
            )


def _says(text: str) -> bool:
    return re.search(r"[^\W_]|~~", text) is not None


# --- text ------------------------------------------------------------------------------------------------------------


def _of_text(page: Page, spans: list[Span], style: Style) -> Iterator[Labelled]:
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
        form for form in (_COLON, _EQUALS, _DASH, _CODE, _CAPITALS)
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
            yield _labelled(text, value.strip(), page, at, begin + len(value) - len(value.lstrip()))
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
            yield _labelled(label, value, page, at + label_at, at + found.start("value"))
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
        found = [(part.start(), _COLON.fullmatch(part[0].replace("\n", " ").rstrip())) for part in parts]
        matches = [(at, match) for at, match in found if match and len(match["label"].split()) <= 8]
        if len(parts) == len(matches) > 1 and not any(": " in match["value"] for _, match in matches):
            return matches
    return []


def _of_match(page: Page, at: int, found: re.Match[str]) -> Labelled:
    value = found["value"].rstrip()
    value = value if ends_with_abbreviation(value) else value.rstrip(".")
    return _labelled(found["label"], value, page, at, at + found.start("value"))


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
    kinds = [_kind(line, style) if len(line) <= 60 else "text" for line in bare]
    sure = {
        at
        for at in range(len(lines) - 1)
        if is_label[at] and not is_label[at + 1] and kinds[at + 1] != "text" and not _COLON.match(bare[at + 1])
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
    matches = [(begin, found) for begin, cell in cells if (found := _COLON.match(cell) or _CODE.match(cell))]
    for begin, found in matches:
        yield _labelled(found["label"], found["value"], page, at + begin, at + begin + found.start("value"))
    if len(cells) == 2 and not matches:
        (first, label), (second, value) = cells
        yield _labelled(label.rstrip(":"), value, page, at + first, at + second)


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
        return  # it has cells of its own
    if 1 <= len(words) <= 6 and re.search(r"[^\W\d_]", words[0]) and (found[-1].kind != "number" or len(words) <= 3):
        yield replace(_labelled(label, text[found[-1].start : end], page, at, at + found[-1].start), is_amount=True)


def _labelled(label: str, value: str, page: Page, begin: int, value_begin: int) -> Labelled:
    end = value_begin + len(value)
    label = label.strip(" *_:=")
    label = label[found.end() :] if (found := _NUMBERING.match(label)) else label
    return Labelled(label, value, page.number, Span(begin, end), Span(value_begin, end), unit_of_label(label))


# --- tables ----------------------------------------------------------------------------------------------------------


def _of_table(page: Page, block: Block, first_row: int, style: Style, heads: list[str]) -> Iterator[Labelled]:
    """Read a table, which can have several parts: rows of label and value, pairs of these, items below their own head.

    `heads` has the column names of the table that this one continues; it is set to those of the last row.
    """
    rows = [[page.of(cell) for cell in cells] for cells in block.rows]
    if _is_of_labels_and_values(rows, style):
        for number in range(0, len(rows), 2):
            yield from _of_boxes(page, block.rows[number], block.rows[number + 1])
            if len(rows) == 2 and len(rows[0]) > 2:
                record = _of_record(page, rows[0], block.rows[1], rows[1], first_row + 1)
                yield from (replace(one, is_again=True) for one in record)
        heads.clear()
        return
    if _is_doubtful(rows):
        yield from (replace(one, is_again=True) for one in _of_boxes(page, *block.rows))
    in_pairs = _rows_of_pairs(rows, style)
    are_heads = {
        at for at in range(len(rows)) if at not in in_pairs and ((at == 0 and block.has_head) or _is_head(rows, at))
    }
    part_of, columns_of = _columns_by_part(rows, are_heads, heads, style)
    for place, kind in enumerate(columns_of.get((0, 0), ())):
        # a value that is equal in all rows belongs to the document
        if kind == "constant" and block.has_head and _is_of_parameters(rows[0], columns_of[0, 0]):
            above, cell = block.rows[0][place], block.rows[1][place]
            yield _labelled(page.of(above), page.of(cell), page, above.begin, cell.begin)
    for at, (cells, texts) in enumerate(zip(block.rows, rows, strict=True)):
        filled = [place for place, text in enumerate(texts) if text]
        if at in are_heads:
            heads[:] = texts
            if len(filled) == len(texts) == 2:  # a head of two cells can also be a label and its value
                label, value = texts
                yield replace(_labelled(label, value, page, cells[0].begin, cells[1].begin), is_again=True)
            continue
        if not all(place < len(heads) and (heads[place] or not place) for place in filled):
            heads.clear()
        columns = columns_of.get(part_of[at], [])
        with_colon = [(cells[place].begin, found) for place in filled if (found := _COLON.match(texts[place]))]
        if len(with_colon) * 2 > len(filled):
            for begin, found in with_colon:
                value_at = begin + found.start("value")
                yield _labelled(found["label"], found["value"].rstrip(), page, begin, value_at)
        elif at in in_pairs:
            for left, right in zip(filled[::2], filled[1::2], strict=False):
                yield _labelled(texts[left], texts[right], page, cells[left].begin, cells[right].begin)
        elif len(heads) > 2 and not _is_of_parameters(heads, columns):
            yield from _of_item(page, heads, cells, texts, first_row + at, style)
        elif len(filled) > 1:
            yield from _of_parameter(page, heads, cells, texts, columns)
            if len(heads) > 2:
                record = _of_record(page, heads, cells, texts, first_row + at)
                yield from (replace(one, is_again=True) for one in record)


def _columns_by_part(
    rows: list[list[str]], are_heads: set[int], heads: list[str], style: Style
) -> tuple[list[tuple[int, int]], dict[tuple[int, int], list[str]]]:
    """Return the part of each row (its head, or its number of cells without one), and the columns of each part."""
    parts: dict[tuple[int, int], list[list[str]]] = {}
    part_of: list[tuple[int, int]] = []
    below = -1
    for at, row in enumerate(rows):
        below = at if at in are_heads else below
        part_of.append((below, 0 if below >= 0 else sum(map(bool, row))))
        if below != at:
            parts.setdefault(part_of[-1], []).append(row)
    return part_of, {
        part: _columns(alike, rows[part[0]] if part[0] >= 0 else heads, style) for part, alike in parts.items()
    }


def _of_item(
    page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str], number: int, style: Style
) -> Iterator[Labelled]:
    """Yield the cells of an item, and for a sum below the items (`Total | 1,484.40`) also its label with the value."""
    yield from _of_record(page, heads, cells, texts, number)
    filled = [place for place, text in enumerate(texts) if text]
    is_sum = len(filled) == 2 and re.match(r"[^\W\d_]{2}", texts[filled[0]])
    if is_sum and _kind(texts[filled[1]], style) != "text":
        first, last = (cells[place] for place in filled)
        total = _labelled(page.of(first), page.of(last), page, first.begin, last.begin)
        yield replace(total, is_again=True)


def _is_of_labels_and_values(rows: list[list[str]], style: Style) -> bool:
    """Whether each row of labels has its values in the row below, most with an amount among them.

    With two columns an amount must come first; otherwise they are labels with values beside them.
    """
    pairs = [*zip(rows[::2], rows[1::2], strict=False)]
    names = [text for labels, _ in pairs for text in labels if text]
    if any(_HEADS_OF_UNITS.match(text) for text in rows[0]):
        return False
    if len(rows) % 2 or sum(re.search(r"\d", name) is None for name in names) * 2 <= len(names):
        return False
    if any(not text[0].isalpha() or len(text) > 60 or _kind(text, style) != "text" for text in names):
        return False
    sure = 0
    for labels, values in pairs:
        if len(labels) != len(values) or any(value and not label for label, value in zip(labels, values, strict=True)):
            return False
        found = [_kind(value, style) != "text" for label, value in zip(labels, values, strict=True) if label]
        sure += any(found) if len(found) > 2 else found[:1] == [True]
    return sure * 2 >= len(pairs)


def _is_doubtful(rows: list[list[str]]) -> bool:
    """Whether two rows of two cells are ambiguous: a label and its value in each, or one above the other."""
    cells = [text for row in rows for text in row if text]
    return len(rows) == 2 and len(cells) == 4 and [bool(re.search(r"\d", text)) for text in cells[:3]] == [False] * 3


def _of_boxes(page: Page, labels: tuple[Span, ...], values: tuple[Span, ...]) -> Iterator[Labelled]:
    for label, value in zip(labels, values, strict=True):
        if page.of(label) and page.of(value):
            yield _labelled(page.of(label), page.of(value), page, label.begin, value.begin)


def _is_head(rows: list[list[str]], at: int) -> bool:
    """Whether a row inside a table names the columns below: three names, and numbers below them."""
    filled = [place for place, text in enumerate(rows[at]) if text]
    below = rows[at + 1] if at + 1 < len(rows) else []
    return (
        (len(filled) > 2 or (filled == [1, 2] and bool(below[:1] and below[0])))
        and not any(re.search(r"\d", text) for text in rows[at])
        and sum(bool(text) for text in below) > 2
        and any(re.search(r"\d", text) for text in below)
        and (at == 0 or [bool(text) for text in rows[at - 1]] != [bool(text) for text in rows[at]])
    )


def _rows_of_pairs(rows: list[list[str]], style: Style) -> set[int]:
    """Return the rows in which labels and values alternate; the last of several can have one pair."""
    found: set[int] = set()
    filled = [[text for text in row if text] for row in rows]
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and len(filled[end]) == len(filled[at]):
            end += 1
        if len(filled[at]) == 4 and _is_of_pairs(filled[at:end], style):
            end += end < len(rows) and len(filled[end]) == 2
            found.update(range(at, end))
        at = end
    return found


def _is_of_pairs(rows: list[list[str]], style: Style) -> bool:
    """Whether labels and values alternate: labels differ, and values of different kinds are below each other."""
    labels = [row[place] for row in rows for place in (0, 2)]
    if not 2 <= len(rows) <= 40 or len({*labels}) < len(labels):
        return False
    if sum(re.search(r"\d", label) is not None for label in labels) * 4 > len(labels):
        return False
    kinds = [{_kind(row[place], style) for row in rows[1:]} for place in (1, 3)]
    return any(len(one) > 1 for one in kinds) or any(re.search(r"\d", rows[0][place]) for place in (1, 3))


def _kind(text: str, style: Style) -> str:
    found = quantities(text, style)
    return found[0].kind if found and (found[0].end - found[0].start) * 2 > len(text) else "text"


def _is_of_parameters(heads: list[str], columns: list[str]) -> bool:
    """Whether each row is a parameter with its values: the other columns are its symbol, its unit, its limits."""
    kinds = (_HEADS_OF_VALUES, _HEADS_OF_UNITS, _HEADS_OF_SYMBOLS, _HEADS_OF_FINDINGS)
    return (
        sum(any(kind.match(head) for kind in kinds) for head in heads[1:]) * 2 >= len(heads) - 1
        or {"units", "label", "values"} <= {*columns}
        or {"label", "measures"} <= {*columns}
    )


def _columns(rows: list[list[str]], heads: list[str], style: Style) -> list[str]:
    """Classify each column of a table of parameters, by its head or its cells: `label`, `symbol`, `unit`, `values`, or
    `constant` for equal cells; `units` or `measures` for different units."""
    found = []
    for place in range(max(map(len, rows), default=0)):
        cells = [row[place] for row in rows if place < len(row) and row[place].strip("-–—")]
        head = heads[place] if place < len(heads) else ""
        if _HEADS_OF_UNITS.match(head) or (len(cells) > 1 and all(unit_of(cell) for cell in cells)):
            found.append("units" if len({*cells}) > 1 else "unit")
        elif _HEADS_OF_SYMBOLS.match(head):
            found.append("symbol")
        elif _HEADS_OF_VALUES.match(head) or sum(_kind(cell, style) != "text" for cell in cells) * 2 > len(cells):
            units = {amount.unit for cell in cells for amount in quantities(cell, style) if amount.kind == "measure"}
            found.append("measures" if len(units) > 1 and len(units) * 2 > len(cells) else "values")
        elif len(cells) > 1 and len({*cells}) == 1 and head:
            found.append("constant")
        elif len(cells) > 1 and all(len(cell) < 6 and cell[0].isalpha() and " " not in cell for cell in cells):
            found.append("symbol")
        else:
            found.append("label")
    if "label" not in found or not {"values", "measures"} & {*found}:
        first = found.index("symbol") if "symbol" in found else 0
        found = ["label" if at == first else one for at, one in enumerate(found)]
    return found


def _of_parameter(
    page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str], columns: list[str]
) -> Iterator[Labelled]:
    """Yield the values of a row by its label, by default the first cell."""
    filled = [place for place, text in enumerate(texts) if text.strip("-–—")]
    if not filled:
        return
    place_of_label = next((place for place in filled if place < len(columns) and columns[place] == "label"), filled[0])
    label = texts[place_of_label].rstrip(" :=")
    unit, symbols, values = "", [], []
    for place in filled:
        kind = columns[place] if place < len(columns) else ""
        if kind in ("unit", "units"):
            unit = texts[place]
        elif kind == "symbol" and place != place_of_label:
            symbols.append(texts[place])
        elif place > place_of_label and kind != "constant":
            values.append(place)
    found = [place for place in values if place < len(heads) and _HEADS_OF_FINDINGS.match(heads[place])]
    for place in found or values:
        head = heads[place] if place < len(heads) else ""
        yield Labelled(
            f"{label} {symbols[0]}" if symbols and not re.search(r"\d", symbols[0]) else label,
            texts[place],
            page.number,
            Span(cells[min(place, place_of_label)].begin, cells[place].end),
            cells[place],
            unit or unit_of_label(head) or unit_of_label(label),
            head if len(values) > 1 else "",
        )


def _of_record(
    page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str], number: int
) -> Iterator[Labelled]:
    """Yield the cells of a row named by their column heads, such as an item of an invoice."""
    whole = Span(cells[0].begin, cells[-1].end)
    for head, cell, text in zip(heads, cells, texts, strict=False):
        if head and text:
            yield Labelled(head, text, page.number, whole, cell, unit_of_label(head), row=number)
