"""Adjectives of degree and superlatives: which field they speak of, `the largest`, `most viewed`, `second oldest`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.base.words.sentences import listed
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import parts
from qlc.translator.rules.conditions import default_date, default_number, not_past, numbers_of, of_money, principal
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.nested import Before, Ways
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.quantities.years import begun, born, is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, spaced, words
from qlc.translator.rules.words.tokens import TokenKind

MOST_ASKED_FOR = 10_000  # the largest number before things that says how many of them are wanted
_IN_TIME = words("latest newest last oldest earliest")


def degrees(entity: Entity, dimension: str, more: bool) -> list[tuple[FieldRef, bool]]:
    """Return the fields of an adjective, and whether it means large numbers: `fast` -> high speed or short time."""
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
        # The biggest room is that of the largest area or volume; without one, money, weight and length compete.
        room, extents = ([ref for one in dimensions for ref in numbers_of_dimension(entity, one)]
                         for dimensions in (("area", "volume"), ("weight", "length")))  # fmt: skip
        worth = [number] if number is not None else fields_of_dimension(entity, "money")
        ways = [*worth, *(ref for ref in room + extents if ref not in worth)]
        return room if room and not extents else ways if worth or len(ways) > 1 else []
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
        return [ref for ref in numbers_of(entity) if of_money(ref)]
    numbers = ((ref, find_unit(ref.field.unit or "")) for ref in numbers_of(entity))
    return [ref for ref, unit in numbers if unit is not None and unit.dimension == dimension]


def asked_of(where: tree.Condition | None, entity: Entity, dimension: str) -> list[FieldRef]:
    """Return the money in a condition that `biggest` may speak of: `over 9000`, `biggest first`; and its sizes."""
    if dimension != "size" or where is None:
        return []
    items = parts(where)
    on = {one.left for one in items if isinstance(one, tree.Comparison | tree.Between)}
    below = {one.left for one in items if isinstance(one, tree.Comparison) and one.operator in ("<", "<=")}
    money = [ref for ref in numbers_of_dimension(entity, "money") if ref.left in on]
    sizes = [ref for ref in numbers_of_dimension(entity, "size") if ref.left in on]
    if money and all(ref.left in below for ref in money):
        # Who asks for what is cheap hardly wants the dearest of it first, but may do so.
        usual = fields_of_dimension(entity, dimension)
        return [*money, *(ref for ref in usual if ref not in money)]
    return [*money, *sizes] if money else []


def paid_as_well(p: Parse, entity: Entity, size: FieldRef) -> Iterator[FieldRef]:
    """Yield the amounts of money that `largest` may mean beside a size, as guesses: `the largest invoice`."""
    for other in principal(numbers_of_dimension(entity, "money")):
        if other.path != size.path:
            p.guess(other.path[0])
            yield other


def _called(entity: Entity, nouns: frozenset[str]) -> list[FieldRef]:
    return [ref for ref in numbers_of(entity) if nouns & ref.parts]


def _long(found: list[FieldRef]) -> list[FieldRef]:
    """Return the fields that the catalog calls `long`, such as a distance beside a driving time."""
    return [ref for ref in found if "long" in ref.parts]


def is_duration(ref: FieldRef) -> bool:
    """Whether a time is how long the thing itself takes: neither a delay, a wait nor a term of notice."""
    for *before, last in ref.phrases:
        if {last, *before} & english.DURATIONS or (last == "time" and set(before) <= english.OF_A_DURATION):
            return True
    return False


def has_no_measure(p: Parse) -> tuple[str, tuple[str, ...]]:
    """Return why `the largest folder` has no size, and what can be asked in its place; empty if none is asked."""
    for at in range(p.end):
        dimension, most = english.SUPERLATIVES.get(p.word(at), ("", True))
        for entity in _said_to_be(p, at) if dimension == "size" else ():
            holder = p.entity(entity)
            counted = [next((one[2:] for one in ref.phrases if one[:2] == ("number", "of")), ())
                       for ref in numbers_of(holder)]  # fmt: skip
            several = [spaced(ref.field.name) for ref, _ in degrees(holder, dimension, most)]
            if len(several) > 1:
                end = "highest" if most else "lowest"
                ways = [f"the {holder.name} with the {end} {one}" for one in several]
                return f"'{p.word(at).capitalize()}' may be by {listed(several, 'or')}.", tuple(ways)
            degree = "most" if most else "fewest"
            ways = [f"the {holder.name} with the {degree} {' '.join(one)}" for one in counted if one]
            held = [one for one in p.things if one.name != holder.name and not one.kinds and _refers(one, holder)]
            ways += [f"total {ref.field.name} of {one.plural} by {holder.name}" for one in held
                     for ref, _ in degrees(one, dimension, most)[:1]]  # fmt: skip
            if ways:
                message = f"A {holder.name} has no size of its own: what is in it is counted or summed up."
                return message, tuple(dict.fromkeys(ways))
    return "", ()


def _said_to_be(p: Parse, at: int) -> list[str]:
    """The kinds of things that a superlative is said of: `largest folder`, `which folder is the largest`."""
    if after := p.starting(at + 1, EntityWord):
        return [one.payload.entity for one in after]
    verb = next((i for i in reversed(range(at)) if p.word(i) not in english.ARTICLES), 0)
    if p.word(verb) not in english.COPULAS or any(token.kind is not TokenKind.MARK for token in p.tokens[at + 1 :]):
        return []
    return [one.payload.entity for i in range(verb) for one in p.starting(i, EntityWord) if one.end == verb]


def _refers(one: Entity, other: Entity) -> bool:
    return any(each.reference is not None and each.reference.entity == other.name for each in one.fields.values())


def to_be_done(p: Parse, at: int) -> int:
    """After `to process`, where it is said how long something takes: the deed says no more."""
    verb = p.word(at + 1)
    plain = verb.isalpha() and not is_participle(verb) and verb not in english.ARTICLES | english.PREPOSITIONS
    return at + 2 if p.word(at) == "to" and plain else at


def measures(ref: FieldRef, dimension: str) -> bool:
    """Whether an amount in the unit of a field can be what a comparative of a dimension speaks of."""
    parts = ref.parts
    if dimension in english.OF_DATES:
        return "age" in parts
    others = ("depth", "width", "height")
    if dimension in ("time", "length"):
        own = is_duration(ref) or bool(parts & english.NOUNS_OF_DEGREE["length"])
        return own and not any(parts & english.NOUNS_OF_DEGREE[one] for one in others)
    if dimension in others:
        return bool(parts & english.NOUNS_OF_DEGREE[dimension])
    return True


def is_rank(ref: FieldRef) -> bool:
    """Return whether a number is a rank, so that `high` may be a small number."""
    return bool(english.RANKS & ref.parts)


def counts(p: Parse, at: int, so_far: Before) -> Ways:
    """`5`, `top 3`, `last ten`; `second largest`."""
    yield from _how_many(p, at, so_far) if so_far.limit is None else ()
    nth = ordinal(p, at)
    if nth is not None and so_far.offset is None:
        following = p.word(nth.end)
        if following in english.SUPERLATIVES or following in ("most", "least"):
            yield nth.end, replace(so_far, offset=nth.value - 1, limit=1), 0.0


def _how_many(p: Parse, at: int, so_far: Before) -> Ways:
    said = p.word(at) in ("top", "first", "last")
    start = at + said
    if p.word(start)[:1].isdecimal() and p.word(start)[-1:].isalpha():
        return  # `4K photos` are not four thousand
    for one in cardinal(p, start):
        n = one.value.value
        like_a_year = n in YEARS and len(p.word(start)) == 4 and not said
        if not float(n).is_integer() or not 0 < n <= MOST_ASKED_FOR or "," in p.word(start) or like_a_year:
            continue
        way = replace(so_far, limit=int(n))
        if p.word(at) in ("top", "last") and so_far.degree is None:
            way = replace(way, degree=("number" if p.word(at) == "top" else "date", True))
        value_of = any(True for kind in (ValueWord, NameWord) for _ in p.starting(at, kind))
        yield one.end, way, 0.05 if said else 0.5 if value_of else 0.1


def by_degree(p: Parse, at: int, so_far: Before) -> Ways:
    """`largest`, `most recent`, `most viewed`, `latest`."""
    word = p.word(at)
    if (so_far.degree is not None and so_far.degree != ("number", True)) or so_far.sort is not None:
        return
    if word in english.SUPERLATIVES and word not in ("most", "least", "top"):
        yield at + 1, replace(so_far, degree=english.SUPERLATIVES[word]), 0.0
    if word in ("most", "least"):
        yield from _most_or_least(p, at, so_far)
    for ref, end, descending, cost in (*_superlatives_of_fields(p, at), *_done_most(p, at, so_far)):
        yield end, replace(so_far, sort=(ref, descending)), cost
    if word in ("next", "upcoming", "future") and p.word(at + 1) not in english.WEEKDAYS:  # a day, not what comes next
        yield from _still_to_come(p, at, so_far)
    if word in ("last", "first") and so_far.limit is None and so_far.degree is None:
        yield at + 1, replace(so_far, degree=("date", word == "last")), 0.4


def _most_or_least(p: Parse, at: int, so_far: Before) -> Ways:
    """`most expensive`, `least viewed`, `most recently modified`, `most shared`."""
    most, following = p.word(at) == "most", p.word(at + 1)
    if following in english.MOST_ADJECTIVES:
        yield at + 2, replace(so_far, degree=(english.MOST_ADJECTIVES[following], most)), 0.0
    begin = at + 2 if following == "recently" else at + 1
    for lexeme, ref in p.fields(begin):
        if ref.is_number or (ref.kind is FieldKind.DATE and following == "recently"):
            yield lexeme.end, replace(so_far, sort=(ref, most)), lexeme.cost
    for ref in p.lexicon.called(("times", following)):  # by the times that it was
        yield at + 2, replace(so_far, sort=(ref, most)), 0.05


def _superlatives_of_fields(p: Parse, at: int) -> Iterator[tuple[FieldRef, int, bool, float]]:
    """The field that a word before it says the order by, with its end, whether the most comes first, and the cost."""
    word = p.word(at)
    for lexeme in p.starting(at + 1, FieldWord):
        ref, end = lexeme.payload.ref, lexeme.end
        amount = ref.is_number and ref.within is None and not is_rank(ref)
        date = ref.kind is FieldKind.DATE
        if word in ("best", "worst") and amount and is_participle(p.word(end - 1)):  # `the best rated players`
            yield ref, end, word == "best", lexeme.cost
        if word == "recently" and date and ref.within is None and end == at + 2:  # `recently modified files`
            yield ref, end, True, lexeme.cost
        if word in _IN_TIME and (date or is_a_year(ref)):  # `latest modified`
            yield ref, end, word in ("latest", "newest", "last"), lexeme.cost


def _done_most(p: Parse, at: int, so_far: Before) -> Iterator[tuple[FieldRef, int, bool, float]]:
    """`top 3 viewed contracts`: as `_superlatives_of_fields`, after the number."""
    if so_far.degree == ("number", True) and so_far.limit is not None and p.word(at).endswith("ed"):
        for lexeme in p.starting(at, FieldWord):
            if lexeme.payload.ref.is_number and lexeme.payload.ref.within is None:
                yield lexeme.payload.ref, lexeme.end, True, lexeme.cost


def _still_to_come(p: Parse, at: int, so_far: Before) -> Ways:
    """`the next expiring contract`, `next 3 appointments`, `upcoming meetings`."""
    word = p.word(at)
    for lexeme, ref in p.fields(at + 1) if word == "next" else ():
        if ref.kind is FieldKind.DATE and ref.within is None:
            yield lexeme.end, replace(so_far.also(ref, not_past(ref)), sort=(ref, False)), lexeme.cost
    verbs = [ref for i in range(at + 1, p.end) if p.word(i - 1) == "to" for _, ref in p.fields(i)]
    if any(ref.kind is FieldKind.DATE for ref in verbs):
        return  # `the next 3 contracts to expire` are next by that date
    for default in usual_dates(p):
        ahead = so_far.also(default, default.compared(">", tree.Now()))
        if word != "next":
            yield at + 1, ahead, 0.1
        elif so_far.limit is None:
            coming = replace(ahead, degree=("date", False))
            yield at + 1, coming, 0.2
            for one in cardinal(p, at + 1):
                if float(one.value.value).is_integer() and 0 < one.value.value <= 1_000:
                    yield one.end, replace(coming, limit=int(one.value.value)), 0.1


def usual_dates(p: Parse) -> list[FieldRef]:
    """The dates that kinds of things mean where none is named, each once."""
    usual = map(default_date, p.things)
    return list({one[0].path: one[0] for one in usual if one is not None}.values())
