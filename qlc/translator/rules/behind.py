"""What a reading still needs when it is chosen: each thing once, and what else is as good as the first."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qlc.grammar import parse as parse_program
from qlc.grammar import print_statement, tree
from qlc.grammar.walk import mapped, walked
from qlc.mapping.fields import NUMERIC
from qlc.mapping.names import find_entity
from qlc.outcome import Count, Hits, ValueOut
from qlc.translator.protocol import Need, Translated, Try
from qlc.translator.rules.build import both, compare, number, path
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.records import each_once, numbers_of_both, of_subject, records_told
from qlc.translator.rules.words.phrases import words

MOST_COMPARED = 100
"""The longest list whose end is compared with what comes behind it."""


def each_thing_once(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """Where records are asked for in words for what they are of, and some have several: each of those once."""
    statement = parse_program(chosen.program).statement
    numbers = numbers_of_both(parse, statement)
    outcome = (yield Try(print_statement(numbers))) if numbers is not None else None
    if not isinstance(outcome, ValueOut) or not isinstance(outcome.value, dict):
        return chosen
    records, things = (int(one or 0) for one in outcome.value.values())
    rows = each_once(parse, statement) if records != things else None
    told = tuple(records_told(parse, records, things))
    program = chosen.program if rows is None else print_statement(rows)
    return replace(chosen, program=program, notes=(*chosen.notes, *told))


def up_to_now(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """`the last visit`, where others are booked: the last one so far. What is still to come is told of."""
    if _SO_FAR.isdisjoint(token.text for token in parse.tokens):
        return chosen
    statement = parse_program(chosen.program).statement
    finds = (one for one in walked(statement) if isinstance(one, tree.Find))
    ordered = next(((one, date) for one in finds if (date := _ordered_by_its_date(parse, one)) is not None), None)
    if ordered is None:
        return chosen
    find, date = ordered
    later = replace(find, where=both(find.where, compare(path(*date.path), ">", tree.Now())), limit=1)
    outcome = yield Try(print_statement(later))
    if not isinstance(outcome, Hits) or not outcome.hits:
        return chosen
    so_far = replace(find, where=both(find.where, compare(path(*date.path), "<=", tree.Now())))
    program = print_statement(mapped(statement, lambda node: so_far if node == find else None))
    note = f"Up to now: there are others whose '{spaced(date.field.name)}' is still to come."
    return replace(chosen, program=program, notes=(*chosen.notes, note))


_SO_FAR = words("last latest recent recently")


def _ordered_by_its_date(parse: Parse, find: tree.Find) -> FieldRef | None:
    """The usual date of the things, where the last of them are wanted by it, with no condition on it, and the index has
    some that is still to come."""
    entity = find_entity(parse.schema, find.entity.text) if isinstance(find.entity, tree.Name) else None
    usual = default_date(entity) if entity is not None else None
    if entity is None or usual is None or find.limit is None or not find.sort or not find.sort[0].descending:
        return None
    date = path(*usual[0].path)
    if find.sort[0].key != date or (find.where is not None and date in walked(find.where)):
        return None
    return usual[0] if parse.lies_ahead(entity.name, usual[0].path[0]) else None


def as_good(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """`the shortest flight`, where 64 are as short: how many there are is told."""
    find = parse_program(chosen.program).statement
    if not isinstance(find, tree.Find) or not isinstance(find.entity, tree.Name) or len(find.sort) != 1:
        return chosen
    key, entity = find.sort[0].key, find_entity(parse.schema, find.entity.text)
    single = isinstance(key, tree.Path) and len(key.segments) == 1 and key.segments[0].narrowed is None
    if find.limit is None or not find.limit <= MOST_COMPARED or find.offset or entity is None or not single:
        return chosen
    assert isinstance(key, tree.Path)
    name = key.segments[0].name.text
    field = entity.fields.get(name)
    if field is None or field.kind not in NUMERIC or field.many:
        return chosen
    outcome = yield Try(print_statement(replace(find, show=(key,))))
    if not isinstance(outcome, Hits) or len(outcome.hits) < find.limit:
        return chosen
    values = [hit.values.get(name) for hit in outcome.hits]
    last = values[-1]
    if not isinstance(last, int | float) or isinstance(last, bool):
        return chosen
    where = both(find.where, compare(path(name), "=", number(last)))
    of = of_subject(parse, find)  # the same ship in several reports is no other one
    measure = tree.Measure("count") if of is None else tree.Measure("distinct", path(*of[1].path))
    counted = yield Try(print_statement(tree.Aggregate((measure,), find.entity, where)))
    shown = values.count(last)
    if not isinstance(counted, Count | ValueOut) or not isinstance(counted.value, int) or counted.value <= shown:
        return chosen
    things = entity if of is None else parse.entity(of[1].target or "")
    note = f"{counted.value:,} {things.plural} have the same {name.replace('_', ' ')}; {shown:,} of them shown."
    return replace(chosen, notes=(*chosen.notes, note))
