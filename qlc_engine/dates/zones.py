"""Time zones: fixed offsets and IANA regions, their transitions as arrays, local time to UTC by Java's rules.

`zoneinfo` does not show its transitions, so they are found by asking for the offset week by week and halving where it
changes. No region has changed its offset there and back within a week since standard time began. What is known of the
future is a rule of each year, so it repeats as the calendar does: every 400 years, which are whole weeks.
"""

from __future__ import annotations

import re
import zoneinfo
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from qlc_engine.dates.calendar import MS_PER_SECOND, civil_from_days, days_from_civil
from qlc_engine.errors import EngineError

IntArray = NDArray[np.int64]

#: Standard time began after 1850; before it every region keeps its local mean time.
_FIRST_YEAR = 1850
_LAST_YEAR = 9999
#: From here on each year is as that of 400 years before.
_REPEATS_FROM = 2501
_SECONDS_PER_DAY = 86_400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_OFFSET_SECONDS = 18 * 3600

_OFFSET = re.compile(r"([+-])(\d|\d\d(?::\d\d(?::\d\d)?|\d\d(?:\d\d)?)?)\Z", re.ASCII)
_PREFIXED = re.compile(r"(?:UTC|GMT|UT)([+-].*)\Z")
#: links of the IANA database that Java leaves out (some of them stand for fixed offsets there)
_UNKNOWN_TO_JAVA = frozenset({"EST", "MST", "HST", "ROC", "localtime", "posixrules", "Factory"})
_REGION = re.compile(r"[A-Za-z][A-Za-z0-9~/._+-]+\Z")


@dataclass(frozen=True, slots=True)
class Transitions:
    """`offsets_ms[i]` holds from `starts_ms[i - 1]` (inclusive) to `starts_ms[i]`; the first from ever."""

    starts_ms: IntArray
    offsets_ms: IntArray


