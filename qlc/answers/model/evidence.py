"""Gathers the passages for a writer: from the documents that a plan means, each with the known values of its fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qlc.answers.cells import AMENDS, asked_in_words, is_amending
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.searching import Searches
from qlc.answers.sentences import Passage, passage_of, spans_of
from qlc.answers.terms import share, stems, terms
from qlc.answers.verifying import is_quoted, page_passages, read_pages
from qlc.corpus.schema import FieldPart
from qlc.corpus.status import Document, Place
from qlc.grammar.printer import print_string
from qlc.language.quantities import Style, quantities
from qlc.outcome import Answer, Claim

MOST_PASSAGES = 12
"""Passages of a prompt about one thing."""
MOST_CHARACTERS = 24_000
"""Characters of them together; of a prompt about many documents twice as many."""
MOST_DOCUMENTS = 40
"""Documents of a prompt about many."""
EACH = 4
"""Passages of each of many documents for the question, and for each field, beside those that its values stand in; fewer
where not all fit."""
OF_DOCUMENTS = 36_000
"""Characters of the passages of many documents: the rest is for what changes them, and for passages of others."""
MOST_QUERIES = 8
"""Searches for fields and topics."""
BESIDE = 4
"""Passages of all documents, beside those of the documents that are meant."""
_SHOWN = "title, file, page, section, text, head, document"
_ALIKE = 0.5
"""The share of a claim's words that a sentence has which speaks of the same."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Passages for a question. `documents` is the number of readable documents that it restricts to, 0 without a
    restriction.

    Documents that the caller may not see are not counted.
    """

    passages: list[Passage]
    documents: int = 0


def gathered(plan: Plan, searches: Searches) -> Gathered:
    everywhere = _found(f"find passages where {_about(plan)}", "passages that the question is about", searches)
    if plan.is_typed or (plan.linked.intent in ("list", "compute", "compare") and plan.bucket != DOCUMENTS):
        found, total = _passages_of_each(plan, searches)
        if found:
            if plan.names:
                named = " and ".join(f"mentions {print_string(one.text)}" for one in plan.names[:3])
                later = f"document in (find documents where ({AMENDS}) and {named})"
                program = f"find passages where {later} sort ordinal"
                found += _found(program, "passages that amend them", searches)
            found += everywhere[: MOST_PASSAGES if plan.topic else BESIDE]
            return Gathered(numbered(found, most=2 * MOST_CHARACTERS), total)
    return Gathered(numbered(everywhere))


def look_for(query: str, searches: Searches, known: Sequence[Passage]) -> list[Passage]:
    """Search for a query of the model, and return the passages that it was not shown yet."""
    ids = {one.id for one in known}
    found = _found(f"find passages where about {print_string(query[:1_000])}", "what the model asks for", searches, 6)
    return [one for one in found if one.id not in ids]


def numbered(passages: Iterable[Passage], known: Sequence[Passage] = (), most: int = MOST_CHARACTERS) -> list[Passage]:
    """Name the passages, continuing after the known ones, and return as many as fit."""
    found: list[Passage] = []
    begin = len(known) + 1
    for one in {one.id: one for one in passages}.values():
        most -= len(one.text)
        if most < 0 and found:
            break
        found.append(replace(one, name=f"p{begin + len(found)}"))
    return found


def _about(plan: Plan) -> str:
    return f"about {print_string(' '.join([plan.linked.text, *(one.raw for one in plan.topic)])[:1_000])}"


def _found(program: str, why: str, searches: Searches, most: int = MOST_PASSAGES) -> list[Passage]:
    return [*map(passage_of, searches.hits("search_text", f"{program} limit {most} show {_SHOWN}", why)[1])]


def _passages_of_each(plan: Plan, searches: Searches) -> tuple[list[Passage], int]:
    """Return passages of each document that meets the conditions or lacks their fields, and the number of documents.

    For each document: the places of its values, then the best passages for the question and for each field.
    """
    declared = searches.schema.fields(plan.bucket)
    exact = searches.count(f"count {asked_in_words(plan)}", "whether any meets it")
    is_exact = plan.linked.intent == "qa" and exact > 0
    is_open = {} if is_exact else declared
    has_text = [] if "state" in declared else ['state = "ready"']
    mentions = " and ".join(f"mentions {print_string(one.text)}" for one in plan.names[:3])
    for said in dict.fromkeys(("", mentions)):  # where many do not tell a name, those whose text has it
        parts = [_or_missing(one.text, [one.field], is_open) for one in plan.conditions]
        parts += [_or_missing(one, [field for name in plan.names for field in name.fields], is_open, said)
                  for one in plan.named]  # fmt: skip
        where = _where("", [*parts, *has_text])
        program = f"find {plan.bucket}{where} limit {MOST_DOCUMENTS}"
        total, hits = searches.hits("get_document_metadata", program, "the documents to read")
        if total <= MOST_PASSAGES:
            break
    within = f"document in (find {plan.bucket}{where})"
    wanted = {one.name: one.part for one in plan.asked}
    wanted |= {one.field: declared[one.field] for one in plan.conditions if one.field in declared}
    fields = [" ".join((name.replace("_", " "), part.description, *part.labels)) for name, part in wanted.items()]
    each = max(EACH, 2 * MOST_PASSAGES // max(len(hits), 1) // (1 + len(fields) + len(plan.topic)))
    ranked: dict[str, list[tuple[int, Passage]]] = {}
    topics = [one.raw for one in plan.topic]
    for about in [_about(plan), *(f"about {print_string(one)}" for one in [*fields, *topics][:MOST_QUERIES])]:
        taken: Counter[str] = Counter()
        for one in _found(f"find passages where {about} and {within}", "their passages", searches, 100):
            taken[one.document] += 1
            if taken[one.document] <= each:
                ranked.setdefault(one.document, []).append((taken[one.document], one))
    documents = searches.documents([hit.id for hit in hits])
    places = [(one.id, place.page) for one in documents for place in _places(one, wanted)]
    read_pages(places, searches)
    for document in documents:
        known = [(0, one) for one in _known(document, wanted, searches)]
        if not known and document.id not in ranked:
            program = f"find passages where document.id = {print_string(document.id)} sort ordinal"
            known = [(0, one) for one in _found(program, "its beginning", searches, 1)]
        ranked[document.id] = known + ranked.get(document.id, [])
    return _as_many_as_fit([ranked[document.id] for document in documents]), total


def _as_many_as_fit(ranked: Sequence[Sequence[tuple[int, Passage]]]) -> list[Passage]:
    """Return as many passages as fit. All documents get their first one, then all their second, and so on."""
    left, kept = OF_DOCUMENTS, set[str]()
    for _, one in sorted((pair for some in ranked for pair in some), key=lambda pair: pair[0]):
        if one.id not in kept and left >= len(one.text):
            left -= len(one.text)
            kept.add(one.id)
    return [one for some in ranked for _, one in some if one.id in kept]


def _where(program: str, parts: Sequence[str]) -> str:
    return f"{program} where {' and '.join(parts)}" if parts else program


def _or_missing(condition: str, fields: Sequence[str], declared: Mapping[str, FieldPart], said: str = "") -> str:
    missing = " or ".join(f"{one} missing" for one in dict.fromkeys(fields) if one in declared)
    if not missing:
        return f"({condition})"
    return f"({condition} or ({missing}) and {said})" if said else f"({condition} or {missing})"


def _places(document: Document, wanted: Collection[str]) -> list[Place]:
    return [one for one in document.places if one.field in wanted and one.quote and one.page]


def _known(document: Document, wanted: Collection[str], searches: Searches) -> Iterator[Passage]:
    """Yield the passages with values of fields. If a quote is in no single passage, the quote alone is yielded."""
    for place in _places(document, wanted):
        alone = Passage(f"{document.id}/{place.field}", document.id, document.files[0], document.title, place.page, (),
                        place.quote)  # fmt: skip
        found = map(passage_of, page_passages(document.id, place.page, searches))
        whole = next((one for one in found if is_quoted(place.quote, one.text)), alone)
        section = (*whole.section, place.field)
        yield replace(alone, id=whole.id, section=section, text=whole.text)


# --- documents that change others ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A claim about a document, and the sentence of one that changes it, which tells another amount of the same."""

    claim: Claim
    passage: Passage
    sentence: str


