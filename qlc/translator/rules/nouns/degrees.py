"""What adjectives of degree speak of: which numbers of a thing make it large, long, fast or deep."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.units import find_unit
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import default_number, is_number, of_money, plain, principal, spoken
from qlc.translator.rules.lexicon.lexemes import FieldRef, entity_fields
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.years import begun, born
from qlc.translator.rules.words import english
from qlc.translator.rules.words.tokens import name_key


def degrees(entity: Entity, dimension: str, more: bool) -> list[tuple[FieldRef, bool]]:
    """The fields that an adjective of degree speaks of, and whether it says that their numbers are large.

    What is fast has a high speed, or takes a short time. Where things have both, either may be meant.
    """
    if dimension == "birth" and born(entity) is None and (ages := fields_of_dimension(entity, "age")):
        return [(ref, not more) for ref in ages]  # the older, the greater the age
    if dimension != "speed":
        return [(ref, more) for ref in fields_of_dimension(entity, dimension)]
    speeds = numbers_of_dimension(entity, "speed") or _called(entity, english.NOUNS_OF_DEGREE["speed"])
    times = [ref for ref in numbers_of_dimension(entity, "time") if is_duration(ref)]
    return [(ref, more) for ref in speeds] + [(ref, not more) for ref in times]


def fields_of_dimension(entity: Entity, dimension: str) -> list[FieldRef]:
    """The fields that an adjective of degree speaks of: one where it is clear, else all that it may be."""
    if dimension in english.OF_DATES:
        date = begun(entity, dimension)
        return [date] if date is not None else []
    number = default_number(entity)
    if dimension == "number":
        return [number] if number is not None and not is_rank(number) else []
    nouns = english.NOUNS_OF_DEGREE.get(dimension, frozenset())
    found = numbers_of_dimension(entity, dimension)
    if dimension == "time":
        found = [ref for ref in found if is_duration(ref)]  # what waits long is not long itself
        found = found or [ref for ref in _called(entity, english.DURATIONS | {"time"}) if is_duration(ref)]
        found = found if _long(found) else _long(numbers_of_dimension(entity, "length")) or found
    elif not found and dimension in english.NOUNS_OF_DEGREE:
        found = _called(entity, nouns)
    if not found and dimension == "worth":
        return fields_of_dimension(entity, "money")
    if not found and dimension == "weight":
        return fields_of_dimension(entity, "size")
    if not found and dimension == "size":
        # What has no size of its own is big by what it is worth.
        return [number] if number is not None else fields_of_dimension(entity, "money")
    if dimension == "worth":
        return found  # what a contract is worth and what an invoice is: the things tell which they have
    found = principal(found) if dimension == "money" else found
    chosen = [ref for ref in found if number is not None and ref.path == number.path]
    usual = nouns | {"total", "amount"} if dimension == "money" else nouns
    named = [ref for ref in found if ref.field.name in usual]
    return chosen or named or [ref for ref in found if usual & {*ref.field.words}] or found


def numbers_of_dimension(entity: Entity, dimension: str) -> list[FieldRef]:
    """The numbers whose unit is one of size, time, length, weight, speed and so on; or that are amounts of money."""
    if dimension == "money":
        return [ref for ref in _numbers(entity) if of_money(ref)]
    numbers = ((ref, find_unit(ref.field.unit or "")) for ref in _numbers(entity))
    return [ref for ref, unit in numbers if unit is not None and unit.dimension == dimension]


def asked_of(where: tree.Condition | None, entity: Entity, dimension: str) -> list[FieldRef]:
    """The numbers that a condition is on and that `biggest` may speak of, where one of them is money: `over 9000`,
    `biggest first`. Beside it, a size that has a condition as well."""
    if dimension != "size" or where is None:
        return []
    items = where.items if isinstance(where, tree.And) else (where,)
    on = {one.left for one in items if isinstance(one, tree.Comparison | tree.Between)}
    below = {one.left for one in items if isinstance(one, tree.Comparison) and one.operator in ("<", "<=")}
    money = [ref for ref in numbers_of_dimension(entity, "money") if path(*ref.path) in on]
    sizes = [ref for ref in numbers_of_dimension(entity, "size") if path(*ref.path) in on]
    if money and all(path(*ref.path) in below for ref in money):
        # Who asks for what is cheap hardly wants the dearest of it first, but may do so.
        usual = fields_of_dimension(entity, dimension)
        return [*money, *(ref for ref in usual if ref not in money)]
    return [*money, *sizes] if money else []


def paid_as_well(p: Parse, entity: Entity, size: FieldRef) -> Iterator[FieldRef]:
    """The amounts of money that `largest` may be said of beside a size: the largest invoice may be the one of the
    largest amount, where all invoices have one. They are guesses, which what is asked for has to bear out."""
    for other in principal(numbers_of_dimension(entity, "money")):
        if other.path != size.path:
            p.guess(other.path[0])
            yield other


def _numbers(entity: Entity) -> list[FieldRef]:
    return [ref for ref in entity_fields(entity) if is_number(ref) and ref.within is None and plain(ref)]


def _called(entity: Entity, nouns: frozenset[str]) -> list[FieldRef]:
    return [ref for ref in _numbers(entity) if nouns & {part for one in spoken(ref) for part in one.split()}]


def _long(found: list[FieldRef]) -> list[FieldRef]:
    """Those that the catalog calls long in so many words, as it may a distance beside a driving time."""
    return [ref for ref in found if any("long" in one.split() for one in spoken(ref))]


def is_duration(ref: FieldRef) -> bool:
    """Whether a time is how long the thing itself takes: neither a delay, a wait nor a term of notice."""
    for phrase in spoken(ref):
        *before, last = name_key(phrase) or ("",)
        if {last, *before} & english.DURATIONS or (last == "time" and set(before) <= english.OF_A_DURATION):
            return True
    return False


def measures(ref: FieldRef, dimension: str) -> bool:
    """Whether an amount in the unit of a field can be what a comparative of a dimension speaks of."""
    parts = {part for one in spoken(ref) for part in one.split()}
    others = ("depth", "width", "height")
    if dimension in ("time", "length"):
        own = is_duration(ref) or bool(parts & english.NOUNS_OF_DEGREE["length"])
        return own and not any(parts & english.NOUNS_OF_DEGREE[one] for one in others)
    if dimension in others:
        return bool(parts & english.NOUNS_OF_DEGREE[dimension])
    return True


def is_rank(ref: FieldRef) -> bool:
    """Whether a number is a place in an order, of which nobody knows whether a high one is a large number."""
    return bool(english.RANKS & {part for one in spoken(ref) for part in one.split()})
