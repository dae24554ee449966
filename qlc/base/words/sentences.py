"""Sentences: pieces of those that people read, and where those that people write end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

ABBREVIATIONS = frozenset(
    """no nos mr mrs ms dr prof st art sec sect fig figs tab eq ref refs vol pp p para paras cl cf e.g i.e eg ie vs
    approx ca inc ltd co corp plc bros llc gmbh mbh dept est min max temp resp incl excl jan feb mar apr jun jul aug
    sep sept oct nov dec u.s u.k a.m p.m nr bzw z.b abs usw ggf tel ph""".split()  # noqa: SIM905
)
"""Words whose full stop ends no sentence."""
_INITIALS = re.compile(r"(?:\w{1,3}\.)+\w{1,2}")


def listed(parts: Iterable[str], joined: str = "and", *, most: int | None = None, what: str = "others") -> str:
    """Join parts as a sentence lists them: `one, two and three`; beyond `most`: `one, two and 5 more fields`."""
    held = [*parts]
    if most is not None and len(held) > most:
        held[most:] = [f"{len(held) - most} more {what}"]
    *first, last = held or [""]
    return f"{', '.join(first)} {joined} {last}" if first else last


def shortened(text: str, most: int = 120) -> str:
    """The text, its end left out where it is longer than so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def ended(text: str) -> str:
    """Return a text with one mark at its end: `3 orders` -> `3 orders.`, `1 guest: Ben, Jr.` as it is."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def ends_with_abbreviation(text: str) -> bool:
    """Whether the full stop at the end of a text belongs to its last word: `Ltd.`, `S.A.`, `Inc.`"""
    last = re.search(r"(?<!\S)(\S+)\.$", text)
    return last is not None and (last[1].lower() in ABBREVIATIONS or _INITIALS.fullmatch(last[1]) is not None)


def ends_in(edges: re.Pattern[str], text: str, begin: int = 0) -> Iterator[re.Match[str]]:
    """The places where a pattern finds an end, but for the full stops of abbreviations: `within approx. 5 days`."""
    for found in edges.finditer(text, begin):
        before = text[max(0, found.start() - 30) : found.start() + 1]
        if found[0][0] != "." or not ends_with_abbreviation(before):
            yield found
