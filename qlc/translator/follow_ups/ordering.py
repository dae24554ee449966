"""The order and the number of what was found: `newest first`, `just the top 2`, `the other way round`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from qlc.grammar import parse, tree
from qlc.grammar.tree import walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, counts, counts_at, surely
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.measures import spoken_of
from qlc.translator.follow_ups.merging import is_cut, of_the_whole, the_set
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import is_number, principal
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.nouns.clauses import sort_key
from qlc.translator.rules.nouns.degrees import asked_of, fields_of_dimension, numbers_of_dimension
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stems
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key, tokenize


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
            top = any(p.word(i) == "top" for i in range(c.at, start))
            if isinstance(before, tree.Aggregate):
                if not before.groups:
                    return
                rows = _first_rows(before, number)
                yield from (alone(one) for one in (_from_the_top(rows, base) if top else (rows,)))
            else:
                anew = before.offset is None or any(p.word(i) in ("top", "first") for i in range(c.at, start))
                offset = None if anew else before.offset
                cut = replace(before, limit=number, offset=offset)
                yield from (alone(one) for one in (_from_the_top(cut, base) if top else (cut,)))


S = TypeVar("S", tree.Find, tree.Aggregate)


def _from_the_top(cut: S, base: Base) -> Iterator[S]:
    """`only the top 3`, of what is sorted by a number, rising: the three of the largest number, or the first three
    as well where the smallest were asked for first."""
    key = cut.sort[0].key if len(cut.sort) == 1 and not cut.sort[0].descending else None
    field = field_of(base.entity, key) if isinstance(key, tree.Path) else None
    number = isinstance(key, tree.Measure) or key == path("count") or (
        field is not None and is_number(FieldRef((field.name,), field)))  # fmt: skip
    if number:
        yield replace(cut, sort=(replace(cut.sort[0], descending=True),))
    if not number or any(token.text in _RISING for token in tokenize(base.earlier.turn.text)):
        yield cut


_RISING = words("first asc ascending increasing rising up") | {
    word for word, (_, falling) in plain.SUPERLATIVES.items() if not falling}  # fmt: skip


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
        own = all(group.function is None for group in before.groups)
        if own and not before.sort and before.limit is None and c.whole(english.REVERSING):
            # the largest came first by itself
            yield alone(replace(before, sort=(tree.SortKey(bare_measure(before.measures[0])),)))
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
            if p.word(after) in ("count", "number"):
                keys.append((after + 1, measure if measure.function == "count" else COUNT))
            elif p.word(after) in ("total", "value", "amount", "size") or any(
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
    stems(name_key(base.earlier.turn.text))
    for one in walked(statement.where):
        many = base.entity.lists.get(one.segments[0].name.text) if isinstance(one, tree.Path) else None
        if many is None or not any(each.kind is FieldKind.DATE for each in many.fields.values()):
            continue
    return said


# --- the first of them -----------------------------------------------------------------------------------------------

_LINKS = plain.LIGHT_VERBS | plain.COPULAS | words("the which does it its")
_HOW_OFTEN = words("common frequent often numerous usual popular")
_NUMBER_OF = words("number of total amount count")
_AFTER = words("of in among them those these all one ones it only")


def degree(p: Parse, at: int) -> Iterator[tuple[int, str, bool]]:
    """`largest`, `most expensive`: where it ends, the dimension, and whether the most comes first."""
    word = p.word(at)
    if word in ("most", "least") and p.word(at + 1) in plain.MOST_ADJECTIVES:
        yield at + 2, plain.MOST_ADJECTIVES[p.word(at + 1)], word == "most"
    elif word in ("most", "least") and p.word(at + 1) in _HOW_OFTEN:
        yield at + 2, "number", word == "most"
    elif word in plain.SUPERLATIVES:
        yield at + 1, *plain.SUPERLATIVES[word]
    elif word == "bottom":
        yield at + 1, "number", False


_HIGHEST = words("highest lowest maximum minimum max min")


def first_of_those(c: Content, base: Base) -> Iterator[Meaning]:
    """`which one is the largest?`, `which of them expires first?`; of rows `which one has the most?`."""
    p, before = c.p, base.statement
    if isinstance(before, tree.Aggregate):
        lead = p.past(c.at, words("show me give the what which is 's just only"))
        # "and the maximum?" asks for another number of each, where a field was measured; "the highest one" does not
        of_rows = p.word(lead + 1) in (english.ONE | english.ONES) or any(counts_at(p, lead + 1))
        if before.measures[0].path is None or (p.word(lead),) not in plain.MEASURES or of_rows:
            yield from _first_row(c, base, lead, before)
    for start in range(c.at + 1):
        for lead in p.phrases(start, english.WHICH_OF_THEM):
            for at in {lead, *_after_the_group(c, base, lead)}:
                if isinstance(before, tree.Aggregate):
                    yield from _first_row(c, base, p.past(at, _LINKS), before)
                else:
                    single = not p.plural(lead) and p.word(lead - 1) != "ones"
                    yield from _first_hit(c, base, at, before, single=single)
    start = p.past(c.at, words("the"))
    if c.said.cued and isinstance(before, tree.Find) and any(spoken_of(base)) and p.word(start) in _HIGHEST:
        yield from _first_hit(c, base, start, before, single=True)  # "and the highest?"


def _after_the_group(c: Content, base: Base, at: int) -> Iterator[int]:
    """`which carrier has the most?`, of rows by carrier: after the noun."""
    before = base.statement
    if not isinstance(before, tree.Aggregate) or len(before.groups) != 1:
        return
    field = field_of(base.entity, before.groups[0].path)
    for lexeme in c.p.starting(at, FieldWord):
        if field is not None and lexeme.payload.ref.field == field:
            yield lexeme.end
    for noun in c.p.starting(at, EntityWord):
        if field is not None and field.reference is not None and field.reference.entity == noun.payload.entity:
            yield noun.end
    if before.groups[0].function is not None and plain.CALENDAR.get(c.p.word(at)) == before.groups[0].function:
        yield at + 1


# --- rows ------------------------------------------------------------------------------------------------------------


def _first_row(c: Content, base: Base, at: int, before: tree.Aggregate) -> Iterator[Meaning]:
    if not before.groups or before.having is not None:
        return
    for end, dimension, falling, limit in _degree_and_number(c.p, at):
        nouns = {end, c.p.past(end, words("group groups row rows bucket line")), *_after_the_group(c, base, end)}
        found = [one for noun in nouns for one in measured_by(c.p, base, noun, dimension, before)]
        for measure, after in found:
            if finished(c.p, c.p.past(after, _AFTER)):
                measures = before.measures if measure in before.measures else (measure,)
                sort = (tree.SortKey(bare_measure(measure), falling),)
                yield surely(replace(before, measures=measures, sort=sort, limit=limit, offset=None))


def _degree_and_number(p: Parse, at: int) -> Iterator[tuple[int, str, bool, int]]:
    """`lowest`, `3 lowest`, `lowest 3`: a degree and how many are wanted."""
    for begin, number in ((at, 1), *counts_at(p, at)):
        for end, dimension, falling in degree(p, begin):
            yield end, dimension, falling, number
            if begin == at and p.word(at) != "top":  # "top 3" keeps the order that there is
                yield from ((after, dimension, falling, limit) for after, limit in counts_at(p, end) if limit)


def measured_by(
    p: Parse, base: Base, at: int, dimension: str, before: tree.Aggregate
) -> Iterator[tuple[tree.Measure, int]]:
    """What is measured of rows by a degree and the noun after it, and where that ends: `most`, `most flights`."""
    measure = before.measures[0]
    noun = p.past(at, _NUMBER_OF)
    if dimension in ("number", "size"):
        yield measure, noun
        for lexeme in p.starting(noun, EntityWord):
            if lexeme.payload.entity == base.entity.name:
                yield (measure if measure.function == "count" else COUNT), lexeme.end
    elif measure.path is not None:
        # "cheapest" of what was measured by its price
        fields = [ref.path for ref in fields_of_dimension(base.entity, dimension)]
        if tuple(segment.name.text for segment in measure.path.segments) in fields:
            yield measure, noun
    for word in p.starting(noun, FieldWord):
        if measure.path is not None and path(*word.payload.ref.path) == measure.path:
            yield measure, word.end


# --- hits ------------------------------------------------------------------------------------------------------------


def _first_hit(c: Content, base: Base, at: int, before: tree.Find, *, single: bool) -> Iterator[Meaning]:
    p = c.p
    start = p.past(at, _LINKS)
    numbers = [(start, None), *counts_at(p, start)]
    for begin, number in numbers:
        limit = number if number is not None else 1 if single else None
        for end, dimension, falling in degree(p, begin):
            for key, after, cost in _keys(p, end, dimension, base.entity, spoken_of(base)):
                if finished(p, p.past(after, _AFTER)):
                    yield from _in_order(base, before, tree.SortKey(key, falling), limit, cost)
    for begin in {at, start}:
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            last = english.FIRST_OR_LAST.get(p.word(lexeme.end))
            ordered = ref.kind is FieldKind.DATE and has_field(base.entity, ref)
            if last is not None and ordered and finished(p, p.past(lexeme.end + 1, _AFTER)):
                yield from _in_order(base, before, tree.SortKey(path(*ref.path), last), 1 if single else None)


ANOTHER_OF_IT = 0.4
"""What it costs to mean another amount of money than the usual one: the usual one, where the things have it."""


def _keys(
    p: Parse, at: int, dimension: str, entity: Entity, spoken: tuple[list[FieldRef], list[FieldRef]] = ([], [])
) -> Iterator[tuple[tree.Path, int, float]]:
    """What things are put in order by: a degree alone, or the field after it; where it ends, and what it costs.

    `highest` alone is of the number that the search speaks of, where it speaks of one.
    """
    named = False
    for noun in {at, p.past(at, _NUMBER_OF)}:
        for lexeme in p.starting(noun, FieldWord):
            ref = lexeme.payload.ref
            if ref.within is None and has_field(entity, ref) and (is_number(ref) or ref.kind is FieldKind.DATE):
                named = True
                yield path(*ref.path), lexeme.end, 0.0
        for counted in p.starting(noun, EntityWord):
            fields = [one for one in entity.fields.values() if counts(one.words, p.raw(counted.start, counted.end))]
            if len(fields) == 1:
                named = True
                yield path(fields[0].name), counted.end, 0.0
    if not named:
        said = (spoken[0] or spoken[1]) if dimension == "number" else asked_of(p.before, entity, dimension)
        usual = said or fields_of_dimension(entity, dimension)
        yield from ((path(*ref.path), at, 0.0) for ref in usual)
        if dimension in ("money", "worth"):
            further = principal(numbers_of_dimension(entity, "money"))
            yield from ((path(*ref.path), at, ANOTHER_OF_IT) for ref in further if ref not in usual)


def _in_order(
    base: Base, before: tree.Find, key: tree.SortKey, limit: int | None, cost: float = 0.0
) -> Iterator[Meaning]:
    base = of_the_whole(base)
    where = the_set(base)
    if where is None and is_cut(base):
        return
    yield surely(tree.Find(before.entity, where, (key,), limit, None, before.show, before.every), cost)
