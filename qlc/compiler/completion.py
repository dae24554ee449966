"""Completion: what the grammar allows at a cursor, filled with the catalog's names and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qlc.mapping.schema import Schema


@dataclass(frozen=True, slots=True)
class Candidate:
    """`text` replaces the word that is being typed. `detail` says in a few words what it is."""

    text: str
    kind: Literal["keyword", "entity", "field", "list", "value", "operator", "condition", "constant", "binding"]
    detail: str = ""


def complete(source: str, cursor: int, schema: Schema) -> list[Candidate]:
    """What can stand at the cursor, best first. Works on what does not parse yet."""
    return []
