"""Several answers of a model to one question: what most agree on, or a question back where its programs differ."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from qlc.outcome import answer_key
from qlc.translator.protocol import AskBack, CannotSay, Need, Question, Step, Translated, Translation, Try
from qlc.translator.rules.equivalence import normal_form

DIFFER = "The language model read this in different ways. Which do you mean?"
SOME = "{n} of {all} readings of the language model found no query."
FEWER = "The language model could be asked {n} times instead of {all}."
MOST_OPTIONS = 5


def decided(
    said: Sequence[Translation], question: Question, steps: list[Step]
) -> Generator[Need, Any, Translation]:
    """Return the program that all programs agree with, by their typed trees or else by their answers.

    Programs with other answers become a question back, whose options the reader gets in words. Where half of the
    results and more are no programs, the first of these counts.
    """
    came = [one for one in said if not (isinstance(one, CannotSay) and one.failed)]
    programs = [one for one in came if isinstance(one, Translated)]
    others = [one for one in came if not isinstance(one, Translated)]
    if len(programs) <= len(others):
        return others[0] if others else said[0]
    by_meaning: dict[str, Translated] = {}
    for one in programs:
        by_meaning.setdefault(normal_form(one.program, question.schema), one)
    by_answer: dict[Any, Translated] = {}
    for one in by_meaning.values():
        by_answer.setdefault(answer_key((yield Try(one.program))) if len(by_meaning) > 1 else None, one)
    steps.append(Step("model", "votes", {"programs": len(programs), "meanings": len(by_meaning),
                                         "answers": len(by_answer)}))  # fmt: skip
    first, *rest = by_answer.values()
    if rest:
        return AskBack(DIFFER, tuple((one.program, one.program) for one in (first, *rest[: MOST_OPTIONS - 1])))
    notes = [SOME.format(n=len(others), all=len(said))] if others else []
    notes += [FEWER.format(n=len(came), all=len(said))] if len(came) < len(said) else []
    return Translated(first.program, (*first.notes, *notes))
