"""Compares the amounts of a sentence with the cells of quoted tables: row, column, period, scale, currency and sign.

`Working capital was $2,278 million at the end of 2022.` holds for the cell where the row `Working capital` and the
column `December 31, 2022` of a table in millions meet, and for no other cell. A problem names what the cell says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from qlc.corpus.values.table_cells import Table, TableCell, tables_of
from qlc.language.numbers import NumberStyle, is_of_other_language, parse_number
from qlc.language.quantities import Quantity, Style, currency_of, named_currency, stated_scale, style_of
from qlc.language.reporting_periods import ReportingPeriod, reporting_periods, without_periods
from qlc.language.stems import stem
from qlc.language.units import convert, unit_of

from .terms import Term, stems, terms


@dataclass(frozen=True, slots=True)
class Source:
    """The text that a quote is from, and what stands above its tables."""

    quote: str
    text: str
    head: str = ""
    around: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuotedCells:
    """The cells that quotes contain, the tables that they are in, and the rest of the quotes: words, labels, heads."""

    cells: tuple[TableCell, ...] = ()
    tables: tuple[Table, ...] = ()
    rest: tuple[str, ...] = ()
    currencies: frozenset[str] = frozenset()
    """Currencies that the texts name anywhere."""
    styles: frozenset[Style] = frozenset()
    """How the pages write numbers and dates, where these decide it."""
    is_foreign: bool = False
    """Whether the pages are in another language, so that their words and labels are not those of a sentence."""

    def holds_on(self, cell: TableCell, year: int) -> bool:
        """Whether a cell is of an earlier year only by what stands above its table, as in a list of prices."""
        periods = {one.period.parts for one in self.tables[cell.table].cells if one.period is not None}
        is_earlier = cell.period is not None and cell.period.year is not None and cell.period.year < year
        return is_earlier and len(periods) == 1 and bool(cell.column) and not reporting_periods(cell.column)


@dataclass
class Placing:
    """The parts of a sentence that were compared with cells, and the problems of these."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    placed: dict[int, TableCell] = field(default_factory=dict)
    """The cells of amounts that hold, by the begin of the amount."""

    def has(self, at: int) -> bool:
        return any(begin <= at < end for begin, end in self.spans)


# --- quotes ----------------------------------------------------------------------------------------------------------

_WORDS = re.compile(r"[^\s|]+")
_MARKS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00ad": "", "\u00a0": " "})


def quoted_cells(sources: Sequence[Source]) -> QuotedCells:
    """Find the cells of the tables that quotes are from, with the rows that the quotes touch."""
    cells: list[TableCell] = []
    tables: list[Table] = []
    rest: list[str] = []
    currencies: set[str] = set()
    read: dict[tuple[str, str], list[Table]] = {}
    stated = "\n".join(f"{one.head}\n{one.text}" for one in sources)
    for one in sources:
        key = (one.text, one.head)
        if key not in read:
            read[key] = [
                Table(tuple(replace(cell, table=len(tables) + at) for cell in table.cells), table.heads)
                for at, table in enumerate(tables_of(one.text, one.head, one.around))
            ]
            tables += read[key]
        lines = _lines_of(one.quote, one.text)
        found = [cell for table in read[key] for cell in table.cells if cell.line in lines]
        found = [cell for cell in found if _plain(cell.text) in _plain(one.quote)]
        cells += [cell for cell in found if cell not in cells]
        currencies |= {cell.unit for table in read[key] for cell in table.cells if currency_of(cell.unit)}
        heads = [table.heads for table in read[key] if any(cell.line in lines for cell in table.cells)]
        rest.append("\n".join([_without_cells(one.quote, found), *heads]))
    if named := named_currency(stated):
        currencies.add(named[0])
    styles = frozenset(style_of([text]) for text in {one.text for one in sources})
    is_foreign = bool(sources) and all(is_of_other_language(one.text) for one in sources)
    return QuotedCells(tuple(cells), tuple(tables), tuple(rest), frozenset(currencies), styles, is_foreign)


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.translate(_MARKS))).casefold()


def _lines_of(quote: str, text: str) -> frozenset[int]:
    """Return the lines of a text that a quote is on, wherever it stands there."""
    words: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n")):
        held = _plain(line).split()
        words += held
        lines += [number] * len(held)
    wanted = _plain(quote).split()
    found: set[int] = set()
    size = len(wanted)
    for at in range(len(words) - size + 1) if wanted else ():
        ends = words[at].endswith(wanted[0]) and words[at + size - 1].startswith(wanted[-1])
        if ends and (words[at + 1 : at + size - 1] == wanted[1:-1] or size <= 2):
            found.update(lines[at : at + size])
    return frozenset(found)


