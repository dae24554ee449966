"""Spelling repair: a word that nothing is known of is read as the one known word that is nearly spelled so."""

from __future__ import annotations

from dataclasses import replace

from qlc.translator.rules.intents import FUNCTION_WORDS, unknown_words
from qlc.translator.rules.lexicon import Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.tokens import Token, TokenKind

SHORTEST = 4
"""Letters of the shortest word that is repaired."""

_AGENTS = ("er", "or")
LONG = 9
"""Letters from which on a word may have two slips."""


def repaired(p: Parse) -> tuple[tuple[Token, ...], tuple[tuple[str, str], ...]] | None:
    """The tokens with their misspelt words mended, and what was mended; None where nothing is to be."""
    tokens = list(p.tokens)
    mended: list[tuple[str, str]] = []
    for at in unknown_words(p):
        token = tokens[at]
        if token.kind is not TokenKind.WORD or len(token.text) < SHORTEST or not token.text.isalpha():
            continue
        word = nearest_word(token.text, p.lexicon)
        if word is not None:
            tokens[at] = replace(token, text=word)
            mended.append((token.raw, word))
    return (tuple(tokens), tuple(mended)) if mended else None


def nearest_word(word: str, lexicon: Lexicon) -> str | None:
    """The known word that is one slip of the keyboard away, where there is only one.

    A slip leaves a letter out, doubles or adds one, or turns two round. Another letter in the place of one makes
    another word (`status`, `states`), except in long words, which may have two slips.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    long = len(word) >= LONG
    allowed = 2 if long else 1
    known = [w for w in (*lexicon.words, *_FUNCTION_WORDS) if abs(len(w) - len(word)) <= allowed and len(w) >= SHORTEST]
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=allowed, limit=6)
    slips = [
        (w, far) for w, far, _ in near if w[0] == word[0] and (long or len(w) != len(word) or sorted(w) == sorted(word))
    ]
    if word.rstrip("s").endswith(_AGENTS):
        slips = [(w, far) for w, far in slips if w.rstrip("s").endswith(_AGENTS)]  # `filers` are not `files`
    if not slips:
        return None
    least = slips[0][1]
    best = {w for w, far in slips if far == least}
    if len(best) > 1:  # the last letter is hardly the wrong one
        best = {w for w in best if w[-1] == word[-1]} or best
    stems = {w.rstrip("s") for w in best}
    return min(best, key=len) if len(stems) == 1 else None


_FUNCTION_WORDS = tuple(w for w in FUNCTION_WORDS if len(w) >= SHORTEST and w.isalpha())
