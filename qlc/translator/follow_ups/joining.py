"""A statement that was read from a follow-up, joined with the search that it goes on from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from qlc.grammar import parse as parsed
from qlc.grammar import print_program, tree
from qlc.grammar.tree import Condition, Statement, mapped, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.follow_ups import english
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
    widened,
    without_those,
)
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import Base, Earlier
from qlc.translator.in_words import condition_in_words
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import COUNT, both, either, parts
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.nouns.noun_phrases import THOSE
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import Token, tokenize

N = TypeVar("N", bound=tree.Node)
NOT_IN_PLACE = 0.4  # cost of adding a condition if the words ask for another value of an existing one
BESIDE_WHAT_WAS_SAID = 0.2
"""Cost of a period on the usual date if another date has a condition, and of a second field like the grouped one."""
ONLY_SHOWN = "Of the {0} in the last list only, which has a part of them."
OTHERS = "Without those of the last answer."


@dataclass(frozen=True, slots=True)
class Beginning:
    """Beginning of a follow-up: where its content begins, and how the words before change the earlier question.

    `after`: it changes the documents found `after` it. `goes_on`: it begins with `and`. `asks`: it asks for a list.
    `which`: it asks which of them.
    """

    at: int
    mode: Mode = ""
    goes_on: bool = False
    asks: bool = False
    after: bool = False
    which: bool = False

    @property
    def cued(self) -> bool:
        return self.goes_on or bool(self.mode)


@dataclass(frozen=True, slots=True)
class Joined:
    """A changed statement with its notes and the cost of the change."""

    statement: Statement
    notes: tuple[str, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Meaning:
    """A program that a follow-up may mean: the first of the `ways` that holds together; `sure` ones exclude others."""

    ways: tuple[Joined, ...]
    cost: float
    changes: bool = True
    sure: bool = False

    @property
    def drops(self) -> bool:
        """Whether a condition is left out."""
        return any(note.startswith(LEFT_OUT) for way in self.ways for note in way.notes)


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a follow-up after its beginning, with the earlier turns that it changes."""

    p: Parse
    said: Beginning
    base: Base | None
    last: Earlier | None
    earlier: Sequence[Earlier] = ()

    @property
    def at(self) -> int:
        return self.said.at

    @property
    def schema(self) -> Schema:
        return self.p.schema

    def in_its_year(self, node: N, old: Sequence[Condition] = ()) -> N:
        """`only March`, after a list of one year: the March of that year, where no year is said."""
        named = plain.MONTHS.keys() | {"q1", "q2", "q3", "q4", "quarter"}
        said = [token.text for token in self.p.tokens[self.at :]]
        says_one = "year" in said or any(one.isdecimal() and int(one) in YEARS for one in said)
        if says_one or named.isdisjoint(said) or self.base is None:
            return node
        dated = [str(getattr(one.right, "text", getattr(one.right, "value", ""))) for one in old or self.base.conditions
                 if isinstance(one, tree.Comparison) and one.operator == "=" and isinstance(one.left, tree.Path)
                 and (field := field_of(self.base.entity, one.left)) is not None
                 and field.kind is FieldKind.DATE]  # fmt: skip
        years = {one[:4] for one in dated if one[:4].isdecimal()}
        year = years.pop() if len(years) == 1 else None
        return node if year is None else mapped(node, lambda one: tree.DateLiteral(year + one.text[4:])
                                                if isinstance(one, tree.DateLiteral) else None)  # fmt: skip


def is_cut(base: Base) -> bool:
    """Return whether a search was limited, as in `the first five`."""
    one = base.statement
    return isinstance(one, tree.Find) and (one.limit is not None or one.offset is not None)


def the_set(base: Base) -> Condition | None:
    """Return the condition that the results of the base meet; None if there is none that says it."""
    statement = base.statement
    if isinstance(statement, tree.Aggregate):
        return statement.where
    return set_of(statement, base.entity, base.earlier.ids if base.earlier.complete else None)


def no_set(base: Base) -> bool:
    """Whether the things that the base found cannot be described."""
    return is_cut(base) and the_set(base) is None


def of_the_whole(base: Base) -> Base:
    """Return the base of another order without its limit of one: after `the largest one`, `the oldest` is of all."""
    one = base.statement
    if isinstance(one, tree.Find) and one.limit == 1 and one.sort:
        return replace(base, statement=replace(one, sort=(), limit=None, offset=None))
    return base


def _with_those(statement: Statement, base: Base) -> Statement | None:
    """The statement with the condition of the things spoken of in the place of its mark."""
    those = the_set(base)

    def put(one: tree.Node) -> tree.Node | None:
        if those is None and isinstance(one, tree.Find | tree.Aggregate) and speaks_of_those(one):
            return replace(one, where=without_those(one.where))
        if those is None:
            return None
        if isinstance(one, tree.And) and THOSE in one.items:
            return both(those, *(mapped(item, put) for item in one.items if item != THOSE))
        return those if one == THOSE else None

    return None if no_set(base) else mapped(statement, put)


