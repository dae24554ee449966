"""Amounts of what is in an element of a list: `200 g of butter`, `more than 3 ml Meloxicam`, `2 brushes`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar.tree import Condition
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.conditions import is_number, list_fields, quantity_condition
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord
from qlc.translator.rules.modifiers.elements import inside, one_element
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import QuantityTest, quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words


def so_many_of(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`more than 7 days of Ibuprofen`, `200 g of butter`: a number of an element, and what the element is of."""
    own = p.entity(entity)
    start = p.past(at, english.HAVING | words("for that a an where which got received"))
    tests = [one for one in quantity_test(p, start) if one.value.until is None]
    for many in (one for one in own.lists.values() if tests and one.key is None and not one.sensitive):
        fields = list_fields(own, many.name)
        numbers = [ref for ref in fields if is_number(ref)]
        for test in tests:
            for ref in numbers:
                noun = _noun_of_number(p, test.end, ref)
                parts = (quantity_condition(ref, _in_its_own_unit(test.value, ref)),) if noun is not None else ()
                yield from _of_which(p, noun or 0, many.name, parts, test.cost)
                yield from _so_much_of(p, test, ref, many.name)
            for unit in fields if len(numbers) == 1 else ():
                amount = quantity_condition(numbers[0], _in_its_own_unit(test.value, numbers[0]))
                said = [one for one in p.starting(test.end - 1, ValueWord) if one.payload.ref.path == unit.path]
                for one in said if numbers[0].field.unit is None and test.value.amount.unit is not None else ():
                    measured = compare(path(*unit.path), "=", string(one.payload.text))
                    yield from _of_which(p, test.end - 1, many.name, (amount, measured), test.cost)


def _so_much_of(p: Parse, test: Found[QuantityTest], ref: FieldRef, name: str) -> Iterator[Found[Condition]]:
    """`more than 3 ml Meloxicam`, `over 3 ml of it were given`: an amount in the unit of a number of the elements."""
    amount = quantity_condition(ref, test.value)
    if amount is None or ref.field.unit is None or test.value.amount.unit is None:
        return
    for lexeme in p.starting(p.past(test.end, ("of",)), ValueWord):
        of = lexeme.payload.ref
        if of.within is None or of.within.name != name:
            continue
        which = inside(compare(path(*of.path), "=", string(lexeme.payload.text)))
        such = one_element(name, (which, inside(amount)))
        yield Found(lexeme.end, such, test.cost + lexeme.cost)
        verb = p.past(lexeme.end, english.COPULAS)
        if verb > lexeme.end and p.word(verb) in _called(of):
            yield Found(verb + 1, such, test.cost + lexeme.cost)


_NEEDING = words("needed need needs needing required requires requiring used consumed took got included ordered had")


def needed(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that needed 3 or more cork rings`, `with 2 brushes`: what an element is of, behind how many of it."""
    own = p.entity(entity)
    leading = _NEEDING | english.HAVING | english.RELATIVE_PRONOUNS
    start = p.past(at, leading)
    unknown = [i for i in range(at, start) if p.word(i) in _NEEDING and p.lexemes[i]]
    for many in own.lists.values() if start > at and not unknown else ():
        fields = list_fields(own, many.name)
        counting = [ref for ref in fields if is_number(ref) and not ref.field.unit and _COUNTING & set(_called(ref))]
        tests = quantity_test(p, start) if len(counting) == 1 and many.key is None else []
        bounds = [(one.end, quantity_condition(counting[0], one.value), one.cost) for one in tests]
        begins = [*bounds, (p.articles(start), None, 0.1)] if p.word(start - 1) in _NEEDING else bounds
        # more than two `repairs` may be elements, where a list says which kinds there are
        kinds = {ref.path for ref in fields if p.word(start - 1) in _NEEDING or ref.field.values is None}
        for begin, bound, cost in begins:
            for kind in p.starting(begin, ValueWord):
                if kind.payload.ref.path in kinds:
                    such = inside(compare(path(*kind.payload.ref.path), "=", string(kind.payload.text)))
                    parts = (such,) if bound is None else (such, inside(bound))
                    yield Found(kind.end, one_element(many.name, parts), cost + kind.cost + 0.1)


_COUNTING = words("quantity qty count number amount pieces units")


def _called(ref: FieldRef) -> Iterator[str]:
    return (word.casefold() for word in (ref.path[-1], *ref.field.words))


def _noun_of_number(p: Parse, end: int, ref: FieldRef) -> int | None:
    """Where a number is called as its field is: the last word of the amount, or the one behind it."""
    said = {word.casefold() for word in (ref.path[-1], *ref.field.words)}
    return next((i for i in (end - 1, end) if p.word(i) in said), None)


def _in_its_own_unit(test: QuantityTest, ref: FieldRef) -> QuantityTest:
    return replace(test, amount=replace(test.amount, money=None, unit=ref.field.unit))


def _of_which(
    p: Parse, noun: int, name: str, parts: tuple[Condition | None, ...], cost: float
) -> Iterator[Found[Condition]]:
    """`of Ibuprofen`, behind an amount: the value of another field of the same element."""
    known = tuple(inside(one) for one in parts if one is not None)
    if not known or len(known) < len(parts) or p.word(noun + 1) not in ("of", "for"):
        return
    for lexeme in p.starting(p.articles(noun + 2), ValueWord):
        of = lexeme.payload.ref
        if of.within is not None and of.within.name == name:
            which = inside(compare(path(*of.path), "=", string(lexeme.payload.text)))
            yield Found(lexeme.end, one_element(name, (which, *known)), cost + lexeme.cost)
