"""Runs a plan: its levels, then its statement. A generator of round trips that knows no client."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from qlc.compiler import typed
from qlc.compiler.context import UsedLiteral
from qlc.compiler.environment import Bindings, Values
from qlc.compiler.request import CannotAnswer, Reading, SearchRequest
from qlc.compiler.sources import id_field, taken_field
from qlc.mapping.schema import Entity, Field
from qlc.planner.describe import placeholder
from qlc.planner.plan import (
    Plan,
    Rounds,
    Step,
    alone,
    in_step,
    name_beside,
    named_elsewhere,
    plan_query,
    unit_beside,
)
from qlc.resolver.absent import read_absent_words, read_unknown_values
from qlc.resolver.calculated import calculated_column
from qlc.resolver.early_exits import Ask, Missing
from qlc.resolver.hits import (
    AnySearch,
    CompiledSearch,
    Page,
    Position,
    RawHit,
    compiled_search,
    in_point_in_time,
    is_ranked,
    read_page,
    sort_clauses,
    with_ties,
)
from qlc.resolver.instants import moment
from qlc.resolver.kept import Kept
from qlc.resolver.names import NameCache, identified
from qlc.resolver.names.documents import read_documents
from qlc.resolver.names.entries import field_values, source_paths, values_by_hit
from qlc.resolver.rankers import note_words_alone
from qlc.resolver.ranking import about_of, fused, ranked_page
from qlc.resolver.rows import RowSet, read_rows
from qlc.resolver.rows.names import Names, names_of_ids
from qlc.resolver.scripted import check_number_of_documents, count_divisions_by_zero, searched_in
from qlc.resolver.steps import FirstPage, Run, check_use, choice_of, deleted, many_ids, read_step


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity as a value, the result of `get` for a reference. `path` is empty if it has none."""

    id: typed.Scalar
    name: str | None
    path: str = ""


@dataclass(frozen=True, slots=True)
class HitsAnswer:
    """Hits. `referred`: for each shown chain, the documents that each hit's references lead to. `names`: for each shown
    reference without names beside its ids, the names of the documents."""

    find: typed.Find
    fields: tuple[typed.Shown, ...]
    page: Page
    referred: Mapping[typed.Chain, Sequence[Sequence[RawHit]]] = field(default_factory=dict)
    calculated: Mapping[typed.ComputedField, Sequence[Any]] = field(default_factory=dict)
    names: Mapping[Field, Names] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RowsAnswer:
    aggregate: typed.Aggregate
    rows: RowSet


@dataclass(frozen=True, slots=True)
class ValuesAnswer:
    """Values for each item of `get`, references as `FoundEntity`, and the unit stored beside them."""

    get: typed.Get
    values: tuple[tuple[Any, ...], ...]
    units: tuple[str | None, ...]


Answer = HitsAnswer | RowsAnswer | ValuesAnswer


