"""Frozen dataclasses of which one compile makes hundreds, and hashes that are worked out once for each of them.

To mypy they are what `dataclasses.dataclass(frozen=True, slots=True)` makes, and it refuses every assignment. At run
time the guard that would refuse them too is left out: it doubles the time that an object takes to be made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as frozen_dataclass
else:
    from dataclasses import dataclass

    def frozen_dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Any:
        """As `dataclass`, with a hash by value as frozen ones have it, and without the guard."""

        def decorated(kind: type) -> type:
            hashed = "__hash__" not in vars(kind)
            made = dataclass(slots=slots, kw_only=kw_only, unsafe_hash=hashed and frozen)(kind)
            if issubclass(made, HashedOnce):
                _keep_hash(made)
            return made

        return decorated


__all__ = ["HashedOnce", "frozen_dataclass"]


class HashedOnce:
    """What may be in a query many times over as one object: bindings use one another, conditions share what else is
    asked. Were it hashed anew at each place, each binding would double the time of the one before it."""

    __slots__ = ("_hash",)
    _hash: int


def _keep_hash(kind: Any) -> None:
    work_out = kind.__hash__

    def hashed(self: Any) -> int:
        try:
            return self._hash  # type: ignore[no-any-return]
        except AttributeError:
            found: int = work_out(self)
            object.__setattr__(self, "_hash", found)
            return found

    kind.__hash__ = hashed
