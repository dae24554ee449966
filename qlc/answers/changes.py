"""Documents that change what others say, wherever they are filed: an amendment, a letter, an e-mail.

They are found by their words: a sentence that says that something is replaced, with a word for the field, in a document
that names the one that was found. What holds now is not read from it: the answer is not sure, the sentence is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from qlc.base.words.sentences import listed
from qlc.corpus.schema import CorpusSchema
from qlc.corpus.status import Document
from qlc.corpus.values.fields import amount_value
from qlc.corpus.values.synonyms import ROLES
from qlc.grammar.printer import print_string
from qlc.language.quantities import Style, quantities
from qlc.outcome import Citation, Declined, Hit, Hits

from .cells import is_amending, notes_on, program_of
from .coverage import may_too, sure_ones, unknown
from .naming import pieces
from .planning import Plan
from .searching import CHECK, Searches
from .sentences import document_of, spans_of
from .terms import Term, is_run, stems, term_stems, terms
from .vocabulary import KIND_NOUNS, MEASURED, nouns_of, phrases

CHANGES = re.compile(
    r"\b(?:replac(?:e|es|ed|ing)|supersed(?:e|es|ed|ing)|no longer|with effect from|from now on|amend(?:s|ed|ing)|void"
    r"|the (?:new|former|previous) [\w ]{1,30}? (?:is|are|was|were)"
    r"|(?:instead|in place|in lieu) of|in (?:its|their) (?:place|stead)|previous (?:figure|amount|sum)"
    r"|(?:is|are) now|shall now|and not (?:by|on|for|at|of)|as agreed (?:today|by (?:phone|telephone))"
    r"|(?:is|are|was|were|be|been|have|has|will) (?:now |hereby )?(?:changed?|raised?|reduced?|extended?|increased?"
    r"|lowered?|shortened?|lengthened|deleted|cancelled|postponed|delayed|moved?|revised|updated|adjusted|corrected)"
    r"|changes? (?:from|to)|(?:rises?|falls?|drops?|goes|go) (?:up |down )?(?:from|to))\b",
    re.IGNORECASE,
)
"""How a document says that it changes another one."""
_ASKED = "replaces replaced instead amended changed no longer with effect from raised reduced extended void now"
_PARTIES = ROLES | {"company", "companies", "parties", "firm", "issuer", "registrant", "organisation", "organization"}
"""Words of fields with those whom a document is about."""
_LOOKED_AT = 40
_MOST_NAMED, _MOST_WORDS, _MOST_NOTED = 3, 8, 5


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of another document that changes a field of one that was found."""

    of: Document
    field: str
    title: str
    citation: Citation
    hit: Hit
    """The passage that the sentence stands in."""

    def said(self) -> str:
        where = self.citation.file if self.citation.page is None else f"{self.citation.file}, page {self.citation.page}"
        return f"{where}: “{' '.join(self.citation.quote.split())}”"


@dataclass(frozen=True, slots=True)
class Changing:
    """A passage that says that something is changed, and the documents that it names. `amends`: by its title."""

    hit: Hit
    documents: Sequence[Document]
    amends: bool


def changes_of(plan: Plan, names: Sequence[str], documents: Sequence[Document], searches: Searches) -> list[Change]:
    """Return the changes that other documents make to some fields of the found documents."""
    declared = searches.schema.fields(plan.bucket)
    names = [one for one in names if one in declared and declared[one].type != "rows"]
    if not names or not documents:
        return []
    called = " ".join(word for one in names for word in (phrases(one, declared[one])[0], *declared[one].words))
    named = [one.text for one in plan.names if plan.linked.intent != "list"]
    return [
        one for passage in changing(documents, called, searches, named) for of in passage.documents for name in names
        for one in _changes(passage.hit, name, of, plan, searches, passage.amends)
    ]  # fmt: skip


