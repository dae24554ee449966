"""What a reading takes for granted although no word says it: how two things of a kind belong together, or that the
name of a file is the value of a field which holds no such names. Nobody means that, however little it costs."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.grammar.walk import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field
from qlc.translator.rules.lexicon.lexemes import FieldWord, NameWord, ValueWord
from qlc.translator.rules.nouns.names import CLOSED_CLASS, like_a_file
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words.morphology import stem


def nobody_said(p: Parse, statement: Statement) -> bool:
    """Whether a statement rests on something that no word of the question says."""
    return any(
        _joins_its_kind(p, entity, field) or _is_the_name_of_another(p, field, one)
        for part in (statement, *(one.statement for one in walked(statement) if isinstance(one, tree.Subquery)))
        for entity, field, one in _tests(p, part)
    )


def _tests(p: Parse, statement: Statement) -> Iterator[tuple[Entity, Field, tree.Comparison]]:
    """The comparisons of a statement with a field of the things themselves."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return
    entity = find_entity(p.schema, statement.entity.text)
    for one in _comparisons(statement.where) if entity is not None else ():
        assert entity is not None
        plain = isinstance(one.left, tree.Path) and len(one.left.segments) == 1
        field = entity.fields.get(one.left.segments[0].name.text) if isinstance(one.left, tree.Path) and plain else None
        if field is not None:
            yield entity, field, one


def _comparisons(where: Condition | None) -> Iterator[tree.Comparison]:
    match where:
        case tree.And(items=items) | tree.Or(items=items):
            for one in items:
                yield from _comparisons(one)
        case tree.Not(item=item):
            yield from _comparisons(item)
        case tree.Comparison():
            yield where


def _joins_its_kind(p: Parse, entity: Entity, field: Field) -> bool:
    """Whether a field that leads to things of the same kind is taken, and nothing speaks of it: what a bare name of
    a document has to do with other documents is anybody's guess. Only where things lie goes without saying."""
    target = field.reference.entity if field.reference is not None else ""
    own = target in (entity.name, *entity.kinds) or (target and entity.name in p.entity(target).kinds)
    if not own or field.name == entity.parent:
        return False
    if any(one.payload.ref.path[0] == field.name for at in range(p.end) for one in p.starting(at, FieldWord)):
        return False
    spoken = {stem(word) for one in (field.name, *field.words) for word in one.casefold().replace("_", " ").split()}
    kinds = {stem(word) for e in p.schema.entities.values() for word in (e.name, e.plural, *e.words)}
    return not any(stem(p.word(at)) in spoken - kinds - CLOSED_CLASS for at in range(p.end))


def _is_the_name_of_another(p: Parse, field: Field, one: tree.Comparison) -> bool:
    """Whether the known name of a file is to be the value of a field that is no name and refers to no such thing."""
    if not isinstance(one.right, tree.String) or one.operator not in ("=", "!=") or not like_a_file(one.right.value):
        return False
    text = one.right.value.casefold()
    if any(
        word.payload.ref.field == field and word.payload.text.casefold() == text
        for at in range(p.end)
        for word in p.starting(at, ValueWord)
    ):
        return False
    called = {e for at in range(p.end) for word in p.starting(at, NameWord) for e in _called(word.payload, text)}
    if not called:
        return False
    target = field.reference.entity if field.reference is not None else None
    covered = {target, *p.entity(target).kinds} if target is not None else set()
    named = any(field in p.entity(e).names or field == p.entity(e).id for e in called)
    return not named and not covered & called


def _called(name: NameWord, text: str) -> tuple[str, ...]:
    return name.entities if name.whole and name.text.casefold() == text else ()
