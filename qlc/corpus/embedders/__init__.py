"""What turns texts into vectors: any object with the three parts of `Embedder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from qlc.base.errors import UsageError
from qlc.base.extras import is_installed


@runtime_checkable
class Embedder(Protocol):
    """Makes vectors of texts. Vectors of another name are of another space, and are never compared."""

    @property
    def name(self) -> str:
        """Of the model and its version, as a corpus remembers it."""

    @property
    def dimensions(self) -> int:
        """Of each vector."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector for each text, of length 1. It may be called from several threads."""


def default_embedder() -> Embedder | None:
    """The embedder of the extra `semantic`; None where that is not installed."""
    if not is_installed("semantic"):
        return None
    from .minilm import MiniLm

    return MiniLm()


def check_embedder(given: object) -> Embedder:
    """Raises UsageError where an embedder is to be passed and is none."""
    if not isinstance(given, Embedder):
        raise UsageError("an embedder has a name, dimensions, and embed(texts), which returns a vector for each text")
    return given
