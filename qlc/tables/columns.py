"""The type of a column, from all of its values."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from qlc.base.currencies import CURRENCIES, SCALE
from qlc.base.errors import UsageError
from qlc.base.units import find_unit
from qlc.base.words.sentences import listed
from qlc.language.nouns import index_words
from qlc.mapping.draft.units import CURRENCIES as DRAFTED_CURRENCIES
from qlc.tables import cells
from qlc.tables.cells import TRUTH, as_text, is_iso, is_missing, read_day, read_month, read_number
from qlc.tables.facts import LONG_TEXT, MOST_WAITING, TEXTS, Facts
from qlc.tables.lists import list_mark, parts

KINDS = ("keyword", "text", "integer", "double", "money", "percent", "boolean", "date", "datetime", "object")
_MOST_NAMED = 4
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


def is_code(header: str) -> bool:
    """Whether the numbers below a header are codes: `Order No`, `customer_id`."""
    words = index_words(header)
    return bool(words) and words[-1].casefold() in NAMES_OF_CODES


_CURRENCY_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP"}


def check_type(header: str, given: str) -> None:
    """Check a type that is given for a column: `keyword`, `money:EUR`, `double:kg`, `date:mdy`. Raises UsageError."""
    kind, _, detail = given.partition(":")
    if kind not in KINDS:
        raise UsageError(f"'{given}' is not a type for '{header}': give one of {', '.join(KINDS)}")
    if kind in ("date", "datetime"):
        fits, such = detail in ("", "dmy", "mdy"), f"{kind}:dmy or {kind}:mdy"
    elif kind == "money":
        fits, such = detail in CURRENCIES, "money:EUR"
    elif kind in ("integer", "double"):
        fits, such = not detail or find_unit(detail) is not None, f"{kind}:kg"
    else:
        fits, such = not detail, kind
    if not fits:
        raise UsageError(f"'{given}' is not a type for '{header}': it is written {such}")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the header as it is written, and the type that holds all of its values.

    `decimal` is its decimal mark, `order` the order of its dates (`dmy`, `mdy`), `unit` or `currency` what its numbers
    are in, `mark` the pattern between the elements of lists written as texts. `missing` counts cells without a value,
    `strange` are words that are taken for a missing value, `absent` texts that always are (`n/a`). `is_below_one`: all
    are numbers from 0 to 1. `doubts` are sentences for whoever checks what was inferred.
    """

    header: str
    kind: str
    many: bool = False
    unit: str = ""
    currency: str = ""
    decimal: str = "."
    order: str = "dmy"
    mark: str = ""
    missing: int = 0
    rows: int = 0
    has_doubles: bool = True
    example: str = ""
    strange: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    is_below_one: bool = False
    doubts: tuple[str, ...] = ()

    @property
    def is_unique(self) -> bool:
        return self.rows > 0 and not self.missing and not self.has_doubles

    @property
    def note(self) -> str:
        """Return what an answer that uses the column has to tell: its doubts, and which texts count as missing."""
        missing = listed([f"'{one}'" for one in self.absent[:_MOST_NAMED]])
        said = [f"{missing} {'is' if len(self.absent) == 1 else 'are'} taken as missing"] if self.absent else []
        return "; ".join((*(one for one in self.doubts if not one.endswith(_NO_UNIT)), *said))

    @property
    def type(self) -> str:
        """The type as it is given: `keyword`, `money:EUR`, `double:kg`, `date:mdy`."""
        if self.kind in ("date", "datetime"):
            detail = "mdy" if self.order == "mdy" else ""
        else:
            detail = self.currency or (self.unit if self.kind != "percent" else "")
        return f"{self.kind}:{detail}" if detail else self.kind

    def reader(self) -> Callable[[Sequence[Any]], list[Any]]:
        """Return what makes stored values of cells, `stored` of each; equal texts are read once."""
        known = _Known(self)

        def read(values: Sequence[Any]) -> list[Any]:
            if set(map(type, values)) <= TEXTS:
                return list(map(known.__getitem__, values))
            return list(map(self.stored, values))

        return read

    def stored(self, cell: Any) -> Any:
        """Return the stored value of a cell, or None if it has none. Raises ValueError for one that does not fit."""
        if isinstance(cell, list | tuple):
            return [one for one in map(self.stored, cell) if one is not None] or None
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return None
        if isinstance(cell, str) and (is_missing(cell) or (self.strange and cell.strip() in self.strange)):
            return None
        match self.kind:
            case "boolean":
                return _truth(cell)
            case "date" | "datetime":
                return _moment(cell, self.order, has_time=self.kind == "datetime")
            case "integer" | "double" | "money" | "percent":
                return self._number(cell)
            case "object":
                return cell
        text = as_text(cell).strip()
        if not self.mark:
            return text
        elements = parts(self.mark, text)
        return [*elements] if len(elements) > 1 else elements[0] if elements else None

    def _number(self, cell: Any) -> float | int:
        if isinstance(cell, str):
            if self.decimal == "." and cells.PLAIN_NUMBER.fullmatch(cell):
                number = float(cell) if "." in cell else int(cell)
                return number if self.kind != "integer" else self._whole(number)
            found = read_number(cell)
            if found is None:
                raise ValueError("not a number")
            number = found.value(self.decimal)
        else:
            number = float(cell) if isinstance(cell, Decimal) else cell
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise ValueError("not a number")
        return self._whole(number) if self.kind == "integer" else number

    @staticmethod
    def _whole(number: float) -> int:
        if isinstance(number, float) and not number.is_integer():
            raise ValueError("not a whole number")
        return int(number)


