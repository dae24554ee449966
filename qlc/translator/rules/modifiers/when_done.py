"""What was done, and when: the verb of a date that is a value as well, as in `deals won in May`, `won on` a day; and
the date of an amount, which is that of what it was paid for: `adoption fees this year`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.grammar.walk import mapped, walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, path, string
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.lexicon.field_names import leading_words, spaced
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord, has_field
from qlc.translator.rules.nouns.degrees import numbers_of_dimension
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, is_same_deed, stem
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key

_BEHIND_VERBS = words("on at date time when")


def when_it_was_done(p: Parse, statement: Statement) -> Statement:
    """A statement that speaks of a deed by its own date and its own value.

    What the catalog says to be `won on` a day and is asked for as `won in May` is dated by that day, not by the date
    that is meant where none is said; and what was `lost` this year has to be lost, where others have that date too.
    """
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name):
        return statement
    entity = find_entity(p.schema, statement.entity.text)
    if entity is None:
        return statement
    deeds = [*_deeds(p, entity)]
    for ref, at in deeds:
        statement = _of_the_value(p, _of_the_date(p, statement, entity, ref), entity, ref, at)
    paid_for = date_of_the_amount(statement, entity) if not deeds else None
    return _of_the_date(p, statement, entity, paid_for) if paid_for is not None else statement


def date_of_the_amount(statement: Statement, entity: Entity) -> FieldRef | None:
    """The one date of what an amount is paid for, as the catalog calls both: `adoption fee` and `adoption date`."""
    measured = {one.path for one in statement.measures} if isinstance(statement, tree.Aggregate) else set()
    numbers = [FieldRef((one.name,), one) for one in entity.fields.values() if path(one.name) in measured]
    if len(numbers) != 1 or numbers[0] in numbers_of_dimension(entity, "time"):
        return None  # how long something took is of when it began as much as of when it was done
    kinds = {word for one in (entity.name, entity.plural, *entity.words) for word in name_key(spaced(one))}
    deeds = leading_words(numbers[0].field) - kinds
    found = [ref for ref in date_fields(entity) if _same_deed(deeds, leading_words(ref.field) - kinds)]
    return found[0] if len(found) == 1 else None


def _parts(ref: FieldRef) -> set[str]:
    """The words that say something of what a field is called by."""
    said = {word for one in (ref.field.name, *ref.field.words) for word in name_key(spaced(one))}
    return {word for word in said if word.isalpha()} - _BEHIND_VERBS - english.PREPOSITIONS


def _same_deed(one: set[str], other: set[str]) -> bool:
    return any(is_same_deed(first, then) or is_same_deed(then, first) for first in one for then in other)


def date_nobody_named(p: Parse, statement: Statement) -> str:
    """What the date is called that a sum was taken by, or other things were found by (`who fostered a cat in May`),
    where these have several and none is said."""
    if isinstance(statement, tree.Aggregate) and any(one.path is not None for one in statement.measures):
        return _date_nobody_named(p, statement)
    inner = (one.statement for one in walked(statement) if isinstance(one, tree.Subquery))
    return next(filter(None, (_date_nobody_named(p, one) for one in inner)), "")


def _date_nobody_named(p: Parse, statement: tree.Find | tree.Aggregate) -> str:
    entity = find_entity(p.schema, statement.entity.text) if isinstance(statement.entity, tree.Name) else None
    dates = date_fields(entity) if entity is not None else []
    nodes = set(walked(statement)) if len(dates) > 1 else set()
    taken = [ref for ref in dates if path(*ref.path) in nodes]
    if len(taken) != 1 or _spoken(taken[0]) & {stem(token.text) for token in p.tokens}:
        return ""
    return spaced(taken[0].field.name)


def _deeds(p: Parse, entity: Entity) -> Iterator[tuple[FieldRef, int]]:
    """The verbs that are said, each with the one date that is called by it and by other deeds."""
    dates = _dates_of_verbs(entity)
    for at, token in enumerate(p.tokens) if dates else ():
        ref = dates.get(stem(token.text))
        if ref is not None and token.text.isalpha() and at not in p.inside:
            yield ref, at


@lru_cache(maxsize=256)
def _dates_of_verbs(entity: Entity) -> Mapping[str, FieldRef]:
    """Every reading is looked through for these, so they are kept. Verbs of several dates are none's."""
    called = [(verb, ref) for ref in date_fields(entity) for verb in _verbs(ref)]
    times = Counter(verb for verb, _ in called)
    return {verb: ref for verb, ref in called if times[verb] == 1}


def _verbs(ref: FieldRef) -> set[str]:
    """The verbs by which the catalog calls a date that is named otherwise: `won on` of when deals were `closed`."""
    named = {stem(one) for one in spaced(ref.field.name).split()}
    phrases = (one.casefold().split() for one in ref.field.words)
    verbs = {one[0] for one in phrases if len(one) == 2 and one[1] in _BEHIND_VERBS and is_participle(one[0])}
    return {stem(one) for one in verbs} - named


def _of_the_date(p: Parse, statement: Statement, entity: Entity, ref: FieldRef) -> Statement:
    """By the date of the deed, where the usual one stands that nobody named."""
    usual = default_date(entity)
    if usual is None or usual[0].path == ref.path or path(*ref.path) in walked(statement):
        return statement
    if _spoken(usual[0]) & {stem(token.text) for token in p.tokens}:
        return statement
    old, new = path(*usual[0].path), path(*ref.path)
    assert not isinstance(statement, tree.Get)
    where = mapped(statement.where, _exchange(old, new)) if statement.where is not None else None
    if isinstance(statement, tree.Find):
        return replace(statement, where=where)
    return replace(statement, where=where, groups=tuple(mapped(one, _exchange(old, new)) for one in statement.groups))


def _spoken(ref: FieldRef) -> set[str]:
    return {stem(part) for part in _parts(ref)}


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
    if path(*ref.path) not in nodes:
        return statement
    own = (one.payload for one in p.starting(at, ValueWord) if one.end == at + 1 and one.payload.closed)
    values = [one for one in own if has_field(entity, one.ref) and one.ref.within is None]
    if len(values) != 1 or path(*values[0].ref.path) in nodes:
        return statement
    so = compare(path(*values[0].ref.path), "=", string(values[0].text))
    return replace(statement, where=both(so, statement.where))
