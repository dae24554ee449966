"""People asked for by what happened to them: the records that are of them answer (`patients admitted since Sunday`)."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.lexemes import EntityWord, FieldRef, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.referring import only_reference
from qlc.translator.rules.nouns import NounPhrase, find
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import words
from qlc.translator.rules.premodifiers import Before, before
from qlc.translator.rules.references import verbs

UNSURE = 0.2
_AT_PRESENT = words("now currently presently moment still")


@rule
def people(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`patients admitted since Sunday`, `who was discharged yesterday`: the records that are of such people."""
    if any(p.word(i) in _AT_PRESENT for i in range(at, p.end)):
        return  # which records are of today is not said
    if p.word(at) == "who" and p.word(at + 1) in english.COPULAS | english.AUXILIARIES | {"came"}:
        for entity, ref in _of_people(p):
            for said in modifiers(p, at + 1, entity.name):
                if not _doing(p, at + 1, said.end, ref):
                    yield Found(said.end, find(p, NounPhrase(entity.name, said.value)), said.cost + UNSURE)
        return
    start = p.past(at, words("which what all the of"))
    for leading in before(p, start, Before()):
        said_before = leading.value
        if said_before.limit is not None or said_before.degree is not None or said_before.sort is not None:
            continue
        for noun in p.starting(leading.end, EntityWord):
            for entity, ref in _of_people(p):
                if ref.target == noun.payload.entity and p.plural(noun.end):
                    found = Found(noun.end, said_before, leading.cost + noun.cost + UNSURE)
                    yield from _records(p, found, entity, ref)


def _records(p: Parse, people: Found[Before], entity: Entity, ref: FieldRef) -> Iterator[Found[Statement]]:
    phrase: NounPhrase | None = NounPhrase(entity.name)
    for field, condition in people.value.conditions:
        fits = field is None or has_field(entity, field)
        phrase = phrase.also(condition) if phrase is not None and fits else None
    if phrase is None or people.value.names or any(c not in entity.conditions for c in people.value.named_conditions):
        return
    if phrase.where is not None:
        yield Found(people.end, find(p, phrase), people.cost)
    for said in modifiers(p, people.end, entity.name):
        if not _doing(p, people.end, said.end, ref):
            yield Found(said.end, find(p, phrase.also(said.value)), people.cost + said.cost)


def _of_people(p: Parse) -> Iterator[tuple[Entity, FieldRef]]:
    """Things that are of one person each, who does nothing in them: the field is called as the people are."""
    for entity in p.schema.entities.values():
        for target in p.schema.entities.values() if not entity.virtual else ():
            ref = only_reference(entity, target.name) if target.virtual else None
            if ref is None or ref.field.name != target.name:
                continue
            if not any(one.casefold().split()[-1] == "by" for one in ref.field.words):
                yield entity, ref


def _doing(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether a verb between here and there is what these people do."""
    return any(True for i in range(at, end) for _ in verbs(p, i, ref.target or ""))
