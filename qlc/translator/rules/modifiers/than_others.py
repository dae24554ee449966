"""What is compared in more than one word: `on the same day as X`, `with more pages than X`, `created or owned by X`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, compare, either, negation, path
from qlc.translator.rules.conditions import default_number, is_number, list_fields, values, values_condition
from qlc.translator.rules.lexicon.lexemes import FieldWord, ValueWord, has_field
from qlc.translator.rules.modifiers.elements import one_element
from qlc.translator.rules.modifiers.people import ACCESS
from qlc.translator.rules.modifiers.relative import as_it_does, is_one
from qlc.translator.rules.nouns.degrees import degrees, is_rank
from qlc.translator.rules.nouns.names import named
from qlc.translator.rules.nouns.references import anything, member_of, verbs
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import MORE_OR_LESS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

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
    from qlc.translator.rules.nouns.noun_phrases import bare_noun

    own = p.entity(entity)
    for end, operator, dimension in _compared_with(p, at):
        function = _AVERAGES.get(p.word(end))
        for noun in bare_noun(p, end + 1) if function is not None else ():
            phrase = noun.value
            if phrase.entity != entity or phrase.fixed is not None or phrase.limit is not None or phrase.sort:
                continue
            said = [
                (word.end, word.payload.ref)
                for word in p.starting(noun.end, FieldWord)
                if is_number(word.payload.ref) and has_field(own, word.payload.ref)
            ]
            fields = degrees(own, dimension, True) if dimension else []
            usual = default_number(own) if not dimension else None
            chosen = [ref for ref, _ in fields] if len(fields) == 1 else [usual] if usual is not None else []
            for finish, ref in said or [(noun.end, one) for one in chosen]:
                assert function is not None
                measure = tree.Measure(function, path(*ref.path))
                whole = tree.Subquery(tree.Aggregate((measure,), tree.Name(own.plural), phrase.where))
                yield Found(finish, compare(path(*ref.path), operator, whole), noun.cost + 0.1)


def _compared_with(p: Parse, at: int) -> Iterator[tuple[int, tree.ComparisonOperator, str]]:
    """Behind `larger than the`, `above the`: how it is compared, and by which dimension where an adjective says so."""
    word = p.word(at)
    more = english.MORE_ADJECTIVES.get(word)
    dimension = more or english.LESS_ADJECTIVES.get(word)
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
