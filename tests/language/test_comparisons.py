"""Comparisons of quantities and of periods, with their places."""

import pytest

from qlc.grammar.parsing import parse
from qlc.language.comparisons import comparisons, period_comparisons
from qlc.language.periods import periods
from tests.tables import rows


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_a_quantity_with_its_comparison"))
def test_a_quantity_with_its_comparison(text: str, expected: list[list[str]]) -> None:
    found = [[one.operator, str(one.quantity.number), one.quantity.unit, one.text] for one in comparisons(text)]
    assert found == expected


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_a_period_as_the_query_language_writes_it"))
def test_a_period_as_the_query_language_writes_it(text: str, expected: list[str]) -> None:
    found = [part for one in periods(text) for part in (one.text, one.last) if part]
    assert found == expected
    for part in found:
        parse(f"find documents where created in {part}")


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_a_period_with_its_comparison"))
def test_a_period_with_its_comparison(text: str, expected: list[list[str]]) -> None:
    assert [[one.operator, one.period] for one in period_comparisons(text)] == expected
