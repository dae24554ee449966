"""The things spoken of in another form: counted, listed, in groups, measured, as another part of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, surely
from qlc.translator.follow_ups.editing import field_of, slot_of
from qlc.translator.follow_ups.measuring import amounts_of, come_to, costing, last_words, of_all_together
from qlc.translator.follow_ups.merging import is_cut, the_set
from qlc.translator.follow_ups.ordering import bare_measure, orders
from qlc.translator.rules.build import parts, path
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import groups
from qlc.translator.rules.nouns.noun_phrases import THOSE, noun_phrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words

AS_A_NUMBER_OF_THEM = 0.35
"""What it costs to mean by `the total` how many there are, and not what they come to."""


def counted_again(c: Content) -> Iterator[Meaning]:
    """`how many is that?`; `the total`, where nothing can be added up."""
    if c.base is None or c.said.mode not in ("", "narrow"):
        return
    if is_cut(c.base) and c.whole(english.COUNTING_ALL):
        yield surely(tree.Aggregate((COUNT,), tree.Name(c.base.entity.plural), c.base.statement.where))
        return
    in_so_many_words = c.whole(english.COUNTING_THOSE)
    if not in_so_many_words and not c.whole(english.THE_TOTAL):
        return
    statement = c.base.statement
    if isinstance(statement, tree.Aggregate) and statement.groups:
        if statement.limit == 1 and statement.measures == (COUNT,):
            yield surely(statement)  # "who has the most?", "how many?": the number of that one
        return
    if is_cut(c.base) and the_set(c.base) is None:
        return
    cost = 0.0 if in_so_many_words else AS_A_NUMBER_OF_THEM
    yield alone(tree.Aggregate((COUNT,), tree.Name(c.base.entity.plural), the_set(c.base)), cost)


def counted_in_each(c: Content) -> Iterator[Meaning]:
    """`and the number of orders?`, behind the revenue by category: of each category as well."""
    before = c.base.statement if c.base is not None else None
    if c.base is None or not isinstance(before, tree.Aggregate) or not before.groups or not c.said.goes_on:
        return
    p, name = c.p, tree.Name(c.base.entity.plural)
    for start in p.phrases(c.at, english.NUMBER_OF):
        for noun in p.starting(start, EntityWord):
            if noun.payload.entity == c.base.entity.name and finished(p, noun.end):
                yield surely(tree.Aggregate((COUNT,), name, before.where, before.groups), noun.cost)


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
    for start in (end for begin in range(c.at + 1) for end in p.phrases(begin, english.TOTALS_BY)):
        for by in groups(p, start, entity):
            where = the_set(c.base)
            if finished(p, by.end) and (where is not None or not is_cut(c.base)):
                for ref, cost in amounts_of(entity):
                    measured = tree.Measure("sum", path(*ref.path))
                    yield surely(tree.Aggregate((measured,), tree.Name(entity.plural), where, by.value), by.cost + cost)
    if any(c.whole(english.OF_EACH, start) for start in range(c.at + 1)):
        yield from _by_what_was_said(c)
        return
    starts = list(p.phrases(c.at, english.GROUPING_THOSE))
    begins = (end for begin in range(c.at + 1) for end in p.phrases(begin, english.WHICH_GROUPS))
    starts += [end for end in begins if _all_of_a_field(c, end)]
    if p.word(c.at) in words("monthly yearly weekly daily quarterly annually"):
        starts.append(c.at)
    for start in starts:
        for by in (*groups(p, start, entity), *last_words(p, start, entity)):
            behind = next((end for end in p.phrases(by.end, english.ARE_THOSE) if finished(p, end)), by.end)
            by = by._replace(end=behind)
            order = next((falling for end, falling in orders(p, p.past(by.end, (",",))) if finished(p, end)), None)
            if not finished(p, by.end) and order is None:
                continue
            if order is not None and start == c.at + 1 and p.word(c.at) == "by" and _are_numbers(c, by.value):
                continue  # "by size, smallest first" puts things in order
            measures = before.measures if isinstance(before, tree.Aggregate) else (COUNT,)
            where = the_set(c.base)
            if where is None and is_cut(c.base):
                continue
            old = before.groups if isinstance(before, tree.Aggregate) else ()
            if c.said.mode == "add" and isinstance(before, tree.Aggregate) and before.groups:
                yield alone(replace(before, groups=(*old, *by.value), sort=(), limit=None), by.cost)
                continue
            notes = ("Grouped anew, not as before.",) if old else ()
            sort = () if order is None else (tree.SortKey(bare_measure(measures[0]), order),)
            rows = tree.Aggregate(measures, tree.Name(entity.plural), where, by.value, sort=sort)
            yield alone(rows, by.cost, *notes)


def _are_numbers(c: Content, groups: tuple[tree.Group, ...]) -> bool:
    """Whether rows of a list would be by numbers as they are, of which there are as many as things."""
    assert c.base is not None
    fields = [field_of(c.base.entity, one.path) for one in groups if one.function is None]
    return isinstance(c.base.statement, tree.Find) and any(
        field is not None and (is_number(FieldRef((field.name,), field)) or field.kind is FieldKind.DATE)
        for field in fields
    )


def _all_of_a_field(c: Content, at: int) -> bool:
    """`which vendors?`, `who are the owners?`: a field in the plural, of values that are few enough to be told."""
    assert c.base is not None
    for one in c.p.starting(at, FieldWord):
        ref = one.payload.ref
        ends = {one.end, *c.p.phrases(one.end, english.ARE_THOSE)}
        told = ref.field.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) or ref.field.reference is not None
        if told and c.p.plural(one.end) and has_field(c.base.entity, ref) and any(finished(c.p, end) for end in ends):
            return True
    return False


def _by_what_was_said(c: Content) -> Iterator[Meaning]:
    """`how many of each?`, behind what is one of several values: in groups of these."""
    base = c.base
    where = the_set(base) if base is not None else None
    if base is None or where is None:
        return
    several = [found for one in parts(base.statement.where) if (found := _several_values(one, base.entity)) is not None]
    if len(several) == 1:
        yield surely(tree.Aggregate((COUNT,), tree.Name(base.entity.plural), where, (several[0],)))


def _several_values(condition: Condition, entity: Entity) -> tree.Group | None:
    """The group by the field that a condition gives several values for."""
    items = condition.items if isinstance(condition, tree.Or) else (condition,)
    slot = slot_of(condition, entity)
    field = entity.fields.get(slot[0]) if slot is not None and len(slot) == 1 else None
    lists = [one for one in items if isinstance(one, tree.Comparison) and isinstance(one.right, tree.ListValue)]
    if field is None or not (lists or len(items) > 1):
        return None
    values = lists[0].right.items if lists and isinstance(lists[0].right, tree.ListValue) else [
        one.right for one in items if isinstance(one, tree.Comparison)]  # fmt: skip
    if field.kind is not FieldKind.DATE:
        return tree.Group(path(field.name))
    years = all(isinstance(one, tree.Number) or str(getattr(one, "text", "")).isdecimal() for one in values)
    return tree.Group(path(field.name), "year") if years and values else None


def measured_again(c: Content) -> Iterator[Meaning]:
    """`and the total amount?`, `what's the average?`: of the things spoken of."""
    if c.base is None or c.said.mode not in ("", "narrow", "replace"):
        return
    p, entity, before = c.p, c.base.entity, c.base.statement
    start = p.past(c.at, words("the what whats is 's a was are show me give tell calculate compute get our my their"))
    where = the_set(c.base)
    if where is None and is_cut(c.base):
        return
    name = tree.Name(entity.plural)
    old = before.groups if isinstance(before, tree.Aggregate) else ()
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        own = ref.field.unit_field is not None and has_field(entity, ref) and finished(p, lexeme.end)
        if own and (not p.plural(lexeme.end) or p.word(start - 1) == "total"):
            yield alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), lexeme.cost + 0.1)
    for ref, cost in come_to(c):
        yield alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), cost)
    for ref, cost in costing(c):
        yield surely(tree.Aggregate((tree.Measure("avg", path(*ref.path)),), name, where, old), cost)
    for ref, cost in of_all_together(p, c.at, entity, english.ALL_TOGETHER):
        yield surely(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), cost)
    for ref, cost in of_all_together(p, c.at, entity, english.ON_AVERAGE):
        yield surely(tree.Aggregate((tree.Measure("avg", path(*ref.path)),), name, where, old), cost)
    spoken = [(p.phrase(start, *sequence), function) for sequence, function in plain.MEASURES.items()]
    spoken += [(end, "avg") for end in p.phrases(start, english.AVERAGED)]
    for end, function in spoken:
        if end is None:
            continue
        for lexeme in p.starting(p.articles(end), FieldWord):
            ref = lexeme.payload.ref
            dated = ref.kind is FieldKind.DATE and function in ("min", "max")
            if ref.within is None and has_field(entity, ref) and (is_number(ref) or dated):
                behind = p.past(lexeme.end, words("of for all in among"))
                if finished(p, behind) or _those_at(p, behind):
                    measure = tree.Measure(function, path(*ref.path))
                    yield alone(tree.Aggregate((measure,), name, where, old), lexeme.cost)
        if function in ("avg", "median") and isinstance(before, tree.Find) and finished(p, end):
            for ref, cost in amounts_of(entity):
                measured = tree.Measure(function, path(*ref.path))
                yield alone(tree.Aggregate((measured,), name, where), cost)
        asked = before.measures[0] if isinstance(before, tree.Aggregate) else None
        if asked is not None and asked.path is not None and finished(p, end) and asked.function != function:
            yield alone(tree.Aggregate((tree.Measure(function, asked.path),), name, where, old), 0.1)


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
