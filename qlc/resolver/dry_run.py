"""Requests without a run: each lookup's first request, and the statement's with placeholders for what they find."""

from __future__ import annotations

from qlc.compiler import typed
from qlc.compiler.environment import Bindings
from qlc.compiler.request import SearchRequest
from qlc.planner.describe import placeholder
from qlc.planner.plan import Plan
from qlc.resolver.names import NameCache
from qlc.resolver.run import first_request
from qlc.resolver.steps import Run, read_step


def dry_requests(plan: Plan, env: Bindings) -> list[tuple[int, SearchRequest]]:
    """(level, request) of every step and of the statement, as they would be sent first."""
    run = Run(env, NameCache())
    requests: list[tuple[int, SearchRequest]] = []
    for step in plan.steps:
        requests.append((step.level, next(read_step(step, run))))
        for field in step.takes or (None,):
            value = placeholder(step.source, field, env.clock.now)
            pair = isinstance(step.source, typed.Pairs | typed.Extent)
            env.found[step.source, field] = (value, value) if pair else (value,)
    final = first_request(plan, run)
    return [*requests, (len(plan.levels), final)] if final is not None else requests
