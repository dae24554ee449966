"""Gathers the passages for a writer: from the documents that a plan means, each with the known values of its fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qlc.answers.cells import asked_in_words, is_amending
from qlc.answers.changes import CHANGES, changing, contested
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.searching import Searches
from qlc.answers.sentences import Passage, passage_of, spans_of
from qlc.answers.terms import share, stems, terms
from qlc.answers.verifying import is_quoted, page_passages, read_pages
from qlc.answers.vocabulary import MEASURED, phrases
from qlc.corpus.schema import FieldPart
from qlc.corpus.searching import with_years
from qlc.corpus.status import Document, Place
from qlc.corpus.values.fields import amount_value
from qlc.grammar.printer import print_string
from qlc.language.quantities import Style, quantities
from qlc.outcome import Answer, Claim

MOST_PASSAGES = 12
"""Passages of a prompt about one thing."""
MOST_CHARACTERS = 24_000
"""Characters of them together; of a prompt about many documents twice as many."""
MOST_DOCUMENTS = 40
"""Documents of a prompt about many."""
EACH = 2
"""Passages of each of many documents for the question, and for each field, beside those that its values stand in; fewer
where not all fit."""
OF_DOCUMENTS = 36_000
"""Characters of the passages of many documents: the rest is for what changes them, and for passages of others."""
MOST_QUERIES = 8
"""Searches for fields and topics."""
BESIDE = 4
"""Passages of all documents, beside those of the documents that are meant, if no name says which these are."""
AROUND = 1
"""Passages before and after a hit that are brought along even if they are in another section."""
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
    within: tuple[str, ...] = ("",)
    """The conditions of later searches, one after the other: of the documents that the question names, then none if it
    names them only by words of titles, as another document may say more of `Mercer's Yard`."""


def gathered(plan: Plan, searches: Searches) -> Gathered:
    if plan.is_typed or (plan.linked.intent in ("list", "compute", "compare") and plan.bucket != DOCUMENTS):
        found, total, within = _passages_of_each(plan, searches)
        if found:
            few = len({one.document for one in found}) <= _FEW
            found += _changing(plan, found, searches)
            if not plan.names:
                found += _everywhere(plan, searches)[: MOST_PASSAGES if plan.topic else BESIDE]
            is_titled = all({*one.fields} <= {"title", "file"} for one in plan.names)
            around = with_neighbours(found, searches, 2 * MOST_CHARACTERS, MOST_PASSAGES if few else 0)
            conditions = (*([within] if plan.names else []), *([""] if is_titled else []))
            return Gathered(numbered(around), total, conditions)
    found = _everywhere(plan, searches)
    return Gathered(numbered(with_neighbours([*found, *_changing(plan, found, searches)], searches, best=_BEST)))


_FEW = 3
"""Documents that are read whole, as far as they fit."""
_BEST = 4
"""Passages of all documents that are shown with those around them."""


def _changing(plan: Plan, found: Sequence[Passage], searches: Searches) -> list[Passage]:
    """Return the passages of other documents that change what the found ones say: they name one of them, and say that
    something is replaced. Where many documents are found, only those with a word for what is asked."""
    declared = searches.schema.fields(plan.bucket)
    documents = searches.documents(list(dict.fromkeys(one.document for one in found)))
    _, by_fields = contested(plan, [one.id for one in documents], searches)
    shown = [one for each in by_fields for one in
             (passage_of(each.hit), *_known(each.of, {each.field: declared[each.field]}, searches))]  # fmt: skip
    names = [one.name for one in plan.asked] + [field for one in plan.conditions for field in one.fields]
    parts = [declared[one] for one in names if one in declared]
    called = [*names, *(word for part in parts for word in (*part.words, *part.labels))]
    asked = stems(" ".join((*called, *(one.raw for one in plan.topic))).replace("_", " "), plan.linked.language)
    others = changing(documents, plan.linked.text, searches, [one.text for one in plan.names])
    texts = [passage_of(one.hit) for one in others]
    is_few = len(documents) <= _FEW
    return shown + [one for one in texts if is_few or asked & stems(one.text, plan.linked.language)][:MOST_PASSAGES]


def _everywhere(plan: Plan, searches: Searches) -> list[Passage]:
    return _found(f"find passages where {_about(plan)}", "passages that the question is about", searches)


def look_for(query: str, searches: Searches, known: Sequence[Passage], within: str = "") -> list[Passage]:
    """Search for a query of the model, and return the passages that it was not shown yet, with their neighbours."""
    ids = {one.id for one in known}
    about = " and ".join(filter(None, [f"about {print_string(with_years(query[:1_000]))}", within]))
    found = _found(f"find passages where {about}", "what the model asks for", searches, 6)
    return [one for one in with_neighbours(found, searches, MOST_CHARACTERS // 2) if one.id not in ids]


def with_neighbours(
    hits: Sequence[Passage], searches: Searches, most: int = MOST_CHARACTERS, best: int = MOST_PASSAGES
) -> list[Passage]:
    """Return passages with others of their page and section as far as they fit, the best hit's first. After the `best`
    ones, only a row of a table comes with the others of its section.

    Passages of one page stand together, in their order.
    """
    hits = numbered(hits, most=most)
    left = most - sum(len(one.text) for one in hits)
    kept = {one.id: one for one in hits}
    read_pages([(one.document, one.page) for one in hits], searches)
    for hit in [*hits[:best], *(one for one in hits[best:] if _IN_TABLE.search(one.text))]:
        of_hit = {name: getattr(hit, name) for name in ("document", "file", "title", "page")}
        on_page = [replace(passage_of(one), **of_hit) for one in page_passages(hit.document, hit.page, searches)]
        at = [one.id for one in on_page].index(hit.id) if hit.id in {one.id for one in on_page} else -1
        others = [(abs(place - at), one) for place, one in enumerate(on_page) if at >= 0 and one.id not in kept]
        for away, one in sorted(others, key=lambda other: other[0]):
            if one.section == hit.section or (away <= AROUND and hit in hits[:best]):
                left -= len(one.text)
                if left < 0:
                    break
                kept[one.id] = one
    pages = {(one.document, one.page): at for at, one in reversed([*enumerate(hits)])}
    return sorted(kept.values(), key=lambda one: (pages[one.document, one.page], one.id))


_IN_TABLE = re.compile(r"\t| \| ")


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
    said = " ".join([plan.linked.text, *(one.raw for one in plan.topic)])
    return f"about {print_string(with_years(said[:1_000]))}"


def _found(program: str, why: str, searches: Searches, most: int = MOST_PASSAGES) -> list[Passage]:
    return [*map(passage_of, searches.hits("search_text", f"{program} limit {most} show {_SHOWN}", why)[1])]


def _passages_of_each(plan: Plan, searches: Searches) -> tuple[list[Passage], int, str]:
    """Return passages of each document that meets the conditions or lacks their fields, the number of documents, and
    the condition for their passages.

    For each document: the places of its values, then the best passages for the question and for each field.
    """
    declared = searches.schema.fields(plan.bucket)
    exact = searches.count(f"count {asked_in_words(plan)}", "whether any meets it")
    is_exact = plan.linked.intent == "qa" and exact > 0
    is_open = {} if is_exact else declared
    has_text = [] if "state" in declared else ['state = "ready"']
    mentions = " and ".join(f"mentions {print_string(one.text)}" for one in plan.names[:3])
    for said in dict.fromkeys(("", mentions)):  # where many do not tell a name, those whose text has it
        parts = [_or_missing(one.text, one.fields, is_open) for one in plan.conditions]
        parts += [_or_missing(one, [field for name in plan.names for field in name.fields], is_open, said)
                  for one in plan.named]  # fmt: skip
        where = _where("", [*parts, *has_text])
        program = f"find {plan.bucket}{where} limit {MOST_DOCUMENTS}"
        total, hits = searches.hits("get_document_metadata", program, "the documents to read")
        if total <= MOST_PASSAGES:
            break
    within = f"document in (find {plan.bucket}{where})"
    wanted = {one.name: one.part for one in plan.asked}
    wanted |= {name: declared[name] for one in plan.conditions for name in one.fields if name in declared}
    fields = {" ".join((name.replace("_", " "), part.description, *part.labels)): (name, part)
              for name, part in wanted.items()}  # fmt: skip
    each = max(EACH, MOST_PASSAGES // max(len(hits), 1) // (1 + len(fields) + len(plan.topic)))
    ranked: dict[str, list[tuple[int, Passage]]] = {}
    topics = [one.raw for one in plan.topic]
    for said in [plan.linked.text, *[*fields, *topics][:MOST_QUERIES]]:
        about = _about(plan) if said == plan.linked.text else f"about {print_string(said)}"
        taken: Counter[str] = Counter()
        hits_of = _found(f"find passages where {about} and {within}", "their passages", searches, 100)
        for one in _likeliest_first(hits_of, fields[said], plan) if said in fields else hits_of:
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
    return _as_many_as_fit([ranked[document.id] for document in documents]), total, within


def _likeliest_first(found: Sequence[Passage], field: tuple[str, FieldPart], plan: Plan) -> list[Passage]:
    """Return passages in another order: first those below a heading with a word of a field, and those with an amount of
    its type, then the others."""
    name, part = field
    language, wanted = plan.linked.language, part.wanted(name)
    called = stems(" ".join(phrases(name, part)), language)

    def rank(one: Passage) -> int:
        is_typed = part.type not in MEASURED or any(
            amount_value(wanted, amount) is not None for amount in quantities(one.text, Style())
        )
        return -int(is_typed) - int(bool(called & stems(" ".join(one.section[-1:]), language)))

    return sorted(found, key=rank)


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
    """Yield contradictions between an answer and passages of other documents that name the cited ones and say that
    something is replaced, or have a title that says so."""
    cited = {one.document for claim in answer.claims for one in claim.citations}
    documents = [one for one in searches.documents(list(cited)) if not is_amending(one.title)]
    titles = [one.title for one in documents]
    for one in changing(documents, answer.message, searches, titles if len(documents) == 1 else ()):
        passage, meant = passage_of(one.hit), {of.id for of in one.documents}
        for claim in answer.claims:
            sources = {each.document for each in claim.citations}
            is_meant = bool(sources & meant) and passage.document not in sources
            if is_meant and (sentence := _contradiction(claim, passage, one.amends)):
                yield Change(claim, passage, sentence)


def _contradiction(claim: Claim, passage: Passage, amends: bool) -> str:
    """Find a sentence with the words of a claim and another amount: "EUR 20" -> "The fee is EUR 30."; empty if none.

    It or one beside it says that something changes, unless the whole passage `amends`: a report is not changed by
    another one of the same people in which a hose was replaced.
    """
    told = quantities(" ".join([claim.text, *(one.quote for one in claim.citations)]), Style())
    words = [one.stem for one in terms(claim.text) if not any(letter.isdigit() for letter in one.raw)]
    spans = spans_of(passage.text)
    for at, span in enumerate(spans):
        line = passage.text[span.begin : span.end]
        near = passage.text[spans[max(at - 2, 0)].begin : spans[min(at + 1, len(spans) - 1)].end]
        if not (amends or CHANGES.search(f"{passage.heading} {near}")):
            continue
        said = [one for one in quantities(line, Style()) if any((one.kind, one.unit) == (o.kind, o.unit) for o in told)]
        other = [one for one in said if all((one.number, one.date) != (o.number, o.date) for o in told)]
        is_replaced = bool(other) and any(  # a bare 3 is in many lines: `Unit 3`, `bay 3`
            (one.kind, one.number, one.date) == (o.kind, o.number, o.date) and one.kind != "number"
            for o in told for one in said
        )
        if other and (is_replaced or share(words, stems(f"{passage.heading} {line}")) >= _ALIKE):
            return line
    return ""
