"""Runs the steps of a plan: reads each kind of source, and binds the results."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from elasticsearch.dsl.aggs import Max, Min, Nested

from qlc.base.diagnostics import NO_SPAN, Span, an
from qlc.compiler import typed
from qlc.compiler.codegen import conjuncts, search_clause
from qlc.compiler.environment import Bindings, RuleUndecided
from qlc.compiler.environment import StoredValue as Value
from qlc.compiler.parameters import BindingError
from qlc.compiler.request import Aggs, CannotAnswer, Clause, Reading, SearchRequest, conjunction
from qlc.compiler.sources import id_field, taken_field
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.planner.plan import Step, entity_of
from qlc.resolver.early_exits import Ask, Choice, Missing
from qlc.resolver.hits import (
    PAGE,
    CompiledSearch,
    Page,
    compiled_search,
    in_point_in_time,
    is_ranked,
    leave,
    read_page,
    tie_note,
    with_ties,
)
from qlc.resolver.instants import as_datetime
from qlc.resolver.key_words import read_keys
from qlc.resolver.names import Candidate, Found, NameCache, Place, find_named
from qlc.resolver.names.entries import converted, field_values
from qlc.resolver.names.ids import MANY, keep_ids
from qlc.resolver.names.wording import none_found, offered, several_found, ways_on
from qlc.resolver.ranking import read_nearest
from qlc.resolver.rows import filtered_body, read_pairs, read_rows, read_values
from qlc.resolver.tops import read_top


@dataclass(frozen=True, slots=True)
class FirstPage:
    """State of the first page of a list, so that each further page costs one search: the compiled search, and the notes
    on names and values."""

    search: CompiledSearch
    notes: tuple[str, ...]


@dataclass(slots=True)
class Run:
    """State that the steps of one run share. `access` identifies the caller's access context in cache keys.

    `choices` maps tokens of earlier questions to the chosen values. `candidates` are the entities found by lookups.
    `search` is the compiled search of the statement, if it was compiled before; `first` is the state of the first page.
    `near` has similar existing values for absent ones in the program, by place.
    """

    env: Bindings
    names: NameCache
    access: Hashable = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    candidates: dict[typed.Lookup, Candidate] = field(default_factory=dict)
    search: CompiledSearch | None = None
    first: FirstPage | None = None
    near: dict[Span, tuple[str, ...]] = field(default_factory=dict)

    def of(self, step: Step) -> Run:
        """Return this run, for a step of an access rule with the rules' clock and without notes."""
        return replace(self, env=self.env.in_rules()) if entity_of(step.source).in_access else self

    @property
    def place(self) -> Place:
        return Place(self.env.schema, self.env, self.names, self.access)


def read_step(step: Step, run: Run) -> Reading[None]:
    """Read one source and bind the result in the environment. Raises Ask, Missing, CannotAnswer."""
    yield from _READERS[type(step.source)](step.source, step, run.of(step))


# --- lookups --------------------------------------------------------------------------------------------------------


def many_ids(level: Sequence[Step], run: Run) -> list[Reading[None]]:
    """Return readings that find ids among the texts of very many lookups, before each is looked up by itself."""
    texts: defaultdict[tuple[Entity, tuple[Field, ...]], list[str]] = defaultdict(list)
    for step in level:
        if isinstance(step.source, typed.Lookup):
            with suppress(BindingError):  # it is reported where the lookup is read
                want = tuple(taken for taken in step.takes if taken is not None)
                texts[step.source.entity, want] += run.env.lookup_texts(step.source.name)
    return [keep_ids(run.place, entity, asked, want) for (entity, want), asked in texts.items() if len(asked) > MANY]


def _read_lookup(source: typed.Lookup, step: Step, run: Run) -> Reading[None]:
    want = tuple(taken for taken in step.takes if taken is not None)
    candidates = []
    for text in run.env.lookup_texts(source.name):
        found = yield from find_named(run.place, source.entity, text, want)
        if source.entity.in_access and len(found.candidates) != 1:
            raise RuleUndecided(source.entity)
        for note in found.notes:
            run.env.tell(note)
        candidates.append(_the_one(found, source, run))
    if candidates:
        run.candidates[source] = candidates[0]
    for taken in step.takes:
        if taken is None:
            run.env.found[source, None] = tuple(dict.fromkeys(candidate.id for candidate in candidates))
        else:
            values = (value for candidate in candidates for value in candidate.values.get(taken.name, ()))
            run.env.found[source, taken] = converted(values, taken)


