"""When two programs mean the same, and which no question means: so that asking back offers only real choices."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from qlc.grammar import SyntaxProblem, parse, print_statement, tree
from qlc.grammar.tree import Condition, Statement, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.rules.build import name_of, parts
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.nouns.names import CLOSED_CLASS, like_a_file
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_PARAMETER = re.compile(r"\$(\w+)")


def normal_form(program: str, schema: Schema) -> str:
    """One text for programs that mean the same."""
    statement = parse(program).statement
    return print_statement(_spelled_out(statement, schema))


def cannot_be_meant(program: str, schema: Schema) -> bool:
    """Whether one field is to have two values at once, or is grouped by although it is fixed to one."""
    statement = parse(program).statement
    if isinstance(statement, tree.Get) or statement.where is None:
        return False
    word = statement.entity.entity.text if isinstance(statement.entity, tree.EntityLookup) else statement.entity.text
    entity = find_entity(schema, word)
    together = parts(statement.where)
    fixed: dict[tree.Path, tree.Value] = {}
    for one in together:
        if isinstance(one, tree.Comparison) and one.operator == "=" and isinstance(one.left, tree.Path):
            name = name_of(one.left)
            single = entity is not None and name in entity.fields and entity.fields[name].many is False
            if single and len(one.left.segments) == 1 and fixed.setdefault(one.left, one.right) != one.right:
                return True
    below = {one.left for one in together if isinstance(one, tree.Comparison) and one.operator == "under"}
    if any(isinstance(fixed.get(left), tree.String) for left in below if isinstance(left, tree.Path)):
        return True  # "in Drafts under Projects" is one place
    return isinstance(statement, tree.Aggregate) and any(
        group.path in fixed and group.function is None for group in statement.groups
    )


def unbound(program: str, schema: Schema, params: Collection[str]) -> bool:
    """Whether a named condition needs a `$parameter` that has no value: `mine`, where nobody said who asks."""
    statement = parse(program).statement
    if isinstance(statement, tree.Get) or statement.where is None:
        return False
    named = {name_of(one.path) for one in parts(statement.where) if isinstance(one, tree.Bare)}
    texts = (e.conditions[name] for e in schema.entities.values() for name in named & e.conditions.keys())
    return any(name not in params for text in texts for name in _PARAMETER.findall(text))


def _spelled_out(statement: Statement, schema: Schema) -> Statement:
    if isinstance(statement, tree.Get):
        return statement
    word = statement.entity.entity.text if isinstance(statement.entity, tree.EntityLookup) else statement.entity.text
    entity = find_entity(schema, word)
    where = _sorted(statement.where, entity) if statement.where is not None else None
    if not isinstance(statement, tree.Aggregate):
        return replace(statement, where=where)
    measures = tuple(
        one if one.condition is None else replace(one, condition=_sorted(one.condition, entity))
        for one in statement.measures
    )
    return replace(statement, where=where, measures=measures)


def _stored(condition: tree.Comparison, entity: Entity | None) -> tuple[str, ...]:
    """The stored values that a value of the catalog stands for: of a group all of its own."""
    left, right = condition.left, condition.right
    if entity is None or not isinstance(left, tree.Path) or not isinstance(right, tree.String):
        return ()
    ref = FieldRef.at(entity, left) if len(left.segments) == 1 else None
    closed = ref.field.values if ref is not None else None
    if closed is None:
        return ()
    said = right.value.casefold()
    spelled = closed.spellings.get(said)
    return (spelled,) if spelled is not None else closed.groups.get(said, ())


def _sorted(condition: Condition, entity: Entity | None) -> Condition:
    match condition:
        case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name, narrowed=None),))):
            text = entity.conditions.get(name.text) if entity is not None else None
            if text is None:
                return tree.Comparison(condition.path, "=", tree.Boolean(True))
            try:
                spelled = parse(f"find x where {text}").statement
            except SyntaxProblem:
                return condition
            assert isinstance(spelled, tree.Find)
            assert spelled.where is not None
            return _sorted(spelled.where, entity)
        case tree.And() | tree.Or():
            kind = type(condition)
            items: list[Condition] = []
            for one in condition.items:
                inner = _sorted(one, entity)
                items += inner.items if isinstance(inner, kind) else [inner]
            return kind(tuple(sorted(dict.fromkeys(items), key=repr)))
        case tree.Not(item=item):
            return tree.Not(_sorted(item, entity))
        case tree.Comparison(operator="has all" | "has any" | "in", right=tree.ListValue(items=values)):
            each = [tree.Comparison(condition.left, "=", one) for one in values]
            kind = tree.And if condition.operator == "has all" else tree.Or
            return _sorted(kind(tuple(each)) if len(each) > 1 else each[0], entity)
        case tree.Comparison(operator="!="):
            return tree.Not(_sorted(tree.Comparison(condition.left, "=", condition.right), entity))
        case tree.Comparison(operator="=" | "has") if stored := _stored(condition, entity):
            texts = (tree.String(one) for one in sorted(set(stored)))
            each = [tree.Comparison(condition.left, condition.operator, one) for one in texts]
            return tree.Or(tuple(each)) if len(each) > 1 else each[0]
        case _:
            return condition


def nobody_said(p: Parse, statement: Statement) -> bool:
    """Whether a statement rests on something that no word of the question says."""
    return _splits_a_period(p, statement) or _leaves_an_object(p, statement) or any(
        _joins_its_kind(p, entity, ref) or _is_the_name_of_another(p, ref.field, one)
        for part in (statement, *(one.statement for one in walked(statement) if isinstance(one, tree.Subquery)))
        for entity, ref, one in _tests(p, part)
    )


def _splits_a_period(p: Parse, statement: Statement) -> bool:
    """Whether of two deeds with dates, `issued and paid in May`, only the second is in the period."""
    for at in range(1, p.end):
        joined = p.word(at) in english.AND | english.OR and is_participle(p.word(at - 1))
        deeds = [one.payload.ref for one in p.ending(at) if isinstance(one.payload, FieldWord)] if joined else []
        deeds = [ref for ref in deeds if ref.kind is FieldKind.DATE]
        for word, ref in p.fields(p.past(at + 1, english.COPULAS)) if deeds else ():
            dated = {(one.left, one.right) for one in walked(statement) if isinstance(one, tree.Comparison)}
            periods = [right for left, right in dated if left == ref.left and not isinstance(right, tree.Day)]
            if ref not in deeds and any(date_test(p, end) for end in (word.end, word.end + 1)):
                return any((deed.left, one) not in dated for one in periods for deed in deeds)
    return False


def _leaves_an_object(p: Parse, statement: Statement) -> bool:
    """Whether a state is a verb with an object: who `left Berlin` need not be in Berlin, and what they left is gone."""
    for at in range(1, p.end - 1):
        after = p.starting(at + 1, ValueWord) if is_participle(p.word(at)) else ()
        verbs = p.starting(at, ValueWord) if after else ()
        subject = p.word(at - 1) in english.RELATIVE_PRONOUNS | words("have has had")
        if verbs and (subject or any(isinstance(one.payload, EntityWord) for one in p.ending(at))):
            texts = {one.value for one in walked(statement) if isinstance(one, tree.String)}
            said = [[one.payload.text in texts for one in words_here] for words_here in (verbs, after)]
            if all(map(any, said)):
                return True
    return False


def _tests(p: Parse, statement: Statement) -> Iterator[tuple[Entity, FieldRef, tree.Comparison]]:
    """The comparisons of a statement with a field of the things themselves."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return
    entity = find_entity(p.schema, statement.entity.text)
    for one in _comparisons(statement.where) if entity is not None else ():
        assert entity is not None
        ref = FieldRef.at(entity, one.left)
        if ref is not None and one.left == ref.left:
            yield entity, ref, one


