"""Programs that a question may mean, by the rules."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.grammar import print_statement
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


def programs(parse: Parse) -> tuple[Reading, ...]:
    """The programs that a question may mean, surest first."""
    found: dict[str, float] = {}
    for one in readings(parse):
        statement = by_its_date(parse, of_those_that_have_one(parse, one.value))
        program = print_statement(still_to_come(parse, statement))
        found.setdefault(program, one.cost)
        if len(found) >= MOST_PROGRAMS:
            break
    return tuple(Reading(program, round(cost, 3)) for program, cost in found.items())
