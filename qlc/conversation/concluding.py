"""The last stages: one text of several answers; what is said, and what is remembered of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qlc.conversation.choosing import taken_back
from qlc.conversation.context import Task
from qlc.conversation.effects import Doing, Narrate
from qlc.conversation.every_choice import name_of_token
from qlc.conversation.history import (
    LONGEST_KEPT,
    MOST_OPTIONS,
    Exchange,
    Execution,
    History,
    Part,
    Pending,
    gist,
    list_number,
)
from qlc.conversation.working import Given, Joined, Said, Working, ledger_of, tasks_of
from qlc.outcome import OUTCOME, AggregateOut, Clarify, Exhausted, Hits
from qlc.translator.follow_ups.history import is_aside
from qlc.translator.protocol import Fact, Turn
from qlc.translator.recognise import is_readable

_FACTS = ("count", "value")
"""Outcomes that are put into words. Lists and tables are shown as they are, and so is what needs an answer."""


def join(working: Working, history: History) -> Doing:
    tasks = tasks_of(working)
    facts = {}
    for n, one in enumerate(working.answers):
        found = one.outcome
        if found["kind"] in _FACTS and found["query"]:
            words = tasks[one.task].words
            facts[n] = Fact(words, found["query"], found["message"], found["value"], found.get("units") or {})
    if len(tasks) < 2 or working.context is None or working.context.origin != "words" or not facts:
        return {"joined": None}
    said = (*working.said, *(one.said for one in working.answers if one.said is not None))
    narrated = yield Narrate(tuple(facts.values()), ledger_of(said))
    if narrated is None:
        return {"joined": None}
    places = tuple(facts)
    covered = tuple(places[n] for n in narrated.covered)
    return {"joined": Joined(text=narrated.text, covered=covered, notes=narrated.notes)}


def conclude(working: Working, history: History) -> Doing:
    context = working.context
    assert context is not None
    reply = context.reply
    if context.otherwise is not None and all(one.outcome["kind"] == "declined" for one in working.answers):
        reply = context.otherwise
    parts: list[Part] = []
    if reply is not None:
        outcomes, pending = [reply], context.pending
        words = pending.words if pending is not None else working.text
        parts.append(Part(words=_kept(words), outcome=gist(reply)))
    else:
        outcomes, pending = [], None
        for answer in working.answers:
            task, said = tasks_of(working)[answer.task], answer.said or working.said[answer.task]
            outcome = _at_the_end(task, answer.outcome)
            outcomes.append(outcome)
            parts.append(_part(task, said, outcome, working, len(parts)))
            pending = _pending(task, said, outcome, working.given) or pending
        reads_on = context.origin == "more" and context.pending is not None
        if pending is None and (reads_on or _leaves_open(working.text, outcomes)):
            pending = history.pending
    exchange = Exchange(number=working.number, text=_kept(working.text), origin=context.origin, parts=tuple(parts),
                        pending=pending, narrative=working.joined.text if working.joined else "",
                        rights=working.given.rights)  # fmt: skip
    return {"outcomes": tuple(outcomes), "exchange": exchange}
    yield


def _leaves_open(text: str, outcomes: Sequence[dict[str, Any]]) -> bool:
    """Whether a question back is as open as before: nothing was asked, or more than can be read."""
    if not is_readable(text):
        return all(one["kind"] == "declined" for one in outcomes)
    return taken_back(text) is None and all(
        (one["kind"], one.get("intent")) == ("refuse", "other") or is_aside(Turn(text, outcome=one)) for one in outcomes
    )


def _at_the_end(task: Task, outcome: dict[str, Any]) -> dict[str, Any]:
    """Replace an empty further page by the outcome that the list has ended."""
    found = outcome.get("ids") if outcome["kind"] == "hits" else outcome.get("rows")
    if not task.first or outcome["kind"] not in ("hits", "aggregate") or found:
        return outcome
    message = f"That was all: there were {task.first:,} in the list."
    ended = Exhausted(query=outcome["query"], message=message, entity=outcome.get("entity", ""), total=task.first)
    return ended.model_dump(mode="json")


def _part(task: Task, said: Said, outcome: dict[str, Any], working: Working, place: int) -> Part:
    program = outcome.get("query") or said.program
    return Part(
        words=_kept(task.words),
        program=program if len(program) <= LONGEST_KEPT else "",
        request=task.request if len(task.request) <= LONGEST_KEPT else "",
        want=task.want,
        choices=said.choices,
        execution=_execution(task, said, outcome, working, place),
        outcome=gist(outcome),
    )


def _execution(task: Task, said: Said, outcome: dict[str, Any], working: Working, place: int) -> Execution | None:
    """Return the state from which the list of an outcome continues; None if it has no list. `place` is its place in the
    turn."""
    found, size = OUTCOME.validate_python(outcome), task.size or said.size or working.given.size
    match found:
        case Hits():
            shown, total, cursor = len(found.hits), found.total, found.cursor
            # A request may say itself how long its pages are.
            size = shown if task.request and cursor is not None else size
        case AggregateOut():
            shown, total, cursor = len(found.rows), len(found.rows), None
        case _:
            return None
    given = working.given
    return Execution(
        list=task.list or list_number(working.number, place), now=task.now or given.now, size=size, first=task.first,
        shown=shown, total=task.base + total, base=task.base, start=task.cursor, skipped=task.skip, cursor=cursor,
        follows=said.follows, paged=(working.context is not None and working.context.paged) or said.size is not None,
    )  # fmt: skip


def _pending(task: Task, said: Said, outcome: dict[str, Any], given: Given) -> Pending | None:
    """Return the open question of an outcome; None if it asks nothing."""
    found = OUTCOME.validate_python(outcome)
    if not isinstance(found, Clarify) or not found.options:
        return None
    return Pending(
        what="reading" if found.what == "reading" and not name_of_token(found.token) else "name",
        message=found.message,
        options=tuple(found.options[:MOST_OPTIONS]),
        words=_kept(task.words),
        token=found.token,
        program=found.query or said.program,
        choices=said.choices,
        now=task.now or given.now,
        size=task.size,
    )


def _kept(text: str) -> str:
    return text[:LONGEST_KEPT]
