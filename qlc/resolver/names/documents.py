"""The steps of name resolution for entities with documents of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from qlc.base.words.sentences import shortened
from qlc.compiler.caseless import same_case
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Clause, Reading, disjunction
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import ID_FIELD
from qlc.mapping.names import field_after
from qlc.mapping.schema import Entity, Field
from qlc.resolver.names import requests
from qlc.resolver.names.cache import Place
from qlc.resolver.names.entries import (
    MAX_CANDIDATES,
    Candidate,
    Entry,
    Found,
    StepName,
    entries,
    field_paths,
    id_field,
    labels,
    paths_to_read,
    stored,
    stored_values,
)
from qlc.resolver.names.lexicon import Lexicon
from qlc.resolver.names.matching import Fits, MatchStep, Spelling, exact, later_steps, on_first_of
from qlc.resolver.names.paths import (
    Cuts,
    Far,
    below_entries,
    below_path_text,
    path_through,
    read_uppers,
    stores_ancestors,
    with_all_above,
)
from qlc.resolver.names.reading import read_lexicon
from qlc.resolver.names.wording import document_label, shown_value

WANTED, ABOVE = "wanted", "above"
"""Names of the two parts of a query: entries that are looked up, and entries that may be above them."""

IDS = 4_000
"""Most ids in one request."""

Named = tuple[Entry, str]
"""An entry, and its name that matches."""


class DocumentSteps:
    """A lookup of a name among the documents of an entity."""

    def __init__(self, place: Place, entity: Entity, text: str, want: Sequence[Field]) -> None:
        self._place = place
        self._entity = entity
        self._text = text
        self._want = want
        self._upper = place.entity_above(entity)
        self._above_by_id = stores_ancestors(place, entity)
        self._above_by_text = entity.path is not None and not self._above_by_id
        cuts = Cuts(text, entity.path_separator)
        self._cuts = cuts if cuts.is_path and (entity.path is not None or self._upper is not None) else None
        self._spelling = cache(Spelling.of)

    def as_written(self) -> Reading[Found | None]:
        """Run the steps id, exact name and path, in one request."""
        entity, cuts = self._entity, self._cuts
        ids = requests.asked_as_id(entity, id_field(entity), self._text)
        if ids:
            ids = [requests.inside_nested(id_field(entity), disjunction(ids))]
        wanted = [*ids, *requests.named(entity, [self._text, *(cuts.last_parts if cuts else ())])]
        above = requests.named(self._upper, cuts.upper_parts) if cuts and self._upper and self._above_by_id else []
        found, uppers = yield from self._read(wanted, above, whole=cuts is None)
        if ids:
            by_id = [(entry, name_of(entry)) for entry in found if str(entry.id) == self._text]
            if by_id:
                return (yield from self._resolution("id", by_id))
        by_name = self._whole(found, exact)
        if by_name:
            return (yield from self._resolution("exact", by_name))
        by_path = yield from self._below(found, uppers, exact, exact)
        if by_path or not ids:
            return (yield from self._resolution("path", by_path, by_path=True))
        by_id = [(entry, name_of(entry)) for entry in found if same_case(str(entry.id), self._text)]
        return (yield from self._resolution("id", by_id))

    def on_step(self, step: MatchStep, lexicon: Lexicon | None) -> Reading[Found | None]:
        """Run a later step: match the whole name, then a path with each part on this step or an earlier one."""
        found = yield from self._whole_on_step(step, lexicon)
        if found or self._cuts is None:
            return (yield from self._resolution(step.name, found))
        found = yield from self._path_on_step(step, self._cuts, lexicon)
        return (yield from self._resolution(step.name, found, by_path=True))

    # --- whole names -------------------------------------------------------------------------------------------------

    def _whole_on_step(self, step: MatchStep, lexicon: Lexicon | None) -> Reading[list[Named]]:
        if lexicon is None:
            return (yield from self._by_normalized_name()) if step.name == "folded" else []
        nearest = lexicon.nearest_on_step(step, self._text)
        if not nearest:
            return []
        found, _ = yield from self._read(requests.named_as_stored(self._entity, nearest), [], whole=True)
        return self._whole(found, step.fits)

    def _by_normalized_name(self) -> Reading[list[Named]]:
        """Return entries by the index's own folded names, for an entity with too many names to read."""
        field = self._entity.normalized_name
        if field is None:
            return []
        found, _ = yield from self._read([requests.as_normalized(field, self._text)], [], whole=True)
        return [(entry, next(iter(entry.names), "")) for entry in found]

    def _whole(self, found: Iterable[Entry], fits: Fits) -> list[Named]:
        far = self._far(fits)
        return _least({(entry, name): far(self._text, name) for entry in found for name in entry.names})

    def _far(self, fits: Fits) -> Far:
        return lambda asked, name: fits(self._spelling(asked), self._spelling(name))

    # --- paths -------------------------------------------------------------------------------------------------------

    def _path_on_step(self, step: MatchStep, cuts: Cuts, lexicon: Lexicon | None) -> Reading[list[Named]]:
        entity, upper = self._entity, self._upper if self._above_by_id else None
        last = _spelled(entity, lexicon, step.order, cuts.last_parts)
        wanted = _asked_for(entity, last, cuts.last_parts)
        if not wanted:
            return []
        above: list[Clause] = []
        if upper is not None:
            upper_lexicon = yield from read_lexicon(self._place, upper)
            uppers = _spelled(upper, upper_lexicon, step.order, cuts.upper_parts)
            before = (
                _spelled(entity, lexicon, step.order - 1, cuts.last_parts),
                _spelled(upper, upper_lexicon, step.order - 1, cuts.upper_parts),
            )
            if (last, uppers) == before:
                return []  # this step adds no name, and with those of the steps before nothing was found
            above = _asked_for(upper, uppers, cuts.upper_parts)
        found, read = yield from self._read(wanted, above)
        fits = on_first_of(_steps_down_to(entity, step.order))
        upper_fits = on_first_of(_steps_down_to(upper or entity, step.order))
        return (yield from self._below(found, read, fits, upper_fits))

    def _below(self, found: Sequence[Entry], uppers: Sequence[Entry], fits: Fits, above: Fits) -> Reading[list[Named]]:
        """Return the entries with the name of the last part that are below the parts before it."""
        cuts = self._cuts
        if cuts is None:
            return []
        constants = self._place.constants_above(self._entity)
        far, upper_far = self._far(fits), self._far(above)
        if self._above_by_text:
            below = below_path_text(cuts, self._entity.path_separator, constants, far, upper_far)
        else:
            if not self._above_by_id:
                read = yield from read_uppers(self._place, self._entity, found)
                found = [with_all_above(entry, read) for entry in found]
                uppers = list(read.values())
            below = below_entries(cuts, uppers, constants, far, upper_far)
        parts = cuts.last_parts

        def called(entry: Entry) -> str:
            return next((name for name in entry.names if any(far(part, name) is not None for part in parts)), "")

        return _least({(entry, called(entry)): below(entry) for entry in found})

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(
        self, wanted: Sequence[Clause], above: Sequence[Clause], whole: bool = False
    ) -> Reading[tuple[list[Entry], list[Entry]]]:
        """Return the entries that match one of `wanted`, and those above that match one of `above`, in one request per
        index.

        For whole names, one more is read than can be shown; a path needs all of them.
        """
        entity, upper, env = self._entity, self._upper, self._place.env
        limit = MAX_CANDIDATES + 1 if whole else env.bounds.set_size
        purpose = f"find the {entity.name} '{shortened(self._text)}'"
        paths = paths_to_read(entity, self._want)
        query = requests.all_of([*env.scope(entity), disjunction(wanted)], WANTED if above else None)
        hits_above: list[Mapping[str, Any]] = []
        more_above = False
        if upper is None or not above:
            hits, more = yield from requests.read_hits(entity, query, paths, purpose, limit)
        else:
            above_query = requests.all_of([*env.scope(upper), disjunction(above)], ABOVE)
            paths_above = paths_to_read(upper)
            if upper.index == entity.index:
                query, paths = disjunction([query, above_query]), sorted({*paths, *paths_above})
            hits, more = yield from requests.read_hits(entity, query, paths, purpose, limit)
            hits_above = hits
            if upper.index != entity.index and hits:
                hits_above, more_above = yield from requests.read_hits(upper, above_query, paths_above, purpose, limit)
        if (more and not whole) or more_above:
            raise CannotAnswer(
                "set-too-large",
                f"more than {limit:,} entries match a part of the path '{shortened(self._text)}'",
                "ask for the entry by its id",
            )
        found = [one for one in entries(entity, hits) if not above or WANTED in one.clauses]
        return found, [one for one in entries(upper, hits_above) if ABOVE in one.clauses] if upper else []

    def _resolution(self, step: StepName, found: Sequence[Named], by_path: bool = False) -> Reading[Found | None]:
        if not found:
            return None
        candidates = yield from read_candidates(self._place, self._entity, found[:MAX_CANDIDATES], self._want)
        truncated = len(found) > MAX_CANDIDATES
        return Found(self._entity.name, self._text, step, candidates, truncated, by_path=by_path)


