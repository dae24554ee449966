"""Ranking passages by more than their index knows: vectors that are made when they are needed, and a re-ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from qlc.compiler import typed
from qlc.compiler.codegen import ranking_of
from qlc.compiler.environment import Bindings
from qlc.mapping.schema import Entity

Source = Mapping[str, Any]
FEW = 3
"""Where words alone find fewer, something may well be said in other words."""


class Ranker(Protocol):
    """What a store of passages knows beside its index."""

    @property
    def entity(self) -> str:
        """The name of its passages in the catalog."""

    @property
    def paths(self) -> Sequence[str]:
        """What is read of a passage that is compared or put in order."""

    @property
    def compared(self) -> int:
        """Of the passages without a vector so many, the best by words, are compared by meaning; 0 for none."""

    @property
    def reordered(self) -> int:
        """So many of the best are put in order anew; 0 for none."""

    def similarities(self, text: str, passages: Mapping[str, Source]) -> tuple[Mapping[str, float], str]:
        """The cosine of a text and each passage, by id, and a sentence on it for the user. Those that there was no time
        for are left out."""

    def scores(self, text: str, passages: Mapping[str, Source]) -> Mapping[str, float]:
        """How well each passage answers a text, by id; the higher the better."""

    @property
    def without_meaning(self) -> str:
        """What users are told where words alone found little."""


def passages_of(about: typed.About, entity: Entity) -> Entity:
    """The passages that a list of an entity is ranked by."""
    return entity if about.nearest is None else about.nearest.passages


def comparing(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    """What compares passages that have no vector, where that is to be done."""
    ranker = _ranker(about, entity, env)
    return ranker if ranker is not None and ranker.compared and about.by in (None, "both") else None


def reordering(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    """What puts the best in order anew, where that is to be done."""
    ranker = _ranker(about, entity, env)
    return ranker if ranker is not None and ranker.reordered else None


def _ranker(about: typed.About, entity: Entity, env: Bindings) -> Ranker | None:
    ranker: Ranker | None = env.ranker
    return ranker if ranker is not None and ranker.entity == passages_of(about, entity).name else None


def note_words_alone(about: typed.About, entity: Entity, total: int, env: Bindings) -> None:
    """A note where words alone ranked, nobody asked for that, and little was found."""
    ranker = _ranker(about, entity, env)
    if ranker is None or about.by is not None or ranking_of(about, env) != "words":
        return
    if total < (1 if ranker.compared else FEW):  # what was found was compared by meaning, and that says so
        env.tell(ranker.without_meaning)