class _Known(dict[str | None, Any]):
    """Stored values by text: each text is read at its first occurrence."""

    def __init__(self, column: Column) -> None:
        self.column = column

    def __missing__(self, text: str | None) -> Any:
        value = self.column.stored(text)
        if len(self) < MOST_WAITING:
            self[text] = value
        return value


def _truth(cell: Any) -> bool:
    if isinstance(cell, bool | int) and cell in (0, 1):
        return bool(cell)
    found = TRUTH.get(as_text(cell).strip().casefold())
    if found is None:
        raise ValueError("neither yes nor no")
    return found


def _moment(cell: Any, order: str, *, has_time: bool) -> str:
    if isinstance(cell, datetime | date):
        return cell.isoformat() if has_time else as_text(cell)
    if cells.ISO_SHAPE.fullmatch(cell) and is_iso(cell):
        return str(cell)
    found = read_day(as_text(cell)) or read_month(as_text(cell).strip())
    if found is None:
        raise ValueError("not a date")
    return found.value(order)


def infer(facts: Sequence[Facts], given: Mapping[str, str] | None = None) -> tuple[Column, ...]:
    """The columns of a table. What one column proves, its decimal mark and the order of its dates, holds for the
    others that prove nothing. `given` are types by header that were set: `amount` -> `money:EUR`, `date:mdy`."""
    for one in facts:
        one.settle()
    marks = Counter(mark for one in facts for mark in one.decimals)
    mark = marks.most_common(1)[0][0] if len(marks) == 1 else ""
    given = given or {}
    orders = [next(iter(one.orders)) for one in facts if one.unsure_days and len(one.orders) == 1]
    orders += [one.partition(":")[2] for one in given.values() if one.startswith("date") and ":" in one]
    order = orders[0] if len(set(orders)) == 1 else ""
    columns = [_inferred(one, mark, order, given.get(one.header, "")) for one in facts]
    if columns and columns[0].mark and columns[0].is_unique:  # names of the rows
        columns[0] = replace(columns[0], many=False, mark="")
    return tuple(replace(one, doubts=(*one.doubts, *_of_its_place(one, columns))) for one in columns)


def _of_its_place(column: Column, columns: Sequence[Column]) -> Iterator[str]:
    """Yield doubts that the header and the place of a column raise: another has its header, or it is filled in part."""
    if any(one.header == f"{column.header} 2" for one in columns):
        yield f"another column has this header: it is called '{column.header} 2'"
    blank = 0 if column.absent else column.missing
    if column is columns[0] and column.kind == "keyword" and 0 < blank < column.rows - 1:
        are = f"cells {'is' if blank == 1 else 'are'} empty"
        yield f"{blank:,} of {column.rows:,} {are}: where they mean the one above, fill them in the file"


