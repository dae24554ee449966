"""The first documents of an order: keys per segment as ascending numbers, the best of each, then merged."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc.engine.columns import KeywordColumn, NumericColumn
from qlc.engine.dates import NANOS_PER_MS, date_format, parse_date, parse_date_nanos
from qlc.engine.docset import DocSet, Ordinals
from qlc.engine.errors import EngineError, illegal_argument
from qlc.engine.ip import encode_ip, format_ip
from qlc.engine.leaf import Leaf
from qlc.engine.mapping import DEFAULT_DATE_FORMAT
from qlc.engine.queries.base import printed_score
from qlc.engine.search.in_order import Span, first_in_order
from qlc.engine.search.sort_spec import DOC, SCORE, SHARD_DOC, SortKey
from qlc.engine.search.sort_values import distances_of, values_of
from qlc.engine.terms import EMPTY_DICTIONARY, TermDictionary, encode_term
from qlc.engine.value_parsers import round_to_type

Rank = NDArray[np.int64] | NDArray[np.float64]

LONG_MAX, LONG_MIN = 2**63 - 1, -(2**63)
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)

#: From this many documents on the best are cut out before they are sorted.
_PARTITION_FROM = 256


@dataclass(frozen=True, slots=True)
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


def _comparable(key: SortKey, value: Any) -> tuple[Any, ...]:
    """A sort value as what ascends in the wanted order."""
    if value is None:
        return (0 if key.missing_first else 2,)
    if not key.descending:
        return (1, value)
    return (1, _Descending(value) if isinstance(value, bytes) else -value)


@dataclass(frozen=True, slots=True)
class _Column:
    """One key over the candidates: `rank` ascends in the wanted order; `terms` for keywords."""

    key: SortKey
    raw: Rank
    present: NDArray[np.bool_]
    terms: TermDictionary | None

    def rank(self) -> Rank:
        """Numbers whose ascending order is the order asked for, missing values in their place."""
        raw = self.raw
        if raw.dtype == np.float64:
            filled = np.where(self.present, raw, self._missing_float()) if not self.present.all() else raw
            return -filled if self.key.descending else filled
        filled_whole: NDArray[np.int64] = raw.astype(np.int64)
        if self.terms is not None:
            # even numbers are ordinals; a term that is not there stands at the odd number between two
            filled_whole = filled_whole * 2
        if not self.present.all():
            filled_whole = np.where(self.present, filled_whole, self.missing_whole())
        # the complement reverses the order without overflow
        return ~filled_whole if self.key.descending else filled_whole

    def position(self, value: Any) -> Any:
        """Where a raw value stands among the ranks."""
        if self.raw.dtype == np.float64:
            return -value if self.key.descending else value
        place = value if self.terms is None else 2 * value
        return ~place if self.key.descending else place

    def _missing_float(self) -> float:
        key = self.key
        if key.kind == "geo":
            return math.inf
        if key.missing in ("_last", "_first"):
            return -math.inf if key.missing_first != key.descending else math.inf
        return _number_for_missing(key, float)

    def missing_whole(self) -> int:
        key = self.key
        if key.missing in ("_last", "_first"):
            least, most = (INT_MIN, INT_MAX) if key.kind == "int" and key.cast is None else (LONG_MIN, LONG_MAX)
            if _in_nanos(key):
                least = 0
            return least if key.missing_first != key.descending else most
        return missing_number(key) if self.terms is None else place_of_term(self.terms, encode_term(str(key.missing)))

    def of(self, rows: NDArray[np.int64]) -> _Column:
        """The same for some of the candidates."""
        return _Column(self.key, self.raw[rows], self.present[rows], self.terms)

    def value(self, row: int) -> Any:
        """The raw sort value of a candidate."""
        if self.terms is not None:
            if self.present[row]:
                return self.terms.bytes_at(int(self.raw[row]))
            return None if self.key.missing in ("_last", "_first") else encode_term(str(self.key.missing))
        if self.raw.dtype == np.float64:
            return float(self.raw[row]) if self.present[row] else self._missing_float()
        return int(self.raw[row]) if self.present[row] else self.missing_whole()


def missing_number(key: SortKey) -> int:
    return int(_number_for_missing(key, int))


def _number_for_missing(key: SortKey, read: Callable[[Any], float]) -> float:
    """What stands for a missing value, even of a date a number."""
    try:
        return read(key.missing)
    except (TypeError, ValueError):
        reason = f'For input string: "{key.missing}"'
        raise EngineError("number_format_exception", reason, on_shard=True) from None


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The first documents of one segment, which may turn out to be among the first of all.

    `rows` are their places among `ids`, in their order, and `firsts` the ranks of these by the first key.
    """

    shard: int
    leaf: Leaf
    base: int
    ids: Ordinals
    scores: NDArray[np.float64] | None
    columns: list[_Column]
    rows: NDArray[np.int64]
    firsts: Rank


