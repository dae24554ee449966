"""The structured route: lists, tables, values and computed numbers from typed fields, each cited by where it was
read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.grammar.printer import print_string
from qlc.outcome import Answer, AnswerRow, Cell, Claim, Clarify, Declined, Hits, Option, Outcome
from qlc.outcome.amounts import spelled_unit
from qlc.outcome.tables import cell_text

from .cells import (
    asked_in_words,
    cell,
    cells_of,
    distinct_titles,
    found_documents,
    in_unit,
    notes_on,
    program_of,
    read_as,
    said_as_written,
    several,
    shown,
    with_doubts,
)
from .changes import Change, changes_of, doubts, shown_changes
from .computing import computed
from .naming import are_alternatives
from .planning import Plan
from .searching import MOST_DOCUMENTS, Searches, label_of, matches_of
from .vocabulary import phrases


def by_fields(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the exact answer to a plan that covers the whole question; None if the fields do not have it."""
    match plan.linked.intent:
        case "list":
            return listing(plan, searches)
        case "compute" if plan.asked_of_it:
            return of_extreme(plan, searches)
        case "compute":
            return computed(plan, searches)
        case "compare" if plan.asked and plan.is_typed:
            total, documents = found_documents(plan, searches)
            return table(plan, documents, searches) if 1 < total == len(documents) else None
        case "summarize" if plan.is_typed and plan.bucket in searches.schema.file.buckets:
            return summary(plan, searches)
        case "qa" if plan.asked:
            _, documents = found_documents(plan, searches)
            return value(plan, documents, searches)
        case _:
            return None


