"""`composite`: buckets for the combinations of several sources, in a fixed order, page by page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.histograms import date_grid, number_grid, read_rounding, read_zone
from qlc_engine.aggregations.keyed import KeyedSelection, KeyFunction, key_selection
from qlc_engine.aggregations.selection import MAX_BUCKETS, Selection, Slice
from qlc_engine.aggregations.source import DATE_TYPES, Source, read_source
from qlc_engine.aggregations.tree import Aggregator, ChildResults, Result
from qlc_engine.aggregations.value_format import DateValueFormat
from qlc_engine.columns import IntArray
from qlc_engine.dates import parse_date
from qlc_engine.docset import expand_runs
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.ip import encode_ip, format_ip
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params

#: numbers whose index the server reads; it means to read that of `integer` too
_READ_FROM_INDEX = frozenset({"long", "short", "byte", *DATE_TYPES})

#: how errors call the kinds of JSON values
_JAVA_NAMES = {int: "Integer", float: "Double", bool: "Boolean"}


@dataclass(frozen=True, slots=True)
class CompositeSource:
    """One column of the composite key. `scale` (interval, offset) is set for `histogram` sources."""

    name: str
    source: Source
    ascending: bool
    missing_bucket: bool
    missing_first: bool
    function: KeyFunction | None = None
    scale: tuple[float, float] | None = None
    has_format: bool = False

    def key(self, stored: Any) -> Any:
        """A stored key as JSON."""
        if isinstance(stored, str):
            return format_ip(stored) if self._is_ip else stored
        if self.scale is not None:
            return float(stored) * self.scale[0] + self.scale[1]
        if self.source.is_boolean:
            return bool(stored)
        if self.has_format:
            return self.source.format.as_string(stored)
        if not self.source.is_whole and self.function is None:
            return float(stored)
        return int(stored) + self._offset

    def stored(self, key: Any) -> Any:
        """Convert a key of `after` to its stored form. Raises for a value of the wrong kind."""
        if self.source.is_keyword or (self.source.field is None and self.source.script is None):
            if not isinstance(key, str):
                raise illegal_argument(f"invalid value, expected string, got {_JAVA_NAMES.get(type(key), 'Object')}")
            return encode_ip(key) if self._is_ip else key
        if self.scale is not None:
            return round((float(key) - self.scale[1]) / self.scale[0])
        if self.source.is_boolean:
            return int(key in (True, "true"))
        if isinstance(key, str) and isinstance(self.source.format, DateValueFormat):
            zone = self.source.format.zone
            return parse_date(key, self.source.format.format.source, now_ms=0, tz=zone.name)
        try:
            number = float(key) if not self.source.is_whole else int(key)
        except (TypeError, ValueError):
            raise illegal_argument(f'For input string: "{key}"') from None
        return number - self._offset

    def is_in_index(self, after: dict[str, Any] | None) -> bool:
        """Whether the server can read the source from the index in the order of the response."""
        field = self.source.field
        if field is None or not field.index or not self.ascending or self.scale is not None:
            return False
        if self.missing_bucket and (after is None or after[self.name] is None):
            return False
        return field.type in _READ_FROM_INDEX

    @property
    def _is_ip(self) -> bool:
        return self.source.field is not None and self.source.field.type == "ip"

    @property
    def _offset(self) -> int:
        return 0 if self.source.field is None else self.source.field.stored_offset


@dataclass(frozen=True, slots=True)
class _Axis:
    """Keys of one source over all segments, as ranks in the order of the answer (the missing key among them)."""

    source: CompositeSource
    keyed: KeyedSelection

    @property
    def shift(self) -> int:
        """1 where the missing key takes rank 0."""
        return 1 if self.source.missing_bucket and self.source.missing_first else 0

    @property
    def size(self) -> int:
        return len(self.keyed.keys) + (1 if self.source.missing_bucket else 0)

    @property
    def missing_rank(self) -> int:
        return 0 if self.source.missing_first else len(self.keyed.keys)

    def ranks(self, ids: IntArray) -> IntArray:
        return (ids if self.source.ascending else len(self.keyed.keys) - 1 - ids) + self.shift

    def key(self, rank: int) -> Any:
        if self.source.missing_bucket and rank == self.missing_rank:
            return None
        position = rank - self.shift
        keys = self.keyed.keys
        return self.source.key(keys[position if self.source.ascending else len(keys) - 1 - position])

    def after_rank(self, key: Any) -> float:
        """The rank of an `after` value; between two ranks if no document has it."""
        if key is None:
            return float(self.missing_rank)
        stored = self.source.stored(key)
        keys = self.keyed.keys
        at = int(np.searchsorted(keys, stored)) if isinstance(keys, np.ndarray) else bisect_left(keys, stored)
        exact = at < len(keys) and keys[at] == stored
        rank = float(at) if exact else at - 0.5
        return (rank if self.source.ascending else len(keys) - 1 - rank) + self.shift


@dataclass
class CompositeAggregator(Aggregator):
    sources: list[CompositeSource]
    size: int
    after: dict[str, Any] | None

    def collect(self, selection: Selection) -> CompositeResult:
        axes = [_Axis(source, key_selection(source.source, selection, source.function)) for source in self.sources]
        every = [_combine(axes, number, part) for number, part in enumerate(selection.slices)]
        counted = self._counted(axes, selection)
        parts = every if counted is None else [*counted, *every]
        tuples, inverse = _distinct_tuples(axes, [ranks for _, ranks in parts])
        lengths = [len(positions) for positions, _ in parts]
        n_counted = sum(lengths[: len(every)])
        counts = np.bincount(inverse[:n_counted], minlength=len(tuples[0]))
        chosen = np.flatnonzero(counts)
        if self.after is not None:
            chosen = chosen[_after_mask(self.name, axes, tuples, self.after)[chosen]]
        chosen = chosen[: self.size]
        selection.run.count_buckets(len(chosen))
        bucket_of = np.full(len(counts), -1, np.int64)
        bucket_of[chosen] = np.arange(len(chosen))
        buckets = np.split(bucket_of[inverse], np.cumsum(lengths)[:-1])
        slices = []
        for number, part in enumerate(selection.slices):
            positions, in_bucket = every[number][0], buckets[number - len(every)]
            keep = in_bucket >= 0
            if counted is not None:
                met = np.zeros(len(part.docs), np.bool_)
                met[counted[number][0][buckets[number] >= 0]] = True
                keep &= met[positions]
            slices.append(Slice(part.segment, part.space, part.docs[positions[keep]], in_bucket[keep]))
        below = Selection(selection.run, selection.path, len(chosen), slices)
        keys = [
            {axis.source.name: axis.key(int(column[bucket])) for axis, column in zip(axes, tuples, strict=True)}
            for bucket in chosen.tolist()
        ]
        return CompositeResult(keys, counts[chosen], self.children.collect(below))

    def _counted(self, axes: Sequence[_Axis], selection: Selection) -> list[_Combined] | None:
        """Return the combinations that the server counts. Under a range on the first source's field it reads values
        from the index in order, and skips those outside of the range. (Aggregations below a bucket are computed
        afterwards, over all values of the documents found.)"""
        first = self.sources[0]
        field = first.source.field
        if field is None or not selection.is_whole or not first.is_in_index(self.after):
            return None
        ranges = [selection.run.context.segments[part.segment].range for part in selection.slices]
        if not any(one is not None and one.path == field.path for one in ranges):
            return None

        def in_range(part: Slice, values: NDArray[Any]) -> NDArray[np.bool_]:
            found = selection.run.context.segments[part.segment].range
            keep: NDArray[np.bool_] = np.ones(len(values), np.bool_)
            if found is not None and found.path == field.path:
                keep &= values >= (_LONGS.min if found.low is None else found.low)
                keep &= values <= (_LONGS.max if found.high is None else found.high)
            return keep

        keyed = key_selection(first.source, selection, first.function, among=in_range)
        inside = [_Axis(first, keyed), *axes[1:]]
        return [_combine(inside, number, part) for number, part in enumerate(selection.slices)]


_LONGS = np.iinfo(np.int64)
_Combined = tuple[IntArray, list[IntArray]]
"""For each combination of a document's keys, the position of the document and the rank in each axis."""


