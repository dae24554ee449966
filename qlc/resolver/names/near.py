"""Near spellings: how many edits two folded names are apart, and how many are still a slip of the hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LETTERS_PER_EDIT = 8
"""A long name may have one more slip for every so many letters."""


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
    from rapidfuzz.distance import OSA

    if not asked or _digits(asked) != _digits(name):
        return None
    asked_words, name_words = asked.split(), name.split()
    if len(asked_words) == 1 or len(asked_words) != len(name_words):
        allowed = edits_allowed(len(asked))
        distance: int = OSA.distance(asked, name, score_cutoff=allowed)
        return distance if distance <= allowed else None
    total = 0
    for one, other in zip(asked_words, name_words, strict=True):
        distance = OSA.distance(one, other)
        if distance > edits_allowed(max(len(one), len(other))):
            return None
        total += distance
    return total if total <= edits_in_all(len(asked)) else None


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
    return "".join(c for c in text if c.isdigit())
