"""The distinct names of an entity, indexed for the later steps, suggestions and completion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from qlc.base.words.spelling import alike, edits_allowed, worth_comparing
from qlc.compiler.caseless import fold_case
from qlc.compiler.typed import Scalar
from qlc.resolver.names.matching import MatchStep, Spelling

MAX_SUGGESTIONS = 5
LEAST_ALIKE = 0.6
"""Least similarity of a whole name that is suggested: the share of it that a correction keeps."""

LEAST_SHARED = 0.4
"""Least share of two names that must be in common words, for one to be suggested for the other."""

NEAR_WORD = 0.8
"""Weight of a similar word, where an equal word has 1."""


class Lexicon:
    """Distinct names in the index. The lookup tables over them are built on first use.

    `ids`: the ids with each name, if they were read with it (people).
    """

    def __init__(self, names: Iterable[str], ids: Mapping[str, tuple[Scalar, ...]] | None = None) -> None:
        self.names: tuple[str, ...] = tuple(sorted(set(names)))
        self.ids: Mapping[str, tuple[Scalar, ...]] = ids or {}

    def __len__(self) -> int:
        return len(self.names)

    def on_step(self, step: MatchStep, asked: str) -> dict[str, int]:
        """Return the names that match on a step, with their distance from the one asked for."""
        spelling = Spelling.of(asked)
        fitting = {}
        for at in _CANDIDATES[step.name](self, spelling):
            far = step.fits(spelling, self._spellings[at])
            if far is not None:
                fitting[self.names[at]] = far
        return fitting

    def nearest_on_step(self, step: MatchStep, asked: str) -> list[str]:
        """Return the names that match on a step with the least distance."""
        fitting = self.on_step(step, asked)
        least = min(fitting.values(), default=0)
        return [name for name, far in fitting.items() if far == least]

    def up_to(self, steps: Iterable[MatchStep], asked: str) -> dict[str, int]:
        """Return the names that match exactly, up to case, or on one of the steps."""
        fitting = {self.names[at]: 0 for at in self._by_case.get(fold_case(asked), ())}
        for step in steps:
            for name, far in self.on_step(step, asked).items():
                fitting[name] = min(far, fitting.get(name, far))
        return fitting

    def suggestions(self, *texts: str) -> tuple[str, ...]:
        """Return names similar to one of the texts, best first: similar as a whole, or with common words."""
        scores: defaultdict[str, float] = defaultdict(float)
        for asked in map(Spelling.of, texts):
            for at, score in (*self._alike(asked), *self._sharing_words(asked)):
                scores[self.names[at]] = max(score, scores[self.names[at]])
        return tuple(sorted(scores, key=lambda name: (-scores[name], name))[:MAX_SUGGESTIONS])

    def beginning_with(self, prefix: str, n: int) -> list[str]:
        """Return the first `n` names that begin with the prefix, then names with a word that does."""
        begun = fold_case(prefix)
        asked = Spelling.of(prefix).folded
        ranked: list[tuple[int, str, str]] = []
        for name, spelling in zip(self.names, self._spellings, strict=True):
            if fold_case(name).startswith(begun):
                rank = 0
            elif asked and spelling.folded.startswith(asked):
                rank = 1
            elif asked and f" {asked}" in spelling.folded:
                rank = 2
            else:
                continue
            ranked.append((rank, fold_case(name), name))
        return [name for _, _, name in sorted(ranked)[:n]]

    def _alike(self, asked: Spelling) -> Iterator[tuple[int, float]]:
        if asked.folded:
            for names in (self._folded, self._stems):
                yield from alike(asked.stem or asked.folded, names, LEAST_ALIKE, MAX_SUGGESTIONS)

    def _sharing_words(self, asked: Spelling) -> Iterator[tuple[int, float]]:
        """Yield names with common words, weighted by their letters; similar words count less, extensions do not
        count."""
        words = (asked.stem or asked.folded).split()
        shared: defaultdict[int, float] = defaultdict(float)
        for word in words:
            weights = dict.fromkeys(self._words_near(word), NEAR_WORD) if edits_allowed(len(word)) else {}
            best: dict[int, float] = {}
            for other, weight in {**weights, word: 1.0}.items():
                for at in self._by_word.get(other, ()):
                    best[at] = max(weight, best.get(at, 0.0))
            for at, weight in best.items():
                shared[at] += weight * len(word)
        letters = sum(map(len, words))
        for at, common in shared.items():
            part = 2 * common / (letters + len(self._stems[at].replace(" ", "")))
            if part >= LEAST_SHARED:
                yield at, min(part, 1.0) * LEAST_ALIKE  # names alike as a whole come first

    def _words_near(self, word: str) -> list[str]:
        vocabulary = self._vocabulary
        least = 1 - edits_allowed(len(word)) / len(word)
        return [vocabulary[at] for at, _ in alike(word, vocabulary, least, 50)]

    @cached_property
    def _spellings(self) -> list[Spelling]:
        return [Spelling.of(name) for name in self.names]

    @cached_property
    def _folded(self) -> list[str]:
        return [spelling.folded for spelling in self._spellings]

    @cached_property
    def _stems(self) -> list[str]:
        """Return the names without their extensions."""
        return [spelling.stem or spelling.folded for spelling in self._spellings]

    @cached_property
    def _by_case(self) -> Mapping[str, list[int]]:
        return _index((fold_case(name), at) for at, name in enumerate(self.names))

    @cached_property
    def _by_folded(self) -> Mapping[str, list[int]]:
        return _index((spelling.folded, at) for at, spelling in enumerate(self._spellings))

    @cached_property
    def _by_stem(self) -> Mapping[str, list[int]]:
        return _index((spelling.stem, at) for at, spelling in enumerate(self._spellings))

    @cached_property
    def _by_word(self) -> Mapping[str, list[int]]:
        return _index((word, at) for at, spelling in enumerate(self._spellings) for word in spelling.words)

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self._by_word)

    def _with_words(self, asked: Spelling) -> Iterable[int]:
        lists = sorted((self._by_word.get(word, []) for word in asked.words), key=len)
        return lists[0] if lists else ()

    def _near(self, asked: Spelling) -> Iterable[int]:
        if not asked.folded:
            return ()
        return {*worth_comparing(asked.folded, self._folded), *worth_comparing(asked.folded, self._stems)}


def _index(pairs: Iterable[tuple[str, int]]) -> Mapping[str, list[int]]:
    index: dict[str, list[int]] = {}
    for key, at in pairs:
        index.setdefault(key, []).append(at)
    return index


_CANDIDATES: Mapping[str, Callable[[Lexicon, Spelling], Iterable[int]]] = {
    "folded": lambda names, asked: names._by_folded.get(asked.folded, ()),
    "extension": lambda names, asked: names._by_stem.get(asked.folded, ()),
    "words": Lexicon._with_words,
    "near": Lexicon._near,
}
"""Lookup tables with candidates for each step, so that not every name is compared."""
