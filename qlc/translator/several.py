"""Several questions in one text outside of a conversation: each is answered, and one outcome holds the answers."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from qlc.outcome import Declined, Outcome, Several
from qlc.translator.asking import Asking
from qlc.translator.goals import goals_of
from qlc.translator.protocol import Turn

OneByOne = Generator[Asking, Outcome, Outcome]
"""Yields a question, is sent its answer, and returns what answers all of them."""


def one_by_one(outcome: Outcome, asking: Asking) -> OneByOne:
    """The answers to the questions of a text that was not understood as one; else, or of a page, its outcome.

    A question that speaks of those before it is asked behind their answers; the others stand alone.
    """
    if not isinstance(outcome, Declined) or asking.options.get("cursor"):
        return outcome
    goals = goals_of(asking.source)
    if len(goals) < 2:
        return outcome
    turns, outcomes = list(asking.history), list[Outcome]()
    for number, goal in enumerate(goals, len(turns) + 1):
        if goal.depends and any(one.kind == "clarify" for one in outcomes):
            # Behind a question back nobody knows yet what it speaks of.
            outcomes.append(Declined(message=f"Answer the question above first, and then ask again: {goal.text}"))
            continue
        before = tuple(turns) if goal.depends else asking.history
        outcome = yield Asking(goal.text, asking.run_options(), before)
        outcomes.append(outcome)
        turns.append(Turn(goal.text, outcome.query, outcome.model_dump(mode="json"), number=number))
    return together(outcomes)


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Several outcomes as one; one as it is."""
    if len(outcomes) == 1:
        return outcomes[0]
    told = " ".join(f"{number}. {one.message}" for number, one in enumerate(outcomes, 1))
    return Several(message=told, outcomes=list(outcomes))
