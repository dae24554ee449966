"""Documents as name resolution reads them: id, names, path and the entities above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from functools import lru_cache
from itertools import takewhile
from typing import Any, Literal

from qlc.base.deadline import timed
from qlc.compiler.caseless import same_case
from qlc.compiler.environment import Values
from qlc.compiler.typed import ComputedField, FieldValue, Scalar
from qlc.compiler.walk import typed_parts
from qlc.mapping.fields import EXTENDED, ID_FIELD, FieldKind, IndexMapping, MappedField
from qlc.mapping.names import Label, label_of
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.resolver.instants import as_datetime
from qlc.resolver.names.areas_and_ranges import texts_at
from qlc.resolver.names.sources import keys_on, parts_at


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One hit. `parents`: ids directly above it; `above`: all known ids above it, including parents.

    `clauses`: names of the matching parts of the query, if they have names.
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
    """Return the fields that names are compared with, without sensitive ones."""
    return tuple(field.mapped for field in entity.names if field.mapped.exact is not None and not field.sensitive)


def labels(entity: Entity) -> tuple[Label, ...]:
    """Return the labels that distinguish entities with one name, besides the path, without sensitive ones."""
    found = (label_of(entity, name) for name in entity.tell_apart)
    return tuple(one for one in found if one and not one.field.sensitive and one.field != entity.path)


def paths_to_read(entity: Entity, want: Iterable[Field] = ()) -> list[str]:
    """Return the paths to request in `_source`."""
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
    """Turn hits into entries, skipping those without an id, since nothing can refer to them."""
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
    """Return the values of a field in a hit's source; for a key of a key/value list, of the elements with that key."""
    if field.kind in EXTENDED:
        return tuple(texts_at(hit.get("_source"), field.mapped))
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
    """Yield the values of two fields for each object in a hit's source that holds both."""
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
    """Return the paths to request in `_source` for a field: values, the keys that select them, names beside them."""
    if isinstance(field, ComputedField):
        parts = (part for part in typed_parts(field.expression) if isinstance(part, FieldValue))
        return {part.field.mapped.path for part in parts}
    paths = {field.mapped.path}
    if field.of_key is not None:
        paths.add(field.of_key.field.mapped.path)
    if field.reference is not None and field.reference.name_at is not None:
        paths.add(field.reference.name_at.path)
    return paths


def source_paths(entity: Entity, fields: Iterable[Field | NestedList]) -> set[str]:
    """Return the paths to request in `_source` for a document's id and some fields, without sensitive fields of
    elements."""
    paths = {id_field(entity).path}
    for field in fields:
        if isinstance(field, Field):
            paths |= field_paths(field)
        else:
            shown = {one.mapped.path for one in field.fields.values() if not one.sensitive}
            paths |= shown if field.fields else {field.path}
    return paths - {ID_FIELD.path}


def stored(hit: Mapping[str, Any], field: MappedField) -> tuple[Scalar, ...]:
    """Return the values of a field in a hit's source, through objects and lists; empty if it is missing."""
    if field.path == ID_FIELD.path:
        return (hit["_id"],)
    source = hit.get("_source")
    if field.es_type == "flattened":
        return (*map(Flattened, objects_at(source, field.path)), *values_at(source, field.path))
    found = _leaf(source, _parts(field.path))
    if found is _ELSEWHERE:
        return tuple(values_at(source, field.path))
    return (found,) if type(found) in _PLAIN else tuple(values_at(found, ""))


def stored_by_hit(hits: Sequence[Mapping[str, Any]], field: MappedField) -> list[tuple[Scalar, ...]]:
    """Return the values of a field in the source of each hit, as `stored` does for one."""
    if field.path == ID_FIELD.path or field.es_type == "flattened":
        return [stored(hit, field) for hit in hits]
    parts = _parts(field.path)
    found = []
    for hit in hits:
        leaf = _leaf(hit.get("_source"), parts)
        # Most paths lead through plain objects to one value; `stored` walks the others.
        found.append((leaf,) if type(leaf) in _PLAIN else stored(hit, field))
    return found


def _leaf(source: Any, parts: Sequence[str]) -> Any:
    """Return what is at a path of a source through plain objects; `_ELSEWHERE` where the path leads otherwise."""
    for part in parts:
        if type(source) is not dict or part not in source:
            return _ELSEWHERE
        source = source[part]
    return source


_ELSEWHERE = object()


class Flattened(str):
    """The object in a flattened field: the text shows its keys and values, `tree` is the object itself."""

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


