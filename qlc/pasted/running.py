"""Runs a checked request: adds the access rules, builds the request, and turns the response into outcomes.

Its functions are generators that yield requests and receive responses, and know no client.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from elasticsearch.dsl.query import Bool, Q

from qlc.compiler.environment import Bindings
from qlc.compiler.request import Body, Reading, SearchRequest, all_filtering
from qlc.compiler.scripts import divides_by_zero
from qlc.mapping.build import mapped_field
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.outcome import AggregateOut, Count, Hit, Hits, Outcome, RowOut, ValueOut
from qlc.pasted.reach import FieldUse, Reach, covers
from qlc.pasted.request import Search
from qlc.pasted.tables import Table, tables
from qlc.pasted.translate import conjuncts
from qlc.pipeline.present import shown_values
from qlc.resolver.field_notes import Uses, read_field_notes
from qlc.resolver.hits import POINT_IN_TIME_LIFE, Position, leave
from qlc.resolver.kept import Kept
from qlc.resolver.names.entries import asked_as_fields, source_paths, with_dates
from qlc.resolver.run import ids_and_names
from qlc.resolver.scripted import check_number, notes_on_zero


@dataclass(frozen=True, slots=True)
class Answer:
    """`outcomes` lack only their common parts; `next` is the start of the next page of hits."""

    outcomes: tuple[Outcome, ...]
    next: Position | None
    notes: tuple[str, ...]
    requests: int


# --- who may see what ------------------------------------------------------------------------------------------------


def scoped(query: Mapping[str, Any] | None, reach: Reach, env: Bindings) -> dict[str, Any]:
    """Restrict the query to documents that the caller may see. Raises ContextMissing.

    A document must belong to an entity that allows every used field; the names of matched clauses say to which. Each
    scope includes the access rules of all entities of its documents.
    """
    kinds = []
    for one in reach.within:
        own = [clause.to_dict() for clause in env.scope(one)]
        kind = {"bool": {"filter": own}} if own else {"match_all": {}}
        kinds.append({"bool": {"filter": [kind], "_name": one.name}})
    filters: list[dict[str, Any]] = [{"bool": {"should": kinds, "minimum_should_match": 1}}]
    return {"bool": {**({"must": [query]} if query is not None else {}), "filter": filters}}


# --- one request -----------------------------------------------------------------------------------------------------


def reading(search: Search, reach: Reach, env: Bindings, size: int, position: Position | None) -> Reading[Answer]:
    """Send the request. `size`: hits of a page by default. `position`: the start of a further page.

    Raises CannotAnswer if its scripts would run for more documents than the bound of the catalog.
    """
    if not reach.calculated:
        return (yield from _answer(search, reach, env, size, position))
    of, fields, index = _widest(reach), list(reach.calculated), search.index or _index(reach)
    plain = [one.body() for one in conjuncts(search.query) if not any(part.script for part in one.walk())]
    filters = [Q(scoped({"bool": {"filter": plain}}, reach, env))]
    yield from check_number(fields, of, filters, env, index)
    divided = [one for one in fields if divides_by_zero(one, env) is not None]
    notes = yield from notes_on_zero(divided, of, filters, env, index)
    found = yield from _answer(search, reach, env, size, position)
    return replace(found, notes=(*found.notes, *notes), requests=found.requests + 1 + len(divided))


def _answer(search: Search, reach: Reach, env: Bindings, size: int, position: Position | None) -> Reading[Answer]:
    query = scoped(search.query.body() if search.query is not None else None, reach, env)
    counted = search.only_count or (search.size == 0 and not search.aggregations)
    body: Body = {"query": query, "track_total_hits": True, "size": 0}
    if search.post_filter is not None:
        body["post_filter"] = search.post_filter.body()
    if search.aggregations and position is None and not counted:
        body["aggs"] = {one.name: one.body() for one in search.aggregations}
    if not counted and (not search.aggregations or search.size):
        return (yield from _page(search, reach, body, search.size or size, position or Position()))
    response = yield SearchRequest(search.index or _index(reach), body, "the pasted request")
    total = int(response["hits"]["total"]["value"])
    if counted:
        one = _widest(reach)
        message = f"{total:,} {one.name if total == 1 else one.plural}."
        return Answer((Count(value=total, message=message),), None, (), 1)
    made, said = tables(search.aggregations, response.get("aggregations", {}))
    return Answer(tuple(map(_table, made)), None, tuple(said), 1)


def field_notes(
    search: Search, reach: Reach, env: Bindings, access: Hashable, known: Kept[Hashable, str]
) -> Reading[list[str]]:
    """Return notes on the fields of the request that the caller may see."""
    of, index = _widest(reach), search.index or _index(reach)
    key = (index, env.schema.version, access, tuple(one.name for one in reach.within))
    scope = [Bool(should=[all_filtering(env.scope(one)) for one in reach.within], minimum_should_match=1)]
    return (yield from read_field_notes(Uses(index, scope, of.name, of.plural, key, tuple(reach.uses.values())), known))


def _page(search: Search, reach: Reach, body: Body, size: int, position: Position) -> Reading[Answer]:
    """Read a page of hits, and the tables of aggregations that come with it."""
    point_in_time, tie = position.point_in_time, _tie_breaker(reach)
    requests = 1
    if tie is None and point_in_time is None:
        opening = {"keep_alive": POINT_IN_TIME_LIFE}
        index = search.index or _index(reach)
        opened = yield SearchRequest(index, opening, "a point in time to page in", True, "open point in time")
        point_in_time = str(opened["id"])
        requests += 1
    paths = sorted({path for one in reach.within for path in source_paths(one, shown_fields(search, one))}
                   | {name.mapped.path for one in reach.within for name in one.names[:1] if not name.sensitive})
    asked = asked_as_fields(reach.mapping, paths)
    ranked = not search.sort or any(key.is_score for key in search.sort)
    order: list[Any] = [key.body() for key in search.sort] or [{"_score": {"order": "desc"}}]
    body = {**body, "size": size, "sort": [*order, {tie or "_shard_doc": {"order": "asc"}}], "_source": paths}
    if asked:
        body["fields"] = asked
    if position.after is not None:
        body["search_after"] = list(position.after)
    elif search.offset:
        body["from"] = search.offset
    if point_in_time is not None:
        body["pit"] = {"id": point_in_time, "keep_alive": POINT_IN_TIME_LIFE}
    index = "" if point_in_time else search.index or _index(reach)
    response = yield SearchRequest(index, body, "the pasted request", ranked=ranked)
    point_in_time = response.get("pit_id", point_in_time)
    hits = with_dates(response["hits"]["hits"], asked, reach.mapping)
    total = int(response["hits"]["total"]["value"])
    read = position.read + len(hits)
    following = None
    if hits and search.offset + read < total:
        following = Position(tuple(hits[-1]["sort"]), read, point_in_time)
    else:
        yield from leave(point_in_time)
    results = response.get("aggregations")
    made, said = tables(search.aggregations if results is not None else (), results or {})
    outcomes = (*map(_table, made), _hits(hits, total, search, reach, has_more=following is not None))
    return Answer(outcomes, following, tuple(said), requests)


def _index(reach: Reach) -> str:
    return reach.entities[0].index


def _tie_breaker(reach: Reach) -> str | None:
    """Return the field that identifies documents of every entity; None without a common one."""
    paths = {one.id.mapped.term_path if one.id is not None else None for one in reach.entities}
    return paths.pop() if len(paths) == 1 else None


# --- hits ------------------------------------------------------------------------------------------------------------


def shown_fields(search: Search, entity: Entity) -> list[Field | NestedList]:
    """Return the fields that a hit of an entity shows: the request's, else the catalog's."""
    if search.shown is None:
        return [*entity.shown] or [one for one in entity.names if not one.sensitive]
    return [field_of(used, entity) for used in search.shown if used.path != "_id"]


def field_of(used: FieldUse, entity: Entity) -> Field:
    """Return the catalog's field of a path, or one that only the mapping has."""
    path = used.mapped.path
    parent = path.rpartition(".")[0]
    if path in entity.mapping.sub_fields and parent in entity.mapping.fields:
        path = parent  # a document holds the value once
    for one in entity.all_fields:
        if one.mapped.path == path:
            return one
    return mapped_field(path, entity.mapping.fields.get(path, used.mapped), entity.mapping, entity.guards, path)


