"""What is asked of the one thing that was spoken of last: `and the size?`, `who is the owner?`, `by whom?`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.grammar import tree
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone
from qlc.translator.follow_ups.history import FROM_CONDITION, Earlier, nth, things
from qlc.translator.follow_ups.merging import Joined
from qlc.translator.follow_ups.placeholders import is_found_by_a_query
from qlc.translator.rules.build import lookup, member
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldWord, ThingWord, has_field
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words


def another_field(c: Content) -> Iterator[Meaning]:
    """`and the size?`, `who is the owner?`: of the one thing that was spoken of last."""
    thing = one_thing(c.last)
    start = c.p.past(c.at, plain.ARTICLES | _ASKING_OF_IT)
    asks = any(c.p.word(at) in _ASKING_OF_IT for at in range(start))
    goes_on = c.said.cued and c.last is not None and c.last.kind != "hits"  # after a list, "and signed" narrows it
    if thing is None or c.said.mode not in ("", "replace") or not (goes_on or asks):
        return
    entity = c.schema.entities.get(thing.entity.text)
    for lexeme in c.p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if entity is not None and has_field(entity, ref) and ref.within is None and finished(c.p, lexeme.end):
            found = member(thing, *ref.path)
            if isinstance(found, tree.Member) and not lexeme.payload.tail:
                yield alone(tree.Get((found,)), lexeme.cost)


_ASKING_OF_IT = words("what who when which is 's was are it its")


def one_thing(last: Earlier | None) -> tree.EntityLookup | None:
    """The one thing whose property was asked for, or that was all that was found."""
    statement = last.program.statement if last is not None and last.program is not None else None
    if isinstance(statement, tree.Get):
        item = statement.items[0]
        base = item.base if isinstance(item, tree.Member) else None
        return base if isinstance(base, tree.EntityLookup) and len(statement.items) == 1 else None
    if last is not None and last.kind == "hits" and last.complete and len(last.ids) == 1:
        return lookup(str(last.turn.outcome.get("entity")), last.ids[0])
    return None


# --- shown -----------------------------------------------------------------------------------------------------------

NOT_OPENED = "Nothing can be opened here. This is what is known of it."


def shown(c: Content) -> Iterator[Meaning]:
    """`show it`, after the question who owns a thing; `open the second one`, after a list."""
    p = c.p
    start = p.past(0, plain.POLITE | plain.AND | words("can could would will you i we may let 's want need like to"))
    for end in p.phrases(start, english.SHOWING) if c.at == 0 else ():
        opens = not english.OPENING.isdisjoint(p.word(at) for at in range(start, end))
        for word, after in (*_it(c, end), *_nth(c, end, opens=opens)):
            if not finished(p, p.past(after, words("up to me us for again now please here"))):
                continue
            found = _found(word)
            if found is not None and not c.schema.entities[word.entities[0]].virtual:
                notes = (NOT_OPENED,) if opens else ()
                yield Meaning((Joined(found, notes),), 0.0, changes=False, sure=True)


def _it(c: Content, at: int) -> Iterator[tuple[ThingWord, int]]:
    """`it`, `that`, `that one`, `this document`: what the last turn spoke of, and no turn before."""
    p, ends = c.p, []
    if p.word(at) in ("it", *english.DEMONSTRATIVES):
        ends.append(at + 1)
        ends += [at + 2] if p.word(at) != "it" and p.word(at + 1) in english.ORDINAL_NOUNS | {"thing"} else []
    known = things((c.last,), c.schema) if c.last is not None else []
    for word, cost in known[:1] if ends else ():
        if cost < FROM_CONDITION:
            yield from ((word, end) for end in ends)
            for noun in p.starting(at + 1, EntityWord) if p.word(at) != "it" else ():
                if noun.payload.entity in word.entities and not p.plural(noun.end):
                    yield word, noun.end


def _nth(c: Content, at: int, *, opens: bool) -> Iterator[tuple[ThingWord, int]]:
    """`the second one`, `number 3`, `the first document`."""
    p = c.p
    begin = p.articles(at)
    place = ordinal(p, begin)
    number = int(p.word(begin + 1)) if p.word(begin) in ("number", "#") and p.word(begin + 1).isdecimal() else 0
    if place is not None:
        number, end = place.value, place.end
    elif number:
        end = begin + 2
    else:
        return
    ends = [end + 1] if p.word(end) in english.ORDINAL_NOUNS else [end] if opens else []
    ends += [noun.end for noun in p.starting(end, EntityWord) if opens and not p.plural(noun.end)]
    word = nth(c.earlier, number, c.schema) if ends and len(str(number)) <= LONGEST_PLACE else None
    yield from ((word, one) for one in ends if word is not None)


LONGEST_PLACE = 3
"""Digits of a place in a list."""


def _found(word: ThingWord) -> tree.Find | None:
    found = tree.Find(lookup(word.entities[0], word.text))
    if not is_found_by_a_query(word):
        return found
    return None


# --- of the only row -------------------------------------------------------------------------------------------------

_OTHERS = re.compile(r"\b(?:they|them|their|theirs|its|it|his|her|him|she|he|those|these|ones|one)\b", re.IGNORECASE)
