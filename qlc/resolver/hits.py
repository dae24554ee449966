"""Hits: the search of a `find`, page by page with `search_after`, sorted by a unique last key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from elasticsearch.dsl import AsyncSearch, Search

from qlc.compiler import typed
from qlc.compiler.codegen import conjuncts, search_clause
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Body, Clause, Reading, SearchRequest
from qlc.compiler.scripts import sort_script
from qlc.mapping.schema import Entity
from qlc.resolver.names.entries import asked_as_fields, source_paths, with_dates

PAGE = 10_000
"""Elasticsearch's default `index.max_result_window`: hits of one request, `from` included."""

RawHit = Mapping[str, Any]
AnySearch: TypeAlias = Search[Any] | AsyncSearch[Any]


@dataclass(frozen=True, slots=True)
class Position:
    """The start of a page: the sort values of the last hit, and how many hits were read before."""

    after: tuple[Any, ...] | None = None
    read: int = 0
    point_in_time: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of hits. `total` counts the whole answer (after `limit` and `offset`), `matching` all documents that
    match. `next` is None at the end."""

    hits: tuple[RawHit, ...]
    total: int
    next: Position | None
    matching: int


@dataclass(frozen=True, slots=True)
class CompiledSearch:
    """The search of a `find`: query, sort and fields to read. `from` and `size` belong to the run.

    `body` is its JSON, which is made once for all pages and all runs of a prepared query; `fields` are what it reads.
    """

    search: AnySearch
    body: Body
    fields: tuple[typed.Shown, ...]

    @property
    def filters(self) -> list[Clause]:
        """Return the filters of the query, without its scoring parts."""
        return list(self.search.query.filter)


def compiled_search(
    find: typed.Find, env: Bindings, fields: Sequence[typed.Shown], made: type[AnySearch] = Search
) -> CompiledSearch:
    own = [field.through[0] if isinstance(field, typed.Chain) else field for field in fields]
    paths = sorted(source_paths(find.entity, own))
    query = search_clause(find.entity, find.where, env)
    parts: Body = {"sort": sort_clauses(find, env), "track_total_hits": True}
    if asked := asked_as_fields(find.entity.mapping, paths):
        parts["fields"] = asked
    parts["_source"] = paths
    search = made(index=find.entity.index).update_from_dict({"query": query, **parts})
    # As `search.to_dict()`, which looks for queries within all that is plain already.
    return CompiledSearch(search, {"query": query.to_dict(), **parts}, tuple(fields))


def sort_clauses(find: typed.Find, env: Bindings) -> list[Any]:
    clauses: list[Any] = [_sort_clause(key, env) for key in find.sort]
    if not find.sort and is_ranked(find):
        clauses.append({"_score": {"order": "desc"}})
    return [*clauses, {tie_breaker(find.entity): {"order": "asc"}}]


def tie_breaker(entity: Entity) -> str:
    """Return a unique last sort key, for exact pages: the catalog's id, else the position in a point in time."""
    return entity.id.mapped.term_path if entity.id is not None else "_shard_doc"


def is_ranked(find: typed.Find) -> bool:
    return any(isinstance(part, typed.About) for part in conjuncts(find.where))


def _sort_clause(key: typed.Sort, env: Bindings) -> Mapping[str, Any]:
    """Return the sort clause. Missing values come last; a list is sorted by its smallest value, descending by its
    largest."""
    if isinstance(key.field, typed.ComputedField):
        return _by_script(key, key.field, env)
    clause: dict[str, Any] = {"order": "desc" if key.descending else "asc", "missing": "_last"}
    path = key.field.mapped.nested_path
    if path is not None:
        clause["nested"] = {"path": path}
        if key.narrowed is not None:
            clause["nested"]["filter"] = env.query(key.narrowed).to_dict()
    return {key.field.mapped.term_path: clause}


def _by_script(key: typed.Sort, field: typed.ComputedField, env: Bindings) -> Mapping[str, Any]:
    script = sort_script(field, env, descending=key.descending)
    clause: dict[str, Any] = {"type": "number", "script": script, "order": "desc" if key.descending else "asc"}
    if field.mapped.nested_path is not None:
        clause["nested"] = {"path": field.mapped.nested_path}
        if key.narrowed is not None:
            clause["nested"]["filter"] = env.query(key.narrowed).to_dict()
    return {"_script": clause}


def read_page(find: typed.Find, body: Body, size: int, position: Position, purpose: str) -> Reading[Page]:
    """Read one page of `size` hits (0: only the total) from a position, in several requests if it is large.

    `body` is that of the compiled search. After the last page its point in time is closed.
    """
    index = find.entity.index
    wanted = size if find.limit is None else max(0, min(size, find.limit - position.read))
    hits: list[RawHit] = []
    after, continues, skipped = position.after, False, find.offset if position.after is None else 0
    point_in_time = position.point_in_time
    while True:
        # An offset beyond the window is read over, page by page.
        over = skipped >= PAGE or (after is not None and skipped > 0)
        skip = skipped if after is None and not over else 0
        room = max(0, min(skipped if over else wanted - len(hits), PAGE - skip))
        request = _paged(body, room, after, skip, point_in_time)
        place = "" if point_in_time else index
        response = yield SearchRequest(place, request, purpose, continues, ranked=is_ranked(find))
        if point_in_time is not None:
            point_in_time = str(response.get("pit_id", point_in_time))  # the newest one is the one that is valid
        found = with_dates(response["hits"]["hits"], body.get("fields", ()), find.entity.mapping)
        matching = int(response["hits"]["total"]["value"])
        total = cut(matching, find)
        if over:
            skipped -= len(found)
        else:
            hits += found
            skipped = 0
        after = tuple(found[-1]["sort"]) if found else after
        continues = True
        if len(found) < room or (skipped <= 0 and len(hits) >= wanted):
            break
    read = position.read + len(hits)
    if hits and read < total:
        return Page(tuple(hits), total, Position(after, read, point_in_time), matching)
    yield from leave(point_in_time)
    return Page(tuple(hits), total, None, matching)


def in_point_in_time(entity: Entity) -> Reading[Position]:
    """Return the start of the first page; it opens a point in time for an index without an id field."""
    if entity.id is not None:
        return Position()
    body = {"keep_alive": POINT_IN_TIME_LIFE}
    opened = yield SearchRequest(entity.index, body, "a point in time to page in", True, "open point in time")
    return Position(point_in_time=str(opened["id"]))


def leave(point_in_time: str | None) -> Reading[None]:
    """Close a point in time."""
    if point_in_time is not None:
        purpose = "close the point in time"
        yield SearchRequest("", {"id": point_in_time}, purpose, True, "close point in time")


def _paged(body: Body, size: int, after: tuple[Any, ...] | None, skip: int, point_in_time: str | None) -> Body:
    paged = {**body, "size": size}
    if after is not None:
        paged["search_after"] = list(after)
    elif skip:
        paged["from"] = skip
    if point_in_time is not None:
        paged["pit"] = {"id": point_in_time, "keep_alive": POINT_IN_TIME_LIFE}
    return paged


POINT_IN_TIME_LIFE = "5m"
"""Lifetime of a point in time between two pages, for an index without an id to page by."""


def cut(total: int, find: typed.Find) -> int:
    """Return how many of `total` hits remain after the query's `limit` and `offset`."""
    total = max(0, total - find.offset)
    return total if find.limit is None else min(total, find.limit)
