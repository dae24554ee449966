"""Documents as the name ladder reads them: id, names, path and what they lie below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from qlc.compiler.typed import Scalar
from qlc.mapping.fields import ID_FIELD, MappedField
from qlc.mapping.schema import Entity, Field


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One hit. `parents` are the ids directly above it, `above` all that are known to be, parents included.

    `clauses` are the names of the parts of the query that it matched, where they are named.
    """

    id: Scalar
    names: tuple[str, ...]
    path: str
    parents: tuple[Scalar, ...]
    above: frozenset[Scalar]
    hit: Mapping[str, Any]
    clauses: frozenset[str]


def id_field(entity: Entity) -> MappedField:
    return entity.id.mapped if entity.id is not None else ID_FIELD


def name_fields(entity: Entity) -> tuple[MappedField, ...]:
    """The fields that names are compared in; a sensitive one is not looked into."""
    return tuple(field.mapped for field in entity.names if field.mapped.exact is not None and not field.sensitive)


def label_fields(entity: Entity) -> tuple[Field, ...]:
    """The fields that tell entities of one name apart, besides the path; a sensitive one is not shown."""
    fields = (entity.fields[name] for name in entity.tell_apart)
    return tuple(field for field in fields if not field.sensitive and field != entity.path)


def paths_to_read(entity: Entity, want: Iterable[Field] = ()) -> list[str]:
    """What to ask of `_source`."""
    fields = [id_field(entity), *name_fields(entity), *(field.mapped for field in want)]
    if entity.path is not None:
        fields.append(entity.path.mapped)
    for field in (*label_fields(entity), *([entity.fields[entity.parent]] if entity.parent else ())):
        fields.append(field.mapped)
        if field.reference is not None:
            fields += [other for other in (field.reference.name_at, field.reference.ancestors) if other is not None]
    return sorted({field.path for field in fields} - {ID_FIELD.path})


def entries(entity: Entity, hits: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """The hits as entries. One without an id cannot be referred to: it is none."""
    for hit in hits:
        ids = stored(hit, id_field(entity))
        if not ids:
            continue
        parents: tuple[Scalar, ...] = ()
        above: tuple[Scalar, ...] = ()
        if entity.parent is not None:
            parent = entity.fields[entity.parent]
            parents = stored(hit, parent.mapped)
            if parent.reference is not None and parent.reference.ancestors is not None:
                above = stored(hit, parent.reference.ancestors)
        yield Entry(
            id=ids[0],
            names=tuple(str(name) for field in name_fields(entity) for name in stored(hit, field)),
            path=" ".join(map(str, stored(hit, entity.path.mapped))) if entity.path is not None else "",
            parents=parents,
            above=frozenset((*parents, *above)),
            hit=hit,
            clauses=frozenset(hit.get("matched_queries", ())),
        )


def stored(hit: Mapping[str, Any], field: MappedField) -> tuple[Scalar, ...]:
    """The values of a field in a hit's source, through objects and lists; empty where it is missing."""
    if field.path == ID_FIELD.path:
        return (hit["_id"],)
    source = hit.get("_source")
    found: Any = source
    for part in _parts(field.path):
        if type(found) is not dict or part not in found:
            return tuple(_values(source, field.path))
        found = found[part]
    # Most paths lead through plain objects to one value; the rest is walked with care.
    return (found,) if type(found) in _PLAIN else tuple(_values(found, ""))


_PLAIN = (str, int, float, bool)


@lru_cache(maxsize=4096)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _values(source: Any, path: str) -> Iterator[Scalar]:
    if isinstance(source, list):
        for item in source:
            yield from _values(item, path)
    elif not path:
        if source is not None and not isinstance(source, dict):
            yield source
    elif isinstance(source, dict):
        parts = path.split(".")
        for length in range(1, len(parts) + 1):  # a document may have dots in its keys
            key = ".".join(parts[:length])
            if key in source:
                yield from _values(source[key], ".".join(parts[length:]))
