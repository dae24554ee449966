"""When and where most of it happens: `on which weekday are most files uploaded`, `which app do most come from`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.asked_fields import date_of_the_verb, parts_of
from qlc.translator.rules.questions.rankings import first_row
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_LEADING = words("on in at during from of for by under")
_EXTREMES = {"most": True, "fewest": False, "least": False}


@rule
def busiest(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Groups in the order of how many things fall into them; the first of them where one is asked for."""
    start = at + 1 if p.word(at) in _LEADING else at
    if p.word(start) not in ("which", "what"):
        return
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for by in group(p, start + 1, entity):
            limit = None if p.plural(by.end) else 1
            of: list[Found[Condition | None]] = [Found(by.end, None, 0.0)]
            if by.value.function is not None:  # "which month of 2024"
                of += [Found(*one) for one in modifiers(p, by.end, entity.name)]
            for narrowed in of:
                verb = p.past(narrowed.end, english.COPULAS | english.AUXILIARIES)
                if verb == narrowed.end:
                    continue
                for end, things, grouped, descending, cost in _happening(p, verb, by.value, entity):
                    row = first_row(p, things.also(narrowed.value), COUNT, grouped, descending, limit)
                    yield Found(end, row, by.cost + narrowed.cost + cost + 0.05)


def _happening(
    p: Parse, at: int, by: tree.Group, entity: Entity
) -> Iterator[tuple[int, NounPhrase, tree.Group, bool, float]]:
    """`most files uploaded`, `the fewest W2s created`, `files uploaded most often`."""
    for begin, dated in ((at, by), *_we_did(p, at, by, entity)):
        extreme = p.past(begin, ("the",))
        if p.word(extreme) not in _EXTREMES:
            continue
        first = p.past(extreme + 1, words("of our the my all"))
        for start in {first, first + 1} if p.word(first) == "new" and not p.lexemes[first] else {first}:
            for things in noun_phrase(p, start):
                if _plain(things.value, entity):
                    begun = at - 1 if begin == at else p.end
                    for end, grouped in _done(p, things.end, begun, dated, entity):
                        yield end, things.value, grouped, _EXTREMES[p.word(extreme)], things.cost
    for things in noun_phrase(p, at):
        for end, grouped in _done(p, things.end, at - 1, by, entity) if _plain(things.value, entity) else ():
            last = p.past(end, ("the",))
            if p.word(last) in _EXTREMES and (p.word(last) == "most" or things.value.where is None):
                finish = p.past(last + 1, ("often", "frequently"))
                yield finish, things.value, grouped, _EXTREMES[p.word(last)], things.cost


_GETTING = phrases(
    "(take | takes | took | taken | bring | brought) (on | in) | get | got | have | had | see | saw | seen | receive | "
    "received | make | made | add | added | produce | produced | write | written | issue | issued"
)
"""What somebody does by whom there is something new."""


def _we_did(p: Parse, at: int, by: tree.Group, entity: Entity) -> Iterator[tuple[int, tree.Group]]:
    """Behind `we take on`, of `in what year did we take on the most contracts`; what was signed is dated by that."""
    verb = p.past(at, words("we i they people"))
    if verb == at or by.function is None:
        return
    for date in date_of_the_verb(entity, p.word(verb)):
        yield verb + 1, replace(by, path=path(*date.path))
        return
    for end in p.phrases(verb, _GETTING):
        yield end, by


def _plain(phrase: NounPhrase, entity: Entity) -> bool:
    return phrase.entity == entity.name and phrase.fixed is None and phrase.limit is None and not phrase.sort


def _done(p: Parse, at: int, begun: int, by: tree.Group, entity: Entity) -> Iterator[tuple[int, tree.Group]]:
    """Behind the verb, where one stands here: that of the date which is grouped by, or one of the field's own words."""
    if p.word(begun) not in ("do", "does", "did"):  # "do most files come from" is not over before its verb
        yield at, by
    verb = p.past(at, english.COPULAS | english.AUXILIARIES)
    if not p.word(verb):
        return
    end = verb + 1
    if by.function is not None:
        for date in date_of_the_verb(entity, p.word(verb)):
            yield end, replace(by, path=path(*date.path))
        return
    one = entity.fields.get(by.path.segments[0].name.text)
    own = parts_of(FieldRef((one.name,), one)) if one is not None else set()
    if stem(p.word(verb)) in {stem(part) for part in own}:
        yield p.past(end, ("from", "in", "by", "on", "with", "to")), by
