"""What things are grouped by where a sentence says it of them: `of each`, `spread over`, `who uploads most`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.clauses import group, groups
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Found, Parse, begins, needs, rule
from qlc.translator.rules.questions.aggregates import aggregate, first_with, grouped
from qlc.translator.rules.questions.counts import counted
from qlc.translator.rules.questions.measures import measured
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words
from qlc.base.units import find_unit

_ROOM = phrases("[disk | storage] (storage | space)")
_TAKING = words(
    "use uses used using take takes took taken taking up occupy occupies occupied consume consumes have has hold holds "
    "own owns need needs contain contains"
)
_EACH = phrases("(for | of | in | from | by | to) (each | every) | per | each | for all")
_LEADING = words("on in at during from of for by under")
_EXTREMES = {"most": True, "fewest": False, "least": False}
_ANYTHING = words("anything something things stuff")
_HOW_OFTEN = phrases("how (often | many times) (was | has | is | were | have | did)")


@rule
@needs(_ROOM, words("how"))
def of_each(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how much storage does each owner use`, `how many pages has each vendor`, `space used per folder`."""
    if p.word(at) == "how" and p.word(at + 1) in ("much", "many"):
        for end, ref, entity in _amounts(p, at + 2):
            auxiliary = p.past(end, english.AUXILIARIES | english.COPULAS | {"used", "by"})
            if auxiliary > end and p.word(auxiliary) in ("each", "every"):
                for by in group(p, auxiliary + 1, entity):
                    total = aggregate(p, NounPhrase(entity.name), (tree.Measure("sum", ref.left),), (by.value,))
                    yield Found(p.past(by.end, _TAKING), total, by.cost + 0.05)
                continue
            for things in noun_phrase(p, p.articles(auxiliary)) if auxiliary > end else ():
                plain = things.value.plain
                if plain and things.value.where is not None and ref.belongs_to(p.entity(things.value.entity)):
                    after = p.past(things.end, _TAKING | words("in total together altogether overall all"))
                    if after > things.end:
                        measure = tree.Measure("sum", ref.left)
                        yield Found(after, aggregate(p, things.value, (measure,)), things.cost + 0.1)
    start = p.past(at, words("the total what is 's show me give"))
    for end, ref, entity in _room(p, start):
        things = Found(p.past(end, words("used taken up occupied")), NounPhrase(entity.name), 0.0)
        yield from grouped(p, things, (tree.Measure("sum", ref.left),))


def _amounts(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    for lexeme in p.starting(at, FieldWord):
        entity = first_with(p, lexeme.payload.ref)
        if lexeme.payload.ref.is_number and lexeme.payload.ref.within is None and entity is not None:
            yield lexeme.end, lexeme.payload.ref, entity
    yield from _room(p, at)


def _room(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    """`storage`, `disk space`: what things take up, where they have a size in bytes."""
    for end in p.phrases(at, _ROOM):
        for entity in p.things:
            sizes = fields_of_dimension(entity, "size")
            unit = find_unit(sizes[0].field.unit or "") if len(sizes) == 1 else None
            if unit is not None and unit.dimension == "size":
                yield end, sizes[0], entity
                return


@rule
@begins(_EACH)
def groups_first(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`for each owner, how many folders`, `per vendor the total amount`."""
    for end in p.phrases(at, _EACH):
        for entity in p.things:
            for by in groups(p, end, entity):
                after = p.past(by.end, words(", : - – the show me give tell"))
                for form in (counted, measured):
                    for one in form(p, after):
                        if isinstance(one.value, tree.Aggregate) and _of(one.value, entity):
                            yield Found(one.end, replace(one.value, groups=by.value), one.cost + by.cost + 0.05)


def _of(rows: tree.Aggregate, entity: Entity) -> bool:
    """Whether numbers are of things of an entity, and in no groups yet."""
    return not rows.groups and rows.entity.text == entity.plural


def _plain(phrase: NounPhrase, entity: Entity) -> bool:
    return phrase.entity == entity.name and phrase.plain


FORMS = (of_each, groups_first)