def _widest(reach: Reach) -> Entity:
    """Return the entity whose name is used for the documents: one that includes all others, if there is one."""
    return next((one for one in reach.within if covers(one, reach.within)), reach.within[0])


def _hits(found: Sequence[Mapping[str, Any]], total: int, search: Search, reach: Reach, *, has_more: bool) -> Hits:
    hits, columns, units = [], dict[str, None](), dict[str, str]()
    for raw in found:
        met = set(raw.get("matched_queries", ()))
        kinds = [one for one in reach.within if one.name in met] or [_widest(reach)]
        entity = min(kinds, key=lambda one: len(met & set(one.kinds)))  # the narrowest
        fields = shown_fields(search, entity)
        columns |= dict.fromkeys(one.name for one in fields)
        units |= {one.name: one.unit for one in fields if isinstance(one, Field) and one.unit is not None}
        shown = {one.name: shown_values(one, [raw])[0] for one in fields}
        ((identity, name),) = ids_and_names(entity, [raw])  # what is confidential was not read, so it has none of it
        values = {name: value for name, value in shown.items() if value is not None}
        hits.append(Hit(id=identity, name=name, score=raw.get("_score"), values=values))
    of = _widest(reach)
    noun = of.name if total == 1 else of.plural
    message = f"{total:,} {noun}." if total else f"No {of.plural} found."
    if len(hits) < total:
        message += f" {len(hits):,} shown."
    return Hits(entity=of.name, ids=[one.id for one in hits], total=total, hits=hits, message=message,
                has_more=has_more, columns=list(columns), units=units)


# --- tables ----------------------------------------------------------------------------------------------------------


def _table(table: Table) -> Outcome:
    if not table.groups:
        ((_, numbers),) = table.rows
        message = ", ".join(f"{name}: {_number(value)}" for name, value in numbers.items()) + "."
        value = next(iter(numbers.values())) if len(numbers) == 1 else numbers
        return ValueOut(value=value, message=message)
    rows = [
        RowOut(key=keys[0] if len(keys) == 1 else dict(zip(table.groups, keys, strict=True)),
               value=next(iter(row.values())) if len(row) == 1 else row)
        for keys, row in table.rows
    ]
    message = f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}." if rows else "No rows."
    return AggregateOut(groups=list(table.groups), measures=table.measures, rows=rows, message=message)


def _number(value: Any) -> str:
    if value is None:
        return "no value"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)
