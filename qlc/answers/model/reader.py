"""A language model that answers what the rules do not: its plan runs as theirs does, its sentences are verified."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from qlc import telemetry
from qlc.answers import structured
from qlc.answers.cells import asked_in_words, cited, distinct_titles, several
from qlc.answers.coverage import is_open
from qlc.answers.declining import points_only, read_documents
from qlc.answers.decomposition import Decomposition
from qlc.answers.linking import Linked
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.reviewing import no_results
from qlc.answers.searching import Searches
from qlc.answers.verifying import around_quote, page_text, read_pages
from qlc.answers.vocabulary import LinkedField
from qlc.models.budgets import Budget
from qlc.models.exchange import Model, ModelRequest
from qlc.outcome import Answer, Citation, Clarify, Declined, Hits, Outcome
from qlc.telemetry.names import MODEL_ANSWER

from .calls import Calls, NoReply, WrongTwice, given
from .decomposing import Read, decomposed, today
from .evidence import MOST_DOCUMENTS, Gathered, gathered
from .forms import JUDGE, Judged
from .prompts import judge, planner, router, single_loop, writer
from .single_loop import single_looped
from .writing import UNVERIFIED, nothing_said, write

Mode: TypeAlias = Literal["orchestrator", "single_loop"]

FAILED = "The language model could not help: {reason}."


@dataclass(frozen=True, slots=True)
class Reader:
    """A model with its budget and its mode. Thread-safe.

    model: any `Model`. budget: the limit for a question that is asked without one. mode: `orchestrator` takes the
    question apart, searches, and has the answer written; `single_loop` lets the model search with tools in one
    conversation.
    """

    model: Model
    budget: Budget = field(default_factory=Budget)
    mode: Mode = "orchestrator"

    def decomposition(self, linked: Linked, searches: Searches) -> Decomposition:
        """Take a question apart by the model. Raises NoReply."""
        return decomposed(linked, self._calls(searches), searches).plan.decomposition()

    def answer(self, linked: Linked, searches: Searches, otherwise: Callable[[], Outcome]) -> Outcome:
        """Return the model's answer; if the model fails, the answer of the rules with a note about the reason."""
        answered = single_looped if self.mode == "single_loop" else _orchestrated
        try:
            with telemetry.stage(MODEL_ANSWER):
                return answered(linked, self._calls(searches), searches)
        except NoReply as problem:
            found = otherwise()
            return found.model_copy(update={"notes": [*found.notes, FAILED.format(reason=problem.reason)]})

    def refuses(self, linked: Linked, outcome: Outcome, searches: Searches) -> bool:
        """Whether the model finds that an outcome from fields does not answer the question. One that fails finds
        nothing: the outcome is exact by its program."""
        try:
            return _refused(linked, outcome, self._calls(searches), searches)
        except NoReply:
            return False

    def _calls(self, searches: Searches) -> Calls:
        return Calls(self.model, searches.meter, searches.journal)


def _orchestrated(linked: Linked, calls: Calls, searches: Searches) -> Outcome:
    read = decomposed(linked, calls, searches)
    if not searches.earlier and (pointing := points_only(read.plan)) is not None:
        return pointing
    outcome = _by_fields(read, searches)
    if outcome is not None and not is_open(outcome) and _refused(read.plan.linked, outcome, calls, searches):
        outcome, read = None, replace(read, plan=_without_conditions(read.plan, searches))
    if outcome is None or is_open(outcome):
        outcome = _by_text(read, calls, searches, outcome)
    told = [*read.notes, *read.limits]
    return outcome.model_copy(update={"notes": [*told, *outcome.notes]}) if told else outcome


def _by_fields(read: Read, searches: Searches) -> Outcome | None:
    """Return the exact answer if the plan covers the whole question; else None."""
    plan = read.plan
    if plan.linked.intent in ("qa", "summarize"):
        return None  # the writer is shown the values, and what stands around them
    if plan.bucket == DOCUMENTS or read.notes or plan.topic:
        return None
    if any(one.is_only_mentioned for one in plan.names):
        return None
    declared = searches.schema.fields(plan.bucket)
    needed = {field for one in plan.conditions for field in one.fields} | {one.name for one in plan.asked}
    gaps = " or ".join(f"{name} missing" for name in sorted(needed & {*declared}))
    whole = searches.count(f"count {plan.bucket}", "whether all can be read") if gaps else 0
    if 0 < whole <= MOST_DOCUMENTS:
        missing = searches.count(f"count {plan.bucket} where {gaps}", "which do not tell it")
        if missing > whole * _MOST_UNKNOWN:
            return None  # what the fields do not tell, the text may
    outcome = structured.by_fields(plan, searches)
    return no_results(plan, searches) if isinstance(outcome, Hits) and not outcome.total else outcome


def _without_conditions(plan: Plan, searches: Searches) -> Plan:
    """Return the plan without its conditions, as their values may be wrong: its documents are read for these fields."""
    declared, known = searches.schema.fields(plan.bucket), {one.name for one in plan.asked}
    fields = [field for one in plan.conditions for field in one.fields]
    names = [one for one in fields if one in declared and one not in known]
    asked = [LinkedField(plan.bucket, name, declared[name], 1.0, frozenset()) for name in dict.fromkeys(names)]
    return replace(plan, conditions=(), asked=(*plan.asked, *asked))


_MOST_UNKNOWN = 1 / 3
"""The share of documents that do not tell a field, from which on their texts are read."""


