"""Which of the meanings of a follow-up counts: those that hold together, the likeliest, or a question back."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.grammar import parse, print_program, print_statement, tree
from qlc.grammar.tree import Statement
from qlc.outcome import answer_key, has_answer
from qlc.translator.follow_ups.content import Meaning
from qlc.translator.follow_ups.editing import with_lets
from qlc.translator.follow_ups.history import Base
from qlc.translator.protocol import AskBack, CannotSay, Diagnose, Need, Question, Step, Translated, Try
from qlc.translator.rules.confidence import confidence
from qlc.translator.rules.equivalence import cannot_be_meant, normal_form
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.occurrence import never_together
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.translator import DOUBT, GUESSED, MARGIN, MOST_TRIED, UNSURE, doubted, tried
from qlc.translator.rules.words.morphology import stems
from qlc.translator.rules.words.tokens import name_key

Chosen = Generator[Need, Any, Translated | AskBack | CannotSay]

MOST_CHECKED = 12
"""Meanings that are checked, cheapest first."""

_EMPTY = ("hits", "count", "aggregate", "value")

AS_LIKELY = 0.04
"""How much more a meaning may cost that is not given up because it finds nothing."""

TIED = 0.01
"""How much two meanings differ in their cost that are as likely as each other."""

NEVER_TOGETHER = 0.3
"""What it costs to speak of a field that the things spoken of never have: other readings are more likely."""

WHICH = "This can be meant in several ways. Which one?"


@dataclass(frozen=True, slots=True)
class Sure:
    """A meaning that the checker accepts. `cost` has what makes it less likely than others, `said` only what the words
    cost that say it."""

    program: str
    normal: str
    notes: tuple[str, ...]
    cost: float
    said: float
    changes: bool


def checked(
    meanings: Sequence[Meaning], lets: tuple[tree.Let, ...], question: Question, lexicon: Lexicon, steps: list[Step]
) -> Generator[Need, Any, list[Sure]]:
    """The meanings whose programs hold together, surest first, each program once."""
    tried: dict[str, Any] = {}
    best: dict[str, Sure] = {}
    ranked = sorted(meanings, key=lambda one: one.cost + one.ways[0].cost)
    for meaning in ranked[:MOST_CHECKED]:
        for way in meaning.ways:
            statement = way.statement
            if meaning.drops and isinstance(statement, tree.Find):
                statement = replace(statement, every=True)  # without its only condition it is all of them
            program = print_program(with_lets(lets, statement))
            if program not in tried:
                diagnosis = yield Diagnose(program)
                failed = diagnosis.failed or cannot_be_meant(_ungrouped(diagnosis.text), question.schema)
                tried[program] = None if failed else diagnosis.text
            if tried[program] is None:
                continue
            normal = normal_form(tried[program], question.schema)
            never = yield from never_together(tried[program], lexicon)
            if never is not None and (_only_measures(way.statement) or not _is_named(never.field, question)):
                continue  # the total of what has no amounts, and whoever may be meant by a bare name
            said = round(meaning.cost + way.cost, 3)
            cost = said if never is None else round(said + NEVER_TOGETHER, 3)
            if normal not in best or cost < best[normal].cost:
                best[normal] = Sure(tried[program], normal, way.notes, cost, said, meaning.changes)
            break
    found = sorted(best.values(), key=lambda one: one.cost)
    steps.append(Step("follow-ups", "readings", {"readings": [(one.program, one.cost) for one in found]}))
    return found


def _is_named(name: str, question: Question) -> bool:
    """Whether a text, or one before it, says which field it speaks of."""
    fields = (entity.fields.get(name) or entity.lists.get(name) for entity in question.schema.entities.values())
    called = {stems(name_key(one)) for field in fields if field is not None
              for one in (name.replace("_", " "), *field.words)}  # fmt: skip
    for text in (question.text, *(turn.text for turn in question.history)):
        said = stems(name_key(text))
        if any(said[at : at + len(one)] == one for one in called for at in range(len(said))):
            return True
    return False


def _only_measures(statement: Statement) -> bool:
    """Whether a statement asks for nothing but numbers of fields."""
    return isinstance(statement, tree.Aggregate) and all(one.path is not None for one in statement.measures)


def _ungrouped(program: str) -> str:
    """The program's conditions alone: groups may well be narrowed to some."""
    statement = parse(program).statement
    if isinstance(statement, tree.Aggregate):
        return print_statement(tree.Find(statement.entity, statement.where, limit=1))
    return program


