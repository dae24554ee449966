"""Fills fields by period from the tables of statements: one row for each period, with its amount in full.

`Net sales | 32,765 | 31,657` under `(in millions) | 2018 | 2017` -> 2018: 32,765,000,000 and 2017: 31,657,000,000
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from qlc.language.quantities import currency_of
from qlc.language.reporting_periods import ReportingPeriod, reporting_periods, without_periods

from ..pages import Page, Span
from .labels import Vocabulary, likeness
from .table_cells import Table, TableCell, tables_of
from .typed import Value, Wanted

_ALIKE = 0.75
"""Least similarity of a row's label."""
_MARGIN = 0.08
"""Lead in similarity with which a label prevails over others."""
_OF_A_PART = 0.06
"""Taken off the similarity of a row below an inner heading, which may be one of a part of the whole."""
_MOST_PERIODS = 100


@dataclass(frozen=True, slots=True)
class _Found:
    """A cell that may be the amount of a period."""

    likeness: float
    cell: TableCell
    page: int
    span: Span
    period: ReportingPeriod

    @property
    def worth(self) -> tuple[Decimal, str]:
        return self.cell.value, self.cell.unit


def series_values(wanted: Sequence[Wanted], pages: Sequence[Page], known: Vocabulary) -> Iterator[Value]:
    """Yield the values of fields by period: year, period, length and amount of each row."""
    if not wanted:
        return
    found: dict[str, list[_Found]] = defaultdict(list)
    for page, table in _tables(pages):
        for cell in table.cells:
            for one in wanted:
                if (score := _score(one, cell, known)) >= _ALIKE and _is_of(one, cell):
                    assert cell.period is not None
                    span = _line_spans(page.text)[cell.line]
                    found[one.name].append(_Found(score, cell, page.number, span, cell.period))
    for one in wanted:
        groups: dict[tuple[int, ...], list[_Found]] = defaultdict(list)
        for each in found[one.name]:
            groups[_key(each, found[one.name])].append(each)
        has_scale = any(each.cell.scale != 1 for each in found[one.name])
        for number, key in enumerate(sorted(groups, reverse=True)[:_MOST_PERIODS]):
            yield from _row(one, number, groups[key], has_scale=has_scale)


def series_labels(pages: Sequence[Page]) -> dict[str, str]:
    """Return the labels of rows with amounts of two years or more, and their types: `Net sales` -> money."""
    found: dict[str, str] = {}
    for _, table in _tables(pages):
        rows: dict[int, list[TableCell]] = defaultdict(list)
        for cell in table.cells:
            if cell.period is not None and cell.period.year and _is_whole(cell):
                rows[cell.line].append(cell)
        for cells in rows.values():
            label = re.sub(r"\((?:\d|[a-z])\)|[:*†]", " ", cells[0].row).strip()
            if len({cell.period.year for cell in cells if cell.period}) > 1 and re.match(r"[^\W\d_]", label):
                found.setdefault(label, "money" if all(currency_of(cell.unit) for cell in cells) else "number")
    return found


def _tables(pages: Sequence[Page]) -> Iterator[tuple[Page, Table]]:
    """Yield the tables of pages. One that goes on from the page before has the heads that it began with."""
    for page in pages:
        text, head = page.text, ""
        for one in (block for block in page.blocks if block.above):
            head = "\n".join(filter(None, [one.scale, *map("\t".join, one.above), one.section]))
            text = re.sub(r"[^\n]", " ", text[: one.span.begin]) + text[one.span.begin :]  # headers of the page
        yield from ((page, table) for table in tables_of(text, head))


def _is_whole(cell: TableCell) -> bool:
    """Whether the head of a cell's column is a period and nothing else."""
    return cell.unit != "%" and re.fullmatch(r"[\W\d_]*", without_periods(cell.column)) is not None


@lru_cache(maxsize=2)
def _line_spans(text: str) -> list[Span]:
    spans, at = [], 0
    for line in text.split("\n"):
        spans.append(Span(at, at + len(line)))
        at += len(line) + 1
    return spans


def _score(one: Wanted, cell: TableCell, known: Vocabulary) -> float:
    label = re.sub(r"\((?:\d|[a-z])\)|[:*†]", " ", cell.row).strip()
    score = max(likeness(label, phrase, known) for phrase in one.phrases)
    is_part = bool(cell.headings) and not reporting_periods(cell.headings[0])
    return score - _OF_A_PART if is_part and score < 1 else score - _OF_A_PART / 2 if is_part else score


def _is_of(one: Wanted, cell: TableCell) -> bool:
    """Whether a cell is of one period, of the whole, and of the field's type."""
    if cell.period is None or not cell.period.year or not _is_whole(cell):
        return False
    return bool(currency_of(cell.unit)) == (one.columns[-1].type == "money")


def _key(one: _Found, others: Sequence[_Found]) -> tuple[int, ...]:
    """Return what tells a period from others: its year, quarter and length, and its month where a row has several of a
    year."""
    period = one.period
    months = period.months if period.months not in (0, 12) else 0
    is_part = bool(months or period.quarter) or any(
        other.cell.line == one.cell.line and other.page == one.page and other.period.year == period.year
        and other.period.month not in (0, period.month) and not other.period.months
        for other in others
    )  # fmt: skip
    return period.year, period.quarter, months, period.month if is_part else 0


def _row(one: Wanted, number: int, found: Sequence[_Found], *, has_scale: bool) -> Iterator[Value]:
    """Yield the row of a period; as disputed if tables disagree, and no label or number of them prevails."""
    stated = [each for each in found if each.cell.scale != 1 or not has_scale]
    best = max(each.likeness for each in stated or found)
    likely = [each for each in stated or found if each.likeness > best - _MARGIN]
    counts = Counter(each.worth for each in likely)
    (worth, count), *rest = counts.most_common()
    is_disputed = bool(rest) and rest[0][1] * 2 > count
    first = next(each for each in likely if each.worth == worth)
    why = f"tables of the document differ for {_shown(first.period)}" if is_disputed else ""
    if not stated:
        is_disputed, why = True, "its table states no scale, as thousands or millions, and others of the document do"
    for name, value, unit in _cells(one, first):
        yield Value(f"{one.name}.{name}", value, unit, first.page, first.span, first.likeness, number, is_disputed,
                    why=why)  # fmt: skip


def _cells(one: Wanted, found: _Found) -> Iterator[tuple[str, Decimal | str, str]]:
    period, cell = found.period, found.cell
    yield "year", Decimal(period.year), ""
    yield "period", " ".join(cell.column.split()) or _shown(period), ""
    yield "months", Decimal(period.months or (3 if period.quarter else 0 if period.day else 12)), ""
    yield "value", cell.value, cell.unit if one.columns[-1].type == "money" else ""


def _shown(period: ReportingPeriod) -> str:
    quarter = f"Q{period.quarter} " if period.quarter else ""
    return f"{quarter}{period.year}"
