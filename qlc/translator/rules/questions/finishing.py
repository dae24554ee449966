"""Adjust a statement by its whole sentence: adjacent names, what `it` means, values for absence, dates of states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field
from qlc.translator.rules.build import both, compare, name_of, parts, path, string
from qlc.translator.rules.lexicon.lexemes import FieldRef, Lexeme, NameWord, ThingWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key

_JOINT = r"\s*(?:,|&|,?\s*\band\b)\s*"
_AFTER_IT = words(": , - – —")
_DENYING = words("no not without non")
_NONE = words("none nothing n/a")
SAME_WORD = 5
"""Letters that two forms of a word begin with alike: `rejected`, `rejection`."""


def of_either(p: Parse, statement: Statement) -> Statement:
    """Turn two names of one field that are side by side into alternatives: `a = x and a = y` -> `a in [x, y]`.

    A field that is a list can have both.
    """
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name):
        return statement
    entity = find_entity(p.schema, statement.entity.text)
    conditions = parts(statement.where)
    named = [_named(one, entity) if entity is not None else None for one in conditions]
    names: dict[tree.Path, list[tree.String]] = {}
    for left, text in filter(None, named):
        names.setdefault(left, []).append(text)
    either = {left: tree.ListValue(tuple(found)) for left, found in names.items() if _side_by_side(p, found)}
    if not either:
        return statement
    changed = (
        compare(name[0], "in", either[name[0]]) if name is not None and name[0] in either else one
        for one, name in zip(conditions, named, strict=True)
    )
    return replace(statement, where=both(*changed))


def _named(one: Condition, entity: Entity) -> tuple[tree.Path, tree.String] | None:
    """The field and the name of `driver = "Ann"`, where a thing has but one of it as far as anybody knows."""
    match one:
        case tree.Comparison(left=tree.Path(segments=(segment,)) as left, operator="=", right=tree.String() as text):
            field = entity.fields.get(segment.name.text)
            return (left, text) if field is not None and field.many is not True else None
        case _:
            return None


def _side_by_side(p: Parse, names: Sequence[tree.String]) -> bool:
    """Whether several names are one run of the question, in any order: `Ann, Bob and Eve`."""
    one = "|".join(re.escape(name.value) for name in names)
    run = rf"(?:{one})(?:{_JOINT}(?:{one})){{{len(names) - 1}}}"
    return len(names) > 1 and re.search(run, p.text, re.IGNORECASE) is not None


class Topic(NamedTuple):
    """The question itself begins at `start`, and has to speak of what is called `text`."""

    start: int
    text: str

    def is_in(self, statement: Statement) -> bool:
        return any(isinstance(one, tree.String) and one.value == self.text for one in walked(statement))


def topic(p: Parse) -> Topic | None:
    """Return the topic that a name before the question sets; `it` means that from here on."""
    at = p.past(0, english.POLITE | english.BEFORE_NAMES)
    for name in sorted(p.starting(at, NameWord), key=lambda one: -one.end):
        start = p.past(name.end, _AFTER_IT)
        said = [i for i in range(start, p.end) if p.word(i) == "it" and i not in p.inside]
        if start == name.end or len(said) != 1:
            continue
        found = Topic(start, p.raw(name.start, name.end))
        p.lexemes[said[0]].append(Lexeme(said[0], said[0] + 1, ThingWord(name.payload.entities, found.text)))
        return found
    return None


def of_those_that_have_one(p: Parse, statement: Statement) -> Statement:
    """`the most common reason for delay`, also `per carrier`: the first of those that are one."""
    if not isinstance(statement, tree.Aggregate):
        return statement
    entity = find_entity(p.schema, statement.entity.text)
    for one in statement.groups if entity is not None else ():
        name = name_of(one.path)
        field = entity.fields.get(name) if entity is not None and one.path == path(name) else None
        is_cut = statement.limit is not None or one.top is not None
        if field is None or not is_cut or one.function is not None or _is_said_of(statement.where, name):
            continue
        for value in _none_of(p, field):
            if value.casefold() not in p.text.casefold():
                without = compare(path(name), "!=", string(value))
                statement = replace(statement, where=both(statement.where, without))
    return statement


def _is_said_of(where: tree.Condition | None, name: str) -> bool:
    """Whether a field has a condition already."""
    items = where.items if isinstance(where, tree.And | tree.Or) else (where,)
    return any(getattr(one, "left", None) == path(name) for one in items)


def _none_of(p: Parse, field: Field) -> Iterator[str]:
    """The values of a field that deny what the field is called, or say no more than that there is none."""
    ref = FieldRef((field.name,), field)
    found = tuple(field.values.display) if field.values is not None else p.lexicon.values.values.get(ref.path, ())
    called = ref.stems
    for value in found if len(found) > 2 else ():
        first, *rest = name_key(value) or ("",)
        denied = first in _DENYING and any(_alike(stem(one), other) for one in rest for other in called)
        if denied or (value.casefold() in _NONE and not _has_a_name(field, value)):
            yield value


def _has_a_name(field: Field, value: str) -> bool:
    """Whether the catalog has words for a value that do not deny: whatever it looks like, it is something."""
    spellings = field.values.spellings.items() if field.values is not None else ()
    others = (name_key(said) for said, stored in spellings if stored == value and said not in _NONE)
    return any(one and one[0] not in _DENYING for one in others)


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) >= SAME_WORD and one[:SAME_WORD] == other[:SAME_WORD])


def left_out(p: Parse, program: str) -> tuple[str, ...]:
    """A sentence for each value that is left out so."""
    if " != " not in program:
        return ()
    fields = (one for e in p.things for one in e.fields.values() if f"{one.name} != " in program)
    found = {value for field in fields for value in _none_of(p, field) if f'{field.name} != "{value}"' in program}
    return tuple(f"Left out: '{one}'." for one in sorted(found) if one.casefold() not in p.text.casefold())


