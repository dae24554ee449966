"""Questions for one value: who owns X, the size of X, when X was sent, how many pages X has, whether X is signed."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import lookup, member
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ListWord, NameWord, ValueWord
from qlc.translator.rules.modifiers.values import first_words
from qlc.translator.rules.nested import as_value
from qlc.translator.rules.nouns.degrees import degrees
from qlc.translator.rules.nouns.names import Reference, entity_words, is_an_id, named
from qlc.translator.rules.nouns.noun_phrases import name_cost, noun_phrase, of_reference
from qlc.translator.rules.nouns.references import belonging, deeds, related, verbs
from qlc.translator.rules.parse import Found, Parse, if_any, rule
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.questions.asked_fields import (
    Fields,
    asked_fields,
    names_a_field,
    past_the_unit,
)
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_BOUNDS = (
    (phrases("(until | till | up to) (when | which date | what date | which day | what day)"), "until"),
    (phrases("(since | from) (when | which date | what date | which day | what day) [on]"), "since"),
    (phrases("by (when | which date | what date | which day | what day)"), "by"),
)
_WHEN = phrases("when | on (what | which) (date | day)")


def any_name(p: Parse, at: int) -> Iterator[Found[Reference]]:
    """One entity of any kind by name; of several kinds with that name the one that covers them."""
    start = p.articles(at)
    if any(p.word(i) in ("all", "any", "every", "each", "some") for i in range(at, start)):
        return  # several things, and no name
    for entity in p.things:
        for one in named(p, start, entity.name):
            if one.value.text:
                said = any(True for _ in entity_words(p, start, entity.name)) or any(
                    lexeme_end == one.end
                    for back in (1, 2)
                    if one.end - back >= 0
                    for lexeme_end in entity_words(p, one.end - back, entity.name)
                )
                yield Found(one.end, one.value, one.cost + name_cost(p, entity, one.value.text, said=said) - 0.4)


@rule
def value_question(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who owns X`, `the size of X`, `X's type`, `when was X created`, `how many pages does X have`, `is X signed?`."""
    yield from _who(p, at)
    yield from _field_of(p, at)
    yield from _when(p, at)
    yield from _how(p, at)
    yield from _is_it(p, at)


@rule
def _subject(p: Parse, at: int) -> Iterator[Found[tree.Value]]:
    """What a value is asked of: one thing by name, by relation, or the first of some."""
    for name in any_name(p, at):
        value = name.value.value
        base = lookup(name.value.entity, name.value.text) if isinstance(value, tree.String) else value
        yield Found(name.end, base, name.cost)
    for entity in p.things:
        for one in related(p, at, entity.name):
            if isinstance(one.value.value, tree.Member | tree.Subquery):
                yield Found(one.end, one.value.value, one.cost + (0.2 if entity.kinds else 0.0))
    for phrase in noun_phrase(p, at):
        if phrase.value.limit == 1 and (value_of := as_value(p, phrase.value)) is not None:
            yield Found(phrase.end, value_of, phrase.cost)


def get_of(p: Parse, base: tree.Value, *refs: FieldRef) -> Statement | None:
    """`get` some fields of one thing; None where it cannot have them, or where what they refer to is listed."""
    if isinstance(base, tree.EntityLookup):
        entity = p.entity(base.entity.text)
        if not all(ref.belongs_to(entity) and _can_have(p, base, entity, ref) for ref in refs):
            return None
    if len(refs) == 1 and refs[0].target is not None and not p.entity(refs[0].target).virtual:
        return None  # what can be listed is listed: `find folders where id = X.folder`
    first = member(base, *refs[0].path)
    assert isinstance(first, tree.Member)
    return tree.Get((first, *(ref.left for ref in refs[1:])))


def _can_have(p: Parse, base: tree.EntityLookup, entity: Entity, ref: FieldRef) -> bool:
    """Whether something of that name has the field: a folder has no pages, although an entry may."""
    having = {e for word in p.lexicon.named(base.name.value) for e in word.entities} & set(entity.kinds)
    return not having or any(ref.belongs_to(p.entity(one)) for one in having)


