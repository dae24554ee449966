"""Read numbers: `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `12,34,567.00`, `twenty-one`, `two dozen`.

A comma or a point between groups of three digits can part thousands or begin the decimals. The rest of the document
decides which (`NumberStyle`); where it does not, the number is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from .alternatives import one_of

# --- digits ----------------------------------------------------------------------------------------------------------

_SPACES = "\u00a0\u2009\u202f "
_SIGN = r"(?:(?<![\w.,)])[-\u2212+\u2013±](?=\d))?"
_GROUPED = rf"\d{{1,3}}(?:[.,'’{_SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?"
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
NUMBER = rf"{_SIGN}(?:{_INDIAN}|{_GROUPED}|{_PLAIN})(?![.,'’]?\d)"
"""A whole number in digits, as a regular expression without groups; no part of `1.234.56`."""


NOTE_MARKS = re.compile(r"(?<=[\d%)])\s?(?:(?:\[(?:\d{1,2}|[a-z])\])+|(?:[*†‡]|\((?:\d|[a-z])\))+$)")
"""Marks of footnotes behind a number: `[a]` of `31450[a] EUR`; `*` and `(1)` at the end of a cell."""


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a document writes numbers."""

    decimal_comma: bool = False
    is_sure: bool = True
    """Whether its numbers show which mark begins the decimals, so that `1.234` can be read."""
    groups: str = ""
    """The mark between thousands in the language of a document whose numbers show nothing."""


_STRONG = {
    True: re.compile(r"\d\.\d{3},\d|\d\.\d{3}\.\d{3}(?![\d.])|\d,[-–—]{1,2}(?!\d)"),
    False: re.compile(r"\d,\d{3}\.\d|\d,\d{3},\d{3}|\d,\d\d,\d{3}(?!\d)|\d['’]\d{3}(?!\d)|\d\.[-–—]{1,2}(?!\d)"),
}
_WEAK = {
    True: re.compile(r"(?<![\d.,])\d+,\d{1,2}(?![.,]?\d)"),
    False: re.compile(r"(?<![\d.,])\d+\.\d{1,2}(?![.,]?\d)"),
}
_DOTTED_DATE = r"\b\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"
_NO_NUMBERS = re.compile(rf"{_DOTTED_DATE}|(?m:^)\s*\d+\.\d+(?=\.?\s+[^\W\d_])")  # and numbers of sections
_COMMON = {
    ",": frozenset("the of and to is by for with shall this from are be or any not which will".split()),  # noqa: SIM905
    ".": frozenset("der die das und ist nicht mit auf für von den dem wird bei nach zu le les et des est du une dans"  # noqa: SIM905
                   " pour par il della di che per sono het een van zijn voor niet do dos uma não com são".split()),
}  # fmt: skip
"""Words of languages that part thousands by a comma, or by a point. Spanish is neither: Mexico writes a comma."""


