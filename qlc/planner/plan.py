"""Plans: the lookups that a typed query needs, in levels. The requests of a level are sent together.

Equal sources are one step, since they compare equal. A step's level is one above the highest level of its needs, so a
plan of N levels takes N + 1 round trips.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from qlc.base.deadline import checkpoint
from qlc.base.errors import RequestFailed
from qlc.compiler import typed
from qlc.compiler.request import Reading, Response, SearchRequest
from qlc.compiler.walk import typed_parts
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema


@dataclass(frozen=True, slots=True)
class Step:
    """One source to be read. `takes` are the fields taken from it (None: its key), `needs` the steps it waits for."""

    number: int
    source: typed.Source
    takes: tuple[Field | None, ...]
    needs: tuple[int, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps by level, and every place where values are taken, in the order of the program.

    `fixed`: the statement means the same in every run in one time zone, so it need not be compiled again. `calculates`:
    something in it is calculated from fields.
    """

    statement: typed.Statement
    levels: tuple[tuple[Step, ...], ...]
    uses: tuple[typed.Taken, ...]
    fixed: bool = False
    calculates: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for level in self.levels for step in level)


class EndlessAccess(ValueError):
    """Raised if the access rule of an entity uses the entity itself."""

    def __init__(self, entity: str) -> None:
        super().__init__(f"the access rule of '{entity}' looks into itself")
        self.entity = entity


def plan_query(
    statement: typed.Statement, access: Mapping[str, typed.Condition], schema: Schema, parts: Sequence[Any] = ()
) -> Plan:
    """Plan the lookups of a statement. `access`: the access rules of entities, which every search carries; `parts`: all
    nodes of the statement, if they are known.

    Raises EndlessAccess.
    """
    kinds = set(map(type, parts or typed_parts(statement)))
    if kinds.isdisjoint(_SOURCES) and not any(access.values()):
        return Plan(statement, (), (), kinds.isdisjoint(_VARYING), typed.ComputedField in kinds)
    planner = _Planner(access, schema)
    planner.visit(statement)
    steps: dict[int, Step] = {}
    for number, (source, takes) in enumerate(planner.takes.items()):
        needs = tuple(sorted(planner.numbers[s] for s in planner.needs[source]))
        steps[number] = Step(number, source, tuple(takes), needs, -1)
    levels = _levels({number: step.needs for number, step in steps.items()})
    by_level: dict[int, list[Step]] = {}
    for number, step in steps.items():
        placed = Step(number, step.source, step.takes, step.needs, levels[number])
        by_level.setdefault(levels[number], []).append(placed)
    ordered = tuple(tuple(by_level[level]) for level in sorted(by_level))
    return Plan(statement, ordered, tuple(planner.uses), calculates=typed.ComputedField in kinds)