@dataclass(frozen=True)
class Zone:
    """A time zone. `fixed_ms` is the offset from UTC if it never changes; `region` the IANA zone otherwise."""

    name: str
    fixed_ms: int | None
    region: zoneinfo.ZoneInfo | None = None
    _years: dict[int, list[tuple[int, int]]] = field(default_factory=dict, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.name)

    def offset_ms(self, utc_ms: int) -> int:
        """The offset from UTC in force at an instant."""
        if self.fixed_ms is not None:
            return self.fixed_ms
        return self._probe(utc_ms // MS_PER_SECOND) * MS_PER_SECOND

    def to_utc(self, local_ms: int, preferred_offset_ms: int | None = None) -> int:
        """The instant of a local time, as Java's `ZonedDateTime.ofLocal`.

        In an overlap the preferred offset if it is one of the two, else the earlier instant; a time inside a gap moves
        later by the gap's length.
        """
        if self.fixed_ms is not None:
            return local_ms - self.fixed_ms
        near = self.transitions(local_ms - 2 * 86_400_000, local_ms + 2 * 86_400_000)
        starts = near.starts_ms.tolist()
        offsets = near.offsets_ms.tolist()
        for i, start in enumerate(starts):
            before, after = offsets[i], offsets[i + 1]
            if local_ms < start + max(before, after):
                if local_ms >= start + after and after < before and preferred_offset_ms == after:
                    return int(local_ms - after)
                return int(local_ms - before)
        return int(local_ms - offsets[-1])

    def transitions(self, first_ms: int, last_ms: int) -> Transitions:
        """All changes of the offset between two instants, and possibly some around them."""
        if self.fixed_ms is not None:
            return Transitions(np.empty(0, np.int64), np.array([self.fixed_ms], np.int64))
        return _transitions(self, _year_of(first_ms), _year_of(last_ms))

    def _probe(self, utc_seconds: int) -> int:
        seconds = min(max(utc_seconds, _LOWEST), _HIGHEST)
        offset = (_EPOCH + timedelta(seconds=seconds)).astimezone(self.region).utcoffset()
        assert offset is not None
        return offset.days * _SECONDS_PER_DAY + offset.seconds

    def _year_transitions(self, year: int) -> list[tuple[int, int]]:
        """(UTC second, offset from then on) of one year."""
        found = self._years.get(year)
        if found is None and year >= _REPEATS_FROM:
            past = _seconds_of(year) - _seconds_of(year - 400)
            found = [(start + past, offset) for start, offset in self._year_transitions(year - 400)]
            self._years[year] = found
        if found is None:
            found = []
            end = _seconds_of(year + 1)
            at = _seconds_of(year)
            offset = self._probe(at)
            while at < end:
                later = min(at + 7 * _SECONDS_PER_DAY, end)
                if (then := self._probe(later)) != offset:
                    low, high = at, later
                    while high - low > 1:
                        middle = (low + high) // 2
                        if self._probe(middle) == offset:
                            low = middle
                        else:
                            high = middle
                    found.append((high, then))
                    offset = then
                at = later
            self._years[year] = found
        return found


def _seconds_of(year: int) -> int:
    """Return the UTC second at which a year begins."""
    return days_from_civil(year, 1, 1) * _SECONDS_PER_DAY


_LOWEST = days_from_civil(1, 1, 2) * _SECONDS_PER_DAY
_HIGHEST = days_from_civil(9999, 12, 30) * _SECONDS_PER_DAY
UTC_ZONE = Zone("Z", 0)


def _year_of(utc_ms: int) -> int:
    return min(max(civil_from_days(utc_ms // 86_400_000)[0], _FIRST_YEAR), _LAST_YEAR)


@lru_cache(maxsize=256)
def _transitions(zone: Zone, first_year: int, last_year: int) -> Transitions:
    starts: list[int] = []
    offsets = [zone._probe(_seconds_of(first_year))]
    for year in range(first_year, last_year + 1):
        for start, offset in zone._year_transitions(year):
            starts.append(start)
            offsets.append(offset)
    return Transitions(np.array(starts, np.int64) * MS_PER_SECOND, np.array(offsets, np.int64) * MS_PER_SECOND)


@lru_cache(maxsize=512)
def parse_zone(text: str) -> Zone:
    """The zone of an identifier that Java's `ZoneId.of` takes: `Z`, `UTC`, `+05:30`, `+0530`, `UTC+1`, `Europe/Rome`.

    Raises `EngineError` (`date_time_exception`, `zone_rules_exception`) for anything else.
    """
    if text in ("Z", "UTC", "GMT", "UT"):
        return UTC_ZONE if text == "Z" else Zone(text, 0)
    prefixed = _PREFIXED.match(text)
    offset_text = prefixed.group(1) if prefixed else text
    if offset_text[:1] in ("+", "-"):
        seconds = parse_offset(offset_text)
        return Zone(text, seconds * MS_PER_SECOND)
    if text in _UNKNOWN_TO_JAVA:
        raise EngineError("zone_rules_exception", f"Unknown time-zone ID: {text}")
    if not _REGION.match(text):
        raise EngineError("date_time_exception", f"Invalid ID for region-based ZoneId, invalid format: {text}")
    try:
        return Zone(text, None, zoneinfo.ZoneInfo(text))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise EngineError("zone_rules_exception", f"Unknown time-zone ID: {text}") from None


def parse_offset(text: str) -> int:
    """Seconds east of UTC of `+h`, `+hh`, `+hh:mm`, `+hhmm`, `+hh:mm:ss`, `+hhmmss`."""
    match = _OFFSET.match(text)
    if match is None:
        raise EngineError("date_time_exception", f"Invalid ID for ZoneOffset, invalid format: {text}")
    sign, clock = match.groups()
    digits = clock.replace(":", "").zfill(2).ljust(6, "0")
    hours, minutes, seconds = int(digits[:2]), int(digits[2:4]), int(digits[4:])
    total = hours * 3600 + minutes * 60 + seconds
    if total > _MAX_OFFSET_SECONDS or minutes > 59 or seconds > 59:
        raise EngineError("date_time_exception", "Zone offset not in valid range: -18:00 to +18:00")
    return -total if sign == "-" else total


def period_of(transitions: Transitions, utc_ms: IntArray) -> IntArray:
    """For each instant the index of its offset in `transitions.offsets_ms`."""
    if len(utc_ms) == 1:
        return np.array([bisect_right(transitions.starts_ms.tolist(), int(utc_ms[0]))], np.int64)
    return np.searchsorted(transitions.starts_ms, utc_ms, side="right").astype(np.int64)
