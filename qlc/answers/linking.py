"""Links the words of a question to the schema of a corpus: buckets, fields, closed values, amounts, measures.

Linking is by stems. A field is meant if the question has the words of its name, of a label or of its `words`; words of
its description count less. This module sends no searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from qlc.base.units import find_unit
from qlc.corpus.schema import BucketPart, CorpusSchema, FieldPart
from qlc.language.comparisons import MORE_THAN, Comparison, comparisons, fiscal_years, period_comparisons
from qlc.language.quantities import named_currency
from qlc.language.stems import stem
from qlc.language.units import unit_of

from .decomposition import HOW_MANY, Intent, Measure
from .groups import Group, groups_in
from .terms import Term, noun_stem, stems_in_order, term_stems, terms
from .vocabulary import (
    DESCRIBED,
    FITTING,
    HALF_NAMED,
    KIND_NOUNS,
    LEAST,
    NAMED,
    OTHERWISE_NAMED,
    PAPERS,
    Kind,
    LinkedField,
    fits,
    nouns_of,
    phrases,
    synonyms,
)

_KIND_NOUN_BONUS = 0.05
"""Added to the score of a field if its name is followed by a noun for its kind of value: `due` + `date`."""


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
    bounds: tuple[Comparison, ...]
    chosen: tuple[Chosen, ...]
    rest: str
    """The question without its amounts and their comparisons."""
    spent: frozenset[int]
    """Places of words for the task itself: `compare`, `minimum`, `summarize`."""
    groups: tuple[Group, ...] = ()
    owner: int = -1
    """The place after the fields that it begins with: of `leases` in `rent and deposit of the leases`; else -1."""

    @property
    def unit(self) -> str:
        """The unit that the answer is wanted in, as documents write it, or the code of a currency: `in km/h`, `how many
        weeks`; empty where none is said."""
        return self._unit[0]

    @property
    def unit_places(self) -> frozenset[int]:
        return self._unit[1]

    @property
    def unit_is_strict(self) -> bool:
        """Whether no other unit will do; `how many days` is answered in months where a document says months."""
        return self._unit[2]

    @property
    def _unit(self) -> tuple[str, frozenset[int], bool]:
        for said in _IN_UNIT.finditer(self.text):
            known = find_unit(said[1])
            code = named_currency(said[1])
            is_letter = len(said[1]) == 1 and not re.match(r"\W*$|,", self.text[said.end() :])
            name = unit_of(said[1]) or (known.name if known is not None else code[0] if code else "")
            if name and not is_letter and not any(one.start <= said.start(1) < one.end for one in self.bounds):
                return name, frozenset(range(*said.span(1))), not said[0].lower().startswith("how")
        return "", frozenset(), False

    @property
    def asks_of_several(self) -> bool:
        """Whether a question is about each, any or none of the documents of a bucket, which no single value answers:
        `which contract has no liability cap`, `does any contract renew`."""
        if not self.bucket_words:
            return False
        denied = _NONE.search(self.text) is not None
        return denied or any(_QUANTIFIED.search(self.text, 0, at) for at in self.bucket_words)

    @property
    def open_terms(self) -> tuple[Term, ...]:
        """Return the words that are not explained by buckets, by closed values or by the task."""
        used = self.bucket_words | self.spent | {at for one in self.chosen for at in one.used}
        return tuple(one for one in self.terms if one.begin not in used)


_NONE = re.compile(r"\b(?:no(?!\.)|none|neither|nobody|without)\b", re.IGNORECASE)
_QUANTIFIED = re.compile(
    r"\b(?:any|others?|another|every|each|all|both|most)\s+(?:(?:of|the|our|these|those)\s+)*(?:\w+\s+)?$", re.I
)
_IN_UNIT = re.compile(r"\b(?:in|into|how many) ([^\W\d_°][^\s?,;'’]*|°[CF])(?!\s+of\b)", re.IGNORECASE)


def link(text: str, schema: CorpusSchema) -> Linked:
    """Read a question beside a schema."""
    language = schema.file.language
    fiscal = [*fiscal_years(text)]
    times = (*fiscal, *period_comparisons(text))
    spans = [(one.start, one.end) for one in times]
    bounds = (*(one for one in comparisons(text) if not any(one.start < e and b < one.end for b, e in spans)), *times)
    spans += [(one.start, one.end) for one in bounds]
    spans += [found.span() for found in MORE_THAN.finditer(text)]
    taken = {at for begin, end in spans for at in range(begin, end)}
    rest = "".join(" " if at in taken else letter for at, letter in enumerate(text))
    words = tuple(one for one in terms(text, language) if one.begin not in taken)
    intent, measure, spent = _intent(text)
    kind: Kind = next((one for one, form in _KINDS if re.search(form, text, re.IGNORECASE)), "")
    buckets, bucket_words = _buckets(words, text, schema)
    counted = HOW_MANY.search(text)
    if measure == "sum" and counted and any(counted.start(1) <= at < counted.end(1) for at in bucket_words):
        measure = "count"  # `how many orders in all`
    if measure == "count" and (kind == "duration" or not buckets):  # how many of something that a document tells
        intent, measure = "qa", ""
    verbs = {one.begin for one in words if kind == "name" and one.raw.endswith("ed")}  # who inspected it
    among = buckets or tuple(schema.file.buckets)
    fields = tuple(
        sorted(
            (
                one
                for bucket in among
                for name, part in schema.fields(bucket).items()
                if (one := _linked(bucket, name, part, words, kind, rest, language)) is not None
                and not one.used <= bucket_words - verbs
                and not (measure == "count" and one.used <= spent)
            ),
            key=lambda one: -one.score,
        )
    )
    fields = _with_synonyms(fields, words, among, kind, schema)
    newest = _NEWEST.search(text) if buckets and not measure and intent in ("qa", "list") else None
    if newest is not None and not any(newest.start() in one.used for one in fields):  # no age is asked for
        intent, measure, spent = "compute", "max" if newest[1] else "min", frozenset(range(*newest.span()))
    named = _chosen([one for one in words if not _HOW.search(text, 0, one.begin)], among, schema, language)
    whole = [one.used for one in fields if one.is_whole]
    chosen = tuple(one for one in _nearest(named, fields) if not any(one.used <= used for used in whole))
    starts = bool(words) and words[0].begin in bucket_words and "?" not in text and words[0].begin < 12
    restricting = [one for one in bounds if one not in fiscal]  # `EBITDA for FY 2023` asks for a value
    owner, is_total = _owner(text, words, fields, bounds)
    of_each = owner in bucket_words and _word_at(text, owner).endswith("s")
    if is_total and of_each and not measure:
        intent, measure, spent = "compute", "sum", frozenset((words[0].begin,))
    if intent == "qa" and (buckets or restricting or chosen) and (starts or not is_asking(text)):
        intent = "list" if owner < 0 or of_each else "qa"
    if measure in ("", "sum") and any(_OF_EACH.search(text, 0, at) for at in bucket_words):
        intent, measure, spent = "list", "", frozenset()
    groups = tuple(groups_in(rest, fields, among, schema))
    if groups:
        if groups[0].extreme and bucket_words:
            measure = "count" if measure in ("", "min", "max") else measure
        elif not measure:
            form = _TOTALS if starts else _TOTAL  # of `invoices by vendor that were paid` nothing is added up
            measure = "sum" if form.search(text) else "count" if starts else ""
        intent = "compute" if measure else intent
    groups = groups if intent == "compute" else ()
    done = (intent, measure, kind)
    return Linked(
        text, language, words, *done, buckets, bucket_words, fields, bounds, chosen, rest, spent, groups, owner
    )


def _owner(
    text: str, words: Sequence[Term], fields: Sequence[LinkedField], bounds: Sequence[Comparison]
) -> tuple[int, bool]:
    """Return the place after the fields that a question begins with, or -1; and whether it begins with `total`.

    `notice period of the Halden contract` -> the place of `Halden`.
    """
    named = {at for one in fields if one.score >= LEAST for at in one.used}
    is_total = len(words) > 1 and words[0].raw.lower() == "total" and words[0].begin not in named
    head = [*takewhile(lambda one: one.begin in named, words[is_total:])]
    is_first = bool(head) and not re.sub(r"\b(?:the|all|total)\b|\W", "", text[: head[0].begin], flags=re.IGNORECASE)
    found = _OF_ITS.match(text, head[-1].end) if is_first else None
    if found is None or any(one.start <= found.end() < one.end for one in bounds):
        return -1, False
    return found.end(), is_total


_OF_ITS = re.compile(r"\s+(?:of|for|in|at)\s+(?:(?:all|of|the|our|these)\s+)*", re.IGNORECASE)


def _word_at(text: str, at: int) -> str:
    return re.compile(r"\w*").match(text, at)[0].lower()  # type: ignore[index]


_NEWEST = re.compile(r"\b(?:(newest|most recent)|oldest)\b", re.IGNORECASE)
_OF_EACH = re.compile(r"\b(?:of|for) (?:each|every)\s+$", re.IGNORECASE)
"""`the total of each order`: no sum."""

# --- what is to be done ----------------------------------------------------------------------------------------------

_MEASURES: Mapping[Measure, str] = {
    "min": r"minimum|smallest|lowest|(?<!at )least|shortest|narrowest|cheapest|earliest",
    "max": r"maximum|largest|biggest|highest|greatest|longest|widest|most expensive|latest",
    "avg": r"average|(?<=the )mean(?= \w+)|^mean(?= \w+)",
    "sum": r"sum of|in all|altogether|add up|together|in total|combined"
    r"|total of|total(?= (?:value|amount|cost|sum|price)s? of\b)|summed(?: up)?|added up"
    r"|(?:have|has) (?:we|they|i|it) (?:spent|paid)"
    r"|how much(?= (?:have|has|did|had) (?:[\w&.'’-]+ ){1,4}(?:spen[dt]|pay|paid|charged?|bill(?:ed)?|invoiced?))",
    "count": r"how many|number of|count",
}
_INTENTS: tuple[tuple[Intent, str], ...] = (
    ("compare", (r"^(?:please )?(?:compare|contrast)\b|\bversus\b|\bvs\.?(?=\s)|\bside by side\b"
                r"|\bnext to (?:each |one an)other\b|\b(?:differ|apart)\b(?=.* in )|^(?:a |give me a )?table of\b")),
    ("summarize", (r"^(?:please )?(?:summari[sz]e|sum up|outline|explain|describe)\b"
                  r"|\b(?:summary|overview|gist|outline|(?:main|key) (?:points|terms)) of\b|\bin a nutshell\b")),
    ("list", (r"(?:^|[.?!;] )(?:please )?(?:list|find|show|give|get|display)\b|^(?:please )?(?:all|every|any)\b"
             r"|[.?!] i (?:need|want) (?:the|all|those)\b|^which of\b"
             r"|^(?:which|what) (?!(?:is|was|does|has)\b)[\w'’-]*[^\Ws]s\b(?!['’])"
             r"|^(?:which|what)(?! (?:is|was|does|did|do|has|will|would|should|can|must|may|are|were)\b)"
             r"(?: [\w'’-]+){0,3} (?!(?:does|has|was|is|this)\b)[\w'’-]*[^\Ws]s(?: [\w'’-]+){0,3}?"
             r" (?:are|were|have|do|come)\b")),
)  # fmt: skip
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("duration", (r"\bhow (?:long|often)\b|\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b")),
    ("date", (r"^when\b|\b(?:until|since|by) when\b|\bwhen (?:is|was|did|does)\b"
             r"|\bwhat date\b|\b(?:on )?(?:which|what) (?:day|date)\b")),
    ("money", (r"\bhow much (?:money|does|do|did|is|was|are|were)\b|\b(?:what|which) (?:price|amount|fee|cost)\b"
              r"|\bcosts?\b|\bamount due\b|\bhow much\b.*\b(?:pay|paid|spend|spent|charged?|lodged?)\b"
              r"|^what (?:have|has) \w+ (?:spent|paid)\b"
              r"|^what (?:does|do|did|will|would|must)\b.*\b(?:pay|charge|come to|amount to)\b")),
    ("name", r"^whom?\b|^whose\b|^(?:from|with|by|to) (?:which|whom)\b|[,:;] who\b"),
    ("number", (r"\bhow (?!(?:do|does|did|is|are|was|were|can|could|should|would|must|may|will|to|about)\b)[a-z]+\b"
               r"|\b(?:at|to|above|below|up to) (?:what|which)\b")),
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


_TOTAL = re.compile(r"\b(?:totals?|how much (?:have|has|did|do|does|was|were)|spent|spend|paid)\b", re.IGNORECASE)
_TOTALS = re.compile(r"\btotals?\b", re.IGNORECASE)


_HOW = re.compile(r"\bhow\s+$", re.IGNORECASE)  # `how high` is no level
_ASKING = re.compile(
    r"\?|\b(?:who|what|when|where|which|how|why|whose|whom)\b|^(?:is|are|was|were|do|does|did)\b", re.IGNORECASE
)


def is_asking(text: str) -> bool:
    return _ASKING.search(text) is not None


# --- buckets and fields ----------------------------------------------------------------------------------------------


def _buckets(words: tuple[Term, ...], text: str, schema: CorpusSchema) -> tuple[tuple[str, ...], frozenset[int]]:
    """Return the buckets that the question names, and the places of their names.

    A bucket is left out if its noun is also a field of another bucket (the notice of a contract), unless the question
    has the bucket's own name (`notices`).
    """
    found: dict[str, set[int]] = {}
    language = schema.file.language
    in_fields = {name: _places_in_fields(bucket, words, language) for name, bucket in schema.file.buckets.items()}
    for name, bucket in schema.file.buckets.items():
        others = frozenset[int]().union(*(at for one, at in in_fields.items() if one != name)) - in_fields[name]
        for phrase in nouns_of(name, bucket, schema.file.buckets):
            for at in _runs(stems_in_order(phrase, language), words):
                is_part = at <= others and phrase not in (name, bucket.singular)  # `notice` of a `notice period`
                if not is_part and not _NOUN_BREAK.search(text, min(at), max(at)):
                    found.setdefault(name, set()).update(at)
        called = {each.casefold() for field, part in bucket.fields.items() for each in (field, *part.words)}
        said = {word for noun in nouns_of(name, bucket, schema.file.buckets) for word in noun.casefold().split()}
        fields = {one.begin for one in words if one.raw.casefold() in called - said}
        if found.get(name, set()) - fields:  # `the insurer of the certificates` is a field of the insurance
            found[name] -= fields
    known = {
        (bucket, frozenset(stems_in_order(phrase, language)))
        for bucket, part in schema.file.buckets.items()
        for name, field in part.fields.items()
        for phrase in (*phrases(name, field)[:2], *field.words)
    }
    by_place = {one.begin: one for one in words}
    doubtful = {
        name for name, places in found.items()
        if all(by_place[at].raw.lower() != name for at in places)
        and any(bucket != name and stems <= {by_place[at].stem for at in places} for bucket, stems in known)
    }  # fmt: skip
    found = {name: places for name, places in found.items() if name not in doubtful}
    places = {at for some in found.values() for at in some}
    for one, after in pairwise(words):  # `incident reports`, where incidents are the bucket's
        if one.begin in places and after.begin - one.end < 2 and after.stem in PAPERS:
            places.add(after.begin)
    return tuple(found), frozenset(places)


def _places_in_fields(bucket: BucketPart, words: Sequence[Term], language: str) -> frozenset[int]:
    """Return the places of words that name a field by several words: `notice` and `period`."""
    every = (phrase for name, part in bucket.fields.items() for phrase in phrases(name, part))
    called = {stems_in_order(phrase, language) for phrase in every}
    return frozenset(at for one in called if len(one) > 1 for run in _runs(one, words) for at in run)


_NOUN_BREAK = re.compile(r"[,;:?!]|\b(?:do|does|did|is|are|was|were|has|have|had)\b", re.IGNORECASE)
"""Marks that end the name of a bucket: `what condition does the report give` does not ask for a condition report."""


def _runs(wanted: tuple[str, ...], words: Sequence[Term]) -> Iterator[set[int]]:
    for at in range(len(words) - len(wanted) + 1):
        run = words[at : at + len(wanted)]
        if wanted and tuple(one.stem for one in run) == wanted:
            yield {one.begin for one in run}


_NUMBER = frozenset(("number", "numbers", "no", "nr", "id", "ids", "code", "codes", "reference", "references", "ref"))


def _linked(
    bucket: str, name: str, part: FieldPart, words: tuple[Term, ...], kind: Kind, text: str, language: str
) -> LinkedField | None:
    if (part.type == "rows" and not part.by) or part.is_confidential:
        return None
    if part.wanted(name).is_number and not any(one.raw.lower() in _NUMBER for one in words):
        return None  # `incident report no.` is no field of `the incident reports`
    nouns = KIND_NOUNS.get(kind, frozenset())
    places = _places([one for one in words if one.stem not in nouns], text, language)
    best, used, is_whole = 0.0, frozenset[int](), False
    for phrase in phrases(name, part):
        wanted = term_stems(phrase, language)
        said = [places[one] for one in wanted if one in places]
        worth = len(said) * (NAMED if len(said) == len(wanted) else HALF_NAMED)
        if worth > best:
            run = _together(said)
            if (noun := _noun_after(max(run), part, words)) is not None:  # `notice period`, `due date`
                run, worth = run | {noun}, worth + (FITTING if len(said) < len(wanted) else _KIND_NOUN_BONUS)
            if not (_APART if _AND.search(phrase) is None else _MARKS).search(text, min(run), max(run)):
                best, used, is_whole = worth, run, len(said) == len(wanted) > 1
    described = term_stems(part.description, language)
    hinted = frozenset(at for one in described & places.keys() for at in places[one])
    score = best + DESCRIBED * len(hinted - used)
    if score == 0:
        return None
    if kind and fits(kind, part.fields["value"] if part.by else part):
        score += FITTING
    return LinkedField(bucket, name, part, score, used or hinted, hinted, is_whole)


def _with_synonyms(
    fields: tuple[LinkedField, ...], words: Sequence[Term], among: Sequence[str], kind: Kind, schema: CorpusSchema
) -> tuple[LinkedField, ...]:
    """Add the fields whose synonyms are in the question: `supplier`, where the field is called `vendor`."""
    used = {(one.bucket, at) for one in fields if one.score >= LEAST for at in one.used}
    found = list(fields)
    language = schema.file.language
    for bucket in among:
        declared = schema.fields(bucket)
        free = [one for one in words if (bucket, one.begin) not in used]
        done = {one.name for one in fields if one.bucket == bucket and one.score >= LEAST}
        for name, phrase in synonyms(declared):
            runs = _runs(stems_in_order(phrase, language), free) if name not in done else ()
            for run in list(runs)[:1] if not declared[name].sensitive else ():
                done.add(name)
                score = OTHERWISE_NAMED + (FITTING if kind and fits(kind, declared[name]) else 0)
                found = [one for one in found if (one.bucket, one.name) != (bucket, name)]
                found.append(LinkedField(bucket, name, declared[name], score, frozenset(run)))
    return tuple(sorted(found, key=lambda one: -one.score))


_MARKS, _AND = re.compile(r"[,;:]"), re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
_APART = re.compile(rf"{_MARKS.pattern}|{_AND.pattern}", re.IGNORECASE)


def _noun_after(at: int, part: FieldPart, words: tuple[Term, ...]) -> int | None:
    """Return the place of the next word if it is a noun for the field's kind of value; else None."""
    nouns = KIND_NOUNS.get(part.type, frozenset()) | ({stem("term")} if part.type == "duration" else set())
    place = next((place for place, one in enumerate(words) if one.begin == at), len(words))
    after = words[place + 1] if place + 1 < len(words) else None
    return after.begin if after and after.stem in nouns and after.begin - words[place].end < 3 else None


