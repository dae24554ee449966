"""Documents that change what others say, wherever they are filed: an amendment, a letter, an e-mail.

They are found by their words: a sentence that says that something is replaced, with a word for the field, in a document
that names the one that was found. What holds now is not read from it: the answer is not sure, the sentence is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qlc.base.words.sentences import listed
from qlc.corpus.schema import CorpusSchema
from qlc.corpus.status import Document
from qlc.corpus.values.fields import amount_value
from qlc.corpus.values.synonyms import ROLES
from qlc.grammar.printer import print_string
from qlc.language.quantities import Style, quantities
from qlc.outcome import Citation, Declined, Hit, Hits

from .cells import is_amending, notes_on
from .coverage import sure_ones
from .planning import Plan
from .searching import Searches
from .sentences import document_of, spans_of
from .terms import Term, stems, term_stems, terms
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
_ASKED = "replaces replaced instead supersedes amended changed no longer with effect from raised reduced extended"
_PARTIES = ROLES | {"company", "companies", "parties", "firm", "issuer", "registrant", "organisation", "organization"}
"""Words of fields with those whom a document is about."""
_LOOKED_AT = 40
_MOST_NAMED, _MOST_WORDS = 3, 8


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of another document that changes a field of one that was found."""

    of: Document
    field: str
    title: str
    citation: Citation

    def said(self) -> str:
        where = self.citation.file if self.citation.page is None else f"{self.citation.file}, page {self.citation.page}"
        return f"{where}: “{' '.join(self.citation.quote.split())}”"


def changes_of(plan: Plan, names: Sequence[str], documents: Sequence[Document], searches: Searches) -> list[Change]:
    """Return the changes that other documents make to some fields of the found documents."""
    declared = searches.schema.fields(plan.bucket)
    names = [one for one in names if one in declared and declared[one].type != "rows"]
    if not names or not documents:
        return []
    called = " ".join(word for one in names for word in (phrases(one, declared[one])[0], *declared[one].words))
    is_few = len(documents) <= _MOST_NAMED
    about = f"find passages where about {print_string(f'{_ASKED} {called}')} by words"
    shown = f"limit {100 if is_few else _LOOKED_AT} show title, file, page, text, document"
    asked = [("search_text", f"{about}{where} {shown}", "whether other documents change it")
             for where in dict.fromkeys(("", _naming(documents, plan, searches) if is_few else ""))]  # fmt: skip
    hits = {hit.id: hit for one in searches.together(asked) if isinstance(one, Hits) for hit in one.hits}
    meaning: list[tuple[Hit, list[Document], bool]] = []
    for hit in hits.values():
        others = [one for one in documents if one.id != document_of(hit)]
        amends = is_amending(str(hit.values.get("title", ""))) and len(others) == len(documents)
        if amends or CHANGES.search(str(hit.values.get("text", ""))):
            meaning += [(hit, meant, amends)] if (meant := _meant(hit, others, plan, searches)) else []
    saying = {one.id: one for one in searches.documents(list({document_of(hit) for hit, _, _ in meaning}))}
    return [
        one for hit, meant, amends in meaning for of in meant
        if not is_of_others(saying.get(document_of(hit)), of, str(hit.values.get("text", "")), searches.schema)
        for name in names for one in _changes(hit, name, of, plan, searches, amends)
    ]  # fmt: skip


def is_of_others(one: Document | None, of: Document, text: str, schema: CorpusSchema) -> bool:
    """Return whether a document is about other parties than another one, whose number it does not name either.

    An annual report of one company changes no press release of another, whatever it says to be replaced.
    """
    if one is None or any(number.casefold() in text.casefold() for number in numbers_of(of, schema)):
        return False
    own, theirs = _parties(one, schema), _parties(of, schema)
    shared = own.keys() & theirs.keys()
    return bool(shared) and all(own[name].isdisjoint(theirs[name]) for name in shared)


def numbers_of(document: Document, schema: CorpusSchema) -> list[str]:
    """Return the values of fields that number a document: `Contract no. 4711` -> 4711."""
    fields = schema.fields(document.bucket)
    return [
        str(place.stored) for place in document.places
        if place.field in fields and fields[place.field].wanted(place.field).is_number and not place.is_disputed
        and re.search(r"\d", str(place.stored))
    ]  # fmt: skip


def _parties(document: Document, schema: CorpusSchema) -> dict[str, set[str]]:
    """Return the parties of a document by field, each by its first word: `Borden` of `Borden Facilities Ltd`."""
    fields = schema.fields(document.bucket)
    found: dict[str, set[str]] = {}
    for place in document.places:
        part = fields.get(place.field)
        if part is None or part.type != "name" or place.is_disputed:
            continue
        is_party = not _PARTIES.isdisjoint(" ".join(phrases(place.field, part)).lower().split())
        if is_party and (word := _first_word(str(place.stored), schema.file.language)):
            found.setdefault(place.field, set()).add(word.stem)
    return found


