"""Documents that change what others say, wherever they are filed: an amendment, a letter, an e-mail.

They are found by their words: a sentence that says that something is replaced, with an amount of the kind that is asked
for or words for the field, in a document that names the one that was found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.corpus.values.fields import amount_value
from qlc.corpus.values.quantities import Amount, amounts, style_of
from qlc.grammar.printer import print_string
from qlc.outcome import Cell, Citation, Declined, Hit, Hits

from .cells import is_amending, read_by_meaning
from .coverage import decides, meets, sure_ones, today
from .planning import Plan
from .searching import Searches
from .sentences import document_of, spans_of
from .terms import Term, stems, term_stems, terms
from .verifying import page_text
from .vocabulary import MEASURED, phrases

CHANGES = re.compile(
    r"\b(?:replac(?:e|es|ed|ing)|supersed(?:e|es|ed|ing)|no longer|with effect from|from now on|amend(?:s|ed|ing)|void"
    r"|the (?:new|former|previous) [\w ]{1,30}? (?:is|are|was|were)"
    r"|(?:instead|in place|in lieu) of|and not (?:by|on|for|at|of)|as agreed (?:today|by (?:phone|telephone))"
    r"|(?:is|are|was|were|be|been|have|has|will) (?:now |hereby )?(?:changed?|raised?|reduced?|extended?|increased?"
    r"|lowered?|shortened?|lengthened|deleted|cancelled|postponed|delayed|moved?|revised|updated|adjusted|corrected)"
    r"|changes? (?:from|to)|(?:rises?|falls?|drops?|goes|go) (?:up |down )?(?:from|to))\b",
    re.IGNORECASE,
)
"""How a document says that it changes another one."""
ASKED = "replaces replaced instead supersedes amended changed no longer with effect from raised reduced extended"
_OLD = re.compile(r"\b(?:(?:instead|in place|in lieu) of|not|from|former(?:ly)?|until now)\s+(?:\w+\s+){0,3}$", re.I)
_LOOKED_AT = 40
_FROM = re.compile(r"\b(?:effective|as of|from|starting|beginning)\s+(?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of another document that changes a field of one that was found."""

    of: Document
    field: str
    document: str
    title: str
    citation: Citation
    values: tuple[Any, ...]
    """What it may be now, as the field stores it: the amounts of the sentence but for the old one."""
    unit: str = ""
    is_future: bool = False
    """Whether it begins after today."""

    @property
    def now(self) -> Cell | None:
        """The value that counts now; None where that is not sure."""
        if len(self.values) != 1 or self.is_future:
            return None
        (value,) = self.values
        number, unit = value if isinstance(value, tuple) else (value, self.unit)
        if isinstance(number, Decimal):
            number = int(number) if number == number.to_integral_value() else float(number)
        return Cell(value=number, unit=unit, citations=[self.citation])

    def said(self) -> str:
        where = self.citation.file if self.citation.page is None else f"{self.citation.file}, page {self.citation.page}"
        return f"{where}: “{' '.join(self.citation.quote.split())}”"


def changes_of(plan: Plan, names: Sequence[str], documents: Sequence[Document], searches: Searches) -> list[Change]:
    """What other documents change of some fields of documents that were found."""
    declared = searches.schema.fields(plan.bucket)
    names = [one for one in names if one in declared and declared[one].type != "rows"]
    if not names or not documents:
        return []
    called = " ".join(word for one in names for word in (phrases(one, declared[one])[0], *declared[one].words))
    is_few = len(documents) <= _MOST_NAMED
    named = _naming(documents, plan, searches) if is_few else ""
    about = f"find passages where about {print_string(f'{ASKED} {called}')} by words"
    shown = f"limit {100 if is_few else _LOOKED_AT} show title, file, page, text, document"
    asked = [("search_text", f"{about}{where} {shown}", "whether other documents change it")
             for where in dict.fromkeys(("", named))]  # fmt: skip
    outcomes = searches.together(asked)
    hits = {hit.id: hit for one in outcomes if isinstance(one, Hits) for hit in one.hits}
    known = {one.id for one in documents}
    found: list[Change] = []
    for hit in hits.values():
        id = document_of(hit)
        says_so = CHANGES.search(str(hit.values.get("text", ""))) or is_amending(str(hit.values.get("title", "")))
        if says_so and (id not in known or len(known) > 1):
            meant = _meant(hit, [one for one in documents if one.id != id], plan, searches, is_few=is_few)
            for name in names if meant else ():
                found += [one for of in meant for one in _changes(hit, id, name, of, plan, searches)]
    return found


