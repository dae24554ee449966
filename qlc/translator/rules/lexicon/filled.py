"""What the documents tell of fields: which of them things of a kind have, and which hold several values."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping

from qlc.mapping.schema import Entity, Field, Schema


def as_filled(schema: Schema, filled: Mapping[str, frozenset[str]]) -> Schema:
    """The schema without the fields that only documents of other entities have: loans have no pages if books do."""
    having = {name for names in filled.values() for name in names}

    def is_own(entity: Entity, one: Field) -> bool:
        special = one.is_id or one in entity.names or one.name == entity.parent
        return special or one.name in filled[entity.name] or one.name not in having

    entities = {
        name: dataclasses.replace(
            entity, fields={key: one for key, one in entity.fields.items() if is_own(entity, one)}
        )
        if name in filled
        else entity
        for name, entity in schema.entities.items()
    }
    return dataclasses.replace(schema, entities=entities) if filled else schema


def with_lists(schema: Schema, several: Collection[tuple[str, str]]) -> Schema:
    """The schema with the fields as lists of which some document has several values, by index and mapping path.

    Of what the catalog says nothing; it may say that there is but one.
    """

    def told(entity: Entity) -> Entity:
        lists = {
            key: dataclasses.replace(one, many=True)
            for key, one in entity.fields.items()
            if one.many is None and (entity.index, one.mapped.path) in several
        }
        return dataclasses.replace(entity, fields={**entity.fields, **lists}) if lists else entity

    entities = {name: told(entity) for name, entity in schema.entities.items()}
    return dataclasses.replace(schema, entities=entities) if several else schema
