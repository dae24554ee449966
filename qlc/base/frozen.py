"""Dataclasses that mypy holds frozen and Python does not, and hashes that are worked out once for each object.

`unguarded_dataclass(frozen=True, slots=True)` hashes by value, as `dataclasses.dataclass` does for these arguments, and
mypy refuses every assignment to a field. At run time nothing refuses it: the guard of a frozen dataclass makes the
creation of an object twice as long, and one compile creates hundreds (a fifth of the time of a cold compile).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as unguarded_dataclass
else:
    from dataclasses import dataclass

    def unguarded_dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Any:
        """Make a dataclass with the hash by value of a frozen one, and without its guard against assignments."""

        def decorated(kind: type) -> type:
            hashed = "__hash__" not in vars(kind)
            made = dataclass(slots=slots, kw_only=kw_only, unsafe_hash=hashed and frozen)(kind)
            if issubclass(made, HashedOnce):
                _keep_hash(made)
            return made

        return decorated


__all__ = ["HashedOnce", "unguarded_dataclass"]


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