def _without_cells(quote: str, cells: Iterable[TableCell]) -> str:
    """Return a quote without the amounts of cells."""
    plain = quote.replace("|", " ")
    for cell in sorted(cells, key=lambda one: -len(one.text)):
        form = r"\s*".join(map(re.escape, cell.text.split()))
        plain = re.sub(rf"(?<![\w.,]){form}(?![\w,]|\.\d)", " ", plain, count=1)
    return plain


# --- amounts ---------------------------------------------------------------------------------------------------------

_NEGATIVE = re.compile(r"\b(?:loss(?:es)?|deficits?|negative|minus|outflows?|used|shortfall)\b", re.IGNORECASE)
_OUTFLOW = re.compile(
    r"\b(?:loss(?:es)?|deficits?|used|outflows?|costs?|expenses?|purchases?|payments?|repayments?|paid|dividends?|"
    r"tax(?:es)?|depreciation|amortization|impairments?|charges?|acquisitions?|acquired|expenditures?|repurchases?|"
    r"allowances?|treasury|provisions?|less|deductions?|interest|withheld|redemptions?|distributions?|decreases?|"
    r"declines?|reductions?|settlements?|additions?|investments?|spent|accumulated|discounts?|fees?|commissions?)\b",
    re.IGNORECASE,
)
"""Labels of rows whose amounts are deducted, so that parentheses do not turn what the label says."""
_EITHER = re.compile(
    r"\((?:loss(?:es)?|used|deficit|benefit|decrease|expense|outflow|income|gain|charge|credit)\b"
    r"|\b(?:or|/)\s?\(?(?:loss|used)",
    re.IGNORECASE,
)
"""Labels of rows whose amounts can be of either sign: `Net income (loss)`."""
_CHANGED = re.compile(
    r"\b(?:chang\w*|ros\w|rise[ns]?|rising|f[ae]ll\w*|increas\w*|decreas\w*|declin\w*|gr[eo]w\w*|grown|drop\w*|up|down|"
    r"higher|lower|more|less|fewer|difference|differ\w*|var(?:y|ied|iance)|versus|vs|improv\w*|reduc\w*|by|gain\w*)\b",
    re.IGNORECASE,
)


def placed(text: str, amounts: Sequence[Quantity], quoted: QuotedCells, question: str = "") -> Placing:
    """Compare the amounts of a sentence with the quoted cells. `amounts` has none that was computed."""
    found = Placing()
    if not quoted.cells:
        return found
    reading = _Sentence.of(text, amounts, quoted, question)
    in_cells = [one for one in reading.amounts if any(_is_near(one, cell, reading) for cell in quoted.cells)]
    reading = replace(reading, amounts=tuple(in_cells))
    for number, one in enumerate(reading.amounts):
        near = [cell for cell in quoted.cells if _is_near(one, cell, reading)]
        judged = [(cell, [*_problems(number, cell, reading)]) for cell in near]
        cell, problems = min(judged, key=lambda pair: len(pair[1]))
        found.spans.append((one.start, one.end))
        if problems:
            found.problems.append(f"'{text[one.start : one.end]}' {problems[0]}: {reading_of(cell)}")
        else:
            found.placed[one.start] = cell
            if (period := reading.period_of(number)) is not None and cell.period is not None:
                found.spans.append((period.start, period.end))
    found.problems += _other_direction(text, [*found.placed.values()])
    return found


_RISES = re.compile(
    r"\b(?:rose|ris(?:e|es|en|ing)|increas\w+|gr[eo]w(?:s|n|ing|th)?|climb\w*|improv\w+|up)\b", re.IGNORECASE
)
_FALLS = re.compile(r"\b(?:f[ae]ll(?:s|en|ing)?|decreas\w+|declin\w+|drop\w*|shr[aiu]nk\w*|down)\b", re.IGNORECASE)


