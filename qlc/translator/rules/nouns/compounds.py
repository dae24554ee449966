"""Nouns before nouns: which values say what a thing is like, and which are things of their own.

`overdue bills` are bills that are overdue, but `phone bills` need not have come from a phone. And nouns for things that
no kind of things is called by: `cancellations` are what was cancelled, the `cancellation rate` their part of all.
"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.language.nouns import UNCHANGED
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path, string
from qlc.translator.rules.conditions import objects_of
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.nouns.names import entity_with, only_reference
from qlc.translator.rules.nouns.references import they_do_something
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import stem, words

COMPOUND = 0.85  # cost of a noun before an entity's noun as a value of a field that does not tell the kind
_CLASSIFYING = frozenset(
    stem(one)
    for one in words(
        "state status stage phase level grade priority severity language color colour tag label topic subject theme "
        "genre department section brand currency classification condition quality format material fabric cuisine style "
        "technique fuel breed species gender sex nationality country origin size service tier plan season shape"
    )
)
"""Nouns of fields whose values are said before the things that have them."""
_ADJECTIVES = (
    "ed", "al", "ic", "ive", "ous", "able", "ible", "ful", "less", "ant", "ent", "ary", "ory", "ate", "ish", "ing",
)  # fmt: skip
OF_RECORDS = 0.2  # cost of a noun that has no entity as the records about it
_ENDINGS = ("ations", "ation", "ions", "ion", "ures", "ure", "als", "al", "ments", "ment")
_SHORTEST = 4


def names_kinds(p: Parse, ref: FieldRef) -> bool:
    """Whether a field says what kind of thing something is: `type`, `document type`, but not `device type`."""
    things = {word for one in p.schema.entities.values() for word in (one.name, one.plural, *one.words)}
    return any(last in english.KINDS and set(before) <= things for *before, last in ref.phrases)


def thing_of_its_own(p: Parse, at: int, end: int, ref: FieldRef, stored: str) -> bool:
    """Whether a value is a common noun, of a field by whose values things are not called: `phone`, `credit card`."""
    if not p.raw(at, end).islower() or not stored.islower():
        return False  # a proper name: `Uber receipts`
    word = p.word(end - 1)
    if stem(word) in ref.stems:
        return False  # `gmail imports` have been imported
    is_adjective = _is_adjective(word) or _are_adjectives(ref) or _CLASSIFYING & ref.stems
    return word.isalpha() and not is_adjective and not names_kinds(p, ref)


def _is_adjective(word: str) -> bool:
    return word.endswith(_ADJECTIVES) and not word.endswith("ment")


def _are_adjectives(ref: FieldRef) -> bool:
    """Whether most values of a field look like adjectives: the others are said as they are, `calm` beside `playful`."""
    stored = ref.field.values.display if ref.field.values is not None else ()
    traits = ref.field.many is True  # of which a thing has several: `roomy`
    alike = [one for one in stored if _is_adjective(one) or (traits and one.endswith("y"))]
    return len(alike) * 2 > len(stored)


def of_what_is_listed(p: Parse, end: int, ref: FieldRef) -> bool:
    """Return whether a value comes before a list that lacks it: `open comments` says nothing of the document."""
    lists = [one.payload.name for one in p.starting(end, ListWord) if not one.payload.tail]
    within = ref.within.name if ref.within is not None else None
    return bool(lists) and within not in lists and not names_kinds(p, ref)


def is_a_means(ref: FieldRef) -> bool:
    """Whether things are said to be `paid with` or `uploaded from` the values of a field: `checks` are not paid."""
    return any(len(one) > 1 and one[-1] in english.PREPOSITIONS for one in ref.phrases)


def by_their_records(p: Parse, noun: Lexeme[EntityWord]) -> Iterator[str]:
    """The kinds of records that stand for things which are known by them alone: `patients admitted since Sunday`."""
    if any(p.word(i) in english.AT_PRESENT for i in range(p.end)):
        return  # which records are of today is not said
    for entity, ref in recorded(p):
        if ref.target == noun.payload.entity and not they_do_something(p, noun.end, p.end, ref):
            yield entity.name


def recorded(p: Parse) -> Iterator[tuple[Entity, FieldRef]]:
    """Yield entities that are records of others, and the field for whose they are."""
    for entity in p.things:
        for target in p.people:
            ref = only_reference(entity, target.name)
            if ref is not None and ref.field.name == target.name and not any(one[-1] == "by" for one in ref.phrases):
                yield entity, ref


def nominal(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """Read unknown nouns for a flag, condition or value: `cancellations`, `repeat faults`, `complaints`."""
    for one in p.starting(at, FieldWord):
        ref = one.payload.ref
        if ref.kind is FieldKind.BOOLEAN and one.end > at + 1 and p.plural(one.end) and (holder := entity_with(p, ref)):
            yield Found(one.end, (holder, ref.equals(tree.Boolean(True))), one.cost + 0.1)
    for named in p.starting(at, ConditionWord):
        for entity in p.schema.entities.values():
            if named.payload.name in objects_of(entity) and p.plural(named.end):
                yield Found(named.end, (entity.name, tree.Bare(path(named.payload.name))), named.cost + 0.05)
    for payload in of_a_participle(p, at):
        match payload:
            case ConditionWord(name=name):
                for entity in p.schema.entities.values():
                    if not entity.virtual and name in entity.conditions:
                        yield Found(at + 1, (entity.name, tree.Bare(path(name))), 0.05)
            case FieldWord(ref=ref) if ref.kind is FieldKind.BOOLEAN and (holder := entity_with(p, ref)):
                yield Found(at + 1, (holder, ref.equals(tree.Boolean(True))), 0.05)
            case ValueWord(ref=ref) if ref.field.values is not None and (holder := entity_with(p, ref)):
                if ref.belongs_to(p.entity(holder)) and ref.within is None:
                    yield Found(at + 1, (holder, ref.equals(string(payload.text))), 0.05)


def of_a_participle(p: Parse, at: int) -> Iterator[Payload]:
    """Yield what the participle of an unknown noun stands for: `approval` -> the value `approved`."""
    word = p.word(at)
    if not word.isalpha() or at >= p.end or p.lexemes[at]:
        return
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST:
            yield from p.lexicon.participles(base)
            return


def singular(p: Parse, end: int) -> bool:
    """Whether the noun that ends here is one thing: `the largest file`, `the latest upload`."""
    word = p.word(end - 1)
    if any(one.end == end and one.payload.ref.kind is FieldKind.DATE for one in p.starting(end - 1, FieldWord)):
        return not p.plural(end)
    one_more = stem(f"{word}s") == stem(word) and not p.plural(end)  # `ticket`, which a flight is called by its price
    if word and one_more and any(one.end == end and one.cost for one in p.starting(end - 1, EntityWord)):
        return True
    return bool(word) and any(
        word == e.name.split()[-1] or (word in e.words and (word in UNCHANGED or not word.endswith("s")))
        for e in p.schema.entities.values()
    )
