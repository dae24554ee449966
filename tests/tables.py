"""Tables of small checks as one test: a test for each row would cost more than the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def each(rows: Iterable[T], check: Callable[[T], object]) -> None:
    """All rows are checked; those that fail are reported together, each with what it failed by."""
    checked, failed = 0, []
    for row in rows:
        checked += 1
        try:
            check(row)
        except Exception as problem:  # noqa: BLE001
            failed.append(f"{row!r:.300}\n    {type(problem).__name__}: {problem}")
    assert checked, "a table without rows proves nothing"
    if failed:
        pytest.fail(f"{len(failed)} of {checked} rows fail:\n" + "\n".join(failed), pytrace=False)
