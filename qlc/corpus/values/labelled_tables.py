"""Labelled values in tables: with the label of their row, or the heads of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qlc.language.quantities import Style, quantities, unit_of_label
from qlc.language.units import unit_of

from ..pages import Block, Page, Span
from ..readers.tables import is_period
from .labelled import COLON, Labelled, kind_of, labelled_at
from .table_cells import spread

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


def labelled_in_table(page: Page, block: Block, first_row: int, style: Style) -> Iterator[Labelled]:
    """Read a table, which can have several parts: rows of label and value, pairs of these, items below their head."""
    heads = _joined([*map(list, block.above)]) if block.above else []
    rows = [[page.of(cell) for cell in cells] for cells in block.rows]
    if block.heads > 1:
        rows[block.heads - 1] = _joined(rows[: block.heads])
    elif _is_of_labels_and_values(rows, style):
        yield from _of_labels_and_values(page, block, rows, first_row)
        return
    if _is_doubtful(rows):
        yield from (replace(one, is_again=True) for one in _of_boxes(page, *block.rows))
    in_pairs = _rows_of_pairs(rows, style)
    are_heads = {
        at for at in range(len(rows)) if at not in in_pairs and (at < block.heads or _is_head(rows, at))
    }
    part_of, columns_of = _columns_by_part(rows, are_heads, heads, style)
    for place, kind in enumerate(columns_of.get((0, 0), ())):
        # a value that is equal in all rows belongs to the document
        if kind == "constant" and block.has_head and _is_of_parameters(rows[0], columns_of[0, 0]):
            above, cell = block.rows[0][place], block.rows[1][place]
            yield labelled_at(page.of(above), page.of(cell), page, above.begin, cell.begin)
    for at, (cells, texts) in enumerate(zip(block.rows, rows, strict=True)):
        filled = [place for place, text in enumerate(texts) if text]
        if at in are_heads:
            heads = texts
            if len(filled) == len(texts) == 2:  # a head of two cells can also be a label and its value
                label, value = texts
                yield replace(labelled_at(label, value, page, cells[0].begin, cells[1].begin), is_again=True)
            continue
        if not all(place < len(heads) and (heads[place] or not place) for place in filled):
            heads = []
        with_colon = [(cells[place].begin, found) for place in filled if (found := COLON.match(texts[place]))]
        if len(with_colon) * 2 > len(filled):
            for begin, found in with_colon:
                value_at = begin + found.start("value")
                yield labelled_at(found["label"], found["value"].rstrip(), page, begin, value_at)
        elif at in in_pairs:
            for left, right in zip(filled[::2], filled[1::2], strict=False):
                yield labelled_at(texts[left], texts[right], page, cells[left].begin, cells[right].begin)
        else:
            yield from _below_heads(page, heads, cells, texts, columns_of.get(part_of[at], []), first_row + at, style)


def _of_labels_and_values(page: Page, block: Block, rows: list[list[str]], first_row: int) -> Iterator[Labelled]:
    """Yield the values below each row of labels; of two rows of three cells or more also as a record."""
    for number in range(0, len(rows), 2):
        yield from _of_boxes(page, block.rows[number], block.rows[number + 1])
    if len(rows) == 2 and len(rows[0]) > 2:
        record = _of_record(page, rows[0], block.rows[1], rows[1], first_row + 1)
        yield from (replace(one, is_again=True) for one in record)


def _below_heads(
    page: Page, heads: list[str], cells: tuple[Span, ...], texts: list[str], columns: list[str], number: int,
    style: Style,
) -> Iterator[Labelled]:  # fmt: skip
    """Yield the cells of a row as an item below its heads, or as a parameter and its values."""
    if len(heads) > 2 and not _is_of_parameters(heads, columns):
        yield from _of_item(page, heads, cells, texts, number, style)
    elif sum(map(bool, texts)) > 1:
        yield from _of_parameter(page, heads, cells, texts, columns)
        if len(heads) > 2:
            record = _of_record(page, heads, cells, texts, number)
            yield from (replace(one, is_again=True) for one in record)


def _joined(heads: list[list[str]]) -> list[str]:
    """Return the names of columns with several rows of heads: `Year ended` above `2022`, `2021` -> `Year ended 2022`.

    What stands over several columns is in one cell of its row.
    """
    *uppers, names = heads
    for upper in reversed(uppers):
        over = [place for place in range(1, len(names)) if names[place]]
        said = [(place, text) for place, text in enumerate(upper) if place and text]
        above = {0: upper[0], **dict(zip(over, spread(said, over), strict=True))}
        names = [" ".join(filter(None, dict.fromkeys((above.get(at, ""), name)))) for at, name in enumerate(names)]
    return names


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
    if is_sum and kind_of(texts[filled[1]], style) != "text":
        first, last = (cells[place] for place in filled)
        total = labelled_at(page.of(first), page.of(last), page, first.begin, last.begin)
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
    if any(not text[0].isalpha() or len(text) > 60 or kind_of(text, style) != "text" for text in names):
        return False
    sure = 0
    for labels, values in pairs:
        if len(labels) != len(values) or any(value and not label for label, value in zip(labels, values, strict=True)):
            return False
        found = [kind_of(value, style) != "text" for label, value in zip(labels, values, strict=True) if label]
        sure += any(found) if len(found) > 2 else found[:1] == [True]
    return sure * 2 >= len(pairs)


def _is_doubtful(rows: list[list[str]]) -> bool:
    """Whether two rows of two cells are ambiguous: a label and its value in each, or one above the other."""
    cells = [text for row in rows for text in row if text]
    return len(rows) == 2 and len(cells) == 4 and [bool(re.search(r"\d", text)) for text in cells[:3]] == [False] * 3


def _of_boxes(page: Page, labels: tuple[Span, ...], values: tuple[Span, ...]) -> Iterator[Labelled]:
    for label, value in zip(labels, values, strict=True):
        if page.of(label) and page.of(value):
            yield labelled_at(page.of(label), page.of(value), page, label.begin, value.begin)


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
    kinds = [{kind_of(row[place], style) for row in rows[1:]} for place in (1, 3)]
    return any(len(one) > 1 for one in kinds) or any(re.search(r"\d", rows[0][place]) for place in (1, 3))


def _is_of_parameters(heads: list[str], columns: list[str]) -> bool:
    """Whether each row is a parameter with its values: the other columns are its symbol, its unit, its limits, or
    periods."""
    kinds = (_HEADS_OF_VALUES, _HEADS_OF_SYMBOLS, _HEADS_OF_FINDINGS)
    named = [columns[at : at + 1] in (["unit"], ["units"]) or any(kind.match(head) for kind in kinds)
             for at, head in enumerate(heads)]  # fmt: skip
    return (
        sum(named[1:]) * 2 >= len(heads) - 1
        or {"units", "label", "values"} <= {*columns}
        or {"label", "measures"} <= {*columns}
        or (len(heads) > 2 and all(is_period(head) for head in heads[1:] if head))
    )


def _columns(rows: list[list[str]], heads: list[str], style: Style) -> list[str]:
    """Classify each column of a table of parameters, by its head or its cells: `label`, `symbol`, `unit`, `values`, or
    `constant` for equal cells; `units` or `measures` for different units."""
    found = []
    for place in range(max(map(len, rows), default=0)):
        cells = [row[place] for row in rows if place < len(row) and row[place].strip("-–—")]
        head = heads[place] if place < len(heads) else ""
        are_amounts = sum(kind_of(cell, style) != "text" for cell in cells) * 2 > len(cells)
        if (_HEADS_OF_UNITS.match(head) and not are_amounts) or (len(cells) > 1 and all(map(unit_of, cells))):
            found.append("units" if len({*cells}) > 1 else "unit")
        elif _HEADS_OF_SYMBOLS.match(head):
            found.append("symbol")
        elif _HEADS_OF_VALUES.match(head) or are_amounts:
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
