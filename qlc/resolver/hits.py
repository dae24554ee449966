"""Hits: the search of a `find`, page by page with `search_after`, sorted by a unique last key; ties at its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeAlias

from elasticsearch.dsl import AsyncSearch, Search

from qlc.base.words.sentences import listed
from qlc.compiler import typed
from qlc.compiler.codegen import conjuncts, search_clause
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Body, CannotAnswer, Clause, Reading, SearchRequest
from qlc.compiler.scripts import sort_script
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.resolver.names.entries import asked_as_fields, source_paths, with_dates

PAGE = 10_000
"""Elasticsearch's default `index.max_result_window`: hits of one request, `from` included."""

MOST_TIED = 1_000
"""Most hits behind a limit that are counted for a note; of more, the note says that there are more."""

RawHit = Mapping[str, Any]
AnySearch: TypeAlias = Search[Any] | AsyncSearch[Any]


@dataclass(frozen=True, slots=True)
class Position:
    """The start of a page: the sort values of the last hit, and how many hits were read before."""

    after: tuple[Any, ...] | None = None
    read: int = 0
    point_in_time: str | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """A limit between hits that are equal in all sort keys. `before` of them are on the page, `beyond` were left out.

    `is_whole`: none is on an earlier page. `is_missing`: the one sort key has no value in any of them.
    """

    before: int
    beyond: int
    is_whole: bool
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A page of hits. `total` counts the whole answer (after `limit` and `offset`), `matching` all documents that
    match. `next` is None at the end. `tie` is set on the page that ends at a limit which splits a tie."""

    hits: tuple[RawHit, ...]
    total: int
    next: Position | None
    matching: int
    tie: Tie | None = None


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
    if key.field.mapped.in_part:
        is_keyword = key.field.mapped.kind is FieldKind.KEYWORD
        clause["unmapped_type"] = "keyword" if is_keyword else key.field.mapped.es_type
    return {key.field.mapped.term_path: clause}


def _by_script(key: typed.Sort, field: typed.ComputedField, env: Bindings) -> Mapping[str, Any]:
    script = sort_script(field, env, descending=key.descending)
    clause: dict[str, Any] = {"type": "number", "script": script, "order": "desc" if key.descending else "asc"}
    return {"_script": clause}


def read_page(find: typed.Find, body: Body, size: int, position: Position, purpose: str) -> Reading[Page]:
    """Read one page of `size` hits (0: only the total) from a position, in several requests if it is large.

    `body` is that of the compiled search. After the last page its point in time is closed.
    """
    page, point_in_time = yield from _read_page(find, body, size, position, purpose, MOST_TIED)
    if page.next is None:
        yield from leave(point_in_time)
    return page


def with_ties(find: typed.Find, body: Body, position: Position, most: int) -> Reading[tuple[typed.Find, Position]]:
    """Return the query of `limit N with ties` with a limit that includes all hits that are equal to the last one.

    `most` limits the hits that are counted. Raises CannotAnswer beyond it.
    """
    assert find.limit is not None
    last = replace(find, limit=1, offset=find.offset + find.limit - 1, ties=False)
    start = Position(point_in_time=position.point_in_time)
    keys_alone = {name: part for name, part in body.items() if name != "fields"} | {"_source": False}
    purpose = f"the last of the {find.entity.plural}, and those equal to it"
    page, point_in_time = yield from _read_page(last, keys_alone, 1, start, purpose, most)
    beyond = page.tie.beyond if page.tie is not None else 0
    if beyond > most:
        yield from leave(point_in_time)
        raise CannotAnswer("too-many-ties", f"more than {most:,} {find.entity.plural} are equal to the last one",
                           "sort by further fields, or leave 'with ties' out")
    return replace(find, limit=find.limit + beyond, ties=False), replace(position, point_in_time=point_in_time)


def _read_page(
    find: typed.Find, body: Body, size: int, position: Position, purpose: str, most_tied: int
) -> Reading[tuple[Page, str | None]]:
    """Read one page; return it and the point in time, which stays open."""
    index = find.entity.index
    wanted = size if find.limit is None else max(0, min(size, find.limit - position.read))
    hits: list[RawHit] = []
    after, continues, skipped = position.after, False, find.offset if position.after is None else 0
    point_in_time = position.point_in_time
    is_last = find.limit is not None and bool(find.sort) and 0 < wanted == find.limit - position.read
    beyond: list[RawHit] = []
    while True:
        # An offset beyond the window is read over, page by page.
        over = skipped >= PAGE or (after is not None and skipped > 0)
        skip = skipped if after is None and not over else 0
        room = max(0, min(skipped if over else wanted - len(hits), PAGE - skip))
        # One hit more than the limit shows whether it splits a tie.
        one_more = int(is_last and not over and len(hits) + room == wanted and skip + room < PAGE)
        request = _paged(body, room + one_more, after, skip, point_in_time)
        place = "" if point_in_time else index
        response = yield SearchRequest(place, request, purpose, continues, ranked=is_ranked(find))
        if point_in_time is not None:
            point_in_time = str(response.get("pit_id", point_in_time))  # the newest one is the one that is valid
        returned = with_dates(response["hits"]["hits"], body.get("fields", ()), find.entity.mapping)
        matching = int(response["hits"]["total"]["value"])
        total = cut(matching, find)
        found, beyond = list(returned[:room]), list(returned[room:])
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
        return Page(tuple(hits), total, Position(after, read, point_in_time), matching), point_in_time
    tie = None
    if is_last and len(hits) == wanted and matching > find.offset + read and _are_equal(hits[-1], beyond):
        others, point_in_time = yield from _count_equal(find, body, hits[-1], point_in_time, most_tied)
        before = sum(_are_equal(hits[-1], [hit]) for hit in hits)
        is_whole = before < len(hits) or find.offset + position.read == 0
        is_missing = len(find.sort) == 1 and hits[-1]["sort"][0] in _NO_VALUE
        tie = Tie(before, others, is_whole, is_missing) if others else None
    return Page(tuple(hits), total, None, matching, tie), point_in_time


_NO_VALUE = (None, 2**63 - 1, -(2**63), "Infinity", "-Infinity", inf, -inf)
"""Sort values of documents without a value: Elasticsearch puts the largest or smallest number in its place."""


def _are_equal(hit: RawHit, others: Sequence[RawHit]) -> bool:
    """Whether hits are equal in all sort keys before the unique last one."""
    return all(other["sort"][:-1] == hit["sort"][:-1] for other in others)


def _count_equal(
    find: typed.Find, body: Body, last: RawHit, point_in_time: str | None, most: int
) -> Reading[tuple[int, str | None]]:
    """Count the hits behind the last one that are equal to it, at most one more than `most`. Return the point in time
    too."""
    keys_alone = {name: part for name, part in body.items() if name != "fields"}
    keys_alone |= {"_source": False, "track_total_hits": False}
    count, after = 0, last["sort"]
    while count <= most:
        request = _paged(keys_alone, min(PAGE, most + 1 - count), tuple(after), 0, point_in_time)
        place = "" if point_in_time else find.entity.index
        response = yield SearchRequest(place, request, f"{find.entity.plural} equal to the last one", True)
        if point_in_time is not None:
            point_in_time = str(response.get("pit_id", point_in_time))
        found = response["hits"]["hits"]
        equal = sum(_are_equal(last, [hit]) for hit in found)
        count += equal
        if equal < len(found) or not found:
            break
        after = found[-1]["sort"]
    return count, point_in_time


def tie_note(find: typed.Find, tie: Tie) -> str:
    """Return the note on a limit that splits a tie: "4 flights have the same price; 1 of them shown."."""
    keys = listed([key.field.label or key.name.replace("_", " ") for key in find.sort])
    what = f"no {keys}" if tie.is_missing else f"the same {keys}"
    several, beyond = "More than " if tie.beyond > MOST_TIED else "", min(tie.beyond, MOST_TIED)
    if tie.is_whole:
        return f"{several}{tie.before + beyond:,} {find.entity.plural} have {what}; {tie.before:,} of them shown."
    have = f"{find.entity.name} has" if beyond == 1 else f"{find.entity.plural} have"
    return f"{several}{beyond:,} more {have} {what}{'' if tie.is_missing else ' as the last one'}."


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
