"""The people of one thing: `who can see X`, `who is X shared with`, `who commented on X`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import lookup, path
from qlc.translator.rules.conditions import list_fields
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, has_field
from qlc.translator.rules.modifiers.people import ACCESS, SEEING
from qlc.translator.rules.nouns.names import possession
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.doings import acts
from qlc.translator.rules.questions.value_questions import any_name, get_of
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases

_TO_WHOM = phrases("who [all | else] | (with | to) (whom | who)")
_HAVING_ACCESS = phrases("(has | have | had | got) [the] (access | permission | permissions | rights) (to | on | for)")


@rule
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
        if (statement := get_of(p, base, ref)) is not None:
            yield Found(one.end, statement, one.cost + 0.05)


def _given_to(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`is X shared with`: behind the name the word for the list."""
    for one in any_name(p, at):
        for lexeme in p.starting(p.past(one.end, english.COPULAS), ListWord):
            people = _people(p, p.entity(one.value.entity), lexeme.payload.name)
            if len(people) == 1 and (lexeme.payload.tail or p.word(at - 1) in english.COPULAS):
                base = lookup(one.value.entity, one.value.text)
                if (statement := get_of(p, base, people[0])) is not None:
                    yield Found(lexeme.end, statement, one.cost + 0.05)


def _people(p: Parse, entity: Entity, name: str) -> list[FieldRef]:
    return [ref for ref in list_fields(entity, name) if ref.target is not None and p.entity(ref.target).virtual]


def _access_to(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The thing with whose it is, who may see it, and with whom it is shared: all that says who has access."""
    for one in any_name(p, at):
        entity = p.entity(one.value.entity)
        lists = [many.name for many in entity.lists.values() if not many.sensitive and _people(p, entity, many.name)
                 and ACCESS & {word for field in many.fields.values() for word in field.words}]  # fmt: skip
        refs = [FieldRef((field.name,), field) for field in entity.fields.values() if not field.sensitive]
        own = [ref for ref in refs if possession(ref) and ref.target is not None]
        own += [ref for ref in refs if any(said.startswith("who can") for said in ref.field.words)]
        if lists and all(has_field(entity, ref) for ref in own):
            shown = (*(path(field.name) for field in entity.names), *(path(*ref.path) for ref in own))
            base = lookup(entity.name, one.value.text)
            yield Found(one.end, tree.Find(base, show=(*shown, *map(path, lists))), one.cost + 0.05)
