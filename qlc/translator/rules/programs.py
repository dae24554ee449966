"""Programs that a question may mean, by the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qlc.grammar import print_path, print_statement, tree
from qlc.grammar.tree import Statement, mapped
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Schema
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import by_its_date, still_to_come
from qlc.translator.rules.questions.finishing import of_those_that_have_one
from qlc.translator.rules.questions.forms import readings

MOST_PROGRAMS = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """A program that a question may mean; the lower the cost, the surer."""

    program: str
    cost: float


def with_measures(statement: Statement, schema: Schema) -> Statement:
    """Replace the sums of what are measures of the catalog by these: `sum(revenue)` -> `revenue`."""
    entity = find_entity(schema, statement.entity.text) if isinstance(statement, tree.Aggregate) else None
    if entity is None or not entity.measures:
        return statement

    def named(node: tree.Node) -> tree.Node | None:
        path = node.path if isinstance(node, tree.Measure) and node.function == "sum" else None
        is_own = isinstance(path, tree.Path) and any(one.name == print_path(path) for one in entity.measures)
        return replace(node, function="named") if is_own and isinstance(node, tree.Measure) else None

    return mapped(statement, named)


def programs(parse: Parse) -> tuple[Reading, ...]:
    """The programs that a question may mean, surest first."""
    found: dict[str, float] = {}
    for one in readings(parse):
        statement = by_its_date(parse, of_those_that_have_one(parse, one.value))
        program = print_statement(with_measures(still_to_come(parse, statement), parse.schema))
        found.setdefault(program, one.cost)
        if len(found) >= MOST_PROGRAMS:
            break
    return tuple(Reading(program, round(cost, 3)) for program, cost in found.items())
