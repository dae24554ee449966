"""Documents as name resolution reads them: id, names, path and what they lie below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any

from qlc.compiler.caseless import same_case
from qlc.compiler.environment import Values
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import ID_FIELD, FieldKind, MappedField
from qlc.mapping.labels import Label, label_of
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.resolver.instants import as_datetime
from qlc.resolver.source import parts_at, places_at


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


def labels(entity: Entity) -> tuple[Label, ...]:
    """What tells entities of one name apart, besides the path; what is sensitive is not shown."""
    found = (label_of(entity, name) for name in entity.tell_apart)
    return tuple(one for one in found if one and not one.field.sensitive and one.field != entity.path)


def paths_to_read(entity: Entity, want: Iterable[Field] = ()) -> list[str]:
    """What to ask of `_source`."""
    fields = [id_field(entity), *name_fields(entity)]
    if entity.path is not None:
        fields.append(entity.path.mapped)
    parent = [entity.fields[entity.parent]] if entity.parent else []
    for field in (*(label.field for label in labels(entity)), *parent):
        fields.append(field.mapped)
        if field.reference is not None:
            fields += [other for other in (field.reference.name_at, field.reference.ancestors) if other is not None]
    wanted = {path for field in want for path in field_paths(field)}
    return sorted(({field.path for field in fields} | wanted) - {ID_FIELD.path})


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


def stored_values(hit: Mapping[str, Any], field: Field) -> tuple[Scalar, ...]:
    """The values of a field in a hit's source; of a key of a key/value list those of the elements with that key."""
    if field.kind is FieldKind.GEO_POINT:
        return tuple(places_at(hit.get("_source"), field.mapped.path))
    if field.of_key is None:
        return stored(hit, field.mapped)
    found: list[Scalar] = []
    for keys, values in stored_together(hit, field.of_key.field.mapped, field.mapped):
        if any(isinstance(key, str) and same_case(key, field.of_key.key) for key in keys):
            found += values
    return tuple(found)


def stored_together(
    hit: Mapping[str, Any], left: MappedField, right: MappedField
) -> Iterator[tuple[tuple[Scalar, ...], tuple[Scalar, ...]]]:
    """The values of two fields of a hit's source, of each object by itself that holds both."""
    parents = (field.path.split(".")[:-1] for field in (left, right))
    holder = ".".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*parents, strict=False)))
    cut = len(holder) + 1 if holder else 0
    for each in objects_at(hit.get("_source"), holder):
        element = {"_source": each, "_id": hit.get("_id")}
        yield (
            stored(element, replace(left, path=left.path[cut:])),
            stored(element, replace(right, path=right.path[cut:])),
        )


def objects_at(source: Any, path: str) -> Iterator[Mapping[str, Any]]:
    """The objects at a path of a source, through objects and lists."""
    return (one for one in parts_at(source, path) if isinstance(one, Mapping))


def field_paths(field: Field) -> set[str]:
    """What to ask of `_source` for a field: its values, the keys that they are picked by, the names beside them."""
    paths: set[str] = set()
    _add_paths(field, paths)
    return paths


def _add_paths(field: Field, paths: set[str]) -> None:
    paths.add(field.mapped.path)
    if field.of_key is not None:
        paths.add(field.of_key.field.mapped.path)
    if field.reference is not None and field.reference.name_at is not None:
        paths.add(field.reference.name_at.path)


def source_paths(entity: Entity, fields: Iterable[Field | NestedList]) -> set[str]:
    """What to ask of `_source` for a document's id and some of its fields; sensitive ones of elements are not."""
    paths = {id_field(entity).path}
    for field in fields:
        if isinstance(field, Field):
            _add_paths(field, paths)
        else:
            shown = {one.mapped.path for one in field.fields.values() if not one.sensitive}
            paths |= shown if field.fields else {field.path}
    return paths - {ID_FIELD.path}


def stored(hit: Mapping[str, Any], field: MappedField) -> tuple[Scalar, ...]:
    """The values of a field in a hit's source, through objects and lists; empty where it is missing."""
    if field.path == ID_FIELD.path:
        return (hit["_id"],)
    source = hit.get("_source")
    if field.es_type == "flattened":
        return (*map(Flattened, objects_at(source, field.path)), *values_at(source, field.path))
    found: Any = source
    for part in _parts(field.path):
        if type(found) is not dict or part not in found:
            return tuple(values_at(source, field.path))
        found = found[part]
    # Most paths lead through plain objects to one value; the rest is walked with care.
    return (found,) if type(found) in _PLAIN else tuple(values_at(found, ""))


class Flattened(str):
    """The object that a flattened field holds: its keys and values as text, and the object itself in `tree`."""

    tree: Mapping[str, Any]

    def __new__(cls, tree: Mapping[str, Any]) -> Flattened:
        made = super().__new__(cls, text_of_tree(tree))
        made.tree = tree
        return made


def text_of_tree(tree: Mapping[str, Any]) -> str:
    """An object as people read it: `team: core, tier: 1`."""
    return ", ".join(f"{key}: {value}" for key, value in _leaves(tree, ""))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part, path)
    elif value is not None:
        yield path, value


_PLAIN = (str, int, float, bool)


@lru_cache(maxsize=4096)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def values_at(source: Any, path: str) -> Iterator[Scalar]:
    """The values at a path of a source, through objects and lists, in stored order."""
    return (one for one in parts_at(source, path) if one is not None and not isinstance(one, dict))


def field_values(hit: Mapping[str, Any], field: Field) -> Values:
    """The distinct values of a field in a hit's source, in stored order: dates as aware datetimes in UTC."""
    return converted(stored_values(hit, field), field)


def converted(values: Iterable[Scalar], field: Field) -> Values:
    """The distinct ones of stored values; of a date field as datetimes in UTC."""
    found = tuple(values) if field.kind is not FieldKind.DATE else tuple(map(as_datetime, values))
    return found if len(found) < 2 else tuple(dict.fromkeys(found))
