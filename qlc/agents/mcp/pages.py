"""Rebuilds the text of a page from its passages, as far as the caller may see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qlc.grammar.printer import print_string
from qlc.outcome import Failed, Hits
from qlc.pipeline.compiler import Compiler

MOST_PASSAGES: Final = 100
"""Most passages of one page. A document without pages counts as one page."""


class NotRead(Exception):
    """Raised if the index could not be read; its text is the message for the user."""


def page_text(document: str, page: int, compiler: Compiler, options: Mapping[str, Any]) -> str | None:
    """Return the page below its file and title; None if the caller can see no such page. Raises NotRead."""
    where = f"document.id = {print_string(document)} and page <= {page} and page_to >= {page}"
    query = f"find passages where {where} sort ordinal"
    given: dict[str, Any] = {**options, "size": MOST_PASSAGES}
    found = compiler.run(f"{query} show title, file, text", **given)
    if isinstance(found, Failed):
        raise NotRead(found.message)
    if not isinstance(found, Hits) or not found.hits:
        return None
    first = found.hits[0].values
    more = found.total - len(found.hits)
    rest = f"{query} limit {MOST_PASSAGES} offset {MOST_PASSAGES}"
    return "\n\n".join([
        f"{', '.join(first.get('file') or ())}, page {page}: {first.get('title', '')}",
        _joined([one.values for one in found.hits]),
        *([f"{more:,} more passages: run `{rest}`"] if more > 0 else ()),
    ])  # fmt: skip


def _joined(passages: list[Mapping[str, Any]]) -> str:
    """Join the passages; a text that ends one and begins the next is kept once."""
    text = ""
    for one in passages:
        following = str(one.get("text", ""))
        shared = _overlap(text.rpartition("\n")[2], following)
        text += following[shared:] if shared else f"\n{following}" if text else following
    return text


def _overlap(end: str, begin: str) -> int:
    """Return how many characters at the end of one text begin the next one; 0 for few, which are alike by chance."""
    lengths = range(min(len(end), len(begin)), _BY_CHANCE, -1)
    return next((n for n in lengths if end.endswith(begin[:n])), 0)


_BY_CHANCE = 20
"""Characters that two texts may share by chance."""
