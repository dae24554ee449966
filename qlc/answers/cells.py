"""The cells of an answer: the programs that find its documents, and values with their units and citations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from qlc.corpus.schema import singular
from qlc.corpus.status import Document, Place
from qlc.grammar.printer import print_string
from qlc.language.quantities import Quantity, Style, quantities, unit_as_written
from qlc.language.units import convert, unit_of
from qlc.outcome import AnswerRow, Cell, Citation
from qlc.outcome.tables import cell_text

from .linking import Linked
from .planning import Plan
from .searching import MOST_DOCUMENTS, Searches

AMENDING = ("amendment", "addendum", "supplement", "variation", "side letter", "change order")
"""Words in the titles of documents that change other documents."""
AMENDS = " or ".join(f"title contains {print_string(word)}" for word in AMENDING)


def is_amending(title: str) -> bool:
    """Whether a document says by its title that it changes another one."""
    return any(one in title.lower() for one in AMENDING)


def program_of(plan: Plan, extra: str = "", tail: str = "") -> str:
    """The program that finds the documents of a plan."""
    where = " and ".join(one for one in (plan.where, extra) if one)
    return f"find {plan.bucket}{f' where {where}' if where else ''}{tail or f' limit {MOST_DOCUMENTS}'}"


def shown(plan: Plan) -> str:
    """The program that finds the documents of a plan and shows the fields that are asked for."""
    return f"{program_of(plan)} show {', '.join(one.name for one in plan.asked)}"


def asked_in_words(plan: Plan) -> str:
    """Return the bucket and the conditions of a plan, as a program has them: `leases where rent > 500`."""
    return f"{plan.bucket}{f' where {plan.where}' if plan.where else ''}"


def read_as(plan: Plan) -> list[str]:
    return [f"Read as: {asked_in_words(plan)}."]


def cell(document: Document, place: Place, unit: str) -> Cell:
    """A value with its unit and its citation."""
    stored = place.stored
    if isinstance(stored, Mapping):
        unit, stored = str(stored.get("currency", "")), stored.get("amount")
    elif isinstance(stored, str) and stored[4:5] == "-" and stored[10:11] == "T":
        stored = stored[:10]
    return Cell(value=stored, unit=unit_as_written(stored, unit, place.quote), citations=[cited(document, place)])


def said_as_written(one: Cell, kept: Cell | None = None) -> str:
    """A value as people write it; one that was converted from months or years as it was written, too. `kept` is the
    value in the unit of its field.

    `three months` of a field in days -> `three months, taken as 90 days`
    """
    text, written = cell_text(one), _inexact(one)
    if written is not None:
        return f"{written[0]}, taken as {text}"
    is_converted = kept is not None and cell_text(kept) != text and _inexact(kept) is None
    return f"{text} ({cell_text(kept)})" if is_converted else text


def _inexact(one: Cell) -> tuple[str, Quantity] | None:
    """The amount that a value in days was read from, where its quote has months or years, or the other way round."""
    unit = unit_of(one.unit)
    if unit is None or not isinstance(one.value, int | float):
        return None
    said = [(each, " ".join(quote[each.start : each.end].split()))
            for quote in {cited.quote: 0 for cited in one.citations} for each in quantities(quote, Style())
            if each.kind == "measure"]  # fmt: skip
    worth = {text: convert(each.number, each.unit, unit) for each, text in said}
    same = [(text, each) for each, text in said if (number := worth[text]) is not None
            and plain_number(number) == plain_number(Decimal(str(one.value)))]  # fmt: skip
    is_exact = any((each.unit in _UNEVEN) == (unit in _UNEVEN) for _, each in same)
    return same[0] if same and not is_exact else None


def notes_on(
    documents: Sequence[Document], fields: Collection[str], plan: Plan, searches: Searches, already_said: bool = False
) -> list[str]:
    """How values of some fields were read: by the meaning of a sentence, where no word leads to them; or converted from
    months or years, which are no fixed number of days, unless the answer has said so of each value."""
    found: dict[str, list[str]] = {}
    for one in documents:
        for place in one.places:
            if place.field not in fields or place.is_disputed:
                continue
            if place.by == "meaning":
                found.setdefault(f"'{place.field}' was read by the meaning of a sentence in {{}}: look at the quote.",
                                 []).append(one.files[0])  # fmt: skip
            value = cell(one, place, searches.unit(plan.bucket, place.field))
            if not already_said and (written := _inexact(value)) is not None:
                found.setdefault(f"{written[0]!r} was taken as {cell_text(value)} in {{}}: {_CALENDAR}.",
                                 []).append(one.files[0])  # fmt: skip
    return [note.format(", ".join(files[:3]) + (f" and {len(files) - 3:,} more" if len(files) > 3 else ""))
            for note, files in found.items()]  # fmt: skip


_CALENDAR = "a month counts as 30 days, a year as 365"


def cited(document: Document, place: Place) -> Citation:
    page = place.page or None
    return Citation(document=document.id, file=document.files[0], page=page, quote=place.quote if page else "")


def several(count: int, bucket: str, further: str = "") -> str:
    """Return a number of documents as people say it: `1 contract`, `12 employment documents`, `2 more orders`."""
    noun = singular(bucket)
    plural = bucket if not noun.endswith("_document") else f"{noun}s"
    return f"{count:,} {further}{(noun if count == 1 else plural).replace('_', ' ')}"


_UNEVEN = ("month", "year")
"""Units of time without a fixed number of days. A value in days is never converted to one of them, or back."""


def in_unit(one: Cell, linked: Linked) -> Cell | None:
    """Convert a value to the unit that the question asks for; None if only that unit will do and the value has another.

    A document's months stay months, even if the question is `how many days`.
    """
    unit = linked.unit
    if not unit or unit_of(one.unit) == unit or one.unit == unit or not isinstance(one.value, int | float):
        return one
    written, number = _inexact(one), None
    if written is not None and written[1].unit == unit:
        number = written[1].number
    elif (unit_of(one.unit) in _UNEVEN) == (unit in _UNEVEN):
        number = convert(Decimal(str(one.value)), unit_of(one.unit) or one.unit, unit)
    if number is None:
        return None if linked.unit_is_strict else one
    return one.model_copy(update={"value": plain_number(number), "unit": unit})


def plain_number(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(round(number, 6))


def cells_of(plan: Plan, documents: Sequence[Document], searches: Searches) -> list[AnswerRow]:
    """The values of the fields that are asked for, of each document."""
    return cells_of_fields([one.name for one in plan.asked], plan, documents, searches)


def cells_of_fields(
    names: Sequence[str], plan: Plan, documents: Sequence[Document], searches: Searches
) -> list[AnswerRow]:  # fmt: skip
    """Return a row for each document, with the values of some fields."""
    units = {name: searches.unit(plan.bucket, name) for name in names}
    called = distinct_titles(documents)
    rows = []
    for document in documents:
        places = {name: place for name in units if (place := searches.place(document, name)) is not None}
        cells = {name: cell(document, place, units[name]) for name, place in places.items()}
        rows.append(AnswerRow(document=document.id, name=called[document.id], file=document.files[0], cells=cells))
    return rows


def distinct_titles(documents: Sequence[Document]) -> dict[str, str]:
    """Return what each document is called: its title, and where others have it too, the first value that none of them
    has, else its file: `Minutes of the board, 2024-03-21`."""
    found = {}
    for one in documents:
        others = [each for each in documents if each.title == one.title and each.id != one.id]
        theirs = {(place.field, place.value) for each in others for place in each.places}
        own = (place.value for place in one.places if isinstance(place.stored, str) and not place.is_disputed
               and (place.field, place.value) not in theirs and len(place.value) <= _LONGEST_MARK)  # fmt: skip
        found[one.id] = f"{one.title}, {next(own, one.files[0])}" if others else one.title
    return found


_LONGEST_MARK = 40
"""Letters of a value that tells documents of one title apart."""


_MOST_DOUBTS = 5


def with_doubts(
    rows: Sequence[AnswerRow], names: Sequence[str], documents: Sequence[Document]
) -> tuple[list[AnswerRow], list[str]]:
    """Return rows with `?` where a document has a value that is left out, and notes why, each with its place."""
    left_out = {
        (one.id, place.field): (one, place)
        for one in documents for place in one.places if place.field in names and place.is_disputed
    }  # fmt: skip
    found, notes = [], []
    for row in rows:
        doubts = {name: left_out[row.document, name] for name in names
                  if name not in row.cells and (row.document, name) in left_out}  # fmt: skip
        cells = {name: Cell(value="?", citations=[cited(*doubt)]) for name, doubt in doubts.items()}
        found.append(row.model_copy(update={"cells": {**row.cells, **cells}}) if cells else row)
        notes += [f"'{name}' of {row.name} is left out: {place.why} (\"{' '.join(place.quote.split())}\")."
                  for name, (_, place) in doubts.items()]  # fmt: skip
    more = [f"{len(notes) - _MOST_DOUBTS:,} more values are left out."] if len(notes) > _MOST_DOUBTS else []
    return found, [*notes[:_MOST_DOUBTS], *more]


def found_documents(plan: Plan, searches: Searches) -> tuple[int, list[Document]]:
    """Return the number of documents that meet the conditions, and the first of them with their values."""
    total, hits = searches.hits("get_document_metadata", program_of(plan), "the documents that are meant")
    if (chosen := searches.chosen("document")) in {hit.id for hit in hits}:
        total, hits = 1, [hit for hit in hits if hit.id == chosen]
    return total, searches.documents([hit.id for hit in hits])
