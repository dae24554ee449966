"""Conditions on what things refer to: an element of a list, where something comes from or goes to, one by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, either, negation, path, string
from qlc.translator.rules.conditions import (
    date_condition,
    default_date,
    list_fields,
    list_words,
    quantity_condition,
    values,
    values_condition,
)
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
    steps,
)
from qlc.translator.rules.nouns.names import entity_words, only_reference, possession
from qlc.translator.rules.parse import Found, Parse, if_any, knows, needs
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, words

Parts = tuple[Condition, ...]
_MADE = words("wrote made left posted added gave said")
_SAYING = {stem("saying"), stem("mentioning"), stem("says")}
_ELEMENT_LINKS = words(
    "says with by from on to at during the as a an of in that were was are is made left written saying mentioning "
    "and rights access permission permissions role for which still yet"
)


@knows(ListWord)
def element(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Conditions on one element of a list: `shared with Ann as editor`, `commented on by Ann since March`."""
    own = p.entity(entity)
    start = p.past(at, english.HAVING | words("that a an the are is any where someone somebody people anyone"))
    for begin in {at, start}:
        for end, name, _ in list_words(p, begin, own):
            only = p.word(begin - 1) == "only" or p.word(end) == "only"
            for one in element_conditions(p, end + (p.word(end) == "only"), name, own, 0):
                if only or p.word(one.end) == "only":
                    yield from if_any(one.end + (not only), _nothing_else(name, one.value), one.cost)
                    continue
                yield Found(one.end, one_element(name, one.value), one.cost)
                yield from _and_another(p, one, name, own)


def inside_an_element(p: Parse, at: int, entity: Entity, target: str | None = None, *, dated: bool = False) -> bool:
    """Return whether a list or a value of its elements comes before, so that an amount or date is the element's."""
    after = p.ending(at, 4)
    ending = [one.payload for one in after]
    if any(isinstance(one, EntityWord | ConditionWord) for one in ending) or any(_is_called(p, one) for one in after):
        return False
    fields = [one.ref for one in ending if isinstance(one, FieldWord | ValueWord)]
    if any(ref.belongs_to(entity) and ref.within is None for ref in fields):
        return False
    named = any(isinstance(one, ListWord) and not one.tail and one.name in entity.lists for one in ending)
    valued = (ref for ref in fields if ref.within is not None and ref.within.name in entity.lists)
    lists = [ref.path[0] for ref in valued] + [one.name for one in ending if isinstance(one, ListWord) and named]
    inner = [one for name in lists for one in list_fields(entity, name)]
    if dated and not named:
        return any(one.kind is FieldKind.DATE for one in inner)
    return any(one.target == target for one in inner) if target else named or any(one.is_number for one in inner)


def _is_called(p: Parse, one: Lexeme[Payload]) -> bool:
    """Whether words with a capital after a preposition are rather the whole name of something: `in Grants`."""
    whole = isinstance(one.payload, NameWord) and one.payload.whole
    capital = p.tokens[one.start].raw[:1].isupper() and one.start > 0
    return whole and capital and p.word(one.start - 1) in english.PREPOSITIONS | english.BELOW


def one_element(name: str, parts: Parts) -> Condition:
    """One element meets all parts. Of a field that is to have two values (`Ann and Ben`), each has an element."""
    several = next((one for one in parts if isinstance(one, tree.And)), None)
    if several is not None:
        rest = tuple(one for one in parts if one is not several)
        return both(*(one_element(name, (one, *rest)) for one in several.items)) or several
    return tree.Bare(tree.Path((tree.Segment(tree.Name(name), both(*parts)),)))


def _nothing_else(name: str, parts: Parts) -> Condition | None:
    """`shared only with Ann`: with her, and no element says anything else."""
    if len(parts) != 1 or isinstance(parts[0], tree.And):
        return None
    return both(one_element(name, parts), negation(one_element(name, (negation(parts[0]),))))


def element_conditions(p: Parse, at: int, name: str, entity: Entity, depth: int) -> Iterator[Found[Parts]]:
    """Read the conditions after a list's noun; one element must meet all of them."""
    if depth > 2:
        return
    for start in {at, p.past(at, _ELEMENT_LINKS)}:
        saying = any(stem(p.word(i)) in _SAYING for i in range(at, start))
        leading = {p.word(i) for i in range(at, start)}
        doer = "by" in leading
        for ref in list_fields(entity, name):
            if saying and not is_text(ref):
                continue
            if doer and ref.target is not None and not is_who_did_it(ref):
                continue  # what somebody shared is not shared with them
            for one in _element_condition(p, start, ref):
                inner = inside(one.value)
                finish = (p.past(one.end, words("access rights permission permissions role")) if ref.field.values
                          else one.end)
                if ref.target is not None and is_who_did_it(ref) and not {"by", "from", "of"} & leading:
                    finish = p.past(one.end, _MADE)  # `comments that Ann wrote`
                    if finish == one.end and is_participle(p.word(one.end)):
                        continue  # who resolved a comment did not write it
                yield Found(finish, (inner,), one.cost + 0.05)
                for more in element_conditions(p, finish, name, entity, depth + 1):
                    if all(field_of(inner) != field_of(other) for other in more.value):
                        yield Found(more.end, (inner, *more.value), one.cost + more.cost)