def run_plan(
    plan: Plan, run: Run, *, size: int, position: Position | None, literals: Sequence[UsedLiteral],
    known: Kept[Hashable, str], aside: Sequence[Reading[list[str]]] = (),
) -> Rounds[Answer]:
    """Run all levels, then the statement; `aside` are readings of further notes, in its round trip.

    Raises Ask, Missing, CannotAnswer and errors of the environment.
    """
    if run.first is not None and position is not None:
        run.search = run.first.search
        run.env.notes += run.first.notes
        return (yield from alone(_statement(plan, run, size, position)))
    if isinstance(plan.statement, typed.Get):
        # It may need no request of its own.
        run.env.notes += yield from read_levels(plan, run, aside)
        aside = ()
    else:
        yield from read_levels(plan, run)
        if plan.calculates and position is None:  # the first page has checked and said it
            yield from alone(check_number_of_documents(plan.statement, run.env))
            aside = [*aside, count_divisions_by_zero(plan.statement, run.env)]
    if isinstance(plan.statement, typed.Find):
        _compile(plan.statement, run)
        if position is None:
            position = yield from alone(in_point_in_time(plan.statement.entity))
    unknown = [*([read_unknown_values(literals, run, known)] if literals else []), *aside]
    answer: Answer
    if isinstance(plan.statement, typed.Find) and (about := _fused(plan.statement, run)) is not None:
        page = yield from ranked_page(plan.statement, about, _compile(plan.statement, run), run.env, size,
                                      position or Position())
        answer = _hits_answer(plan.statement, shown_fields(plan.statement), page, run.env)
        notes = yield from in_step(unknown)
    else:
        answer, *notes = yield from in_step([_statement(plan, run, size, position or Position()), *unknown])
    run.env.notes += [note for found in notes for note in found]
    if isinstance(answer, HitsAnswer) and answer.page.total == 0:
        yield from in_step([_deleted(answer.find, run)])
    if not isinstance(answer, ValuesAnswer) and _is_empty(answer):
        asked = answer.find if isinstance(answer, HitsAnswer) else answer.aggregate
        run.env.notes += yield from alone(read_absent_words(asked, run.env))
    if isinstance(answer, HitsAnswer):
        if is_ranked(answer.find) and (about := about_of(answer.find)) is not None:
            note_words_alone(about, answer.find.entity, answer.page.total, run.env)
        if chains := [shown for shown in answer.fields if isinstance(shown, typed.Chain)]:
            referred = yield from in_step([_read_chain(chain, answer.page.hits, run) for chain in chains])
            answer = replace(answer, referred=dict(zip(chains, referred, strict=True)))
        if answer.page.hits and (named := _named_elsewhere(answer.find, run)):
            names = yield from in_step([names_of_ids(one, answer.page.hits, run.env) for one in named])
            answer = replace(answer, names=dict(zip(named, names, strict=True)))
    return answer


def _named_elsewhere(find: typed.Find, run: Run) -> list[Field]:
    return named_elsewhere(shown_fields(find), find.entity, run.env.schema)


def _is_empty(answer: HitsAnswer | RowsAnswer) -> bool:
    """Whether nothing was found, or a plain count is 0."""
    if isinstance(answer, HitsAnswer):
        return answer.page.total == 0
    return not any(any(row.values) for row in answer.rows.rows)


def first_page(plan: Plan, run: Run) -> FirstPage | None:
    """Return the state that is enough to read further pages of a list; None if a page takes more than one search."""
    if not isinstance(plan.statement, typed.Find) or not plan.levels or run.search is None:
        return None
    if any(isinstance(shown, typed.Chain) for shown in shown_fields(plan.statement)):
        return None
    if _named_elsewhere(plan.statement, run):
        return None
    if _fused(plan.statement, run) is not None:
        return None
    return FirstPage(run.search, tuple(run.env.notes))


def read_levels(plan: Plan, run: Run, aside: Sequence[Reading[list[str]]] = ()) -> Rounds[list[str]]:
    """Run the lookups level by level, and check values that must be single. Return the notes of `aside`, which is read
    with the last level."""
    notes: list[str] = []
    numbers = {step.source: step.number for step in plan.steps}
    checked: set[int] = set()
    done: set[int] = set()
    for level in plan.levels:
        yield from in_step(many_ids(level, run))
        if plan.calculates:
            yield from in_step([check_number_of_documents(one, run.env) for one in searched_in(level)])
        ranked = {step.number: about for step in level if (about := _ranked_set(step, run)) is not None}
        steps = [read_step(step, run) for step in level if step.number not in ranked]
        more = aside if level is plan.levels[-1] else ()
        found = yield from in_step([*steps, *more])
        notes += [note for one in found[len(steps) :] for note in one]
        for step in level:
            if step.number in ranked:
                yield from _read_ranked_set(step, ranked[step.number], run.of(step))
        done |= {step.number for step in level}
        for at, taken in enumerate(plan.uses):
            number = numbers[taken.source]
            if at not in checked and number in done:
                checked.add(at)
                try:
                    check_use(taken, number, run)
                except Ask as asked:
                    raise (yield from _named(asked, run)) from None
    return notes


