"""Checks that a sentence says only what its quotes say: every number, date, unit, name, and most of its words.

The check reads the texts alone. Each problem is reported in words that the author of the sentence can act on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from qlc.language.dates import MONTH, MONTH_NAMES
from qlc.language.numbers import NUMBER_IN_WORDS, NumberStyle, parse_number, parse_words
from qlc.language.quantities import Quantity, Style, currency_of, quantities, style_of
from qlc.language.stems import stem
from qlc.language.units import convert, unit_of

from .clauses import bounded, is_other_bound, turned_around
from .placing import QuotedCells, placed
from .terms import RELATIONAL, share, stems, terms

_LEAST = 0.5
"""The share of a sentence's words that its quotes, and the headings above them, must have."""
_WORD = re.compile(r"[^\W_]+(?:[-./&'’][^\W_]+)*")
_SHARES = frozenset({"half", "third", "quarter", "dozen", "twice", "double"})
"""Words that are numbers, and are not read as such."""
_STARTS = frozenset(
    """a an the this that these those it its they their there in on at for by from to of as if when
    while after before under over during with without each every all any both either neither no yes not
    one and but so then however otherwise according since because although also here such some about
    above below between among only once until within where which who what first second third next
    last finally later earlier still already now today""".split()  # noqa: SIM905
)
"""Words that often begin a sentence. Their capital letter does not make them names."""


NO_CELLS = QuotedCells()


def unfounded(
    text: str, quotes: Sequence[str], around: Sequence[str], result: Decimal | None = None, names: str = "",
    question: str = "", cells: QuotedCells = NO_CELLS,
) -> list[str]:  # fmt: skip
    """Return what a sentence states and its quotes do not, as messages; empty if all of it is founded.

    `around` are titles, file names and headings of the quotes: they may contain the sentence's words, but not its
    numbers. `result` is a number that was computed from the quotes. `names` is more text of the same documents, which
    may contain its names. The words of the `question` may differ from those of the quotes. `cells` are those of tables
    in the quotes: an amount with their digits must be said of their row and column.
    """
    quotes = [one if "\t" in one else re.sub(r"(?<!\n)\n(?!\n)", " ", one) for one in quotes]  # lines of a sentence
    quoted = "\n".join(quotes)
    context = "\n".join((quoted, *cells.rest, *around, *(one.replace("_", " ").replace("/", " ") for one in around)))
    shown = f"{context}\n{names}"
    told = [one for one in counted(text) if result is None or not is_result(one, result, text)]
    in_cells = placed(text, told, cells, question)
    beside = "\n".join(cells.rest) if cells.cells else quoted  # an amount of a cell counts at its place only

    def is_measure_of_a_cell(one: Quantity) -> bool:
        return one.kind == "measure" and not [*open_amounts(text[one.start : one.end], quoted, shown)]

    open_ones = [
        one for one in open_amounts(text, beside, shown, result, cells.styles)
        if not in_cells.has(one.start) and not is_measure_of_a_cell(one)
    ]  # fmt: skip
    wrong = [
        MISSING.format(text[one.start : one.end]) for one in open_ones if not _is_compared(one, text, quoted, question)
    ]
    wrong += [*in_cells.problems, *_words(text, quoted, shown, question, in_cells.spans)]
    has_anchor = bool(in_cells.placed) or _has_anchor(text, quoted, question, result)
    is_translated = cells.is_foreign and has_anchor
    if not is_translated and not _speaks_of(text, context, shown, question, has_anchor=has_anchor):
        wrong.append("its quotes say something else")
    return [*dict.fromkeys([*wrong, *_other_bounds(text, quoted), *turned_around(text, quotes)])]


MISSING = "'{}' is not in its quotes"


def _has_anchor(text: str, quoted: str, question: str, result: Decimal | None) -> bool:
    """Whether an amount or a name of the quotes stands in a sentence that the question does not have: its answer."""
    if result is not None or len([*open_amounts(text, quoted)]) < len(counted(text)):
        return True
    said, known = (
        {one[0].casefold() for one in _WORD.finditer(each) if one[0][0].isupper()} for each in (text, quoted)
    )
    return bool(said & known - _forms(question))


