"""What follows the things spoken of: their order, how many of them, by what they are grouped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, parts, path
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, steps
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.referring import only_reference
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.degrees import asked_of, degrees
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.nouns.noun_phrases import BY, THOSE, noun_phrase, one_by_name
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.numbers import cardinal
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_MOST_OF = words("most highest largest biggest greatest longest latest newest maximum best")
_BY_NUMBER = words("most least fewest")
_LEAST_OF = words("fewest lowest smallest least shortest earliest oldest minimum")
_FIRST = {
    "next": False, "first": False, "soonest": False, "soon": False, "earliest": False,
    "last": True, "latest": True,
}  # fmt: skip
_GROUPABLE = (FieldKind.KEYWORD, FieldKind.BOOLEAN, FieldKind.WHOLE_NUMBER, FieldKind.IP)


@rule
def things(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """A noun phrase with its clauses, in any order, and further conditions after them."""
    for one in (*noun_phrase(p, at), *one_by_name(p, at)):
        yield one
        yield from _more(p, one, 0)
        if one.value.fixed is None and one.value.where is not None:
            for start in {one.end, p.past(one.end, (",",))}:
                for rest in modifiers(p, start, one.value.entity):
                    torn = 0.0
                    yield Found(rest.end, one.value.also(rest.value), one.cost + rest.cost + torn)


def _more(p: Parse, phrase: Found[NounPhrase], depth: int) -> Iterator[Found[NounPhrase]]:
    after = p.past(phrase.end, words(", - ( and ; – :"))
    for one in (
        *ordering(p, after, phrase.value),
        *_limits(p, after, phrase.value),
        *_with_the_most(p, phrase.end, phrase.value),
    ):
        found = Found(p.past(one.end, (")",)), one.value, phrase.cost + one.cost)
        yield found
        yield from _more(p, found, depth + 1)
        if one.value.fixed is None:
            for start in {found.end, p.past(found.end, (",", "and"))}:
                for rest in modifiers(p, start, one.value.entity):
                    following = Found(rest.end, found.value.also(rest.value), found.cost + rest.cost)
                    yield following
                    yield from _more(p, following, depth + 1)


def ordering(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`newest first`, `sorted by size, smallest first`, `by name`."""
    if phrase.fixed is not None:
        return
    entity = p.entity(phrase.entity)
    date = default_date(entity)
    for table, descending in ((english.NEWEST_FIRST, True), (english.OLDEST_FIRST, False)):
        for end in p.phrases(p.past(at, words("with the sorted ordered from in")), table):
            named = _current_key(phrase)  # "by due date, oldest first"
            usual = date[0].left if date is not None else None
            if (dated := named or usual) is not None:
                yield Found(end, _sorted(phrase, dated, descending), 0.0)
    start = p.past(at, ("sorted", "ordered", "the"))
    for table, descending in ((english.DESCENDING, True), (english.ASCENDING, False)):
        for end in p.phrases(start, table):
            current = _current_key(phrase)
            keys = [current] if current is not None else _size_keys(p, phrase, p.word(start))
            for key in keys:
                yield Found(end, _sorted(phrase, key, descending), 0.1)
    for end in p.phrases(at, english.SORTING + phrases("by | with them by")):
        for one in sort_key(p, p.articles(end), entity) if not _any_but_some(p, end) else ():
            groups_rather = _groupable(entity, one.value) and p.word(at) == "by" and not phrase.sort
            weak = 0.0 if p.word(at) != "by" else 0.7 if _groupable(entity, one.value) else 0.3
            if not groups_rather:
                yield Found(one.end, _sorted(phrase, one.value, _as_before(p, at, phrase, one.value)), one.cost + weak)
            after = p.past(one.end, words(", from with the in ( -"))
            of_dates = _is_a_date(entity, one.value)  # nothing is newest by its name
            for table, descending in (
                (english.DESCENDING + english.NEWEST_FIRST if of_dates else english.DESCENDING, True),
                (english.ASCENDING + english.OLDEST_FIRST if of_dates else english.ASCENDING, False),
            ):
                for finish in p.phrases(after, table):
                    yield Found(p.past(finish, (")",)), _sorted(phrase, one.value, descending), one.cost + weak)


def _as_before(p: Parse, at: int, phrase: NounPhrase, key: tree.Path) -> bool:
    """Whether `by` names what a superlative before it speaks of, and the largest comes first: `largest rooms by area`."""
    ref = FieldRef.at(p.entity(phrase.entity), key)
    amount = ref is not None and (ref.kind in NUMERIC or ref.kind is FieldKind.DATE)
    return p.word(at) == "by" and amount and bool(phrase.sort) and phrase.sort[0].descending


