"""`significant_terms` and `significant_text`: values that are commoner among the documents than in the whole index.

Source: org.elasticsearch.search.aggregations.bucket.terms.heuristic (JLHScore, ChiSquare, GND, MutualInformation,
PercentageScore).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qlc_engine.aggcontext import space_of
from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.grouping import Group, group
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, occurrences, read_source
from qlc_engine.aggregations.terms import KeyFilter, read_key_filters
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.aggregations.value_format import ValueFormat
from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.errors import EngineError, no_scripts, not_implemented
from qlc_engine.ip import format_ip
from qlc_engine.java_order import paged_hash_order
from qlc_engine.mapping import FieldLookup


@dataclass(frozen=True, slots=True)
class Counts:
    """Documents: with the value among the chosen, chosen, with the value in the index, in the index."""

    subset_freq: int
    subset_size: int
    superset_freq: int
    superset_size: int


Heuristic = Callable[[Counts], float]


def _jlh(counts: Counts) -> float:
    if not counts.subset_size or not counts.superset_size:
        return 0.0
    superset = (counts.superset_freq or 1) / counts.superset_size
    subset = counts.subset_freq / counts.subset_size
    change = subset - superset
    return change * (subset / superset) if change > 0 else 0.0


def _percentage(counts: Counts) -> float:
    return counts.subset_freq / counts.superset_freq if counts.superset_freq else float(counts.subset_freq)


def _table(counts: Counts, is_superset: bool) -> tuple[float, ...]:
    """The four cells of with and without the value, in and out of the chosen, and their sums."""
    with_in, without_in = counts.subset_freq, counts.subset_size - counts.subset_freq
    if is_superset:
        with_out, outside = counts.superset_freq - counts.subset_freq, counts.superset_size - counts.subset_size
        all_with, total = counts.superset_freq, counts.superset_size
    else:
        with_out, outside = counts.superset_freq, counts.superset_size
        all_with, total = counts.superset_freq + counts.subset_freq, counts.superset_size + counts.subset_size
    without_out = outside - with_out
    return (with_in, without_in, with_out, without_out, all_with, total - all_with, counts.subset_size, outside, total)


def _is_rarer(with_in: float, with_out: float, inside: float, outside: float) -> bool:
    return inside > 0 and outside > 0 and with_in / inside < with_out / outside


def _chi_square(include_negatives: bool, is_superset: bool) -> Heuristic:
    def score(counts: Counts) -> float:
        a, b, c, d, all_with, without, inside, outside, total = _table(counts, is_superset)
        if not include_negatives and _is_rarer(a, c, inside, outside):
            return -math.inf
        below = inside * all_with * without * outside
        return total * (a * d - b * c) ** 2 / below if below else math.nan

    return score


def _mutual_information(include_negatives: bool, is_superset: bool) -> Heuristic:
    def term(cell: float, row: float, column: float, total: float) -> float:
        if not cell or not row or not column:
            return 0.0
        return cell / total * math.log(total * cell / (row * column))

    def score(counts: Counts) -> float:
        a, b, c, d, all_with, without, inside, outside, total = _table(counts, is_superset)
        if not include_negatives and _is_rarer(a, c, inside, outside):
            return -math.inf
        parts = (
            term(d, without, outside, total) + term(b, without, inside, total)
            + term(c, all_with, outside, total) + term(a, all_with, inside, total)
        )  # fmt: skip
        return parts / math.log(2)

    return score


def _gnd(is_superset: bool) -> Heuristic:
    def score(counts: Counts) -> float:
        with_value, inside = counts.superset_freq, counts.subset_size
        both, total = counts.subset_freq, counts.superset_size
        if not is_superset:
            with_value, total = with_value + both, total + inside
        if both == 0:
            return 0.0
        if with_value == inside == both:
            return 1.0
        logs = math.log(with_value), math.log(inside)
        return math.exp(-(max(logs) - math.log(both)) / (math.log(total) - min(logs)))

    return score


def _best(scores: list[float], texts: list[str], allowed: list[bool], size: int, shard_size: int) -> list[int]:
    """The places of the highest scores that are allowed.

    Those that tie come as they leave the queue of a shard, the hash table of what the shards send, and one more queue.
    """
    sent = _popped(scores, list(range(len(scores))), shard_size)
    met = [sent[at] for at in paged_hash_order([texts[place] for place in sent])]
    return _popped(scores, [place for place in met if scores[place] > 0 and allowed[place]], min(size, len(sent)))


def _popped(scores: list[float], places: list[int], size: int) -> list[int]:
    heap: list[int] = [-1]

    def less(one: int, other: int) -> bool:
        return scores[one] < scores[other]

    def up() -> None:
        at = len(heap) - 1
        node, above = heap[at], at >> 1
        while above > 0 and less(node, heap[above]):
            heap[at] = heap[above]
            at, above = above, above >> 1
        heap[at] = node

    def down() -> None:
        at, node, last = 1, heap[1], len(heap) - 1
        child = 2
        if child + 1 <= last and less(heap[child + 1], heap[child]):
            child += 1
        while child <= last and less(heap[child], node):
            heap[at] = heap[child]
            at, child = child, child << 1
            if child + 1 <= last and less(heap[child + 1], heap[child]):
                child += 1
        heap[at] = node

    for place in places:
        if len(heap) <= size:
            heap.append(place)
            up()
        elif less(heap[1], place):
            heap[1] = place
            down()
    out: list[int] = []
    while len(heap) > 1:
        out.append(heap[1])
        last = heap.pop()
        if len(heap) > 1:
            heap[1] = last
            down()
    return out[::-1]


@dataclass(frozen=True, slots=True)
class _Renderer:
    groups: list[tuple[Group, float, int]]
    source: Source

    def key_fields(self, bucket: int) -> dict[str, Any]:
        return {"key": self._key(bucket), **self._text(bucket)}

    def _key(self, bucket: int) -> Any:
        key = self.groups[bucket][0].key
        return format_ip(key) if self.source.field is not None and self.source.field.type == "ip" else key

    def _text(self, bucket: int) -> dict[str, str]:
        key = self._key(bucket)
        text = None if isinstance(key, str) else self.source.format.as_string(key)
        return {} if text is None else {"key_as_string": text}

    def key_text(self, bucket: int) -> str:
        return self._text(bucket).get("key_as_string", str(self._key(bucket)))


@dataclass(frozen=True)
class SignificantBuckets(BucketList):
    """Buckets with their score and their count in the index."""

    groups: list[tuple[Group, float, int]] = field(default_factory=list)

    def render(self, owner: int) -> Any:
        rendered = super().render(owner)
        first = int(self.starts[owner])
        for place, bucket in enumerate(rendered["buckets"]):
            _, score, background = self.groups[first + place]
            below = {key: bucket.pop(key) for key in list(bucket) if key not in ("key", "key_as_string", "doc_count")}
            bucket.update({"score": score, "bg_count": background, **below})
        return rendered


@dataclass
class SignificantTermsAggregator(Aggregator):
    source: Source
    size: int
    shard_size: int
    min_doc_count: int
    shard_min_doc_count: int
    heuristic: Heuristic
    include: KeyFilter | None
    exclude: KeyFilter | None
    background: dict[str, Any] | None
    #: terms are counted by their place in the dictionary
    by_ordinal: bool

    def collect(self, selection: Selection) -> BucketList:
        groups = group(selection, self._values)
        sizes = selection.doc_counts()
        background, superset_size = self._background(selection)
        chosen: list[tuple[Group, float, int]] = []
        for owner in range(selection.n_owners):
            ranked: list[tuple[Group, float, int]] = []
            for found in groups.of_owner(owner):
                if found.count < self.shard_min_doc_count or not self._accepted(found.key):
                    continue
                frequency = background.get(found.key, 0)
                score = self.heuristic(Counts(found.count, int(sizes[owner]), frequency, superset_size))
                ranked.append((found, score, frequency))
            if self._goes_by_term(selection):
                ranked.sort(key=lambda each: each[0].key)
            shown = _Renderer(ranked, self.source)
            best = _best(
                scores=[score for _, score, _ in ranked],
                texts=[shown.key_text(place) for place in range(len(ranked))],
                allowed=[found.count >= self.min_doc_count for found, _, _ in ranked],
                size=self.size,
                shard_size=self.shard_size,
            )
            chosen += [ranked[place] for place in best]
        selection.run.count_buckets(len(chosen))
        starts, below = groups.chosen([found for found, _, _ in chosen])
        heads = [{"doc_count": int(size), "bg_count": superset_size} for size in sizes]
        whole = self.source.field is not None and not self.source.is_keyword and not self.source.field.is_text
        return SignificantBuckets(
            kind="siglterms" if whole else "sigsterms",
            starts=starts,
            doc_counts=np.array([found.count for found, _, _ in chosen], np.int64),
            renderer=_Renderer(chosen, self.source),
            children=self.children.collect_below(lambda: below),
            heads=heads if self.source.field is not None else (),
            groups=chosen,
        )

    def _goes_by_term(self, selection: Selection) -> bool:
        """Whether the server goes through the terms in their order, and not as it meets them in the documents."""
        simple = not self.children and self.include is None and self.exclude is None
        return simple and self.by_ordinal and all(part.owners is None for part in selection.slices)

    def _accepted(self, key: Any) -> bool:
        listed = [key]
        if self.include is not None and not self.include.accepts(listed)[0]:
            return False
        return self.exclude is None or not self.exclude.accepts(listed)[0]

    def _values(self, part: Slice) -> Iterable[tuple[int, Any]]:
        if self.source.field is not None and self.source.field.is_text:
            yield from self._words(part)
            return
        column = self.source.column(part)
        if column is None:
            return
        found = occurrences(column, part.docs)
        positions = np.arange(len(part.docs)) if found.positions is None else found.positions
        if isinstance(column, KeywordColumn):
            for position, ordinal in zip(positions.tolist(), column.ords[found.index].tolist(), strict=True):
                yield position, column.terms[ordinal]
        elif isinstance(column, NumericColumn):
            yield from zip(positions.tolist(), column.values[found.index].tolist(), strict=True)

    def _words(self, part: Slice) -> Iterable[tuple[int, Any]]:
        postings = None if self.source.field is None else part.space.postings.get(self.source.field.path)
        if postings is None:
            return
        place = {doc: position for position, doc in enumerate(part.docs.tolist())}
        pairs: list[tuple[int, str]] = []
        for ordinal, term in enumerate(postings.terms):
            run = postings.docs[postings.starts.item(ordinal) : postings.starts.item(ordinal + 1)]
            pairs += [(place[doc], term) for doc in run.tolist() if doc in place]
        pairs.sort()
        yield from pairs

    def _background(self, selection: Selection) -> tuple[dict[Any, int], int]:
        """How many documents of the index (or that pass the filter) have each value, and how many there are."""
        context = selection.run.context
        slices = []
        for number, segment in enumerate(context.segments):
            space = space_of(segment.space, selection.path)
            if space is None:
                continue
            docs = np.arange(space.n_docs)
            if self.background is not None:
                docs = np.flatnonzero(context.filter_mask(self.background, number, selection.path))
            slices.append(Slice(number, space, docs, None))
        whole = Selection(selection.run, selection.path, 1, slices)
        counted = {found.key: found.count for found in group(whole, self._values).found}
        return counted, int(whole.doc_counts()[0])


def parse_significant_terms(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    text = body.type == "significant_text"
    if text:
        if body.boolean("filter_duplicate_text"):
            raise not_implemented("[filter_duplicate_text] of aggregation [significant_text]")
        body.take("source_fields")
        path = body.required_text("field")
        found = mapping.field(path)
        if found is not None and not found.is_text:
            source = read_source(_with_field(body, path), mapping, accepts="keyed")
        else:
            source = Source(path, found, ValueFormat())
    else:
        source = read_source(body, mapping, accepts="keyed")
        if source.field is not None and source.field.type in ("double", "float", "half_float", "scaled_float"):
            reason = "No support for examining floating point numerics"
            raise EngineError("unsupported_operation_exception", reason, status=500, on_shard=True)
    hint = body.text("execution_hint")
    size, minimum = body.integer("size", 10, at_least=1), body.integer("min_doc_count", 3)
    shard_size, shard_minimum = body.integer("shard_size", -1, at_least=-1), body.integer("shard_min_doc_count", 0)
    include, exclude = read_key_filters(body, source)
    return {
        "source": source,
        "size": size,
        "shard_size": max(size, 2 * int(size * 1.5 + 10) if shard_size == -1 else shard_size),
        "min_doc_count": minimum,
        "shard_min_doc_count": shard_minimum,
        "by_ordinal": not text and source.is_keyword and hint != "map",
        "heuristic": _heuristic(body),
        "include": include,
        "exclude": exclude,
        "background": body.object("background_filter"),
    }


def _with_field(body: Body, path: str) -> Body:
    return Body(body.name, body.type, {"field": path})


def _heuristic(body: Body) -> Heuristic:
    found: Heuristic = _jlh
    for name in ("jlh", "percentage", "chi_square", "mutual_information", "gnd", "script_heuristic"):
        given = body.object(name)
        if given is None:
            continue
        if name == "script_heuristic":
            raise no_scripts("[script_heuristic]")
        own = Body(body.name, name, given)
        negatives, superset = own.boolean("include_negatives"), own.boolean("background_is_superset", True)
        own.finish()
        found = {
            "jlh": _jlh,
            "percentage": _percentage,
            "chi_square": _chi_square(negatives, superset),
            "mutual_information": _mutual_information(negatives, superset),
            "gnd": _gnd(superset),
        }[name]
    return found
