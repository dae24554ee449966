"""Many ids at once: the entities of ids, and the ids among very many texts to look up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from qlc.base.texts import half_of
from qlc.compiler.request import Reading
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity, Field
from qlc.resolver.names.cache import Place
from qlc.resolver.names.documents import IDS, Named, name_of, read_candidates, read_documents
from qlc.resolver.names.entries import Candidate, Entry, Found, entries, paths_to_read
from qlc.resolver.names.people import candidates_of, read_people
from qlc.resolver.names.requests import all_of, may_be_id, read_hits, with_id
from qlc.resolver.names.resolution import result_key

MANY = 32
"""Number of lookups above which one more request is worth it, since it saves one for each id among them."""


def identified(place: Place, entity: Entity, ids: Sequence[Scalar]) -> Reading[tuple[Candidate, ...]]:
    """Return the entities with these ids, in the order in which to offer them; ids without a document are skipped."""
    if entity.virtual:
        return candidates_of((yield from read_people(place, entity, ids)))
    found = yield from read_documents(entity, ids, paths_to_read(entity), place.env)
    return (yield from read_candidates(place, entity, [(entry, name_of(entry)) for entry in found]))


def keep_ids(place: Place, entity: Entity, texts: Iterable[str], want: tuple[Field, ...]) -> Reading[None]:
    """Cache the result of `find_named` for each text that is the id of one entry. Other texts are left to
    `find_named`."""
    cache = place.cache
    keys = {text: result_key(place, entity, text, want) for text in dict.fromkeys(texts)}
    unknown = [text for text, key in keys.items()
               if half_of(text) < 0 and may_be_id(entity, text) and cache.result(key) is None]  # fmt: skip
    for start in range(0, len(unknown), IDS):
        some = unknown[start : start + IDS]
        generation = cache.generation
        read = _people if entity.virtual else _documents
        found = yield from read(place, entity, some, want)
        for text in some:
            if text in found:
                cache.keep_result(keys[text], Found(entity.name, text, "id", found[text]), generation)


Candidates = dict[str, tuple[Candidate, ...]]


def _people(place: Place, entity: Entity, ids: Sequence[str], want: tuple[Field, ...]) -> Reading[Candidates]:
    pairs = yield from read_people(place, entity, ids)
    return {str(one): candidates_of({one: names}, want) for one, names in pairs.items()}


def _documents(place: Place, entity: Entity, ids: Sequence[str], want: tuple[Field, ...]) -> Reading[Candidates]:
    query = all_of([*place.env.scope(entity), with_id(entity, ids)])
    purpose = f"the {entity.plural} of {len(ids):,} ids"
    hits, more = yield from read_hits(entity, query, paths_to_read(entity, want), purpose, len(ids))
    by_id: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries(entity, hits):
        by_id[str(entry.id)].append(entry)
    found: Candidates = {}
    for one, same in by_id.items() if not more else ():
        if len(same) == 1:
            named: Named = (same[0], name_of(same[0]))
            found[one] = yield from read_candidates(place, entity, [named], want)
    return found
