"""How keys are written, and their order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from qlc.compiler.periods import Clock, millis
from qlc.compiler.typed import Group
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Field
from qlc.resolver.rows.labels import KeyForm
from tests.rows.world import NOW

DATE = Field("t", MappedField("t", "date", FieldKind.DATE, exact="t"), FieldKind.DATE)
NUMBER = Field("n", MappedField("n", "double", FieldKind.NUMBER, exact="n"), FieldKind.NUMBER)


def form(function: Any, zone: str = "UTC", week_start: int = 0, field: Field = DATE, arguments: Any = ()) -> KeyForm:
    return KeyForm(Group("g", field, function, arguments), Clock(NOW, ZoneInfo(zone), week_start))


def at(text: str) -> int:
    return millis(datetime.fromisoformat(text))


@pytest.mark.parametrize(
    ("unit", "start", "label"),
    [
        ("year", "0987-01-01T00:00Z", "0987"),
        ("week", "2024-12-30T00:00Z", "2025-W01"),
        ("hour", "2024-03-05T15:00Z", "2024-03-05T15"),
    ],
)
def test_calendar_units(unit: str, start: str, label: str) -> None:
    key = form(unit).key(at(start))
    assert (key.label, key.value) == (label, datetime.fromisoformat(start))


def test_buckets_start_in_the_zone_they_were_cut_by() -> None:
    key = form("day", "Europe/Berlin").key(at("2024-03-04T23:00Z"))
    assert key.label == "2024-03-05"
    assert isinstance(key.value, datetime)
    assert key.value.utcoffset() is not None
    assert key.value.hour == 0


def test_whole_days_are_in_utc_whatever_the_zone() -> None:
    due = replace(DATE, whole_days=True)
    assert form("month", "America/New_York", field=due).key(at("2024-03-01T00:00Z")).label == "2024-03"
    assert form(None, "America/New_York", field=due).key(at("2024-03-01T00:00Z")).label == "2024-03-01"


def test_an_hour_that_comes_twice_has_its_offset() -> None:
    hours = form("hour", "Europe/Berlin")
    labels = [hours.key(at(text)).label for text in ("2024-10-27T00:00Z", "2024-10-27T01:00Z", "2024-10-27T02:00Z")]
    assert labels == ["2024-10-27T02+02:00", "2024-10-27T02+01:00", "2024-10-27T03"]
    assert hours.key(at("2024-03-31T01:00Z")).label == "2024-03-31T03"


def test_weekdays_begin_with_the_first_day_of_the_week() -> None:
    days = form("weekday", week_start=6)
    assert [days.key(raw).label for raw in sorted(range(7), key=days.rank)][:2] == ["Sunday", "Monday"]


def test_stored_values() -> None:
    assert form(None).key(at("2024-03-05T15:00:30.250Z")).label == "2024-03-05T15:00:30.250Z"
    assert form(None).key(at("2024-03-05T15:00:30Z")).value == datetime(2024, 3, 5, 15, 0, 30, tzinfo=UTC)
    flag = replace(NUMBER, kind=FieldKind.BOOLEAN)
    assert (form(None, field=flag).key(False).label, form(None, field=flag).key(False).value) == ("false", False)
    assert form(None, field=NUMBER).key(2.0).label == "2"
