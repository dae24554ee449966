"""What the words of a question stand for in the schema of a corpus: buckets, fields, closed values, amounts, measures.

Linking is by stems: a field is spoken of where the question has the words of its name, of a label or of its `words`;
those of its description count less. Nothing here searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from qlc.corpus.schema import BucketPart, CorpusSchema, FieldPart, singular
from qlc.corpus.values.quantities import Amount, Style, amounts
from qlc.grammar.units import find_unit

from .decomposition import Intent, Operator
from .terms import Term, is_run, noun_stem, stem, stems_in_order, terms

Kind: TypeAlias = Literal["date", "duration", "money", "number", "name", ""]
Measure: TypeAlias = Literal["min", "max", "avg", "sum", "count", ""]

NAMED, HALF_NAMED, DESCRIBED = 1.0, 0.5, 0.3
"""What a word of a field is worth: of a name that is said whole, of one that is said in part, of a description."""
FITTING = 0.4
"""What is added where a field has the kind of value that is asked for."""
LEAST = 0.9
"""What a field must reach to be the one that is asked for, and the distance to the next one is a third of it."""


@dataclass(frozen=True, slots=True)
class LinkedField:
    """A field that a question speaks of, and how surely. `used` are the places of its words in the question."""

    bucket: str
    name: str
    part: FieldPart
    score: float
    used: frozenset[int]

    @property
    def begin(self) -> int:
        return min(self.used, default=0)


@dataclass(frozen=True, slots=True)
class Bound:
    """An amount in the question with its comparison: `at least 50 V`, `under 60 days`, `in 2023`."""

    operator: Operator
    amount: Amount
    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Period:
    """A time that moves: `this year`, `last month`."""

    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A closed value that the question names."""

    bucket: str
    field: str
    value: str
    used: frozenset[int]


@dataclass(frozen=True, slots=True)
class Linked:
    """A question, as far as the schema explains it."""

    text: str
    language: str
    terms: tuple[Term, ...]
    intent: Intent
    measure: Measure
    kind: Kind
    buckets: tuple[str, ...]
    bucket_words: frozenset[int]
    fields: tuple[LinkedField, ...]
    bounds: tuple[Bound, ...]
    chosen: tuple[Chosen, ...]
    rest: str
    """The question without its amounts and their comparisons."""
    periods: tuple[Period, ...]
    spent: frozenset[int]
    """Places of words that say what is done, not what is meant: `compare`, `minimum`, `summarize`."""

    @property
    def open_terms(self) -> tuple[Term, ...]:
        """The words that neither a bucket nor a closed value nor what is to be done explains."""
        used = self.bucket_words | self.spent | {at for one in self.chosen for at in one.used}
        return tuple(one for one in self.terms if one.begin not in used)


def link(text: str, schema: CorpusSchema) -> Linked:
    """Read a question beside a schema."""
    language = schema.file.language
    bounds = tuple(_bounds(text))
    periods = tuple(Period(one[0].lower(), *one.span()) for one in _PERIOD.finditer(text))
    spans = [(one.begin, one.end) for one in bounds] + [(one.begin, one.end) for one in periods]
    taken = {at for begin, end in spans for at in range(begin, end)}
    rest = "".join(" " if at in taken else letter for at, letter in enumerate(text))
    words = tuple(one for one in terms(text, language) if one.begin not in taken)
    intent, measure, spent = _intent(text)
    kind = _kind(text)
    buckets, bucket_words = _buckets(words, schema)
    if measure == "count" and (kind == "duration" or not buckets):  # how many of something that a document tells
        intent, measure = "qa", ""
    among = buckets or tuple(schema.file.buckets)
    fields = tuple(
        sorted(
            (
                one
                for bucket in among
                for name, part in schema.file.buckets[bucket].fields.items()
                if (one := _linked(bucket, name, part, words, kind, text, language)) is not None
                and not one.used <= bucket_words
            ),
            key=lambda one: -one.score,
        )
    )
    chosen = tuple(_nearest(_chosen(words, among, schema, language), fields))
    if intent == "qa" and (buckets or bounds or chosen) and not _ASKING.search(text):
        intent = "list"
    done = (intent, measure, kind)
    return Linked(text, language, words, *done, buckets, bucket_words, fields, bounds, chosen, rest, periods, spent)


