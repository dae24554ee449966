"""Several modifiers after one another. `RULES` read one, each a function of the parse, a place and the entity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, compare, either, lookup, name_of, negation, parts, path
from qlc.translator.rules.conditions import in_one_unit
from qlc.translator.rules.constructions import conditions
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    NameWord,
    ValueWord,
)
from qlc.translator.rules.modifiers import place
from qlc.translator.rules.modifiers.elements import element, from_one_to_another, of_a_named_one
from qlc.translator.rules.modifiers.events import more_is_said, never
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import kind_in_plural, named
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, phrases, words

POSSESSING = words("has have had having")
CONNECTING = frozenset(
    english.COPULAS | (english.AUXILIARIES - english.MODALS - POSSESSING) | english.SOFTENERS
    | words("it they itself themselves we there")
)
_OF_THEM = 0.2  # cost of a date after `guests with no bookings` as the guests' date
_BOUNDS = ("<", ">", "<=", ">=")


def differ(condition: Condition) -> bool:
    """Whether alternatives are of several fields."""
    if not isinstance(condition, tree.Or):
        return False
    return len({one.left if isinstance(one, tree.Comparison) else one for one in condition.items}) > 1


def after_and(p: Parse, at: int) -> bool:
    before = at - 1
    while before > 0 and p.word(before) in CONNECTING - english.AND:
        before -= 1
    return before > 0 and p.word(before) in english.AND


def scope_unclear(p: Parse, at: int, said: Condition | None, end: int) -> bool:
    """Whether `and` follows `starred or locked` without a comma: nobody knows how far each of them reaches."""
    last = said.items[-1] if isinstance(said, tree.And) else said
    if p.word(end) not in english.AND - {"but"} or last is None or not differ(last) or p.word(end - 1) == ")":
        return False
    inside = [p.word(i) for i in range(at, end)]
    return "either" not in inside and any(word in english.OR for word in inside)


def torn(p: Parse, at: int, first: Condition, after: int, other: Condition) -> float:
    """Return the cost of reading a name after `in Legal or` with another field than `in Legal`."""
    conditions = (first, other)
    begin = p.past(at, english.RELATIVE_PRONOUNS | CONNECTING)
    if p.word(after - 1) == "or" and p.word(begin) in english.NEGATIONS and is_participle(p.word(after)):
        return 1.0  # `not opened or edited since May` denies both
    said = [one.left if isinstance(one, tree.Comparison) else "" for one in conditions
            if isinstance(one, tree.Comparison | tree.EntityText)]  # fmt: skip
    if p.word(p.past(at, english.COPULAS)) not in english.PREPOSITIONS | {"about"} or len(said) < len(conditions):
        return 0.0
    bare = any(True for kind in (ValueWord, NameWord) for _ in p.starting(after, kind))
    if not bare or said[0] == said[1]:
        return 0.0
    return 0.6 if all(said) else 1.5  # `about typos or tone`: both are what it is about


def of_another_element(first: Condition, other: Condition) -> bool:
    """Whether `but not edit` after `Ann can comment on` would be said of all elements: no role of anybody."""
    lists = {name_of(one.path) for one in parts(first) if isinstance(one, tree.Bare)
             and one.path.segments[0].narrowed is not None}
    denied = (one.left for one in parts(other) if isinstance(one, tree.Comparison) and one.operator in ("!=", "not in"))
    return any(isinstance(left, tree.Path) and len(left.segments) > 1 and name_of(left) in lists for left in denied)


def of_another_date(p: Parse, name: str, first: Condition, after: int, other: Condition) -> float:
    """Return the cost of a date after `due tomorrow or` with another date field than the first."""
    entity = p.entity(name)
    lefts = [one.left for one in (first, other) if isinstance(one, tree.Comparison | tree.Between)]
    fields = [FieldRef.at(entity, one) for one in lefts if isinstance(one, tree.Path)]
    dates = len(fields) == 2 and all(one is not None and one.kind is FieldKind.DATE for one in fields)
    said = bool(p.starting(after, FieldWord))
    return 0.5 if dates and fields[0] != fields[1] and not said else 0.0


def of_what_is_inside(p: Parse, first: Condition, after: int) -> float:
    """Return the cost of `that Ann made` after `folders with invoices` as a condition on the folders."""
    last = first.items[-1] if isinstance(first, tree.And) else first
    held = last.right if isinstance(last, tree.Comparison) else None
    inside = isinstance(held, tree.Member) and isinstance(held.base, tree.Subquery)
    if not inside:
        return 0.0
    return 0.3 if more_is_said(p, after) else _OF_THEM if date_test(p, after) else 0.0


def bound_alike(p: Parse, first: Condition, at: int, other: Condition, entity: str) -> Condition:
    """The condition after `and`, which begins at a position: a bare number is bounded as the number before it."""
    before = first.items[-1] if isinstance(first, tree.And) else first
    own, *rest = parts(other)
    if not isinstance(before, tree.Comparison) or not isinstance(own, tree.Comparison) or own.operator != "=":
        return other
    numbers = isinstance(before.right, tree.Number) and isinstance(own.right, tree.Number)
    numbers = numbers and all(_is_counted(p, one.left, entity) for one in (before, own))
    if not numbers or before.operator not in _BOUNDS or before.left == own.left or not p.word(at)[:1].isdecimal():
        return other
    alike = replace(own, operator=before.operator)
    return tree.And((alike, *rest)) if rest else alike


def _is_counted(p: Parse, left: object, entity: str) -> bool:
    """Whether a side of a condition is a number of the thing: a year is a bound of a date."""
    ref = FieldRef.at(p.entity(entity), left)
    return ref is not None and ref.is_number and not is_a_year(ref)


_OF_ONE_LIST = 0.2
_CONNECTED = CONNECTING - {"at"}  # what has at least one
_ONES = phrases(
    "[but] (only | just) (the | those) [ones] | [but] (only | just) (ones | those) | [but] (the | those) ones"
)
_THERE = phrases(
    "(do | did | have) (we | i) [still] (have | got | keep | get | own) | (on | in | across) the (whole | entire) "
    "(drive | system | index | store | database)"
)
"""Phrases that say only that documents exist: `that we still have`."""
_JOINTS = words(", ; : - – ( ) — . ! ?")
PASSED_OVER = 0.3
UNSAID = 0.6  # cost of leaving out a condition that words express
RULES: tuple[Callable[[Parse, int, str], Iterator[Found[Condition]]], ...] = (
    conditions.said_of, *place.RULES, from_one_to_another, element, of_a_named_one,
)  # fmt: skip


@rule
def modifiers(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """One modifier or several after one another: all of them hold; `or` joins its neighbours."""
    for first in alternatives(p, at, entity):
        yield first
        # "and total above 5": a word of connection may be what a field is called
        for after in {first.end, _joint(p, first.end), p.past(first.end, english.AND | {","})}:
            for rest in modifiers(p, after, entity):
                joined = after > first.end and p.word(after - 1) in english.AND
                said = bound_alike(p, first.value, after, rest.value, entity) if joined else rest.value
                condition = both(first.value, said)
                if scope_unclear(p, at, first.value, first.end) or of_another_element(first.value, rest.value):
                    continue
                apart = torn(p, at, first.value, after, rest.value) if joined else 0.0
                apart += of_what_is_inside(p, first.value, first.end)
                yield Found(rest.end, condition, first.cost + rest.cost + apart)


@rule
def alternatives(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Modifiers with `or` between them, `neither ... nor`, or one."""
    start = _joint(p, at)
    for opening in {at, start, *(i for i in range(at, start) if p.word(i) in english.MOTION)}:
        unsaid = passed_over(p, at, opening)
        for said in modifier(p, opening, entity):
            first = Found(said.end, said.value, said.cost + unsaid)
            yield first
            if p.word(first.end) in english.OR - {"nor"}:
                for other in alternatives(p, first.end + 1, entity):
                    found = either(in_one_unit(p.entity(entity), first.value, other.value))
                    clear = p.word(opening) == "either" or not differ(found) or not after_and(p, opening)
                    if clear:  # "A and B or C" is anybody's guess
                        apart = torn(p, opening, first.value, first.end + 1, other.value)
                        apart += of_another_date(p, entity, first.value, first.end + 1, other.value)
                        yield Found(other.end, found, first.cost + other.cost + 0.1 + apart)
        if not after_and(p, opening):
            for listed in _listed(p, opening, entity):
                yield Found(listed.end, listed.value, listed.cost + unsaid)
        yield from _bracketed(p, opening, entity)


