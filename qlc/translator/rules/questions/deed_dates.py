"""Adjust the dates of a statement by the verbs of its sentence: the date of the deed, not the usual one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, mapped, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, name_of, negation, parts, path, search_of, string
from qlc.translator.rules.conditions import date_fields, default_date, not_past, numbers_of, objects_of
from qlc.translator.rules.lexicon.field_names import leading_words
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, ValueWord
from qlc.translator.rules.modifiers.events import by_now
from qlc.translator.rules.nouns.degrees import numbers_of_dimension
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, is_same_deed, spaced, stem, words
from qlc.translator.rules.words.tokens import name_key

_AFTER_VERBS = words("on at date time when")


def still_to_come(p: Parse, statement: Statement) -> Statement:
    """Add `not past` to a verb's date: `ends before July` -> it has not ended; `ended before July` is left."""
    said = {stem(token.text) for token in p.tokens if token.text in _EXPIRING}
    search = search_of(statement, p.schema) if said else None
    if search is None:
        return statement
    statement, entity = search
    conditions = parts(statement.where)
    for ref in date_fields(entity):
        own = [one for one in conditions if ref.left in walked(one)]
        if len(own) == 1 and said & spoken(ref) and _ends_ahead(p, own[0]):
            at = conditions.index(own[0])
            statement = replace(statement, where=both(*conditions[:at], not_past(ref), *conditions[at:]))
    return statement


def by_its_date(p: Parse, statement: Statement) -> Statement:
    """Exchange a state for the date of its verb: `not yet shipped` -> `shipped_on missing`; `have been shipped`."""
    search = search_of(statement, p.schema)
    if search is None:
        return statement
    statement, entity = search
    conditions = parts(statement.where)
    for at, one in enumerate(conditions):
        date = _date_of_the_state(p, entity, one)
        if date is not None and date.left not in set(walked(statement)):
            done = by_now(p, date, entity.name)
            is_done = isinstance(one, tree.Comparison) and one.operator == "="
            said = done if is_done else negation(done)
            return replace(statement, where=both(*conditions[:at], said, *conditions[at + 1 :]))
    return statement


def _date_of_the_state(p: Parse, entity: Entity, condition: Condition) -> FieldRef | None:
    """Return the one date whose verb is the value of a condition, if the question says that it was done, or was not."""
    match condition:
        case tree.Comparison(operator="=" | "!=", right=tree.String(value=value)) if " " not in value:
            verb, sought = stem(value.casefold()), _NOT_DONE if condition.operator == "!=" else _DONE
        case _:
            return None
    field = FieldRef.at(entity, condition.left)
    said = [at for at, token in enumerate(p.tokens) if stem(token.text) == verb and is_participle(token.text)]
    if field is None or not any(p.word(i) in sought for at in said for i in range(max(0, at - 3), at)):
        return None
    dates = [ref for ref in date_fields(entity) if verb in spoken(ref)]
    return dates[0] if len(dates) == 1 and verb not in LAST else None


LAST = {stem(one) for one in words("done paid finished completed closed ended resolved concluded settled handled")}
"""States after which no other one comes: `not paid` is what the state of a `paid invoice` is not."""
_DONE = words("was were been got")
_NOT_DONE = english.NEGATIONS | words("never yet")
_EXPIRING = words("end ends ending expire expires expiring lapse lapses lapsing mature matures maturing")


def _ends_ahead(p: Parse, condition: Condition) -> bool:
    """Whether a condition says no more than that something is before a day to come."""
    match condition:
        case tree.Comparison(operator="<" | "<=", right=tree.DateLiteral(text=day) | tree.Number(text=day)):
            today = f"{p.now:%Y-%m-%d}"[: len(day)]
            return day > today or (condition.operator == "<=" and day == today)
        case tree.Comparison(operator="<" | "<=", right=tree.RelativePeriod(which=which)):
            return which == "next" or (which == "this" and condition.operator == "<=")
        case tree.Comparison(operator="<" | "<=", right=tree.Day(which="tomorrow")):
            return True
        case _:
            return False