# --- what is to be done ----------------------------------------------------------------------------------------------

_MEASURES: Mapping[Measure, str] = {
    "min": r"minimum|smallest|lowest|(?<!at )least|shortest|narrowest|cheapest|earliest",
    "max": r"maximum|largest|biggest|highest|greatest|longest|widest|most expensive|latest",
    "avg": r"average|mean(?= \w+)",
    "sum": r"sum of|in all|altogether|add up|together",
    "count": r"how many|number of|count",
}
_INTENTS: tuple[tuple[Intent, str], ...] = (
    ("compare", (r"^(?:please )?(?:compare|contrast)\b|\bversus\b|\bvs\.?(?=\s)|\bside by side\b"
                r"|^(?:a |give me a )?table of\b")),
    ("summarize", r"^(?:please )?(?:summari[sz]e|sum up|outline|explain|describe)\b|\b(?:summary|overview) of\b"),
    ("list", (r"^(?:please )?(?:list|find|show|give|get|display|all|every|any)\b|^which of\b"
             r"|^(?:which|what) (?!(?:is|was|does|has)\b)\w+s\b"
             r"|^(?:which|what)(?: \w+){1,4}? (?:are|were|have|do|come)\b")),
)  # fmt: skip
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("duration", (r"\bhow (?:long|often)\b"
                 r"|\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b")),
    ("date", (r"^when\b|\b(?:until|since) when\b|\bwhen (?:is|was|did|does)\b"
             r"|\bwhat date\b|\b(?:on )?(?:which|what) (?:day|date)\b")),
    ("money", (r"\bhow much (?:does|do|did|is|was|are|were)\b|\b(?:what|which) (?:price|amount|fee|cost)\b|\bcosts?\b"
              r"|\bamount due\b")),
    ("name", r"^whom?\b|^whose\b|^(?:from|with) (?:which|whom)\b"),
    ("number", r"\bhow (?:many|high|wide|tall|heavy|deep|big|large|fast|hot|cold)\b|\b(?:at|to) (?:what|which)\b"),
)  # fmt: skip


def _intent(text: str) -> tuple[Intent, Measure, frozenset[int]]:
    low = text.strip().lower()
    spent: set[int] = set()
    measure: Measure = ""
    for name, form in _MEASURES.items():
        if found := re.search(rf"\b(?:{form})\b", text, re.IGNORECASE):
            measure = name
            spent |= set(range(*found.span()))
            break
    intent: Intent = "compute" if measure else "qa"
    for one, form in _INTENTS:
        if found := re.search(form, low):
            begin = text.lower().index(low[found.start() : found.end()])
            if one != "list":
                spent |= set(range(begin, begin + found.end() - found.start()))
            intent = "compute" if one == "list" and measure not in ("", "count") else one
            if one in ("compare", "summarize"):
                measure, spent = "", set(range(begin, begin + found.end() - found.start()))
            break
    return intent, measure, frozenset(spent)


_ASKING = re.compile(
    r"\?|\b(?:who|what|when|where|which|how|why|whose|whom)\b|^(?:is|are|was|were|do|does|did)\b", re.IGNORECASE
)


def _kind(text: str) -> Kind:
    return next((kind for kind, form in _KINDS if re.search(form, text, re.IGNORECASE)), "")


# --- buckets and fields ----------------------------------------------------------------------------------------------


def _buckets(words: tuple[Term, ...], schema: CorpusSchema) -> tuple[tuple[str, ...], frozenset[int]]:
    """The buckets that are named, and the places of the words for them."""
    found: dict[str, None] = {}
    used: set[int] = set()
    for name, bucket in schema.file.buckets.items():
        for phrase in _nouns(name, bucket):
            for at in _runs(stems_in_order(phrase, schema.file.language), words):
                found[name] = None
                used |= at
    return tuple(found), frozenset(used)


