"""A language model that answers what the rules do not: its plan runs as theirs does, its sentences are verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from qlc.answers import structured
from qlc.answers.cells import AMENDING, asked_in_words
from qlc.answers.decomposition import Decomposition
from qlc.answers.linking import Linked
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.searching import Searches
from qlc.grammar.printer import print_string
from qlc.options import DEFAULT_DEADLINE
from qlc.outcome import Declined, Hit, NotInCorpus, Outcome
from qlc.translator.model.budget import Budget
from qlc.translator.model.exchange import Model, ModelRequest

from .calls import Calls, NoReply, Wrong
from .decomposing import Read, decomposed, today
from .prompts import Passage, planner, router, single_loop, writer
from .single_loop import TOOL_CALLS, single_looped
from .writing import UNVERIFIED, write

Mode: TypeAlias = Literal["orchestrator", "single_loop"]

MOST_PASSAGES = 12
"""Passages of a writer's prompt."""
MOST_CHARACTERS = 24_000
"""Characters of them together."""
_SHOWN = "title, file, page, section, text, document"

TWICE = "what it gave was wrong twice"
FAILED = "The language model could not help: {reason}."


@dataclass(frozen=True, slots=True)
class Reader:
    """A model with what it may cost. Safe under threads.

    model: any `Model`. budget: of one question. mode: `orchestrator` takes the question apart, searches, and has the
    answer written; `single_loop` lets the model search with tools in one conversation.
    """

    model: Model
    budget: Budget = field(default_factory=Budget)
    mode: Mode = "orchestrator"

    def decomposition(self, linked: Linked, searches: Searches) -> Decomposition:
        """A question taken apart by the model. Raises NoReply."""
        try:
            return decomposed(linked, self._calls(searches), searches).plan.decomposition()
        except Wrong as wrong:
            raise NoReply(TWICE) from wrong

    def answer(self, linked: Linked, searches: Searches, otherwise: Callable[[], Outcome]) -> Outcome:
        """The answer; what the rules make of the question where the model fails, with a note why."""
        calls = self._calls(searches)
        try:
            answered = single_looped if self.mode == "single_loop" else _orchestrated
            outcome = answered(linked, calls, searches)
        except (NoReply, Wrong) as problem:
            reason = problem.reason if isinstance(problem, NoReply) else TWICE
            found = otherwise()
            return found.model_copy(update={"notes": [*found.notes, FAILED.format(reason=reason)]})
        return outcome

    def _calls(self, searches: Searches) -> Calls:
        left = float(searches.options.get("deadline", DEFAULT_DEADLINE))
        return Calls(self.model, self.budget, time.monotonic() + left)


def _orchestrated(linked: Linked, calls: Calls, searches: Searches) -> Outcome:
    read = decomposed(linked, calls, searches)
    if (outcome := _by_fields(read, searches)) is not None:
        return _noted(outcome, read.notes)
    return _noted(_by_text(read, calls, searches), read.notes)


def _noted(outcome: Outcome, notes: Sequence[str]) -> Outcome:
    return outcome.model_copy(update={"notes": [*notes, *outcome.notes]}) if notes else outcome


def _by_fields(read: Read, searches: Searches) -> Outcome | None:
    """The exact answer, where the plan says all that the question says."""
    plan = read.plan
    if plan.topic or plan.bucket == DOCUMENTS or (plan.linked.intent == "list" and plan.asked):
        return None
    return structured.by_fields(plan, searches)


def _by_text(read: Read, calls: Calls, searches: Searches) -> Outcome:
    """An answer from passages, written by the model."""
    plan = read.plan
    passages = gathered(plan, searches)
    if not passages:
        return _not_told(plan, searches)
    asked = asked_in_words(plan) if plan.is_typed else ""
    request = writer(plan.linked.text, passages, asked, today(searches))
    try:
        answer = write(request, passages, calls, searches)
    except Wrong:
        return Declined(message=UNVERIFIED)
    if answer is None:
        return _not_told(plan, searches)
    notes = [f"Read as: {asked}."] if asked else []
    if plan.linked.intent in ("list", "summarize") and plan.is_typed:
        whole = searches.count(f"count {asked}", "how many documents meet the conditions")
        notes.append(f"This rests on {len(answer.covered):,} of the {whole:,} {plan.bucket} that meet it.")
    return answer.model_copy(update={"notes": [*notes, *answer.notes]})


def _not_told(plan: Plan, searches: Searches) -> NotInCorpus:
    counted = searches.count("count documents", "how many documents there are")
    return NotInCorpus(
        message=f"I found nothing in the {counted:,} documents that tells this.", documents=counted,
        notes=[f"Read as: {asked_in_words(plan)}."] if plan.is_typed else [],
    )  # fmt: skip


def prompts(linked: Linked, plan: Plan, searches: Searches) -> dict[str, ModelRequest]:
    """The requests of every mode, as they are sent: the planner's and the writer's for a plan of the rules."""
    schema, now = searches.schema, today(searches)
    buckets = [plan.bucket] if plan.bucket in schema.file.buckets else list(schema.file.buckets)[:3]
    asked = asked_in_words(plan) if plan.is_typed else ""
    return {
        "router": router(linked.text, schema),
        "planner": planner(linked.text, buckets, schema, now),
        "writer": writer(linked.text, gathered(plan, searches), asked, now),
        "single loop": single_loop(linked.text, schema, now, TOOL_CALLS),
    }


# --- evidence --------------------------------------------------------------------------------------------------------


def gathered(plan: Plan, searches: Searches) -> list[Passage]:
    """The passages that a question is about: of the documents that meet the conditions, of those that amend them, and,
    where nothing is restricted, of all. What the caller may not see is none of them."""
    words = [one.raw for one in plan.topic]
    about = print_string(" ".join([plan.linked.text, *words])[:1_000])
    hits: list[Hit] = []
    if plan.is_typed:
        within = f"document in (find {plan.bucket} where {plan.where})"
        hits += _found(f"find passages where about {about} and {within}", "passages of the documents meant", searches)
        if hits and plan.names:
            named = " and ".join(f"mentions {print_string(one.text)}" for one in plan.names[:3])
            amending = " or ".join(f"title contains {print_string(word)}" for word in AMENDING)
            later = f"document in (find documents where ({amending}) and {named})"
            hits += _found(f"find passages where about {about} and {later}", "passages that amend them", searches, 4)
    if not hits:
        hits += _found(f"find passages where about {about}", "passages that the question is about", searches)
    return _passages({one.id: one for one in hits}.values())


def _found(program: str, why: str, searches: Searches, most: int = MOST_PASSAGES) -> Sequence[Hit]:
    return searches.hits("search_text", f"{program} limit {most} show {_SHOWN}", why)[1]


def _passages(hits: Sequence[Hit] | object) -> list[Passage]:
    found: list[Passage] = []
    left = MOST_CHARACTERS
    for number, hit in enumerate(hits, 1):  # type: ignore[arg-type, var-annotated]
        one = passage_of(hit, f"p{number}")
        left -= len(one.text)
        if left < 0 and found:
            break
        found.append(one)
    return found


def passage_of(hit: Hit, name: str) -> Passage:
    """A hit of a search for passages, as a model is shown it."""
    value = hit.values
    files, section, document = value.get("file") or [""], value.get("section") or [], value.get("document")
    return Passage(
        name, hit.id, str(document.get("id") if isinstance(document, Mapping) else document), str(files[0]),
        str(value.get("title", "")), value.get("page"),
        " > ".join(section if isinstance(section, list) else [str(section)]), str(value.get("text", "")),
    )  # fmt: skip
