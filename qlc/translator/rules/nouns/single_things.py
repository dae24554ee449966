"""Read single documents: by name, by reference, or as the first of an order."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.translator.rules.nested import as_value
from qlc.translator.rules.nouns.names import entity_words, named
from qlc.translator.rules.nouns.noun_phrases import name_cost, noun_phrase
from qlc.translator.rules.nouns.references import related
from qlc.translator.rules.parse import Found, Parse


def single_things(p: Parse, at: int) -> Iterator[Found[tree.Value]]:
    start = p.articles(at)
    several = any(p.word(i) in ("all", "any", "every", "each", "some") for i in range(at, start))
    for entity in () if several else p.things:
        for name in named(p, start, entity.name):
            if name.value.text:
                ends = (end for back in (1, 2) for end in entity_words(p, max(0, name.end - back), entity.name))
                said = any(True for _ in entity_words(p, start, entity.name)) or name.end in ends
                value = name.value.value
                base = tree.EntityLookup(tree.Name(entity.name), value) if isinstance(value, tree.String) else value
                yield Found(name.end, base, name.cost + name_cost(p, entity, name.value.text, said=said) - 0.4)
    for entity in p.things:
        for relation in related(p, at, entity.name):
            if isinstance(relation.value.value, tree.Member | tree.Subquery):
                yield Found(relation.end, relation.value.value, relation.cost + (0.2 if entity.kinds else 0.0))
    for phrase in noun_phrase(p, at):
        if phrase.value.limit == 1 and (value_of := as_value(p, phrase.value)) is not None:
            yield Found(phrase.end, value_of, phrase.cost)


def entity_of(p: Parse, value: tree.Value) -> str | None:
    """The entity of a single thing, where its value says it."""
    match value:
        case tree.EntityLookup():
            return value.entity.text
        case tree.Subquery(statement=tree.Find(entity=tree.Name() as entity)):
            return next((e.name for e in p.schema.entities.values() if entity.text in (e.plural, e.name)), None)
        case _:
            return None