def _nouns(name: str, bucket: BucketPart) -> Iterator[str]:
    yield from (name.replace("_", " "), (bucket.singular or singular(name)).replace("_", " "), *bucket.words)


def _runs(wanted: tuple[str, ...], words: tuple[Term, ...]) -> Iterator[set[int]]:
    for at in range(len(words) - len(wanted) + 1):
        run = words[at : at + len(wanted)]
        if wanted and tuple(one.stem for one in run) == wanted:
            yield {one.begin for one in run}


def phrases(name: str, part: FieldPart) -> tuple[str, ...]:
    """What a field is called. A unit at the end of its name is none of it: `width_mm`, `notice_days`."""
    words = name.split("_")
    while len(words) > 1 and (find_unit(words[-1]) is not None or words[-1] in ("pct", "c", "f", "v", "w", "a")):
        words.pop()
    return (" ".join(words), *part.labels, *part.words)


def _linked(
    bucket: str, name: str, part: FieldPart, words: tuple[Term, ...], kind: Kind, text: str, language: str
) -> LinkedField | None:
    if part.type == "rows" or part.sensitive:
        return None
    by_stem: dict[str, set[int]] = {}
    nouns = KIND_NOUNS.get(kind, frozenset())
    for word in (one for one in words if one.stem not in nouns):
        for one in {word.stem, noun_stem(word.raw, language), *stems_in_order(word.raw, language)}:
            by_stem.setdefault(one, set()).add(word.begin)
    best, used = 0.0, frozenset[int]()
    for phrase in phrases(name, part):
        wanted = frozenset(one.stem for one in terms(phrase, language))
        said = [one for one in wanted if one in by_stem]
        worth = len(said) * (NAMED if len(said) == len(wanted) else HALF_NAMED)
        if said and worth > best:
            places = _together([by_stem[one] for one in said])
            if not re.search(r"[,;:]", text[min(places) : max(places)]):
                best, used = worth, places
    described = [one.stem for one in terms(part.description, language) if one.stem in by_stem]
    hinted = frozenset(at for one in described for at in by_stem[one])
    score = best + DESCRIBED * len(hinted - used)
    if score == 0:
        return None
    if kind and fits(kind, part):
        score += FITTING
    return LinkedField(bucket, name, part, score, used or hinted)


def _together(places: list[set[int]]) -> frozenset[int]:
    """One place for each word of a phrase: those that are nearest to one another."""
    first, *others = places
    runs = (frozenset((at, *(min(some, key=lambda one, at=at: abs(one - at)) for some in others))) for at in first)  # type: ignore[misc]
    return min(runs, key=lambda run: max(run) - min(run))


def fits(kind: Kind, part: FieldPart) -> bool:
    """Whether a field has values of a kind that a question asks for."""
    wanted = {"name": ("name", "text", "choice"), "number": ("number", "duration")}.get(kind, (kind,))
    return part.type in wanted


def _chosen(words: tuple[Term, ...], buckets: Iterable[str], schema: CorpusSchema, language: str) -> Iterator[Chosen]:
    for bucket in buckets:
        for name, part in schema.file.buckets[bucket].fields.items():
            for value, others in part.values.items() if part.type == "choice" and not part.sensitive else ():
                for spelling in (value, *others):
                    wanted = tuple(one.stem for one in terms(spelling, language))
                    for at in _runs(wanted, words):
                        yield Chosen(bucket, name, value, frozenset(at))


