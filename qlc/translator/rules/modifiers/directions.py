"""Choose between two fields by prepositions and verbs of motion: origin or destination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, path, string
from qlc.translator.rules.conditions import default_date, values, values_condition
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord, ValueWord, steps
from qlc.translator.rules.modifiers.elements import inside_an_element
from qlc.translator.rules.nouns.names import entity_words
from qlc.translator.rules.nouns.reference_fields import only_reference, possession
from qlc.translator.rules.parse import Found, Parse, knows, needs
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

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
