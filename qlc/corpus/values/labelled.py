"""Labelled values: what stands beside a label in a table, after a colon, or at the end of a short line.

`Vceo | 60 V`, `Invoice no.: AC-82744`, `Total GBP 1,484.40`, `Contract no. C-2024-112`. Nothing here knows what a label
means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..pages import Block, Page, Span
from .quantities import Style, amounts


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with its label; both stand verbatim on their page."""

    label: str
    value: str
    page: int
    span: Span
    """Of the label and the value together."""
    value_span: Span
    unit: str = ""
    """From another cell of the row, or from the head of the column: as it is written."""
    column: str = ""
    """The head of the value's column, where the row has several values."""
    row: int = -1
    """Of a table with a head: the number of the row in the document; those of one row belong together."""
    is_again: bool = False
    """Whether it is the cell of a row whose values have the label of the row as well."""


_COLON = re.compile(r"(?P<label>[^\s:|][^:\n\t]{0,58}[^\s:(])\s*:(?:\*\*|__)?[ \t]+(?P<value>[^\s\n][^\n\t]*)")
_CODE = re.compile(
    r"(?P<label>(?:[^\W\d_][\w'’/-]*\s+){0,4}(?:[Nn]o|[Nn]r|[Nn]um|[Rr]ef|ID|[Nn]umber|[Rr]eference|[Nn]ummer|[Rr]evision|#)\.?)"
    r"[ \t:#]+(?P<value>(?=[\w./-]*\d)[A-Z0-9][\w./-]*\w)"
)
_HEADS_OF_VALUES = re.compile(
    r"min(?:imum)?|typ(?:ical)?|max(?:imum)?|value|values|nom(?:inal)?|limit|rating|wert|result", re.I
)
_HEADS_OF_UNITS = re.compile(r"units?|einheit|uom", re.IGNORECASE)
_HEADS_OF_SYMBOLS = re.compile(r"symbols?|symb\.?|conditions?|test conditions?|notes?|method", re.IGNORECASE)
_UNIT_OF_HEAD = re.compile(r"[(\[]([^()\[\]]{1,12})[)\]]\s*$|,\s*([^,\s]{1,6})\s*$")


_LABEL_ALONE = re.compile(r"(?:\*\*|__)?[^\W\d_](?:[^\d\n\t.:;,!?]|\.(?=[\w)]|$)|\(\w{1,6}\))*:?(?:\*\*|__)?")


def labelled_values(pages: Iterable[Page], style: Style) -> Iterator[Labelled]:
    """The labelled values of a document, in order."""
    rows = 0
    for page in pages:
        for block in page.blocks:
            if block.rows:
                found = _of_table(page, block, rows, style)
                rows += len(block.rows)
            else:
                found = _of_text(page, block.span, style) if block.kind != "margin" else iter(())
            yield from (one for one in found if _says(one.label) and _says(one.value))


def _says(text: str) -> bool:
    return re.search(r"[^\W_]", text) is not None


# --- text ------------------------------------------------------------------------------------------------------------


def _of_text(page: Page, span: Span, style: Style) -> Iterator[Labelled]:
    lines = [(span.begin + line.start(), line[0]) for line in re.finditer(r"[^\n]+", page.text[span.begin : span.end])]
    if _is_stacked([text for _, text in lines]):
        for (at, label), (begin, value) in zip(lines[::2], lines[1::2], strict=True):
            yield _labelled(label, value.strip(), page, at, begin + len(value) - len(value.lstrip()))
        return
    for at, text in lines:
        if "\t" in text:
            yield from _of_cells(page, at, text)
            continue
        found = _COLON.match(text) or _CODE.match(text)
        if found and len(found["label"].split()) <= 8:
            value = found["value"].rstrip()
            begin = at + found.start("value")
            yield _labelled(found["label"], value, page, at + found.start("label"), begin)
        elif len(text) <= 90:
            yield from _amount_at_end(page, at, text, style)


def _is_stacked(lines: list[str]) -> bool:
    """Whether each label has its value in the line below: short lines, and no digits or signs in the labels."""
    return (
        0 < len(lines) <= 40
        and len(lines) % 2 == 0
        and all(_LABEL_ALONE.fullmatch(line) and len(line.split()) <= 6 for line in lines[::2])
        and all(len(line) <= 60 and not re.search(r"\t|:\s|(?:\S+ ){5}.*\.$", line) for line in lines[1::2])
    )


def _of_cells(page: Page, at: int, text: str) -> Iterator[Labelled]:
    """A single line with wide gaps: cells with a label of their own, or a label and its value."""
    cells = [(found.start(), found[0].rstrip()) for found in re.finditer(r"[^\s][^\t]*", text)]
    matches = [(begin, _COLON.match(cell) or _CODE.match(cell)) for begin, cell in cells]
    for begin, found in matches:
        if found:
            yield _labelled(found["label"], found["value"], page, at + begin, at + begin + found.start("value"))
    if len(cells) == 2 and not any(found for _, found in matches):
        (first, label), (second, value) = cells
        yield _labelled(label.rstrip(":"), value, page, at + first, at + second)


def _amount_at_end(page: Page, at: int, text: str, style: Style) -> Iterator[Labelled]:
    """`Total GBP 1,484.40`: words, and an amount that ends the line."""
    found = amounts(text, style)
    end = len(text.rstrip(" ."))
    if not found or found[-1].end < end:
        return
    label = text[: found[-1].begin].strip(" :-–.")
    words = label.split()
    if 1 <= len(words) <= 6 and re.search(r"[^\W\d_]", words[0]) and (found[-1].kind != "number" or len(words) <= 3):
        yield _labelled(label, text[found[-1].begin : end], page, at, at + found[-1].begin)


