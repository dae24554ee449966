"""Access rules: conditions that every search over an entity carries.

A document is protected by the rules of all entities that it belongs to, whichever is asked for. A lookup inside a rule
(`folder in (find folders where owner = $user)`) carries only the rule of the entity that it searches; otherwise two
rules could each wait for the other.
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
"""The condition on the documents of each entity, by `Entity.rule_key`."""


class WrongRule(Exception):
    """Raised for an entity whose access rule has an error. A rule that is not understood must stop every search."""

    def __init__(self, entity: Entity, found: str) -> None:
        super().__init__(f"the access rule of {entity.plural} is wrong: {found}")
        self.entity = entity.name


def access_rules(schema: Schema) -> Rules:
    """The rules of every entity of a schema. Raises WrongRule."""
    inside = replace(schema, entities={name: replace(one, in_access=True) for name, one in schema.entities.items()})
    own = {one.name: _own_rule(inside, one) for one in schema.entities.values() if one.access is not None}
    rules: dict[str, typed.Condition] = {}
    for entity in schema.entities.values():
        own_rule = [own[entity.name]] if entity.name in own else []
        parts = dict.fromkeys([*own_rule, *_rules_of_overlapping(entity, schema, own)])
        if parts:
            rules[entity.rule_key] = next(iter(parts)) if len(parts) == 1 else typed.And(tuple(parts))
        if entity.name in own:
            rules[inside.entities[entity.name].rule_key] = own[entity.name]
    return rules


def varies_with_time(rules: Rules) -> bool:
    """Whether a rule depends on the clock, so that the visible documents change with time."""
    parts = (part for one in rules.values() for part in typed_parts(one))
    return any(isinstance(part, typed.RelativePeriod | typed.Now) for part in parts)


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


def _rules_of_overlapping(entity: Entity, schema: Schema, own: Rules) -> Iterator[typed.Condition]:
    """Yield conditions for documents that `entity` shares with other entities of the same index.

    Entities that are kept apart by a field share a document only if it has several values there. Such a document is
    excluded if the other entity has another rule, or guards fields that this one does not guard.
    """
    mine = own.get(entity.name)
    for name in entity.same_documents:
        rule = own.get(name)
        if rule is None or rule == mine:
            continue
        of_it = _membership(schema.entities[name], entity)
        yield rule if _covers(schema.entities[name], entity) else typed.Or((typed.Not(of_it), rule))
    for name in entity.kept_apart:
        other = schema.entities[name]
        unlike = name in own and own[name] != mine
        if unlike or any(not entity.guards.holds(one) for one in other.guards.secrets):
            yield typed.Not(_membership(other, entity))


def _membership(entity: Entity, among: Entity) -> typed.Condition:
    """Return the condition that a document of `among` is also one of `entity`."""
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
    """Whether every document of `narrow` is one of `wide`, as far as the catalog shows."""
    return not _is_in_fewer_indices(wide, narrow) and narrow.has_filter_of(wide)
