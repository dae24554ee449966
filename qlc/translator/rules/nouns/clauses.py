"""A noun phrase with what follows it: its order, how many of it, and further conditions."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.translator.rules.constructions.orders import ordered
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.scope import of_what_is_inside, scope_unclear
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.noun_phrases import noun_phrase, one_by_name, several_kinds
from qlc.translator.rules.parse import Found, Parse, rule


@rule
def things(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """A noun phrase with its clauses, in any order, and further conditions after them."""
    for one in (*noun_phrase(p, at), *several_kinds(p, at), *one_by_name(p, at)):
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
    for one in ordered(p, phrase.end, phrase.value):
        found = Found(p.past(one.end, (")",)), one.value, phrase.cost + one.cost)
        yield found
        yield from _more(p, found, depth + 1)
        if one.value.fixed is None:
            for start in {found.end, p.past(found.end, (",", "and"))}:
                for rest in modifiers(p, start, one.value.entity):
                    following = Found(rest.end, found.value.also(rest.value), found.cost + rest.cost)
                    yield following
                    yield from _more(p, following, depth + 1)
