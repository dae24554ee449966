"""How keys are written, and their order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
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


DUE = replace(DATE, whole_days=True)
FLAG = replace(NUMBER, kind=FieldKind.BOOLEAN)
BERLIN, NEW_YORK = {"zone": "Europe/Berlin"}, {"zone": "America/New_York"}
LABELS: list[tuple[Any, dict[str, Any], Any, str]] = [
    ("year", {}, "0987-01-01T00:00Z", "0987"), ("week", {}, "2024-12-30T00:00Z", "2025-W01"),
    ("hour", {}, "2024-03-05T15:00Z", "2024-03-05T15"), ("day", BERLIN, "2024-03-04T23:00Z", "2024-03-05"),
    # whole days are in UTC whatever the zone
    ("month", {**NEW_YORK, "field": DUE}, "2024-03-01T00:00Z", "2024-03"),
    (None, {**NEW_YORK, "field": DUE}, "2024-03-01T00:00Z", "2024-03-01"),
    # an hour that comes twice has its offset
    ("hour", BERLIN, "2024-10-27T00:00Z", "2024-10-27T02+02:00"),
    ("hour", BERLIN, "2024-10-27T01:00Z", "2024-10-27T02+01:00"),
    ("hour", BERLIN, "2024-10-27T02:00Z", "2024-10-27T03"), ("hour", BERLIN, "2024-03-31T01:00Z", "2024-03-31T03"),
    # stored values
    (None, {}, "2024-03-05T15:00:30.250Z", "2024-03-05T15:00:30.250Z"), (None, {"field": FLAG}, False, "false"),
    (None, {"field": NUMBER}, 2.0, "2"),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "more", "raw", "label"), LABELS)
def test_labels(unit: Any, more: dict[str, Any], raw: Any, label: str) -> None:
    assert form(unit, **more).key(at(raw) if isinstance(raw, str) else raw).label == label


def test_buckets_start_in_the_zone_they_were_cut_by() -> None:
    key = form("day", "Europe/Berlin").key(at("2024-03-04T23:00Z"))
    assert isinstance(key.value, datetime)
    assert (key.value.utcoffset(), key.value.hour) == (timedelta(hours=1), 0)
    assert form("week").key(at("2024-12-30T00:00Z")).value == datetime(2024, 12, 30, tzinfo=UTC)


def test_weekdays_begin_with_the_first_day_of_the_week() -> None:
    days = form("weekday", week_start=6)
    assert [days.key(raw).label for raw in sorted(range(7), key=days.rank)][:2] == ["Sunday", "Monday"]


def test_stored_values() -> None:
    assert form(None).key(at("2024-03-05T15:00:30Z")).value == datetime(2024, 3, 5, 15, 0, 30, tzinfo=UTC)
    assert form(None, field=FLAG).key(False).value is False
