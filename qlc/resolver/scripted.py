"""Searches with scripts: a limit on the documents for which they calculate, and notes on divisions by zero.

The server runs a script for each document that the conditions without scripts find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qlc.compiler import typed
from qlc.compiler.codegen import conjuncts, ranking_of, search_clause
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Clause, Reading, SearchRequest
from qlc.compiler.scripts import divides_by_zero, is_scripted
from qlc.compiler.walk import SOURCES, typed_parts
from qlc.mapping.schema import Entity
from qlc.planner.plan import Step
from qlc.resolver.rows.asking import filtered_body, matching

Searched = typed.Find | typed.Aggregate | typed.Top


def searched_in(steps: Iterable[Step]) -> list[Searched]:
    """Return the searches and groups among the sources of a plan's steps."""
    sources = (step.source for step in steps)
    return [found for one in sources if (found := _searched(one)) is not None]


def _searched(source: typed.Source) -> Searched | None:
    match source:
        case typed.Search():
            return source.find
        case typed.Rows():
            return source.aggregate
        case typed.Top():
            return source
    return None


def check_number_of_documents(asked: Searched, env: Bindings) -> Reading[None]:
    """Check that scripts do not run for more documents than the bound. Raises CannotAnswer."""
    if fields := _scripted_fields(asked, env):
        yield from check_number(fields, asked.entity, _filters(asked, env), env)


def check_number(
    fields: Sequence[typed.ComputedField], entity: Entity, filters: Sequence[Clause], env: Bindings, index: str = ""
) -> Reading[None]:
    """Check that no more documents than the bound pass the filters. Raises CannotAnswer."""
    bound, purpose = env.bounds.scripts, f"for how many {entity.plural} it is calculated"
    found = yield from _count(index or entity.index, filters, bound + 1, purpose)
    if found > bound:
        raise CannotAnswer(
            "too-many-calculated", f"'{fields[0].name}' is calculated for more than {bound:,} {entity.plural}",
            "narrow them down with another condition, such as a period",
        )  # fmt: skip


def count_divisions_by_zero(asked: Searched, env: Bindings) -> Reading[list[str]]:
    """Return a note for each calculation that divides by zero in some documents, which have no value for that."""
    fields = _scripted_fields(asked, env)
    return (yield from notes_on_zero(fields, asked.entity, _filters(asked, env), env)) if fields else []


def notes_on_zero(
    fields: Sequence[typed.ComputedField], entity: Entity, filters: Sequence[Clause], env: Bindings, index: str = ""
) -> Reading[list[str]]:
    """Return a note for each calculation that divides by zero in some documents that pass the filters."""
    notes = []
    for field in fields:
        if (zeros := divides_by_zero(field, env)) is None:
            continue
        purpose = "in how many documents a calculation divides by zero"
        count = yield from _count(index or entity.index, [*filters, zeros], True, purpose)
        if count:
            who = f"{count:,} {entity.name if count == 1 else entity.plural} {'has' if count == 1 else 'have'}"
            notes.append(f"{who} no value of '{field.name}', which divides by zero there.")
    return notes


def _filters(asked: Searched, env: Bindings) -> list[Clause]:
    """Return all conditions without scripts, which the documents must meet."""
    where = _without_scripts(asked.where, env)
    is_ranked = any(isinstance(part, typed.About) for part in conjuncts(where))
    return [search_clause(asked.entity, where, env)] if is_ranked else matching(asked.entity, where, env)


def _count(index: str, filters: Sequence[Clause], up_to: int | bool, purpose: str) -> Reading[int]:
    response = yield SearchRequest(index, filtered_body(filters, track_total_hits=up_to), purpose)
    return int(response["hits"]["total"]["value"])


def _scripted_fields(asked: Searched, env: Bindings) -> list[typed.ComputedField]:
    """Return the calculations of a search that take a script: a column of hits takes none."""
    compared = [one for one in _computed(asked.where) if is_scripted(one, env)]
    match asked:
        case typed.Find():
            others: tuple[Any, ...] = asked.sort
        case typed.Top():
            others = (*asked.groups, *asked.sort)
        case _:
            others = (*asked.groups, *asked.measures)
    return list(dict.fromkeys((*compared, *_computed(others))))


def _without_scripts(condition: typed.Condition, env: Bindings) -> typed.Condition:
    if isinstance(condition, typed.And):
        return typed.And(tuple(_without_scripts(one, env) for one in condition.items))
    if isinstance(condition, typed.About):  # the nearest by meaning are few, and found after this
        return condition if ranking_of(condition, env) == "words" else typed.All()
    return typed.All() if any(is_scripted(one, env) for one in _computed(condition)) else condition


def _computed(node: Any) -> list[typed.ComputedField]:
    return [part for part in typed_parts(node, closed=SOURCES) if isinstance(part, typed.ComputedField)]
