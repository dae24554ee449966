"""Guards: the sensitive fields of an entity, and the entities that share its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from qlc.mapping.catalog_model import FieldPart
from qlc.mapping.effective import EntityDefinition
from qlc.mapping.fields import IndexMapping
from qlc.mapping.guards import Guards, Secret, touches, value_paths


def guards_of(
    entity: EntityDefinition, others: Iterable[EntityDefinition], mappings: Mapping[str, IndexMapping]
) -> Guards:
    """Return the guards of an entity: its own sensitive fields, and those of every entity that shares its documents."""
    mapping = mappings[entity.index]
    found: dict[Secret, None] = {}
    for one in others:
        if one.name == entity.name or share_documents(entity, one, mappings):
            found |= dict.fromkeys(_secrets(one, mappings[one.index]))
    return Guards(tuple(dict.fromkeys(_derived(found, mapping))))


def share_documents(one: EntityDefinition, other: EntityDefinition, mappings: Mapping[str, IndexMapping]) -> bool:
    """Whether a document can belong to both entities, as far as index and `where` show."""
    return shares_index(one, other, mappings) and not kept_apart(one, other)


def kept_apart(one: EntityDefinition, other: EntityDefinition) -> bool:
    """Whether the entities require different values of one field. A document can then be of both only with several
    values."""
    return any(set(values).isdisjoint(other.part.where.get(path, values)) for path, values in one.part.where.items())


def shares_index(one: EntityDefinition, other: EntityDefinition, mappings: Mapping[str, IndexMapping]) -> bool:
    """Whether both entities search a common index, under any name, alias or pattern."""
    if one.virtual or other.virtual or one.index not in mappings or other.index not in mappings:
        return False
    first, second = _indices(one.index, mappings), _indices(other.index, mappings)
    return any(fnmatchcase(a, b) or fnmatchcase(b, a) for a in first for b in second)


def _indices(name: str, mappings: Mapping[str, IndexMapping]) -> set[str]:
    """Return the name that a search is sent to, and the names of its indices."""
    return {*name.split(","), *mappings[name].indices}


def _secrets(one: EntityDefinition, mapping: IndexMapping) -> Iterator[Secret]:
    for name, (part, _) in one.fields.items():
        if part.sensitive:
            yield from _of_field(name, part, "", mapping)
    for name, (many, _) in one.lists.items():
        if many.sensitive:
            yield Secret(many.path, name)
        for inner, part in many.fields.items():
            if part.sensitive:
                yield from _of_field(f"{name}.{inner}", part, many.path + ".", mapping)


def _of_field(name: str, part: FieldPart, prefix: str, mapping: IndexMapping) -> Iterator[Secret]:
    for path in (part.path, part.name_at, part.under):
        mapped = None if path is None else mapping.at(prefix + path)
        if mapped is not None:
            yield from (Secret(each, name) for each in value_paths(mapped, mapping))


def _derived(secrets: Iterable[Secret], mapping: IndexMapping) -> Iterator[Secret]:
    """Yield the secrets, the targets of `copy_to` of each, and the runtime fields whose scripts can read one of
    these."""
    known = [*secrets]
    for source, targets in mapping.copies.items():
        for one in [one for one in known if not one.how and touches(source, one.path)]:
            known += (Secret(target, one.name, f"the index copies {source} to it") for target in targets)
    yield from known
    scripts = dict(mapping.scripts)
    while scripts:
        computed = [Secret(path, one.name, "its script can read it")
                    for path, script in scripts.items() for one in known if _can_read(script, one.path, mapping)]
        yield from computed
        scripts = {path: script for path, script in scripts.items() if all(one.path != path for one in computed)}
        known = computed
        if not computed:
            return


def _can_read(script: str | None, path: str, mapping: IndexMapping) -> bool:
    """Whether a script names a field, by its own path or an alias, or can read the whole document."""
    if script is None or "_source" in script or "params" in script:
        return True
    aliases = (alias for alias, one in mapping.fields.items() if alias != one.path and touches(one.path, path))
    return any(each.rpartition(".")[2] in script for each in (path, *aliases))
