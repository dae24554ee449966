"""Near spellings: how many edits two folded names are apart, and how many are still a slip of the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

LETTERS_PER_EDIT = 8
"""A long name may have one more slip for every so many letters."""

LONG_WORD = 8


def edits_allowed(length: int) -> int:
    """As `fuzzy` with `AUTO`: none below three letters, one up to five, two above."""
    return 0 if length < 3 else 1 if length <= 5 else 2


def edits_in_all(length: int) -> int:
    return max(edits_allowed(length), length // LETTERS_PER_EDIT)


def edits(asked: str, name: str) -> int | None:
    """The edits between two folded names (insert, delete, replace, swap neighbours); None: not a near spelling.

    Digits must agree: a year or a number that differs is another thing, not a slip. Names of as many words are
    compared word by word, so that two edits cannot replace a whole short word.
    """
    if not asked or _digits(asked) != _digits(name):
        return None
    asked_words, name_words = asked.split(), name.split()
    if len(asked_words) == 1 or len(asked_words) != len(name_words):
        return _slips(asked, name, edits_allowed(len(asked)))
    total = 0
    for one, other in zip(asked_words, name_words, strict=True):
        slips = _slips(one, other, edits_allowed(max(len(one), len(other))))
        if slips is None:
            return None
        total += slips
    return total if total <= edits_in_all(len(asked)) else None


def _slips(one: str, other: str, allowed: int) -> int | None:
    """The edits between two words, where they may be slips: two edits easily make another word.

    So with two the first letter must be right (`Drafts` is not `Grants`), and in a short word they may not be two
    letters in place of two others (`Booking` is not `Banking`).
    """
    from rapidfuzz.distance import OSA

    distance: int = OSA.distance(one, other, score_cutoff=allowed)
    if distance > allowed:
        return None
    if distance < 2:
        return distance
    letters, others = Counter(one), Counter(other)
    replaced = (letters - others).total() > 1 and (others - letters).total() > 1
    return None if one[0] != other[0] or (replaced and len(one) < LONG_WORD) else distance


def worth_comparing(asked: str, names: Sequence[str]) -> Iterable[int]:
    """The positions of the names that `edits` may find near: those within the edits allowed in all."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    cutoff = edits_in_all(len(asked))
    return (at for _, _, at in process.extract(asked, names, scorer=OSA.distance, score_cutoff=cutoff, limit=None))


def alike(asked: str, names: Sequence[str], least: float, limit: int) -> list[tuple[int, float]]:
    """The positions of the names most like the asked one, with how like they are, from `least` to 1."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    scorer = OSA.normalized_similarity
    found = process.extract(asked, names, scorer=scorer, score_cutoff=least, limit=limit)
    return [(at, score) for _, score, at in found]


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdecimal())