def _naming(documents: Sequence[Document], plan: Plan, searches: Searches) -> str:
    """The condition that a passage names one of a few documents, lest others take the places that are looked at."""
    words = {
        word for one in documents for name in _called(one, plan, searches.schema.fields(plan.bucket))[0]
        if (word := _first_word(name, plan.linked.language)) is not None
    }  # fmt: skip
    said = [f"mentions {print_string(one.raw)}" for one in sorted(words, key=lambda one: one.raw)[:_MOST_WORDS]]
    return f" and ({' or '.join(said)})" if said else ""


_MOST_NAMED, _MOST_WORDS = 3, 8


def _meant(hit: Hit, documents: Sequence[Document], plan: Plan, searches: Searches, *, is_few: bool) -> list[Document]:
    """The documents that a passage speaks of: those that it names in most words."""
    language = plan.linked.language
    said = stems(f"{hit.values.get('title', '')} {hit.values.get('text', '')}", language)
    named = {one.id: _called(one, plan, searches.schema.fields(plan.bucket)) for one in documents}
    codes = {*_CODE.findall(f"{hit.values.get('title', '')} {hit.values.get('text', '')}")}
    for one in documents if codes and is_few else ():  # by its number, which is no field
        named[one.id][0].extend(code for code in codes if code in page_text(one.id, None, searches))
    documents = [one for one in documents if not _is_of_another(codes, named[one.id][0])]
    worth: dict[str, int] = {}
    for one in documents:
        names, title = named[one.id]
        if any(_first(name, language) & said for name in names):
            worth[one.id] = sum(len(stems(name, language) & said) for name in names) + len(title & said)
    best = max(worth.values(), default=0)
    return [one for one in documents if worth.get(one.id) == best and best]


def _called(document: Document, plan: Plan, declared: Mapping[str, Any]) -> tuple[list[str], frozenset[str]]:
    """What a document can be called by: its names and numbers; and the words of its title and file."""
    names = [
        str(place.stored) for place in document.places
        if place.field in declared and declared[place.field].type in ("name", "text") and not place.is_disputed
        and len(str(place.stored)) <= 60
    ]  # fmt: skip
    names += [one.text for one in plan.names] if plan.linked.intent != "list" else []
    file = re.sub(r"^.*/|\.\w+$|[-_]", " ", document.files[0])
    return names, stems(f"{document.title} {file}", plan.linked.language)


def _is_of_another(codes: Collection[str], names: Sequence[str]) -> bool:
    """Whether a passage has the number of another document of the kind, and not that of this one: `CI-40117`."""
    own = {code for name in names for code in _CODE.findall(name)}
    shapes = {_series(one) for one in own}
    return own.isdisjoint(codes) and any(_series(one) in shapes for one in codes)


def _series(code: str) -> str:
    """What the numbers of one kind of paper have in common: their letters."""
    return re.sub(r"[\d/-]+", "0", code)


_CODE = re.compile(r"(?<![\w/-])[A-Z]{1,6}[-/]\d[\w/-]{3,}")


def _first(name: str, language: str) -> frozenset[str]:
    """The word that a name is known by: its first one that is no small word; the code of a number."""
    word = _first_word(name, language)
    return frozenset({word.stem}) if word is not None else frozenset()


def _first_word(name: str, language: str) -> Term | None:
    return next((one for one in terms(f": {name}", language) if len(one.raw) > 3), None)


def _changes(hit: Hit, id: str, name: str, of: Document, plan: Plan, searches: Searches) -> Iterator[Change]:
    part = searches.schema.fields(plan.bucket)[name]
    text, language = str(hit.values.get("text", "")), plan.linked.language
    wanted, style = part.wanted(name), style_of([text])
    place = searches.place(of, name)
    called = [found for phrase in phrases(name, part)
              if (found := term_stems(f": {phrase}", language))]  # fmt: skip
    others = [term_stems(f": {phrases(each, other)[0]}", language)
              for each, other in searches.schema.fields(plan.bucket).items()
              if each != name and other.type == part.type]  # fmt: skip
    is_amount = part.type in MEASURED

    def value_of(one: Amount) -> Any:
        return (one.number, one.unit) if part.type == "money" else _plain(amount_value(wanted, one))

    around = stems(text, language)
    spans = spans_of(text)
    for at, span in enumerate(spans):
        line = text[span.begin : span.end]
        if not CHANGES.search(line) and not is_amending(str(hit.values.get("title", ""))):
            continue
        first, last = (spans[max(at - 1, 0)], spans[min(at + 1, len(spans) - 1)]) if is_amount else (span, span)
        near = stems(text[first.begin : last.end], language)
        is_called = any(one & near for one in called)
        own = stems(line, language)
        if any(one <= own for one in others) and not any(one & own for one in called):
            is_called = False  # it speaks of another field
        stored = _plain(place.stored) if place is not None else None
        said = amounts(text, style, span.begin, span.end) if is_amount else []
        fitting = [one for one in said if amount_value(wanted, one) is not None]
        is_called = is_called or (stored is not None and stored in map(value_of, fitting))  # it says the old one
        if not (is_called and (fitting or not is_amount)) and not (
            fitting and part.type != "date" and any(one & around for one in called)
        ):
            continue
        begins = [one for one in said if one.date is not None
                  and _FROM.search(text[span.begin : one.begin])]  # fmt: skip
        ends = [span.begin, *(one.end for one in said)]  # `from 90 to 120 days`: the first is the old one alone
        new = [value_of(one) for one in fitting if one not in begins
               and not _OLD.search(text[max(end for end in ends if end <= one.begin) : one.begin])]  # fmt: skip
        values = tuple(dict.fromkeys(one for one in new if one != stored))
        if is_amount and not values and stored is not None and stored in new:
            continue  # it says the same
        files = hit.values.get("file") or [""]
        yield Change(
            of, name, id, str(hit.values.get("title", "")),
            Citation(document=id, file=str(files[0]), page=hit.values.get("page"), quote=line), values,
            searches.unit(plan.bucket, name),
            any(one.date is not None and one.date > today(searches) for one in begins),
        )  # fmt: skip


