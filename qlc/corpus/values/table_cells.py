"""Reads the tables of a text as cells: each with its row, the heads of its column, its period, scale and currency.

The text of a page has a table as lines with tabs. Signs of currencies may have columns of their own there, and heads
may stand above the table, so values are put under heads by their order where their columns differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from qlc.language.dates import MONTH_NAMES
from qlc.language.numbers import NOTE_MARKS, NumberStyle, number_style, parse_number
from qlc.language.quantities import CURRENCY, currency_of, is_scaled, named_currency, unit_of_label
from qlc.language.reporting_periods import ReportingPeriod, merged, reporting_periods, without_periods, year_items
from qlc.language.units import unit_of

from ..scales import COUNTED, NOT_SCALED, scale_of, stated


@dataclass(frozen=True, slots=True)
class TableCell:
    """An amount of a table."""

    text: str
    number: Decimal
    """As it is written, below zero for an amount in parentheses."""
    unit: str
    """The code of its currency, `%`, the unit that its row or column has, or empty."""
    scale: int = 1
    """Factor that the table states for it: 1,000,000 for `in millions`."""
    row: str = ""
    headings: tuple[str, ...] = ()
    """The inner heading of the rows it belongs to."""
    column: str = ""
    """The heads of its column; empty if there are none, or if they cannot be told."""
    period: ReportingPeriod | None = None
    line: int = 0
    table: int = 0

    @property
    def value(self) -> Decimal:
        return self.number * self.scale


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of one table, and its text: heads, labels and cells that are no amounts."""

    cells: tuple[TableCell, ...]
    heads: str
    """The heads of its columns, and the lines above it, which can have its scale and period."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A part of a row: a text or an amount, with the number of its column. `number` is None for a dash."""

    column: int
    text: str
    number: Decimal | None = None
    unit: str = ""
    is_amount: bool = False


@lru_cache(maxsize=64)
def tables_of(text: str, head: str = "", around: tuple[str, ...] = ()) -> tuple[Table, ...]:
    """Return the tables of a text. `head` is what a table that began before has above it; `around` are headings."""
    style = number_style([text])
    style = style if style.is_sure or style.groups else NumberStyle()
    reading = _Reading(style, [*around, *head.split("\n")] if head else [*around])
    if head.strip():
        reading.begin(head.split("\n"))
    lines = text.split("\n")
    for number, line in enumerate(lines):
        beside = [*lines[max(number - 1, 0) : number], *lines[number + 1 : number + 2]]
        if (bars := line.count("|")) > 1 and any(one.count("|") == bars for one in beside):
            line = "\t".join(cell.strip() for cell in line.strip().strip("|").split("|"))
        reading.read(number, line)
    return tuple(reading.ended())


# --- rows ------------------------------------------------------------------------------------------------------------

_AMOUNT = re.compile(
    rf"(?P<minus>[(\-−–]\s*)?(?P<currency>{CURRENCY})?\s?(?P<inner>[(\-−–]\s*)?"
    rf"(?P<number>\d(?:[\d.,'’\u00a0\u202f]*\d)?)\s?\)?\s?(?P<unit>%|(?:{CURRENCY}))?\s?\)?(?P<again>-(?=\s|$))?"
)
_DASH = re.compile(rf"(?:{CURRENCY})?\s*(?:[-–—]+|nil|n/?a)\s*%?", re.IGNORECASE)
_SIGN = re.compile(rf"(?:{CURRENCY}|US\s?\$)+")
_APART = re.compile(rf"\t\s*(?:{CURRENCY}|[%)])\s*(?:\t|$)")
"""A sign in a column of its own, which moves the columns beside it."""
_CLOSING = re.compile(r"[)%\s]+")
_ROW_OF_TEXT = re.compile(
    rf"(?P<label>[^\W\d_].{{1,100}}?)(?P<amounts>(?:\s+(?:{CURRENCY}\s?)?(?:\(?\d[\d.,]*\)?\s?%?|[—–]))"
    rf"{{2,12}})\s*"
)


_DAY_AT_END = re.compile(rf"\b{MONTH_NAMES}\.?\s+\d{{1,2}},?\s+\d{{4}}\.?\s*$", re.IGNORECASE)


