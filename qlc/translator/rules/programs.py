"""Programs that a question may mean, by the rules."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from qlc.grammar import print_path, print_statement, tree
from qlc.grammar.tree import Statement, mapped
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Schema
from qlc.translator.protocol import Diagnose, Need, Question, Step
from qlc.translator.rules.equivalence import cannot_be_meant, normal_form, unbound
from qlc.translator.rules.lexicon.occurrence import never_together
from qlc.translator.rules.list_sizes import lacks_a_number, sizes
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import by_its_date, still_to_come
from qlc.translator.rules.questions.finishing import of_those_that_have_one
from qlc.translator.rules.questions.forms import readings
from qlc.translator.rules.questions.known import word_meanings

MOST_PROGRAMS = 12
MARGIN = 0.16
"""How much dearer the next reading of another meaning must be, for the cheapest to count as sure."""
FOR_UNKNOWN_NAMES = 0.8
"""Additional cost that a reading may have if a word looks like a name but none is known; it is tried anyway."""
GUESSED = 0.55
"""Readings from this cost on may take words for a name that nothing is known of: they are tried before believed."""
DOUBT = 0.3
"""How much dearer a reading may be that is tried where the best one finds nothing."""
FAR_FETCHED = 0.5
"""How much dearer a reading may be than one whose fields never occur together, to be believed in its place."""
MOST, MOST_PER_WORD = 0.58, 0.08
"""Readings that cost more rest on too many guesses. Longer questions have more to be read."""


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


@dataclass(frozen=True, slots=True)
class Accepted:
    """A reading that the checker accepts: `meaning` is equal for readings that say the same."""

    reading: Reading
    program: str
    meaning: str


Accepting = Generator[Need, Any, list[Accepted]]


def accepted_programs(question: Question, parse: Parse, steps: list[Step]) -> Accepting:
    """The programs that a question may mean and that the checker accepts, surest first; each meaning once."""
    found = programs(parse)
    words = {} if found else {"words": word_meanings(parse)}
    steps.append(Step("rules", "readings", {"readings": [(one.program, one.cost) for one in found], **words}))
    seen: set[str] = set()
    spoken = tuple(sizes(parse, 0))
    sure: list[Accepted] = []
    dropped = float("inf")
    for one in found:
        if sure and one.cost > sure[0].reading.cost + DOUBT:
            break  # dearer ones are neither asked about nor tried
        if one.program.startswith("find all ") and question.history and not parse.says_all:
            parse.everything = parse.everything or one.program
            continue  # after other questions `list documents` may mean theirs
        diagnosis = yield Diagnose(one.program)
        if diagnosis.failed or cannot_be_meant(diagnosis.text, question.schema):
            continue
        if spoken and lacks_a_number(spoken, diagnosis.text, question.schema):
            continue
        if unbound(diagnosis.text, question.schema, question.params):
            parse.unknown_asker = True
            continue
        meaning = normal_form(diagnosis.text, question.schema)
        if meaning in seen:
            continue
        seen.add(meaning)
        never = yield from never_together(diagnosis.text, parse.lexicon, parse.guessed)
        if never is None and (one.cost < GUESSED or one.cost < dropped + FAR_FETCHED):
            sure.append(Accepted(one, diagnosis.text, meaning))
        else:  # far-fetched readings do not take the place of what nothing has
            dropped = min(dropped, one.cost) if never is not None else dropped
            steps.append(Step("rules", "dropped", {one.program: str(never or "far-fetched")}))
    return sure
