"""The route of long texts: sentences of the documents, quoted, or that they do not tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from qlc.corpus.values.quantities import Amount
from qlc.corpus.values.units import convert
from qlc.grammar.printer import print_string
from qlc.outcome import Answer, Cell, Citation, Claim, Declined, NotInCorpus, Outcome
from qlc.outcome.amounts import spelled_unit
from qlc.outcome.tables import cell_text

from .accounting import GENERIC, VERBS
from .cells import in_unit
from .changes import ASKED, CHANGES
from .declining import declined, not_in_corpus
from .linking import Linked
from .meter import OutOfBudget
from .planning import Plan
from .searching import Searches
from .sentences import Sentence, Weights, candidates, fitting, lines_of, nearest, nearest_amounts, weights
from .terms import RELATIONAL, Term, restricts_otherwise, share, stems, term_stems
from .verifying import verified
from .vocabulary import KIND_NOUNS

ENOUGH = 0.8
"""What share of a question, by the weight of its words, a sentence with its headings must have to answer it."""
ENOUGH_ITSELF = 0.34
"""What share the sentence itself must have."""
ENOUGH_OF_AMOUNTS = 0.7
"""What share is enough where the sentence has one amount of the kind that is asked for."""
ENOUGH_ALONE, _FAR = 0.6, 0.12
"""What share is enough where no other sentence with a value of that kind comes as near as that."""
_TOO_LITTLE = 0.25
"""The share of words that no passage has from which on the documents do not tell it."""
MOST_SHOWN = 5
"""Sentences that were not quoted, in the trace."""
MOST_NEAREST = 3
"""Sentences that are shown where a question is not answered."""
FEWEST_SENTENCES, MOST_SENTENCES = 2, 12
"""Of a summary of one document."""


def long_text(linked: Linked, made: list[Plan], searches: Searches) -> Outcome:
    """Sentences of the documents, quoted; or that they do not tell it."""
    best = made[0]
    named = frozenset(at for one in best.names for at in one.used)
    nouns = KIND_NOUNS.get(linked.kind, frozenset()) | RELATIONAL
    words = tuple(one for one in linked.open_terms if one.stem not in nouns)
    if linked.intent in ("list", "compute", "compare") and restricts_otherwise(linked.rest):
        return declined(best, searches)
    if not words or best.unused or (linked.intent in ("list", "compute", "compare") and not _unlinked(best)):
        return declined(best, searches)
    rarity = weights(words, searches)
    linked_places = {at for plan in made for one in linked.fields if one.bucket == plan.bucket for at in one.used}
    linked_places |= named | {one.begin for one in rarity.unknown if one.stem in GENERIC | VERBS}
    unknown = [one for one in rarity.unknown if one.begin not in linked_places]
    if rarity.share({one.stem: 1.0 for one in unknown}) >= _TOO_LITTLE:
        known = [one for one in words if one not in unknown]
        if len(unknown) == 1 and linked.kind not in ("", "name") and unknown[0] != words[0] and linked.intent == "qa":
            of_known = candidates(linked, known, "", frozenset(), rarity.without(unknown), searches)
            near = [one for one in _good(of_known, linked) if one.share >= ENOUGH and _has_words(one, known, linked)]
            if near and not _is_contested(near, linked):
                return _quoted(linked, near[0], [])
        said = best.bucket if best.bucket in linked.buckets else "documents"
        listed_kind = said if linked.intent == "list" else ""
        unheld = [one.raw for one in unknown]
        return declined(best, searches) if best.asked else not_in_corpus(unheld, searches, listed_kind)
    if best.unused or linked.intent in ("list", "compute", "compare"):
        return declined(best, searches)
    found: list[Sentence] = []
    if best.names and not best.conditions:
        where = f"document in (find {best.bucket} where {best.where})"
        found = candidates(linked, words, where, named, rarity, searches)
    if linked.intent == "summarize":
        found = found or candidates(linked, words, "", frozenset(), rarity, searches)
        return _summary(found, words, searches) or declined(best, searches)
    if linked.bounds and re.match(r"(?:which|who)\b", linked.text, re.IGNORECASE):
        return declined(best, searches)  # a list of what meets a comparison is no single sentence
    if all(one.raw.isalpha() and one.raw[0].isupper() and one.begin for one in words):
        return declined(best, searches)  # names alone: any sentence about them would do
    good = _good(found, linked)
    if not good:
        anywhere = candidates(linked, words, "", frozenset(), rarity, searches)
        good, found = _good(anywhere, linked), found or anywhere
    for one in [one for one in found if one not in good[:1]][:MOST_SHOWN]:
        searches.record.left_out(
            f"{one.file}: {one.text}", f"it has {one.share:.2f} of the question, {one.own:.2f} in itself"
        )
    if not good:
        return declined(best, searches)
    if not best.names and _is_contested(good, linked):
        return declined(best, searches)
    steps = [one for one in found if one.passage == good[0].passage] if _HOW.match(linked.text) else []
    if _HOW.match(linked.text) and len(steps) < 2 and re.match(r"[-*•]|\(?\d+[.)]", good[0].text):
        return declined(best, searches)  # one step of several is no answer
    return by_sentence(good[0], linked, words, rarity, searches, sorted(steps, key=lambda one: one.begin))


def by_sentence(
    best: Sentence, linked: Linked, words: Sequence[Term], rarity: Weights, searches: Searches,
    steps: Sequence[Sentence] = (),
) -> Answer:  # fmt: skip
    """A sentence, word for word, with the one of another document that changes what it says."""
    changed = _changes(best, linked, words, rarity, searches)
    return _with_change(linked, best, changed) if changed is not None else _quoted(linked, best, steps)


def with_nearest(linked: Linked, outcome: Outcome, searches: Searches) -> Outcome:
    """Where a question is not answered: the sentences that come nearest to it, word for word. They claim nothing."""
    if not isinstance(outcome, Declined | NotInCorpus) or not outcome.words:
        return outcome
    words = linked.open_terms or linked.terms
    try:
        found = islice(nearest(linked, words, weights(words, searches), searches), MOST_NEAREST)
        cited = [Citation(document=one.document, file=one.file, page=one.page, quote=one.text) for one in found]
        claims, _ = verified([Claim(text=one.quote, citations=[one], quoted=True) for one in cited], searches)
    except OutOfBudget:
        return outcome
    return outcome.model_copy(update={"nearest": [one for claim in claims for one in claim.citations]})


def _changes(best: Sentence, linked: Linked, words: Sequence[Term], rarity: Weights, searches: Searches
             ) -> Sentence | None:  # fmt: skip
    """A sentence of another document that says that it changes what the best one says: it names what the question names
    as the best one does, and has the old amount, or as much of the question."""
    if CHANGES.search(best.text) or not best.amounts:
        return None
    named = {one.raw.casefold() for one in words if not one.raw.islower() and one.begin} & {*_names(best)}
    told = {(one.number, one.unit, one.date) for one in best.amounts}
    asked = replace(linked, text=f"{linked.text} {ASKED}")
    for one in candidates(asked, words, "", frozenset(), rarity, searches):
        same = told & {(each.number, each.unit, each.date) for each in one.amounts}
        if (
            one.document != best.document
            and CHANGES.search(one.text)
            and named <= {*_names(one)}
            and one.amounts
            and (same or one.share >= best.share - _AS_MUCH)
        ):
            return one
    return None


def _names(one: Sentence) -> Iterator[str]:
    """The words of a sentence, of its document's title and of its file."""
    for found in re.finditer(r"\w[\w/.-]*\w|\w", f"{one.text} {one.title} {one.file}".casefold()):
        yield from (found[0], *re.split(r"[\W_]+", found[0]))


