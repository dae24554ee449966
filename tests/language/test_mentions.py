"""Every number and date that a text mentions, with all its readings."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.language.mentions import dates_in, numbers_in
from tests.tables import rows


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_numbers_of_a_text"))
def test_numbers_of_a_text(text: str, expected: list[tuple[tuple[float, ...], str]]) -> None:
    found = [(tuple(value for value, _ in one.values), one.dimension) for one in numbers_in(text)]
    assert found == [(pytest.approx(values), dimension) for values, dimension in expected]


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_dates_of_a_text"))
def test_dates_of_a_text(text: str, expected: list[list[list[int | None]]]) -> None:
    assert [[[*reading.parts] for reading in one] for one in dates_in(text)] == expected


@given(st.datetimes(datetime(1970, 1, 1), datetime(2068, 1, 1)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y"]))
def test_a_date_in_any_form_is_of_its_day(day: datetime, form: str) -> None:
    ((one,),) = dates_in(f"It was on {day.strftime(form)}.")
    assert one.is_of(day)
    assert not one.is_of(day.replace(year=day.year + 1, day=1))
