"""Numbers of rows as bars in a terminal, drawn by rich. What can be drawn is the same as on the page (`chart.js`)."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

from qlc.base.extras import need
from qlc.compiler.numbers import is_number
from qlc.outcome import AggregateOut, Outcome

WIDEST, NARROWEST = 48, 8
"""Columns of the longest bar."""
NOTHING = "There is nothing to draw: a chart needs at least two rows of one group, with numbers in one unit."


def needed() -> Any:
    """Return the console of rich. Raises UsageError, which says how to install it."""
    need("chart", "a chart")
    from rich.console import Console

    return Console


def can_draw(found: Outcome) -> bool:
    """Whether rows are of one group, and have at least two numbers that can be compared."""
    if not isinstance(found, AggregateOut) or len(found.groups) != 1 or not found.measures:
        return False
    units = [row.get(found.measures[0]) for row in found.row_units] or [None] * len(found.rows)
    known = [(one, unit) for one, unit in zip(numbers(found), units, strict=True) if one is not None]
    are_numbers = all(is_number(one) for one, _ in known)
    return are_numbers and len(known) > 1 and len({unit for _, unit in known}) == 1


def numbers(found: AggregateOut) -> list[Any]:
    """Return the first measure of each row."""
    return [row.value if len(found.measures) == 1 else row.value[found.measures[0]] for row in found.rows]


def bars(values: Sequence[float | None], width: int) -> list[str]:
    """Return a bar for each value, on one scale that contains zero; an empty bar for an unknown value."""
    from rich.bar import Bar

    console = needed()(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    known = [one or 0 for one in values]
    least, most = min(*known, 0), max(*known, 0)
    drawn = [Bar(most - least, min(one, 0) - least, max(one, 0) - least) for one in known]
    return ["".join(segment.text for segment in console.render(one)).rstrip() for one in drawn]
