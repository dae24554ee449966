"""Another value in the place of an earlier one: `what about Staples?`, `make that 2024`, `same for Ann`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

from qlc.grammar import tree
from qlc.grammar.tree import Condition, mapped, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import (
    exchanged,
    field_of,
    lookups,
    makes_a_range,
    replaced_note,
    with_another,
)
from qlc.translator.follow_ups.history import Base, Earlier
from qlc.translator.follow_ups.merging import Joined
from qlc.translator.rules.build import compare, either, lookup, parts, string
from qlc.translator.rules.conditions import date_condition, is_number, quantity_condition, values, values_condition
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef
from qlc.translator.rules.nouns.names import named
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import unit_at
from qlc.translator.rules.quantities.numbers import cardinal, quantity_test
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import tokenize

T = TypeVar("T")

AFTER_A_PREPOSITION = 0.4
"""What it costs to take a value whatever preposition comes before it."""

INSIDE = 0.1
"""What it costs to replace something inside another condition or lookup."""

BESIDE_A_PART = 0.2
"""What it costs to replace a whole path where a part of it can be replaced."""

_SEPARATORS = (" > ", " / ", "/", ">", " \\ ", "\\")


def replaced_values(
    p: Parse, at: int, base: Base | None, last: Earlier | None, schema: Schema, *, widen: bool = False,
    further: bool = False,
) -> Iterator[tuple[Joined, float]]:  # fmt: skip
    """The last program with another value; to `widen` it, with that value as well. `further`: it is said with `and`."""
    if base is not None:
        found = [
            (old, new, cost + INSIDE * depth)
            for old, ref, depth in _comparisons(base.statement.where, base.entity, schema)
            for new, cost in _others(p, at, old, ref, base.earlier.turn.text)
            if new != old
            and (not (widen and ref.field.many is True))
            and (not (further and makes_a_range(old, new, base.entity)))
        ]
        inner = [old for old, _, _ in found]
        for old, new, cost in found:
            beside = any(one != old and one in walked(old) for one in inner)
            both_ways = old if widen else new
            note = "" if widen else replaced_note((old,), new)
            more = BESIDE_A_PART + INSIDE if beside else 0.0
            yield Joined(with_another(base.statement, old, both_ways), (note,)), cost + more
        yield from _other_weekdays(p, at, base, widen=widen)
    if last is None or last.program is None or widen:
        return
    statement_before = last.program.statement
    for known in lookups(statement_before):
        for entity in schema.entities.values():
            if entity.virtual:
                continue
            for start in {at, p.past(at, plain.PREPOSITIONS)}:
                for one in named(p, start, entity.name):
                    other = lookup(entity.name, one.value.text)
                    if one.value.text and finished(p, one.end) and other != known:
                        said = any(True for i in range(at, one.end) for w in p.starting(i, EntityWord)
                                   if w.payload.entity == entity.name)  # fmt: skip
                        same = entity.name == known.entity.text
                        cost = one.cost + (0.0 if same and not said else 0.05 if said else 0.25)
                        yield Joined(exchanged(statement_before, known, other)), cost


def _other_weekdays(p: Parse, at: int, base: Base, *, widen: bool) -> Iterator[tuple[Joined, float]]:
    """`what about Sundays?`, after what is asked of Mondays."""
    start = p.past(at, plain.PREPOSITIONS | plain.ARTICLES)
    day = plain.WEEKDAYS.get(p.word(start))
    for old in parts(base.statement.where) if day is not None and finished(p, start + 1) else ():
        match old:
            case tree.Comparison(left=tree.Cyclic(unit="weekday"), operator="=") if day is not None:
                new = compare(old.left, "=", string(plain.WEEKDAY_NAMES[day]))
                meant = old if widen else new
                note = "" if widen else replaced_note((old,), meant)
                if new != old:
                    yield (Joined(with_another(base.statement, old, meant), (note,)), 0.0)


def replaced_bounds(p: Parse, at: int, base: Base | None, schema: Schema) -> Iterator[tuple[Joined, float]]:
    """`under 300`, after a bound of one number, and `next month`, after a period of one date: of that one."""
    if base is None:
        return
    compared = [one for one in _comparisons(base.statement.where, base.entity, schema) if not one[2]]
    for old, ref, _ in _only_one(one for one in compared if one[1].kind is FieldKind.DATE):
        for new, cost in _others(p, at, old, ref) if p.word(at) not in ("from", "dated", "since") else ():
            if new != old:
                yield Joined(with_another(base.statement, old, new), (replaced_note((old,), new),)), cost + 0.1
    found = [one for one in compared if is_number(one[1])]
    for old, ref, _ in _only_one(found):
        for new, cost in _others(p, at, old, ref):
            is_bound = isinstance(new, tree.Between) or (isinstance(new, tree.Comparison) and new.operator != "=")
            says_how = is_bound and _says_how(p, at)
            says_how = says_how or any(one == new for one, _ in beside_it(p, at, old))  # "the year before that"
            if new != old and says_how and isinstance(old, tree.Comparison | tree.Between):
                yield Joined(with_another(base.statement, old, new), (replaced_note((old,), new),)), cost + 0.1


def _only_one(found: Iterable[T]) -> list[T]:
    several = list(found)
    return several if len(several) == 1 else []


def _says_how(p: Parse, at: int) -> bool:
    """Whether a text begins with a comparison, and not with a bare number."""
    return any(test.value.compared for test in quantity_test(p, at))


def _comparisons(
    where: Condition | None, entity: Entity, schema: Schema, depth: int = 0
) -> Iterator[tuple[Condition, FieldRef, int]]:
    """The conditions that compare a field with a value, wherever they are, with the field."""
    match where:
        case tree.And(items=items) | tree.Or(items=items):
            for one in items:
                yield from _comparisons(one, entity, schema, depth + isinstance(where, tree.Or))
        case tree.Not(item=item):
            yield from _comparisons(item, entity, schema, depth + 1)
        case tree.Comparison(left=tree.Path() as left) | tree.Between(left=tree.Path() as left):
            ref = _ref(left, entity, schema)
            if ref is not None:
                yield where, ref, depth
            if isinstance(where, tree.Comparison):
                yield from _inside(where.right, schema, depth)
        case tree.Bare(path=tree.Path(segments=(tree.Segment(narrowed=inner) as segment,))) if inner is not None and (
            not isinstance(inner, tree.String)
        ):
            many = entity.lists.get(segment.name.text)
            for one in inner.items if isinstance(inner, tree.And) else (inner,):
                own = one.left if isinstance(one, tree.Comparison) else None
                field = many.fields.get(own.segments[0].name.text) if many and isinstance(own, tree.Path) else None
                if field is not None and many is not None:
                    yield one, FieldRef((many.name, field.name), field, many), depth


def _inside(value: tree.Value, schema: Schema, depth: int) -> Iterator[tuple[Condition, FieldRef, int]]:
    if isinstance(value, tree.Member):
        value = value.base
    if isinstance(value, tree.Subquery) and isinstance(value.statement.entity, tree.Name):
        entity = find_entity(schema, value.statement.entity.text)
        if entity is not None:
            yield from _comparisons(value.statement.where, entity, schema, depth + 1)


def _ref(left: tree.Path, entity: Entity, schema: Schema) -> FieldRef | None:
    field = field_of(entity, left)
    if field is None and len(left.segments) > 1:  # a field of what is referred to
        first = field_of(entity, tree.Path(left.segments[:1]))
        if first is not None and first.reference is not None:
            return _ref(tree.Path(left.segments[1:]), schema.entities[first.reference.entity], schema)
    if field is None:
        return None
    many = next((one for one in entity.lists.values() if field in one.fields.values()), None)
    return FieldRef((many.name, field.name) if many is not None else (field.name,), field, many)


def _others(p: Parse, at: int, old: Condition, ref: FieldRef, before: str = "") -> Iterator[tuple[Condition, float]]:
    """The same condition with the value that the text gives; `before` is what was said before."""
    start = p.past(at, plain.PREPOSITIONS | plain.ARTICLES)
    bounded = is_number(ref) and any(one.value.compared for one in quantity_test(p, at))
    for begin in {at, start}:
        if begin != at and bounded:
            continue  # "under 1000" is no 1000
        prepositions = [p.word(i) for i in range(at, begin) if p.word(i) in plain.PREPOSITIONS]
        alike = len(prepositions) == 1 and _was_after(prepositions[0], old, before)
        cost = AFTER_A_PREPOSITION if prepositions and not alike else 0.0
        for new, end, more in _values_at(p, begin, old, ref):
            if finished(p, end):
                in_a_path = list(_parts_of_a_path(old, new))
                yield new, cost + more + (BESIDE_A_PART if in_a_path else 0.0)
                yield from ((part, cost + more) for part in in_a_path)


def _was_after(preposition: str, old: Condition, before: str) -> bool:
    """Whether the value of a condition came after a preposition: `owned by Liam`, then `and by Dana?`."""
    if not isinstance(old, tree.Comparison) or not isinstance(old.right, tree.String):
        return False
    said = [token.text for token in tokenize(before) if token.text not in plain.ARTICLES]
    value = [token.text for token in tokenize(old.right.value)][:1]
    return any(said[at] == preposition and said[at + 1 : at + 2] == value for at in range(len(said)))


def _values_at(p: Parse, at: int, old: Condition, ref: FieldRef) -> Iterator[tuple[Condition, int, float]]:
    assert isinstance(old, tree.Comparison | tree.Between)
    left = old.left
    assert isinstance(left, tree.Path)
    if ref.kind is FieldKind.DATE:
        for other, end in beside_it(p, at, old):
            yield other, end, 0.0
        for test in date_test(p, at):
            yield _on(left, in_its_year(p, at, date_condition(ref, test.value), old)), test.end, test.cost
        if isinstance(old, tree.Comparison) and isinstance(old.right, tree.RelativePeriod):
            for period, end in _other_lengths(p, at, old.right):
                yield replace(old, right=period), end, 0.0
    elif is_number(ref):
        if "year" in ref.field.name.split("_"):
            yield from ((other, end, 0.0) for other, end in beside_it(p, at, old))
            yield from _years_listed(p, at, left)
        for found in quantity_test(p, at):
            condition = quantity_condition(ref, found.value)
            if condition is None:
                continue
            if not found.value.compared and isinstance(old, tree.Comparison) and isinstance(condition, tree.Comparison):
                yield compare(left, old.operator, condition.right), found.end, found.cost
            else:
                yield _on(left, condition), found.end, found.cost
    else:
        operator = old.operator if isinstance(old, tree.Comparison) else "="
        for several in values(p, at, ref):
            condition = values_condition(ref, *several.value)
            found_values, _, is_set = several.value
            if len(found_values) == 1 and not is_set and operator in ("=", "!=", "under", "has", "contains"):
                yield compare(left, operator, found_values[0]), several.end, several.cost
            elif operator in ("=", "in", "has", "has any"):
                yield _on(left, condition), several.end, several.cost


def _years_listed(p: Parse, at: int, left: tree.Path) -> Iterator[tuple[Condition, int, float]]:
    """`2022 and 2023`, in the place of one year that is a number: either of them."""
    years, end = [], at
    while _YEAR_ALONE.fullmatch(p.word(end)):
        years.append(int(p.word(end)))
        after = p.past(end + 1, words(", and or &"))
        if after == end + 1 or not _YEAR_ALONE.fullmatch(p.word(after)):
            break
        end = after
    if len(years) > 1:
        yield either([compare(left, "=", tree.Number(one, str(one))) for one in years]), end + 1, 0.0


_YEAR_ALONE = re.compile(r"(?:1[5-9]|20)\d\d")
_DIRECTIONS = {"next": words("next coming following"), "last": words("last past previous"), "this": words("")}


def _other_lengths(p: Parse, at: int, old: tree.RelativePeriod) -> Iterator[tuple[tree.RelativePeriod, int]]:
    """`12 months`, `a year`, after `in the next 6 months`: as long, in the same direction."""
    if old.count is None:
        return
    article = p.word(at) in ("a", "an", "one")
    numbers = [(1, at + 1)] if article else [(int(one.value.value), one.end) for one in cardinal(p, at)
                                             if float(one.value.value).is_integer()]  # fmt: skip
    if p.word(p.articles(at)) in _DIRECTIONS[old.which]:
        for one in cardinal(p, p.articles(at) + 1):  # "and the next 30?"
            if float(one.value.value).is_integer() and finished(p, one.end):
                yield replace(old, count=int(one.value.value)), one.end
    for count, end in numbers:
        unit = unit_at(p, end)
        if unit is not None and count > 0:
            yield replace(old, unit=unit, count=count), end + 1


def _on(left: tree.Path, new: Condition) -> Condition:
    """A new condition with the path as it was written before."""
    if isinstance(new, tree.Comparison) and isinstance(new.left, tree.Path):
        return replace(new, left=left)
    if isinstance(new, tree.Between) and isinstance(new.left, tree.Path):
        return replace(new, left=left)
    return new


def _parts_of_a_path(old: Condition, new: Condition) -> Iterator[Condition]:
    """`48 Oak Avenue > Leases`, `same for Lakehouse`: one part of the path is replaced."""
    if not (isinstance(old, tree.Comparison) and isinstance(new, tree.Comparison)):
        return
    if not (isinstance(old.right, tree.String) and isinstance(new.right, tree.String)):
        return
    for separator in _SEPARATORS:
        parts = old.right.value.split(separator)
        if len(parts) > 1 and separator.strip() not in new.right.value:
            for place in range(len(parts)):
                text = separator.join([*parts[:place], new.right.value, *parts[place + 1 :]])
                yield replace(old, right=string(text))
            return


# --- the period beside it --------------------------------------------------------------------------------------------

_UNITS = ("year", "quarter", "month", "week", "day")
_BACK, _ON = -1, 1


def beside_it(p: Parse, at: int, old: Condition) -> Iterator[tuple[Condition, int]]:
    """The condition on the period next to that of an old one, where one of its kind is asked for, and its end."""
    if not isinstance(old, tree.Comparison) or old.operator != "=":
        return
    for unit, way, end in _asked(p, at):
        moved = _moved(old.right, unit, way, p.now.date())
        if moved is not None:
            yield replace(old, right=moved), end


_YEAR = re.compile(r"\d{4}")


def says_no_year(p: Parse, at: int) -> bool:
    """Whether a month or a quarter is named without its year. `Monday` and `5 days ago` are of no year but now's."""
    parts = plain.MONTHS.keys() | {"q1", "q2", "q3", "q4", "quarter"}
    named = any(token.text in parts for token in p.tokens[at:])
    return named and at < p.end and not _YEAR.search(p.text[p.tokens[at].start :])


