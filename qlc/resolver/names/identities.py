"""What ids stand for: the entities behind references that were found, with what people call them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from qlc.compiler.request import Environment, Reading
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity, Schema
from qlc.resolver.names.cache import NameCache
from qlc.resolver.names.documents import name_of, read_candidates, read_documents
from qlc.resolver.names.entries import paths_to_read
from qlc.resolver.names.found import Candidate
from qlc.resolver.names.people import candidates_of, read_people
from qlc.resolver.names.place import Place


def identified(
    entity: Entity, ids: Sequence[Scalar], env: Environment, cache: NameCache, *, schema: Schema, access: Hashable
) -> Reading[tuple[Candidate, ...]]:
    """The entities that the ids are of, in the order in which to offer them; none for an id that nothing has."""
    place = Place(schema, env, cache, access)
    if entity.virtual:
        return candidates_of((yield from read_people(place, entity, ids)))
    found = yield from read_documents(entity, ids, paths_to_read(entity), env)
    return (yield from read_candidates(place, entity, [(entry, name_of(entry)) for entry in found]))
