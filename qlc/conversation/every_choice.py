"""Programs in which a name stands for several things, or which may be read in several ways at once. Pure."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from dataclasses import replace

from qlc.grammar import print_program, tree
from qlc.grammar.tree import mapped, walked
from qlc.translator.programs import parsed

_AMONG: dict[str, tree.ComparisonOperator] = {
    "=": "in", "!=": "not in", "under": "under in", "has": "has any", "in": "in", "not in": "not in",
    "under in": "under in", "has any": "has any",
}  # fmt: skip
"""The operator of a list for that of one value."""


def name_of_token(token: str) -> str | None:
    """Return the name that a clarification was about; None if it was about a value of a sub-query."""
    try:
        kind, *parts = json.loads(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (ValueError, TypeError, RecursionError):
        return None
    return str(parts[-1]) if kind == "name" and parts else None


def with_all(program: str, token: str, ids: Sequence[str]) -> str | None:
    """Replace a name in a program by all of these entities; None if the place takes only one.

    `folder = "Travel"` becomes `folder in ["id 1", "id 2"]`: an id is looked up as a name is.
    """
    name = name_of_token(token)
    if name is None:
        return None
    known = parsed(program)
    if known is None:
        return None
    compared: set[object] = set()

    def widened(one: tree.Node) -> tree.Node | None:
        if not isinstance(one, tree.Comparison) or one.operator not in _AMONG:
            return None
        among = _list_for(one.right, name, ids)
        if among is None:
            return None
        compared.add(one.left)
        return replace(one, operator=_AMONG[one.operator], right=among)

    changed = mapped(known, widened)
    # The name is compared with one field, or which of them looks it up is not known here; and what is left of it
    # is where a list cannot.
    left_over = any(isinstance(one, tree.String) and _same(one.value, name) for one in walked(changed))
    return print_program(changed) if len(compared) == 1 and not left_over else None


def _list_for(value: tree.Value, name: str, ids: Sequence[str]) -> tree.ListValue | None:
    """Replace the name in a value by a list of ids; None if the name is only a part of the value."""
    match value:
        case tree.String(value=text) if _same(text, name):
            return tree.ListValue(tuple(tree.String(id) for id in ids))
        case tree.EntityLookup(name=tree.String(value=text)) if _same(text, name):
            return tree.ListValue(tuple(replace(value, name=tree.String(id)) for id in ids))
        case tree.ListValue(items=items):
            found = [_list_for(one, name, ids) for one in items]
            if not any(one is not None for one in found):
                return None
            listed = [one.items if one is not None else (item,) for one, item in zip(found, items, strict=True)]
            return tree.ListValue(tuple(item for some in listed for item in some))
        case _:
            return None


def _same(text: str, name: str) -> bool:
    return text.casefold() == name.casefold()


def with_any(programs: Sequence[str]) -> str | None:
    """Join programs into one that finds the hits of all; None if they differ in more than their conditions."""
    known = [found for program in programs if (found := parsed(program)) is not None]
    if len(known) < len(programs):
        return None
    statements = [one.statement for one in known]
    first = statements[0]
    if not isinstance(first, tree.Find | tree.Aggregate) or first.limit is not None:
        return None
    wheres = [one.where for one in statements if isinstance(one, tree.Find | tree.Aggregate)]
    bare = {replace(one, where=None) for one in statements if isinstance(one, tree.Find | tree.Aggregate)}
    if len(wheres) < len(statements) or len(bare) > 1 or len({one.lets for one in known}) > 1:
        return None
    if any(where is None for where in wheres):
        return None
    each = [where.items if isinstance(where, tree.Or) else (where,) for where in wheres if where is not None]
    either = tree.Or(tuple(dict.fromkeys(item for some in each for item in some)))
    return print_program(replace(known[0], statement=replace(first, where=either)))