def _ranked_set(step: Step, run: Run) -> typed.About | None:
    """Return the `about` that ranks a sub-query with a limit, if it takes more than one search."""
    find = step.source.find if isinstance(step.source, typed.Search) else None
    return _fused(find, run) if find is not None and find.limit is not None else None


def _fused(find: typed.Find, run: Run) -> typed.About | None:
    return fused(find, run.env) if is_ranked(find) else None


def _read_ranked_set(step: Step, about: typed.About, run: Run) -> Rounds[None]:
    assert isinstance(step.source, typed.Search)
    find = step.source.find
    assert find.limit is not None
    if find.limit > run.env.bounds.set_size:
        raise CannotAnswer("set-too-large", f"a sub-query may take {run.env.bounds.set_size:,} {find.entity.plural}",
                           "take fewer")
    targets = {taken: taken or id_field(find.entity) for taken in step.takes}
    search = compiled_search(find, run.env, tuple(targets.values()))
    page = yield from ranked_page(find, about, search, run.env, find.limit, Position())
    for taken, target in targets.items():
        values = (value for hit in page.hits for value in field_values(hit, target))
        run.env.found[step.source, taken] = tuple(dict.fromkeys(values))


def _named(asked: Ask, run: Run) -> Rounds[Ask]:
    """Add names and distinguishing fields to a question whose choices are ids."""
    entity = asked.ids_of
    if entity is None:
        return asked
    # The lookups of the entity's access rule run before its documents are read.
    yield from read_levels(plan_query(typed.Find(entity), run.env.access, run.env.schema), run)
    ids = {str(choice.id): choice for choice in asked.choices}
    found = yield from alone(identified(run.place, entity, tuple(ids)))
    choices = [choice_of(one, entity) for one in found]
    named = {str(one.id) for one in found}
    for one, choice in ids.items():
        if one not in named:
            constant = choice.label != one
            choices.append(choice if constant else replace(choice, label=f"{one} (no {entity.name} has this id)"))
    return Ask(asked.token, asked.what, tuple(choices), asked.message)


def _compile(find: typed.Find, run: Run) -> CompiledSearch:
    if run.search is None:
        run.search = compiled_search(find, run.env, shown_fields(find))
    return run.search


def read_search(plan: Plan, run: Run, made: type[AnySearch]) -> Rounds[AnySearch]:
    """Return the search of a `find` after its lookups, with `limit` and `offset`. Raises as `run_plan`; CannotAnswer if
    the program is not a single search."""
    find = plan.statement
    if not isinstance(find, typed.Find):
        raise CannotAnswer("no-search", "only a program that begins with 'find' is one search",
                           "run it, or list the documents with 'find'")
    yield from read_levels(plan, run)
    if _fused(find, run) is not None:
        raise CannotAnswer("no-search", "a list that is ranked by words and by meaning takes several searches",
                           "run it, or write 'by words'")
    if find.ties:
        raise CannotAnswer("no-search", "a list 'with ties' takes two searches", "run it, or leave 'with ties' out")
    search = compiled_search(find, run.env, shown_fields(find), made).search
    if find.entity.id is None:  # its last key is a place in a point in time, which the caller may not open
        search = search.sort(*sort_clauses(find, run.env)[:-1])
    end = None if find.limit is None else find.offset + find.limit
    return search[find.offset : end] if find.offset or end is not None else search