def _with_change(linked: Linked, best: Sentence, changed: Sentence) -> Answer:
    """Both sentences, the one that changes the other first; its amount is the value, where it has one new one."""
    first, second = _quoted(linked, changed, []), _quoted(linked, best, [])
    told = {(one.number, one.unit) for one in best.amounts}
    new = [one for one in changed.amounts if one.date is None and (one.number, one.unit) not in told]
    values = [Cell(value=_number(one), unit=spelled_unit(one.unit), citations=first.claims[0].citations) for one in new]
    dated = [one for one in first.values if one.value not in [other.value for other in second.values]]
    update = {
        "message": f"{first.message}\nBefore: {second.message}", "claims": [*first.claims, *second.claims],
        "values": dated if linked.kind == "date" else values if len(new) == 1 else [],
        "covered": [*first.covered, *second.covered], "notes": [*first.notes, *second.notes],
    }  # fmt: skip
    return first.model_copy(update=update)


def _number(one: Amount) -> int | float:
    return int(one.number) if one.number == one.number.to_integral_value() else float(one.number)


_HOW = re.compile(
    r"^how (?!many|much|long|often|old|far|big|high|wide|tall|heavy|deep|large|fast|hot|cold)\b", re.IGNORECASE
)


def _unlinked(plan: Plan) -> bool:
    """Whether words are left that no field of any bucket is linked to."""
    used = {at for one in plan.linked.fields for at in one.used}
    return any(one.begin not in used for one in plan.topic)


def _is_contested(good: list[Sentence], linked: Linked) -> bool:
    """Whether sentences of other documents tell another amount, and have as much of the question."""
    told = {(one.number, one.unit, one.date) for one in fitting(linked.kind, good[0])}
    return any(
        other.document != good[0].document and good[0].share - other.share < _AS_MUCH
        and told.isdisjoint((one.number, one.unit, one.date) for one in fitting(linked.kind, other))
        for other in good[1:] if fitting(linked.kind, other)
    )  # fmt: skip


_AS_MUCH = 0.1
"""By how much a sentence has to have more of the question than one that tells something else."""


