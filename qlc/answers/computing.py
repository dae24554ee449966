"""Numbers over documents: counts, and measures of a field, with the values that they were computed from.

A measure is exact over all documents that are meant, or it is declined: where one of them does not tell the field, is
in another currency, changes another document, or may be changed by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.corpus.unread import unread_condition
from qlc.grammar.printer import print_string
from qlc.outcome import AggregateOut, Answer, Cell, Citation, Claim, Count, Declined, Outcome, ValueOut
from qlc.outcome.tables import cell_text

from .cells import (
    AMENDS,
    asked_in_words,
    cells_of,
    cited,
    found_documents,
    is_amending,
    notes_on,
    program_of,
    read_as,
    said_as_written,
    several,
)
from .changes import doubts, said_to_change
from .decomposition import HOW_MANY
from .grouping import grouped
from .planning import Plan
from .searching import CHECK, Searches
from .vocabulary import MEASURED
from .working_days import days_apart


def computed(plan: Plan, searches: Searches) -> Outcome | None:
    """Return a number over the documents; None where fields do not tell it."""
    if plan.groups:
        return grouped(plan, searches)
    if plan.linked.measure == "count":
        return _counted(plan, searches)
    if len(plan.asked) != 1 or plan.asked[0].part.type not in MEASURED:
        return None
    if any(one.in_rows for one in plan.names):
        return None  # the cost of the tires on an invoice is not its total
    return _measured(plan, plan.asked[0].name, searches)


def _counted(plan: Plan, searches: Searches) -> Outcome | None:
    found = HOW_MANY.search(plan.linked.text)
    are_rows = found is not None and any(one.made for one in plan.names) and not any(
        found.start(1) <= at < found.end(1) for at in plan.linked.bucket_words
    )  # fmt: skip
    if are_rows:
        return None  # `how many boxes of gloves were ordered`: tables inside documents are not counted here
    program = f"count {asked_in_words(plan)}"
    counted = searches.run("run_query", program, "how many there are")
    if not isinstance(counted, Count):
        return None
    _, documents = found_documents(plan, searches)
    notes, unsure = doubts(plan, counted.value, [one.id for one in documents], searches)
    if unsure is not None:
        return unsure
    citations = [one for document in documents[:20] for one in _condition_citations(plan, document, searches)]
    claim = Claim(text=f"{several(counted.value, plan.bucket)}.", citations=citations)
    return Answer(
        message=claim.text, query=program, claims=[claim], values=[Cell(value=counted.value)], computed=True,
        covered=[one.files[0] for one in documents],
        notes=[*read_as(plan), *notes, *_amending_note(documents)],
    )  # fmt: skip


def _measured(plan: Plan, name: str, searches: Searches) -> Outcome | None:
    measure = plan.linked.measure
    total, documents = found_documents(plan, searches)
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    if not rows:
        return None
    known = len(rows) if total <= len(documents) else total  # without the files that could not be read
    notes, unsure = doubts(plan, total, [one.id for one in documents], searches)
    if unsure is not None:
        return unsure
    if (apart := _inexact(plan, name, total, searches) or days_apart(plan, rows, known, searches)) is not None:
        return apart
    if changed := said_to_change(plan, [name], documents, searches):
        return _declined(plan, changed)
    notes = [*read_as(plan), *notes, *notes_on(documents, [name], plan, searches)]
    if known == 1:  # one document: show its value, without a sum
        one = rows[0].cells[name]
        text = f"{_capital(name)} of {rows[0].name}: {said_as_written(one)}."
        return Answer(
            message=text, query=f"{program_of(plan)} show {name}", claims=[Claim(text=text, citations=one.citations)],
            values=[one], covered=[rows[0].file], notes=notes,
        )  # fmt: skip
    program = f"{measure}({name}) of {asked_in_words(plan)}"
    outcome = searches.run("annotations_aggregate", program, f"the {measure} of {name}")
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    value = round(outcome.value, 6) if isinstance(outcome.value, float) else outcome.value
    if measure in ("min", "max") and (plan.limit or _WHICH_ONE.match(plan.linked.text)):
        ordered = sorted((row.cells[name].value for row in rows), reverse=measure == "max")
        if plan.limit > 1 and len(rows) < known:
            return None  # not all values are at hand
        return _extreme(plan, name, ordered[min(plan.limit, known) - 1] if plan.limit > 1 else value, notes, searches)
    best = [row for row in rows if measure in ("min", "max") and row.cells[name].value == outcome.value]
    units = {row.cells[name].unit for row in best or rows}
    if len(units) != 1:
        return None
    citations = [citation for row in rows for citation in row.cells[name].citations]
    number = Cell(value=value, unit=units.pop(), citations=citations)
    words = {"avg": "Average", "sum": "Sum of"}.get(measure) or _extreme_word(plan)
    text = f"{words} {name.replace('_', ' ')} of {several(known, plan.bucket)}: {cell_text(number)}."
    first = [f"The values of the first {len(rows):,} are shown, and cited."] if known > len(rows) else []
    return Answer(
        message=text, query=program, claims=[Claim(text=text, citations=citations)], values=[number], computed=True,
        columns=[name], rows=rows, covered=[row.file for row in rows], notes=[*notes, *first],
    )  # fmt: skip


_WHICH_ONE = re.compile(r"(?:(?:at|by|for|from|in|of|on|to|with) )?(?:which|what) (?!is|was|are|were)", re.IGNORECASE)


def _extreme_word(plan: Plan) -> str:
    is_date = plan.asked[0].part.type == "date"
    return {"min": "Earliest" if is_date else "Lowest"}.get(plan.linked.measure, "Latest" if is_date else "Highest")


def _inexact(plan: Plan, name: str, total: int, searches: Searches) -> Declined | None:
    """Decline if a measure would be wrong: amounts have several currencies, some documents change others and would be
    counted twice, or some documents lack the field. None if all is well."""
    if plan.asked[0].part.type == "money":
        by = f"count {asked_in_words(plan)} by {name}_currency"
        found = searches.run("facets", by, "whether all are of one currency")
        codes = sorted(str(row.key) for row in found.rows) if isinstance(found, AggregateOut) else []
        if len(codes) != 1:
            said = f"{_capital(name)} is in {listed(codes)}: these cannot be compared. Say which is meant."
            said = said if codes else f"No currency is stated for {name.replace('_', ' ')}, so it cannot be compared."
            return _declined(plan, said, [f'{name}_currency = "{code}"' for code in codes])
    changing, hits = searches.hits(CHECK, program_of(plan, f"({AMENDS})"), "those that change others")
    if 0 < changing < total:
        files = [one.files[0] for one in searches.documents([hit.id for hit in hits[:3]])]
        change = f"{listed(files)} {'changes' if changing == 1 else 'change'} other documents"
        return _declined(plan, f"{change}: {name.replace('_', ' ')} would be counted twice.", [f"not ({AMENDS})"])
    read = f" and not ({unread})" if (unread := unread_condition(searches.schema)) else ""
    missing, lacking = searches.hits(CHECK, program_of(plan, f"{name} missing{read}"), f"those that lack {name}")
    if missing:
        files = [one.files[0] for one in searches.documents([hit.id for hit in lacking[:3]])]
        more = f" and {missing - 3:,} more" if missing > 3 else ""
        said = f"'{name}' is not known in {', '.join(files)}{more}. So it is not known of all."
        return _declined(plan, said, [f"{name} exists"])
    return None


def _declined(plan: Plan, message: str, narrower: Sequence[str] = ()) -> Declined:
    """Decline a measure, with the program that shows the single values. Each condition of `narrower` makes a
    suggestion: with it the measure can be computed."""
    name, own = plan.asked[0].name, [plan.where] if plan.where else []
    measure = f"{plan.linked.measure}({name}) of {plan.bucket} where"
    suggestions = [f"{measure} {' and '.join([*own, one])}" for one in narrower]
    return Declined(message=message, query=f"{program_of(plan)} show {name}", suggestions=suggestions)


def _capital(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _extreme(plan: Plan, name: str, value: Any, notes: Sequence[str], searches: Searches) -> Outcome | None:
    """Return all documents with the lowest or highest values of a field, up to `value`."""
    unit = searches.unit(plan.bucket, name)
    bound = print_string(value) if isinstance(value, str) else f"{value} {unit}".rstrip()
    sign = "=" if plan.limit < 2 else ">=" if plan.linked.measure == "max" else "<="
    extra = f"{name} {sign} {bound}"
    total, hits = searches.hits("run_query", program_of(plan, extra), "the documents that have it")
    rows = [row for row in cells_of(plan, searches.documents([hit.id for hit in hits]), searches) if row.cells]
    if total > len(rows) or not rows:
        return None
    rows.sort(key=lambda row: row.cells[name].value, reverse=plan.linked.measure == "max")
    which = _extreme_word(plan)
    claims = [
        Claim(text=f"{which} {name.replace('_', ' ')}: {said_as_written(row.cells[name])}, of {row.name}.",
              citations=row.cells[name].citations)
        for row in rows
    ]  # fmt: skip
    return Answer(
        message="\n".join(one.text for one in claims), query=program_of(plan, extra), claims=claims,
        values=[*(Cell(value=row.name, citations=row.cells[name].citations) for row in rows), rows[0].cells[name]],
        computed=True, columns=[name], rows=rows, covered=[row.file for row in rows], notes=list(notes),
    )  # fmt: skip


def _amending_note(documents: Sequence[Document]) -> list[str]:
    """Return a note that names the documents that change others and are counted as well."""
    files = [one.files[0] for one in documents if is_amending(one.title)]
    some = f"{listed(files[:3])}{' and others' if len(files) > 3 else ''}"
    return [f"{some} {'changes another document, and is' if len(files) == 1 else 'change others, and are'} counted too."
            ] if files and len(files) < len(documents) else []  # fmt: skip


def _condition_citations(plan: Plan, document: Document, searches: Searches) -> list[Citation]:
    """Return citations of the places where a document states the values that the conditions compare."""
    fields = [one.field for one in plan.conditions] + [name for one in plan.names for name in one.fields]
    places = [place for name in fields if (place := searches.place(document, name)) is not None]
    return [cited(document, place) for place in places]
