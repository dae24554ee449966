"""Words of a program that belong to the language or a schema, and so reveal no data."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.lark_parser import words
from qlc.mapping.schema import Field, Schema

_MOST_SCHEMAS = 8
_KNOWN: dict[str, frozenset[str]] = {}
"""The names of schemas by their versions."""


def is_known(schema: Schema, word: str, is_part: bool) -> bool:
    """Whether a word is a name of the schema, a keyword or a unit. After a dot (`is_part`) keywords do not count, since
    the word can be a key of a list, which is data."""
    found = _KNOWN.get(schema.version)
    if found is None:
        if len(_KNOWN) >= _MOST_SCHEMAS:
            _KNOWN.clear()
        found = _KNOWN[schema.version] = frozenset(part for name in _names(schema) for part in name.split("."))
    return word in found or (not is_part and word.lower() in words())


def _names(schema: Schema) -> Iterator[str]:
    for entity in schema.entities.values():
        yield from (entity.name, entity.plural, *entity.kinds, *entity.conditions, *entity.computed)
        yield from _of_fields(entity.fields.items())
        for name, one in entity.lists.items():
            yield from (name, *((one.key, one.value) if one.key and one.value else ()))
            yield from _of_fields(one.fields.items())


def _of_fields(fields: object) -> Iterator[str]:
    for name, field in fields:  # type: ignore[attr-defined]
        one: Field = field
        yield from (name, one.name, *(unit for unit in (one.unit, one.shown_unit, one.currency) if unit))
