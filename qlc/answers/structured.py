"""The structured route: lists, tables, values and computed numbers from typed fields, each cited by where it was
read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from qlc.corpus.status import Document, Place
from qlc.grammar.printer import print_string
from qlc.outcome import (
    Answer,
    AnswerRow,
    Cell,
    Citation,
    Claim,
    Clarify,
    Count,
    Declined,
    Hits,
    Option,
    Outcome,
    ValueOut,
)
from qlc.words.sentences import listed

from .linking import LinkedField, phrases
from .planning import Plan, joined_names
from .searching import MOST_DOCUMENTS, Searches
from .verifying import page_text


def program_of(plan: Plan, extra: str = "", tail: str = "") -> str:
    """The program that finds the documents of a plan."""
    where = " and ".join(one for one in (plan.where, extra) if one)
    return f"find {plan.bucket}{f' where {where}' if where else ''}{tail or f' limit {MOST_DOCUMENTS}'}"


def asked_in_words(plan: Plan) -> str:
    """What was really asked, from the conditions of the program."""
    return f"{plan.bucket}{f' where {plan.where}' if plan.where else ''}"


def listing(plan: Plan, searches: Searches) -> Outcome | None:
    """The documents that meet the conditions; more than can be read are a question how to narrow them."""
    found = searches.run("run_query", program_of(plan), "the documents that meet the conditions")
    if not isinstance(found, Hits):
        return None
    counted = searches.count(f"count {asked_in_words(plan)}", "how many there are in all")
    if counted > MOST_DOCUMENTS:
        return overload(plan, counted, searches)
    unknown = _unknown(plan, searches)
    if not found.total and unknown:
        return Declined(message=f"None is known to meet it. {' '.join(unknown)}", query=program_of(plan))
    notes = [*found.notes, *_read_as(plan), *unknown]
    return found.model_copy(update={"query": program_of(plan), "notes": notes})


def _unknown(plan: Plan, searches: Searches) -> list[str]:
    """Over how many documents a list is exact: those that meet all other conditions, and do not tell a field."""
    notes = []
    for one in plan.conditions:
        others = [other.text for other in plan.conditions if other is not one] + joined_names(plan.names)
        where = " and ".join([*others, f"{one.field} missing"])
        counted = searches.count(f"count {plan.bucket} where {where}", f"those of which {one.field} is not known")
        if counted:
            notes.append(f"Of {counted:,} more {plan.bucket}, '{one.field}' is not known.")
    return notes


def overload(plan: Plan, counted: int, searches: Searches) -> Clarify:
    """The exact count, and what would narrow it best: the most frequent values of the fields with few."""
    options: list[Option] = []
    for name, part in (
        searches.schema.file.buckets[plan.bucket].fields.items() if plan.bucket in _buckets(searches) else ()
    ):
        if part.type in ("name", "choice") and not part.sensitive and len(options) < 10:
            grouped = searches.run(
                "facets", f"count {asked_in_words(plan)} by {name} limit 3", f"what {name} would narrow"
            )
            for row in getattr(grouped, "rows", ()):
                label = row.key.get("name") if isinstance(row.key, Mapping) else row.key
                if label and row.value < counted:
                    condition = f"{plan.where} and " if plan.where else ""
                    query = f"find {plan.bucket} where {condition}{name} = {print_string(str(label))}"
                    options.append(Option(id=query, label=f"{name}: {label} ({row.value:,})", details={"query": query}))
    message = f"There are {counted:,} {plan.bucket}. Narrow the question, or export them all."
    return Clarify(
        what="overload", message=message, query=program_of(plan), token="overload", options=options, total=counted,
        notes=_read_as(plan),
    )  # fmt: skip


def _buckets(searches: Searches) -> Mapping[str, Any]:
    return searches.schema.file.buckets


def _read_as(plan: Plan) -> list[str]:
    return [f"Read as: {asked_in_words(plan)}."]


# --- values ----------------------------------------------------------------------------------------------------------


def cell(document: Document, place: Place, unit: str) -> Cell:
    """A value with its unit and its citation."""
    stored = place.stored
    if isinstance(stored, Mapping):
        return Cell(
            value=stored.get("amount"), unit=str(stored.get("currency", "")), citations=[_cited(document, place)]
        )
    if isinstance(stored, str) and len(stored) >= 10 and stored[4:5] == "-" and stored[10:11] == "T":
        stored = stored[:10]
    return Cell(value=stored, unit=unit, citations=[_cited(document, place)])


def _cited(document: Document, place: Place) -> Citation:
    page = place.page or None
    return Citation(document=document.id, file=document.files[0], page=page, quote=place.quote if page else "")


def told(one: Cell) -> str:
    """A value as people write it."""
    if isinstance(one.value, bool):
        return "yes" if one.value else "no"
    if isinstance(one.value, int | float):
        number = f"{one.value:,.10g}" if len(one.unit) != 3 else f"{one.value:,.2f}"
        return f"{one.unit} {number}" if len(one.unit) == 3 and one.unit.isupper() else f"{number} {one.unit}".strip()
    return str(one.value)


def cells_of(plan: Plan, documents: Sequence[Document], searches: Searches) -> list[AnswerRow]:
    """The values of the fields that are asked for, of each document."""
    rows = []
    for document in documents:
        cells = {}
        for one in plan.asked:
            place = searches.place(document, one.name)
            if place is not None:
                cells[one.name] = cell(document, place, searches.unit(plan.bucket, one.name))
        rows.append(AnswerRow(document=document.id, name=document.title, file=document.files[0], cells=cells))
    return rows


def found_documents(plan: Plan, searches: Searches) -> tuple[int, list[Document]]:
    """How many documents meet the conditions, and the first of them with their values."""
    total, hits = searches.hits("get_document_metadata", program_of(plan), "the documents that are meant")
    if (chosen := searches.chosen("document")) in {hit.id for hit in hits}:
        total, hits = 1, [hit for hit in hits if hit.id == chosen]
    return total, searches.documents([hit.id for hit in hits])


def value(plan: Plan, documents: Sequence[Document], searches: Searches) -> Answer | Clarify | Declined | None:
    """The value of a field of one document, or of several that say the same; None where no document has one."""
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    if not rows:
        return None
    if len(plan.asked) > 1 and not _are_joined(plan):
        return _which_field(plan)
    claims, values = [], []
    for one in plan.asked:
        having = [row for row in rows if one.name in row.cells]
        if not having:
            return None
        different = {str(row.cells[one.name].value) for row in having}
        latest = _superseding(having, searches) if len(different) > 1 else having[0]
        if latest is None:
            return _which(plan, rows)
        chosen = latest.cells[one.name]
        others = [
            row.cells[one.name] for row in having if row.cells[one.name].value == chosen.value and row is not latest
        ]
        citations = [*chosen.citations, *(citation for other in others for citation in other.citations)]
        values.append(chosen)
        claims.append(Claim(text=f"{_named(one)} of {latest.name}: {told(chosen)}.", citations=citations))
        for row in having:
            if row.cells[one.name].value != chosen.value:
                replaced = row.cells[one.name]
                text = f"{row.name} said {told(replaced)}; {latest.name} replaces it."
                claims.append(Claim(text=text, citations=replaced.citations))
    if (change := _changed_by(plan, rows, searches)) is not None:
        return change
    return Answer(
        message=" ".join(one.text for one in claims), query=program_of(plan), claims=claims, values=values,
        covered=[row.file for row in rows], notes=_read_as(plan),
    )  # fmt: skip


def _are_joined(plan: Plan) -> bool:
    """Whether the fields are asked for one after the other: `the width and the height`, `its price, its weight`."""
    places = sorted(one.begin for one in plan.asked)
    text = plan.linked.text
    return all(re.search(r",|\b(?:and|or|as well as)\b|&", text[one:other]) for one, other in pairwise(places))


def _which_field(plan: Plan) -> Clarify:
    names = [_named(one) for one in plan.asked]
    options = [
        Option(id=one.name, label=_named(one), details={"query": f"{program_of(plan)} show {one.name}"})
        for one in plan.asked
    ]
    return Clarify(
        what="field", message=f"Is {listed(names, 'or')} meant?", options=options, token="field",
        query=program_of(plan), notes=_read_as(plan),
    )  # fmt: skip


_SUPERSEDES = re.compile(
    r"\b(?:is|are) (?:hereby )?(?:replaced|amended|superseded|deleted)\b|\binstead of\b", re.IGNORECASE
)
"""How a document says that it changes another one."""


def _superseding(rows: Sequence[AnswerRow], searches: Searches) -> AnswerRow | None:
    """The one of two documents that says that it changes the other: an amendment. None where that is not clear."""
    found = [row for row in rows if _SUPERSEDES.search(" ".join(page_text(row.document, None, searches).split()))]
    return found[0] if len(found) == 1 and len(rows) == 2 else None


_AMENDING = ("amendment", "addendum", "supplement", "variation", "side letter", "change order")


def _changed_by(plan: Plan, rows: Sequence[AnswerRow], searches: Searches) -> Declined | None:
    """A document that changes others and names the same things, but is none of those that were read: what it says of
    the value is not known, so the value that was found may no longer count."""
    titled = " or ".join(f"title contains {print_string(word)}" for word in _AMENDING)
    named = " and ".join(f"mentions {print_string(one.text)}" for one in plan.names[:3])
    program = f"find documents where ({titled}) and {named} limit 5 show title, file"
    _, hits = searches.hits("search_text", program, "whether a later document changes it")
    others = [hit for hit in hits if hit.id not in {row.document for row in rows}]
    if not others or not plan.names:
        return None
    known = "; ".join(f"{row.name} says {told(one)}" for row in rows for one in row.cells.values())
    files = [str(file) for hit in others for file in (hit.values.get("file") or [])[:1]]
    return Declined(
        message=f"{known}, but {listed(files)} may change it: I could not read the value there.",
        suggestions=[f"Summarize {hit.values.get('title')}" for hit in others],
    )


def _named(one: LinkedField) -> str:
    return phrases(one.name, one.part)[0]


def _which(plan: Plan, rows: Sequence[AnswerRow]) -> Clarify:
    options = [
        Option(id=row.document, label=f"{row.name} ({row.file})", name=row.name, entity=plan.bucket)
        for row in rows[:10]
    ]
    return Clarify(
        what="document", message=f"{len(rows):,} {plan.bucket} can be meant, and they differ. Which one?",
        options=options, token="document", query=program_of(plan), notes=_read_as(plan),
    )  # fmt: skip


def table(plan: Plan, documents: Sequence[Document], searches: Searches) -> Answer | None:
    """A row for each document and a column for each field; each cell has its citation."""
    rows = cells_of(plan, documents, searches)
    if not any(row.cells for row in rows):
        return None
    columns = [one.name for one in plan.asked]
    known = {name: sum(name in row.cells for row in rows) for name in columns}
    gaps = [
        f"{name.replace('_', ' ')} is known of {known[name]} of {len(rows)}"
        for name in columns
        if known[name] < len(rows)
    ]
    message = f"{len(rows)} {plan.bucket}: {listed([name.replace('_', ' ') for name in columns])}."
    return Answer(
        message=message, query=program_of(plan), columns=columns, rows=rows, covered=[row.file for row in rows],
        notes=[*_read_as(plan), *(f"{one}." for one in gaps)],
    )  # fmt: skip


MOST_SUMMARISED = 20
"""Documents of one summary; more are a question how to narrow them."""


_FEWEST_FACTS = 3
"""What must be known of each document for its fields to be a summary of it."""


def summary(plan: Plan, searches: Searches) -> Outcome | None:
    """What is known of each document that meets the conditions, field by field."""
    total, documents = found_documents(plan, searches)
    if total > MOST_SUMMARISED:
        return overload(plan, total, searches)
    claims, text = [], []
    for document in documents:
        known = []
        for name, part in searches.schema.file.buckets[plan.bucket].fields.items():
            place = searches.place(document, name) if part.type not in ("rows", "text") else None
            if place is not None:
                one = cell(document, place, searches.unit(plan.bucket, name))
                known.append(f"{phrases(name, part)[0]} {told(one)}")
                claims.append(Claim(text=f"{document.title}: {known[-1]}.", citations=one.citations))
        text.append(f"{document.title}: {'; '.join(known)}." if known else f"{document.title}: nothing is known of it.")
    if len(claims) < _FEWEST_FACTS * len(documents):
        return None
    covered = [one.files[0] for one in documents]
    return Answer(
        message="\n".join(text), query=program_of(plan), claims=claims, covered=covered,
        notes=[*_read_as(plan), f"This covers all {total} {plan.bucket} that meet it."],
    )  # fmt: skip


# --- computed --------------------------------------------------------------------------------------------------------


def computed(plan: Plan, searches: Searches) -> Outcome | None:
    """A number over the documents: a count, or a measure of a field, with the values that it was computed from."""
    measure = plan.linked.measure
    if measure == "count":
        program = f"count {asked_in_words(plan)}"
        counted = searches.run("run_query", program, "how many there are")
        if not isinstance(counted, Count):
            return None
        _, documents = found_documents(plan, searches)
        citations = [one for document in documents[:20] for one in _why(plan, document, searches)]
        claim = Claim(text=f"{counted.value:,} {plan.bucket}.", citations=citations)
        return Answer(
            message=claim.text, query=program, claims=[claim], values=[Cell(value=counted.value)], computed=True,
            covered=[one.files[0] for one in documents], notes=_read_as(plan),
        )  # fmt: skip
    if not plan.asked or len(plan.asked) > 1 or plan.asked[0].part.type not in ("number", "money", "duration", "date"):
        return None
    name = plan.asked[0].name
    if measure in ("min", "max") and re.match(r"which|what (?!is|was|are|were)", plan.linked.text, re.IGNORECASE):
        return _extreme(plan, name, searches)
    total, documents = found_documents(plan, searches)
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    units = {row.cells[name].unit for row in rows}
    if len(units) != 1 or total > len(documents):
        return None
    program = f"{measure}({name}) of {asked_in_words(plan)}"
    outcome = searches.run("annotations_aggregate", program, f"the {measure} of {name}")
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    one = Cell(value=_plain(outcome.value), unit=units.pop())
    citations = [citation for row in rows for citation in row.cells[name].citations]
    words = {"min": "Lowest", "max": "Highest", "avg": "Average", "sum": "Sum of"}[measure]
    text = f"{words} {name.replace('_', ' ')} of {len(rows)} {plan.bucket}: {told(one)}."
    claim = Claim(text=text, citations=citations)
    return Answer(
        message=text, query=program, claims=[claim], values=[one.model_copy(update={"citations": citations})],
        computed=True, columns=[name], rows=rows, covered=[row.file for row in rows],
        notes=[*_read_as(plan), *([f"{total - len(rows)} of them do not tell it."] if len(rows) < total else [])],
    )  # fmt: skip


def _extreme(plan: Plan, name: str, searches: Searches) -> Outcome | None:
    """The documents with the lowest or highest value of a field: all that share it."""
    program = f"{plan.linked.measure}({name}) of {asked_in_words(plan)}"
    outcome = searches.run("annotations_aggregate", program, f"the {plan.linked.measure} of {name}")
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    unit = searches.unit(plan.bucket, name)
    bound = print_string(str(outcome.value)) if isinstance(outcome.value, str) else f"{_plain(outcome.value)}"
    extra = f"{name} = {bound}" + (f" {unit}" if unit and not isinstance(outcome.value, str) else "")
    found = searches.run("run_query", program_of(plan, extra), "the documents that have it")
    return (
        found.model_copy(update={"query": program_of(plan, extra)}) if isinstance(found, Hits) and found.hits else None
    )


def _plain(number: Any) -> Any:
    """A sum of stored amounts without what floats add to it."""
    return round(number, 6) if isinstance(number, float) else number


def _why(plan: Plan, document: Document, searches: Searches) -> list[Citation]:
    """Where a document says that it meets the conditions."""
    fields = [one.field for one in plan.conditions] + [name for one in plan.names for name in one.fields]
    places = [place for name in fields if (place := searches.place(document, name)) is not None]
    return [_cited(document, place) for place in places]
