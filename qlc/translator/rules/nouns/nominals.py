"""Nouns for things that no kind of things is called by: `cancellations` are what was cancelled, the `cancellation rate`
their part of all; people and ships who are known by their records stand for these."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ValueWord,
    has_field,
)
from qlc.translator.rules.modifiers.referring import recorded
from qlc.translator.rules.nouns.names import entity_with
from qlc.translator.rules.nouns.references import they_do_something
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import plural, stem


def nominals(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """Nouns that say of things what a flag, a condition or a value is called."""
    yield from nominal(p, at)
    yield from flagged(p, at)
    yield from in_a_state(p, at)


def flagged(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """`alarms`, `incidents`: what a flag is called, in the plural, for the things that have it."""
    for lexeme in p.starting(at, FieldWord):
        ref = lexeme.payload.ref
        noun = ref.kind is FieldKind.BOOLEAN and ref.within is None and not lexeme.payload.tail
        noun = noun and p.plural(lexeme.end) and _is_called(p, at, lexeme.end, ref)
        if noun and p.word(at - 1 if at else p.end) not in english.HAVING | english.LACKING:
            holder = entity_with(p, ref)
            if holder is not None:
                flag = compare(path(*ref.path), "=", tree.Boolean(True))
                yield Found(lexeme.end, (holder, flag), lexeme.cost + 0.1)


def in_a_state(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """`overdue inspections`: what the catalog calls a state of things, in the plural, for the things that are in it."""
    if p.word(at - 1 if at else p.end) in english.HAVING | english.LACKING:
        return
    for lexeme in p.starting(at, ConditionWord):
        if lexeme.end > at + 1 and p.plural(lexeme.end):
            for entity in p.schema.entities.values():
                if not entity.virtual and lexeme.payload.name in entity.conditions:
                    yield Found(lexeme.end, (entity.name, tree.Bare(path(lexeme.payload.name))), lexeme.cost + 0.1)


def _is_called(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether words are the plural of what a flag is called, and of nothing else: `delays` are no verb's `delayed`."""
    said = " ".join(p.word(i) for i in range(at, end))
    others = any(one.end == end and one.payload.ref.path != ref.path for one in p.starting(at, FieldWord))
    called = (one.casefold().replace("_", " ") for one in (ref.field.name, *ref.field.words))
    return not others and any(said in (one, plural(one)) for one in called)


_ENDINGS = ("ations", "ation", "ions", "ion", "ures", "ure", "als", "al", "ments", "ment")
_SHORTEST = 4


def nominal(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """A noun that nothing else is known of, for a flag, a condition or a value that is called so by its participle."""
    word = p.word(at)
    if not word.isalpha() or at >= p.end or p.lexemes[at]:
        return
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if base == word or len(base) < _SHORTEST:
            continue
        for payload in p.lexicon.participles(base):
            match payload:
                case ConditionWord(name=name):
                    for entity in p.schema.entities.values():
                        if not entity.virtual and name in entity.conditions:
                            yield Found(at + 1, (entity.name, tree.Bare(path(name))), 0.05)
                case FieldWord(ref=ref) if ref.kind is FieldKind.BOOLEAN and (holder := entity_with(p, ref)):
                    yield Found(at + 1, (holder, compare(path(*ref.path), "=", tree.Boolean(True))), 0.05)
                case ValueWord(ref=ref) if ref.field.values is not None and (holder := entity_with(p, ref)):
                    if has_field(p.entity(holder), ref) and ref.within is None:
                        yield Found(at + 1, (holder, compare(path(*ref.path), "=", string(payload.text))), 0.05)
        return


OF_RECORDS = 0.2
"""What it costs to take the noun for things that are not listed for the records that are of them."""


def by_their_records(p: Parse, noun: Lexeme[EntityWord]) -> Iterator[str]:
    """The kinds of records that stand for things which are known by them alone: `patients admitted since Sunday`."""
    if any(p.word(i) in english.AT_PRESENT for i in range(p.end)):
        return  # which records are of today is not said
    for entity, ref in recorded(p):
        if ref.target == noun.payload.entity and not they_do_something(p, noun.end, p.end, ref):
            yield entity.name


def singular(p: Parse, end: int) -> bool:
    """Whether the noun that ends here is one thing: `the largest file`, `the latest upload`."""
    word = p.word(end - 1)
    if any(one.end == end and one.payload.ref.kind is FieldKind.DATE for one in p.starting(end - 1, FieldWord)):
        return not p.plural(end)
    one_more = stem(f"{word}s") == stem(word) and not p.plural(end)  # `ticket`, which a flight is called by its price
    if word and one_more and any(one.end == end and one.cost for one in p.starting(end - 1, EntityWord)):
        return True
    return bool(word) and any(
        word == e.name.split()[-1] or (word in e.words and not word.endswith("s")) for e in p.schema.entities.values()
    )