def _is_a_date(entity: Entity, key: tree.Path) -> bool:
    ref = FieldRef.at(entity, key)
    return ref is not None and (ref.kind is FieldKind.DATE or is_a_year(ref))


def _any_but_some(p: Parse, at: int) -> bool:
    """`by any carrier except X`: which ones are meant, and neither groups nor an order."""
    if p.word(at) not in ("any", "every", "all"):
        return False
    ends = (lexeme.end for kind in (FieldWord, EntityWord) for lexeme in p.starting(p.articles(at), kind))
    return any(p.word(end) == "but" or any(True for _ in p.phrases(end, english.EXCEPT)) for end in ends)


def _sorted(phrase: NounPhrase, key: tree.Path, descending: bool) -> NounPhrase:
    return replace(phrase, sort=(tree.SortKey(key, descending),))


def _current_key(phrase: NounPhrase) -> tree.Path | None:
    return phrase.sort[-1].key if phrase.sort and isinstance(phrase.sort[-1].key, tree.Path) else None


def _size_keys(p: Parse, phrase: NounPhrase, word: str) -> list[tree.Path]:
    """What `biggest` and the like speak of: the money that was asked for just before, else the size of the things."""
    entity = p.entity(phrase.entity)
    dimension = english.SUPERLATIVES.get(word, ("", True))[0]
    _asked_of(p, phrase, dimension)
    found = degrees(entity, dimension, True) if dimension else []
    return [found[0][0].left] if len(found) == 1 and found[0][1] else []


def _asked_of(p: Parse, phrase: NounPhrase, dimension: str) -> list[FieldRef]:
    """The numbers that have a condition which `biggest` may speak of, said now or of the things spoken of before."""
    where = both(phrase.where, p.before) if THOSE in parts(phrase.where) else phrase.where
    return asked_of(where, p.entity(phrase.entity), dimension)


@rule
def sort_key(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Path]]:
    """A field by any of its words; `date` is the entity's own."""
    for lexeme, ref in p.fields(at, entity):
        if not lexeme.payload.tail:
            end = p.past(lexeme.end, ("date", "time")) if ref.kind is FieldKind.DATE else lexeme.end
            yield Found(end, ref.left, lexeme.cost)
    default_date(entity)


