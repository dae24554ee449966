"""Why something is not in a list: which of the conditions of the list it does not meet, and what it has instead."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from qlc.grammar import print_program, tree
from qlc.grammar.tree import Condition, walked
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import Clarify, Count, Explain, Hits, ValueOut
from qlc.translator.follow_ups.editing import field_of, with_lets
from qlc.translator.in_words import condition_in_words, spaced
from qlc.translator.programs import entity_of
from qlc.translator.protocol import Try, Turn
from qlc.translator.rules.build import COUNT, both, compare, lookup, member, parts, path, string

MOST_CONDITIONS = 8  # conditions that are looked at; of more, the first ones
MOST_VALUES = 3  # conditions that get a note on what the thing has instead
Explaining = Generator[Try, Any, Explain]


def why_absent(thing: str, turn: Turn, program: tree.Program, text: str, schema: Schema) -> Explaining:
    """`thing` is a name or an id, `turn` the one that showed the list, `text` its program."""
    statement = program.statement
    entity = entity_of(statement, schema)
    is_list = not isinstance(statement, tree.Get) and not isinstance(statement.entity, tree.EntityLookup)
    message = "The last answer is not a list, so nothing is missing from it."
    if isinstance(statement, tree.Get) or not is_list or entity is None:
        return Explain(message=message, about="query", query=text)
    keys = {str(row.get("key")).casefold() for row in turn.outcome.get("rows") or ()}
    if thing.casefold() in keys:
        return Explain(message=f"'{thing}' is in the table.", about="query", query=text)
    if entity.id is None:
        message = f"The {spaced(entity.plural)} have no ids to look one of them up by. Ask for those that you miss."
        return Explain(message=message, about="query", query=text)
    found = yield from _found(thing, entity, schema)
    if not isinstance(found, tuple):
        return Explain(message=found, about="query", query=text)
    id, name, of = found
    things = spaced(entity.plural)
    if of.name != entity.name and of.name not in entity.kinds and entity.name not in of.kinds:
        message = f"'{name}' is one of the {spaced(of.plural)}, and I looked for {things} only."
        return Explain(message=message, about="query", query=text)
    failed: list[Condition] = []
    for one in parts(statement.where)[:MOST_CONDITIONS]:
        count = yield from _meets(program, entity, id, one, turn.choices)
        if count == 0:
            failed.append(one)
    if not failed:
        return Explain(message=_not_missing(name, statement, turn, id), about="query", query=text)
    described = []
    for one in failed[:MOST_VALUES]:
        has = yield from _has(one, entity, id)
        described.append(f"{condition_in_words(one)}{f' (it has {has})' if has else ''}")
    described += [condition_in_words(one) for one in failed[MOST_VALUES:]]
    several = f"{len(failed)} conditions" if len(failed) > 1 else "the condition"
    message = f"'{name}' does not meet {several}: {'; '.join(described)}."
    kept = tuple(one for one in parts(statement.where) if one not in failed)
    ways = [_without(program, statement, kept)] if kept else []
    return Explain(message=message, about="query", query=text, suggestions=ways)


def _found(thing: str, entity: Entity, schema: Schema) -> Generator[Try, Any, tuple[str, str, Entity] | str]:
    """The id, the name and the entity of what is named; else why it cannot be reported."""
    others = [one for one in schema.entities.values() if one.id is not None and not one.virtual and one != entity]
    several = False
    for one in [entity, *others]:
        outcome = yield Try(print_program(tree.Program((), tree.Find(lookup(one.name, thing), None))))
        if isinstance(outcome, Hits) and len(outcome.hits) == 1:
            (hit,) = outcome.hits
            return hit.id, hit.name or hit.id, one
        several = several or isinstance(outcome, Clarify)
    if several:
        return f"Several things are called '{thing}'. Say which one is meant, by its path or id."
    kind = spaced(entity.name)
    ask = f"If it is a value, ask for the {spaced(entity.plural)} that have it."
    return f"No {kind} has '{thing}' as its name or id. {ask}"


def _meets(program: tree.Program, entity: Entity, id: str, condition: Condition,
           choices: Mapping[str, str]) -> Generator[Try, Any, int | None]:
    """1 where the thing meets a condition, else 0; None where it cannot be reported."""
    assert entity.id is not None
    where = both(compare(path(entity.id.name), "=", string(id)), condition)
    counted = tree.Aggregate((COUNT,), tree.Name(entity.plural), where)
    outcome = yield Try(print_program(with_lets(program.lets, counted)), choices)
    return outcome.value if isinstance(outcome, Count) else None


def _has(condition: Condition, entity: Entity, id: str) -> Generator[Try, Any, str]:
    """Look up the field of a condition for one thing: `type = "NDA"` -> the type that it has; `none` if it has none."""
    fields = {one.name for node in walked(condition) if isinstance(node, tree.Path)
              and (one := field_of(entity, node)) is not None and one.name in entity.fields}  # fmt: skip
    if len(fields) != 1:
        return ""
    value = member(lookup(entity.name, id), fields.pop())
    assert isinstance(value, tree.Member)
    outcome = yield Try(print_program(tree.Program((), tree.Get((value,)))))
    return outcome.message.rstrip(".") if isinstance(outcome, ValueOut) else "none"


def _not_missing(name: str, statement: tree.Find | tree.Aggregate, turn: Turn, id: str) -> str:
    if id in (turn.outcome.get("ids") or ()):
        return f"'{name}' is in the list."
    if statement.limit is not None or statement.offset is not None:
        return f"'{name}' meets all conditions, but the list was cut to a part of what meets them. Ask for all of them."
    return f"'{name}' meets all conditions: it is in the list, on a page that was not shown. Say 'show more'."


def _without(program: tree.Program, statement: tree.Find | tree.Aggregate, kept: tuple[Condition, ...]) -> str:
    changed = tree.Find(statement.entity, both(*kept))
    return print_program(with_lets(program.lets, changed))
