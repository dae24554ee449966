"""Running a plan: its levels, then its statement. A generator of round trips; it knows no client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.compiler import typed
from qlc.compiler.context import UsedLiteral
from qlc.compiler.environment import Values
from qlc.compiler.request import Body, Reading, SearchRequest
from qlc.compiler.sources import id_field
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.planner.plan import Plan, name_beside
from qlc.resolver.hits import Page, Position, in_point_in_time, is_ranked, read_page, search_body
from qlc.resolver.known_values import KnownValues, read_unknown_values
from qlc.resolver.rounds import Rounds, alone, in_step
from qlc.resolver.rows import RowSet, read_rows
from qlc.resolver.steps import Run, read_step
from qlc.resolver.stops import Missing
from qlc.resolver.stored import field_values
from qlc.resolver.uses import check_use, deleted


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity as a value: what `get` answers with for a reference. `path` is empty where it has none."""

    id: typed.Scalar
    name: str | None
    path: str = ""


@dataclass(frozen=True, slots=True)
class HitsAnswer:
    find: typed.Find
    fields: tuple[Field | NestedList, ...]
    page: Page


@dataclass(frozen=True, slots=True)
class RowsAnswer:
    aggregate: typed.Aggregate
    rows: RowSet


@dataclass(frozen=True, slots=True)
class ValuesAnswer:
    """For each item of `get` its values; references as `FoundEntity`."""

    get: typed.Get
    values: tuple[tuple[Any, ...], ...]


Answer = HitsAnswer | RowsAnswer | ValuesAnswer


def run_plan(
    plan: Plan, run: Run, *, size: int, position: Position | None, literals: Sequence[UsedLiteral], known: KnownValues
) -> Rounds[Answer]:
    """All levels, then the statement. Raises Ask, Missing, CannotAnswer and what the environment raises."""
    yield from read_levels(plan, run)
    if isinstance(plan.statement, typed.Find):
        _compile(plan.statement, run)
        if position is None:
            position = yield from alone(in_point_in_time(plan.statement.entity))
    unknown = read_unknown_values(literals, run.env, known, run.access)
    answer, notes = yield from in_step([_statement(plan, run, size, position or Position()), unknown])
    run.env.notes += notes
    if isinstance(answer, HitsAnswer) and answer.page.total == 0:
        yield from in_step([_deleted(answer.find, run)])
    return answer  # type: ignore[no-any-return]


def read_levels(plan: Plan, run: Run) -> Rounds[None]:
    """The look-ups, level by level, and what is taken from them where one value is needed."""
    numbers = {step.source: step.number for step in plan.steps}
    checked: set[int] = set()
    done: set[int] = set()
    for level in plan.levels:
        yield from in_step([read_step(step, run) for step in level])
        done |= {step.number for step in level}
        for at, taken in enumerate(plan.uses):
            number = numbers[taken.source]
            if at not in checked and number in done:
                checked.add(at)
                check_use(taken, number, run)


def _compile(find: typed.Find, run: Run) -> Body:
    if run.body is None:
        run.body = search_body(find, run.env, shown_fields(find))
    return run.body


def _statement(plan: Plan, run: Run, size: int, position: Position) -> Reading[Answer]:
    statement = plan.statement
    match statement:
        case typed.Find():
            body = _compile(statement, run)
            page = yield from read_page(statement, body, size, position, f"the {statement.entity.plural}")
            return HitsAnswer(statement, shown_fields(statement), page)
        case typed.Aggregate():
            rows = yield from read_rows(statement, run.env)
            return RowsAnswer(statement, rows)
        case typed.Get():
            values = yield from _values(statement, run)
            return ValuesAnswer(statement, values)


def first_request(plan: Plan, run: Run) -> SearchRequest | None:
    """The request that the statement begins with, its look-ups done; None where it needs none."""
    statement = plan.statement
    if isinstance(statement, typed.Find):
        fields = shown_fields(statement)
        purpose = f"the {statement.entity.plural}"
        return SearchRequest(statement.entity.index, search_body(statement, run.env, fields), purpose,
                             ranked=is_ranked(statement))
    return next(_statement(plan, run, 0, Position())) if isinstance(statement, typed.Aggregate) else None


