"""What was read before a noun, so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from qlc.grammar.tree import Condition
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nouns.names import Reference


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before the noun. `kind`: it ends with a kind in the plural (`invoices`): no adjective follows."""

    conditions: tuple[tuple[FieldRef | None, Condition], ...] = ()
    limit: int | None = None
    offset: int | None = None
    degree: tuple[str, bool] | None = None
    sort: tuple[FieldRef, bool] | None = None
    value: FieldRef | None = None
    names: tuple[Reference, ...] = ()
    named_conditions: tuple[str, ...] = ()
    count: int = 0
    kind: bool = False
    like_a_name: bool = False
    """Whether a value is spelled as what holds such things is called: `Legal`."""
    own: FieldRef | None = None
    """The field of a value that is a thing of its own: nothing says yet what those asked for have to do with it."""

    def also(self, ref: FieldRef | None, condition: Condition) -> Before:
        return replace(self, conditions=(*self.conditions, (ref, condition)))


Ways = Iterator[tuple[int, Before, float]]
"""Where a way to read the words ends, what it makes of them, and how unsure it is."""
