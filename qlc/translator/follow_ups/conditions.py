"""Meanings of edits that change conditions and values: negate, leave out, drop, another value, another field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import (
    about,
    denies,
    either_value,
    exchanged,
    field_of,
    lookups,
    makes_a_range,
    replaced_note,
    slot_of,
    widened_note,
    with_another,
    without_condition,
    without_those,
    without_values,
)
from qlc.translator.follow_ups.history import came_last, one_thing
from qlc.translator.follow_ups.joining import Content, Joined, Meaning, is_cut, joined
from qlc.translator.follow_ups.meanings import Meanings, base_of_match, by_the_same_deed, likely, surely
from qlc.translator.rules.build import COUNT, both, compare, lookup, member, negation, parts
from qlc.translator.rules.conditions import date_condition, quantity_condition, values, values_condition
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef
from qlc.translator.rules.modifiers.sequences import modifiers
from qlc.translator.rules.nouns.names import hierarchical, named
from qlc.translator.rules.nouns.noun_phrases import THOSE, noun_phrase
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.numbers import cardinal, quantity_test
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind


def not_so(m: Match) -> Meanings:
    """Negate the last condition, or the only one of yes or no: `signed leases`, then `which aren't?`."""
    base, c = base_of_match(m), m["given"]
    if base.statement.sort:
        return  # "the other way round" is of the order
    last = came_last(c.earlier, base, c.schema)
    flags = tuple(filter(_is_flag, base.conditions))
    meant = last if len(last) == 1 < len(base.conditions) else flags
    if len(meant) != 1 or is_cut(base) or base.rows is not None:
        return
    one = meant[0]
    says_no = denies(one) or getattr(getattr(one, "right", None), "value", None) is False
    other = one if says_no else negation(one)  # "which aren't?", then "how many aren't?": of the same
    where = both(*(other if part == one else part for part in base.conditions))
    statement = tree.Aggregate((COUNT,), base.name, where) if m.has("how") else tree.Find(base.name, where)
    yield surely(m, statement, *(() if other == one else (replaced_note([one], other),)))


def _is_flag(condition: Condition) -> bool:
    """Whether a condition is a yes or no: `signed`, `warranty = true`."""
    return isinstance(condition, tree.Bare) or isinstance(getattr(condition, "right", None), tree.Boolean)


def of_another_kind(m: Match) -> Meanings:
    """`the folders instead`, `include folders as well`, `what about folders?`"""
    base, c, entity = base_of_match(m), m["given"], m.parse.entity(m["noun"])
    says_how_deep = m.parse.word(m.end - 1).startswith("sub")
    if c.said.cued and not entity.virtual and entity.name != base.entity.name and not says_how_deep:
        ways = tuple(joined(tree.Find(tree.Name(entity.plural)), base, c.said, c.schema))
        if ways:
            yield Found(m.end, Meaning(ways, 0.0), 0.0)


def below_too(m: Match) -> Meanings:
    """`including subfolders`, `and everything below`."""
    base, refs = base_of_match(m), {m["deeper"].path}
    for one in base.conditions:
        if isinstance(one, tree.Comparison) and one.operator in ("=", "in") and slot_of(one, base.entity) in refs:
            new = replace(one, operator="under" if one.operator == "=" else "under in")
            where = both(*(new if each == one else each for each in base.conditions))
            yield surely(m, replace(base.statement, where=where))


def left_out(m: Match) -> Meanings:
    """`not the drafts`, `except Dana's`, `without Asia`."""
    base, c, p, at = base_of_match(m), m["given"], m.parse, m["rest"]
    found = [(one.value, one.cost) for one in modifiers(p, at, base.entity.name) if finished(p, one.end)]
    for one in noun_phrase(p, at):
        phrase = one.value
        where = without_those(phrase.where) if phrase.entity == base.entity.name and not phrase.sort else None
        if finished(p, one.end) and phrase.fixed is None and phrase.limit is None and where is not None:
            found.append((where, one.cost))
    for condition, cost in found if p.word(at) != "to" else ():  # "skip to page 4" goes somewhere
        if _is_only_a_name(condition, m):
            continue
        if p.word(at - 1) == "without" and set(parts(condition)) <= set(base.conditions):
            if _is_flag(condition):  # after those with a warranty, `and without warranty?`
                other = negation(condition)
                where = both(*(other if one == condition else one for one in base.conditions))
                yield likely(m, replace(base.statement, where=where), replaced_note([condition], other), cost=cost)
                continue
            yield _dropping(m, list(parts(condition)), cost)  # nothing would be left
            continue
        denied = c.in_its_year(tree.Not(condition) if isinstance(condition, tree.And) else negation(condition))
        new = tree.Find(base.name, both(THOSE, denied))
        for each in by_the_same_deed(new, c):  # "not by Ann", after those modified last month
            ways = tuple(joined(each, base, replace(c.said, mode="narrow"), c.schema))
            if ways:
                yield Found(m.end, Meaning(ways, cost), 0.0)


def _is_only_a_name(condition: Condition, m: Match) -> bool:
    """`without the notes`: written as a noun is, it is hardly the folder that happens to be called so."""
    slot = slot_of(condition, base_of_match(m).entity) if not isinstance(condition, tree.Bare) else None
    field = base_of_match(m).entity.fields.get(slot[-1]) if slot is not None else None
    said = m.parse.tokens[m.parse.articles(m["rest"]) : m.parse.end]
    is_noun = len(said) == 1 and said[0].kind is TokenKind.WORD and said[0].raw.islower()
    return is_noun and field is not None and field.reference is not None and (
        not m.parse.entity(field.reference.entity).virtual)  # fmt: skip


def _dropping(m: Match, gone: list[Condition], cost: float) -> Found[Meaning]:
    base = base_of_match(m)
    where, notes = without_condition(base.statement.where, gone, base.entity)
    return likely(m, replace(base.statement, where=where), *notes, cost=cost)


def dropped(m: Match) -> Meanings:
    """`forget the date`, `any owner`, `regardless of type`, `drop the Costco filter`, `remove that condition`."""
    base, c, p, at = base_of_match(m), m["given"], m.parse, m["rest"]
    if says_which_came_last(p, at):
        last = came_last(c.earlier, base, c.schema)
        yield from (_dropping(m, list(one), 0.0) for one in (last,) if one)
    if says_which_came_last(p, at) or (p.word(at - 1) == "without" and p.word(at) in ("a", "an")):
        return  # "without a category" adds a condition and removes none
    own, surely = base.conditions, p.word(at - 1) in english.TAKING_OFF
    for begin in dict.fromkeys(
        (at, p.past(at, plain.ARTICLES | words("about on who where when is was it its of kind")))
    ):
        # `all folders` are things; `any folder` and `drop the folders` speak of a condition
        things = {one.end for one in p.starting(begin, EntityWord) if p.plural(one.end) and not surely}
        for end, slots in _fields_at(p, begin, base.entity, own):
            gone = [one for one in own if about(one, base.entity) & slots]
            if end not in things and finished(p, p.past(end, english.FILTERS | words("it is was in from date time"))):
                apart = len({slot_of(one, base.entity) for one in gone}) > 1
                for each in [[one] for one in gone] if apart else [gone] if gone else []:
                    yield _dropping(m, each, 0.05 if apart else 0.0)
        for one in modifiers(p, begin, base.entity.name):
            said, meant = p.past(one.end, english.FILTERS), set(parts(one.value))
            if finished(p, said) and (said > one.end or (surely and not p.plural(said))):
                gone = [each for each in own if each in meant]
                yield from (_dropping(m, gone, one.cost) for _ in gone[:1])
                for old, kept in without_values(own, meant):
                    where = both(*(kept if each == old else each for each in own))
                    yield likely(m, replace(base.statement, where=where), replaced_note((old,), kept), cost=one.cost)


def _fields_at(
    p: Parse, at: int, entity: Entity, own: Sequence[Condition]
) -> Iterator[tuple[int, set[tuple[str, ...]]]]:
    """Yield the ends of words for fields, each with the paths of the fields: `status` -> the path of `status`."""
    yield from ((lexeme.end, {ref.path}) for lexeme, ref in p.fields(at))
    places = {ref.path for ref in hierarchical(entity)}
    for kind in (kind for kind, nouns in english.GENERIC_FIELDS.items() if p.word(at) in nouns):
        yield (
            at + 1,
            {("mentions",)}
            if kind == "text"
            else {
                ref.path
                for ref in FieldRef.own(entity)
                if {
                    "date": ref.kind is FieldKind.DATE or "year" in ref.field.name.split("_"),
                    "number": ref.is_number,
                    "person": ref.target is not None and p.entity(ref.target).virtual,
                    "place": ref.path in places,
                }[kind]
            },
        )
    for noun in p.starting(at, EntityWord):
        yield noun.end, {ref.path for ref in FieldRef.own(entity) if ref.target == noun.payload.entity}
    # `the status`, where the only field with a condition that is called so is the `payment status`
    called = {slot for one in own for slot in about(one, entity) if p.word(at) and p.word(at) in slot[-1].split("_")}
    if len(called) == 1:
        yield at + 1, called


def says_which_came_last(p: Parse, at: int) -> bool:
    """`that condition`, `the last filter`; `drop that`."""
    if any(finished(p, end) for end in p.phrases(at, english.THE_CONDITION)):
        return True
    return p.word(at) in english.DEMONSTRATIVES and finished(p, at + 1) and p.word(at - 1) in ("drop", "off", "away")


def another_field(m: Match) -> Meanings:
    """`and the size?`, `who is the owner?`: of the one thing that was spoken of last."""
    c, ref = m["given"], m["field"]
    thing = one_thing(c.last)
    asks = m.has(*plain.ASKING_WORDS, "its", "it", "is", "was")
    goes_on = c.said.cued and c.last is not None and c.last.kind != "hits"  # after a list, "and signed" narrows it
    entity = c.schema.entities.get(thing.entity.text) if thing is not None else None
    if thing is not None and entity is not None and (goes_on or asks) and ref.belongs_to(entity):
        found = member(thing, *ref.path)
        if isinstance(found, tree.Member):
            yield likely(m, tree.Get((found,)))


def another_value(m: Match) -> Meanings:
    """Exchange a value or bound: `what about Staples?`, `or Ann`; `under 300` after a bound, `only 2024`."""
    c = m["given"]
    widely = c.said.cued and c.said.mode != "narrow"
    found = another_value_of(c, m["rest"]) if widely else another_bound(c, m["rest"])
    yield from (Found(m.end, Meaning((one,), cost), 0.0) for one, cost in found)


AFTER_A_PREPOSITION = 0.4  # cost of taking a value although its preposition does not fit the field
INSIDE = 0.1  # cost of replacing something inside another condition or lookup
OF_THE_LAST_NAME, A_NAME_ALONE = 0.1, 0.25
"""Costs of a name as the last one of the path before, and as no part of that path."""
_INSIDE = " > "
Compared = tuple[Condition, FieldRef, int]
"""A condition that compares a field with a value, the field, and how deep inside others it is."""


def another_value_of(c: Content, at: int) -> Iterator[tuple[Joined, float]]:
    """The last program with another value; with that value as well, where it is to be wider."""
    widen, further, p = c.said.mode == "add", c.said.goes_on and not c.said.mode, c.p
    for base in (c.base,) if c.base is not None else ():
        found = list(_comparisons(base.statement.where, base.entity, c.schema))
        for old, ref, depth in found:
            for new, cost in _others(c, at, old, ref):
                ranges = (widen or further) and makes_a_range(old, new, base.entity)
                if new == old or ranges or (widen and ref.field.many is True):
                    continue
                deeper = any(one != old and one in walked(old) for one, _, _ in found)
                either = either_value(old, new) if widen else new
                note = widened_note(either) if widen else replaced_note((old,), new)
                yield Joined(with_another(base.statement, old, either), (note,)), cost + INSIDE * (depth + 3 * deeper)
    statement = c.last.statement if c.last is not None and not widen else None
    if statement is None:
        return
    for known in lookups(statement):
        for entity in (one for one in c.schema.entities.values() if not one.virtual):
            for one in (each for start in {at, p.past(at, plain.PREPOSITIONS)}
                        for each in named(p, start, entity.name)):
                other = lookup(entity.name, one.value.text)
                if one.value.text and finished(p, one.end) and other != known:
                    said = any(w.payload.entity == entity.name for i in range(at, one.end)
                               for w in p.starting(i, EntityWord))  # fmt: skip
                    beside = 0.05 if said else 0.0 if entity.name == known.entity.text else 0.25
                    yield Joined(exchanged(statement, known, other)), one.cost + beside


def another_bound(c: Content, at: int) -> Iterator[tuple[Joined, float]]:
    """`under 300`, after a bound of one number, and `next month`, after a period of one date: of that one."""
    p, base = c.p, c.base
    own = [one for one in _comparisons(base.statement.where, base.entity, c.schema) if not one[2]] if base else []
    compared = any(test.value.compared for test in quantity_test(p, at))
    dated = [one for one in own if one[1].kind is FieldKind.DATE]
    for alike in (dated, [one for one in own if one[1].is_number]):
        for old, ref, _ in alike if len(alike) == 1 and p.word(at) not in ("from", "dated", "since") else ():
            for new, cost in _others(c, at, old, ref):
                bound = isinstance(new, tree.Between) or getattr(new, "operator", "=") != "="
                if base and new != old and (alike is dated or (compared and bound)):
                    yield Joined(with_another(base.statement, old, new), (replaced_note((old,), new),)), cost + 0.1


def _comparisons(where: Condition | None, entity: Entity, schema: Schema, depth: int = 0) -> Iterator[Compared]:
    """The conditions that compare a field with a value, wherever they are."""
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
            inside = where.right if isinstance(where, tree.Comparison) else None
            inside = inside.base if isinstance(inside, tree.Member) else inside
            if isinstance(inside, tree.Subquery) and isinstance(inside.statement.entity, tree.Name):
                inner = find_entity(schema, inside.statement.entity.text)
                if inner is not None:
                    yield from _comparisons(inside.statement.where, inner, schema, depth + 1)
        case tree.Bare(path=tree.Path(segments=(tree.Segment(narrowed=inner) as segment,))) if inner is not None:
            many = entity.lists.get(segment.name.text)
            for one in inner.items if isinstance(inner, tree.And) else (inner,):
                own = one.left if isinstance(one, tree.Comparison) else None
                field = many.fields.get(own.segments[0].name.text) if many and isinstance(own, tree.Path) else None
                if field is not None and many is not None and isinstance(one, tree.Comparison):
                    yield one, FieldRef((many.name, field.name), field, many), depth


def _ref(left: tree.Path, entity: Entity, schema: Schema) -> FieldRef | None:
    field = field_of(entity, left)
    if field is None and len(left.segments) > 1:  # a field of what is referred to
        first = field_of(entity, tree.Path(left.segments[:1]))
        if first is not None and first.reference is not None:
            return _ref(tree.Path(left.segments[1:]), schema.entities[first.reference.entity], schema)
    many = next((one for one in entity.lists.values() if field in one.fields.values()), None)
    if field is None:
        return None
    return FieldRef((many.name, field.name) if many is not None else (field.name,), field, many)


def _others(c: Content, at: int, old: Condition, ref: FieldRef) -> Iterator[tuple[Condition, float]]:
    """The same condition with the value that the text gives."""
    p = c.p
    bounded = ref.is_number and any(one.value.compared for one in quantity_test(p, at))
    for begin in {at, p.past(at, plain.PREPOSITIONS | plain.ARTICLES)}:
        if begin != at and bounded:
            continue  # "under 1000" is no 1000
        prepositions = any(p.word(i) in plain.PREPOSITIONS for i in range(at, begin))
        for new, end, more in _values_at(c, begin, old, ref):
            if finished(p, end):
                yield new, more + (AFTER_A_PREPOSITION if prepositions else 0.0)


def _values_at(c: Content, at: int, old: Condition, ref: FieldRef) -> Iterator[tuple[Condition, int, float]]:
    assert isinstance(old, tree.Comparison | tree.Between)
    assert isinstance(old.left, tree.Path)
    p, left, operator = c.p, old.left, old.operator if isinstance(old, tree.Comparison) else "="
    if ref.kind is FieldKind.DATE:
        yield from _other_lengths(p, at, old)
        for test in date_test(p, at):
            yield _on(left, c.in_its_year(date_condition(ref, test.value), (old,))), test.end, test.cost
    elif ref.is_number:
        for found in quantity_test(p, at):
            condition = quantity_condition(ref, found.value)
            if isinstance(condition, tree.Comparison) and not found.value.compared and isinstance(old, tree.Comparison):
                yield compare(left, old.operator, condition.right), found.end, found.cost
            elif condition is not None:
                yield _on(left, condition), found.end, found.cost
    else:
        for several in values(p, at, ref):
            found_values, _, is_set = several.value
            if len(found_values) == 1 and not is_set and operator in ("=", "!=", "under", "has", "contains"):
                for value, more in _in_the_path(found_values[0], old, p.raw(at, several.end)):
                    yield compare(left, operator, value), several.end, several.cost + more
            elif operator in ("=", "in", "has", "has any"):
                yield _on(left, values_condition(ref, *several.value)), several.end, several.cost


def _in_the_path(value: tree.Value, old: Condition, said: str) -> Iterator[tuple[tree.Value, float]]:
    """Yield the paths that a name can mean after `Acme > Invoices`: `Globex > Invoices`, `Acme > Globex`, `Globex`."""
    before = getattr(getattr(old, "right", None), "value", "")
    names = before.split(_INSIDE) if isinstance(before, str) else []
    alone = isinstance(value, tree.String) and value.value.casefold() == said.casefold() and _INSIDE not in said
    if len(names) > 1 and alone and isinstance(value, tree.String):
        yield tree.String(_INSIDE.join((value.value, *names[1:]))), 0.0
        yield tree.String(_INSIDE.join((*names[:-1], value.value))), OF_THE_LAST_NAME
    yield value, A_NAME_ALONE if len(names) > 1 and alone else 0.0


def _other_lengths(p: Parse, at: int, old: Condition) -> Iterator[tuple[Condition, int, float]]:
    """`and the next 30?`, after the next 90 days: as many of the same unit."""
    period = old.right if isinstance(old, tree.Comparison) else None
    if isinstance(old, tree.Comparison) and isinstance(period, tree.RelativePeriod) and period.count is not None:
        for one in cardinal(p, at + 1) if p.word(at) == period.which else ():
            yield replace(old, right=replace(period, count=int(one.value.value))), one.end, 0.0


def _on(left: tree.Path, new: Condition) -> Condition:
    """A new condition with the path as it was written before."""
    if isinstance(new, tree.Comparison) and isinstance(new.left, tree.Path):
        return replace(new, left=left)
    if isinstance(new, tree.Between) and isinstance(new.left, tree.Path):
        return replace(new, left=left)
    return new
