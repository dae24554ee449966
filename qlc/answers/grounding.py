"""Whether a sentence says only what its quotes say: every number, date, unit, name, and most of its words.

It is decided by the texts alone. What cannot be found is a finding, in words
that whoever wrote the sentence can act on.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Sequence, Set
from datetime import date
from decimal import Decimal

from qlc.corpus.pages import Span
from qlc.corpus.sentences import sentences
from qlc.corpus.values.quantities import Amount, Style, amounts, style_of
from qlc.corpus.values.units import convert, unit_of

from .terms import share, stem, stems, terms

_LEAST = 0.5
"""The share of a sentence's words that its quotes, and the headings above them, must have."""
_WORD = re.compile(r"[^\W_]+(?:[-./&'’][^\W_]+)*")
_NUMBERS: dict[str, str] = {
    **{word: str(at) for at, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )},
    "both": "2", "double": "twice",
}  # fmt: skip
_OTHERS = frozenset(
    re.findall(
        r"\S+",
        """half twice third quarter thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty
        fifty sixty seventy eighty ninety hundred thousand million billion dozen""",
    )
)
_STARTS = frozenset(
    re.findall(
        r"\S+",
        """a an the this that these those it its they their there in on at for by from to of as if when
        while after before under over during with without each every all any both either neither no yes not
        one and but so then however otherwise according since because although also here such some about
        above below between among only once until within where which who what first second third next
        last finally later earlier still already now today""",
    )
)
"""Words that begin a sentence and are no names."""
_OPPOSITE = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|unless|except|excluding)\b|n['’]t\b", re.I
)
_BOUND = re.compile(
    r"^(?:no|yes)\b|\b(?:not|no|never|neither|cannot)\b(?:\W+\w+){0,5}?\W+(?:(?:less|more|fewer|later|earlier|longer|shorter"
    r"|greater|higher|lower|sooner|larger|smaller)\b|exceed\w*)"
    r"|\bwithout (?:\w+ )?(?:an? )?(?:reason|cause|charge|deduction|delay)s?\b",
    re.IGNORECASE,
)
"""What has the form of a negation and is a bound: `not less than two months`, `neither owes more than`."""


def unfounded(
    text: str, quotes: Sequence[str], around: Sequence[str], result: Decimal | None = None, names: str = "",
    question: str = "",
) -> list[str]:  # fmt: skip
    """What a sentence says that its quotes do not. `around` are the titles, file names and headings of the quotes:
    words may stand there, numbers may not. `result` was computed from numbers of the quotes. `names` is more of the
    same documents, where names may stand. The words of the `question` may be other ones than those of the quotes."""
    quoted = "\n".join(quotes)
    context = "\n".join((quoted, *(one.replace("_", " ").replace("/", " ") for one in around)))
    wrong = [*_amounts(text, quoted, result), *_words(text, quoted, f"{context}\n{names}")]
    said = [one.stem for one in terms(text) if not any(letter.isdigit() for letter in one.raw)]
    said = [one for one in said if one not in stems(question)]
    if said and share(said, stems(context)) < _LEAST:
        wrong.append("its quotes say something else")
    said_so = [_is_negated(one[begin:end]) for one in quotes for begin, end in sentences(one, Span(0, len(one)))]
    if not (any(said_so) if _is_negated(text) else not all(said_so)):
        wrong.append("one of sentence and quotes is negated, and the other is not")
    return wrong


def _is_negated(text: str) -> bool:
    return _OPPOSITE.search(_BOUND.sub(" ", text)) is not None


def foreign(text: str, quoted: str, context: str) -> list[str]:
    """The numbers, dates, units and names of a text that stand nowhere in another."""
    return [*_amounts(text, quoted), *_words(text, quoted, context)]


def calculated(expression: str, quotes: Sequence[str]) -> Decimal:
    """The result of a calculation of numbers and dates, all of which stand in quotes; of two dates their days apart.

    Raises ValueError for what is none, in words that whoever wrote it can act on.
    """
    quoted = "\n".join(quotes)
    dates = _DATE.sub(lambda found: f"({date.fromisoformat(found[0]).toordinal()})", expression)
    for found in _DATE.finditer(expression):
        if problems := [*_amounts(found[0], quoted, None)]:
            raise ValueError(problems[0])
    for number in _NUMBER.findall(_DATE.sub(" ", expression)):
        if Decimal(number) not in {one.number for one in _numbers(quoted)}:
            raise ValueError(f"{number} is not in its quotes")
    try:
        return _value(ast.parse(dates, mode="eval").body)
    except (SyntaxError, ArithmeticError, RecursionError) as problem:
        raise ValueError("it cannot be computed") from problem