def listing(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the documents that meet the conditions; a clarification if there are more than can be read."""
    wanted = ("run_query", program_of(plan), "the documents that meet the conditions")
    found, *_ = searches.together([wanted, *searches.for_unread(plan.bucket)])
    if not isinstance(found, Hits):
        return None
    counted = matches_of(found)
    notes, unsure = doubts(plan, counted, found.ids, searches)
    if counted > MOST_DOCUMENTS:
        return overload(plan, counted, searches, [*notes, *([unsure.message] if unsure is not None else [])])
    if unsure is not None:
        return unsure
    told_so = [*found.notes, *read_as(plan), *notes, *shown_changes(plan, found, searches)]
    return found.model_copy(update={"query": program_of(plan), "notes": told_so})


def overload(plan: Plan, counted: int, searches: Searches, notes: Sequence[str] = ()) -> Clarify:
    """Return the exact count, and options that narrow the list: frequent values of fields with few values."""
    options: list[Option] = []
    closed = [name for name, part in searches.schema.fields(plan.bucket).items()
              if part.type in ("name", "choice") and not part.sensitive]  # fmt: skip
    asked = f"count {asked_in_words(plan)}"
    facets = searches.together(
        [("facets", f"{asked} by {name} limit 3", f"what {name} would narrow") for name in closed[:_MOST_FACETS]]
    )
    for name, grouped in zip(closed, facets, strict=False):
        if len(options) < 10:
            for row in getattr(grouped, "rows", ()):
                label = label_of(row.key)
                if label and row.value < counted:
                    condition = f"{plan.where} and " if plan.where else ""
                    query = f"find {plan.bucket} where {condition}{name} = {print_string(label)}"
                    options.append(Option(id=query, label=f"{name}: {label} ({row.value:,})", details={"query": query}))
    message = f"There are {several(counted, plan.bucket)}. Narrow the question, or export them all."
    return Clarify(
        what="overload", message=message, query=program_of(plan), token="overload", options=options, total=counted,
        notes=[*read_as(plan), *notes],
    )  # fmt: skip


_MOST_FACETS = 10
"""Fields by which an overload is counted."""


# --- values ----------------------------------------------------------------------------------------------------------


def value(plan: Plan, documents: Sequence[Document], searches: Searches) -> Answer | Clarify | Declined | None:
    """Return the value of a field of one document, or of several that agree; None if no document has it."""
    documents = _exactly_named(plan, documents, searches)
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    if not rows:
        return None
    if changes := changes_of(plan, [one.name for one in plan.asked], documents, searches):
        return _changed(plan, rows, changes)
    if len(rows) > 1 and any(are_alternatives(*pair, plan.linked.text) for pair in combinations(plan.names, 2)):
        return table(plan, documents, searches)
    if len(plan.asked) > 1 and not _are_joined(plan):
        return _which_field(plan)
    claims, values = [], []
    for one in plan.asked:
        having = [row for row in rows if one.name in row.cells]
        if not having:
            return None
        if len({str(row.cells[one.name].value) for row in having}) > 1:
            return table(plan, documents, searches) if _EVERY.search(plan.linked.text) else which(plan, rows)
        first = having[0]
        chosen = first.cells[one.name]
        given = in_unit(chosen, plan.linked)
        if given is None:
            known = f"{one.called} of {first.name} is {said_as_written(chosen)}"
            return Declined(
                message=f"{known}: that cannot be converted to {spelled_unit(plan.linked.unit)}.", query=shown(plan)
            )
        values.append(given)
        text = f"{one.called} of {first.name}: {said_as_written(given, chosen)}."
        claims.append(Claim(text=text, citations=[cited for row in having for cited in row.cells[one.name].citations]))
    return Answer(
        message=" ".join(one.text for one in claims), query=shown(plan), claims=claims, values=values,
        covered=[row.file for row in rows],
        notes=[
            *read_as(plan), *notes_on(documents, {one.name for one in plan.asked}, plan, searches, already_said=True),
        ],
    )  # fmt: skip


def of_extreme(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the value of a field of the document with the lowest or highest value of another: `the fee of the latest
    contract`."""
    found = computed(plan, searches)
    if not isinstance(found, Answer):
        return found
    one = replace(plan, asked=plan.asked_of_it, linked=replace(plan.linked, intent="qa", measure=""))
    made = value(one, searches.documents([row.document for row in found.rows]), searches)
    if made is None:
        named = listed([each.called for each in plan.asked_of_it])
        untold = f"I read no value of {named} in it; its text may still tell it."
        return Declined(message=f"{found.message} {untold}", query=found.query)
    if not isinstance(made, Answer):
        return made
    return made.model_copy(update={
        "claims": [*found.claims, *made.claims], "message": f"{found.message} {made.message}",
        "notes": list(dict.fromkeys([*found.notes, *made.notes])),
        "query": f"{found.query} show {plan.asked_of_it[0].name}",
    })  # fmt: skip


_EVERY = re.compile(r"\b(?:every|each|all)\b", re.IGNORECASE)


def _exactly_named(plan: Plan, documents: Sequence[Document], searches: Searches) -> Sequence[Document]:
    """Return the documents whose field equals the name, if others only contain it: `Quay 9` before `Quay 9, garage`."""
    is_one = not any(are_alternatives(*pair, plan.linked.text) for pair in combinations(plan.names, 2))
    for name in plan.names if len(documents) > 1 and is_one else ():
        exact = [
            one for one in documents
            if any(place and str(place.stored).casefold() == name.text.casefold()
                   for place in (searches.place(one, field) for field in name.fields))
        ]  # fmt: skip
        documents = exact or documents
    return documents


def _are_joined(plan: Plan) -> bool:
    """Whether the fields are asked for one after the other: `the width and the height`, `its price, its weight`."""
    places = sorted(one.begin for one in plan.asked)
    text = plan.linked.text
    return plan.are_joined or all(
        re.search(r",|\b(?:and|or|as well as)\b|&", text[one:other]) for one, other in pairwise(places)
    )


def _which_field(plan: Plan) -> Clarify:
    names = [one.called for one in plan.asked]
    options = [
        Option(id=one.name, label=one.called, details={"query": f"{program_of(plan)} show {one.name}"})
        for one in plan.asked
    ]
    return Clarify(
        what="field", message=f"Is {listed(names, 'or')} meant?", options=options, token="field",
        query=program_of(plan), notes=read_as(plan),
    )  # fmt: skip


def _changed(plan: Plan, rows: Sequence[AnswerRow], changes: Sequence[Change]) -> Declined:
    """Return the note that another document may change a value, with its sentence."""
    known = "; ".join(f"{row.name} says {said_as_written(cell)}" for row in rows for cell in row.cells.values())
    said = dict.fromkeys(one.said() for one in changes)
    return Declined(
        message=f"{known}, but another document may change it. {'; '.join(said)}",
        suggestions=[f"Summarize {one}" for one in dict.fromkeys(one.title for one in changes)], query=shown(plan),
    )  # fmt: skip


def which(plan: Plan, rows: Sequence[AnswerRow]) -> Clarify:
    options = [
        Option(id=row.document, label=f"{row.name} ({row.file})", name=row.name, entity=plan.bucket)
        for row in rows[:10]
    ]
    return Clarify(
        what="document", message=f"{several(len(rows), plan.bucket)} may be meant, and their values differ. Which one?",
        options=options, token="document", query=shown(plan), notes=read_as(plan),
    )  # fmt: skip


def table(plan: Plan, documents: Sequence[Document], searches: Searches) -> Answer | Declined | None:
    """Return a row for each document and a column for each field; each cell has its citation."""
    rows = cells_of(plan, documents, searches)
    if not any(row.cells for row in rows):
        return None
    changes = changes_of(plan, [one.name for one in plan.asked], documents, searches)
    if changes and (plan.linked.intent != "list" or len(rows) == 1):
        return _changed(plan, [row for row in rows if row.document in {one.of.id for one in changes}], changes)
    columns = [one.name for one in plan.asked]
    known = {name: sum(name in row.cells for row in rows) for name in columns}
    gaps = [f"{name.replace('_', ' ')} is known for {known[name]} of {len(rows)}"
            for name in columns if known[name] < len(rows)]  # fmt: skip
    if gaps and plan.names and plan.linked.intent != "list":
        told_ones = [
            f"{row.name}: {name.replace('_', ' ')} {cell_text(one)}" for row in rows for name, one in row.cells.items()
        ]
        return Declined(
            message=f"I cannot fill the table: {listed(gaps)}. These are known: {'; '.join(told_ones[:30])}.",
            query=f"{program_of(plan)} show {', '.join(columns)}",
        )
    message = f"{several(len(rows), plan.bucket)}: {listed([name.replace('_', ' ') for name in columns])}."
    rows, doubts = with_doubts(rows, columns, documents)
    rows, changed = _with_changes(rows, changes)
    return Answer(
        message=message, query=shown(plan), columns=columns, rows=rows, covered=[row.file for row in rows],
        notes=[
            *read_as(plan), *(f"{one}." for one in gaps), *doubts, *changed,
            *notes_on(documents, columns, plan, searches),
        ],
    )  # fmt: skip


def _with_changes(rows: Sequence[AnswerRow], changes: Sequence[Change]) -> tuple[list[AnswerRow], list[str]]:
    """Return rows with `?` where another document may change a value, and notes with the value and the sentence."""
    first = {(one.of.id, one.field): one for one in reversed(changes)}
    notes, found = [], []
    for row in rows:
        cells = dict(row.cells)
        for name in row.cells:
            if (change := first.get((row.document, name))) is not None:
                known = f"{name.replace('_', ' ')} of {row.name} says {said_as_written(row.cells[name])}"
                notes.append(f"{known}, but another document may change it. {change.said()}")
                cells[name] = Cell(value="?", citations=[*row.cells[name].citations, change.citation])
        found.append(row.model_copy(update={"cells": cells}))
    return found, notes


def with_columns(plan: Plan, found: Hits, searches: Searches) -> Outcome:
    """Return a list with the values of some fields, a row for each document; the list alone if no document has them."""
    made = table(plan, searches.documents(found.ids), searches)
    if not isinstance(made, Answer):
        named = listed([one.called for one in plan.asked])
        untold = f"I read no value of {named} in them; their text may still tell it."
        notes = [*found.notes, untold, *filter(None, [searches.unread(plan.bucket)])]
        return made or found.model_copy(update={"notes": notes})
    return made.model_copy(update={"notes": list(dict.fromkeys([*found.notes, *made.notes]))})


MOST_SUMMARISED = 20
"""Documents of one summary; more are a question how to narrow them."""


_FEWEST_FACTS = 3
"""Least number of known fields of each document for a summary of its fields."""


def summary(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the known fields of each document that meets the conditions; None if too little is known for a summary."""
    total, documents = found_documents(plan, searches)
    if total > MOST_SUMMARISED:
        return overload(plan, total, searches)
    notes, unsure = doubts(plan, total, [one.id for one in documents], searches)
    if unsure is not None:
        return unsure
    if not documents:
        return None
    claims: list[Claim] = []
    text, called = [], distinct_titles(documents)
    for document in documents:
        known: list[str] = []
        for name, part in searches.schema.fields(plan.bucket).items():
            place = searches.place(document, name) if part.type not in ("rows", "text") else None
            if place is not None:
                one = cell(document, place, searches.unit(plan.bucket, name))
                known.append(f"{phrases(name, part)[0]} {said_as_written(one)}")
                claims.append(Claim(text=f"{called[document.id]}: {known[-1]}.", citations=one.citations))
        if not known:
            return None
        text.append(f"{called[document.id]}: {'; '.join(known)}.")
    declared = [one for one in searches.schema.fields(plan.bucket).values() if one.type not in ("rows", "text")]
    least = max(_FEWEST_FACTS, len(declared) / 2) if len(documents) == 1 else _FEWEST_FACTS
    if len(claims) < least * len(documents):
        return None
    covered = [one.files[0] for one in documents]
    return Answer(
        message="\n".join(text), query=program_of(plan), claims=claims, covered=covered,
        notes=[
            *read_as(plan), *notes, *notes_on(documents, {*searches.schema.fields(plan.bucket)}, plan, searches),
            f"This covers {several(total, plan.bucket)}: all that match.",
        ],
    )  # fmt: skip