def _combine(axes: Sequence[_Axis], number: int, part: Slice) -> _Combined:
    positions = np.arange(len(part.docs))
    columns: list[IntArray] = []
    for axis in axes:
        keyed = axis.keyed.slices[number]
        at = np.arange(len(part.docs)) if keyed.positions is None else keyed.positions
        ranks = axis.ranks(keyed.ids)
        counts = np.bincount(at, minlength=len(part.docs))
        if axis.source.missing_bucket:
            empty = np.flatnonzero(counts == 0)
            at = np.concatenate((at, empty))
            ranks = np.concatenate((ranks, np.full(len(empty), axis.missing_rank)))
            order = np.argsort(at, kind="stable")
            at, ranks = at[order], ranks[order]
            counts = np.bincount(at, minlength=len(part.docs))
        starts = np.concatenate(([0], np.cumsum(counts)[:-1])) if len(counts) else counts
        repeats = counts[positions]
        columns = [np.repeat(column, repeats) for column in columns]
        columns.append(ranks[expand_runs(starts[positions], repeats)])
        positions = np.repeat(positions, repeats)
    return positions, columns


def _distinct_tuples(axes: Sequence[_Axis], parts: Sequence[Sequence[IntArray]]) -> tuple[list[IntArray], IntArray]:
    """The distinct combinations in order (one array per axis), and which of them each combination is."""
    columns = [
        np.concatenate([part[i] for part in parts]) if parts else np.empty(0, np.int64) for i in range(len(axes))
    ]
    codes, size = columns[0], max(axes[0].size, 1)
    for axis, column in zip(axes[1:], columns[1:], strict=True):
        if size > 2**62 // max(axis.size, 1):
            # too many possible combinations for one number: number the ones that occur
            occurring, codes = np.unique(codes, return_inverse=True)
            size = len(occurring)
        codes = codes * max(axis.size, 1) + column
        size *= max(axis.size, 1)
    _, firsts, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return [column[firsts] for column in columns], inverse


