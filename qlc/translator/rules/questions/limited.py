"""What a question is limited to, said behind it: `average fee by town, only paid visits`, `..., but only in 2024`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.names import find_entity
from qlc.translator.rules.build import both
from qlc.translator.rules.modifiers.sequences import modifiers
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases

_ONLY = phrases(
    "[,] [and | but] (only | just) [for | of | among | counting | considering | from] [the | those | these] | "
    "[,] (limited | restricted) to [the | those | these] | "
    "[,] (counting | considering) (only | just) [the | those | these]"
)


def limited_to(p: Parse, one: Found[Statement]) -> Iterator[Found[Statement]]:
    """A table, a number or a list that is said to be of some of its things only."""
    statement = one.value
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name) or one.end >= p.end:
        return
    entity = find_entity(p.schema, statement.entity.text)
    for end in p.phrases(one.end, _ONLY) if entity is not None else ():
        assert entity is not None
        for rest in _which(p, end, entity.name):
            limited = both(statement.where, rest.value)
            if limited != statement.where:
                yield Found(rest.end, replace(statement, where=limited), one.cost + rest.cost + 0.05)


def _which(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Conditions by themselves, or with the noun for the things: `in 2024`, `visits that were paid`."""
    yield from modifiers(p, p.past(at, english.RELATIVE_PRONOUNS), entity)
    for things in noun_phrase(p, at):
        phrase = things.value
        plain = phrase.fixed is None and phrase.limit is None and not phrase.sort
        if plain and phrase.headed and phrase.entity == entity and phrase.where is not None:
            yield Found(things.end, phrase.where, things.cost)
