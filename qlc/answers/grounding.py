"""Whether a sentence says only what its quotes say: every number, date, unit, name, and most of its words.

It is decided by the texts alone. What cannot be found is a finding, in words
that whoever wrote the sentence can act on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from qlc.corpus.values.quantities import Amount, Style, amounts, style_of
from qlc.corpus.values.units import convert

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
        above below between among only once until within where which who what""",
    )
)
"""Words that begin a sentence and are no names."""
_OPPOSITE = re.compile(r"\b(?:not|no|never|none|neither|nor|without|cannot|unless|except|excluding)\b|n['’]t\b", re.I)


def unfounded(text: str, quotes: Sequence[str], around: Sequence[str]) -> list[str]:
    """What a sentence says that its quotes do not. `around` are the titles, file names and headings of the quotes:
    names may stand there, numbers may not."""
    quoted = "\n".join(quotes)
    context = "\n".join((quoted, *(one.replace("_", " ").replace("/", " ") for one in around)))
    wrong = foreign(text, quoted, context)
    said = [one.stem for one in terms(text) if not any(letter.isdigit() for letter in one.raw)]
    if said and share(said, stems(context)) < _LEAST:
        wrong.append("its quotes say something else")
    if bool(_OPPOSITE.search(text)) != bool(_OPPOSITE.search(quoted)):
        wrong.append("one of sentence and quotes is negated, and the other is not")
    return wrong


def foreign(text: str, quoted: str, context: str) -> list[str]:
    """The numbers, dates, units and names of a text that stand nowhere in another."""
    return [*_amounts(text, quoted), *_words(text, quoted, context)]


def _amounts(text: str, quoted: str) -> Iterator[str]:
    known = [*amounts(quoted, style_of([quoted])), *amounts(quoted, Style())]
    said = amounts(text, Style())
    direct = [one for one in said if any(_same(one, other) for other in known)]
    for one in said:
        if one not in direct and not any(_converts(one, other, text) for other in direct):
            yield f"'{text[one.begin : one.end]}' is not in its quotes"


def _same(one: Amount, other: Amount) -> bool:
    if one.kind == "date" or other.kind == "date":
        is_year = one.kind == "number" and other.date is not None and one.number == other.date.year
        return is_year or (one.date is not None and one.date == other.date)
    return one.number == other.number and (one.unit == other.unit or not one.unit)


def _converts(one: Amount, other: Amount, text: str) -> bool:
    """Whether one amount is the other in another unit, as exact as it is written."""
    if one.kind != "measure" or other.kind != "measure" or one.unit == other.unit:
        return False
    exact = convert(other.number, other.unit, one.unit)
    if exact is None:
        return False
    digits = re.search(r"[.](\d+)", text[one.begin : one.end])
    places = len(digits[1]) if digits else 0
    return abs(exact - one.number) <= Decimal(1).scaleb(-places) / 2


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
