"""Rounding of instants down to calendar units or fixed intervals in a time zone, vectorised.

The rules for days that begin inside a gap and hours that happen twice are those of Elasticsearch's `Rounding`: units of
a day and more begin at the first instant of the local day; shorter ones and intervals keep the offset in force.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qlc_engine.dates.calendar import MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND, MS_PER_WEEK
from qlc_engine.dates.zones import IntArray, Transitions, Zone, period_of

#: Length of a unit in ms where it is fixed; otherwise how many months it has.
_FIXED_UNITS = {"second": MS_PER_SECOND, "minute": MS_PER_MINUTE, "hour": MS_PER_HOUR, "day": MS_PER_DAY}
_MONTHS_PER_UNIT = {"month": 1, "quarter": 3, "year": 12}
_THURSDAY_TO_MONDAY_MS = 3 * MS_PER_DAY
CALENDAR_UNITS = frozenset({*_FIXED_UNITS, "week", *_MONTHS_PER_UNIT})
_LONGEST_UNIT_MS = 400 * MS_PER_DAY


@dataclass(frozen=True, slots=True)
class Rounding:
    """Rounds to a calendar `unit`, or to multiples of `interval_ms` (exactly one of the two), moved by `offset_ms`."""

    zone: Zone
    unit: str | None = None
    interval_ms: int | None = None
    offset_ms: int = 0

    @property
    def length_ms(self) -> int:
        """The length of the interval or unit; for months and more a lower bound."""
        if self.interval_ms is not None:
            return self.interval_ms
        if self.unit == "week":
            return MS_PER_WEEK
        return _FIXED_UNITS.get(self.unit or "") or 28 * MS_PER_DAY

    @property
    def _is_short_unit(self) -> bool:
        """Whether it is a calendar unit of less than a day."""
        return self.interval_ms is None and self.length_ms < MS_PER_DAY

    def floor(self, utc_ms: IntArray) -> IntArray:
        """The key (epoch ms) of the bucket of each instant."""
        if len(utc_ms) == 0:
            return utc_ms.astype(np.int64)
        shifted = utc_ms - self.offset_ms if self.offset_ms else utc_ms
        keys = self._floor_without_offset(shifted)
        return keys + self.offset_ms if self.offset_ms else keys

    def floor_one(self, utc_ms: int) -> int:
        return int(self.floor(np.array([utc_ms], np.int64))[0])

    def keys_between(self, first_key: int, last_key: int) -> IntArray:
        """All keys from one key to another, both included."""
        if first_key > last_key:
            return np.empty(0, np.int64)
        first, last = first_key - self.offset_ms, last_key - self.offset_ms
        if self.unit in _MONTHS_PER_UNIT:
            samples = self._month_samples(first, last)
        else:
            step = self.length_ms
            samples = np.arange(first, last + step, step, dtype=np.int64)
            changes = self.zone.transitions(first, last).starts_ms
            changes = changes[(changes >= first) & (changes <= last)]
            if len(changes):
                # a bucket cut short by a transition could lie between two samples
                samples = np.concatenate((samples, samples + step // 2, changes, changes - 1))
        keys = np.unique(self._floor_without_offset(samples)) + self.offset_ms
        return keys[(keys >= first_key) & (keys <= last_key)]

    def _month_samples(self, first: int, last: int) -> IntArray:
        """One instant in the middle of each month from `first` to `last`."""
        months = np.arange(
            np.int64(first).astype("M8[ms]").astype("M8[M]").astype(np.int64) - 1,
            np.int64(last).astype("M8[ms]").astype("M8[M]").astype(np.int64) + 2,
        )
        samples: IntArray = months.astype("M8[M]").astype("M8[ms]").astype(np.int64) + 14 * MS_PER_DAY
        return samples

    def _floor_without_offset(self, utc_ms: IntArray) -> IntArray:
        if self.zone.fixed_ms is not None:
            shift = self.zone.fixed_ms
            return self._floor_local(utc_ms + shift) - shift if shift else self._floor_local(utc_ms)
        transitions = self.zone.transitions(int(utc_ms.min()) - _LONGEST_UNIT_MS, int(utc_ms.max()))
        period = period_of(transitions, utc_ms)
        local = self._floor_local(utc_ms + transitions.offsets_ms[period])
        return self._local_to_utc(local, period, transitions)

    def _floor_local(self, local_ms: IntArray) -> IntArray:
        """The beginning of the unit or interval on a clock without transitions."""
        if self.interval_ms is not None:
            return local_ms // self.interval_ms * self.interval_ms
        if self.unit == "week":
            shifted = local_ms + _THURSDAY_TO_MONDAY_MS
            return shifted // MS_PER_WEEK * MS_PER_WEEK - _THURSDAY_TO_MONDAY_MS
        assert self.unit is not None
        months = _MONTHS_PER_UNIT.get(self.unit)
        if months is None:
            length = _FIXED_UNITS[self.unit]
            return local_ms // length * length
        month = local_ms.astype("M8[ms]").astype("M8[M]")
        if months > 1:
            month = (month.astype(np.int64) // months * months).astype("M8[M]")
        return month.astype("M8[ms]").astype(np.int64)

    def _local_to_utc(self, local_ms: IntArray, period: IntArray, transitions: Transitions) -> IntArray:
        """The instants of rounded local times, each beginning its search at the period of the unrounded instant."""
        starts, offsets = transitions.starts_ms, transitions.offsets_ms
        local_ms = local_ms.copy()
        out = local_ms - offsets[period]
        open_ = np.flatnonzero(period > 0)
        period = period.copy()
        while len(open_):
            local, index = local_ms[open_], period[open_]
            start, before, after = starts[index - 1], offsets[index - 1], offsets[index]
            out[open_] = local - after
            # on this side of the transition whatever the offset: resolved
            unresolved = local < start + np.maximum(before, after)
            open_, local, index = open_[unresolved], local[unresolved], index[unresolved]
            start, before, after = start[unresolved], before[unresolved], after[unresolved]
            in_change = local >= start + np.minimum(before, after)
            in_gap = in_change & (after > before)
            out[open_[in_gap]] = start[in_gap]
            if self._is_short_unit:
                # no hour begins where the gap is: the bucket is that of the last instant before it
                later = after > before
                local[later] = self._floor_local(start[later] + before[later] - 1)
                in_gap &= False
            if self.interval_ms is not None:
                # an interval that began before an overlap is cut short by the last one to begin within it
                begun = ~in_change & (before > after)
                local[begun] = self._floor_local(start[begun] + before[begun] - 1)
            stays = in_gap | self._stays_in_later_offset(in_change, before - after)
            open_, index = open_[~stays], index[~stays] - 1
            period[open_] = index
            local_ms[open_] = local[~stays]
            out[open_] = local_ms[open_] - offsets[index]
            open_ = open_[index > 0]
        return out

    def _stays_in_later_offset(self, in_overlap_or_gap: np.ndarray, overlap_ms: IntArray) -> np.ndarray:
        """Return a mask of the times before the end of an overlap that use the later offset."""
        overlaps = overlap_ms > 0
        if self.interval_ms is not None:
            return in_overlap_or_gap & overlaps
        if not self._is_short_unit:
            # units of a day and more begin at the first of the two midnights
            return np.zeros(len(overlap_ms), np.bool_)
        return overlaps & (in_overlap_or_gap | (overlap_ms >= self.length_ms))
