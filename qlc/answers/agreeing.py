"""A value that no word of the question names, where two ways of looking lead to it: its words, and its meaning.

People ask `how long may we keep it` where a field is called `rental period`. What such a question is about is taken
from several kinds of evidence: the document has every name and number of the question, the value is of the kind that is
asked for, and of all such values the same one is best by the words around it and by its meaning. Where these differ,
nothing is answered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.schema import FieldPart
from qlc.corpus.status import Document, Place
from qlc.corpus.values.fields import amount_value
from qlc.corpus.values.quantities import Amount, Style, amounts
from qlc.corpus.values.synonyms import END
from qlc.corpus.values.units import convert
from qlc.grammar.printer import print_string
from qlc.outcome import Answer, Hit, Outcome

from . import structured
from .conditions import Condition
from .doubts import NOW, telling_another
from .linking import Linked
from .planning import Plan
from .quoting import by_sentence
from .searching import Searches
from .sentences import (
    Sentence,
    Weights,
    document_of,
    fitting,
    has_term,
    is_name,
    passages_about,
    sentences_of,
    weights,
)
from .terms import RELATIONAL, Term, stems
from .verifying import normalised, page_text, read_pages
from .vocabulary import FITTING, KIND_NOUNS, LEAST, NAMED, Kind, LinkedField, fits, phrases

MOST_COMPARED = 40
"""Values whose meaning is compared with the question: a vector takes 0.01 s."""
LEAST_WORDS, LEAST_MEANING, LEAST_OF_BOTH = 0.15, 0.2, 0.45
"""What share of the question the words of a value must have, and how near in meaning it must be."""
MARGIN = 0.05
"""By how much the best value must be nearer than the next one."""


_SEVERAL = re.compile(
    r"(?:\band|,) (?:who|what|when|which|how|where)\b|(?<=\w )(?<!in |at |on |to |of |by )(?:whose|who|that|which)\b"
    r"|\b(?:each|every|all|compare|versus|table|list|gist|differ\w*|by how (?:much|many)|summar\w+)\b"
    r"|\b(?:not|never|except|neither|nor)\b|n['’]t\b", re.IGNORECASE
)  # fmt: skip
"""What asks for more than one value, for one of a thing that another document names, or denies something."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A value that may be meant: a sentence, and the fields that were read from it."""

    sentence: Sentence
    document: Document
    fields: tuple[str, ...]
    described: str
    key: tuple[Any, ...]
    is_meant: bool
    """Whether it is one value, and of a field that the question has words of, where it has words of any."""


def agreed(linked: Linked, made: Sequence[Plan], searches: Searches, within: str = "") -> Outcome | None:
    """The answer that words and meaning agree on; None where they do not. `within` is a program for the documents that
    are meant, where that is known."""
    plural = any(one.begin in linked.bucket_words and one.raw.endswith("s") for one in linked.terms)
    last = re.split(r"[.:;?!]\s+", linked.text.strip(" ?!."))[-1]
    if searches.embed is None or linked.intent != "qa" or plural or _SEVERAL.search(last):
        return None
    nouns = KIND_NOUNS.get(linked.kind, frozenset()) | RELATIONAL
    words = tuple(one for one in linked.terms if one.stem not in nouns and not END.fullmatch(one.raw))
    if not words:
        return None
    rarity = weights(words, searches)
    found = _values(linked, [within] if within else _programs(made), words, rarity, searches, not within)
    best = _best(found, linked, searches)
    if best is None:
        return None
    outcome = _answer(best, linked, words, rarity, searches)
    claims = outcome.claims if isinstance(outcome, Answer) else []
    is_changed = len({one.document for claim in claims for one in claim.citations}) > 1
    if is_changed or NOW.search(linked.text):
        return None  # which of two values is meant is not sure
    return outcome


def _programs(made: Sequence[Plan]) -> list[str]:
    return [f"find {plan.bucket} where {' and '.join(plan.named)}" for plan in made if plan.names]