def shown_fields(find: typed.Find) -> tuple[Field | NestedList, ...]:
    """What a hit shows: what the query asks for, else what the catalog says, and always the name."""
    entity = find.entity
    shown = find.show
    if not shown:
        listed = [entity.fields.get(name) or entity.lists.get(name) for name in entity.show]
        shown = tuple(field for field in listed if field is not None and not field.sensitive)
    names = tuple(field for field in entity.names if field not in shown and not field.sensitive)
    return (*names, *shown)


def _values(get: typed.Get, run: Run) -> Reading[tuple[tuple[Any, ...], ...]]:
    """The values of each item; the entities behind references are fetched together."""
    wanted: dict[str, tuple[Entity, dict[typed.Scalar, None]]] = {}
    for item in get.items:
        values = run.env.taken(item.value)
        if not values:
            raise _no_value(item, run)
        if item.entity is not None and not item.entity.virtual:
            ids = wanted.setdefault(item.entity.name, (item.entity, {}))[1]
            ids |= {value: None for value in values if isinstance(value, str | int)}
    entities: dict[tuple[str, str], FoundEntity] = {}
    for name, (entity, ids) in wanted.items():
        for one in (yield from _entities(entity, tuple(ids), run)):
            entities[name, str(one.id)] = one
    return tuple(
        tuple(_item_value(item, value, entities, run) for value in run.env.taken(item.value)) for item in get.items
    )


def _item_value(
    item: typed.Item, value: Any, entities: Mapping[tuple[str, str], FoundEntity], run: Run
) -> Any:
    if item.entity is None:
        return value
    if item.entity.virtual:
        beside = name_beside(item.value)
        names = run.env.taken(beside) if beside is not None else ()
        single = len(names) == 1 and len(run.env.taken(item.value)) == 1
        return FoundEntity(value, str(names[0]) if single else None)
    one = entities.get((item.entity.name, str(value)))
    if one is not None:
        return one
    reference = item.value.field.reference if item.value.field is not None else None
    for constant, stored in (reference.constants if reference is not None else {}).items():
        if value == stored:
            return constant
    assert item.value.field is not None
    raise deleted(_subject(item, run), item.value.field, item.entity.name)


def _no_value(item: typed.Item, run: Run) -> Missing:
    name = _subject(item, run)
    return Missing(f"{item.name} of '{name}'", "no-value", f"'{name}' has no {item.name}.")


def _subject(item: typed.Item, run: Run) -> str:
    source = item.value.source
    return run.candidates[source].name if isinstance(source, typed.Lookup) else item.name


def _entities(entity: Entity, ids: tuple[typed.Scalar, ...], run: Run) -> Reading[list[FoundEntity]]:
    key = id_field(entity)
    find = typed.Find(entity, typed.Equals(key, tuple(typed.Literal(value) for value in ids)))
    fields = (*entity.names, *((entity.path,) if entity.path is not None else ()))
    position = yield from in_point_in_time(entity)
    body = search_body(find, run.env, fields)
    page = yield from read_page(find, body, len(ids), position, f"the {entity.plural} that were found")
    return [found_entity(entity, hit) for hit in page.hits]


def found_entity(entity: Entity, hit: Mapping[str, Any]) -> FoundEntity:
    names: Values = field_values(hit, entity.names[0]) if entity.names else ()
    paths: Values = field_values(hit, entity.path) if entity.path is not None else ()
    (identity, *_) = field_values(hit, id_field(entity)) or (hit["_id"],)
    return FoundEntity(str(identity), str(names[0]) if names else None, str(paths[0]) if paths else "")


def _deleted(find: typed.Find, run: Run) -> Reading[None]:
    """Nothing was found for the id that another document refers to: what it refers to is gone. Raises Missing."""
    parts = find.where.items if isinstance(find.where, typed.And) else (find.where,)
    for part in parts:
        if not isinstance(part, typed.Equals) or not part.field.is_id:
            continue
        for value in part.values:
            if not (isinstance(value, typed.Taken) and value.needs_entity and value.one and value.field is not None):
                continue
            ids = tuple(v for v in run.env.taken(value) if isinstance(v, str | int))
            if not (yield from _entities(find.entity, ids, run)):
                lookup = run.candidates.get(value.source) if isinstance(value.source, typed.Lookup) else None
                name = lookup.name if lookup is not None else "the one that was found"
                raise deleted(name, value.field, find.entity.name)