def _the_one(found: Found, source: typed.Lookup, run: Run) -> Candidate:
    if not found.candidates:
        message = none_found(source.entity, found)
        if ways := ways_on(source.entity, found, run.env.schema):
            run.env.tell(ways)
        raise Missing(found.text, found.reason or "no-such-name", message, found.suggestions)
    token = make_token("name", source.entity.name, found.text)
    chosen = run.choices.get(token)
    if chosen is not None:
        for candidate in found.candidates:
            if str(candidate.id) == chosen:
                return candidate
    if len(found.candidates) == 1:
        return found.candidates[0]
    # The choice of one that is not offered counts as well.
    choices = tuple(choice_of(candidate, source.entity) for candidate in offered(found))
    total = len(found.candidates) if len(choices) < len(found.candidates) else None
    raise Ask(token, found.text, choices, several_found(source.entity, found), total=total)


def choice_of(candidate: Candidate, entity: Entity) -> Choice:
    details = {"path": candidate.path} if candidate.path else {}
    return Choice(candidate.id, candidate.label, candidate.name, entity.name, details)


# --- sets ------------------------------------------------------------------------------------------------------------


def _read_search(source: typed.Search, step: Step, run: Run) -> Reading[None]:
    find = source.find
    fields = {taken: taken or id_field(find.entity) for taken in step.takes}
    by_hits = find.limit is not None or find.offset or any(f.mapped.path == "_id" for f in fields.values())
    if by_hits:
        hits, note = yield from _all_hits(find, run, tuple(fields.values()))
        if note and not find.entity.in_access:
            run.env.tell(note)
        for taken, target in fields.items():
            values = tuple(dict.fromkeys(value for hit in hits for value in field_values(hit, target)))
            run.env.found[source, taken] = values
        return
    query = search_clause(find.entity, find.where, run.env)
    for taken, target in fields.items():
        read = yield from read_values(find.entity, target, [query], run.env, run.env.bounds.set_size)
        run.env.found[source, taken] = converted(read, target)


def _all_hits(find: typed.Find, run: Run, fields: tuple[Field, ...]) -> Reading[tuple[list[Mapping[str, Any]], str]]:
    """Return all hits of a sub-query up to its `limit`, and a note where the limit takes some of several that are
    equal. Raises CannotAnswer above the bound on sets."""
    bound = run.env.bounds.set_size
    body = compiled_search(find, run.env, fields).body
    position = yield from in_point_in_time(find.entity)
    hits: list[Mapping[str, Any]] = []
    if find.ties:
        find, position = yield from with_ties(find, body, position, bound)
    while True:
        page = yield from read_page(find, body, PAGE, position, f"the {find.entity.plural} of a sub-query")
        if page.total > bound:
            yield from leave(page.next.point_in_time if page.next is not None else None)
            raise CannotAnswer("set-too-large", f"a sub-query finds {page.total:,} {find.entity.plural}, more than the "
                               f"{bound:,} that can be compared with", "narrow it with more conditions")
        hits += page.hits
        if page.next is None:
            return hits, _note_of_cut(find, page)
        position = page.next


def _note_of_cut(find: typed.Find, page: Page) -> str:
    """Return the note on a sub-query's limit that leaves out hits as good as the last one; empty if there are none."""
    if page.tie is not None:
        return tie_note(find, page.tie).replace("shown.", "taken.")
    if page.matching <= page.total + find.offset or find.limit is None or find.sort or is_ranked(find):
        return ""
    found = f"{page.matching:,} {find.entity.plural} were found"
    return f"{found} and {page.total:,} taken: no 'sort' says which come first."


def _read_rows(source: typed.Rows, step: Step, run: Run) -> Reading[None]:
    rows = yield from read_rows(source.aggregate, run.env)
    values: list[typed.Scalar | datetime] = []
    for row in rows.rows:
        if source.column in rows.groups:
            at = rows.groups.index(source.column)
            key = row.keys[at]
            calendar = source.aggregate.groups[at].function not in (None, "step", "bins", "hour_of_day", "day_of_month")
            value = key.label if calendar else key.value
        else:
            value = row.values[rows.measures.index(source.column)]
        if value is not None and value not in values:
            values.append(value)
    for note in () if source.aggregate.entity.in_access else rows.notes:
        run.env.tell(note)
    run.env.found[source, None] = tuple(values)


def _filters(rest: typed.Condition, run: Run) -> list[Clause]:
    """Return queries for the other conditions on the documents, without `about`, which only ranks."""
    parts = [part for part in conjuncts(rest) if not isinstance(part, typed.All | typed.About)]
    return [run.env.query(part) for part in parts]


def _read_pairs(source: typed.Pairs, step: Step, run: Run) -> Reading[None]:
    rest = _filters(source.rest, run)
    pairs = yield from read_pairs(source, rest, run.env)
    run.env.found[source, None] = tuple(value for pair in pairs for value in pair)


