"""Working days among days: a field in days keeps both as numbers, which have no sum and no order among each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qlc.base.words.sentences import listed
from qlc.grammar.printer import print_string
from qlc.language.units import WORKING_DAYS, unit_of
from qlc.outcome import AggregateOut, AnswerRow, Count, Declined, Outcome, ValueOut

from .cells import shown
from .planning import Plan
from .searching import CHECK, Searches


def days_apart(plan: Plan, rows: Sequence[AnswerRow], total: int, searches: Searches) -> Declined | None:
    """Decline if some values of a field may be in working days and others in days; `rows` are the first of `total`.

    A number of working days takes longer than the same number of days. So the shortest value may be in days, and the
    longest in working days.
    """
    asked, measure = plan.asked[0], plan.linked.measure
    if unit_of(searches.unit(plan.bucket, asked.name)) != "d" or measure == "count":
        return None
    said = f"Some documents speak of working days, so '{asked.name}' may be in working days there and in days elsewhere"
    cells = [(row.cells[asked.name], row.file) for row in rows if asked.name in row.cells]
    files: dict[str, list[str]] = {}
    for cell, file in cells:
        files.setdefault(cell.unit, []).append(file)
    if len(files) > 1 and files.keys() & WORKING_DAYS:
        best = (max if measure == "max" else min)(cell.value for cell, _ in cells)
        are_working = {cell.unit in WORKING_DAYS for cell, _ in cells if cell.value == best}
        if measure in ("min", "max") and are_working == {measure == "max"}:
            return None
        said = f"'{asked.name}' is " + listed([f"in {unit} in {listed(some[:3])}" for unit, some in files.items()])
    elif total <= len(rows) or not _speak_of_them(plan.bucket, plan.where, asked.name, searches):
        return None
    return Declined(message=f"{said}: these cannot be combined.", query=shown(plan))


def noted(outcome: Outcome, program: str, searches: Searches) -> Outcome:
    """Add a note to the outcome of a written program, if its measure may combine days and working days."""
    if not isinstance(outcome, ValueOut | AggregateOut):
        return outcome
    notes = [
        f"Of the {bucket} that have '{name}', some speak of working days: those are counted as days."
        for name in dict.fromkeys(_MEASURED.findall(program))
        for bucket in searches.schema.file.buckets
        if unit_of(searches.unit(bucket, name)) == "d" and _speak_of_them(bucket, "", name, searches)
    ]
    return outcome.model_copy(update={"notes": [*outcome.notes, *notes]}) if notes else outcome


_MEASURED = re.compile(r"\b(?:sum|avg|median|percentile|min|max)\((\w+)")


def _speak_of_them(bucket: str, where: str, name: str, searches: Searches) -> bool:
    """Whether any document that has a field speaks of working days, be it in its value or elsewhere."""
    said = (form for unit in sorted(WORKING_DAYS) for form in (unit, unit.removesuffix("s")))
    spoken = " or ".join(f"mentions {print_string(form)}" for form in said)
    both = " and ".join(filter(None, (where, f"{name} exists", f"({spoken})")))
    counted = searches.run(CHECK, f"count {bucket} where {both}", "those that speak of working days")
    return not isinstance(counted, Count) or counted.value > 0
