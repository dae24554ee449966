"""Read numbers and quantities in words, with their comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from qlc.base.units import Unit, find_unit
from qlc.grammar import tree
from qlc.translator.rules.build import number
from qlc.translator.rules.parse import DIGITS, Found, Parse, begins, needs, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, words

Relation = Literal["=", "<", "<=", ">", ">="]
Relations = tuple[tuple[Phrases, Relation], ...]  # phrases with the comparison that they mean
A_NUMBER = frozenset({DIGITS, *english.NUMBERS, *words("once twice thrice a an")})  # words that a number begins with
MORE_OR_LESS: Relations = ((english.MORE, ">"), (english.LESS, "<"))
OR_MORE_OR_LESS: Relations = ((english.OR_MORE, ">="), (english.OR_LESS, "<="))  # after the amount
_ATTACHED = re.compile(r"(\d+(?:\.\d+)?)([a-z%]+)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
MOST_DIGITS = 100  # most digits of a number
_UPWARDS = words("up upwards upward on onwards")
_RELATIONS: Relations = ((english.AT_LEAST, ">="), (english.AT_MOST, "<="), *MORE_OR_LESS, (english.EXACTLY, "="))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit as the language writes it; `money` is a currency's mark or word."""

    value: float | int
    unit: str | None = None
    money: str | None = None

    @property
    def node(self) -> tree.Number:
        return number(self.value, self.unit)


@dataclass(frozen=True, slots=True)
class QuantityTest:
    """`relation` to an amount; with `until` from one to the other."""

    relation: Relation
    amount: Amount
    until: Amount | None = None
    compared: bool = True  # false for a number that is alone

    @property
    def of_a_count(self) -> bool:
        """Whether a number of things is compared: in no unit, and with one bound."""
        return self.compared and self.until is None and self.amount.unit is None and self.amount.money is None


def _is_a_sign(p: Parse, at: int) -> bool:
    """Whether a number follows at once and none comes before: `2024-13` has no -13."""
    before = p.word(at - 1)[-1:].isdecimal() and p.tokens[at - 1].end == p.tokens[at].start
    return p.word(at + 1)[:1].isdecimal() and p.tokens[at].end == p.tokens[at + 1].start and not before


@rule
@begins(A_NUMBER, words("-"))
def cardinal(p: Parse, at: int) -> Iterator[Found[tree.Number]]:
    """`12`, `1,500`, `twenty five`, `2k`, `3 million`, `a hundred`, `half a million` not."""
    word = p.word(at)
    if not word:
        return
    if word == "-" and _is_a_sign(p, at):
        for one in cardinal(p, at + 1):
            yield Found(one.end, number(-one.value.value), one.cost)
        return
    if word == "one" and at and p.word(at - 1) in ("no", "some", "any", "every", "each"):
        return  # `no one` is nobody
    value: float | None = None
    end = at + 1
    if word[0].isdecimal():
        value = _in_digits(word)
        split = _ATTACHED.fullmatch(word.replace(",", "")) if value is None else None
        if split and split[2] in english.SCALES and (counted := _in_digits(split[1])) is not None:
            yield Found(end, number(counted * english.SCALES[split[2]]), 0.0)
            return
    elif word in english.NUMBERS:
        value = english.NUMBERS[word]
        units_at = end + (p.word(end) == "-")
        if value >= 20 and value % 10 == 0 and english.NUMBERS.get(p.word(units_at), 99) < 10:
            value += english.NUMBERS[p.word(units_at)]
            end = units_at + 1
    elif word in ("once", "twice", "thrice"):
        value = ("once", "twice", "thrice").index(word) + 1
    elif word == "a" and p.word(at + 1) in words("hundred thousand million dozen billion"):
        value = 1.0
        if p.word(at + 1) == "dozen":
            yield Found(at + 2, number(12), 0.0)
            return
    if value is None:
        return
    scale = english.SCALES.get(p.word(end))
    if scale is not None and (len(p.word(end)) > 1 or p.tokens[end - 1].end == p.tokens[end].start):
        yield Found(end + 1, number(value * scale), 0.0)
        if len(p.word(end)) > 1:
            return
    yield Found(end, number(value), 0.0)


def _scale(word: str) -> float | None:
    """Return what a number before a word is multiplied by: `million`, `kEUR`."""
    return english.SCALES.get("k" if word[:1] == "k" and word[1:] in english.CURRENCIES else word)


def ordinal(p: Parse, at: int) -> Found[int] | None:
    word = p.word(at)
    if word in english.ORDINALS and english.ORDINALS[word] > 0:
        return Found(at + 1, english.ORDINALS[word], 0.0)
    if found := _ORDINAL.fullmatch(word):
        return Found(at + 1, int(found[1]), 0.0)
    return None


def _in_digits(word: str) -> float | None:
    plain = word.replace(",", "")
    return float(plain) if len(plain) <= MOST_DIGITS and re.fullmatch(r"\d+(\.\d+)?", plain) else None


