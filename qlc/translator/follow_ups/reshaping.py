"""The things spoken of in another form: counted, listed, in groups, measured, as another part of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, counts, surely
from qlc.translator.follow_ups.editing import field_of, slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.measures import OF_ALL, spoken_of
from qlc.translator.follow_ups.merging import is_cut, the_set
from qlc.translator.follow_ups.ordering import bare_measure, orders
from qlc.translator.in_words import spaced
from qlc.translator.rules.build import parts, path
from qlc.translator.rules.conditions import default_number, is_number, numbers_of, of_money
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.nouns.clauses import groups
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.nouns.noun_phrases import THOSE, noun_phrase
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import Phrases, words

AS_A_NUMBER_OF_THEM = 0.35
"""What it costs to mean by `the total` how many there are, and not what they come to."""


def counted_again(c: Content, base: Base) -> Iterator[Meaning]:
    """`how many is that?`; `the total`, where nothing can be added up, or it is not said which of several amounts."""
    if is_cut(base) and c.whole(english.COUNTING_ALL):
        yield surely(tree.Aggregate((COUNT,), tree.Name(base.entity.plural), base.statement.where))
        return
    in_so_many_words = c.whole(english.COUNTING_THOSE)
    if not in_so_many_words and not c.whole(english.THE_TOTAL):
        return
    amounts = any(map(of_money, numbers_of(base.entity))) and default_number(base.entity) is None
    if amounts and c.whole(english.BARE_TOTAL):
        return
    statement = base.statement
    if isinstance(statement, tree.Aggregate) and statement.groups:
        if in_so_many_words and statement.limit == 1 and statement.measures == (COUNT,):
            yield surely(statement)  # "who has the most?", "how many?": the number of that one
        return
    if is_cut(base) and the_set(base) is None:
        return
    cost = 0.0 if in_so_many_words else AS_A_NUMBER_OF_THEM
    yield alone(tree.Aggregate((COUNT,), tree.Name(base.entity.plural), the_set(base)), cost)


def listed_again(c: Content, base: Base) -> Iterator[Meaning]:
    """`which ones are they?`, after a number; `list them`, after a list or what was not done to them: as they are."""
    before = base.statement
    if isinstance(before, tree.Find) and c.whole(english.LISTING_THOSE):
        yield surely(before)
    if not isinstance(before, tree.Aggregate) or not c.anywhere(english.LISTING_THOSE):
        return
    if before.having is not None or before.limit is not None or before.where is None:
        return
    yield alone(tree.Find(tree.Name(base.entity.plural), before.where))


def grouped(c: Content, base: Base) -> Iterator[Meaning]:
    """`break that down by owner`, `per year please`."""
    p, entity, before = c.p, base.entity, base.statement
    for start in (end for begin in range(c.at + 1) for end in p.phrases(begin, english.TOTALS_BY)):
        for by in (*groups(p, start, entity), *last_words(p, start, entity)):
            where = the_set(base)
    if c.anywhere(english.OF_EACH):
        yield from _by_what_was_said(base)
        return
    starts = list(p.phrases(c.at, english.GROUPING_THOSE))
    begins = (end for begin in range(c.at + 1) for end in p.phrases(begin, english.WHICH_GROUPS))
    starts += [end for end in begins if _all_of_a_field(c, base, end)]
    if p.word(c.at) in words("monthly yearly weekly daily quarterly annually"):
        starts.append(c.at)
    for start in starts:
        for by in (*groups(p, start, entity), *last_words(p, start, entity)):
            after = next((end for end in p.phrases(by.end, english.ARE_THOSE) if finished(p, end)), by.end)
            by = by._replace(end=after)
            order = next((falling for end, falling in orders(p, p.past(by.end, (",",))) if finished(p, end)), None)
            if not finished(p, by.end) and order is None:
                continue
            if order is not None and start == c.at + 1 and p.word(c.at) == "by" and _are_numbers(base, by.value):
                continue  # "by size, smallest first" puts things in order
            measures = before.measures if isinstance(before, tree.Aggregate) else (COUNT,)
            where = the_set(base)
            if where is None and is_cut(base):
                continue
            old = before.groups if isinstance(before, tree.Aggregate) else ()
            if c.said.mode == "add" and isinstance(before, tree.Aggregate) and before.groups:
                yield alone(replace(before, groups=(*old, *by.value), sort=(), limit=None), by.cost)
                continue
            notes = ("Grouped in this way only, not as before.",) if old else ()
            sort = () if order is None else (tree.SortKey(bare_measure(measures[0]), order),)
            rows = tree.Aggregate(measures, tree.Name(entity.plural), where, by.value, sort=sort)
            yield alone(rows, by.cost, *notes)


def _are_numbers(base: Base, groups: tuple[tree.Group, ...]) -> bool:
    """Whether rows of a list would be by numbers as they are, of which there are as many as things."""
    fields = [field_of(base.entity, one.path) for one in groups if one.function is None]
    return isinstance(base.statement, tree.Find) and any(
        field is not None and (is_number(FieldRef((field.name,), field)) or field.kind is FieldKind.DATE)
        for field in fields
    )


def _all_of_a_field(c: Content, base: Base, at: int) -> bool:
    """`which vendors?`, `who are the owners?`: a field in the plural, of values that are few enough to be reported."""
    for one in c.p.starting(at, FieldWord):
        ref = one.payload.ref
        ends = {one.end, *c.p.phrases(one.end, english.ARE_THOSE)}
        closed = ref.field.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) or ref.field.reference is not None
        if closed and c.p.plural(one.end) and has_field(base.entity, ref) and any(finished(c.p, end) for end in ends):
            return True
    return False


def _by_what_was_said(base: Base) -> Iterator[Meaning]:
    """`how many of each?`, after what is one of several values: in groups of these."""
    where = the_set(base)
    if where is None:
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


def measured_again(c: Content, base: Base) -> Iterator[Meaning]:
    """`and the total amount?`, `what's the average?`: of the things spoken of."""
    p, entity, before = c.p, base.entity, base.statement
    start = p.past(c.at, words("the what whats is 's a was are show me give tell calculate compute get our my their"))
    where = the_set(base)
    if where is None and is_cut(base):
        return
    name = tree.Name(entity.plural)
    old = before.groups if isinstance(before, tree.Aggregate) else ()
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        own = ref.field.unit_field is not None and has_field(entity, ref) and finished(p, lexeme.end)
        if own and (not p.plural(lexeme.end) or p.word(start - 1) == "total"):
            yield alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), lexeme.cost + 0.1)
    for ref, cost in _coming_to(c, base):
        yield alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), cost)
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
                after = p.past(lexeme.end, words("of for all in among"))
                if finished(p, after) or _those_at(p, after):
                    measure = tree.Measure(function, path(*ref.path))
                    yield alone(tree.Aggregate((measure,), name, where, old), lexeme.cost)
        of_those = any(finished(p, after) for after in (end, *p.phrases(end, english.OF_THOSE)))
        asked = before.measures[0] if isinstance(before, tree.Aggregate) else None
        if asked is not None and asked.path is not None and of_those and asked.function != function:
            measured = tree.Measure(function, asked.path)
            of_each = tree.Aggregate((measured,), name, where, old)
            if old and not finished(p, end):  # `of those`: of the things in each row, or of all
                yield surely(replace(of_each, groups=()), 0.1, OF_ALL.format(entity.plural))
                yield surely(of_each, 0.1)
            yield alone(of_each, 0.1)


def _coming_to(c: Content, base: Base) -> Iterator[tuple[FieldRef, float]]:
    """What is added up by `how much is that?`, `what did we spend?`, and after a list `and altogether?`"""
    rows = isinstance(base.statement, tree.Aggregate) and base.statement.groups
    if not c.anywhere(english.SPENDING):
        if not (c.anywhere(english.COMING_TO) or (not rows and c.anywhere(english.MUCH_IN_ALL))):
            if isinstance(base.statement, tree.Find) and c.anywhere(english.IN_ALL):
                asked, bounded = spoken_of(base)
                yield from ((ref, 0.0) for ref in dict.fromkeys((*asked, *bounded)))


def _those_at(p: Parse, at: int) -> bool:
    """Whether the rest is a word for the things spoken of."""
    return any(one.value.where == THOSE and finished(p, one.end) for one in noun_phrase(p, at))


# --- numbers ---------------------------------------------------------------------------------------------------------


def of_all_together(p: Parse, at: int, entity: Entity, table: Phrases) -> Iterator[tuple[FieldRef, float]]:
    """`how many pages do they have in total?`, `on average`: the number of that name, of all of them."""
    for start in p.phrases(at, english.HOW_MANY):
        for noun in p.starting(start, EntityWord):
            counted = [one for one in entity.fields.values() if counts(one.words, p.raw(noun.start, noun.end))]
            if len(counted) == 1 and any(finished(p, end) for end in p.phrases(noun.end, table)):
                yield FieldRef((counted[0].name,), counted[0]), noun.cost
        for lexeme in p.starting(start, FieldWord):
            ref = lexeme.payload.ref
            if ref.within is not None or not has_field(entity, ref) or not is_number(ref):
                continue
            if any(finished(p, end) for end in p.phrases(lexeme.end, table)):
                yield ref, lexeme.cost
    how = p.past(at, plain.AND)
    dimension = plain.DEGREES.get(p.word(how + 1)) if p.word(how) == "how" else None
    if (
        dimension is not None
        and p.word(how + 1) != "much"
        and any(finished(p, end) for end in p.phrases(how + 2, table))
    ):
        fields = fields_of_dimension(entity, dimension)
        yield from ((ref, 0.0) for ref in fields if len(fields) == 1 and is_number(ref))


_GROUPED = (FieldKind.KEYWORD, *NUMERIC, FieldKind.DATE)


SEVERAL_ARE_CALLED_SO = 0.2
"""What it costs to group by a field that shares its last word with others."""


def last_words(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`by city`, where flights have an origin city and a dest city: by either, which is then asked about."""
    start = p.articles(at)
    word = p.word(start)
    if not word or any(has_field(entity, one.payload.ref) for one in p.starting(start, FieldWord)):
        return
    called = [one for one in entity.fields.values() if one.kind in _GROUPED and not one.sensitive
              and len(spaced(one.name).split()) > 1 and stem(spaced(one.name).split()[-1]) == stem(word)]  # fmt: skip
    for one in called if len(called) > 1 else ():
        yield Found(start + 1, (tree.Group(path(one.name)),), SEVERAL_ARE_CALLED_SO)
