"""Whether a reading is sure: one decision over named features, for questions and for follow-ups alike.

A sure reading is answered by the rules alone, also where there is a language model. What is not sure is asked of the
model first; without one it is answered all the same, unless something that was said found no place in the program:
then it is offered as a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qlc.grammar import parse as parsed
from qlc.translator.rules.accounting import Said, taken_for_names, unaccounted, unmet
from qlc.translator.rules.parse import Parse

SURE = 0.5
"""What a reading may cost at the most to be sure. Of 703 readings of the dev halves that are right, 556 cost no more;
of the nine that were wrong, two did."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """What speaks against a reading.

    `cost` is what the rules say; `unaccounted` the words that no part of the program accounts for; `unmet` what words
    call for that it does not have; `taken` the plain words that were taken for a part of a name. `bare`: the program
    has no condition at all. `follows`: it changes an earlier program.
    """

    cost: float = 0.0
    unaccounted: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    bare: bool = False
    follows: bool = False

    @property
    def sure(self) -> bool:
        return self.cost <= SURE and not (self.unaccounted or self.unmet or self.taken)

    @property
    def answerable(self) -> bool:
        """Whether it may be answered where nobody knows better. A program without a condition is no answer to words
        that it does not account for; nor is one without what words call for."""
        return not self.unmet and not (self.bare and self.unaccounted)

    @property
    def against(self) -> Mapping[str, Any]:
        """What is reported of it."""
        found = {"cost": self.cost, "unaccounted": self.unaccounted, "unmet": self.unmet, "taken": self.taken}
        return {name: value for name, value in found.items() if value}


def confidence(p: Parse, program: str, cost: float, before: str = "") -> Confidence:
    """How sure it is that a program answers the words of a question; `before` is the program that it changes."""
    said = Said(parsed(program).statement, p.schema)
    dropped = unaccounted(p, said)
    if before and dropped:
        earlier = Said(parsed(before).statement, p.schema)  # what is taken out of it was said of it
        dropped = tuple(at for at in dropped if p.lexemes[at] and at in unaccounted(p, earlier))
    words = tuple(p.tokens[at].raw for at in dropped)
    taken = tuple(p.tokens[at].raw for at in taken_for_names(p, said))
    bare = not said.has_condition and not before
    return Confidence(round(cost, 3), words, () if before else unmet(p, said), taken, bare, bool(before))
