"""The cells of an answer: the programs that find its documents, and values with their units and citations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from qlc.corpus.schema import singular
from qlc.corpus.status import Document, Place
from qlc.grammar.printer import print_string
from qlc.language.quantities import unit_as_written
from qlc.language.units import convert, unit_of
from qlc.outcome import AnswerRow, Cell, Citation

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


def read_by_meaning(documents: Sequence[Document], fields: Collection[str]) -> list[str]:
    """Return a note for each field whose values were found by the meaning of a sentence, without a label beside them.

    These are less sure than labelled values, so the note asks to look at the quotes.
    """
    found: dict[str, list[str]] = {}
    for one in documents:
        for place in one.places:
            if place.by == "meaning" and place.field in fields:
                found.setdefault(place.field, []).append(one.files[0])
    return [
        f"'{name}' was read by the meaning of a sentence in {', '.join(files[:3])}"
        f"{f' and {len(files) - 3:,} more' if len(files) > 3 else ''}: look at the quote."
        for name, files in found.items()
    ]  # fmt: skip


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
    number = None
    if (unit_of(one.unit) in _UNEVEN) == (unit in _UNEVEN):
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
    rows = []
    for document in documents:
        places = {name: place for name in units if (place := searches.place(document, name)) is not None}
        cells = {name: cell(document, place, units[name]) for name, place in places.items()}
        rows.append(AnswerRow(document=document.id, name=document.title, file=document.files[0], cells=cells))
    return rows


def found_documents(plan: Plan, searches: Searches) -> tuple[int, list[Document]]:
    """Return the number of documents that meet the conditions, and the first of them with their values."""
    total, hits = searches.hits("get_document_metadata", program_of(plan), "the documents that are meant")
    if (chosen := searches.chosen("document")) in {hit.id for hit in hits}:
        total, hits = 1, [hit for hit in hits if hit.id == chosen]
    if total >= MOST_DOCUMENTS:  # the program has a limit
        total = searches.count(f"count {asked_in_words(plan)}", "how many there are in all")
    return total, searches.documents([hit.id for hit in hits])