def _nearest(chosen: Iterable[Chosen], fields: tuple[LinkedField, ...]) -> Iterator[Chosen]:
    """Of values that the same words name, those of the field whose words are nearest; longer spellings count first."""
    begins = {(one.bucket, one.name): one.used for one in fields}
    groups: dict[frozenset[int], list[Chosen]] = {}
    for one in chosen:
        if one not in groups.setdefault(one.used, []):
            groups[one.used].append(one)
    taken: set[int] = set()
    for used, group in sorted(groups.items(), key=lambda item: (-len(item[0]), min(item[0]))):
        if used & taken:
            continue
        taken |= used
        names = {one.field for one in group}
        if len(names) > 1:
            distance = {
                one: min((abs(at - to) for at in used for to in begins.get((one.bucket, one.field), ())), default=999)
                for one in group
            }
            least = min(distance.values())
            group = [one for one in group if distance[one] == least]
        yield from group


KIND_NOUNS: Mapping[str, frozenset[str]] = {
    kind: frozenset(stem(word) for word in words.split())
    for kind, words in {
        "duration": "long period periods time length duration days weeks months years hours minutes",
        "date": "date dates day days time moment",
        "money": "amount amounts price prices sum cost costs money",
        "number": "number level figure value measure",
        "name": "name person people company",
    }.items()
}
"""Nouns that only say of what kind a value is: they restrict nothing where a field of this kind is meant."""


# --- amounts ---------------------------------------------------------------------------------------------------------

_COMPARISONS: tuple[tuple[Operator, str], ...] = (
    (">=", r"at least|no less than|not less than|minimum of|since|>=|≥|or more|and more|and above|or above|and up"),
    ("<=", r"at most|no more than|not more than|maximum of|up to|within|<=|≤|or less|and below|or below|or fewer"),
    (">", r"more than|over|above|greater than|higher than|longer than|larger than|wider than|exceeding|beyond|after|>"),
    ("<", r"less than|under|below|fewer than|lower than|shorter than|smaller than|narrower than|before|<"),
)
_Forms: TypeAlias = tuple[tuple[Operator, re.Pattern[str]], ...]
_BEFORE: _Forms = tuple((sign, re.compile(rf"(?:{form})\s*$", re.IGNORECASE)) for sign, form in _COMPARISONS)
_AFTER: _Forms = tuple((sign, re.compile(rf"\s*(?:{form})\b", re.IGNORECASE)) for sign, form in _COMPARISONS)
_PERIOD = re.compile(r"\b(?:this|last|next) (?:year|month|week|quarter)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19\d\d|20[0-4]\d)\b")


def _bounds(text: str) -> Iterator[Bound]:
    found = amounts(text, Style())
    between: set[int] = set()
    for one, other in pairwise(found):
        before = re.search(r"\b(?:between|from)\s*$", text[: one.begin], re.IGNORECASE)
        if before and re.fullmatch(r"\s*(?:and|to|-|–)\s*", text[one.end : other.begin], re.IGNORECASE):
            if one.kind == "number" and other.kind in ("measure", "money"):  # the unit stands once
                one = replace(one, kind=other.kind, unit=other.unit)
            yield Bound(">=", one, text[before.start() : other.end], before.start(), other.begin)
            yield Bound("<=", other, text[before.start() : other.end], other.begin, other.end)
            between |= {one.begin, other.begin}
    for amount in (one for one in found if one.begin not in between):
        begin, end = amount.begin, amount.end
        sign: Operator | None = None
        for operator, form in _BEFORE:
            if (said := form.search(text, 0, amount.begin)) and not sign:
                sign, begin = operator, said.start()
        for operator, form in _AFTER:
            follows = re.match(r"\s*(?:or|and)\b", text[amount.end :])
            if follows and (said := form.match(text, amount.end)) and not sign:
                sign, end = operator, said.end()
        if not sign and amount.kind == "number" and not _YEAR.fullmatch(str(amount.number)):
            continue  # a part of a name: `ISO 27001`
        yield Bound(sign or "=", amount, text[begin:end], begin, end)


def is_year(bound: Bound) -> bool:
    """Whether a number is a year: of four digits, without a unit."""
    one = bound.amount
    return one.kind == "number" and bool(_YEAR.fullmatch(str(one.number)))


__all__ = ["Bound", "Chosen", "Kind", "Linked", "LinkedField", "Measure", "is_run", "is_year", "link", "phrases"]
