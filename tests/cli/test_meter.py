"""The lines of a meter while rows are loaded."""

import pytest

from qlc.cli import meter


def test_without_a_terminal_a_line_says_how_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("QLC_PROGRESS")
    clock = iter([0.0, 4.0, 12.0, 15.0, 40.0])
    monkeypatch.setattr(meter, "EVERY", 10.0)
    monkeypatch.setattr(meter.time, "monotonic", lambda: next(clock))
    shown = meter.Meter("rows")
    for done in (100, 300, 375, 1_000):
        shown.show(done, 1_000, "orders")
    assert capsys.readouterr().err.splitlines() == [
        "300 of 1,000 rows, 25/s, 28 s left  orders",
        "1,000 of 1,000 rows, 25/s  orders",
    ]
