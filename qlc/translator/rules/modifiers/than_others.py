"""What is compared in more than one word: `on the same day as X`, `with more pages than X`, `created or owned by X`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, either, negation, path
from qlc.translator.rules.conditions import default_number, is_number, list_fields, values, values_condition
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, ValueWord, has_field
from qlc.translator.rules.modifiers.elements import one_element
from qlc.translator.rules.modifiers.people import ACCESS
from qlc.translator.rules.modifiers.relative import as_it_does, is_one
from qlc.translator.rules.nouns.degrees import degrees, is_rank, paid_as_well
from qlc.translator.rules.nouns.names import named
from qlc.translator.rules.nouns.references import anything, member_of, verbs
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import MORE_OR_LESS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

if TYPE_CHECKING:
    from qlc.translator.rules.nouns.noun_phrases import NounPhrase

_MORE = words("more higher greater larger bigger longer")
_LESS = words("less fewer lower smaller shorter")


def with_more_than(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`with more pages than X`, `with a larger amount than X`: the same number of another thing."""
    start = p.past(at, words("with that which have has having a an the"))
    if p.word(start) not in _MORE | _LESS or start == at:
        return
    operator: tree.ComparisonOperator = ">" if p.word(start) in _MORE else "<"
    numbers = [(one.end, one.payload.ref, one.cost) for one in p.starting(start + 1, FieldWord)]
    numbers += [(start + 2, ref, 0.0) for ref in p.lexicon.counting(p.word(start + 1))]  # `more documents than X`
    for end, ref, cost in numbers:
        own = is_number(ref) and ref.within is None and has_field(p.entity(entity), ref) and not is_rank(ref)
        for other in anything(p, end + 1, ref.path[0]) if own and p.word(end) == "than" else ():
            if is_one(other.value) and (found := member_of(other.value, ref)) is not None:
                for finish in (other.end, *as_it_does(p, other.end)):
                    yield Found(finish, compare(path(*ref.path), operator, found), cost + other.cost)


_SAME_PERIOD = phrases("[on | in | during] [the] [very] same (day | week | month | quarter | year) (as | of | with)")


