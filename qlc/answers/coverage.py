"""Over how many documents an answer is exact: those that do not tell a field, and those of them whose text may."""

from __future__ import annotations

from collections.abc import Sequence

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.corpus.values.fields import amount_value
from qlc.corpus.values.synonyms import in_common_words
from qlc.language.quantities import Style, quantities
from qlc.outcome import AggregateOut, Clarify, Declined, Hits, NotInCorpus, Outcome

from .cells import cells_of_fields, program_of, several
from .naming import joined_names
from .planning import Plan
from .searching import CHECK, Searches
from .sentences import spans_of
from .terms import stems
from .verifying import is_quoted, page_text, read_pages
from .vocabulary import KIND_NOUNS, MEASURED, phrases


def may_too(plan: Plan, possible: Sequence[Document]) -> str:
    """Return a sentence about the documents that may meet the conditions, or an empty text.

    `c.pdf may, too: c.pdf says “told eight weeks ahead” (notice: 56 days).`
    """
    if not possible:
        return ""
    fields = {field for one in plan.conditions for field in one.fields}
    said = [f"{one.files[0]} says “{' '.join(place.quote.split())}” ({place.field.replace('_', ' ')}: {place.value})."
            for one in possible for place in one.places if place.field in fields and place.by == "meaning"]  # fmt: skip
    why = " ".join(said[:_MOST_NAMED]) or "I could not read all of its values."
    return f"{listed(_first([one.files[0] for one in possible], len(possible)))} may, too: {why}"


def sure_ones(plan: Plan, total: int, sure: Sequence[str], others: str, searches: Searches) -> Declined:
    """Decline with the documents that surely meet the conditions, as rows and in the message, followed by `others`.

    `2 leases are sure to match (a.pdf and b.pdf), but c.pdf may, too: ...`
    """
    documents = searches.documents(list(sure))
    known = {one.name: one for one in plan.asked}
    declared = searches.schema.fields(plan.bucket)
    fields = [field for one in plan.conditions for field in one.fields if field in declared]
    rows = cells_of_fields([*dict.fromkeys([*fields, *known])], plan, documents, searches)
    named = f" ({listed(_first([one.files[0] for one in documents], total))})" if documents else ""
    many = f"{several(total, plan.bucket)} {'is' if total == 1 else 'are'} sure to match{named}"
    known_ones = many if total else "None is known to match"
    return Declined(message=f"{known_ones}, but {others}", query=program_of(plan), rows=rows)


def _first(files: Sequence[str], total: int) -> list[str]:
    shown = [*files[:_MOST_NAMED]]
    return [*shown, *([f"{total - len(shown):,} more"] if total > len(shown) else [])]


_MOST_NAMED = 5


def is_open(outcome: Outcome) -> bool:
    """Whether a model may know better: nothing was found, or it is asked which of several is meant."""
    return isinstance(outcome, Declined | NotInCorpus) or (
        isinstance(outcome, Clarify) and outcome.what not in ("overload", "no_results")
    )


def currencies(plan: Plan, searches: Searches) -> list[str]:
    """Return a note for each condition that compares amounts of several currencies as if they were one."""
    notes = []
    for one in plan.conditions:
        part = searches.schema.fields(plan.bucket).get(one.field)
        if part is None or part.type != "money" or one.constraint is None or f"{one.field}_currency" in one.text:
            continue
        others = " and ".join([f"{one.field} exists", *(each.text for each in plan.conditions if each is not one)])
        program = f"count {plan.bucket} where {others} by {one.field}_currency"
        grouped = searches.run("facets", program, "whether all are of one currency")
        codes = sorted(str(row.key) for row in grouped.rows) if isinstance(grouped, AggregateOut) else []
        if len(codes) > 1:
            notes.append(f"'{one.field}' is in {listed(codes)}: the numbers were compared, not what they are worth.")
    return list(dict.fromkeys(notes))