def changing(
    documents: Sequence[Document], about: str, searches: Searches, named: Sequence[str] = ()
) -> list[Changing]:
    """Return the passages about something that change what some documents say: they name one of them, by its premises,
    its number, its party, or by what the question called it (`named`), and say that something is replaced."""
    if not documents:
        return []
    language = searches.schema.file.language
    called = {one.id: [*_called(one, searches.schema), *named] for one in documents}
    marks = {id: [mark for name in names if (mark := _mark(name, language))] for id, names in called.items()}
    is_few = len(documents) <= _MOST_NAMED
    said = [f"mentions {print_string(one)}" for one in sorted({one for some in marks.values() for one in some})]
    naming = f" and ({' or '.join(said[:_MOST_WORDS])})" if is_few and said else ""
    words = f"find passages where about {print_string(f'{_ASKED} {about}')} by words"
    shown = f"limit {100 if is_few else _LOOKED_AT} show title, file, page, section, text, head, document"
    asked = [("search_text", f"{words}{where} {shown}", "whether other documents change it")
             for where in dict.fromkeys(("", naming))]  # fmt: skip
    hits = {hit.id: hit for one in searches.together(asked) if isinstance(one, Hits) for hit in one.hits}
    pieces_of = {id: [pieces(one, language) for one in some] for id, some in marks.items()}
    meaning: list[tuple[Hit, list[Document], bool]] = []
    saying_so = []
    for hit in hits.values():
        amends = is_amending(str(hit.values.get("title", ""))) and all(one.id != document_of(hit) for one in documents)
        if amends or CHANGES.search(str(hit.values.get("text", ""))):
            saying_so.append((hit, amends))
    openings = _openings(list(dict.fromkeys(document_of(hit) for hit, _ in saying_so)), searches)
    for hit, amends in saying_so:
        others = [one for one in documents if one.id != document_of(hit)]
        title, text = str(hit.values.get("title", "")), str(hit.values.get("text", ""))
        meant = _meant(f"{title} {text}", others, pieces_of, called, language) or _meant(
            f"{title} {openings.get(document_of(hit), '')}", others, pieces_of, called, language)  # fmt: skip
        meaning += [(hit, meant, amends)] if meant else []
    saying = {one.id: one for one in searches.documents(list({document_of(hit) for hit, _, _ in meaning}))}
    found = []
    for hit, meant, amends in meaning:
        source, text = saying.get(document_of(hit)), str(hit.values.get("text", ""))
        own = [of for of in meant if not is_of_others(source, of, text, searches.schema)]
        found += [Changing(hit, own, amends)] if own else []
    return found


def is_of_others(one: Document | None, of: Document, text: str, schema: CorpusSchema) -> bool:
    """Return whether a document is about other parties than another one, whose number it does not name either.

    An annual report of one company changes no press release of another, whatever it says to be replaced.
    """
    if one is None or any(each.casefold() in text.casefold() for each in references_of(of, schema)):
        return False
    own, theirs = _parties(one, schema), _parties(of, schema)
    shared = own.keys() & theirs.keys()
    return bool(shared) and all(own[name].isdisjoint(theirs[name]) for name in shared)


def references_of(document: Document, schema: CorpusSchema) -> list[str]:
    """Return by which texts and numbers with a digit others refer to a document: `4711`, `Unit 7` of `Unit 7, Mill`."""
    fields = schema.fields(document.bucket)
    heads = [
        str(place.stored).split(",")[0] for place in document.places
        if place.field in fields and not place.is_disputed
        and (fields[place.field].wanted(place.field).is_number or fields[place.field].type == "text")
    ]  # fmt: skip
    return [one for one in heads if len(one) <= _LONGEST_NAME and re.search(r"\d", one)]


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


def _openings(ids: Sequence[str], searches: Searches) -> dict[str, str]:
    """Return the first passages of documents: a letter says there which agreement it is about."""
    if not ids:
        return {}
    of = f"document in [{', '.join(map(print_string, ids))}]"
    program = f"find passages where ordinal = 0 and {of} limit {_LOOKED_AT * 5} show text, document"
    _, hits = searches.hits(CHECK, program, "what they are about")
    return {document_of(hit): str(hit.values.get("text", "")) for hit in hits}


