"""The first documents of an order: keys per segment as ascending numbers, the best of each, then merged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.source import unsigned_as_doubles
from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.dates import NANOS_PER_MS
from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import EngineError, illegal_argument, no_scripts
from qlc_engine.leaf import Leaf
from qlc_engine.search.in_order import Span, first_in_order, may_pay
from qlc_engine.search.printed_values import INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, decode_after, in_nanos
from qlc_engine.search.sort_spec import DOC, SCORE, SHARD_DOC, SortKey
from qlc_engine.search.sort_values import below_flattened, values_of
from qlc_engine.terms import EMPTY_DICTIONARY, TermDictionary, encode_term

Rank = NDArray[np.int64] | NDArray[np.float64]

#: The matching documents of a segment: arguments of `Ranking.collect`.
Part = tuple[int, Leaf, Ordinals, NDArray[np.float64] | None, int, Sequence[SortKey]]

#: From this many documents on the best are cut out before they are sorted.
_PARTITION_FROM = 256


@dataclass(eq=False, slots=True)
class Ranked:
    """A document that may be returned: its place, its score and its raw sort values (None: none, for keywords)."""

    shard: int
    leaf: Leaf
    doc: int
    score: float | None
    values: tuple[Any, ...]
    #: what documents compare by, last of all their shard and their place among its documents
    order: tuple[Any, ...]


class _Descending:
    """Bytes that compare the other way round."""

    __slots__ = ("value",)

    def __init__(self, value: bytes) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.value == other.value

    def __lt__(self, other: _Descending) -> bool:
        return other.value < self.value


def _comparables(key: SortKey, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Convert sort values to ones that ascend in the wanted order."""
    none = (0 if key.missing_first else 2,)
    if not key.descending:
        return [none if value is None else (1, value) for value in values]
    if values and isinstance(values[0], bytes | None):
        return [none if value is None else (1, _Descending(value)) for value in values]
    return [(1, -value) for value in values]


@dataclass(frozen=True, slots=True)
class _Column:
    """One key over the candidates: `rank` ascends in the wanted order; `terms` for keywords.

    `present` tells which candidates have a value; None: all of them.
    """

    key: SortKey
    raw: Rank
    present: NDArray[np.bool_] | None
    terms: TermDictionary | None

    def rank(self) -> Rank:
        """Numbers whose ascending order is the order asked for, missing values in their place."""
        raw = self.raw
        if raw.dtype == np.float64:
            filled = raw if self.present is None else np.where(self.present, raw, self._missing_float())
            return -filled if self.key.descending else filled
        filled_whole: NDArray[np.int64] = raw.astype(np.int64, copy=False)
        if self.terms is not None:
            # even numbers are ordinals; a term that is not there is at the odd number between two
            filled_whole = filled_whole * 2
        if self.present is not None:
            filled_whole = np.where(self.present, filled_whole, self.missing_whole())
        # the complement reverses the order without overflow
        return ~filled_whole if self.key.descending else filled_whole

    def position(self, value: Any) -> Any:
        """The place of a raw value among the ranks."""
        if self.raw.dtype == np.float64:
            return -value if self.key.descending else value
        place = value if self.terms is None else 2 * value
        return ~place if self.key.descending else place

    def _missing_float(self) -> float:
        key = self.key
        if key.missing in ("_last", "_first"):
            return -math.inf if key.missing_first != key.descending else math.inf
        return _number_for_missing(key, float)

    def missing_whole(self) -> int:
        key = self.key
        if key.missing in ("_last", "_first"):
            least, most = (INT_MIN, INT_MAX) if key.kind == "int" and key.cast is None else (LONG_MIN, LONG_MAX)
            if in_nanos(key):
                least = 0
            return least if key.missing_first != key.descending else most
        return missing_number(key) if self.terms is None else place_of_term(self.terms, encode_term(str(key.missing)))

    def of(self, rows: NDArray[np.int64]) -> _Column:
        """The same for some of the candidates."""
        return _Column(self.key, self.raw[rows], None if self.present is None else self.present[rows], self.terms)

    def values(self, rows: NDArray[np.int64]) -> list[Any]:
        """The raw sort values of some candidates."""
        found: list[Any] = self.raw[rows].tolist()
        if self.present is None:
            return found if self.terms is None else list(map(self.terms.bytes_at, found))
        # the placeholder for a missing value is neither a value nor an ordinal
        missing, at = self._missing_value(), self.terms.bytes_at if self.terms is not None else None
        pairs = zip(found, self.present[rows].tolist(), strict=True)
        return [(value if at is None else at(value)) if given else missing for value, given in pairs]

    def _missing_value(self) -> Any:
        if self.terms is not None:
            return None if self.key.missing in ("_last", "_first") else encode_term(str(self.key.missing))
        return self._missing_float() if self.raw.dtype == np.float64 else self.missing_whole()


