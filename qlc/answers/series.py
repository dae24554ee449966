"""Answers from fields by period: the amount of a year, a change between two, the year with the most.

Each amount is a row of its document, cited by the row of its statement, and each answer is a program that was run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document, Place
from qlc.grammar.printer import print_string
from qlc.language.reporting_periods import ReportingPeriod, merged, reporting_periods
from qlc.outcome import Answer, AnswerRow, Cell, Claim, Declined, Outcome, ValueOut
from qlc.outcome.tables import cell_text

from .cells import asked_in_words, cited, found_documents, read_as
from .planning import Plan
from .searching import Searches
from .structured import which
from .terms import CHANGE
from .vocabulary import LinkedField

_FROM_TO = re.compile(r"\b(?:from|between)\b.*\b(?:to|and|until|through)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Amount:
    """The amount of a period in a document."""

    document: Document
    place: Place
    row: Mapping[str, Any]

    @property
    def period(self) -> str:
        return str(self.row.get("period") or f"{self.row.get('year'):.12g}")

    @property
    def cell(self) -> Cell:
        value: Any = self.row.get("value")
        unit = ""
        if isinstance(value, Mapping):
            value, unit = value.get("amount"), str(value.get("currency", ""))
        return Cell(value=value, unit=unit, citations=[cited(self.document, self.place)])


def by_series(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the answer to a plan that asks for one field by period; None if it asks for more."""
    if len(plan.asked) != 1:
        return None
    field = plan.asked[0]
    _, documents = found_documents(plan, searches)
    having = [one for one in documents if any(place.field == field.name for place in one.places)]
    if not having:
        return None
    wanted = _wanted(plan.linked.text)
    amounts = {one.id: _amounts_in(one, field.name) for one in having}
    told = {id: [each for each in wanted if any(_is_of(one, each, every) for one in every)]
            for id, every in amounts.items()}  # fmt: skip
    # Of several documents those are meant that tell each period, or leave one out for a reason.
    meant = [one for one in having if len(told[one.id]) == len(wanted) or _disputes(one, field.name)] or having
    if len({tuple(_sizes(amounts[one.id], wanted)) for one in meant}) > 1:
        return which(plan, [AnswerRow(document=one.id, name=one.title, file=one.files[0]) for one in meant])
    document, every = meant[0], amounts[meant[0].id]
    found = [one for one in every if not wanted or any(_is_of(one, each, every) for each in wanted)]
    if untold := [each for each in wanted if each not in told[document.id]]:
        return _untold(plan, field, meant, [amount for one in meant for amount in amounts[one.id]], untold)
    if not found:
        return None
    if len(wanted) == 2 and CHANGE.search(plan.linked.text):
        first, last = sorted((next(one for one in found if _is_of(one, each, every)) for each in wanted),
                             key=lambda one: one.row["year"])  # fmt: skip
        return _changed(plan, field, first, last, searches)
    if plan.linked.measure in ("min", "max"):
        return _extreme(plan, field, found, searches)
    if plan.linked.measure or (CHANGE.search(plan.linked.text) and len(found) > 1):
        return None
    return _amounts_of(plan, field, found, searches)


def _amounts_in(document: Document, name: str) -> list[_Amount]:
    return [_Amount(document, place, place.stored) for place in document.places
            if place.field == name and isinstance(place.stored, Mapping)]  # fmt: skip


def _disputes(document: Document, name: str) -> list[Place]:
    """Return the places of a field that a document leaves out for a reason."""
    return [one for one in document.places if one.field == name and one.is_disputed]


def _sizes(amounts: Sequence[_Amount], wanted: Sequence[ReportingPeriod]) -> Iterator[tuple[str, Any, str]]:
    """Yield the amounts that answer a question, to compare them with those of another document."""
    for one in amounts:
        if not wanted or any(_is_of(one, each, amounts) for each in wanted):
            yield one.period, one.cell.value, one.cell.unit


