"""Make conditions from a field and an operand. Types are checked, so that a misreading yields no condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from qlc.base.units import convert, find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.language.field_words import BIRTHS
from qlc.language.nouns import snake
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.translator.programs import named_condition
from qlc.translator.rules.build import both, compare, either, path, string
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, ValueWord
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import may_identify, unknown_texts
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.date_tests import DateTest
from qlc.translator.rules.quantities.numbers import Amount, QuantityTest
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, phrases, spaced, words
from qlc.translator.rules.words.tokens import name_key

Joining = Literal["", "and", "or"]
_WITH_UNIT = 2
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?![\w.]*\d)")
_MOST_LISTED = 9
_BOUNDING = words("until due expires expiry expire expiration deadline")


def date_condition(ref: FieldRef, test: DateTest) -> Condition:
    left = ref.left
    if test.until is not None:
        return tree.Between(left, test.period, test.until)
    if test.others:
        return compare(left, "in", tree.ListValue((test.period, *test.others)))
    return compare(left, "=" if test.relation == "in" else test.relation, test.period)


def past(ref: FieldRef) -> Condition:
    """Return the condition that a date is over: a whole day counts until its end."""
    return ref.compared("<", tree.Day("today") if ref.field.whole_days else tree.Now())


def not_past(ref: FieldRef) -> Condition:
    """Return the condition that a date is not over: a whole day counts until its end."""
    return ref.compared(">=", tree.Day("today")) if ref.field.whole_days else ref.compared(">", tree.Now())


def has_been(ref: FieldRef, test: DateTest) -> bool:
    """Whether a date tells what was done, and is asked for in days to come: who leaves tomorrow has not `left`."""
    ahead = isinstance(test.period, tree.Day) and test.period.which == "tomorrow"
    ahead |= isinstance(test.period, tree.RelativePeriod) and test.period.which == "next"
    deed = spaced(ref.field.name).split()[0]  # `booked_on`
    return ahead and is_participle(deed) and deed not in english.AHEAD


def quantity_condition(ref: FieldRef, test: QuantityTest, entity: Entity | None = None) -> Condition | None:
    """Return `size > 5 MB`, or with a currency `amount > 100 and currency = "EUR"`; None if the unit does not fit."""
    condition = _of_amount(ref, test)
    unit = entity.fields.get(ref.field.unit_field or "") if entity is not None else None
    if condition is None or not test.amount.money:
        return condition
    code = english.CURRENCIES.get(test.amount.money, test.amount.money)
    described = described_in(ref)
    if unit is None and not described:
        unit = _currency(entity)
    if unit is not None and unit.values is None:
        return both(condition, compare(path(unit.name), "=", string(code)))
    if unit is None or unit.values is None:  # amounts of which nothing says in what they are
        return condition if not described or code in described else None
    stored = unit.values.spellings.get(code.casefold())
    if stored is None:
        return None
    if len(unit.values.display) == 1:
        return condition  # there is no other
    return both(condition, compare(path(unit.name), "=", string(stored)))


def in_one_unit(entity: Entity, *bounds: Condition) -> tuple[Condition, ...]:
    """`under ten dollars or over a thousand`: a currency that is said of one bound is that of both."""
    units: dict[object, Condition] = {}
    for one in bounds:
        parts = one.items if isinstance(one, tree.And) else ()
        if len(parts) == _WITH_UNIT and isinstance(parts[0], tree.Comparison | tree.Between):
            left: object = parts[0].left
            unit = parts[1]
            ref = FieldRef.at(entity, left)
            name = ref.field.unit_field if ref is not None else None
            if name is not None and isinstance(unit, tree.Comparison) and unit.left == path(name):
                units[left] = unit
    return tuple(
        tree.And((one, units[one.left]))
        if isinstance(one, tree.Comparison | tree.Between) and one.left in units
        else one
        for one in bounds
    )


def _currency(entity: Entity | None) -> Field | None:
    """The one field of an entity that says in which currency its amounts are, by its name."""
    fields = entity.fields.values() if entity is not None else ()
    found = [one for one in fields if one.kind is FieldKind.KEYWORD and "currency" in spaced(one.name).split()]
    return found[0] if len(found) == 1 and not found[0].sensitive else None


def _of_amount(ref: FieldRef, test: QuantityTest) -> Condition | None:
    for amount in (test.amount, test.until):
        if amount is None:
            continue
        unit = ref.field.unit
        if amount.unit is not None and (unit is None or convert(amount.unit, unit) is None):
            return None
        if amount.money is not None and not of_money(ref):
            return None
    left = ref.left
    if test.until is not None:
        return tree.Between(left, _bound(ref, test.amount), _bound(ref, test.until))
    return compare(left, test.relation, _bound(ref, test.amount))


def _bound(ref: FieldRef, amount: Amount) -> tree.Number:
    """A bare number for a part (`confidence over 60`) is a percentage; money may be stored in hundredths."""
    if amount.money is not None and english.HUNDREDTHS & set(name_key(spaced(ref.field.name))):
        return Amount(round(amount.value * 100, 6)).node
    if amount.unit is None and ref.field.unit == "fraction" and amount.value > 1:
        return Amount(amount.value, "%").node
    return amount.node


@rule
def value(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[tuple[Value, bool]]]:
    """One value of a keyword field or of a reference; whether it is a set."""
    if ref.target is not None:
        for one in nested.reference(p, at, ref.target):
            yield Found(one.end, (one.value.value, one.value.many), one.cost)
        return
    start = p.articles(at)
    for lexeme in (one for begin in dict.fromkeys((at, start)) for one in p.starting(begin, ValueWord)):
        if lexeme.payload.ref.path == ref.path:  # also where it looks like an article: `class A`
            yield Found(lexeme.end, (string(lexeme.payload.text), False), lexeme.cost)
    if ref.field.values is not None or ref.kind not in (FieldKind.KEYWORD, FieldKind.IP):
        return
    if ref.kind is FieldKind.IP:
        yield from _address(p, start)
        return
    identified = [one for one in p.schema.entities.values() if ref.field.is_id and one.id == ref.field]
    quoted = p.quoted(start)
    found = unknown_texts(p, start) if quoted is None else [(start + 1, 0.0)]
    for end, cost in found:
        text = p.raw(start, end) if quoted is None else quoted
        # The `jobs of Kissler` are none with the number `Kissler`.
        if all(may_identify(one, text, any_case=True) for one in identified):
            yield Found(end, (string(text), False), cost)


def _address(p: Parse, at: int) -> Iterator[Found[tuple[Value, bool]]]:
    """Read an IP address: `223.87.60.27`, or a quoted text."""
    text = p.quoted(at)
    if text is not None:
        yield Found(at + 1, (string(text), False), 0.0)
    elif at < p.end and (found := _ADDRESS.match(p.text, p.tokens[at].start)):
        yield Found(p.token_at(found.end()), (string(found[0]), False), 0.0)


@rule
def values(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[tuple[tuple[Value, ...], Joining, bool]]]:
    """Several values with `and` or `or` between them: the values, what joins them, whether it is one set."""
    opened = at
    for sequence in phrases("either | both | any of | one of | all of | any of the tags"):
        opened = p.phrase(at, *sequence) or opened
    if p.word(at) == "both" and not ref.many:
        return  # nothing has two values of it
    for first in value(p, opened, ref):
        one, is_set = first.value
        if not _and_no_other(p, opened, first.end, ref):
            yield Found(first.end, ((one,), "", is_set), first.cost)
        if not is_set:
            begun = tuple(p.word(i) for i in range(p.articles(opened), first.end - 1))
            for several in _further(p, first.end, ref, (one,), first.cost, "", begun):
                if not _and_no_other(p, opened, several.end, ref):
                    yield several


def _and_no_other(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether a list is to have these values and no others, which no condition says: `tagged travel only`."""
    alone = p.word(end) in ("only", "alone", "exclusively") or (at > 0 and p.word(at - 1) in ("only", "exclusively"))
    return alone and ref.field.many is True and ref.within is None