def _statement(plan: Plan, run: Run, size: int, position: Position) -> Reading[Answer]:
    statement = plan.statement
    match statement:
        case typed.Find():
            search, find = _compile(statement, run), statement
            if find.ties:
                find, position = yield from with_ties(find, search.body, position, run.env.bounds.set_size)
            page = yield from read_page(find, search.body, size, position, f"the {find.entity.plural}")
            return _hits_answer(find, search.fields, page, run.env)
        case typed.Aggregate():
            rows = yield from read_rows(statement, run.env)
            return RowsAnswer(statement, rows)
        case typed.Get():
            values = yield from _values(statement, run)
            return ValuesAnswer(statement, values, tuple(_unit_stored_beside(item, run) for item in statement.items))


def _hits_answer(find: typed.Find, fields: Sequence[typed.Shown], page: Page, env: Bindings) -> HitsAnswer:
    computed = [one for one in fields if isinstance(one, typed.ComputedField)]
    return HitsAnswer(find, tuple(fields), page, calculated={one: calculated_column(one, page.hits, env)
                                                             for one in computed})  # fmt: skip


def dry_requests(plan: Plan, env: Bindings) -> list[tuple[int, SearchRequest]]:
    """Return (level, request) of every step and of the statement, as first sent, with placeholders for results of
    lookups. Nothing runs."""
    run = Run(env, NameCache())
    requests: list[tuple[int, SearchRequest]] = []
    for step in plan.steps:
        requests.append((step.level, next(read_step(step, run))))
        for taken in step.takes or (None,):
            value = placeholder(step.source, taken, env.clock.now)
            pair = isinstance(step.source, typed.Pairs | typed.Extent)
            env.found[step.source, taken] = (value, value) if pair else (value,)
    statement, level = plan.statement, len(plan.levels)
    if isinstance(statement, typed.Find):
        body = compiled_search(statement, env, shown_fields(statement)).body
        purpose = f"the {statement.entity.plural}"
        requests.append((level, SearchRequest(statement.entity.index, body, purpose, ranked=is_ranked(statement))))
    elif isinstance(statement, typed.Aggregate):
        requests.append((level, next(_statement(plan, run, 0, Position()))))
    return requests


def _read_chain(chain: typed.Chain, hits: Sequence[RawHit], run: Run) -> Reading[list[list[RawHit]]]:
    """Return, for each hit, the documents that the chain of references leads to and the caller may see."""
    at = [[hit] for hit in hits]
    for reference, then in zip(chain.through, (*chain.through[1:], chain.item), strict=True):
        assert reference.reference is not None
        entity = run.env.entity(reference.reference.entity)
        ids = [[str(one) for hit in each for one in field_values(hit, reference)] for each in at]
        distinct = tuple(dict.fromkeys(one for each in ids for one in each))
        found = yield from read_documents(entity, distinct, sorted(source_paths(entity, (then,))), run.env)
        by_id = {str(entry.id): entry.hit for entry in found}
        at = [[by_id[one] for one in dict.fromkeys(each) if one in by_id] for each in ids]
    return at


def shown_fields(find: typed.Find) -> tuple[typed.Shown, ...]:
    """Return the fields that a hit shows: those of the query, else those of the catalog.

    The name is always shown, and beside an amount the field with its unit.
    """
    return _shown_fields(find.entity, find.show)


@lru_cache(maxsize=256)
def _shown_fields(entity: Entity, show: tuple[typed.Shown, ...]) -> tuple[typed.Shown, ...]:
    shown: tuple[typed.Shown, ...] = show or entity.shown
    with_units: list[typed.Shown] = [one for one in entity.names if one not in shown and not one.sensitive]
    for one in shown:
        with_units.append(one)
        if isinstance(one, Field) and (unit := entity.unit_of(one)) is not None:
            with_units.append(unit)
    return tuple(dict.fromkeys(with_units))


