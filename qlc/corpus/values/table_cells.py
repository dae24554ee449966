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

from qlc.language.numbers import NumberStyle, number_style, parse_number
from qlc.language.quantities import CURRENCY, currency_of, is_scaled, named_currency, stated_scale
from qlc.language.reporting_periods import ReportingPeriod, merged, reporting_periods, without_periods, year_items


@dataclass(frozen=True, slots=True)
class TableCell:
    """An amount of a table."""

    text: str
    number: Decimal
    """As it is written, below zero for an amount in parentheses."""
    unit: str
    """The code of its currency, `%`, or empty."""
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
_NOTE = re.compile(r"(?<=[\d%)])\s?(?:[*†‡]|\((?:\d|[a-z])\))+$")
_SIGN = re.compile(rf"(?:{CURRENCY}|US\s?\$)+")
_APART = re.compile(rf"\t\s*(?:{CURRENCY}|[%)])\s*(?:\t|$)")
"""A sign in a column of its own, which moves the columns beside it."""
_CLOSING = re.compile(r"[)%\s]+")
_ROW_OF_TEXT = re.compile(
    rf"(?P<label>[^\W\d_].{{1,100}}?)(?P<amounts>(?:\s+(?:{CURRENCY}\s?)?(?:\(?\d[\d.,]*\)?\s?%?|[—–]))"
    rf"{{2,12}})\s*"
)


def _cells(line: str) -> list[str]:
    """Return the cells of a line; one alone if it is no row of a table. A line of words that ends with two or more
    amounts is a row."""
    if "\t" in line:
        return line.split("\t")
    found = _ROW_OF_TEXT.fullmatch(line.strip())
    if found is None or _is_all_period(line) or all(_is_year(one) for one in found["amounts"].split()):
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
    plain = _NOTE.sub("", text).strip()
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
_BARE_SCALE = re.compile(
    r"^\W*(?:amounts? |figures |dollars? |data )?(?:in )?(thousands|millions|billions)\b", re.IGNORECASE
)
_SCALE_AT_END = re.compile(r"\((thousands|millions|billions)\)", re.IGNORECASE)
_FACTORS = {"thousands": 10**3, "millions": 10**6, "billions": 10**9}
_PER_UNIT = re.compile(
    r"\bper\b(?! ?cent)|\bpro\b|%|\bpercent(?:age)?\b|\bratio\b|\brate\b|\bmargin\b|\bemployees\b|\bheadcount\b|"
    r"\bnumber of\b|\bdays\b|\bmultiple\b|\btimes\b",
    re.IGNORECASE,
)
"""Labels of rows to which the scale of a table does not apply."""
_COUNTED = re.compile(r"\b(?:shares|units)\b(?! of)", re.IGNORECASE)
"""Labels of rows that count something. Whether the scale of a table applies to them is often not said."""


@lru_cache(maxsize=4_096)
def scale_of(text: str) -> int:
    """Return the factor that a line states for a table: `(Millions, except per share amounts)` -> 1,000,000."""
    found = _BARE_SCALE.match(text) or _SCALE_AT_END.search(text)
    return stated_scale(text)[0] if found is None else _FACTORS[found[1].lower()]


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
    row_lines: int = 0
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
        texts = [one for one in items if not one.is_amount]
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
            period = _joined(own or of_row, of_heading, caption if not _has_change(head) else None)
            is_change = own is None and bool(column) and len(reporting_periods(head)) > 1
            unit = one.unit or self._unit(label, head, money)
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
        if unit == "%" or is_scaled(text) or _PER_UNIT.search(f"{label} {head}"):
            return 1
        if re.search(r"\bper\b", self.heading, re.IGNORECASE) and "." in text:
            return 1
        own = [scale for one in (head, label, self.heading) if (scale := scale_of(one)) != 1]
        stated = [scale for one in reversed([*self.around, *self.captions]) if (scale := _line_scale(one)) != 1]
        return next(iter([*own, *stated]), 1)

    def _unit(self, label: str, head: str, row: set[str]) -> str:
        if re.search(r"%|\bper ?cent", f"{head} {label}"):
            return "%"
        if not re.search(r"\bper\b", label, re.IGNORECASE) and (_PER_UNIT.search(label) or _COUNTED.search(label)):
            return ""
        for line in (head, label):
            if found := _named_currency(line) or _stated_currency(line):
                return found
        if len(row) == 1:
            return next(iter(row))
        known = [one.unit for one in self.cells if one.unit not in ("", "%")]
        captions = [found for one in reversed([*self.around, *self.captions]) if (found := _stated_currency(one))]
        return captions[0] if captions else known[-1] if known and len({*known}) == 1 else ""