def is_of_other_language(text: str) -> bool:
    """Whether a text has more of the common words of other languages than of English."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    english, other = (sum(word in _COMMON[mark] for word in words) for mark in ",.")
    return other > 2 * english
_FEW = 5
"""Fewer of these words tell no language."""


def number_style(texts: Iterable[str]) -> NumberStyle:
    """Return the style of a document, decided by the numbers that fit one style only.

    One of them must prevail clearly. Else the language tells how thousands are parted, except in Switzerland; nothing
    tells that `1.234` has decimals.
    """
    held = list(texts)
    numbers = [_NO_NUMBERS.sub(" ", text) for text in held]
    comma, point = (
        sum(4 * len(_STRONG[is_comma].findall(text)) + len(_WEAK[is_comma].findall(text)) for text in numbers)
        for is_comma in (True, False)
    )
    if max(comma, point) > 2 * min(comma, point):
        return NumberStyle(comma > point)
    if any("CHF" in text for text in held):
        return NumberStyle(is_sure=False)
    words = re.findall(r"[^\W\d_]+", " ".join(held)[:20_000].lower())
    counts = {mark: sum(word in common for word in words) for mark, common in _COMMON.items()}
    most = max(counts, key=lambda mark: counts[mark])
    is_told = counts[most] >= max(_FEW, 3 * min(counts.values()))
    return NumberStyle(is_sure=False, groups=most if is_told else "")


@lru_cache(maxsize=16_384)
def values_of(text: str) -> tuple[Decimal, ...]:
    """Return the values that digits can have: `1.234` -> 1.234 and 1234; none for `1.23.456`."""
    sign = "-" if text[0] in "-\u2212\u2013" else ""
    digits = re.sub(rf"[{_SPACES}]", " ", text.lstrip("-\u2212\u2013+±")).replace("’", "'")
    if digits.isdecimal():
        return (Decimal(sign + digits),)
    *others, last = re.findall(r"\D", digits)
    found = []
    whole, _, decimals = digits.rpartition(last)
    if last in ".," and last not in others and len({*others}) < 2 and _is_grouped(whole, "".join(others[:1])):
        found.append(Decimal(sign + re.sub(r"\D", "", whole) + "." + decimals))
    if {last} == {last, *others} and _is_grouped(digits, last):
        found.append(Decimal(sign + digits.replace(last, "")))
    return tuple(found)


def _is_grouped(digits: str, mark: str) -> bool:
    """Whether digits are parted into thousands by a mark, or into lakhs and crores by commas."""
    if not mark:
        return digits.isdecimal()
    first, *middle, last = digits.split(mark)
    sizes = {len(each) for each in middle}
    is_first = 0 < len(first) <= 3 and first[0] != "0" and len(last) == 3
    return is_first and (sizes <= {3} or (mark == "," and sizes == {2} and len(first) < 3))


def parse_number(text: str, style: NumberStyle, of_money: bool = False) -> Decimal | None:
    """Return the value of a text that matches NUMBER: `1.234,5` -> 1234.5; None where nothing decides which.

    An amount of money has three decimals so seldom that a comma before three digits parts its thousands.
    """
    found = values_of(text)
    if len(found) < 2:
        return found[0] if found else None
    mark = "," if "," in text else "."
    decimal, whole = found
    if style.is_sure:
        return whole if (mark == ",") != style.decimal_comma else decimal
    is_parted = style.groups == mark or (of_money and mark == "," and not style.groups)
    return whole if is_parted else None


def readings(digits: str) -> tuple[tuple[float, float], ...]:
    """Return the values that digits can have, each with the size of its last digit: `1.234` -> 1.234 and 1234."""
    return tuple((float(one), 10.0 ** min(int(one.as_tuple().exponent), 0)) for one in values_of(digits))


# --- words -----------------------------------------------------------------------------------------------------------

_DIGITS = "one two three four five six seven eight nine".split()  # noqa: SIM905
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
CARDINALS = {word: number for number, word in enumerate(["zero", *_DIGITS, *_TEENS])}
CARDINALS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
_LARGE = {"thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_IN_WORDS = {"dozen": 12, "hundred": 100, **_LARGE}
SCALES = {"hundred": 100, **_LARGE, "k": 1000, "grand": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "bn": 10**9}
"""Words after a number that multiply it: `5k`, `1.5 million`."""
ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12} | {
    f"{word}th": number
    for word, number in {**CARDINALS, **_IN_WORDS}.items()
    if number not in (0, 1, 2, 3, 5, 8, 9) and word not in ("twelve", "dozen", *_TENS)
}
ORDINALS |= {f"{word[:-1]}ieth": CARDINALS[word] for word in _TENS}
_WORDS = {**CARDINALS, **_IN_WORDS, **ORDINALS}
_A_SCALE = rf"an?\s+(?={one_of(_IN_WORDS)}\b)"
_WORD = rf"{one_of(_WORDS)}(?![^\W\d_])"
NUMBER_IN_WORDS = rf"(?:{_A_SCALE})?{_WORD}(?:[-\s]+(?:and\s+)?{_WORD})*"
"""Words of numbers, an ordinal too; a regular expression without groups, to be used in any case. The words need not be
one number: `two and five`. See `parse_words`."""


class InWords(NamedTuple):
    """A number in words, with its place."""

    value: int
    is_ordinal: bool
    start: int
    end: int


def parse_words(text: str) -> list[InWords]:
    """Return the numbers of a text that matches NUMBER_IN_WORDS: `two and five` -> 2, 5; `one hundred and five` -> 105.

    A word joins the number before it where English puts it so: below ten after a multiple of ten, below a hundred after
    `hundred` or more, a scale after something smaller. Only after `hundred` or more there can be an `and`.
    """
    found: list[InWords] = []
    total = current = last = 0
    start, end, has_and = -1, 0, False
    for one in re.finditer(r"[a-z]+", text.lower()):
        word = one[0]
        if word in ("and", "a", "an"):
            has_and = has_and or word == "and"
            start = one.start() if start < 0 and word != "and" else start
            continue
        value, is_scale = _WORDS[word], word in _IN_WORDS or word.removesuffix("th") in _IN_WORDS
        if is_scale:
            joins = 0 < current < value and not has_and and (total == 0 or total > value)
        else:
            joins = last >= 100 or (20 <= last < 100 and value < 10 and not has_and)
        if end and not joins:
            found.append(InWords(total + current, False, start, end))
            total = current = 0
            start = -1
        start, end = (one.start() if start < 0 else start), one.end()
        current = max(current, 1) * value if is_scale else current + value
        if value >= 1000:
            total, current = total + current, 0
        last, has_and = value, False
        if word in ORDINALS:
            found.append(InWords(total + current, True, start, end))
            total = current = last = end = 0
            start = -1
    return [*found, InWords(total + current, False, start, end)] if end else found
