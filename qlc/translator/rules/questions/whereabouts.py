"""Where one thing lies, what it comes from, and whose or for whom it is: `what folder is X in`, `who can see X`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import lookup, path
from qlc.translator.rules.conditions import list_fields
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.people import ACCESS, SEEING
from qlc.translator.rules.modifiers.referring import recorded
from qlc.translator.rules.nested import NounPhrase, find
from qlc.translator.rules.nouns.compounds import OF_RECORDS
from qlc.translator.rules.nouns.names import Reference, entity_words, is_hierarchical, kind_in_plural, possession
from qlc.translator.rules.nouns.noun_phrases import of_reference, one_by_name
from qlc.translator.rules.nouns.references import member_of, they_do_something
from qlc.translator.rules.parse import Found, Parse, begins, if_any, needs, rule
from qlc.translator.rules.questions.groups import acts
from qlc.translator.rules.questions.value_questions import any_name, get_of
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_LIES = words(
    "in inside live lives sit stored located filed under kept belong to within saved lie reside found be "
    "contained sitting end ended up go went gone nested tucked away housed"
)
_ABOVE = phrases("(one | a | the) level above | (one | a) level up from | up one level from | one up from | above")
_TO_WHOM = phrases("who [all | else] | (with | to) (whom | who)")
_HAVING_ACCESS = phrases("(has | have | had | got) [the] (access | permission | permissions | rights) (to | on | for)")


@rule
@begins(words("what which whats where"))
def what_of(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what is X a copy of`, `where was X copied from`: a preposition without its noun, which is asked for."""
    start = next((end for e in p.schema.entities.values() for end in entity_words(p, at + 1, e.name)), at + 1)
    begin = p.past(start, english.COPULAS | {"did"})
    for one in any_name(p, begin):
        for word, ref in p.fields(p.past(one.end, english.ARTICLES | english.COPULAS)):
            if not word.payload.tail or ref.target is None or p.entity(ref.target).virtual:
                continue
            if (value := member_of(one.value, ref)) is not None:
                yield from if_any(word.end, of_reference(p, Reference(ref.target, value)), one.cost + word.cost)


@rule
@needs(words("which what where wheres"), _ABOVE)
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
                    end, words("is are does contains holds has do did was 's can i find would home to houses")
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
                        yield from if_any(finish, of_reference(p, Reference(target.name, value)), one.cost)
        for one in any_name(p, at):
            middle = p.past(one.end, words("is are inside in lives sits located stored 's , - filed under belongs to"))
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
        begin = p.past(at + 1, words("is 's are can i find did we put the file do does you keep was"))
        for name in one_by_name(p, begin):
            if p.word(name.end) in english.MOTION or p.word(name.end) in ("from", "to"):
                continue  # where something goes is not where it is
            finish = p.past(name.end, _LIES | words("at now"))
            yield Found(finish, find(p, name.value), name.cost)


def _is_a_kind(p: Parse, at: int) -> bool:
    """`which folders are the NDAs kept in`: after the plural a kind of things is no one thing of that name."""
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


@rule
@begins(_TO_WHOM)
def people_of_one(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Everybody in a list of one thing."""
    for end in p.phrases(at, _TO_WHOM):
        start = p.past(end, english.COPULAS | english.AUXILIARIES)
        able = any(p.word(i) in english.MODALS for i in range(end, start))
        for after, ref in acts(p, start) if not able else ():
            if ref.within is not None:
                yield from _in_its_list(p, after, ref)
        yield from _given_to(p, start)
        seeing = [start + 1] if able and p.word(start) in SEEING | {"view", "read"} else []
        for after in (*p.phrases(end, _HAVING_ACCESS), *seeing):
            yield from _access_to(p, after)


def _in_its_list(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Statement]]:
    for one in any_name(p, at):
        base = lookup(one.value.entity, one.value.text)
        yield from if_any(one.end, get_of(p, base, ref), one.cost + 0.05)


def _given_to(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`is X shared with`: after the name the word for the list."""
    for one in any_name(p, at):
        for lexeme in p.starting(p.past(one.end, english.COPULAS), ListWord):
            people = _people(p, p.entity(one.value.entity), lexeme.payload.name)
            if len(people) == 1 and (lexeme.payload.tail or p.word(at - 1) in english.COPULAS):
                base = lookup(one.value.entity, one.value.text)
                yield from if_any(lexeme.end, get_of(p, base, people[0]), one.cost + 0.05)


def _people(p: Parse, entity: Entity, name: str) -> list[FieldRef]:
    return [ref for ref in list_fields(entity, name) if ref.target is not None and p.entity(ref.target).virtual]


def _access_to(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The thing with whose it is, who may see it, and with whom it is shared: all that says who has access."""
    for one in any_name(p, at):
        entity = p.entity(one.value.entity)
        lists = [many.name for many in entity.lists.values() if not many.sensitive and _people(p, entity, many.name)
                 and ACCESS & {word for field in many.fields.values() for word in field.words}]  # fmt: skip
        refs = [ref for ref in FieldRef.own(entity) if not ref.field.sensitive]
        own = [ref for ref in refs if possession(ref) and ref.target is not None]
        own += [ref for ref in refs if any(said.startswith("who can") for said in ref.field.words)]
        if lists and all(ref.belongs_to(entity) for ref in own):
            shown = (*(path(field.name) for field in entity.names), *(ref.left for ref in own))
            base = lookup(entity.name, one.value.text)
            yield Found(one.end, tree.Find(base, show=(*shown, *map(path, lists))), one.cost + 0.05)


@rule
@begins(words("who"))
def people(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who was discharged yesterday`: the records that are of such people."""
    if any(p.word(i) in english.AT_PRESENT for i in range(at, p.end)):
        return  # which records are of today is not said
    if p.word(at) == "who" and p.word(at + 1) in english.COPULAS | english.AUXILIARIES | {"came"}:
        for entity, ref in recorded(p):
            for said in modifiers(p, at + 1, entity.name):
                if not they_do_something(p, at + 1, said.end, ref):
                    yield Found(said.end, find(p, NounPhrase(entity.name, said.value)), said.cost + OF_RECORDS)


FORMS = (what_of, which_holds, people_of_one, people)