def _naming(documents: Sequence[Document], plan: Plan, searches: Searches) -> str:
    """Return a condition that a passage names one of the documents, so that passages about others do not fill the
    results."""
    words = {
        word.raw for one in documents for name in _called(one, plan, searches)
        if (word := _first_word(name, plan.linked.language)) is not None
    }  # fmt: skip
    said = [f"mentions {print_string(one)}" for one in sorted(words)[:_MOST_WORDS]]
    return f" and ({' or '.join(said)})" if said else ""


def _meant(hit: Hit, documents: Sequence[Document], plan: Plan, searches: Searches) -> list[Document]:
    """Return the documents that a passage is about: those with the largest number of name words in it."""
    language = plan.linked.language
    said = stems(f"{hit.values.get('title', '')} {hit.values.get('text', '')}", language)
    worth: dict[str, int] = {}
    for one in documents:
        names = _called(one, plan, searches)
        firsts = [word.stem for name in names if (word := _first_word(name, language)) is not None]
        if any(first in said for first in firsts):
            file = re.sub(r"^.*/|\.\w+$|[-_]", " ", one.files[0])
            worth[one.id] = len(said & stems(" ".join((*names, one.title, file)), language))
    best = max(worth.values(), default=0)
    return [one for one in documents if worth.get(one.id) == best and best]


def _called(document: Document, plan: Plan, searches: Searches) -> list[str]:
    """Return the names by which other documents can refer to this one: its names and numbers, and the names in a
    question about one document."""
    declared = searches.schema.fields(plan.bucket)
    names = [
        str(place.stored) for place in document.places
        if place.field in declared and declared[place.field].type in ("name", "text") and not place.is_disputed
        and len(str(place.stored)) <= 60
    ]  # fmt: skip
    return [*names, *(one.text for one in plan.names if plan.linked.intent != "list")]


def _first_word(name: str, language: str) -> Term | None:
    """Return the first word of a name with more than three letters: `agreement` of `The Agreement`; else None."""
    return next((one for one in terms(f": {name}", language) if len(one.raw) > 3), None)


def _changes(hit: Hit, name: str, of: Document, plan: Plan, searches: Searches, amends: bool) -> Iterator[Change]:
    """The sentences of a passage that change a field of a document: all of one that `amends`, without a value of its
    own in the list."""
    part, language = searches.schema.fields(plan.bucket)[name], plan.linked.language
    text, title = str(hit.values.get("text", "")), str(hit.values.get("title", ""))
    called = [found for phrase in phrases(name, part) if (found := term_stems(f": {phrase}", language))]
    place, wanted = searches.place(of, name), part.wanted(name)
    known = place.quote if place is not None else ""
    before = {amount_value(wanted, one) for one in quantities(known, Style())} if part.type in MEASURED else set()
    spans = spans_of(text)
    for at, span in enumerate(spans):
        line = text[span.begin : span.end]
        if not CHANGES.search(line) and not amends:
            continue
        near = line
        if part.type in MEASURED:
            values = {value for one in quantities(line, Style()) if (value := amount_value(wanted, one)) is not None}
            near = text[spans[max(at - 1, 0)].begin : spans[min(at + 1, len(spans) - 1)].end]
            if not values or (values <= before and not CHANGES.search(line)):
                continue
        if any(one & stems(near, language) for one in called):
            files = hit.values.get("file") or [""]
            quoted = Citation(document=document_of(hit), file=str(files[0]), page=hit.values.get("page"), quote=line)
            yield Change(of, name, title, quoted)


def contested(
    plan: Plan, total: int, listed_ids: Sequence[str], searches: Searches
) -> tuple[list[str], Declined | None]:
    """Return notes on how the values were read that a list was made by; and that the list is not sure, if another
    document changes such a value of one that meets the other conditions."""
    declared = searches.schema.fields(plan.bucket)
    names = list(dict.fromkeys(one.field for one in plan.conditions if one.constraint and one.field in declared))
    if not names:
        return [], None
    everything, hits = searches.hits("get_document_metadata", f"find {plan.bucket} limit 100", "what may be changed")
    documents = searches.documents([hit.id for hit in hits] if everything <= len(hits) else listed_ids)
    found = [one for one in changes_of(plan, names, documents, searches) if _meets_others(one, plan, searches)]
    if found:
        unsure = {one.of.id: one.of.files[0] for one in found}
        said = [f"{one.of.title} ({one.field.replace('_', ' ')}): {one.said()}" for one in found[:5]]
        why = "; ".join(dict.fromkeys(said))
        belong = "belong" if len(unsure) > 1 else "belongs"
        others = f"whether {listed([*unsure.values()])} {belong} is not sure. {why}"
        sure = [one for one in listed_ids if one not in unsure]
        return [], sure_ones(plan, total - len(unsure.keys() & {*listed_ids}), sure, others, searches)
    return notes_on([one for one in documents if one.id in listed_ids], names, plan, searches), None


def _meets_others(change: Change, plan: Plan, searches: Searches) -> bool:
    """Return whether a document meets the conditions on fields that are not changed, or does not tell these."""
    others = [f"({one.text} or {one.field} missing)" for one in plan.conditions if one.field != change.field]
    where = " and ".join([*others, *plan.named, f"id = {print_string(change.of.id)}"])
    return searches.count(f"count {plan.bucket} where {where}", "whether it meets the other conditions") > 0
