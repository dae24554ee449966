"""Over how many documents an answer is exact: those that do not tell a field, and those of them whose text may."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.schema import singular
from qlc.corpus.status import Document
from qlc.corpus.values.fields import Wanted, amount_value
from qlc.corpus.values.quantities import Style, amounts
from qlc.corpus.values.synonyms import in_common_words
from qlc.grammar.printer import print_string
from qlc.outcome import AggregateOut, Clarify, Declined, Hits, NotInCorpus, Outcome

from .accounting import is_strict
from .bounds import Bound, is_year
from .cells import asked_in_words, cells_of_fields, program_of, several
from .naming import Name, joined_names
from .planning import Plan
from .searching import CHECK, Searches
from .sentences import spans_of
from .terms import RELATIONAL, stems
from .verifying import is_quoted, page_text, read_pages
from .vocabulary import KIND_NOUNS, phrases


def may_too(
    plan: Plan, total: int, sure: Sequence[str], possible: Sequence[Document], searches: Searches
) -> Declined:  # fmt: skip
    """Return which documents are sure to meet the conditions, where others may."""
    files = listed(_first([one.files[0] for one in possible], len(possible)))
    found = sure_ones(plan, total, sure, f"{files} may, too: I could not read all of its values.", searches)
    suggestions = [program_of(plan), *(f"Summarize {one.title}" for one in possible[:5])]
    return found.model_copy(update={"suggestions": suggestions})


def sure_ones(plan: Plan, total: int, sure: Sequence[str], others: str, searches: Searches) -> Declined:
    """Return the documents that are sure to meet the conditions, as rows and in the message, and then what is not.

    `2 leases are sure to match (a.pdf and b.pdf), but c.pdf may, too: ...`
    """
    documents = searches.documents(list(sure))
    known = {one.name: one for one in plan.asked}
    fields = [one.field for one in plan.conditions if one.field in searches.schema.fields(plan.bucket)]
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


def topic_restricts_nothing(plan: Plan, searches: Searches) -> bool:
    """Return whether no word is left over, or, where one value is asked for, each document that meets the conditions
    has the words that are: then they only describe it."""
    if not plan.topic:
        return True
    is_relation = any(one.stem in RELATIONAL or one.raw.isdecimal() for one in plan.topic)
    if is_relation or is_strict(plan.linked) or not plan.is_typed:
        return False
    meeting = f"count {plan.bucket} where {plan.where}"
    whole, *having = searches.counts([
        (meeting, "how many documents meet the conditions"),
        *((f"{meeting} and mentions {print_string(one.raw)}", f"how many of them have '{one.raw}'")
          for one in plan.topic),
    ])  # fmt: skip
    return whole > 0 and min(having) >= whole


def names_a_part(plan: Plan, searches: Searches) -> bool:
    """Whether documents of a bucket are asked for by one of its other words that only some of them have: the `slips` of
    `jobs`."""
    bucket = searches.schema.file.buckets.get(plan.bucket)
    if bucket is None or plan.where or not (plan.linked.intent == "list" or plan.linked.measure == "count"):
        return False
    own = stems(f"{plan.bucket} {bucket.singular or singular(plan.bucket)}".replace("_", " "), plan.linked.language)
    said = [one for one in plan.linked.terms if one.begin in plan.linked.bucket_words and one.stem not in own]
    if not said:
        return False
    having = f"({' or '.join(f'mentions {print_string(one.raw)}' for one in said)})"
    whole, some = searches.counts([
        (f"count {plan.bucket}", "how many there are"),
        (f"count {plan.bucket} where {having}", "how many of them are called so"),
    ])  # fmt: skip
    return 0 < some < whole


def is_as_many(plan: Plan, searches: Searches) -> bool:
    """Whether there are as many documents as the question speaks of: `the two reports`."""
    if not plan.expected:
        return True
    return searches.count(f"count {asked_in_words(plan)}", "whether they are as many") == plan.expected


def currencies(plan: Plan, searches: Searches) -> list[str]:
    """Where amounts of several currencies were compared as if they were of one: which."""
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
    return notes


def unknown(plan: Plan, searches: Searches) -> tuple[list[str], list[Document]]:
    """Over how many documents a list is exact: those that meet all other conditions, and do not tell a field. And
    those of them whose text has what would meet it."""
    notes: list[str] = currencies(plan, searches)
    fields = missing(plan, searches)
    counts = searches.counts((f"count {plan.bucket} where {one}", f"those of which {name} is not known")
                             for name, one in fields.items())  # fmt: skip
    few = {name: fields[name] for name, counted in zip(fields, counts, strict=True) if 0 < counted <= _MOST_READ}
    found = searches.together(
        [(CHECK, f"find {plan.bucket} where {one} limit {_MOST_READ}", "their text") for one in few.values()]
    )
    ids = {name: one.ids if isinstance(one, Hits) else [] for name, one in zip(few, found, strict=True)}
    documents = {one.id: one for one in searches.documents(list({id for some in ids.values() for id in some}))}
    read_pages(((id, None) for id in documents), searches)
    for name, counted in zip(fields, counts, strict=True):
        if counted and (
            any(one.field == name for one in plan.conditions)
            or any(one.in_rows and name in one.fields for one in plan.names)
        ):
            notes.append(f"Of {several(counted, plan.bucket, 'more ')}, '{name}' is not known.")
    possible = {
        id: document for id, document in documents.items()
        if all(_may_meet(plan, name, document, searches) for name, some in ids.items() if id in some)
    }  # fmt: skip
    for one in plan.names:
        if (set(one.fields) <= {"title", "file"} or one.text.islower()) and not one.made:
            possible |= {document.id: document for document in _mentioning(one, plan, searches)}
    return notes, [*possible.values()]


def missing(plan: Plan, searches: Searches) -> dict[str, str]:
    """Of each field of the conditions, which documents do not tell it, and are not known to fail another one."""
    found = {}
    whole = {one.field for one in plan.conditions} | {field for one in plan.names for field in one.fields}
    for name in sorted(whole & {*searches.schema.fields(plan.bucket)}):
        others = [f"({one.text} or {one.field} missing)" for one in plan.conditions if one.field != name]
        others += joined_names([one for one in plan.names if name not in one.fields], plan.linked.text)
        coded = any(f"{name}_currency = " in one.text for one in plan.conditions)
        absent = f"({name} missing or {name}_currency missing)" if coded else f"{name} missing"
        found[name] = " and ".join([*others, absent])
    return found


def _mentioning(name: Name, plan: Plan, searches: Searches) -> Iterator[Document]:
    """Documents with a name in their text that others have in the title, where a field of names is not known; those
    with a common word in it that others have in a name."""
    unread = [f"{field} missing" for field, part in searches.schema.fields(plan.bucket).items() if part.type == "name"]
    others = [one.text for one in plan.conditions] + joined_names([one for one in plan.names if one is not name], "")
    words = [one.raw for one in plan.linked.terms if one.begin in name.used - plan.linked.bucket_words]
    bucket = searches.schema.file.buckets.get(plan.bucket)
    is_described = bucket is not None and stems(name.text) <= stems(bucket.description)  # `water samples`
    said = ["state exists"] if is_described else [f"mentions {print_string(one)}" for one in words]
    is_common = name.text.islower() and not set(name.fields) <= {"title", "file"}
    unnamed = [] if is_common else [f"({' or '.join(unread)})"]
    where = " and ".join([*others, *said, f"not {name.condition()}", *unnamed])
    if (unread or is_common) and said:
        _, hits = searches.hits("verify", f"find {plan.bucket} where {where} limit {_MOST_READ}", "who else has it")
        yield from searches.documents([hit.id for hit in hits])


def untold(plan: Plan, name: str, documents: Sequence[Document], searches: Searches) -> list[Document]:
    """Of the documents that are measured, and those that may be meant, the ones whose text may tell a value that could
    not be read: a measure without it is none."""
    missing = [one for one in documents if searches.place(one, name) is None][:_MOST_READ]
    return [*unknown(plan, searches)[1], *(one for one in missing if _may_meet(plan, name, one, searches))]


_CURRENCY = re.compile(r'\w+_currency = "([A-Z]{3})"')
"""A condition on a currency alone."""
_MOST_READ = 20
"""Documents that do not tell a field, whose text is read for it."""


def _may_meet(plan: Plan, name: str, document: Document, searches: Searches) -> bool:
    """Whether the text of a document that does not tell a field may say that it meets a condition on it: a name that
    is asked for; words for the field, with an amount that meets the comparison where one is made."""
    text = page_text(document.id, None, searches)
    if names := [one for one in plan.names if name in one.fields]:
        # it is denied, where it is made, but for rows
        return any(is_quoted(one.text, text) != bool(one.made and not one.in_rows) for one in names)
    part = searches.schema.fields(plan.bucket)[name]
    closed = [one.value for one in plan.linked.chosen if (one.bucket, one.field) == (plan.bucket, name)]
    if closed:  # of what meets all else, that it is of another kind is not sure
        others = [one.field for one in plan.conditions if one.field != name]
        is_selected = bool(others or plan.names) and all(searches.place(document, one) for one in others)
        return is_selected or any(
            stems(one, plan.linked.language) <= stems(text, plan.linked.language) for one in closed
        )
    bounds = [one for one in plan.linked.bounds if any(one.text in each.raw for each in plan.conditions
              if each.field == name)]  # fmt: skip
    language = plan.linked.language
    empty = KIND_NOUNS["date"] | KIND_NOUNS["money"] | stems(f"{plan.bucket} samelength", language)
    kind = "date in a sentence" if part.type == "date" else part.type
    called = [one for phrase in phrases(name, part) for text in (phrase, in_common_words(phrase, kind))
              if not (one := stems(text, language)) <= empty]  # fmt: skip
    described = stems(part.description, language) - empty
    wanted = part.wanted(name)
    code = next((_CURRENCY.sub(r"\1", one.text) for one in plan.conditions
                 if one.field == name and _CURRENCY.fullmatch(one.text)), "")  # fmt: skip
    before = today(searches) if any(one.text == f"{name} < today" for one in plan.conditions) else date.max
    for span in spans_of(text):
        line = text[span.begin : span.end]
        said = stems(line, language) | stems(in_common_words(line, kind), language)
        is_called = any(one <= said for one in called)
        if part.type in ("boolean", "choice", "text", "name"):
            if is_called:
                return True
        elif is_called or len(described & said) > 1 or (part.type == "number" and part.unit):
            said_ones = [one for one in amounts(line, Style()) if not code or one.unit in ("", code)]
            values = [value for one in said_ones if (value := amount_value(wanted, one)) is not None]
            if any(
                all(meets(value, bound, wanted) for bound in bounds)
                and not (isinstance(value, date) and value >= before)
                for value in values
            ):
                return True
    return False


def today(searches: Searches) -> date:
    given = searches.options.get("now")
    return datetime.fromisoformat(given).date() if isinstance(given, str) else (given or datetime.now(UTC)).date()


def decides(value: object, unit: str, bound: Bound, wanted: Wanted) -> bool:
    """Return whether a value can be compared with an amount: both are of one type and currency."""
    limit = amount_value(wanted, bound.amount)
    of_kind = (is_year(bound) and isinstance(value, date)) or type(limit) is type(value)
    return of_kind and not bound.period and not (unit and bound.amount.unit and unit != bound.amount.unit)


def meets(value: object, bound: Bound, wanted: Wanted) -> bool:
    """Whether a value of a text meets a comparison; True where that cannot be told."""
    if is_year(bound) and isinstance(value, date):
        year = int(bound.amount.number)
        return _COMPARED[bound.operator](value.year, year)
    limit = amount_value(wanted, bound.amount)
    if bound.period or limit is None or type(limit) is not type(value):
        return True
    return _COMPARED[bound.operator](value, limit)


_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
