"""The type of a column, from all of its values."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from qlc.base.currencies import CURRENCIES
from qlc.base.units import find_unit
from qlc.language.nouns import index_words
from qlc.mapping.draft.units import CURRENCIES as DRAFTED_CURRENCIES
from qlc.tables.cells import TRUTH, Day, Number, as_text, is_missing, read_day, read_number

KINDS = ("keyword", "text", "integer", "double", "money", "percent", "boolean", "date", "datetime", "object")
LONG_TEXT = 100
"""Characters of a value from which on a column is searched as text rather than chosen from."""
MOST_STRANGE = 2
"""Different words in a column of numbers or dates that are taken for missing values: "never", "tbc"."""
_MOSTLY = 0.7
"""Share of values from which on a column is of their type, if the others are such words."""
MOST_SPOILED = 0.02
"""Share of values that may be spoiled (and are listed) in a column that is typed otherwise."""
NAMES_OF_CODES = frozenset(
    ["id", "no", "nr", "number", "nummer", "numero", "code", "key", "ref", "reference", "plz", "zip", "zipcode",
     "postcode", "phone", "tel", "telefon", "fax", "iban", "isbn", "ean", "sku"]
)  # fmt: skip
"""Last words of headers of whole numbers that are codes: nobody adds them up."""
_CURRENCY_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the header as it is written, and the type that holds all of its values.

    `decimal` is its decimal mark, `order` the order of its dates (`dmy`, `mdy`), `unit` or `currency` what its numbers
    are in. `missing` counts cells without a value, `strange` are words that are taken for a missing value. `doubts`
    are sentences for whoever checks what was inferred.
    """

    header: str
    kind: str
    many: bool = False
    unit: str = ""
    currency: str = ""
    decimal: str = "."
    order: str = "dmy"
    missing: int = 0
    distinct: int = 0
    rows: int = 0
    example: str = ""
    longest: int = 0
    strange: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def is_unique(self) -> bool:
        return self.distinct == self.rows - self.missing == self.rows > 0

    def stored(self, cell: Any) -> Any:
        """What is stored of a cell; None where it has no value. Raises ValueError for one that does not fit."""
        if isinstance(cell, list | tuple):
            return [one for one in map(self.stored, cell) if one is not None] or None
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return None
        if isinstance(cell, str) and (is_missing(cell) or cell.strip() in self.strange):
            return None
        match self.kind:
            case "boolean":
                return _truth(cell)
            case "date" | "datetime":
                return _moment(cell, self.order)
            case "integer" | "double" | "money" | "percent":
                return self._number(cell)
            case "object":
                return cell
        return as_text(cell).strip()

    def _number(self, cell: Any) -> float | int:
        if isinstance(cell, str):
            found = read_number(cell)
            if found is None:
                raise ValueError("not a number")
            number = found.value(self.decimal)
        else:
            number = float(cell) if isinstance(cell, Decimal) else cell
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise ValueError("not a number")
        if self.kind == "integer" and isinstance(number, float):
            if not number.is_integer():
                raise ValueError("not a whole number")
            return int(number)
        return number


def _truth(cell: Any) -> bool:
    if isinstance(cell, bool | int) and cell in (0, 1):
        return bool(cell)
    found = TRUTH.get(as_text(cell).strip().casefold())
    if found is None:
        raise ValueError("neither yes nor no")
    return found


def _moment(cell: Any, order: str) -> str:
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    found = read_day(as_text(cell))
    if found is None:
        raise ValueError("not a date")
    return found.value(order)


