"""Cells of text and their columns: values and types."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.tables.cells import read_day, read_number
from qlc.tables.columns import Column, infer
from qlc.tables.facts import Facts
from qlc.tables.inner_numbers import inner_numbers
from qlc.tables.inner_texts import inner_texts
from tests.tables import holds, rows


@pytest.mark.parametrize(
    ("text", "decimal", "value", "more"),
    rows(__file__, "test_a_number_is_read_with_what_is_around_it"),
)
def test_a_number_is_read_with_what_is_around_it(text: str, decimal: str, value: float, more: dict[str, Any]) -> None:
    found = read_number(text)
    assert found is not None
    assert found.value(decimal) == value
    assert {name: getattr(found, name) for name in more} == more


@pytest.mark.parametrize(
    "text",
    ["030 / 23125", "+46 70 174 0620", "(555) 013-3496", "12 apples", "1,23,4", "v1.2.3", "1.2.3", "", "-", "5-7"],
)
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(("text", "order", "day"), rows(__file__, "test_a_date_is_read_in_the_order_of_its_column"))
def test_a_date_is_read_in_the_order_of_its_column(text: str, order: str, day: str) -> None:
    found = read_day(text)
    assert found is not None
    assert found.value(order) == day


@pytest.mark.parametrize("text", ["2025-02-30", "31/31/2025", "1.2.3", "12:30", "3 Blarch 2024", "2025-03-04 25:00"])
def test_no_day_of_the_calendar_is_no_date(text: str) -> None:
    assert read_day(text) is None


def column(values: list[Any], header: str = "x", **types: str) -> Column:
    return table({header: values}, **types)[0]


def table(columns: dict[str, list[Any]], **types: str) -> tuple[Column, ...]:
    facts = []
    for header, values in columns.items():
        one = Facts(header)
        one.add(values)
        facts.append(one)
    return infer(facts, types)


@pytest.mark.parametrize(
    ("header", "values", "kind", "more"),
    rows(__file__, "test_a_column_has_the_type_that_holds_all_of_its_values"),
)
def test_a_column_has_the_type_that_holds_all_of_its_values(
    header: str, values: list[Any], kind: str, more: dict[str, Any]
) -> None:
    found = column(values, header)
    assert found.kind == kind
    holds(found, more)


@pytest.mark.parametrize(("values", "numbers"), rows(__file__, "test_numbers_inside_texts_are_read"))
def test_numbers_inside_texts_are_read(values: list[str], numbers: list[list[float | None]]) -> None:
    facts = Facts("x")
    facts.add(values)
    found = [*inner_numbers(infer([facts]), [facts])]
    assert [[one.read(text) for one in found] for text in values] == numbers


@pytest.mark.parametrize(("values", "places", "read"), rows(__file__, "test_texts_inside_texts_are_read"))
def test_texts_inside_texts_are_read(values: list[str], places: list[str], read: list[list[Any]]) -> None:
    facts = Facts("x")
    facts.add(values)
    facts.settle()
    found = [*inner_texts(infer([facts]), [facts])]
    assert [one.place for one in found] == places
    assert [[one.read(text) for one in found] for text in values] == read


@pytest.mark.parametrize(("values", "stored"), rows(__file__, "test_texts_with_marks_are_lists"))
def test_texts_with_marks_are_lists(values: list[str], stored: list[Any]) -> None:
    first, found = table({"no": values, "in": values})  # the first column names the rows if each is another
    assert [found.stored(one) for one in values] == stored
    assert (found.many, first.many) == (stored != values, found.many and len(set(values)) < len(values))
    assert column(values, "in", **{"in": "keyword"}).stored(values[0]) == values[0]


def test_a_type_that_was_set_is_taken() -> None:
    assert column(["03/04/2025"], "when", when="date:mdy").stored("03/04/2025") == "2025-03-04"
    assert column(["1", "2"], "amount", amount="money:EUR").currency == "EUR"


def test_what_one_column_proves_holds_for_the_others() -> None:
    proved, other, price, size = table({
        "ordered": ["25/12/2024", "01/01/2025"], "shipped": ["01/02/2025", "02/01/2025"],
        "price": ["1,50", "2,5"], "size": ["1.234", "2.345"],
    })  # fmt: skip
    assert (proved.order, other.order) == ("dmy", "dmy")
    assert (price.stored("1,50"), size.stored("1.234")) == (1.5, 1234)


def test_a_spoiled_value_does_not_fit() -> None:
    found = column([*(str(n) for n in range(200)), "12 o'clock 5"], "n")
    assert found.kind == "integer"
    with pytest.raises(ValueError, match="not a number"):
        found.stored("12 o'clock 5")


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False).map(lambda n: round(n, 2)), min_size=2))
def test_amounts_come_back_as_they_were_written(numbers: list[float]) -> None:
    texts = [f"{n:,.2f}".translate(str.maketrans(",.", ".,")) + " €" for n in numbers]
    found = column(texts, "amount")
    assert found.kind in ("money", "integer")
    assert [found.stored(text) for text in texts] == pytest.approx(numbers)


@given(st.dates(), st.sampled_from(["%d/%m/%Y", "%d.%m.%Y", "%Y-%m-%d", "%d %B %Y"]))
def test_dates_come_back_as_they_were_written(day: Any, form: str) -> None:
    if day.year < 1000:
        return
    found = read_day(day.strftime(form))
    assert found is not None
    assert found.value("dmy") == day.isoformat()
