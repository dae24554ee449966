"""Converts values and units of a catalog from text to what the index and the language use."""

from __future__ import annotations

from qlc.base.units import UNITS, find_unit
from qlc.mapping.fields import FieldKind, MappedField

UNIT_NAMES = (*(unit.name for unit in UNITS), "fraction")
"""Canonical names of the units that a catalog can use."""


def stored_unit(text: str) -> str | None:
    """Return the canonical name of a unit in the catalog; None for currencies and unknown units."""
    unit = find_unit(text)
    return None if unit is None else unit.name


def stored_value(mapped: MappedField, text: str) -> str | int | float | bool:
    """Convert a text to a value of the field's type. Raises ValueError if the field cannot have it."""
    if mapped.kind is FieldKind.WHOLE_NUMBER:
        return int(text)
    if mapped.kind is FieldKind.NUMBER:
        return float(text)
    if mapped.kind is FieldKind.BOOLEAN:
        if text not in ("true", "false"):
            raise ValueError(text)
        return text == "true"
    return text
