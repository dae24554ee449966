"""Add, replace, widen and remove conditions, chosen by their slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
Slot = tuple[str, ...]  # the subject of a condition: a field, an element of a list, or the text
_RISING, _FALLING = (">", ">="), ("<", "<=")
_EQUAL = ("=", "in", "under", "under in", "has", "has any")


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
    return list(dict.fromkeys(one for one in walked(statement) if isinstance(one, tree.EntityLookup)))


def bare(measure: tree.Measure) -> tree.Measure:
    """A measure without the name of its column."""
    return tree.Measure(measure.function, measure.path, measure.argument, measure.condition)


def set_of(statement: tree.Find, entity: Entity, ids: Sequence[str] | None) -> Condition | None:
    """The condition of being one of what was found; `ids` where all of it is known. None where it cannot be said."""
    if statement.limit is None and statement.offset is None:
        return statement.where
    if entity.id is None or not (ids or statement.limit):
        return None
    if ids:
        return compare(path(entity.id.name), "in", tree.ListValue(tuple(string(one) for one in ids)))
    found = tree.Find(statement.entity, statement.where, statement.sort, statement.limit, statement.offset)
    return compare(path(entity.id.name), "in", tree.Subquery(found))


def field_of(entity: Entity | None, left: tree.Path | tree.Computed) -> Field | None:
    """The field that a path of one entity means; None for lists, chains, and for what is not known."""
    if entity is None or not isinstance(left, tree.Path):
        return None
    names = tuple(segment.name.text for segment in left.segments)
    found = find_field(entity, names)
    if found is None and len(names) == 1:
        return entity.fields.get(names[0])
    whole = found is not None and found.consumed == len(names)
    return found.found if found is not None and whole and isinstance(found.found, Field) else None


def slot_of(condition: Condition, entity: Entity) -> Slot | None:
    """Return the subject of a condition: `size > 5 MB` -> `("size",)`; None for conditions on several fields."""
    match condition:
        case tree.Comparison(left=tree.Path() as left) | tree.Between(left=tree.Path() as left):
            return _slot(left, entity)
        case tree.Comparison(left=tree.Cyclic() as left) | tree.Between(left=tree.Cyclic() as left):
            return (left.unit, *_slot(left.path, entity))
        case tree.Presence() | tree.Spatial() | tree.Overlaps():
            return _slot(condition.left, entity)
        case tree.Not(item=item):
            return slot_of(item, entity)
        case tree.And(items=items) | tree.Or(items=items):
            slots = {slot_of(one, entity) for one in items}
            return slots.pop() if len(slots) == 1 else None
        case tree.EntityText():
            return ("mentions",)
        case tree.Bare(path=named):
            name = named.segments[0].name.text
            if len(named.segments) == 1 and named.segments[0].narrowed is None and name in entity.conditions:
                inside = named_condition(entity.conditions[name])
                return (slot_of(inside, entity) if inside is not None else None) or ("condition", name)
            return _slot(named, entity)
    return None


def _slot(left: tree.Path, entity: Entity) -> Slot:
    field = field_of(entity, left)
    return (field.name,) if field is not None else tuple(segment.name.text for segment in left.segments)


def about(condition: Condition, entity: Entity) -> set[Slot]:
    """The slots of a condition: its own, or those of its parts."""
    slot = slot_of(condition, entity)
    fields = (field_of(entity, one) for one in walked(condition) if isinstance(one, tree.Path))
    return {slot} if slot is not None else {(field.name,) for field in fields if field is not None}


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


def denies(condition: Condition) -> bool:
    return isinstance(condition, tree.Not) or getattr(condition, "operator", "") in ("!=", "not in")


def excludes(old: Condition, new: Condition, field: Field | None) -> bool | None:
    """Whether two conditions on one field are hardly meant together; None where it depends on their values."""
    if denies(old) or denies(new):
        return False
    single = field is not None and field.many is not True
    if _is_missing(old) != _is_missing(new):
        return True  # "with no cost", after "under 50"
    if isinstance(old, tree.Bare) or isinstance(new, tree.Bare):
        return True if single else None
    if isinstance(old, tree.Presence) or isinstance(new, tree.Presence):
        return isinstance(old, tree.Presence) and isinstance(new, tree.Presence)
    if isinstance(old, tree.Comparison) and isinstance(new, tree.Comparison):
        if any(old.operator in one and new.operator in one for one in (_RISING, _FALLING)):
            return True
        if old.operator in _EQUAL and new.operator in _EQUAL:
            if isinstance(old.left, tree.Cyclic) and isinstance(new.left, tree.Cyclic):
                return True
            if field is not None and field.kind is FieldKind.DATE:
                return True if single and _are_apart(old.right, new.right) else None
            return single
    return None


def _is_missing(condition: Condition) -> bool:
    return any(isinstance(one, tree.Presence) and one.missing for one in walked(condition))


def _are_apart(one: object, other: object) -> bool:
    """Whether two written periods have no day in common: 2025 and 2026, not 2025 and 2025-03."""
    texts = [each.text for each in (one, other) if isinstance(each, tree.DateLiteral | tree.Number)]
    return len(texts) == 2 and not texts[0].startswith(texts[1]) and not texts[1].startswith(texts[0])


def makes_a_range(old: Condition, new: Condition, entity: Entity) -> bool:
    """Whether two bounds of one field hold together: `over 300`, then `and under 1000`."""
    signs = {getattr(one, "operator", "-")[0] for one in (old, new)}
    return signs == {"<", ">"} and slot_of(old, entity) == slot_of(new, entity) is not None


def without_those(condition: Condition | None) -> Condition | None:
    """A condition without the mark for what was spoken of before, which is next to it."""
    match condition:
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


@dataclass(frozen=True, slots=True)
class Changed:
    """A condition after a change, and its notes."""

    where: Condition | None
    notes: tuple[str, ...] = ()


def added(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Iterator[Changed]:
    """With further conditions. One on the same field that hardly holds together with a new one gives way to it; where
    that depends on values, both ways are given, the plain one first. What is said of an element of a list that was
    spoken of before is said of the same element, where the list can tie conditions together."""
    yield from _added(Changed(where), (), tuple(new), entity)


def _added(old: Changed, said: tuple[Condition, ...], new: tuple[Condition, ...], entity: Entity) -> Iterator[Changed]:
    """`old` conditions and those that were `said` now, which do not give way to each other."""
    if not new:
        yield Changed(both(*parts(old.where), *said), old.notes)
        return
    first, rest = new[0], new[1:]
    own, field, slot = parts(old.where), _field(first, entity), slot_of(first, entity)
    if any(excludes(one, first, field) for one in said if slot_of(one, entity) == slot is not None):
        return
    for one in own:
        tied = _tied_together(one, first, entity)
        if tied is not None:
            kept = both(*(tied if other == one else other for other in own))
            yield from _added(replace(old, where=kept), said, rest, entity)
    same = [one for one in own if slot_of(one, entity) == slot is not None and one != first]
    verdicts = [excludes(one, first, field) for one in same]
    if True not in verdicts:
        yield from _added(old, (*said, first), rest, entity)
    if True in verdicts or None in verdicts:
        gone = [one for one in same if excludes(one, first, field) is not False]
        kept = both(*(one for one in own if one not in gone))
        yield from _added(Changed(kept, (*old.notes, replaced_note(gone, first))), (*said, first), rest, entity)


def _tied_together(one: Condition, other: Condition, entity: Entity) -> Condition | None:
    """Two conditions on elements of one list as a condition on one element; None where they cannot be meant so."""
    first, second = _of_an_element(one, entity), _of_an_element(other, entity)
    if first is None or second is None or first[0] != second[0]:
        return None
    fields = [{str(getattr(part, "left", "")) for part in inner} for _, inner in (first, second)]
    if fields[0] & fields[1]:
        return None  # "shared with Ann", "and with Ben": of two elements
    return tree.Bare(tree.Path((tree.Segment(tree.Name(first[0]), both(*first[1], *second[1])),)))


def _of_an_element(condition: Condition, entity: Entity) -> tuple[str, tuple[Condition, ...]] | None:
    """The list that a condition is on, and what is asked of one of its elements."""
    match condition:
        case tree.Bare(path=tree.Path(segments=(tree.Segment(narrowed=inner) as segment,))) if inner is not None:
            many = not isinstance(inner, tree.String) and segment.name.text in entity.lists
            return (segment.name.text, parts(inner)) if many else None  # type: ignore[arg-type]
        case (
            tree.Comparison(left=tree.Path(segments=(tree.Segment(narrowed=None) as segment, *rest)))
            | tree.Between(left=tree.Path(segments=(tree.Segment(narrowed=None) as segment, *rest)))
        ) if rest and segment.name.text in entity.lists and not denies(condition):
            return segment.name.text, (replace(condition, left=tree.Path(tuple(rest))),)
    return None


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


def widened(where: Condition | None, new: Sequence[Condition], entity: Entity) -> Changed | None:
    """The new condition as another way to meet the one that is about the same."""
    same = [old for old in parts(where) if slot_of(old, entity) == slot_of(new[0], entity) is not None]
    if len(new) != 1 or len(same) != 1 or denies(same[0]) or denies(new[0]) or makes_a_range(same[0], new[0], entity):
        return None
    wider = either_value(same[0], new[0])
    return Changed(both(*(wider if old == same[0] else old for old in parts(where))), (widened_note(wider),))


def either_value(one: Condition, other: Condition) -> Condition:
    """Either of two conditions; values of one field as one list."""
    values: list[tree.Value] = []
    for each in (one, other):
        if not isinstance(each, tree.Comparison) or each.operator not in ("=", "in"):
            return either((one, other))
        if not isinstance(each.right, tree.ListValue | tree.String):
            return either((one, other))
        values += each.right.items if isinstance(each.right, tree.ListValue) else (each.right,)
    assert isinstance(one, tree.Comparison)
    return compare(one.left, "in", tree.ListValue(tuple(dict.fromkeys(values))))


def without_condition(
    where: Condition | None, gone: Sequence[Condition], entity: Entity
) -> tuple[Condition | None, tuple[str, ...]]:
    """Return the conditions left, with notes of what goes; the unit goes with its numbers: `over 500 dollars`."""
    own = parts(where)
    slots = {one: slot for one in own if (slot := slot_of(one, entity)) is not None}
    fields = [(one, entity.fields.get(slot[-1])) for one, slot in slots.items()]
    units = {field.unit_field for one, field in fields if one in gone and field is not None}
    units -= {field.unit_field for one, field in fields if one not in gone and field is not None}
    every = [*gone, *(one for one, slot in slots.items() if slot[-1] in units and one not in gone)]
    return both(*(one for one in own if one not in every)), tuple(
        f"{LEFT_OUT}{condition_in_words(one)}." for one in every
    )


def without_values(own: Sequence[Condition], gone: set[Condition]) -> Iterator[tuple[Condition, Condition]]:
    """Yield conditions that lose some of their values, with replacements: `in ["a", "b"]` without `a` -> `= "b"`."""
    single: dict[str, tree.ComparisonOperator] = {"in": "=", "has all": "has", "has any": "has"}
    for one in own:
        if isinstance(one, tree.Comparison) and isinstance(one.right, tree.ListValue) and one.operator in single:
            values = {each.right for each in gone if isinstance(each, tree.Comparison) and each.left == one.left}
            kept = tuple(each for each in one.right.items if each not in values)
            if len(kept) == 1 < len(one.right.items):
                yield one, compare(one.left, single[one.operator], kept[0])
            elif kept and len(kept) < len(one.right.items):
                yield one, replace(one, right=tree.ListValue(kept))


def widened_note(wider: Condition) -> str:
    return f"Widened: {condition_in_words(wider)}."


def replaced_note(old: Sequence[Condition], new: Condition) -> str:
    before = " and ".join(condition_in_words(one) for one in old)
    return f"Replaced: {condition_in_words(new)}, before it was: {before}."
