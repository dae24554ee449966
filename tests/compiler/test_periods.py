"""Periods against a plain calculation: an instant lies in a period where its local date carries the period's label."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.compiler import typed
from qlc.compiler.periods import (
    Clock,
    InvalidDate,
    Period,
    calendar_period,
    is_date,
    parse_period,
    relative_period,
    rolling_period,
    whole_days,
)
from qlc.grammar.tree import CalendarUnit

from .world import relaxed

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Sao_Paulo",
         "America/Havana", "Pacific/Apia", "America/St_Johns"]  # fmt: skip
zones = st.sampled_from(ZONES).map(ZoneInfo)
moments = st.datetimes(datetime(1995, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))
clocks = st.builds(Clock, moments, zones, st.sampled_from([0, 6]))
near = st.timedeltas(timedelta(days=-3), timedelta(days=3))


def holds(period: Period, moment: datetime) -> bool:
    # In UTC: two local times of one zone are compared by their clock faces.
    return period.start.astimezone(UTC) <= moment < period.end.astimezone(UTC)


def around(period: Period, shift: timedelta) -> list[datetime]:
    edges = (period.start.astimezone(UTC), period.end.astimezone(UTC))
    return [edge + step for edge in edges for step in (timedelta(0), timedelta(microseconds=-1), shift)]


# --- absolute --------------------------------------------------------------------------------------------------------

LABELS: dict[str, Callable[[date], str]] = {
    "year": lambda d: f"{d.year:04d}",
    "quarter": lambda d: f"{d.year:04d}-Q{(d.month + 2) // 3}",
    "month": lambda d: f"{d.year:04d}-{d.month:02d}",
    "week": lambda d: "{:04d}-W{:02d}".format(*d.isocalendar()[:2]),
    "day": lambda d: d.isoformat(),
}


@relaxed
@given(st.sampled_from(sorted(LABELS)), st.dates(date(1995, 1, 1), date(2035, 1, 1)), zones, near)
def test_a_literal_holds_the_instants_whose_local_date_carries_its_label(
    unit: str, day: date, zone: ZoneInfo, shift: timedelta
) -> None:
    text = LABELS[unit](day)
    period = parse_period(text, zone)
    for moment in around(period, shift):
        assert holds(period, moment) == (LABELS[unit](moment.astimezone(zone).date()) == text)


@relaxed
@given(moments, zones)
def test_a_literal_with_an_offset_is_the_same_instant_in_every_zone(moment: datetime, zone: ZoneInfo) -> None:
    text = f"{moment:%Y-%m-%dT%H:%M:%S}"
    assert parse_period(f"{text}Z", zone).start == parse_period(f"{text}+00:00", zone).start
    assert parse_period(f"{text}Z", zone).start == moment.replace(microsecond=0)


@pytest.mark.parametrize(
    ("text", "length", "instant"),
    [
        ("2024-03-05T15", timedelta(hours=1), False),
        ("2024-03-05T15:00", timedelta(minutes=1), True),
        ("2024-03-05T15:00:30", timedelta(seconds=1), True),
        ("2024-03-05T15:00:30.125", timedelta(milliseconds=1), True),
        ("2024-03-05 15:00", timedelta(minutes=1), True),
        ("2024-03-05T15:00+0530", timedelta(minutes=1), True),
    ],
)
def test_a_time_is_as_long_as_its_last_part_and_an_instant_from_the_minute_on(
    text: str, length: timedelta, instant: bool
) -> None:
    period = parse_period(text, UTC)
    assert (period.end - period.start, period.instant) == (length, instant)


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2023-02-29", "2024-13", "2024-00", "2024-W60", "2023-W53", "2024-03-05T24", "2024-03-05T15:60",
     "0000", "9999", "2024-03-05T15:00+19:00"],
)  # fmt: skip
def test_what_no_calendar_has_is_refused_in_plain_words(text: str) -> None:
    with pytest.raises(InvalidDate) as problem:
        parse_period(text, UTC)
    assert str(problem.value)


@pytest.mark.parametrize("text", ["", "24", "2024-3", "2024-Q5", "2024-03-05T15:00 CET", "٢٠٢٤", "soon", "2024-03-05T"])
def test_other_texts_are_no_dates(text: str) -> None:
    assert not is_date(text)


# --- relative --------------------------------------------------------------------------------------------------------


def position(unit: str, day: date, week_start: int) -> int:
    """How many units of the calendar lie between a fixed day and this one."""
    match unit:
        case "day":
            return day.toordinal()
        case "week":
            return (day.toordinal() - 1 - week_start) // 7
        case "month":
            return day.year * 12 + day.month
        case "quarter":
            return day.year * 4 + (day.month - 1) // 3
        case _:
            return day.year


@relaxed
@given(st.sampled_from(["day", "week", "month", "quarter", "year"]), clocks, st.integers(-40, 40), near)
def test_calendar_units_are_counted_from_the_one_that_holds_now(
    unit: CalendarUnit, clock: Clock, shift: int, step: timedelta
) -> None:
    period = calendar_period(unit, clock.now, clock, shift)
    here = position(unit, clock.local.date(), clock.week_start)
    for moment in around(period, step):
        there = position(unit, moment.astimezone(clock.zone).date(), clock.week_start)
        assert holds(period, moment) == (there - here == shift)


@relaxed
@given(st.sampled_from(["minute", "hour"]), clocks, st.integers(-100, 100))
def test_minutes_and_hours_are_elapsed_time(unit: CalendarUnit, clock: Clock, shift: int) -> None:
    length = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
    now = calendar_period(unit, clock.now, clock)
    assert holds(now, clock.now)
    period = calendar_period(unit, clock.now, clock, shift)
    assert period.start.astimezone(UTC) - now.start.astimezone(UTC) == shift * length
    assert period.end.astimezone(UTC) - period.start.astimezone(UTC) == length


@relaxed
@given(st.sampled_from(get_args(CalendarUnit)), clocks)
def test_without_a_number_last_this_and_next_lie_side_by_side(unit: CalendarUnit, clock: Clock) -> None:
    last, this, following = (
        relative_period(typed.RelativePeriod(which, unit), clock) for which in ("last", "this", "next")
    )
    assert holds(this, clock.now)
    assert (last.end, this.end) == (this.start, following.start)


@relaxed
@given(st.sampled_from(get_args(CalendarUnit)), clocks, st.integers(1, 500))
def test_with_a_number_a_period_runs_up_to_now_or_from_it(unit: CalendarUnit, clock: Clock, count: int) -> None:
    last, following = rolling_period("last", count, unit, clock), rolling_period("next", count, unit, clock)
    assert last.end == following.start == clock.now
    assert last.start.astimezone(UTC) < clock.now < following.end.astimezone(UTC)


@relaxed
@given(st.sampled_from(["day", "week", "month", "year"]), clocks, st.integers(1, 50))
def test_rolling_days_and_longer_keep_the_time_of_day(unit: CalendarUnit, clock: Clock, count: int) -> None:
    start = rolling_period("last", count, unit, clock).start
    assert start.time() == clock.local.time()
    if unit in ("day", "week"):
        assert (clock.local.date() - start.date()).days == count * (7 if unit == "week" else 1)


@pytest.mark.parametrize(
    ("count", "unit", "start"),
    [(1, "month", "2024-02-29"), (13, "month", "2023-02-28"), (1, "year", "2023-03-31"), (1, "quarter", "2023-12-31"),
     (30, "day", "2024-03-01")],
)  # fmt: skip
def test_a_month_back_from_its_last_day_is_the_last_day_of_the_other(
    count: int, unit: CalendarUnit, start: str
) -> None:
    clock = Clock(datetime(2024, 3, 31, 12, tzinfo=UTC), UTC)
    assert rolling_period("last", count, unit, clock).start.date().isoformat() == start


@pytest.mark.parametrize("which", ["last", "next"])
def test_a_period_outside_the_calendar_is_refused(which: str) -> None:
    spec = typed.RelativePeriod("last" if which == "last" else "next", "year", 9000)
    with pytest.raises(InvalidDate):
        relative_period(spec, Clock(datetime(2026, 3, 15, tzinfo=UTC), UTC))


# --- whole days ------------------------------------------------------------------------------------------------------


@relaxed
@given(st.sampled_from(["last", "next"]), st.integers(1, 400), clocks)
def test_n_whole_days_have_today_as_the_first_or_the_last(which: str, count: int, clock: Clock) -> None:
    spec = typed.RelativePeriod("last" if which == "last" else "next", "day", count)
    first, last = whole_days(spec, clock)
    assert (last - first).days + 1 == count
    assert (last if which == "last" else first) == clock.local.date()


@relaxed
@given(st.sampled_from(sorted(LABELS)), st.dates(date(1995, 1, 1), date(2035, 1, 1)), zones)
def test_the_whole_days_of_a_literal_are_those_that_carry_its_label(unit: str, day: date, zone: ZoneInfo) -> None:
    text = LABELS[unit](day)
    first, last = whole_days(typed.DatePeriod(text), Clock(datetime(2026, 3, 15, tzinfo=UTC), zone))
    if first > last or str(zone) == "Pacific/Apia":
        return  # the day that Samoa left out
    assert LABELS[unit](first) == LABELS[unit](last) == text
    one = timedelta(days=1)
    assert LABELS[unit](first - one) != text != LABELS[unit](last + one)