def _speaks_of(text: str, context: str, shown: str, question: str, *, has_anchor: bool) -> bool:
    """Whether the words of a sentence, apart from amounts and names, are in its quotes and headings.

    Words of the question do not count. If the quotes have the sentence's amounts or names (`has_anchor`), its words may
    also come from the question and the page.
    """
    taken = {at for one in quantities(text, Style()) for at in range(one.start, one.end)}
    said = [one for one in terms(text) if one.begin not in taken and not any(letter.isdigit() for letter in one.raw)]
    said = [one for one in said if unit_of(one.raw) is None and one.raw.lower() not in RELATIONAL]
    said = [one for one in said if not (one.raw[0].isupper() and one.begin)]
    words, asked = [one.stem for one in said], stems(question)
    if has_anchor:
        return not words or share(words, stems(shown) | asked) >= _LEAST
    words = [one for one in words if one not in asked]
    return not words or share(words, stems(context)) >= _LEAST


def _other_bounds(text: str, quoted: str) -> Iterator[str]:
    """Yield a problem for each amount that is a bound in a sentence, and another bound or none in its quotes."""
    known = _known(quoted)
    for one in [*counted(text), *_in_parts(text)]:
        same = [other for other in known if _same(one, other, {one.unit}) or _converts(one, other, text)]
        if is_other_bound(bounded(text, one), [bounded(quoted, other) for other in same]):
            yield f"'{text[one.start : one.end]}' is another bound in its quotes, or none"


def counted(text: str) -> list[Quantity]:
    """The amounts of a text, and its numbers in words that have no unit: `two hundred cabinets`."""
    found = quantities(text, Style())
    taken = {at for one in found for at in range(one.start, one.end)}
    for said in _IN_WORDS.finditer(text):
        for one in parse_words(said[0]):
            start, end = said.start() + one.start, said.start() + one.end
            if start not in taken and not one.is_ordinal and one.value != 1:  # `one` is an article as well
                found.append(Quantity("number", start, end, Decimal(one.value)))
    return found


_IN_WORDS = re.compile(rf"\b(?:{NUMBER_IN_WORDS})\b", re.IGNORECASE)


def _is_compared(one: Quantity, text: str, quoted: str, question: str) -> bool:
    """Whether an amount of the question is one that an amount of quotes is compared with, and rightly so: `30 days,
    which is under 60 days`."""
    side = bounded(text, one).side
    asked = [other for other in quantities(question, Style()) if _same(one, other, frozenset())]
    said = [
        other
        for other in quantities(text, Style())
        if other is not one and not [*open_amounts(text[other.start : other.end], quoted)]
    ]
    if not side or not asked:
        return False
    return any(_is_beyond(other, one, side) for other in said)


def _is_beyond(one: Quantity, other: Quantity, side: int) -> bool:
    if one.date and other.date:
        return (one.date >= other.date) if side > 0 else (one.date <= other.date)
    number = one.number if one.unit == other.unit else convert(one.number, one.unit, other.unit)
    if one.kind == "date" or other.kind == "date" or number is None:
        return False
    return number >= other.number if side > 0 else number <= other.number


def foreign(text: str, quoted: str, context: str) -> list[str]:
    """Return a problem for each number, date, unit and name of a text that the quoted text lacks."""
    open_ones = [MISSING.format(text[one.start : one.end]) for one in open_amounts(text, quoted, context)]
    return [*open_ones, *_words(text, quoted, context)]


def _known(quoted: str, styles: Set[Style] = frozenset()) -> list[Quantity]:
    own = style_of([quoted])
    read = [one for style in {own, *(styles if not own.numbers.is_sure else ())} for one in quantities(quoted, style)]
    found = [*read, *counted(quoted), *_in_parts(quoted)]
    pounds = [replace(one, unit="GBP") for one in found if one.unit == "lb" and "pound" in quoted[one.start : one.end]]
    return [*found, *pounds]


def amounts_in(quoted: str, styles: Set[Style] = frozenset()) -> list[Quantity]:
    """Return the amounts of quotes in each possible reading. In a row of a table `8 164.00` are two numbers.

    `styles` are those of the pages, for quotes that do not show how they write numbers: `14.453 €`.
    """
    found = _known(quoted, styles)
    rows = [quoted[one.start : one.end] for one in found if one.kind == "number"]
    cells = [cell for row in rows for cell in row.split() if cell != row]
    return [*found, *(one for cell in cells for one in quantities(cell, style_of([cell])))]


