"""Drop readings of fields that no document of the kind has: `W2s over 5000` must not take a field that W2s lack.

The share of documents of a kind that have each field is counted once, as a program of the query language.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from typing import Any

from qlc.grammar import parse, print_statement, tree
from qlc.grammar.printer import print_condition
from qlc.grammar.tree import Condition, Statement, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.outcome import Failed, ValueOut
from qlc.translator.protocol import Need, Try
from qlc.translator.rules.build import name_of, parts, path, search_of
from qlc.translator.rules.lexicon.lexicon import Lexicon

MOST_FIELDS = 200  # fields of an entity up to which it is asked which of them occur
MOST_VALUES = 64  # values of an open field up to which they are taken for kinds of things
RARE = 0.01  # highest share of documents at which a field is too rare to order by
USUAL = 0.9  # the part of a kind that has to have a field which was not named
MOST_KINDS = 500  # kinds that are remembered
Known = dict[str, "Parts | None"]
Parts = dict[str, float]
Occurring = Generator[Need, Any, Parts | None]


def occurring(entity: Entity, kind: Condition | None, known: Known) -> Occurring:
    """Return the share of a kind that has each field or list; None where that cannot be known."""
    things = print_statement(tree.Find(tree.Name(entity.plural), kind))
    if things in known:
        return known[things]
    names = _asked(entity)
    if not names or len(names) > MOST_FIELDS:
        return None
    measures = tuple(tree.Measure("share", condition=tree.Presence(path(name), False)) for name in names)
    program = print_statement(tree.Aggregate(measures, tree.Name(entity.plural), kind))
    outcome = yield Try(program)
    if isinstance(outcome, Failed):
        return None
    if len(known) >= MOST_KINDS:
        known.clear()
    known[things] = _filled(outcome, names)
    return known[things]


def _asked(entity: Entity) -> list[str]:
    stored: list[Any] = [one for one in entity.fields.values() if one.from_catalog and not one.calculation]
    return [one.name for one in (*stored, *entity.lists.values()) if not one.sensitive]


def _filled(outcome: Any, names: list[str]) -> Parts | None:
    shares = outcome.value if isinstance(outcome, ValueOut) else None
    if not isinstance(shares, dict) or len(shares) != len(names):
        return None
    found = {name: float(part) for name, part in zip(names, shares.values(), strict=True) if part}
    return found or None


def claims(
    statement: Statement, lexicon: Lexicon, guessed: Collection[str]
) -> Iterator[tuple[Entity, Condition | None, str]]:
    """Yield pairs that a statement expects to occur together: a kind (by a value of a field) and a field."""
    search = search_of(statement, lexicon.schema)
    if search is None or search[1].virtual:
        return
    statement, entity = search
    items = parts(statement.where)
    if isinstance(statement, tree.Find) and not any(_kind_field(one, entity) for one in items):
        for key in statement.sort[:1]:
            if isinstance(key.key, tree.Path):
                yield entity, None, name_of(key.key)
    kinds: list[tuple[Condition | None, str]] = [
        (one, found.name) for one in items if (found := _kind_field(one, entity)) and _few_values(found, lexicon)
    ]
    used = {name for one in items for name in _fields(one)} | set(_others(statement))
    if not kinds:
        kinds, used = [(None, "")], used & set(guessed)
    for kind, own in kinds:
        for name in sorted(used - {own}):
            field = entity.fields.get(name)
            if name in entity.lists or (field is not None and not field.calculation):
                yield entity, kind, name


def _few_values(field: Field, lexicon: Lexicon) -> bool:
    """Whether a field sorts things into kinds: its values are closed, or few."""
    values = lexicon.values.values.get((field.name,), ())
    return field.values is not None or (0 < len(values) <= MOST_VALUES and (field.name,) not in lexicon.values.partly)


def _kind_field(condition: Condition, entity: Entity) -> Field | None:
    """The field of `type = "W2"`, where its values are words that kinds of things are known by."""
    if not isinstance(condition, tree.Comparison) or condition.operator not in ("=", "in"):
        return None
    found = _plain_field(condition.left, entity)
    values = condition.right.items if isinstance(condition.right, tree.ListValue) else (condition.right,)
    texts = all(isinstance(one, tree.String) for one in values)
    return found if found is not None and texts and found.kind is FieldKind.KEYWORD else None


def _plain_field(left: object, entity: Entity) -> Field | None:
    if not isinstance(left, tree.Path) or len(left.segments) != 1 or left.segments[0].narrowed is not None:
        return None
    found = entity.fields.get(name_of(left))
    return found if found is not None and found.reference is None and found.many is not True else None


def _fields(condition: Condition) -> Iterator[str]:
    """The fields that a condition speaks of; not those of which it asks whether they are there."""
    match condition:
        case tree.Not(item=item):
            yield from _fields(item)
        case tree.And(items=items) | tree.Or(items=items):
            for one in items:
                yield from _fields(one)
        case tree.Comparison(left=left) | tree.Between(left=left):
            if isinstance(left, tree.Cyclic):
                left = left.path
            if isinstance(left, tree.Path):
                yield name_of(left)
        case tree.Bare(path=left):
            yield name_of(left)
        case _:
            return


def _others(statement: tree.Find | tree.Aggregate) -> Iterator[str]:
    """The fields that are sorted, grouped and measured by."""
    for key in statement.sort:
        if isinstance(key.key, tree.Path):
            yield name_of(key.key)
    if isinstance(statement, tree.Aggregate):
        paths = [*(one.path for one in statement.groups), *(one.path for one in statement.measures)]
        yield from (name_of(one) for one in paths if one is not None)


def never_together(program: str, lexicon: Lexicon, guessed: Collection[str] = ()) -> Generator[Need, Any, str | None]:
    """Return why a program can find nothing: its kind never has a field, or rarely one that was `guessed`."""
    usual: dict[str, bool] = {}
    statement = parse(program).statement
    every = [statement]
    if guessed or isinstance(statement, tree.Get):  # `how many pages has the longest report`
        every += [one.statement for one in walked(statement) if isinstance(one, tree.Subquery)]
    for entity, kind, name in (one for each in every for one in claims(each, lexicon, guessed)):
        fields = yield from occurring(entity, kind, lexicon.occurring)
        part = fields.get(name, 0.0) if fields is not None else 1.0
        spoken = print_condition(kind) if kind is not None else entity.name
        if part <= (0.0 if kind is not None else RARE):
            return f"{spoken} has no {name}"
        if name in guessed:
            usual[name] = usual.get(name, False) or part >= USUAL
    unusual = [name for name, enough in usual.items() if not enough]
    return f"{unusual[0]} is not said, and not usual" if unusual else None