def _limits(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`limit 10`, `just the top 3`, `first 5 only`."""
    if phrase.limit is not None or phrase.fixed is not None:
        return
    start = p.past(at, words("just only show the give me limit limited to top first at most max maximum"))
    if start == at or (p.word(start) == "one" and p.word(start - 1) == "the"):
        return  # "the one over 5 MB" says more of it
    for one in cardinal(p, start):
        n = one.value.value
        if float(n).is_integer() and 0 < n <= 10_000:
            end = p.past(one.end, words("only results hits of them please items max"))
            first = phrase.sort
            yield Found(end, replace(phrase, limit=int(n), sort=first), 0.2)


def _with_the_most(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`with the most pages`, `that has the highest amount`, `the most views`, `top 5 by size`."""
    if phrase.fixed is not None:
        return
    entity = p.entity(phrase.entity)
    start = p.past(
        at, words("with that which has have having had got drew attracted the were was is are who whose ranked")
    )
    if p.word(start) in _MOST_OF | _LEAST_OF:
        descending = p.word(start) in _MOST_OF
        for lexeme in p.starting(p.past(start + 1, words("number of total amount count")), FieldWord):
            yield from _extreme(p, lexeme.end, lexeme.payload.ref, lexeme.cost, descending, entity, phrase)
        for lexeme in p.starting(start + 1, FieldWord):
            yield from _extreme(p, lexeme.end, lexeme.payload.ref, lexeme.cost, descending, entity, phrase)
    verb = p.past(at, english.RELATIVE_PRONOUNS)
    if not phrase.sort and p.word(verb) in english.COPULAS:
        yield from _is_the_most(p, verb + 1, phrase)
    if phrase.limit is not None and phrase.sort:
        usual = default_date(entity)  # `the last contract signed`; not `with the biggest battery sold`
        by_date = usual is not None and phrase.sort[0].key == usual[0].left and phrase.sort[0].descending
        for ref, end in _dates_at(p, at, entity) if by_date else ():
            if ref.field.name in {f.name for f in entity.fields.values() if f.kind is FieldKind.DATE}:
                yield Found(end, replace(phrase, sort=(tree.SortKey(ref.left, True),)), 0.0)
        for end in p.phrases(at, BY):
            for one in sort_key(p, p.articles(end), entity):
                key = FieldRef.at(entity, one.value)
                if key is not None and key.kind in (*NUMERIC, FieldKind.DATE):
                    direction = phrase.sort[0].descending
                    yield Found(one.end, replace(phrase, sort=(tree.SortKey(one.value, direction),)), one.cost)


def _is_the_most(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`which file in Legal is the largest`, `... the oldest`: one of them. `which files are the largest`: in order."""
    entity = p.entity(phrase.entity)
    limit = phrase.limit if p.word(at - 1) in ("are", "were") else phrase.limit or 1
    start = p.past(at, ("the",))
    for end, dimension, descending in _degrees_at(p, start):
        fields = degrees(entity, dimension, descending) if dimension != "number" else []
        fields = [(ref, descending) for ref in _asked_of(p, phrase, dimension)] or fields
        for ref, falling in fields if len(fields) == 1 else ():
            found = replace(phrase, sort=(tree.SortKey(ref.left, falling),), limit=limit)
            finish, cost = p.past(end, ("one", "ones")), 0.0 if start > at else 0.1
            yield Found(finish, found, cost)


def _degrees_at(p: Parse, at: int) -> Iterator[tuple[int, str, bool]]:
    word = p.word(at)
    if word in ("most", "least") and p.word(at + 1) in english.MOST_ADJECTIVES:
        yield at + 2, english.MOST_ADJECTIVES[p.word(at + 1)], word == "most"
    elif word in english.SUPERLATIVES:
        yield at + 1, *english.SUPERLATIVES[word]


def _extreme(
    p: Parse, end: int, ref: FieldRef, cost: float, descending: bool, entity: Entity, phrase: NounPhrase
) -> Iterator[Found[NounPhrase]]:
    dated = ref.kind is FieldKind.DATE and not any(p.word(i) in ("most", "fewest") for i in range(max(0, end - 3), end))
    if ref.within is None and ref.belongs_to(entity) and (ref.is_number or dated):  # `the most views` are no date
        limit = phrase.limit if phrase.limit is not None else 1 if phrase.single else None
        yield Found(end, replace(phrase, sort=(tree.SortKey(ref.left, descending),), limit=limit), cost)


def _groupable(entity: Entity, key: tree.Path) -> bool:
    """Whether things share values of a field: a name, a number and an instant are everything's own."""
    ref = FieldRef.at(entity, key)
    return is_a_year(ref) or (ref.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) and ref.field not in entity.names)


def _makes_groups(ref: FieldRef) -> bool:
    """Whether things share values of a field: also a number that is in no unit, as the rooms of flats."""
    counted = ref.kind is FieldKind.NUMBER and ref.field.shown_unit is None and ref.field.unit_field is None
    return ref.kind in _GROUPABLE or counted


# --- groups ----------------------------------------------------------------------------------------------------------


@rule
def groups(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`by type`, `per month and owner`: after the preposition."""
    for first in group(p, at, entity):
        yield Found(first.end, (first.value,), first.cost)
        p.past(first.end, words(", and per by then &"))


@rule
def group(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Group]]:
    """One thing to group by: a field, a calendar unit of a date, the entity above."""
    start = p.past(at, english.ARTICLES | {"different"})
    date = default_date(entity)
    for cycle, function in english.CYCLIC.items():
        if (end := p.phrase(start, *cycle)) and date is not None:
            yield Found(end, tree.Group(date[0].left, function), 0.0)
    unit = english.CALENDAR.get(p.word(start))
    if unit is not None:
        if date is not None:
            ordering = 0.35 if p.word(start) == "date" else 0.05  # "by date" is rather an order
            yield Found(start + 1, tree.Group(date[0].left, unit), ordering)
        linked = p.past(start + 1, words("of it they were was the when"))
        for ref, end in _dates_at(p, linked, entity):
            if ref.kind is FieldKind.DATE:
                yield Found(end, tree.Group(ref.left, unit), 0.0)
    for ref, end in _dates_at(p, start, entity):
        english.CALENDAR.get(p.word(end))
    for lexeme, ref in p.fields(start):
        if ref.field in entity.names:
            continue
        if ref.belongs_to(entity) and _makes_groups(ref) and not lexeme.payload.tail:
            # "by customers from ..." says who, "by customer" asks for groups; a number makes groups less often
            rare = 0.2 if ref.is_number else 0.0
            people = p.plural(lexeme.end) and p.word(start - 1) == "by" and ref.kind is not FieldKind.NUMBER
            several = 0.5 if people else 0.0
            yield Found(lexeme.end, tree.Group(ref.left), lexeme.cost + several + rare)
    for noun in p.starting(start, EntityWord):
        if noun.payload.entity == entity.name:  # `the most common payment method`, of payments
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
    yield from _of_those_referred_to(p, start, entity)


Words = tuple[str, ...]


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
