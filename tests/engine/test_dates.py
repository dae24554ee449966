"""Dates: what Elasticsearch's own classes answered, and properties of the rounding.

`test_dates_recorded.json` was written by calling `DateFormatter`, `DateMathParser` and `Rounding` of Elasticsearch
8.19 (locale data of Java 25); null stands for a refusal.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qlc_engine.dates import CALENDAR_UNITS, Rounding, date_format, parse_date, parse_zone, zones
from qlc_engine.dates.calendar import civil_from_days, days_from_civil, days_from_week, week_of_week_year, weekday
from qlc_engine.errors import EngineError
from tests.tables import rows, table

RECORDED: dict[str, list[list[Any]]] = json.loads(
    Path(__file__).with_name("test_dates_recorded.json").read_text(encoding="utf-8")
)
NOW_MS = 1_700_000_000_123
UNITS = table(__file__, "UNITS")
INSTANTS = st.integers(-5_000_000_000_000, 5_000_000_000_000)
A_YEAR = 366 * 86_400_000
ZONES = st.sampled_from(["Z", "+05:30", "Europe/Paris", "America/New_York", "America/Sao_Paulo", "Pacific/Apia"])


def parsed(format: str, round_up: str, zone: str, text: str) -> int | None:
    try:
        return parse_date(text, format, now_ms=NOW_MS, round_up=round_up == "1", tz=zone or None)
    except EngineError:
        return None


def printed(format: str, zone: str, utc_ms: int) -> str | None:
    try:
        return date_format(format).format(utc_ms, parse_zone(zone or "Z"))
    except EngineError:
        return None


def rounding(unit: str, zone: str, offset_ms: int) -> Rounding:
    if unit in UNITS:
        return Rounding(parse_zone(zone), unit=UNITS[unit], offset_ms=offset_ms)
    return Rounding(parse_zone(zone), interval_ms=int(unit[1:]), offset_ms=offset_ms)


def test_parses_as_recorded() -> None:
    differing = [(case, found) for case in RECORDED["parse"] if (found := parsed(*case[:4])) != case[4]]
    assert differing == []


def test_prints_as_recorded() -> None:
    differing = [(case, found) for case in RECORDED["format"] if (found := printed(*case[:3])) != case[3]]
    assert differing == []


def test_rounds_as_recorded() -> None:
    differing = [
        (case, found) for case in RECORDED["round"] if (found := rounding(*case[:3]).floor_one(case[3])) != case[4]
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("zone", "unit", "interval_ms", "change", "keys"), rows(__file__, "test_buckets_around_a_change_of_the_clock")
)
def test_buckets_around_a_change_of_the_clock(
    zone: str, unit: str | None, interval_ms: int | None, change: int, keys: list[int]
) -> None:
    """As a server of 8.19 put documents into the buckets of a date_histogram; keys are told from the change on."""
    found = Rounding(parse_zone(zone), unit=unit, interval_ms=interval_ms).floor(
        change + np.array([-1, 0, 600_000, 2_400_000, 4_000_000])
    )
    assert (found - change).tolist() == keys


@pytest.mark.parametrize(("text", "reason"), rows(__file__, "test_refusals_tell_what_the_server_tells"))
def test_refusals_tell_what_the_server_tells(text: str, reason: str) -> None:
    with pytest.raises(EngineError) as caught:
        parse_date(text, "strict_date_optional_time", now_ms=NOW_MS)
    assert (caught.value.type, caught.value.reason, caught.value.status) == ("parse_exception", reason, 400)


@given(st.integers(-4_000_000, 4_000_000))
def test_calendar_goes_there_and_back(days: int) -> None:
    assert days_from_civil(*civil_from_days(days)) == days
    assert days_from_week(*week_of_week_year(days), weekday(days)) == days


@settings(max_examples=60, deadline=None)
@given(st.lists(INSTANTS, min_size=1, max_size=20), ZONES, st.sampled_from(sorted(CALENDAR_UNITS)))
def test_rounding_is_idempotent_and_never_later(instants: list[int], zone: str, unit: str) -> None:
    rounded = Rounding(parse_zone(zone), unit=unit)
    values = np.array(instants, np.int64)
    keys = rounded.floor(values)
    assert (keys <= values).all()
    assert (rounded.floor(keys) == keys).all()
    assert keys.tolist() == [rounded.floor_one(value) for value in instants]


@settings(max_examples=60, deadline=None)
@given(INSTANTS, ZONES, st.sampled_from(["day", "week", "month", "quarter", "year"]))
def test_keys_follow_each_other_without_gap(instant: int, zone: str, unit: str) -> None:
    rounded = Rounding(parse_zone(zone), unit=unit)
    key = rounded.floor_one(instant)
    _, following, *_ = rounded.keys_between(key, rounded.floor_one(key + 2 * A_YEAR)).tolist()
    assert key <= instant < following
    assert rounded.floor_one(following - 1) == key
    assert rounded.floor_one(following) == following


YEARS = (2500, 2501, 2599, 2600, 5003, 9998)


@pytest.mark.parametrize(
    "name", ["Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza", "Asia/Tokyo"]
)
def test_a_year_that_repeats_another_has_the_changes_that_are_found_in_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    region = zones.parse_zone(name).region
    repeated = {year: zones.Zone(name, None, region)._year_transitions(year) for year in YEARS}
    monkeypatch.setattr(zones, "_REPEATS_FROM", 10_000)
    assert repeated == {year: zones.Zone(name, None, region)._year_transitions(year) for year in YEARS}