def in_its_year(p: Parse, at: int, new: Condition, old: Condition) -> Condition:
    """`February`, after January 2025: that of the same year, where none is said."""
    right = old.right if isinstance(old, tree.Comparison) and old.operator == "=" else None
    if not says_no_year(p, at) or not isinstance(right, tree.DateLiteral) or len(right.text) > len("2025-Q1"):
        return new
    year = right.text[:4]
    return mapped(new, lambda one: tree.DateLiteral(year + one.text[4:]) if isinstance(one, tree.DateLiteral) else None)


def _asked(p: Parse, at: int) -> Iterator[tuple[str, int, int]]:
    """`the year before`, `the previous month`, `the week after that`: the unit, the way, and where it ends."""
    start = p.articles(at)
    word, following = p.word(start), p.word(start + 1)
    for tables, way in ((english.EARLIER, _BACK), (english.LATER, _ON)):
        if plain.CALENDAR.get(following) in _UNITS and word in tables[0]:
            yield plain.CALENDAR[following], way, start + 2
        if plain.CALENDAR.get(word) in _UNITS and following in tables[1]:
            yield plain.CALENDAR[word], way, p.past(start + 2, english.POINTING_BACK)


def _moved(old: tree.Value, unit: str, way: int, today: date) -> tree.Value | None:
    """The period of a unit beside an old one; None where the old one is none of that unit."""
    match old:
        case tree.RelativePeriod(which="last", unit=own, count=None) if own == unit and way == _ON:
            return tree.RelativePeriod("this", own)
        case tree.RelativePeriod(which="this", unit=own, count=None) if own == unit:
            return tree.RelativePeriod("last" if way == _BACK else "next", own)
        case tree.RelativePeriod(which="next", unit=own, count=None) if own == unit and way == _BACK:
            return tree.RelativePeriod("this", own)
        case tree.RelativePeriod(which="last" | "next", unit="year", count=None) if unit == "year":
            year = today.year + 2 * way
            return tree.Number(year, str(year))
        case tree.RelativePeriod(which="last" | "next", unit="month", count=None) if unit == "month":
            return _month(today.year, today.month + 2 * way)
        case tree.Day(which=which) if unit == "day":
            away = {"yesterday": -1, "today": 0, "tomorrow": 1}[which] + way
            return tree.DateLiteral((today + timedelta(days=away)).isoformat())
        case tree.Number(value=int() as year, unit=None) if unit == "year" and 1000 < year < 9999:
            return tree.Number(year + way, str(year + way))
        case tree.DateLiteral(text=text) if unit == "month" and len(text) == len("2024-03"):
            return _month(int(text[:4]), int(text[5:]) + way) if text[5:].isdecimal() else None
        case tree.DateLiteral(text=text) if unit == "quarter" and text[5:6] == "Q":
            place = int(text[:4]) * 4 + int(text[6:]) - 1 + way
            return tree.DateLiteral(f"{place // 4:04}-Q{place % 4 + 1}")
        case tree.DateLiteral(text=text) if unit == "day" and len(text) == len("2024-03-05"):
            return tree.DateLiteral((date.fromisoformat(text) + timedelta(days=way)).isoformat())
    return None


def _month(year: int, month: int) -> tree.DateLiteral:
    place = year * 12 + month - 1
    return tree.DateLiteral(f"{place // 12:04}-{place % 12 + 1:02}")
