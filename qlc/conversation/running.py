"""The stage that runs programs and pasted requests: their outcomes, pages, and ways on from nothing."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from qlc.conversation.context import Task
from qlc.conversation.effects import Doing, Need, Run, Together, Translate
from qlc.conversation.history import History, gist
from qlc.conversation.translating import said_of
from qlc.conversation.working import Answered, Given, Said, Working, ledger_of, tasks_of
from qlc.outcome import OUTCOME, Clarify, Count, Declined, Explain, Hits, Option, Outcome, is_empty
from qlc.telemetry import report
from qlc.translator.explanations.explaining import WHY_NOTHING
from qlc.translator.outcomes import asked_about_value, with_notes
from qlc.translator.protocol import Turn
from qlc.translator.several import without_its_condition

_LOST = ("expired", "invalid-cursor")
"""Reasons why a page cannot be read on from its place: the time is over, or the index has changed."""


def run(working: Working, history: History) -> Doing:
    tasks, said = tasks_of(working), list(working.said)
    together = yield from _independent(working)
    answers: list[Answered] = []
    for number, task in enumerate(tasks):
        if task.waits:
            turns = (*history.for_translators(), *_answered_turns(working, said, answers))
            said[number] = yield from _waited(task, turns, history, answers, said)
        late = said[number] if task.waits else None
        before = [one.outcome["kind"] for one in answers]
        unknown = without_its_condition(said[number].program, before, task.words)
        outcome = unknown.model_dump(mode="json") if unknown is not None else said[number].outcome
        if outcome is not None:
            answers.append(Answered(task=number, outcome=outcome, said=late))
            report("answered", outcome=OUTCOME.validate_python(outcome))
            continue
        outcomes = yield from _page(task, said[number], working.given, together.get(number))
        listed = _listed_before(outcomes, history) if not task.request else None
        if listed is not None:
            token, option = listed
            choices = {**said[number].choices, token: option.id}
            late = said[number] = said[number].model_copy(update={"choices": choices})
            found = yield from _page(task, late, working.given, None)
            outcomes = tuple(with_notes(one, (f"{option.label}: it was listed before.",), 0.0) for one in found)
        noted = [with_notes(one, said[number].notes, said[number].milliseconds / 1000) for one in outcomes]
        if task.words and task.words != said[number].program and not task.request:
            noted = [asked_about_value(one, task.words) for one in noted]
        is_question = task.words and not task.request and task.cursor is None and not task.first
        if is_question and is_empty(noted[0]):
            noted = [(yield from _with_ways_on(task, said[number], noted[0], working))]
        for one in noted:
            report("answered", outcome=one)
        answers += [Answered(task=number, outcome=one.model_dump(mode="json"), said=late) for one in noted]
    return {"answers": tuple(answers)}


def _listed_before(outcomes: Sequence[Outcome], history: History) -> tuple[str, Option] | None:
    """Return the only option of a clarification about a name that was among the hits shown last, so as not to ask."""
    asked = outcomes[0] if len(outcomes) == 1 else None
    if not isinstance(asked, Clarify) or asked.what == "reading":
        return None
    for _, part in islice(history.parts(), LISTS_BEFORE):
        shown = set(part.outcome.get("ids") or ())
        known = [one for one in asked.options if one.id in shown]
        if known:
            return (asked.token, known[0]) if len(known) == 1 else None
    return None


LISTS_BEFORE = 3
"""Number of answers whose hits can decide the meaning of a name."""

MOST_WAYS = 2


def _with_ways_on(task: Task, said: Said, outcome: Outcome, working: Working) -> Generator[Need, Any, Outcome]:
    """Add to an empty answer why it is empty, and messages that find something."""
    turn = Turn(task.words, outcome.query, gist(outcome.model_dump(mode="json")), said.choices, working.number)
    why = yield Translate(WHY_NOTHING, (turn,), said.choices, ledger_of(()), by_rules=True)
    if not isinstance(why, Explain) or why.about != "empty":
        return outcome
    near = outcome.suggestions if isinstance(outcome, Hits | Count) else []
    ways = [*near, *why.suggestions, *why.queries][:MOST_WAYS]
    return outcome.model_copy(update={"notes": [*outcome.notes, why.message], "suggestions": ways})


def _independent(working: Working) -> Generator[Need, Any, dict[int, tuple[Outcome, ...]]]:
    """Run the tasks that do not wait for others in one round, and return their outcomes by place."""
    both = list(enumerate(zip(tasks_of(working), working.said, strict=True)))
    ready = [(number, task, said) for number, (task, said) in both if not task.waits and said.outcome is None]
    if len(ready) < 2:
        return {}
    outcomes = yield Together(tuple(_wanted(task, said, working.given) for _, task, said in ready))
    return {number: _several(found) for (number, _, _), found in zip(ready, outcomes, strict=True)}


def _several(found: Outcome | tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    return found if isinstance(found, tuple) else (found,)


def _waited(
    task: Task, turns: tuple[Turn, ...], history: History, answers: Sequence[Answered], before: Sequence[Said]
) -> Generator[Need, Any, Said]:
    """Translate a task that waited for others. It is declined after a clarification, as its reference is not known
    yet."""
    if any(one.outcome["kind"] == "clarify" for one in answers):
        message = f"Answer the question above first, and then ask again: {task.words}"
        return Said(outcome=Declined(message=message).model_dump(mode="json"))
    return (yield from said_of(task, turns, history, before))


def _answered_turns(working: Working, said: Sequence[Said], answers: Sequence[Answered]) -> Iterator[Turn]:
    """Yield the answers of this turn so far, as translators see them."""
    for one in answers:
        program = one.outcome.get("query") or said[one.task].program
        words = tasks_of(working)[one.task].words
        yield Turn(words, program, gist(one.outcome), said[one.task].choices, working.number, of_this_message=True)


def _page(
    task: Task, said: Said, given: Given, known: tuple[Outcome, ...] | None
) -> Generator[Need, Any, tuple[Outcome, ...]]:
    """Run a program, a pasted request, or one page of a list; `known` are its outcomes if it has run already."""
    wanted = _wanted(task, said, given)
    outcomes = known if known is not None else _several((yield wanted))
    skip = task.skip
    if task.cursor is not None and not task.request and any(_is_lost(one) for one in outcomes):
        skip = task.first - task.base
        outcomes = _several((yield replace(wanted, size=wanted.size - task.skip + skip, cursor=None)))
    return tuple(_sliced(one, skip, task.first) if isinstance(one, Hits) else one for one in outcomes)


def _wanted(task: Task, said: Said, given: Given) -> Run:
    size, now = task.size or said.size or given.size, task.now or given.now
    further = task.cursor is not None or task.first > 0
    return Run(said.program, task.request, task.want, said.choices, now, size + task.skip, task.cursor, further)


def _is_lost(outcome: Outcome) -> bool:
    codes = [getattr(outcome, "reason", ""), *(note.code for note in outcome.diagnostics)]
    return outcome.kind in ("failed", "invalid") and any(code in _LOST for code in codes)


def _sliced(outcome: Hits, skip: int, first: int) -> Hits:
    """Remove the hits before the wanted page, and state its place in the list."""
    if not first and not skip:
        return outcome
    hits = outcome.hits[skip:]
    sentence = outcome.message.split(". ")[0].rstrip(".")
    place = f"{first + 1:,}" if len(hits) == 1 else f"{first + 1:,} to {first + len(hits):,}"
    message = f"{sentence}. {place} shown." if hits else outcome.message
    return outcome.model_copy(update={"hits": hits, "ids": [hit.id for hit in hits], "message": message})