def says_a_condition(p: Parse, at: int, end: int) -> bool:
    """Whether words that mostly say nothing are a value, a condition or a flag of the catalog: `available`."""
    said = (one for i in range(at, end) for one in p.lexemes[i] if one.end <= end and one.cost < INFLECTED)
    return any(isinstance(one.payload, ConditionWord) or (isinstance(one.payload, ValueWord) and one.payload.closed)
               or (isinstance(one.payload, FieldWord) and one.payload.ref.kind is FieldKind.BOOLEAN) for one in said)


def passed_over(p: Parse, at: int, end: int) -> float:
    """Return the cost of ignoring words that the catalog knows: `made yesterday`, `still available`."""
    if end > at and says_a_condition(p, at, end):
        return UNSAID
    if any(one.payload.ref.is_number and not one.cost for i in range(at, end) for one in p.starting(i, FieldWord)):
        return UNSAID  # `total`, where there is one, is a number that is asked for
    dates = (lexeme for i in range(at, end) for lexeme in p.starting(i, FieldWord)
             if lexeme.payload.ref.kind is FieldKind.DATE and lexeme.cost < INFLECTED)
    moving = any(p.word(i) in english.MOTION for i in range(at, end)) and bool(p.starting(end, ValueWord))
    return PASSED_OVER if moving or any(True for _ in dates) else 0.0


