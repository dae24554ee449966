"""What lies above entries, read from the index where their documents do not say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from qlc.compiler.request import Reading
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity
from qlc.resolver.names.entries import Entry, entries, paths_to_read
from qlc.resolver.names.place import Place
from qlc.resolver.names.requests import MAX_TERMS, all_of, read_hits, with_id


def stores_ancestors(place: Place, entity: Entity) -> bool:
    """Whether a document says of all that is above it: the ids, or its parent where nothing is above that."""
    if entity.parent is None:
        return False
    reference = entity.fields[entity.parent].reference
    above = place.entity_above(entity)
    return reference is not None and (reference.ancestors is not None or (above is not None and above.parent is None))


def read_uppers(place: Place, entity: Entity, below: Sequence[Entry]) -> Reading[dict[Scalar, Entry]]:
    """All entries above the given ones by id, each with everything above it: in one step, or level by level."""
    upper = place.entity_above(entity)
    if upper is None:
        return {}
    if stores_ancestors(place, entity):
        return (yield from _read(place, upper, {one for entry in below for one in entry.above}))
    found: dict[Scalar, Entry] = {}
    level = {one for entry in below for one in entry.parents}
    for _ in range(place.env.bounds.depth):
        level -= found.keys()
        if not level:
            break
        read = yield from _read(place, upper, level)
        found |= read
        level = {one for entry in read.values() for one in entry.parents}
    return {one: with_all_above(entry, found) for one, entry in found.items()}


def with_all_above(entry: Entry, uppers: dict[Scalar, Entry]) -> Entry:
    """The entry with the ids that its parents lead to."""
    above = set(entry.above)
    level = set(entry.parents)
    while level:
        higher = {one for parent in level if parent in uppers for one in uppers[parent].parents} - above
        above |= higher
        level = higher
    return replace(entry, above=frozenset(above))


def path_through(entry: Entry, uppers: dict[Scalar, Entry], separator: str) -> str:
    """A readable path of the names above an entry and its own."""
    chain = sorted((uppers[one] for one in entry.above if one in uppers), key=lambda upper: len(upper.above))
    return separator.join(names[0] for names in (*(upper.names for upper in chain), entry.names) if names)


def _read(place: Place, entity: Entity, ids: Iterable[Scalar]) -> Reading[dict[Scalar, Entry]]:
    wanted = sorted(ids, key=str)[:MAX_TERMS]
    query = all_of([*place.env.scope(entity), with_id(entity, wanted)])
    purpose = f"read the {entity.plural} above"
    hits, _ = yield from read_hits(entity, query, paths_to_read(entity), purpose, len(wanted))
    return {entry.id: entry for entry in entries(entity, hits)}
