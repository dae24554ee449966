"""Rows of groups once more: some of them, what they come to, their order: `just 2024`, `and the total?`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.base.diagnostics import an
from qlc.grammar import parse, tree
from qlc.grammar.tree import Condition, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, counts_at, surely
from qlc.translator.follow_ups.editing import denies, field_of, slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.measures import OF_ALL, numbers_meant
from qlc.translator.follow_ups.ordering import bare_measure
from qlc.translator.follow_ups.replacing import says_no_year
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import both, compare, negation, parts, path
from qlc.translator.rules.conditions import date_condition, is_number
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.forms import finished

OF_WHICH_YEAR = "Read as {0}, the latest. For that of another year, say the year."
OF_SEVERAL = "{0} with several {1} counts in the row of each: {2}."
_LEFT_OUT = "with one that is left out, it is in no row"
_NARROWED = "those found have other {0} as well"


def of_these_rows(c: Content, base: Base) -> Iterator[Meaning]:
    """`just 2024`, `without March 2025`, after rows by years or months: the rows of that key."""
    before = base.statement
    for by in before.groups if isinstance(before, tree.Aggregate) else ():
        field = field_of(base.entity, by.path)
        for own, end in _keys(c, field, by) if field is not None else ():
            if finished(c.p, c.p.past(end, english.ONES)):
                kept = [one for one in parts(before.where) if slot_of(one, base.entity) != slot_of(own, base.entity)]
                leaves_out = c.said.mode == "leave out"
                where = both(*parts(before.where), negation(own)) if leaves_out else both(*kept, own)
                yield surely(replace(before, where=where))


def _keys(c: Content, field: Field, by: tree.Group) -> Iterator[tuple[Condition, int]]:
    """The key of a group as a condition, and where it ends."""
    ref, at = FieldRef((field.name,), field), c.p.articles(c.at)
    if field.kind is FieldKind.DATE and by.function not in (None, "weekday", "hour_of_day"):
        says_year = any(int(token.text) in YEARS for token in c.p.tokens[at:] if token.text.isdecimal())
        found = date_test(c.p, at) if says_year else ()
        yield from ((date_condition(ref, one.value), one.end) for one in found)
    elif is_number(ref) and by.function is None:
        for end, number in counts_at(c.p, at):
            yield compare(by.path, "=", tree.Number(number, str(number))), end


def rows_beyond(c: Content, base: Base) -> Iterator[Meaning]:
    """`only the ones above 10`, after rows with one number each: those rows."""
    before = base.statement
    if not isinstance(before, tree.Aggregate) or not before.groups or len(before.measures) != 1:
        return
    if before.limit is not None or c.p.word(c.at - 1) in english.ANY_THINGS:
        return
    p, measure = c.p, bare_measure(before.measures[0])
    for start in {c.at, *(end for at in range(c.at + 1) for end in p.phrases(at, english.ROWS))}:
        for test in quantity_test(p, start):
            said = test.value
            if not said.compared or said.amount.unit is not None or said.amount.money is not None:
                continue
            if said.relation == "=" and p.word(start) in english.ONLY:
                continue  # "just 2024" is a key of rows, and no number of them
            if not finished(p, test.end) or said.until is not None:
                continue
            having = tree.Comparison(measure, said.relation, said.amount.node)
            yield surely(replace(before, having=having), test.cost)


def total_of_rows(c: Content, base: Base) -> Iterator[Meaning]:
    """`and the total?`, after numbers of groups: the number of all of them together."""
    before = base.statement
    if not isinstance(before, tree.Aggregate) or not before.groups:
        return
    if c.anywhere(english.MUCH_IN_ALL):
        for ref, cost in numbers_meant(c, base, how_much=True):
            summed = tree.Aggregate((tree.Measure("sum", path(*ref.path)),), before.entity, before.where)
            yield surely(summed, cost, OF_ALL.format(base.entity.plural))
        return
    if not c.anywhere(english.TOTAL_OF_ROWS, english.IN_ALL):
        return
    measures = tuple(bare_measure(one) for one in before.measures)
    whole = tree.Aggregate(measures, before.entity, before.where)
    note = OF_ALL.format(base.entity.plural)
    yield surely(whole, 0.0, note)
    if len(measures) == 1 and measures[0].path is not None and measures[0].function != "sum":
        added_up = tree.Measure("sum", measures[0].path)  # which is asked about: the average of all, or their sum
        yield surely(replace(whole, measures=(added_up,)), 0.0, note)


def with_note_on_rows(said: Translated, base: Base | None) -> Translated:
    """Rows of values of which a thing has several, narrowed by one of them: what that does to the other rows."""
    statement = parse(said.program).statement
    if base is None or not isinstance(statement, tree.Aggregate) or not isinstance(base.statement, tree.Aggregate):
        return said
    new = [one for one in parts(statement.where) if one not in parts(base.statement.where)]
    for by in statement.groups:
        field = field_of(base.entity, by.path)
        own = [one for one in new if field is not None and slot_of(one, base.entity) == (field.name,)]
        if field is not None and field.many is True and own:
            several = spaced(field.name)
            why = _LEFT_OUT if denies(own[0]) else _NARROWED.format(several)
            one = an(spaced(base.entity.name)).capitalize()
            return replace(said, notes=(*said.notes, OF_SEVERAL.format(one, several, why)))
    return said


def with_note_on_year(said: Translated, base: Base | None, p: Parse) -> Translated:
    """`only March`, after rows of months, which can be of several years: which March is meant."""
    if base is None or not isinstance(base.statement, tree.Aggregate) or not base.statement.groups:
        return said
    rows = parse(said.program).statement
    where = rows.where if isinstance(rows, tree.Aggregate) and says_no_year(p, 0) else None
    new = [one for one in parts(where) if one not in parts(base.statement.where)]
    dates = [one.text for condition in new for one in walked(condition) if isinstance(one, tree.DateLiteral)]
    if len(dates) != 1 or _says_year(base.statement.where):
        return said
    return replace(said, notes=(*said.notes, OF_WHICH_YEAR.format(dates[0])))


def _says_year(where: Condition | None) -> bool:
    said = [one for condition in parts(where) for one in walked(condition)]
    years = {one.value for one in said if isinstance(one, tree.Number)} & set(YEARS)
    return bool(years) or any(isinstance(one, tree.DateLiteral) for one in said)


def rows_in_that_order(c: Content, base: Base) -> Iterator[Meaning]:
    """`sort by that`, after numbers of groups: by these numbers, the highest first."""
    before = base.statement
    if isinstance(before, tree.Aggregate) and before.groups and c.anywhere(english.SORTED_BY_THAT):
        key = tree.SortKey(bare_measure(before.measures[0]), True)
        yield alone(replace(before, sort=(key,)))