def _refused(linked: Linked, outcome: Outcome, calls: Calls, searches: Searches) -> bool:
    """Whether a model finds an outcome from fields wrong, by its program and the quotes of its values."""
    if isinstance(outcome, Clarify):
        return False
    places: list[tuple[str, Citation]] = []
    message = outcome.message
    if isinstance(outcome, Answer):
        places += [(claim.text, one) for claim in outcome.claims for one in claim.citations]
        places += [(name, one) for row in outcome.rows for name, cell in row.cells.items() for one in cell.citations]
    if isinstance(outcome, Hits):
        named = set(re.findall(r"\w+", outcome.query or ""))
        documents = searches.documents([hit.id for hit in outcome.hits[:_MOST_JUDGED]])
        called = distinct_titles(documents)
        places += [(f"{called[one.id]}: {place.field}", cited(one, place))
                   for one in documents for place in one.places if place.field in named]  # fmt: skip
        message = f"{outcome.total:,}: " + "; ".join(called.values())
    shown = list(dict.fromkeys(places))[:_MOST_JUDGED]
    read_pages(((one.document, one.page) for _, one in shown if one.quote), searches)
    given_ones = [
        (of, one.file, one.quote,
         around_quote(page_text(one.document, one.page, searches), one.quote) if one.quote else "")
        for of, one in shown
    ]  # fmt: skip
    request = judge(linked.text, outcome.query or "", message, given_ones, today(searches))
    judged = calls.asked(request, lambda one: (given(one, JUDGE, Judged), None))
    if not judged.holds:
        searches.record.left_out(message[:200], f"the model says: {judged.why}")
    return not judged.holds


_MOST_JUDGED = 30
"""Values with their quotes that are judged."""


def _by_text(read: Read, calls: Calls, searches: Searches, by_fields: Outcome | None) -> Outcome:
    """An answer from passages, written by the model."""
    plan = read.plan
    found = gathered(plan, searches)
    passages, whole = found.passages, found.documents
    if not passages:
        return by_fields or nothing_said(searches, _notes_on(plan, found, searches))
    covered = min(len({one.document for one in passages}), whole)
    is_mixed = not (searches.schema.fields(plan.bucket) or plan.conditions)  # nothing tells which documents are meant
    if covered < whole and (plan.linked.intent == "compute" or (plan.linked.intent == "list" and not is_mixed)):
        message = f"I can read {covered:,} of the {several(whole, plan.bucket)} that may meet it. Narrow the question."
        return by_fields or Declined(message=message, query=f"find {asked_in_words(plan)}")
    asked = asked_in_words(plan) if plan.is_typed and not whole else ""
    unread = searches.unread(plan.bucket)
    request = writer(plan.linked.text, passages, asked, today(searches), unread, _documents_of(plan, found, searches))
    try:
        answer = write(request, passages, plan.linked.text, calls, searches, found.within)
    except WrongTwice:
        return Declined(message=UNVERIFIED)
    if answer is None:
        return by_fields or nothing_said(searches, _notes_on(plan, found, searches), passages)
    notes = [f"I read {covered:,} of the {several(whole, plan.bucket)} that may meet it."] if whole else []
    told = [*_notes_on(plan, found, searches), *notes, *answer.notes]
    return answer.model_copy(update={"notes": told, "covered": _listed(plan, answer, searches) or answer.covered})


def _listed(plan: Plan, answer: Answer, searches: Searches) -> list[str]:
    """Return the files that a list is of: those of its bucket, without a letter that only changes one of them."""
    if plan.linked.intent != "list":
        return []
    cited_ones = dict.fromkeys(one.document for claim in answer.claims for one in claim.citations)
    return [one.files[0] for one in searches.documents([*cited_ones]) if one.bucket == plan.bucket]


def _documents_of(plan: Plan, found: Gathered, searches: Searches) -> str:
    """Return of how many documents a writer is shown passages: `passages of 5 documents; 6 leases may meet it`."""
    shown = several(len({one.document for one in found.passages}), "documents")
    if not found.documents:
        return f"passages of {shown}, of {read_documents(searches)[0]:,}"
    return f"passages of {shown}; {several(found.documents, plan.bucket)} may meet it"


def _notes_on(plan: Plan, found: Gathered, searches: Searches) -> list[str]:
    """Return notes on how the question was read, and on files that could not be read."""
    notes = [f"Read as: {asked_in_words(plan)}."] if plan.is_typed else []
    return [*notes, *filter(None, [searches.unread(plan.bucket)])] if found.documents else notes


def prompts(linked: Linked, plan: Plan, searches: Searches) -> dict[str, ModelRequest]:
    """The requests of every mode, as they are sent: the planner's and the writer's for a plan of the rules."""
    schema, now = searches.schema, today(searches)
    buckets = [plan.bucket] if plan.bucket in schema.file.buckets else list(schema.file.buckets)[:3]
    found = gathered(plan, searches)
    asked = asked_in_words(plan) if plan.is_typed and not found.documents else ""
    return {
        "router": router(linked.text, schema),
        "planner": planner(linked.text, buckets, schema, now, covering=searches.coverage),
        "writer": writer(linked.text, found.passages, asked, now, searches.unread(plan.bucket),
                         _documents_of(plan, found, searches)),
        "single loop": single_loop(linked.text, schema, now, searches.meter.budget.tools, searches.coverage),
    }
