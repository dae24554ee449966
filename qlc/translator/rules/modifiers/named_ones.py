"""The one thing that others refer to, by its name: `loans of Hanna Wolf`, `flights to JFK`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord, steps
from qlc.translator.rules.modifiers.directions import cued
from qlc.translator.rules.modifiers.elements import inside_an_element
from qlc.translator.rules.nouns.names import entity_words
from qlc.translator.rules.nouns.reference_fields import only_reference, possession
from qlc.translator.rules.parse import Found, Parse, knows
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

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
    """Return the cost of a date after `bookings of Dutch guests` as the guests' date.

    It is higher without another condition on them: `repairs of technicians this year` means repairs of this year.
    """
    named = {one.end for i in range(at, end) for one in p.starting(i, FieldWord) if one.payload.ref.target is None}
    begin = next((i for i in range(at + 1, end) if any(one.end == end for one in date_test(p, i))), None)
    dated = begin is not None and begin not in named  # `built before 2015` is said of them
    alone = 0.4 if not isinstance(said, tree.And) else 0.0
    return 0.3 + alone if dated and default_date(own) is not None else 0.0


RULES = (of_a_named_one,)
