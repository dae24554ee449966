"""Edits of trees: the conditions of a statement by what they are about, put in, replaced, left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from qlc.grammar import tree
from qlc.grammar.tree import Condition, mapped, walked
from qlc.mapping.names import find_field
from qlc.mapping.schema import Entity, Field
from qlc.translator.in_words import condition_in_words
from qlc.translator.programs import named_condition
from qlc.translator.rules.build import both, compare, either, parts, path, string
from qlc.translator.rules.nouns.noun_phrases import THOSE

N = TypeVar("N", bound=tree.Node)
LEFT_OUT = "Left out: "
Slot = tuple[str, ...]
"""What a condition is about: a field, an element of a list, a text."""


# --- trees in general ------------------------------------------------------------------------------------------------


def exchanged(node: N, old: tree.Node, new: tree.Node) -> N:
    return mapped(node, lambda one: new if one == old else None)


def with_another(statement: tree.Find | tree.Aggregate, old: Condition, new: Condition) -> tree.Find | tree.Aggregate:
    """The statement with another condition in the place of one of its own."""
    return statement if statement.where is None else replace(statement, where=exchanged(statement.where, old, new))


def with_lets(lets: tuple[tree.Let, ...], statement: tree.Statement) -> tree.Program:
    """The statement with those of the bindings that it uses."""
    used = {one.path.segments[0].name.text for one in walked(statement) if isinstance(one, tree.NameValue)}
    return tree.Program(tuple(let for let in lets if let.name.text in used), statement)


def lookups(statement: tree.Statement) -> list[tree.EntityLookup]:
    found = (one for one in walked(statement) if isinstance(one, tree.EntityLookup))
    return list(dict.fromkeys(found))


# --- conditions ------------------------------------------------------------------------------------------------------


def field_of(entity: Entity | None, left: tree.Path) -> Field | None:
    """The field that a path of one entity means; None for lists, chains, and for what is not known."""
    names = tuple(segment.name.text for segment in left.segments)
    found = find_field(entity, names)
    if found is None and len(names) == 1:
        return entity.fields.get(names[0])
    whole = found is not None and found.consumed == len(names) and isinstance(found.found, Field)
    return found.found if found is not None and whole and isinstance(found.found, Field) else None


def slot_of(condition: Condition, entity: Entity) -> Slot | None:
    """What a condition is about; None where it is about several things."""
    match condition:
        case tree.Comparison(left=tree.Path() as left) | tree.Between(left=tree.Path() as left):
            return _slot(left, entity)
        case tree.Presence() | tree.Within():
            return _slot(condition.left, entity)
        case tree.Not(item=item):
            return slot_of(item, entity)
        case tree.And(items=items) | tree.Or(items=items):
            slots = {slot_of(one, entity) for one in items}
            return slots.pop() if len(slots) == 1 else None
        case tree.EntityText():
            return ("mentions",)
        case tree.Bare(path=bare):
            name = bare.segments[0].name.text
            if len(bare.segments) == 1 and bare.segments[0].narrowed is None and (name in entity.conditions):
                inside = named_condition(entity.conditions[name])
                return (slot_of(inside, entity) if inside is not None else None) or ("condition", name)
            return _slot(bare, entity)
    return None


def _slot(left: tree.Path, entity: Entity) -> Slot:
    field = field_of(entity, left)
    return (field.name,) if field is not None else tuple(segment.name.text for segment in left.segments)


def denies(condition: Condition) -> bool:
    match condition:
        case tree.Not() | tree.Comparison(operator="!=") | tree.Comparison(operator="not in"):
            return True
        case _:
            return False


_RISING = (">", ">=")
_FALLING = ("<", "<=")
_EQUAL = ("=", "in", "under", "under in", "has", "has any")


def excludes(old: Condition, new: Condition, field: Field | None) -> bool | None:
    """Whether two conditions on one field are hardly meant together; None where it depends on their values."""
    if isinstance(old, tree.Presence) or isinstance(new, tree.Presence):
        return isinstance(old, tree.Presence) and isinstance(new, tree.Presence)
    if isinstance(old, tree.Comparison) and isinstance(new, tree.Comparison):
        if (old.operator in _RISING and new.operator in _RISING) or (
            old.operator in _FALLING and new.operator in _FALLING
        ):
            return True
        if old.operator in _EQUAL and new.operator in _EQUAL:
            return field is not None and field.many is not True
    return None


def makes_a_range(old: Condition, new: Condition, entity: Entity) -> bool:
    """Whether two bounds of one field hold together: `over 300`, then `and under 1000`."""
    ways = (old.operator in _RISING and new.operator in _FALLING) or (
        old.operator in _FALLING and new.operator in _RISING
    )
    return ways and slot_of(old, entity) == slot_of(new, entity) is not None


def without_those(condition: Condition | None) -> Condition | None:
    """A condition without the mark for what was spoken of before, which is next to it."""
    match condition:
        case tree.And(items=items) | tree.Or(items=items):
            left = [kept for one in items if (kept := without_those(one)) is not None]
            return both(*left) if isinstance(condition, tree.And) else either(left) if left else None
        case tree.Not(item=item):
            kept = without_those(item)
            return tree.Not(kept) if kept is not None else None
        case _:
            return None if condition == THOSE else condition


def speaks_of_those(node: tree.Node) -> bool:
    return any(one == THOSE for one in walked(node))


# --- changes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """A condition after a change, and its notes."""

    where: Condition | None
    notes: tuple[str, ...] = ()


def added(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Iterator[Changed]:
    """With further conditions. One on the same field that hardly holds together with a new one gives way to it; where
    that depends on values, both ways are given, the plain one first. What is said of an element of a list that was
    spoken of before is said of the same element, where the list can tie conditions together."""
    yield from _added(parts(where), (), tuple(new), entity, ())


def _added(
    old: tuple[Condition, ...], said: tuple[Condition, ...], new: tuple[Condition, ...], entity: Entity,
    notes: tuple[str, ...],
) -> Iterator[Changed]:  # fmt: skip
    """`old` conditions and those that were `said` now, which do not give way to each other."""
    if not new:
        yield Changed(both(*old, *said), notes)
        return
    first, rest = new[0], new[1:]
    field = _field(first, entity)
    if any(excludes(one, first, field) for one in said if slot_of(one, entity) == slot_of(first, entity) is not None):
        return
    same = [one for one in old if slot_of(one, entity) == slot_of(first, entity) is not None]
    first = _like_the_bound(first, same)
    verdicts = [excludes(one, first, field) for one in same if one != first]
    if True not in verdicts:
        yield from _added(old, (*said, first), rest, entity, notes)
    if True in verdicts or None in verdicts:
        gone = [one for one in same if excludes(one, first, field) is not False and one != first]
        kept = tuple(one for one in old if one not in gone)
        yield from _added(kept, (*said, first), rest, entity, (*notes, replaced_note(gone, first)))


def _like_the_bound(condition: Condition, same: Sequence[Condition]) -> Condition:
    """`5 MB`, after `over 20 MB`: another bound, as nothing has just that size."""
    bounds = [one for one in same if isinstance(one, tree.Comparison) and one.operator in (*_RISING, *_FALLING)]
    if not isinstance(condition, tree.Comparison) or condition.operator != "=" or len(same) != 1 or not bounds:
        return condition
    return replace(condition, operator=bounds[0].operator)


def _field(condition: Condition, entity: Entity) -> Field | None:
    for one in walked(condition):
        if isinstance(one, tree.Path):
            name = one.segments[0].name.text
            if name in entity.conditions and (inside := named_condition(entity.conditions[name])) is not None:
                return _field(inside, entity)
            return field_of(entity, one)
    return None


def has_several(condition: Condition, entity: Entity) -> bool:
    """Whether a condition is on a list, which can meet several at once."""
    field = _field(condition, entity)
    return field is not None and field.many is True


def substituted(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Changed | None:
    """Each new condition in the place of those that are about the same; None where there are none for one of them."""
    notes: list[str] = []
    for one in new:
        same = [old for old in parts(where) if slot_of(old, entity) == slot_of(one, entity) is not None and old != one]
        if not same:
            return None
        where = both(*(one if old == same[0] else old for old in parts(where) if old not in same[1:]))
        notes.append(replaced_note(same, one))
    return Changed(where, tuple(notes))


def dropped(where: Condition | None, gone: Sequence[Condition]) -> Changed:
    kept = both(*(one for one in parts(where) if one not in gone))
    return Changed(kept, tuple(f"{LEFT_OUT}{condition_in_words(one)}." for one in gone))


def replaced_note(old: Sequence[Condition], new: Condition) -> str:
    before = " and ".join(condition_in_words(one) for one in old)
    return f"Replaced: {condition_in_words(new)}, before it was: {before}."


def set_of(statement: tree.Find, entity: Entity, ids: Sequence[str] | None) -> Condition | None:
    """The condition of being one of what was found; `ids` where all of it is known. None where it cannot be said."""
    if statement.limit is None and statement.offset is None:
        return statement.where
    key = path(entity.id.name)
    if ids:
        return compare(key, "in", tree.ListValue(tuple(string(one) for one in ids)))
    found = tree.Find(statement.entity, statement.where, statement.sort, statement.limit, statement.offset)
    return compare(key, "in", tree.Subquery(found))
