"""Finds the rows of a table that are sums, means or extremes of others, taxes or carried amounts, and no data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from statistics import fmean, median

from qlc.tables.cells import is_missing, read_day, read_number

_SUM = (
    r"(?:(?:grand|overall|sub)[- ]?)?totals?|sums?|Σ|∑|gesamt(?:summe|betrag)?|zwischensumme|summe|total g[eé]n[eé]ral|"
    r"sous-total|somme|totale|suma"
)
_OF: Mapping[str, tuple[str, Callable[[Sequence[float]], float]]] = {
    "total": (_SUM, sum),
    "mean": (r"(?:overall )?(?:average|mean)|avg|(?-i:Ø)|mittelwert|durchschnitt|moyenne|media|promedio", fmean),
    "maximum": (r"max(?:imum)?|highest", max),
    "minimum": (r"min(?:imum)?|lowest", min),
    "median": (r"median|médiane|mediana", median),
}
"""Whole labels of rows that are made of others, and how."""
_LABEL = re.compile("|".join(f"(?P<{name}>{words})" for name, (words, _) in _OF.items()), re.IGNORECASE)
_SUM_OF = re.compile(rf"(?:{_SUM})\b.*|.*\b(?:sub)?-?totals?", re.IGNORECASE)
"""The total of a part: `Total North`, `North total`. A firm can be called so: `Total Energies`."""
_MEAN_OF = re.compile(r"(?:average|mean)\b.*", re.IGNORECASE)
_SUM_WORDS = re.compile(rf"\b(?:{_SUM})\b", re.IGNORECASE)
_TAX_OR_CARRIED = re.compile(
    r"(amounts? |balances? )?(carried|brought) (forward|over|down)|übertrag|(à )?report(er)?( à nouveau)?|suma y sigue|"
    r"(opening|closing|starting|ending) balance|(anfangs|end)(saldo|bestand)|solde (initial|final)|"
    r"(plus |incl\.? |including |zzgl\.? |zuzüglich |inkl\.? |\+ ?)?(\d[\d.,]* ?% )?"
    r"(VAT|GST|HST|sales tax|tax|MwSt\.?|USt\.?|Umsatzsteuer|Mehrwertsteuer|TVA|T\.V\.A\.|IVA|BTW|moms)"
    r"( (at )?\(?\d[\d.,]* ?%\)?)?( (on|of|auf|sur) .*)?", re.IGNORECASE,
)  # fmt: skip
_OF_ALL = re.compile(
    r"(?:all|overall|together|combined|altogether|count|number|entries|rows|alle|anzahl|ensemble|tous)\b", re.IGNORECASE
)
_COUNTED = re.compile(r"(?P<number>\d+)(?:\s[^\W\d_]+){0,2}")
"""A number with the noun that it counts: `72 attendees`."""
_FEWEST, _FEWEST_DIGITS = 3, 3
"""Rows of a sum that no word names, and its digits, from which on it is hardly a coincidence."""
_LEAST_RECURRING = 10
"""Least sum of rows that several sums are of."""
_NEARLY = 0.01
"""How far a total with a label may be from the sum, as a share of it: parts that were rounded, a slip."""


def may_be_total(text: str) -> bool:
    """Whether the first cells of a row can be those of a total."""
    return not text.isdecimal() and (bool(_made_by(text)) or _SUM_OF.fullmatch(text) is not None)


def is_total(texts: Sequence[str], width: int) -> bool:
    """Whether the filled cells of a row are called a total: its label is the only text, if in several cells.

    The total of a part, a tax and a carried amount leave other columns of the table empty, which has `width` columns.
    """
    first = [one.rstrip(": ") for one in texts[:2]]
    if width > 2 and len({one for one in texts if read_number(one) is None and read_day(one) is None}) > 1:
        return False
    if any(_made_by(one) for one in first):
        return True
    return len(texts) < width and any(_SUM_OF.fullmatch(one) or _TAX_OR_CARRIED.fullmatch(one) for one in first)


def _made_by(label: str) -> str:
    found = _LABEL.fullmatch(label)
    return found.lastgroup or "" if found is not None else ""


@dataclass(slots=True)
class _Running:
    """Sums of columns over rows, which grow with each row: `numbers` and `texts` count the cells of a column."""

    rows: int = 0
    sums: Counter[int] = field(default_factory=Counter)
    numbers: Counter[int] = field(default_factory=Counter)
    texts: Counter[int] = field(default_factory=Counter)
    widest: int = 0

    def add(self, row: Sequence[str]) -> None:
        self.rows += 1
        self.widest = max(self.widest, sum(map(bool, row)))
        for at, text in enumerate(row):
            if (number := _number(text)) is not None:
                self.sums[at] += number  # type: ignore[assignment]
                self.numbers[at] += 1
            elif not is_missing(text):
                self.texts[at] += 1

    def is_sum(self, at: int, number: float) -> bool:
        is_pure = self.numbers[at] > 1 and not self.texts[at]
        return is_pure and bool(number) and abs(number - self.sums[at]) < 1e-6 * max(1.0, abs(number))


@dataclass(slots=True)
class Sums:
    """Compares the rows of a table with the rows above and below them. `width` is the number of its columns.

    `data` are the rows so far that are no totals, `starts` the places in it after totals, `made` counts the totals, and
    `taxed` is the last total with the taxes below it.
    """

    width: int
    data: list[Sequence[str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    made: Counter[str] = field(default_factory=Counter)
    taxed: list[Sequence[str]] = field(default_factory=list)
    _all: _Running = field(default_factory=_Running)
    _since: _Running = field(default_factory=_Running)

    def verdicts(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Return what each row is of others: `total`, `mean`, ...; `?` if it is called so and its numbers disagree.
        Empty for data."""
        found = []
        for at, row in enumerate(rows):
            made = self._labelled(row, at, rows) or ("total of the rows above" if self._is_sum(row, at, rows) else "")
            if made in ("", "?"):
                self.data.append(row)
                self._all.add(row)
                self._since.add(row)
                self.taxed = []
            else:
                self.taxed = [*self.taxed, row] if made == _TAXED else [row]
                self.made[made] += 1
                self._since = _Running()
                if self.starts[-1] < len(self.data):
                    self.starts.append(len(self.data))
            found.append(made)
        return found

    def _labelled(self, row: Sequence[str], place: int, rows: Sequence[Sequence[str]]) -> str:
        filled = [one for one in row if one]
        plain = [one.rstrip(": ") for one in filled[:2]]
        label = next((one for one in plain if may_be_total(one) or _MEAN_OF.fullmatch(one)), "")
        is_alone = is_total(filled, self.width)
        if not label:
            return _TAXED if is_alone else ""
        called = _made_by(label) or ("mean" if _MEAN_OF.fullmatch(label) else "total")
        below = rows[place + 1 :]
        numbers = {at: number for at, text in enumerate(row) if (number := _number(text)) is not None}
        digits = sum(_digits(row[at]) for at in numbers)
        best, is_comparable, is_of_group = 0, False, False
        ways = {called, "mean"} if is_alone and called == "total" else {called}  # `Total` may stand below means
        for part, is_group in self._parts(row, label, below):
            agreed = [any(_agrees(number, values, way, near=is_alone) for way in ways)
                      for at, number in numbers.items() if (values := _column(at, part))]  # fmt: skip
            is_comparable |= bool(agreed)
            is_of_group |= is_group
            varies = called == "total" or len({cells[at] for cells in part for at in numbers}) > 1
            is_sure = all(agreed) and varies and (is_group or digits > (1 if called == "total" else _FEWEST_DIGITS - 1))
            if any(agreed) and (is_alone or is_sure):
                best = max(best, sum(agreed))
        if best and called in _EXTREMES:  # a person can be called Max, and somebody has the largest number
            best += self.made.total() + sum(_made_by(cell) not in ("", "total") for one in below for cell in one[:1])
            best -= 1
        if best > 0 or (is_alone and not is_comparable):
            return called
        return "?" if is_alone or (is_of_group and _made_by(label)) else ""

    def _parts(
        self, row: Sequence[str], label: str, below: Sequence[Sequence[str]]
    ) -> Iterator[tuple[Sequence[Sequence[str]], bool]]:
        """Yield groups of rows that a total can be of, and whether a text joins them: the rows since each total before,
        those with its label (`Total North`), those above and below with its text, those below up to the next one."""
        yield from ((self.data[start:], False) for start in self.starts if start < len(self.data))
        yield self.taxed, False
        if (named := _SUM_WORDS.sub("", label).strip(" :-").casefold()) and (
            part := [one for one in self.data if named in map(str.casefold, one)]
        ):
            yield part, True
        for at, text in enumerate(row[: row.index(label) if label in row else None]):
            if text and _number(text) is None:
                for rows in (reversed(self.data), below):
                    group = [*takewhile(lambda one, at=at, text=text: one[at : at + 1] == [text], rows)]  # type: ignore[misc]
                    if group:
                        yield group, True
        first = next((n for n, one in enumerate(below) if any(map(_made_by, one[:3]))), len(below))
        if first > 1 and self.starts[-1] == len(self.data):
            yield below[:first], False

    def _is_sum(self, row: Sequence[str], place: int, rows: Sequence[Sequence[str]]) -> bool:
        """Whether each number of a row is the sum of its column, or the count of the rows above, and hardly by chance:
        `All shops | 400` below 100, 250 and 50.

        A word such as `all`, or no label, is enough; a sum beside a name like those above needs rows and digits, or
        that the next rows have such a sum, too.
        """
        filled = [at for at, text in enumerate(row) if text]
        numbers = {at: number for at in filled if (number := _number(row[at])) is not None}
        texts = {row[at] for at in filled if at not in numbers}
        if not numbers or len(texts) > 1 or len(filled) == len(numbers) == len(row):
            return False
        is_named = any(_OF_ALL.match(one) or may_be_total(one) for one in texts)
        below = _Running()
        for one in rows[1:] if place == 0 else ():
            below.add(one)
        for above in (self._all, self._since, below):
            if above.rows < 2:
                continue
            sums = [at for at, number in numbers.items() if above.is_sum(at, number)]
            counts = [at for at, number in numbers.items() if at not in sums and number == above.rows and is_named]
            if len(sums) + len(counts) < len(numbers):
                continue
            size = max((_digits(row[at]) for at in sums), default=0)
            is_alone = not texts and above.widest > len(filled)
            is_no_chance = size >= _FEWEST_DIGITS or (size > 1 and len(sums) > 1)
            is_no_chance = is_no_chance or self._recurs(sums, rows[place:])
            if is_named or is_alone or (above.rows >= _FEWEST and is_no_chance):
                return True
        return False

    def _recurs(self, sums: Sequence[int], rows: Sequence[Sequence[str]]) -> bool:
        """Whether there was a total before the first of some rows, or those below it are followed by their sum, too."""
        following = _Running()
        for at, row in enumerate(rows):
            number = _number(row[sums[0]]) if sums and sums[0] < len(row) else None
            if number is None or (abs(number) < _LEAST_RECURRING and not at):
                return False
            if abs(number) >= _LEAST_RECURRING and following.rows >= _FEWEST and following.is_sum(sums[0], number):
                return True
            if at:
                following.add(row)
        return self.made.total() > 0


