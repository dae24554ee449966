"""Searches passages: the program that ranks them, and the limit per document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any, Literal, TypeAlias

from qlc.base.errors import UsageError
from qlc.grammar.printer import print_string
from qlc.outcome import Hit, Hits, Outcome
from qlc.outcome.amounts import several

from .unread import unread_sentence

Ranking: TypeAlias = Literal["words", "meaning", "both"]
Asked: TypeAlias = tuple[str, dict[str, Any]]
"""A program, and the options of its run."""

PER_DOCUMENT = 3
_PAGES = 3, 12
"""Passages read per wanted one: at first, and if these were not enough."""
_LARGEST_PAGE = 10_000


def passages_about(
    text: str, by: Ranking | None, where: str, limit: int, per_document: int, options: Mapping[str, Any],
    unread: str = "",
) -> Generator[Asked, Outcome, Outcome]:
    """Yield the runs of a search and receive their outcomes. `unread` is the program for files without text, which are
    named if all matching passages are shown. Raises UsageError."""
    for name, given in (("limit", limit), ("per_document", per_document)):
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise UsageError(f"{name} must be a number from 1, not {given!r}")
    options = {**options}
    limit = min(limit, options.pop("size", limit))
    if where.strip():
        found = yield where_program(where), options
        if found.kind != "count":
            return found
    pages: list[Hits] = []
    for times in _PAGES:
        page = yield search_program(text, by, where), {**options, "size": min(times * limit, _LARGEST_PAGE)}
        if not isinstance(page, Hits):
            return page
        pages.append(page)
        read = [hit for one in pages for hit in one.hits]
        kept, left_out = _best_of_each(read, limit, per_document)
        if page.cursor is None or (len(kept) >= limit and len({*map(_document, read)}) > 1):
            break
        options["cursor"] = page.cursor
    notes = list(dict.fromkeys(note for one in pages for note in one.notes))
    if left_out:
        notes.append(f"{several(left_out, 'passage')} between these left out: no document has more than "
                     f"{per_document} here.")  # fmt: skip
    if unread and pages[-1].cursor is None and len(kept) + left_out == len(read):
        options.pop("cursor", None)
        notes += filter(None, [unread_sentence((yield unread, options))])
    kept_ids = [hit.id for hit in kept]
    return pages[0].model_copy(
        update={"hits": kept, "ids": kept_ids, "notes": notes, "cursor": None, "has_more": False}
    )


def _best_of_each(hits: list[Hit], limit: int, most: int) -> tuple[list[Hit], int]:
    """Return the best hits, limited per document unless all are of one; and how many were left out between them."""
    documents = Counter[str]()
    if len({*map(_document, hits)}) == 1:
        return hits[:limit], 0
    kept: list[Hit] = []
    left_out = 0
    for hit in hits:
        if len(kept) == limit:
            break
        documents[_document(hit)] += 1
        if documents[_document(hit)] <= most:
            kept.append(hit)
        else:
            left_out += 1
    return kept, left_out


def _document(hit: Hit) -> str:
    return hit.id.rpartition("-")[0]


def search_program(text: str, by: Ranking | None, where: str) -> str:
    """Return the program that ranks passages for a text."""
    ranked = f"about {print_string(with_years(text))}" + (f" by {by}" if by else "")
    condition = f" and ({where}\n)" if where.strip() else ""
    return f"find passages where {ranked}{condition} show title, file, page, section, text"


def with_years(text: str) -> str:
    """Return a text to search with the years that other letters adjoin: `capex in FY2022` -> `... 2022`."""
    years = dict.fromkeys(years_in(text))
    return " ".join([text, *(one for one in years if not re.search(rf"\b{one}\b", text))])


def years_in(text: str) -> list[str]:
    """Return the years in a text, also beside letters: `capex in FY2022` -> `2022`."""
    return re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)


def where_program(where: str) -> str:
    """Return a program that parses only if the condition is complete; in a larger one a superfluous bracket could
    change the meaning."""
    return f"count passages where {where}"
