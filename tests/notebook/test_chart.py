"""Charts of rows as SVG, for notebooks and the page: what is drawn, and what no text can break."""

from typing import Any
from xml.etree import ElementTree

import pytest

from qlc.outcome import AggregateOut, RowOut
from qlc.outcome.chart import WIDTH, svg_chart
from qlc.outcome.courses import place
from tests import tables

SVG = "{http://www.w3.org/2000/svg}"


def rows(group: str, values: dict[Any, Any], **more: Any) -> AggregateOut:
    made = [RowOut(key=key, value=value) for key, value in values.items()]
    return AggregateOut(**{"groups": [group], "measures": ["count"], "rows": made, **more})


def pairs(groups: list[str], values: dict[tuple[Any, Any], Any], **more: Any) -> AggregateOut:
    made = [RowOut(key=dict(zip(groups, key, strict=True)), value=value) for key, value in values.items()]
    return AggregateOut(**{"groups": groups, "measures": ["count"], "rows": made, **more})


def drawn(found: AggregateOut, **options: Any) -> ElementTree.Element:
    text = svg_chart(found, **options)
    assert text is not None
    return ElementTree.fromstring(text)


def titles(chart: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in chart.iter(f"{SVG}title")]


def count(chart: ElementTree.Element, shape: str) -> int:
    """Return how many marks have a shape."""
    return sum(one.find(SVG + shape) is not None for one in chart.iter(f"{SVG}g"))


def segments(chart: ElementTree.Element) -> list[str | None]:
    """Return the dashes of each part of a line."""
    return [one.get("stroke-dasharray") for one in chart.iter(f"{SVG}path") if one.get("stroke-width") == "2"]


def test_months_are_a_line_with_gaps_and_an_unfinished_end() -> None:
    months = {"2026-01": 3, "2026-02": 4, "2026-04": 5, "2026-05": 1}
    chart = drawn(rows("month", months, unfinished={"month": "2026-05"}, labels={"month": "Placed (month)"}))
    assert titles(chart) == ["January 2026: 3", "February 2026: 4", "April 2026: 5", "May 2026: 1 so far"]
    assert segments(chart) == [None, "4 4"]
    assert chart.get("aria-label") == "count by Placed (month); May 2026 is not over"


@pytest.mark.parametrize(
    ("group", "keys", "shape"), tables.rows(__file__, "test_only_periods_in_their_order_are_a_line")
)
def test_only_periods_in_their_order_are_a_line(group: str, keys: list[Any], shape: str) -> None:
    assert count(drawn(rows(group, dict.fromkeys(keys, 2))), shape) == 2


@pytest.mark.parametrize(("unit", "first", "second"), [
    ("year", "1999", "2000"), ("quarter", "2024-Q4", "2025-Q1"), ("month", "2024-12", "2025-01"),
    ("week", "2020-W53", "2021-W01"), ("day", "2024-02-29", "2024-03-01"), ("hour", "2024-02-29T23", "2024-03-01T00"),
])  # fmt: skip
def test_the_next_period_has_the_next_place(unit: str, first: str, second: str) -> None:
    one, two = place(unit, first), place(unit, second)
    assert one is not None
    assert two == one + 1
    assert place(unit, "9" * 5000) is None


def test_two_groups_are_stacked_over_time_whatever_their_order() -> None:
    values = {("web", "2026-02"): 3, ("shop", "2026-02"): 1, ("web", "2026-01"): 2}
    chart = drawn(pairs(["channel", "month"], values))
    assert titles(chart) == ["January 2026, web: 2", "February 2026, web: 3", "February 2026, shop: 1"]
    tops = [(float(one.get("y", 0)), float(one.get("height", 0))) for one in chart.findall(f"{SVG}g/{SVG}rect")]
    assert tops[2][0] + tops[2][1] == pytest.approx(tops[1][0])  # shop stands on web
    means = drawn(pairs(["channel", "month"], values, measures=["avg"]))
    assert (count(means, "circle"), segments(means)) == (3, [None])


def test_of_many_series_the_rest_is_added_up_or_named() -> None:
    values = {(key, f"s{n}"): 20 - n for key in "ab" for n in range(12)}
    assert "a, 5 others: 55" in titles(drawn(pairs(["type", "kind"], values)))
    means = drawn(pairs(["type", "kind"], values, measures=["avg"]))
    assert means.get("aria-label", "").endswith("without the 5 smallest")


def test_people_of_one_name_are_two_bars() -> None:
    ann = [{"id": "1", "name": "Ann"}, {"id": "2", "name": "Ann"}]
    made = [RowOut(key=key, value=n) for n, key in enumerate(ann, 1)]
    assert titles(drawn(rows("owner", {}).model_copy(update={"rows": made}))) == ["Ann: 1", "Ann (2): 2"]


def test_the_rows_that_are_not_drawn_are_named() -> None:
    chart = drawn(rows("type", {f"t{n}": n for n in range(50)}), of=200)
    assert len(titles(chart)) == 30
    assert chart.get("aria-label") == "count by type; the first 50 of 200 rows; the first 30 of 50"


@pytest.mark.parametrize("value", [1e-100, 1e100, 10**99, -1e100, 0])
@pytest.mark.parametrize("width", [240, WIDTH, 1600])
def test_any_number_and_any_text_is_a_chart(value: float, width: int) -> None:
    chart = drawn(rows("type", {'<b a="&\x00\ud800': value, "": -3}, units={"count": "seconds"}), width=width)
    assert all("nan" not in one.get("d", "") + one.get("x", "") for one in chart.iter())
    assert titles(chart)[1].startswith("an empty text: -3")
