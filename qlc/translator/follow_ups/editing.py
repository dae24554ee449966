"""Edits of trees: the conditions of a statement by what they are about, put in, replaced, left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar

from qlc.grammar import tree
from qlc.grammar.tree import Condition, mapped, walked
from qlc.mapping.fields import FieldKind
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
    if entity is None:
        return None
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
        case tree.Comparison(left=tree.Cyclic() as left) | tree.Between(left=tree.Cyclic() as left):
            return (left.unit, *_slot(left.path, entity))
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
            if len(bare.segments) == 1 and bare.segments[0].narrowed is None and name in entity.conditions:
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
    if denies(old) or denies(new):
        return False
    if isinstance(old, tree.Bare) or isinstance(new, tree.Bare):
        return True if field is not None and field.many is not True else None
    if isinstance(old, tree.Presence) or isinstance(new, tree.Presence):
        return isinstance(old, tree.Presence) and isinstance(new, tree.Presence)
    if isinstance(old, tree.Comparison) and isinstance(new, tree.Comparison):
        if (old.operator in _RISING and new.operator in _RISING) or (
            old.operator in _FALLING and new.operator in _FALLING
        ):
            return True
        if old.operator in _EQUAL and new.operator in _EQUAL:
            if isinstance(old.left, tree.Cyclic) and isinstance(new.left, tree.Cyclic):
                return True
            if field is not None and field.kind is FieldKind.DATE:
                return None
            return field is not None and field.many is not True
    return None


def makes_a_range(old: Condition, new: Condition, entity: Entity) -> bool:
    """Whether two bounds of one field hold together: `over 300`, then `and under 1000`."""
    if not isinstance(old, tree.Comparison) or not isinstance(new, tree.Comparison):
        return False
    ways = (old.operator in _RISING and new.operator in _FALLING) or (
        old.operator in _FALLING and new.operator in _RISING
    )
    return ways and slot_of(old, entity) == slot_of(new, entity) is not None


def overlap(old: Condition, new: Condition, entity: Entity) -> bool:
    """Whether two bounds of one field leave out something only together: `over 400`, then `under 800 too`. Any number
    meets one or the other of them."""
    if not makes_a_range(old, new, entity):
        return False
    assert isinstance(old, tree.Comparison)
    assert isinstance(new, tree.Comparison)
    rising, falling = (old, new) if old.operator in _RISING else (new, old)
    if not isinstance(rising.right, tree.Number) or not isinstance(falling.right, tree.Number):
        return False
    if rising.right.unit != falling.right.unit:
        return False
    return Decimal(str(rising.right.value)) < Decimal(str(falling.right.value))


def without_those(condition: Condition | None) -> Condition | None:
    """A condition without the mark for what was spoken of before, which is next to it."""
    match condition:
        case None:
            return None
        case tree.And(items=items) | tree.Or(items=items):
            left = [kept for one in items if (kept := without_those(one)) is not None]
            return both(*left) if isinstance(condition, tree.And) else (either(left) if left else None)
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
    for one in old:
        tied = tied_together(one, first, entity)
        if tied is not None:
            kept = tuple(tied if other == one else other for other in old)
            yield from _added(kept, said, rest, entity, notes)
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
    if not isinstance(condition.right, tree.Number) or not condition.right.unit:
        return condition
    return replace(condition, operator=bounds[0].operator)


def tied_together(one: Condition, other: Condition, entity: Entity) -> Condition | None:
    """Two conditions on elements of one list as a condition on one element; None where they cannot be meant so."""
    first, second = _of_an_element(one, entity), _of_an_element(other, entity)
    if first is None or second is None or first[0] != second[0]:
        return None
    fields = [{_own_field(part) for part in inner} for _, inner in (first, second)]
    if None in fields[0] | fields[1] or fields[0] & fields[1]:
        return None  # "shared with Ann", "and with Ben": of two elements
    return tree.Bare(tree.Path((tree.Segment(tree.Name(first[0]), both(*first[1], *second[1])),)))


def _of_an_element(condition: Condition, entity: Entity) -> tuple[str, tuple[Condition, ...]] | None:
    """The list that a condition is on, and what is asked of one of its elements."""
    match condition:
        case tree.Bare(path=tree.Path(segments=(tree.Segment(narrowed=inner) as segment,))) if inner is not None:
            if isinstance(inner, tree.String):
                return None
            return (segment.name.text, parts(inner)) if segment.name.text in entity.lists else None
        case (
            tree.Comparison(left=tree.Path(segments=(tree.Segment(narrowed=None) as segment, *rest)))
            | tree.Between(left=tree.Path(segments=(tree.Segment(narrowed=None) as segment, *rest)))
        ) if rest and segment.name.text in entity.lists and not denies(condition):
            return segment.name.text, (replace(condition, left=tree.Path(tuple(rest))),)
    return None


def _own_field(condition: Condition) -> str | None:
    left = condition.left if isinstance(condition, tree.Comparison | tree.Between) else None
    return left.segments[0].name.text if isinstance(left, tree.Path) else None


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


def another_flag(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Changed | None:
    """What things are in the place of what they were said to be: the `delayed` for the `cancelled`. None where other
    than one thing was said so."""
    were = [one for one in parts(where) if is_flag(one, entity)]
    if len(new) != 1 or len(were) != 1 or not is_flag(new[0], entity):
        return None
    changed = both(*(new[0] if one == were[0] else one for one in parts(where)))
    return Changed(changed, (replaced_note(were, new[0]),))


def is_flag(condition: Condition, entity: Entity) -> bool:
    match condition:
        case tree.Not(item=item):
            return is_flag(item, entity)
        case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name, narrowed=None),))):
            return name.text in entity.conditions or name.text in entity.fields
        case tree.Comparison(left=tree.Path(segments=(_,)), operator="=" | "!=", right=tree.Boolean()):
            return True
    return False


def widened(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Changed | None:
    """The new condition as another way to meet the one that is about the same."""
    if len(new) != 1:
        return None
    same = [old for old in parts(where) if slot_of(old, entity) == slot_of(new[0], entity) is not None]
    if len(same) != 1 or denies(same[0]) or denies(new[0]):
        return None
    wider = either_value(same[0], new[0])
    changed = both(*(wider if old == same[0] else old for old in parts(where)))
    return Changed(changed, (widened_note(wider),))


def widened_note(wider: Condition) -> str:
    return f"Widened: {condition_in_words(wider)}."


def either_value(one: Condition, other: Condition) -> Condition:
    """Either of two conditions; values of one field as one list."""
    values: list[tree.Value] = []
    for each in (one, other):
        if not isinstance(each, tree.Comparison) or each.operator not in ("=", "in"):
            return either((one, other))
        if isinstance(each.right, tree.ListValue):
            values += each.right.items
        elif isinstance(each.right, tree.String) and each.operator == "=":
            values.append(each.right)
        else:
            return either((one, other))
    assert isinstance(one, tree.Comparison)
    return compare(one.left, "in", tree.ListValue(tuple(dict.fromkeys(values))))


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
    if entity.id is None:
        return None
    key = path(entity.id.name)
    if ids:
        return compare(key, "in", tree.ListValue(tuple(string(one) for one in ids)))
    if statement.limit is None:
        return None
    found = tree.Find(statement.entity, statement.where, statement.sort, statement.limit, statement.offset)
    return compare(key, "in", tree.Subquery(found))
