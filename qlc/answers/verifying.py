"""Whether what an answer cites is there: each quote word for word in a passage of its page, each number in a quote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from qlc.grammar.printer import print_string
from qlc.outcome import Citation, Claim

from .searching import CHECK, Search, Searches
from .trace import Checked

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00ad": "", "\u00a0": " "})


@lru_cache(maxsize=256)
def normalised(text: str) -> str:
    """A text without what setting it on a page changes: white space, hyphens at line ends, forms of quotation marks."""
    plain = re.sub(r"(?<=\w)[-\u00ad]\s*\n\s*(?=[a-z])", "", text).translate(_QUOTES)
    return re.sub(r"[\s|]+", " ", plain).strip().casefold()


def is_quoted(quote: str, page: str) -> bool:
    """Whether a quote is in the text of a page."""
    return bool(quote.strip()) and normalised(quote) in normalised(page)


def verified(claims: Iterable[Claim], searches: Searches) -> tuple[list[Claim], list[str]]:
    """The claims whose citations are all true, and what is to be said of the others."""
    kept, notes = [], []
    claims = list(claims)
    read_pages(((one.document, one.page) for claim in claims for one in claim.citations if one.quote), searches)
    for claim in claims:
        true = []
        for one in claim.citations:
            stands = _stands(one, searches)
            true += [one] if stands else []
            searches.record.checked.append(
                Checked(claim=claim.text, file=one.file, page=one.page, quote=one.quote, stands=stands)
            )
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
    program = f"find passages where document.id = {print_string(document)}{on} sort ordinal limit 100 show text, head"
    return CHECK, program, "the page that is cited"


def _stands(citation: Citation, searches: Searches) -> bool:
    if not citation.quote:
        return citation.page is None  # given by a person, not read from a page
    return is_quoted(citation.quote, page_text(citation.document, citation.page, searches))


def page_text(document: str, page: int | None, searches: Searches) -> str:
    """The passages of a page, one after the other, as far as the caller may see them."""
    _, hits = searches.hits(*_page(document, page))
    return "\n".join(str(hit.values.get("text", "")) for hit in hits)
