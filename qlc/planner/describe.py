"""A plan for people: what each step reads, and placeholders for values that are not yet looked up."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from qlc.compiler import typed
from qlc.compiler.environment import StoredValue
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Field
from qlc.planner.plan import Plan, Step


def levels(plan: Plan) -> list[list[dict[str, Any]]]:
    """Return the steps of each level as plain data."""
    return [[_step(step) for step in level] for level in plan.levels]


def _step(step: Step) -> dict[str, Any]:
    takes = [taken.name if taken is not None else "id" for taken in step.takes]
    return {"step": step.number, "reads": say_source(step.source), "takes": takes, "needs": list(step.needs)}


def say_source(source: typed.Source) -> str:
    """Describe a source in a few words."""
    match source:
        case typed.Lookup(name=str() as name):
            return f"{source.entity.name} called '{name}'"
        case typed.Lookup():
            return f"{source.entity.name} that a parameter names"
        case typed.Search():
            return f"{source.find.entity.plural} of a sub-query"
        case typed.Rows():
            return f"column '{source.column}' of rows over {source.aggregate.entity.plural}"
        case typed.Pairs():
            return f"values that {source.left.name} and {source.right.name} share"
        case typed.Extent():
            return f"first and last {source.field.name}"
        case typed.Descendants():
            return f"{source.entity.plural} below"
        case typed.Top():
            return f"first {source.count:,} {source.entity.plural} of each group"
        case typed.Keys():
            return f"keys of {source.list.name} that '{source.text}' means"
        case typed.Nearest():
            return f"{source.entity.plural} with the {source.passages.plural} nearest in meaning"


def placeholder(source: typed.Source, field: Field | None, now: datetime) -> StoredValue:
    """Return a placeholder in a request: `<id of folder 'Tax Documents'>`."""
    compared = field or _compared(source)
    kind = compared.kind if compared is not None else FieldKind.KEYWORD
    if isinstance(source, typed.Extent) or kind is FieldKind.DATE:
        return now
    if kind in NUMERIC:
        return 0
    if kind is FieldKind.BOOLEAN:
        return True
    what = field.name if field is not None else "id"
    match source:
        case typed.Lookup(name=str() as name):
            return f"<{what} of {source.entity.name} '{name}'>"
        case typed.Lookup():
            return f"<{what} of the {source.entity.name} that is passed>"
        case typed.Search():
            return f"<{what} of each of the {source.find.entity.plural} found>"
        case typed.Rows():
            return f"<{source.column} of the rows>"
        case typed.Pairs():
            return f"<each value that {source.left.name} and {source.right.name} share>"
        case _:
            return f"<{what}>"


def _compared(source: typed.Source) -> Field | None:
    """Return the field of a source's own values: the ids of its entity, or the values of a pair."""
    match source:
        case typed.Pairs():
            return source.left
        case typed.Keys():
            return source.key
        case typed.Search():
            return source.find.entity.id
        case typed.Lookup() | typed.Descendants() | typed.Nearest() | typed.Top():
            return source.entity.id
        case _:
            return None
