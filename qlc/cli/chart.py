"""Numbers of rows as bars in a terminal, drawn by rich. What can be drawn is the same as on the page."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

from qlc.base.extras import need
from qlc.outcome import AggregateOut
from qlc.outcome.tables import values_of

WIDEST, NARROWEST = 48, 8
"""Columns of the longest bar."""
NOTHING = "There is nothing to draw: a chart needs at least two rows of one or two groups, with numbers in one unit."


def needed() -> Any:
    """Return the console of rich. Raises UsageError, which says how to install it."""
    need("chart", "a chart")
    from rich.console import Console

    return Console


def numbers(found: AggregateOut) -> list[Any]:
    """Return the first measure of each row."""
    return [values_of(found, row)[0] for row in found.rows]


def bars(values: Sequence[float | None], width: int) -> list[str]:
    """Return a bar for each value, on one scale that contains zero; an empty bar for an unknown value."""
    from rich.bar import Bar

    console = needed()(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    known = [one or 0 for one in values]
    least, most = min(*known, 0), max(*known, 0)
    drawn = [Bar(most - least, min(one, 0) - least, max(one, 0) - least) for one in known]
    return ["".join(segment.text for segment in console.render(one)).rstrip() for one in drawn]
