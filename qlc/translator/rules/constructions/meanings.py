"""Meanings of constructions: statements made from the values of their slots."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Schema
from qlc.translator.rules.build import COUNT, both, name_of, parts, path, search_of
from qlc.translator.rules.conditions import default_number, is_of_each, list_fields, of_money
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english

Rows = Iterator[Found[tree.Aggregate]]


def rows_of(p: Parse, phrase: NounPhrase, measure: tree.Measure = COUNT,
            groups: tuple[tree.Group, ...] = ()) -> tree.Aggregate:
    """The number of some things, or another measure of them, in groups where there are any."""
    return tree.Aggregate((measure,), tree.Name(p.entity(phrase.entity).plural), phrase.where, groups)


def _things(m: Match) -> NounPhrase:
    """Return the noun phrase of a match with its conditions; the whole entity if no noun was read."""
    phrase: NounPhrase = m.get("things") or m.get("kind") or NounPhrase(m.entity)
    return phrase.also(m.get("where"))


def _found(m: Match, rows: tree.Aggregate, cost: float = 0.0) -> Rows:
    yield Found(m.end, rows, cost)


def count(m: Match) -> Rows:
    """`how many paid invoices` -> `count invoices where paid`; by the groups that are said."""
    return _found(m, rows_of(m.parse, _things(m), COUNT, m.get("by") or ()))


def distinct(m: Match) -> Rows:
    """`how many different vendors` -> `distinct(vendor)`."""
    ref: FieldRef = m["category"]
    return _found(m, rows_of(m.parse, _things(m), tree.Measure("distinct", ref.left)))


def number_of_values(m: Match) -> Rows:
    """`how many carriers are there`, in the plural."""
    return distinct(m) if m.plural("category") else iter(())


def measure(m: Match) -> Rows:
    """`average size of PDFs` -> `avg(size)`. Of dates there are only a first and a last."""
    functions, ref = m["measures"], m["measured"]
    if (ref.kind is FieldKind.DATE and not set(functions) <= {"min", "max"}) or _has_no_sum(ref, functions):
        return
    phrase = _things(m)
    if phrase.entity and ref.belongs_to(m.parse.entity(phrase.entity)):
        vague = 0.2 if m.get("things") is None and m.get("kind") is None else 0.0
        yield Found(m.end, _measured(m, phrase, ref), vague)


def _has_no_sum(ref: FieldRef, functions: Collection[object]) -> bool:
    """Whether a sum is asked for of a measure of the catalog that has none, such as a rate."""
    return ref.is_measure and not ref.field.adds_up and "sum" in functions


def measure_of_the_usual_number(m: Match) -> Rows:
    """`sum of unpaid invoices`: of the number that the catalog prefers."""
    phrase, functions = _things(m), m["measures"]
    ref = default_number(m.parse.entity(phrase.entity))
    if ref is not None and phrase.where is not None and set(functions) <= {"sum", "avg", "median"}:
        yield Found(m.end, _measured(m, phrase, ref), 0.0)


def _measured(m: Match, phrase: NounPhrase, ref: FieldRef) -> tree.Aggregate:
    measures = tuple(tree.Measure(one, ref.left) for one in m["measures"])
    return replace(rows_of(m.parse, phrase), measures=measures)


def total(m: Match) -> Rows:
    """`revenue by week`: amounts of money are added up where no measure is said."""
    ref: FieldRef = m["number"]
    phrase, p = _things(m), m.parse
    if not ref.belongs_to(p.entity(phrase.entity)):
        return
    said = [p.word(at) for at in range(m.start, m.end)]
    # `average price` may be what the catalog calls a price
    measures = [english.MEASURES[(word,)] for word in said if (word,) in english.MEASURES]
    is_money = (ref.field.unit_field is not None or of_money(ref)) and (bool(measures) or not is_of_each(ref))
    if ref.is_measure or is_money or not english.SUMMED.isdisjoint(said):
        function: tree.MeasureFunction = measures[0] if measures else "sum"
        yield Found(m.end, rows_of(p, phrase, tree.Measure(function, ref.left), m.get("by") or ()), 0.0)


def spent(m: Match) -> Rows:
    """`how much did we spend at Costco`: the amounts of money of what is said, added up."""
    ref = default_number(m.parse.entity(m.entity))
    if ref is not None and of_money(ref):
        yield Found(m.end, rows_of(m.parse, _things(m), tree.Measure("sum", ref.left)), 0.0)


def share(m: Match) -> Rows:
    """`what percentage of invoices are overdue` -> `share(overdue)` of invoices."""
    return _found(m, rows_of(m.parse, m["things"], tree.Measure("share", condition=m["predicate"])))


def share_of_all(m: Match) -> Rows:
    """`share of overdue invoices`: of all invoices those that are overdue."""
    phrase: NounPhrase = m["part"]
    conditions = parts(phrase.where)
    own = both(*(one for one in conditions if one != phrase.kind))
    if own is None or phrase.fixed is not None:
        return
    whole = NounPhrase(phrase.entity, phrase.kind if phrase.kind in conditions else None)
    yield Found(m.end, rows_of(m.parse, whole, tree.Measure("share", condition=own)), 0.0)


def values_of(m: Match) -> Rows:
    """`which tags are used in Legal`, `list all vendors` -> how many things have each."""
    ref: FieldRef = m["category"]
    entity = m.parse.entity(m.entity)
    if ref.target and ref.path == (entity.parent,):
        return  # `list all folders`: the folders themselves
    if m.plural("category"):
        yield Found(m.end, rows_of(m.parse, _things(m), COUNT, (tree.Group(ref.left),)), 0.0)


def first_rows(m: Match) -> Rows:
    """Groups in the order of a number: `which owner has the most documents`, `top 5 vendors by total amount`."""
    p, by = m.parse, m["group"]
    falling = m.get("extreme") is not False
    what = COUNT
    if (ref := m.get("number")) is not None:
        if not ref.belongs_to(p.entity(m.entity)) or _has_no_sum(ref, (m.get("measure"),)):
            return
        what = tree.Measure(m.get("measure") or "sum", ref.left)
    phrase = _things(m)
    if phrase.entity != m.entity or (what == COUNT and (p.word(m.end),) in english.MEASURES):
        return  # `by receipts total` is no number of receipts
    own = FieldRef.at(p.entity(m.entity), by.path)
    holder = p.entity(own.target) if own is not None and own.target is not None else None
    if holder is not None and ref is not None and ref.belongs_to(holder):
        return  # their own number: `the folder with the most documents`
    has_number = holder is not None and what == COUNT and any(
        ref.belongs_to(holder) for at in range(m.ends["group"], m.end) for ref in p.lexicon.counting(p.word(at))
    )  # `the folder with the most documents`, where folders have a number of them
    limit = m.get("n") or (None if m.plural("group") else 1)
    key = tree.SortKey(tree.Measure(what.function, what.path), falling)
    offset = m["nth"] - 1 if m.get("nth") is not None else None
    rows = replace(rows_of(p, phrase, what, (by,)), sort=(key,), limit=1 if offset else limit, offset=offset)
    yield Found(m.end, rows, 0.4 if has_number else 0.0)


def total_after(m: Match) -> Rows:
    """`invoices total in 2024`: of the number that is called so, else of the one that the catalog prefers."""
    phrase = _things(m)
    entity = m.parse.entity(phrase.entity)
    called = [ref for _, ref in m.parse.numbers(m.ends["kind"], entity) if ref.within is None]
    ref = called[0] if called else default_number(entity)
    if ref is not None:
        yield Found(m.end, rows_of(m.parse, phrase, tree.Measure("sum", ref.left)), 0.0)


def first_by_share(m: Match) -> Rows:
    """`which carrier has the highest share of cancelled flights`."""
    for rows in share_of_all(m):
        key = tree.SortKey(tree.Measure("share"), m["extreme"])
        ranked = replace(rows.value, groups=(m["group"],), sort=(key,), limit=m.get("n") or 1)
        yield rows._replace(value=ranked)


def count_each(m: Match) -> Rows:
    """`how many documents does each owner have`."""
    if m["things"].entity == m.entity:
        yield Found(m.end, rows_of(m.parse, m["things"], COUNT, (m["group"],)), 0.0)


def used_most(m: Match) -> Rows:
    """`which tag is used most`."""
    key = tree.SortKey(COUNT, not m.has("least"))
    rows = rows_of(m.parse, NounPhrase(m.entity), COUNT, (m["group"],))
    yield Found(m.end, replace(rows, sort=(key,), limit=None if m.plural("group") else 1), 0.0)


def most_of_people(m: Match) -> Rows:
    """`who uploaded the most PDFs`: the one who did it most often."""
    ref: FieldRef = m["done"]
    if of_another_kind(m.parse, m.start + 1, ref):
        return  # `which organization`: who did it is not known to be one
    phrase = _things(m).also(of_their_kind(m.parse, m.start + 1, ref))
    if ref.belongs_to(m.parse.entity(phrase.entity)):
        key = tree.SortKey(COUNT, m.get("extreme") is not False)
        rows = rows_of(m.parse, phrase, COUNT, (tree.Group(ref.left),))
        yield Found(m.end, replace(rows, sort=(key,), limit=1), 0.0)


def groups_with(m: Match) -> Rows:
    """`customers with more than 5 orders` -> groups, `having count > 5`."""
    if m["things"].entity == m.entity:
        rows = rows_of(m.parse, m["things"], COUNT, (m["group"],))
        test = m["test"]
        own = FieldRef.at(m.parse.entity(m.entity), m["group"].path)
        counted = own is not None and own.target is not None and any(
            ref.belongs_to(m.parse.entity(own.target))
            for at in range(m.ends["test"], m.end) for ref in m.parse.lexicon.counting(m.parse.word(at))
        )  # `folders with more than 20 files`, where folders have a number of them  # fmt: skip
        having = tree.Comparison(COUNT, test.relation, test.amount.node)
        yield Found(m.end, replace(rows, having=having), 0.4 if counted else 0.0)


def _given(m: Match) -> tree.Aggregate:
    rows = m["given"]
    assert isinstance(rows, tree.Aggregate)
    return rows


def as_they_are(m: Match) -> Rows:
    """`are there`, `do we have`: nothing more."""
    return _found(m, _given(m))


def in_groups(m: Match) -> Rows:
    """`per type`, `by vendor and month`."""
    rows = _given(m)
    grouped = replace(rows, groups=m.get("by") or m["calendar"])
    if not rows.groups and not counts_for_each_element(m.parse.schema, grouped):
        yield Found(m.end, grouped, 0.0)


def narrowed(m: Match) -> Rows:
    """`..., in 2024`: a condition after the groups."""
    rows = _given(m)
    if rows.groups or rows.measures != (COUNT,):
        yield Found(m.end, replace(rows, where=both(rows.where, m["where"])), 0.0)


def having(m: Match) -> Rows:
    """`with more than 25`: only groups of such a number."""
    rows, test = _given(m), m["test"]
    if rows.groups and rows.measures == (COUNT,) and rows.having is None:
        limit = tree.Comparison(COUNT, test.relation, test.amount.node)
        yield Found(m.end, replace(rows, having=limit), 0.0)


def in_order(m: Match, *, falling: bool) -> Rows:
    """`highest first`, `lowest first`."""
    rows = _given(m)
    if rows.groups:
        yield Found(m.end, replace(rows, sort=(tree.SortKey(rows.measures[0], falling),)), 0.0)


def in_time(m: Match, *, falling: bool) -> Rows:
    """`newest first`, `chronologically`, of rows that are periods."""
    rows = _given(m)
    function = rows.groups[0].function if len(rows.groups) == 1 else None
    if function in ("year", "quarter", "month", "week", "day"):
        yield Found(m.end, replace(rows, sort=(tree.SortKey(path(function), falling),)), 0.0)


def top(m: Match) -> Rows:
    """`top 3`: the first of the rows."""
    rows = _given(m)
    if rows.groups and rows.limit in (None, 1):
        order = rows.sort or (tree.SortKey(rows.measures[0], True),)
        yield Found(m.end, replace(rows, sort=order, limit=m["n"]), 0.0)


def counts_for_each_element(schema: Schema, statement: tree.Aggregate) -> bool:
    """Return whether money of the things is grouped by elements with money of their own: `cost by workshop`."""
    search = search_of(statement, schema)
    if search is None:
        return False
    _, entity = search
    many = [name_of(one.path) for one in statement.groups if one.path is not None]
    lists = [name for name in many if name in entity.lists]
    if not any(of_money(ref) for name in lists for ref in list_fields(entity, name)):
        return False
    money = [ref.left for ref in FieldRef.own(entity) if of_money(ref)]
    return any(one.path in money for one in statement.measures)
