"""Which fields hold the ids of other documents: their values are looked up among the ids of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qlc.mapping.counting import Query, count_each
from qlc.mapping.draft.kinds import Kind, Kinds
from qlc.mapping.draft.naming import words_of
from qlc.mapping.fields import FieldKind, IndexMapping

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_MOST_TRIED = 100
_KNOWN = 0.9
"""This share of the values are ids of documents: some may have been removed."""

_FEW = 5
"""Fewer values than this, if they are bare numbers, are ids only of a field that is called one."""

References = Mapping[tuple[str, str], tuple[Kind, ...]]
"""The kinds that a field refers to, by the name of the kind that has the field and by path."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    holder: Kind
    path: str
    values: tuple[str, ...]


def find_references(client: Elasticsearch, mapping: IndexMapping, kinds: Kinds) -> References:
    """The fields whose values are ids of one kind of documents, or partly of one and partly of another.

    Raises what the client raises where it cannot be asked.
    """
    targets = [kind for kind in kinds.kinds if kind.identity is not None]
    candidates = list(_candidates(mapping, kinds)) if targets else []
    asked = [_with_ids(mapping, target, one.values) for one in candidates for target in targets]
    counts = iter(count_each(client, mapping.index, asked))
    found = {}
    for one in candidates:
        known = [(target, min(next(counts), len(one.values))) for target in targets]
        referred = _referred(one, known)
        if referred:
            found[one.holder.name, one.path] = referred
    return found


def _candidates(mapping: IndexMapping, kinds: Kinds) -> Iterator[_Candidate]:
    for kind in kinds.kinds:
        own = [] if kind.identity is None else kind.sample.at(kind.identity).values
        for path, seen in kind.sample.seen.items():
            mapped = mapping.fields[path]
            if mapped.kind is not FieldKind.KEYWORD or path in (kind.identity, kinds.told_by) or seen.values == own:
                continue
            values = sorted({str(value) for value in seen.values})
            spread = values[:: -(-len(values) // _MOST_TRIED)]
            called_id = words_of(path)[-1] in ("id", "ids")
            if len(values) > 1 and (called_id or len(values) >= _FEW or not all(map(str.isdecimal, values))):
                yield _Candidate(kind, path, tuple(spread))


def _with_ids(mapping: IndexMapping, target: Kind, values: tuple[str, ...]) -> Query:
    ids: Query = {"terms": {str(mapping.fields[str(target.identity)].exact): list(values)}}
    return {"bool": {"filter": [target.sample.query, ids]}}


def _referred(one: _Candidate, known: list[tuple[Kind, int]]) -> tuple[Kind, ...]:
    """The kind whose ids the values are; of several the one that the field is called after, else the smallest.

    Where no kind alone has them all, those that have them together, each value once.
    """
    count = len(one.values)
    alone = [target for target, matched in known if matched >= _KNOWN * count]
    if alone:
        name = "_".join(words_of(one.path))
        return (min(alone, key=lambda target: (target.name not in name, target.sample.total)),)
    some = [(target, matched) for target, matched in known if matched]
    if _KNOWN * count <= sum(matched for _, matched in some) <= count:
        return tuple(target for target, _ in some)
    return ()
