"""What follows the things spoken of: their order, how many of them, by what they are grouped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from qlc.grammar import tree
from qlc.language.nouns import plural_of as plural
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, name_of, parts, path
from qlc.translator.rules.conditions import default_date, list_fields, not_past
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, steps
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.referring import only_reference, way_to
from qlc.translator.rules.modifiers.scope import of_what_is_inside, scope_unclear
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.degrees import asked_of, degrees, numbers_of_dimension, paid_as_well, to_be_done
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.nouns.noun_phrases import BY, THOSE, noun_phrase, one_by_name, several_kinds
from qlc.translator.rules.nouns.occasions import about_to_happen, by_occasion
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
_WORTH = words("value worth")
_GROUPABLE = (FieldKind.KEYWORD, FieldKind.BOOLEAN, FieldKind.WHOLE_NUMBER, FieldKind.IP)
_KIND_OF = phrases("(kind | kinds | type | types | sort | sorts | value | values) of")


@rule
def things(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """A noun phrase with its clauses, in any order, and further conditions after them."""
    for one in (*noun_phrase(p, at), *several_kinds(p, at), *one_by_name(p, at), *by_occasion(p, at)):
        yield one
        yield from _more(p, one, 0)
        unclear = scope_unclear(p, at, one.value.where, one.end)
        if one.value.fixed is None and one.value.where is not None and not unclear:
            for start in {one.end, p.past(one.end, (",",))}:
                for rest in modifiers(p, start, one.value.entity):
                    torn = of_what_is_inside(p, one.value.where, start)
                    yield Found(rest.end, one.value.also(rest.value), one.cost + rest.cost + torn)


def _more(p: Parse, phrase: Found[NounPhrase], depth: int) -> Iterator[Found[NounPhrase]]:
    if depth > 3:
        return
    after = p.past(phrase.end, words(", - ( and ; – :"))
    for one in (
        *ordering(p, after, phrase.value),
        *_limits(p, after, phrase.value),
        *_with_the_most(p, phrase.end, phrase.value),
        *_done_first(p, phrase.end, phrase.value),
        *about_to_happen(p, phrase.end, phrase.value),
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
            if named is not None and not _is_a_date(entity, named):
                continue
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
    for end in p.phrases(start, english.ALPHABETICALLY):
        if entity.names:
            yield Found(end, _sorted(phrase, path(entity.names[0].name), False), 0.0)
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
                for finish in p.phrases(one.end, table):
                    yield Found(finish, _sorted(phrase, one.value, descending), one.cost + weak)


def _as_before(p: Parse, at: int, phrase: NounPhrase, key: tree.Path) -> bool:
    """Whether `by` names what a superlative before it speaks of, and the largest comes first: `largest rooms by area`.
    """
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
    asked = _asked_of(p, phrase, dimension)
    if asked:
        return [ref.left for ref in asked]
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
    for end, ref in _worths(p, at, entity):
        yield Found(end, ref.left, 0.1)
    date = default_date(entity)
    if date is not None and p.word(at) in ("date", "time", "age", "recency"):
        yield Found(at + 1, date[0].left, 0.1)


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
            if any(p.word(i) == "top" for i in range(at, start)) and _by_numbers_as_they_are(p, phrase):
                first = (replace(phrase.sort[0], descending=True),)  # the top of a list by numbers are the large ones
            yield Found(end, replace(phrase, limit=int(n), sort=first), 0.2)


def _by_numbers_as_they_are(p: Parse, phrase: NounPhrase) -> bool:
    """Whether things are in the order of a number, and nobody said which way it goes."""
    ref = FieldRef.at(p.entity(phrase.entity), _current_key(phrase))
    number = ref is not None and ref.kind in NUMERIC
    return number and not any(True for at in range(p.end) for _ in p.phrases(at, english.ASCENDING))


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
        by_number = p.word(start) in _BY_NUMBER  # `folders with the most documents`, but not `the largest folders`
        for ref in p.lexicon.counting(p.word(start + 1)) if by_number else ():
            yield from _extreme(p, start + 2, ref, 0.0, descending, entity, phrase)
        for end, ref in _worths(p, p.past(start + 1, ("total",)), entity):
            yield from _extreme(p, end, ref, 0.1, descending, entity, phrase)
    verb = p.past(at, english.RELATIVE_PRONOUNS)
    if not phrase.sort and p.word(verb) in english.COPULAS:
        yield from _is_the_most(p, verb + 1, phrase)
    if not phrase.sort and p.word(verb) in english.TAKING:
        yield from _taking_longest(p, verb + 1, phrase)
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


def _done_first(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`which contract expires next`, `the document that was edited last`: in the order of the date of the verb."""
    if phrase.fixed is not None or phrase.sort:
        return
    verb = p.past(at, english.RELATIVE_PRONOUNS | english.COPULAS | english.AUXILIARIES)
    for ref, end in _dates_at(p, verb, p.entity(phrase.entity)):
        descending = _FIRST.get(p.word(end))
        if descending is None:
            continue
        narrowed = phrase.also(not_past(ref)) if p.word(end) in ("next", "soonest", "soon") else phrase
        limit = phrase.limit if phrase.limit is not None else 1 if phrase.single else None
        yield Found(end + 1, replace(narrowed, sort=(tree.SortKey(ref.left, descending),), limit=limit), 0.05)


def _worths(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef]]:
    """`value`, where no field alone is called so: any amount of money, of which some occur with a kind of things."""
    if p.word(at) in _WORTH and not any(one.end == at + 1 for one in p.starting(at, FieldWord)):
        for ref in numbers_of_dimension(entity, "money"):
            yield at + 1, ref


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
            for other in paid_as_well(p, entity, ref) if dimension == "size" and phrase.where is not None else ():
                yield Found(finish, replace(found, sort=(tree.SortKey(other.left, falling),)), cost + 0.1)


def _taking_longest(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """`the claim that took longest to handle`."""
    for end, dimension, descending in _degrees_at(p, p.past(at, ("the",))):
        fields = degrees(p.entity(phrase.entity), dimension, descending) if dimension == "time" else []
        if len(fields) == 1:
            yield from (one._replace(end=to_be_done(p, one.end))
                        for one in _extreme(p, end, fields[0][0], 0.0, descending, p.entity(phrase.entity), phrase))


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
    if ref is None:
        return name_of(key) in entity.lists
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


def every_group(p: Parse, at: int) -> Iterator[tuple[Entity, Found[tree.Group]]]:
    """What things of any kind can be grouped by."""
    for entity in p.schema.entities.values():
        if not entity.virtual:
            yield from ((entity, by) for by in group(p, at, entity))


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
        following = english.CALENDAR.get(p.word(end))
        if following is not None and following != "day":
            yield Found(end + 1, tree.Group(ref.left, following), 0.0)
    for lexeme, ref in p.fields(start):
        if ref.field in entity.names:
            continue
        if ref.kind is FieldKind.NUMBER and p.word(at - 1) == "per":
            continue  # the rent per square metre is a ratio
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
    yield from _of_the_elements(p, start, entity)
    yield from _of_those_referred_to(p, start, entity)


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