@dataclass(slots=True)
class Facts:
    """What is known of a column after its cells were seen one by one."""

    header: str
    rows: int = 0
    missing: int = 0
    many: bool = False
    values: Counter[str] = field(default_factory=Counter)
    """Texts and how often each occurs; after `_MOST_KEPT` different ones only what they can be is counted."""
    types: Counter[type] = field(default_factory=Counter)
    """Of cells that are no texts."""
    numbers: int = 0
    whole: bool = True
    decimals: Counter[str] = field(default_factory=Counter)
    grouped: Counter[str] = field(default_factory=Counter)
    zeros: int = 0
    currencies: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
    percents: int = 0
    days: int = 0
    timed: int = 0
    orders: frozenset[str] = frozenset(("dmy", "mdy"))
    unsure_days: int = 0
    dotted: int = 0
    truths: int = 0
    others: Counter[str] = field(default_factory=Counter)
    """Texts that are neither number nor date nor truth value."""
    longest: int = 0
    overflow: int = 0
    example: str = ""

    def add(self, cell: Any) -> None:
        """Take a cell in. A list counts as its elements."""
        self.rows += 1
        if isinstance(cell, list | tuple):
            self.many = True
            for one in cell:
                self._add(one)
        else:
            self._add(cell)

    def _add(self, cell: Any) -> None:
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            self.missing += 1
        elif isinstance(cell, str):
            if is_missing(cell):
                self.missing += 1
            else:
                self._add_text(cell.strip())
        else:
            self.types[type(cell)] += 1
            self._count(as_text(cell))

    def _count(self, text: str) -> None:
        self.example = self.example or text
        self.longest = max(self.longest, len(text))
        if len(self.values) < _MOST_KEPT or text in self.values:
            self.values[text] += 1
        else:
            self.overflow += 1

    def _add_text(self, text: str) -> None:
        self.types[str] += 1
        self._count(text)
        is_typed = False
        if (number := read_number(text)) is not None:
            is_typed = True
            self._add_number(number)
        if (day := read_day(text)) is not None:
            is_typed = True
            self._add_day(day)
        if text.casefold() in TRUTH:
            is_typed = True
            self.truths += 1
        if not is_typed and (len(self.others) < _MOST_KEPT or text in self.others):
            self.others[text] += 1

    def _add_number(self, number: Number) -> None:
        self.numbers += 1
        self.zeros += number.zeros
        self.percents += number.percent
        if number.decimal:
            self.decimals[number.decimal] += 1
        if number.grouped:
            self.grouped[number.grouped] += 1
        if number.currency:
            self.currencies[number.currency] += 1
        if number.unit:
            self.units[number.unit] += 1

    def _add_day(self, day: Day) -> None:
        self.days += 1
        self.timed += bool(day.time)
        if not day.sure:
            self.unsure_days += 1
            self.dotted += day.mark == "."
            self.orders &= day.orders


_MOST_KEPT = 100_000


def infer(facts: Sequence[Facts], given: Mapping[str, str] | None = None) -> tuple[Column, ...]:
    """The columns of a table. What one column proves, its decimal mark and the order of its dates, holds for the
    others that prove nothing. `given` are types by header that were set: `amount` -> `money:EUR`, `date:mdy`."""
    marks = Counter(mark for one in facts for mark in one.decimals)
    mark = marks.most_common(1)[0][0] if len(marks) == 1 else ""
    orders = [next(iter(one.orders)) for one in facts if one.unsure_days and len(one.orders) == 1]
    order = orders[0] if len(set(orders)) == 1 else ""
    return tuple(_inferred(one, mark, order, (given or {}).get(one.header, "")) for one in facts)


def _inferred(facts: Facts, mark: str, order: str, given: str) -> Column:
    kind, _, detail = given.partition(":")
    filled = facts.rows - facts.missing if not facts.many else sum(facts.types.values())
    base = Column(
        facts.header, "keyword", facts.many, missing=facts.missing, rows=facts.rows, example=facts.example,
        distinct=len(facts.values) + facts.overflow, longest=facts.longest,
    )  # fmt: skip
    if not filled and not kind:
        return replace(base, doubts=("it has no values",))
    if kind:
        given_order = detail if kind in ("date", "datetime") else ""
        return replace(
            base, kind=kind, decimal=_mark_of(facts, mark), order=given_order or order or "dmy",
            currency=detail if kind == "money" else "", unit=detail if kind in ("integer", "double") else "",
        )  # fmt: skip
    for reading in (_as_typed, _as_truth, _as_days, _as_number):
        column = reading(facts, filled, base, mark, order)
        if column is not None:
            return column
    is_text = facts.longest > LONG_TEXT or any("\n" in one for one in facts.values)
    return replace(base, kind="text" if is_text else "keyword")


