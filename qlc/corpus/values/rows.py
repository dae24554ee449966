"""Fills fields that are rows of tables: by the heads of their columns, else by the types of columns without heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from qlc.language.quantities import Style, quantities
from qlc.tables.totals import is_total

from ..pages import Block, Page, Span
from .boxes import Unsure
from .labelled import Labelled
from .labels import Vocabulary, likeness
from .line_items import columns_of_items
from .typed import NOT_READ, Value, Wanted, typed, unit_in, value_or_doubt

_ALIKE = 0.5
"""Least similarity of a head."""
_TRUST = 0.5
"""Trust in a row whose columns have no heads."""
_FEWEST_ROWS, _FEWEST_COLUMNS, _MOST_COLUMNS = 3, 3, 7
"""Sizes of a table without heads that is read by the types of its columns."""


def rows_of(
    rows: Wanted, pages: Sequence[Page], labelled: Sequence[Labelled], style: Style, known: Vocabulary
) -> list[Value]:
    """Return the cells of the rows that fit a field; those of a row have its number. Totals are no rows."""
    return [*_below_heads(rows, labelled, style, known)] or [*_without_heads(rows, pages, style)]


def _below_heads(rows: Wanted, labelled: Sequence[Labelled], style: Style, known: Vocabulary) -> Iterator[Value]:
    """Yield rows of tables with heads similar to the columns of a field; rows without the first column are skipped."""
    by_row: dict[int, list[Labelled]] = {}
    for one in labelled:
        if one.row >= 0:
            by_row.setdefault(one.row, []).append(one)
    widths = _widths({tuple(one.label for one in cells) for cells in by_row.values()})
    tables: dict[tuple[str, ...], list[dict[str, Labelled]]] = {}
    for number, cells in [*by_row.items()]:
        heads = tuple(one.label for one in cells)
        if is_total([one.value for one in cells], widths[heads]):
            del by_row[number]
        else:
            tables.setdefault(heads, []).append({one.label: one for one in cells})
    multiplied = {heads: columns_of_items(rows, table, style) for heads, table in tables.items()}
    for number, cells in by_row.items():
        by_product = multiplied[tuple(one.label for one in cells)]
        found = [
            value
            for column in rows.columns
            if (value := _cell(rows, column, cells, style, known, by_product.get(column.name)))
        ]
        sure = [value for value in found if not value.is_disputed]
        if sure and sure[0].field.endswith(f".{rows.columns[0].name}") and len(found) * 2 > len(rows.columns):
            yield from (replace(value, row=number) for value in found)


def _widths(heads: set[tuple[str, ...]]) -> Mapping[tuple[str, ...], int]:
    """Return the number of columns of the table of a row, by the heads of the row's filled cells."""
    return {one: max(len(other) for other in heads if {*one} <= {*other}) for one in heads}


def _cell(
    rows: Wanted, column: Wanted, cells: list[Labelled], style: Style, known: Vocabulary, head: str | None
) -> Value | None:
    """Return the cell of a column: under a head similar to its name, else under the one found by arithmetic."""
    scored = [(max(likeness(cell.label, phrase, known) for phrase in column.phrases), cell) for cell in cells]
    score, cell = max(scored, key=lambda one: one[0])
    if score < _ALIKE and head is not None:
        score, cell = _ALIKE, next(one for one in cells if one.label == head)
    if score < _ALIKE:
        return None
    value = value_or_doubt(column, cell.value, style, cell.unit or column.unit, cell.scale)
    if value is None or (isinstance(value, Unsure) and NOT_READ in value.why):
        return None
    name, unit = f"{rows.name}.{column.name}", unit_in(column, cell.value, cell.unit, style)
    if isinstance(value, Unsure):
        return Value(name, cell.value, unit, cell.page, cell.span, score, is_disputed=True, why=value.why)
    return Value(name, value, unit, cell.page, cell.span, score)


# --- columns without heads --------------------------------------------------------------------------------------------


def _without_heads(rows: Wanted, pages: Sequence[Page], style: Style) -> Iterator[Value]:
    """Yield the rows of tables without heads whose columns have the types of the field's columns, in their order.

    `03/02/2024 | Aldi | 12.00` fits `day: date, payee: text, amount: number` in one way. If the columns can also be
    meant otherwise, the rows are left out with the reason.
    """
    width = len(rows.columns)
    if not _FEWEST_COLUMNS <= width <= _MOST_COLUMNS:
        return
    tables = [(page, block) for page in pages for block in page.blocks if _has_no_heads(page, block, width)]
    fitting = [each for each in tables if all(_fits(*each, at, rows.columns[at], style) for at in range(width))]
    if sum(len(block.rows) for _, block in fitting) < _FEWEST_ROWS:
        return
    if any(_can_be_meant_otherwise(rows, page, block, style) for page, block in fitting):
        page, block = fitting[0]
        first = block.rows[0]
        why = "its table has no heads, and its columns can be meant in several ways"
        place = Span(first[0].begin, first[-1].end)
        yield Value(rows.name, page.of(place), "", page.number, place, _TRUST, is_disputed=True, why=why)
        return
    number = -1
    for page, block in fitting:
        for cells in block.rows:
            number += 1
            for column, cell in zip(rows.columns, cells, strict=True):
                text = page.of(cell)
                value = typed(column, text, style, column.unit)
                if value is not None:
                    name, whole = f"{rows.name}.{column.name}", Span(cells[0].begin, cells[-1].end)
                    yield Value(name, value, unit_in(column, text, "", style), page.number, whole, _TRUST, number)


def _has_no_heads(page: Page, block: Block, width: int) -> bool:
    rows = [[page.of(cell) for cell in row] for row in block.rows]
    return bool(rows) and not block.heads and all(
        len(row) == width and all(row) and not is_total(row, width) for row in rows
    )  # fmt: skip


def _fits(page: Page, block: Block, at: int, column: Wanted, style: Style) -> bool:
    """Whether all cells of a column are of a field's type. A text is none of numbers and dates alone."""
    cells = [page.of(row[at]) for row in block.rows]
    if column.type in ("text", "name") and not column.is_number and not column.options:
        return not all(_is_amount(cell, style) for cell in cells)
    return all(typed(column, cell, style, column.unit) is not None for cell in cells)


def _is_amount(text: str, style: Style) -> bool:
    found = quantities(text, style)
    return len(found) == 1 and (found[0].end - found[0].start) * 2 > len(text)


def _can_be_meant_otherwise(rows: Wanted, page: Page, block: Block, style: Style) -> bool:
    """Whether the field's columns fit the columns of a table in another order as well, and no product tells which."""
    width = len(rows.columns)
    cells = [[Labelled(str(at), page.of(cell), page.number, cell, cell) for at, cell in enumerate(row)]
             for row in block.rows]  # fmt: skip
    by_product = columns_of_items(rows, [{one.label: one for one in row} for row in cells], style)
    if by_product == {column.name: str(at) for at, column in enumerate(rows.columns)}:
        return False
    fits = [[_fits(page, block, at, column, style) for column in rows.columns] for at in range(width)]
    orders = (order for order in permutations(range(width)) if all(fits[at][order[at]] for at in range(width)))
    return next(orders, None) is not None and next(orders, None) is not None