@rule
@begins(A_NUMBER, english.CURRENCY_MARKS, words("-"))
def amount(p: Parse, at: int) -> Iterator[Found[Amount]]:
    """A number with its unit or currency: `5 MB`, `$2,000`, `500 dollars`, `60%`, `20 minutes`, `100`."""
    mark = None
    if p.word(at) in english.CURRENCY_MARKS:
        mark, at = p.word(at), at + 1
    attached = _ATTACHED.fullmatch(p.word(at).replace(",", ""))
    value = _in_digits(attached[1]) if attached and mark is None else None
    if attached and value is not None and (found := _unit(p, at, attached[2])):
        yield Found(found.end, Amount(_plain(value), found.value.name), 0.0)
    elif attached and value is not None and attached[2] in english.CURRENCIES:
        yield Found(at + 1, Amount(_plain(value * (_scale(attached[2]) or 1)), None, attached[2]), 0.0)
    value = _in_digits(p.word(at)) if "." in p.word(at) and p.word(at + 1).isalpha() else None
    if value is not None and (unit := find_unit(p.word(at + 1))):
        yield Found(at + 2, Amount(_plain(value), unit.name), 0.0)
    if p.word(at) in ("a", "an") and p.word(at + 2) not in ("ago", "old") and (unit := find_unit(p.word(at + 1))):
        yield Found(at + 2, Amount(1, unit.name), 0.0)
    for one in cardinal(p, at):
        value = _plain(one.value.value)
        if mark is not None:
            yield Found(one.end, Amount(value, None, mark), 0.0)
            continue
        following = p.past(one.end, ("-",))
        found = _unit(p, following, p.word(following))
        if found is not None:
            letter = found.end == following + 1 and len(p.word(following)) == 1 and p.word(following).isalpha()
            yield Found(found.end, Amount(value, found.value.name), 0.1 if letter else 0.0)
        if (money := p.word(following)) in english.CURRENCY_MARKS or money in english.CURRENCIES:
            yield Found(following + 1, Amount(_plain(value * (_scale(money) or 1)), None, money), 0.0)
        yield Found(one.end, Amount(value), 0.0)


def _unit(p: Parse, at: int, word: str) -> Found[Unit] | None:
    """The unit that begins with `word` in the token at `at`: `km`, `km/h`, `miles per hour`, `square metres`."""
    for length in range(2, -1, -1):
        end = at + 1 + length
        spelled = (word, *(p.word(i) for i in range(at + 1, end)))
        unit = find_unit(english.UNITS_IN_WORDS.get(spelled, "".join(spelled))) if all(spelled) else None
        if unit is not None and (length == 0 or spelled in english.UNITS_IN_WORDS or "/" in spelled):
            return Found(end, unit, 0.0)
    return None


def _plain(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


@rule
@needs(A_NUMBER)
def quantity_test(p: Parse, at: int) -> Iterator[Found[QuantityTest]]:
    """`over 3 MB`, `at least 10`, `between 850 and 900 dollars`, `100 or more`, `60%`."""
    yield from _range(p, at)
    for table, relation in _RELATIONS:
        for end in p.phrases(at, table):
            for one in amount(p, p.past(end, ("a", "the", "about")) if p.word(end) == "about" else end):
                upwards = p.past(one.end, _UPWARDS) if p.word(at) == "from" else one.end
                unsure = 0.3 if p.word(at) == "from" and upwards == one.end and one.value.money is None else 0.0
                yield Found(upwards, QuantityTest(relation, one.value), one.cost + unsure)
    for one in amount(p, at):
        for table, relation in OR_MORE_OR_LESS:
            for end in p.phrases(one.end, table):
                yield Found(end, QuantityTest(relation, one.value), one.cost)
        yield Found(one.end, QuantityTest("=", one.value, compared=False), one.cost)


def _scaled_as(p: Parse, low: Found[Amount], high: Found[Amount]) -> float | int:
    """`between 5 and 10 million`: both are millions, where one of them is."""
    last = next((p.word(i) for i in range(high.end - 1, low.end, -1) if _scale(p.word(i))), "")
    attached = _ATTACHED.fullmatch(p.word(high.end - 1))
    scale = _scale(last) or (_scale(attached[2]) if attached else None)
    said = bool(_scale(p.word(low.end - 1))) or not p.word(low.end - 1).replace(".", "").isdecimal()
    if scale is None or said or low.value.value * scale >= high.value.value:
        return low.value.value
    return _plain(low.value.value * scale)


def _range(p: Parse, at: int) -> Iterator[Found[QuantityTest]]:
    opened = at + 1 if p.word(at) in ("between", "from") else at
    for low in amount(p, opened):
        if p.word(low.end) not in ("and", "to", "-", "–") or (opened == at and p.word(low.end) == "and"):
            continue
        for high in amount(p, low.end + 1):
            least = _scaled_as(p, low, high) if low.value.value > 0 else low.value.value
            shared = Amount(least, low.value.unit or high.value.unit, low.value.money or high.value.money)
            yield Found(high.end, QuantityTest(">=", shared, high.value), low.cost + high.cost)
