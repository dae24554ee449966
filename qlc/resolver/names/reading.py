"""Reading the lexicon of an entity: once for an access, then from the cache."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import nullcontext

from qlc.compiler.request import WAIT, Reading
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity
from qlc.resolver.names.cache import TooManyNames
from qlc.resolver.names.distinct import Columns, read_distinct
from qlc.resolver.names.entries import name_fields
from qlc.resolver.names.lexicon import Lexicon
from qlc.resolver.names.place import Place


def read_lexicon(place: Place, entity: Entity) -> Reading[Lexicon | None]:
    """The distinct names of an entity, of a virtual one with their ids; None where there are more than the bound.

    Of the many lookups that a program may have, one reads them, and the others of its round wait.
    """
    key, run = place.key(entity), id(place.env)
    kept, waited = place.cache.lexicon(key), False
    while kept is None and place.cache.is_being_read(key, run):
        yield WAIT
        kept, waited = place.cache.lexicon(key), True
    if kept is not None:
        return kept if isinstance(kept, Lexicon) else None
    with nullcontext() if waited else place.cache.being_read(key, run):
        generation = place.cache.generation(key)
        read = yield from _read(place, entity)
        kept = place.cache.keep_lexicon(key, read, generation)
    return kept if isinstance(kept, Lexicon) else None


def _read(place: Place, entity: Entity) -> Reading[Lexicon | TooManyNames]:
    bound = place.env.bounds.names
    names: set[str] = set()
    ids: defaultdict[str, dict[Scalar, None]] = defaultdict(dict)
    for index, columns in name_columns(place, entity).items():
        distinct = yield from read_distinct(index, columns, f"read the names of {entity.plural}", bound)
        for one in distinct or ():
            names.add(str(one["name"]))
            if "id" in one:
                ids[str(one["name"])][one["id"]] = None
        if distinct is None or len(names) > bound:
            return TooManyNames()
    return Lexicon(names, {name: tuple(found) for name, found in ids.items()})


def name_columns(place: Place, entity: Entity) -> Mapping[str, list[Columns]]:
    """What to read, by index: the name fields, or the pairs of a virtual entity's sources."""
    columns: defaultdict[str, list[Columns]] = defaultdict(list)
    if entity.virtual:
        for source in entity.sources:
            holder = place.schema.entities[source.entity]
            columns[holder.index].append(Columns(place.env.scope(holder), {"id": source.key, "name": source.name}))
    else:
        for field in name_fields(entity):
            columns[entity.index].append(Columns(place.env.scope(entity), {"name": field}))
    return columns
