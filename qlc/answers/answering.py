"""A question to a corpus, answered: taken apart, sent on its route, composed, and checked before it is shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qlc import telemetry
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.options import Options, moment, source_text
from qlc.base.version import VERSION
from qlc.base.words.sentences import listed
from qlc.corpus.rights import Stopped
from qlc.grammar import tree
from qlc.models.budgets import Budget, Ledger
from qlc.outcome import (
    AggregateOut,
    Answer,
    Asked,
    Clarify,
    Count,
    Declined,
    Hits,
    NotInCorpus,
    Option,
    Outcome,
    Passages,
    Stats,
    ValueOut,
)
from qlc.telemetry import report
from qlc.telemetry.names import ASK, COMPOSE, LINK, VERIFY
from qlc.translator.catalog_help.translator import asks_for_help
from qlc.translator.entry import compile_and_run
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.recognise import NO_QUESTION, looks_like_program, what_is_too_long

from . import structured
from .cells import asked_in_words
from .coverage import is_open
from .declining import known_nowhere, refusal, says_more, without_answer
from .decomposition import Decomposition
from .files import about_files
from .journal import Journal
from .linking import Linked, link
from .meter import Meter, OutOfBudget
from .planning import DOCUMENTS, Plan, plans
from .reviewing import TOKEN, no_results
from .searching import MOST_DOCUMENTS, Searches
from .series import by_series
from .trace import AnswerTrace, Record
from .verifying import verified
from .working_days import noted

if TYPE_CHECKING:
    from qlc.corpus.corpus import Corpus
    from qlc.models.exchange import ModelRequest

    from .model import Reader

MOST_WORDS = 60
"""Longest question, in words that mean something. Each is looked for in the passages."""
MOST_PLANS = 3
"""Buckets that a question is tried on."""
LAST = 5.0
"""Seconds that are left for the rules where a model has used those of the budget."""


def decompose(
    question: str, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None,
    budget: Budget | None = None,
) -> Decomposition:  # fmt: skip
    """Take a question apart by rules, or by a model. Raises RequestFailed and UsageError if a search fails."""
    with raised():
        searches = searches_of(corpus, options, reader, budget)
        linked = link(source_text(question), searches.schema)
        if reader is not None:
            return reader.decomposition(linked, searches)
        return plans(linked, searches)[0].decomposition()


def prompts_of(question: str, corpus: Corpus, options: Mapping[str, Any]) -> dict[str, ModelRequest]:
    """Return the requests that a language model would get, by stage, without sending them. Raises the errors of
    `decompose`."""
    from .model.reader import prompts

    with raised():
        searches = searches_of(corpus, options)
        linked = link(source_text(question), searches.schema)
        return prompts(linked, plans(linked, searches)[0], searches)


@contextmanager
def raised() -> Iterator[None]:
    """Raise a failed search as an error, for functions that return no outcome."""
    try:
        yield
    except Stopped as stopped:
        reason = getattr(stopped.outcome, "reason", "")
        if reason in ("", "context-missing"):
            raise UsageError(stopped.outcome.message) from None
        raise RequestFailed(reason, stopped.outcome.message) from None


def ask(
    question: str, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None,
    budget: Budget | None = None,
) -> Outcome:  # fmt: skip
    """Answer a question from the documents of a corpus; `options` are those of a run.

    With a `reader` a language model answers the questions that the rules do not answer exactly. Every claim is cited,
    and every citation is checked against the page. If there is no sure answer, or none within the budget, the question
    is declined. Raises UsageError for a question that is not a text, and for invalid options.
    """
    return explain(question, corpus, options, reader, budget).outcome


def explain(
    question: str, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None,
    budget: Budget | None = None,
) -> AnswerTrace:  # fmt: skip
    """Answer a question, and return the record of each stage with the answer. Raises the errors of `ask`."""
    with telemetry.Turn(ASK, source_text(question)) as turn:
        trace = _explained(question, corpus, options, reader, budget)
        route = trace.routes[-1].route if trace.routes else ""
        spent = trace.outcome.stats.spent
        telemetry.mark(route="model" if spent is not None and spent.calls else route.replace(" ", "_"))
        return trace.model_copy(update={"outcome": turn.ended(trace.outcome)})


def _explained(
    question: str, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None, budget: Budget | None
) -> AnswerTrace:
    now = moment(Options.of(options).now).isoformat()
    try:
        searches = searches_of(corpus, {**options, "now": now}, reader, budget)
    except Stopped as stopped:
        return Record().trace(question, [], stopped.outcome)
    outcome = concluded(lambda: answered(question, searches), searches)
    model = reader.model.name if reader is not None and searches.meter.spent().calls else ""
    zone = options.get("timezone")
    asked = Asked(
        question=question, now=now, timezone=str(zone) if zone else None, choices=dict(options.get("choices") or {}),
        version=VERSION, model=model,
    )  # fmt: skip
    outcome = outcome.model_copy(update={"stats": outcome.stats.model_copy(update={"asked": asked})})
    return searches.record.trace(question, searches.steps, outcome)


def answered(question: str, searches: Searches) -> Outcome:
    """Return the answer to a question, using the caller's searches. Raises Stopped if one of them fails."""
    started = time.perf_counter()
    if not source_text(question).strip():
        return Declined(message=NO_QUESTION)
    if too_long := what_is_too_long(source_text(question)):
        return Declined(message=too_long)
    if (told := about_corpus(question, searches)) is not None:
        return told
    narrower = searches.chosen("overload") or (question if looks_like_program(question) else None)
    if narrower is not None:  # a suggestion of an earlier answer is a program
        given = {key: value for key, value in searches.options.items() if key != "choices"}
        return noted(searches.compiler.run(narrower, **{"size": MOST_DOCUMENTS, **given}), narrower, searches)
    with telemetry.stage(LINK):
        linked = link(searches.chosen(TOKEN) or question, searches.schema)
    if (bucket := searches.chosen("bucket")) in searches.schema.file.buckets:
        linked = replace(linked, buckets=(str(bucket),))
    if len(linked.terms) > MOST_WORDS:
        return Declined(message=f"Ask a shorter question: at most {MOST_WORDS} words that mean something are read.")
    times = searches.record.milliseconds
    times["link"] = (time.perf_counter() - started) * 1000
    report("linked", buckets=list(linked.buckets), intent=linked.intent)
    with telemetry.stage(COMPOSE):
        outcome = _answered(linked, searches)
    report("composed", kind=outcome.kind)
    times["search and compose"] = (time.perf_counter() - started) * 1000 - times["link"]
    with telemetry.stage(VERIFY):
        checked = _verified(outcome, searches)
    report("verified", kind=checked.kind)
    return checked