def read_candidates(
    place: Place, entity: Entity, found: Sequence[Named], want: Sequence[Field] = ()
) -> Reading[tuple[Candidate, ...]]:
    """Turn entries into candidates with labels; the entities above are read only if several candidates need them."""
    upper = place.entity_above(entity)
    paths: Mapping[Scalar, str] = {entry.id: entry.path for entry, _ in found}
    if len(found) > 1 and entity.path is None and upper is not None:
        uppers = yield from read_uppers(place, entity, [entry for entry, _ in found])
        separator = entity.path_separator
        paths = {one.id: path_through(with_all_above(one, uppers), uppers, separator) for one, _ in found}
    zone = place.env.clock.zone
    referred = yield from _read_referred(place, entity, [entry for entry, _ in found])
    labelled = {one.id: document_label(entity, one, name, paths[one.id], zone, referred[one.id]) for one, name in found}
    alike = Counter(labelled.values())
    candidates = [
        Candidate(
            entry.id,
            name,
            paths[entry.id],
            labelled[entry.id] if alike[labelled[entry.id]] == 1 else f"{labelled[entry.id]} [{entry.id}]",
            {field.name: stored_values(entry.hit, field) for field in want},
        )
        for entry, name in found
    ]
    return tuple(sorted(candidates, key=lambda one: (one.path.casefold(), one.label.casefold(), str(one.id))))