def _meant(
    text: str, documents: Sequence[Document], marks: Mapping[str, Sequence[tuple[str, ...]]],
    called: Mapping[str, Sequence[str]], language: str,
) -> list[Document]:  # fmt: skip
    """Return the documents that a text is about: those with the largest number of name words in it."""
    said, run = stems(text, language), pieces(text, language)
    held = {*run}
    worth: dict[str, int] = {}
    for one in documents:
        if any(held.issuperset(mark) and (len(mark) == 1 or is_run(mark, run)) for mark in marks[one.id]):
            file = re.sub(r"^.*/|\.\w+$|[-_]", " ", one.files[0])
            worth[one.id] = len(said & stems(" ".join((*called[one.id], one.title, file)), language))
    best = max(worth.values(), default=0)
    return [one for one in documents if worth.get(one.id) == best and best]


_LONGEST_NAME = 60


def _called(document: Document, schema: CorpusSchema) -> list[str]:
    """Return the names by which other documents can refer to this one: its names and numbers."""
    declared = schema.fields(document.bucket)
    return [
        str(place.stored) for place in document.places
        if place.field in declared and declared[place.field].type in ("name", "text") and not place.is_disputed
        and len(str(place.stored)) <= _LONGEST_NAME
    ]  # fmt: skip


def _mark(name: str, language: str) -> str:
    """Return the part of a name that others repeat: `Unit 7` of `Unit 7, Corn Mill`, `Borden` of `Borden Ltd`."""
    head = name.split(",")[0]
    word = _first_word(name, language)
    return head if re.search(r"\d", head) else "" if word is None else word.raw


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
    bucket = searches.schema.file.buckets.get(plan.bucket)
    nouns = stems(" ".join(nouns_of(plan.bucket, bucket, {}) if bucket else ()), language)
    is_called_alike = part.type == "date" or wanted.is_number
    of_all = nouns | KIND_NOUNS["date"] | KIND_NOUNS["number"] if is_called_alike else frozenset()
    known = place.quote if place is not None else ""
    before = {amount_value(wanted, one) for one in quantities(known, Style())} if part.type in MEASURED else set()
    spans = spans_of(text)
    for at, span in enumerate(spans):
        line = text[span.begin : span.end]
        near = text[spans[max(at - 1, 0)].begin : spans[min(at + 1, len(spans) - 1)].end]
        is_said = CHANGES.search(line) is not None
        if not CHANGES.search(near) and not amends:
            continue
        if part.type in MEASURED:
            values = {value for one in quantities(line, Style()) if (value := amount_value(wanted, one)) is not None}
            if not values or (values <= before and not is_said):
                continue
        elif not (is_said or amends):
            continue
        # `The rent is EUR 5. This replaces the former one.`
        near = near if (is_said or amends) and part.type in MEASURED else line
        said, whole = stems(near, language), stems(line, language) if is_said else frozenset[str]()
        # `date`, and `agreement` of `agreement date`, name a field only whole, and in a sentence that changes something
        if any((one - of_all) & said or one <= of_all & whole for one in called):
            files = hit.values.get("file") or [""]
            quoted = Citation(document=document_of(hit), file=str(files[0]), page=hit.values.get("page"), quote=line)
            yield Change(of, name, title, quoted, hit)


def doubts(
    plan: Plan, total: int, listed_ids: Sequence[str], searches: Searches
) -> tuple[list[str], Declined | None]:
    """Return notes on how far a list or a number is exact; and that it is not sure, if other documents may belong to
    it, or another document changes a value that it was made by."""
    notes, possible = unknown(plan, searches)
    notes += copies_note(searches.documents(listed_ids))
    changed, found = contested(plan, listed_ids, searches)
    notes += changed
    others = []
    unsure = {one.of.id: one.of.files[0] for one in found}
    if found:
        said = [f"{one.of.title} ({one.field.replace('_', ' ')}): {one.said()}" for one in found[:5]]
        belong = "belong" if len(unsure) > 1 else "belongs"
        others = [f"whether {listed([*unsure.values()])} {belong} is not sure. {'; '.join(dict.fromkeys(said))}"]
    others += filter(None, [may_too(plan, [one for one in possible if one.id not in unsure])])
    if not others:
        return notes, None
    sure = [one for one in listed_ids if one not in unsure]
    declined = sure_ones(plan, total - len(unsure.keys() & {*listed_ids}), sure, " ".join(others), searches)
    suggestions = [program_of(plan), *(f"Summarize {one.title}" for one in possible[:5])] if possible else []
    return notes, declined.model_copy(update={"suggestions": suggestions, "notes": notes})


