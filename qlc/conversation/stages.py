"""A turn as stages: each does one thing, and says what it keeps for the next ones and remembers in the history.

A turn is a generator: it yields what it needs done (a checkpoint, a translation, a run) and is sent the results, so
that one serves both APIs. It can be gone on with behind any stage, from what was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from qlc.conversation.context import Context, Task
from qlc.conversation.every_choice import name_of_token
from qlc.conversation.following import carried, followed, standing
from qlc.conversation.history import MOST_OPTIONS, Exchange, Execution, History, Part, Pending, Remembered, gist
from qlc.conversation.reading import context_of
from qlc.outcome import OUTCOME, AggregateOut, Clarify, Declined, Exhausted, Explain, Hits, Outcome, is_empty
from qlc.translator.door import with_notes
from qlc.translator.explanations.explaining import WHY_NOTHING
from qlc.translator.model.budget import Ledger, Usage
from qlc.translator.protocol import Fact, Translated, Turn

LONGEST_KEPT = 20_000
"""Characters of the longest message or program that is remembered. What is longer answered one turn, and no other."""


class Given(Remembered):
    """What the turn is answered with: the instant that relative dates are counted from, and the hits of a page."""

    now: str
    size: int


Spent = dict[str, tuple[int, int, int, int, float]]
"""Of each language model: tokens (input, output, read, written; see `Usage`) and seconds."""


class Said(Remembered):
    """What a task's words became: a program, or the outcome of words that became none. `spent` is what that cost,
    `size` the hits of a page of the list that it takes the place of, where they were asked for."""

    program: str = ""
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
    follows: int | None = None
    size: int | None = None
    choices: dict[str, str] = Field(default_factory=dict)
    outcome: dict[str, Any] | None = None
    spent: Spent = Field(default_factory=dict)


class Answered(Remembered):
    """One outcome, of the task of this number. A pasted request may have several.

    `said` is what the words of a task became that waited for the ones before it.
    """

    task: int
    outcome: dict[str, Any]
    said: Said | None = None


class Joined(Remembered):
    """One text over those answers whose places are `told`, with sentences about how it came about."""

    text: str
    told: tuple[int, ...]
    notes: tuple[str, ...] = ()


class Working(Remembered):
    """A turn on its way: what each stage up to `stage` kept. It is JSON, and all that is needed to go on."""

    number: int
    text: str
    given: Given
    stage: str = "received"
    context: Context | None = None
    said: tuple[Said, ...] = ()
    answers: tuple[Answered, ...] = ()
    joined: Joined | None = None
    outcomes: tuple[dict[str, Any], ...] = ()
    exchange: Exchange | None = None

    @property
    def is_done(self) -> bool:
        return self.stage == STAGES[-1].name


# --- what a turn needs done ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Save:
    """Keep how far the turn is; the history is another one where the turn is done."""

    working: Working
    history: History


@dataclass(frozen=True, slots=True)
class Translate:
    """Make words a program: answered with `Translated` or with the outcome, and with the milliseconds.

    `choices` hold for what is run on trial.
    """

    words: str
    history: tuple[Turn, ...]
    choices: dict[str, str]
    ledger: Ledger
    by_rules: bool = False
    """Only the first translator is asked, which needs no model."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a program, or a pasted request where there is one: answered with its outcomes."""

    program: str
    request: str
    want: Literal["run", "explain", "fix"] | None
    choices: dict[str, str]
    now: str
    size: int
    cursor: str | None
    further: bool = False
    """Whether the page is not the first one."""

    @property
    def page(self) -> int | None:
        """The hits of a further page, whatever a request says of its first one."""
        return self.size if self.further else None