def missing_number(key: SortKey) -> int:
    return int(_number_for_missing(key, int))


def _number_for_missing(key: SortKey, read: Callable[[Any], float]) -> float:
    """Return the number for a missing value, also for dates."""
    try:
        return read(key.missing)
    except (TypeError, ValueError):
        reason = f'For input string: "{key.missing}"'
        raise EngineError("number_format_exception", reason) from None


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Documents of one segment that may turn out to be among the first of all, and their ranks by the first key."""

    shard: int
    leaf: Leaf
    base: int
    ids: Ordinals
    scores: NDArray[np.float64] | None
    keys: Sequence[SortKey]
    first: _Column
    rank: Rank

    def of(self, rows: NDArray[np.int64]) -> _Candidates:
        """Some of them, in the order of `rows`."""
        scores = None if self.scores is None else self.scores[rows]
        first, rank = self.first.of(rows), self.rank[rows]
        return _Candidates(self.shard, self.leaf, self.base, self.ids[rows], scores, self.keys, first, rank)


class Ranking:
    """Collects the best `count` documents of an order over the segments of all shards."""

    def __init__(self, keys: Sequence[SortKey], count: int, after: Sequence[Any] | None) -> None:
        self.keys = keys
        self._count = count
        self._after: list[Any] | None = None
        if after is not None:
            self._after = [decode_after(key, given) for key, given in zip(keys, after, strict=True)]
        #: the best so far, in their order, without those that wait
        self._found: list[Ranked] = []
        #: of segments of one shard whose ranks compare with each other: their other values are read at the end
        self._waiting: list[_Candidates] = []
        #: the best first ranks of those that wait, at most `count`
        self._firsts: Rank = np.zeros(0, np.int64)
        #: the last of them if they are `count`
        self._bound: Any = None

    def collect(
        self,
        shard: int,
        leaf: Leaf,
        ids: Ordinals,
        scores: NDArray[np.float64] | None,
        base: int,
        keys: Sequence[SortKey],
    ) -> None:
        """Takes the matching documents of a segment; `base` is how many documents the shard has before it.

        Elements of nested lists count as documents there.

        `keys` are the order bound to this shard's mapping.
        """
        if self._count == 0 or len(ids) == 0:
            return
        first = self._column(keys[0], leaf, ids, scores, base, shard)
        part = _Candidates(shard, leaf, base, ids, scores, keys, first, first.rank())
        worst = self._worst(shard, first, part.rank)
        if worst is not None:
            part = part.of(np.flatnonzero(part.rank <= worst))
        if len(part.ids) > self._few:
            part = part.of(self._promising(part.first, part.rank))
        if len(part.ids) == 0:
            return
        if first.terms is not None:
            self._add(part)
            self._found = self._first_found()
            return
        if len(part.ids) > self._few:
            part = part.of(self._first_rows(part, self._all_columns(part)))
        if self._waiting and (self._waiting[0].shard != shard or self._firsts.dtype != part.rank.dtype):
            self._settle()
        self._waiting.append(part)
        firsts: Any = part.rank
        if self._after is not None:
            # rows equal by the first key may precede `after`, and do not count
            firsts = firsts[firsts > _position(part.first, firsts, self._after[0])]
        if len(self._waiting) > 1:
            firsts = np.concatenate((self._firsts, firsts))
        if len(firsts) > self._count:
            firsts = np.partition(firsts, self._count - 1)[: self._count]
        self._firsts = firsts
        self._bound = firsts.max() if len(firsts) == self._count else None

    @property
    def _few(self) -> int:
        """Of so many candidates all are kept until the end."""
        return max(_PARTITION_FROM, 4 * self._count)

    def _worst(self, shard: int, column: _Column, rank: Rank) -> Any:
        """The rank by the first key beyond which none is wanted in a shard; None: not known."""
        if self._waiting and self._waiting[0].shard == shard and self._firsts.dtype == rank.dtype:
            return self._bound if column.terms is None else None
        if len(self._found) == self._count and self._found[-1].shard == shard:
            # of another shard the key may be of another type
            return _position(column, rank, self._found[-1].values[0])
        return None

    def _settle(self) -> None:
        """Read the values of waiting candidates that can be among the first."""
        for part in self._waiting:
            if self._bound is not None:
                part = part.of(np.flatnonzero(part.rank <= self._bound))
            if len(part.ids):
                self._add(part)
        self._waiting, self._bound = [], None
        self._found = self._first_found()

    def _all_columns(self, part: _Candidates) -> list[_Column]:
        others = (self._column(key, part.leaf, part.ids, part.scores, part.base, part.shard) for key in part.keys[1:])
        return [part.first, *others]

    def _first_rows(self, part: _Candidates, columns: list[_Column]) -> NDArray[np.int64]:
        """The candidates after `after`, no more than are wanted; in their order if there are more."""
        rows = np.arange(len(part.ids))
        if self._after is None and len(rows) <= self._count:
            return rows
        ranks = [part.rank, *(column.rank() for column in columns[1:])]
        if self._after is not None:
            rows = np.flatnonzero(self._after_position(columns, ranks))
        if len(rows) <= self._count:
            return rows
        return rows[np.lexsort([each[rows] for each in reversed(ranks)])[: self._count]]

    def _add(self, part: _Candidates) -> None:
        columns = self._all_columns(part)
        rows = self._first_rows(part, columns)
        by_key = [column.values(rows) for column in columns]
        orders = list(map(_comparables, self.keys, by_key))
        docs = part.ids[rows].tolist()
        scores = [None] * len(docs) if part.scores is None else part.scores[rows].tolist()
        for doc, score, *both in zip(docs, scores, zip(*by_key, strict=True), zip(*orders, strict=True), strict=True):
            order = (*both[1], part.shard, part.base + doc)
            self._found.append(Ranked(part.shard, part.leaf, doc, score, both[0], order))

    def _first_found(self) -> list[Ranked]:
        return sorted(self._found, key=attrgetter("order"))[: self._count]

    def best_of_groups(self, part: Part, first_of_each: Callable[[Ordinals], NDArray[np.int64]]) -> Part:
        """Return the best document of each group of a segment, for the best `count` groups; ascending.

        `first_of_each` returns the places of the first document of each group. The best documents are sorted, eight
        times as many as before until they have enough groups: seldom all of them.
        """
        shard, leaf, ids, scores, base, keys = part
        first = self._column(keys[0], leaf, ids, scores, base, shard)
        all_of_them = _Candidates(shard, leaf, base, ids, scores, keys, first, first.rank())
        if self._after is not None:
            all_of_them = all_of_them.of(np.flatnonzero(self._after_position([first], [all_of_them.rank])))
        size, rank = self._few, all_of_them.rank
        while True:
            some = all_of_them
            if size < len(rank):
                some = all_of_them.of(np.flatnonzero(rank <= np.partition(rank, size - 1)[size - 1]))
            ranks = [some.rank, *(column.rank() for column in self._all_columns(some)[1:])]
            rows = np.lexsort(ranks[::-1])
            rows = rows[first_of_each(some.ids[rows])]
            if len(rows) >= self._count or len(some.ids) == len(rank):
                some = some.of(np.sort(rows[: self._count]))
                return shard, leaf, some.ids, some.scores, base, keys
            size *= 8

    def first_in_order(self, shard: int, leaf: Leaf, docs: DocSet, keys: Sequence[SortKey]) -> Ordinals:
        """Return the matching documents of a segment that can be among the best, for `collect`."""
        if not may_pay(len(docs), self._count):
            return docs.ids
        key, column = keys[0], leaf.space.columns.get(keys[0].path)
        if key.kind in ("keyword", "ip") and isinstance(column, KeywordColumn):
            raw: Rank = column.ords[:0].astype(np.int64)
        elif key.kind in ("int", "long", "double") and isinstance(column, NumericColumn):
            raw = column.values[:0]
            if (raw.dtype == np.float64) != (key.kind == "double"):
                return docs.ids
        else:
            return docs.ids
        special = (key.nested, key.flattened_key, key.cast)
        if self._count == 0 or any(part is not None for part in special):
            return docs.ids
        terms = column.terms if isinstance(column, KeywordColumn) else None
        of_column = _Column(key, raw, None, terms if isinstance(terms, TermDictionary) else None)
        after = None
        if self._after is not None:
            after = _position(of_column, raw, self._after[0])
        worst = self._worst(shard, of_column, raw)
        first = first_in_order(
            leaf,
            key.path,
            docs,
            self._count,
            descending=key.descending,
            position=of_column.position,
            span=Span(after, worst),
        )
        return docs.ids if first is None else first

    def _promising(self, column: _Column, rank: Rank) -> NDArray[np.int64]:
        """The rows that may be among the first by their first key: no worse than the last one that is needed."""
        count = self._count
        if self._after is None:
            bound = np.partition(rank, count - 1)[count - 1]
            if len(self.keys) == 1:
                ties = np.flatnonzero(rank == bound)[:count]
                return np.union1d(np.flatnonzero(rank < bound), ties)
            return np.flatnonzero(rank <= bound)
        after = _position(column, rank, self._after[0])
        later = rank[rank > after]
        if len(later) <= count:
            return np.flatnonzero(rank >= after)
        return np.flatnonzero((rank >= after) & (rank <= np.partition(later, count - 1)[count - 1]))

    def _column(
        self, key: SortKey, leaf: Leaf, ids: Ordinals, scores: NDArray[np.float64] | None, base: int, shard: int
    ) -> _Column:
        if key.kind == SCORE:
            return _Column(key, np.zeros(len(ids), np.float64) if scores is None else scores, None, None)
        if key.kind in (DOC, SHARD_DOC):
            places = leaf.places(ids) + base
            return _Column(key, places + (shard << 32 if key.kind == SHARD_DOC else 0), None, None)
        if key.script is not None:
            raw, _ = key.script.numbers(leaf.space, ids, doubles=True)
            if np.isnan(raw).any():
                raise no_scripts("sort by a [_script] that gives NaN")
            return _Column(key, raw, None, None)
        if key.flattened_key is not None:
            return _Column(key, *below_flattened(leaf, key.path, key.flattened_key, ids, key.mode))
        raw, present = values_of(leaf, key.path, ids, key.mode, key.nested)
        if present is not None and present.all():
            present = None
        if key.kind in ("keyword", "ip"):
            return self._keyword_column(key, leaf, raw, present)
        if key.cast == "double" and key.field is not None and key.field.stored_offset:
            raw = unsigned_as_doubles(raw)
        elif "double" in (key.kind, key.cast):
            raw = raw.astype(np.float64, copy=False)
        if key.cast in ("long", "date", "date_nanos"):
            raw = raw.astype(np.int64)
            if key.cast != "long" and key.field is not None and key.cast != key.field.type:
                raw = raw // NANOS_PER_MS if key.cast == "date" else _in_nanos(raw, present)
        return _Column(key, raw, present, None)

    def _keyword_column(self, key: SortKey, leaf: Leaf, raw: Rank, present: NDArray[np.bool_] | None) -> _Column:
        space = leaf
        if key.nested is not None:
            below = leaf.child(key.nested.path)
            space = leaf if below is None else below[0]
        column = space.keyword_column(key.path)
        terms = column.terms if column is not None else EMPTY_DICTIONARY
        if not isinstance(terms, TermDictionary):
            raise TypeError(f"terms of {key.path} are no dictionary")
        return _Column(key, raw, present, terms)

    def _after_position(self, columns: list[_Column], ranks: list[Rank]) -> NDArray[np.bool_]:
        """Return a mask of candidates after the given values in the order."""
        n = len(ranks[0])
        later = np.zeros(n, np.bool_)
        equal = np.ones(n, np.bool_)
        for column, rank, after in zip(columns, ranks, self._after or (), strict=True):
            if not equal.any():
                break
            position = _position(column, rank, after)
            later |= equal & (rank > position)
            equal &= rank == position
        return later

    def least_score(self) -> float:
        """Return the score that a document must reach to be among the best so far, for an order by score first."""
        if self._waiting:
            return 0.0 if self._bound is None else -float(self._bound)
        return (self._found[-1].score or 0.0) if len(self._found) == self._count else 0.0

    def best(self) -> list[Ranked]:
        """The first documents of those collected so far."""
        if self._waiting:
            self._settle()
        return self._first_found()


def _in_nanos(millis: Rank, present: NDArray[np.bool_] | None) -> Rank:
    found = millis if present is None else millis[present]
    if len(found) and found.min() < 0:
        raise illegal_argument(
            f"milliSeconds [{found[found < 0][0]}] are before the epoch in 1970 and cannot be converted to nanoseconds"
        )
    return millis * NANOS_PER_MS


def place_of_term(terms: TermDictionary, term: bytes) -> int:
    """The place of a term among the doubled ordinals."""
    at = terms.lower_bound(term)
    return 2 * at if at < len(terms) and terms.bytes_at(at) == term else 2 * at - 1


def _position_of_after(column: _Column, after: bytes | None) -> int:
    place = column.missing_whole() if column.terms is None or after is None else place_of_term(column.terms, after)
    return ~place if column.key.descending else place


def _position(column: _Column, rank: Rank, after: Any) -> Any:
    """The place of a value of `search_after` among the ranks."""
    if column.terms is not None:
        return _position_of_after(column, after)
    if rank.dtype == np.float64:
        return -after if column.key.descending else after
    return ~after if column.key.descending else after
