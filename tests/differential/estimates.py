"""Medians and percentiles: the server estimates them, the embedded engine computes them exactly.

They are held apart from the rest of an outcome, which is compared in full. An estimate is right when it lies between
the exact values some percentage points of rank to either side. OpenSearch takes the value at rank `q * n - 0.5` where
Elasticsearch takes the one at `q * (n - 1)`: up to half a place farther from the median, which of two values is all.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from qlc.grammar import parse, print_program, tree
from qlc.grammar.printer import print_term

RANK = 7.5
"""Percentage points of rank. From 2,000 values on the server keeps a t-digest instead of the values: the median of
2,078 dates in bursts a week apart strayed by 5.4 points."""

Answer = dict[str, Any]


def estimated(text: str) -> list[int]:
    """The positions of estimates among the measures of a program."""
    statement = parse(text).statement
    measures = statement.measures if isinstance(statement, tree.Aggregate) else ()
    return [at for at, measure in enumerate(measures) if measure.function in ("median", "percentile")]


def split(answer: Answer, positions: list[int]) -> tuple[Answer, list[Any]]:
    """An outcome without its estimates, and those, row by row."""
    taken: list[Any] = []

    def without(value: Any) -> Any:
        if not isinstance(value, dict):
            taken.append(value)
            return None
        names = list(value)
        taken.extend(value[names[at]] for at in positions)
        return {name: None if at in positions else value[name] for at, name in enumerate(names)}

    if not positions or answer["kind"] not in ("value", "aggregate"):
        return answer, []
    if answer["kind"] == "value":
        return {**answer, "value": without(answer["value"])}, taken
    return {**answer, "rows": [{**row, "value": without(row["value"])} for row in answer["rows"]]}, taken


def strays(
    text: str, positions: list[int], exact: list[Any], found: list[Any], run: Callable[[str], Answer],
    *, outward: bool = False,
) -> list[str]:  # fmt: skip
    """The estimates that are not right. `run` answers a program exactly.

    `outward`: an estimate may lie anywhere between the exact value and the end of the scale beyond it.
    """
    if len(exact) != len(found):
        return [f"{len(exact)} and {len(found)} estimates"]
    doubtful = [at for at, pair in enumerate(zip(exact, found, strict=True)) if not _same(*pair)]
    if not doubtful:
        return []
    low, high = (split(run(_moved(text, by, outward=outward)), positions)[1] for by in (-RANK, RANK))
    if len(low) != len(exact) or len(high) != len(exact):
        return [] if outward else ["the programs for the ranks beside have other rows"]
    return [
        f"estimate {at}: {found[at]!r}, which is not between {low[at]!r} and {high[at]!r}; exactly {exact[at]!r}"
        for at in doubtful
        if not _between(low[at], found[at], high[at])
    ]


_STEP = 1e-9
"""Percentage points that keep two ranks apart."""


def _moved(text: str, by: float, *, outward: bool) -> str:
    """The program with its percentiles that many points up or down."""
    program = parse(text)
    assert isinstance(program.statement, tree.Aggregate)
    measures = []
    taken: set[tuple[Any, float]] = set()
    for measure in program.statement.measures:
        if measure.function in ("median", "percentile"):
            percent = 50.0 if measure.argument is None else float(measure.argument.value)
            farther = math.copysign(100.0, by) if outward and (percent - 50) * by > 0 else by
            value = round(max(0.0, min(100.0, percent + farther)), 3)
            field = None if measure.path is None else print_term(measure.path)
            while (field, value) in taken:  # two at the end of the scale would be one measure
                value -= math.copysign(_STEP, by)
            taken.add((field, value))
            measure = replace(measure, function="percentile", argument=tree.Number(value, f"{value:.9f}"))
        measures.append(measure)
    return print_program(replace(program, statement=replace(program.statement, measures=tuple(measures))))


def _same(exact: Any, found: Any) -> bool:
    if isinstance(exact, float) and isinstance(found, float):
        return abs(exact - found) <= 1e-9 * max(abs(exact), abs(found), 1.0)
    return bool(exact == found)


_ROUNDED = timedelta(milliseconds=5)


def _between(low: Any, found: Any, high: Any) -> bool:
    if None in (low, found, high) or len({isinstance(one, str) for one in (low, found, high)}) > 1:
        return False
    if isinstance(found, str):
        first, moment, last = map(datetime.fromisoformat, (low, found, high))
        return first - _ROUNDED <= moment <= last + _ROUNDED
    slack = 1e-9 * max(abs(low), abs(high), 1.0)
    return bool(low - slack <= found <= high + slack)