def _read_referred(place: Place, entity: Entity, found: Sequence[Entry]) -> Reading[dict[Scalar, dict[str, str]]]:
    """Return, for each candidate, the values of labels that are in referred documents: `client.name`."""
    shown: dict[Scalar, dict[str, str]] = {entry.id: {} for entry in found}
    for label in labels(entity) if len(found) > 1 else ():
        after = field_after(place.schema, label)
        if after is None or after[1].sensitive:
            continue
        target, field = after
        ids = {entry.id: stored(entry.hit, label.field.mapped) for entry in found}
        distinct = tuple(dict.fromkeys(one for each in ids.values() for one in each))
        paths = sorted({id_field(target).path, *field_paths(field)} - {ID_FIELD.path})
        read = yield from read_documents(target, distinct, paths, place.env)
        texts = {str(entry.id): shown_value(entry, field, place.env.clock.zone) for entry in read}
        for one, referred in ids.items():
            shown[one][label.name] = ", ".join(texts[str(each)] for each in referred if texts.get(str(each)))
    return shown


def read_documents(
    entity: Entity, ids: Sequence[Scalar], paths: Sequence[str], env: Bindings, purpose: str = ""
) -> Reading[list[Entry]]:
    """Return the entries with these ids that exist; `paths` are the fields to read."""
    found: list[Entry] = []
    for start in range(0, len(ids), IDS):
        query = requests.all_of([*env.scope(entity), requests.with_id(entity, ids[start : start + IDS])])
        purpose = purpose or f"the {entity.plural} referred to"
        hits, _ = yield from requests.read_hits(entity, query, paths, purpose, IDS, continues=start > 0)
        found += entries(entity, hits)
    return found


def _steps_down_to(entity: Entity, order: int) -> tuple[MatchStep, ...]:
    """Return the steps of an entity up to a position in the order of all steps; empty for the first ones."""
    return tuple(step for step in later_steps(entity.match_steps) if step.order <= order)


def _spelled(entity: Entity, lexicon: Lexicon | None, order: int, parts: Iterable[str]) -> list[str] | None:
    """Return the names that the parts can stand for, up to a step; None without a lexicon."""
    if lexicon is None:
        return None
    steps = _steps_down_to(entity, order)
    return sorted({name for part in parts for name in lexicon.up_to(steps, part)})


def _asked_for(entity: Entity, names: list[str] | None, parts: Iterable[str]) -> list[Clause]:
    """Return queries for these names; without a lexicon, for the parts exactly as written."""
    return requests.named(entity, parts) if names is None else requests.named_as_stored(entity, names)


def name_of(entry: Entry) -> str:
    """Return an entry's first name, else its id."""
    return entry.names[0] if entry.names else str(entry.id)


def _least(distances: Mapping[Named, int | None]) -> list[Named]:
    """Return the entries with the least distance, each once."""
    least = min((far for far in distances.values() if far is not None), default=None)
    nearest = [name for name, far in distances.items() if far is not None and far == least]
    return list({entry.id: (entry, name) for entry, name in nearest}.values())
