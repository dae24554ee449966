"""Read numbers: `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `12,34,567.00`, `twenty-one`, `two dozen`.

A comma or a point between groups of three digits can part thousands or begin the decimals. The rest of the document
decides which (`NumberStyle`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

# --- digits ----------------------------------------------------------------------------------------------------------

_SPACES = "\u00a0\u2009\u202f "
_SIGN = r"(?:(?<![\w.,)])[-\u2212+\u2013±](?=\d))?"
_GROUPED = rf"\d{{1,3}}(?:[.,'’{_SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?"
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?"
NUMBER = rf"{_SIGN}(?:{_INDIAN}|{_GROUPED}|{_PLAIN})"
"""A number in digits, as a regular expression without groups."""


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a document writes numbers."""

    decimal_comma: bool = False
    is_sure: bool = True
    """Whether `1.234` can be read. It cannot in a document with dotted dates and no number that shows the style."""


_STRONG = {
    True: re.compile(r"\d\.\d{3},\d|\d\.\d{3}\.\d{3}(?![\d.])"),
    False: re.compile(r"\d,\d{3}\.\d|\d,\d{3},\d{3}"),
}
_WEAK = {
    True: re.compile(r"(?<![\d.,])\d+,\d{1,2}(?![.,]?\d)"),
    False: re.compile(r"(?<![\d.,])\d+\.\d{1,2}(?![.,]?\d)"),
}
_DOTTED_DATE = r"\b\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"
_NO_NUMBERS = re.compile(rf"{_DOTTED_DATE}|(?m:^)\s*\d+\.\d+(?=\.?\s+[^\W\d_])")  # and numbers of sections


def number_style(texts: Iterable[str]) -> NumberStyle:
    """Return the style of a document, decided by the numbers that fit one style only.

    Without such a number, dotted dates imply a decimal comma, except in Switzerland; the style is sure only if there
    are amounts in euros or no dotted dates.
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
    """Return whether a number has two readings in this style: `1.234`."""
    return not style.is_sure and re.fullmatch(rf"{_SIGN}[1-9]\d{{0,2}}[.,]\d{{3}}", text) is not None


def parse_number(text: str, style: NumberStyle) -> Decimal:
    """Return the value of a text that matches NUMBER: `1.234,5` -> 1234.5."""
    sign = "-" if text[0] in "-\u2212\u2013" else ""
    digits = re.sub(rf"[-\u2212\u2013+±'’{_SPACES}]", "", text)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return Decimal(sign + digits)
    mark, others = digits[last], digits[:last]
    has_one_mark = "." not in others and "," not in others
    is_group = mark in others or (  # 1,234,567
        has_one_mark
        and len(digits) - last == 4
        and 0 < len(others) <= 3
        and not others.startswith("0")
        and (mark == ",") != style.decimal_comma
    )
    whole = re.sub("[.,]", "", digits if is_group else others)
    return Decimal(f"{sign}{whole}" if is_group else f"{sign}{whole}.{digits[last + 1 :]}")


def readings(digits: str) -> tuple[tuple[float, float], ...]:
    """Return the values that digits can have, each with the size of its last digit: `1.234` -> 1.234 and 1234."""
    plain = re.sub(rf"['’{_SPACES}]", "", digits)
    found: dict[tuple[float, float], None] = {}
    for thousands, point in ((",", "."), (".", ",")):
        groups, _, decimals = plain.partition(point)
        parts = groups.split(thousands)
        is_grouped = len(parts) == 1 or (len(parts[0]) <= 3 and all(len(one) == 3 for one in parts[1:]))
        if is_grouped and thousands not in decimals and point not in decimals:
            value = float("".join(parts) + (f".{decimals}" if decimals else ""))
            found[value, 10.0 ** -len(decimals)] = None
    return tuple(found)


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
_A_SCALE = rf"an?\s+(?=(?:{'|'.join(_IN_WORDS)})\b)"
_WORD = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![^\W\d_])"
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
