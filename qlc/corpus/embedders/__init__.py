"""Embedders, which turn texts into vectors: any object with the interface `Embedder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from qlc.base.errors import UsageError
from qlc.base.extras import is_installed


@runtime_checkable
class Embedder(Protocol):
    """Interface of an embedder. Vectors of embedders with different names are never compared."""

    @property
    def name(self) -> str:
        """Name of the model and its version, stored in a corpus."""

    @property
    def dimensions(self) -> int:
        """Number of components of each vector."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return a vector of length 1 for each text. Must be thread-safe."""


def default_embedder() -> Embedder | None:
    """Return the embedder of the extra `semantic`; None if it is not installed."""
    if not is_installed("semantic"):
        return None
    from .minilm import MiniLm

    return MiniLm()


def check_embedder(given: object) -> Embedder:
    """Check the type of a passed embedder. Raises UsageError."""
    if not isinstance(given, Embedder):
        raise UsageError("an embedder has a name, dimensions, and embed(texts), which returns a vector for each text")
    return given