def _joint(p: Parse, at: int) -> int:
    """After the words that only connect: commas, `and`, `that are still`."""
    while at < p.end:
        word = p.word(at)
        if end := next(p.phrases(at, _THERE), None) or next(p.phrases(at, _ONES), None):
            at = end
        elif (word in _JOINTS or word in english.AND or word in english.RELATIVE_PRONOUNS or word in CONNECTING
              or (word in POSSESSING and (p.word(at + 1) in _CONNECTED or p.word(at + 1) in english.NEGATIONS))):
            at += 1
        elif p.phrase(at, "as", "well", "as"):
            at += 3
        else:
            break
    return at


@rule
def modifier(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """One modifier, perhaps denied."""
    start = _connected(p, at)
    if p.word(start) in english.NEGATIONS:
        inner = _connected(p, start + 1)
        for begin in {start + 1, inner}:
            for one in _one(p, begin, entity):
                if p.word(one.end) == "by" and any(True for _ in conditions.said_of(p, one.end, entity)):
                    continue  # what was not paid by cash may well be paid
                yield Found(one.end, negation(one.value), one.cost)
                if p.word(one.end) in english.OR and p.word(one.end + 1) not in english.PREPOSITIONS:
                    for other in _one(p, one.end + 1, entity):  # "not starred or locked": neither, or one of both
                        yield Found(other.end, negation(either((one.value, other.value))), one.cost + other.cost + 0.1)
        if p.word(start) == "never" or is_participle(p.word(p.past(inner, ("yet", "been")))):
            yield from never(p, inner, entity)
    for begin in range(at, start + 1):
        # What connects may be the beginning of something known: `that are at sea`.
        meant = p.word(begin) in english.MOTION or (begin < start and says_a_condition(p, begin, begin + 1))
        if begin in (at, start) or meant or any(one.end > begin + 1 for one in p.lexemes[begin]):
            unsaid = passed_over(p, at, begin)
            for one in _one(p, begin, entity):
                yield Found(one.end, one.value, one.cost + unsaid)
                if p.word(one.end) == "ones" and p.word(one.end + 1) in ("only", ""):
                    yield Found(one.end + 1, one.value, one.cost + unsaid)  # `contracts in Legal, signed ones only`
    if p.word(start) == "but" and start and _leaves_out(p, start):
        yield from _except(p, start + 1, entity)
    for end in p.phrases(start, english.EXCEPT):
        yield from _except(p, end, entity)


def _leaves_out(p: Parse, at: int) -> bool:
    """Whether `but` means `except`: after `anything`, or before another kind (`all documents but contracts`)."""
    if p.word(at - 1) in words("anything everything all nothing any"):
        return True
    return any(kind_in_plural(p, one.end, one.payload.ref) for one in p.starting(p.articles(at + 1), ValueWord))


def _connected(p: Parse, at: int) -> int:
    """After `that were still`, `which has been`."""
    end = p.past(at, english.RELATIVE_PRONOUNS | CONNECTING)
    while p.word(end) in POSSESSING and (p.word(end + 1) in _CONNECTED or p.word(end + 1) in english.NEGATIONS):
        end = p.past(end + 1, CONNECTING)
    return end


def _one(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    if at < p.end:
        for read in RULES:
            yield from read(p, at, entity)


def _except(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`except the PDFs`, `other than drafts`, `excluding X.pdf`, `but not in Archive`."""
    for one in modifier(p, p.articles(at), entity):
        yield Found(one.end, negation(one.value), one.cost)
    for phrase in nested.noun_phrase(p, at):
        others = (noun for i in range(at, phrase.end) for noun in p.starting(i, EntityWord))
        if any(noun.payload.entity != entity for noun in others):
            continue  # a kind of its own, which no condition leaves out
        if phrase.value.where is not None and phrase.value.all_such:
            narrowed = isinstance(phrase.value.where, tree.And)  # "all but contracts in Legal" may speak of Legal alone
            yield Found(phrase.end, negation(phrase.value.where), phrase.cost + (0.3 if narrowed else 0.1))
    for name in named(p, at, entity):
        unknown = p.quoted(name.end - 1) is not None and not p.lexicon.named(name.value.text)  # a text, not a thing
        if name.value.text and not unknown:
            different = compare(path("id"), "!=", lookup(entity, name.value.text))
            if p.entity(entity).id is not None:
                yield Found(name.end, different, name.cost + 0.2)


def _listed(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that are starred, locked, or over 2 MB`: after their verb, one `or` joins all of a list."""
    if at and p.word(at - 1) in english.COPULAS:
        yield from _rest_of_list(p, at, entity)


def _bracketed(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    if p.word(at) == "(":
        for one in modifiers(p, at + 1, entity):
            if p.word(one.end) == ")":
                yield Found(one.end + 1, one.value, one.cost)


@rule
def _rest_of_list(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    for first in modifier(p, at, entity):
        after = p.past(first.end, (",",))
        if after == first.end:
            continue
        for last in modifier(p, after, entity):
            end = p.past(last.end, (",",))
            for other in modifier(p, end + 1, entity) if p.word(end) in english.OR - {"nor"} else ():
                listed = either((first.value, last.value, other.value))
                yield Found(other.end, listed, max(0.0, first.cost + last.cost + other.cost - _OF_ONE_LIST))
        for rest in _rest_of_list(p, after, entity):
            yield Found(rest.end, either((first.value, rest.value)), first.cost + rest.cost)
