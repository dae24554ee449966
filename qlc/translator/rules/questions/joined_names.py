"""Two names as one subject: `did Ann and Bob drive to Prague?` asks for what either of them did."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, parts
from qlc.translator.rules.parse import Parse

_JOINT = r"\s*(?:,|&|,?\s*\band\b)\s*"


def of_either(p: Parse, statement: Statement) -> Statement:
    """Where one field is to have two names at once that stand side by side in the question: it has one of them.

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