def when_it_was_done(p: Parse, statement: Statement) -> Statement:
    """Use the date and value of a deed: `deals won in May` -> `won_on` in May, and the state `won`."""
    search = search_of(statement, p.schema)
    if search is None:
        return statement
    _, entity = search
    deeds = [*_deeds(p, entity)]
    for ref, at in deeds:
        statement = _of_the_value(p, _of_the_date(p, statement, entity, ref), entity, ref, at)
    for ref in [] if deeds else _dates_of_states(p, statement, entity):
        statement = _of_the_date(p, statement, entity, ref)
    paid_for = date_of_the_amount(statement, entity) if not deeds else None
    return _of_the_date(p, statement, entity, paid_for) if paid_for is not None else statement


def of_objects(p: Parse, statement: Statement) -> Statement | None:
    """Date objects of things by their own date: `complaints in May`; None if the date may be of another thing."""
    search = search_of(statement, p.schema)
    if search is None or not (objects_of(search[1]) or search[1].lists):
        return statement
    statement, entity = search
    nodes = set(walked(mapped(statement, _without_elements)))
    around = [inside for name, inside in objects_of(entity).items() if tree.Bare(path(name)) in nodes]
    listed = {name_of(one) for one in nodes if isinstance(one, tree.Path)} & entity.lists.keys()
    dated = [one for one in listed if any(ref.kind is FieldKind.DATE for ref in entity.lists[one].fields.values())]
    if not around and not dated:
        return statement
    said = {stem(token.text) for token in p.tokens}
    measured = [*date_fields(entity), *numbers_of(entity)]
    own = [ref for ref in measured if any(ref.field.mapped.path.startswith(f"{one}.") for one in around)]
    unsaid = [ref for ref in measured if ref.left in nodes and ref not in own and not spoken(ref) & said]
    if not unsaid:
        return statement
    usual = default_date(entity)
    by_usual = usual is not None and unsaid == [usual[0]]
    if not around:
        return None if by_usual else statement
    dates = [ref for ref in own if ref.kind is FieldKind.DATE]
    beside = any(isinstance(one.payload, EntityWord) for row in p.lexemes for one in row)
    if dated or beside or len(dates) != 1 or usual is None or not by_usual:
        return None
    return mapped(statement, _exchange(usual[0].left, dates[0].left))


def _without_elements(node: tree.Node) -> tree.Node | None:
    """Return a part of a path without the conditions on its list elements."""
    return replace(node, narrowed=None) if isinstance(node, tree.Segment) and node.narrowed is not None else None


def date_of_the_amount(statement: Statement, entity: Entity) -> FieldRef | None:
    """The one date of what an amount is paid for, as the catalog calls both: `adoption fee` and `adoption date`."""
    measured = [one.path for one in statement.measures if one.path] if isinstance(statement, tree.Aggregate) else ()
    numbers = [ref for ref in FieldRef.own(entity) if ref.left in measured] if measured else []
    if len(numbers) != 1 or numbers[0] in numbers_of_dimension(entity, "time"):
        return None  # how long something took is of when it began as much as of when it was done
    kinds = {word for one in (entity.name, entity.plural, *entity.words) for word in name_key(spaced(one))}
    deeds = leading_words(numbers[0].field) - kinds
    found = [ref for ref in date_fields(entity) if _same_deed(deeds, leading_words(ref.field) - kinds)]
    return found[0] if len(found) == 1 else None


def _same_deed(one: frozenset[str], other: frozenset[str]) -> bool:
    return any(is_same_deed(first, then) or is_same_deed(then, first) for first in one for then in other)