@dataclass(frozen=True, slots=True)
class Together:
    """Run several programs in the same round: answered with the outcomes of each."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Narrate:
    """Put several answers into one text: answered with `Narrated`, or None where nobody can or may."""

    facts: tuple[Fact, ...]
    ledger: Ledger


Need = Save | Translate | Run | Together | Narrate
Doing = Generator[Need, Any, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """`keeps` are the attributes of `Working` that it sets, `remembers` those of a `Part` that come of it."""

    name: str
    keeps: tuple[str, ...]
    remembers: tuple[str, ...]
    work: Callable[[Working, History], Doing]


def turning(working: Working, history: History) -> Doing:
    """A turn from where it is to its end: returns the working state and the history with the turn."""
    names = [stage.name for stage in STAGES]
    done = names.index(working.stage) + 1 if working.stage in names else 0
    if not done:
        yield Save(working, history)
    for stage in STAGES[done:]:
        found: dict[str, Any] = yield from stage.work(working, history)
        assert found.keys() == set(stage.keeps), stage.name
        working = working.model_copy(update={**found, "stage": stage.name})
        if working.exchange is not None:
            history = history.with_turn(working.exchange)
        yield Save(working, history)
    return working, history


# --- understand: where the query comes from --------------------------------------------------------------------------


def _understand(working: Working, history: History) -> Doing:
    return {"context": context_of(working.text, history, working.given.size)}
    yield


# --- translate: words become programs --------------------------------------------------------------------------------


def _translate(working: Working, history: History) -> Doing:
    assert working.context is not None
    if working.context.whole is not None:
        whole = yield from _said(working.context.whole, history.for_translators(), history, (), by_rules=True)
        if whole.outcome is None or whole.outcome["kind"] != "declined":
            return {"said": (whole,)}
    said: list[Said] = []
    for task in working.context.tasks:
        if task.waits:
            said.append(Said())  # its turn comes when the others are answered
        else:
            said.append((yield from _said(task, history.for_translators(), history, said)))
    return {"said": tuple(said)}


def _tasks(working: Working) -> tuple[Task, ...]:
    """What is done: the message as a whole where that was understood."""
    assert working.context is not None
    whole = working.context.whole
    return working.context.tasks if whole is None or len(working.said) > 1 else (whole,)


def _ledger(before: Iterable[Said]) -> Ledger:
    """What a turn has cost so far."""
    ledger = Ledger()
    for said in before:
        for model, (*tokens, seconds) in said.spent.items():
            ledger.add(model, Usage(*tokens), seconds)
    return Ledger(ledger.own)


def _said(
    task: Task, turns: tuple[Turn, ...], history: History, before: Iterable[Said], *, by_rules: bool = False
) -> Generator[Need, Any, Said]:
    """What a task's words become in the light of some turns. `before`: what others of the same turn became."""
    if task.program or task.request:
        return Said(program=task.program, choices=task.choices, follows=task.follows)
    ledger = _ledger(before)
    became, milliseconds = yield Translate(task.words, turns, standing(task.words, turns), ledger, by_rules)
    spent = {model: (u.input, u.output, u.read, u.written, seconds) for model, (u, seconds) in ledger.own.items()}
    if not isinstance(became, Translated):
        return Said(outcome=became.model_dump(mode="json"), milliseconds=milliseconds, spent=spent)
    follows = _list_of(became.follows or followed(became.program, task.words, turns), history)
    return Said(
        program=became.program,
        notes=became.notes,
        milliseconds=milliseconds,
        follows=follows,
        size=_size_of(follows, history),
        choices={**carried(became.program, task.words, turns), **task.choices},
        spent=spent,
    )


def _list_of(turn: int | None, history: History) -> int | None:
    """The list that a turn showed, by the number of the turn where it began."""
    if turn is None:
        return None
    shown = (part.execution for one, part in history.parts() if one.number == turn)
    return next((at.list for at in shown if at is not None), None)


def _size_of(list_: int | None, history: History) -> int | None:
    """The hits of a page of a list, where the question for it said how many: they hold for what is made of it."""
    began = (part.execution for _, part in history.parts())
    return next((at.size for at in began if at is not None and at.list == list_ and not at.first and at.paged), None)


# --- run: programs become outcomes -----------------------------------------------------------------------------------

_LOST = ("expired", "invalid-cursor")
"""What a page ends with that cannot be read on from where it was: the time is over, or the index is another one."""


def _run(working: Working, history: History) -> Doing:
    tasks, said = _tasks(working), list(working.said)
    together = yield from _independent(working)
    answers: list[Answered] = []
    for number, task in enumerate(tasks):
        if task.waits:
            turns = (*history.for_translators(), *_answered_turns(working, said, answers))
            said[number] = yield from _waited(task, turns, history, answers, said)
        late = said[number] if task.waits else None
        outcome = said[number].outcome
        if outcome is not None:
            answers.append(Answered(task=number, outcome=outcome, said=late))
            continue
        outcomes = yield from _page(task, said[number], working.given, together.get(number))
        told = [with_notes(one, said[number].notes, said[number].milliseconds / 1000) for one in outcomes]
        if _found_nothing(task, told):
            told = [(yield from _with_ways_on(task, said[number], told[0], working))]
        answers += [Answered(task=number, outcome=one.model_dump(mode="json"), said=late) for one in told]
    return {"answers": tuple(answers)}


