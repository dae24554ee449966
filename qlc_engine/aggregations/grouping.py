"""Buckets of documents by keys that are made one by one: for aggregations of few keys or of keys that are no column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.columns import IntArray

#: for one slice: pairs of a position among its documents and a key, ascending by position
KeysOf = Callable[[Slice], Iterable[tuple[int, Hashable]]]


@dataclass(frozen=True, slots=True)
class Group:
    """One bucket before it is chosen."""

    owner: int
    key: Any
    count: int


@dataclass(frozen=True)
class Groups:
    """All buckets of a selection, and which documents are in them."""

    selection: Selection
    found: list[Group]
    members: list[list[tuple[int, int]]]

    def of_owner(self, owner: int) -> list[Group]:
        return [group for group in self.found if group.owner == owner]

    def chosen(self, groups: Sequence[Group]) -> tuple[IntArray, Selection]:
        """Where each owner's buckets begin, and the documents by bucket. `groups` stand by owner."""
        number = {(group.owner, group.key): at for at, group in enumerate(groups)}
        of_cell = [number.get((group.owner, group.key), -1) for group in self.found]
        slices = []
        for part, members in zip(self.selection.slices, self.members, strict=True):
            kept = [(position, of_cell[cell]) for position, cell in members if of_cell[cell] >= 0]
            positions = np.array([position for position, _ in kept], np.int64)
            slices.append(part.pick(positions, np.array([bucket for _, bucket in kept], np.int64)))
        starts = np.searchsorted([group.owner for group in groups], np.arange(self.selection.n_owners + 1))
        below = Selection(self.selection.run, self.selection.path, len(groups), slices)
        return starts.astype(np.int64), below


def group(selection: Selection, keys_of: KeysOf) -> Groups:
    """A document counts once for each of its keys."""
    cells: dict[tuple[int, Hashable], int] = {}
    counts: list[int] = []
    members: list[list[tuple[int, int]]] = []
    for part in selection.slices:
        owners = part.owner_array()
        own: list[tuple[int, int]] = []
        last: tuple[int, set[int]] = (-1, set())
        for position, key in keys_of(part):
            cell = cells.setdefault((int(owners[position]), key), len(cells))
            if cell == len(counts):
                counts.append(0)
            if last[0] != position:
                last = position, set()
            if cell in last[1]:
                continue
            last[1].add(cell)
            counts[cell] += 1
            own.append((position, cell))
        members.append(own)
    found = [Group(owner, key, counts[cell]) for (owner, key), cell in cells.items()]
    return Groups(selection, found, members)
