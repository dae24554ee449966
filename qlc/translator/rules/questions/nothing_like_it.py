"""Values that say that there is none: `No Delay` among the kinds of delay is no kind of delay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Field
from qlc.translator.rules.build import both, compare, path, string
from qlc.translator.rules.conditions import spoken
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key

_DENYING = words("no not without non")
_NONE = words("none nothing n/a")
SAME_WORD = 5
"""Letters that two forms of a word begin with alike: `rejected`, `rejection`."""


def of_those_that_have_one(p: Parse, statement: Statement) -> Statement:
    """`the most common reason for delay`: the first of those that are one."""
    if not isinstance(statement, tree.Aggregate) or statement.limit is None:
        return statement
    entity = find_entity(p.schema, statement.entity.text)
    for one in statement.groups if entity is not None else ():
        name = one.path.segments[0].name.text
        field = entity.fields.get(name) if entity is not None and len(one.path.segments) == 1 else None
        if field is None or one.function is not None or _is_said_of(statement.where, name):
            continue
        for value in _none_of(p, field):
            if value.casefold() not in p.text.casefold():
                without = compare(path(name), "!=", string(value))
                statement = replace(statement, where=both(statement.where, without))
    return statement


def _is_said_of(where: tree.Condition | None, name: str) -> bool:
    """Whether a field has a condition already."""
    items = where.items if isinstance(where, tree.And | tree.Or) else (where,)
    return any(getattr(one, "left", None) == path(name) for one in items)


def _none_of(p: Parse, field: Field) -> Iterator[str]:
    """The values of a field that deny what the field is called, or say no more than that there is none."""
    ref = FieldRef((field.name,), field)
    found = tuple(field.values.display) if field.values is not None else p.lexicon.values.values.get(ref.path, ())
    called = {stem(part) for one in spoken(ref) for part in one.split()}
    for value in found if len(found) > 2 else ():
        first, *rest = name_key(value) or ("",)
        denied = first in _DENYING and any(_alike(stem(one), other) for one in rest for other in called)
        if denied or (value.casefold() in _NONE and not _has_a_name(field, value)):
            yield value


def _has_a_name(field: Field, value: str) -> bool:
    """Whether the catalog has words for a value that do not deny: whatever it looks like, it is something."""
    spellings = field.values.spellings.items() if field.values is not None else ()
    others = (name_key(said) for said, stored in spellings if stored == value and said not in _NONE)
    return any(one and one[0] not in _DENYING for one in others)


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) >= SAME_WORD and one[:SAME_WORD] == other[:SAME_WORD])


def left_out(p: Parse, program: str) -> tuple[str, ...]:
    """A sentence for each value that is left out so."""
    if " != " not in program:
        return ()
    fields = (one for e in p.schema.entities.values() if not e.virtual for one in e.fields.values())
    found = {value for field in fields for value in _none_of(p, field) if f'{field.name} != "{value}"' in program}
    return tuple(f"Left out: '{one}'." for one in sorted(found) if one.casefold() not in p.text.casefold())