def _places(words: Iterable[Term], text: str, language: str) -> dict[str, set[int]]:
    """Map each stem of a question to its positions. `wide` counts as `width` too; `SOP-041` does not count as `SOP`."""
    found: dict[str, set[int]] = {}
    for word in words:
        if word.raw == "no" and text[word.end : word.end + 1] != ".":
            continue  # it denies; a number is `no.`
        is_code = any(letter.isdigit() for letter in word.raw)
        parts = () if is_code else (noun_stem(word.raw, language), *stems_in_order(word.raw, language))
        for one in {word.stem, *parts}:
            found.setdefault(one, set()).add(word.begin)
    return found


def _together(places: list[set[int]]) -> frozenset[int]:
    """Return one place for each word of a phrase, so that they are as near to each other as possible."""
    first, *others = places
    runs = (frozenset((at, *(min(some, key=lambda one, at=at: abs(one - at)) for some in others))) for at in first)  # type: ignore[misc]
    return min(runs, key=lambda run: max(run) - min(run))


def _chosen(words: Sequence[Term], buckets: Iterable[str], schema: CorpusSchema, language: str) -> Iterator[Chosen]:
    for bucket in buckets:
        for name, part in schema.fields(bucket).items():
            for value, others in _options(name, part).items() if not part.sensitive else ():
                for spelling in (value, *others):
                    wanted = tuple(one.stem for one in terms(spelling, language))
                    for at in _runs(wanted, words):
                        yield Chosen(bucket, name, value, frozenset(at))


def _options(name: str, part: FieldPart) -> Mapping[str, Sequence[str]]:
    """Return the values of a choice. For a name, return those listed in its description, if all are words: `NPN or
    PNP`."""
    found = part.wanted(name).options
    return found if part.type == "choice" or all(one.isalpha() for one in found) else {}


def _nearest(chosen: Iterable[Chosen], fields: tuple[LinkedField, ...]) -> Iterator[Chosen]:
    """Yield one value for each group of words: the one whose field is named nearest to them. Longer spellings come
    first."""
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