_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"\d+(?:[.]\d+)?")
_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_FUNCTIONS: dict[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "sum": lambda all: sum(all, Decimal(0)), "avg": lambda all: sum(all, Decimal(0)) / len(all),
    "min": min, "max": max, "count": lambda all: Decimal(len(all)),
}  # fmt: skip


def _value(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Decimal(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            found: Decimal = _OPERATIONS[type(op)](_value(left), _value(right))
            return found
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name]([_value(one) for one in args])
    raise ValueError("it may have numbers, ISO dates, + - * / ( ) and sum, avg, min, max, count")


def _numbers(quoted: str) -> list[Amount]:
    return [*amounts(quoted, style_of([quoted])), *amounts(quoted, Style())]


def _amounts(text: str, quoted: str, result: Decimal | None = None) -> Iterator[str]:
    known = _numbers(quoted)
    units = {unit_of(one[0]) for one in _WORD.finditer(quoted)}
    for one in amounts(text, Style()):
        is_result = result is not None and _is_result(one, result, text)
        is_said = any(_same(one, other, units) or _converts(one, other, text) for other in known)
        if not (is_result or is_said):
            yield f"'{text[one.begin : one.end]}' is not in its quotes"


def conversions(text: str, quotes: Sequence[str]) -> list[str]:
    """The amounts of quotes, as they are written, that a text has only in another unit."""
    quoted = "\n".join(quotes)
    said, known = amounts(text, Style()), amounts(quoted, Style())
    units = {unit_of(one[0]) for one in _WORD.finditer(quoted)}
    open_ones = [one for one in said if not any(_same(one, other, units) for other in known)]
    found = [other for one in open_ones for other in known if _converts(one, other, text)]
    shown = [other for other in found if not any(_same(other, one, frozenset()) for one in said)]
    return list(dict.fromkeys(quoted[one.begin : one.end] for one in shown))


def _is_result(one: Amount, result: Decimal, text: str) -> bool:
    """Whether an amount is a computed number, as exact as it is written."""
    return one.kind != "date" and abs(abs(result) - one.number) <= _exactness(one, text)


def _exactness(one: Amount, text: str) -> Decimal:
    digits = re.search(r"[.](\d+)", text[one.begin : one.end])
    return Decimal(1).scaleb(-len(digits[1]) if digits else 0) / 2


def _same(one: Amount, other: Amount, units: Set[str | None]) -> bool:
    """Whether an amount is one of a quote. A number there has a unit where the quote says it apart: `Hours: 41`."""
    if one.kind == "date" or other.kind == "date":
        is_year = one.kind == "number" and other.date is not None and one.number == other.date.year
        return is_year or (one.date is not None and one.date == other.date)
    has_unit = one.unit == other.unit or not one.unit or (not other.unit and one.unit in units)
    return one.number == other.number and has_unit


def _converts(one: Amount, other: Amount, text: str) -> bool:
    """Whether one amount is the other in another unit, as exact as it is written."""
    if one.kind != "measure" or other.kind != "measure" or one.unit == other.unit:
        return False
    exact = convert(other.number, other.unit, one.unit)
    if exact is None:
        return False
    return abs(exact - one.number) <= _exactness(one, text)


def _words(text: str, quoted: str, context: str) -> Iterator[str]:
    """Numbers in words, codes and names that stand nowhere."""
    taken = {at for one in amounts(text, Style()) for at in range(one.begin, one.end)}
    known, numbers = _forms(context), _values(quoted)
    for found in _WORD.finditer(text):
        word = found[0]
        low = re.sub(r"['’]s?$", "", word).casefold()
        if found.start() in taken:
            continue
        if low in _NUMBERS or low in _OTHERS:
            if low != "one" and not {low, _NUMBERS.get(low, low)} & numbers:
                yield f"the number '{word}' is not in its quotes"
        elif any(one.isdigit() for one in word):
            among = known if any(one.isalpha() for one in word) else numbers
            if low not in among:
                yield f"'{word}' is not in its quotes"
        elif word[0].isupper() and low.split("-")[0] not in known and stem(low) not in known and low not in known:
            begins = found.start() == 0 or text[: found.start()].rstrip().endswith((".", ":", "!", "?"))
            if not (begins and low in _STARTS):
                yield f"the name '{word}' is not in its quotes"


def _forms(text: str) -> frozenset[str]:
    plain = (re.sub(r"['’]s?$", "", one[0]).casefold() for one in _WORD.finditer(text))
    return frozenset(form for one in plain for form in (one, stem(one), *re.split(r"[-./&]", one)))


def _values(text: str) -> frozenset[str]:
    """The numbers of a text, as they are written, and as numbers where they stand in words."""
    words = {one[0].casefold() for one in _WORD.finditer(text)}
    exact = {f"{one.number.normalize():f}" for one in amounts(text, Style()) if one.kind != "date"}
    return frozenset({*words, *exact, *(_NUMBERS[one] for one in words if one in _NUMBERS)})