MOST_WAYS = 2


def _found_nothing(task: Task, outcomes: Sequence[Outcome]) -> bool:
    """Whether words were answered with nothing."""
    return bool(task.words) and not task.request and task.cursor is None and not task.first and is_empty(outcomes[0])


def _with_ways_on(task: Task, said: Said, outcome: Outcome, working: Working) -> Generator[Need, Any, Outcome]:
    """An empty answer with why it is empty, and with messages that find something."""
    turn = Turn(task.words, outcome.query, gist(outcome.model_dump(mode="json")), said.choices, working.number)
    why, _ = yield Translate(WHY_NOTHING, (turn,), said.choices, _ledger(()), by_rules=True)
    if not isinstance(why, Explain) or why.about != "empty":
        return outcome
    ways = [*why.suggestions, *why.queries][:MOST_WAYS]
    return outcome.model_copy(update={"notes": [*outcome.notes, why.message], "suggestions": ways})


def _independent(working: Working) -> Generator[Need, Any, dict[int, tuple[Outcome, ...]]]:
    """The outcomes of several tasks that wait for none, by their places: they are run in the same round."""
    both = list(enumerate(zip(_tasks(working), working.said, strict=True)))
    ready = [(number, task, said) for number, (task, said) in both if not task.waits and said.outcome is None]
    if len(ready) < 2:
        return {}
    outcomes = yield Together(tuple(_wanted(task, said, working.given) for _, task, said in ready))
    return {number: found for (number, _, _), found in zip(ready, outcomes, strict=True)}


def _waited(
    task: Task, turns: tuple[Turn, ...], history: History, answers: Sequence[Answered], before: Sequence[Said]
) -> Generator[Need, Any, Said]:
    """What a task that waited becomes. Behind a question back nobody knows yet what it speaks of."""
    if any(one.outcome["kind"] == "clarify" for one in answers):
        message = f"Answer the question above first, and then ask again: {task.words}"
        return Said(outcome=Declined(message=message).model_dump(mode="json"))
    return (yield from _said(task, turns, history, before))


def _answered_turns(working: Working, said: Sequence[Said], answers: Sequence[Answered]) -> Iterator[Turn]:
    """The answers of this turn so far, as translators see them."""
    for one in answers:
        program = one.outcome.get("query") or said[one.task].program
        words = _tasks(working)[one.task].words
        yield Turn(words, program, gist(one.outcome), said[one.task].choices, working.number)


def _page(
    task: Task, said: Said, given: Given, known: tuple[Outcome, ...] | None
) -> Generator[Need, Any, tuple[Outcome, ...]]:
    """The outcomes of a program or of a pasted request, or of one page of a list; `known` where it was run."""
    wanted = _wanted(task, said, given)
    outcomes: tuple[Outcome, ...] = known if known is not None else (yield wanted)
    skip = task.skip
    if task.cursor is not None and not task.request and any(_is_lost(one) for one in outcomes):
        skip = task.first - task.base
        outcomes = yield replace(wanted, size=wanted.size - task.skip + skip, cursor=None)
    return tuple(_sliced(one, skip, task.first) if isinstance(one, Hits) else one for one in outcomes)


def _wanted(task: Task, said: Said, given: Given) -> Run:
    size, now = task.size or said.size or given.size, task.now or given.now
    further = task.cursor is not None or task.first > 0
    return Run(said.program, task.request, task.want, said.choices, now, size + task.skip, task.cursor, further)


def _is_lost(outcome: Outcome) -> bool:
    codes = [getattr(outcome, "reason", ""), *(note.code for note in outcome.diagnostics)]
    return outcome.kind in ("failed", "invalid") and any(code in _LOST for code in codes)


