"""`range` and `date_range`: buckets by bounds, lower inclusive and upper exclusive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.histograms import read_zone
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, numeric_parts, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.aggregations.value_format import DateValueFormat
from qlc_engine.columns import IntArray
from qlc_engine.dates import Zone, parse_date
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.json_input import json_token
from qlc_engine.mapping import DEFAULT_DATE_FORMAT, FieldLookup
from qlc_engine.params import Params
from qlc_engine.value_parsers import format_float, round_to_type


@dataclass(frozen=True, slots=True)
class Range:
    """`low` inclusive, `high` exclusive; None is open. Dates are in epoch milliseconds.

    `stored` are the bounds of numbers in the precision of the field's type, which values are compared with.
    """

    key: str | None
    low: Any
    high: Any
    stored: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True)
class RangeRenderer:
    ranges: list[Range]
    source: Source

    def key_fields(self, bucket: int) -> dict[str, Any]:
        wanted = self.ranges[bucket % len(self.ranges)]
        key = wanted.key
        if key is None:
            key = f"{self._text(wanted.low)}-{self._text(wanted.high)}"
        out: dict[str, Any] = {"key": key}
        for name, bound in (("from", wanted.low), ("to", wanted.high)):
            if bound is None:
                continue
            out[name] = float(bound)
            text = self.source.format.as_string(bound)
            if text is not None:
                out[f"{name}_as_string"] = text
        return out

    def _text(self, bound: Any) -> str:
        return "*" if bound is None else self.source.format.text(bound)


@dataclass
class RangeAggregator(Aggregator):
    source: Source
    ranges: list[Range]

    def collect(self, selection: Selection) -> BucketList:
        slices = [
            self._slice(part, positions, [_within(values, *wanted.stored) for wanted in self.ranges])
            for part, positions, values in numeric_parts(self.source, selection)
        ]
        number = selection.n_owners * len(self.ranges)
        selection.run.count_buckets(selection.occupied() * len(self.ranges))
        below = Selection(selection.run, selection.path, number, slices)
        return BucketList(
            starts=np.arange(selection.n_owners + 1) * len(self.ranges),
            doc_counts=below.doc_counts(),
            renderer=RangeRenderer(self.ranges, self.source),
            children=self.children.collect(below),
        )

    def _slice(self, part: Slice, positions: IntArray | None, masks: list[NDArray[np.bool_]]) -> Slice:
        """The documents of each range, each once in it."""
        owners = part.owner_array()
        chosen: list[IntArray] = []
        buckets: list[IntArray] = []
        for number, mask in enumerate(masks):
            at = np.flatnonzero(mask)
            if positions is not None:
                at = positions[at]
                if len(at) > 1:
                    at = at[np.concatenate(([True], at[1:] != at[:-1]))]
            chosen.append(at)
            buckets.append(owners[at] * len(self.ranges) + number)
        return part.pick(np.concatenate(chosen), np.concatenate(buckets))


def _within(values: NDArray[Any], low: float | None, high: float | None) -> NDArray[np.bool_]:
    mask = np.ones(len(values), np.bool_)
    if low is not None:
        mask &= values >= low
    if high is not None:
        mask &= values < high
    return mask


def parse_range(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    source = read_source(body, mapping, accepts="numeric")
    ranges = []
    for key, entry in entries_of(body):
        low, high = (_bound(entry[end], source) for end in ("from", "to"))
        ranges.append(Range(key, low, high, (_stored(low, source), _stored(high, source))))
    return {"source": source, "ranges": sorted_ranges(ranges)}


def _stored(bound: float | None, source: Source) -> float | None:
    """The bound as the field's type would hold it. Raises EngineError where it cannot."""
    kind = source.field.type if source.field is not None else ""
    if bound is None or kind not in ("float", "half_float"):
        return bound
    rounded = round_to_type(bound, kind)
    if not math.isfinite(rounded) and math.isfinite(bound):
        single = format_float(round_to_type(bound, "float"))
        raise illegal_argument(f"[{kind}] supports only finite values, but got [{single}]")
    return rounded


def _bound(value: Any, source: Source) -> float | None:
    if value is None:
        return None
    if isinstance(value, str) and source.is_date:
        assert source.field is not None
        return float(parse_date(value, source.field.format, now_ms=0))
    try:
        return float(value)
    except (TypeError, ValueError):
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None


@dataclass
class DateRangeAggregator(RangeAggregator):
    """Bounds may be date math: they are read anew with the clock of each request."""

    zone: Zone | None
    entries: list[tuple[str | None, dict[str, Any]]]

    def collect(self, selection: Selection) -> BucketList:
        self.ranges = _date_ranges(self.entries, _format_of(self.source), self.zone, selection.run.context.now_ms)
        return super().collect(selection)


def parse_date_range(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    zone = read_zone(body)
    source = read_source(body, mapping, accepts="date", zone=zone)
    entries = entries_of(body)
    ranges = _date_ranges(entries, _format_of(source), zone, now_ms=0)
    return {"source": source, "ranges": ranges, "zone": zone, "entries": entries}


def _format_of(source: Source) -> str:
    """Return the format in which bounds are read."""
    return source.format.format.source if isinstance(source.format, DateValueFormat) else DEFAULT_DATE_FORMAT


def _date_ranges(
    entries: list[tuple[str | None, dict[str, Any]]], format: str, zone: Zone | None, now_ms: int
) -> list[Range]:
    ranges = []
    for key, entry in entries:
        low, high = (_date_bound(entry[end], format, zone, now_ms) for end in ("from", "to"))
        ranges.append(Range(key, low, high, (low, high)))
    return sorted_ranges(ranges)


def _date_bound(value: Any, format: str, zone: Zone | None, now_ms: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(int(value))
    return parse_date(str(value), format, now_ms=now_ms, tz=None if zone is None else zone.name)


def entries_of(body: Params) -> list[tuple[str | None, dict[str, Any]]]:
    given = body.of_type("ranges", list)
    if not given:
        raise illegal_argument(f"No [ranges] specified for the [{body.name}] aggregation")
    entries: list[tuple[str | None, dict[str, Any]]] = []
    for entry in given:
        if not isinstance(entry, dict):
            raise body.wrong("ranges", entry)
        for unknown in set(entry) - {"key", "from", "to"}:
            raise body.failed("ranges", f"unknown field [{unknown}]")
        for end in ("from", "to"):
            if isinstance(entry.get(end), dict | list | bool):
                raise body.failed("ranges", f"{end} doesn't support values of type: {json_token(entry[end])}")
        key = entry.get("key")
        filled = {"from": entry.get("from"), "to": entry.get("to")}
        entries.append((None if key is None else str(key), filled))
    return entries


def sorted_ranges(ranges: list[Range]) -> list[Range]:
    """By lower and then upper bound, open ends outermost: the order of the answer."""
    infinity = float("inf")
    return sorted(
        ranges,
        key=lambda r: (-infinity if r.low is None else r.low, infinity if r.high is None else r.high),
    )