def _further(p: Parse, at: int, ref: FieldRef, found: tuple[Value, ...], cost: float, joining: Joining,
             begun: tuple[str, ...]) -> Iterator[Found[tuple[tuple[Value, ...], Joining, bool]]]:
    if len(found) > _MOST_LISTED:
        return
    end, word = at, ""
    slash = "/" if ref.target is None else ""  # between the names of folders it makes a path
    joining_words = (english.AND - {"but", "yet", "also"}) | english.OR | english.VERSUS
    while (p.word(end) in (",", slash) and p.word(end)) or p.word(end) in joining_words:
        word = p.word(end) if p.word(end) != "," else word or ","
        end += 1
    if end == at:
        return
    how: Joining = "or" if word in english.OR | english.VERSUS or word == "/" else "and" if word in english.AND else ""
    if how and joining and how != joining:
        return
    for one in _begun_alike(p, end, ref, begun) or value(p, end, ref):
        following, is_set = one.value
        if is_set or following in found:
            continue
        both_found = (*found, following)
        total = cost + one.cost
        if how:
            yield Found(one.end, (both_found, how, False), total)
        yield from _further(p, one.end, ref, both_found, total, how or joining, begun)


def _begun_alike(p: Parse, at: int, ref: FieldRef, begun: tuple[str, ...]) -> list[Found[tuple[Value, bool]]]:
    """`shoes` of `women's clothing and shoes`, where there are women's shoes: a beginning that is said once."""
    if not begun:
        return []
    said = [(end, (*begun, *(p.word(i) for i in range(at, end)))) for end in range(at + 1, min(at + 4, p.end + 1))]
    found = [(end, word) for end, words_of in said for word in p.lexicon.values_called(ref, words_of)]
    return [Found(end, (string(word.text), False), 0.05) for end, word in found]