def _after_mask(
    name: str, axes: Sequence[_Axis], tuples: Sequence[IntArray], after: dict[str, Any]
) -> NDArray[np.bool_]:
    later = np.zeros(len(tuples[0]), np.bool_)
    equal = np.ones(len(tuples[0]), np.bool_)
    for position, (axis, column) in enumerate(zip(axes, tuples, strict=True)):
        try:
            rank = axis.after_rank(after[axis.source.name])
        except EngineError as error:
            raise EngineError(
                "parse_exception",
                f"Cannot set after key in the composite aggregation [{name}] - incompatible value in the position "
                f"{position}: {error.reason}",
            ) from error
        later |= equal & (column > rank)
        equal &= column == rank
    return later


@dataclass(frozen=True)
class CompositeResult(Result):
    """The buckets of the one owner that a composite can have."""

    keys: list[dict[str, Any]]
    doc_counts: IntArray
    children: ChildResults

    def render(self, owner: int) -> dict[str, Any]:
        buckets = [
            {"key": key, "doc_count": int(self.doc_counts[bucket]), **self.children.render(bucket)}
            for bucket, key in enumerate(self.keys)
        ]
        after = {"after_key": self.keys[-1]} if self.keys else {}
        return {**after, "buckets": buckets}


def parse_composite(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    given = body.take("sources")
    size = body.integer("size", 10, at_least=1)
    if size > MAX_BUCKETS:
        raise EngineError(
            "too_many_buckets_exception",
            f"Trying to create too many buckets. Must be less than or equal to: [{MAX_BUCKETS}] but was [{size}]. This "
            "limit can be set by changing the [search.max_buckets] cluster level setting.",
            details={"max_buckets": MAX_BUCKETS},
        )
    after = body.of_type("after", dict)
    sources = [_read_source(body, mapping, entry) for entry in (given if isinstance(given, list) else [given]) if given]
    if not sources:
        raise body.failed("sources", "there is none")
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise body.failed("sources", f"a name is used twice in {names}")
    if after is not None:
        for source in sources:
            if source.name not in after:
                raise illegal_argument(f"Missing value for [after.{source.name}]")
            if after[source.name] is None and not source.missing_bucket:
                raise illegal_argument(f"Invalid value for [after.{source.name}], expected comparable, got [null]")
        if len(after) != len(sources):
            raise illegal_argument(f"[after] has {len(after)} value(s) but [sources] has {len(sources)}")
    return {"sources": sources, "size": size, "after": after}


def _read_source(body: Params, mapping: FieldLookup, entry: Any) -> CompositeSource:
    if not isinstance(entry, dict) or len(entry) != 1:
        raise body.failed("sources", "[composite] sources take one name each")
    name, definition = next(iter(entry.items()))
    if not isinstance(definition, dict) or len(definition) != 1:
        raise body.failed("sources", f"[composite] source [{name}] takes one type")
    kind, parameters = next(iter(definition.items()))
    if kind == "geotile_grid":
        raise not_implemented("[composite] with sources of type [geotile_grid]")
    if kind not in ("terms", "histogram", "date_histogram") or not isinstance(parameters, dict):
        raise body.failed("sources", f"invalid source type: {kind}")
    own = Params(kind, parameters)
    order = str(own.take("order", "asc")).lower()
    if order not in ("asc", "desc"):
        raise body.failed("sources", f"Unknown sort order [{order}]")
    missing_bucket = own.boolean("missing_bucket")
    missing_order = str(own.take("missing_order", "default")).lower()
    if missing_order not in ("first", "last", "default"):
        raise body.failed("sources", f"Unknown missing order [{missing_order}]")
    if missing_order != "default" and not missing_bucket:
        raise illegal_argument("missingOrder can only be set if missingBucket is true")
    if kind != "date_histogram" and "format" in own:
        raise body.failed("sources", f"[{kind}] unknown field [format]")
    has_format = "format" in own
    function, scale = None, None
    if kind == "terms":
        source = read_source(own, mapping, accepts="keyed")
    elif kind == "histogram":
        source = read_source(own, mapping, accepts="numeric")
        interval = own.number("interval", 0.0)
        if interval <= 0:
            raise body.failed("sources", "[interval] must be greater than 0 for [histogram] source")
        function, scale = number_grid(interval, 0.0).function, (interval, 0.0)
    else:
        zone = read_zone(own)
        source = read_source(own, mapping, accepts="date", zone=zone)
        function = date_grid(read_rounding(own, zone)).function
    try:
        own.finish()
    except EngineError as error:
        raise body.failed("sources", error.reason) from error
    first = missing_order == "first" or (missing_order == "default" and order == "asc")
    return CompositeSource(name, source, order == "asc", missing_bucket, first, function, scale, has_format)
