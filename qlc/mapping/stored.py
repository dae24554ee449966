"""Values and units that a catalog writes as text, as the index and the language have them."""

from __future__ import annotations

from qlc.base.units import UNITS, find_unit
from qlc.mapping.fields import FieldKind, MappedField

UNIT_NAMES = (*(unit.name for unit in UNITS), "fraction")
"""The units that a catalog can name, by their canonical names."""


def stored_unit(text: str) -> str | None:
    """The canonical name of the unit that a catalog names; None where the language has no such unit: of a currency."""
    unit = find_unit(text)
    return None if unit is None else unit.name


def stored_value(mapped: MappedField, text: str) -> str | int | float | bool:
    """The value as a field of this type has it. Raises ValueError where the field has no such values."""
    if mapped.kind is FieldKind.WHOLE_NUMBER:
        return int(text)
    if mapped.kind is FieldKind.NUMBER:
        return float(text)
    if mapped.kind is FieldKind.BOOLEAN:
        if text not in ("true", "false"):
            raise ValueError(text)
        return text == "true"
    return text
