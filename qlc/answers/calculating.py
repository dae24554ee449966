"""Computes what a language model says it calculated: from numbers of quotes, by an expression that is checked.

`(9583 / 8101 - 1) * 100` -> 18.29...; every operand stands in a quote or in the question, or is a constant of units at
a place where one belongs: `* 100`, `365 *`, `/ 1000`, `- 1` beside a ratio, `** (1 / 3)` for three years.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from qlc.language.quantities import Quantity, Style, quantities
from qlc.language.reporting_periods import reporting_periods
from qlc.language.units import convert

from .grounding import MISSING, NO_CELLS, amounts_in, counted, is_result, open_amounts
from .placing import QuotedCells, reading_of

ALLOWED = "it may have numbers, ISO dates, + - * / ** ( ) and sum, avg, min, max, count, abs"
_OF_TIMES = {
    ("month", "year"): 12, ("quarter", "year"): 4, ("week", "year"): 52, ("day", "year"): 365, ("day", "week"): 7,
    ("month", "quarter"): 3, ("hour", "day"): 24, ("minute", "hour"): 60, ("second", "minute"): 60,
}  # fmt: skip
"""How many of a time are in another: a rent for a month is calculated for a year."""
_TIMES = {one: one for pair in _OF_TIMES for one in pair} | {
    "year": r"year|annual|annum|\bp\.a\.", "day": "day|daily", "minute": r"minute|\b\d+:\d\d\b",
}  # fmt: skip
"""The words of a text that name a time."""
_DAYS = (Decimal(365), Decimal(360))
"""Days of a year, in ratios that are told in days."""
_SCALES = frozenset(Decimal(10) ** power for power in (3, 6, 9))
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_FUNCTIONS: dict[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "sum": lambda all: sum(all, Decimal(0)), "avg": lambda all: sum(all, Decimal(0)) / len(all),
    "min": min, "max": max, "count": lambda all: Decimal(len(all)), "abs": lambda all: abs(all[0]),
}  # fmt: skip
_MOST_POWER = 100


def calculated(
    expression: str, quotes: Sequence[str], text: str = "", question: str = "", cells: QuotedCells = NO_CELLS
) -> Decimal:
    """Compute an expression of numbers and dates that stand in quotes; the difference of two dates is in days.

    A number of a table counts with the scale of its cell. An amount may be in another unit that the quotes or the
    `text` have, or be multiplied by the factor between two units. Raises ValueError with a message for the author of
    the expression, if it cannot be computed.
    """
    for found in _DATE.finditer(expression):
        if [*open_amounts(found[0], "\n".join(quotes), styles=cells.styles)]:
            raise ValueError(MISSING.format(found[0]))
    dates = _DATE.sub(lambda found: f"({date.fromisoformat(found[0]).toordinal()})", expression)
    days = {Decimal(date.fromisoformat(found[0]).toordinal()) for found in _DATE.finditer(expression)}
    try:
        tree = ast.parse(dates.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as problem:
        raise ValueError("it cannot be computed") from problem
    known = _Known.of(quotes, text, question, cells)
    numbers = [*_checked(tree, known, days)]
    _check_periods(numbers, text, question, cells)
    try:
        results = [_value(tree, known.scaled), _value(tree, known.without_scales)]
    except (ArithmeticError, RecursionError, OverflowError) as problem:
        raise ValueError("it cannot be computed") from problem
    amounts = quantities(text, Style())
    result = next((one for one in results if any(is_result(each, one, text) for each in amounts)), results[0])
    for unit in {one.unit for one in amounts if one.unit and is_result(one, result, text)}:
        _check_units(numbers, known.amounts, unit)
    return result


@dataclass(frozen=True, slots=True)
class _Known:
    """The numbers that an expression may have. `cells` are those of tables, each with its scale."""

    amounts: tuple[Quantity, ...]
    numbers: frozenset[Decimal]
    cells: dict[Decimal, int]
    factors: frozenset[Decimal]
    powers: frozenset[Decimal]
    quoted: str
    constants: set[int]
    """The nodes of the expression that are constants, by their ids."""

    @classmethod
    def of(cls, quotes: Sequence[str], text: str, question: str, cells: QuotedCells) -> _Known:
        quoted = "\n".join(quotes)
        amounts = (*amounts_in(quoted, cells.styles), *counted(question))
        units = {one.unit for one in (*amounts, *quantities(text, Style())) if one.unit}
        factors = {factor for one in units for other in units if one != other
                   and (factor := convert(Decimal(1), one, other)) is not None}  # fmt: skip
        factors |= {Decimal(100)} if "%" in units else set()
        words = f"{quoted} {text} {question}"
        times = {one for one, form in _TIMES.items() if re.search(form, words, re.IGNORECASE)}
        factors |= {Decimal(factor) for pair, factor in _OF_TIMES.items() if times.issuperset(pair)}
        factors |= {*_DAYS} if "day" in times else set()
        has_scale = any(cell.scale != 1 for cell in cells.cells) or re.search(r"thousand|[mb]illion", words, re.I)
        factors |= _SCALES if has_scale else set()
        converted = {number for one in amounts if one.unit for other in units
                     if (number := convert(one.number, one.unit, other)) is not None}  # fmt: skip
        own = {abs(cell.number): cell.scale for cell in cells.cells}
        numbers = {abs(one.number) for one in amounts} | {abs(one) for one in converted} | {*own}
        numbers |= {abs(cell.value) for cell in cells.cells}
        heads = "\n".join(one.heads for one in cells.tables)
        years = {one.year for one in reporting_periods(f"{words}\n{heads}") if one.year}
        powers = {Decimal(abs(one - other)) for one in years for other in years} | {Decimal(1)}
        powers |= {one.number for one in quantities(question, Style())}
        plain = " ".join(quoted.split()).casefold()
        return cls(amounts, frozenset(numbers), own, frozenset(factors), frozenset(powers), plain, set())

    def scaled(self, node: ast.Constant, number: Decimal) -> Decimal:
        """Return an operand in full: 9583 of a table in millions -> 9583000000."""
        return number if id(node) in self.constants else number * self.cells.get(number, 1)

    def without_scales(self, node: ast.Constant, number: Decimal) -> Decimal:
        """Return an operand in full, and 1 for a thousand or a million that it is divided by to tell it in these."""
        return Decimal(1) if id(node) in self.constants and number in _SCALES else self.scaled(node, number)


def _checked(node: ast.expr, known: _Known, days: set[Decimal], place: str = "") -> Iterator[Decimal]:
    """Yield the operands of an expression: 9583 and 8101 of `(9583 / 8101 - 1) * 100`.

    A constant is allowed as a factor, as 1 beside a ratio, in a power, and as the number of terms of a mean. Raises
    ValueError for any other number that is not in the quotes.
    """
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            number = Decimal(str(value))
            is_constant = (
                (place.startswith(("factor", "terms")) and number in known.factors) or (place == "one" and number == 1)
                or (place == "power" and number in known.powers) or place == f"terms {number}"
            )  # fmt: skip
            is_operand = place != "power" and (number in known.numbers or number in days)
            if not is_operand and not is_constant:
                raise ValueError(f"{number} is not in its quotes")
            if is_constant:
                known.constants.add(id(node))
            yield number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _checked(operand, known, days, place)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            yield from _checked(left, known, days)
            try:
                yield from _checked(right, known, days, "power")
            except ValueError:
                raise ValueError(f"a power is a number of years, or 1 divided by it; {ALLOWED}") from None
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            inner = "power" if place == "power" else "factor"
            terms = f"terms {_terms(left)}" if isinstance(op, ast.Div) and _terms(left) > 1 else inner
            yield from _checked(left, known, days, inner)
            yield from _checked(right, known, days, terms)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield from _checked(left, known, days, "one" if _is_ratio(right) else "")
            yield from _checked(right, known, days, "one" if _is_ratio(left) else "")
        case ast.Call(func=ast.Name(id="count"), args=args) if (texts := [*_texts(args)]):
            for text in texts:
                if " ".join(text.split()).casefold() not in known.quoted:
                    raise ValueError(MISSING.format(text))
            if len({*map(str.casefold, texts)}) < len(args):
                raise ValueError("it counts something twice, or numbers among texts")
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in _FUNCTIONS:
            for one in args:
                yield from _checked(one, known, days)
        case _:
            raise ValueError(ALLOWED)


def _texts(args: Sequence[ast.expr]) -> Iterator[str]:
    """Yield the quoted texts that are counted: `count("Ann Lee", "Bo Orr")`."""
    yield from (one.value for one in args if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _terms(node: ast.expr) -> int:
    """Return how many terms a sum has: 2 for `a + b`."""
    return _terms(node.left) + 1 if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else 1


def _is_ratio(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Pow)


def _value(node: ast.expr, read: Callable[[ast.Constant, Decimal], Decimal]) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return read(node, Decimal(str(number)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, read)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = _value(right, lambda _, number: number)
            if abs(power) > _MOST_POWER:
                raise OverflowError
            return Decimal(_value(left, read) ** power)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            found: Decimal = _OPERATIONS[type(op)](_value(left, read), _value(right, read))
            return found
        case ast.Call(func=ast.Name(id="count"), args=[_, *_] as args):
            return Decimal(len(args))
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name]([_value(one, read) for one in args])
    raise ValueError(ALLOWED)


def _check_periods(numbers: Sequence[Decimal], text: str, question: str, cells: QuotedCells) -> None:
    """Check that the cells are of the years that the sentence names: `grew in 2022` may use 2022 and 2021, not 2020.
    A price that a list states since an earlier year may be one that goes up now.

    Raises ValueError for a cell of another year, and for a named year without a cell.
    """
    said = [one for one in reporting_periods(text) if one.year] or [
        one for one in reporting_periods(question) if one.year
    ]
    used = {number: [cell for cell in cells.cells if number in (abs(cell.number), abs(cell.value)) and cell.period]
            for number in numbers}  # fmt: skip
    periods = [cell.period for some in used.values() for cell in some if cell.period]
    if not said or not periods:
        return
    years = {one.year for one in said} | {min(one.year for one in said) - 1 if len(said) == 1 else said[0].year}
    for some in used.values():
        if some and not any(
            (cell.period is not None and cell.period.year in years) or cells.holds_on(cell, max(years)) for cell in some
        ):
            raise ValueError(f"{some[0].text} is of another period: {reading_of(some[0])}")
    for one in said:
        told = any(cell.period is not None and one.year == cell.period.year for cell in cells.cells)
        if told and not any(one.year == period.year for period in periods):
            raise ValueError(f"it has no number of {text[one.start : one.end] or one.year}")


def _check_units(numbers: Sequence[Decimal], known: Sequence[Quantity], unit: str) -> None:
    """Raise ValueError if a calculation uses an amount in another unit than that of the result."""
    measured = [one for one in known if one.unit]
    for number in numbers:
        into = {
            other for one in measured for other in {each.unit for each in measured}
            if convert(one.number, one.unit, other) == number and convert(Decimal(1), other, unit) is not None
        }  # fmt: skip
        factors = {convert(Decimal(1), *pair) for other in into for pair in ((other, unit), (unit, other))}
        if into and unit not in into and factors.isdisjoint(numbers):
            raise ValueError(f"{number} is in {min(into)}, and the result in {unit}: convert it first")
