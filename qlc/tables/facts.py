"""Counts what the cells of a column are: numbers, dates, truth values, other texts, nothing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from qlc.tables import cells
from qlc.tables.cells import TRUTH, Day, Number, as_text, is_iso, is_missing, read_day, read_month, read_number

TEXTS = {str, type(None)}
"""Types of the cells of a column that is all text."""
LONG_TEXT = 100
"""Characters of a value from which on a column is searched as text rather than chosen from."""
MOST_WAITING = 50_000
"""Different texts that are kept while rows are read."""
_MOST_KEPT = 1_000
_DIGITS = str.maketrans("123456789", "000000000")
_SMALL = re.compile(r"[01]|0?[.,]\d+|1[.,]0+|")
_ZEROS = re.compile(r"\D*0\d")
"""Texts whose first number begins with a zero: "007", but not "0.5"."""


@dataclass(slots=True)
class _Shape:
    """Texts that differ only in their digits: what they are read as, and how many wait to be counted.

    Of a number, only a zero at its beginning and whether it is whole depend on the digits; of a date in ISO 8601,
    whether there is such a day.
    """

    example: str
    number: Number | None
    is_iso: bool
    is_other: bool
    is_settled: bool = False
    count: int = 0

    @classmethod
    def of(cls, text: str) -> _Shape:
        plain = text.strip()
        is_date, is_missing_or_truth = cells.is_like_a_day(plain), is_missing(plain) or plain.casefold() in TRUTH
        number = read_number(plain)
        iso = cells.ISO_SHAPE.fullmatch(plain) is not None
        return cls(
            text, None if is_date or is_missing_or_truth else number, iso and number is None,
            not is_date and not is_missing_or_truth and number is None and len(plain) < LONG_TEXT,
        )  # fmt: skip


@dataclass(slots=True)
class Facts:
    """Counts over the cells of a column. Equal texts are read once for many rows."""

    header: str
    rows: int = 0
    missing: int = 0
    absent: Counter[str] = field(default_factory=Counter)
    """Texts that are taken for a missing value, other than nothing."""
    many: bool = False
    types: Counter[type] = field(default_factory=Counter)
    """Cells with a value, by their Python type."""
    numbers: int = 0
    whole: dict[str, bool] = field(default_factory=lambda: {".": True, ",": True})
    """Whether all numbers are whole, with each of the decimal marks."""
    decimals: Counter[str] = field(default_factory=Counter)
    grouped: Counter[str] = field(default_factory=Counter)
    zeros: int = 0
    is_below_one: bool = True
    """Whether all numbers are from 0 to 1, written without a sign for percent."""
    currencies: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
    percents: int = 0
    days: int = 0
    months: int = 0
    seasons: int = 0
    """Months that may be two years: `2003-04`."""
    timed: int = 0
    orders: frozenset[str] = frozenset(("dmy", "mdy"))
    unsure_days: int = 0
    dotted: int = 0
    truths: Counter[bool] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    """Texts that are neither number nor date nor truth value."""
    has_lines: bool = False
    longest: int = 0
    example: str = ""
    _waiting: Counter[str] = field(default_factory=Counter)
    _hashes: set[int] | None = field(default_factory=set)
    """Hashes of the texts so far; None once one occurred twice."""
    _shapes: dict[str, _Shape] = field(default_factory=dict)

    def add(self, values: Sequence[Any]) -> None:
        """Take the cells of some rows in. A list counts as its elements."""
        self.rows += len(values)
        if not set(map(type, values)) <= TEXTS:
            for cell in values:
                self._add(cell)
            return
        counts = Counter(values)
        self.missing += counts.pop(None, 0)
        self._waiting.update(counts)
        if len(self._waiting) > MOST_WAITING:
            self.settle()

    def settle(self) -> None:
        """Read the texts that wait. Texts that differ only in their digits ("12.5 kg", "30.1 kg") are read once."""
        self._note_uniqueness(Counter({text: count for text, count in self._waiting.items() if not is_missing(text)}))
        self.example = self.example or next((text.strip() for text in self._waiting if not is_missing(text)), "")
        for text, count in self._waiting.items():
            self.is_below_one = self.is_below_one and _SMALL.fullmatch(text.strip()) is not None
            form = text.translate(_DIGITS)
            shape = self._shapes.get(form)
            if shape is None:
                shape = self._shapes[form] = _Shape.of(text)
            if shape.number is not None:
                shape.is_settled = shape.is_settled or self._is_settled(shape.number)
                is_known = shape.is_settled and not _ZEROS.match(text)
            elif shape.is_iso:
                is_known = is_iso(text)
            else:
                is_known = shape.is_other and len(self.others) >= _MOST_KEPT
            if is_known:
                shape.example = text
                shape.count += count
            else:
                self._add_text(text, count)
        self._waiting.clear()
        for shape in self._shapes.values():
            if shape.count:
                self._add_text(shape.example, shape.count)
                shape.count = 0

    def typed(self, *types: type) -> int:
        """Return how many cells are of some Python types."""
        return sum(self.types[one] for one in types)

    def _is_settled(self, number: Number) -> bool:
        """Whether the digits of such numbers no longer matter: they have no mark, or are known to be fractions."""
        return not any(
            self.whole[mark] and mark in number.digits for mark in (".", ",") if number.decimal in ("", mark)
        )

    @property
    def is_unique(self) -> bool:
        """Whether no value occurs twice."""
        return self._hashes is not None

    def _note_uniqueness(self, counts: Counter[str]) -> None:
        if self._hashes is None:
            return
        stripped = {hash(text.strip()) for text in counts}
        is_new = len(stripped) == counts.total() and self._hashes.isdisjoint(stripped)
        self._hashes = self._hashes | stripped if is_new else None

    def _add(self, cell: Any) -> None:
        if isinstance(cell, list | tuple):
            self.many = True
            for one in cell:
                self._add(one)
        elif cell is None or (isinstance(cell, float) and math.isnan(cell)):
            self.missing += 1
        elif isinstance(cell, str):
            if not is_missing(cell):
                self._note_uniqueness(Counter([cell]))
            self._add_text(cell, 1)
        else:
            self.types[type(cell)] += 1
            self.is_below_one = self.is_below_one and isinstance(cell, int | float) and 0 <= cell <= 1
            text = as_text(cell)
            self._note_uniqueness(Counter([text]))
            self._note(text)
            if not text.lstrip("-").isdecimal():
                self.whole = dict.fromkeys(self.whole, False)
            self.timed += isinstance(cell, datetime) and (cell.hour, cell.minute, cell.second) != (0, 0, 0)

    def _note(self, text: str) -> None:
        self.example = self.example or text
        self.longest = max(self.longest, len(text))

    def _add_text(self, text: str, count: int) -> None:
        if is_missing(text):
            self.missing += count
            self.absent.update({text.strip(): count} if text.strip() else {})
            return
        text = text.strip()
        self.types[str] += count
        self._note(text)
        truth = TRUTH.get(text.casefold())
        number, day = read_number(text), read_day(text)
        if truth is not None:
            self.truths[truth] += count
        if number is not None:
            self._add_number(number, count)
        if day is not None:
            self._add_day(day, count)
        if truth is None and number is None and day is None:
            self.has_lines |= "\n" in text
            month = read_month(text)
            self.months += (month is not None) * count
            self.seasons += (month is not None and text.isascii() and month.two == (month.year + 1) % 100) * count
            if len(self.others) < _MOST_KEPT or text in self.others:
                self.others[text] += count

    def _add_number(self, number: Number, count: int) -> None:
        self.numbers += count
        self.zeros += number.zeros * count
        self.percents += number.percent * count
        if number.decimal:
            self.decimals[number.decimal] += count
        if number.grouped:
            self.grouped[number.grouped] += count
        if number.currency:
            self.currencies[number.currency] += count
        if number.unit:
            self.units[number.unit] += count
        for mark in (".", ","):
            proves_another = number.decimal not in ("", mark)
            if self.whole[mark] and mark in number.digits and not proves_another and not number.is_whole(mark):
                self.whole[mark] = False

    def _add_day(self, day: Day, count: int) -> None:
        self.days += count
        self.timed += bool(day.time) * count
        if not day.sure:
            self.unsure_days += count
            self.dotted += (day.mark == ".") * count
            self.orders &= day.orders