def values_condition(ref: FieldRef, found: Sequence[Value], joining: Joining, is_set: bool) -> Condition:
    """`=` for one, `in` for a set or alternatives; `and` between values of a list asks for each of them."""
    left = ref.left
    if is_set:
        return compare(left, "in", found[0])
    if len(found) == 1:
        return compare(left, "=", found[0])
    if joining == "and" and ref.many:
        if ref.within is None:
            return compare(left, "has all", tree.ListValue(tuple(found)))
        return both(*(compare(left, "=", one) for one in found)) or compare(left, "=", found[0])
    if all(isinstance(one, tree.String) for one in found):
        return compare(left, "has any" if ref.field.many is True and ref.within is None else "in",
                       tree.ListValue(tuple(found)))
    return either(compare(left, "=", one) for one in found)


@lru_cache(maxsize=256)
def objects_of(entity: Entity) -> Mapping[str, str]:
    """Return the conditions that an object exists, with its path: `complaint` -> `complaint`, by its `received_at`."""
    found = {}
    for name, text in entity.conditions.items():
        means = named_condition(text)
        ref = FieldRef.at(entity, means.left) if isinstance(means, tree.Presence) and not means.missing else None
        around = ref.field.mapped.path.rpartition(".")[0] if ref is not None else ""
        if around and snake(around.rpartition(".")[2]) in (name, f"{name}s"):
            found[name] = around
    return found


@lru_cache(maxsize=256)
def date_fields(entity: Entity) -> tuple[FieldRef, ...]:
    return tuple(ref for ref in FieldRef.own(entity) if ref.kind is FieldKind.DATE and not ref.field.sensitive)


@lru_cache(maxsize=256)
def numbers_of(entity: Entity) -> tuple[FieldRef, ...]:
    return tuple(ref for ref in FieldRef.own(entity) if ref.is_number and not ref.field.sensitive)


@lru_cache(maxsize=256)
def default_date(entity: Entity) -> tuple[FieldRef, float] | None:
    """Return the date of questions that name none, with its cost: the catalog's or the only one; no end, no birth."""
    dates = date_fields(entity)
    alone = dates if len(dates) == 1 and not (_BOUNDING | BIRTHS) & dates[0].parts else ()
    chosen = [ref for ref in dates if ref.path == (entity.default_date,)] or alone
    return (chosen[0], 0.1) if chosen else None


