"""Every number and date that a text mentions, with all its readings."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.language.mentions import dates_in, numbers_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234.5 files", [((1234.5,), "")]),
        ("1.234 files", [((1.234, 1234.0), "")]),
        ("1'234 files", [((1234.0,), "")]),
        ("5MB", [((5_000_000.0,), "size")]),
        ("-3 °C or 2k", [((-3.0,), "temperature"), ((2000.0,), "")]),
        ("2 h 5 min", [((7500.0,), "time")]),
        ("1.5 million", [((1_500_000.0,), "")]),
        ("two dozen eggs and the third", [((24.0,), ""), ((3.0,), "")]),
        ("two and five", [((2.0,), ""), ((5.0,), "")]),
        ("forty-seven percent", [((0.47,), "part")]),
        ("A4 and 5W30", []),
    ],
)
def test_numbers_of_a_text(text: str, expected: list[tuple[tuple[float, ...], str]]) -> None:
    found = [(tuple(value for value, _ in one.values), one.dimension) for one in numbers_in(text)]
    assert found == [(pytest.approx(values), dimension) for values, dimension in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-04T10:30:00Z", [[(2024, 2, 4, None, 10, 30)]]),
        ("March 5, 2024", [[(2024, 3, 5, None, None, None)]]),
        ("5th of March", [[(None, 3, 5, None, None, None)]]),
        ("in May", [[(None, 5, None, None, None, None)]]),
        ("you may", []),
        ("on Fridays", [[(None, None, None, 4, None, None)]]),
        ("10:30 pm", [[(None, None, None, None, 22, 30)]]),
        ("5/3/2024", [[(2024, 5, 3, None, None, None), (2024, 3, 5, None, None, None)]]),
    ],
)
def test_dates_of_a_text(text: str, expected: list[list[tuple[int | None, ...]]]) -> None:
    assert [[reading.parts for reading in one] for one in dates_in(text)] == expected


@given(st.datetimes(datetime(1970, 1, 1), datetime(2068, 1, 1)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y"]))
def test_a_date_in_any_form_is_of_its_day(day: datetime, form: str) -> None:
    ((one,),) = dates_in(f"It was on {day.strftime(form)}.")
    assert one.is_of(day)
    assert not one.is_of(day.replace(year=day.year + 1, day=1))
