"""People who are asked for by no noun, where the catalog keeps people: `who speaks German`, `everybody in Sales`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import spoken
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.questions.counts import counted
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import Token

Form = Callable[[Parse, int], list[Found[Statement]]]
_PERSONS = words("person persons people")
_ANYBODY = words("everybody everyone anybody anyone")
_NUMBER = ("number", "of")


def who_they_are(p: Parse, at: int, listing: Form) -> Iterator[Found[Statement]]:
    """The people who do, or have, what is said; with `headcount` how many they are."""
    word = p.word(at)
    for entity in _people(p) if word in _ANYBODY | {"who", "headcount"} else ():
        noun = replace(p.tokens[at], text=entity.plural, raw=entity.plural)
        if word == "headcount":
            number = (replace(noun, text=one, raw=one) for one in _NUMBER)
            yield from _read(p, at, (*number, noun, *p.tokens[at + 1 :]), counted)
        else:
            behind = p.tokens[at if word == "who" else at + 1 :]
            yield from _read(p, at, (noun, *behind), listing)


def _people(p: Parse) -> list[Entity]:
    real = [one for one in p.schema.entities.values() if not one.virtual]
    return [one for one in real if _PERSONS & {one.name, one.plural, *one.words}] or [
        one for one in real if any(ref.target == one.name and _tells_who(ref) for ref in p.lexicon.fields())
    ]


def _tells_who(ref: FieldRef) -> bool:
    """Whether what a field refers to are those who do something: `attended by`, `reports to`."""
    return any(said.split()[-1] == "by" for said in spoken(ref)) or "reports to" in ref.field.words


def _read(p: Parse, at: int, said: tuple[Token, ...], form: Form) -> Iterator[Found[Statement]]:
    """What the sentence says with the noun in it, by its end in the sentence as it stands."""
    inner = Parse(said, p.lexicon, p.now, p.text)
    for one in form(inner, 0):
        if len(inner.tokens) == len(said):
            yield Found(one.end + p.end - len(said), _the_one(p, at, one.value), one.cost + 0.1)


def _the_one(p: Parse, at: int, people: Statement) -> Statement:
    """`who has the highest salary` asks for one; `who joined this year, newest first` for all of them."""
    said = {p.word(i) for i in range(at, p.end)}
    extreme = bool(said & (english.SUPERLATIVES.keys() | {"most", "least"})) and "first" not in said
    final = p.end - 1 - (p.word(p.end - 1) in english.END_MARKS)
    extreme |= p.word(final) in ("first", "last") and is_participle(p.word(final - 1))  # `who was hired first`
    if isinstance(people, tree.Find) and people.sort and people.limit is None and extreme and p.word(at) == "who":
        return replace(people, limit=1)
    return people
