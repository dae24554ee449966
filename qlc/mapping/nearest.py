"""Nearest names, for "did you mean": by spelling, and by the words inside a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from qlc.grammar.fixes import distance

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


def typo_of(wrong: str, targets: Mapping[str, str]) -> str | None:
    """The one target that was surely meant: a spelling of it is a typo away, and of no other.

    Only this may be put in the place of what was written. A short word with another letter is another word.
    """
    query = normal_form(wrong)
    found: dict[int, set[str]] = {}
    for spelling, name in targets.items():
        form = normal_form(spelling)
        away = distance(query, form, 2)
        if away <= _allowed(query, form):
            found.setdefault(away, set()).add(name)
    if not found:
        return None
    nearest_ones = found[min(found)]
    return next(iter(nearest_ones)) if len(nearest_ones) == 1 else None


def _allowed(query: str, form: str) -> int:
    """How many typos apart two words are the same word."""
    shorter = min(len(query), len(form))
    if shorter < 5:
        return 1 if sorted(query) == sorted(form) or (shorter > 2 and len(query) != len(form)) else 0
    return 1 if shorter < 8 else 2


def did_you_mean(names: Sequence[str]) -> str:
    """`did you mean 'a', 'b' or 'c'?`, or nothing where there are no names."""
    if not names:
        return ""
    quoted = [f"'{name}'" for name in names]
    return f"did you mean {' or '.join(filter(None, [', '.join(quoted[:-1]), quoted[-1]]))}?"