def _plain(value: Any) -> Any:
    """A value that can be compared: money as amount and currency, a date as text."""
    if isinstance(value, dict):
        return (Decimal(str(value.get("amount"))), str(value.get("currency", "")))
    if isinstance(value, date):
        return value.isoformat()
    return value[:10] if isinstance(value, str) and value[10:11] == "T" else value


def contested(
    plan: Plan, total: int, listed_ids: Sequence[str], searches: Searches
) -> tuple[list[str], Declined | None]:
    """Return notes on what other documents change of the fields that a list was made by; and that the list is not sure,
    if a change decides whether a document belongs to it.

    90 days in the document and 120 in a letter, for `at least 100 days` -> not sure; for `30 days or less` -> a note.
    """
    declared = searches.schema.fields(plan.bucket)
    names = list(dict.fromkeys(one.field for one in plan.conditions if one.constraint and one.field in declared))
    if not names:
        return [], None
    everything, hits = searches.hits("get_document_metadata", f"find {plan.bucket} limit 100", "what may be changed")
    ids = [hit.id for hit in hits] if everything <= len(hits) else listed_ids
    documents = searches.documents(ids)
    found = changes_of(plan, names, documents, searches)
    deciding = [one for one in found if _decides(one, plan, listed_ids, searches)]
    if deciding:
        unsure = {one.of.id for one in deciding}
        why = "; ".join(f"{one.of.title} ({one.field.replace('_', ' ')}): {one.said()}" for one in deciding[:5])
        others = f"whether {listed(dict.fromkeys(one.of.files[0] for one in deciding))} {{}} is not sure. {why}"
        total -= len(unsure & {*listed_ids})
        sure = [one for one in listed_ids if one not in unsure]
        return [], sure_ones(plan, total, sure, others.format("belong" if len(unsure) > 1 else "belongs"), searches)
    notes = [f"{one.of.title}: {one.field.replace('_', ' ')} is changed by {one.said()}" for one in found[:5]]
    return [*notes, *read_by_meaning([one for one in documents if one.id in listed_ids], names)], None


def _decides(change: Change, plan: Plan, listed_ids: Collection[str], searches: Searches) -> bool:
    """Return whether a document belongs to a list with the one value of a field, and not with another one."""
    name, is_listed = change.field, change.of.id in listed_ids
    if change.values and all(_meets(one, name, plan, searches) == is_listed for one in change.values):
        return False
    others = [f"({one.text} or {one.field} missing)" for one in plan.conditions if one.field != name]
    where = " and ".join([*others, *plan.named, f"id = {print_string(change.of.id)}"])
    return searches.count(f"count {plan.bucket} where {where}", "whether it meets the other conditions") > 0


def _meets(value: Any, name: str, plan: Plan, searches: Searches) -> bool | None:
    """Return whether a value of a field meets the conditions on it; None if that cannot be told."""
    wanted = searches.schema.fields(plan.bucket)[name].wanted(name)
    number, unit = value if isinstance(value, tuple) else (value, "")
    number = date.fromisoformat(number) if isinstance(number, str) and wanted.type == "date" else number
    for condition in plan.conditions:
        if condition.field != name:
            continue
        bounds = [one for one in plan.linked.bounds if one.text in condition.raw]
        if condition.text == f"{name} < today" and isinstance(number, date):
            if number >= today(searches):
                return False
        elif not bounds or any(not decides(number, unit, one, wanted) for one in bounds):
            return None
        elif not all(meets(number, one, wanted) for one in bounds):
            return False
    return True