def values_by_hit(hits: Sequence[Mapping[str, Any]], field: Field) -> list[Values]:
    """Return the distinct values of a field of each hit, as `field_values` does for one."""
    if field.kind in EXTENDED or field.of_key is not None:
        return [field_values(hit, field) for hit in timed(hits)]
    is_date = field.kind is FieldKind.DATE
    found = stored_by_hit(hits, field.mapped)
    return [converted(one, field) if is_date or len(one) > 1 else one for one in found]


def converted(values: Iterable[Scalar], field: Field) -> Values:
    """Deduplicate stored values; dates become datetimes in UTC."""
    found = tuple(values) if field.kind is not FieldKind.DATE else tuple(map(as_datetime, values))
    return found if len(found) < 2 else tuple(dict.fromkeys(found))


# --- dates whose format only the server can read ---------------------------------------------------------------------


_SELF_EXPLAINING = {
    "strict_date_optional_time",
    "strict_date_optional_time_nanos",
    "strict_date_time",
    "strict_date",
    "date_optional_time",
    "epoch_millis",
}
"""Formats that are ISO 8601 or epoch milliseconds, whose stored values can be read directly."""

ISO = "strict_date_optional_time_nanos"


def asked_as_fields(mapping: IndexMapping, paths: Iterable[str]) -> list[dict[str, str]]:
    """Return the `fields` to request for dates in other formats; mostly empty."""
    formatted = _formatted(mapping)
    return [{"field": path, "format": ISO} for path in sorted(formatted.intersection(paths))] if formatted else []


@lru_cache(maxsize=256)
def _formatted(mapping: IndexMapping) -> frozenset[str]:
    """Return the dates of a mapping with a format that stored values do not explain."""
    return frozenset(
        path
        for path, field in mapping.fields.items()
        if field.kind is FieldKind.DATE and field.date_format is not None
        and not _SELF_EXPLAINING.issuperset(field.date_format.split("||"))
    )


def with_dates(
    hits: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, str]], mapping: IndexMapping
) -> Sequence[Mapping[str, Any]]:
    """Replace dates of other formats in the sources of hits by ISO 8601. `asked` is the result of `asked_as_fields`."""
    if not asked:
        return hits
    found = []
    for hit in hits:
        source = hit.get("_source")
        for one in asked:
            source = _with_date(source, one["field"], hit.get("fields", {}), mapping)
        found.append({**hit, "_source": source})
    return found


def _with_date(source: Any, path: str, fields: Mapping[str, Any], mapping: IndexMapping) -> Any:
    values: list[Any] = list(values_at(fields, path))
    stored = sum(1 for _ in values_at(source, path))
    if len(values) != stored:
        # Malformed values have no date, and nulls may have one: which is whose is known only without elements.
        field = mapping.fields[path]
        values = [] if field.nested or field.in_object_list else [values]
    return _replaced(source, path, iter(values))


def _replaced(source: Any, path: str, values: Iterator[Any]) -> Any:
    """Copy a source with each value at a path replaced by the next of `values`, or removed after the last one."""
    if isinstance(source, list):
        return [_replaced(item, path, values) for item in source]
    if not path:
        return None if source is None else next(values, None)
    if not isinstance(source, Mapping):
        return source
    copy = dict(source)
    for key, rest in keys_on(source, path):
        copy[key] = _replaced(copy[key], rest, values)
    return copy


# --- what a lookup of a name answers with ----------------------------------------------------------------------------


StepName = Literal["id", "exact", "path", "folded", "extension", "words", "near"]

Reason = Literal["no-such-name", "other-kind", "no-such-id"]
"""The reason why nothing was found. `other-kind`: another entity has the name (a folder is wanted, a document has
it)."""

MAX_CANDIDATES = 1000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entity that the name can mean.

    `path`: the readable path, or empty. `label`: distinguishes it from others with the name. `values`: stored values of
    the wanted fields by field name, empty if the document lacks them.
    """

    id: Scalar
    name: str
    path: str
    label: str
    values: Mapping[str, tuple[Scalar, ...]] = attribute(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """The entities that a name means: one, several to choose from, or none and the reason.

    `step` found them; `by_path`: the text was read as a path. `truncated`: there are more than MAX_CANDIDATES. `notes`
    are plain sentences for the outcome. Without candidates: `reason`, `other_kinds` (entities that have the name, or
    with `as_id` the id), and `suggestions` (similar names, best first).
    """

    entity: str
    text: str
    step: StepName | None = None
    candidates: tuple[Candidate, ...] = ()
    truncated: bool = False
    notes: tuple[str, ...] = ()
    reason: Reason | None = None
    other_kinds: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    by_path: bool = False
    as_id: bool = False