def _other_direction(text: str, cells: Sequence[TableCell]) -> Iterator[str]:
    """Yield a problem if a sentence says that a row rose where its two cells fall, or the other way round."""
    pair = sorted((cell for cell in cells if cell.period), key=lambda cell: cell.period.parts if cell.period else ())
    if len(cells) != 2 or len(pair) != 2 or len({(cell.table, cell.line) for cell in pair}) != 1:
        return
    rises, falls = _RISES.search(text) is not None, _FALLS.search(text) is not None
    first, last = pair
    if rises == falls or first.value == last.value:
        return
    is_outflow = first.value < 0 and last.value < 0 and not _NEGATIVE.search(text)
    is_up = (abs(last.value) > abs(first.value)) if is_outflow else last.value > first.value
    if is_up != rises:
        yield f"it says that it {'rose' if rises else 'fell'}: {reading_of(first)}; {reading_of(last)}"


def change_of(text: str, amounts: Sequence[Quantity], quoted: QuotedCells, question: str = "") -> str:
    """Return the calculation behind a change that a sentence states, from the cells of its row in both periods.

    `grew 18.3 % from 2020 to 2022` -> `(9583 / 8101 - 1) * 100`. Empty if the cells do not decide it.
    """
    reading = _Sentence.of(text, amounts, quoted, question)
    open_ones = [one for one in reading.amounts if not any(_is_near(one, cell, reading) for cell in quoted.cells)]
    if len(open_ones) != 1 or len(reading.periods) != 2 or not _CHANGED.search(text):
        return ""
    said = frozenset(word.stem for word in reading.words) | stems(question)
    pairs = []
    for line in dict.fromkeys((cell.table, cell.line) for cell in quoted.cells):
        row = [cell for cell in quoted.cells if (cell.table, cell.line) == line and cell.period is not None]
        pair = [next((cell for cell in row if cell.period and one.fits(cell.period)), None) for one in reading.periods]
        if pair[0] is not None and pair[1] is not None and pair[0] is not pair[1] and _label_stems(pair[0].row) & said:
            pairs.append(sorted((pair[0], pair[1]), key=lambda cell: cell.period.parts if cell.period else ()))
    if len(pairs) != 1 or pairs[0][0].number * pairs[0][1].number <= 0:
        return ""
    before, after = (abs(cell.number) for cell in pairs[0])
    return f"({after} / {before} - 1) * 100" if open_ones[0].unit == "%" else f"{after} - {before}"


def reading_of(cell: TableCell) -> str:
    """Return what a cell says, in words: `the row 'Working capital' has $ 2,278, in millions, under 'December 31,
    2022'`."""
    scale = {10**3: ", in thousands", 10**6: ", in millions", 10**9: ", in billions"}.get(cell.scale, "")
    if not scale and cell.scale != 1:
        scale = f", times {cell.scale:,}"
    under = f", under '{' '.join(cell.column.split())[:100]}'" if cell.column else ""
    inside = f" of '{cell.headings[0][:80]}'" if cell.headings else ""
    is_shown = not cell.unit or cell.unit in cell.text or currency_of(cell.text[:1]) == cell.unit
    unit = "" if is_shown else f" ({cell.unit})"
    return f"the row '{' '.join(cell.row.split())[:120]}'{inside} has {cell.text}{unit}{scale}{under}"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence taken apart: amounts, periods, the words of each amount."""

    text: str
    amounts: tuple[Quantity, ...]
    periods: tuple[ReportingPeriod, ...]
    words: tuple[Term, ...]
    rows: tuple[_Named, ...]
    """The rows that it names word by word."""
    columns: tuple[_Named, ...]
    asked: str
    quoted: QuotedCells
    scale: int

    @classmethod
    def of(cls, text: str, amounts: Sequence[Quantity], quoted: QuotedCells, question: str) -> _Sentence:
        periods = reporting_periods(text)
        labels = {cell.row for cell in quoted.cells}
        in_labels = [*_places_of(labels, text)]
        amounts = [
            one for one in amounts
            if not any(begin <= one.start < end for begin, end in in_labels) and not _is_of_label(one, text, labels)
        ]  # fmt: skip
        named = [one for one in periods if any(text[one.start : one.end] in label for label in labels)]
        periods = tuple(one for one in periods if one not in named or _is_in_heads(one, quoted))
        periods = tuple(one for one in periods if _is_in_heads(one, quoted)) or periods
        kept = tuple(
            one for one in amounts
            if one.kind != "date" and not any(p.start <= one.start < p.end for p in (*periods, *named))
        )  # fmt: skip
        words = _words_beside(text, kept)
        scale = stated_scale(text)[0] if re.search(r"\(\s*in\b", text) else 1
        cells = [cell for table in quoted.tables for cell in table.cells]
        rows = tuple(_named(words, {_label_stems(cell.row) for cell in cells}, kept))
        columns = tuple(_named(words, {_label_stems(cell.column) for cell in cells if cell.column}, kept))
        return cls(text, kept, periods, words, rows, columns, question, quoted, scale)

    def period_of(self, number: int) -> ReportingPeriod | None:
        return _assigned(number, self.amounts, self.periods)

    def words_of(self, number: int, named: Sequence[_Named]) -> frozenset[str]:
        """Return the words that tell the row or column of an amount: where a sentence names several, those of one."""
        if len({one.words for one in named}) > 1 and (found := _assigned(number, self.amounts, named)) is not None:
            return found.words
        return frozenset(one.stem for one in self.words)


@dataclass(frozen=True, slots=True)
class _Named:
    """The label of a row or a column in a sentence."""

    start: int
    end: int
    words: frozenset[str]


_T = TypeVar("_T", ReportingPeriod, _Named)


def _places_of(labels: Iterable[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where labels with digits stand in a text: `Due in 1 year through 5 years`."""
    for label in labels:
        if re.search(r"\d", label) and not reporting_periods(label):
            form = r"\s+".join(map(re.escape, label.split()))
            yield from (found.span() for found in re.finditer(form, text, re.IGNORECASE))


