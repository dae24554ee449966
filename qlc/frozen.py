"""Frozen dataclasses of which one compile makes hundreds.

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
            return dataclass(slots=slots, kw_only=kw_only, unsafe_hash=hashed and frozen)(kind)

        return decorated


__all__ = ["frozen_dataclass"]