def _comparisons(where: Condition | None) -> Iterator[tree.Comparison]:
    match where:
        case tree.And(items=items) | tree.Or(items=items):
            for one in items:
                yield from _comparisons(one)
        case tree.Not(item=item):
            yield from _comparisons(item)
        case tree.Comparison():
            yield where


def _joins_its_kind(p: Parse, entity: Entity, ref: FieldRef) -> bool:
    """Whether a field that leads to things of the same kind is taken, and nothing speaks of it: what a bare name of
    a document has to do with other documents is anybody's guess. Only where things lie goes without saying."""
    target = ref.target
    own = target in (entity.name, *entity.kinds) or (target and entity.name in p.entity(target).kinds)
    if not own or ref.path == (entity.parent,):
        return False
    if any(one.payload.ref.path[0] == ref.path[0] for at in range(p.end) for one in p.starting(at, FieldWord)):
        return False
    kinds = {stem(word) for e in p.schema.entities.values() for word in (e.name, e.plural, *e.words)}
    return not any(stem(p.word(at)) in ref.stems - kinds - CLOSED_CLASS for at in range(p.end))


def _is_the_name_of_another(p: Parse, field: Field, one: tree.Comparison) -> bool:
    """Return whether the known name of a file would be the value of a field that does not refer to files."""
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