def unknown(plan: Plan, searches: Searches) -> tuple[list[str], list[Document]]:
    """Return notes on documents that may be missing from a list, and the documents whose text suggests that they belong
    to it.

    Such documents lack a field of the conditions, and meet all other conditions.
    """
    notes: list[str] = currencies(plan, searches)
    fields = missing(plan, searches)
    counts = searches.counts((f"count {plan.bucket} where {one}", f"those of which {', '.join(names)} is not known")
                             for names, one in fields.items())  # fmt: skip
    few = {names: fields[names] for names, counted in zip(fields, counts, strict=True) if 0 < counted <= _MOST_READ}
    found = searches.together(
        [(CHECK, f"find {plan.bucket} where {one} limit {_MOST_READ}", "their text") for one in few.values()]
    )
    ids = {names: one.ids if isinstance(one, Hits) else [] for names, one in zip(few, found, strict=True)}
    documents = {one.id: one for one in searches.documents(list({id for some in ids.values() for id in some}))}
    read_pages(((id, None) for id in documents), searches)
    for (name, *others), counted in zip(fields, counts, strict=True):
        if counted and not others and (
            any(name in one.fields for one in plan.conditions)
            or any(one.in_rows and name in one.fields for one in plan.names)
        ):  # fmt: skip
            files = [documents[id].files[0] for id in ids.get((name,), ()) if id in documents]
            named = f": {listed(_first(files, counted))}" if files else ""
            notes.append(f"Of {several(counted, plan.bucket, 'more ')}, '{name}' is not known{named}.")
    possible = {
        id: document for id, document in documents.items()
        if all(_may_meet(plan, name, document, searches) for names, some in ids.items() if id in some for name in names)
    }  # fmt: skip
    return notes, [*possible.values()]


def missing(plan: Plan, searches: Searches) -> dict[tuple[str, ...], str]:
    """Return, for each field of the conditions and each field that names one of several things, the documents that do
    not tell it and are not known to fail another condition."""
    found = {}
    declared = {*searches.schema.fields(plan.bucket)}
    named = {field for one in plan.names for field in one.fields} & declared
    conditional = {field for one in plan.conditions for field in one.fields} & declared
    whole = [(name,) for name in sorted(named | conditional)]
    for names in [*whole, *([tuple(sorted(named))] if len(named) > 1 and len(plan.names) > 1 else [])]:
        others = [f"({one.text} or {one.field} missing)" for one in plan.conditions if not {*names} & {*one.fields}]
        others += [f"not {one.text}" for one in plan.conditions if one.others and {*names} & {*one.fields}]
        others += joined_names([one for one in plan.names if not {*names} & {*one.fields}], plan.linked.text)
        coded = any(f"{names[0]}_currency = " in one.text for one in plan.conditions)
        absent = f"({names[0]} missing or {names[0]}_currency missing)" if coded else " and ".join(
            f"{name} missing" for name in names
        )  # fmt: skip
        found[names] = " and ".join([*others, absent])
    return found


_MOST_READ = 20
"""Documents that do not tell a field, whose text is read for it."""


def _may_meet(plan: Plan, name: str, document: Document, searches: Searches) -> bool:
    """Whether the text of a document that lacks a field may still meet the condition on it.

    It may if it has the name that is asked for, or words for the field, with an amount if the field has amounts.
    """
    if any(one.field == name and one.by == "meaning" for one in document.places):
        return True
    text = page_text(document.id, None, searches)
    if names := [one for one in plan.names if name in one.fields]:
        # it is denied, where it is made, but for rows
        return any(is_quoted(one.text, text) != one.is_only_mentioned for one in names)
    part = searches.schema.fields(plan.bucket)[name]
    closed = [one.value for one in plan.linked.chosen if (one.bucket, one.field) == (plan.bucket, name)]
    if closed:  # of what meets all else, that it is of another kind is not sure
        others = [one.field for one in plan.conditions if one.field != name]
        is_selected = bool(others or plan.names) and all(searches.place(document, one) for one in others)
        return is_selected or any(
            stems(one, plan.linked.language) <= stems(text, plan.linked.language) for one in closed
        )
    language, kind = plan.linked.language, "date in a sentence" if part.type == "date" else part.type
    empty = KIND_NOUNS["date"] | KIND_NOUNS["money"] | stems(f"{plan.bucket} samelength", language)
    called = [one for phrase in phrases(name, part) for text in (phrase, in_common_words(phrase, kind))
              if not (one := stems(text, language)) <= empty]  # fmt: skip
    wanted = part.wanted(name)
    for span in spans_of(text):
        line = text[span.begin : span.end]
        said = stems(line, language) | stems(in_common_words(line, kind), language)
        has_value = part.type not in MEASURED or any(
            amount_value(wanted, one) is not None for one in quantities(line, Style())
        )
        is_told_by_unit = part.type == "number" and bool(part.unit)
        if has_value and (is_told_by_unit or any(one <= said for one in called)):
            return True
    return False