def _answer(best: _Found, linked: Linked, words: Sequence[Term], rarity: Weights, searches: Searches) -> Outcome | None:
    declared = searches.schema.fields(best.document.bucket)
    if len(best.fields) == 1 and declared:
        name = best.fields[0]
        if _is_said_better(name, linked, declared):
            return None
        field = LinkedField(best.document.bucket, name, declared[name], LEAST, frozenset())
        text = f"file = {print_string(best.document.files[0])}"
        plan = Plan(linked, best.document.bucket, (Condition("file", text, ""),), (), (field,), (), (), "")
        outcome = structured.value(plan, [best.document], searches)
        note = f"Read as a question about '{field.called}' of {best.document.title}: words and meaning both lead to it."
        if isinstance(outcome, Answer) and not _is_contested(best, outcome, searches):
            return outcome.model_copy(update={"notes": [note]})
        return None
    return by_sentence(best.sentence, linked, words, rarity, searches) if not best.fields else None


def _is_said_better(name: str, linked: Linked, declared: Mapping[str, FieldPart]) -> bool:
    """Whether the question has more words of another field of that kind, whose value is not known."""
    asked = {one.stem for one in linked.terms}

    def said(other: str) -> int:
        called = " ".join((*phrases(other, declared[other]), declared[other].description))
        return len(asked & stems(called.replace("_", " "), linked.language))

    fitting_ones = (other for other, part in declared.items() if not linked.kind or fits(linked.kind, part))
    return any(said(other) > said(name) for other in fitting_ones if other != name)


def _is_contested(best: _Found, outcome: Answer, searches: Searches) -> bool:
    """Whether a document that the answer does not cite names this one by a number, and has another amount of that
    kind."""
    cited = {one.document: one.quote for claim in outcome.claims for one in claim.citations}
    document = best.document
    part = searches.schema.fields(document.bucket)
    wanted = part[best.fields[0]].wanted(best.fields[0])
    known = {_plain(place.stored) for place in document.places if place.field == best.fields[0]}
    for id, quote in cited.items():
        told = {_plain(value) for one in amounts(quote, Style()) if (value := amount_value(wanted, one)) is not None}
        if id != document.id and not known & told:
            return True  # what it changes may be something else
    called = {
        str(place.stored) for place in document.places
        if place.field in part and part[place.field].type == "name"
        and any(one.isdigit() for one in str(place.stored))
    }  # fmt: skip

    def is_other(text: str) -> bool:
        values = [amount_value(wanted, one) for one in amounts(text, Style())]
        return any(value is not None and _plain(value) not in known for value in values)

    return bool(telling_another(sorted(called), cited.keys(), is_other, searches))


# --- what may be meant -----------------------------------------------------------------------------------------------


def _values(
    linked: Linked, programs: Sequence[str], words: Sequence[Term], rarity: Weights, searches: Searches, is_open: bool
) -> list[_Found]:
    """The values of the kind that is asked for, in the documents that have every name and number of the question, what
    others are called by, and as much of its other words as any."""
    hits: dict[str, Hit] = {one.id: one for one in passages_about(linked, "", searches)} if is_open else {}
    for program in programs:
        hits |= {one.id: one for one in passages_about(linked, f"document in ({program})", searches)}
    by_document: dict[str, list[Hit]] = {}
    for hit in hits.values():
        by_document.setdefault(document_of(hit), []).append(hit)
    documents = {one.id: one for one in searches.documents([*by_document])}
    read_pages(((id, None) for id in documents), searches)
    called = {one.id: _called(one, linked) for one in documents.values()}
    names = [
        one for one in linked.terms
        if is_name(one, linked) or (one in words and any(has_term(title, one, linked) for title in called.values()))
    ]  # fmt: skip
    known = rarity.without(rarity.unknown)
    having: list[tuple[float, Document]] = []
    for one in documents.values():
        text = stems(page_text(one.id, None, searches), linked.language) | called[one.id]
        if all(has_term(text, name, linked) for name in names):
            having.append((known.share({word.stem: 1.0 for word in words if has_term(text, word, linked)}), one))
    most = max((share for share, _ in having), default=0.0)
    given = frozenset(one.begin for one in names if is_name(one, linked))
    return [
        value for share, document in having if share >= most - MARGIN
        for hit in by_document[document.id]
        for value in _of_passage(hit, document, words, given, rarity, linked, searches)
    ]  # fmt: skip