def _translated(one: Sure, notes: tuple[str, ...], base: Base | None) -> Translated:
    """The list that a changed list takes the place of is reported; a number of the same things leaves it open."""
    lists = base is not None and isinstance(base.statement, tree.Find) and one.program.startswith("find ")
    number = base.earlier.turn.number if base is not None and lists and one.changes else 0
    return Translated(one.program, (*notes, *one.notes, *_at_the_place(one, base)), number or None)


def _at_the_place(one: Sure, base: Base | None) -> tuple[str, ...]:
    """`and to Paris?`, after the second cheapest flight to Rome: its place among others stays, and a note says so."""
    before = base.statement.offset if base is not None and isinstance(base.statement, tree.Find) else None
    if not before or not one.notes or f" offset {before}" not in one.program:
        return ()
    return (f"Number {before + 1} in the same order, as before.",)


def chosen(
    sure: Sequence[Sure], notes: tuple[str, ...], steps: list[Step], base: Base | None, choices: Mapping[str, str]
) -> Chosen:
    """The one that is clearly the best; else those that find something are distinguished."""
    best = sure[0]
    rivals = [one for one in sure[1:] if one.cost < best.cost + MARGIN][: MOST_TRIED - 1]
    further = [one for one in sure[1:] if one not in rivals and one.cost < best.cost + DOUBT][:MOST_TRIED]
    if not rivals and best.cost < GUESSED:
        return _translated(best, notes, base)
    tried = []
    for one in (best, *rivals):
        outcome = yield Try(one.program, choices)
        tried.append((one, outcome))
    steps.append(Step("follow-ups", "tried", {one.program: outcome.kind for one, outcome in tried}))
    # What finds nothing is no reason to believe something as likely; a refinement may well find nothing.
    likely = best.cost + AS_LIKELY
    good = [
        (one, outcome)
        for one, outcome in tried
        if has_answer(outcome) or (one.cost <= likely and one is not best and outcome.kind in _EMPTY)
    ]
    if not any(has_answer(outcome) for _, outcome in tried):
        good = []
    for one in further if not good and rivals else ():
        outcome = yield Try(one.program, choices)
        if has_answer(outcome):
            good.append((one, outcome))
    ties = [one for one, _ in tried if one.cost <= best.cost + TIED]
    if not good and len(ties) > 1 and all(outcome.kind in _EMPTY for _, outcome in tried):
        return _asked_back(ties)  # nothing tells them apart
    if not good:
        empty = all(outcome.kind in _EMPTY for _, outcome in tried)
        unsure = best.cost >= GUESSED and any(one.cost <= likely for one in rivals)
        said = _translated(best, notes, base) if (empty and not unsure) or not rivals else CannotSay()
        return replace(said, sure=False) if isinstance(said, Translated) else said
    if tried[0][1].kind in _EMPTY and not has_answer(tried[0][1]):
        good.insert(0, tried[0])  # a refinement may well find nothing
    if len({repr(answer_key(outcome)) for _, outcome in good}) == 1:
        return replace(_translated(good[0][0], notes, base), sure=len(good) == len(tried))
    return _asked_back([one for one, _ in good])


def weighed_by_words(
    p: Parse, said: Translated, cost: float, question: Question, steps: list[Step]
) -> Generator[Need, Any, Translated | AskBack]:
    """The change, which is sure where the words and what running it tells do not speak against it; one that lacks what
    words call for is offered."""
    found = confidence(p, said.program, cost, question.history[-1].program)
    if found.sure:
        found = yield from tried(p, found, said.program)
    if not found.sure:
        steps.append(Step("follow-ups", UNSURE, found.against))
    if found.unmet:
        return doubted(said.program, found, steps)
    return replace(said, sure=said.sure and found.sure)


def _asked_back(ways: Sequence[Sure]) -> AskBack:
    return AskBack(WHICH, tuple((one.program, one.program) for one in ways), sure=False)
