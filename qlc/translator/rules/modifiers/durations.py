"""How long something took: `solved within 60 minutes`, where the things have the time that solving takes."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import quantity_condition
from qlc.translator.rules.lexicon.field_names import leading_words
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nouns.degrees import numbers_of_dimension
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import DateTest, within_days
from qlc.translator.rules.quantities.numbers import QuantityTest, amount
from qlc.translator.rules.words.morphology import is_same_deed


def lately(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[DateTest]]:
    """`created within 30 days`: up to now, or from now on; not where the days may be how long it took."""
    if not _times_of(entity, ref):
        yield from within_days(p, at, future=ref.field.whole_days)


def took_at_most(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    """`solved within 60 minutes`: what it took, behind the word of the date when it was done."""
    times = _times_of(entity, ref)
    for test in within_days(p, at, future=False) if len(times) == 1 else ():
        for one in amount(p, at + 1):
            condition = quantity_condition(times[0], QuantityTest("<=", one.value), entity)
            if one.end == test.end and condition is not None:
                yield Found(test.end, condition, test.cost)


def _times_of(entity: Entity, date: FieldRef) -> list[FieldRef]:
    """The numbers that say how long it takes until something is done: `resolution time` beside `resolved on`."""
    done = leading_words(date.field)
    return [
        ref
        for ref in numbers_of_dimension(entity, "time")
        if any(is_same_deed(one, other) for one in done for other in leading_words(ref.field))
    ]