def _read_extent(source: typed.Extent, step: Step, run: Run) -> Reading[None]:
    path, nested = source.field.mapped.path, source.field.mapped.nested_path
    ends: Aggs = {"first": Min(field=path), "last": Max(field=path)}
    aggs: Aggs = {"elements": Nested(path=nested, aggs=ends)} if nested else ends
    body = filtered_body([*run.env.scope(source.entity), *_filters(source.rest, run)], aggs)
    response = yield SearchRequest(source.entity.index, body, f"the first and the last {source.field.name}")
    answer = response["aggregations"]["elements"] if nested else response["aggregations"]
    values = (answer["first"]["value"], answer["last"]["value"])
    run.env.found[source, None] = () if None in values else tuple(as_datetime(value) for value in values)


def _read_top(source: typed.Top, step: Step, run: Run) -> Reading[None]:
    run.env.found[source, None], notes = yield from read_top(source, run.env)
    for note in () if source.entity.in_access else notes:
        run.env.tell(note)


def _read_keys(source: typed.Keys, step: Step, run: Run) -> Reading[None]:
    keys, note = yield from read_keys(source, run.env)
    if note and not source.entity.in_access:
        run.env.tell(note)
    for taken in step.takes:
        run.env.found[source, taken] = keys


def _read_nearest(source: typed.Nearest, step: Step, run: Run) -> Reading[None]:
    run.env.found[source, None] = yield from read_nearest(source, run.env)


def _read_descendants(source: typed.Descendants, step: Step, run: Run) -> Reading[None]:
    """Read all descendants, level by level, if no ancestors are stored. Raises CannotAnswer beyond the bound on
    depth."""
    seen = {scalar: None for value in source.above for scalar in run.env.scalars(value)}
    level = tuple(seen)
    above = len(seen)
    for _ in range(run.env.bounds.depth):
        below = typed.Equals(source.parent, tuple(typed.Literal(value) for value in level))
        query = conjunction([*run.env.scope(source.entity), run.env.query(below)])
        children = yield from read_values(
            source.entity, id_field(source.entity), [query], run.env, run.env.bounds.set_size
        )
        level = tuple(child for child in children if child not in seen)
        seen |= dict.fromkeys(level)
        if not level:
            run.env.found[source, None] = tuple(seen)[above:]
            return
    raise CannotAnswer("too-deep", f"the {source.entity.plural} lie more than {run.env.bounds.depth} levels deep",
                       "store the ids of all ancestors, and name their field in the catalog")


_READERS: dict[type, Callable[[Any, Step, Run], Reading[None]]] = {
    typed.Lookup: _read_lookup,
    typed.Search: _read_search,
    typed.Rows: _read_rows,
    typed.Pairs: _read_pairs,
    typed.Extent: _read_extent,
    typed.Descendants: _read_descendants,
    typed.Nearest: _read_nearest,
    typed.Keys: _read_keys,
    typed.Top: _read_top,
}


def make_token(*parts: str) -> str:
    """Make the token of a question. It carries its whole meaning, so that any process can resume."""
    return urlsafe_b64encode(json.dumps(parts, ensure_ascii=False).encode()).decode().rstrip("=")


# --- where one value is needed: exactly one distinct value, an entity and no constant --------------------------------


MAX_CHOICES = 1000


def check_use(taken: typed.Taken, number: int, run: Run) -> None:
    """Check one use of values from a source; `number` is its step. Raises Ask, Missing."""
    key = (taken.source, taken.field)
    values = run.env.found[key]
    if isinstance(taken.source, typed.Lookup) and isinstance(taken.source.name, typed.Param) and taken.field is None:
        return
    of_rule = entity_of(taken.source).in_access
    if of_rule and taken.one and len(values) > 1:
        raise RuleUndecided(entity_of(taken.source))
    if not values and (taken.one or isinstance(taken.source, typed.Lookup)):
        raise RuleUndecided(entity_of(taken.source)) if of_rule else _nothing(taken, run)
    if not taken.one:
        if not values and taken.span != NO_SPAN and not of_rule:
            run.env.tell(f"The sub-query over {_of_what(taken)} found nothing.")
        return
    if len(values) > 1 and not taken.list:
        values = (_chosen(taken, number, values, run),)
        run.env.chosen[key] = values
    if taken.needs_entity and taken.field is not None:
        _check_no_constant(taken, taken.field, values[0], run)