def _called(document: Document, linked: Linked) -> frozenset[str]:
    """The words of a document's title and file."""
    return stems(" ".join((document.title, *document.files)).replace("_", " ").replace("/", " "), linked.language)


def _of_passage(
    hit: Hit, document: Document, words: Sequence[Term], given: frozenset[int], rarity: Weights, linked: Linked,
    searches: Searches,
) -> Iterator[_Found]:  # fmt: skip
    declared = searches.schema.fields(document.bucket)
    least = NAMED + (FITTING if linked.kind else 0)
    meant = {
        one.name for one in linked.fields
        if one.bucket == document.bucket and one.score >= least and (not linked.kind or fits(linked.kind, one.part))
    }  # fmt: skip
    kinds = {declared[one].type for one in meant}
    title = _called(document, linked)
    own = {
        one.stem
        for one in words
        if one.raw.islower() and one.begin not in given | linked.bucket_words and one.stem not in title
    }  # what is said of the thing, beside what names it
    for sentence in sentences_of(hit, words, given, rarity, linked, every=True):
        fields = [
            place.field for place in document.places
            if place.field in declared and not place.is_disputed and not declared[place.field].sensitive
            and _is_from(place, sentence) and str(place.stored).casefold() not in linked.text.casefold()
            and (not linked.kind or fits(linked.kind, declared[place.field]))
        ]  # fmt: skip
        fields = [*dict.fromkeys(fields)]
        amounts = _amounts(sentence, linked, kinds)
        if linked.kind == "date" and not any(_is_end(linked, one, sentence, fields, declared) for one in amounts):
            continue
        if not amounts and (linked.unit or not meant & {*fields}):
            continue
        described = "; ".join(
            " ".join((one.replace("_", " "), declared[one].description, *declared[one].words)) for one in fields
        )
        is_sure = True
        if len(amounts) > 1:
            amounts = _of_best_clause(amounts, sentence, linked)
            fields = [one for one in fields if _is_value_in(one, document, declared[one], amounts)]
            is_sure = len(amounts) == 1 and bool(fields)
        told = tuple(sorted({(str(one.number), one.unit, str(one.date)) for one in amounts}))
        is_meant = is_sure and (not meant or bool(meant & {*fields}))
        called = " ".join(f"{declared[one].description} {' '.join(phrases(one, declared[one]))}" for one in fields)
        is_meant = is_meant and (bool(linked.unit) or bool(own & stems(f"{sentence.text} {called}", linked.language)))
        fields = [one for one in fields if one in meant] or fields
        yield _Found(sentence, document, tuple(fields), described, told or (sentence.text,), is_meant)


def _is_from(place: Place, sentence: Sentence) -> bool:
    quote, text = normalised(place.quote), normalised(sentence.text)
    return bool(quote) and len(text) > 4 and (quote in text or text in quote)


def _amounts(sentence: Sentence, linked: Linked, kinds: Collection[str]) -> tuple[Amount, ...]:
    """The amounts of a sentence that may be asked for: none that the question says itself."""
    kind: Kind = next((one for one in _KINDS if one in kinds), "") if linked.kind == "" else linked.kind
    found = fitting(kind, sentence)
    if linked.unit:
        found = tuple(one for one in found or sentence.amounts if _converts(one, linked.unit))
    elif linked.kind == "number" and not kinds:
        return ()
    said = {(one.amount.number, one.amount.unit, one.amount.date) for one in linked.bounds}
    return tuple(one for one in found if (one.number, one.unit, one.date) not in said)


_KINDS: tuple[Kind, ...] = ("date", "duration", "money", "number")


