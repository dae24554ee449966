"""Read groups: by a field, a calendar unit, a container, an element of a list."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qlc.grammar import tree
from qlc.language.nouns import plural_of as plural
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import default_date, list_fields
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, Lexeme, steps
from qlc.translator.rules.nouns.names import hierarchical, only_reference, way_to
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.years import dates_to_ask_about, is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_GROUPABLE = (FieldKind.KEYWORD, FieldKind.BOOLEAN, FieldKind.WHOLE_NUMBER, FieldKind.IP)
_KIND_OF = phrases("(kind | kinds | type | types | sort | sorts | value | values) of")


def _any_but_some(p: Parse, at: int) -> bool:
    """`by any carrier except X`: which ones are meant, and neither groups nor an order."""
    if p.word(at) not in ("any", "every", "all"):
        return False
    ends = (lexeme.end for kind in (FieldWord, EntityWord) for lexeme in p.starting(p.articles(at), kind))
    return any(p.word(end) == "but" or any(True for _ in p.phrases(end, english.EXCEPT)) for end in ends)


def _is_a_rate(p: Parse, at: int, ref: FieldRef) -> bool:
    """Whether a number comes before `per room`, and no thing that is counted: `flats per floor`."""
    before = (one.payload.ref.is_number for one in p.ending(at) if isinstance(one.payload, FieldWord))
    return ref.is_number and not is_a_year(ref) and any(before)


def _makes_groups(ref: FieldRef) -> bool:
    """Whether things share values of a field: also a number that is in no unit, as the rooms of flats."""
    counted = ref.kind is FieldKind.NUMBER and ref.field.shown_unit is None and ref.field.unit_field is None
    return ref.kind in _GROUPABLE or counted


@rule
def groups(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`by type`, `per month and owner`: after the preposition."""
    for first in group(p, at, entity):
        yield Found(first.end, (first.value,), first.cost)
        end = p.past(first.end, words(", and per by then &"))
        if end > first.end:
            for second in group(p, end, entity):
                together = second.end > end + 1  # `by owner and type` are two fields
                shared = _sharing_its_noun(p, at, first.end, second.end, entity) if together else None
                begun = first.value if shared is None else shared
                if second.value != begun:
                    yield Found(second.end, (begun, second.value), first.cost + second.cost)


def _sharing_its_noun(p: Parse, at: int, end: int, last: int, entity: Entity) -> tree.Group | None:
    """`start and end district`: the district of both."""
    said = (*(p.word(i) for i in range(p.articles(at), end)), p.word(last - 1))
    found = [ref for ref in p.lexicon.called(said) if ref.belongs_to(entity) and ref.kind in _GROUPABLE]
    return tree.Group(found[0].left) if len(found) == 1 else None


