"""Whether what an answer cites is there: each quote word for word in a passage of its page, each number in a quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from qlc.grammar.printer import print_string
from qlc.outcome import Citation, Claim, Hit

from .searching import CHECK, Search, Searches
from .trace import Checked

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00ad": "", "\u00a0": " "})


@lru_cache(maxsize=256)
def normalised(text: str) -> str:
    """Return a text without effects of layout: white space, hyphens at line ends, kinds of quotation marks, capital
    letters."""
    plain = re.sub(r"(?<=\w)[-\u00ad]\s*\n\s*(?=[a-z])", "", text).translate(_QUOTES)
    return re.sub(r"[\s|]+", " ", plain).strip().casefold()


def is_quoted(quote: str, page: str) -> bool:
    """Whether a quote is in the text of a page."""
    return bool(quote.strip()) and normalised(quote) in normalised(page)


def verified(claims: Iterable[Claim], searches: Searches) -> tuple[list[Claim], list[str]]:
    """Return the claims whose citations hold, and a note about the others."""
    kept, notes = [], []
    claims = list(claims)
    read_pages(((one.document, one.page) for claim in claims for one in claim.citations if one.quote), searches)
    for claim in claims:
        checked = [held(one, claim.text, searches) for one in claim.citations]
        searches.record.checked += checked
        true = [one for one, check in zip(claim.citations, checked, strict=True) if check.is_verified]
        if true and (not claim.quoted or is_quoted(claim.text, " ".join(one.quote for one in true))):
            kept.append(claim.model_copy(update={"citations": true}))
        else:
            notes.append("A sentence was left out: its source could not be verified.")
    return kept, list(dict.fromkeys(notes))


def read_pages(places: Iterable[tuple[str, int | None]], searches: Searches) -> None:
    """Read pages, or whole documents, that are looked at next, with one request."""
    searches.together([_page(document, page) for document, page in dict.fromkeys(places)])


def _page(document: str, page: int | None) -> Search:
    on = f" and page <= {page} and page_to >= {page}" if page else ""
    found = f"find passages where document.id = {print_string(document)}{on} sort ordinal"
    program = f"{found} limit 100 show text, section, head"
    return CHECK, program, "the page that is cited"


def held(one: Citation, claim: str, searches: Searches) -> Checked:
    """Whether a quote is on its page, as far as the caller may see it."""
    is_verified = one.page is None  # given by a person, not read from a page
    if one.quote:
        is_verified = is_quoted(one.quote, page_text(one.document, one.page, searches))
    return Checked(claim=claim, file=one.file, page=one.page, quote=one.quote, is_verified=is_verified)


def page_text(document: str, page: int | None, searches: Searches) -> str:
    """Return the text of a page's passages, in order, without those that the caller may not see."""
    return "\n".join(str(hit.values.get("text", "")) for hit in page_passages(document, page, searches))


def page_passages(document: str, page: int | None, searches: Searches) -> Sequence[Hit]:
    """Return the passages of a page, or of a document, without those that the caller may not see."""
    return searches.hits(*_page(document, page))[1]


_AROUND = 200
"""Characters of a page that are read before and after a quote."""


def around_quote(page: str, quote: str) -> str:
    """Return a quote with the text before and after it on its page; empty if the page does not have it in one piece."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), page)
    if found is None:
        return ""
    begin, end = max(found.start() - _AROUND, 0), min(found.end() + _AROUND, len(page))
    begin = page.index(" ", begin) + 1 if begin and " " in page[begin : found.start()] else min(begin, found.start())
    end = page.rindex(" ", found.end(), end) if end < len(page) and " " in page[found.end() : end] else end
    return page[begin:end]