def changes(answer: Answer, searches: Searches) -> Iterator[Change]:
    """Yield contradictions between an answer and documents that change the cited ones, found by title or number."""
    cited = {one.document for claim in answer.claims for one in claim.citations}
    for document in searches.documents(list(cited)):
        if is_amending(document.title):
            continue
        values = [one.stored for one in document.places if isinstance(one.stored, str)]
        names = [document.title, *(one for one in values if re.search(r"\d", one) and one[4:5] != "-")]
        said = " or ".join(f"mentions {print_string(name)}" for name in dict.fromkeys(names) if name)
        program = f"find passages where document in (find documents where ({AMENDS}) and ({said}))"
        passages = _found(program, "whether a later document changes it", searches, 20)
        for claim in answer.claims:
            sources = {one.document for one in claim.citations}
            for passage in passages if document.id in sources else ():
                if passage.document not in sources and (sentence := _contradiction(claim, passage)):
                    yield Change(claim, passage, sentence)


def _contradiction(claim: Claim, passage: Passage) -> str:
    """Find a sentence with the words of a claim and another amount: "EUR 20" -> "The fee is EUR 30."; empty if none."""
    told = quantities(" ".join([claim.text, *(one.quote for one in claim.citations)]), Style())
    words = [one.stem for one in terms(claim.text) if not any(letter.isdigit() for letter in one.raw)]
    for span in spans_of(passage.text):
        line = passage.text[span.begin : span.end]
        said = [one for one in quantities(line, Style()) if any((one.kind, one.unit) == (o.kind, o.unit) for o in told)]
        other = [one for one in said if all((one.number, one.date) != (o.number, o.date) for o in told)]
        is_replaced = bool(other) and any(
            (one.kind, one.number, one.date) == (o.kind, o.number, o.date) for o in told for one in said
        )
        if other and (is_replaced or share(words, stems(f"{passage.heading} {line}")) >= _ALIKE):
            return line
    return ""
