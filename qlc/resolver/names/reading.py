"""Reads the lexicon of an entity: all distinct names, once per access, then from the cache."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from elasticsearch.dsl.aggs import Cardinality, Composite, Filter, Terms

from qlc.compiler.request import WAIT, Aggs, Body, Clause, Reading, SearchRequest, aggregation_body, disjunction
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import MappedField
from qlc.mapping.schema import Entity
from qlc.resolver.names.cache import Place, TooManyNames
from qlc.resolver.names.entries import name_fields
from qlc.resolver.names.lexicon import Lexicon
from qlc.resolver.names.requests import all_of, inside, within

PAGE = 10_000
"""Combinations in one page, for each of the columns."""

MAX_BUCKETS = 50_000
"""Buckets of one response, below Elasticsearch's default `search.max_buckets` (65,536)."""

FAR_ABOVE = 1.5
"""How many times the bound an estimate of distinct names must be, to be trusted without counting."""


def read_lexicon(place: Place, entity: Entity) -> Reading[Lexicon | None]:
    """Return the distinct names of an entity, for a virtual one with their ids; None if there are more than the bound.

    If a program has many lookups, one of them reads the names, and the others of its round wait.
    """
    key, run = place.key(entity), id(place.env)
    kept, waited = place.cache.lexicon(key), False
    while kept is None and place.cache.is_being_read(key, run):
        yield WAIT
        kept, waited = place.cache.lexicon(key), True
    if kept is not None:
        return kept if isinstance(kept, Lexicon) else None
    with nullcontext() if waited else place.cache.being_read(key, run):
        generation = place.cache.generation
        read = yield from _read(place, entity)
        kept = place.cache.keep_lexicon(key, read, generation)
    return kept if isinstance(kept, Lexicon) else None


def _read(place: Place, entity: Entity) -> Reading[Lexicon | TooManyNames]:
    bound = place.env.bounds.names
    names: set[str] = set()
    ids: defaultdict[str, dict[Scalar, None]] = defaultdict(dict)
    for index, columns in name_columns(place, entity).items():
        distinct = yield from _read_distinct(index, columns, f"read the names of {entity.plural}", bound)
        for one in distinct or ():
            names.add(str(one["name"]))
            if "id" in one:
                ids[str(one["name"])][one["id"]] = None
        if distinct is None or len(names) > bound:
            return TooManyNames()
    return Lexicon(names, {name: tuple(found) for name, found in ids.items()})


def name_columns(place: Place, entity: Entity) -> Mapping[str, list[Columns]]:
    """Return the columns to read, by index: the name fields, or the pairs of a virtual entity's sources."""
    columns: defaultdict[str, list[Columns]] = defaultdict(list)
    if entity.virtual:
        for source in entity.sources:
            holder = place.schema.entities[source.entity]
            columns[holder.index].append(Columns(place.env.scope(holder), {"id": source.key, "name": source.name}))
    else:
        for field in name_fields(entity):
            columns[entity.index].append(Columns(place.env.scope(entity), {"name": field}))
    return columns


# --- distinct names --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Columns:
    """Fields whose distinct combinations are read: `name`, and `id` for virtual entities.

    `scope`: the filters on the documents.
    """

    scope: Sequence[Clause]
    fields: Mapping[str, MappedField]

    @property
    def nested_path(self) -> str | None:
        return self.fields["name"].nested_path


def _read_distinct(
    index: str, columns: Sequence[Columns], purpose: str, bound: int
) -> Reading[list[Mapping[str, Scalar]] | None]:
    """Return the distinct combinations of all columns, in one search per page; None if there are more than `bound`.

    An estimate in the first page avoids reading up to the bound if there are far more.
    """
    found: list[Mapping[str, Scalar]] = []
    unread: dict[int, Mapping[str, Scalar] | None] = dict.fromkeys(range(len(columns)))
    size = min(PAGE, MAX_BUCKETS // max(1, len(columns)))
    continues = False
    while unread:
        body = _distinct_body({at: columns[at] for at in unread}, unread, size)
        response = yield SearchRequest(index, body, purpose, continues)
        for at in list(unread):
            answer = inside(response["aggregations"][f"columns{at}"], columns[at].nested_path)
            if not continues and answer["about"]["value"] > FAR_ABOVE * bound:
                return None
            page = answer["distinct"]
            found += [bucket["key"] for bucket in page["buckets"]]
            if len(page["buckets"]) < size:
                del unread[at]
            else:
                unread[at] = page["after_key"]
        continues = True
        if len(found) > bound:
            return None
    return found


def _distinct_body(columns: Mapping[int, Columns], after: Mapping[int, Mapping[str, Scalar] | None], size: int) -> Body:
    aggs: Aggs = {}
    for at, one in columns.items():
        sources = [{label: Terms(field=field.term_path)} for label, field in one.fields.items()]
        last = after[at]
        start: dict[str, Any] = {} if last is None else {"after": dict(last)}
        wanted: Aggs = {"distinct": Composite(sources=sources, size=size, **start)}
        if last is None:
            wanted["about"] = Cardinality(field=one.fields["name"].term_path)
        aggs[f"columns{at}"] = Filter(filter=all_of(one.scope), aggs=within(one.nested_path, wanted))
    query = disjunction([all_of(one.scope) for one in columns.values()])
    return aggregation_body(query, aggs)