def joined(statement: Statement, base: Base, said: Beginning, schema: Schema) -> Iterator[Joined]:
    """The ways to join a statement with the base; of each, only the first that holds together counts."""
    if isinstance(statement, tree.Get):
        whole = _with_those(statement, base)
        if whole is not None:
            yield Joined(whole)
        return
    if isinstance(statement.entity, tree.EntityLookup):
        yield Joined(statement)
        return
    entity = find_entity(schema, statement.entity.text)
    if entity is None:
        return
    if said.mode == "add" and entity.name != base.entity.name:
        kinds = {base.entity.name, entity.name}
        covering = [one for one in schema.entities.values() if kinds <= {one.name, *one.kinds}]
        if not covering:
            return
        entity = covering[0]
    if isinstance(statement, tree.Find) and statement.sort:
        base = of_the_whole(base)
    new = parts(without_those(statement.where))
    if speaks_of_those(replace(statement, where=None)) or any(speaks_of_those(one) for one in new):
        whole = _with_those(replace(statement, where=both(*new)), base)
        if not isinstance(whole, tree.Find | tree.Aggregate):
            return
        if entity.name != base.entity.name and THOSE not in parts(statement.where):
            yield Joined(whole)  # "documents in those folders": what is true of the folders is not of the documents
            return
        statement, new = whole, parts(whole.where)
    beside = BESIDE_WHAT_WAS_SAID if _is_beside(base, new, entity) else 0.0
    for changed, cost, in_place in _changed(base, new, said, entity):
        result = _result(statement, base, said, entity, changed.where, in_place)
        if result is not None and (result != base.statement or statement.sort):  # "newest first" once more
            yield Joined(result, (*_entity_note(base, entity), *changed.notes), cost + beside)


def with_further_ones(statement: Statement, c: Content, narrowed: Joined) -> Iterator[Joined]:
    """Yield the search with further documents: after what Ann created, `and the ones she owns` -> either."""
    base, said = c.base, c.p.text[c.p.tokens[c.at].start :].casefold()
    goes_on = c.said.goes_on and not c.said.mode and said.startswith(english.FURTHER_ONES)
    if base is None or not isinstance(base.statement, tree.Find) or is_cut(base) or not goes_on or narrowed.notes:
        return
    new = None if isinstance(statement, tree.Get) else without_those(statement.where)
    if new is not None and base.statement.where is not None:
        where = either((base.statement.where, new))
        yield Joined(replace(base.statement, where=where), (f"Also those where {condition_in_words(new)}.",))


def _is_beside(base: Base, new: tuple[Condition, ...], entity: Entity) -> bool:
    """Return whether a condition is on the usual date beside another one, or on a field like the grouped one."""
    slots = {slot_of(one, base.entity) for one in parts(base.statement.where)}
    usual = default_date(base.entity)
    dates = {(one.name,) for one in base.entity.fields.values() if one.kind is FieldKind.DATE}
    of_another = usual is not None and usual[0].path not in slots and bool(slots & dates)
    if usual is not None and of_another and any(slot_of(one, base.entity) == usual[0].path for one in new):
        return True
    groups = base.statement.groups if isinstance(base.statement, tree.Aggregate) else ()
    fields = [one for by in groups if by.function is None and (one := field_of(entity, by.path)) is not None]
    own = {(one.name,) for one in fields}
    others = (entity.fields.get(slot[-1]) for one in new if (slot := slot_of(one, entity)) and slot not in own)
    return any(other is not None and _are_alike(other, one) for other in others for one in fields)


def _are_alike(one: Field, other: Field) -> bool:
    """Whether a value can be one of either field: both have the same closed values, or name the same kind of things."""
    if one.reference is not None or other.reference is not None:
        return one.reference is not None and other.reference is not None
    return one.values is not None and one.values == other.values


def _entity_note(base: Base, entity: Entity) -> tuple[str, ...]:
    if entity.name == base.entity.name:
        return ()
    if base.entity.name in entity.kinds:
        return (f"Looked for {entity.plural}, not only for {base.entity.plural}.",)
    return (f"Looked for {entity.plural} in place of {base.entity.plural}.",)


def _changed(base: Base, new: tuple[Condition, ...], said: Beginning,
             entity: Entity) -> Iterator[tuple[Changed, float, bool]]:
    """The changed conditions, what that costs, and whether a value took the place of another one."""
    where = base.statement.where
    narrowed = the_set(base) if is_cut(base) else where
    if not new:
        keeps = said.mode in ("replace", "add")
        yield Changed(where if keeps else narrowed), 0.0, keeps
        return
    if said.mode == "add":
        wider = widened(where, new, entity)
        if wider is not None and not (said.after and has_several(new[0], entity)):
            yield wider, 0.0, True
        elif said.after:
            yield from ((one, NOT_IN_PLACE, False) for one in added(narrowed, new, entity))
        return
    further = said.goes_on and not said.mode
    both_hold = further and any((isinstance(base.statement, tree.Find) and has_several(one, entity))
                                or any(makes_a_range(old, one, entity) for old in parts(where)) for one in new)
    replaces = (said.mode == "replace" or said.goes_on) and not both_hold  # "and tagged urgent" is a further tag
    changed = substituted(where, new, entity) if replaces else None
    if changed is not None:
        yield changed, 0.0, True
        return
    yield from ((one, NOT_IN_PLACE if replaces else 0.0, False) for one in added(narrowed, new, entity))


