"""Finds the passages nearest to a question that has no sure answer.

Each is shown as a search result: the file, the page and a quote. None is presented as the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import log

from qlc.corpus.pages import Span
from qlc.corpus.searching import with_years, years_in
from qlc.grammar.printer import print_string
from qlc.outcome import Citation, Claim, Hit
from qlc.resolver.key_words import cosine

from .meter import OutOfBudget
from .planning import DOCUMENTS, Plan
from .routing import Route, route_of
from .searching import PASSAGES, Searches
from .sentences import document_of, passage_of, spans_of
from .terms import RELATIONAL, stems
from .verifying import verified

MOST_SHOWN = 5
"""Passages that are shown."""
LONGEST = 600
"""Characters of a quote, unless its best sentence is longer."""
_LOOKED_AT = 30
_MOST_AROUND = 8
"""Sentences before and after the best one that a quote may have."""


def nearest_passages(plan: Plan, searches: Searches) -> list[Citation]:
    """Return quotes of the passages that are nearest to a question, best first; each is on its page."""
    try:
        hits = _about_it([*_hits(plan, searches)], plan, searches)
        hits = [*_by_best_line(hits[:MOST_SHOWN], plan), *hits[MOST_SHOWN:]]
        found = [one for hit in hits if (one := _quote(hit, plan)) is not None]
        claims = [Claim(text=one.quote, citations=[one], quoted=True) for one in dict.fromkeys(found)]
        kept, _ = verified(islice(claims, MOST_SHOWN), searches)
    except OutOfBudget:
        return []
    return [one for claim in kept for one in claim.citations]


def _hits(plan: Plan, searches: Searches) -> Iterator[Hit]:
    """Yield the best passages of the search; most of the first are of documents that the question names."""
    route = route_of(plan.linked, searches)
    own: Sequence[Hit] = ()
    if route.files:
        where = f" and file in [{', '.join(map(print_string, route.files))}]"
        own = _page_by_page(_about(_beside_names(plan, route), where, searches))
    elif plan.names and plan.bucket != DOCUMENTS:
        where = f" and document in (find {plan.bucket} where {' and '.join(plan.named)})"
        own = _page_by_page(_about(plan.linked.text, where, searches))
    yield from own[:_MOST_OWN]
    known = {one.id for one in own[:_MOST_OWN]}
    others = _page_by_page(_about(plan.linked.text, "", searches))
    yield from (one for one in others if one.id not in known)


_MOST_OWN = MOST_SHOWN - 1
"""Passages of the documents that a question names, before others: an amendment may have another name."""


def _page_by_page(hits: Sequence[Hit]) -> list[Hit]:
    """Sort passages so that the best of each page comes first, and others of these pages after them. Text without pages
    is all on page 1."""
    paged = {one.document for hit in hits if (one := passage_of(hit)).page not in (None, 1)}
    seen: set[tuple[str, int | None]] = set()
    first: list[Hit] = []
    for hit in hits:
        its = passage_of(hit)
        if its.document not in paged or (its.document, its.page) not in seen:
            seen.add((its.document, its.page))
            first.append(hit)
    return [*first, *(one for one in hits if one not in first)]


def _beside_names(plan: Plan, route: Route) -> str:
    """Leave out the words that name documents, as all their passages have them: `net sales of Alder Foods in 2022` ->
    `net sales 2022`."""
    named: set[int] = {at for one in plan.names for at in one.used}
    named |= {one.begin for one in plan.linked.terms if one.raw in route.words}
    for one, other in pairwise(plan.linked.terms):
        if one.begin in named and other.begin == one.end + 1 and other.raw[0].isupper() and not years_in(other.raw):
            named.add(other.begin)
    return " ".join(one.raw for one in plan.linked.terms if one.begin not in named) or plan.linked.text


def _by_best_line(hits: Sequence[Hit], plan: Plan) -> list[Hit]:
    """Sort passages by the sentence or row with most words of the question, rare ones first, and by the search's order:
    a page of prose has all words somewhere, a row of a statement has them together."""
    asked, language = stems(_beside_names(plan, Route()), plan.linked.language) - RELATIONAL, plan.linked.language
    texts = [its.text for hit in hits if (its := passage_of(hit))]
    weight = {word: log(1 + len(hits) / (1 + sum(word in stems(text, language) for text in texts))) for word in asked}

    def worth(text: str) -> float:
        lines = [text[one.begin : one.end] for one in spans_of(text)]
        return max((
            sum(weight[word] for word in stems(line, language) & asked) * (_OF_ROWS if _ROW.search(line) else 1.0)
            for line in lines
        ), default=0.0)  # fmt: skip

    order = sorted(range(len(hits)), key=lambda at: at * _STEP - worth(texts[at]))
    return [hits[at] for at in order]


_STEP = 0.02
"""Points that are taken off for each place further down in the order of a search."""
_OF_ROWS = 1.6
"""Weight of the words of a table row beside those of a sentence."""
_ROW = re.compile(r"\t[^\t]*\d")


def _about_it(hits: Sequence[Hit], plan: Plan, searches: Searches) -> list[Hit]:
    """Keep the passages that have a word of the question in text, title or heading, or are near to it by meaning."""
    language = plan.linked.language
    asked = {one.stem for one in plan.linked.terms} - RELATIONAL
    asked |= {part for one in plan.linked.terms for part in stems(one.raw, language)}
    texts = {hit.id: f"{its.title} {its.file} {its.heading} {its.text}" for hit in hits if (its := passage_of(hit))}
    having = {id for id, text in texts.items() if asked & stems(text, language)}
    others = [hit.id for hit in hits if hit.id not in having]
    if others and searches.embed is not None:
        first, *vectors = searches.embed([plan.linked.text, *(texts[id] for id in others)]) or [()]
        having |= {id for id, one in zip(others, vectors, strict=False) if cosine(first, one) >= _NEAR}
    return [hit for hit in hits if hit.id in having]


_NEAR = 0.4
"""The least cosine of a question and a passage that has none of its words."""


def _about(text: str, where: str, searches: Searches) -> Sequence[Hit]:
    program = (
        f"find passages where about {print_string(with_years(text))}{where} limit {_LOOKED_AT} "
        "show title, file, page, section, text, document"
    )
    return searches.hits(PASSAGES, program, "passages that the question is about")[1]


def _quote(hit: Hit, plan: Plan) -> Citation | None:
    """The sentences around the one with most words of the question; None for a passage without content."""
    its = passage_of(hit)
    spans = spans_of(its.text)
    if not spans:
        return None
    asked = {one.stem for one in plan.linked.terms}
    worth = [len(asked & stems(its.text[one.begin : one.end], plan.linked.language)) for one in spans]
    first, last = _around(worth.index(max(worth)), spans, its.text)
    quote = its.text[spans[first].begin : spans[last].end]
    return Citation(document=document_of(hit), file=its.file, page=its.page, quote=quote)


def _around(best: int, spans: Sequence[Span], text: str) -> tuple[int, int]:
    """Return the first and the last sentence of a quote: the best one with its neighbours, if nothing between them is
    left out and the quote stays short enough."""
    first = last = best
    for at in (one for away in range(1, _MOST_AROUND) for one in (best + away, best - away)):
        low, high = min(first, at), max(last, at)
        if low < 0 or high >= len(spans) or high - low != last - first + 1:
            continue
        is_whole = not any(map(str.isalnum, "".join(text[a.end : b.begin] for a, b in pairwise(spans[low : high + 1]))))
        if is_whole and spans[high].end - spans[low].begin <= LONGEST:
            first, last = low, high
    return first, last
