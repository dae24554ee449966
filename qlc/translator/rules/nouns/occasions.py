"""Things in the order of what happens to them: `the next 3 contracts to expire`, `leases that are about to end`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import date_fields
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_ORDINALS = words("next first last latest upcoming")
_BECOMING = "[be | become | fall | come | get | go]"
_TO = phrases(f"to {_BECOMING} | (that | which | who) [will | is to | are to] {_BECOMING}")
_RELATIVE = 0.3
"""What it costs to take a verb of a relative clause for the order: it may be a condition of its own."""


Verbs = Iterator[tuple[int, FieldRef, Condition | None]]
"""Where a verb ends, the date that it speaks of, and when that has to be."""


def _verbs(p: Parse, at: int, entity: Entity) -> Verbs:
    """The dates whose verb is here, unless it says by whom, which is another field. A period after it is of them."""
    said = stem(p.word(at))
    for ref in date_fields(entity) if said else ():
        ends = [None for first, *rest in ref.phrases if stem(first) == said]
        for end in [max(one for one in ends if one is not None)] if any(ends) else ():
            if p.word(end) != "by" and not any(date_test(p, i) for i in range(end, p.end)):
                yield end, ref, None
