"""Nouns made of participles: `cancellations` are what was cancelled, the `cancellation rate` their part of all."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules import english
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.lexemes import ConditionWord, FieldRef, FieldWord, ValueWord, has_field
from qlc.translator.rules.morphology import plural
from qlc.translator.rules.names import entity_with
from qlc.translator.rules.parse import Found, Parse


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
