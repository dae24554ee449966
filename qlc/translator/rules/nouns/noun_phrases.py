"""Noun phrases: which things are spoken of, with everything that narrows, orders and limits them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, either, lookup, path, string
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, ThoseWord, ValueWord
from qlc.translator.rules.modifiers.sequences import modifiers
from qlc.translator.rules.nested import Before, NounPhrase
from qlc.translator.rules.nouns.compounds import COMPOUND, OF_RECORDS, by_their_records, is_a_means, nominal, singular
from qlc.translator.rules.nouns.degrees import degrees, measures, numbers_of_dimension, paid_as_well
from qlc.translator.rules.nouns.names import (
    Reference,
    entity_with,
    entity_words,
    hierarchical,
    like_a_file,
    named,
    only_reference,
    possession,
    widest,
)
from qlc.translator.rules.nouns.premodifiers import before
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import stem, words

_CLASSIFIERS = words(
    "forms form ones records record results items things one stuff entries entry rows row cases case instances "
    "instance occurrences occurrence"
)
_OF_ONE_KIND = words("form record result item thing entry row case instance occurrence")
"""Nouns in the singular, which no plural comes before: not `receipts form`."""
_GENERIC = words("anything everything something stuff things items all those ones whatever")
WIDER = 0.4  # cost of a word for some documents of an entity as a word for all of them
THOSE: Condition = tree.Bare(path("those spoken of before"))
"""Stands for the condition of the things that were spoken of before."""


@rule
def noun_phrase(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """`the 10 largest PDFs in Legal that are signed`."""
    for head in bare_noun(p, at):
        yield head
        if p.word(head.end) in (":", "=") and head.value.single and head.value.where is None:
            continue  # "folder: Legal" says which one
        for rest in modifiers(p, head.end, head.value.entity):
            yield Found(rest.end, head.value.also(rest.value), head.cost + rest.cost)


@rule
def bare_noun(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """The noun with what comes before it."""
    for leading in before(p, at, Before()):
        for head, entity, cost in _heads(p, leading.end, leading.value):
            single = singular(p, head) or (head == leading.end and not p.plural(head))
            headed = head > leading.end or leading.value.kind
            kind = leading.value.conditions[-1][1] if leading.value.kind else None
            narrower = _narrower(p, leading.end, head, entity) if head > leading.end else None
            for phrase, unsure in _phrases(p, leading.value, entity, single=single):
                found = Found(head, replace(phrase, headed=headed, kind=kind), leading.cost + cost + unsure)
                if narrower is not None:
                    yield found._replace(value=replace(found.value.also(narrower), kind=narrower))
                yield found._replace(cost=found.cost + (WIDER if narrower is not None else 0.0))
        for noun in nominal(p, leading.end) if leading.value.degree is None else ():
            entity, condition = noun.value
            for phrase, unsure in _phrases(p, leading.value, entity, single=False):
                cost = leading.cost + noun.cost + unsure
                yield Found(noun.end, replace(phrase.also(condition), headed=True), cost)
        for head, entity in _spoken_of(p, at, leading.end):
            ones = head > leading.end and p.tokens[head - 1].raw.casefold() in ("ones", "those", "these", "them")
            single = leading.value.degree is not None and not ones  # `the oldest one`, not `the oldest ones`
            for phrase, unsure in _phrases(p, leading.value, entity, single=single):
                yield Found(head, phrase.also(THOSE), leading.cost + unsure)


def _narrower(p: Parse, at: int, end: int, name: str) -> Condition | None:
    """`customers`, said of all parties, are those parties whose kind is customer, where a field says so."""
    entity = p.entity(name)
    said = p.word(end - 1)
    if said in (name, entity.plural) or name.startswith(stem(said)):
        return None  # `docs` are documents of any kind
    for one in p.starting(at, ValueWord):
        ref = one.payload.ref
        own = entity.fields.get(ref.path[0])
        if one.end != end or own is None or own.values is None or ref.within is not None:
            continue
        if one.payload.text in own.values.display and english.KINDS & {own.name, *own.words}:
            return ref.equals(string(one.payload.text))
    return None


def _spoken_of(p: Parse, start: int, at: int) -> Iterator[tuple[int, str]]:
    """Words for the things that were spoken of before; none where they can be left out."""
    for lexeme in p.starting(at, ThoseWord):
        yield lexeme.end, lexeme.payload.entity
    if start in p.unsaid and p.word(start) not in ("what", "whats"):  # "what's in it?" asks for all that is
        yield at, p.unsaid[start]


@rule
def several_kinds(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """Read kinds with conditions of their own: `pdfs over 1 MB or images over 5 MB`; the last may be of both."""
    for first in noun_phrase(p, at):
        if not _joinable(first.value):
            continue
        link = p.past(first.end, (",",))
        if p.word(link) not in english.OR and p.word(link) not in english.AND - words("but yet"):
            continue
        bare = any(one == first for one in bare_noun(p, at))
        for second in bare_noun(p, link + 1):
            if not _joinable(second.value) or second.value.entity != first.value.entity:
                continue
            if bare and not isinstance(first.value.where, tree.And) and not isinstance(second.value.where, tree.And):
                continue  # "photos and videos": what follows is of both
            joined = _either_of(first.value, second.value)
            cost = first.cost + second.cost + 0.05
            yield Found(second.end, joined, cost)
            for rest in modifiers(p, second.end, second.value.entity):
                yield Found(rest.end, _either_of(first.value, second.value.also(rest.value)), cost + rest.cost)
                if bare:
                    yield Found(rest.end, joined.also(rest.value), cost + rest.cost)


def _joinable(phrase: NounPhrase) -> bool:
    plain = phrase.plain
    return phrase.headed and plain and phrase.where is not None


def _either_of(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    assert first.where is not None
    assert second.where is not None
    return replace(first, where=either((first.where, second.where)), single=False)


def _heads(p: Parse, at: int, before: Before) -> Iterator[tuple[int, str, float]]:
    """The word for the entity; with a value before it, none is needed."""
    for lexeme in p.starting(at, EntityWord):
        if not p.entity(lexeme.payload.entity).virtual:
            yield lexeme.end, lexeme.payload.entity, lexeme.cost
        yield from ((lexeme.end, name, lexeme.cost + OF_RECORDS) for name in by_their_records(p, lexeme))
    for lexeme in p.starting(at - 1, EntityWord) if before.conditions and at else ():
        if lexeme.end == at and not p.entity(lexeme.payload.entity).virtual:
            yield at, lexeme.payload.entity, lexeme.cost + 0.1  # `first visits` are visits
    yield from _heads_left_out(p, at, before)
    for made in p.starting(at, FieldWord):
        # `uploads from May`: what the usual date is called, as a noun
        several = p.plural(made.end) or (before.degree is not None and made.cost >= INFLECTED)
        if several and made.payload.ref.kind is FieldKind.DATE and made.end == at + 1:
            for one in p.schema.entities.values():
                usual = default_date(one)
                if usual is not None and usual[0] == made.payload.ref and not one.virtual:
                    yield made.end, one.name, 0.3
                    break
    for predicate in p.starting(at, FieldWord):
        # `copies of X`: a predicate as a noun
        if predicate.payload.tail == "of" and (entity := entity_with(p, predicate.payload.ref)) is not None:
            yield at, entity, 0.1
    if p.word(at) in _GENERIC and before.degree is None and before.limit is None:
        yield at + 1, widest(p), 0.3


def _heads_left_out(p: Parse, at: int, before: Before) -> Iterator[tuple[int, str, float]]:
    """The entity of a value, a condition or a degree that stands alone: `the unpaid`, `the three largest refunds`."""
    entity = entity_with(p, before.value) if before.value is not None or before.named_conditions else None
    if entity is not None:
        alone = COMPOUND if before.own is not None and is_a_means(before.own) else 0.0
        yield at, entity, ((0.4 if before.like_a_name else 0.2) if before.value is not None else 0.9) + alone
        for other in _others_with(p, before.value, entity):
            yield at, other, 0.45
        if p.word(at) in _CLASSIFIERS and not (before.kind and p.word(at) in _OF_ONE_KIND):
            yield at + 1, entity, 0.1
    if before.sort is not None and before.limit is not None and before.sort[0].is_number and p.plural(at):
        holder = entity_with(p, before.sort[0])
        if holder is not None:
            yield at, holder, 0.2


def _others_with(p: Parse, ref: FieldRef | None, first: str) -> Iterator[str]:
    """The other entities that have a field, where none covers them: one of them may be meant as well."""
    if ref is None or any(e.kinds for e in p.schema.entities.values()):
        return
    for entity in p.schema.entities.values():
        if entity.name != first and not entity.virtual and ref.belongs_to(entity):
            yield entity.name


def _phrases(p: Parse, before: Before, name: str, *, single: bool) -> Iterator[tuple[NounPhrase, float]]:
    """The things of an entity that have what comes before the noun, by each field that a degree may speak of."""
    entity = p.entity(name)
    where, possible = _conditions(p, before, entity)
    if not possible:
        return
    for sort, unsure in _sorts(p, before, entity):
        limit = before.limit
        if sort and limit is None and single:
            limit = 1
        if limit is None or sort or before.limit is None or before.offset is None:
            yield NounPhrase(name, where, sort, limit, before.offset or None, single=single), unsure


def _conditions(p: Parse, before: Before, entity: Entity) -> tuple[Condition | None, bool]:
    where: Condition | None = None
    for ref, condition in before.conditions:
        if ref is not None and not ref.belongs_to(entity):
            return None, False
        where = both(where, condition)
    if any(one not in entity.conditions for one in before.named_conditions):
        return None, False
    for one in before.names:
        condition_of = _belonging(p, entity, one)
        if condition_of is None:
            return None, False
        where = both(where, condition_of)
    return where, True


def _sorts(p: Parse, before: Before, entity: Entity) -> Iterator[tuple[tuple[tree.SortKey, ...], float]]:
    """The order asked for: none, by a field, or by each that an adjective may speak of, the likeliest first."""
    if before.sort is not None:
        ref, descending = before.sort
        if ref.belongs_to(entity):
            yield (tree.SortKey(ref.left, descending),), 0.0
    elif before.degree is not None:
        dimension, descending = before.degree
        likely = degrees(entity, dimension, descending)
        for ref, falling in likely if len(likely) == 1 or dimension == "worth" else ():
            yield (tree.SortKey(ref.left, falling),), 0.0
            for other in numbers_of_dimension(entity, dimension) if len(likely) == 1 else ():
                if other.path != ref.path and measures(other, dimension):
                    yield (tree.SortKey(other.left, descending),), 0.25
            for other in paid_as_well(p, entity, ref) if dimension == "size" and before.value else ():
                yield (tree.SortKey(other.left, descending),), 0.1
    else:
        yield (), 0.0


def _belonging(p: Parse, entity: Entity, one: Reference) -> Condition | None:
    """Return the condition of `X's documents`: owned by X for a person, in X for a container."""
    if like_a_file(one.text) and entity.names and one.entity == entity.name:
        return compare(path(entity.names[0].name), "=", string(one.text))  # `notes.txt files`
    for ref in hierarchical(entity):
        if ref.target == one.entity:
            return None if like_a_file(one.text) else ref.equals(one.value)
    if p.entity(one.entity).virtual:
        for ref in FieldRef.own(entity):
            if ref.target == one.entity and possession(ref):
                return ref.equals(one.value)
    if p.entity(one.entity).kinds:
        return None  # rather one of a kind: what holds it
    only = only_reference(entity, one.entity)
    return only.equals(one.value) if only is not None else None


@rule
def one_by_name(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """One thing by its name: `Q3 Report.pdf`, `the Legal folder`, `document "x"`."""
    start = p.past(at, english.BEFORE_NAMES)
    for entity in p.things:
        for one in named(p, start, entity.name):
            if not one.value.text:
                continue
            plural = next((end for end in entity_words(p, start, entity.name) if p.plural(end)), None)
            if plural is not None and plural < one.end:
                continue  # "files named X" are a list
            said = any(True for _ in entity_words(p, start, entity.name)) or _word_after(p, one.end, entity.name)
            written = one.value.text
            plain = not said and written.islower() and written.isalpha() and p.lexicon.knows(written)
            value = lookup(entity.name, one.value.text)
            if said and entity.names and any(p.word(i) in ("every", "all", "each") for i in range(at, start)):
                called = compare(path(entity.names[0].name), "=", string(one.value.text))
                yield Found(one.end, NounPhrase(entity.name, called, headed=True), one.cost)
                continue  # `every Invoices folder` are all of them
            cost = one.cost + name_cost(p, entity, one.value.text, said=said) + (0.5 if plain else 0.0)
            yield Found(one.end, NounPhrase(entity.name, fixed=value, single=True), cost)
    searched = p.entity(entity_with(p, None) or widest(p))
    text = p.quoted(start) if searched.text else None
    if text is not None and not p.lexicon.named(text):
        yield Found(start + 1, NounPhrase(searched.name, tree.EntityText("mentions", tree.String(text))), 0.3)


def _word_after(p: Parse, end: int, entity: str) -> bool:
    return end > 0 and any(lexeme.end == end for at in range(max(0, end - 2), end)
                           for lexeme in p.starting(at, EntityWord) if lexeme.payload.entity == entity)


def name_cost(p: Parse, entity: Entity, text: str, *, said: bool) -> float:
    """How likely a name without a noun is one of this entity: by which entities have it."""
    if said:
        return 0.1
    having = {e for word in p.lexicon.named(text) for e in word.entities}
    if entity.kinds:
        among = having & set(entity.kinds)
        return 0.4 if len(among) > 1 or not having else 0.8
    if not having:  # an id is that of the only things with such ids: `HD-10412`
        ids = [one for one in p.things if one.id_pattern and id_pattern(one.id_pattern, any_case=True).fullmatch(text)]
        return 0.4 if ids == [entity] and any(c.isdecimal() for c in text) else 0.8
    covered = any(len(having & set(e.kinds)) > 1 for e in p.schema.entities.values())
    return 0.4 if having == {entity.name} or (entity.name in having and not covered) else 0.9


def of_reference(p: Parse, one: Reference) -> tree.Find | None:
    """`find` what a reference means: the folder that holds X."""
    entity = p.entity(one.entity)
    if entity.virtual or entity.id is None:
        return None
    return tree.Find(tree.Name(entity.plural), one.meant_by(FieldRef((entity.id.name,), entity.id)))