def _dates_of_states(p: Parse, statement: Statement, entity: Entity) -> Iterator[FieldRef]:
    """Yield the date of each state in the question: `issued permits since May` -> the date `issued`."""
    asked = set(walked(statement))
    for at in range(p.end):
        states = (one.payload for one in p.starting(at, ValueWord) if one.end == at + 1 and one.payload.closed)
        is_ahead = p.word(at + 1) == "for"  # what is `booked for Monday` is then
        if is_participle(p.word(at)) and not is_ahead and any(one.ref.left in asked for one in states):
            dates = [ref for ref in date_fields(entity) if stem(p.word(at)) in map(stem, leading_words(ref.field))]
            yield from dates if len(dates) == 1 else ()


def _deeds(p: Parse, entity: Entity) -> Iterator[tuple[FieldRef, int]]:
    """Yield the verbs said, each with the one date that is called by it: `felled`, `fellings` -> `felled_on`."""
    dates, named = _dates_of_verbs(entity), _dates_of_verbs(entity, named=True)
    for at, token in enumerate(p.tokens) if named else ():
        verbs = _AS_A_NOUN.fullmatch(token.text)
        ref = dates.get(stem(token.text)) if verbs is None else named.get(verbs[1]) or named.get(stem(token.text))
        if ref is not None and token.text.isalpha() and at not in p.inside:
            yield ref, at


_AS_A_NOUN = re.compile("([a-z]{3,}?)(?:ing|ation|ion|al|ment|ure)s?")


@lru_cache(maxsize=256)
def _dates_of_verbs(entity: Entity, *, named: bool = False) -> Mapping[str, FieldRef]:
    """Every reading is looked through for these, so they are kept. Verbs of several dates are none's."""
    called = [(verb, ref) for ref in date_fields(entity) for verb in _verbs(ref, named=named)]
    times = Counter(verb for verb, _ in called)
    return {verb: ref for verb, ref in called if times[verb] == 1}


def _verbs(ref: FieldRef, *, named: bool) -> set[str]:
    """Return the verbs of a date's words; unless `named`, without those in its name: `won on` of `closed_on`."""
    own = () if named else map(stem, spaced(ref.field.name).split())
    verbs = {one[0] for one in ref.phrases if len(one) == 2 and one[1] in _AFTER_VERBS and is_participle(one[0])}
    return {*map(stem, verbs)} - {*own}


def _of_the_date(p: Parse, statement: Statement, entity: Entity, ref: FieldRef) -> Statement:
    """Replace the usual date, which the question did not name, by the date of the deed."""
    usual = default_date(entity)
    if usual is None or usual[0].path == ref.path or ref.left in walked(statement):
        return statement
    if spoken(usual[0]) & {stem(token.text) for token in p.tokens}:
        return statement
    old, new = usual[0].left, ref.left
    assert not isinstance(statement, tree.Get)
    where = mapped(statement.where, _exchange(old, new)) if statement.where is not None else None
    if isinstance(statement, tree.Find):
        return replace(statement, where=where)
    return replace(statement, where=where, groups=tuple(mapped(one, _exchange(old, new)) for one in statement.groups))


def spoken(ref: FieldRef) -> set[str]:
    """The stems of the words that say something of what a field is called by."""
    return set(map(stem, {word for word in ref.parts if word.isalpha()} - _AFTER_VERBS - english.PREPOSITIONS))


def _exchange(old: tree.Path, new: tree.Path) -> Callable[[tree.Node], tree.Node | None]:
    def other(node: tree.Node) -> tree.Node | None:
        if isinstance(node, tree.Subquery):
            return node  # it speaks of other things
        return new if node == old else None

    return other


def _of_the_value(p: Parse, statement: Statement, entity: Entity, ref: FieldRef, at: int) -> Statement:
    """With the value that is the verb, where only the date of the deed is asked for."""
    assert not isinstance(statement, tree.Get)
    nodes = list(walked(statement))
    if ref.left not in nodes:
        return statement
    own = (one.payload for one in p.starting(at, ValueWord) if one.end == at + 1 and one.payload.closed)
    values = [one for one in own if one.ref.belongs_to(entity) and one.ref.within is None]
    if len(values) != 1 or values[0].ref.left in nodes:
        return statement
    so = values[0].ref.equals(string(values[0].text))
    return replace(statement, where=both(so, statement.where))
