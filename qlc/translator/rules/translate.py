"""From a question to programs: tokens, lexemes, readings, and the choice between them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from qlc.grammar import print_statement
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.forms import readings
from qlc.translator.rules.questions.nothing_like_it import of_those_that_have_one
from qlc.translator.rules.records import of_things
from qlc.translator.rules.words.tokens import tokenize

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
        program = print_statement(of_those_that_have_one(parse, of_things(parse, one.value)))
        found.setdefault(program, one.cost)
        if len(found) >= MOST_PROGRAMS:
            break
    return tuple(Reading(program, round(cost, 3)) for program, cost in found.items())


def read(text: str, lexicon: Lexicon, now: datetime) -> tuple[Reading, ...]:
    """As `programs`, of a text."""
    return programs(Parse(tokenize(text), lexicon, now, text))
