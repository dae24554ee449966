"""Questions that were not understood, and after which it is known all the same what is spoken of.

"How big is it?" asks about what was found and changes nothing of what was asked for. After "only the purple ones"
nobody knows what a further change is one of.
"""

from __future__ import annotations

from qlc.translator.follow_ups import english
from qlc.translator.protocol import Turn
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind, tokenize

_ASKING = words("who whose when where what how is was does do did has have can could are were which")
_OPENING = words("open read print preview")
"""Verbs of what is shown elsewhere: with these nothing is asked of the search."""
_ABOUT_ONE = words("it its he she him his her")
_SAYING_HOW_MANY = words("many much about")
_BEING = words("is 's was does did has")


def is_aside(turn: Turn) -> bool:
    """Whether a turn was not understood and asked about what was found, or about the search, and for nothing else."""
    if turn.outcome.get("kind") != "declined":
        return False
    said = _words(turn)
    while said and said[0] in plain.POLITE | plain.AND | english.CLOSING:
        said.pop(0)
    if speaks_of_the_last(turn.text):
        return True
    first, rest = said[0], said[1:]
    if first == "why" or (not rest and first in ("where", "when", "who")):
        return True
    if not rest or rest[0] in _SAYING_HOW_MANY or (first == "what" and rest[0] not in _BEING):
        return False  # "how many does she own?", "what documents did she create?"
    about_the_search = bool(english.ABOUT_SEARCHES & set(rest)) and first in _ASKING
    return about_the_search or (first in _ASKING and bool(_ABOUT_ONE & set(rest)))


def speaks_of_the_last(text: str) -> bool:
    """`the last one`, `who owns the last of them?`: one of what was found."""
    said = [token.text for token in tokenize(text)]
    return any(english.THE_LAST.longest(said, at) for at in range(len(said)))


def is_about_one(turn: Turn) -> bool:
    """Whether a turn speaks of the one thing or person that was spoken of before."""
    return not _ABOUT_ONE.isdisjoint(_words(turn))


def _words(turn: Turn) -> list[str]:
    return [token.text for token in tokenize(turn.text) if token.kind is not TokenKind.MARK]
