"""Values and units that a catalog writes as text, as the index and the language have them."""

from __future__ import annotations

from qlc.grammar.units import canonical
from qlc.mapping.fields import FieldKind, MappedField

COMMON_UNITS = (
    *("bytes", "kB", "MB", "GB", "ms", "seconds", "minutes", "hours", "days", "weeks"),
    *("m", "km", "miles", "ft", "percent", "fraction"),
)
"""What messages offer where a unit is not known."""

_SPELLED_OUT = {"percent": "%", "kilometers": "km", "kilometres": "km", "meters": "m", "metres": "m", "feet": "ft"}
"""Words for units that need quotes in YAML or that people write out."""


def stored_unit(text: str) -> str | None:
    """The canonical name of the unit that a catalog names; None where the language has no such unit."""
    return canonical(_SPELLED_OUT.get(text.lower(), text))


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