@rule
def group(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """One thing to group by: a field, a calendar unit of a date, the entity above."""
    if p.word(at) in ("its", "their", "his", "her"):
        return
    if _any_but_some(p, at):
        return
    start = p.past(at, english.ARTICLES | {"different"})
    for after in p.phrases(start, _KIND_OF):
        yield from (of_others := [*_field_of_others(p, start, after, entity)])
        for kind in group(p, after, entity) if not of_others else ():
            yield Found(kind.end, kind.value, kind.cost + 0.2)
    unit = english.CALENDAR.get(p.word(start))
    # what is paid per hour is a rate, where there are `hours`
    rate = p.word(at - 1) == "per" and any(ref.is_number and one.cost < 0.3 for one, ref in p.fields(start, entity))
    if unit is not None and not rate:
        yield from _of_unit(p, start, entity, unit)
    yield from _of_dates(p, start, entity)
    yield from _of_fields(p, start, entity, at - 1 if p.word(at - 1) == "per" else None, unit is not None and rate)
    for noun in p.starting(start, EntityWord):
        yield from _of_noun(p, noun, entity)
    yield from _of_the_elements(p, start, entity)
    yield from _of_those_referred_to(p, start, entity)


def _of_unit(p: Parse, at: int, entity: Entity, unit: tree.GroupFunction) -> Iterator[Found[tree.Group]]:
    """`per month`, `by month of delivery`: of the entity's usual date, of another one, or of the one that is named."""
    if unit == "hour" and all(ref.field.whole_days for ref in FieldRef.own(entity) if ref.kind is FieldKind.DATE):
        return
    date = default_date(entity)
    if date is not None:
        ordering = 0.35 if p.word(at) == "date" else 0.05  # "by date" is rather an order
        yield Found(at + 1, tree.Group(date[0].left, unit), ordering)
    for ref in dates_to_ask_about(entity) if p.word(at) != "date" else ():
        yield Found(at + 1, tree.Group(ref.left, unit), 0.4)
    for ref, end in _dates_at(p, p.past(at + 1, words("of it they were was the when")), entity):
        if ref.kind is FieldKind.DATE:
            yield Found(end, tree.Group(ref.left, unit), 0.0)


def _of_dates(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """`by day of the week`, `by delivery month`."""
    date = default_date(entity)
    for cycle, function in english.CYCLIC.items():
        if (end := p.phrase(at, *cycle)) and date is not None:
            yield Found(end, tree.Group(date[0].left, function), 0.0)
    for ref, end in _dates_at(p, at, entity):
        following = english.CALENDAR.get(p.word(end))
        if following is not None and following != "day":
            yield Found(end + 1, tree.Group(ref.left, following), 0.0)


def _of_fields(p: Parse, at: int, entity: Entity, per: int | None, rate: bool) -> Iterator[Found[tree.Group]]:
    """`by status`; `per` is where that word stands, if it does: the rent per square metre, or per room, is a ratio."""
    for lexeme, ref in p.fields(at):
        if ref.field in entity.names or lexeme.payload.tail or not (ref.belongs_to(entity) and _makes_groups(ref)):
            continue
        if per is not None and (ref.kind is FieldKind.NUMBER or rate or _is_a_rate(p, per, ref)):
            continue
        # "by customers from ..." says who, "by customer" asks for groups; a number makes groups less often
        rare = 0.2 if ref.is_number else 0.0
        people = p.plural(lexeme.end) and p.word(at - 1) == "by" and ref.kind is not FieldKind.NUMBER
        several = 0.5 if people else 0.0
        yield Found(lexeme.end, tree.Group(ref.left), lexeme.cost + several + rare)


def _of_noun(p: Parse, noun: Lexeme[EntityWord], entity: Entity) -> Iterator[Found[tree.Group]]:
    """`per folder`, `by customer`: what the things refer to; `by payment method`, of payments: a field of them."""
    if noun.payload.entity == entity.name:
        for lexeme, ref in p.fields(noun.end, entity):
            if _makes_groups(ref) and not lexeme.payload.tail and not ref.is_number:
                yield Found(lexeme.end, tree.Group(ref.left), noun.cost + lexeme.cost + 0.05)
    for ref in hierarchical(entity):
        if ref.target == noun.payload.entity:
            yield Found(noun.end, tree.Group(ref.left), 0.1)
    only = only_reference(entity, noun.payload.entity)
    if only is not None and noun.payload.entity != entity.name:
        real = 0.0 if p.entity(noun.payload.entity).virtual else 0.1
        yield Found(noun.end, tree.Group(only.left), noun.cost + 0.1 + real)


def _of_the_elements(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """`films by actor`: a field of the elements of a list, where nothing else is called so."""
    for ref, said, forms in _fields_of_elements(entity):
        end = next((end for form in forms if (end := p.phrase(at, *form))), None)
        things = end is not None and any(one.end == end for one in p.starting(at, EntityWord))
        if end is not None and not things and not p.lexicon.called(said):
            yield Found(end, tree.Group(ref.left), 0.15)


Words = tuple[str, ...]


@lru_cache(maxsize=256)
def _fields_of_elements(entity: Entity) -> tuple[tuple[FieldRef, Words, tuple[Words, Words]], ...]:
    """The texts of the elements of lists, with what each is called, in the singular and the plural."""
    return tuple(
        (ref, said, (said, (*said[:-1], plural(said[-1]))))
        for many in entity.lists.values()
        if many.key is None and not many.sensitive
        for ref in list_fields(entity, many.name)
        if ref.kind is FieldKind.KEYWORD and ref.target is None
        for said in ref.phrases
    )


def _of_those_referred_to(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """`repairs per building`, of flats that are in buildings; `average rent per city`, of those in a building there."""
    if entity.virtual or entity.kinds:
        return
    for noun in p.starting(at, EntityWord):
        way = p.lexicon.chains(entity).get(noun.payload.entity)
        if way is not None:
            yield Found(noun.end, tree.Group(path(*steps(way))), noun.cost + 0.25)
    refs = [ref for ref in FieldRef.own(entity) if ref.target not in (None, entity.name)]
    ways = [(ref,) for ref in refs] + [*p.lexicon.chains(entity).values()]
    for lexeme, own in p.fields(at):
        plain = own.within is None and own.kind is FieldKind.KEYWORD and own.target is None
        if not plain or own.field.is_id or lexeme.payload.tail or own.belongs_to(entity):
            continue
        for way in ways:
            target = p.entity(way[-1].target or "")
            if not target.virtual and own.field not in target.names and own.belongs_to(target):
                yield Found(lexeme.end, tree.Group(path(*steps(way), *own.path)), lexeme.cost + 0.3)


def _dates_at(p: Parse, at: int, entity: Entity) -> Iterator[tuple[FieldRef, int]]:
    for lexeme, ref in p.fields(at):
        if (ref.kind is FieldKind.DATE or is_a_year(ref)) and ref.within is None and ref.belongs_to(entity):
            yield ref, lexeme.end


def _field_of_others(p: Parse, at: int, after: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """`per type of boat`, of hires: the field of that name of what a thing refers to."""
    for noun in p.starting(p.articles(after), EntityWord):
        way = way_to(p, entity, noun.payload.entity)
        for lexeme, ref in p.fields(at, p.entity(noun.payload.entity)) if way else ():
            if lexeme.end == after - 1 and _makes_groups(ref):
                yield Found(noun.end, tree.Group(path(*way, *ref.path)), lexeme.cost + noun.cost)
