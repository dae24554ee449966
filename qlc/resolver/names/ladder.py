"""The name ladder: the one entity that a name means.

A name is tried as an id, as a whole name and as a path, in one request; then on the lower rungs, over the names that
there are. The first rung with a hit counts, and all that is found on it is handed back.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from qlc.compiler.request import Environment, Reading, SearchRequest
from qlc.mapping.schema import Entity, Field, Schema
from qlc.resolver.names.cache import CacheKey, NameCache
from qlc.resolver.names.documents import DocumentLadder
from qlc.resolver.names.found import Found, Reason, Step
from qlc.resolver.names.lexicon import Lexicon
from qlc.resolver.names.paths import Cuts
from qlc.resolver.names.people import VirtualLadder
from qlc.resolver.names.place import Place
from qlc.resolver.names.reading import read_lexicon
from qlc.resolver.names.requests import MAX_CASELESS, all_of, any_of, may_be_id, named, with_id
from qlc.resolver.names.rungs import LOWER_RUNGS, Rung, rungs_of
from qlc.resolver.names.telling import found_lower, shortened, too_many_names

RUNGS = ("id", "exact", "path", *(rung.name for rung in LOWER_RUNGS))
"""All rungs in their order. The first three are one request: `as_written`."""


class Ladder(Protocol):
    """The steps of one lookup. A step is None where nothing was found on it."""

    def as_written(self) -> Reading[Step | None]: ...

    def on_rung(self, rung: Rung, lexicon: Lexicon | None) -> Reading[Step | None]:
        """`lexicon` is None where there are more names than the bound."""


def find_named(
    entity: Entity,
    text: str,
    env: Environment,
    cache: NameCache,
    want: tuple[Field, ...] = (),
    *,
    schema: Schema,
    access: Hashable,
) -> Reading[Found]:
    """The entities that a name means, with the stored values of the fields `want`.

    `access` must differ wherever `env.scope` does: what one access has seen is cached for it alone.
    """
    place = Place(schema, env, cache, access)
    key = result_key(place, entity, text, want)
    kept = cache.result(key)
    if kept is not None:
        return kept
    generation = cache.generation(key)
    found = yield from _climb(place, entity, text, want)
    if found.candidates:  # a name that nothing has may be given to something the next moment
        cache.keep_result(key, found, generation)
    return found


LONGEST_LOOSE = 1_000
"""Characters of a text that is compared with names in other ways than as written; a path is no longer either. What an
access rule looks up is taken as written, whatever its length."""


def result_key(place: Place, entity: Entity, text: str, want: Sequence[Field]) -> CacheKey:
    return place.key(entity, (text, tuple(field.name for field in want), str(place.env.clock.zone)))


def _climb(place: Place, entity: Entity, text: str, want: tuple[Field, ...]) -> Reading[Found]:
    if not is_unicode(text):
        return Found(entity.name, text, reason="no-such-name")
    make = VirtualLadder if entity.virtual else DocumentLadder
    ladder: Ladder = make(place, entity, text, want)
    step = yield from ladder.as_written()
    if step is not None:
        return _found(entity, text, step)
    if entity.in_access or len(text) > LONGEST_LOOSE:
        return Found(entity.name, text, reason=_reason(entity, text, ()))
    rungs = rungs_of(entity.rungs)
    lexicon = (yield from read_lexicon(place, entity)) if entity.names else None
    notes = [too_many_names(entity, place.env.bounds.names)] if entity.names and rungs and lexicon is None else []
    for rung in rungs:
        step = yield from ladder.on_rung(rung, lexicon)
        if step is not None:
            notes.insert(0, found_lower(entity, text, rung, step))
            return _found(entity, text, step, tuple(notes))
    others, as_id = yield from _other_kinds(place, entity, text)
    reason = _reason(entity, text, others)
    suggestions: tuple[str, ...] = ()
    if lexicon is not None and reason != "no-such-id":
        suggestions = lexicon.suggestions(*_texts_to_suggest_for(entity, text))
    return Found(
        entity.name, text, notes=tuple(notes), reason=reason, other_kinds=others, as_id=as_id, suggestions=suggestions
    )


def _found(entity: Entity, text: str, step: Step, notes: tuple[str, ...] = ()) -> Found:
    return Found(entity.name, text, step.rung, step.candidates, step.truncated, notes, by_path=step.by_path)


def _reason(entity: Entity, text: str, others: tuple[str, ...]) -> Reason:
    if others:
        return "other-kind"
    is_id = entity.id_pattern is not None and may_be_id(entity, text)
    return "no-such-id" if is_id or not entity.names else "no-such-name"


def _texts_to_suggest_for(entity: Entity, text: str) -> tuple[str, ...]:
    """The text, and the last part of it where it looks like a path."""
    cuts = Cuts(text, entity.path_separator)
    return (text, cuts.part(cuts.pieces - 1, cuts.pieces)) if cuts.is_path else (text,)


def _other_kinds(place: Place, entity: Entity, text: str) -> Reading[tuple[tuple[str, ...], bool]]:
    """The entities of the same index, other than a kind of this one, that have the id or the name; whether the id.

    Of an entity and its kinds (entry, document) the kinds are told.
    """
    from elasticsearch.dsl import Search

    if len(text) > MAX_CASELESS:
        return (), False  # documents are counted here, not read and judged
    others = [one for one in place.schema.entities.values() if _is_other_kind(one, entity)]
    by_id = {one: [with_id(one, [text])] for one in others if may_be_id(one, text)}
    by_name = {one: named(one, [text]) for one in others if one.names}
    asked = {
        f"{how} {one.name}": all_of([*place.env.scope(one), any_of(queries)])
        for how, wanted in (("id", by_id), ("name", by_name))
        for one, queries in wanted.items()
    }
    if not asked:
        return (), False
    search = Search().query(any_of(list(asked.values()))).extra(size=0, track_total_hits=False)
    search.aggs.bucket("kinds", "filters", filters=asked)
    purpose = f"look whether something else is called '{shortened(text)}'"
    response = yield SearchRequest(entity.index, search.to_dict(), purpose)
    buckets = response["aggregations"]["kinds"]["buckets"]
    has_id, has_name = (
        {one.name: one for one in wanted if buckets[f"{how} {one.name}"]["doc_count"]}
        for how, wanted in (("id", by_id), ("name", by_name))
    )
    kinds = has_id or has_name
    return tuple(name for name, one in kinds.items() if not kinds.keys() & set(one.kinds)), bool(has_id)


def _is_other_kind(one: Entity, wanted: Entity) -> bool:
    return one.index == wanted.index and not (one.virtual or one.name == wanted.name or one.name in wanted.kinds)


def is_unicode(text: str) -> bool:
    """Half a surrogate pair is in no index, and no request can carry it."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
