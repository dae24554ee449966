"""Name resolution: finds the entity that a name means.

A name is tried as an id, as a whole name and as a path, in one request; then by the later steps over the existing
names. The first step with a match wins, and all of its matches are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elasticsearch.dsl.aggs import Filters

from qlc.base.texts import half_of
from qlc.base.words.sentences import shortened
from qlc.compiler.caseless import MAX_AUTOMATON_LENGTH
from qlc.compiler.request import Reading, SearchRequest, aggregation_body, disjunction
from qlc.mapping.schema import Entity, Field
from qlc.resolver.names.cache import CacheKey, Place
from qlc.resolver.names.documents import DocumentSteps
from qlc.resolver.names.entries import Found, Reason
from qlc.resolver.names.matching import LATER_STEPS, later_steps
from qlc.resolver.names.paths import Cuts
from qlc.resolver.names.people import VirtualSteps
from qlc.resolver.names.reading import read_lexicon
from qlc.resolver.names.requests import all_of, may_be_id, named, with_id
from qlc.resolver.names.wording import found_later

STEPS = ("id", "exact", "path", *(step.name for step in LATER_STEPS))
"""All steps in their order. The first three are one request: `as_written`."""


def find_named(place: Place, entity: Entity, text: str, want: tuple[Field, ...] = ()) -> Reading[Found]:
    """Find the entities that a name means, with the stored values of the fields `want`."""
    key = result_key(place, entity, text, want)
    kept = place.cache.result(key)
    if kept is not None:
        return kept
    generation = place.cache.generation
    found = yield from _resolve(place, entity, text, want)
    if found.candidates:  # a name that nothing has may be given to something the next moment
        place.cache.keep_result(key, found, generation)
    return found


LONGEST_LOOSE = 1_000
"""Most characters of a text that is matched other than as written; also the longest path. Lookups of access rules are
always matched as written."""


def result_key(place: Place, entity: Entity, text: str, want: Sequence[Field]) -> CacheKey:
    return place.key(entity, (text, tuple(field.name for field in want), str(place.env.clock.zone)))


def _resolve(place: Place, entity: Entity, text: str, want: tuple[Field, ...]) -> Reading[Found]:
    if half_of(text) >= 0:  # it is in no index, and no request can carry it
        return Found(entity.name, text, reason="no-such-name")
    lookup = (VirtualSteps if entity.virtual else DocumentSteps)(place, entity, text, want)
    found = yield from lookup.as_written()
    if found is not None:
        return found
    if entity.in_access or len(text) > LONGEST_LOOSE:
        return Found(entity.name, text, reason=_reason(entity, text, ()))
    steps = later_steps(entity.match_steps)
    lexicon = (yield from read_lexicon(place, entity)) if entity.names else None
    notes = []
    if entity.names and steps and lexicon is None:
        notes.append(f"There are more than {place.env.bounds.names:,} names of {entity.plural}: similar spellings were "
                     "not searched.")
    for step in steps:
        found = yield from lookup.on_step(step, lexicon)
        if found is not None:
            return replace(found, notes=(found_later(entity, step, found), *notes))
    others, as_id = yield from _other_kinds(place, entity, text)
    reason = _reason(entity, text, others)
    suggestions: tuple[str, ...] = ()
    if lexicon is not None and reason != "no-such-id":
        cuts = Cuts(text, entity.path_separator)
        last = (cuts.part(cuts.pieces - 1, cuts.pieces),) if cuts.is_path else ()
        suggestions = lexicon.suggestions(text, *last)
    return Found(
        entity.name, text, notes=tuple(notes), reason=reason, other_kinds=others, as_id=as_id, suggestions=suggestions
    )


def _reason(entity: Entity, text: str, others: tuple[str, ...]) -> Reason:
    if others:
        return "other-kind"
    is_id = entity.id_pattern is not None and may_be_id(entity, text)
    return "no-such-id" if is_id or not entity.names else "no-such-name"


def _other_kinds(place: Place, entity: Entity, text: str) -> Reading[tuple[tuple[str, ...], bool]]:
    """Return the entities of the same index, except kinds of this one, that have the id or the name; and whether the
    id.

    Of an entity and its kinds (entry, document) the kinds are reported.
    """
    if len(text) > MAX_AUTOMATON_LENGTH:
        return (), False  # documents are counted here, not read and judged
    others = [one for one in place.schema.entities.values()
              if one.index == entity.index and not one.virtual and one.name not in (entity.name, *entity.kinds)]
    by_id = {one: [with_id(one, [text])] for one in others if may_be_id(one, text)}
    by_name = {one: named(one, [text]) for one in others if one.names}
    asked = {
        f"{how} {one.name}": all_of([*place.env.scope(one), disjunction(queries)])
        for how, wanted in (("id", by_id), ("name", by_name))
        for one, queries in wanted.items()
    }
    if not asked:
        return (), False
    body = aggregation_body(disjunction(list(asked.values())), {"kinds": Filters(filters=asked)})
    purpose = f"look whether something else is called '{shortened(text)}'"
    response = yield SearchRequest(entity.index, body, purpose)
    buckets = response["aggregations"]["kinds"]["buckets"]
    has_id, has_name = (
        {one.name: one for one in wanted if buckets[f"{how} {one.name}"]["doc_count"]}
        for how, wanted in (("id", by_id), ("name", by_name))
    )
    kinds = has_id or has_name
    return tuple(name for name, one in kinds.items() if not kinds.keys() & set(one.kinds)), bool(has_id)