@lru_cache(maxsize=4_096)
def _named_currency(text: str) -> str:
    found = named_currency(text)
    return found[0] if found else ""


@lru_cache(maxsize=4_096)
def _stated_currency(line: str) -> str:
    """Return the currency that a line states for a table: `($ in millions)`, `(EUR)`; empty if it states none."""
    is_alone = re.fullmatch(rf"\W*(?:(?:amounts |figures )?in )?(?:{CURRENCY})\W*", line.split("\t")[0], re.IGNORECASE)
    if _line_scale(line) == 1 and not is_alone:
        return ""
    found = named_currency(line)
    sign = re.search(CURRENCY, line)
    return found[0] if found else currency_of(sign[0]) if sign else ""


@lru_cache(maxsize=4_096)
def _line_scale(line: str) -> int:
    """Return the scale that a line states, in any of its cells: the first one of heads often has it."""
    for cell in re.split(r"[\t(]", line):
        if (scale := scale_of(cell)) != 1:
            return scale
    return scale_of(line)


def _label(items: Sequence[_Item]) -> str:
    first = [one for one in items if not one.is_amount]
    text = first[0].text if first and not first[0].column else ""
    return "" if _is_scale_line(text) or _is_all_period(text) else text


def _is_scale_line(text: str) -> bool:
    return _line_scale(text) != 1


def _is_all_period(text: str) -> bool:
    """Whether a text is a period and nothing else."""
    return bool(text) and bool(reporting_periods(text)) and not re.search(r"[^\W\d_]{3,}", without_periods(text))


_CHANGE = re.compile(
    r"\b(?:change[sd]?|versus|vs|variance|increase|decrease|growth|better|worse|difference)\b|[%Δ]", re.IGNORECASE
)


def _has_change(head: str) -> bool:
    return _CHANGE.search(head) is not None


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
        if cell.strip() and not (column == 0 and len(cells) > 1 and _line_scale(cell) != 1):
            found += [_Item(column, one.strip()) for one in year_items(cell.strip())]
    return found


def _has_period(one: _Item) -> bool:
    return bool(reporting_periods(one.text))


def _spread(groups: Sequence[_Item], items: Sequence[_Item]) -> list[str]:
    """Return for each column the head of its group: groups of equal size, else up to the next head on its right.

    Words above words are one head over several lines: `United` above `States`.
    """
    if not any(map(_has_period, [*groups, *items])):
        above = {one.column: one.text for one in groups}
        return [above.get(one.column, "") for one in items]
    held = [one for one in groups if one.column or len(groups) == len(items)]
    held = held or [*groups]
    if not held:
        return [""] * len(items)
    if len(items) % len(held) == 0:
        size = len(items) // len(held)
        blocks = [held[number // size] for number in range(len(items))]
        in_place = all(
            items[at * size].column - 1 <= one.column <= items[at * size + size - 1].column + 1
            for at, one in enumerate(held)
        )
        is_apart = all(two.column - one.column == 1 for one, two in pairwise(held)) and size > 1
        if in_place or is_apart or len({one.column for one in items}) < len(items):
            return [one.text for one in blocks]
    return [next((one.text for one in reversed(held) if one.column <= item.column), "") for item in items]
