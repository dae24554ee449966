"""Runs of letters with their places on a page, lines of them, and ruled tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top of a place."""


class Run(NamedTuple):
    """Adjacent letters, and their place in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str
    size: float
    bold: bool

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2


class Grid(NamedTuple):
    """A table whose cells are separated by drawn lines, and its place."""

    left: float
    bottom: float
    right: float
    top: float
    rows: tuple[tuple[str, ...], ...]
    size: float
    bold: bool
    """Whether all of its first row is bold."""

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def text(self) -> str:
        return "\n".join("\t".join(row) for row in self.rows)


Item = Run | Grid


@dataclass(frozen=True, slots=True)
class Line:
    """Adjacent cells from left to right. A line of prose is one cell, and a ruled table is one line."""

    cells: tuple[Run, ...]
    grid: Grid | None = None

    @property
    def left(self) -> float:
        return self.cells[0].left

    @property
    def right(self) -> float:
        return self.cells[-1].right

    @property
    def middle(self) -> float:
        return self.cells[0].middle

    @property
    def size(self) -> float:
        return max(cell.size for cell in self.cells)

    @property
    def text(self) -> str:
        return "\t".join(cell.text for cell in self.cells)


@dataclass(slots=True)
class Sheet:
    """A page as drawn, in the direction of most of its text; width and height are in points."""

    number: int
    width: float
    height: float
    runs: list[Run]
    grids: tuple[Grid, ...] = ()
    turned: tuple[list[Run], ...] = ()
    """Runs in other directions, a list for each, with places as if these were upright."""
