"""Ranking by words and by meaning: both scores of every candidate, added; documents rank by their best passage.

Candidates are the best by words and the best by meaning. Both scores of each are read, standardized over the candidates
(mean 0, deviation 1), and added. On SciFact, Cranfield, CISI and NPL this finds more than the sum of reciprocal ranks
(Cormack, Clarke and Büttcher 2009), which ignores distances.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev
from typing import Any

from elasticsearch.dsl import Search
from elasticsearch.dsl.query import Bool, Exists, Ids, Terms

from qlc.compiler import typed
from qlc.compiler.codegen import (
    NEAREST,
    condition_clause,
    conjuncts,
    nearest_clause,
    ranking_of,
    words_clause,
)
from qlc.compiler.copies import of_copies
from qlc.compiler.environment import Bindings
from qlc.compiler.request import (
    Body,
    CannotAnswer,
    Clause,
    Reading,
    Response,
    SearchRequest,
    body_of,
    filter_parts,
    on,
)
from qlc.mapping.fields import ID_FIELD, FieldKind, MappedField
from qlc.mapping.schema import Entity, Field
from qlc.planner.plan import Rounds, alone, in_step
from qlc.resolver.hits import PAGE, CompiledSearch, Page, Position, RawHit, cut, leave, tie_breaker
from qlc.resolver.names.entries import source_paths, with_dates
from qlc.resolver.rankers import Ranker, comparing, passages_of, reordering

_PASSAGES = 3 * NEAREST
"""Nearest passages that are read; several of them can be of one document."""
_MARKS = "\ue000", "\ue001"
"""Private-use characters around marked words in a server's response."""

Scores = Mapping[str, float]


def fused(find: typed.Find, env: Bindings) -> typed.About | None:
    """Return the `about` of a list that needs more than one search to rank; None if one search does. Raises
    CannotAnswer."""
    about = None if find.sort else about_of(find)
    if about is None or about.nearest is not None or ranking_of(about, env) == "both":
        return about
    return about if comparing(about, find.entity, env) or reordering(about, find.entity, env) else None


def about_of(find: typed.Find) -> typed.About | None:
    """Return the `about` condition that ranks a list."""
    return next((part for part in conjuncts(find.where) if isinstance(part, typed.About)), None)


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    id: str
    score: float
    passage: str = ""
    """The `_id` of its best passage."""


@dataclass(frozen=True, slots=True)
class _Key:
    """The field that identifies documents.

    For candidates only this field is read, from its column if it has one, since stored documents are long.
    """

    field: MappedField = ID_FIELD

    @property
    def path(self) -> str:
        return self.field.term_path

    @property
    def asked(self) -> Body:
        """Return the parts of a search body that request the key instead of documents."""
        if self.field.path == ID_FIELD.path:
            return {"_source": False}
        if self._has_column:
            return {"_source": False, "docvalue_fields": [self.path]}
        return {"_source": [self.field.path]}

    @property
    def _has_column(self) -> bool:
        return self.field.kind is FieldKind.KEYWORD and self.field.doc_values and self.field.path != ID_FIELD.path

    def value(self, hit: RawHit) -> str:
        return str(hit["fields"][self.path][0]) if self._has_column else self.stored(hit)

    def stored(self, hit: RawHit) -> str:
        """Return the key in a hit with a source."""
        if self.field.path == ID_FIELD.path:
            return str(hit["_id"])
        at: Any = hit["_source"]
        for part in self.field.path.split("."):
            at = at[part]
        return str(at)

    def best(self, hits: Iterable[RawHit]) -> _Scored:
        """Return the best hit of each key, in order."""
        found: _Scored = {}
        for hit in hits:
            found.setdefault(self.value(hit), (float(hit["_score"]), str(hit["_id"])))
        return found


def ranked_page(
    find: typed.Find, about: typed.About, compiled: CompiledSearch, env: Bindings, size: int, position: Position
) -> Rounds[Page]:
    """Return one page of a list, as `read_page`. Candidates come first, other matches by words after them."""
    yield from alone(leave(position.point_in_time))
    search = _Search(find, about, compiled, env)
    candidates, matching = yield from search.candidates()
    total = cut(matching, find)
    wanted = max(0, min(size, total - position.read))
    start = find.offset + position.read
    some = candidates[start : start + wanted]
    if len(some) < wanted:
        after = max(0, start - len(candidates))
        some += yield from search.others([one.key for one in candidates], after, wanted - len(some))
    hits = yield from search.shown(some)
    read = position.read + len(some)
    return Page(tuple(hits), total, Position((read,), read) if some and read < total else None, matching)


