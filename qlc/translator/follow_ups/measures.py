"""Which number of things is meant where none is named: `how much is that in total?`, `and the average?`"""

from __future__ import annotations

from qlc.grammar import tree
from qlc.translator.follow_ups.editing import slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.rules.build import parts, path
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nouns.degrees import is_rank
from qlc.translator.rules.quantities.years import is_a_year

OF_ALL = "Of all {0} that were asked for, not only of those in the rows."

_BOUNDS = ("<", "<=", ">", ">=")


def spoken_of(base: Base) -> tuple[list[FieldRef], list[FieldRef]]:
    """The numbers that a search measures or sorts by, and those that it has a bound for."""
    statement = base.statement
    conditions = (one for one in parts(statement.where) if isinstance(one, tree.Comparison | tree.Between))
    slots = [slot_of(one, base.entity) for one in conditions if getattr(one, "operator", ">") in _BOUNDS]
    said = [one.key for one in statement.sort]
    said += statement.measures if isinstance(statement, tree.Aggregate) else ()
    paths = [one.path if isinstance(one, tree.Measure) else one for one in said]
    numbers = [ref for ref in FieldRef.own(base.entity) if ref.is_number and not is_rank(ref) and not is_a_year(ref)]
    return [one for one in numbers if path(*one.path) in paths], [one for one in numbers if one.path in slots]
