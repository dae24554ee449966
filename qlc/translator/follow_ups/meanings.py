"""Meanings of edits: an earlier search and the matched words make the changed search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.translator.follow_ups.editing import LEFT_OUT, about, bare, exchanged, field_of, slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.joining import Content, Joined, Meaning, is_cut, no_set, of_the_whole, the_set
from qlc.translator.rules.build import COUNT, both, compare, parts, path
from qlc.translator.rules.conditions import default_date, default_number, of_money, principal
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.nouns.degrees import fields_of_dimension, is_rank, numbers_of_dimension
from qlc.translator.rules.parse import Found
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, words

ANOTHER_AMOUNT = 0.3  # cost of ordering by another amount of money than the entity's usual one
MOST_LIMITED = 1_000  # numbers up to which `make it 50` is rather how many are wanted
OF_ALL = "Of all {0} that were asked for, not only of those in the rows."
Meanings = Iterator[Found[Meaning]]
Numbers = Iterator[tuple[FieldRef, float]]


def base_of_match(m: Match) -> Base:
    base = m["given"].base
    assert isinstance(base, Base)
    return base


def likely(m: Match, statement: Statement, *notes: str, cost: float = 0.0) -> Found[Meaning]:
    return Found(m.end, Meaning((Joined(statement, notes),), cost), 0.0)


def surely(m: Match, statement: Statement, *notes: str, cost: float = 0.0) -> Found[Meaning]:
    return Found(m.end, Meaning((Joined(statement, notes),), cost, sure=True), 0.0)


def _measuring(base: Base, *measures: tree.Measure, groups: tuple[tree.Group, ...] = ()) -> tree.Aggregate:
    return tree.Aggregate(measures, base.name, the_set(base), groups)


def counted(m: Match) -> Meanings:
    """`how many is that?`, `how many in total?`; after the one that has the most, how many it has."""
    base, rows = base_of_match(m), base_of_match(m).rows
    if rows is None and is_cut(base) and m.has("all", "total", "altogether", "overall"):
        yield surely(m, tree.Aggregate((COUNT,), base.name, base.statement.where))
    elif rows is None and not no_set(base):
        yield likely(m, _measuring(base, COUNT))
    elif rows is not None and rows.limit == 1 and rows.measures == (COUNT,):
        yield surely(m, rows)


def listed(m: Match) -> Meanings:
    """`which ones are they?`, after a number, or after the only row: those that it counts."""
    base = base_of_match(m)
    before, found = base.statement, base.earlier.rows
    if isinstance(before, tree.Find):
        yield surely(m, before)
    elif base.rows is not None and len(found) == len(before.groups) == 1 and before.having is None:
        by, key = before.groups[0], found[0].get("key")
        value = key.get("id") if isinstance(key, dict) else key
        if isinstance(value, str) and by.function in (None, "year", "quarter", "month", "day"):
            right = tree.String(value) if by.function is None else tree.DateLiteral(value)
            yield surely(m, tree.Find(base.name, both(*base.conditions, compare(by.path, "=", right))))
    elif before.having is None and before.limit is None and before.where is not None:
        yield likely(m, tree.Find(base.name, before.where))


def grouped(m: Match) -> Meanings:
    """`break that down by owner`, `per year please`, `monthly`."""
    base, c, by, falling = base_of_match(m), m["given"], m.get("by") or m["calendar"], m.get("direction")
    fields = [field_of(base.entity, one.path) for one in by if one.function is None]
    numbers = any(one is not None and one.kind in (*NUMERIC, FieldKind.DATE) for one in fields)
    if no_set(base) or (falling is not None and numbers and isinstance(base.statement, tree.Find)):
        return  # "by size, smallest first" puts things in order
    if c.said.mode == "add" and base.rows is not None:
        yield likely(m, replace(base.rows, groups=(*base.rows.groups, *by), sort=(), limit=None))
        return
    measures = base.statement.measures if isinstance(base.statement, tree.Aggregate) else (COUNT,)
    sort = () if falling is None else (tree.SortKey(bare(measures[0]), falling),)
    notes = ("Grouped in this way only, not as before.",) if base.rows is not None else ()
    yield likely(m, replace(_measuring(base, *measures, groups=by), sort=sort), *notes)


def _spoken_of(base: Base) -> tuple[list[FieldRef], list[FieldRef]]:
    """The numbers that a search measures or sorts by, and those that it has a bound for."""
    bounds = [one for one in base.conditions if isinstance(one, tree.Between)
              or (isinstance(one, tree.Comparison) and one.operator[0] in "<>")]  # fmt: skip
    slots = [slot_of(one, base.entity) for one in bounds]
    said = [*(one.key for one in base.statement.sort), *getattr(base.statement, "measures", ())]
    paths = [one.path if isinstance(one, tree.Measure) else one for one in said]
    numbers = [ref for ref in FieldRef.own(base.entity) if ref.is_number and not is_rank(ref) and not is_a_year(ref)]
    return [one for one in numbers if path(*one.path) in paths], [one for one in numbers if one.path in slots]


def _numbers_meant(m: Match) -> Numbers:
    """The numbers that the search speaks of, else the amounts of money; both where a bound alone speaks of one."""
    base = base_of_match(m)
    asked, bounded = _spoken_of(base)
    yield from ((ref, 0.0) for ref in asked or bounded)
    if not asked and not any(of_money(ref) for ref in bounded):
        usual = default_number(base.entity)
        amounts = principal([ref for ref in numbers_of_dimension(base.entity, "money") if ref.within is None])
        for ref in amounts:
            yield ref, 0.0 if len(amounts) == 1 or (usual is not None and ref.path == usual.path) else ANOTHER_AMOUNT


def _measures(m: Match, function: tree.MeasureFunction, refs: Numbers) -> Meanings:
    base = base_of_match(m)
    groups = base.rows.groups if base.rows is not None else ()
    for ref, cost in refs if not no_set(base) else ():
        yield likely(m, _measuring(base, tree.Measure(function, path(*ref.path)), groups=groups), cost=cost)


def coming_to(m: Match) -> Meanings:
    """`how much is that in total?`; after rows the numbers of all of them together."""
    base, rows = base_of_match(m), base_of_match(m).rows
    if rows is not None and not m.has("how", "spend", "pay"):
        whole = replace(rows, measures=tuple(map(bare, rows.measures)), groups=(), having=None, sort=(), limit=None)
        yield surely(m, whole, OF_ALL.format(base.entity.plural))
        return
    found = list(_measures(m, "sum", _numbers_meant(m)))
    yield from found or counted(m)


def of_all(m: Match) -> Meanings:
    """`how many pages do they have in total?`, `how big are they together?`"""
    fields = [m["number"]] if m.get("number") else fields_of_dimension(base_of_match(m).entity, m["degree"])
    return _measures(m, m["overall"], ((one, 0.0) for one in fields if len(fields) == 1 and one.is_number))


def measured(m: Match) -> Meanings:
    """`and the average size?`"""
    ref = m["measured"]
    if ref.belongs_to(base_of_match(m).entity) and (ref.kind is not FieldKind.DATE or m["measure"] in ("min", "max")):
        yield from _measures(m, m["measure"], iter([(ref, 0.0)]))


def measured_alone(m: Match) -> Meanings:
    """`and the average?`: of the number that was measured, or that the list speaks of."""
    base, function = base_of_match(m), m["measure"]
    before = base.statement
    asked = before.measures[0] if isinstance(before, tree.Aggregate) else None
    if asked is not None and asked.path is not None and asked.function != function:
        groups = base.rows.groups if base.rows is not None else ()
        yield likely(m, _measuring(base, tree.Measure(function, asked.path), groups=groups))
    elif isinstance(before, tree.Find) and function in ("avg", "median"):
        yield from _measures(m, function, _numbers_meant(m))


def limited(m: Match) -> Meanings:
    """`just the top 2`, `first 5 only`. The top of what is sorted by a number, rising, is its other end."""
    base, n = base_of_match(m), m["n"]
    before = base.statement
    if m["given"].said.mode == "replace":  # `make it ten`, after the first five
        if before.limit is not None and n <= MOST_LIMITED:
            yield likely(m, replace(before, limit=n, offset=None))
        return
    if (
        n in YEARS
        or m.has("last", "this", "that")
        or (m.has("most") and m.parse.measured)  # `and at most 5?`, after a bound
        or (m.parse.word(m.start) == str(n) and m["given"].said.mode != "narrow")
    ):
        return  # a year; the last of a list; a bare number
    if isinstance(before, tree.Aggregate) and not before.groups:
        return
    sort, top = before.sort, m.has("top")
    if isinstance(before, tree.Aggregate) and not sort and any(by.function is not None for by in before.groups):
        sort = (tree.SortKey(bare(before.measures[0]), True),)  # rows that have an order of their own
    key = sort[0].key if top and len(sort) == 1 and not sort[0].descending else None
    field = field_of(base.entity, key) if isinstance(key, tree.Path) else None
    if isinstance(key, tree.Measure) or (field is not None and FieldRef((field.name,), field).is_number):
        yield likely(m, replace(before, sort=(replace(sort[0], descending=True),), limit=n, offset=None))
    offset = None if m.has("top", "first") else before.offset
    yield likely(m, replace(before, sort=sort, limit=n, offset=offset))


def in_full(m: Match) -> Meanings:
    """`show all of them`."""
    if base_of_match(m).statement.limit is not None:
        yield likely(m, replace(base_of_match(m).statement, limit=None, offset=None), f"{LEFT_OUT}the limit.")


def turned_round(m: Match) -> Meanings:
    """`the other way round`: in the opposite order; those that are not so, where no order was asked for."""
    base, rows = base_of_match(m), base_of_match(m).rows
    sort = base.statement.sort or ((tree.SortKey(bare(rows.measures[0]), True),) if rows is not None else ())
    if sort and base.statement.limit is None:
        yield likely(
            m, replace(base.statement, sort=tuple(replace(one, descending=not one.descending) for one in sort))
        )


def _sort_keys(m: Match) -> Iterator[tuple[tree.SortKey, float]]:
    """Yield sort keys with costs: the named field, the number in a condition, else those of the degree."""
    base, (dimension, falling), ref = base_of_match(m), m["superlative"], m.get("ordered")
    asked, bounded = _spoken_of(base)
    spoken = (asked or bounded) if dimension in ("number", "size") else []
    refs = [ref] if ref is not None else spoken or fields_of_dimension(base.entity, dimension)
    yield from ((tree.SortKey(path(*one.path), falling), 0.0) for one in refs)
    if ref is None and dimension in ("money", "worth"):
        further = [one for one in principal(numbers_of_dimension(base.entity, "money")) if one not in refs]
        yield from ((tree.SortKey(path(*one.path), falling), ANOTHER_AMOUNT) for one in further)


def _measured_by(base: Base, dimension: str) -> tree.Measure | None:
    """Return the measure of the earlier rows that a degree orders by: after average prices, `cheapest` -> it."""
    measure = bare(base.rows.measures[0]) if base.rows is not None and base.rows.having is None else None
    fields = [path(*ref.path) for ref in fields_of_dimension(base.entity, dimension)]
    return measure if measure is not None and (dimension in ("number", "size") or measure.path in fields) else None


def most_first(m: Match) -> Meanings:
    """`most expensive first`, of a list; `highest first`, of rows by what they measure."""
    base, rows = base_of_match(m), base_of_match(m).rows
    falling = m["superlative"][1] if m.get("superlative") else m["direction"]
    if isinstance(base.statement, tree.Find) and m.get("superlative") and not is_cut(base):
        yield from (likely(m, replace(base.statement, sort=(key,)), cost=cost) for key, cost in _sort_keys(m))
    elif rows is not None and (not m.get("superlative") or _measured_by(base, m["superlative"][0])):
        yield likely(m, replace(rows, sort=(tree.SortKey(bare(rows.measures[0]), falling),)))


def first_of_them(m: Match) -> Meanings:
    """`which of them is the largest?`, `which one expires first?`"""
    base = of_the_whole(base_of_match(m))
    before = base.statement
    if not isinstance(before, tree.Find):
        yield from first_row(m)
        return
    if m.has("who") and m.has("has", "have", "had") and m.get("ordered") is None:
        return  # "who has the cheapest one?" asks for its person
    limit = m.get("n") or (None if m.has("ones") else 1)
    for key, cost in _sort_keys(m) if not no_set(base) else ():
        yield surely(m, tree.Find(before.entity, the_set(base), (key,), limit, None, before.show, before.every),
                     cost=cost)


def first_row(m: Match) -> Meanings:
    """`the lowest one`, `3 lowest`, `which one has the most?`, of rows."""
    base, (dimension, falling) = base_of_match(m), m["superlative"]
    rows, measure = base.rows, _measured_by(base, dimension)
    if rows is None or measure is None or m.get("ordered") or m.get("noun"):  # `the largest orders` are no rows
        return
    if measure.path is not None and m.has("maximum", "max", "minimum", "min") and not m.has("which"):
        return  # "and the maximum?" asks for another number of each
    sort = (tree.SortKey(measure, falling),)
    yield surely(m, replace(rows, sort=sort, limit=m.get("n") or 1, offset=None))


def another_of_the_order(m: Match) -> Meanings:
    """`and the second largest?`, `and the smallest?`, `the lowest five instead`, after those that come first."""
    base, degree, limit = base_of_match(m), m.get("superlative"), m.get("n") or 1
    before, place = base.statement, m.get("nth") or 1
    if before.limit is None or len(before.sort) != 1 or (before.limit > 1) != (limit > 1):
        return
    keys = [(before.sort[0], 0.0)]
    fields = [path(*ref.path) for ref in fields_of_dimension(base.entity, degree[0])] if degree is not None else []
    own = before.sort[0].key in fields or isinstance(before.sort[0].key, tree.Measure)
    if degree is not None and (own or degree[0] in ("number", "size")):
        keys = [(replace(before.sort[0], descending=degree[1]), 0.0)]
    elif degree is not None:
        keys = list(_sort_keys(m)) if isinstance(before, tree.Find) and place == 1 else []
    for key, cost in keys:
        yield surely(m, replace(before, sort=(key,), limit=limit, offset=place - 1 or None), cost=cost)


_BEFORE_AMOUNTS = words("by with of for")


def by_the_same_deed(statement: tree.Statement, c: Content) -> Iterator[tree.Statement]:
    """Yield the statement by the fields of the earlier deed: after `modified last month`, `by Ann` -> `editor`."""
    where = None if isinstance(statement, tree.Get) else statement.where
    refs = [FieldRef.at(c.base.entity, getattr(one, "left", None)) for one in parts(where)] if c.base else []
    unnamed = [ref for ref in refs if ref is not None and not _is_named(ref, c)]
    meant = list(dict.fromkeys(_of_the_deed(unnamed[0], c.base))) if c.base and len(unnamed) == 1 else []
    for other in meant:
        assert not isinstance(statement, tree.Get)
        changed = exchanged(where, unnamed[0].left, other.left) if where is not None else None
        yield replace(statement, where=changed)
    if not meant:
        yield statement


def _is_named(ref: FieldRef, c: Content) -> bool:
    """Return whether a follow-up is more than `by` and a person, or an amount: then it names its field."""
    p, at = c.p, c.at
    if any(one.payload.ref.path == ref.path for i in range(at, p.end) for one in p.starting(i, FieldWord)):
        return True
    if ref.target is not None:
        return p.word(at) != "by"
    begin = p.past(at, _BEFORE_AMOUNTS)
    degrees = english.MORE_ADJECTIVES.keys() | english.LESS_ADJECTIVES.keys()
    amount = any(finished(p, one.end) and one.value.compared for one in quantity_test(p, begin))
    return not amount or p.word(begin) in degrees


def _of_the_deed(ref: FieldRef, base: Base) -> Iterator[FieldRef]:
    """Yield the fields of a person or measure that the earlier search speaks of: `modified` -> `editor`."""
    entity, usual = base.entity, default_date(base.entity)
    paths = [one for one in tree.walked(base.statement) if isinstance(one, tree.Path)]
    spoken = {one.path: one for one in (FieldRef.at(entity, path) for path in paths) if one is not None}
    slots = [slot for one in base.conditions for slot in about(one, entity)]
    spoken |= {slot: FieldRef(slot, entity.fields[slot[0]]) for slot in slots if slot[0] in entity.fields}
    alike = [one for one in FieldRef.own(entity) if _can_take_its_place(one, ref)]
    for before in spoken.values():
        if before in alike:
            yield before
            continue
        deeds = {stem(word) for word in before.parts if is_participle(word)}
        found = [one for one in alike if deeds & one.stems]
        if usual is None or before.path != usual[0].path or ref in found:
            yield from found


def _can_take_its_place(one: FieldRef, ref: FieldRef) -> bool:
    """Return whether a field has the same type: people of the same kind by a deed, or numbers of the same dimension."""
    if ref.target is not None:
        return one.target == ref.target and any(said[-1] == "by" for said in one.phrases)
    units = [find_unit(each.field.unit or "") if each.is_number else None for each in (one, ref)]
    return all(units) and units[0].dimension == units[1].dimension  # type: ignore[union-attr]