def _inferred(facts: Facts, mark: str, order: str, given: str) -> Column:
    kind, _, detail = given.partition(":")
    filled = facts.rows - facts.missing if not facts.many else sum(facts.types.values())
    base = Column(
        facts.header, "keyword", facts.many, missing=facts.missing, rows=facts.rows, example=facts.example,
        has_doubles=not facts.is_unique, absent=tuple(facts.absent),
        is_below_one=facts.is_below_one,
    )  # fmt: skip
    if not filled and not kind:
        return replace(base, doubts=("it has no values",))
    if kind:
        is_day = kind in ("date", "datetime")
        found = (_as_days if is_day else _as_number)(facts, filled, base, mark, order) or base
        strange = found.strange if kind not in ("keyword", "text") else ()
        return replace(
            base, kind=kind, decimal=_mark_of(facts, mark), order=(detail or found.order) if is_day else found.order,
            currency=detail if kind == "money" else "",
            unit="%" if kind == "percent" else detail if kind in ("integer", "double") else "",
            strange=strange, doubts=_said_of(strange),
        )  # fmt: skip
    for reading in (_as_typed, _as_truth, _as_days, _as_number):
        column = reading(facts, filled, base, mark, order)
        if column is not None:
            return column
    doubts = _mostly(facts, filled)
    mark = list_mark(facts) if not facts.many and not doubts else ""
    if mark:
        return replace(base, many=True, mark=mark)
    kind = "text" if facts.longest > LONG_TEXT or facts.has_lines else "keyword"
    return replace(base, kind=kind, doubts=doubts)


def _mostly(facts: Facts, filled: int) -> tuple[str, ...]:
    """Return a doubt about a column of texts if most are dates or numbers: one spoiled value makes all texts."""
    days, numbers = facts.days + facts.typed(*_DAYS), facts.numbers - facts.zeros + facts.typed(*_NUMBERS)
    for count, what in ((days, "dates"), (numbers, "numbers")):
        if facts.others and 0.5 * filled <= count < filled:
            strange = min(facts.others, key=len)
            return (f"{count:,} of {filled:,} values are {what}, and '{strange}' is not: all are kept as texts",)
    return ()


