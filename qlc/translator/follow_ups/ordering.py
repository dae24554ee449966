"""The order and the number of what was found: `newest first`, `just the top 2`, `the other way round`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import parse, tree
from qlc.grammar.walk import walked
from qlc.mapping.fields import FieldKind
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, counts_at, surely
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.merging import is_cut
from qlc.translator.follow_ups.ranking import degree, measured_by
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.nouns.clauses import sort_key
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem, stems
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key


def limited(c: Content, base: Base) -> Iterator[Meaning]:
    """`just the top 2`, `first 5 only`, `all of them`."""
    p, before = c.p, base.statement
    if c.said.mode == "replace":
        yield from _another_limit(c.p, c.at, before)
        return
    if c.whole(english.WITHOUT_LIMIT) and before.limit is not None:
        yield alone(replace(before, limit=None, offset=None), 0.0, "Left out: the limit.")
        return
    start = p.past(c.at, english.LIMITING)
    if start == c.at and c.said.mode != "narrow":
        return
    if any(p.word(i) == "last" for i in range(start)):
        return
    if p.word(start) in english.ONE and p.word(start - 1) in english.DEMONSTRATIVES:
        return  # "show me that one" is one that was spoken of, and not any
    for end, number in counts_at(p, start):
        if number in YEARS and len(p.word(start)) == 4:
            continue  # rather a year
        if 0 < number <= 10_000 and finished(p, p.past(end, english.LIMITED)):
            if isinstance(before, tree.Aggregate):
                if not before.groups:
                    return
                yield alone(_first_rows(before, number))
            else:
                anew = before.offset is None or any(p.word(i) in ("top", "first") for i in range(c.at, start))
                offset = None if anew else before.offset
                yield alone(replace(before, limit=number, offset=offset))


def _another_limit(p: Parse, at: int, before: tree.Find | tree.Aggregate) -> Iterator[Meaning]:
    """`make it ten`, `top 3 instead`, after the first five."""
    for end, number in counts_at(p, p.past(at, english.LIMITING)) if before.limit is not None else ():
        if 0 < number <= MOST_LIMITED and finished(p, p.past(end, english.LIMITED)):
            yield alone(replace(before, limit=number, offset=None))


MOST_LIMITED = 1_000
"""Numbers up to which `make it 50` is rather how many are wanted."""


def _first_rows(before: tree.Aggregate, number: int) -> tree.Aggregate:
    """The first rows, in the order of the first measure where the rows have another by themselves."""
    own_order = any(group.function not in (None,) for group in before.groups)
    sort = before.sort
    if own_order and not sort:
        sort = (tree.SortKey(bare_measure(before.measures[0]), True),)
    return replace(before, limit=number, sort=sort)


def bare_measure(measure: tree.Measure) -> tree.Measure:
    return tree.Measure(measure.function, measure.path, measure.argument, measure.condition)


def reordered(c: Content, base: Base) -> Iterator[Meaning]:
    """`the other way round`, `unsorted`; of rows `highest first`, `by count`, `alphabetically`."""
    before = base.statement
    if c.whole(english.WITHOUT_ORDER) and before.sort:
        yield alone(replace(before, sort=()), 0.0, "Left out: the order.")
    if c.whole(english.REVERSING) and before.sort and before.limit is None:
        keys = tuple(replace(key, descending=not key.descending) for key in before.sort)
        yield alone(replace(before, sort=keys))
    if isinstance(before, tree.Aggregate) and before.groups:
        yield from _rows_in_order(c, base, before)
    if isinstance(before, tree.Find) and not is_cut(base):
        yield from _hits_in_order(c, base, before)


def _hits_in_order(c: Content, base: Base, before: tree.Find) -> Iterator[Meaning]:
    """`longest delay first`, `most expensive first`, `biggest file first`."""
    p = c.p
    for one in noun_phrase(p, c.at):
        alone_there = one.value.where is None and one.value.entity == base.entity.name
        if one.value.sort and alone_there and p.word(one.end) == "first" and finished(p, one.end + 1):
            yield surely(replace(before, sort=one.value.sort), one.cost)
    for end, dimension, falling in degree(p, c.at):
        keys = [(ref, end, 0.0) for ref in fields_of_dimension(base.entity, dimension)] if end > c.at + 1 else []
        keys += [(lexeme.payload.ref, lexeme.end, lexeme.cost) for lexeme in p.starting(end, FieldWord)]
        for ref, after, cost in keys:
            ordered = is_number(ref) or ref.kind is FieldKind.DATE
            if ordered and has_field(base.entity, ref) and p.word(after) == "first" and finished(p, after + 1):
                yield alone(replace(before, sort=(tree.SortKey(path(*ref.path), falling),)), cost)


def in_its_direction(statement: tree.Find, c: Content) -> tree.Find:
    """`and by downloads`, after `most viewed first`: the most first as well, where nothing else is said."""
    before = c.base.statement if c.base is not None else None
    falls = isinstance(before, tree.Find) and bool(before.sort) and before.sort[0].descending
    said = {token.text for token in c.p.tokens[c.at : c.p.end]}
    says_how = bool(said & (_OF_A_DIRECTION | plain.SUPERLATIVES.keys()))
    if c.base is None or not falls or len(statement.sort) != 1 or says_how:
        return statement
    key = statement.sort[0]
    field = field_of(c.base.entity, key.key) if isinstance(key.key, tree.Path) else None
    ordered = field is not None and (is_number(FieldRef((field.name,), field)) or field.kind is FieldKind.DATE)
    return replace(statement, sort=(replace(key, descending=True),)) if ordered else statement


_OF_A_DIRECTION = words("first asc ascending increasing rising up low high chronological chronologically order to down")


def _rows_by_degree(p: Parse, base: Base, at: int, before: tree.Aggregate) -> Iterator[Meaning]:
    """`highest first`, `most flights first`, `newest year first`, of rows by prices `cheapest first`."""
    group = before.groups[0]
    for end, dimension, falling in degree(p, at):
        for measure, finish in measured_by(p, base, end, dimension, before):
            if p.word(finish) == "first" and finished(p, finish + 1):
                measures = before.measures if measure in before.measures else (measure,)
                yield alone(replace(before, measures=measures, sort=(tree.SortKey(bare_measure(measure), falling),)))
        if dimension in plain.OF_DATES and group.function in _CALENDAR:
            finish = end + 1 if plain.CALENDAR.get(p.word(end)) == group.function else end
            if p.word(finish) == "first" and finished(p, finish + 1):
                yield alone(replace(before, sort=(tree.SortKey(tree.Path((tree.Segment(tree.Name(group.function)),)),
                                                               falling),)))  # fmt: skip


_CALENDAR = ("year", "quarter", "month", "week", "day", "hour")


def orders(p: Parse, at: int) -> Iterator[tuple[int, bool]]:
    for table, falling in ((plain.DESCENDING, True), (plain.ASCENDING, False)):
        yield from ((end, falling) for end in p.phrases(at, table))


def _rows_in_order(c: Content, base: Base, before: tree.Aggregate) -> Iterator[Meaning]:
    p = c.p
    starts = {c.at, *p.phrases(c.at, english.SORTING_THOSE)}
    measure = bare_measure(before.measures[0])
    for start in starts:
        for end, falling in orders(p, p.past(start, (",", "the"))):
            if finished(p, end) and p.word(end - 1) != "first":
                yield alone(replace(before, sort=(tree.SortKey(measure, falling),)))
        yield from _rows_by_degree(p, base, p.past(start, (",", "the", "with")), before)
        for end in p.phrases(start, plain.ALPHABETICALLY):
            if finished(p, end) and before.groups[0].function is None:
                yield alone(replace(before, sort=(tree.SortKey(tree.Path(before.groups[0].path.segments[-1:])),)))
        keys: list[tuple[int, tree.Measure | tree.Path]] = []
        if start > c.at:
            after = p.articles(start)
            if p.word(after) in ("count", "number", "total", "value", "amount", "size") or any(
                p.phrase(after, *sequence) and function == measure.function
                for sequence, function in plain.MEASURES.items()
            ):
                keys.append((after + 1, measure))
            for one in sort_key(p, after, base.entity):
                if one.value == before.groups[0].path:
                    keys.append((one.end, tree.Path(one.value.segments[-1:])))
                elif one.value == measure.path:
                    keys.append((one.end, measure))
        for end, key in keys:
            if finished(p, end):
                yield alone(replace(before, sort=(tree.SortKey(key, isinstance(key, tree.Measure)),)), 0.05)
            for finish, falling in orders(p, p.past(end, (",",))):
                if finished(p, finish):
                    yield alone(replace(before, sort=(tree.SortKey(key, falling),)))


OF_THE_THINGS = "Sorted by '{0}' of the {1}, not by when the {2} are from."


def with_note_on_order(said: Translated, base: Base | None) -> Translated:
    """A list that is put in order now by a date of the things, with a note where their parts have a date as well and
    were asked for by their noun."""
    statement = parse(said.program).statement
    if base is None or not isinstance(statement, tree.Find) or not isinstance(base.statement, tree.Find):
        return said
    if not statement.sort or statement.sort == base.statement.sort or not isinstance(statement.sort[0].key, tree.Path):
        return said
    field = field_of(base.entity, statement.sort[0].key)
    if field is None or field.kind is not FieldKind.DATE or statement.where is None:
        return said
    spoken = stems(name_key(base.earlier.turn.text))
    for one in walked(statement.where):
        many = base.entity.lists.get(one.segments[0].name.text) if isinstance(one, tree.Path) else None
        if many is None or not any(each.kind is FieldKind.DATE for each in many.fields.values()):
            continue
        if stem(many.name) in spoken:
            note = OF_THE_THINGS.format(spaced(field.name), spaced(base.entity.plural), spaced(many.name))
            return replace(said, notes=(*said.notes, note))
    return said