def _levels(needs: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    levels: dict[int, int] = {}

    def level(number: int) -> int:
        if number not in levels:
            levels[number] = 1 + max((level(other) for other in needs[number]), default=-1)
        return levels[number]

    for number in needs:
        level(number)
    return levels


class _Planner:
    def __init__(self, access: Mapping[str, typed.Condition], schema: Schema) -> None:
        self.access = access
        self.schema = schema
        self.takes: dict[typed.Source, dict[Field | None, None]] = {}
        self.needs: dict[typed.Source, set[typed.Source]] = {}
        self.numbers: dict[typed.Source, int] = {}
        self.uses: list[typed.Taken] = []
        self.open: list[typed.Source] = []
        self.guarded: list[str] = []

    def visit(self, statement: typed.Statement) -> None:
        if isinstance(statement, typed.Get):
            for item in statement.items:
                if isinstance(item.value, typed.Formula):
                    self._within(item.value)
                    continue
                self._take(item.value)
                for beside in (name_beside(item.value), unit_beside(item.value)):
                    if beside is not None:  # shown where it is there, so no use of a value that has to be
                        self._source(beside.source, beside.field)
                if item.entity is not None:
                    self._guard(item.entity)
            return
        self._guard(statement.entity)
        if isinstance(statement, typed.Aggregate):
            self._guard_groups(statement)
        of = statement.entity
        for shown in (statement.show or of.shown) if isinstance(statement, typed.Find) else ():
            through = shown.through if isinstance(shown, typed.Chain) else named_elsewhere([shown], of, self.schema)
            for reference in through:
                assert reference.reference is not None
                self._guard(self.schema.entity(reference.reference.entity))
        self._within(statement)

    def _guard(self, entity: Entity) -> None:
        """Add what the access rule of a searched entity needs to the needs of the search."""
        guarded = [self.schema.entity(source.entity) for source in entity.sources] if entity.virtual else [entity]
        for one in dict.fromkeys(guarded):
            key = one.rule_key
            rule = self.access.get(key)
            if rule is None or isinstance(rule, typed.All):
                continue
            if key in self.guarded:
                raise EndlessAccess(one.name)
            self.guarded.append(key)
            self._within(rule)
            self.guarded.pop()

    def _guard_groups(self, aggregate: typed.Aggregate | typed.Top) -> None:
        """Add the needs of the documents that groups refer to: their keys and names are read."""
        if aggregate.entity.in_access:
            return
        for group in aggregate.groups:
            for field in (*group.through, group.field) if group.function is None else group.through:
                target = self.schema.entity(field.reference.entity) if field.reference is not None else None
                if target is not None and not target.virtual:
                    self._guard(target)

    def _within(self, node: Any) -> None:
        for found in (part for part in typed_parts(node, _SOURCES) if isinstance(part, _SOURCES)):
            if isinstance(found, typed.Taken):
                self._take(found)
            else:
                self._source(found, None)

    def _take(self, taken: typed.Taken) -> None:
        self._source(taken.source, taken.field)
        self.uses.append(taken)

    def _source(self, source: typed.Source, field: Field | None) -> None:
        checkpoint()
        if source in self.open:
            raise EndlessAccess(entity_of(source).name)
        if self.open:
            self.needs[self.open[-1]].add(source)
        known = source in self.needs
        if not known:
            self.needs[source] = set()
            self.open.append(source)
            match source:
                case typed.Lookup():
                    # Name resolution also looks for other kinds of the same name, and for what lies above.
                    for entity in self.schema.entities.values():
                        if entity.index == source.entity.index:
                            self._guard(entity)
                case typed.Search():
                    self._guard(source.find.entity)
                    self._within(source.find)
                case typed.Rows():
                    self._guard(source.aggregate.entity)
                    self._guard_groups(source.aggregate)
                    self._within(source.aggregate)
                case typed.Descendants():
                    self._guard(source.entity)
                    self._within(source.above)
                case typed.Keys():
                    self._guard(source.entity)
                case typed.Top():
                    self._guard(source.entity)
                    self._guard_groups(source)
                    self._within((source.where, source.sort))
                case typed.Pairs() | typed.Extent() | typed.Nearest():
                    self._guard(source.entity)
                    if isinstance(source, typed.Nearest):
                        self._guard(source.passages)
                    self._within(source.rest)
            self.open.pop()
            self.numbers[source] = len(self.numbers)
        self.takes.setdefault(source, {})[field] = None


def named_elsewhere(shown: Iterable[typed.Shown], of: Entity, schema: Schema) -> list[Field]:
    """Return the references to documents of another index, such as another table, whose names are only there."""
    found = []
    for one in (each for each in shown if isinstance(each, Field)):
        reference = one.reference
        if reference is None or reference.name_at is not None or reference.guarded_name is not None:
            continue
        entity = schema.entity(reference.entity)
        name = next((each for each in entity.names if not each.sensitive), None)
        if entity.index != of.index and not entity.virtual and name is not None and not name.is_id:
            found.append(one)
    return found


def entity_of(source: typed.Source) -> Entity:
    """Return the entity whose documents a source reads."""
    match source:
        case typed.Search():
            return source.find.entity
        case typed.Rows():
            return source.aggregate.entity
        case _:
            return source.entity

_SOURCES = (typed.Taken, typed.Pairs, typed.Extent, typed.Descendants, typed.Nearest)


_VARYING = (typed.Param, typed.RelativePeriod, typed.Now)
"""Nodes whose value differs between runs: parameters, and periods relative to now."""


def name_beside(taken: typed.Taken) -> typed.Taken | None:
    """Return the name stored beside a taken reference, to be taken from the same source."""
    reference = taken.field.reference if taken.field is not None else None
    if taken.field is None or reference is None or reference.name_at is None:
        return None
    name = Field(f"{taken.field.name}.name", reference.name_at, FieldKind.KEYWORD, many=taken.field.many)
    return typed.Taken(taken.source, name, one=False, span=taken.span)


def unit_beside(taken: typed.Taken) -> typed.Taken | None:
    """Return the unit stored beside a taken amount (its currency), to be taken from the same source."""
    source = taken.source.find if isinstance(taken.source, typed.Search) else taken.source
    if taken.field is None or not isinstance(source, typed.Lookup | typed.Find):
        return None
    unit = source.entity.unit_of(taken.field)
    return typed.Taken(taken.source, unit, one=False, span=taken.span) if unit is not None else None


# --- rounds: readings in step ----------------------------------------------------------------------------------------


T = TypeVar("T")
W = TypeVar("W")

Rounds = Generator[tuple[SearchRequest, ...] | float, Sequence[Response], T]
"""A generator that yields the requests of one round trip, receives their responses in order, and returns a value.

It can also yield seconds to wait before it checks again for somebody else's work.
"""


class InStep(Generic[W, T]):
    """Generators in lockstep: the requests of unfinished ones by number, and all results."""

    def __init__(self, readings: Sequence[Generator[W, Any, T]]) -> None:
        self._readings = readings
        self.pending: dict[int, W] = {}
        self.results: list[Any] = [None] * len(readings)
        for number in range(len(readings)):
            self.send(number, None)

    def send(self, number: int, answer: Any) -> None:
        checkpoint()
        self._go_on(number, partial(self._readings[number].send, answer))

    def throw(self, number: int, problem: Exception) -> None:
        self._go_on(number, partial(self._readings[number].throw, problem))

    def _go_on(self, number: int, go_on: Callable[[], W]) -> None:
        self.pending.pop(number, None)
        try:
            self.pending[number] = go_on()
        except StopIteration as end:
            self.results[number] = end.value


def in_step(readings: Sequence[Reading[Any]]) -> Rounds[list[Any]]:
    """Run readings together until all are done, and return their results in order."""
    step: InStep[SearchRequest, Any] = InStep(readings)
    while step.pending:
        asked = {number: request for number, request in step.pending.items() if request.action != "wait"}
        waiting = [number for number in step.pending if number not in asked]
        responses = (yield tuple(asked.values())) if asked else ()
        for number, response in zip(asked, responses, strict=True):
            step.send(number, response)
        for number in waiting:
            step.send(number, {})
    return step.results


def together(runs: Sequence[Rounds[T]]) -> Rounds[list[T]]:
    """Run several generators together, combining their requests of a round trip. A failed round trip is repeated for
    each of them alone, so that one failure does not affect others."""
    step: InStep[Any, T] = InStep(runs)
    while step.pending:
        asked = {number: wanted for number, wanted in step.pending.items() if not isinstance(wanted, float)}
        waiting = [number for number in step.pending if number not in asked]
        if not asked:
            yield min(step.pending.values())
        else:
            yield from _sent_together(asked, step)
        for number in waiting:
            step.send(number, ())
    return step.results


def _sent_together(asked: dict[int, tuple[SearchRequest, ...]], step: InStep[Any, T]) -> Rounds[None]:
    try:
        responses = list((yield tuple(one for wanted in asked.values() for one in wanted)))
    except RequestFailed as problem:
        if len(asked) == 1:
            step.throw(next(iter(asked)), problem)
            return
        for number, wanted in asked.items():
            yield from _sent_together({number: wanted}, step)
        return
    for number, wanted in asked.items():
        step.send(number, responses[: len(wanted)])
        del responses[: len(wanted)]


def alone(reading: Reading[T]) -> Rounds[T]:
    """Run one reading by itself, each of its requests a round trip: `in_step([reading])`, in half of the time."""
    response: Any = None
    try:
        while True:
            checkpoint()
            request = reading.send(response)
            (response,) = (yield (request,)) if request.action != "wait" else ({},)
    except StopIteration as end:
        result: T = end.value
        return result