def _who(p: Parse, at: int) -> Iterator[Found[Statement]]:
    if p.word(at) == "what":  # `what caused X`
        yield from _who_did(p, at + 1)
    if p.word(at) not in ("who", "whose", "whom"):
        return
    start = p.past(at + 1, english.COPULAS | english.AUXILIARIES | {"last", "the", "that"})
    yield from _who_did(p, start)
    for end, ref in deeds(p, start):
        for one in _subject(p, end):
            if (statement := get_of(p, one.value, ref)) is not None:
                yield Found(p.past(one.end, ("last",)), statement, one.cost)
    for one in _subject(p, start):
        for target in p.people:
            ways = [(end + (p.word(end) == "by"), ref) for end, ref in verbs(p, one.end, target.name)]
            for end, ref in (*ways, *belonging(p, one.end, target.name)):
                yield from if_any(end, get_of(p, one.value, ref), one.cost)


def _who_did(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who is assigned to X`; `who placed X`, where a date of the same verb says when, and a field by whom."""
    for lexeme, ref in p.fields(at):
        if ref.within is not None or not (ref.kind is FieldKind.DATE or (lexeme.payload.tail and ref.target)):
            continue
        for one in _subject(p, lexeme.end):
            entity = _entity_of(p, one.value)
            for who in [ref] if ref.target else _agents(p.entity(entity), ref):
                yield from if_any(one.end, _value_of(p, one.value, who), one.cost + lexeme.cost + 0.05)


def _agents(entity: Entity, date: FieldRef) -> list[FieldRef]:
    """The fields that say who did what a date says when it was done: `ordered by` beside `ordered`."""
    done = {stem(one) for one in first_words(date)}
    return [ref for ref in FieldRef.own(entity) if ref.kind is FieldKind.KEYWORD and done & _done_by(ref)]


def _done_by(ref: FieldRef) -> set[str]:
    """The verbs of a field that is called `ordered by`."""
    return {stem(one[0]) for one in ref.phrases if len(one) == 2 and one[1] == "by"}


def _value_of(p: Parse, base: tree.Value, ref: FieldRef) -> Statement | None:
    """What a field of one thing says: its value, or the thing that it refers to."""
    if ref.target is None or p.entity(ref.target).virtual:
        return get_of(p, base, ref)
    return of_reference(p, Reference(ref.target, member(base, *ref.path)))


def _field_of(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the size of X`, `what is X's type`, `X's owner`, `type and size of X`, `X: owner?`, `the due field of X`."""
    start = p.past(at, words("what is 's the which tell me give show are was who does do in value whats"))
    if p.word(at) == "how" and p.word(at + 1) in english.DEGREES and p.word(at + 2) in english.COPULAS:
        start = p.articles(at + 3)  # "how long is the notice period of X"
    for fields in asked_fields(p, start):
        as_field = names_a_field(p, start, fields.end) or p.word(start - 1) == "in"
        link = p.word(fields.end)
        for one in _subject(p, fields.end + 1) if link in ("of", "for", "on") or link in english.CONTAINMENT else ():
            if link in ("of", "for", "on") or as_field or _plainly_named(p, fields.end + 1, one.end):
                end = p.past(one.end, words("say says contain hold show read have has"))
                yield from _fields_shown(p, one, fields, end)
    for begin in {at, start}:
        for one in _subject(p, begin):
            possessive = p.word(one.end) in english.POSSESSIVES
            asked = p.word(begin - 1) in ("does", "did") and p.word(one.end) in english.VERBS_OF_AMOUNTS
            plainly = asked or _plainly_named(p, begin, one.end)
            after = one.end + 1 if possessive else p.past(one.end, words(": - – ,"))
            if not possessive and not plainly and after == one.end:
                continue
            for fields in asked_fields(p, after):
                nouns = (noun for kind in (EntityWord, ValueWord, ListWord) for noun in p.starting(after, kind))
                done = after == one.end and p.word(after).endswith("ed")  # "what Ann created" is no question for a date
                if possessive or not (done or any(noun.end == fields.end for noun in nouns)):
                    beside = 0.0 if possessive else 0.1 if plainly else 0.2
                    yield from _fields_shown(p, one, fields._replace(cost=fields.cost + beside), fields.end)


def _fields_shown(p: Parse, one: Found[tree.Value], fields: Found[Fields], end: int) -> Iterator[Found[Statement]]:
    """The fields of one thing, and the unit that they are to be in."""
    if (statement := get_of(p, one.value, *fields.value)) is not None:
        yield Found(past_the_unit(p, end, fields.value), statement, one.cost + fields.cost + 0.05)


def _plainly_named(p: Parse, at: int, end: int) -> bool:
    """Whether words can hardly be anything but the name of one thing: a file's, an id, with the noun, in quotes."""
    for i in range(at, end):
        if p.quoted(i) is not None or i in p.inside or is_an_id(p, i):
            return True
        for noun in p.starting(i, EntityWord):
            if not p.plural(noun.end) and not p.entity(noun.payload.entity).kinds:  # `everything` is not one thing
                return True
    names = (one.payload for one in p.starting(p.articles(at), NameWord) if one.end == end and one.payload.whole)
    return any("." in one.text[-6:] for one in names)


def _when(p: Parse, at: int) -> Iterator[Found[Statement]]:
    asked = next(p.phrases(at, _WHEN), None)
    if asked is None:
        return
    start = p.past(asked, english.COPULAS | english.AUXILIARIES)
    for one in _subject(p, start):
        begins = {one.end, p.past(one.end, english.COPULAS | {"last"})}
        for lexeme in (word for begin in begins for word in p.starting(begin, FieldWord)):
            ref = lexeme.payload.ref
            if (
                (ref.kind is FieldKind.DATE or is_a_year(ref))
                and ref.within is None
                and (statement := get_of(p, one.value, ref)) is not None
            ):
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)
        entity = _entity_of(p, one.value)
        for end, ref in _done_or_due(p, one.end, p.entity(entity)) if entity else ():
            yield from if_any(end, get_of(p, one.value, ref), one.cost + 0.05)


