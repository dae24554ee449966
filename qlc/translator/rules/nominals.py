"""Nouns made of participles: `cancellations` are what was cancelled, the `cancellation rate` their part of all."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.lexemes import ConditionWord, FieldWord, ValueWord, has_field
from qlc.translator.rules.names import entity_with
from qlc.translator.rules.parse import Found, Parse

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
