"""What is so or not: conditions that the catalog names and boolean fields, `overdue`, `unsigned`, `with a pci flag`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules import english
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.lexemes import ConditionWord, FieldWord, has_field
from qlc.translator.rules.morphology import is_participle, stem
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.phrases import words


def named_condition(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A condition that the catalog names, or a boolean field: `overdue`, `signed`, `with a pci flag`."""
    start = p.past(
        at, english.ARTICLES | words("with under has have had having marked as flagged are is on went go goes to into")
    )
    for begin in {at, start}:
        for named in p.starting(begin, ConditionWord):
            if named.payload.name in p.entity(entity).conditions:
                yield Found(named.end, tree.Bare(path(named.payload.name)), named.cost + 0.05)
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
                yield Found(lexeme.end, compare(path(*ref.path), "=", tree.Boolean(True)), lexeme.cost + 0.1)
    yield from denied_adjective(p, at, entity)


def opposite(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`not finished`, behind the `not`, where the catalog says what is `unfinished`."""
    for name in p.entity(entity).conditions:
        if name == f"un{p.word(at)}":
            yield Found(at + 1, tree.Bare(path(name)), 0.0)


def denied_adjective(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`unsigned`, `non-confidential`, `unlocked`."""
    word = p.word(at)
    rest = word[2:] if word.startswith("un") and len(word) > 4 else ""
    for ref in p.lexicon.fields() if rest else ():
        if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
            spoken = (ref.field.name, *ref.field.words)
            if any(stem(rest) == stem(one.casefold()) for one in spoken):
                yield Found(at + 1, compare(path(*ref.path), "=", tree.Boolean(False)), 0.1)
    if rest and is_participle(rest):  # `untagged`: without any
        for one in p.lexicon.called((rest,)):
            if one.field.many is True and one.within is None and has_field(p.entity(entity), one):
                yield Found(at + 1, tree.Presence(path(*one.path), True), 0.1)
