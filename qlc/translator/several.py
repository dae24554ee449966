"""Several questions in one text outside of a conversation: each is answered, and one outcome holds the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from qlc.outcome import Declined, Outcome, Several
from qlc.telemetry import report
from qlc.translator.asking import Asking
from qlc.translator.protocol import Turn

N = TypeVar("N")
_ASKS_FOR_ALL = re.compile(r"find all \w+")
Answering = Generator[N, Any, Outcome]


def one_by_one(outcome: Declined, asking: Asking, answer: Callable[[Asking], Answering[N]]) -> Answering[N]:
    """Return the answers to the questions of a text; one that speaks of those before it is asked after them."""
    if asking.options.get("cursor"):
        return outcome
    from qlc.translator.splitting import questions_in  # with all modules of English, which no program needs

    questions = questions_in(asking.source)
    if len(questions) < 2:
        return outcome
    turns, outcomes = list(asking.history), list[Outcome]()
    for number, question in enumerate(questions, len(turns) + 1):
        if question.depends and any(one.kind == "clarify" for one in outcomes):
            # After a question back nobody knows yet what it speaks of.
            outcomes.append(Declined(message=f"Answer the question above first, and then ask again: {question.text}"))
            continue
        before = tuple(turns) if question.depends else asking.history
        said = yield from answer(Asking(question.text, asking.run_options(), before, message=asking.source))
        said = without_its_condition(said.query, [one.kind for one in outcomes], question.text) or said
        report("answered", outcome=said)
        outcomes.append(said)
        turns.append(Turn(question.text, said.query, said.model_dump(mode="json"), number=number, of_this_message=True))
    return together(outcomes)


def without_its_condition(program: str, before: Sequence[str], text: str) -> Declined | None:
    """Decline a question for everything if the one before it failed: `Did any step take long? Which jobs?`"""
    if "declined" not in before or not _ASKS_FOR_ALL.fullmatch(program):
        return None
    return Declined(message=f"I did not understand the question before it, so I cannot answer: {text}")


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Several outcomes as one; one as it is."""
    return outcomes[0] if len(outcomes) == 1 else joined(outcomes)


def joined(outcomes: Sequence[Outcome]) -> Several:
    """Return outcomes as one, whose message numbers theirs."""
    text = " ".join(f"{number}. {one.message}" for number, one in enumerate(outcomes, 1))
    return Several(message=text, outcomes=list(outcomes))
