"""Compiles the programs in cases/NAME.qlc and compares the result, a query or the errors, with cases/NAME.txt."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from syrupy.assertion import SnapshotAssertion

from qlc.base.diagnostics import Diagnostic
from qlc.compiler import typed
from qlc.compiler.environment import ContextMissing
from qlc.compiler.parameters import BindingError
from qlc.planner.plan import Step
from qlc.resolver.run import dry_requests
from tests.pairs import Case, check_beside, pairs, readable, report

from .world import Body, World, drive, ecommerce, flights, made

CASES = Path(__file__).parent / "cases"
SHIPPED = {"": drive, "drive": drive, "flights": flights, "ecommerce": ecommerce}


@pairs(CASES)
def test_programs_compile_to_what_is_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, compiled), snapshot)


@cache
def world(name: str) -> World:
    """A catalog that is shipped, or a mapping and a catalog of cases/worlds.yaml."""
    if name in SHIPPED:
        return SHIPPED[name]()
    described = yaml.safe_load((CASES / "worlds.yaml").read_text("utf-8"))[name]
    return made(described["properties"], described.get("catalog"))


def compiled(case: Case) -> str:
    options = dict(case.options)
    here = world(case.world).at(zone=options.pop("zone", "UTC"))
    context, whole = options.pop("context", {}), options.pop("whole", False)
    try:
        found = here.diagnose(case.source, **options)
        lines = [line for one in found.diagnostics for line in finding(one, case.source)]
        if found.failed:
            return "\n".join(lines)
        if found.text != case.source:
            lines.append(f"= {found.text}")
        checked, plan = here.compiler.prepare(case.source).compiled(options, frozenset(), None)
        statement = checked.statement
        assert statement is not None and plan is not None  # noqa: PT018
        lines += [f"{step.level} {looked_up(step)}" for step in plan.steps]
        lines += columns(statement)
        if not isinstance(statement, typed.Get):
            env = here.compiler.environment(
                {"now": here.now, "timezone": here.zone, "params": options, "context": context}
            )
            body = dry_requests(plan, env)[-1][1].body
            lines.append(readable(body if whole else essence(body, case.source, here, statement)))
    except (BindingError, ContextMissing) as problem:
        return f"{type(problem).__name__}: {problem}"
    return "\n".join(lines)


def finding(one: Diagnostic, source: str) -> list[str]:
    lines = [f"{one.severity} {one.code} at '{source[one.span.start : one.span.end]}': {one.message}"]
    lines += [f"hint: {one.hint}"] if one.hint else []
    lines += [f"suggested: {', '.join(one.suggestions)}"] if one.suggestions else []
    return lines + ([f"fixed: {one.fixed}"] if one.fixed else [])


def looked_up(step: Step) -> str:
    source = step.source
    name = ""
    if isinstance(source, typed.Lookup):
        asked = f"${source.name.name}" if isinstance(source.name, typed.Param) else repr(source.name)
        name = f" {source.entity.name} {asked}"
    takes = ", ".join(getattr(taken, "name", "id") for taken in step.takes)
    needs = f" after {', '.join(map(str, step.needs))}" if step.needs else ""
    return f"{type(source).__name__}{name} takes {takes}{needs}"


def columns(statement: typed.Statement) -> list[str]:
    if isinstance(statement, typed.Get):
        return [f"gets {', '.join(item.name for item in statement.items)}"]
    if not isinstance(statement, typed.Aggregate):
        return []
    shown = [f"({one.name})" if one.hidden else one.name for one in statement.measures]
    return [f"by {', '.join(group.name for group in statement.groups)}: {', '.join(shown)}"]


def essence(body: Body, source: str, here: World, statement: Any) -> Body:
    """The request without what every search of the entity has: its filter, fields, order (`whole=true`: with them)."""
    scope = [clause.to_dict() for clause in here.compiler.environment({"now": here.now}).scope(statement.entity)]
    query = body["query"].get("bool", {}) if set(body["query"]) == {"bool"} else {"filter": [body["query"]]}
    clauses = [clause for clause in query.get("filter", []) if clause not in scope]
    kept = {"filter": clauses, **{key: part for key, part in query.items() if key != "filter"}}
    shown = {"sort": " sort " in source or "about" in source, "_source": " show " in source, "aggs": True}
    said = {key: kept[key] for key in kept if kept[key]}
    only = clauses[0] if set(said) == {"filter"} and len(clauses) == 1 else said
    return {"query": only, **{key: body[key] for key in shown if shown[key] and key in body}}