def _values(get: typed.Get, run: Run) -> Reading[tuple[tuple[Any, ...], ...]]:
    """Return the values of each item; entities behind references are fetched together."""
    wanted: dict[str, tuple[Entity, dict[typed.Scalar, None]]] = {}
    for item in get.items:
        values = _item_values(item, run)
        if not values:
            name = _subject(item, run)
            raise Missing(f"{item.name} of '{name}'", "no-value", f"'{name}' has no {item.name}.")
        if item.entity is not None and _name_stored_beside(item, run) is None:
            ids = wanted.setdefault(item.entity.name, (item.entity, {}))[1]
            ids |= {value: None for value in values if isinstance(value, str | int)}
    entities: dict[tuple[str, str], FoundEntity] = {}
    for name, (entity, ids) in wanted.items():
        for one in (yield from identified(run.place, entity, tuple(ids))):
            entities[name, str(one.id)] = FoundEntity(str(one.id), one.name if entity.names else None, one.path)
    return tuple(
        tuple(_item_value(item, value, entities, run) for value in _item_values(item, run)) for item in get.items
    )


def _item_values(item: typed.Item, run: Run) -> Values:
    if isinstance(item.value, typed.Taken):
        return run.env.taken(item.value)
    found = run.env.calculated(item.value)
    return (moment(found) if item.value.gives_date else found,)


def _name_stored_beside(item: typed.Item, run: Run) -> str | None:
    """Return the name stored beside the single id of an entity without documents, if it is the only one."""
    beside = name_beside(item.value) if isinstance(item.value, typed.Taken) else None
    if item.entity is None or not item.entity.virtual or beside is None or len(_item_values(item, run)) > 1:
        return None
    names = run.env.taken(beside)
    return str(names[0]) if len(names) == 1 else None


def _unit_stored_beside(item: typed.Item, run: Run) -> str | None:
    """Return the unit of an item's amounts, if all have the same one."""
    beside = unit_beside(item.value) if isinstance(item.value, typed.Taken) else None
    units = set(run.env.taken(beside)) if beside is not None else set()
    return str(*units) if len(units) == 1 else None


def _item_value(
    item: typed.Item, value: Any, entities: Mapping[tuple[str, str], FoundEntity], run: Run
) -> Any:
    if item.entity is None or not isinstance(item.value, typed.Taken):
        return value
    one = entities.get((item.entity.name, str(value)))
    if one is not None:
        return one
    field = taken_field(item.value)
    for constant, stored in (field.reference.constants if field and field.reference else {}).items():
        if value == stored:
            return constant
    if item.entity.virtual or field is None:
        return FoundEntity(value, _name_stored_beside(item, run))
    raise deleted(_subject(item, run), field, item.entity.name)


def _subject(item: typed.Item, run: Run) -> str:
    source = item.value.source if isinstance(item.value, typed.Taken) else None
    return run.candidates[source].name if isinstance(source, typed.Lookup) else item.name


def ids_and_names(entity: Entity, hits: Sequence[RawHit]) -> list[tuple[str, str | None]]:
    """Return the id and the first name of each hit; None where it has no name."""
    ids = values_by_hit(hits, id_field(entity))
    names: list[Values] = values_by_hit(hits, entity.names[0]) if entity.names else [()] * len(hits)
    return [
        (str(own[0] if own else hit["_id"]), str(named[0]) if named else None)
        for hit, own, named in zip(hits, ids, names, strict=True)
    ]


def _deleted(find: typed.Find, run: Run) -> Reading[None]:
    """Report a reference to a deleted document, if the query was for the id in it. Raises Missing."""
    parts = find.where.items if isinstance(find.where, typed.And) else (find.where,)
    for part in parts:
        if not isinstance(part, typed.Equals) or not part.field.is_id:
            continue
        for value in part.values:
            if not (isinstance(value, typed.Taken) and value.needs_entity and value.one and value.field is not None):
                continue
            ids = tuple(v for v in run.env.taken(value) if isinstance(v, str | int))
            if not (yield from identified(run.place, find.entity, ids)):
                lookup = run.candidates.get(value.source) if isinstance(value.source, typed.Lookup) else None
                name = lookup.name if lookup is not None else "the one that was found"
                raise deleted(name, value.field, find.entity.name)