def read_nearest(source: typed.Nearest, env: Bindings) -> Reading[tuple[str, ...]]:
    """Return the ids of documents with the nearest passages, the nearest first; empty if only words rank."""
    if ranking_of(source, env) == "words":
        return ()
    reference = _reference(source)
    filters = yield from _passage_filters(source, env)
    query = nearest_clause(source, filters, env, _PASSAGES)
    search = _search(query, NEAREST, **reference.asked, collapse={"field": reference.path})
    response = yield from _asked(source.passages, search, f"the {source.passages.plural} nearest in meaning")
    return tuple(reference.best(response["hits"]["hits"]))


class _Search:
    """The common state of the searches of one page."""

    def __init__(self, find: typed.Find, about: typed.About, compiled: CompiledSearch, env: Bindings) -> None:
        self._find = find
        self._about = about
        self._env = env
        self._entity = find.entity
        self._ranking = ranking_of(about, env)
        self._shown = {key: value for key, value in compiled.body.items() if key in ("_source", "fields")}
        self._filters = compiled.filters
        self._words = words_clause(about, about.fields, env)
        self._id = _id_of(find.entity)
        self._passages = passages_of(about, find.entity)
        self._reference = _reference(about.nearest) if about.nearest is not None else self._id
        self._comparing = comparing(about, find.entity, env)

    def candidates(self) -> Rounds[tuple[list[_Candidate], int]]:
        """Return the candidates, the best first, and the number of documents in the list."""
        first = yield from self._first()
        compared = self._compared(first.fresh)
        keys = list(dict.fromkeys((*first.nearest, *first.words, *first.passages, *compared)))
        ids, words, passages, meaning = yield from self._scored(keys, first)
        for key, one in compared.items():
            meaning[key] = max(one, meaning.get(key, one))
        keys = [key for key in keys if key in ids]  # passages are written before the record of their document
        if not keys:
            return [], 0
        parts = [] if self._ranking == "meaning" else [words, *([passages] if self._about.nearest is not None else [])]
        total = dict.fromkeys(keys, 0.0)
        for part, weight in [*((part, 1 / len(parts)) for part in parts), (meaning, 1.0)]:
            scores = {key: score for key, (score, _) in part.items()}
            least = 0.0 if part is not meaning else min(scores.values(), default=0.0)
            for key, score in standardised(keys, scores, least).items():
                total[key] += weight * score
        ranked = [_Candidate(key, ids[key], total[key], _better(key, passages, meaning)) for key in keys]
        ranked.sort(key=lambda one: (-one.score, one.key))
        ranked = yield from self._reordered(ranked)
        beyond = keys if self._ranking == "meaning" else [key for key in keys if key not in words]
        return ranked, first.matching + len(beyond)

    def _first(self) -> Rounds[_First]:
        near = self._about.nearest
        asked: dict[str, Reading[Response]] = {}
        if self._ranking != "meaning":
            asked["documents"] = _asked(self._entity, self._top(self._words), "the best by words")
            if near is not None:
                asked["passages"] = self._passages_by_words(near)
        if near is None and self._ranking != "words":
            near_in_meaning = nearest_clause(self._about, self._filters, self._env)
            asked["meaning"] = _asked(self._entity, self._top(near_in_meaning), "the nearest in meaning")
        if self._comparing is not None:
            asked["fresh"] = self._without_vectors(self._comparing)
        answers = dict(zip(asked, (yield from in_step([*asked.values()])), strict=True))
        matching = int(answers["documents"]["hits"]["total"]["value"]) if "documents" in answers else 0
        hits = {what: one["hits"]["hits"] for what, one in answers.items()}
        meaning = self._id.best(hits.get("meaning", ()))
        nearest = [str(key) for key in self._env.found[near, None]] if near is not None else [*meaning]
        words, passages = self._id.best(hits.get("documents", ())), self._reference.best(hits.get("passages", ()))
        return _First(nearest, matching, words, passages, meaning, hits.get("fresh", []))

    def _without_vectors(self, ranker: Ranker) -> Reading[Response]:
        """Read the best passages by words among those without a vector."""
        near = self._about.nearest
        filters = self._filters if near is None else (yield from _passage_filters(near, self._env))
        must = [words_clause(self._about, self._passages.text, self._env)]
        vector = self._passages.vector
        with_vector = [] if vector is None else [Exists(field=vector.mapped.path)]
        query = Bool(must=must, filter=filters, must_not=with_vector)
        search = _search(query, ranker.compared, _source=sorted({*ranker.paths, self._reference.field.path}))
        return (yield from _asked(self._passages, search, "the best by words that have no vector"))

    def _compared(self, fresh: Sequence[RawHit]) -> _Scored:
        """Score passages without a vector, by document, on the scale of Elasticsearch's cosines."""
        if self._comparing is None or not fresh:
            return {}
        text = self._env.text(self._about.text)
        similar, note = self._comparing.similarities(text, {hit["_id"]: hit["_source"] for hit in fresh})
        self._env.tell(note)
        found: _Scored = {}
        for hit in fresh:
            if hit["_id"] in similar:
                one = (1 + similar[hit["_id"]]) / 2, str(hit["_id"])
                key = self._reference.stored(hit)
                found[key] = max(one, found.get(key, one))
        return found

    def _reordered(self, ranked: list[_Candidate]) -> Rounds[list[_Candidate]]:
        """Re-rank the best by their best passages; candidates without a passage come last."""
        ranker = reordering(self._about, self._entity, self._env)
        if ranker is None:
            return ranked
        best, others = ranked[: ranker.reordered], ranked[ranker.reordered :]
        passages = {one.key: one.passage or one.id for one in best}
        query = Bool(filter=[*self._env.scope(self._passages), Ids(values=list(passages.values()))])
        search = _search(query, len(best), _source=sorted(ranker.paths))
        response = yield from alone(_asked(self._passages, search, "the passages that are put in order"))
        texts = {str(hit["_id"]): hit["_source"] for hit in response["hits"]["hits"]}
        scores = ranker.scores(self._env.text(self._about.text), texts)
        known = [replace(one, score=scores[passages[one.key]]) for one in best if passages[one.key] in scores]
        known.sort(key=lambda one: (-one.score, one.key))
        return [*known, *(one for one in best if passages[one.key] not in scores), *others]

    def _top(self, ranked: Clause) -> Search[Any]:
        query = Bool(filter=self._filters, must=[ranked])
        return _search(query, NEAREST, **self._id.asked, track_total_hits=True)

    def _passages_by_words(self, near: typed.Nearest) -> Reading[Response]:
        filters = yield from _passage_filters(near, self._env)
        return (yield from self._of_passages(near, filters, "the best passages by words"))

    def _of_passages(self, near: typed.Nearest, filters: list[Clause], purpose: str) -> Reading[Response]:
        reference = self._reference
        query = Bool(must=[words_clause(self._about, near.passages.text, self._env)], filter=filters)
        search = _search(query, NEAREST * 2, **reference.asked, collapse={"field": reference.path})
        return (yield from _asked(near.passages, search, purpose))

    def _scored(self, keys: list[str], first: _First) -> Rounds[tuple[dict[str, str], _Scored, _Scored, _Scored]]:
        """Return, for all candidates, the `_id` and the scores by words, by the words of the best passage, by meaning.

        Scores from the first searches are not read again.
        """
        near = self._about.nearest
        asked: dict[str, Reading[Response]] = {}
        if unknown := [key for key in keys if key not in first.words]:
            asked["words"] = _asked(self._entity, self._search_for(unknown).extra(**self._id.asked), "the candidates")
        if near is not None:
            inside = [*self._env.scope(near.passages), on(Terms, self._reference.path, keys)]
            asked["passages"] = self._of_passages(near, inside, "the passages of the candidates by words")
            if self._ranking != "words":
                clause, alone_of = nearest_clause(self._about, inside, self._env, NEAREST * 10), self._reference.path
                asked["meaning"] = self._by_meaning(clause, len(keys), {"collapse": {"field": alone_of}})
        elif self._ranking != "words" and (far := [key for key in keys if key not in first.meaning]):
            inside = [*self._filters, on(Terms, self._id.path, far)]
            asked["meaning"] = self._by_meaning(nearest_clause(self._about, inside, self._env, len(far)), len(far), {})
        answers = dict(zip(asked, (yield from in_step([*asked.values()])), strict=True))
        hits = {what: one["hits"]["hits"] for what, one in answers.items()}
        scored = {**first.words, **self._id.best(hits.get("words", ()))}
        passages = self._reference.best(hits.get("passages", ()))
        meaning = {**first.meaning, **self._reference.best(hits.get("meaning", ()))}
        words = {key: one for key, one in scored.items() if one[0] > 0}
        return {key: found for key, (_, found) in scored.items()}, words, passages, meaning

    def _by_meaning(self, clause: Clause, size: int, collapse: Body) -> Reading[Response]:
        search = _search(clause, size, **self._reference.asked, **collapse)
        return (yield from _asked(self._passages, search, "the candidates by meaning"))

    def _search_for(self, keys: Sequence[str]) -> Search[Any]:
        """Return the search for some documents of the list, whose score by words can be 0."""
        filters = [*self._filters, on(Terms, self._id.path, [*keys])]
        return _search(Bool(filter=filters, should=[self._words]), len(keys))

    def others(self, known: list[str], start: int, size: int) -> Rounds[list[_Candidate]]:
        """Read matches by words that are not candidates."""
        if start + size > PAGE:
            raise CannotAnswer("too-deep", f"a ranked list ends after its first {PAGE:,} hits", "narrow the question")
        query = Bool(filter=self._filters, must=[self._words], must_not=[on(Terms, self._id.path, known)])
        order = [{"_score": {"order": "desc"}}, {tie_breaker(self._entity): {"order": "asc"}}]
        search = _search(query, size, **{"from": start}, **self._id.asked).sort(*order)
        response = yield from alone(_asked(self._entity, search, f"further {self._entity.plural}"))
        some = [_Candidate(self._id.value(hit), str(hit["_id"]), 0.0) for hit in response["hits"]["hits"]]
        near = self._about.nearest
        if near is not None and some:
            those = on(Terms, self._reference.path, [one.key for one in some])
            filters = [*self._env.scope(near.passages), those]
            response = yield from alone(self._of_passages(near, filters, "their passages"))
            best = self._reference.best(response["hits"]["hits"])
            some = [replace(one, passage=best.get(one.key, (0.0, ""))[1]) for one in some]
        return some

    def shown(self, some: Sequence[_Candidate]) -> Rounds[list[RawHit]]:
        """Return the hits with their scores, each with its best passage, in which words of the question are marked."""
        if not some:
            return []
        near = self._about.nearest
        search = self._search_for([one.key for one in some]).extra(**self._shown)
        asked = [_asked(self._entity, search, f"the {self._entity.plural} that are shown")]
        if near is not None and any(one.passage for one in some):
            paths = sorted(source_paths(near.passages, shown_of(near.passages)))
            marked = near.passages.text[0].mapped.analysed or ""
            query = Bool(filter=[*self._env.scope(near.passages), Ids(values=[one.passage for one in some])])
            words = words_clause(self._about, near.passages.text, self._env).to_dict()
            search = _search(query, len(some), _source=paths)
            search = search.highlight_options(pre_tags=[_MARKS[0]], post_tags=[_MARKS[1]])
            search = search.highlight(marked, number_of_fragments=0, highlight_query=words)
            asked.append(_asked(near.passages, search, "the best passages"))
        response, *others = yield from in_step(asked)
        shown = with_dates(response["hits"]["hits"], self._shown.get("fields", ()), self._entity.mapping)
        by_id = {hit["_id"]: hit for hit in shown}
        passages = {hit["_id"]: hit for other in others for hit in other["hits"]["hits"]}
        hits: list[RawHit] = []
        for one in some:
            best = {"passage": (near.passages, passages[one.passage])} if near and one.passage in passages else {}
            if one.id in by_id:  # else it has been deleted meanwhile
                hits.append({**by_id[one.id], "_score": one.score, **best})
        return hits


