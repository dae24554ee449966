"""Changes of the offset in years to come."""

from __future__ import annotations

import pytest

from qlc_engine.dates import zones

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