def _is_of_label(one: Quantity, text: str, labels: Collection[str]) -> bool:
    """Whether an amount with a unit is a part of a label: `15 minutes` of `Consultation, 15 minutes`."""
    said = text[one.start : one.end]
    return one.kind == "measure" and any(re.search(rf"(?<![\w.,]){re.escape(said)}(?!\w)", label) for label in labels)


def _is_in_heads(one: ReportingPeriod, quoted: QuotedCells) -> bool:
    return any(cell.period is not None and cell.period.year == one.year for cell in quoted.cells)


def _words_beside(text: str, amounts: Sequence[Quantity]) -> tuple[Term, ...]:
    plain = without_periods(text)
    for one in amounts:
        plain = f"{plain[: one.start]}{' ' * (one.end - one.start)}{plain[one.end :]}"
    return terms(plain)


def _assigned(number: int, amounts: Sequence[Quantity], named: Sequence[_T]) -> _T | None:
    """Return the period or row that belongs to an amount: in order if there are as many of them, else the one before
    it or after it, as the sentence begins with one or with an amount."""
    if not named:
        return None
    if len(named) == 1:
        return named[0]
    if len(named) == len(amounts):
        return named[number]
    one = amounts[number]
    before = [each for each in named if each.end <= one.start]
    after = [each for each in named if each.start >= one.end]
    if len(amounts) == 1 and after and isinstance(after[0], ReportingPeriod):
        return after[0]
    if named[0].start < amounts[0].start:
        return before[-1] if before else after[0]
    return after[0] if after else before[-1]


# --- does a cell say it? ---------------------------------------------------------------------------------------------


def _is_near(one: Quantity, cell: TableCell, reading: _Sentence) -> bool:
    """Whether an amount has the digits of a cell, in whatever scale."""
    if one.kind == "measure" and one.unit != "%":
        alike = {cell.unit, *_units_of(cell)}
        has_digits = one.number == abs(cell.number)
        if unit_of(cell.unit) is not None:
            return has_digits or _is_converted(one, cell, reading)
        return has_digits and any(unit == one.unit or convert(Decimal(1), unit, one.unit) for unit in alike if unit)
    if _is_value(one, cell, reading):
        return True
    said, held = _digits(abs(one.number)), _digits(abs(cell.number))
    return said == held != ""


def _is_converted(one: Quantity, cell: TableCell, reading: _Sentence) -> bool:
    """Whether an amount is that of a cell in another unit, as exact as it is written: `19 hp` for 14 kW."""
    exact = convert(cell.number, cell.unit, one.unit) if unit_of(cell.unit) and cell.unit != one.unit else None
    decimals = re.search(r"\.(\d+)", reading.text[one.start : one.end])
    step = Decimal(1).scaleb(-len(decimals[1]) if decimals else 0)
    return exact is not None and abs(abs(exact) - abs(one.number)) <= step / 2


def _digits(number: Decimal) -> str:
    return "".join(map(str, number.normalize().as_tuple().digits)).strip("0")


def _is_value(one: Quantity, cell: TableCell, reading: _Sentence) -> bool:
    """Whether an amount is the value of a cell, as exact as it is written: `2.3 billion` for 2,278 in millions."""
    written, step = _written(one, reading)
    return any(written == value or (step > 0 and abs(written - value) <= step / 2) for value in _values(cell))


