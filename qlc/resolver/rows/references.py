"""Keys from another document: `count documents by folder.owner` is read by folder, then folders are looked up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from qlc.base.errors import RequestFailed
from qlc.compiler.aggregations.groupings import Values
from qlc.compiler.aggregations.scope import DOCUMENTS, scope_of
from qlc.compiler.aggregations.tree import MAX_BUCKETS, Keys
from qlc.compiler.codegen import any_of
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Clause
from qlc.compiler.typed import Group, Scalar
from qlc.mapping.schema import Entity
from qlc.resolver.rows.asking import BucketReading, over_documents
from qlc.resolver.rows.cells import CellReading, read_cells
from qlc.resolver.rows.columns import Column, Derivation, own_column, value_column

SLICE = 10_000
"""Most ids whose keys one request looks up."""


def column_of(group: Group, env: Bindings) -> Column:
    """Return the column of a group, with or without references."""
    if not group.through:
        return own_column(group, env)
    reference, *further = group.through
    assert reference.reference is not None
    target = env.schema.entity(reference.reference.entity)
    if target.id is None or target.id.mapped.path == "_id":
        raise CannotAnswer(
            "no-id-field",
            f"{target.plural} have no id field in the index, so rows cannot be grouped through '{reference.name}'",
            f"name an id field of {target.plural} in the catalog",
        )
    path = reference.mapped.term_path
    there = replace(group, through=tuple(further), top=None)
    scope = scope_of(reference, None, None)
    return Column(scope, path, Values(path, reference.kind), reference.many, Referred(path, target, there, env))


@dataclass(slots=True)
class Referred(Derivation):
    """Derives keys of a group from the documents that a reference points to. Deleted and hidden documents have no
    key."""

    path: str
    target: Entity
    there: Group
    env: Bindings
    asked: set[Scalar] = field(default_factory=set)
    known: dict[Scalar, list[Scalar]] = field(default_factory=dict)

    def learn(self, bases: Collection[Scalar]) -> BucketReading[None]:
        new = sorted(base for base in bases if base not in self.asked)
        self.asked.update(new)
        for at in range(0, len(new), SLICE):
            yield from self._look_up(new[at : at + SLICE], first=at == 0)
        while not self.known.keys() >= set(bases):
            # Another reading of the same request is looking the others up.
            yield {}

    def _look_up(self, ids: Sequence[Scalar], *, first: bool) -> BucketReading[None]:
        assert self.target.id is not None
        columns = (value_column(self.target.id, DOCUMENTS), column_of(self.there, self.env))
        found: set[Keys] = set()
        reading = read_cells(
            CellReading(columns, self.env, MAX_BUCKETS, counted=False), lambda keys, _: found.add(keys)
        )
        wanted = any_of(self.target.id.mapped.term_path, ids)
        purpose = f"{self.there.name} of {self.target.plural} referred to"
        filters = [*self.env.scope(self.target), wanted]
        yield from over_documents(reading, self.target, filters, purpose, continues=not first)
        self.known.update((key, []) for key in ids)
        for key, value in sorted(found):
            if key not in self.known:
                raise RequestFailed("garbled", "a key of the answer was not asked for", retryable=True)
            self.known[key].append(value)

    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        return tuple(self.known[base])

    def occurring(self) -> Clause:
        return any_of(self.path, sorted(base for base, keys in self.known.items() if keys))

    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        return any_of(self.path, sorted(bases))
