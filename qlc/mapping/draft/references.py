"""Finds reference fields, by looking up their values among the ids of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from qlc.mapping.counting import count_each
from qlc.mapping.draft.kinds import Kind, Kinds
from qlc.mapping.draft.naming import REFERRING, words_of
from qlc.mapping.draft.sources import Source
from qlc.mapping.fields import FieldKind, IndexMapping

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_MOST_TRIED = 100
_KNOWN = 0.9
"""Share of values that must be ids of documents; some documents may have been removed."""

_FEW = 5
"""Fewer numbers than this count as ids only in a field that is named like an id."""

References = Mapping[tuple[str, str], tuple[Kind, ...]]
"""Targets of each field, by the name of the kind that has the field and the path."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    holder: Kind
    path: str
    values: tuple[str, ...]
    numbers: bool


def find_references(client: Elasticsearch, sources: Sequence[Source]) -> References:
    """Return fields whose values are ids of one kind, or of several kinds in one index.

    Raises what the client raises if it cannot be asked.
    """
    candidates = [one for source in sources for one in _candidates(source.mapping, source.kinds)]
    known: dict[tuple[str, str], list[list[tuple[Kind, int]]]] = {(one.holder.name, one.path): [] for one in candidates}
    for source in sources:
        targets = [kind for kind in source.kinds.kinds if kind.identity is not None]
        numbered = {
            kind.name for kind in targets if source.mapping.fields[str(kind.identity)].kind is FieldKind.WHOLE_NUMBER
        }
        # texts are no ids of a kind whose ids are numbers
        rows = [[(one, kind) for kind in targets if one.numbers or kind.name not in numbered] for one in candidates]
        asked = []
        for one, kind in chain(*rows):
            ids = {"terms": {str(source.mapping.fields[str(kind.identity)].exact): list(one.values)}}
            asked.append({"bool": {"filter": [kind.sample.query, ids]}})
        counts = iter(count_each(client, source.mapping.index, asked))
        for one, row in zip(candidates, rows, strict=True):
            known[one.holder.name, one.path].append([(kind, min(next(counts), len(one.values))) for _, kind in row])
    referred = {(one.holder.name, one.path): _referred(one, known[one.holder.name, one.path]) for one in candidates}
    return {place: targets for place, targets in referred.items() if targets}


def _candidates(mapping: IndexMapping, kinds: Kinds) -> Iterator[_Candidate]:
    for kind in kinds.kinds:
        own = [] if kind.identity is None else kind.sample.at(kind.identity).values
        for path, seen in kind.sample.seen.items():
            mapped = mapping.fields[path]
            called_id = words_of(path)[-1] in REFERRING
            whole = mapped.kind is FieldKind.WHOLE_NUMBER
            may_be_ids = mapped.kind is FieldKind.KEYWORD or (whole and called_id)
            if not may_be_ids or path in (kind.identity, kinds.kind_field) or seen.values == own:
                continue
            values = sorted({str(value) for value in seen.values})
            spread = values[:: -(-len(values) // _MOST_TRIED)]
            if len(values) > 1 and (called_id or len(values) >= _FEW or not all(map(str.isdecimal, values))):
                yield _Candidate(kind, path, tuple(spread), whole)


def _referred(one: _Candidate, known: Sequence[Sequence[tuple[Kind, int]]]) -> tuple[Kind, ...]:
    """Return the kind that has these ids; of several the one that the field is named after, else the smallest.

    If no kind has them all, return the kinds of one index that together have each value once. `known` lists for each
    index how many of the values are ids of its kinds.
    """
    count = len(one.values)
    alone = [target for kinds in known for target, matched in kinds if matched >= _KNOWN * count]
    if alone:
        name = "_".join(words_of(one.path))
        return (min(alone, key=lambda target: (target.name not in name, target.sample.total)),)
    for kinds in known:
        some = [(target, matched) for target, matched in kinds if matched]
        if _KNOWN * count <= sum(matched for _, matched in some) <= count:
            return tuple(target for target, _ in some)
    return ()
