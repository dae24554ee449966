"""What was said together with something that is said no more: `signed by DocuSign`, then `those that aren't signed`.

The index knows: no unsigned document has a provider of its signature, so that one cannot be asked for beside it.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qlc.grammar import parse, print_program, tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups.editing import LEFT_OUT, field_of, named_condition, slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.in_words import condition_in_words
from qlc.translator.protocol import Need, Translated
from qlc.translator.rules.build import both, parts
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.occurrence import occurring


def without_what_went_with_it(
    said: Translated, base: Base | None, lexicon: Lexicon
) -> Generator[Need, Any, Translated]:
    """The changed search without conditions on fields that nothing has which is as it is asked for now."""
    program = parse(said.program)
    statement = program.statement
    if base is None or isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return said
    before, own = parts(base.statement.where), parts(statement.where)
    turned = [one for one in own if one not in before and _is_turned_round(one, before, own, base.entity)]
    if len(turned) != 1:
        return said
    had = yield from occurring(base.entity, turned[0], lexicon.occurring)
    gone = {one: name for one in own if one in before and had is not None
            and (name := _own_field(one, base.entity)) and name not in had}  # fmt: skip
    if not gone:
        return said
    now = condition_in_words(turned[0])
    told = tuple(
        f"{LEFT_OUT}{condition_in_words(one)}. Of those with '{now}' none has a {spaced(name)}."
        for one, name in gone.items()
    )
    where = both(*(one for one in own if one not in gone))
    changed = print_program(replace(program, statement=replace(statement, where=where)))
    return replace(said, program=changed, notes=(*said.notes, *told))


def _is_turned_round(
    one: Condition, before: tuple[Condition, ...], own: tuple[Condition, ...], entity: Entity
) -> bool:
    """Whether a condition is the opposite of a yes or no that was asked for before."""
    slot = slot_of(one, entity)
    field = entity.fields.get(slot[-1]) if slot is not None and len(slot) == 1 else None
    if field is None or field.kind is not FieldKind.BOOLEAN:
        return False
    return any(slot_of(old, entity) == slot and old not in own and _truth(old, entity) != _truth(one, entity)
               for old in before)  # fmt: skip


def _truth(condition: Condition, entity: Entity) -> bool | None:
    match condition:
        case tree.Not(item=item):
            inner = _truth(item, entity)
            return None if inner is None else not inner
        case tree.Comparison(operator=operator, right=tree.Boolean(value=value)):
            return value == (operator == "=")
        case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name),))):
            inside = entity.conditions.get(name.text)
            said = named_condition(inside) if inside is not None else None
            return _truth(said, entity) if said is not None else True
    return None


def _own_field(condition: Condition, entity: Entity) -> str:
    """The field of the things themselves that a condition compares."""
    left = condition.left if isinstance(condition, tree.Comparison | tree.Between) else None
    field = field_of(entity, left) if isinstance(left, tree.Path) else None
    return field.name if field is not None and field.from_catalog else ""