_TAXED = "carried amount or a tax"
_EXTREMES = ("maximum", "minimum")


def _agrees(number: float, values: Sequence[float], way: str, *, near: bool) -> bool:
    """Whether a number is made of values in a way; a sum `near` to it may be a bit off, a mean is rounded."""
    wanted = _OF[way][1](values)
    rounded = 0.5 if number.is_integer() else 0.0051
    share = _NEARLY if near and way == "total" else 1e-6
    return abs(number - wanted) <= max(share * abs(wanted), rounded if way in ("mean", "median") else 1e-6)


def _column(at: int, rows: Sequence[Sequence[str]]) -> list[float]:
    """Return the numbers of a column; none if it has texts too."""
    cells = [cells[at] for cells in rows if at < len(cells) and not is_missing(cells[at])]
    numbers = [number for one in cells if (number := _number(one)) is not None]
    return numbers if len(numbers) == len(cells) else []


def _digits(text: str) -> int:
    return len(re.sub(r"\D", "", text).strip("0"))


def _number(text: str) -> float | None:
    found = read_number(text) if text else None
    if found is not None:
        return float(found.value(found.decimal or ("," if found.grouped == "." else ".")))
    counted = _COUNTED.fullmatch(text.strip())
    return float(counted["number"]) if counted else None