def _has_words(one: Sentence, words: Sequence[Term], linked: Linked) -> bool:
    """Whether a sentence itself has two of the words that are no names."""
    said = stems(one.text, linked.language)
    return sum(word.stem in said for word in words if word.raw.islower()) > 1


_YES_OR_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|can|may|must|will|shall)\b", re.IGNORECASE)


def _good(found: list[Sentence], linked: Linked) -> list[Sentence]:
    """The sentences that have enough of the question, and a value of the kind that it asks for."""
    found = [one for one in found if _says_what_is_asked(one, linked)]
    least = 2 * ENOUGH_ITSELF if _YES_OR_NO.match(linked.text) else ENOUGH_ITSELF
    if linked.kind in ("", "name"):
        least_share = ENOUGH_OF_AMOUNTS if found and _is_outstanding(found, least) else ENOUGH
        least_share = min(least_share, ENOUGH_ALONE) if linked.kind and least_share < ENOUGH else least_share
        return [one for one in found if one.share >= least_share and one.own >= least]
    good = []
    for one in found:
        amounts = len(fitting(linked.kind, one))
        if amounts > 1 and _COLUMN.search(one.text):
            continue  # a row of a table: what its numbers are stands above it
        if amounts and one.own >= least and one.share >= (ENOUGH_OF_AMOUNTS if amounts == 1 else ENOUGH):
            good.append(one)
    told = [one for one in found if fitting(linked.kind, one)]
    return good or [one for one in told[:1] if _is_outstanding(told, least) and not _COLUMN.search(one.text)]


def _is_outstanding(found: Sequence[Sentence], least: float) -> bool:
    """Whether no other sentence has nearly as much of the question as the first one."""
    next_share = found[1].share if len(found) > 1 else 0.0
    return found[0].own >= least and found[0].share >= ENOUGH_ALONE and found[0].share - next_share >= _FAR


_WHY = re.compile(r"\bwhy\b|\b(?:reason|cause)s? (?:for|of|why|that)\b|^what (?:caused|led to)\b", re.IGNORECASE)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|caused|causes|reasons?|as a result|resulted|therefore|in order to|so that"
    r"|so as to|on account of|led to)\b",
    re.IGNORECASE,
)


def _says_what_is_asked(one: Sentence, linked: Linked) -> bool:
    """Whether a sentence has the numbers and dates that the question restricts to, an amount in the unit that it asks
    for, a cause where it asks why, and anything that the question does not say itself."""
    if is_head(one.text) or term_stems(one.text, linked.language) <= {each.stem for each in linked.terms}:
        return False
    if _WHY.search(linked.text) and not _CAUSE.search(one.text):
        return False
    if linked.unit_is_strict and all(convert(each.number, each.unit, linked.unit) is None for each in one.amounts):
        return False
    said = set(re.findall(r"\d+", f"{one.text} {one.title} {one.file}"))
    return all(
        said.issuperset(numbers) and numbers for bound in linked.bounds if (numbers := re.findall(r"\d+", bound.text))
    )


def is_head(line: str) -> bool:
    """Whether a line is the head of a table: its columns, and no value."""
    return len(_COLUMN.split(line)) > _FEWEST_COLUMNS and not any(one.isdigit() for one in line)


_COLUMN, _FEWEST_COLUMNS = re.compile(r"\t| \| |(?<=\S) {3,}(?=\S)"), 2
"""What parts the cells of a row."""


def _quoted(linked: Linked, best: Sentence, steps: Sequence[Sentence]) -> Answer:
    """A sentence, word for word; of what is done in steps, those that are around it."""
    citation = Citation(document=best.document, file=best.file, page=best.page, quote=best.text)
    amounts = nearest_amounts(linked, best)
    values, notes = [], [f"Quoted from {best.file}, word for word."]
    if len(amounts) == 1:
        one = amounts[0]
        read = one.date.isoformat() if one.date is not None else _number(one)
        said = Cell(value=read, unit=spelled_unit(one.unit), citations=[citation])
        values.append(in_unit(said, linked) or said)
        if values[0].unit != said.unit:
            notes.append(f"{cell_text(said)} = {cell_text(values[0])}.")
    claims = [
        Claim(text=one.text, citations=[citation.model_copy(update={"quote": one.text})], quoted=True)
        for one in (steps if 1 < len(steps) <= MOST_SENTENCES else [best])
    ]
    return Answer(
        message="\n".join(one.text for one in claims), claims=claims, values=values, covered=[best.file],
        notes=notes,
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
    if not FEWEST_SENTENCES <= len(lines) <= MOST_SENTENCES or total > len(hits):
        return None
    cited = [Citation(document=document, file=file, page=one.page, quote=one.text) for one in lines]
    claims = [Claim(text=one.quote, citations=[one], quoted=True) for one in cited]
    return Answer(
        message="\n".join(one.text for one in claims), claims=claims, covered=[file],
        notes=[f"These are sentences of {file}, word for word."],
    )  # fmt: skip
