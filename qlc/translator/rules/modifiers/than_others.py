"""What is compared with all such things: `larger than the average document`, `invoices above average`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import default_number, is_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.nested import NounPhrase, nested
from qlc.translator.rules.nouns.degrees import degrees, paid_as_well
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import MORE_OR_LESS
from qlc.translator.rules.words import english

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
    """The things whose average is meant: those named after it (`the average invoice`); where none are, those that
    the comparison is said of (`invoices that are bigger than the average`)."""
    def plain(phrase: NounPhrase) -> bool:
        return phrase.entity == entity and phrase.plain

    named_behind = [one for one in nested.bare_noun(p, behind) if plain(one.value)]
    yield from named_behind
    if named_behind or not _nothing_named(p, behind):
        return
    ends = {at}
    while at and p.word(at - 1) in english.COPULAS | english.RELATIVE_PRONOUNS:
        at -= 1
        ends.add(at)
    for start in range(max(0, at - _LONGEST_NOUN), at):
        found = (one for one in nested.bare_noun(p, start) if one.end in ends and plain(one.value))
        before = [one for one in found if one.value.headed]
        if before:
            yield from (one._replace(end=p.past(behind, ("one", "ones"))) for one in before)
            return


_LONGEST_NOUN = 6


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
    """After `larger than the`, `above the`: how it is compared, and by which dimension where an adjective says so."""
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
