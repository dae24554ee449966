"""The first hits of each group: `find orders top 1 per customer sort ordered desc`, by a composite with top hits.

Their ids are read, and the list is an ordinary search for them, so that pages, shown fields and `limit` are as
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from elasticsearch.dsl.aggs import TopHits, ValueCount
from elasticsearch.dsl.query import Exists

from qlc.base.words.sentences import listed
from qlc.compiler import typed
from qlc.compiler.aggregations.groupings import Bucket
from qlc.compiler.aggregations.tree import PAGE, Keys, Level, Only, Page, Step, answer_at, build
from qlc.compiler.environment import Bindings, StoredValue
from qlc.compiler.request import CannotAnswer, Reading
from qlc.compiler.sources import id_field
from qlc.grammar.tree import GroupFunction
from qlc.resolver.hits import sort_clauses
from qlc.resolver.names.entries import field_values
from qlc.resolver.rows.asking import BucketReading, ask, matching, over_documents
from qlc.resolver.rows.columns import Column, own_column
from qlc.resolver.rows.labels import KeyForm
from qlc.resolver.rows.names import names_of_keys

MOST_HITS = 5_000
"""Hits of all groups of one response."""


@dataclass(slots=True)
class _Found:
    """The ids in order, the keys of groups whose cut splits a tie, and the numbers of groups, of their documents, and
    of all documents."""

    ids: dict[StoredValue, None]
    ties: list[Keys]
    groups: int = 0
    documents: int = 0
    matching: int = 0


def read_top(top: typed.Top, env: Bindings) -> Reading[tuple[tuple[StoredValue, ...], list[str]]]:
    """Return the ids of the first hits of each group, and notes. Raises CannotAnswer."""
    columns = [_column(group, env) for group in top.groups]
    filters = matching(top.entity, top.where, env)
    purpose = f"the first {top.entity.plural} of each {_called(top, 'and')}"
    found = yield from over_documents(_read(top, columns, env), top.entity, filters, purpose)
    notes = yield from _notes(top, found, env)
    return tuple(found.ids), notes


def _column(group: typed.Group, env: Bindings) -> Column:
    column = own_column(group, env)
    if column.derivation is not None:
        raise CannotAnswer("top-not-per", f"hits cannot be taken per '{group.name}' here: its groups are put together "
                           "from smaller ones", "take them per another field or period")
    return column


def _read(top: typed.Top, columns: Sequence[Column], env: Bindings) -> BucketReading[_Found]:
    """Read the hits of all groups, in pages."""
    order = sort_clauses(typed.Find(top.entity, sort=top.sort), env)
    order = order if top.entity.id is not None else order[:-1]  # a place in a point in time is no key here
    identity = id_field(top.entity).mapped.path
    source: Any = False if identity == "_id" else [identity]  # a list as in a search, which the client's types lack
    hits = TopHits(size=top.count + 1, sort=order, _source=source)
    paged = [(n, column) for n, column in enumerate(columns) if column.grouping.source() is not None]
    known = [(n, column) for n, column in enumerate(columns) if column.grouping.source() is None]
    size = max(1, min(PAGE, MOST_HITS // (top.count + 1)))
    page = Page(tuple(column.grouping for _, column in paged), size) if paged else None
    order_of_keys = [n for n, _ in (*paged, *known)]
    found = _Found({}, [])
    while True:
        levels = [Level(column.grouping) for _, column in known]
        steps: list[Step] = [*([page] if page is not None else []), *levels]
        aggs = build(steps, {"first": hits}) | build([Only()], {})
        for n, column in enumerate(columns):
            aggs |= build([Only(Exists(field=column.path), f"valued{n}")], {"values": ValueCount(field=column.path)})
        answer = yield from ask(aggs)
        for n, group in enumerate(top.groups):
            valued = answer[f"valued{n}"]
            if valued["values"]["value"] != valued["doc_count"]:
                raise CannotAnswer("top-not-per", f"'{group.name}' has several values in one of the "
                                   f"{top.entity.plural}, so that it could be in several groups",
                                   "take them per a field with one value")
        found.matching = answer["only"]["doc_count"]
        for keys, bucket in _buckets(steps, answer):
            in_order = tuple(key for _, key in sorted(zip(order_of_keys, keys, strict=True), key=lambda pair: pair[0]))
            _take(top, in_order, bucket, found)
        if len(found.ids) > env.bounds.set_size:
            raise CannotAnswer("set-too-large", f"there are more than {env.bounds.set_size:,} {top.entity.plural} that "
                               f"are the first of a group", "narrow them with more conditions")
        after = page.next(answer_at([page], answer)) if page is not None else None
        if page is None or after is None:
            return found
        page = replace(page, after=after)


def _buckets(steps: Sequence[Step], answer: Bucket) -> Iterator[tuple[Keys, Bucket]]:
    if not steps:
        yield (), answer
        return
    for keys, bucket in steps[0].buckets(answer[steps[0].name]):
        if bucket["doc_count"]:
            for further, inner in _buckets(steps[1:], bucket):
                yield keys + further, inner


def _take(top: typed.Top, keys: Keys, bucket: Bucket, found: _Found) -> None:
    hits: Sequence[Mapping[str, Any]] = bucket["first"]["hits"]["hits"]
    kept = hits[: top.count]
    found.ids |= {value: None for hit in kept for value in field_values(hit, id_field(top.entity))}
    found.groups += 1
    found.documents += bucket["doc_count"]
    last, beyond = kept[-1], hits[top.count :]
    if beyond and beyond[0]["sort"][: len(top.sort)] == last["sort"][: len(top.sort)]:
        found.ties.append(keys)


def _notes(top: typed.Top, found: _Found, env: Bindings) -> Reading[list[str]]:
    notes = []
    if found.documents < found.matching:
        count = found.matching - found.documents
        who = f"{top.entity.name} has" if count == 1 else f"{top.entity.plural} have"
        notes.append(f"{count:,} {who} no {_called(top)} and {'is' if count == 1 else 'are'} in no group.")
    if found.ties:
        first = found.ties[0]
        labels = []
        for group, key in zip(top.groups, first, strict=True):
            names = yield from names_of_keys(group, [key], env)
            labels.append(KeyForm(group, env.clock).key(key, names.get(key)).label)
        keys = listed([one.field.label or one.name.replace("_", " ") for one in top.sort])
        where = f"In {len(found.ties):,} of {found.groups:,} groups" if found.groups > 1 else "In the group"
        notes.append(f"{where} others have the same {keys} as the last one taken, as for {' / '.join(labels)}.")
    return notes


_UNITS: tuple[GroupFunction, ...] = ("year", "quarter", "month", "week", "day", "hour")


def _called(top: typed.Top, joined: str = "or") -> str:
    names = [group.function if group.function in _UNITS else group.field.title for group in top.groups]
    return listed([name or "" for name in names], joined)
