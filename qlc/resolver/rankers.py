"""Ranking of passages beyond the index: vectors computed on demand, and a re-ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from qlc.compiler import typed
from qlc.compiler.codegen import ranking_of
from qlc.compiler.environment import Bindings
from qlc.mapping.schema import Entity

Source = Mapping[str, Any]
FEW = 3
"""Fewest results by words; below, passages may express the question in other words."""


class Ranker(Protocol):
    """Interface of a store of passages that can rank by more than its index."""

    @property
    def entity(self) -> str:
        """The name of its passages in the catalog."""

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths to read of a passage that is compared or re-ranked."""

    @property
    def compared(self) -> int:
        """Return how many passages without a vector, the best by words, are compared by meaning; 0 for none."""

    @property
    def reordered(self) -> int:
        """Return how many of the best passages are re-ranked; 0 for none."""

    def similarities(self, text: str, passages: Mapping[str, Source]) -> tuple[Mapping[str, float], str]:
        """Return the cosine of a text and each passage by id, and a note for the user. Passages that there was no time
        for are left out."""

    def scores(self, text: str, passages: Mapping[str, Source]) -> Mapping[str, float]:
        """Return how well each passage answers a text, by id; higher is better."""

    @property
    def without_meaning(self) -> str:
        """Return the note for users if words alone found little."""


def passages_of(about: typed.About, entity: Entity) -> Entity:
    """Return the passages by which an entity's documents are ranked."""
    return entity if about.nearest is None else about.nearest.passages


def comparing(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    """Return the ranker for passages without vectors, if they are to be compared."""
    ranker = _ranker(about, entity, env)
    return ranker if ranker is not None and ranker.compared and about.by in (None, "both") else None


def reordering(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    """Return the re-ranker, if the best passages are to be re-ranked."""
    ranker = _ranker(about, entity, env)
    return ranker if ranker is not None and ranker.reordered else None


def _ranker(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    ranker: Ranker | None = env.ranker
    return ranker if ranker is not None and ranker.entity == passages_of(about, entity).name else None


def note_words_alone(about: typed.About, entity: Entity, total: int, env: Bindings) -> None:
    """Add a note if only words ranked, the query did not ask for that, and little was found."""
    ranker = _ranker(about, entity, env)
    if ranker is None or about.by is not None or ranking_of(about, env) != "words":
        return
    if total < (1 if ranker.compared else FEW):  # otherwise the note of the comparison by meaning is enough
        env.tell(ranker.without_meaning)