def open_amounts(
    text: str, quoted: str, context: str = "", result: Decimal | None = None, styles: Set[Style] = frozenset()
) -> Iterator[Quantity]:
    """Yield the amounts of a text that are not in its quotes, not computed from them, and not part of a name."""
    known = amounts_in(quoted, styles)
    units = {*_units(quoted), *_only(_units(context))}

    def is_known(one: Quantity) -> bool:
        is_computed = result is not None and is_result(one, result, text)
        is_said = any(_same(one, other, units) or _converts(one, other, text) for other in known)
        if is_computed or is_said:
            return True
        if one.date is not None:
            return _has_day_and_year(one, quoted, known)
        day = _day(one, text)
        return _has_day(day, known) if day is not None else _is_of_name(one, text, context)

    whole = [one for one in _in_parts(text) if is_known(one)]
    for one in counted(text):
        if not (is_known(one) or any(other.start <= one.start < other.end for other in whole)):
            yield one


def _day(one: Quantity, text: str) -> tuple[int, int] | None:
    """Return the month and the day of a date without a year: `30 June`."""
    for found in _DAY.finditer(text):
        if found.start() <= one.start < found.end():
            return MONTH[(found[2] or found[3]).lower()], int(found[1] or found[4])
    return None


def _has_day(day: tuple[int, int], known: Sequence[Quantity]) -> bool:
    return any(other.date is not None and (other.date.month, other.date.day) == day for other in known)


def _has_day_and_year(one: Quantity, quoted: str, known: Sequence[Quantity]) -> bool:
    """Whether quotes have a day without its year, and the year: `from 6 August to 14 October 2025`."""
    if one.date is None or one.date.year not in {other.date.year for other in known if other.date is not None}:
        return False
    days = {(MONTH[(found[2] or found[3]).lower()], int(found[1] or found[4])) for found in _DAY.finditer(quoted)}
    return (one.date.month, one.date.day) in days


_DAY = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTH_NAMES})\b|\b({MONTH_NAMES}) (\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_PARTS = ("d", "h", "min", "s")


def _in_parts(text: str) -> Iterator[Quantity]:
    """Yield the durations of a text that have several units: `2 h 30 min`."""
    for one, other in pairwise(quantities(text, Style())):
        if one.unit in _PARTS and other.unit in _PARTS[_PARTS.index(one.unit) + 1 :]:
            number = convert(one.number, one.unit, other.unit)
            if number is not None and re.fullmatch(" ?(?:and )?", text[one.end : other.start]):
                yield replace(other, start=one.start, number=number + other.number)


def _units(text: str) -> list[str]:
    """The units and currencies of a text, also those that stand apart: `Width (mm)`, `Hours: 41`, `Total EUR`."""
    words = [one[0] for one in re.finditer(r"[^\W\d_]+[²³]?|°[CF]|[%Ω€£$]", text)]
    return [unit for one in words if (unit := currency_of(one) or unit_of(one))]


def _only(units: Sequence[str]) -> Iterator[str]:
    """Yield units that have no other unit of their kind in the text. An amount without a unit is taken to be in such a
    one."""
    yield from (one for one in set(units) if not any(other != one and _is_alike(one, other) for other in units))


def _is_alike(one: str, other: str) -> bool:
    are_money = bool(re.fullmatch("[A-Z]{3}", one)) and bool(re.fullmatch("[A-Z]{3}", other))
    return are_money or convert(Decimal(1), one, other) is not None


def _is_of_name(one: Quantity, text: str, context: str) -> bool:
    """Whether an amount is part of a name, together with the word before it: `ISO 9001`, `Invoice 4711`, `acid 96
    %`."""
    plain = " ".join(context.split())
    if text[one.start].isupper() and re.search(rf"\b{re.escape(text[one.start : one.end])}\b", context):
        return True  # `Seven Oaks`
    for words in (1, 2):
        before = re.search(rf"(?:[\w&][\w.&'’-]*\W{{1,2}}){{{words}}}$", text[: one.start])
        if before is not None and terms(before[0]):
            phrase = " ".join(text[before.start() : one.end].split())
            if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plain, re.IGNORECASE):
                return True
    return False


def conversions(text: str, quotes: Sequence[str]) -> list[str]:
    """Return the amounts of quotes, as written, that a text has only in another unit."""
    quoted = "\n".join(quotes)
    said, known = ([*quantities(one, Style()), *_in_parts(one)] for one in (text, quoted))
    units = {*_units(quoted)}
    open_ones = [one for one in said if not any(_same(one, other, units) for other in known)]
    found = [other for one in open_ones for other in known if _converts(one, other, text)]
    shown = [other for other in found if not any(_same(other, one, frozenset()) for one in said)]
    return list(dict.fromkeys(quoted[one.start : one.end] for one in shown))


