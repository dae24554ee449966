"""A number for each group of documents, with where they say that they are of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.corpus.unread import unread_condition
from qlc.outcome import AggregateOut, Answer, AnswerRow, Cell, Citation, Claim, Declined, Outcome
from qlc.outcome.tables import cell_text

from .cells import asked_in_words, cells_of, cited, found_documents, notes_on, program_of, read_as, several
from .changes import doubts, said_to_change
from .planning import Plan
from .searching import Searches, label_of
from .working_days import days_apart

_MOST_SAID = 12
"""Groups in the text of an answer; all are in its table."""


def grouped(plan: Plan, searches: Searches) -> Outcome | None:
    """Return a number for each group, with citations of its documents; None if the fields do not have it."""
    measure, groups = plan.linked.measure, [one.program for one in plan.groups]
    if measure not in ("count", "sum", "avg", "min", "max") or plan.topic:
        return None
    name, part = (plan.asked[0].name, plan.asked[0].part) if len(plan.asked) == 1 else ("", None)
    if measure != "count" and (part is None or part.type not in ("number", "money", "duration")):
        return None
    if measure == "count" and plan.asked:
        return None
    is_money = part is not None and part.type == "money"
    by = ", ".join([*groups, *([f"{name}_currency"] if is_money else [])])
    program = f"{'count' if measure == 'count' else f'{measure}({name}) of'} {asked_in_words(plan)} by {by}"
    found = searches.run("annotations_aggregate", program, "a number for each group")
    if not isinstance(found, AggregateOut) or not found.rows:
        return None
    total, documents = found_documents(plan, searches)
    notes, unsure = doubts(plan, total, [one.id for one in documents], searches)
    if unsure is not None:
        return unsure
    if name and (apart := days_apart(plan, cells_of(plan, documents, searches), total, searches)) is not None:
        return apart
    measured = [name] if name else []
    if changed := said_to_change(plan, [*(one.field for one in plan.groups), *measured], documents, searches):
        return Declined(message=changed, query=program_of(plan), suggestions=[program])
    if (lacking := _left_out(plan, name, searches)) is not None:
        return lacking
    several_values = [f"A document with several values of '{one.field}' counts for each of them."
                      for one in plan.groups if searches.schema.fields(plan.bucket)[one.field].list]  # fmt: skip
    notes = [*read_as(plan), *notes, *several_values, *notes_on(documents, [name], plan, searches)]
    column = measure if measure == "count" else name
    unit = "" if measure == "count" or is_money else searches.unit(plan.bucket, name)
    rows = []
    for row in found.rows:
        keys = dict(row.key) if isinstance(row.key, Mapping) else {found.groups[0]: row.key}
        code = str(keys.pop(f"{name}_currency")) if is_money else unit
        numbers = {by: Cell(value=one, unit=searches.unit(plan.bucket, by)) for by, one in keys.items()
                   if isinstance(one, float)}  # fmt: skip
        label = ", ".join(cell_text(numbers[by]) if by in numbers else label_of(one) for by, one in keys.items())
        quoted = [] if total > len(documents) else [*_quotes([*keys.values()], plan, documents, searches)]
        number = round(row.value, 6) if isinstance(row.value, float) else row.value
        rows.append(AnswerRow(document="", name=label, file="", cells={
            column: Cell(value=number, unit=code, citations=quoted)}))  # fmt: skip
    if plan.groups[0].extreme:
        return _extreme(plan, rows, program, notes)
    said = [f"{row.name}: {cell_text(row.cells[column])}" for row in rows]
    shown = "; ".join(said[:_MOST_SAID]) + (f"; and {len(said) - _MOST_SAID:,} more" if len(said) > _MOST_SAID else "")
    return Answer(
        message=f"{column.replace('_', ' ')} by {' and '.join(one.replace('_', ' ') for one in groups)}: {shown}.",
        query=program, columns=[column], rows=rows, covered=[one.files[0] for one in documents],
        notes=notes,
    )  # fmt: skip


def _extreme(plan: Plan, rows: Sequence[AnswerRow], program: str, notes: list[str]) -> Answer:
    """Return all groups that share the largest or smallest number of documents."""
    numbers = [one.cells["count"].value for one in rows]
    best = max(numbers) if plan.groups[0].extreme == "most" else min(numbers)
    found = [one for one in rows if one.cells["count"].value == best]
    said = f"{listed([one.name for one in found])}: {several(best, plan.bucket)}{' each' if len(found) > 1 else ''}."
    cited = [one for row in found for one in row.cells["count"].citations]
    values = [Cell(value=one.name, citations=one.cells["count"].citations) for one in found]
    return Answer(
        message=said, query=program, claims=[Claim(text=said, citations=cited)], values=values, computed=True,
        columns=["count"], rows=list(rows), notes=notes,
    )  # fmt: skip


def _quotes(keys: Sequence[Any], plan: Plan, documents: Sequence[Document], searches: Searches) -> Iterator[Citation]:
    """Yield citations of the places where the documents of a group state the group's key and the measured value."""
    for document in documents:
        places = [(searches.place(document, one.field), key) for one, key in zip(plan.groups, keys, strict=True)]
        if all(place is not None and str(place.stored)[:10].startswith(label_of(key)) if "(" in group.program
               else place is not None and str(place.stored) == label_of(key)
               for (place, key), group in zip(places, plan.groups, strict=True)):  # fmt: skip
            measured = [searches.place(document, one.name) for one in plan.asked]
            yield from (cited(document, one) for one in (*(place for place, _ in places), *measured) if one is not None)


def _left_out(plan: Plan, name: str, searches: Searches) -> Declined | None:
    """Decline if some documents belong to no group or lack the measured number: the numbers would not cover all
    documents."""
    for field in (*(one.field for one in plan.groups), *([name] if name else [])):
        missing = f"{plan.where} and {field} missing" if plan.where else f"{field} missing"
        missing += f" and not ({unread})" if (unread := unread_condition(searches.schema)) else ""
        if counted := searches.count(f"count {plan.bucket} where {missing}", f"those of which {field} is not known"):
            known = f"{plan.bucket} where {f'{plan.where} and ' if plan.where else ''}{field} exists"
            return Declined(
                message=f"Of {several(counted, plan.bucket)}, '{field}' is not known: they would be in no group.",
                query=program_of(plan), suggestions=[f"count {known} by {plan.groups[0].program}"],
            )  # fmt: skip
    return None
