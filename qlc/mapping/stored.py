"""Values that a catalog writes as text, as the index stores them."""

from __future__ import annotations

from qlc.mapping.fields import FieldKind, MappedField


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
