"""Entities of a catalog merged with their shared settings, each part with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.catalog_model import ComputedPart, ConditionPart, EntityPart, FieldPart, ListPart, Part, Shared

P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class EntityDefinition:
    """An entity of the catalog. Its own fields and lists come first and override the shared ones."""

    name: str
    part: EntityPart
    index: str
    fields: Mapping[str, tuple[FieldPart, Location]]
    lists: Mapping[str, tuple[ListPart, Location]]
    conditions: Mapping[str, tuple[ConditionPart, Location]]
    computed: Mapping[str, tuple[ComputedPart, Location]]
    defaults: Shared

    @property
    def location(self) -> Location:
        return ("entities", self.name)

    @property
    def plural(self) -> str:
        return self.part.plural or f"{self.name}s"

    @property
    def virtual(self) -> bool:
        return self.part.virtual or bool(self.part.sources)

    def setting(self, key: str) -> Any:
        """Return the entity's own value of a key, else the one in `defaults`."""
        own = getattr(self.part, key)
        return getattr(self.defaults, key) if own is None else own

    def setting_location(self, key: str) -> Location:
        return (*self.location, key) if getattr(self.part, key) is not None else ("defaults", key)

    def parts(self) -> Iterator[tuple[FieldPart, Location, str]]:
        """Yield all fields, also of elements of lists, each with its place in the file and its mapping path.

        Everything in a sensitive list is sensitive.
        """
        for part, place in self.fields.values():
            yield part, place, part.path
        for many, place in self.lists.values():
            for inner, part in many.fields.items():
                inner_part = part.model_copy(update={"sensitive": True}) if many.sensitive else part
                yield inner_part, (*place, "fields", inner), f"{many.path}.{part.path}"


def entity_definitions(catalog: Catalog) -> dict[str, EntityDefinition]:
    """Return all entities by singular. Entities with an index of their own, or without documents, share nothing."""
    file = catalog.file
    found = {}
    for name, part in file.entities.items():
        place: Location = ("entities", name)
        own_index = part.index is not None and part.index != file.index
        shares = not (own_index or part.virtual or part.sources)
        defaults = file.defaults if shares else Shared()
        fields = _joined(part.fields, place, file.fields if shares else {}, (), "fields")
        lists = _joined(part.lists, place, file.lists if shares else {}, (), "lists")
        conditions = _joined(part.conditions, place, defaults.conditions, ("defaults",), "conditions")
        computed = _joined(part.computed, place, defaults.computed, ("defaults",), "computed")
        found[name] = EntityDefinition(name, part, part.index or file.index, fields, lists, conditions, computed,
                                       defaults)
    return found


def _joined(
    own: Mapping[str, P], place: Location, shared: Mapping[str, P], at: Location, key: str
) -> dict[str, tuple[P, Location]]:
    parts = {name: (one, (*place, key, name)) for name, one in own.items()}
    return parts | {name: (one, (*at, key, name)) for name, one in shared.items() if name not in parts}
