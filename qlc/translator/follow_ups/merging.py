"""A statement that was read from a follow-up, joined with the search that it goes on from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from qlc.grammar import parse as parsed
from qlc.grammar import print_program, tree
from qlc.grammar.tree import Condition, Statement, mapped, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.follow_ups.editing import (
    LEFT_OUT,
    Changed,
    added,
    field_of,
    has_several,
    makes_a_range,
    set_of,
    slot_of,
    speaks_of_those,
    substituted,
    without_those,
)
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.speech import Beginning
from qlc.translator.in_words import condition_in_words
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import both, parts
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.nouns.noun_phrases import THOSE
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import tokenize

NOT_IN_PLACE = 0.4
"""What it costs to add a condition where the words ask for another value of one that is there."""

OF_ANOTHER_DATE = 0.2
"""What it costs to mean the usual date by a period, where another date has one already."""


OF_ANOTHER_GROUP = 0.2
"""What it costs to mean a field like the one that the rows are grouped by, and not that one."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A statement, its notes, and what it costs beyond its reading."""

    statement: Statement
    notes: tuple[str, ...] = ()
    cost: float = 0.0


def the_set(base: Base) -> Condition | None:
    """What is true of the things that the base found. None where it cannot be said, or is true of all."""
    statement = base.statement
    if isinstance(statement, tree.Aggregate):
        return statement.where
    known = base.earlier.ids if base.earlier.complete else None
    return set_of(statement, base.entity, known)


def with_what_is_left_out(said: Translated, base: Base | None) -> Translated:
    """Name each condition of the last search that a follow-up has no more, before all other notes.

    `orders in May by city`, `only Rome`, then a program without May -> "Left out: placed is 2026-05."
    """
    statement = parsed(said.program).statement
    if base is None or isinstance(statement, tree.Get):
        return said
    kept, slots = set(walked(statement)), {slot_of(one, base.entity) for one in parts(statement.where)}
    told = " ".join(said.notes)
    is_noted = any(f"{one}: " in told for one in ("Replaced", "Widened", "Read as", "Back to"))
    same_things = any(isinstance(one, tree.Subquery) for one in kept) or _is_by_id(statement, base.entity)
    notes = tuple(
        f"{LEFT_OUT}{condition_in_words(one)}."
        for one in parts(base.statement.where)
        if one not in kept
        and (not same_things)
        and (condition_in_words(one) not in told)
        and (not (slot_of(one, base.entity) in slots and is_noted))
    )
    return replace(said, notes=(*notes, *said.notes)) if notes else said


def _is_by_id(statement: tree.Find | tree.Aggregate, entity: Entity) -> bool:
    """Return whether a statement is of things that it names by their ids."""
    return entity.id is not None and any(slot_of(one, entity) == (entity.id.name,) for one in parts(statement.where))


def without_those_before(said: Translated, base: Base | None, text: str) -> Translated:
    """Exclude what the last search found from `which other orders are late?`."""
    program = parsed(said.program)
    statement = program.statement
    others = any(token.text in _OTHERS for token in tokenize(text))
    those = the_set(base) if others and base is not None else None
    if base is None or those is None or isinstance(statement, tree.Get):
        return said
    where = both(*parts(statement.where), tree.Not(those))
    changed = print_program(replace(program, statement=replace(statement, where=where)))
    return replace(said, program=changed, notes=(*said.notes, OTHERS))


_OTHERS = words("other others else")
OTHERS = "Without those of the last answer."


def is_cut(base: Base) -> bool:
    return isinstance(base.statement, tree.Find) and (
        base.statement.limit is not None or base.statement.offset is not None
    )


def of_the_whole(base: Base) -> Base:
    """What an order is asked of after the one that came first of another order: all of that, not the one."""
    return base


def with_those(statement: Statement, base: Base) -> Statement | None:
    """The statement with the condition of the things spoken of in the place of its mark."""
    those = the_set(base)
    return mapped(statement, lambda one: _with_set(one, those))


def _with_set(one: tree.Node, those: Condition) -> tree.Node | None:
    if isinstance(one, tree.And) and THOSE in one.items:
        return both(those, *(mapped(item, lambda n: _with_set(n, those)) for item in one.items if item != THOSE))
    return those if one == THOSE else None


def joined(statement: Statement, base: Base, said: Beginning, schema: Schema) -> Iterator[Joined]:
    """The ways to join a statement with the base; of each, only the first that holds together counts."""
    entity = find_entity(schema, statement.entity.text)
    if isinstance(statement, tree.Find) and statement.sort:
        base = of_the_whole(base)
    new = parts(without_those(statement.where))
    inner = replace(statement, where=None)
    if speaks_of_those(inner) or any(speaks_of_those(one) for one in new):
        whole = with_those(replace(statement, where=both(*new)), base)
        statement, new = whole, parts(whole.where)
    beside = OF_ANOTHER_DATE if any(_is_of_another_date(one, base) for one in new) else 0.0
    beside = max(beside, _beside_the_groups(base, new, entity))
    for changed, cost, in_place in _changed(base, new, said, entity):
        cost += beside
        result = _result(statement, base, said, entity, changed.where, in_place)
        if result is not None and (result != base.statement or statement.sort):  # "newest first" once more
            yield Joined(result, (*changed.notes,), cost)