def is_result(one: Quantity, result: Decimal, text: str) -> bool:
    """Whether an amount is a computed number, as exact as it is written; a share can be told in percent."""
    if one.kind == "date":
        return False
    exact = _exactness(one, text) * _own_scale(one, text)
    results = (result, result * 100) if one.unit == "%" else (result,)
    return any(abs(abs(each) - abs(one.number)) <= exact for each in results)


def _own_scale(one: Quantity, text: str) -> Decimal:
    """Return the factor of an amount's own scale: a million for `2.3 million`."""
    digits = re.search(r"\d(?:[\d.,]*\d)?", text[one.start : one.end])
    base = parse_number(digits[0], NumberStyle(), True) if digits else None
    factor = abs(one.number) / base if base else Decimal(1)
    return factor if factor in _SCALES else Decimal(1)


_SCALES = frozenset(Decimal(10) ** power for power in (3, 6, 9, 12))


def _exactness(one: Quantity, text: str) -> Decimal:
    digits = re.search(r"[.](\d+)", text[one.start : one.end])
    return Decimal(1).scaleb(-len(digits[1]) if digits else 0) / 2


def _same(one: Quantity, other: Quantity, units: Set[str]) -> bool:
    """Whether an amount equals one of a quote. A number has the unit that its quote states elsewhere: `Hours: 41`."""
    if one.kind == "date" or other.kind == "date":
        is_year = one.kind == "number" and other.date is not None and one.number == other.date.year
        return is_year or (one.date is not None and one.date == other.date)
    has_unit = one.unit == other.unit or not one.unit or (not other.unit and one.unit in units)
    return one.number == other.number and has_unit


def _converts(one: Quantity, other: Quantity, text: str) -> bool:
    """Whether one amount is the other in another unit, as exact as it is written."""
    if one.kind != "measure" or other.kind != "measure" or one.unit == other.unit:
        return False
    exact = convert(other.number, other.unit, one.unit)
    if exact is None:
        return False
    return abs(exact - one.number) <= _exactness(one, text)


def _words(
    text: str, quoted: str, context: str, question: str = "", known_spans: Sequence[tuple[int, int]] = ()
) -> Iterator[str]:
    """Yield a problem for each number word, code and name that is not in the quotes or their context."""
    taken = {at for one in counted(text) for at in range(one.start, one.end)}
    taken |= {at for begin, end in known_spans for at in range(begin, end)}
    known, numbers = _forms(context) | _months(quoted), _values(quoted)
    for found in _WORD.finditer(text):
        word = found[0]
        low = re.sub(r"['’]s?$", "", word).casefold()
        if found.start() in taken:
            continue
        if low in _SHARES:
            is_of_name = word[0].isupper() and re.search(rf"\b{re.escape(word)}\b", context) is not None
            if not is_of_name and low.replace("double", "twice") not in numbers:
                yield f"the number '{word}' is not in its quotes"
        elif any(one.isdigit() for one in word):
            among = known if any(one.isalpha() for one in word) or not low.replace(".", "").isdigit() else numbers
            if low not in among:
                yield f"'{word}' is not in its quotes"
        elif word[0].isupper() and low.split("-")[0] not in known and stem(low) not in known and low not in known:
            begins = re.search(r"(?:^|[.:;!?(\-–—])[\s\"'“(]*$", text[: found.start()]) is not None
            if not (begins and (low in _STARTS or re.search(rf"\b{re.escape(low)}\b", question))):
                yield f"the name '{word}' is not in its quotes"


def _forms(text: str) -> frozenset[str]:
    plain = (re.sub(r"['’]s?$", "", one[0]).casefold() for one in _WORD.finditer(text))
    return frozenset(form for one in plain for form in (one, stem(one), *re.split(r"[-./&]", one)))


def _months(text: str) -> frozenset[str]:
    """The names of the months that dates of a text are in: `january` for `2026-01-05`."""
    months = {one.date.month for one in _known(text) if one.date is not None}
    return frozenset(name.lower() for name, number in MONTH.items() if number in months)


def _values(text: str) -> frozenset[str]:
    """The words of a text, and its numbers as they are written, and without zeros."""
    plain = (re.sub(r"['’]s?$", "", one[0]).casefold() for one in _WORD.finditer(text))
    words = {one.replace("double", "twice") for one in plain}
    return frozenset(words | {f"{one.number.normalize():f}" for one in quantities(text, Style()) if one.kind != "date"})