def _values(cell: TableCell) -> Iterator[Decimal]:
    yield abs(cell.value)
    if cell.scale != 1 and _IS_COUNT.search(f"{cell.row} {' '.join(cell.headings)}") and not cell.unit:
        yield abs(cell.number)


_IS_COUNT = re.compile(r"\b(?:shares|units)\b", re.IGNORECASE)


def _written(one: Quantity, reading: _Sentence) -> tuple[Decimal, Decimal]:
    """Return an amount, and the size of its last digit if it is rounded: of two digits or more, with a scale or
    decimals."""
    digits = re.search(r"\d(?:[\d.,'’]*\d)?", reading.text[one.start : one.end])
    base = parse_number(digits[0], NumberStyle(), True) if digits else None
    if digits is None or not base:
        return abs(one.number), Decimal(0)
    factor = abs(one.number) / base
    decimals = len(digits[0].rpartition(".")[2]) if "." in digits[0] else 0
    number = abs(one.number) * (reading.scale if factor == 1 and one.unit != "%" else 1)
    is_rounded = (factor >= 1_000 or decimals > 0) and len(re.sub(r"\D", "", digits[0]).lstrip("0")) > 1
    return number, factor * Decimal(1).scaleb(-decimals) if is_rounded else Decimal(0)


def _problems(number: int, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    """Yield what an amount says otherwise than a cell with its digits."""
    one = reading.amounts[number]
    if (one.kind != "measure" or one.unit == "%") and not _is_value(one, cell, reading):
        yield "is in another scale than its cell"
    yield from _other_unit(one, cell, reading)
    yield from _other_row(number, cell, reading)
    yield from _other_period(number, cell, reading)
    yield from _other_column(number, cell, reading)
    yield from _other_sign(one, cell, reading)


def _other_unit(one: Quantity, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    if one.unit == "%" and cell.unit != "%" and "%" not in f"{cell.row}{cell.column}":
        yield "is no percentage in its cell"
    elif one.kind == "measure" and unit_of(cell.unit) not in (None, one.unit):
        if one.unit != "%" and not _is_converted(one, cell, reading):
            yield "is in another unit than its cell"
    elif currency_of(one.unit):
        known = {cell.unit} if cell.unit else reading.quoted.currencies
        if cell.unit == "%" or one.unit not in known:
            is_bare = not cell.unit and not known
            yield f"is in another currency or unit than its cell{', which shows none' if is_bare else ''}"


def _units_of(cell: TableCell) -> frozenset[str]:
    words = re.findall(r"[^\W\d_]+[²³]?|°[CF]|[%Ω€£$]", f"{cell.row} {cell.column} {' '.join(cell.headings)}")
    return frozenset(unit for one in words if (unit := currency_of(one) or unit_of(one) or ""))


def _other_row(number: int, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    own = _label_stems(cell.row)
    quoted = reading.quoted
    rivals = [other for other in (*quoted.tables[cell.table].cells, *quoted.cells) if other.row != cell.row]
    said = reading.words_of(number, reading.rows)
    asked = stems(reading.asked)
    labels = {other.row: _label_stems(other.row) for other in rivals}
    same = {other.row for other in quoted.cells if other.table != cell.table}  # of the same thing in another list
    labels = {row: label for row, label in labels.items() if row not in same or not (label <= own or own <= label)}
    if own and not own & said and not _label_stems(" ".join(cell.headings)) & said:
        if any(label & said for label in labels.values()) or not (own & asked or quoted.is_foreign):
            yield "is not of the row that the sentence names"
            return
        said = said | asked
    if any(_is_better(label, own, said) for label in labels.values()):
        yield "is not of the row that the sentence names"
        return
    twins = [other for other in quoted.tables[cell.table].cells
             if _label_stems(other.row) == own and other.headings != cell.headings]  # fmt: skip
    heading = _label_stems(" ".join(cell.headings))
    words = frozenset(one.stem for one in reading.words)
    if any(_is_better(_label_stems(" ".join(other.headings)), heading, words) for other in twins):
        yield "is not of the part of the table that the sentence names"


def _is_better(other: frozenset[str], own: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a sentence names another label rather than this one: it says more of its words, or leaves out fewer."""
    theirs, mine = other & said, own & said
    return theirs > mine or (theirs >= mine and bool(theirs) and len(other - said) < len(own - said))


@lru_cache(maxsize=4_096)
def _label_stems(label: str) -> frozenset[str]:
    return frozenset(one.stem for one in terms(without_periods(re.sub(r"\((?:\d|[a-z])\)", " ", label))))


def _named(
    words: Sequence[Term], labels: Collection[frozenset[str]], amounts: Sequence[Quantity]
) -> Iterator[_Named]:
    """Yield the labels that stand in a sentence word by word, with no amount inside; of two that overlap, the longer
    one."""
    taken: set[int] = set()
    found: list[_Named] = []
    for label in sorted((one for one in labels if one), key=len, reverse=True):
        size = len(label)
        for at in range(len(words) - size + 1):
            part = words[at : at + size]
            is_apart = any(part[0].begin < one.start < part[-1].begin for one in amounts)
            if {one.stem for one in part} == label and not is_apart and taken.isdisjoint(range(at, at + size)):
                taken.update(range(at, at + size))
                found.append(_Named(part[0].begin, part[-1].end, label))
    yield from sorted(found, key=lambda one: one.start)


def _other_period(number: int, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    own = cell.period
    others = [other for other in reading.quoted.tables[cell.table].cells
              if other.line == cell.line and other.value != cell.value]  # fmt: skip
    said = reading.period_of(number)
    if own is None:
        is_open = said is not None and not cell.column and any(not other.column for other in others)
        is_change = _is_change(cell)
        if is_change and not _CHANGED.search(reading.text):
            yield "is a change and no amount of a period"
        elif is_open and not is_change and any(
            one.year for one in reporting_periods(reading.quoted.tables[cell.table].heads)
        ):
            yield "is in a column whose period cannot be told"
        return
    asked = reporting_periods(reading.asked)
    if said is None and len({one.parts for one in asked}) == 1:
        said = asked[0]
    periods = [other.period for other in others if other.period is not None and other.period.parts != own.parts]
    if said is None:
        if periods:
            yield "has no period in the sentence"
        return
    if not said.fits(own):
        is_before = not reading.periods or _CHANGED.search(reading.text) is not None
        if not (is_before and said.year and reading.quoted.holds_on(cell, said.year)):
            yield "is of another period"
        return
    if said.months or said.quarter or said.month:
        return
    if own.months not in (0, 12) and not any(one.months or one.quarter for one in asked):
        yield "is not of a whole year"


def _is_change(cell: TableCell) -> bool:
    return bool(cell.column) and re.search(
        r"\b(?:change|versus|vs|variance|increase|decrease|growth|difference)\b", cell.column, re.IGNORECASE
    ) is not None


def _other_column(number: int, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    """Yield a problem if a sentence names another column of words, or none where several could be meant."""
    own = _label_stems(cell.column)
    others = [
        other for other in reading.quoted.tables[cell.table].cells
        if other.line == cell.line and other.value != cell.value and (other.unit == "%") == (cell.unit == "%")
    ]  # fmt: skip
    labels = [label for other in others if (label := _label_stems(other.column)) and label != own]
    if not labels:
        return
    said = reading.words_of(number, reading.columns)
    if any(_is_better(label - own, own - label, said) for label in labels):
        yield "is not of the column that the sentence names"
    elif own and not own & (said | stems(reading.asked)) and not own & _WHOLE and currency_of(cell.unit):
        yield "has no column in the sentence"


_WHOLE = frozenset(stem(word) for word in ("total", "amount", "value", "sum", "balance", "price", "consolidated"))


def _other_sign(one: Quantity, cell: TableCell, reading: _Sentence) -> Iterator[str]:
    is_minus = _has_minus(one, reading.text)
    is_negative = _NEGATIVE.search(_without_either(reading.text)) is not None
    if cell.number < 0 and not (is_minus or is_negative or _is_change(cell)):
        label = f"{cell.row} {' '.join(cell.headings)}"
        if _EITHER.search(cell.row) or not _OUTFLOW.search(label):
            yield "is below zero in its cell"
    elif cell.number > 0 and (is_minus or (is_negative and not _NEGATIVE.search(_without_either(cell.row)))):
        yield "is above zero in its cell"


def _has_minus(one: Quantity, text: str) -> bool:
    """Whether an amount is written below zero: `-5`, `(5)`."""
    before, after = text[: one.start], text[one.end : one.end + 1]
    is_in_brackets = before.endswith("(") and after == ")" and not re.search(r"[^\d.,]", text[one.start : one.end])
    return one.number < 0 or is_in_brackets or re.search(r"(?<![\w)])[-−–]$", before) is not None


def _without_either(label: str) -> str:
    return re.sub(r"\([^)]*\)", " ", label)