def _beside_the_groups(base: Base, new: tuple[Condition, ...], entity: Entity) -> float:
    """What it costs to narrow rows by another field than the one that they are grouped by: `only Germany`, after
    prices by the country of destination."""
    if not isinstance(base.statement, tree.Aggregate):
        return 0.0
    plain = [group.path for group in base.statement.groups if group.function is None]
    fields = [field for one in plain if (field := field_of(entity, one)) is not None]
    slots = {(field.name,) for field in fields}
    others = (entity.fields.get(slot[-1]) for one in new if (slot := slot_of(one, entity)) and slot not in slots)
    alike = any(other is not None and _are_alike(other, field) for other in others for field in fields)
    return OF_ANOTHER_GROUP if alike else 0.0


def _are_alike(one: Field, other: Field) -> bool:
    """Whether a value can be one of either field: both have the same closed values, or name the same kind of things."""
    if one.reference is not None or other.reference is not None:
        return one.reference is not None and other.reference is not None
    return one.values is not None and one.values == other.values


def _is_of_another_date(condition: Condition, base: Base) -> bool:
    """Whether a condition is on the usual date, and another date alone was spoken of: `next year` after what expires
    this year."""
    usual = default_date(base.entity)
    if usual is None or slot_of(condition, base.entity) != usual[0].path:
        return False
    slots = {slot_of(one, base.entity) for one in parts(base.statement.where)}
    dates = {(one.name,) for one in base.entity.fields.values() if one.kind is FieldKind.DATE}
    return usual[0].path not in slots and bool(slots & dates)


def _changed(
    base: Base, new: tuple[Condition, ...], said: Beginning, entity: Entity
) -> Iterator[tuple[Changed, float, bool]]:
    """The changed conditions, what that costs, and whether a value took the place of another one."""
    where = base.statement.where
    if not new:
        keeps = said.mode in ("replace", "add")
        yield Changed(where if keeps or not is_cut(base) else the_set(base)), 0.0, keeps
        return
    lists = isinstance(base.statement, tree.Find)
    further = said.goes_on and not said.mode
    both_hold = lists and further and any(has_several(one, entity) for one in new)
    both_hold = both_hold or (further and any(makes_a_range(old, one, entity) for old in parts(where) for one in new))
    if (said.mode == "replace" or said.goes_on) and not both_hold:  # "and tagged urgent" is a further tag
        changed = substituted(where, new, entity)
        if changed is None and said.mode == "replace":
            changed = None
        if changed is not None:
            yield changed, 0.0, True
            return
        for one in added(_narrowed(base), new, entity):
            yield one, NOT_IN_PLACE, False
        return
    for one in added(_narrowed(base), new, entity):
        yield one, 0.0, False


def _narrowed(base: Base) -> Condition | None:
    return the_set(base) if is_cut(base) else base.statement.where


def _result(
    statement: tree.Find | tree.Aggregate, base: Base, said: Beginning, entity: Entity, where: Condition | None,
    in_place: bool,
) -> Statement | None:  # fmt: skip
    before, name = base.statement, tree.Name(entity.plural)
    if isinstance(statement, tree.Aggregate):
        measures, having, sort = statement.measures, statement.having, statement.sort
        groups = statement.groups
        if isinstance(before, tree.Aggregate) and statement.groups and statement.measures == (COUNT,):
            measures = before.measures
        return tree.Aggregate(measures, name, where, groups, having, sort, statement.limit, statement.offset)
    if isinstance(before, tree.Aggregate):
        if not said.asks and not (said.which and not before.groups):  # "which of them", after a number, is a list
            if not statement.sort and statement.limit is None:
                return replace(before, entity=name, where=where)
        if before.having is not None or before.limit is not None:
            return None
        return tree.Find(name, _of_the_groups(before, where, entity), statement.sort, statement.limit, statement.offset)
    keeps = in_place and statement.limit is None and not statement.sort
    sort = statement.sort or before.sort
    if keeps:
        return replace(before, entity=name, where=where)
    return tree.Find(name, where, sort, statement.limit, statement.offset, before.show, before.every)


def _of_the_groups(before: tree.Aggregate, where: Condition | None, entity: Entity) -> Condition | None:
    """`show those of 2026` after groups by the year of another date than the entity's own: that date is meant."""
    own = default_date(entity)
    dated = [group.path for group in before.groups if group.function not in (None, "bins", "step")]
    if own is None or len(dated) != 1:
        return where
    changed = []
    return both(*changed)
