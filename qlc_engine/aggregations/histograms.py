"""`histogram` and `date_histogram`: buckets of equal width or of calendar units, gaps filled."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.keyed import Cells, KeyedSelection, KeyFunction, count_cells, key_selection, regroup
from qlc_engine.aggregations.ordering import KEY_ASC, Order, check_order, metric_children, read_order, sort_cells
from qlc_engine.aggregations.selection import MAX_BUCKETS, Selection
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.aggregations.value_format import ValueFormat, json_number
from qlc_engine.columns import IntArray
from qlc_engine.dates import UTC_ZONE, Rounding, Zone, parse_date, parse_zone
from qlc_engine.errors import EngineError, illegal_argument, parsing_error
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params
from qlc_engine.value_parsers import format_float

KeyArray = NDArray[np.int64] | NDArray[np.float64]

_CALENDAR = {
    "second": "second", "1s": "second", "minute": "minute", "1m": "minute", "hour": "hour", "1h": "hour",
    "day": "day", "1d": "day", "week": "week", "1w": "week", "month": "month", "1M": "month",
    "quarter": "quarter", "1q": "quarter", "year": "year", "1y": "year",
}  # fmt: skip
_TIME_VALUE = re.compile(r"([+-]?\d+)\s*(ms|micros|nanos|[smhd])\Z")
#: below this every whole double is an int64 of the same value
_EXACT_STEPS = 2.0**53
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


@dataclass(frozen=True, slots=True)
class Bounds:
    """`hard_bounds` and `extended_bounds`, in keys (None: open)."""

    low: float | None
    high: float | None
    #: as errors print them
    shown: str


@dataclass(frozen=True, slots=True)
class Grid:
    """The steps of a histogram as whole numbers: epoch ms for dates, multiples of the interval for numbers.

    Multiples too large for an int64 to tell apart as doubles do are whole numbers in float64.
    """

    function: KeyFunction
    #: all keys from one to another
    between: Callable[[float, float], KeyArray]
    #: no two keys are nearer to each other, summer time apart
    shortest_step: int
    #: the key of a bound
    key_of: Callable[[float], float]


class DateKeyRenderer:
    def __init__(self, keys: IntArray, format: ValueFormat) -> None:
        self._keys: list[int] = keys.tolist()
        self._texts = format.as_strings(self._keys)

    def key_fields(self, bucket: int) -> dict[str, Any]:
        key, text = self._keys[bucket], self._texts[bucket]
        return {"key": key} if text is None else {"key_as_string": text, "key": key}


@dataclass(frozen=True, slots=True)
class NumberKeyRenderer:
    """`steps` are multiples of `interval`, moved by `offset`."""

    steps: KeyArray
    interval: float
    offset: float
    format: ValueFormat

    def value(self, bucket: int) -> float:
        return float(self.steps[bucket]) * self.interval + self.offset

    def key_fields(self, bucket: int) -> dict[str, Any]:
        text = self.format.as_string(self.value(bucket))
        key = {"key": json_number(self.value(bucket))}
        return key if text is None else {"key_as_string": text, **key}


@dataclass
class HistogramAggregator(Aggregator):
    source: Source
    grid: Grid
    min_doc_count: int
    orders: list[Order]
    extended: Bounds | None
    hard: Bounds | None
    #: interval and offset of a numeric histogram; None for dates
    scale: tuple[float, float] | None

    def collect(self, selection: Selection) -> BucketList:
        check_order(self.orders, self.children)
        keyed = key_selection(self.source, selection, self.grid.function)
        cells = self._within_bounds(keyed, count_cells(keyed, selection.n_owners))
        keys: KeyArray = np.asarray(keyed.keys) if len(keyed.keys) else np.empty(0, np.int64)
        if self.min_doc_count > 1:
            cells = _keep(cells, cells.counts >= self.min_doc_count)
        if self.min_doc_count == 0:
            keyed, keys, cells = self._fill_gaps(selection, keyed, keys, cells)
        ranked = self._rank(selection, keyed, cells)
        selection.run.count_buckets(len(ranked))
        bucket_keys = keys[cells.ids[ranked]]
        renderer = (
            DateKeyRenderer(bucket_keys.astype(np.int64, copy=False), self.source.format)
            if self.scale is None
            else NumberKeyRenderer(bucket_keys, *self.scale, self.source.format)
        )
        return BucketList(
            starts=np.searchsorted(cells.owners[ranked], np.arange(selection.n_owners + 1)),
            doc_counts=cells.counts[ranked],
            renderer=renderer,
            children=self.children.collect_below(lambda: regroup(selection, keyed, cells, ranked, len(ranked))),
        )

    def _within_bounds(self, keyed: KeyedSelection, cells: Cells) -> Cells:
        if self.hard is None or not len(keyed.keys):
            return cells
        keys = np.asarray(keyed.keys)[cells.ids]
        keep = np.ones(len(keys), np.bool_)
        if self.hard.low is not None:
            keep &= keys >= self.grid.key_of(self.hard.low)
        if self.hard.high is not None:
            high = self.grid.key_of(self.hard.high)
            # the server takes the upper bound's own bucket for numbers and leaves it out for dates
            keep &= keys < high if self.scale is None else keys <= high
        return _keep(cells, keep)

    def _fill_gaps(
        self, selection: Selection, keyed: KeyedSelection, keys: KeyArray, cells: Cells
    ) -> tuple[KeyedSelection, KeyArray, Cells]:
        """Empty buckets between each owner's first and last, and out to `extended_bounds`."""
        limits = [self.grid.key_of(b) for b in self._extension() if b is not None]
        spans: list[tuple[int, float, float]] = []
        found = keys[cells.ids]
        firsts = np.searchsorted(cells.owners, np.arange(selection.n_owners + 1))
        for owner in range(selection.n_owners):
            own = found[firsts[owner] : firsts[owner + 1]].tolist()
            every = own[:1] + own[-1:] + limits
            if every and (own or len(limits) == 2):
                spans.append((owner, min(every), max(every)))
        if not spans:
            return keyed, keys, cells
        low, high = min(span[1] for span in spans), max(span[2] for span in spans)
        if (high - low) / self.grid.shortest_step > MAX_BUCKETS:
            selection.run.count_buckets(MAX_BUCKETS + 1)
        grid = self.grid.between(low, high)
        simple = _filled(cells, keys, grid) if selection.n_owners == 1 and self.hard is None else None
        if simple is not None:
            return KeyedSelection(grid, keyed.slices), grid, simple
        wanted_owners, wanted_keys = [], []
        for owner, low, high in spans:
            part = grid[np.searchsorted(grid, low) : np.searchsorted(grid, high, side="right")]
            wanted_keys.append(part)
            wanted_owners.append(np.full(len(part), owner, np.int64))
            if sum(map(len, wanted_keys)) > 2 * MAX_BUCKETS:
                selection.run.count_buckets(2 * MAX_BUCKETS)
        # cells are (owner, ordinal of the key); the ordinals change to those of a list with the empty keys
        every_key = np.union1d(keys, grid)
        translation = np.searchsorted(every_key, keys)
        n_keys = len(every_key)
        present = cells.owners * n_keys + translation[cells.ids]
        wanted = np.concatenate(wanted_owners) * n_keys + np.searchsorted(every_key, np.concatenate(wanted_keys))
        codes = np.union1d(present, wanted)
        counts = np.zeros(len(codes), np.int64)
        counts[np.searchsorted(codes, present)] = cells.counts

        def moved() -> list[IntArray]:
            if n_keys == cells.n_keys:
                return cells.codes()
            return [code // cells.n_keys * n_keys + translation[code % cells.n_keys] for code in cells.codes()]

        filled = Cells(codes // n_keys, codes % n_keys, counts, n_keys, moved)
        return KeyedSelection(every_key, keyed.slices), every_key, filled

    def _extension(self) -> tuple[float | None, float | None]:
        """`extended_bounds` inside `hard_bounds`."""
        if self.extended is None:
            return None, None
        return self.extended.low, self.extended.high

    def _rank(self, selection: Selection, keyed: KeyedSelection, cells: Cells) -> IntArray:
        needed = metric_children(self.orders, self.children)
        metrics = None
        if needed:
            everything = np.arange(len(cells.ids))
            metrics = needed.collect(regroup(selection, keyed, cells, everything, len(everything)))
        return sort_cells(self.orders, cells.owners, cells.ids, cells.counts, metrics)


def _filled(cells: Cells, keys: KeyArray, grid: KeyArray) -> Cells | None:
    """The cells of one owner with one for each key of the grid; None if some key with documents is not of the grid."""
    if not len(grid):
        return None
    at = np.searchsorted(grid, keys)
    at[at == len(grid)] = 0
    places = at[cells.ids]
    if not np.array_equal(grid[places], keys[cells.ids]):
        return None
    counts = np.zeros(len(grid), np.int64)
    counts[places] = cells.counts
    everything = np.arange(len(grid))
    return Cells(np.zeros_like(everything), everything, counts, len(grid), lambda: [at[code] for code in cells.codes()])


def _keep(cells: Cells, mask: np.ndarray) -> Cells:
    return Cells(cells.owners[mask], cells.ids[mask], cells.counts[mask], cells.n_keys, cells.codes)


def parse_histogram(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    source = read_source(body, mapping, accepts="numeric")
    if "interval" not in body:
        raise illegal_argument("interval must be positive, got: 0.0")
    interval = body.number("interval", 0.0)
    if not interval > 0:
        raise body.failed("interval", "it must be above 0")
    offset = body.number("offset", 0.0)
    extended, hard = _number_bounds(body, "extended_bounds"), _number_bounds(body, "hard_bounds")
    return {
        "source": source,
        "grid": number_grid(interval, offset),
        "scale": (interval, offset),
        **_common(body, extended, hard),
    }


def number_grid(interval: float, offset: float) -> Grid:
    def steps(values: np.ndarray) -> np.ndarray:
        # minus zero becomes zero
        found = np.floor((values - offset) / interval) + 0.0
        return found.astype(np.int64) if (np.abs(found) < _EXACT_STEPS).all() else found

    return Grid(
        function=KeyFunction(("steps", interval, offset), steps),
        between=lambda low, high: np.arange(low, high + 1),
        shortest_step=1,
        key_of=lambda bound: float(np.floor((bound - offset) / interval)),
    )


def _common(body: Params, extended: Bounds | None, hard: Bounds | None) -> dict[str, Any]:
    if extended and hard:
        for bound, limit, sign in ((extended.low, hard.low, 1), (extended.high, hard.high, -1)):
            if bound is not None and limit is not None and (bound - limit) * sign < 0:
                raise illegal_argument(
                    f"Extended bounds have to be inside hard bounds, hard bounds: [{hard.shown}], "
                    f"extended bounds: [{extended.shown}]"
                )
    return {
        "min_doc_count": body.integer("min_doc_count", 0, at_least=0),
        "orders": read_order(body, [KEY_ASC]),
        "extended": extended,
        "hard": hard,
    }


def _number_bounds(body: Params, key: str) -> Bounds | None:
    given = body.of_type(key, dict)
    if given is None:
        return None
    _check_bound_keys(given)
    low, high = (None if given.get(end) is None else float(given[end]) for end in ("min", "max"))
    if low is not None and high is not None and low > high:
        raise body.failed(key, f"max bound [{high}] must be greater than min bound [{low}]")
    return Bounds(low, high, "--".join("" if b is None else format_float(b) for b in (low, high)))


def _check_bound_keys(given: dict[str, Any]) -> None:
    for unknown in set(given) - {"min", "max"}:
        raise parsing_error(f"[bounds] unknown field [{unknown}]")


def _check_bound_order(key: str, low: float | None, high: float | None, body: Params) -> None:
    if low is not None and high is not None and low > high:
        raise illegal_argument(
            f"[{key}.min][{low}] cannot be greater than [{key}.max][{high}] for histogram aggregation [{body.name}]"
        )


def parse_date_histogram(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    zone = read_zone(body)
    source = read_source(body, mapping, accepts="date", zone=zone)
    extended = _date_bounds(body, "extended_bounds", source, zone)
    hard = _date_bounds(body, "hard_bounds", source, zone)
    common = _common(body, extended, hard)
    return {"source": source, "grid": date_grid(read_rounding(body, zone)), "scale": None, **common}


def _as_longs(values: KeyArray) -> IntArray:
    """Decimals are cut, and what is beyond a long becomes the last one, as Java casts."""
    if values.dtype == np.int64:
        return values.astype(np.int64, copy=False)
    inside = np.clip(values, -(2.0**63), _LAST_DOUBLE_LONG).astype(np.int64)
    return np.where(values > _LAST_DOUBLE_LONG, np.int64(2**63 - 1), inside)


_LAST_DOUBLE_LONG = math.nextafter(2.0**63, 0.0)


def date_grid(rounding: Rounding) -> Grid:
    return Grid(
        function=KeyFunction(("dates", rounding), lambda values: rounding.floor(_as_longs(values))),
        between=lambda low, high: rounding.keys_between(int(low), int(high)),
        shortest_step=rounding.length_ms,
        key_of=lambda bound: rounding.floor_one(int(bound)),
    )


def read_zone(body: Params) -> Zone | None:
    given = body.take("time_zone")
    if given is None:
        return None
    if isinstance(given, dict | list | bool):
        raise body.wrong("time_zone", given)
    try:
        return parse_zone(given) if isinstance(given, str) else parse_zone(f"{int(given):+03d}:00")
    except EngineError as error:
        raise body.failed("time_zone", error.reason) from error


def read_rounding(body: Params, zone: Zone | None) -> Rounding:
    """Takes `calendar_interval` or `fixed_interval`, and `offset`."""
    calendar, fixed = body.text("calendar_interval"), body.text("fixed_interval")
    offset = body.take("offset", 0)
    offset_ms = offset if isinstance(offset, int) else time_value_ms(str(offset), body, "offset")
    if not -(2**63) <= offset_ms < 2**63:
        raise body.failed("offset", f"Numeric value ({offset_ms}) out of range of long")
    if calendar is not None and fixed is not None:
        reason = "Cannot use [fixed_interval] with [calendar_interval] configuration option."
        raise body.failed("fixed_interval", reason)
    if calendar is not None:
        unit = _CALENDAR.get(calendar)
        if unit is None:
            reason = f"The supplied interval [{calendar}] could not be parsed as a calendar interval."
            raise body.failed("calendar_interval", reason)
        return Rounding(zone or UTC_ZONE, unit=unit, offset_ms=offset_ms)
    if fixed is None:
        body.finish()
        raise illegal_argument("Invalid interval specified, must be non-null and non-empty")
    interval_ms = time_value_ms(fixed, body, "fixed_interval")
    if interval_ms < 1:
        raise illegal_argument("Zero or negative time interval not supported")
    return Rounding(zone or UTC_ZONE, interval_ms=interval_ms, offset_ms=offset_ms)


def time_value_ms(text: str, body: Params, key: str) -> int:
    match = _TIME_VALUE.match(text.strip())
    if match is None or match.group(2).lower() not in _UNIT_MS:
        name = "fixedInterval" if key == "fixed_interval" else key
        reason = (
            f"failed to parse setting [{body.name}.{name}] with value [{text}] as a time value: "
            "unit is missing or unrecognized"
        )
        raise body.failed(key, reason)
    return int(match.group(1)) * _UNIT_MS[match.group(2).lower()]


def _date_bounds(body: Params, key: str, source: Source, zone: Zone | None) -> Bounds | None:
    given = body.of_type(key, dict)
    if given is None:
        return None
    _check_bound_keys(given)
    ends: list[int | None] = []
    for end in ("min", "max"):
        value = given.get(end)
        if value is None or isinstance(value, int):
            ends.append(value)
        else:
            format_ = getattr(source.format, "format", None)
            name = format_.source if format_ is not None else "strict_date_optional_time||epoch_millis"
            ends.append(_parse_bound(str(value), name, zone))
    _check_bound_order(key, ends[0], ends[1], body)
    shown = "--".join("" if given.get(end) is None else str(given[end]) for end in ("min", "max"))
    return Bounds(ends[0], ends[1], shown)


def _parse_bound(text: str, format: str, zone: Zone | None) -> int:
    return parse_date(text, format, now_ms=0, tz=None if zone is None else zone.name)
