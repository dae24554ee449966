"""The forms of a follow-up: each reads the rest of a text as a change of an earlier program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import dropped, field_of, parts, slot_of, walked, without_those
from qlc.translator.follow_ups.history import Base, Earlier
from qlc.translator.follow_ups.merging import Joined, is_cut, joined, the_set
from qlc.translator.follow_ups.replacing import replaced_bounds, replaced_values
from qlc.translator.follow_ups.speech import Beginning
from qlc.translator.rules import english as plain
from qlc.translator.rules.aggregates import COUNT
from qlc.translator.rules.build import both, compare, member, negation, path
from qlc.translator.rules.clauses import groups, sort_key
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.place import with_all_below
from qlc.translator.rules.morphology import stem
from qlc.translator.rules.names import hierarchical, named
from qlc.translator.rules.nouns import THOSE, noun_phrase
from qlc.translator.rules.numbers import cardinal
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.phrases import Phrases, words
from qlc.translator.rules.questions import FORMS, finished, narrowed


@dataclass(frozen=True, slots=True)
class Meaning:
    """A program that a follow-up may mean: the first of the `ways` that holds together. `changes`: it is the earlier
    program, changed."""

    ways: tuple[Joined, ...]
    cost: float
    changes: bool = True


@dataclass(frozen=True, slots=True)
class Content:
    """The rest of a follow-up behind its beginning, with what it goes on from."""

    p: Parse
    said: Beginning
    base: Base | None
    last: Earlier | None

    @property
    def at(self) -> int:
        return self.said.at

    @property
    def schema(self) -> Schema:
        return self.p.schema

    def whole(self, table: Phrases, at: int | None = None) -> bool:
        """Whether a phrase of a table is all that is left."""
        return any(finished(self.p, end) for end in self.p.phrases(self.at if at is None else at, table))


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


def _alone(statement: Statement, cost: float = 0.0, *notes: str) -> Meaning:
    return Meaning((Joined(statement, notes),), cost)


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
    yield _alone(tree.Aggregate((COUNT,), tree.Name(c.base.entity.plural), the_set(c.base)))


def listed_again(c: Content) -> Iterator[Meaning]:
    """`which ones are they?`, behind a number."""
    if c.base is None or not isinstance(c.base.statement, tree.Aggregate) or c.said.mode not in ("", "narrow"):
        return
    start = next((b for b in range(c.at + 1) if c.whole(english.LISTING_THOSE, b)), None)
    before = c.base.statement
    if start is None or before.having is not None or before.limit is not None or before.where is None:
        return
    yield _alone(tree.Find(tree.Name(c.base.entity.plural), before.where))


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
            order = next((falling for end, falling in _orders(p, p.past(by.end, (",",))) if finished(p, end)), None)
            if not finished(p, by.end) and order is None:
                continue
            measures = before.measures if isinstance(before, tree.Aggregate) else (COUNT,)
            where = the_set(c.base)
            if where is None and is_cut(c.base):
                continue
            old = before.groups if isinstance(before, tree.Aggregate) else ()
            if c.said.mode == "add" and old:
                yield _alone(replace(before, groups=(*old, *by.value), sort=(), limit=None), by.cost)  # type: ignore[arg-type]
                continue
            notes = ("Grouped anew, not as before.",) if old else ()
            sort = () if order is None else (tree.SortKey(_bare_measure(measures[0]), order),)
            rows = tree.Aggregate(measures, tree.Name(entity.plural), where, by.value, sort=sort)
            yield _alone(rows, by.cost, *notes)


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
            yield _alone(tree.Aggregate((tree.Measure("sum", path(*ref.path)),), name, where, old), lexeme.cost + 0.1)
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
                    yield _alone(tree.Aggregate((measure,), name, where, old), lexeme.cost)
        asked = before.measures[0] if isinstance(before, tree.Aggregate) else None
        if asked is not None and asked.path is not None and finished(p, end) and asked.function != function:
            yield _alone(tree.Aggregate((tree.Measure(function, asked.path),), name, where, old), 0.1)  # type: ignore[arg-type]


def _those_at(p: Parse, at: int) -> bool:
    """Whether the rest is a word for the things spoken of."""
    return any(one.value.where == THOSE and finished(p, one.end) for one in noun_phrase(p, at))


# --- order and number ------------------------------------------------------------------------------------------------


def limited(c: Content) -> Iterator[Meaning]:
    """`just the top 2`, `first 5 only`, `all of them`."""
    if c.base is None or c.said.mode not in ("", "narrow"):
        return
    p, before = c.p, c.base.statement
    if c.whole(english.WITHOUT_LIMIT) and before.limit is not None:
        yield _alone(replace(before, limit=None, offset=None), 0.0, "Left out: the limit.")
        return
    start = p.past(c.at, english.LIMITING)
    if start == c.at and c.said.mode != "narrow":
        return
    if any(p.word(i) == "last" for i in range(start)):
        return
    for one in cardinal(p, start):
        number = one.value.value
        if 1900 <= number <= 2100 and len(p.word(start)) == 4:
            continue  # rather a year
        if float(number).is_integer() and 0 < number <= 10_000 and finished(p, p.past(one.end, english.LIMITED)):
            if isinstance(before, tree.Aggregate):
                if not before.groups:
                    return
                yield _alone(_first_rows(before, int(number)))
            else:
                offset = None if before.limit is not None and before.offset is None else before.offset
                yield _alone(replace(before, limit=int(number), offset=offset))


def _first_rows(before: tree.Aggregate, number: int) -> tree.Aggregate:
    """The first rows, in the order of the first measure where the rows have another by themselves."""
    own_order = any(group.function not in (None,) for group in before.groups)
    sort = before.sort
    if own_order and not sort:
        sort = (tree.SortKey(_bare_measure(before.measures[0]), True),)
    return replace(before, limit=number, sort=sort)


def _bare_measure(measure: tree.Measure) -> tree.Measure:
    return tree.Measure(measure.function, measure.path, measure.argument, measure.condition)


def reordered(c: Content) -> Iterator[Meaning]:
    """`the other way round`, `unsorted`; of rows `highest first`, `by count`, `alphabetically`."""
    if c.base is None or c.said.mode not in ("", "narrow"):
        return
    before = c.base.statement
    if c.whole(english.WITHOUT_ORDER) and before.sort:
        yield _alone(replace(before, sort=()), 0.0, "Left out: the order.")
    if c.whole(english.REVERSING) and before.sort and before.limit is None:
        keys = tuple(replace(key, descending=not key.descending) for key in before.sort)
        yield _alone(replace(before, sort=keys))
    if isinstance(before, tree.Aggregate) and before.groups:
        yield from _rows_in_order(c, before)
    if isinstance(before, tree.Find) and c.p.word(c.at) in plain.SUPERLATIVES:
        # "longest delay first"
        for lexeme in c.p.starting(c.at + 1, FieldWord):
            ref, end = lexeme.payload.ref, lexeme.end
            ordered = is_number(ref) or ref.kind is FieldKind.DATE
            if ordered and has_field(c.base.entity, ref) and c.p.word(end) == "first" and finished(c.p, end + 1):
                key = tree.SortKey(path(*ref.path), plain.SUPERLATIVES[c.p.word(c.at)][1])
                if not is_cut(c.base):
                    yield _alone(replace(before, sort=(key,)), lexeme.cost)


def _orders(p: Parse, at: int) -> Iterator[tuple[int, bool]]:
    for table, falling in ((plain.DESCENDING, True), (plain.ASCENDING, False)):
        yield from ((end, falling) for end in p.phrases(at, table))


def _rows_in_order(c: Content, before: tree.Aggregate) -> Iterator[Meaning]:
    p = c.p
    starts = {c.at, *p.phrases(c.at, english.SORTING_THOSE)}
    measure = _bare_measure(before.measures[0])
    for start in starts:
        for table, descending in ((plain.DESCENDING, True), (plain.ASCENDING, False)):
            for end in p.phrases(p.past(start, (",", "the")), table):
                if finished(p, end):
                    yield _alone(replace(before, sort=(tree.SortKey(measure, descending),)))
        for end in p.phrases(start, plain.ALPHABETICALLY):
            if finished(p, end) and before.groups[0].function is None:
                yield _alone(replace(before, sort=(tree.SortKey(tree.Path(before.groups[0].path.segments[-1:])),)))
        keys: list[tuple[int, tree.Measure | tree.Path]] = []
        if start > c.at:
            after = p.articles(start)
            if p.word(after) in ("count", "number", "total", "value", "amount", "size") or any(
                p.phrase(after, *sequence) and function == measure.function
                for sequence, function in plain.MEASURES.items()
            ):
                keys.append((after + 1, measure))
            for one in sort_key(p, after, c.base.entity) if c.base is not None else ():
                if one.value == before.groups[0].path:
                    keys.append((one.end, tree.Path(one.value.segments[-1:])))
                elif one.value == measure.path:
                    keys.append((one.end, measure))
        for end, key in keys:
            if finished(p, end):
                descending = isinstance(key, tree.Measure)
                yield _alone(replace(before, sort=(tree.SortKey(key, descending),)), 0.05)
            for table, falling in ((plain.DESCENDING, True), (plain.ASCENDING, False)):
                for finish in p.phrases(p.past(end, (",",)), table):
                    if finished(p, finish):
                        yield _alone(replace(before, sort=(tree.SortKey(key, falling),)))


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
        for start in range(c.at + 1):
            for end in with_all_below(p, start, ref.target or ""):
                if finished(p, p.past(end, english.BELOW_TOO)):
                    old = inside[0]
                    assert isinstance(old, tree.Comparison)
                    new = compare(old.left, "under" if old.operator == "=" else "under in", old.right)
                    where = both(*(new if one == old else one for one in parts(before.where)))
                    yield _alone(replace(before, where=where))
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
        ways = tuple(joined(_like(c.base, denied), c.base, said, c.schema))
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
    verbs = {stem(word) for one in dates for phrase in (one.name, *one.words) for word in phrase.casefold().split()}
    for one in base.entity.fields.values():
        target = c.schema.entities[one.reference.entity] if one.reference is not None else None
        spoken = [phrase.casefold().split() for phrase in one.words]
        said = any(phrase[-1:] == ["by"] and stem(phrase[-2]) in verbs for phrase in spoken if len(phrase) > 1)
        if target is None or not target.virtual or not said:
            continue
        for who in named(p, c.at + 1, target.name):
            if finished(p, who.end):
                own = _like(base, compare(path(one.name), "=", who.value.value))
                ways = tuple(joined(own, base, replace(c.said, mode="narrow"), c.schema))
                if ways:
                    yield Meaning(ways, who.cost)


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
        for one_modifier in modifiers(p, begin, entity.name):
            said = p.past(one_modifier.end, english.FILTERS)
            if said > one_modifier.end and finished(p, said):
                meant = set(parts(one_modifier.value))
                gone = [one for one in own if one in meant]
                if gone:
                    yield _dropping(before, gone, one_modifier.cost)


def _about(condition: Condition, entity: Entity) -> set[tuple[str, ...]]:
    slot = slot_of(condition, entity)
    if slot is not None:
        return {slot}
    return {(field.name,) for one in walked(condition) if isinstance(one, tree.Path)
            and (field := field_of(entity, one)) is not None}  # fmt: skip


def _dropping(before: tree.Find | tree.Aggregate, gone: list[Condition], cost: float) -> Meaning:
    changed = dropped(before.where, gone)
    return _alone(replace(before, where=changed.where), cost, *changed.notes)


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


# --- the last thing --------------------------------------------------------------------------------------------------


def another_field(c: Content) -> Iterator[Meaning]:
    """`and the size?`, behind a question for another property of one thing."""
    if not c.said.cued or c.said.mode not in ("", "replace") or c.last is None or c.last.program is None:
        return
    statement = c.last.program.statement
    if not isinstance(statement, tree.Get) or len(statement.items) != 1:
        return
    item = statement.items[0]
    if not isinstance(item, tree.Member) or not isinstance(item.base, tree.EntityLookup):
        return
    entity = c.schema.entities.get(item.base.entity.text)
    for lexeme in c.p.starting(c.p.past(c.at, plain.ARTICLES), FieldWord):
        ref = lexeme.payload.ref
        if entity is not None and has_field(entity, ref) and ref.within is None and finished(c.p, lexeme.end):
            found = member(item.base, *ref.path)
            if isinstance(found, tree.Member) and not lexeme.payload.tail:
                yield _alone(tree.Get((found,)), lexeme.cost)


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


_PHRASED = (counted_again, listed_again, grouped, measured_again, limited, reordered, of_another_kind, below_too)
_FORMS = (left_out, forgotten, done_by, another_field, another_value)
