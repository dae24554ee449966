"""Where something lies, and what it comes from: `what folder is X in`, `where is X`, `what is X a copy of`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules.build import compare, member, path
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, ValueWord
from qlc.translator.rules.modifiers.referring import only_reference
from qlc.translator.rules.nouns.names import Reference, entity_words, is_hierarchical, kind_in_plural
from qlc.translator.rules.nouns.noun_phrases import find, noun_phrase, of_reference, one_by_name
from qlc.translator.rules.nouns.references import member_of, related
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.value_questions import any_name
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_LIES = words(
    "in inside live lives sit stored located filed under kept belong to within saved lie reside found be "
    "contained sitting end ended up go went gone nested tucked away housed"
)


@rule
def what_of(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what is X a copy of`, `which document was X copied from`: a preposition without its noun, which is asked for."""
    if p.word(at) not in ("what", "which", "whats"):
        return
    start = next((end for e in p.schema.entities.values() for end in entity_words(p, at + 1, e.name)), at + 1)
    begin = p.past(start, english.COPULAS | {"did"})
    for one in any_name(p, begin):
        for word in p.starting(p.past(one.end, english.ARTICLES | english.COPULAS), FieldWord):
            ref = word.payload.ref
            if not word.payload.tail or ref.target is None or p.entity(ref.target).virtual:
                continue
            if (value := member_of(one.value, ref)) is not None:
                statement = of_reference(p, Reference(ref.target, value))
                if statement is not None:
                    yield Found(word.end, statement, one.cost + word.cost)


