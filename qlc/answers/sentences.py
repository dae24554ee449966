"""The sentence of the documents that answers a question: chosen by the words it shares, and by the kind of its amounts.

A word counts by how rare it is: the logarithm of all passages to those that have it (inverse document frequency).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qlc.corpus.pages import Span
from qlc.corpus.sentences import sentences
from qlc.corpus.values.quantities import Amount, amounts, standing, style_of
from qlc.corpus.values.units import WORKING_DAYS, convert
from qlc.grammar.printer import print_string
from qlc.outcome import Hit

from .linking import Linked
from .searching import Searches
from .terms import Term, forms_of, stem, stems
from .vocabulary import Kind

PASSAGES = 30
"""Passages whose sentences are compared."""
OF_CONTEXT = 0.75
"""What a word is worth that is not in the sentence, but in the headings or the title above it."""
OF_NEIGHBOURS = 0.5
"""What a word is worth that is only in the sentence before or after."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a search found, with the headings above it. `name` is what a model is shown it as: `p1`."""

    id: str
    document: str
    file: str
    title: str
    page: int | None
    section: tuple[str, ...]
    text: str
    name: str = ""

    @property
    def heading(self) -> str:
        return " > ".join(self.section)


def document_of(hit: Hit) -> str:
    """The id of the document of a passage."""
    document = hit.values.get("document")
    return str(document.get("id") if isinstance(document, Mapping) else document)