def _as_typed(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    """Return the column of a source that has types of its own: JSON, a spreadsheet, Parquet. A few words among its
    values are taken for missing ones, as in a column of texts."""
    kinds = set(facts.types) - {str}
    strange = _strange(facts, filled, filled - facts.types[str])
    if not kinds or (strange is None and facts.types[str] > MOST_SPOILED * filled):
        return None
    if strange:
        base = replace(base, strange=strange, doubts=_said_of(strange))
    if kinds <= {bool}:
        return replace(base, kind="boolean")
    if kinds <= {*_NUMBERS, bool}:
        return _measured(replace(base, kind="integer" if facts.whole["."] else "double"))
    if kinds <= {*_DAYS} and not facts.unsure_days:
        return replace(base, kind="datetime" if facts.timed else "date")
    if kinds <= {time}:
        return base
    return None if kinds <= {*_DAYS} else replace(base, kind="object")


_NUMBERS = (int, float, Decimal)
_DAYS = (date, datetime)


def _as_truth(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    return replace(base, kind="boolean") if facts.truths.total() == filled and len(facts.truths) == 2 else None


def _as_days(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    if facts.months == filled > facts.seasons and not is_code(facts.header):
        return replace(base, kind="date", doubts=("each month is kept as its first day",))
    cells_of_days = facts.typed(*_DAYS)
    days = facts.days + cells_of_days
    strange = _strange(facts, filled, days)
    if strange is None or not facts.days:
        return None
    found = replace(base, kind="datetime" if facts.timed * 2 > days else "date", strange=strange)
    found = replace(found, doubts=_said_of(strange))
    if not facts.unsure_days:
        return found
    if cells_of_days and not facts.dotted:  # a program may have read `03/04/2026` and left `13/04/2026` as a text
        swapped = "dates are texts with day and month as numbers: those of the other cells may be swapped"
        return replace(base, doubts=(f"{facts.unsure_days:,} {swapped}",))
    if not facts.orders:
        return replace(base, doubts=("its dates are day first in some rows and month first in others",))
    if len(facts.orders) == 1:
        return replace(found, order=next(iter(facts.orders)))
    if facts.dotted == facts.unsure_days or order:
        return replace(found, order=order or "dmy")
    return replace(found, order="", doubts=(*found.doubts, "day or month may come first"))


def _as_number(facts: Facts, filled: int, base: Column, mark: str, order: str) -> Column | None:
    numbers = facts.numbers + facts.typed(*_NUMBERS)
    strange = _strange(facts, filled, numbers)
    if strange is None or not facts.numbers or facts.zeros or len(facts.decimals) > 1 or len(facts.currencies) > 1:
        return None
    found = replace(base, strange=strange, decimal=_mark_of(facts, mark))
    doubts = _said_of(strange)
    if facts.grouped and not facts.decimals and not mark:
        one = next(iter(facts.grouped))
        doubts = (*doubts, f"'{one}' is taken for the mark between thousands")
    whole = facts.whole[found.decimal]
    found = replace(found, doubts=doubts, kind="integer" if whole else "double")
    if facts.percents == numbers:
        return replace(found, kind="percent", unit="%")
    if facts.currencies.total() == numbers:
        return replace(found, kind="money", currency=next(iter(facts.currencies)))
    some_have_units = bool(facts.units) and (facts.units.total() < numbers or len(facts.units) > 1)
    if facts.percents or facts.currencies or some_have_units:
        return None  # what some of the values have and others lack is a part of them
    if facts.units:
        return replace(found, unit=next(iter(facts.units)))
    return _measured(found)


_NO_UNIT = ": its numbers get no unit"


def _measured(column: Column) -> Column:
    """A number with what its header says of it: a currency, a unit, or that it is a code and no number."""
    words = index_words(column.header)
    if is_code(column.header) and column.kind == "integer":
        return replace(column, kind="keyword")
    if (scale := SCALE.search(column.header)) is not None:
        return replace(column, doubts=(*column.doubts, f"'{scale[0]}' in the header{_NO_UNIT}"))
    inside = re.search(r"\(([^()]+)\)|\[([^\[\]]+)\]", column.header)  # "Cost (EUR) / 2024"
    said = (inside[1] or inside[2]).strip() if inside is not None else unit_after(column.header)[1]
    last = said or words[-1]
    currency = _CURRENCY_SIGNS.get(last, last.upper())
    if currency in CURRENCIES and (said.isupper() or said in _CURRENCY_SIGNS or last in DRAFTED_CURRENCIES):
        return replace(column, kind="money", currency=currency)
    if said == "%" or column.header.rstrip().endswith(" %"):
        if not column.is_below_one:
            return replace(column, kind="percent", unit="%")
        return replace(column, doubts=(*column.doubts, "all are between 0 and 1, so they are taken for no percent"))
    unit = find_unit(said) if said else None
    return replace(column, unit=unit.name if unit is not None else column.unit)


_AFTER = re.compile(r"(?P<what>.*?\w)(?<! per)(?<! je)(?:,? in | \[|,? )(?P<unit>[^\s\[\]()]+)\]?")


def unit_after(header: str) -> tuple[str, str]:
    """Return what a header is about and the unit after it: `Weight in kg` -> `Weight`, `kg`; so of `length [cm]`,
    `total eur`, `speed km/h`, `power kW`, `cost kEUR`. The header and nothing if it has none: the last word of `Size m`
    may mean anything."""
    found = _AFTER.fullmatch(header.strip())
    unit = found["unit"] if found is not None else ""
    if (scale := SCALE.search(header)) is not None:
        return (found["what"], unit) if found is not None and scale[0] == unit != unit.lower() else (header, "")
    is_marked = found is not None and header.strip()[found.end("what") :] != f" {unit}"
    known = find_unit(unit)
    is_symbol = known is not None and not (unit.islower() or unit.isupper()) and unit in (known.name, *known.symbols)
    is_unit = known is not None and (is_marked or not unit.isalpha() or is_symbol)
    is_currency = unit.upper() in CURRENCIES and (is_marked or unit.isupper() or unit in DRAFTED_CURRENCIES)
    return (found["what"], unit) if found is not None and (is_unit or is_currency) else (header, "")


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
