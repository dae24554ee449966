"""The text of a page of a document, put together of its passages, as far as the caller may see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qlc.grammar.printer import print_string
from qlc.outcome import Failed, Hits
from qlc.pipeline.compiler import Compiler

MOST_PASSAGES: Final = 100
"""Most passages of one page. A document without pages counts as one page."""


class NotRead(Exception):
    """The index did not give the page. It is the message."""


def page_text(document: str, page: int, compiler: Compiler, options: Mapping[str, Any]) -> str | None:
    """The page, headed by file and title; None where the caller can see no such page. Raises NotRead."""
    where = f"document.id = {print_string(document)} and page <= {page} and page_to >= {page}"
    program = f"find passages where {where} sort ordinal show title, file, text"
    given: dict[str, Any] = {**options, "size": MOST_PASSAGES}
    found = compiler.run(program, **given)
    if isinstance(found, Failed):
        raise NotRead(found.message)
    if not isinstance(found, Hits) or not found.hits:
        return None
    first = found.hits[0].values
    more = found.total - len(found.hits)
    rest = f"{program.removesuffix(' show title, file, text')} limit {MOST_PASSAGES} offset {MOST_PASSAGES}"
    return "\n\n".join([
        f"{', '.join(first.get('file') or ())}, page {page}: {first.get('title', '')}",
        _joined([one.values for one in found.hits]),
        *([f"{more:,} more passages: run `{rest}`"] if more > 0 else ()),
    ])  # fmt: skip


def _joined(passages: list[Mapping[str, Any]]) -> str:
    """Passages one after the other; a sentence that ends one and begins the next stands once."""
    text = ""
    for one in passages:
        following = str(one.get("text", ""))
        last = text.rpartition("\n")[2]
        shared = next((n for n in range(min(len(last), len(following)), 0, -1) if last.endswith(following[:n])), 0)
        shared = shared if shared > 20 else 0  # fewer characters are alike by chance
        text += following[shared:] if shared else f"\n{following}" if text else following
    return text
