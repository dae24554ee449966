"""Access rules: what every search over an entity must carry.

A document is protected by the rule of every entity that it is of, whichever entity is asked for. What a rule itself
looks up (`folder in (find folders where owner = $user)`) it looks up by the rule of that entity alone: else two rules
could each wait for the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from qlc.compiler import typed
from qlc.compiler.catalog_conditions import parse_condition
from qlc.compiler.check import CHECKS
from qlc.compiler.conditions import check_condition
from qlc.compiler.context import Context, EnoughFound, Scope
from qlc.compiler.walk import typed_parts
from qlc.grammar import SyntaxProblem
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Entity, Field, Schema, Terms

Rules = Mapping[str, typed.Condition]
"""What the documents of an entity must meet, by `Entity.rule_key`."""


class WrongRule(Exception):
    """The access rule of an entity is wrong: what is not understood must not be searched at all."""

    def __init__(self, entity: Entity, found: str) -> None:
        super().__init__(f"the access rule of {entity.plural} is wrong: {found}")
        self.entity = entity.name


def access_rules(schema: Schema) -> Rules:
    """The rules of every entity of a schema. Raises WrongRule."""
    inside = _as_rules_see_it(schema)
    own = {one.name: _own_rule(inside, one) for one in schema.entities.values() if one.access is not None}
    rules: dict[str, typed.Condition] = {}
    for entity in schema.entities.values():
        parts = dict.fromkeys([*([own[entity.name]] if entity.name in own else ()), *_of_others(entity, schema, own)])
        if parts:
            rules[entity.rule_key] = next(iter(parts)) if len(parts) == 1 else typed.And(tuple(parts))
        if entity.name in own:
            rules[inside.entities[entity.name].rule_key] = own[entity.name]
    return rules


def varies_with_time(rules: Rules) -> bool:
    """Whether what may be seen changes with the clock."""
    parts = (part for one in rules.values() for part in typed_parts(one))
    return any(isinstance(part, typed.RelativePeriod | typed.Now) for part in parts)


def _as_rules_see_it(schema: Schema) -> Schema:
    return replace(schema, entities={name: replace(one, in_access=True) for name, one in schema.entities.items()})


def _own_rule(inside: Schema, entity: Entity) -> typed.Condition:
    """Check the rule of an entity. Its `$parameters` are those of the caller's context."""
    assert entity.access is not None
    context = Context(inside, CHECKS, entity.access, access=True)
    try:
        written = parse_condition(entity.access)
    except SyntaxProblem as problem:
        raise WrongRule(entity, problem.diagnostic.message) from None
    condition: typed.Condition = typed.All()
    with suppress(EnoughFound):
        condition = check_condition(context, written, Scope(inside.entities[entity.name]))
    if context.failed:
        raise WrongRule(entity, context.diagnostics[0].message)
    return condition


def _of_others(entity: Entity, schema: Schema, own: Rules) -> Iterator[typed.Condition]:
    """What the other entities of the same index ask of documents that are theirs as well.

    Two that are kept apart by a field share a document only where it has several values there. Such a one is not found
    as the entity that does not guard it.
    """
    mine = own.get(entity.name)
    for name in entity.same_documents:
        rule = own.get(name)
        if rule is None or rule == mine:
            continue
        of_it = _is_of(schema.entities[name], entity)
        yield rule if _covers(schema.entities[name], entity) else typed.Or((typed.Not(of_it), rule))
    for name in entity.kept_apart:
        other = schema.entities[name]
        unlike = name in own and own[name] != mine
        if unlike or any(not entity.guards.holds(one) for one in other.guards.secrets):
            yield typed.Not(_is_of(other, entity))


def _is_of(entity: Entity, among: Entity) -> typed.Condition:
    """That a document of another entity is one of this one too."""
    parts = [_holds(terms) for terms in entity.filter]
    if _is_in_fewer_indices(entity, among):
        parts.append(_holds(Terms(_INDEX, entity.mapping.indices)))
    return typed.And(tuple(parts))


_INDEX = MappedField("_index", "_index", FieldKind.KEYWORD, exact="_index")


def _is_in_fewer_indices(entity: Entity, among: Entity) -> bool:
    return set(entity.mapping.indices) < set(among.mapping.indices)


def _holds(terms: Terms) -> typed.Condition:
    field = Field(terms.field.path, terms.field, terms.field.kind, from_catalog=False)
    return typed.Equals(field, tuple(typed.Literal(value) for value in terms.values))


def _covers(wide: Entity, narrow: Entity) -> bool:
    """Whether every document of the second is one of the first, as far as the catalog tells."""
    if _is_in_fewer_indices(wide, narrow):
        return False
    kept = {terms.field.path: set(terms.values) for terms in narrow.filter}
    return all(
        terms.field.path in kept and kept[terms.field.path] <= set(terms.values) for terms in wide.filter
    )