def _labelled(label: str, value: str, page: Page, begin: int, value_begin: int) -> Labelled:
    end = value_begin + len(value)
    return Labelled(label.strip(" *_:"), value, page.number, Span(begin, end), Span(value_begin, end))


# --- tables ----------------------------------------------------------------------------------------------------------


def _of_table(page: Page, block: Block, first_row: int, style: Style) -> Iterator[Labelled]:
    """A table can have several parts: rows of a label and its value, pairs of these, items below their own head."""
    rows = [[page.of(cell) for cell in cells] for cells in block.rows]
    in_pairs = _rows_of_pairs(rows, style)
    heads: list[str] = []
    for at, (cells, texts) in enumerate(zip(block.rows, rows, strict=True)):
        filled = [place for place, text in enumerate(texts) if text]
        if at not in in_pairs and ((at == 0 and block.has_head) or _is_head(rows, at)):
            heads = texts
            continue
        if not all(place < len(heads) and heads[place] for place in filled):
            heads = []
        with_colon = [(cells[place].begin, _COLON.match(texts[place])) for place in filled]
        if sum(found is not None for _, found in with_colon) * 2 > len(filled):
            for begin, found in with_colon:
                if found:
                    value_at = begin + found.start("value")
                    yield _labelled(found["label"], found["value"].rstrip(), page, begin, value_at)
        elif at in in_pairs:
            for label, value in zip(filled[::2], filled[1::2], strict=False):
                yield _labelled(texts[label], texts[value], page, cells[label].begin, cells[value].begin)
        elif len(heads) > 2 and not _is_of_parameters(heads):
            yield from _of_record(page, heads, cells, texts, first_row + at)
        elif len(filled) > 1:
            yield from _of_parameter(page, heads, cells[filled[0] :], texts[filled[0] :])
            if len(heads) > 2:
                record = _of_record(page, heads, cells, texts, first_row + at)
                yield from (replace(one, is_again=True) for one in record)


def _is_head(rows: list[list[str]], at: int) -> bool:
    """Whether a row within a table names the columns of those below: three names, and numbers below them."""
    filled = [place for place, text in enumerate(rows[at]) if text]
    below = rows[at + 1] if at + 1 < len(rows) else []
    return (
        len(filled) > 2
        and not any(re.search(r"\d", text) for text in rows[at])
        and sum(bool(text) for text in below) > 2
        and any(re.search(r"\d", text) for text in below)
        and (at == 0 or [bool(text) for text in rows[at - 1]] != [bool(text) for text in rows[at]])
    )


def _rows_of_pairs(rows: list[list[str]], style: Style) -> set[int]:
    """The rows in which labels and values take turns; the last of some can have one pair."""
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
    """Whether labels and values take turns: the labels differ, and values of many kinds are below each other."""
    labels = [row[place] for row in rows for place in (0, 2)]
    if not 2 <= len(rows) <= 40 or len({*labels}) < len(labels):
        return False
    if sum(re.search(r"\d", label) is not None for label in labels) * 4 > len(labels):
        return False
    kinds = [{_kind(row[place], style) for row in rows[1:]} for place in (1, 3)]
    return any(len(one) > 1 for one in kinds) or any(re.search(r"\d", rows[0][place]) for place in (1, 3))


def _kind(text: str, style: Style) -> str:
    found = amounts(text, style)
    return found[0].kind if found and (found[0].end - found[0].begin) * 2 > len(text) else "text"


def _is_of_parameters(heads: list[str]) -> bool:
    """Whether each row is a parameter with its values: the other columns are its symbol, its unit, its limits."""
    kinds = (_HEADS_OF_VALUES, _HEADS_OF_UNITS, _HEADS_OF_SYMBOLS)
    return sum(any(kind.match(head) for kind in kinds) for head in heads[1:]) * 2 >= len(heads) - 1


def _of_parameter(page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str]) -> Iterator[Labelled]:
    """A row with a label in its first cell."""
    label = texts[0].rstrip(" :")
    unit, symbols, values = "", [], []
    for place in range(1, len(cells)):
        head = heads[place] if place < len(heads) else ""
        if not texts[place] or texts[place] in "-–—":
            continue
        if _HEADS_OF_UNITS.match(head):
            unit = texts[place]
        elif _HEADS_OF_SYMBOLS.match(head):
            symbols.append(texts[place])
        else:
            values.append(place)
    for place in values:
        head = heads[place] if place < len(heads) else ""
        in_head = _UNIT_OF_HEAD.search(head)
        yield Labelled(
            f"{label} {symbols[0]}" if symbols and not re.search(r"\d", symbols[0]) else label,
            texts[place],
            page.number,
            Span(cells[0].begin, cells[place].end),
            cells[place],
            unit or ((in_head[1] or in_head[2]) if in_head else ""),
            head if len(values) > 1 else "",
        )


def _of_record(
    page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str], number: int
) -> Iterator[Labelled]:
    """A row whose cells are named by the heads of their columns: an item of an invoice."""
    whole = Span(cells[0].begin, cells[-1].end)
    for head, cell, text in zip(heads, cells, texts, strict=False):
        if head and text:
            in_head = _UNIT_OF_HEAD.search(head)
            unit = (in_head[1] or in_head[2]) if in_head else ""
            yield Labelled(head, text, page.number, whole, cell, unit, row=number)