def _is_end(
    linked: Linked, one: Amount, sentence: Sentence, fields: Sequence[str], declared: Mapping[str, FieldPart]
) -> bool:
    """Whether a date is the end of a time just as the one that is asked for."""
    before = sentence.text[: one.begin - sentence.begin][-_CLAUSE:]
    called = " ".join(phrase for name in fields for phrase in phrases(name, declared[name])[:2])
    return bool(END.search(linked.text)) == bool(END.search(f"{before} {called.replace('_', ' ')}"))


_CLAUSE = 40
"""Characters before a date that say what it is."""


def _of_best_clause(amounts: Sequence[Amount], sentence: Sentence, linked: Linked) -> tuple[Amount, ...]:
    """Of several amounts the one with most of the question's words before it, after the one before; all where no single
    one has most."""
    asked = {one.stem for one in linked.terms}
    begin, worth = sentence.begin, list[int]()
    for one in amounts:
        worth.append(len(asked & stems(sentence.text[begin - sentence.begin : one.begin - sentence.begin])))
        begin = one.end
    best = [one for one, count in zip(amounts, worth, strict=True) if count == max(worth)]
    return tuple(best) if len(best) == 1 and max(worth) else tuple(amounts)


def _is_value_in(name: str, document: Document, part: FieldPart, amounts: Sequence[Amount]) -> bool:
    """Whether one of some amounts is the value of a field."""
    wanted = part.wanted(name)
    values = [_plain(amount_value(wanted, one)) for one in amounts]
    return any(_plain(place.stored) in values for place in document.places if place.field == name)


def _plain(value: Any) -> str:
    """A value of a field, as it is read and as it is stored."""
    if isinstance(value, Mapping):
        value = value.get("amount")
    return f"{float(value):g}" if isinstance(value, Decimal | int | float) else str(value)[:10]


def _converts(one: Amount, unit: str) -> bool:
    return one.unit == unit or (bool(one.unit) and convert(one.number, one.unit, unit) is not None)


# --- which one -------------------------------------------------------------------------------------------------------


def _best(found: Sequence[_Found], linked: Linked, searches: Searches) -> _Found | None:
    """The value that is best by words, by meaning and by both; None where that is not the same one."""
    found = sorted(found, key=lambda one: -one.sentence.share)[:MOST_COMPARED]
    if not found or searches.embed is None:
        return None
    own = [f"{one.described} - {one.sentence.text}" if one.described else one.sentence.text for one in found]
    whole = [f"{one.sentence.title} - {text}" for one, text in zip(found, own, strict=True)]
    unnamed = "".join(
        " " if any(one.begin <= at < one.end and is_name(one, linked) for one in linked.terms) else letter
        for at, letter in enumerate(linked.text)
    )
    vectors = searches.embed([linked.text, unnamed, *own, *whole])
    if not vectors:
        return None  # there was no time
    question, rest, *vectors = vectors
    of_own, of_whole = vectors[: len(found)], vectors[len(found) :]
    meaning = [(_cosine(rest, one) + _cosine(question, other)) / 2 for one, other in zip(of_own, of_whole, strict=True)]
    words = [one.sentence.share for one in found]
    both = [one + other for one, other in zip(words, meaning, strict=True)]
    firsts = [scores.index(max(scores)) for scores in (both, words, meaning)]
    best = firsts[0]
    next_one = max((score for score, one in zip(both, found, strict=True) if one.key != found[best].key), default=0.0)
    label = listed([*found[best].fields]) or "no field"
    searches.record.left_out(
        f"{found[best].sentence.file}: {found[best].sentence.text}",
        f"{len(found)} values may be meant; this one ({label}) has {words[best]:.2f} by words, {meaning[best]:.2f} by "
        f"meaning, and {both[best] - next_one:.2f} more than the next one",
    )
    agree = all(found[at].key == found[best].key for at in firsts)
    is_near = words[best] >= LEAST_WORDS and meaning[best] >= LEAST_MEANING and both[best] >= LEAST_OF_BOTH
    return found[best] if agree and is_near and found[best].is_meant and both[best] - next_one >= MARGIN else None


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