def _result(
    statement: tree.Find | tree.Aggregate, base: Base, said: Beginning, entity: Entity, where: Condition | None,
    in_place: bool,
) -> Statement | None:  # fmt: skip
    if no_set(base):
        return None
    before, name = base.statement, tree.Name(entity.plural)
    if said.goes_on and isinstance(before, tree.Aggregate) and any(one.condition for one in before.measures):
        return None  # "and cancelled?", after a share: the share of those is another question
    if isinstance(statement, tree.Aggregate):
        measures = statement.measures
        if isinstance(before, tree.Aggregate) and statement.groups and measures == (COUNT,):
            measures = before.measures
        return replace(statement, measures=measures, entity=name, where=where)
    orders = bool(statement.sort) or statement.limit is not None
    if isinstance(before, tree.Aggregate):
        if not said.asks and not (said.which and not before.groups):  # "which of them", after a number, is a list
            if orders and (before.groups or before.measures != (COUNT,)):
                return None
            if not orders:
                return replace(before, entity=name, where=where)
        if before.having is not None or before.limit is not None:
            return None
        return tree.Find(name, _of_the_groups(before, where, entity), statement.sort, statement.limit, statement.offset)
    if in_place and not orders:
        return replace(before, entity=name, where=where)
    sort = statement.sort or before.sort
    return tree.Find(name, where, sort, statement.limit, statement.offset, before.show, before.every)


def _of_the_groups(before: tree.Aggregate, where: Condition | None, entity: Entity) -> Condition | None:
    """`show those of 2026` after groups by the year of another date than the entity's own: that date is meant."""
    own = default_date(entity)
    dated = [group.path for group in before.groups if group.function not in (None, "bins", "step")]
    if own is None or len(dated) != 1:
        return where
    return both(*(replace(one, left=dated[0]) if isinstance(one, tree.Comparison) and one not in parts(before.where)
                  and slot_of(one, entity) == own[0].path else one for one in parts(where)))  # fmt: skip


def with_what_is_left_out(said: Translated, base: Base | None) -> Translated:
    """Note each condition of the last search that is gone: `Left out: placed is 2026-05.`"""
    statement = parsed(said.program).statement
    if base is None or isinstance(statement, tree.Get) or not _is_of_the_same_kind(statement, base):
        return said  # which other things are looked for is noted, and what was said is not true of them
    kept, slots = set(walked(statement)), {slot_of(one, base.entity) for one in parts(statement.where)}
    noted = " ".join(said.notes)
    is_noted = any(f"{one}: " in noted for one in ("Replaced", "Widened", "Back to"))
    by_id = base.entity.id is not None and (base.entity.id.name,) in slots
    if by_id or any(isinstance(one, tree.Subquery) for one in kept):
        return said
    notes = tuple(
        f"{LEFT_OUT}{condition_in_words(one)}."
        for one in parts(base.statement.where)
        if one not in kept and condition_in_words(one) not in noted
        and not (slot_of(one, base.entity) in slots
                 and (is_noted or (isinstance(one, tree.Comparison) and one.right in kept)))
    )  # fmt: skip
    return replace(said, notes=(*notes, *said.notes)) if notes else said


def _is_of_the_same_kind(statement: tree.Find | tree.Aggregate, base: Base) -> bool:
    """Whether a statement looks for the same things as the last search, and not for one that it names."""
    return isinstance(statement.entity, tree.Name) and statement.entity.text in (base.entity.name, base.entity.plural)


def of_the_rows_shown(said: Translated, base: Base | None, tokens: Sequence[Token]) -> Translated:
    """Note that a follow-up is of the rows of a cut list, unless it says so: `the cheapest one`, after `next 5`."""
    if base is None or not is_cut(base) or any(token.text in english.SEVERAL for token in tokens):
        return said
    if the_set(base) not in set(walked(parsed(said.program).statement)):
        return said
    return replace(said, notes=(*said.notes, ONLY_SHOWN.format(base.entity.plural)))


def without_those_before(said: Translated, base: Base | None, text: str) -> Translated:
    """Exclude what the last search found from `which other orders are late?`."""
    program = parsed(said.program)
    statement = program.statement
    others = any(token.text in english.OTHERS for token in tokenize(text))
    those = the_set(base) if others and base is not None else None
    if base is None or those is None or isinstance(statement, tree.Get) or not _is_of_the_same_kind(statement, base):
        return said
    where = both(*parts(statement.where), tree.Not(those))
    changed = print_program(replace(program, statement=replace(statement, where=where)))
    return replace(said, program=changed, notes=(*said.notes, OTHERS))
