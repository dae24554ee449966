"""The steps of name resolution for entities without documents: pairs of id and name in the documents of others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from elasticsearch.dsl.aggs import Filter, Terms

from qlc.base.words.sentences import shortened
from qlc.compiler.caseless import same_case
from qlc.compiler.request import Agg, Aggs, Body, Clause, Reading, SearchRequest, aggregation_body, disjunction
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity, Field, NameSource
from qlc.resolver.names.cache import Place
from qlc.resolver.names.entries import MAX_CANDIDATES, Candidate, Found, StepName
from qlc.resolver.names.lexicon import Lexicon
from qlc.resolver.names.matching import MatchStep
from qlc.resolver.names.requests import all_of, asked_as_id, called, has_id, inside, within

Pairs = Mapping[Scalar, Counter[str]]
"""The names of each id, with how often each occurs."""

NAMES_OF_ONE = 10
"""Most spellings of one id's name that are read."""


@dataclass(frozen=True, slots=True)
class VirtualSteps:
    """A lookup of a name among the pairs of all sources. Equal ids are one candidate."""

    _place: Place
    _entity: Entity
    _text: str
    _want: Sequence[Field]

    def as_written(self) -> Reading[Found | None]:
        """Run the steps id and exact name: all sources in one search per index."""
        purpose = f"find the {self._entity.name} '{shortened(self._text)}'"
        pairs = yield from _read_pairs(self._place, self._entity, self._asked, purpose)
        by_id = {one: names for one, names in pairs.items() if str(one) == self._text}
        if by_id:
            return self._resolution("id", by_id)
        by_name = self._called(pairs)
        if by_name:
            return self._resolution("exact", by_name)
        return self._resolution("id", {one: names for one, names in pairs.items() if same_case(str(one), self._text)})

    def on_step(self, step: MatchStep, lexicon: Lexicon | None) -> Reading[Found | None]:
        """Run a later step over the lexicon, which has the ids of the names."""
        yield from ()
        found: defaultdict[Scalar, Counter[str]] = defaultdict(Counter)
        if lexicon is not None:
            for name in lexicon.nearest_on_step(step, self._text):
                for one in lexicon.ids[name]:
                    found[one][name] += 1
        return self._resolution(step.name, found)

    def _asked(self, source: NameSource) -> Clause:
        ids = asked_as_id(self._entity, source.key, self._text)
        return disjunction([*ids, called(source.name, self._text)])

    def _called(self, pairs: Pairs) -> Pairs:
        called = {
            one: Counter({name: n for name, n in names.items() if same_case(name, self._text)})
            for one, names in pairs.items()
        }
        return {one: names for one, names in called.items() if names}

    def _resolution(self, step: StepName, found: Pairs) -> Found | None:
        if not found:
            return None
        candidates = candidates_of(found, self._want)
        truncated = len(candidates) > MAX_CANDIDATES
        return Found(self._entity.name, self._text, step, candidates[:MAX_CANDIDATES], truncated)


def candidates_of(found: Pairs, want: Sequence[Field] = ()) -> tuple[Candidate, ...]:
    """Return each id with its most frequent name; labels with ids distinguish people of one name."""
    names = {one: max(sorted(counted), key=counted.__getitem__) for one, counted in found.items()}
    same = Counter(names.values())
    return tuple(
        Candidate(
            one,
            names[one],
            "",
            f"{names[one]} ({one})" if same[names[one]] > 1 else names[one],
            {field.name: (one,) if field.is_id else (names[one],) for field in want},  # it has nothing else
        )
        for one in sorted(names, key=lambda one: (names[one].casefold(), str(one)))
    )


def read_people(place: Place, entity: Entity, ids: Sequence[Scalar]) -> Reading[Pairs]:
    """Return the pairs of the ids that exist."""
    pairs: dict[Scalar, Counter[str]] = {}
    for start in range(0, len(ids), MAX_CANDIDATES):
        some = ids[start : start + MAX_CANDIDATES]
        purpose = f"the {entity.plural} referred to"
        found = yield from _read_pairs(place, entity, partial(_has_id, some), purpose)
        pairs |= {one: names for one, names in found.items() if one in some}
    return pairs


def _has_id(ids: Sequence[Scalar], source: NameSource) -> Clause:
    return has_id(source.key, ids)


def _read_pairs(place: Place, entity: Entity, asked: Callable[[NameSource], Clause], purpose: str) -> Reading[Pairs]:
    """Return the pairs of all sources that match a query, in one search per index."""
    pairs: defaultdict[Scalar, Counter[str]] = defaultdict(Counter)
    by_index: defaultdict[str, list[NameSource]] = defaultdict(list)
    for source in entity.sources:
        by_index[place.schema.entities[source.entity].index].append(source)
    for index, sources in by_index.items():
        response = yield SearchRequest(index, _pairs_body(place, sources, asked), purpose)
        for at, source in enumerate(sources):
            elements = inside(response["aggregations"][f"source{at}"], source.key.nested_path)
            for bucket in elements["asked"]["ids"]["buckets"]:
                for name in bucket["names"]["buckets"]:
                    pairs[bucket["key"]][str(name["key"])] += name["doc_count"]
    return pairs


def _pairs_body(place: Place, sources: Sequence[NameSource], asked: Callable[[NameSource], Clause]) -> Body:
    scopes = [all_of(place.env.scope(place.schema.entities[source.entity])) for source in sources]
    aggs: Aggs = {}
    for at, (source, scope) in enumerate(zip(sources, scopes, strict=True)):
        names: Agg = Terms(field=source.name.term_path, size=NAMES_OF_ONE)
        ids = Terms(field=source.key.term_path, size=MAX_CANDIDATES + 1, aggs={"names": names})
        wanted = Filter(filter=asked(source), aggs={"ids": ids})
        aggs[f"source{at}"] = Filter(filter=scope, aggs=within(source.key.nested_path, {"asked": wanted}))
    return aggregation_body(disjunction(scopes), aggs)