@rule
def of_what(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`X was copied from which document?`: what is asked for behind the preposition."""
    for one in any_name(p, at):
        verb = p.past(one.end, english.COPULAS)
        for word in p.starting(p.articles(verb), FieldWord) if verb > one.end else ():
            ref = word.payload.ref
            if not word.payload.tail or ref.target is None or p.entity(ref.target).virtual:
                continue
            end = word.end + 1 if p.word(word.end) in ("what", "which") else p.end + 1
            finish = next((noun for e in p.schema.entities.values() for noun in entity_words(p, end, e.name)), end)
            value = member_of(one.value, ref) if end <= p.end else None
            statement = of_reference(p, Reference(ref.target, value)) if value is not None else None
            if statement is not None:
                yield Found(finish, statement, one.cost + word.cost)


@rule
def belongs_to(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which contract does INV-1 belong to`, `what ship is this voyage of`: what one thing refers to."""
    if p.word(at) not in ("what", "which"):
        return
    for target in p.schema.entities.values():
        for end in entity_words(p, at + 1, target.name) if not target.virtual else ():
            begin = p.past(end, words("does did is was"))
            for one in any_name(p, begin) if begin > end else ():
                ref = only_reference(p.entity(one.value.entity), target.name)
                finish = next(p.phrases(one.end, _BELONGING), None)
                value = member_of(one.value, ref) if ref is not None and finish is not None else None
                statement = of_reference(p, Reference(target.name, value)) if value is not None else None
                if statement is not None:
                    yield Found(finish or one.end, statement, one.cost + 0.1)


_BELONGING = phrases(
    "(belong | belongs | refer | refers) to | (come | comes) under | (fall | falls) under | (is | was) (under | of) | "
    "under | of"
)


@rule
def which_holds(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what folder is X in`, `X is inside which folder?`, `where is X`, `which folder contains X`."""
    start = p.past(at, ("in", "which", "what", "the"))
    asked = any(p.word(i) in ("which", "what") for i in range(at, start))
    for ref in _hierarchies(p):
        assert ref.target is not None
        target = p.entity(ref.target)
        if asked:
            for end in entity_words(p, start, ref.target):
                verb = p.past(
                    end,
                    words("is are does contains holds has do did was 's can i find would home to houses"),
                )
                if verb == end or (p.plural(end) and _is_a_kind(p, p.articles(verb))):
                    continue
                for one in any_name(p, verb):
                    finish = p.past(one.end, _LIES)
                    finish += p.word(finish - 1) in ("in", "inside") and p.word(finish) == "it"
                    held = (
                        p.word(verb - 1) in ("contains", "holds", "has", "houses", "to")
                        or p.word(start - 1) == "in"
                        or p.word(at) == "in"
                    )
                    if (finish > one.end or held) and (value := member_of(one.value, ref)) is not None:
                        statement = of_reference(p, Reference(target.name, value))
                        if statement is not None:
                            yield Found(finish, statement, one.cost)
        for one in any_name(p, at):
            middle = p.past(
                one.end,
                words("is are inside in lives sits located stored 's , - filed under belongs to"),
            )
            if middle > one.end and p.word(middle) in ("which", "what"):
                for end in entity_words(p, middle + 1, ref.target):
                    finish = p.past(end, words("is it in that inside ? does live sit"))
                    if (value := member_of(one.value, ref)) is not None and (
                        statement := of_reference(p, Reference(target.name, value))
                    ):
                        yield Found(finish, statement, one.cost)
    yield from _one_above(p, at)
    for name in one_by_name(p, at + 1) if p.word(at) == "where" else ():  # `tell me where X is saved`
        verb = p.past(name.end, english.COPULAS)
        if verb > name.end and name.value.fixed is not None:
            yield Found(p.past(verb, _LIES | english.KEPT), find(p, name.value), name.cost + 0.1)
    if p.word(at) in ("where", "wheres") and p.word(at + 1) in words("is 's are can did do does was"):
        begin = p.past(
            at + 1,
            words("is 's are can i find did we put the file do does you keep was"),
        )
        yield from _where_another_is(p, begin)
        for name in one_by_name(p, begin):
            if p.word(name.end) in english.MOTION or p.word(name.end) in ("from", "to"):
                continue  # where something goes is not where it is
            finish = p.past(name.end, _LIES | words("at now"))
            yield Found(finish, find(p, name.value), name.cost)


def _where_another_is(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`where is the original of X filed`: what X refers to, with its place."""
    for entity in (e for e in p.schema.entities.values() if not e.virtual and e.parent is not None):
        for one in related(p, at, entity.name):
            ref = entity.fields.get(entity.parent or "")
            if ref is None or ref.reference is None or entity.name == ref.reference.entity:
                continue  # `where is the folder of X` asks for a path
            statement = of_reference(p, one.value)
            if statement is not None:
                yield Found(p.past(one.end, _LIES | english.KEPT), statement, one.cost + 0.1)


@rule
def which_hold(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`in which folders do Ann's documents sit`, `which folders are the contracts kept in`: those that hold such."""
    start = p.past(at, ("in", "under", "inside", "into"))
    if p.word(start) not in ("which", "what"):
        return
    for ref in _hierarchies(p):
        target = p.entity(ref.target or "")
        for noun in entity_words(p, start + 1, target.name) if target.id is not None else ():
            verb = p.past(noun, words("do does did are were have can"))
            for things in noun_phrase(p, verb) if verb > noun else ():
                phrase = things.value
                finish = p.past(things.end, _LIES | english.KEPT | words("we i find"))
                plain = phrase.fixed is None and phrase.limit is None and not phrase.sort and phrase.where is not None
                placed = start > at or p.word(finish - 1) in ("in", "inside", "under", "to")
                own = ref.path[0] in p.entity(phrase.entity).fields and phrase.entity != target.name
                if plain and own and placed and finish > things.end and target.id is not None:
                    such = tree.Subquery(tree.Find(tree.Name(p.entity(phrase.entity).plural), phrase.where))
                    holding = compare(path(target.id.name), "in", member(such, *ref.path))
                    yield Found(finish, tree.Find(tree.Name(target.plural), holding), things.cost + 0.05)


_ABOVE = phrases(
    "one level above | one level up from | a level above | a level up from | up one level from | one up from | above | "
    "the level above"
)


def _is_a_kind(p: Parse, at: int) -> bool:
    """`which folders are the NDAs kept in`: behind the plural a kind of things is no one thing of that name."""
    return any(kind_in_plural(p, one.end, one.payload.ref) for one in p.starting(at, ValueWord))


def _one_above(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what's one level above X`, `go up one level from X`."""
    for end in p.phrases(p.past(at, words("what whats what's 's is lies sits go the folder")), _ABOVE):
        for ref in _hierarchies(p):
            for one in any_name(p, end):
                value = member_of(one.value, ref)
                statement = of_reference(p, Reference(ref.target or "", value)) if value is not None else None
                if statement is not None:
                    yield Found(one.end, statement, one.cost + 0.1)


def _hierarchies(p: Parse) -> Iterator[FieldRef]:
    for ref in p.lexicon.fields():
        if ref.target is not None and ref.within is None and is_hierarchical(p, ref):
            yield ref