def in_the_same_period(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`created on the same day as X`, `due in the same month as X`."""
    for lexeme in p.starting(at, FieldWord):
        ref = lexeme.payload.ref
        if ref.kind is not FieldKind.DATE or ref.within is not None or not has_field(p.entity(entity), ref):
            continue
        for end in p.phrases(lexeme.end, _SAME_PERIOD):
            unit = cast("tree.CalendarUnit", p.word(end - 2))
            for other in anything(p, end, ref.path[0]):
                found = member_of(other.value, ref) if is_one(other.value) else None
                if found is not None:
                    period = tree.PeriodOf(unit, found)
                    yield Found(other.end, compare(path(*ref.path), "=", period), lexeme.cost + other.cost)


def of_two_deeds(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`created or edited by Omar`, `neither created nor owned by Ann`: both verbs are of the same people."""
    neither = p.word(at) == "neither"
    start = at + neither
    own = p.entity(entity)
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for link, first in verbs(p, start, target.name):
            if p.word(link) not in english.AND | english.OR or not has_field(own, first):
                continue
            for verb in p.starting(link + 1, FieldWord):
                second = verb.payload.ref
                people = verb.payload.tail == "by" and second.target == target.name and second.within is None
                if not people or second.path == first.path or not has_field(own, second):
                    continue
                for who in values(p, verb.end, second):
                    parts = [values_condition(ref, *who.value) for ref in (first, second)]
                    joined = either(parts) if p.word(link) in english.OR else both(*parts)
                    if joined is not None:
                        yield Found(who.end, negation(joined) if neither else joined, verb.cost + who.cost)


_SEEN_BY = phrases("(visible | accessible | available | open | viewable | readable) (to | for | by)")


def visible_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`visible to the Finance Team`, `open to anyone with the link`: who has access, by a list or by a value."""
    own = p.entity(entity)
    for end in p.phrases(at, _SEEN_BY):
        for word in p.starting(p.articles(end), ValueWord):
            ref = word.payload.ref
            if word.payload.closed and ref.within is None and has_field(own, ref):
                for several in values(p, end, ref):
                    yield Found(several.end, values_condition(ref, *several.value), several.cost + 0.1)
        for many in own.lists.values():
            if not ACCESS & {word for one in many.fields.values() for word in one.words}:
                continue
            for ref in list_fields(own, many.name):
                for who in named(p, end, ref.target) if ref.target is not None else ():
                    theirs = compare(path(ref.path[-1]), "=", who.value.value)
                    yield Found(who.end, one_element(many.name, (theirs,)), who.cost + 0.1)


_AVERAGES: dict[str, tree.MeasureFunction] = {"average": "avg", "mean": "avg", "median": "median"}


def than_the_average(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`larger than the average document`, `above the average invoice amount`: than a number of all such things."""
    own = p.entity(entity)
    for end, operator, dimension in _compared_with(p, at):
        function = _AVERAGES.get(p.word(end))
        for noun in _all_such(p, at, end + 1, entity) if function is not None else ():
            said = [
                (word.end, word.payload.ref, 0.0)
                for word in p.starting(noun.end, FieldWord)
                if is_number(word.payload.ref) and has_field(own, word.payload.ref)
            ]
            meant = [(noun.end, ref, unsure) for ref, unsure in _numbers_meant(p, own, dimension)]
            for finish, ref, unsure in said or meant:
                assert function is not None
                measure = tree.Measure(function, path(*ref.path))
                whole = tree.Subquery(tree.Aggregate((measure,), tree.Name(own.plural), noun.value.where))
                yield Found(finish, compare(path(*ref.path), operator, whole), noun.cost + unsure + 0.1)


def _all_such(p: Parse, at: int, behind: int, entity: str) -> Iterator[Found[NounPhrase]]:
    """The things whose average is meant: those named behind it (`the average invoice`); where none are, those that
    the comparison is said of (`invoices that are bigger than the average`)."""
    from qlc.translator.rules.nouns.noun_phrases import bare_noun

    def plain(phrase: NounPhrase) -> bool:
        chosen = phrase.fixed is not None or phrase.limit is not None or bool(phrase.sort)
        return phrase.entity == entity and not chosen

    named_behind = [one for one in bare_noun(p, behind) if plain(one.value)]
    yield from named_behind
    if named_behind or not _nothing_named(p, behind):
        return
    ends = {at}
    while at and p.word(at - 1) in english.COPULAS | english.RELATIVE_PRONOUNS:
        at -= 1
        ends.add(at)
    for start in range(max(0, at - _LONGEST_NOUN), at):
        before = [one for one in bare_noun(p, start) if one.end in ends and plain(one.value) and one.value.headed]
        if before:
            yield from (one._replace(end=p.past(behind, ("one", "ones"))) for one in before)
            return


_LONGEST_NOUN = 6
"""Words of the things that a comparison is said of."""


def _nothing_named(p: Parse, at: int) -> bool:
    """Whether what is average is left to the things before: nothing that is known of stands here."""
    return at >= p.end or p.word(at) in ("one", "ones") or not (p.lexemes[at] or p.word(at) in ("of", "for"))


def _numbers_meant(p: Parse, own: Entity, dimension: str) -> Iterator[tuple[FieldRef, float]]:
    """The numbers that are compared, and what each costs: the usual one where no adjective says which; of what has a
    size and an amount of money, as invoices, `bigger` may be said of both."""
    if not dimension:
        usual = default_number(own)
        yield from [(usual, 0.0)] if usual is not None else []
        return
    fields = [ref for ref, _ in degrees(own, dimension, True)]
    if len(fields) == 1:
        yield fields[0], 0.0
        for other in paid_as_well(p, own, fields[0]) if dimension == "size" else ():
            yield other, 0.1


def _compared_with(p: Parse, at: int) -> Iterator[tuple[int, tree.ComparisonOperator, str]]:
    """Behind `larger than the`, `above the`: how it is compared, and by which dimension where an adjective says so."""
    word = p.word(at)
    more = english.MORE_ADJECTIVES.get(word)
    dimension = more or english.LESS_ADJECTIVES.get(word)
    costing = english.MOST_ADJECTIVES.get(p.word(at + 1)) if word in ("more", "less") else None
    if costing is not None and costing not in english.OF_DATES and p.word(at + 2) == "than":
        yield p.articles(at + 3), ">" if word == "more" else "<", costing
        return
    if dimension is not None and dimension not in english.OF_DATES and p.word(at + 1) == "than":
        yield p.articles(at + 2), ">" if more else "<", "" if dimension == "number" else dimension
        return
    for table, operator in MORE_OR_LESS:
        for end in p.phrases(at, table):
            yield p.articles(end), operator, ""


THAN_OTHERS: tuple[Callable[[Parse, int, str], Iterator[Found[Condition]]], ...] = (
    with_more_than,
    than_the_average,
    in_the_same_period,
    of_two_deeds,
    visible_to,
)