def _cells(line: str) -> list[str]:
    """Return the cells of a line; one alone if it is no row of a table. A line of words that ends with two or more
    amounts is a row."""
    if "\t" in line:
        return line.split("\t")
    found = _ROW_OF_TEXT.fullmatch(line.strip())
    if found is None or _DAY_AT_END.search(line) or _is_all_period(line):
        return [line]
    if all(_is_year(one) for one in found["amounts"].split()):
        return [line]
    return [found["label"], *_parts_of(found["amounts"])]


def _parts_of(amounts: str) -> Iterator[str]:
    for one in re.finditer(rf"{_AMOUNT.pattern}|[—–]", amounts):
        yield one[0].strip()


def _is_year(text: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d[*AEF]?", text.strip()) is not None


def _items(cells: Sequence[str], style: NumberStyle) -> list[_Item]:
    """Return the parts of a row. A sign alone goes to the amount after it, `%` or `)` to the one before."""
    found: list[_Item] = []
    sign = ""
    for column, cell in enumerate(cells):
        text = cell.strip()
        if not text:
            continue
        if _SIGN.fullmatch(text) and column:
            sign = text
            continue
        if _CLOSING.fullmatch(text) and found and found[-1].is_amount:
            one = found.pop()
            unit = "%" if "%" in text else one.unit
            found.append(_Item(one.column, f"{one.text}{text}", one.number, unit, is_amount=True))
            continue
        parts = [*_amounts(text, style)] if column or len(cells) == 1 else []
        for number, unit, written in parts:
            has_sign = bool(sign) and not unit
            unit = currency_of(sign) if has_sign else unit
            written = f"{sign} {written}" if has_sign else written
            found.append(_Item(column, written, number, unit, is_amount=True))
            sign = ""
        trailing = re.search(rf"(?<=[\d)%]) ?({CURRENCY})$", text)
        sign = trailing[1] if trailing and parts else sign
        if not parts:
            found.append(_Item(column, text))
    return found


def _amounts(text: str, style: NumberStyle) -> Iterator[tuple[Decimal | None, str, str]]:
    """Yield the amounts of a cell: number, unit, text; none if it has anything else."""
    if _DASH.fullmatch(text):
        yield None, "", text
        return
    plain = NOTE_MARKS.sub("", text).strip()
    if re.search(r"\d\s?[-–/]\s?\d", plain):
        return  # `2016-2015`, `1/2`
    at, found = 0, []
    while at < len(plain):
        match = _AMOUNT.match(plain, at)
        if match is None:
            rest = plain[at:].strip()
            if rest and not _SIGN.fullmatch(rest):
                return
            break
        number = parse_number(match["number"], style, bool(match["currency"] or match["unit"]))
        if number is None:
            return
        is_negative = bool((match["minus"] or match["inner"] or match["again"] or "").strip())
        unit = "%" if match["unit"] == "%" else currency_of(match["currency"] or match["unit"] or "")
        found.append((-number if is_negative else number, unit, match[0].strip()))
        at = match.end()
        at += len(plain[at:]) - len(plain[at:].lstrip())
    yield from found


# --- tables ----------------------------------------------------------------------------------------------------------

_MOST_ABOVE = 6
"""Lines of text above a table that may hold its heads, scale and period."""
_LONGEST_ABOVE = 400


@dataclass
class _Reading:
    """The lines of a text, read one after the other."""

    style: NumberStyle
    around: list[str]
    tables: list[Table] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    """Lines before the next row: heads, or text."""
    heads: list[list[_Item]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    heading: str = ""
    cells: list[TableCell] = field(default_factory=list)
    is_open: bool = False
    width: int = 0

    def begin(self, lines: Sequence[str]) -> None:
        self._close()
        self.above = [*lines]

    def read(self, number: int, line: str) -> None:
        if not line.strip():
            return
        items = _items(_cells(line), self.style)
        amounts = [one for one in items if one.is_amount]
        begins = len(amounts) > 1 and (not self.cells or bool(self.above))
        are_years = all(_is_year(one.text) for one in amounts) and (begins or not _label(items))
        if not amounts or are_years or (len(items) == len(amounts) == 1 and "\t" not in line):
            self.above.append(line)
            return
        self._settle()
        self._row(number, items, amounts, is_grid="\t" in line and not _APART.search(line))

    def ended(self) -> list[Table]:
        self._close()
        return self.tables

    def _close(self) -> None:
        if self.cells:
            heads = [" ".join(one.text for one in row) for row in self.heads]
            self.tables.append(Table(tuple(self.cells), "\n".join([*self.captions, *heads])))
        self.cells, self.heads, self.captions, self.heading, self.width = [], [], [], "", 0

    def _settle(self) -> None:
        """Decide what the lines above a row are: its inner heading, or heads of a new table."""
        lines, self.above = self.above, []
        if not lines:
            return
        short = lines[-_MOST_ABOVE:]
        head_lines = [line for line in short if _is_head_line(line)]
        if self.cells and not head_lines and len(lines) <= 2 and all(len(one) <= 150 for one in lines):
            self.heading = lines[-1].strip()
            return
        self._close()
        last = max((at for at, line in enumerate(short) if _is_head_line(line)), default=-1)
        below = short[last + 1 :]
        self.heading = below[-1].strip() if below and last >= 0 and len(below[-1]) <= 150 else ""
        self.captions = [line[-_LONGEST_ABOVE:] for line in short]
        self.heads = [_head_items(line) for line in short[: last + 1] if _is_head_line(line)]

    def _row(self, number: int, items: Sequence[_Item], amounts: Sequence[_Item], *, is_grid: bool) -> None:
        units = [one for one in items if one.column and not one.is_amount and unit_of(one.text)]
        texts = [one for one in items if not one.is_amount and one not in units]
        label = " ".join(one.text for one in texts if one.column <= amounts[0].column) or self.heading
        columns = self._columns(amounts, is_grid=is_grid)
        caption = self._period_of_caption()
        money = {one.unit for one in amounts if one.unit not in ("", "%")}
        for at, one in enumerate(amounts):
            if one.number is None:
                continue
            column = columns[at] if columns else ()
            head = " ".join(column)
            own = merged([*column]) if column else None
            of_row = merged([label]) if own is None else None
            of_heading = merged([self.heading]) if self.heading and of_row is None else None
            period = _joined(own or of_row, of_heading, None if _CHANGE.search(head) else caption)
            is_change = own is None and bool(column) and len(reporting_periods(head)) > 1
            stated_unit = one.unit or (unit_of(units[0].text) or "" if len(units) == 1 else "")
            unit = stated_unit or self._unit(label, head, money)
            self.cells.append(
                TableCell(one.text, one.number, unit, self._scale(label, head, unit, one.text), label,
                          (self.heading,) if self.heading and self.heading != label else (), head,
                          None if is_change else period, number, len(self.tables))
            )  # fmt: skip

    def _columns(self, amounts: Sequence[_Item], *, is_grid: bool) -> list[tuple[str, ...]] | None:
        """Return for each amount the heads above it; None if their order and columns do not tell."""
        if not self.heads:
            return None
        last = max((at for at, row in enumerate(self.heads) if any(map(_has_period, row))), default=len(self.heads) - 1)
        base, upper = self.heads[last], self.heads[:last]
        variants = [base, [one for one in base if one.column]] if base and not base[0].column else [base]
        for items in variants:
            places = {one.column: number for number, one in enumerate(items)}
            if len(items) == len(amounts):
                chosen = [*range(len(items))]
            elif is_grid and places.keys() >= (own := {one.column for one in amounts}) and len(own) == len(amounts):
                chosen = [places[one.column] for one in amounts]
            elif items is variants[-1] and 0 < len(items) < len(amounts) and len(amounts) - len(items) == 1:
                chosen = [-1, *range(len(items))]  # a number of a note
            else:
                continue
            groups = [_spread(row, items) for row in upper]
            return [
                () if at < 0 else tuple(text for text in (*(row[at] for row in groups), items[at].text) if text)
                for at in chosen
            ]
        return None

    def _period_of_caption(self) -> ReportingPeriod | None:
        for line in reversed([*self.around[-1:], *self.captions]):
            if not _is_head_line(line) and len(line) <= 150 and (found := merged([line])) is not None:
                return found
        return None

    def _scale(self, label: str, head: str, unit: str, text: str) -> int:
        if unit == "%" or is_scaled(text) or NOT_SCALED.search(f"{label} {head}"):
            return 1
        if re.search(r"\bper\b", self.heading, re.IGNORECASE) and "." in text:
            return 1
        return scale_of(head, label, self.heading, *reversed([*self.around, *self.captions]))[0]

    def _unit(self, label: str, head: str, row: set[str]) -> str:
        if re.search(r"%|\bper ?cent", f"{head} {label}"):
            return "%"
        if not re.search(r"\bper\b", label, re.IGNORECASE) and (NOT_SCALED.search(label) or COUNTED.search(label)):
            return ""
        for line in (head, label):
            at_end = unit_of_label(line)
            if (measured := unit_of(at_end) or currency_of(at_end)) and not _IS_TIME.fullmatch(line.strip()):
                return measured
            if found := named_currency(line):
                return found[0]
            if sign := stated(line)[1]:
                return sign
        if len(row) == 1:
            return next(iter(row))
        known = [one.unit for one in self.cells if one.unit not in ("", "%")]
        captions = [sign for one in reversed([*self.around, *self.captions]) if (sign := stated(one)[1])]
        return captions[0] if captions else known[-1] if known and len({*known}) == 1 else ""


_IS_TIME = re.compile(r"(?:year|quarter|month|week|day)s?", re.IGNORECASE)
"""Labels of rows that name a time and no unit of the amounts: `Year` below `Q4`."""


def _label(items: Sequence[_Item]) -> str:
    first = [one for one in items if not one.is_amount]
    text = first[0].text if first and not first[0].column else ""
    return "" if stated(text)[0] != 1 or _is_all_period(text) else text


def _is_all_period(text: str) -> bool:
    """Whether a text is a period and nothing else."""
    return bool(text) and bool(reporting_periods(text)) and not re.search(r"[^\W\d_]{3,}", without_periods(text))


_CHANGE = re.compile(
    r"\b(?:change[sd]?|versus|vs|variance|increase|decrease|growth|better|worse|difference)\b|[%Δ]", re.IGNORECASE
)


def _joined(*periods: ReportingPeriod | None) -> ReportingPeriod | None:
    """Return the first period with the missing parts from the others, as far as these do not differ."""
    found: ReportingPeriod | None = None
    for one in periods:
        if one is None:
            continue
        if found is None:
            found = one
        elif found.fits(one):
            parts = [mine or theirs for mine, theirs in zip(found.parts, one.parts, strict=True)]
            found = ReportingPeriod(0, 0, *parts)  # type: ignore[arg-type]
    return found


def _is_head_line(line: str) -> bool:
    """Whether a line names columns: cells of words or years, or periods alone."""
    if "\t" in line or " | " in line:
        return len([cell for cell in re.split(r"\t| \| ", line)[1:] if cell.strip()]) > 0
    return len(line) <= 150 and len([one for one in reporting_periods(line) if one.year]) > 1 and _is_all_period(line)


def _head_items(line: str) -> list[_Item]:
    cells = re.split(r"\t| \| ", line.strip("|")) if "\t" in line or " | " in line else [line]
    found: list[_Item] = []
    for column, cell in enumerate(cells):
        if cell.strip() and not (column == 0 and len(cells) > 1 and stated(cell)[0] != 1):
            found += [_Item(column, one.strip()) for one in year_items(cell.strip())]
    return found


def _has_period(one: _Item) -> bool:
    return bool(reporting_periods(one.text))


def _spread(groups: Sequence[_Item], items: Sequence[_Item]) -> list[str]:
    """Return for each column the head of its group. Words above words are one head over several lines: `United` above
    `States`."""
    if not any(map(_has_period, [*groups, *items])):
        above = {one.column: one.text for one in groups}
        return [above.get(one.column, "") for one in items]
    held = [one for one in groups if one.column or len(groups) == len(items)] or groups
    return spread([(one.column, one.text) for one in held], [one.column for one in items])


def spread(above: Sequence[tuple[int, str]], columns: Sequence[int]) -> list[str]:
    """Return for each column the head above it, which stands in one of the columns of its group.

    Groups are equal shares of the columns if the heads stand there, else they reach up to the next head.
    """
    size = len(columns) // len(above) if above and len(columns) % len(above) == 0 else 0
    if size:
        groups = [columns[at : at + size] for at in range(0, len(columns), size)]
        in_place = all(
            group[0] - 1 <= column <= group[-1] + 1 for (column, _), group in zip(above, groups, strict=True)
        )
        is_apart = size > 1 and all(two - one == 1 for (one, _), (two, _) in pairwise(above))
        if in_place or is_apart or len({*columns}) < len(columns):
            return [text for _, text in above for _ in range(size)]
    return [next((text for column, text in reversed(above) if column <= at), "") for at in columns]
