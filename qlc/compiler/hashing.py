"""Hashes that are worked out once for each node of a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Kind = TypeVar("Kind")


class Shared:
    """What may be in a query many times over as one object: bindings use one another, conditions share what else is
    asked. Were it hashed anew at each place, each binding would double the time of the one before it."""

    __slots__ = ("_hash",)
    _hash: int


def hashed_once(kind: type[Kind]) -> type[Kind]:
    """A frozen dataclass over `Shared` that keeps its hash."""
    work_out: Callable[[Any], int] = kind.__hash__

    def hashed(self: Any) -> int:
        try:
            return self._hash  # type: ignore[no-any-return]
        except AttributeError:
            found = work_out(self)
            object.__setattr__(self, "_hash", found)
            return found

    kind.__hash__ = hashed  # type: ignore[method-assign]
    return kind
