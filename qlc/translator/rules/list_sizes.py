"""Numbers of the elements of a list, which no index stores: `orders with more than one item`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qlc.grammar import parse as parsed
from qlc.grammar import tree
from qlc.language.nouns import plural_of
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.rules.accounting import Said
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.modifiers.events import complete
from qlc.translator.rules.parse import Parse, needs
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.quantities.numbers import A_NUMBER, QuantityTest, quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, phrases, spaced, stem, words
from qlc.translator.rules.words.tokens import fold

_SEVERAL = phrases(
    "several | multiple | numerous | many | [a] few | a couple of | a number of | a single | single | "
    "(lots | plenty) of | a lot of | various"
)
_ASKED = phrases("[the] (most | fewest) | [the] [average | total] number of | how many")
_BETWEEN = english.ARTICLES | words("different distinct separate further other of their its these kinds kind types")
_AS_MANY = words("how as so too")
_HAVING = english.HAVING | words("do does did has have contain contains containing of")
_FARTHEST = 2  # words between a number and its noun: `more than one very late item`


@dataclass(frozen=True, slots=True)
class Size:
    """A number of elements: `least` 1 for any, 0 for none; `asked` if wanted itself: `which has the most items`."""

    noun: str
    entity: Entity
    path: tuple[str, ...]
    least: int | None
    number: float | None
    compared: bool
    asked: bool

    def is_in(self, said: Said) -> bool:
        """Return whether a program has this number: as a limit, in `having`, or of a field that counts the elements."""
        named = not said.names.isdisjoint(map(fold, self.path))
        if self.least is not None:
            return named and self.number not in said.numbers
        statement = said.statement
        if isinstance(statement, tree.Get):
            return True
        if isinstance(statement, tree.Aggregate) and (statement.having is not None or (statement.groups and named)):
            return True
        if self.number is not None and self.number in (statement.limit, statement.offset):
            return True
        return any(ref.is_number and stem(self.noun) in ref.stems for ref in said.fields)


@needs(A_NUMBER, _SEVERAL, _ASKED)
def sizes(p: Parse, at: int) -> Iterator[Size]:
    """Yield the numbers of elements in a question, from left to right."""
    while at < p.end:
        end = at + 1
        for after, test, asked in _numbers(p, at):
            end = max(end, after)
            found = _size(p, at, after, test, asked=asked)
            if found is not None:
                yield found
                break
        at = end


def lacks_a_number(spoken: Sequence[Size], program: str, schema: Schema) -> bool:
    """Return whether a question speaks of a number of elements that a program does not have."""
    compared = [one for one in spoken if one.compared and not one.asked]
    said = Said(parsed(program).statement, schema) if compared else None
    return said is not None and not all(one.is_in(said) for one in compared)


def not_counted(p: Parse) -> tuple[str, tuple[str, ...]]:
    """Return why `orders with several items` cannot be asked, and what can; empty if no such number is meant."""
    for one in sizes(p, 0):
        if one.compared or one.asked:
            thing, things = spaced(one.entity.name), spaced(one.entity.plural)
            article = "an" if thing[0] in "aeiou" else "a"
            sentence = f"How many {one.noun} {article} {thing} has is not stored. Ask for {things} with or without "
            return f"{sentence}{one.noun}, or with one that you name.", (
                f"{things} with {one.noun}", f"{things} without {one.noun}")  # fmt: skip
    return "", ()


def _numbers(p: Parse, at: int) -> Iterator[tuple[int, QuantityTest | None, bool]]:
    """Yield where a number that begins here ends, with its test; a number that is the id of something is none."""
    for test in sorted(quantity_test(p, at), key=lambda one: -one.end):
        amount = test.value.amount
        nouns = [one for one in p.ending(at) if isinstance(one.payload, FieldWord | EntityWord) and not p.plural(at)]
        named = not test.value.compared and (bool(nouns) or is_year(p.word(at)))  # `zone 3`
        if amount.unit is None and amount.money is None and not named:
            yield test.end, test.value, False
    for end in p.phrases(at, _ASKED):
        yield end, None, True
    for end in p.phrases(at, _SEVERAL) if p.word(at - 1) not in _AS_MANY else ():
        yield end, None, False


def _size(p: Parse, begin: int, at: int, test: QuantityTest | None, *, asked: bool) -> Size | None:
    """Return the number of elements of the noun after a number; None where things or another number are counted."""
    start = p.past(at, _BETWEEN)
    for _ in range(_FARTHEST + 1):
        row = p.lexemes[start] if start < p.end else []
        counts_things = any(isinstance(one.payload, EntityWord) for one in row)
        if counts_things or _is_counted(p, start) or p.word(start) in english.PREPOSITIONS:
            return None
        for one in row:
            found = _list_of(p, one.payload)
            one_of_them = test is None or test.amount.value == 1
            if found is None or not (one_of_them or p.plural(one.end) or isinstance(one.payload, ListWord)):
                continue
            if p.starting(one.end, EntityWord):
                return None  # "three rush orders" are orders
            least = _least(test)
            if test is not None and not test.compared and p.word(at - 1) == "one" and not complete(p, one.end):
                least = 1  # "with one item over 50" is any such item
            number = test.amount.value if test is not None else None
            if asked and p.word(at - 1) == "many" and p.word(one.end) not in _HAVING - {"have"}:
                return None  # "how many tags are there", or "have invoices", counts the tags
            compared = test is None or test.compared or p.word(begin - 1) in _HAVING
            noun = p.word(one.end - 1)
            return Size(noun if p.plural(one.end) else plural_of(noun), *found, least, number, compared, asked)
        values = [one.end for one in row if isinstance(one.payload, ValueWord)]
        if not values and not is_participle(p.word(start)):
            return None
        start = max(values, default=start + 1)
    return None


def _is_counted(p: Parse, at: int) -> bool:
    """Return whether a number is stored for the noun: `pages`, or `documents` if there is a `number of documents`."""
    own = any(ref.is_number for _, ref in p.fields(at))
    return own or any(ref.is_number for ref in p.lexicon.counting(p.word(at)))


def _list_of(p: Parse, payload: object) -> tuple[Entity, tuple[str, ...]] | None:
    """Return whose elements a word stands for, and their path: a list, a field of texts, a value of an element."""
    said = {one.payload.entity for row in p.lexemes for one in row if isinstance(one.payload, EntityWord)}
    for entity in sorted(p.things, key=lambda one: one.name not in said):
        match payload:
            case ListWord(name=name, tail="") if name in entity.lists:
                return entity, (name,)
            case FieldWord(ref=FieldRef(kind=FieldKind.KEYWORD) as ref, tail="") if ref.belongs_to(entity):
                return entity, ref.path
            case ValueWord(ref=ref) if ref.many and ref.belongs_to(entity):
                return entity, ref.path
    return None


def _least(test: QuantityTest | None) -> int | None:
    """Return 1 for a test that any element meets, 0 for one that none may meet: `one or more`, `fewer than one`."""
    if test is None or test.until is not None:
        return None
    match test.relation, test.amount.value:
        case (">=", 1) | (">", 0):
            return 1
        case ("<", 1) | ("<=", 0) | ("=", 0):
            return 0
        case _:
            return None
