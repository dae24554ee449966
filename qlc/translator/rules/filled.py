"""The fields that things of a kind have, where several kinds share an index and their fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

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
