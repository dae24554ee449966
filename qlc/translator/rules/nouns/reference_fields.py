"""Fields that refer to entities: hierarchies, owners, the only reference to an entity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qlc.mapping.schema import Entity
from qlc.translator.rules.lexicon.lexemes import FieldRef, steps
from qlc.translator.rules.parse import Parse


def hierarchical(entity: Entity) -> Iterator[FieldRef]:
    """The reference of an entity to the one above it."""
    parent = entity.parent
    if parent is not None and parent in entity.fields:
        yield FieldRef((parent,), entity.fields[parent])


def is_hierarchical(p: Parse, ref: FieldRef) -> bool:
    return any(entity.parent == ref.path[0] for entity in p.schema.entities.values() if len(ref.path) == 1)


def entity_with(p: Parse, ref: FieldRef | None) -> str | None:
    """The first entity of the catalog that has a field."""
    for entity in p.schema.entities.values():
        if not entity.virtual and (ref is None or ref.belongs_to(entity)):
            return entity.name
    return None


def possession(ref: FieldRef) -> bool:
    """Whether a reference says whose something is."""
    said = {("owner",), ("belongs", "to"), ("owned", "by"), ("belonging", "to")}
    return not said.isdisjoint(ref.phrases)


@lru_cache(maxsize=512)
def only_reference(entity: Entity, target: str) -> FieldRef | None:
    """Return the only field that refers to an entity; None if there are several, or if it is a hierarchy."""
    above = {ref.path for ref in hierarchical(entity)}
    found = [ref for ref in FieldRef.own(entity) if ref.target == target]
    return found[0] if len(found) == 1 and found[0].path not in above else None


def way_to(p: Parse, entity: Entity, target: str) -> tuple[str, ...]:
    """The path that leads from an entity to another one: its one reference, or the one way through other things."""
    ref = only_reference(entity, target)
    return ref.path if ref is not None else steps(p.lexicon.chains(entity).get(target, ()))
