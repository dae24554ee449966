"""Comparisons of quantities and of periods, with their places."""

import pytest

from qlc.grammar.parsing import parse
from qlc.language.comparisons import comparisons, period_comparisons
from qlc.language.periods import periods


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at least 50 V", [(">=", "50", "V", "at least 50 V")]),
        ("under 60 days", [("<", "60", "d", "under 60 days")]),
        ("no more than 3 months", [("<=", "3", "month", "no more than 3 months")]),
        ("not less than 5 km", [(">=", "5", "km", "not less than 5 km")]),
        ("above $1.5 million", [(">", "1500000.0", "USD", "above $1.5 million")]),
        ("within two weeks", [("<=", "2", "week", "within two weeks")]),
        ("10 kg or more", [(">=", "10", "kg", "10 kg or more")]),
        ("5 years or older", [(">=", "5", "year", "5 years or older")]),
        ("60 % and up", [(">=", "60", "%", "60 % and up")]),
        ("more lead than 10 mg", [(">", "10", "mg", "than 10 mg")]),
        ("5,000 Swiss francs", [("=", "5000", "CHF", "5,000 Swiss francs")]),
        ("between 5 and 7 EUR", [(">=", "5", "EUR", "between 5 and 7 EUR"), ("<=", "7", "EUR", "between 5 and 7 EUR")]),
        ("from 5 to 7 days", [(">=", "5", "d", "from 5 to 7 days"), ("<=", "7", "d", "from 5 to 7 days")]),
        ("two to five days", [(">=", "2", "d", "two to five days"), ("<=", "5", "d", "two to five days")]),
        ("5 and 10 EUR", [("=", "10", "EUR", "10 EUR")]),
        ("in 2023", [("=", "2023", "", "2023")]),
        ("ISO 27001", []),
        ("for Windows 2000", []),
    ],
)  # fmt: skip
def test_a_quantity_with_its_comparison(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    found = [(one.operator, str(one.quantity.number), one.quantity.unit, one.text) for one in comparisons(text)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("this year", ["this year"]),
        ("last two weeks", ["last 2 weeks"]),
        ("the past 30 days", ["last 30 days"]),
        ("in the past week", ["last 1 week"]),
        ("next month's report", ["next month"]),
        ("previous quarter", ["last quarter"]),
        ("yesterday", ["yesterday"]),
        ("March 2024", ["2024-03"]),
        ("Sept. 2023", ["2023-09"]),
        ("Q2 2025", ["2025-Q2"]),
        ("2024-Q3", ["2024-Q3"]),
        ("the last quarter of 2024", ["2024-Q4"]),
        ("H1 2025", ["2025-01", "2025-06"]),
        ("the second half of 2024", ["2024-07", "2024-12"]),
        ("between June and August 2025", ["2025-06", "2025-08"]),
        ("12 March 2024", []),
        ("the third half of 2020", []),
        ("this 2 weeks", []),
        ("march on", []),
    ],
)
def test_a_period_as_the_query_language_writes_it(text: str, expected: list[str]) -> None:
    found = [part for one in periods(text) for part in (one.text, one.last) if part]
    assert found == expected
    for part in found:
        parse(f"find documents where created in {part}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since March 2024", [(">=", "2024-03")]),
        ("before Q2 2025", [("<", "2025-Q2")]),
        ("after H1 2025", [(">", "2025-06")]),
        ("before the first half of 2025", [("<", "2025-01")]),
        ("in H1 2025", [(">=", "2025-01"), ("<=", "2025-06")]),
        ("last month", [("=", "last month")]),
    ],
)
def test_a_period_with_its_comparison(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.operator, one.period) for one in period_comparisons(text)] == expected
