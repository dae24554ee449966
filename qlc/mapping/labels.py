"""What tells entities of one name apart: fields of their own, of their elements, or of what they refer to."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.mapping.names import find_field
from qlc.mapping.schema import Entity, Field, Schema


@dataclass(frozen=True, slots=True)
class Label:
    """A field under the name that `tell_apart` has for it.

    Where that leads through a reference (`shelf.name`), the field is the reference, and `after` what is said of the
    documents that it leads to.
    """

    name: str
    field: Field
    after: tuple[str, ...] = ()


def label_of(entity: Entity, name: str) -> Label | None:
    """None where the name is no field of a document, and leads to none through a reference."""
    parts = tuple(name.split("."))
    found = find_field(entity, parts)
    if found is None or not isinstance(found.found, Field):
        return None
    after = parts[found.consumed :]
    return None if after and found.found.reference is None else Label(name, found.found, after)


def field_after(schema: Schema, label: Label) -> tuple[Entity, Field] | None:
    """The entity that a label leads to and the field of it that is reported; None where one reference is not enough."""
    reference = label.field.reference
    target = schema.entities.get(reference.entity) if reference is not None else None
    if target is None or target.virtual or not label.after:
        return None
    found = find_field(target, label.after)
    if found is None or found.consumed < len(label.after) or not isinstance(found.found, Field):
        return None
    return target, found.found
