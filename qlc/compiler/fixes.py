"""Selects the fixes to offer. Programs apply a fix without reading the message, so each must be a query that runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from qlc.base.deadline import checkpoint
from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import RequestFailed
from qlc.compiler.check import check
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.environment import Bindings
from qlc.grammar import SyntaxProblem, parse

MOST_FIXES = 4
"""Most rounds of fixes: one of the syntax, further ones for errors that the checker finds in the result."""


def confirmed(
    found: Iterable[Diagnostic], env: Bindings, parameters: Mapping[str, object], sensitive: frozenset[str] | None
) -> tuple[Diagnostic, ...]:
    """Keep the fixes whose result has no errors. If a result has errors with certain fixes, these are applied too."""
    texts: dict[str, str | None] = {}
    checked = []
    for one in found:
        if one.fixed is not None and one.fixed not in texts:
            try:
                texts[one.fixed] = _without_errors(one.fixed, env, parameters, sensitive)
            except RequestFailed:  # no time to confirm it
                texts[one.fixed] = None
        checked.append(one if one.fixed is None else replace(one, fixed=texts[one.fixed]))
    return tuple(checked)


def _without_errors(
    text: str, env: Bindings, parameters: Mapping[str, object], sensitive: frozenset[str] | None
) -> str | None:
    for _ in range(MOST_FIXES):
        checkpoint()
        errors = _errors(text, env, parameters, sensitive)
        if not errors:
            return text
        if errors[0].fixed is None:
            return None
        text = errors[0].fixed
    return None


def _errors(
    text: str, env: Bindings, parameters: Mapping[str, object], sensitive: frozenset[str] | None
) -> list[Diagnostic]:
    try:
        checked = check(parse(text), env.schema, text, parameters, sensitive)
    except SyntaxProblem as problem:
        return [problem.diagnostic]
    return [one for one in (*checked.diagnostics, *inconsistencies(checked, env)) if one.severity == "error"]
