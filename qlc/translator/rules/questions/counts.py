"""Questions for how many: of things, of different values, and groups by how many are in each."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.questions.aggregates import (
    COUNT,
    SAYS_GROUPS,
    THERE_ARE,
    count_of,
    grouped,
)
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_HOW_OFTEN = phrases("how often (is | are | was | were | do | does | did | has | have)")


@rule
@needs(english.COUNTING, _HOW_OFTEN)
def counted(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many PDFs are in Legal`, `number of NDAs by review status`, `count the documents per month`."""
    start = p.past(at, words("the what is 's a me tell show give get are please"))
    for end in p.phrases(start, english.COUNTING):
        if p.word(end - 1) == "of" and p.word(end - 2) not in ("number", "count") and _is_a_number(p, end - 2):
            continue  # the amount of invoices is money, where there is a field of that name
        inner = p.past(end, english.ARTICLES | {"different"})
        for things in (*noun_phrase(p, inner),):
            phrase = things.value
            if phrase.plain:
                yield Found(things.end, count_of(p, phrase), things.cost)
                yield from grouped(p, things, (COUNT,))
                yield from _that_there_are(p, things)


def _that_there_are(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many visits did we have in March`, `how many books are there per language`."""
    for end in p.phrases(things.end, THERE_ARE):
        yield from grouped(p, Found(end, things.value, things.cost), (COUNT,))
        for rest in modifiers(p, end, things.value.entity):
            those = Found(rest.end, things.value.also(rest.value), things.cost + rest.cost)
            yield Found(rest.end, count_of(p, those.value), those.cost)
            yield from grouped(p, those, (COUNT,))


def _is_a_number(p: Parse, at: int) -> bool:
    """Whether one word is called so, as `amount`."""
    return any(one.payload.ref.is_number and one.end == at + 1 for one in p.starting(at, FieldWord))


@rule
@needs(SAYS_GROUPS, words("count counts numbers"))
def listed_by(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`documents per quarter in 2024`, `invoices by vendor`, `invoice count by month`: counted, because grouped."""
    for kind in bare_noun(p, p.articles(at)):
        plain = (kind.value.headed or kind.value.where is not None) and kind.value.fixed is None
        plain = plain and kind.value.limit is None
        if plain and p.word(kind.end) in ("count", "counts", "numbers") and not kind.value.sort:
            moved = Found(kind.end + 1, kind.value, kind.cost)
            yield Found(moved.end, count_of(p, kind.value), kind.cost + 0.1)
            yield from grouped(p, moved, (COUNT,))
    start = p.past(
        at, words("the a breakdown distribution of split show me give counts histogram break down group bucket segment")
    )
    for things in noun_phrase(p, start):
        phrase = things.value
        if phrase.plain:
            said = any(p.word(i) in words("breakdown distribution split counts histogram") for i in range(at, start))
            for one in grouped(p, things, (COUNT,)):
                rather_by_whom = 0.0
                yield Found(one.end, one.value, one.cost + (0.0 if said else 0.15) + rather_by_whom)


def _is_of_another(p: Parse, at: int, end: int, own: FieldRef, entity: Entity) -> bool:
    """Whether words are those of a number or a flag too: `delays` have happened, they are no kinds of delay."""
    said = [stem(p.word(i)) for i in range(p.articles(at), end)]
    if said in ([stem(part) for part in phrase] for phrase in own.phrases):
        return False
    called = (one.payload.ref for one in p.starting(p.articles(at), FieldWord) if one.end == end)
    flags = {part for ref in FieldRef.own(entity) if ref.kind is FieldKind.BOOLEAN for part in ref.stems}
    return any(ref.is_number and ref.belongs_to(entity) for ref in called) or set(said) <= flags


FORMS = (counted, listed_by)
