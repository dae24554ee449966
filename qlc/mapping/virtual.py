"""Virtual entities: they have no documents, only pairs of id and name in the documents of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from qlc.mapping.effective import EntityDefinition
from qlc.mapping.fields import MappedField
from qlc.mapping.schema import Entity, Field, MatchSwitches, NameSource


def virtual_entity(one: EntityDefinition, entities: Mapping[str, Entity]) -> Entity | None:
    """Build the entity with its sources, and the fields `id` and `name` of the first source.

    `entities` are those with documents. Sensitive fields are not used as sources, since callers without permission
    would be offered their names. None if no source is left.
    """
    sources = tuple(_stated_sources(one, entities) if one.part.sources else _found_sources(one.name, entities))
    if not sources:
        return None
    first = sources[0]
    key = Field(name="id", mapped=first.key, kind=first.key.kind, many=False, is_id=True)
    name = Field(name="name", mapped=first.name, kind=first.name.kind, many=False)
    return Entity(
        name=one.name,
        plural=one.plural,
        mapping=entities[first.entity].mapping,
        fields={"id": key, "name": name},
        index=entities[first.entity].index,
        id=key,
        id_pattern=one.part.id_pattern,
        names=(name,),
        match_steps=chosen_matches(one.part.match_steps),
        sources=sources,
        open_paths=False,
        words=one.part.words,
        description=one.part.description,
    )


def chosen_matches(names: tuple[str, ...] | None) -> MatchSwitches:
    """Return the steps of name resolution that the catalog lists; all by default."""
    if names is None:
        return MatchSwitches()
    return MatchSwitches(**{one.name: one.name in names for one in fields(MatchSwitches)})


def _stated_sources(one: EntityDefinition, entities: Mapping[str, Entity]) -> Iterator[NameSource]:
    for source in one.part.sources:
        wanted = list(entities.values()) if source.entity is None else [entities[source.entity]]
        holders = {e.name: e for e in wanted if e.mapping.at(source.key) and e.mapping.at(source.name)}
        for name in _widest(holders):
            mapping, guards = holders[name].mapping, holders[name].guards
            key, label = mapping.at(source.key), mapping.at(source.name)
            guarded = guards.of(source.key, mapping) or guards.of(source.name, mapping)
            if key is not None and label is not None and not guarded:
                yield NameSource(name, key, label)


def _found_sources(name: str, entities: Mapping[str, Entity]) -> Iterator[NameSource]:
    """Yield each pair of a reference and the name beside it once, in the order of the catalog."""
    holders: dict[tuple[str, str], dict[str, Entity]] = {}
    pairs: dict[tuple[str, str], tuple[MappedField, MappedField]] = {}
    for entity in entities.values():
        for key, label in referring_pairs(name, entity):
            pair = (key.path, label.path)
            pairs.setdefault(pair, (key, label))
            holders.setdefault(pair, {})[entity.name] = entity
    for pair, (key, label) in pairs.items():
        for holder in _widest(holders[pair]):
            yield NameSource(holder, key, label)


def referring_pairs(name: str, entity: Entity) -> Iterator[tuple[MappedField, MappedField]]:
    """Yield the key and the name of each reference from the entity's documents to the entity `name`."""
    elements = (field for one in entity.lists.values() if one.tied for field in one.fields.values())
    for field in (*entity.fields.values(), *elements):
        to = field.reference
        if to is not None and to.entity == name and to.name_at is not None and not field.sensitive:
            yield field.mapped, to.name_at


def _widest(holders: Mapping[str, Entity]) -> list[str]:
    """Return the entities that are not kinds of others among them, so that no document is read twice."""
    narrower = {kind for entity in holders.values() for kind in entity.kinds}
    return [name for name in holders if name not in narrower]
