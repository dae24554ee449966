"""Several modifiers after one another. `RULES` read one, each a function of the parse, a place and the entity."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, compare, either, lookup, negation, path
from qlc.translator.rules.conditions import in_one_unit
from qlc.translator.rules.constructions import conditions
from qlc.translator.rules.lexicon.lexemes import INFLECTED, ConditionWord, EntityWord, FieldWord, ValueWord
from qlc.translator.rules.modifiers import directions, elements, named_ones, place, scope
from qlc.translator.rules.modifiers.events import never
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import kind_in_plural, named
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words

_OF_ONE_LIST = 0.2


_CONNECTED = scope.CONNECTING - {"at"}  # what has at least one
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
UNSAID = 0.6
"""Cost of leaving out a condition that words express."""
RULES: tuple[Callable[[Parse, int, str], Iterator[Found[Condition]]], ...] = (
    *conditions.RULES, *place.RULES, *directions.RULES, *elements.RULES, *named_ones.RULES,
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
                said = scope.bound_alike(p, first.value, after, rest.value, entity) if joined else rest.value
                condition = both(first.value, said)
                if scope.scope_unclear(p, at, first.value, first.end) or scope.of_another_element(
                    first.value, rest.value
                ):
                    continue
                apart = scope.torn(p, at, first.value, after, rest.value) if joined else 0.0
                apart += scope.of_what_is_inside(p, first.value, first.end)
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
                    clear = p.word(opening) == "either" or not scope.differ(found) or not scope.after_and(p, opening)
                    if clear:  # "A and B or C" is anybody's guess
                        apart = scope.torn(p, opening, first.value, first.end + 1, other.value)
                        apart += scope.of_another_date(p, entity, first.value, first.end + 1, other.value)
                        yield Found(other.end, found, first.cost + other.cost + 0.1 + apart)
        if not scope.after_and(p, opening):
            for listed in _listed(p, opening, entity):
                yield Found(listed.end, listed.value, listed.cost + unsaid)
        yield from _bracketed(p, opening, entity)


def says_a_condition(p: Parse, at: int, end: int) -> bool:
    """Whether words that mostly say nothing are a value, a condition or a flag of the catalog: `available`."""
    said = (one for i in range(at, end) for one in p.lexemes[i] if one.end <= end and one.cost < INFLECTED)
    return any(
        isinstance(one.payload, ConditionWord)
        or (isinstance(one.payload, ValueWord) and one.payload.closed)
        or (isinstance(one.payload, FieldWord) and one.payload.ref.kind is FieldKind.BOOLEAN)
        for one in said
    )


def passed_over(p: Parse, at: int, end: int) -> float:
    """Return the cost of ignoring words that the catalog knows: `made yesterday`, `still available`."""
    if end > at and says_a_condition(p, at, end):
        return UNSAID
    if any(one.payload.ref.is_number and not one.cost for i in range(at, end) for one in p.starting(i, FieldWord)):
        return UNSAID  # `total`, where there is one, is a number that is asked for
    dates = (
        lexeme
        for i in range(at, end)
        for lexeme in p.starting(i, FieldWord)
        if lexeme.payload.ref.kind is FieldKind.DATE and lexeme.cost < INFLECTED
    )
    moving = any(p.word(i) in english.MOTION for i in range(at, end)) and bool(p.starting(end, ValueWord))
    return PASSED_OVER if moving or any(True for _ in dates) else 0.0


def _joint(p: Parse, at: int) -> int:
    """After the words that only connect: commas, `and`, `that are still`."""
    while at < p.end:
        word = p.word(at)
        if end := next(p.phrases(at, _THERE), None) or next(p.phrases(at, _ONES), None):
            at = end
        elif (
            word in _JOINTS
            or word in english.AND
            or word in english.RELATIVE_PRONOUNS
            or word in scope.CONNECTING
            or (word in scope.POSSESSING and (p.word(at + 1) in _CONNECTED or p.word(at + 1) in english.NEGATIONS))
        ):
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
                if _torn_from_its_means(p, one.end, entity):
                    continue
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


def _torn_from_its_means(p: Parse, at: int, entity: str) -> bool:
    """Whether `by cash` follows: what was not paid by cash may well be paid."""
    return p.word(at) == "by" and any(True for _ in conditions.said_of(p, at, entity))


def _leaves_out(p: Parse, at: int) -> bool:
    """Whether `but` means `except`: after `anything`, or before another kind (`all documents but contracts`)."""
    if p.word(at - 1) in words("anything everything all nothing any"):
        return True
    return any(kind_in_plural(p, one.end, one.payload.ref) for one in p.starting(p.articles(at + 1), ValueWord))


def _connected(p: Parse, at: int) -> int:
    """After `that were still`, `which has been`."""
    end = p.past(at, english.RELATIVE_PRONOUNS | scope.CONNECTING)
    while p.word(end) in scope.POSSESSING and (p.word(end + 1) in _CONNECTED or p.word(end + 1) in english.NEGATIONS):
        end = p.past(end + 1, scope.CONNECTING)
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