_UNREAD = re.compile(
    r"(?:which|what|list|show(?: me)?)?\s*(?:the |all )?(?:files|documents|papers)(?: that| which)? "
    r"(?:(?:could|can|were|are)(?: not|n['’]t) (?:be )?read(?:able)?|(?:are|were) unread(?:able)?|have no text)\W*",
    re.IGNORECASE,
)


def about_corpus(question: str, searches: Searches) -> Outcome | None:
    """Answer what can be asked, and which files could not be read; None for other questions."""
    if asks_for_help(question):
        return compile_and_run(question, searches.compiler, **searches.options)
    if _UNREAD.fullmatch(question.strip()) is None:
        return None
    program = f"find documents where reason exists sort file limit {MOST_DOCUMENTS} show file, reason"
    return searches.run("run_query", program, "which files could not be read")


def concluded(work: Callable[[], Outcome], searches: Searches) -> Outcome:
    """Run `work` and return its outcome with steps, times and unread files. A failed search becomes the outcome."""
    started = time.perf_counter()
    times = searches.record.milliseconds
    try:
        outcome = with_unread(work(), searches)
    except Stopped as stopped:
        outcome = stopped.outcome
    except OutOfBudget:
        outcome = _unfinished(searches)
    times["all"] = (time.perf_counter() - started) * 1000
    times["verify"] = times["all"] - times.get("link", 0.0) - times.get("search and compose", 0.0)
    stats = Stats(round_trips=searches.meter.requests, took_ms=times["all"], spent=searches.meter.spent())
    steps = {"steps": searches.steps} if isinstance(outcome, Answer | NotInCorpus | Passages) else {}
    return outcome.model_copy(update={"stats": stats, **steps})


