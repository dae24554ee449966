"""Similar spellings: "did you mean", typos, and misspelled names that still match.

- `nearest`, `nearest_targets`, `nearest_spellings`: names to suggest for a wrong one, best first.
- `typo_of`, `nearest_word`: the one word that a misspelled word stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from qlc.base.words.sentences import listed


def distance(one: str, other: str, limit: int) -> int:
    """Characters inserted, removed, changed or swapped with their neighbour; `limit + 1` for more than `limit`."""
    from rapidfuzz.distance import OSA

    return int(OSA.distance(one, other, score_cutoff=limit))


# --- "did you mean" ---------------------------------------------------------------------------------------------------

_CLOSE = 70.0
_PART_OF_NAME = 88.0
_SHORTEST_PART = 3


def normal_form(name: str) -> str:
    """Equal for names that differ in case, spaces, hyphens and underscores only."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def nearest(wrong: str, names: Iterable[str], n: int = 3) -> list[str]:
    """The names that someone who wrote `wrong` may have meant, best first."""
    return nearest_targets(wrong, {name: name for name in names}, n)


def nearest_targets(wrong: str, targets: Mapping[str, str], n: int = 3, *, least: float = _CLOSE) -> list[str]:
    """The targets of the nearest spellings, each once: several spellings may stand for one name."""
    return list(nearest_spellings(wrong, targets, n, least=least))


def nearest_spellings(wrong: str, targets: Mapping[str, str], n: int = 3, *, least: float = _CLOSE) -> dict[str, str]:
    """The targets of the nearest spellings, best first, each with its nearest spelling."""
    from rapidfuzz import fuzz

    query = normal_form(wrong)
    if not query:
        return {}
    best: dict[str, tuple[float, str]] = {}
    for spelling, name in targets.items():
        form = normal_form(spelling)
        score = max(fuzz.ratio(query, form, score_cutoff=least), _shared_part(query, form))
        if score >= least and score > best.get(name, (0.0, ""))[0]:
            best[name] = score, spelling
    ranked = sorted(best, key=lambda name: (-best[name][0], len(name), name))
    return {name: best[name][1] for name in ranked[:n]}


def _shared_part(query: str, form: str) -> float:
    """One name begins or ends with the other: `folderName` for `folder`, or `name`."""
    short, long = sorted((query, form), key=len)
    if len(short) < _SHORTEST_PART or not (long.startswith(short) or long.endswith(short)):
        return 0.0
    return _PART_OF_NAME * (0.8 + 0.2 * len(short) / len(long))


def did_you_mean(names: Sequence[str]) -> str:
    """Return `did you mean 'a', 'b' or 'c'?`; empty without names."""
    quoted = listed([f"'{name}'" for name in names], "or")
    return f"did you mean {quoted}?" if names else ""


# --- typos -----------------------------------------------------------------------------------------------------------


def nearest_word(word: str, choices: Iterable[str]) -> str | None:
    """The choice that is one typo away (two in longer words), where there is exactly one nearest."""
    word = word.lower()
    limit = 1 if len(word) < 5 else 2
    return _only_nearest((one, away) for one in choices if (away := distance(word, one, limit)) <= limit)


def typo_of(wrong: str, targets: Mapping[str, str]) -> str | None:
    """The one target that was surely meant: a spelling of it is a typo away, and of no other.

    Only this may be put in the place of what was written. A short word with another letter is another word.
    """
    query = normal_form(wrong)
    forms = ((normal_form(spelling), name) for spelling, name in targets.items())
    return _only_nearest((name, away) for form, name in forms
                         if (away := distance(query, form, 2)) <= _allowed(query, form))  # fmt: skip


def _only_nearest(found: Iterable[tuple[str, int]]) -> str | None:
    by_distance: dict[int, set[str]] = {}
    for one, away in found:
        by_distance.setdefault(away, set()).add(one)
    nearest_ones = by_distance[min(by_distance)] if by_distance else ()
    return next(iter(nearest_ones)) if len(nearest_ones) == 1 else None


def _allowed(query: str, form: str) -> int:
    """How many typos apart two words are the same word."""
    shorter = min(len(query), len(form))
    if shorter < 5:
        return 1 if sorted(query) == sorted(form) or (shorter > 2 and len(query) != len(form)) else 0
    return 1 if shorter < 8 else 2


# --- near spellings of folded names ----------------------------------------------------------------------------------

LETTERS_PER_EDIT = 8
"""A long name may have one more typo for every so many letters."""

LONG_WORD = 8


def edits_allowed(length: int) -> int:
    """As `fuzzy` with `AUTO`: none below three letters, one up to five, two above."""
    return 0 if length < 3 else 1 if length <= 5 else 2


def edits_in_all(length: int) -> int:
    return max(edits_allowed(length), length // LETTERS_PER_EDIT)


def edits(asked: str, name: str) -> int | None:
    """The edits between two folded names (insert, delete, replace, swap neighbours); None: not a near spelling.

    Digits must agree: a year or a number that differs is another thing, not a typo. Names of as many words are
    compared word by word, so that two edits cannot replace a whole short word.
    """
    if not asked or _digits(asked) != _digits(name):
        return None
    asked_words, name_words = asked.split(), name.split()
    if len(asked_words) == 1 or len(asked_words) != len(name_words):
        return _typos(asked, name, edits_allowed(len(asked)))
    total = 0
    for one, other in zip(asked_words, name_words, strict=True):
        typos = _typos(one, other, edits_allowed(max(len(one), len(other))))
        if typos is None:
            return None
        total += typos
    return total if total <= edits_in_all(len(asked)) else None


def _typos(one: str, other: str, allowed: int) -> int | None:
    """The edits between two words, where they may be typos: two edits easily make another word.

    So with two the first letter must be right (`Drafts` is not `Grants`), and in a short word they may not be two
    letters in place of two others (`Booking` is not `Banking`).
    """
    apart = distance(one, other, allowed)
    if apart > allowed:
        return None
    if apart < 2:
        return apart
    letters, others = Counter(one), Counter(other)
    replaced = (letters - others).total() > 1 and (others - letters).total() > 1
    return None if one[0] != other[0] or (replaced and len(one) < LONG_WORD) else apart


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
