"""Numbers of the elements of a list, which no index stores: `orders with more than one item`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.mapping.schema import Entity
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.quantities.numbers import QuantityTest, quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_SEVERAL = phrases(
    "several | multiple | numerous | many | [a] few | a couple of | a number of | a single | single | "
    "(lots | plenty) of | a lot of | various"
)
_ASKED = phrases("[the] (most | fewest) | [the] [average | total] number of | how many")
_BETWEEN = english.ARTICLES | words("different distinct separate further other of their its these kinds kind types")
_HAVING = english.HAVING | words("do does did has have contain contains containing of")
_FARTHEST = 2
"""Words between a number and its noun: `more than one very late item`."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many elements of a list a question speaks of.

    `least` is 1 where any element is enough, 0 where there is to be none, else None. It is only `asked` where the
    number itself is wanted: `which order has the most items`.
    """

    noun: str
    entity: Entity
    path: tuple[str, ...]
    least: int | None
    number: float | None
    compared: bool
    asked: bool


def not_counted(p: Parse) -> tuple[str, tuple[str, ...]]:
    """Return why `orders with several items` was not understood, and what can be asked in its place; empty texts where
    no number of elements is meant."""
    return "", ()


def _numbers(p: Parse, at: int) -> Iterator[tuple[int, QuantityTest | None, bool]]:
    """Yield where a number that begins here ends, with its test; a number that is the id of something is none."""
    for test in sorted(quantity_test(p, at), key=lambda one: -one.end):
        amount = test.value.amount
        named = not test.value.compared and (is_year(p.word(at)) or _follows_a_noun(p, at))
        if amount.unit is None and amount.money is None and not named:
            yield test.end, test.value, False
    for end in p.phrases(at, _ASKED):
        yield end, None, True


def _follows_a_noun(p: Parse, at: int) -> bool:
    """Return whether a number is said right after the word for a field or a thing: `zone 3`."""
    return any(isinstance(one.payload, FieldWord | EntityWord) and not p.plural(at) for one in p.ending(at))