def with_unread(outcome: Outcome, searches: Searches) -> Outcome:
    """Add the names of unread files to an outcome about all documents: nothing was found, or all matches were listed,
    counted or measured."""
    statement = statement_of(outcome.query)
    entity = getattr(statement, "entity", None)
    bucket = entity.text if isinstance(entity, tree.Name) else ""
    is_whole = isinstance(outcome, Answer) and (outcome.computed or len(outcome.rows) > 1)
    is_plain_count = outcome.query.startswith("count ") and not getattr(statement, "groups", ())
    is_limited = bool(conditions_of(statement)) or (is_whole and not is_plain_count)
    is_of_all = is_whole or isinstance(outcome, Hits | Count | AggregateOut | ValueOut | Declined | Clarify)
    absent = isinstance(outcome, NotInCorpus)
    if not (absent or isinstance(outcome, Passages)) and not (is_of_all and is_limited):
        return outcome
    if not (sentence := searches.unread(bucket)) or sentence in outcome.message:
        return outcome
    notes = [one for one in outcome.notes if one != sentence]
    told = {"message": f"{outcome.message} {sentence}", "notes": notes} if absent else {"notes": [*notes, sentence]}
    return outcome.model_copy(update=told)


def _unfinished(searches: Searches) -> Declined:
    """Decline because the budget ended, and list the searches that matched something so far."""
    found = [one for one in searches.steps if one.program.startswith("find ") and one.tool != "search_text"]
    listed_ones = list(dict.fromkeys(one.program for one in found if one.matches))
    most = searches.meter.budget.searches
    return Declined(
        message=f"The searches that this answer may take ({most:,}) ended before it was found.",
        notes=[f"Found so far: {one.matches:,} by {one.program}" for one in found if one.matches][:_MOST_FOUND],
        suggestions=listed_ones[:_MOST_FOUND],
    )


_MOST_FOUND = 5
"""Lists that are named where the budget ended."""


def searches_of(
    corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None, budget: Budget | None = None,
    ledger: Ledger | None = None, journal: Journal | None = None,
) -> Searches:  # fmt: skip
    """Return the `Searches` of one question.

    `ledger` holds what earlier calls of models have cost; it counts against the budget. `journal` holds the replies of
    a model if the same answer was broken off before. Raises OptionError, and Stopped if the caller's rights cannot be
    read.
    """
    seconds = float(Options.of(options).deadline)
    if budget is not None:
        seconds = min(seconds, budget.seconds + (LAST if reader is not None else 0.0))
    spent = budget or (reader.budget if reader is not None else Budget())
    meter = Meter(spent, time.monotonic() + seconds, ledger or Ledger())
    schema, compiler = corpus.reachable(options)
    return Searches(
        compiler, corpus.client, corpus.index, schema, options, meter, reader, journal or Journal(),
        corpus.vectors_of(), corpus.hides_passages,
    )  # fmt: skip