def copies_note(documents: Sequence[Document]) -> list[str]:
    """Return a note on copies of one file, which are listed and counted one by one."""
    files: dict[str, list[str]] = {}
    for one in documents:
        files.setdefault(one.content or one.id, []).append(one.files[0])
    copied = [listed(group) for group in files.values() if len(group) > 1]
    more = f" So are {len(copied) - _MOST_NOTED} more." if len(copied) > _MOST_NOTED else ""
    said = "; ".join(copied[:_MOST_NOTED])
    return [f"Copies of one file, each of them counted: {said}.{more}"] if copied else []


def said_to_change(
    plan: Plan, names: Sequence[str], documents: Sequence[Document], searches: Searches
) -> str:  # fmt: skip
    """Return which values of a computed number other documents may change, or an empty text: `rent of Flat 1 may be
    changed: ...`."""
    changes = changes_of(plan, names, documents, searches)[:_MOST_NOTED]
    said = "; ".join(dict.fromkeys(one.said() for one in changes))
    of = listed([*dict.fromkeys(f"{one.field.replace('_', ' ')} of {one.of.title}" for one in changes)])
    return f"{of} may be changed: {said}" if changes else ""


def shown_changes(plan: Plan, found: Hits, searches: Searches) -> list[str]:
    """Return a note for each value in the rows of a list that another document may change: the list is not made by it,
    but shows it."""
    made_by = {one for condition in plan.conditions for one in condition.fields}
    names = dict.fromkeys(name for hit in found.hits for name in hit.values if name not in made_by)
    changes = changes_of(plan, [*names], searches.documents(found.ids), searches)
    notes: dict[tuple[str, str], str] = {}
    for one in changes:
        told = f"{one.field.replace('_', ' ')} of {one.of.title} may be changed: {one.said()}"
        notes.setdefault((one.of.id, one.field), told)
    more = [f"{len(notes) - _MOST_NOTED} more of the values shown may be changed."] if len(notes) > _MOST_NOTED else []
    return [*[*notes.values()][:_MOST_NOTED], *more]


def contested(plan: Plan, listed_ids: Sequence[str], searches: Searches) -> tuple[list[str], list[Change]]:
    """Return notes on how the values were read that a list was made by; and the changes that other documents make to
    such a value of one that meets the other conditions."""
    declared = searches.schema.fields(plan.bucket)
    names = list(dict.fromkeys(one.field for one in plan.conditions if one.constraint and one.field in declared))
    if not names:
        return [], []
    everything, hits = searches.hits("get_document_metadata", f"find {plan.bucket} limit 100", "what may be changed")
    documents = searches.documents([hit.id for hit in hits] if everything <= len(hits) else listed_ids)
    found = [one for one in changes_of(plan, names, documents, searches) if _meets_others(one, plan, searches)]
    return notes_on([one for one in documents if one.id in listed_ids], names, plan, searches), found


def _meets_others(change: Change, plan: Plan, searches: Searches) -> bool:
    """Return whether a document meets the conditions on fields that are not changed, or does not tell these."""
    others = [f"({one.text} or {one.field} missing)" for one in plan.conditions if one.field != change.field]
    where = " and ".join([*others, *plan.named, f"id = {print_string(change.of.id)}"])
    return searches.count(f"count {plan.bucket} where {where}", "whether it meets the other conditions") > 0