def _as_typed(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    """Of a source that has types of its own: JSON, a spreadsheet, Parquet."""
    kinds = set(facts.types) - {str}
    if not kinds or facts.types[str] > MOST_SPOILED * filled:
        return None
    if kinds <= {bool}:
        return replace(base, kind="boolean")
    if kinds <= {int, float, Decimal, bool}:
        whole = kinds <= {int} or all("." not in one and "e" not in one for one in facts.values)
        return _measured(replace(base, kind="integer" if whole else "double"), facts)
    if kinds <= {date, datetime}:
        timed = any(len(one) > 10 and not one.endswith("T00:00:00") for one in facts.values)
        return replace(base, kind="datetime" if timed else "date")
    if kinds <= {time}:
        return base
    return replace(base, kind="object")


def _as_truth(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    said = {TRUTH.get(one.casefold()) for one in facts.values}
    return replace(base, kind="boolean") if facts.truths == filled and said == {True, False} else None


def _as_days(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    strange = _strange(facts, filled, facts.days)
    if strange is None or not facts.days:
        return None
    found = replace(base, kind="datetime" if facts.timed * 2 > facts.days else "date", strange=strange)
    found = replace(found, doubts=_said_of(strange))
    if not facts.unsure_days:
        return found
    if not facts.orders:
        return replace(base, doubts=("its dates are day first in some rows and month first in others",))
    if len(facts.orders) == 1:
        return replace(found, order=next(iter(facts.orders)))
    if facts.dotted == facts.unsure_days or order:
        return replace(found, order=order or "dmy")
    return replace(found, order="", doubts=(*found.doubts, "day or month may come first"))


def _as_number(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    strange = _strange(facts, filled, facts.numbers)
    if strange is None or not facts.numbers or facts.zeros or len(facts.decimals) > 1 or len(facts.currencies) > 1:
        return None
    found = replace(base, strange=strange, decimal=_mark_of(facts, mark))
    doubts = _said_of(strange)
    if facts.grouped and not facts.decimals and not mark:
        one = next(iter(facts.grouped))
        doubts = (*doubts, f"'{one}' is taken for the mark between thousands")
    whole = not facts.decimals and not (facts.grouped and found.decimal in facts.grouped)
    whole = whole or all(_is_whole(one, found.decimal) for one in facts.values if one not in strange)
    found = replace(found, doubts=doubts, kind="integer" if whole else "double")
    if facts.percents == facts.numbers:
        return replace(found, kind="percent", unit="%")
    if facts.currencies.total() == facts.numbers:
        return replace(found, kind="money", currency=next(iter(facts.currencies)))
    some_have_units = bool(facts.units) and (facts.units.total() < facts.numbers or len(facts.units) > 1)
    if facts.percents or facts.currencies or some_have_units:
        return None  # what some of the values have and others lack is a part of them
    if facts.units:
        return replace(found, unit=next(iter(facts.units)))
    return _measured(found, facts)


def _is_whole(text: str, decimal: str) -> bool:
    number = read_number(text)
    return number is not None and float(number.value(decimal)).is_integer()


def _measured(column: Column, facts: Facts) -> Column:
    """A number with what its header says of it: a currency, a unit, or that it is a code and no number."""
    words = index_words(column.header)
    if words and words[-1].casefold() in NAMES_OF_CODES and column.kind == "integer":
        return replace(column, kind="keyword")
    inside = re.search(r"\(([^()]+)\)|\[([^\[\]]+)\]", column.header)  # "Cost (EUR) / 2024"
    said = (inside[1] or inside[2]).strip() if inside is not None else ""
    last = said or words[-1]
    currency = _CURRENCY_SIGNS.get(last, last.upper())
    if currency in CURRENCIES and (said.isupper() or said in _CURRENCY_SIGNS or last in DRAFTED_CURRENCIES):
        return replace(column, kind="money", currency=currency)
    if said == "%":
        return replace(column, kind="percent", unit="%")
    unit = find_unit(said) if said else None
    return replace(column, unit=unit.name if unit is not None else column.unit)


def _mark_of(facts: Facts, mark: str) -> str:
    if len(facts.decimals) == 1:
        return next(iter(facts.decimals))
    if mark:
        return mark
    return "." if "," in facts.grouped or not facts.grouped else ","


def _strange(facts: Facts, filled: int, typed: int) -> tuple[str, ...] | None:
    """The few words among typed values that are taken for missing ones; None where a column is not of that type.

    Spoiled values, with digits in them, are few as well; they are found when the rows are stored.
    """
    left = [(text, count) for text, count in facts.others.items()]
    if typed == filled:
        return ()
    if typed + facts.others.total() < filled or typed < _MOSTLY * filled:
        return None
    words = [text for text, _ in left if not any(one.isdigit() for one in text)]
    spoiled = sum(count for text, count in left if text not in words)
    if len(words) > MOST_STRANGE or spoiled > MOST_SPOILED * filled:
        return None
    return tuple(sorted(words))


def _said_of(strange: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"'{one}' is taken as missing" for one in strange)