def _element_condition(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    if ref.kind is FieldKind.DATE:
        for test in date_test(p, at):
            yield Found(test.end, date_condition(ref, test.value), test.cost)
    elif is_text(ref):
        text = p.quoted(at)
        if text is not None:
            yield Found(at + 1, ref.compared("mentions", string(text)), 0.1)
    elif ref.kind is FieldKind.BOOLEAN:
        denied = p.word(at) in english.NEGATIONS
        for said in ref.phrases:
            if p.word(at) == f"un{' '.join(said)}":
                yield Found(at + 1, ref.equals(tree.Boolean(False)), 0.1)
            if end := p.phrase(at + denied, *said):
                yield Found(end, ref.equals(tree.Boolean(not denied)), 0.1)
    elif ref.is_number:
        for start, cost in _number_places(p, at, ref):
            for found in quantity_test(p, start):
                bare = replace(found.value, amount=replace(found.value.amount, money=None))
                if bare.compared and bare.until is None:
                    yield from if_any(found.end, quantity_condition(ref, bare), found.cost + cost)
    else:
        after = (p.phrase(at, *said) for said in ref.phrases)  # `in room 12`
        for begin in dict.fromkeys((at, *(p.past(end, words("is was of")) for end in after if end is not None))):
            for several in values(p, begin, ref):
                yield Found(several.end, values_condition(ref, *several.value), several.cost)


def is_who_did_it(ref: FieldRef) -> bool:
    """Whether somebody in a list did what the list is of, and it was not done to them: `by`, not `with`."""
    return any(one[-1] in ("by", "author") for one in ref.phrases[1:])  # the name alone says less


def is_text(ref: FieldRef) -> bool:
    """Whether a field is searched by its words."""
    plain = ref.target is None and ref.field.values is None
    return ref.kind is FieldKind.TEXT or (bool(ref.field.mapped.analysed) and plain)


def _number_places(p: Parse, at: int, ref: FieldRef) -> Iterator[tuple[int, float]]:
    """Yield positions where an amount of this field may be: after its words, or after `priced` for a price."""
    for said in ref.phrases:
        if end := p.phrase(at, *said):
            yield p.past(end, words("is of was :")), 0.0
    if ref.path[-1] in ("price", "cost") and p.word(at) in words("priced costing costs worth cost at for"):
        yield p.past(at + 1, words("at for")), 0.1


def inside(condition: Condition) -> Condition:
    """The same inside the brackets of its list: without the list's name."""
    match condition:
        case tree.Comparison(left=tree.Path() as left):
            return tree.Comparison(tree.Path(left.segments[1:]), condition.operator, condition.right)
        case tree.Between(left=tree.Path() as left):
            return tree.Between(tree.Path(left.segments[1:]), condition.low, condition.high)
        case tree.And():
            return tree.And(tuple(inside(one) for one in condition.items))
        case tree.Or():
            return tree.Or(tuple(inside(one) for one in condition.items))
        case _:
            return condition


def field_of(condition: Condition) -> object:
    return getattr(condition, "left", condition)


def _and_another(p: Parse, first: Found[Parts], name: str, entity: Entity) -> Iterator[Found[Condition]]:
    """`shared with Ann but not with Ben`, `... but not as editor`: the verb is said once."""
    joint = p.past(first.end, (",",))
    join = p.word(joint)
    if join not in english.AND | english.OR:
        return
    denied = p.word(joint + 1) in english.NEGATIONS
    start = joint + 1 + denied
    fields = {field_of(one) for one in first.value}
    linked = p.word(start) in _ELEMENT_LINKS
    if not linked and not (denied and len(first.value) == 1):
        return
    for more in element_conditions(p, start, name, entity, 0):
        cost = first.cost + more.cost
        said = {field_of(one) for one in more.value}
        if not linked and said != fields and said & fields:
            continue  # `but not Grace Kim` is of the same field, `but not editor` of another one
        if fields.isdisjoint(field_of(one) for one in more.value):
            if denied and len(more.value) == 1:
                yield Found(more.end, one_element(name, (*first.value, negation(more.value[0]))), cost)
            continue
        one, other = one_element(name, first.value), one_element(name, more.value)
        other = negation(other) if denied else other
        yield from if_any(more.end, either((one, other)) if join in english.OR else both(one, other), cost)


_OPPOSITE = {"to": "from", "into": "from", "from": "to", "out": "to"}
_LINKS = ("to", "-", "–", "→", ">")


def towards(leading: Sequence[str]) -> str:
    """`from` or `to`, as the words before a value say: `leaving`, `bound for`, `arriving in`, `out of`. Else empty."""
    for word in reversed(leading):
        if word in ("from", "to"):
            return word
        if word in ("into", "out"):
            return "to" if word == "into" else "from"
    moving = [english.MOTION[word] for word in leading if word in english.MOTION]
    return "to" if moving and "for" in leading else moving[-1] if moving else ""


def is_moving(leading: Sequence[str]) -> bool:
    """Whether a verb of motion alone gives the direction."""
    return any(word in english.MOTION for word in leading) and not {"from", "to", "into", "out"} & set(leading)


def direction_cost(ref: FieldRef, leading: Sequence[str]) -> float:
    """`from Rome`: rather the field that says where from than the one that says where to."""
    said = [word for word in (*leading, towards(leading)) if word]
    if any(cued(ref, word) for word in said):
        return -0.2
    return 0.6 if any(word in _OPPOSITE and cued(ref, _OPPOSITE[word]) for word in said) else 0.0


def cued(ref: FieldRef, word: str) -> bool:
    """Whether a preposition speaks for a field: it begins or ends one of its phrases, or means the same direction."""
    cues = english.DIRECTION_CUES.get(word, ())
    return any(parts and (parts[0] == word or parts[-1] == word or parts[0] in cues) for parts in ref.phrases)


@needs(_LINKS)
def from_one_to_another(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`Hamburg to Santos`: what is first says where from."""
    start = at + 1 if p.word(at) == "from" else at
    for lexeme in p.starting(start, ValueWord):
        origin = lexeme.payload.ref
        if not origin.belongs_to(p.entity(entity)) or not cued(origin, "from"):
            continue
        for first in values(p, start, origin):
            if p.word(first.end) not in _LINKS:
                continue
            for other in p.starting(first.end + 1, ValueWord):
                goal = other.payload.ref
                if goal.path == origin.path or not goal.belongs_to(p.entity(entity)) or not cued(goal, "to"):
                    continue
                for second in values(p, first.end + 1, goal):
                    condition = both(values_condition(origin, *first.value), values_condition(goal, *second.value))
                    yield Found(second.end, condition, 0.1 + first.cost + second.cost)


_NAMING = words("of for from to by with at on in inside under through via")
_ABOUT = words("about regarding concerning")


@knows(NameWord)
def of_a_named_one(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`of Pine Hotels`, `to Ridge Outdoor`: where one field alone refers to what has the name."""
    own = p.entity(entity)
    bare, about = p.word(at) not in _NAMING | _ABOUT, p.word(at) in _ABOUT
    for name in p.starting(at if bare else p.articles(at + 1), NameWord):
        for target in name.payload.entities:
            ref = only_reference(own, target) or _reference_towards(own, target, p.word(at))
            way = p.lexicon.chains(own).get(target, ()) if ref is None and not bare else ()
            left = ref.left if ref is not None else path(*steps(way))
            if (ref is None and not way) or target == entity or inside_an_element(p, at, own, target):
                continue
            said = string(p.raw(name.start, name.end))
            certain = name.payload.whole and p.tokens[name.start].raw[:1].isupper()
            if about and not certain:
                continue  # a text may speak of it
            cost = name.cost + (0.0 if about else 0.25 if certain or not bare else 0.4)
            yield Found(name.end, compare(left, "=", said), cost)
            for end in entity_words(p, name.end, target):  # `on the Respiratory ward`
                if not p.plural(end):
                    yield Found(end, compare(left, "=", said), name.cost + 0.1)


def _reference_towards(entity: Entity, target: str, word: str) -> FieldRef | None:
    """Return the one of several references that fits a preposition: `to Ann` -> the recipient."""
    refs = [ref for ref in FieldRef.own(entity) if ref.target == target]
    found = [ref for ref in refs if word in english.DIRECTION_CUES and cued(ref, word)]
    found = [ref for ref in found if not possession(ref)]  # what is written to Ann does not belong to her
    return found[0] if len(found) == 1 else None


def date_of_others(p: Parse, at: int, end: int, own: Entity, said: Condition | None) -> float:
    """Return the cost of a date after `bookings of Dutch guests` as theirs: higher if nothing else is said of them."""
    named = {one.end for i in range(at, end) for one in p.starting(i, FieldWord) if one.payload.ref.target is None}
    begin = next((i for i in range(at + 1, end) if any(one.end == end for one in date_test(p, i))), None)
    dated = begin is not None and begin not in named  # `built before 2015` is said of them
    alone = 0.4 if not isinstance(said, tree.And) else 0.0
    return 0.3 + alone if dated and default_date(own) is not None else 0.0
