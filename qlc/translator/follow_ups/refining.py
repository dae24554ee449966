"""The forms of a follow-up: each reads the rest of a text as a change of an earlier program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, surely
from qlc.translator.follow_ups.editing import (
    dropped,
    field_of,
    mapped,
    parts,
    slot_of,
    told_replaced,
    walked,
    without_those,
)
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.merging import is_cut, joined, the_set
from qlc.translator.follow_ups.one_thing import another_field, by_whom, doers
from qlc.translator.follow_ups.ordering import bare_measure, limited, orders, reordered
from qlc.translator.follow_ups.ranking import another_of_the_order, first_group, first_of_those
from qlc.translator.follow_ups.replacing import replaced_bounds, replaced_values
from qlc.translator.rules import english as plain
from qlc.translator.rules.aggregates import COUNT
from qlc.translator.rules.build import both, compare, negation, path
from qlc.translator.rules.clauses import groups
from qlc.translator.rules.conditions import fields_for, is_number, quantity_condition
from qlc.translator.rules.lexicon import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.place import with_all_below
from qlc.translator.rules.morphology import stem
from qlc.translator.rules.names import hierarchical, named
from qlc.translator.rules.nouns import THOSE, noun_phrase
from qlc.translator.rules.numbers import quantity_test
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.phrases import words
from qlc.translator.rules.questions import FORMS, finished, narrowed


def phrased(content: Content) -> Iterator[Meaning]:
    """The changes that are said in phrases, whatever their pronouns point to."""
    for read in _PHRASED:
        yield from read(content)


def refinements(content: Content) -> Iterator[Meaning]:
    """The changes by values, fields and names, which pronouns can stand for."""
    for read in _FORMS:
        yield from read(content)


def statements(content: Content) -> Iterator[tuple[Statement, float]]:
    """What the rules of whole questions read; those spoken of before are left as their mark."""
    for form in FORMS:
        if form is narrowed:
            continue
        for one in form(content.p, content.at):
            if finished(content.p, one.end):
                yield one.value, one.cost


# --- the same things in another form ----------------------------------------------------------------------------------


def counted_again(c: Content) -> Iterator[Meaning]:
    """`how many is that?`"""
    if c.base is None or c.said.mode not in ("", "narrow") or not c.whole(english.COUNTING_THOSE):
        return
    statement = c.base.statement
    if isinstance(statement, tree.Aggregate) and statement.groups:
        return
    if is_cut(c.base) and the_set(c.base) is None:
        return
    yield alone(tree.Aggregate((COUNT,), tree.Name(c.base.entity.plural), the_set(c.base)))


def listed_again(c: Content) -> Iterator[Meaning]:
    """`which ones are they?`, behind a number."""
    if c.base is None or not isinstance(c.base.statement, tree.Aggregate) or c.said.mode not in ("", "narrow"):
        return
    start = next((b for b in range(c.at + 1) if c.whole(english.LISTING_THOSE, b)), None)
    before = c.base.statement
    if start is None or before.having is not None or before.limit is not None or before.where is None:
        return
    yield alone(tree.Find(tree.Name(c.base.entity.plural), before.where))


def grouped(c: Content) -> Iterator[Meaning]:
    """`break that down by owner`, `per year please`."""
    if c.base is None or c.said.mode not in ("", "narrow", "replace", "add"):
        return
    p, entity, before = c.p, c.base.entity, c.base.statement
    starts = list(p.phrases(c.at, english.GROUPING_THOSE))
    if p.word(c.at) in words("monthly yearly weekly daily quarterly annually"):
        starts.append(c.at)
    for start in starts:
        for by in groups(p, start, entity):
            order = next((falling for end, falling in orders(p, p.past(by.end, (",",))) if finished(p, end)), None)
            if not finished(p, by.end) and order is None:
                continue
            measures = before.measures if isinstance(before, tree.Aggregate) else (COUNT,)
            where = the_set(c.base)
            if where is None and is_cut(c.base):
                continue
            old = before.groups if isinstance(before, tree.Aggregate) else ()
            if c.said.mode == "add" and old:
                yield alone(replace(before, groups=(*old, *by.value), sort=(), limit=None), by.cost)  # type: ignore[arg-type]
                continue
            notes = ("Grouped anew, not as before.",) if old else ()
            sort = () if order is None else (tree.SortKey(bare_measure(measures[0]), order),)
            rows = tree.Aggregate(measures, tree.Name(entity.plural), where, by.value, sort=sort)
            yield alone(rows, by.cost, *notes)


def measured_again(c: Content) -> Iterator[Meaning]:
    """`and the total amount?`, `what's the average?`: of the things spoken of."""
    if c.base is None or c.said.mode not in ("", "narrow", "replace"):
        return
    p, entity, before = c.p, c.base.entity, c.base.statement
    start = p.past(c.at, words("the what is 's a was are show me give tell calculate compute get our my their"))
    where = the_set(c.base)
    if where is None and is_cut(c.base):
        return
    name = tree.Name(entity.plural)
    old = before.groups if isinstance(before, tree.Aggregate) else ()
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if ref.field.unit_field is not None and has_field(entity, ref) and finished(p, lexeme.end):
            yield alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), lexeme.cost + 0.1)
    for sequence, function in plain.MEASURES.items():
        end = p.phrase(start, *sequence)
        if end is None:
            continue
        for lexeme in p.starting(p.articles(end), FieldWord):
            ref = lexeme.payload.ref
            dated = ref.kind is FieldKind.DATE and function in ("min", "max")
            if ref.within is None and has_field(entity, ref) and (is_number(ref) or dated):
                behind = p.past(lexeme.end, words("of for all in among"))
                if finished(p, behind) or _those_at(p, behind):
                    measure = tree.Measure(function, path(*ref.path))  # type: ignore[arg-type]
                    yield alone(tree.Aggregate((measure,), name, where, old), lexeme.cost)
        asked = before.measures[0] if isinstance(before, tree.Aggregate) else None
        if asked is not None and asked.path is not None and finished(p, end) and asked.function != function:
            yield alone(tree.Aggregate((tree.Measure(function, asked.path),), name, where, old), 0.1)  # type: ignore[arg-type]


def _those_at(p: Parse, at: int) -> bool:
    """Whether the rest is a word for the things spoken of."""
    return any(one.value.where == THOSE and finished(p, one.end) for one in noun_phrase(p, at))


def another_share(c: Content) -> Iterator[Meaning]:
    """`and cancelled?`, behind the part of flights that are delayed: the part of another kind."""
    before = c.base.statement if c.base is not None else None
    cued = c.said.cued and c.said.mode in ("", "replace")
    if c.base is None or not isinstance(before, tree.Aggregate) or not cued:
        return
    shares = [one for one in before.measures if one.function == "share" and one.condition is not None]
    for start in {c.at, c.p.articles(c.at)} if len(before.measures) == 1 and shares else ():
        for one in modifiers(c.p, start, c.base.entity.name):
            if _is_flag(one.value) and _is_flag(shares[0].condition) and finished(c.p, one.end):
                measure = tree.Measure("share", condition=one.value)
                sort = tuple(replace(key, key=measure) if isinstance(key.key, tree.Measure) else key
                             for key in before.sort)  # fmt: skip
                yield surely(replace(before, measures=(measure,), sort=sort), one.cost)


def _is_flag(condition: Condition | None) -> bool:
    return isinstance(condition, tree.Bare) or (
        isinstance(condition, tree.Comparison) and isinstance(condition.right, tree.Boolean)
    )


# --- what is looked for ----------------------------------------------------------------------------------------------


def of_another_kind(c: Content) -> Iterator[Meaning]:
    """`the folders instead`, `include folders as well`, `what about folders?`"""
    if c.base is None or not c.said.cued or c.said.mode in ("leave out", "drop"):
        return
    p = c.p
    for lexeme in p.starting(p.articles(c.at), EntityWord):
        name = lexeme.payload.entity
        entity = p.entity(name)
        if entity.virtual or name == c.base.entity.name or not finished(p, lexeme.end):
            continue
        if p.word(lexeme.start).startswith("sub") and any(True for _ in below_too(c)):
            continue  # "including subfolders" says how deep
        found = tree.Find(tree.Name(entity.plural))
        ways = tuple(joined(found, c.base, c.said, c.schema))
        if ways:
            yield Meaning(ways, lexeme.cost)


def below_too(c: Content) -> Iterator[Meaning]:
    """`including subfolders`, `and everything below`."""
    if c.base is None or c.said.mode not in ("", "add", "narrow"):
        return
    p, before = c.p, c.base.statement
    for ref in hierarchical(c.base.entity):
        inside = [one for one in parts(before.where) if isinstance(one, tree.Comparison) and one.operator in ("=", "in")
                  and slot_of(one, c.base.entity) == ref.path]  # fmt: skip
        if len(inside) != 1:
            continue
        levels = [one.end for one in p.starting(p.articles(c.at), EntityWord) if c.said.mode == "add"
                  and one.payload.entity == ref.target and p.word(one.start).startswith("sub")]  # fmt: skip
        for start in range(c.at + 1):
            for end in (*with_all_below(p, start, ref.target or ""), *levels):
                if finished(p, p.past(end, english.BELOW_TOO)):
                    old = inside[0]
                    assert isinstance(old, tree.Comparison)
                    new = compare(old.left, "under" if old.operator == "=" else "under in", old.right)
                    where = both(*(new if one == old else one for one in parts(before.where)))
                    yield alone(replace(before, where=where))
                    return


def left_out(c: Content) -> Iterator[Meaning]:
    """`not the drafts`, `except Dana's`, `without Asia`."""
    if c.base is None or c.said.mode != "leave out":
        return
    p, entity = c.p, c.base.entity
    found: list[tuple[Condition, float]] = []
    for one in noun_phrase(p, c.at):
        phrase = one.value
        if finished(p, one.end) and phrase.entity == entity.name and phrase.fixed is None and phrase.limit is None:
            where = without_those(phrase.where)
            if where is not None and not phrase.sort:
                found.append((where, one.cost))
    found += [(one.value, one.cost) for one in modifiers(p, c.at, entity.name) if finished(p, one.end)]
    for condition, cost in found:
        if isinstance(condition, tree.And):
            denied: Condition = tree.Not(condition)
        else:
            denied = negation(condition)
        said = replace(c.said, mode="narrow")
        ways = tuple(joined(in_the_year(_like(c.base, denied), c), c.base, said, c.schema))
        if ways:
            yield Meaning(ways, cost)


def _like(base: Base, condition: Condition) -> tree.Find:
    return tree.Find(tree.Name(base.entity.plural), both(THOSE, condition))


def done_by(c: Content) -> Iterator[Meaning]:
    """`by Tom`, behind what was modified last month: he modified it, where that verb has a person as well."""
    p, base = c.p, c.base
    if base is None or c.said.mode not in ("", "narrow") or p.word(c.at) != "by":
        return
    slots = {slot_of(one, base.entity) for one in parts(base.statement.where)}
    dates = [one for one in base.entity.fields.values() if one.kind is FieldKind.DATE and (one.name,) in slots]
    for one in dict.fromkeys(one for date in dates for one in doers(base.entity, date, c.schema)):
        assert one.reference is not None
        for who in named(p, c.at + 1, one.reference.entity):
            if finished(p, who.end):
                own = _like(base, compare(path(one.name), "=", who.value.value))
                ways = tuple(joined(own, base, replace(c.said, mode="narrow"), c.schema))
                if ways:
                    yield Meaning(ways, who.cost)


def others(c: Content) -> Iterator[Meaning]:
    """`other carriers`: any but the one that was asked for."""
    if c.base is None or c.p.word(c.at) not in ("other", "another", "different"):
        return
    p, before = c.p, c.base.statement
    for lexeme in p.starting(c.at + 1, FieldWord):
        same = [one for one in parts(before.where) if isinstance(one, tree.Comparison) and one.operator == "="
                and slot_of(one, c.base.entity) == lexeme.payload.ref.path]  # fmt: skip
        if len(same) == 1 and finished(p, lexeme.end):
            where = both(*(negation(one) if one == same[0] else one for one in parts(before.where)))
            told = told_replaced(same, negation(same[0]))
            yield alone(replace(before, where=where), lexeme.cost, told)


_YEAR = re.compile(r"\d{4}")


def in_the_year(statement: Statement, c: Content) -> Statement:
    """`only March`, behind a list of one year: the March of that year."""
    if c.base is None or any(_YEAR.fullmatch(token.text) for token in c.p.tokens[c.at :]):
        return statement
    years = {str(one.right.value) for one in parts(c.base.statement.where)
             if isinstance(one, tree.Comparison) and one.operator == "=" and isinstance(one.right, tree.Number)
             and _is_date(one, c.base.entity)}  # fmt: skip
    if len(years) != 1:
        return statement
    year = years.pop()

    def moved(one: tree.Node) -> tree.Node | None:
        return tree.DateLiteral(year + one.text[4:]) if isinstance(one, tree.DateLiteral) else None

    return mapped(statement, moved)


def _is_date(condition: Condition, entity: Entity) -> bool:
    left = condition.left if isinstance(condition, tree.Comparison) else None
    field = field_of(entity, left) if isinstance(left, tree.Path) else None
    return field is not None and field.kind is FieldKind.DATE


def forgotten(c: Content) -> Iterator[Meaning]:
    """`forget the date`, `any owner`, `regardless of type`, `drop the Costco filter`."""
    if c.base is None or c.said.mode != "drop":
        return
    p, entity, before = c.p, c.base.entity, c.base.statement
    own = parts(before.where)
    start = p.past(c.at, plain.ARTICLES | words("about on who where when is was it its of kind"))
    for begin in {c.at, start}:
        for end, slots in (*_fields_at(p, begin, entity), *_part_of_a_name(p, begin, own, entity)):
            behind = p.past(end, english.FILTERS | words("it is was be in from on by"))
            gone = [one for one in own if _about(one, entity) & slots]
            if finished(p, behind) and gone:
                if len({slot_of(one, entity) for one in gone}) > 1:
                    for one in gone:
                        yield _dropping(before, [one], 0.05)
                else:
                    yield _dropping(before, gone, 0.0)
        surely_dropped = p.word(c.at - 1) in english.TAKING_OFF
        for one_modifier in modifiers(p, begin, entity.name):
            said = p.past(one_modifier.end, english.FILTERS)
            if finished(p, said) and (said > one_modifier.end or (surely_dropped and not p.plural(said))):
                meant = set(parts(one_modifier.value))
                gone = [one for one in own if one in meant]
                if gone:
                    yield _dropping(before, gone, one_modifier.cost)
                for one in own:
                    kept = _without_values(one, meant)
                    if kept is not None:
                        where = both(*(kept if other == one else other for other in own))
                        told = told_replaced((one,), kept)
                        yield alone(replace(before, where=where), one_modifier.cost, told)


def everywhere(c: Content) -> Iterator[Meaning]:
    """`then look anywhere`: wherever it lies."""
    if c.base is None or not c.whole(english.EVERYWHERE):
        return
    places = {ref.path for ref in hierarchical(c.base.entity)}
    gone = [one for one in parts(c.base.statement.where) if slot_of(one, c.base.entity) in places]
    if gone:
        yield _dropping(c.base.statement, gone, 0.0)


def by_another_date(c: Content) -> Iterator[Meaning]:
    """`by due date instead`, `use the creation date`: of the period that another date has."""
    base, p = c.base, c.p
    if base is None or c.said.mode != "replace" or base.statement.sort:
        return
    dates = {(one.name,): one for one in base.entity.fields.values() if one.kind is FieldKind.DATE}
    old = [one for one in parts(base.statement.where) if slot_of(one, base.entity) in dates]
    for lexeme in p.starting(p.past(c.at, words("by use the on go with based for")), FieldWord):
        ref = lexeme.payload.ref
        end = p.past(lexeme.end, ("date",))
        if len(old) != 1 or ref.path not in dates or not finished(p, end) or slot_of(old[0], base.entity) == ref.path:
            continue
        match old[0]:
            case tree.Comparison(left=tree.Path()) | tree.Between(left=tree.Path()):
                new: Condition = replace(old[0], left=path(*ref.path))
                where = both(*(new if one == old[0] else one for one in parts(base.statement.where)))
                yield surely(replace(base.statement, where=where), lexeme.cost, told_replaced(old, new))


def _without_values(condition: Condition, gone: set[Condition]) -> Condition | None:
    """A condition on several values without those that others ask for one by one; None where it has none of them."""
    single: dict[str, tree.ComparisonOperator] = {"in": "=", "has all": "has", "has any": "has"}
    if not isinstance(condition, tree.Comparison) or not isinstance(condition.right, tree.ListValue):
        return None
    values = {one.right for one in gone if isinstance(one, tree.Comparison) and one.left == condition.left
              and one.operator in ("=", "has")}  # fmt: skip
    kept = tuple(one for one in condition.right.items if one not in values)
    if len(kept) == len(condition.right.items) or not kept or condition.operator not in single:
        return None
    if len(kept) == 1:
        return compare(condition.left, single[condition.operator], kept[0])
    return replace(condition, right=tree.ListValue(kept))


def _about(condition: Condition, entity: Entity) -> set[tuple[str, ...]]:
    slot = slot_of(condition, entity)
    if slot is not None:
        return {slot}
    return {(field.name,) for one in walked(condition) if isinstance(one, tree.Path)
            and (field := field_of(entity, one)) is not None}  # fmt: skip


def _dropping(before: tree.Find | tree.Aggregate, gone: list[Condition], cost: float) -> Meaning:
    changed = dropped(before.where, gone)
    return alone(replace(before, where=changed.where), cost, *changed.notes)


def _fields_at(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, set[tuple[str, ...]]]]:
    """Where words for a field end, and which fields they mean."""
    for lexeme in p.starting(at, FieldWord):
        yield lexeme.end, {lexeme.payload.ref.path}
    for kind, nouns in english.GENERIC_FIELDS.items():
        if p.word(at) in nouns:
            own = [FieldRef((one.name,), one) for one in entity.fields.values()]
            fields: set[tuple[str, ...]] = {ref.path for ref in own if _is_kind(p, entity, ref, kind)}
            yield at + 1, fields | ({("mentions",)} if kind == "text" else set())
    for lexeme_entity in p.starting(at, EntityWord):
        target = lexeme_entity.payload.entity
        yield lexeme_entity.end, {(f.name,) for f in entity.fields.values()
                                  if f.reference is not None and f.reference.entity == target}  # fmt: skip


def _part_of_a_name(
    p: Parse, at: int, own: tuple[Condition, ...], entity: Entity
) -> Iterator[tuple[int, set[tuple[str, ...]]]]:
    """`the status`, where the only field with a filter that is called so is the `payment status`."""
    fields = {slot for one in own for slot in _about(one, entity)}
    called = {slot for slot in fields if p.word(at) and p.word(at) in slot[-1].split("_")}
    if len(called) == 1:
        yield at + 1, called


def _is_kind(p: Parse, entity: Entity, ref: FieldRef, kind: str) -> bool:
    match kind:
        case "date":
            return ref.kind is FieldKind.DATE or "year" in ref.field.name.split("_")
        case "person":
            return ref.target is not None and p.entity(ref.target).virtual
        case "place":
            return any(one.path == ref.path for one in hierarchical(entity)) or ref.kind is FieldKind.GEO_POINT
        case "number":
            return is_number(ref)
        case _:
            return False


def of_what_is_so(c: Content) -> Iterator[Meaning]:
    """`more than 2 hours`, behind what is `delayed`: the number of that name, where it has such a unit."""
    base, p = c.base, c.p
    if base is None or c.said.mode not in ("", "narrow"):
        return
    entity = base.entity
    flags = {slot_of(one, entity) for one in parts(base.statement.where)}
    said = {stem(one.name) for one in entity.fields.values() if one.kind is FieldKind.BOOLEAN and (one.name,) in flags}
    for test in quantity_test(p, p.past(c.at, ("by",))):
        fields = fields_for(entity, test.value.amount) if test.value.amount.unit is not None else []
        dimension = {one.field.unit for one in fields}
        for one in entity.fields.values():
            ref = FieldRef((one.name,), one)
            if stem(one.name) in said and one.unit in dimension and is_number(ref) and finished(p, test.end):
                condition = quantity_condition(ref, test.value)
                if condition is not None:
                    ways = tuple(joined(_like(base, condition), base, replace(c.said, mode="narrow"), c.schema))
                    yield Meaning(ways, test.cost, sure=True)


# --- another value ---------------------------------------------------------------------------------------------------


def another_value(c: Content) -> Iterator[Meaning]:
    """`what about Staples?`, `make that 2024`, `same for Ann`, `and the second?`, `or Ann`; `under 300` by itself."""
    if c.said.mode not in ("", "replace", "add"):
        return
    if not c.said.cued:
        for found, cost in replaced_bounds(c.p, c.at, c.base, c.schema):
            yield Meaning((found,), cost)
        return
    for found, cost in replaced_values(c.p, c.at, c.base, c.last, c.schema, widen=c.said.mode == "add"):
        yield Meaning((found,), cost)


_PHRASED = (
    counted_again,
    listed_again,
    grouped,
    measured_again,
    everywhere,
    another_share,
    limited,
    reordered,
    first_of_those,
    first_group,
    another_of_the_order,
    of_another_kind,
    below_too,
)
_FORMS = (by_another_date, left_out, others, forgotten, done_by, by_whom, of_what_is_so, another_field, another_value)