def _wanted(text: str) -> list[ReportingPeriod]:
    """Return the periods that a question names; `from 2019 to 2021` names the years between them, too."""
    found = [one for one in reporting_periods(text) if one.year]
    if len(found) == 2 and _FROM_TO.search(text[: found[1].start]) and not CHANGE.search(text):
        first, last = sorted(one.year for one in found)
        if all(one.parts[1:] == found[0].parts[1:] for one in found) and last - first < 100:
            return [ReportingPeriod(0, 0, year, *found[0].parts[1:]) for year in range(first, last + 1)]
    return found


def _is_of(one: _Amount, wanted: ReportingPeriod, every: Sequence[_Amount]) -> bool:
    """Whether an amount is of a period. A year is meant as a whole, if the document tells it of the whole."""
    if one.row.get("year") != wanted.year:
        return False
    own = merged([one.period])
    if own is not None and not ReportingPeriod(0, 0, 0, *wanted.parts[1:4]).fits(own):
        return False
    months = wanted.months or (3 if wanted.quarter else 0)
    if months and months != 12:
        return one.row.get("months") == months
    whole = [each for each in every if each.row.get("year") == wanted.year and each.row.get("months") in (0, 12)]
    return not whole or one.row.get("months") in (0, 12)


def _program(plan: Plan, field: LinkedField, one: _Amount) -> str:
    """The program that reads an amount: `sum(capex[year = 2021 and period = "2021"].value) of filings where id = "7"`.
    """
    where = f"year = {one.row['year']:.12g} and period = {print_string(one.period)}"
    own = f"id = {print_string(one.document.id)}"
    return f"sum({field.name}[{where}].value) of {plan.bucket} where {own}"


def _read(plan: Plan, field: LinkedField, amounts: Sequence[_Amount], searches: Searches) -> bool:
    """Whether programs read the same amounts."""
    programs = [("run_query", _program(plan, field, one), "the amount of a period") for one in amounts]
    outcomes = searches.together(programs)
    return all(isinstance(outcome, ValueOut) and outcome.value is not None
               and abs(float(outcome.value) - float(one.cell.value)) <= 1e-9 * abs(float(one.cell.value))
               for one, outcome in zip(amounts, outcomes, strict=True))  # fmt: skip


def _amounts_of(plan: Plan, field: LinkedField, found: Sequence[_Amount], searches: Searches) -> Answer | None:
    if not _read(plan, field, found, searches):
        return None
    claims = [_claim(field, one) for one in found]
    title = found[0].document.title
    many = len(found) > 1
    message = f"{field.called} of {title}: " + "; ".join(f"{one.period}: {cell_text(one.cell)}" for one in found) + "."
    return Answer(
        message=message if many else claims[0].text,
        query=_program(plan, field, found[0]) if not many else f"find {plan.bucket} where {_of_document(found[0])}",
        claims=claims, values=[one.cell for one in found], columns=[field.name] if many else [],
        rows=[_row(field, one) for one in found] if many else [], covered=[found[0].document.files[0]],
        notes=read_as(plan),
    )  # fmt: skip


def _of_document(one: _Amount) -> str:
    return f"id = {print_string(one.document.id)}"


def _claim(field: LinkedField, one: _Amount) -> Claim:
    text = f"{field.called} of {one.document.title}, {one.period}: {cell_text(one.cell)}."
    return Claim(text=text, citations=one.cell.citations)


def _row(field: LinkedField, one: _Amount) -> AnswerRow:
    cells = {field.name: one.cell}
    return AnswerRow(document=one.document.id, name=one.period, file=one.document.files[0], cells=cells)


