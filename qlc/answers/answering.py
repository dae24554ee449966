"""A question to a corpus, answered: taken apart, sent on its route, composed, and checked before it is shown."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qlc.grammar.printer import print_string
from qlc.options import source_text
from qlc.outcome import (
    Answer,
    Cell,
    Citation,
    Claim,
    Clarify,
    Declined,
    Hits,
    NotInCorpus,
    Option,
    Outcome,
    Stats,
)
from qlc.translator.recognise import what_is_too_long
from qlc.words.sentences import listed

from . import structured
from .decomposition import Decomposition
from .linking import KIND_NOUNS, Linked, link
from .planning import DOCUMENTS, Plan, joined_names, plans, spelled_unit
from .searching import Searches, Stopped
from .sentences import Sentence, candidates, fitting, lines_of, nearest_amounts, weights
from .terms import RELATIONAL, Term, restricts_otherwise, share, stems
from .verifying import verified

if TYPE_CHECKING:
    from qlc.corpus.corpus import Corpus

ENOUGH = 0.8
"""What share of a question, by the weight of its words, a sentence with its headings must have to answer it."""
ENOUGH_ITSELF = 0.34
"""What share the sentence itself must have."""
ENOUGH_OF_AMOUNTS = 0.7
"""What share is enough where the sentence has one amount of the kind that is asked for."""
_TOO_LITTLE = 0.25
"""The share of words that no passage has from which on the documents do not tell it."""
MOST_WORDS = 60
"""Of a question: each is looked for in the passages."""
MOST_SENTENCES = 12
"""Of a summary of one document."""


def decompose(question: str, corpus: Corpus, options: Mapping[str, Any]) -> Decomposition:
    """A question taken apart by rules."""
    searches = _searches(corpus, options)
    return plans(link(source_text(question), searches.schema), searches)[0].decomposition()


def ask(question: str, corpus: Corpus, options: Mapping[str, Any]) -> Outcome:
    """Answer a question from the documents of a corpus; `options` are those of a run.

    Every claim is cited, and every citation is checked against the page. What cannot be answered surely is declined.
    Raises UsageError for a question that is no text, and for options that cannot be used.
    """
    started = time.perf_counter()
    if too_long := what_is_too_long(source_text(question)):
        return Declined(message=too_long)
    searches = _searches(corpus, options)
    if (narrower := searches.chosen("overload")) is not None:
        return searches.compiler.run(narrower, **{key: value for key, value in options.items() if key != "choices"})
    linked = link(question, searches.schema)
    if len(linked.terms) > MOST_WORDS:
        return Declined(message=f"Ask a shorter question: at most {MOST_WORDS} words that mean something are read.")
    try:
        outcome = _verified(_answered(linked, searches), searches)
    except Stopped as stopped:
        outcome = stopped.outcome
    stats = Stats(round_trips=len(searches.steps), took_ms=(time.perf_counter() - started) * 1000)
    steps = {"steps": searches.steps} if isinstance(outcome, Answer | NotInCorpus) else {}
    return outcome.model_copy(update={"stats": stats, **steps})


def _searches(corpus: Corpus, options: Mapping[str, Any]) -> Searches:
    return Searches(corpus.compiler(), corpus.client, corpus.index, corpus.schema_with_buckets(), options)


def _answered(linked: Linked, searches: Searches) -> Outcome:
    made = plans(linked, searches)
    best = made[0]
    routes = [_structured(plan, searches) for plan in made[:3] if plan.bucket != DOCUMENTS and _explains(plan, best)]
    answers = [one for one in routes if one is not None]
    if len(answers) == 1 or (answers and linked.buckets):
        return answers[0]
    if len(answers) > 1:
        return _several(answers, made)
    return _long_text(linked, made, searches)


def _explains(plan: Plan, best: Plan) -> bool:
    return len(plan.topic) + len(plan.unused) <= len(best.topic) + len(best.unused)


def _several(answers: list[Outcome], made: list[Plan]) -> Outcome:
    found = [one for one in answers if not (isinstance(one, Hits) and one.total == 0)]
    if len(found) == 1:
        return found[0]
    names = listed([plan.bucket for plan in made[: len(answers)]], "or")
    return Declined(message=f"This can be about {names}. Say which.", suggestions=[plan.bucket for plan in made[:3]])


# --- the structured route --------------------------------------------------------------------------------------------


def _structured(plan: Plan, searches: Searches) -> Outcome | None:
    """An exact answer from typed fields; None where the question asks for more than fields tell."""
    linked = plan.linked
    if plan.unused or not (plan.is_typed or linked.buckets) or _says_more(plan):
        return None
    if not _topic_restricts_nothing(plan, searches):
        return None
    match linked.intent:
        case "list":
            return structured.listing(plan, searches)
        case "compute":
            return structured.computed(plan, searches)
        case "compare" if plan.asked and plan.is_typed:
            total, documents = structured.found_documents(plan, searches)
            return structured.table(plan, documents, searches) if total == len(documents) else None
        case "summarize" if plan.is_typed and plan.bucket in searches.schema.file.buckets:
            return structured.summary(plan, searches) if not plan.topic or plan.conditions else None
        case "qa" if plan.asked and plan.is_typed:
            _, documents = structured.found_documents(plan, searches)
            return structured.value(plan, documents, searches)
        case _:
            return None


def _says_more(plan: Plan) -> bool:
    """Whether the question says what the conditions do not: a negation, an alternative of two fields, a group, a field
    of a list that is no condition."""
    linked = plan.linked
    if restricts_otherwise(linked.rest):
        return True
    fields = {one.fields for one in plan.names}
    if re.search(r"\b(?:or|either)\b", linked.rest, re.IGNORECASE) and not (
        len(plan.names) > 1 and len(fields) == 1 and not plan.conditions
    ):
        return True
    return linked.intent == "list" and bool(plan.asked)


def _topic_restricts_nothing(plan: Plan, searches: Searches) -> bool:
    """Whether every document that meets the conditions has each of the words that no condition stands for: then they
    only describe what is meant."""
    if not plan.topic:
        return True
    if not plan.is_typed or any(one.stem in RELATIONAL or one.raw.isdecimal() for one in plan.topic):
        return False
    whole = searches.count(f"count {structured.asked_in_words(plan)}", "how many documents meet the conditions")
    for word in plan.topic:
        condition = f"{plan.where} and mentions {print_string(word.raw)}"
        having = searches.count(f"count {plan.bucket} where {condition}", f"how many of them have '{word.raw}'")
        if having < whole or not whole:
            return False
    return True


# --- the route of long texts -----------------------------------------------------------------------------------------


def _long_text(linked: Linked, made: list[Plan], searches: Searches) -> Outcome:
    """Sentences of the documents, quoted; or that they do not tell it."""
    best = made[0]
    meant = f"count {structured.asked_in_words(best)}"
    is_exact = best.is_typed and (best.conditions or linked.buckets) and not best.unused and not _says_more(best)
    is_exact = is_exact and not (best.topic and any(one.is_guess for one in best.conditions))
    if is_exact and not searches.count(meant, "how many documents meet the conditions"):
        listed_ones = structured.listing(best, searches)
        return listed_ones if isinstance(listed_ones, Declined) else _no_results(best, searches)
    named = frozenset(at for one in best.names for at in one.used)
    nouns = KIND_NOUNS.get(linked.kind, frozenset()) | RELATIONAL
    words = tuple(one for one in linked.open_terms if one.stem not in nouns)
    if linked.intent in ("list", "compute", "compare") and restricts_otherwise(linked.rest):
        return _declined(best, searches)
    if not words or best.unused or (linked.intent in ("list", "compute", "compare") and not _unlinked(best)):
        return _declined(best, searches)
    rarity = weights(words, searches)
    linked_places = {at for plan in made for one in linked.fields if one.bucket == plan.bucket for at in one.used}
    unknown = [one for one in rarity.unknown if one.begin not in named | linked_places]
    if rarity.share({one.stem: 1.0 for one in unknown}) >= _TOO_LITTLE:
        return _declined(best, searches) if best.asked else _not_in_corpus([one.raw for one in unknown], searches)
    if best.unused or linked.intent in ("list", "compute", "compare"):
        return _declined(best, searches)
    found: list[Sentence] = []
    if best.names and not best.conditions:
        where = f"document in (find {best.bucket} where {best.where})"
        found = candidates(linked, words, where, named, rarity, searches)
    if linked.intent == "summarize":
        found = found or candidates(linked, words, "", frozenset(), rarity, searches)
        return _summary(found, words, searches) or _declined(best, searches)
    good = _good(found, linked) or _good(candidates(linked, words, "", frozenset(), rarity, searches), linked)
    if not good:
        return _declined(best, searches, found[:2])
    steps = [one for one in found if one.passage == good[0].passage] if _HOW.match(linked.text) else []
    return _quoted(linked, good[0], sorted(steps, key=lambda one: one.begin))


_HOW = re.compile(
    r"^how (?!many|much|long|often|old|far|big|high|wide|tall|heavy|deep|large|fast|hot|cold)\b", re.IGNORECASE
)


def _unlinked(plan: Plan) -> bool:
    """Whether words are left that no field of any bucket is linked to."""
    used = {at for one in plan.linked.fields for at in one.used}
    return any(one.begin not in used for one in plan.topic)


_YES_OR_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|can|may|must|will|shall)\b", re.IGNORECASE)


def _good(found: list[Sentence], linked: Linked) -> list[Sentence]:
    """The sentences that have enough of the question, and a value of the kind that it asks for."""
    least = 2 * ENOUGH_ITSELF if _YES_OR_NO.match(linked.text) else ENOUGH_ITSELF
    if linked.kind in ("", "name"):
        return [one for one in found if one.share >= ENOUGH and one.own >= least]
    good = []
    for one in found:
        amounts = len(fitting(linked.kind, one))
        if amounts and one.own >= least and one.share >= (ENOUGH_OF_AMOUNTS if amounts == 1 else ENOUGH):
            good.append(one)
    return good


def _quoted(linked: Linked, best: Sentence, steps: list[Sentence]) -> Answer:
    """A sentence, word for word; of what is done in steps, those that are around it."""
    citation = Citation(document=best.document, file=best.file, page=best.page, quote=best.text)
    amounts = nearest_amounts(linked, best)
    values = []
    if len(amounts) == 1:
        one = amounts[0]
        number = int(one.number) if one.number == one.number.to_integral_value() else float(one.number)
        read = one.date.isoformat() if one.date is not None else number
        values.append(Cell(value=read, unit=spelled_unit(one.unit), citations=[citation]))
    claims = [
        Claim(text=one.text, citations=[citation.model_copy(update={"quote": one.text})], quoted=True)
        for one in (steps if 1 < len(steps) <= MOST_SENTENCES else [best])
    ]
    return Answer(
        message="\n".join(one.text for one in claims), claims=claims, values=values, covered=[best.file],
        notes=[f"Quoted from {best.file}, word for word."],
    )  # fmt: skip


def _summary(found: list[Sentence], words: Sequence[Term], searches: Searches) -> Answer | None:
    """The sentences of the one document that is meant: all, or those of the sections that the question is about."""
    best = [one for one in found if one.share >= ENOUGH_OF_AMOUNTS]
    if not best or len({one.document for one in best}) > 1:
        return None
    file, document = best[0].file, best[0].document
    meant = f"document.id = {print_string(document)}"
    program = f"find passages where {meant} sort ordinal limit 100 show text, page, section"
    total, hits = searches.hits("search_text", program, "the document that is meant")
    title = stems(f"{best[0].title} {file.replace('_', ' ')}")
    topic = [one.stem for one in words if one.stem not in title]
    lines = [line for hit in hits for line in lines_of(hit)]
    if len(lines) > MOST_SENTENCES and topic:
        lines = [one for one in lines if share(topic, stems(f"{one.section} {one.text}")) >= 0.5]
    if not lines or len(lines) > MOST_SENTENCES or total > len(hits):
        return None
    cited = [Citation(document=document, file=file, page=one.page, quote=one.text) for one in lines]
    claims = [Claim(text=one.quote, citations=[one], quoted=True) for one in cited]
    return Answer(
        message="\n".join(one.text for one in claims), claims=claims, covered=[file],
        notes=[f"These are sentences of {file}, word for word."],
    )  # fmt: skip


# --- no answer -------------------------------------------------------------------------------------------------------


def _not_in_corpus(words: list[str], searches: Searches) -> NotInCorpus:
    counted = searches.count("count documents", "how many documents there are")
    told = f": no passage has {listed([repr(word) for word in words[:5]], 'or')}" if words else ""
    return NotInCorpus(
        message=f"I found nothing in the {counted:,} documents that tells this{told}.",
        words=words,
        documents=counted,
    )


def _no_results(plan: Plan, searches: Searches) -> NotInCorpus:
    """Nothing meets the conditions; how many would with each of them left out."""
    parts = [one.text for one in plan.conditions] + joined_names(plan.names)
    told, queries = [], []
    for left_out in parts if len(parts) > 1 else ():
        where = " and ".join(one for one in parts if one != left_out)
        counted = searches.count(f"count {plan.bucket} where {where}", f"without {left_out}")
        if counted:
            told.append(f"{counted:,} without {left_out}")
            queries.append(f"find {plan.bucket} where {where}")
    whole = searches.count(f"count {plan.bucket}", f"how many {plan.bucket} there are")
    less = f" ({'; '.join(told)})" if told else ""
    return NotInCorpus(
        message=f"None of the {whole:,} {plan.bucket} has {plan.where}{less}.",
        documents=whole,
        query=structured.program_of(plan),
        suggestions=queries,
    )


def _declined(plan: Plan, searches: Searches, near: Sequence[Sentence] = ()) -> Declined | Clarify:
    """What was not understood, and what can be asked instead."""
    if plan.unused and (question := _which_of(plan)) is not None:
        return question
    words = [one.raw for one in plan.topic] + [one.text for one in plan.unused]
    told = f" I found no condition for {listed([repr(word) for word in words[:5]])}." if words else ""
    suggestions = [f"{one.file}: {one.text}" for one in near]
    if plan.linked.intent == "list" and plan.topic and not restricts_otherwise(plan.linked.rest):
        mentions = [f"mentions {print_string(one.raw)}" for one in plan.topic[:5] if one.stem not in RELATIONAL]
        meant = f"{plan.bucket} where {' and '.join(filter(None, (plan.where, *mentions)))}"
        if counted := searches.count(f"count {meant}", "how many have the words"):
            told += f" {counted:,} of the {plan.bucket} {'has' if counted == 1 else 'have'} these words."
            suggestions.append(f"find {meant}")
    message = f"I am not sure enough to answer this from the documents.{told}"
    return Declined(message=message, words=words, suggestions=suggestions)


def _which_of(plan: Plan) -> Clarify | None:
    """An amount that several fields can have: which one is meant? Each choice is a question that works."""
    one = plan.unused[0]
    if len(one.fields) < 2:
        return None
    names = [name.replace("_", " ") for name in one.fields]
    said = {name: plan.linked.text.replace(one.text, f"with {name} {one.text}", 1) for name in names}
    options = [
        Option(id=field, label=name, details={"question": question})
        for field, (name, question) in zip(one.fields, said.items(), strict=True)
    ]
    return Clarify(
        what="field", message=f"'{one.text}': is {listed(names, 'or')} meant?", options=options, token="field",
    )  # fmt: skip


# --- the check -------------------------------------------------------------------------------------------------------


def _verified(outcome: Outcome, searches: Searches) -> Outcome:
    """An answer keeps what its sources say; one that loses all of it is none."""
    if not isinstance(outcome, Answer):
        return outcome
    cited = [one for one in outcome.claims if one.citations or not outcome.computed]
    kept, notes = verified(cited, searches)
    kept = kept if cited else list(outcome.claims)  # a count rests on its program
    if outcome.claims and not kept:
        return Declined(message="What I found could not be verified on the page it comes from.")
    if outcome.values and len(kept) < len(outcome.claims) and not outcome.computed:
        return Declined(message="What I found could not be verified on the page it comes from.")
    return outcome.model_copy(update={"claims": kept, "notes": [*outcome.notes, *notes]})
