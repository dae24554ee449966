"""Where names are looked up, and on whose behalf."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from qlc.compiler.request import Environment
from qlc.mapping.schema import Entity, Schema
from qlc.resolver.names.cache import CacheKey, NameCache


@dataclass(frozen=True, slots=True)
class Place:
    """`access` stands for everything that `env.scope` depends on: what one access sees is cached for it alone."""

    schema: Schema
    env: Environment
    cache: NameCache
    access: Hashable

    def key(self, entity: Entity, detail: Hashable = None) -> CacheKey:
        indices = frozenset(holder.index for holder in self.holders(entity))
        return CacheKey(indices, self.schema.version, entity.rule_key, self.access, detail)

    def holders(self, entity: Entity) -> tuple[Entity, ...]:
        """The entities whose documents hold the names: its own, or those of the sources of a virtual one."""
        return tuple(self.schema.entities[source.entity] for source in entity.sources) or (entity,)

    def entity_above(self, entity: Entity) -> Entity | None:
        """What the hierarchical reference of an entity refers to, if that has documents."""
        reference = entity.fields[entity.parent].reference if entity.parent else None
        above = self.schema.entities.get(reference.entity) if reference else None
        return above if above is not None and not above.virtual else None

    def constants_above(self, entity: Entity) -> frozenset[str]:
        """The names of constants such as `root` that a path may begin with."""
        reference = entity.fields[entity.parent].reference if entity.parent else None
        return frozenset(reference.constants) if reference else frozenset()
