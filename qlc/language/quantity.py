"""The type of a quantity in a text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["date", "money", "measure", "number"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity, with its place."""

    kind: Kind
    start: int
    end: int
    number: Decimal = Decimal(0)
    unit: str = ""
    """A unit in its canonical spelling, or the code of a currency."""
    date: date | None = None