def from_fields(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the verified answer from typed fields, or "no results" if no document meets the conditions; None if the
    fields do not decide it."""
    outcome = _structured(plan, searches)
    is_whole = not (plan.topic or plan.unused or says_more(plan) or known_nowhere(plan, searches))
    if outcome is None and plan.is_typed and is_whole:
        counted = searches.count(f"count {asked_in_words(plan)}", "how many documents meet the conditions")
        outcome = no_results(plan, searches) if not counted else None
    return _verified(outcome, searches) if outcome is not None else None


def _answered(linked: Linked, searches: Searches) -> Outcome:
    if (of_files := about_files(linked, searches)) is not None:
        plan, outcome = of_files
        searches.record.decomposition = plan.decomposition()
        searches.record.tried("files", plan.bucket, signals(plan), outcome.kind)
        return outcome
    made = plans(linked, searches)
    best = made[0]
    searches.record.decomposition = best.decomposition()
    whole = [plan for plan in made if plan.bucket != DOCUMENTS and not plan.left][:MOST_PLANS]
    for plan in made:
        if plan.left:
            why = f"{len(plan.left)} parts of the question are left: {', '.join(plan.left[:8])}"
            searches.record.left_out(f"bucket {plan.bucket}", why)
    answers = [one for plan in whole if (one := _structured(plan, searches)) is not None]
    exact: Outcome | None = None
    if len(answers) == 1 or (answers and linked.buckets and linked.measure != "count"):
        exact = next((one for one in answers if not _is_none(one)), answers[0])
    elif answers:
        exact = _several(answers, whole)
    else:
        exact = _nothing_meets(best, searches)
    reader = searches.reader
    if exact is not None and reader is not None and not is_open(exact) and reader.refuses(linked, exact, searches):
        exact = None
    if exact is not None and (reader is None or not is_open(exact)):
        return exact

    def otherwise() -> Outcome:
        if exact is not None:
            return exact
        outcome = without_answer(best, searches)
        searches.record.tried("passages", best.bucket, signals(best), outcome.kind)
        return outcome

    return otherwise() if reader is None else reader.answer(linked, searches, otherwise)


def _is_none(outcome: Outcome) -> bool:
    return isinstance(outcome, NotInCorpus) or (isinstance(outcome, Hits) and outcome.total == 0)


def _several(answers: list[Outcome], made: list[Plan]) -> Outcome:
    found = [one for one in answers if not _is_none(one)]
    if len(found) == 1:
        return found[0]
    names = [plan.bucket for plan in made[: len(answers)]]
    return Clarify(
        what="bucket", message=f"This can be about {listed(names, 'or')}. Which?", token="bucket",
        options=[Option(id=name, label=name) for name in names],
    )  # fmt: skip


# --- the structured route --------------------------------------------------------------------------------------------


def _structured(plan: Plan, searches: Searches) -> Outcome | None:
    """Return an exact answer from typed fields; None if the question asks for more than they have. The attempt is
    recorded."""
    outcome, ended = None, refusal(plan, searches)
    if not ended:
        by_fields = _listed if plan.linked.intent == "list" else structured.by_fields
        if any(one.part.by for one in plan.asked):
            by_fields = by_series
        outcome = by_fields(plan, searches)
        ended = outcome.kind if outcome is not None else "the fields do not tell it"
    searches.record.tried("structured", plan.bucket, signals(plan), ended)
    return outcome


def signals(plan: Plan) -> dict[str, Any]:
    """Return the facts that a route is chosen by: what fields and names explain, how surely, and which words are
    left."""
    return {
        "intent": plan.linked.intent,
        "conditions": [one.text for one in plan.conditions],
        "names": [f"{one.text} ({', '.join(one.fields)})" for one in plan.names],
        "asked": {one.name: round(one.score, 2) for one in plan.asked},
        "left": plan.left,
    }


def _listed(plan: Plan, searches: Searches) -> Outcome | None:
    """Return the documents that meet a plan, with the columns that were asked for."""
    found = structured.listing(plan, searches)
    if isinstance(found, Hits) and found.total and plan.asked:
        return structured.with_columns(plan, found, searches)
    if not isinstance(found, Hits) or found.total or not plan.where:
        return found
    return no_results(plan, searches, [one for one in found.notes if "not known" in one])


def _nothing_meets(best: Plan, searches: Searches) -> Outcome | None:
    """Return "no results" if the question is exact and no document meets it; None if some do, or if the question says
    more."""
    meant = f"count {asked_in_words(best)}"
    is_exact = best.is_typed and (best.conditions or best.linked.buckets) and not (best.left or says_more(best))
    is_none = is_exact and not searches.count(meant, "how many documents meet the conditions")
    if is_none and not known_nowhere(best, searches):
        listed_ones = structured.listing(best, searches)
        return listed_ones if isinstance(listed_ones, Declined) else no_results(best, searches)
    return None


# --- the check -------------------------------------------------------------------------------------------------------


def _verified(outcome: Outcome, searches: Searches) -> Outcome:
    """Remove the claims of an answer that its sources do not confirm. Decline if no claim is left, or a value lost its
    claim."""
    if not isinstance(outcome, Answer):
        return outcome
    cited = [one for one in outcome.claims if one.citations or not outcome.computed]
    kept, notes = verified(cited, searches)
    kept = kept if cited else list(outcome.claims)  # a count rests on its program
    is_less = bool(outcome.values) and len(kept) < len(outcome.claims) and not outcome.computed
    if (outcome.claims and not kept) or is_less:
        return Declined(message="What I found could not be verified on the page it comes from.")
    return outcome.model_copy(update={"claims": kept, "notes": [*outcome.notes, *notes]})