def passage_of(hit: Hit) -> Passage:
    value = hit.values
    section = value.get("section") or ()
    return Passage(
        hit.id, document_of(hit),
        str((value.get("file") or [""])[0]), str(value.get("title") or ""), value.get("page"),
        (section,) if isinstance(section, str) else tuple(section), str(value.get("text", "")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place, and how much of the question it has: `share` from 0 to 1."""

    text: str
    passage: str
    begin: int
    document: str
    file: str
    title: str
    page: int | None
    share: float
    own: float
    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """How telling each word of a question is. `unknown` are those that no passage has."""

    of: Mapping[str, float]
    unknown: tuple[Term, ...]

    def without(self, words: Iterable[Term]) -> Weights:
        """Those of the other words."""
        left_out = {one.stem for one in words}
        return Weights({one: weight for one, weight in self.of.items() if one not in left_out}, ())

    def share(self, found: Mapping[str, float]) -> float:
        whole = sum(self.of.values())
        return sum(weight * found.get(one, 0.0) for one, weight in self.of.items()) / whole if whole else 0.0


def weights(words: Sequence[Term], searches: Searches) -> Weights:
    """Of the words of a question over all passages that the caller may see."""
    having = [
        (f"count passages where mentions {print_string(word.raw)}", f"passages with '{word.raw}'") for word in words
    ]
    everything, *counted = searches.counts([("count passages", "how many passages there are"), *having])
    known = [*zip(words, counted, strict=True)]
    found = {word.stem: math.log(1 + max(everything, 1) / (count + 0.5)) for word, count in known}
    return Weights(found, tuple(word for word, count in known if not count))


def candidates(
    linked: Linked, words: Sequence[Term], where: str, named: frozenset[int], rarity: Weights, searches: Searches
) -> list[Sentence]:
    """The sentences of the best passages, best first. `where` restricts them to documents that have the words at
    `named`."""
    hits = passages_about(linked, where, searches)
    found = [one for hit in hits for one in sentences_of(hit, words, named if where else frozenset(), rarity, linked)]
    return sorted(found, key=lambda one: (-round(one.share, 3), -one.own))


def nearest(linked: Linked, words: Sequence[Term], rarity: Weights, searches: Searches) -> Iterator[Sentence]:
    """The sentence with most of the question, then those of the best passages, as search ranks them: two of the first,
    then one of each. One with an amount of the kind that is asked for comes before the others."""
    hits = passages_about(linked, "", searches)
    found = [[*sentences_of(hit, words, frozenset(), rarity, linked, every=True)] for hit in hits]
    best = max((one for some in found for one in some), key=lambda one: (one.share, one.own), default=None)
    if best is not None:
        yield best
    for at, some in enumerate(found):
        ranked = sorted(some, key=lambda one: (not fitting(linked.kind, one), -one.share))
        yield from (one for one in ranked[: 1 if at else 2] if one is not best)


def passages_about(linked: Linked, where: str, searches: Searches) -> Sequence[Hit]:
    program = (
        f"find passages where about {print_string(linked.text)}{f' and {where}' if where else ''} limit {PASSAGES} "
        "show title, file, page, section, text, document"
    )
    return searches.hits("search_text", program, "passages that the question is about")[1]


def sentences_of(
    hit: Hit, words: Sequence[Term], given: frozenset[int], rarity: Weights, linked: Linked, *, every: bool = False
) -> Iterator[Sentence]:
    """Those of a passage that may answer a question, or every one."""
    its = passage_of(hit)
    text = its.text
    around = stems(" ".join((its.title, *its.section)), linked.language)
    named = stems(its.file.replace("_", " ").replace("/", " "), linked.language)
    style = style_of([text])
    headings = {line.strip() for line in its.section} | {its.title}
    spans = spans_of(text)
    own = [stems(text[one.begin : one.end], linked.language) for one in spans]
    for at, span in enumerate(spans):
        if text[span.begin : span.end] in headings:
            continue
        near = frozenset[str]().union(*own[max(at - 1, 0) : at + 2])
        worth = {
            word.stem: 1.0 if word.stem in own[at]
            else OF_CONTEXT if word.stem in around or word.stem in named or word.begin in given
            else OF_NEIGHBOURS if word.stem in near else 0.0
            for word in words
        }  # fmt: skip
        mine = rarity.share({stem: 1.0 for stem in worth if stem in own[at]})
        asked = {one for word in words for one in stems(word.raw, linked.language)}
        said = [word for word in words if word.raw.islower() and word.begin not in given]
        if not every and said and not any(word.stem in own[at] for word in said):
            continue  # it names the thing, and says nothing of what is asked
        says_more = own[at] - asked and (linked.kind != "name" or _names(text[span.begin : span.end], asked, linked))
        if not says_more and not every:
            continue  # it only says again what is asked
        yield Sentence(
            text[span.begin : span.end], its.id, span.begin, its.document, its.file, its.title, its.page,
            rarity.share(worth), mine, tuple(amounts(text, style, span.begin, span.end)),
        )  # fmt: skip


def spans_of(text: str) -> list[Span]:
    """The sentences of a text, without lines of marks (`|---|---|`). A paragraph that speaks to a program is left out
    whole."""
    parts = [part for span in sentences(text, Span(0, len(text))) for part in _lines(text, span)]
    found = [one for one in parts if any(map(str.isalnum, text[one.begin : one.end]))]
    orders = [Span(*one.span()) for one in _PARAGRAPH.finditer(text) if gives_orders(one[0])]
    return [one for one in found if not any(one.begin < other.end and other.begin < one.end for other in orders)]


def _lines(text: str, span: Span) -> Iterator[Span]:
    """Lines of tables and lists are sentences of their own where one has a tab or begins with a mark."""
    part = text[span.begin : span.end]
    is_labelled = len(re.findall(r"^[^\W\d_][^:\n]{0,40}:\s", part, re.MULTILINE)) > 1
    if "\t" not in part and " | " not in part and not is_labelled and not part.lstrip().startswith(("- ", "* ", "• ")):
        yield span
        return
    begin = span.begin
    for line in part.split("\n"):
        if line.strip():
            yield Span(begin + len(line) - len(line.lstrip()), begin + len(line.rstrip()))
        begin += len(line) + 1


_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instructions?|prompts?|rules?|above|previous|questions?|evidence|tasks?)\b"
    r"|^\W*(?:system|assistant|user|developer)\s*(?:prompt|message)?\s*:"
    r"|\byou are (?:now )?(?:an? |the )?(?:ai\b|assistant|chatbot|language model)"
    r"|\b(?:ai|assistants?|chatbots?|language models?|llms?)\b"
    r".{0,60}\b(?:must|should|shall|reply|respond|answer|say|output|forget|ignore|tell)\b"
    r"|\[/?INST\]|<\|\w+\|>|\"role\"\s*:|</?(?:evidence|passage|question|system|buckets|tools?)\b|^\W*human\s*:",
    re.IGNORECASE | re.DOTALL,
)


_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\s*\n|[-*•])[^\n]+)*")


def without_orders(text: str) -> str:
    """A text without its paragraphs that speak to a program."""
    return _PARAGRAPH.sub(lambda one: "" if gives_orders(one[0]) else one[0], text)


def gives_orders(text: str) -> bool:
    """Whether a sentence speaks to a program that reads it: it is no content, and is not quoted as an answer."""
    return _ORDERS.search(text) is not None


def _names(sentence: str, asked: set[str], linked: Linked) -> bool:
    """Whether a whole sentence names someone whom the question does not name."""
    if not re.search(r"[.!?][\"'”’)]*$", sentence):
        return False  # a row or a label tells who there is, not who does what
    found = re.findall(r"(?<!^)\b[^\W\d_a-z][^\W\d_]+", sentence)
    return any(stem(word, linked.language) not in asked for word in found)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a passage, with the headings above it."""

    text: str
    page: int | None
    section: str


def lines_of(hit: Hit) -> list[Line]:
    """The sentences of a passage, without its headings."""
    its = passage_of(hit)
    found = [its.text[one.begin : one.end] for one in spans_of(its.text)]
    return [Line(one, its.page, " ".join(its.section)) for one in found if one not in its.section]


_TIMES = ("s", "min", "h", "d", "week", "month", "year", *WORKING_DAYS)


def fitting(kind: Kind, sentence: Sentence) -> tuple[Amount, ...]:
    """The amounts of a sentence that are of the kind that is asked for."""
    kinds = {"date": ("date",), "money": ("money",), "duration": ("measure",), "number": ("measure", "number")}
    found = [one for one in sentence.amounts if one.kind in kinds.get(kind, ())]
    return tuple(one for one in found if kind != "duration" or one.unit in _TIMES)


def nearest_amounts(linked: Linked, sentence: Sentence) -> tuple[Amount, ...]:
    """Of several amounts that still hold those of the clause that has most of the question."""
    held = standing(" " * sentence.begin + sentence.text, sentence.amounts)
    found = fitting(linked.kind, replace(sentence, amounts=tuple(held)))
    if linked.unit:
        found = tuple(one for one in found if convert(one.number, one.unit, linked.unit) is not None) or found
    if len(found) < 2:
        return found
    asked = {one.stem for one in linked.terms}
    clauses = [Span(*one.span()) for one in re.finditer(r"[^;,]+", sentence.text)]
    named = {one.stem for one in linked.terms if is_name(one, linked)}
    said = [stems(sentence.text[one.begin : one.end], linked.language) for one in clauses]
    worth = [(len(named & one), len(asked & one)) for one in said]
    if worth.count(max(worth)) > 1:
        return found
    best = clauses[worth.index(max(worth))]
    begin, end = sentence.begin + best.begin, sentence.begin + best.end
    return tuple(one for one in found if begin <= one.begin < end) or found


# --- names of a question ---------------------------------------------------------------------------------------------

_DAY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\b"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?,?(?: (?:19|20)\d\d)?", re.IGNORECASE
)  # fmt: skip


_TITLES = ("Mr", "Mrs", "Ms", "Miss", "Dr", "Prof")


def has_term(text: frozenset[str], one: Term, linked: Linked) -> bool:
    return one.stem in text or stems(re.sub(r"[-./'’&]", " ", one.raw), linked.language) <= text


def is_name(one: Term, linked: Linked) -> bool:
    """Whether a word tells what is meant from others: it has a digit, or a capital that begins no sentence. A day is
    written in many ways. Countries are names, however they are written."""
    in_day = any(said.start() <= one.begin < said.end() for said in _DAY.finditer(linked.text))
    if one.begin in linked.unit_places or in_day or one.raw in _TITLES:
        return False
    starts = linked.text[: one.begin].rstrip()[-1:] in ("", ".", "?", "!", ":")
    is_capital = one.raw[0].isupper() and not starts
    return is_capital or any(letter.isdigit() for letter in one.raw) or len(forms_of(one.raw)) > 1
