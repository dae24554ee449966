"""Answers a later message to a corpus: a follow-up edits the program of the last answer, and reports the changes.

The words of a message are read as those of any question, in the bucket of the last answer. Each part replaces the
earlier part of the same kind: a field that is asked for, a name in the same role, a condition on the same field. The
rest is kept. If words remain unexplained, nothing is kept: the message is a question of its own, or is declined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qlc.base.options import source_text
from qlc.base.words.sentences import listed
from qlc.corpus.rights import Stopped
from qlc.grammar.printer import print_string
from qlc.models.budgets import Budget, Ledger
from qlc.outcome import Answer, Citation, Claim, Declined, Outcome, Refuse
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import Turn
from qlc.translator.recognise import what_is_too_long
from qlc.translator.rules.questions.deeds import SAVE
from qlc.translator.rules.translator import REFUSALS
from qlc.translator.rules.words.new_topic import new_topic

from . import merging
from .answering import about_corpus, answered, concluded, from_fields, searches_of
from .cells import asked_in_words, shown
from .files import MENTIONS
from .journal import Journal
from .linking import Linked, link
from .merging import ONE, Merged, is_document, is_elliptic, linked_in, merged, of_one, plan_of
from .planning import plans
from .searching import Searches
from .topic import Topic, earlier_of, where_of
from .verifying import verified

if TYPE_CHECKING:
    from qlc.corpus.corpus import Corpus

    from .model import Reader

BEGUN_ANEW = "All right. Ask about something else."
IN_FULL = "I do not know what this refers to. Ask the whole question: which documents, and what you want to know."
BY_ITSELF = "Read as a question of its own, without {conditions}."

_SAVES = re.compile(r"^\W*(?:please |can you |could you )?(?:export|save|download)\b(?:\W+\w+){0,6}\W*$", re.IGNORECASE)
_HOW_MANY = re.compile(rf"{merging.HOW_MANY.pattern}(?: (?:are|is|were) .*)?\W*$", re.IGNORECASE)
_GOES_ON = (merging.LEAD, ONE, merging.MANY, merging.ORDINAL, merging.WHICH_ONES, _HOW_MANY)


def ask_after(
    message: str, turns: Sequence[Turn], corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None,
    budget: Budget | None = None, ledger: Ledger | None = None, journal: Journal | None = None,
) -> Outcome:  # fmt: skip
    """Answer a message in the light of the turns before, oldest first; `options` are those of a run. `ledger` is what
    models have cost for this message before, and gets what they cost now; `journal` what they said for it before.

    `choices` that are no names of the last question answer what was asked back. Raises as `ask` does.
    """
    text = source_text(message)
    if too_long := what_is_too_long(text):
        return Declined(message=too_long)
    if (rest := new_topic(text)) is not None:
        if not rest:
            return Declined(message=BEGUN_ANEW)
        text, turns = rest, ()
    if turns and _SAVES.match(text):
        return Refuse(message=REFUSALS[SAVE], query=turns[-1].program)
    try:
        searches = searches_of(corpus, options, reader, budget, ledger, journal)
    except Stopped as stopped:
        return stopped.outcome
    return concluded(lambda: _after(text, turns, searches) if turns else answered(text, searches), searches)


def _after(text: str, turns: Sequence[Turn], searches: Searches) -> Outcome:
    last = turns[-1]
    searches.earlier = earlier_of(turns).printed()
    chosen = _chosen(last, searches)
    if isinstance(chosen, Merged):
        return _answered(chosen, searches) or Declined(message=IN_FULL)
    if chosen is not None:
        return _follow_up(chosen, last, searches) if last.program else answered(chosen, searches)
    if (told := about_corpus(text, searches)) is not None:
        return told
    if asks_for_source(text):
        return sources(last, searches)
    return _follow_up(text, last, searches)


# --- choices ---------------------------------------------------------------------------------------------------------


def _chosen(last: Turn, searches: Searches) -> Merged | str | None:
    """Return the option chosen after a clarification: a plan, or a question in words. None if nothing was chosen."""
    if last.outcome.get("kind") != "clarify":
        return None
    token = str(last.outcome.get("token") or "")
    if not token or (id := searches.chosen(token)) is None:
        return None
    if token == "bucket":
        return last.text
    option = next((one for one in last.outcome.get("options") or () if one.get("id") == id), None)
    question = str((option or {}).get("details", {}).get("question") or "")
    if question:
        return question
    topic = Topic.of(replace(last, program=id) if token == "overload" else last)
    if topic is None:
        return None
    if token == "document":
        topic = replace(topic, conditions=of_one(id, topic, searches))
    if token == "field":
        topic = replace(topic, asked=(id,))
    return plan_of(topic, link(last.text, searches.schema), searches)


# --- merging ---------------------------------------------------------------------------------------------------------


def _follow_up(text: str, last: Turn, searches: Searches) -> Outcome:
    topic = _topic(last, searches)
    alone = link(text, searches.schema)
    is_new = asks_of_others(text, alone)
    goes_on = any(one.search(text) for one in _GOES_ON)
    goes_on = goes_on or (len(alone.terms) < 3 and is_elliptic(text) and not (is_new and alone.buckets))
    if is_new and _is_of_one(topic, last):
        in_full = Declined(message=IN_FULL, words=[one.raw for one in alone.terms])
        return _by_itself(text, last, searches) if alone.buckets else _by_reader(alone, searches, in_full)
    if topic is not None and (goes_on or not alone.buckets or topic.bucket in alone.buckets):
        found = merged(text, alone, topic, last, goes_on, searches)
        if isinstance(found, Merged):
            outcome = _answered(found, searches)
            if outcome is None and (unknown := _decline_missing(found, searches)) is not None:
                outcome = _by_reader(alone, searches, unknown)
            if outcome is not None:
                return outcome
        elif found is not None:
            return found
    is_complete = _is_complete(alone, searches)
    if not is_complete and (goes_on or plans(alone, searches)[0].asked):
        return _by_reader(alone, searches, Declined(message=IN_FULL, words=[one.raw for one in alone.open_terms]))
    return _by_itself(text, last, searches)


_OTHERS = re.compile(r"\b(?:no(?= \w)|none|any|others?|another|every|each|all|both|most|how many)\b", re.IGNORECASE)
_OF_BUCKET = re.compile(r"\b(?:which|what|an?)\s+(?:\w+\s+)?$", re.IGNORECASE)


def asks_of_others(text: str, alone: Linked) -> bool:
    """Return whether a message asks about other documents than one that was spoken of before.

    `which contract has no cap`, `do all renew`, `what other leases are there` -> True. `what is its cap` -> False.
    """
    points = any(form.search(text) for form in (ONE, merging.MANY, merging.ORDINAL)) or alone.unit
    if points:
        return False
    plural = any(one.begin in alone.bucket_words and one.raw.lower().endswith("s") for one in alone.terms)
    is_new = plural or any(_OF_BUCKET.search(text, 0, at) for at in alone.bucket_words)
    return is_new or alone.intent == "list" or _OTHERS.search(text) is not None or alone.asks_of_several


def _is_of_one(topic: Topic | None, last: Turn) -> bool:
    """Return whether the last answer was about one document."""
    if last.outcome.get("kind") == "answer" and not last.outcome.get("computed") and _quoted(last) is not None:
        return True
    return topic is not None and bool(topic.asked) and not (topic.measure or topic.is_table)


def _by_itself(text: str, last: Turn, searches: Searches) -> Outcome:
    """Answer a message without the turns before; if that drops conditions, the first line says which."""
    outcome = answered(text, searches)
    before, now = (statement_of(one) for one in (last.program, outcome.query))
    if before is None or now is None or getattr(before, "entity", 0) != getattr(now, "entity", 1):
        return outcome
    kept = conditions_of(now)
    dropped = [one for one in conditions_of(before) if one not in kept]
    return _with_lead(outcome, BY_ITSELF.format(conditions=where_of(dropped))) if dropped else outcome


def _with_lead(outcome: Outcome, lead: str) -> Outcome:
    """Return an outcome whose first line says what became of the conditions before."""
    return outcome.model_copy(update={"message": f"{lead} {outcome.message}", "notes": [lead, *outcome.notes]})


def _by_reader(linked: Linked, searches: Searches, otherwise: Outcome) -> Outcome:
    """Return the answer of the language model, or `otherwise` if the caller has none."""
    return searches.reader.answer(linked, searches, lambda: otherwise) if searches.reader else otherwise


def _topic(last: Turn, searches: Searches) -> Topic | None:
    """Return the topic of the last answer: the documents of its program, or the document that it quotes."""
    if (found := Topic.of(last)) is not None:  # others are about passages, or about an index beside the corpus
        return found if found.bucket in searches.schema.file.buckets else None
    if (id := _quoted(last)) is None:
        return None
    program = f"find documents where id = {print_string(id)} show bucket"
    _, hits = searches.hits("get_document_metadata", program, "the document that was quoted")
    bucket = str(hits[0].values.get("bucket") or "") if hits else ""
    if bucket not in searches.schema.file.buckets:
        return None
    before = plans(linked_in(bucket, last.text, searches), searches)[0]
    return Topic(bucket, is_document(id, bucket, searches), tuple(one.name for one in before.asked))


def _quoted(last: Turn) -> str | None:
    """The id of the one document that the last answer cites."""
    if last.outcome.get("kind") != "answer":
        return None
    cited = {one["document"] for claim in last.outcome.get("claims") or () for one in claim.get("citations") or ()}
    return str(cited.pop()) if len(cited) == 1 else None


def _is_complete(linked: Linked, searches: Searches) -> bool:
    """Whether a message itself names the documents that it is about."""
    if MENTIONS.match(linked.text.strip()):
        return True
    best = plans(linked, searches)[0]
    if linked.buckets:
        return bool(best.names or best.conditions or linked.intent in ("list", "compute"))
    return bool(best.names and (best.asked or best.conditions))


# --- outcomes --------------------------------------------------------------------------------------------------------


def _answered(merged: Merged, searches: Searches) -> Outcome | None:
    """Answer a follow-up from fields; the message also names the conditions that it replaced."""
    outcome = from_fields(merged.plan, searches)
    if outcome is None or not merged.dropped:
        return outcome
    return _with_lead(outcome, f"Replaced: {where_of(merged.dropped)}.")


def _decline_missing(merged: Merged, searches: Searches) -> Outcome | None:
    """Decline if the words were understood, but every document meant lacks all fields asked for. The topic stays the
    same."""
    plan = merged.plan
    if plan.topic or not plan.asked:
        return None
    meant = asked_in_words(plan)
    for one in plan.asked:
        where = f"{meant} and" if plan.where else f"{meant} where"
        if searches.count(f"count {where} {one.name} exists", f"how many of them tell {one.name}"):
            return None
    fields = listed([one.called for one in plan.asked], "or")
    return Declined(message=f"No {fields} is known for {meant}.", query=shown(plan), suggestions=[f"find {meant}"])


# --- where the last answer says so -----------------------------------------------------------------------------------

_ASKED_FOR = frozenset(
    """page pages file files document documents source sources quote quoted cite cited citation citations sentence
    passage wording evidence reference proof prove where""".split()  # noqa: SIM905
)
_AROUND = frozenset(
    """which what is are was were be that this it they them these those on in from of at for does do did say says said
    stand stands stood so find found come comes came the a an me show give tell us exact exactly words please and or you
    your know how can could i we read written its there taken answer to line text original get got see let have got
    value number name full whole again as""".split()  # noqa: SIM905
)
"""Words that stand around these in a question about a source, and say nothing of their own."""


def asks_for_source(message: str) -> bool:
    """Whether a message only asks for the source of the last answer."""
    words = re.findall(r"[\w']+", message.lower())
    return bool(_ASKED_FOR & set(words)) and set(words) <= _ASKED_FOR | _AROUND


def sources(last: Turn, searches: Searches) -> Outcome:
    """Return the quotes of the last answer with their pages, after looking them up again."""
    cited = list(dict.fromkeys(_cited(last)))
    claims, notes = verified(
        (Claim(text=one.quote, citations=[one], quoted=True) for one in cited if one.quote), searches
    )
    given = [one.file for one in cited if not one.quote]
    if not claims and not given:
        return Declined(message="There is no answer before this one that has a source to show.", query=last.program)
    lines = [f"{_place(one.citations[0])}: “{' '.join(one.text.split())}”" for one in claims]
    lines += [f"{file}: given by a person, not read from a page." for file in given]
    return Answer(
        message="\n".join(lines), query=last.program, claims=claims, notes=notes,
        covered=list(dict.fromkeys(one.file for one in cited)),
    )  # fmt: skip


def _place(one: Citation) -> str:
    return one.file if one.page is None else f"{one.file}, page {one.page}"


def _cited(last: Turn) -> Iterator[Citation]:
    """Yield the citations of a turn's outcome. A quote that was shortened when stored is cited without its ellipsis."""
    outcome = last.outcome
    cells = [cell for row in outcome.get("rows") or () for cell in (row.get("cells") or {}).values()]
    for holder in [*(outcome.get("claims") or ()), *cells, *(outcome.get("values") or ())]:
        for one in holder.get("citations") or ():
            cited = Citation.model_validate(one)
            yield cited.model_copy(update={"quote": cited.quote.removesuffix("…")})
