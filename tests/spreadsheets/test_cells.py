"""Cells of text and their columns: values and types."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.tables.cells import read_day, read_number
from qlc.tables.columns import Column, infer
from qlc.tables.facts import Facts


@pytest.mark.parametrize(
    ("text", "decimal", "value", "more"),
    [
        ("12", ".", 12, {}),
        ("-3.5", ".", -3.5, {}),
        ("(1,200.50)", ".", -1200.5, {"decimal": "."}),
        ("1.234,56 €", ",", 1234.56, {"decimal": ",", "currency": "EUR"}),
        ("EUR 250.00", ".", 250.0, {"currency": "EUR"}),
        ("$1,299", ".", 1299, {"currency": "USD", "grouped": ","}),
        ("1 882,51 €", ",", 1882.51, {"decimal": ",", "currency": "EUR"}),
        ("44.7%", ".", 44.7, {"percent": True}),
        ("12 kg", ".", 12, {"unit": "kg"}),
        ("1,234,567", ".", 1_234_567, {"decimal": "."}),
        ("1'234.5", ".", 1234.5, {}),
        ("2.5e-3", ".", 0.0025, {}),
        ("00012", ".", 12, {"zeros": True}),
    ],
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


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2025-03-04", "dmy", "2025-03-04"),
        ("2025-03-04 10:00:00+01:00", "dmy", "2025-03-04T10:00:00+01:00"),
        ("2025-03-04T10:00Z", "dmy", "2025-03-04T10:00:00Z"),
        ("03/04/2025", "dmy", "2025-04-03"),
        ("03/04/2025", "mdy", "2025-03-04"),
        ("27.09.2019", "dmy", "2019-09-27"),
        ("21/07/25", "dmy", "2025-07-21"),
        ("1/2/70", "dmy", "1970-02-01"),
        ("1 December 2025", "dmy", "2025-12-01"),
        ("Mar 4, 2025", "dmy", "2025-03-04"),
        ("4. März 2025", "dmy", "2025-03-04"),
        ("03/04/2025 2:30 pm", "mdy", "2025-03-04T14:30:00"),
    ],
)
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
    [
        ("rating", ["2", "3", "4.3"], "double", {}),
        ("n", ["1", "2", "N/A"], "integer", {"missing": 1}),
        ("postcode", ["01099", "50823"], "keyword", {}),
        ("order_no", ["100200", "100201"], "keyword", {}),
        ("Phone", ["030 / 23125 424", "-"], "keyword", {"missing": 1}),
        ("Gehalt", ["3.533,97 €", "900,00 €"], "money", {"currency": "EUR", "decimal": ","}),
        ("fat", ["24.4 %", "9%"], "percent", {"unit": "%"}),
        ("weight", ["12 kg", "3.5 kg"], "double", {"unit": "kg"}),
        ("weight", ["12 kg", "heavy"], "keyword", {}),
        ("mixed", ["12 kg", "3"], "keyword", {}),
        ("Length (km)", ["3", "4"], "integer", {"unit": "km"}),
        ("Cost (EUR) / 2024", ["3.50", "4"], "money", {"currency": "EUR"}),
        ("Active?", ["TRUE", "no", "n"], "boolean", {}),
        ("Befristet", ["ja", "nein", "k. A."], "boolean", {"missing": 1}),
        ("all yes", ["yes", "yes"], "keyword", {}),
        ("when", ["13/04/2025", "03/04/2025"], "date", {"order": "dmy"}),
        ("when", ["04/13/2025", "03/04/2025"], "date", {"order": "mdy"}),
        ("when", ["13/04/2025", "04/13/2025"], "keyword", {}),
        ("when", ["01.02.2025", "03.04.2025"], "date", {"order": "dmy"}),
        ("when", ["03/04/2025", "01/02/2025"], "date", {"order": ""}),
        ("visit", ["2025-01-02", "2025-01-03", "2025-01-04", "never"], "date", {"strange": ("never",)}),
        ("at", ["2025-01-02 10:00", "2025-01-03 11:00"], "datetime", {}),
        ("note", ["a", "line\nbreak"], "text", {}),
        ("tags", [["a", "b"], []], "keyword", {"many": True}),
        ("n", [1, 2.5, None], "double", {"missing": 1}),
        ("flag", [True, False, None], "boolean", {}),
    ],
)
def test_a_column_has_the_type_that_holds_all_of_its_values(
    header: str, values: list[Any], kind: str, more: dict[str, Any]
) -> None:
    found = column(values, header)
    assert (found.kind, {name: getattr(found, name) for name in more}) == (kind, more)


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