def _done_or_due(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef]]:
    """`when was X paid` where the field is `paid on`; with nothing said, the date of the thing itself."""
    default_date(entity)
    for ref in date_fields(entity):
        if any(stem(p.word(at)) == stem(one) for one in first_words(ref)):
            yield at + 1, ref


def _how(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how big is X`, `how many pages does X have`, `how often was X viewed`."""
    if p.word(at) != "how":
        return
    dimension = english.DEGREES.get(p.word(at + 1))
    if dimension is not None:
        for one in _subject(p, p.past(at + 2, english.COPULAS | english.AUXILIARIES)):
            entity = _entity_of(p, one.value)
            fields = [ref for ref, _ in degrees(p.entity(entity), dimension, True)] if entity else []
            if len(fields) == 1 and (statement := get_of(p, one.value, fields[0])) is not None:
                finish = p.past(one.end, words("cost costs take takes last lasts is was"))
                yield Found(past_the_unit(p, finish, tuple(fields)), statement, one.cost)
    if p.word(at + 1) in ("many", "much", "often"):
        begin = at + 2
        for lexeme, ref in p.fields(p.past(begin, ("times",))):
            if ref.is_number and ref.within is None:
                after = p.past(lexeme.end, english.AUXILIARIES | english.COPULAS | words("there in on of at for"))
                for one in _subject(p, after):
                    finish = p.past(one.end, words("have has contain contains got get gets"))
                    said = after > lexeme.end or finish > one.end  # "how many pages X has"
                    if said and (statement := get_of(p, one.value, ref)) is not None:
                        yield Found(past_the_unit(p, finish, (ref,)), statement, one.cost + lexeme.cost)
        p.past(begin, words("times has was is did have been"))


def _is_it(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`is X signed?`, `does X allow visitors?`"""
    if p.word(at) not in ("is", "was", "has", "are", "does", "did"):
        return
    for one in _subject(p, at + 1):
        for lexeme, ref in p.fields(p.past(one.end, words("been a already yet marked as on have need"))):
            if ref.kind is FieldKind.BOOLEAN and (statement := get_of(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)
        so = p.past(one.end, words("been a an already yet marked as still"))
        for said in p.starting(so, ValueWord) if p.word(at) in ("is", "was", "has") else ():  # `is X paid?`
            closed = said.payload.closed and said.payload.ref.within is None
            if closed and (statement := get_of(p, one.value, said.payload.ref)) is not None:
                yield Found(said.end, statement, one.cost + said.cost + 0.1)


def _entity_of(p: Parse, value: tree.Value) -> str | None:
    match value:
        case tree.EntityLookup():
            return value.entity.text


FORMS = (value_question,)