@lru_cache(maxsize=256)
def default_number(entity: Entity) -> FieldRef | None:
    """The number that is meant where none is named: the catalog's, the only one, or the only amount of money."""
    numbers = numbers_of(entity)
    for ref in numbers:
        if ref.path == (entity.default_number,):
            return ref
    shown = [ref for ref in numbers if ref.field.unit_field is not None and ref.field.name in entity.show]
    priced = principal([ref for ref in numbers if of_money(ref)])
    usual = numbers if len(numbers) == 1 else shown if len(shown) == 1 else priced
    return usual[0] if len(usual) == 1 else None


def fields_for(entity: Entity, amount: Amount) -> list[FieldRef]:
    """The numeric fields that an amount with a unit or a currency can be compared with."""
    found = []
    for ref in numbers_of(entity):
        if amount.money is not None:
            if of_money(ref):
                found.append(ref)
        elif (amount.unit is not None and ref.field.unit is not None
              and convert(amount.unit, ref.field.unit) is not None):
            found.append(ref)
    nouns = {noun for nouns in english.NOUNS_OF_DEGREE.values() for noun in nouns}
    found = principal(found) if amount.money is not None else found
    return [ref for ref in found if ref.field.name in nouns] or found


def principal(amounts: list[FieldRef]) -> list[FieldRef]:
    """Return the amounts of money that are not a fee or tax beside another one; all of them if each is."""
    beside = [ref for ref in amounts if english.BESIDES & set(spaced(ref.field.name).split())]
    return [ref for ref in amounts if ref not in beside] or amounts


def unit_words(ref: FieldRef) -> frozenset[str]:
    """Return the unit of a field's numbers, from its path (`weightKg` -> `kg`) or description (`in kg`)."""
    texts = (ref.field.mapped.path.rsplit(".", 1)[-1], ref.field.description)
    found = (re.findall(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+", text) for text in texts)
    said = {parts[-1].casefold() for parts in found if len(parts) > 1}
    said |= {words[-1] for words in (one.casefold().split() for one in ref.field.words) if words[-2:-1] == ["in"]}
    return frozenset(said) - english.COMMON_WORDS  # `builtIn` is not in inches


def past_unit(p: Parse, at: int, ref: FieldRef) -> int:
    """After the unit that a field's numbers are in, where it is here and the language has none of that name."""
    word = p.word(at)
    if not word.isalpha():
        return at
    own = unit_words(ref)
    unit = find_unit(word) if len(word) > 1 else None
    same = unit is not None and ref.field.unit is None and any(find_unit(one) == unit for one in own)
    return at + 1 if same or {word, word.removesuffix("s")} & own else at


def is_of_each(ref: FieldRef) -> bool:
    """Return whether a number is named as a price, whose sum nobody means: `price per vendor` is no total."""
    return not ref.field.adds_up or not english.OF_EACH.isdisjoint(spaced(ref.field.name).split())


def of_money(ref: FieldRef) -> bool:
    """Whether a number is an amount of money: its currency is next to it, or its words speak of money."""
    said = english.NOUNS_OF_DEGREE["money"] & ref.parts
    return ref.field.unit_field is not None or bool(described_in(ref)) or bool(said)


def described_in(ref: FieldRef) -> set[str]:
    """The currency of an amount, as the catalog says; else those that its description or its name (`cost_eur`) tell."""
    if ref.field.currency is not None:
        return {ref.field.currency}
    codes = {code.casefold(): code for code in english.CURRENCIES.values()}
    named = {codes[one] for one in name_key(spaced(ref.field.name)) if one in codes}
    return named | {english.CURRENCIES[one] for one in name_key(ref.field.description) if one in english.CURRENCIES}


def list_fields(entity: Entity, name: str) -> list[FieldRef]:
    """The fields of the elements of a list."""
    many = entity.lists.get(name)
    if many is None or many.key is not None:
        return []
    return [FieldRef((name, key), one, many) for key, one in many.fields.items() if not one.sensitive]


def list_words(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, str, str]]:
    for lexeme in p.starting(at, ListWord):
        if lexeme.payload.name in entity.lists:
            yield lexeme.end, lexeme.payload.name, lexeme.payload.tail
