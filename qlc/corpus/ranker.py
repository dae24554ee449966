"""Ranks passages beyond the index: by vectors computed on demand, and by a re-ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol, runtime_checkable

from qlc.base.deadline import checkpoint, passed
from qlc.base.errors import UsageError
from qlc.resolver.kept import Kept
from qlc_search import requirement

from .embedders import Embedder
from .embedding import READ, embedded_text
from .index import PASSAGE

COMPARED = 20
"""Number of passages without a vector that a search embeds. Each takes 0.03 to 0.1 s the first time."""
REORDERED = 50
"""Number of passages that a re-ranker orders."""
_BATCH = 4
_MOST_KEPT = 10_000
"""Number of vectors that a corpus caches: 30 MB with 384 numbers each."""

EMBED = "run 'qlc corpus embed'"
INSTALL = f"install {requirement('semantic')} and run 'qlc corpus embed'"


@runtime_checkable
class Reranker(Protocol):
    """Interface of a re-ranker of the best passages, for example a cross-encoder."""

    @property
    def name(self) -> str:
        """Name of the model and its version."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return how well each text answers the query; higher is better. Must be thread-safe."""


class Vectors:
    """A cache of vectors computed on demand for passages without one in the index. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kept: Kept[str, Sequence[float]] = Kept(inf, _MOST_KEPT)

    def of(self, texts: Sequence[str]) -> dict[str, Sequence[float]]:
        """Return the vectors by text; texts that there was no time for are left out."""
        found = {text: kept for text in texts if (kept := self._kept.get(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        for begin in range(0, len(missing), _BATCH):
            if passed():
                break
            some = missing[begin : begin + _BATCH]
            found |= zip(some, self.embedder.embed(some), strict=True)
        for text, vector in found.items():
            self._kept.put(text, vector)
        return found


class PassageRanker:
    """A `resolver.rankers.Ranker` of the passages of a corpus.

    `vectors` None: passages without a vector in the index are not compared.
    """

    entity = PASSAGE
    paths = READ
    without_meaning = (
        "Only words were compared, so what is said in other words is not found. To search by meaning as well, "
    )

    def __init__(self, vectors: Vectors | None, reranker: Reranker | None, advice: str = INSTALL) -> None:
        self._vectors = vectors
        self._reranker = reranker
        self.compared = COMPARED if vectors is not None else 0
        self.reordered = REORDERED if reranker is not None else 0
        self.without_meaning = f"{self.without_meaning}{advice}."

    def similarities(self, text: str, passages: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, float], str]:
        """Compute cosines, see Ranker. Vectors have length 1, so the cosine is the product."""
        assert self._vectors is not None
        (asked,) = self._vectors.embedder.embed([text])
        texts = {key: embedded_text(source) for key, source in passages.items()}
        vectors = self._vectors.of(list(texts.values()))
        found = {
            key: sum(one * other for one, other in zip(asked, vectors[of], strict=True))
            for key, of in texts.items() if of in vectors
        }  # fmt: skip
        which = f"the best {len(found)}" if len(found) == len(texts) else f"{len(found)} of the best {len(texts)}"
        note = (
            f"Not all passages have vectors: of those without, {which} by words were compared by meaning as well. "
            "Run 'qlc corpus embed', so that all are."
        )
        return found, note

    def scores(self, text: str, passages: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
        """Score passages, see Ranker. Raises UsageError unless the re-ranker gives a number for each text."""
        assert self._reranker is not None
        checkpoint()
        given = self._reranker.scores(text, [embedded_text(source) for source in passages.values()])
        try:
            return dict(zip(passages, map(float, given), strict=True))
        except (TypeError, ValueError):
            raise UsageError(f"the re-ranker {self._reranker.name} must give a number for each text") from None


def check_reranker(given: object) -> Reranker:
    """Check the type of a passed re-ranker. Raises UsageError."""
    if not isinstance(given, Reranker):
        raise UsageError("a re-ranker has a name and scores(query, texts), which returns a number for each text")
    return given
