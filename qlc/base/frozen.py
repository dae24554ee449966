"""Frozen dataclasses that are fast to create, and hashes that are computed once.

To mypy they are `dataclasses.dataclass(frozen=True, slots=True)`, and it refuses every assignment. At run time the
guard against assignments is left out, since it doubles the time to create an object, and a compile creates hundreds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as frozen_dataclass
else:
    from dataclasses import dataclass

    def frozen_dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Any:
        """Make a dataclass with a hash by value like a frozen one, without the guard."""

        def decorated(kind: type) -> type:
            hashed = "__hash__" not in vars(kind)
            made = dataclass(slots=slots, kw_only=kw_only, unsafe_hash=hashed and frozen)(kind)
            if issubclass(made, HashedOnce):
                _keep_hash(made)
            return made

        return decorated


__all__ = ["HashedOnce", "frozen_dataclass"]


class HashedOnce:
    """Caches the hash of an object that occurs many times in a query: bindings use one another, conditions share parts.

    Without the cache, each binding would double the time to hash the one before it.
    """

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