_Scored = dict[str, tuple[float, str]]
"""By key: the score, and the `_id` of the scored hit."""


@dataclass(frozen=True, slots=True)
class _First:
    """Results of the first searches: the nearest by meaning, the number of matches by words, the best of these, the
    best of their passages, the nearest passages by their own vectors, and the best passages without a vector."""

    nearest: Sequence[str]
    matching: int
    words: _Scored
    passages: _Scored
    meaning: _Scored
    fresh: Sequence[RawHit]


def _search(query: Clause, size: int, **more: Any) -> Search[Any]:
    return Search[Any]().update_from_dict({"query": query, "size": size, **more})


def _asked(entity: Entity, search: Search[Any], purpose: str) -> Reading[Response]:
    return (yield SearchRequest(entity.index, body_of(search), purpose, ranked=True))


def standardised(keys: Iterable[str], scores: Scores, least: float = 0.0) -> dict[str, float]:
    """Standardize scores over some keys to mean 0 and deviation 1; keys without a score get the `least`."""
    values = {key: scores.get(key, least) for key in keys}
    mean, spread = fmean(values.values()), pstdev(values.values())
    return {key: (value - mean) / spread if spread > 0 else 0.0 for key, value in values.items()}


def _better(key: str, words: _Scored, meaning: _Scored) -> str:
    """Return the better of a document's best passages by words and by meaning, each compared with all scores of its
    kind."""
    if key not in words or key not in meaning:
        return (words.get(key) or meaning.get(key) or (0.0, ""))[1]
    by_words = words[key][0] / max(score for score, _ in words.values())
    by_meaning = meaning[key][0] / max(score for score, _ in meaning.values())
    return words[key][1] if by_words >= by_meaning else meaning[key][1]