def _sliced(outcome: Hits, skip: int, first: int) -> Hits:
    """A page without the hits that were read over, and with its place in the list told."""
    if not first and not skip:
        return outcome
    hits = outcome.hits[skip:]
    told = outcome.message.split(". ")[0].rstrip(".")
    place = f"{first + 1:,}" if len(hits) == 1 else f"{first + 1:,} to {first + len(hits):,}"
    message = f"{told}. {place} shown." if hits else outcome.message
    return outcome.model_copy(update={"hits": hits, "ids": [hit.id for hit in hits], "message": message})


# --- join: one text over several answers ------------------------------------------------------------------------------

_FACTS = ("count", "value")
"""Outcomes that are put into words. Lists and tables are shown as they are, and so is what needs an answer."""


def _join(working: Working, history: History) -> Doing:
    tasks = _tasks(working)
    facts = {n: _fact(tasks[one.task], one.outcome) for n, one in enumerate(working.answers)
             if one.outcome["kind"] in _FACTS and one.outcome["query"]}  # fmt: skip
    if len(tasks) < 2 or working.context is None or working.context.origin != "words" or not facts:
        return {"joined": None}
    said = (*working.said, *(one.said for one in working.answers if one.said is not None))
    narrated = yield Narrate(tuple(facts.values()), _ledger(said))
    if narrated is None:
        return {"joined": None}
    places = tuple(facts)
    told = tuple(places[n] for n in narrated.told)
    return {"joined": Joined(text=narrated.text, told=told, notes=narrated.notes)}


def _fact(task: Task, outcome: dict[str, Any]) -> Fact:
    return Fact(task.words, outcome["query"], outcome["message"], outcome["value"], outcome.get("units") or {})


# --- conclude: what is said, and what is remembered ------------------------------------------------------------------


def _conclude(working: Working, history: History) -> Doing:
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
            task, said = _tasks(working)[answer.task], answer.said or working.said[answer.task]
            outcome = _at_the_end(task, answer.outcome)
            outcomes.append(outcome)
            parts.append(_part(task, said, outcome, working))
            pending = _pending(task, said, outcome, working.given) or pending
    exchange = Exchange(number=working.number, text=_kept(working.text), origin=context.origin, parts=tuple(parts),
                        pending=pending, narrative=working.joined.text if working.joined else "")  # fmt: skip
    return {"outcomes": tuple(outcomes), "exchange": exchange}
    yield


def _at_the_end(task: Task, outcome: dict[str, Any]) -> dict[str, Any]:
    """A further part of a list in which nothing is, is the end of the list."""
    found = outcome.get("ids") if outcome["kind"] == "hits" else outcome.get("rows")
    if not task.first or outcome["kind"] not in ("hits", "aggregate") or found:
        return outcome
    message = f"That was all: there were {task.first:,} in the list."
    ended = Exhausted(query=outcome["query"], message=message, entity=outcome.get("entity", ""), total=task.first)
    return ended.model_dump(mode="json")


def _part(task: Task, said: Said, outcome: dict[str, Any], working: Working) -> Part:
    program = outcome.get("query") or said.program
    return Part(
        words=_kept(task.words),
        program=program if len(program) <= LONGEST_KEPT else "",
        request=_kept(task.request),
        want=task.want,
        choices=said.choices,
        execution=_execution(task, said, outcome, working),
        outcome=gist(outcome),
    )


def _execution(task: Task, said: Said, outcome: dict[str, Any], working: Working) -> Execution | None:
    """Where the list of an outcome goes on; None where there is no list."""
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
        list=task.list or working.number, now=task.now or given.now, size=size, first=task.first, shown=shown,
        total=task.base + total, base=task.base, start=task.cursor, skipped=task.skip, cursor=cursor,
        follows=said.follows, paged=(working.context is not None and working.context.paged) or said.size is not None,
    )  # fmt: skip


def _pending(task: Task, said: Said, outcome: dict[str, Any], given: Given) -> Pending | None:
    """The question that an outcome asks back."""
    found = OUTCOME.validate_python(outcome)
    if not isinstance(found, Clarify):
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


STAGES = (
    Stage("understood", ("context",), ("words", "request", "want"), _understand),
    Stage("translated", ("said",), ("program", "choices"), _translate),
    Stage("ran", ("answers",), ("execution", "outcome"), _run),
    Stage("joined", ("joined",), (), _join),
    Stage("concluded", ("outcomes", "exchange"), (), _conclude),
)
"""What a turn goes through, in this order."""
