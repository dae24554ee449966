"""Which has the most: groups in the order of a count or a measure, the first of them."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.aggregates import (
    aggregate,
)

_EXTREMES = {
    "highest": True, "largest": True, "longest": True, "biggest": True, "greatest": True, "most": True, "best": True,
    "lowest": False, "smallest": False, "shortest": False, "least": False, "cheapest": False, "fewest": False,
}  # fmt: skip


def first_row(
    p: Parse, phrase: NounPhrase, measure: tree.Measure, by: tree.Group, descending: bool, limit: int | None
) -> tree.Aggregate:
    """Groups in the order of a measure, at most `limit` of them."""
    key = tree.SortKey(tree.Measure(measure.function, measure.path), descending)
    return replace(aggregate(p, phrase, (measure,), (by,)), sort=(key,), limit=limit)


FORMS = ()