class Ranking:
    """Collects the best `count` documents of an order over the segments of all shards."""

    def __init__(self, keys: Sequence[SortKey], count: int, after: Sequence[Any] | None) -> None:
        self._keys = keys
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

        `keys` are the order bound to this shard's mapping.
        """
        if self._count == 0 or len(ids) == 0:
            return
        first = self._column(keys[0], leaf, ids, scores, base, shard)
        rank = first.rank()
        rows = self._promising(first, rank)
        worst = self._worst(shard, first, rank)
        if worst is not None:
            rows = rows[rank[rows] <= worst]
            if len(rows) == 0:
                return
        if len(rows) < len(ids):
            # the other keys are read for what the first one leaves only
            ids, scores = ids[rows], None if scores is None else scores[rows]
            first, rank = first.of(rows), rank[rows]
        columns = [first, *(self._column(key, leaf, ids, scores, base, shard) for key in keys[1:])]
        ranks = [rank, *(column.rank() for column in columns[1:])]
        rows = np.arange(len(ids))
        if self._after is not None:
            rows = np.flatnonzero(self._behind(columns, ranks))
        rows = rows[np.lexsort([each[rows] for each in reversed(ranks)])[: self._count]]
        part = _Candidates(shard, leaf, base, ids, scores, columns, rows, rank[rows])
        if first.terms is not None:
            self._add(part, None)
            self._found = self._first_found()
            return
        if self._waiting and (self._waiting[0].shard != shard or self._firsts.dtype != rank.dtype):
            self._settle()
        self._waiting.append(part)
        firsts: Any = part.firsts
        if len(self._waiting) > 1:
            firsts = np.concatenate((self._firsts, firsts))
        if len(firsts) > self._count:
            firsts = np.partition(firsts, self._count - 1)[: self._count]
        self._firsts = firsts

    def _worst(self, shard: int, column: _Column, rank: Rank) -> Any:
        """The rank by the first key beyond which none is wanted in a shard; None: not known."""
        if self._waiting and self._waiting[0].shard == shard and self._firsts.dtype == rank.dtype:
            return self._firsts.max() if column.terms is None and len(self._firsts) == self._count else None
        if len(self._found) == self._count and self._found[-1].shard == shard:
            # of another shard the key may be of another type
            return _position(column, rank, self._found[-1].values[0])
        return None

    def _settle(self) -> None:
        """Reads the values of those that wait, as far as they may be among the first."""
        worst = self._firsts.max() if len(self._firsts) == self._count and self._count else None
        for part in self._waiting:
            self._add(part, worst)
        self._waiting = []
        self._found = self._first_found()

    def _add(self, part: _Candidates, worst: Any) -> None:
        rows = part.rows if worst is None else part.rows[part.firsts <= worst]
        for row in rows.tolist():
            doc = int(part.ids[row])
            score = None if part.scores is None else float(part.scores[row])
            values = tuple(column.value(row) for column in part.columns)
            order_of = (*map(_comparable, self._keys, values), part.shard, part.base + doc)
            self._found.append(Ranked(part.shard, part.leaf, doc, score, values, order_of))

    def _first_found(self) -> list[Ranked]:
        return sorted(self._found, key=attrgetter("order"))[: self._count]

    def first_in_order(self, shard: int, leaf: Leaf, docs: DocSet, keys: Sequence[SortKey]) -> Ordinals:
        """What `collect` needs of the matching documents of a segment: those that may be among the best."""
        key, column = keys[0], leaf.space.columns.get(keys[0].path)
        if key.kind in ("keyword", "ip") and isinstance(column, KeywordColumn):
            raw: Rank = column.ords[:0].astype(np.int64)
        elif key.kind in ("int", "long", "double") and isinstance(column, NumericColumn):
            raw = column.values[:0]
            if (raw.dtype == np.float64) != (key.kind == "double"):
                return docs.ids
        else:
            return docs.ids
        if self._count == 0 or key.nested is not None or key.cast is not None or key.constant is not None:
            return docs.ids
        terms = column.terms if isinstance(column, KeywordColumn) else None
        of_column = _Column(key, raw, np.ones(0, np.bool_), terms if isinstance(terms, TermDictionary) else None)
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
        if len(rank) <= max(_PARTITION_FROM, 4 * count):
            return np.arange(len(rank))
        if self._after is None:
            bound = np.partition(rank, count - 1)[count - 1]
            if len(self._keys) == 1:
                ties = np.flatnonzero(rank == bound)[:count]
                return np.union1d(np.flatnonzero(rank < bound), ties)
            return np.flatnonzero(rank <= bound)
        after = _position(column, rank, self._after[0])
        behind = rank[rank > after]
        if len(behind) <= count:
            return np.flatnonzero(rank >= after)
        return np.flatnonzero((rank >= after) & (rank <= np.partition(behind, count - 1)[count - 1]))

    def _column(
        self, key: SortKey, leaf: Leaf, ids: Ordinals, scores: NDArray[np.float64] | None, base: int, shard: int
    ) -> _Column:
        everywhere = np.ones(len(ids), np.bool_)
        if key.kind == SCORE:
            return _Column(key, np.zeros(len(ids), np.float64) if scores is None else scores, everywhere, None)
        if key.kind in (DOC, SHARD_DOC):
            places = ids.astype(np.int64) + base
            return _Column(key, places + (shard << 32 if key.kind == SHARD_DOC else 0), everywhere, None)
        if key.kind == "geo":
            meters, present = distances_of(leaf, key.path, list(key.points), ids, key.mode)
            return _Column(key, meters / key.unit, present, None)
        if key.constant is not None:
            only = TermDictionary.from_sorted([key.constant])
            return _Column(key, np.zeros(len(ids), np.int64), everywhere, only)
        if key.kind == "unmapped":
            terms = EMPTY_DICTIONARY if key.cast in ("keyword", "text", "ip", "wildcard") else None
            nothing: Rank = np.zeros(len(ids), np.int64)
            if key.cast in ("double", "float", "half_float"):
                nothing = nothing.astype(np.float64)
            return _Column(key, nothing, ~everywhere, terms)
        raw, present = values_of(leaf, key.path, ids, key.mode, key.nested)
        if key.kind in ("keyword", "ip"):
            return self._keyword_column(key, leaf, raw, present)
        if key.kind == "double" and raw.dtype != np.float64:
            raw = raw.astype(np.float64)
        if key.cast == "double":
            raw = raw.astype(np.float64)
        elif key.cast in ("long", "date", "date_nanos"):
            raw = raw.astype(np.int64)
            if key.cast != "long" and key.field is not None and key.cast != key.field.type:
                raw = raw // NANOS_PER_MS if key.cast == "date" else raw * NANOS_PER_MS
        return _Column(key, raw, present, None)

    def _keyword_column(self, key: SortKey, leaf: Leaf, raw: Rank, present: NDArray[np.bool_]) -> _Column:
        space = leaf
        if key.nested is not None:
            below = leaf.child(key.nested.path)
            space = leaf if below is None else below[0]
        column = space.keyword_column(key.path)
        terms = column.terms if column is not None else EMPTY_DICTIONARY
        if not isinstance(terms, TermDictionary):
            raise TypeError(f"terms of {key.path} are no dictionary")
        return _Column(key, raw, present, terms)

    def _behind(self, columns: list[_Column], ranks: list[Rank]) -> NDArray[np.bool_]:
        """Which candidates come after the given values in the order."""
        n = len(ranks[0])
        behind = np.zeros(n, np.bool_)
        equal = np.ones(n, np.bool_)
        for column, rank, after in zip(columns, ranks, self._after or (), strict=True):
            if not equal.any():
                break
            position = _position(column, rank, after)
            behind |= equal & (rank > position)
            equal &= rank == position
        return behind

    def least_score(self) -> float:
        """Of an order by score alone: what a document has to reach to be among the best so far."""
        if self._waiting:
            return -float(self._firsts.max()) if len(self._firsts) == self._count else 0.0
        return (self._found[-1].score or 0.0) if len(self._found) == self._count else 0.0

    def best(self) -> list[Ranked]:
        """The first documents of those collected so far."""
        if self._waiting:
            self._settle()
        return self._first_found()


def place_of_term(terms: TermDictionary, term: bytes) -> int:
    """Where a term stands among the doubled ordinals."""
    at = terms.lower_bound(term)
    return 2 * at if at < len(terms) and terms.bytes_at(at) == term else 2 * at - 1


def _position_of_after(column: _Column, after: bytes | None) -> int:
    place = column.missing_whole() if column.terms is None or after is None else place_of_term(column.terms, after)
    return ~place if column.key.descending else place


def _position(column: _Column, rank: Rank, after: Any) -> Any:
    """Where a value of `search_after` stands among the ranks."""
    if column.terms is not None:
        return _position_of_after(column, after)
    if rank.dtype == np.float64:
        return -after if column.key.descending else after
    return ~after if column.key.descending else after


def decode_after(key: SortKey, given: Any) -> Any:
    """A value of `search_after` as the raw sort value that it was printed from."""
    if key.kind in (SCORE, "geo", "double") or key.cast == "double":
        if given is None:
            raise _null_after(key)
        try:
            number = float(given)
        except (TypeError, ValueError):
            raise _bad_after(key) from None
        kind = key.field.type if key.field is not None else ""
        if key.kind == SCORE:
            kind = "float"
        return round_to_type(number, kind) if kind in ("float", "half_float") and math.isfinite(number) else number
    if key.kind in ("keyword", "ip"):
        if given is None:
            return None
        return encode_term(encode_ip(str(given)) if key.kind == "ip" else str(given))
    if key.kind == "unmapped":
        return None if given is None else given
    if given is None:
        raise _null_after(key)
    if isinstance(given, str) and key.field is not None and key.field.is_date:
        return _moment_after(key, given)
    try:
        number = int(given)
    except (TypeError, ValueError):
        raise _bad_after(key) from None
    # a sort of small whole numbers reads its values as such
    return max(INT_MIN, min(INT_MAX, number)) if key.kind == "int" and key.cast is None else number


def _moment_after(key: SortKey, given: str) -> int:
    """A date as it was printed: by the format of the sort, or as a number."""
    read = parse_date_nanos if _in_nanos(key) else parse_date
    own_format = DEFAULT_DATE_FORMAT if key.field is None else key.field.format
    try:
        if key.format is not None:
            return read(given, key.format, now_ms=0)
        with contextlib.suppress(ValueError):
            return int(given)
        return read(given, own_format, now_ms=0)
    except EngineError as error:
        error.on_shard = True
        raise


def _in_nanos(key: SortKey) -> bool:
    kind = key.cast or (key.field.type if key.field is not None else "")
    return kind == "date_nanos"


def _null_after(key: SortKey) -> EngineError:
    reason = f"[search_after] value cannot be null for sort field [{key.path}] of type [{key.kind.upper()}]."
    return illegal_argument(reason, on_shard=True)


def _bad_after(key: SortKey) -> EngineError:
    return illegal_argument(f"Failed to parse search_after value for field [{key.path}].", on_shard=True)


def printed(key: SortKey, value: Any) -> Any:
    """A raw sort value as it stands in a hit's `sort`."""
    if isinstance(value, bytes):
        return format_ip(value.decode()) if key.kind == "ip" else value.decode()
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    if key.kind == SCORE:
        return printed_score(value)
    if key.format is not None and isinstance(value, int):
        if value in (LONG_MIN, LONG_MAX):
            return None
        millis, beyond = divmod(value, NANOS_PER_MS) if _in_nanos(key) else (value, 0)
        return date_format(key.format).format(millis, nanos=beyond)
    return value
