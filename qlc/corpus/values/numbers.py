"""Numbers as documents write them: `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `12,34,567.00`, `thirty (30)`,
`twenty-one`.

A comma or a point before three digits can separate thousands or decimals. The rest of a document decides
(`NumberStyle`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

_SPACES = "\u00a0\u2009\u202f "
_SIGN = r"(?:(?<![\w.,)])[-\u2212+\u2013±](?=\d))?"
_GROUPED = rf"\d{{1,3}}(?:[.,'’{_SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?"
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
NUMBER = rf"{_SIGN}(?:{_INDIAN}|{_GROUPED}|{_PLAIN})"
"""A number in digits, as a regular expression without groups."""


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """The number format of a document."""

    decimal_comma: bool = False
    is_sure: bool = True
    """Whether `1.234` can be read. It cannot if dates have points, and numbers give no evidence."""


_STRONG = {
    True: re.compile(r"\d\.\d{3},\d|\d\.\d{3}\.\d{3}(?![\d.])"),
    False: re.compile(r"\d,\d{3}\.\d|\d,\d{3},\d{3}"),
}
_WEAK = {
    True: re.compile(r"(?<![\d.,])\d+,\d{1,2}(?![.,]?\d)"),
    False: re.compile(r"(?<![\d.,])\d+\.\d{1,2}(?![.,]?\d)"),
}
_DOTTED_DATE = r"\b\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"
_NO_NUMBERS = re.compile(rf"{_DOTTED_DATE}|(?m:^)\s*\d+\.\d+(?=\.?\s+[^\W\d_])")  # and sections


def number_style(texts: Iterable[str]) -> NumberStyle:
    """Find the style of a document by its unambiguous numbers.

    Without any, it is a decimal comma if dates are written with points (except in Switzerland), and unknown if money is
    not in euros.
    """
    balance = 0
    has_points = has_euros = False
    for text in texts:
        has_points |= re.search(_DOTTED_DATE, text) is not None and "CHF" not in text
        has_euros |= "€" in text or "EUR" in text
        text = _NO_NUMBERS.sub(" ", text)
        for comma, sign in ((True, 1), (False, -1)):
            balance += sign * (4 * len(_STRONG[comma].findall(text)) + len(_WEAK[comma].findall(text)))
    return NumberStyle(balance > 0 or (balance == 0 and has_points), balance != 0 or has_euros or not has_points)


def is_doubtful(text: str, style: NumberStyle) -> bool:
    """Whether a number is ambiguous: `1.234`."""
    return not style.is_sure and re.fullmatch(rf"{_SIGN}[1-9]\d{{0,2}}[.,]\d{{3}}", text) is not None


def parse_number(text: str, style: NumberStyle) -> Decimal:
    """Parse a text that matches NUMBER."""
    sign = "-" if text[0] in "-\u2212\u2013" else ""
    digits = re.sub(rf"[-\u2212\u2013+±'’{_SPACES}]", "", text)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return Decimal(sign + digits)
    mark = digits[last]
    others = digits[:last]
    is_group = (
        mark in others  # 1,234,567
        or (not (("." in others) or ("," in others))  # one mark, once
        and len(digits) - last == 4
        and 0 < len(others) <= 3
        and not others.startswith("0")
        and (mark == ",") != style.decimal_comma)
    )
    whole = re.sub("[.,]", "", digits if is_group else others)
    return Decimal(f"{sign}{whole}" if is_group else f"{sign}{whole}.{digits[last + 1 :]}")


# --- words -----------------------------------------------------------------------------------------------------------

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_ONES = {word: number for number, word in enumerate([*_UNITS.split(), "eighteen", "nineteen"])}
_TENS = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12} | {
    f"{word}th": number for word, number in {**_ONES, **_SCALES}.items() if number not in (1, 2, 3, 5, 8, 9, 12)
}
_ORDINALS |= {f"{word[:-1]}ieth": number for word, number in _TENS.items()}
_WORDS = {**_ONES, **_TENS, **_SCALES, **_ORDINALS}
_CARDINAL, _ORDINAL = (
    rf"(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![^\W\d_])"
    for words in ({*_ONES, *_TENS, *_SCALES}, _ORDINALS)
)
_THEN = r"[-\s]+(?:and\s+)?"
NUMBER_IN_WORDS = rf"(?:{_CARDINAL}(?:{_THEN}{_CARDINAL})*(?:{_THEN}{_ORDINAL})?|{_ORDINAL})"
"""A number in English words, also an ordinal; a regular expression without groups, for case-insensitive use."""


class InWords(NamedTuple):
    value: int
    is_ordinal: bool


def parse_words(text: str) -> InWords:
    """Parse `twenty-one`, `one hundred and twenty`, `sixtieth`."""
    total = current = 0
    words = [word for word in re.split(r"[-\s]+", text.lower()) if word != "and"]
    for word in words:
        value = _WORDS[word]
        if word in _SCALES or word.removesuffix("th") in _SCALES:
            current = max(current, 1) * value
            if value >= 1000:
                total, current = total + current, 0
        else:
            current += value
    return InWords(total + current, words[-1] in _ORDINALS)