def _changed(plan: Plan, field: LinkedField, first: _Amount, last: _Amount, searches: Searches) -> Answer | None:
    """Return the change between two periods, as an amount and in percent; None if they have two currencies."""
    one, other = first.cell, last.cell
    if one.unit != other.unit or not _read(plan, field, [first, last], searches):
        return None
    change = other.value - one.value
    difference = cell_text(other.model_copy(update={"value": change}))
    said = f"{field.called} of {first.document.title} went from {cell_text(one)} ({first.period}) "
    said += f"to {cell_text(other)} ({last.period}): {difference}"
    cells = [Cell(value=change, unit=one.unit, citations=[*one.citations, *other.citations])]
    if one.value * other.value > 0:
        percent = round(100 * change / one.value, 2)
        said += f", {percent:+.2f} %"
        cells.insert(0, Cell(value=percent, unit="%", citations=[*one.citations, *other.citations]))
    before, after = (_program(plan, field, each) for each in (first, last))
    claim = Claim(text=f"{said}.", citations=[*one.citations, *other.citations])
    return Answer(
        message=claim.text, query=f"get ({after}) / ({before}) - 1", claims=[claim], values=cells, computed=True,
        columns=[field.name], rows=[_row(field, first), _row(field, last)], covered=[first.document.files[0]],
        notes=read_as(plan),
    )  # fmt: skip


def _extreme(plan: Plan, field: LinkedField, found: Sequence[_Amount], searches: Searches) -> Answer | None:
    """Return the periods with the lowest or highest amount, among periods of one length and currency."""
    whole = [one for one in found if one.row.get("months") in (0, 12)] or [*found]
    if len({one.cell.unit for one in whole}) != 1 or not _read(plan, field, whole, searches):
        return None
    is_outflow = all(one.cell.value <= 0 for one in whole)  # statements deduct what was paid
    sizes = [abs(one.cell.value) if is_outflow else one.cell.value for one in whole]
    best = max(sizes) if plan.linked.measure == "max" else min(sizes)
    chosen = [one for one, size in zip(whole, sizes, strict=True) if size == best]
    which_one = "Highest" if plan.linked.measure == "max" else "Lowest"
    text = f"{which_one} {field.called} of {chosen[0].document.title}, of {len(whole)} periods: " + listed(
        [f"{cell_text(one.cell)} ({one.period})" for one in chosen]
    )
    claim = Claim(text=f"{text}.", citations=[cited for one in chosen for cited in one.cell.citations])
    periods = [Cell(value=one.period, citations=one.cell.citations) for one in chosen]
    program = f"{plan.linked.measure}({field.name}.value) of {plan.bucket} where {_of_document(chosen[0])}"
    return Answer(
        message=claim.text, query=f"{program} by {field.name}.period", claims=[claim],
        values=[*periods, chosen[0].cell], computed=True, columns=[field.name],
        rows=[_row(field, one) for one in whole], covered=[chosen[0].document.files[0]], notes=read_as(plan),
    )  # fmt: skip


def _untold(
    plan: Plan, field: LinkedField, documents: Sequence[Document], every: Sequence[_Amount],
    untold: Sequence[ReportingPeriod],
) -> Declined:  # fmt: skip
    """Say which periods no document tells, and which ones they do; a doubtful one with the reason."""
    text = plan.linked.text
    missing = listed([text[one.start : one.end].strip() or str(one.year) for one in untold])
    known = listed([*dict.fromkeys(one.period for one in every)][:12]) or "none"
    doubts = [f"{place.why} (\"{' '.join(place.quote.split())}\")"
              for one in documents for place in _disputes(one, field.name)][:3]  # fmt: skip
    why = f" It is left out where {'; '.join(doubts)}." if doubts else ""
    is_one = len(documents) == 1
    none = f"{documents[0].title} does not tell" if is_one else f"None of {len(documents):,} documents tells"
    return Declined(
        message=f"{none} {field.called} for {missing}; I read it for {known}.{why}",
        query=f"find {asked_in_words(plan)}",
        suggestions=[f"{field.called} {one.period} of {one.document.title}" for one in every[:3]],
    )