def _chosen(taken: typed.Taken, number: int, values: tuple[Value, ...], run: Run) -> Value:
    token = make_token("value", str(number), taken.field.name if taken.field is not None else "")
    choice = run.choices.get(token)
    for value in values:
        if choice is not None and _as_text(value) == choice:
            return value
    entity = _identified(taken, run.env.schema)
    what = _of_what(taken)
    field = taken_field(taken)
    reference = field.reference if field is not None else None
    constants = {value: name for name, value in reference.constants.items()} if reference is not None else {}
    texts = [_as_text(value) for value in values[:MAX_CHOICES]]
    choices = tuple(Choice(text, constants.get(text, text)) for text in texts)
    listed = f" (the first {MAX_CHOICES:,} are listed)" if len(values) > MAX_CHOICES else ""
    if entity is None:
        different = f"different values of {what}"
    elif field is None:
        different = f"{entity.plural} in the answer of the sub-query"
    else:
        different = f"different {entity.plural} as {what}"
    message = f"There are {len(values):,} {different}{listed}, and one is needed. Which do you mean?"
    raise Ask(token, what, choices, message, entity)


def _identified(taken: typed.Taken, schema: Schema) -> Entity | None:
    """Return the entity whose ids the values are; None for other values."""
    field = taken_field(taken)
    if field is not None and field.reference is not None:
        return schema.entity(field.reference.entity)
    if field is not None and not field.is_id:
        return None
    match taken.source:
        case typed.Search():
            return taken.source.find.entity
        case typed.Lookup():
            return taken.source.entity
        case _:
            return None


def _as_text(value: Value) -> str:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


def _of_what(taken: typed.Taken) -> str:
    if taken.field is not None:
        return f"'{taken.field.name}'"
    source = taken.source
    if isinstance(source, typed.Search):
        return source.find.entity.plural
    if isinstance(source, typed.Rows):
        return f"'{source.column}'"
    return source.entity.plural


def _nothing(taken: typed.Taken, run: Run) -> Missing:
    source = taken.source
    if isinstance(source, typed.Lookup):
        assert taken.field is not None
        name = run.candidates[source].name
        return _lacking(name, taken.field, f"The {source.entity.name} '{name}'")
    if isinstance(source, typed.Rows):
        return Missing(f"'{source.column}'", "nothing-found", "The sub-query has no rows, and one is needed.")
    if isinstance(source, typed.Keys):
        return Missing(source.text, "nothing-found", f"No {source.list.name} are called '{source.text}'.")
    assert isinstance(source, typed.Search), "the first of each group are taken as a set"
    entity = source.find.entity
    referring = referring_lookup(source)
    if referring is not None:
        lookup, field = referring
        name = run.candidates[lookup].name
        if taken.field is not None and (taken.field.many or run.env.found.get((source, None))):
            return _lacking(name, taken.field, f"The {entity.name} that '{name}' refers to")
        return deleted(name, field, entity.name)
    if taken.field is not None:
        return Missing(f"'{taken.field.name}'", "nothing-found",
                       f"No {entity.name} with a {taken.field.name} was found, and one is needed.")
    return Missing(entity.name, "nothing-found", f"No {entity.name} was found, and one is needed.")


def _label(field: Field) -> str:
    """Return a field for a sentence: a catalog's name as words, a path unchanged."""
    return field.name.replace("_", " ") if field.from_catalog else field.name


def _lacking(name: str, field: Field, who: str) -> Missing:
    label = _label(field)
    lacks = f"has no value for '{label}'" if field.kind is FieldKind.BOOLEAN else f"has no {label}"
    return Missing(f"{label} of '{name}'", "no-value", f"{who} {lacks}.")


def deleted(name: str, field: Field, kind: str) -> Missing:
    """Return the error for a reference to a deleted document."""
    label = _label(field)
    return Missing(f"{label} of '{name}' (deleted)", "deleted",
                   f"The {kind} that '{name}' names as its {label} has been deleted, or you may not see it.")


def referring_lookup(source: typed.Search) -> tuple[typed.Lookup, Field] | None:
    """Return the lookup whose reference a search follows, if the search does nothing else."""
    where = source.find.where
    if not isinstance(where, typed.Equals) or len(where.values) != 1:
        return None
    (value,) = where.values
    if isinstance(value, typed.Taken) and isinstance(value.source, typed.Lookup) and value.field is not None:
        return value.source, value.field
    return None


def _check_no_constant(taken: typed.Taken, field: Field, value: Value, run: Run) -> None:
    constants = field.reference.constants if field.reference is not None else {}
    for constant, stored in constants.items():
        if value == stored:
            source = taken.source
            name = f"'{run.candidates[source].name}'" if isinstance(source, typed.Lookup) else "what was found"
            kind = field.reference.entity if field.reference is not None else "entry"
            raise Missing(f"{field.name} of {name} (at the top level)", "top-level",
                          f"{name[0].upper()}{name[1:]} is at the top level: its {field.name} is {constant}, which is "
                          f"not {an(kind)} of its own.")
