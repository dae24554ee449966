"""Requests without a run: each lookup's first request, and the statement's with placeholders for what they find."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from qlc.compiler import typed
from qlc.compiler.environment import Bindings, Found
from qlc.compiler.request import SearchRequest
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Field
from qlc.pipeline import Compiler
from qlc.planner.plan import Plan, Step
from qlc.resolver.names import NameCache
from qlc.resolver.run import first_request
from qlc.resolver.steps import Run, read_step


def dry_requests(compiler: Compiler, plan: Plan, options: Mapping[str, Any]) -> list[tuple[int, SearchRequest]]:
    """(level, request) of every step and of the statement, as they would be sent first."""
    env = compiler.environment(options)
    run = Run(env, NameCache())
    requests: list[tuple[int, SearchRequest]] = []
    for level in plan.levels:
        for step in level:
            requests.append((step.level, next(read_step(step, run))))
            _put_placeholders(step, env)
    final = first_request(plan, run)
    return [*requests, (len(plan.levels), final)] if final is not None else requests


def _put_placeholders(step: Step, env: Bindings) -> None:
    for field in step.takes or (None,):
        value = placeholder(step.source, field, env.clock.now)
        pair = isinstance(step.source, typed.Pairs | typed.Extent)
        env.found[step.source, field] = (value, value) if pair else (value,)


def placeholder(source: typed.Source, field: Field | None, now: datetime) -> Found:
    """`<id of folder 'Tax Documents'>`: what would stand in the request."""
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
    """The field whose values a source gives where it takes none: the ids of its entity, or those of a pair."""
    match source:
        case typed.Pairs():
            return source.left
        case typed.Search():
            return source.find.entity.id
        case typed.Lookup() | typed.Descendants():
            return source.entity.id
        case _:
            return None
