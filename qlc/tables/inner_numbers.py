"""Numbers inside the texts of a column, as fields of their own: of the result `W 16-10` these are 16 and 10.

Without them, scores, spans of years and amounts with a remark are only texts, which no program compares or adds. Rules
of English never use such fields; a language model is told of each from which text it is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from qlc.base.currencies import SCALE
from qlc.base.units import find_unit
from qlc.language.comparisons import LESS, MORE
from qlc.tables.cells import as_text, is_iso, is_missing, is_month, read_number
from qlc.tables.columns import Column
from qlc.tables.facts import Facts

MOST = 3
"""Numbers of a text that become fields."""
_LONGEST = 60
"""Characters of a text, from which on it is prose."""
_MOSTLY = 0.6
"""Share of the texts of a column that have equally many numbers."""
_FORMS = 0.5
"""Share of different texts without their digits (`W #-#`, `L #-#`), from which on the words are names or addresses."""
_FEW_FORMS = 4
_FEWEST = 3
_SERIAL = re.compile(r"[^\d#]*[^\W\d_][^\d#]*#")
"""The form of a name with a number at its end: `Room #`."""
_TOKEN = re.compile(r"(?<![\w.,:])(?<![^\W\d_][-−])(?:(?<![^\s(])[-−–])?\d(?:[\d.,:]*\d)?(?![\w:])")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)(?!\w)")
"""Text around the number of a place: `3rd (q)`."""
_UNIT = re.compile(r"\d\s?([^\W\d_][\w/²³]*|°[CF]|%)")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SHORT_YEAR = re.compile(r"(?<!\d)(\d\d)(\d\d)(\s?[-–/]\s?)(\d\d)(?!\d)")
"""A span of years whose last one is short: `1985–86`."""
_CLOCK = re.compile(r"\d{1,3}(?::[0-5]\d){1,2}(?:\.\d+)?")
_BOUND = re.compile(
    rf"[<>≤≥~≈±?]|\d\s*\+|\d[-\s]\d+/\d|\d\s?(?:{SCALE.pattern})|\b(?:{LESS}|{MORE}|over|under|above"
    r"|below|up to|at least|at most|about|around|circa|ca|c\.|approx\w*|nearly|almost|unter|über|etwa|rund|mindestens"
    r"|höchstens|bis zu)(?!\w)",
    re.IGNORECASE,
)
"""Matches signs of bounds, estimates, fractions and scales: `less than 20 kt`, `250+`, `1-1/8`, `5.2 million`."""


@dataclass(frozen=True, slots=True)
class InnerNumber:
    """A number in each text of a column: at `place`, from 0, of `count`. `example` is one of the texts."""

    column: int
    place: int
    count: int
    decimal: str
    example: str

    @property
    def name(self) -> str:
        """Name of the field, after that of its column: `number 2`."""
        return f"number {self.place + 1}" if self.count > 1 else "number"

    def read(self, cell: Any) -> float | None:
        """Return the number in a text: 10 of `W 16-10` at place 1; None if it has more or fewer, or a bound."""
        found = _numbers(as_text(cell), self.decimal) if cell is not None and not isinstance(cell, list | tuple) else ()
        return found[self.place] if len(found) == self.count else None

    def described(self, header: str) -> str:
        """Return what the field holds: `Number 2 in "Result": 10 of "W 16-10".`"""
        which = self.name.capitalize() if self.count > 1 else "The number"
        return f'{which} in "{header}": {self.read(self.example):g} of "{self.example}".'


def inner_numbers(columns: Sequence[Column], facts: Sequence[Facts]) -> Iterator[InnerNumber]:
    """Yield the numbers inside the columns of texts that have equally many of them in most rows."""
    for at, (column, known) in enumerate(zip(columns, facts, strict=True)):
        is_mixed = bool(known.others or (known.days and known.numbers))  # `16 January 1970` and `1982` both have years
        if column.kind not in ("keyword", "text") or known.longest > _LONGEST or column.many or not is_mixed:
            continue
        plain = known.numbers + known.days + known.typed(int, float, Decimal, date, datetime)
        counts, examples = Counter({1: plain}), dict[int, str]()
        for text, count in known.others.items():
            many = len(_numbers(text, column.decimal))
            counts[many] += count
            examples.setdefault(many, text)
        (usual, rows), *_ = counts.most_common(1) or [(0, 0)]
        forms = {re.sub(r"\d+", "#", _ORDINAL.sub("", text)) for text in known.others}
        filled = known.rows - known.missing
        units = {unit.name for text in known.others for word in _UNIT.findall(text) if (unit := find_unit(word))}
        are_mixed = max(len(units), len(known.units)) > usual or len(known.currencies) > 1
        are_names = known.is_unique and not plain and all(map(_SERIAL.fullmatch, forms))
        are_alike = rows >= max(_FEWEST, _MOSTLY * filled) and len(forms) <= max(_FEW_FORMS, _FORMS * filled)
        if 1 <= usual <= MOST and are_alike and not are_names and not are_mixed:
            example = examples.get(usual, known.example)
            found = [InnerNumber(at, place, usual, column.decimal, example) for place in range(usual)]
            yield from (one for one in found if one.read(example) is not None)


@lru_cache(maxsize=65_536)
def _numbers(text: str, decimal: str) -> tuple[float, ...]:
    """Return the numbers of a text: `2:05.5 (3)` -> 125.5, 3, a clock in its last unit; of a date its year. None where
    some digits are parts of words."""
    is_day = _ISO_DAY.match(text) is not None
    if is_missing(text) or _BOUND.search(text) or (is_day and not is_iso(text)):
        return ()
    if is_day or any(is_month(word) for word in re.findall(r"[^\W\d_]+", text)):
        return (*map(float, _YEAR.findall(text)),)
    text, found = _SHORT_YEAR.sub(_in_full, _ORDINAL.sub("", text)), []
    if any(map(str.isdigit, _TOKEN.sub("", text))):
        return ()
    for token in _TOKEN.findall(text):
        if _CLOCK.fullmatch(token):
            value = 0.0
            for part in token.split(":"):
                value = 60 * value + float(part)
        elif (number := read_number(token.replace("–", "-"))) is not None:
            value = float(number.value(decimal))
        else:
            return ()
        found.append(value)
    return (*found,)


def _in_full(span: re.Match[str]) -> str:
    """Write the last year of a span in full: `1985–86` -> `1985–1986`, `1999/00` -> `1999/2000`."""
    century, first, between, last = span.groups()
    return f"{century}{first}{between}{int(century) + (last < first):02}{last}"