# --- passages --------------------------------------------------------------------------------------------------------


def _reference(near: typed.Nearest) -> _Key:
    """Return the field of a passage with the id of its document."""
    assert near.entity.passages is not None
    return _Key(near.passages.fields[near.entity.passages.field].mapped)


def _id_of(entity: Entity) -> _Key:
    return _Key(entity.id.mapped) if entity.id is not None else _Key()


def shown_of(passages: Entity) -> list[Field]:
    """Return the fields of a passage that are shown besides its text."""
    listed = (passages.fields.get(name) for name in passages.show)
    shown = [field for field in listed if field is not None and not field.sensitive]
    return [*shown, *(field for field in passages.text[:1] if field not in shown)]


def marks(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without the marks of a search, and the begin and end of each mark."""
    plain, found, begin = "", [], 0
    for part in re.split(f"([{''.join(_MARKS)}])", text):
        if part == _MARKS[0]:
            begin = len(plain)
        elif part == _MARKS[1]:
            found.append((begin, len(plain)))
        else:
            plain += part
    return plain, found


def _passage_filters(near: typed.Nearest, env: Bindings) -> Reading[list[Clause]]:
    """Return filters for passages of documents that match the other conditions: the passages' copies of document fields
    if these suffice, else the ids of the documents. Raises CannotAnswer if there are too many."""
    filters = [*env.scope(near.passages)]
    rest = [part for part in conjuncts(near.rest) if not isinstance(part, typed.All)]
    copied = of_copies(near.rest, near.entity, near.passages)
    if copied is not None:
        parts = [part for part in conjuncts(copied) if not isinstance(part, typed.All)]
        return filters + [clause for part in parts for clause in filter_parts(condition_clause(part, env))]
    asked = [clause for part in rest for clause in filter_parts(condition_clause(part, env))]
    key = _id_of(near.entity)
    query = Bool(filter=[*env.scope(near.entity), *asked])
    body = body_of(_search(query, PAGE, **key.asked, track_total_hits=True))
    response = yield SearchRequest(near.entity.index, body, f"the {near.entity.plural} that are ranked")
    total = int(response["hits"]["total"]["value"])
    if total > PAGE:
        raise CannotAnswer("set-too-large", f"{total:,} {near.entity.plural} meet the other conditions, and at most "
                           f"{PAGE:,} are ranked by their {near.passages.plural}", "narrow it with more conditions")
    ids = [key.value(hit) for hit in response["hits"]["hits"]]
    return [*filters, on(Terms, _reference(near).path, ids)]
