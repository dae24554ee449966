"""Names for references that are keys of rows: stored beside the id, or in the referred documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from qlc.compiler.aggregations.groupings import Values
from qlc.compiler.aggregations.scope import DOCUMENTS, Scope
from qlc.compiler.aggregations.statistics import Cell
from qlc.compiler.aggregations.tree import MAX_BUCKETS, Keys
from qlc.compiler.codegen import any_of
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Reading
from qlc.compiler.typed import Group, Scalar
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.resolver.names.cache import NameCache, Place
from qlc.resolver.names.documents import read_documents
from qlc.resolver.names.entries import Candidate, field_values, id_field, stored
from qlc.resolver.names.ids import identified
from qlc.resolver.rows.asking import BucketReading, over_documents
from qlc.resolver.rows.cells import CellReading, read_cells
from qlc.resolver.rows.columns import Column, value_column

Names = dict[Scalar, str]


def has_names_beside(field: Field) -> bool:
    """Whether a reference has names stored beside it, in the same document or element."""
    name_at = field.reference.name_at if field.reference is not None else None
    return name_at is not None and name_at.exact is not None and name_at.nested_path == field.mapped.nested_path


def names_beside(field: Field, scope: Scope, env: Bindings, buckets: int) -> BucketReading[Names]:
    """Return the most frequent name beside each id."""
    assert field.reference is not None
    assert field.reference.name_at is not None
    path = field.reference.name_at.term_path
    beside = Column(scope, path, Values(path, FieldKind.KEYWORD))
    counts: dict[Keys, int] = {}

    def take(keys: Keys, cell: Cell) -> None:
        counts[keys] = cell.documents

    yield from read_cells(CellReading((value_column(field, scope), beside), env, buckets), take)
    # The last one stays: the most frequent, of equals the first by name.
    ranked = sorted(counts, key=lambda keys: str(keys[1]), reverse=True)
    return {keys[0]: str(keys[1]) for keys in sorted(ranked, key=lambda keys: counts[keys])}


def names_of_keys(group: Group, ids: Collection[Scalar], env: Bindings) -> Reading[Names]:
    """Return the names of ids that are keys of a group, if they have any; constants have their own names."""
    reference = group.field.reference
    if reference is None or group.function is not None:
        return {}
    constants = {value: name for name, value in reference.constants.items()}
    names: dict[Scalar, str] = {key: constants[str(key)] for key in ids if str(key) in constants}
    unnamed = sorted(str(key) for key in ids if key not in names)
    if not unnamed:
        return names
    if group.through and has_names_beside(group.field):
        holders = _target(group.through[-1], env)
        wanted = any_of(group.field.mapped.term_path, unnamed)
        reading = names_beside(group.field, DOCUMENTS, env, MAX_BUCKETS)
        filters = [*env.scope(holders), wanted]
        found = yield from over_documents(reading, holders, filters, f"names of {group.name} in the rows")
    else:
        found = yield from document_names(_target(group.field, env), unnamed, env)
    return names | found


def told_apart(group: Group, names: Names, env: Bindings) -> Reading[Names]:
    """Return longer names for ids of one name, with what tells them apart: `Meyer` -> `Meyer (city Hamburg)`."""
    counts = Counter(names.values())
    alike = [id for id, name in names.items() if counts[name] > 1]
    if not alike or group.field.reference is None:
        return {}
    known: dict[str, Candidate] = {}
    if len(alike) <= MOST_TOLD_APART:
        place = Place(env.schema, env, NameCache(), None)
        known = {str(one.id): one for one in (yield from identified(place, _target(group.field, env), alike))}
    paths = Counter(one.path for one in known.values())
    found = {}
    for id in alike:
        one = known.get(str(id))
        what = "" if one is None else one.label.removeprefix(one.name).strip()
        if one is not None and one.path and paths[one.path] == 1:
            what = f"({one.path})"
        found[id] = f"{names[id]} {what or f'[{id}]'}"
    return found


MOST_TOLD_APART = 1_000
"""Ids of one name whose documents are read to tell them apart; more are told apart by the ids."""


def _target(reference: Field, env: Bindings) -> Entity:
    assert reference.reference is not None
    return env.schema.entity(reference.reference.entity)


def names_of_ids(reference: Field, hits: Sequence[Mapping[str, Any]], env: Bindings) -> Reading[Names]:
    """Return the names of the documents to which a reference of hits leads, by id."""
    found = dict.fromkeys(str(value) for hit in hits for value in field_values(hit, reference))
    return (yield from document_names(_target(reference, env), [*found], env)) if found else {}


def document_names(entity: Entity, ids: Sequence[str], env: Bindings) -> Reading[Names]:
    """Return the names of the entity's documents by id; missing and nameless documents are left out."""
    shown = next((field.mapped for field in entity.names if not field.sensitive), None)
    if entity.virtual or shown is None:
        return {}
    paths = sorted({id_field(entity).path, shown.path} - {"_id"})
    found = yield from read_documents(entity, ids, paths, env, f"names of {entity.plural} in the rows")
    return {entry.id: str(name) for entry in found for name in stored(entry.hit, shown)[:1]}
