"""`--chart`: bars beside rows, and what is said where there is nothing to draw."""

from typing import Any

import pytest

from qlc.cli import render
from qlc.cli.chart import NOTHING, bars
from qlc.outcome import AggregateOut, Count, RowOut
from qlc.outcome.chart import can_draw
from tests.cli.conftest import Command

FULL = "█"


def rows(*values: Any, **more: Any) -> AggregateOut:
    made = [RowOut(key=f"row {number}", value=value) for number, value in enumerate(values)]
    return AggregateOut(**{"message": "", "groups": ["type"], "measures": ["count"], "rows": made, **more})


def test_rows_have_bars(qlc: Command) -> None:
    plain, drawn = (qlc("ask", "--demo", *chart, "documents by type") for chart in ([], ["--chart"]))
    pairs = list(zip(plain.out.splitlines(), drawn.out.splitlines(), strict=True))
    assert len(pairs) > 10
    assert all(line.startswith(row) for row, line in pairs)
    lengths = [line.count(FULL) for _, line in pairs[2:]]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == 48
    assert drawn.err == ""


def test_months_have_bars(qlc: Command) -> None:
    program = "count documents where created in 2025 by month(created)"
    lines = qlc("run", "--demo", "--chart", program).out.splitlines()[2:]
    counts = [int(line.split()[1].replace(",", "")) for line in lines]
    lengths = [line.count(FULL) for line in lines]
    assert len(lines) == 12
    assert [round(one * 48 / max(counts)) for one in counts] == pytest.approx(lengths, abs=1)


@pytest.mark.parametrize("question", ["how many W2s", "count documents by type, year(created), owner", "invoices"])
def test_nothing_to_draw(question: str, qlc: Command) -> None:
    plain, drawn = (qlc("ask", "--demo", *chart, question) for chart in ([], ["--chart"]))
    assert (drawn.code, drawn.out) == (plain.code, plain.out)
    assert NOTHING in drawn.err


def test_errors_say_nothing_of_charts(qlc: Command) -> None:
    ended = qlc("run", "--demo", "--chart", "count documents by month")
    assert (ended.code, NOTHING in ended.err) == (1, False)


@pytest.mark.parametrize("other", ["--json", "--csv"])
def test_data_has_no_bars(other: str, qlc: Command) -> None:
    assert qlc("ask", "--demo", "--chart", other, "documents by type").code == 2


def test_without_the_extra(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.base.extras.find_spec", lambda _: None)
    ended = qlc("ask", "--demo", "--chart", "documents by type")
    assert (ended.code, ended.out) == (2, "")
    assert 'pip install "qlc-search[chart]"' in ended.err


def test_what_can_be_drawn() -> None:
    assert can_draw(rows(1, 2))
    assert can_draw(rows(1, None, 2.5))
    assert can_draw(rows({"sum": 1, "count": 3}, {"sum": 2, "count": 4}, measures=["sum", "count"]))
    one, other = {"count": "USD"}, {"count": "EUR"}
    assert can_draw(rows(1, 2, row_units=[one, one]))
    assert not can_draw(rows(1, 2, row_units=[one, other]))
    assert not can_draw(rows(1, 2, row_units=[one, {}]))
    assert not can_draw(rows(1, None))
    assert not can_draw(rows("2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"))
    assert not can_draw(rows(True, False))
    assert not can_draw(rows(1, 2, groups=["type", "year", "app"]))
    assert not can_draw(rows(1e200, 2))
    assert not can_draw(Count(message="", value=2))


def test_bars_begin_at_zero() -> None:
    assert bars([4, None, 2, 0], 8) == [FULL * 8, "", FULL * 4, ""]
    assert bars([-4, 4], 8) == [FULL * 4, " " * 4 + FULL * 4]
    assert bars([0, 0], 8) == ["", ""]


def test_the_width_of_a_terminal() -> None:
    for width in range(20, 80):
        lines = render.rows_table(rows(3, 6), render.Style(width=width, bars=True)).splitlines()
        if width < 22:
            assert lines[-1] == "The terminal is too narrow for a chart."
        else:
            assert max(map(len, lines)) == min(width, 5 + 2 + 5 + 2 + 48)
            assert "…" not in "".join(lines)
