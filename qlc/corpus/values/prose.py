"""Finds values of fields in sentences, if no label leads to one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from qlc.base.words.sentences import ends_in, ends_with_abbreviation
from qlc.language.quantities import Quantity, Style, currency_of, current

from ..pages import Page, Span
from ..sentences import sentences
from .amounts import Amounts
from .boxes import MARKED
from .labelled import Labelled
from .labels import Vocabulary, vocabulary_of, words
from .synonyms import in_common_words, is_called
from .topics import is_foreign
from .typed import RANGE, Scalar, Value, Wanted, amount_value, choice_in, doubt_of, polarity, typed, unit_in

_PROSE = 0.35
_MARGIN = 0.08
"""Least lead of the best value over the second, if they differ."""


class Places:
    """An index of spans of values by page."""

    def __init__(self, values: Iterable[Value | Labelled]) -> None:
        self._spans: dict[int, list[Span]] = {}
        for page, span in sorted({(one.page, one.span) for one in values}):
            self._spans.setdefault(page, []).append(span)

    def around(self, page: int, at: int) -> bool:
        """Whether a position is in the last span that begins before it."""
        spans = self._spans.get(page, [])
        place = bisect_right(spans, at, key=lambda one: one.begin)
        return place > 0 and at < spans[place - 1].end

    def within(self, page: int, span: Span) -> int:
        """Count the spans that begin inside a span."""
        spans = self._spans.get(page, [])
        first, last = (bisect_left(spans, edge, key=lambda one: one.begin) for edge in span)
        return last - first


def by_patterns(wanted: Sequence[Wanted], pages: Sequence[Page], style: Style) -> Iterator[Value]:
    for one in wanted:
        matches = (
            (page, match)
            for pattern in one.patterns
            for page in pages
            for match in _expression(pattern).finditer(page.text)
        )
        for page, match in matches:
            said = match["value"]
            if match.start("value") == match.start():  # nothing stands before it: what is nearest to the text after it
                last = _PARTS.split(said)[-1]
                said = last if typed(one, last, style) is not None else said
            value = typed(one, said, style)
            if value is not None:
                unit = unit_in(one, said, "", style)
                yield Value(one.name, value, unit, page.number, Span(*match.span()), 1.0)
                if not one.is_list:
                    break


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """Compile a text with `{value}` to a regular expression, ignoring white space and case. A value has at most 80
    characters in one paragraph, and does not begin inside a word or end inside a number."""
    before, _, after = (re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(part)) for part in pattern.partition("{value}"))
    value = r"(?<![^\W_])(?P<value>(?:[^\n]|\n(?!\n)){1,80}?)(?!(?<=\d)[.,'’]\d)"
    return re.compile(before + value + (after or r"(?=[.;]\s|\n\n|\n\W{3}|$)"), re.IGNORECASE)


_PARTS = re.compile(r"[,;]\s|\s(?:and|or|but)\s")
"""Separators in an enumeration before a text."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    page: Page
    span: Span
    section: str
    words: frozenset[str]
    """Words of the sentence and of its section."""
    bare: frozenset[str]
    """These words without those of its amounts."""
    amounts: tuple[Quantity, ...]
    title: str = ""
    """The first heading of the document."""
    kind: str = ""
    """Type of fields whose common words it is written in; empty for its own words."""

    def of(self, kind: str) -> _Sentence:
        if not kind:
            return self
        every, bare = (
            frozenset(words(in_common_words(f"{text} {self.section}", kind)))
            for text in (self.page.of(self.span), _without(self.page.of(self.span), self.amounts, self.span.begin))
        )
        return replace(self, words=every, bare=bare, kind=kind)

    def said(self, text: str) -> tuple[str, ...]:
        return words(in_common_words(text, self.kind))


def by_sentences(
    wanted: Sequence[Wanted], pages: Sequence[Page], amounts: Amounts, labelled: Sequence[Labelled],
    found: Sequence[Value],
) -> Iterator[Value]:  # fmt: skip
    """Yield values from sentences, without lists of labelled values, and without values of other fields."""
    if not wanted:
        return
    places, told = Places(labelled), Places(one for one in labelled if not one.is_amount)
    said = [
        one
        for one in _sentences(pages, amounts)
        if places.within(one.page.number, one.span) < 2 and not told.within(one.page.number, one.span)
    ]
    known = vocabulary_of(one.words for one in said)
    in_words_of = cache(lambda at, kind: said[at].of(kind))
    candidates: dict[str, list[_Candidate]] = {}
    for one in wanted:
        if one.type == "boolean":
            yield from _said_to_be(one, said)
        if one.type in ("date", "money", "duration", "number") or (one.options and not is_called(one, "kind")):
            others = Places(value for value in found if value.field != one.name)
            free = [
                at for at, each in enumerate(said)
                if (one.options or any(amount_value(one, amount) is not None for amount in each.amounts))
                and not others.within(each.page.number, each.span)
            ]  # fmt: skip
            candidates[one.name] = [
                each for kind in ("", "date in a sentence" if one.type == "date" else one.type)
                for asked in [[set(words(in_common_words(phrase, kind))) for phrase in one.phrases]]
                for at in free for each in _candidates(one, in_words_of(at, kind), asked, known)
            ]  # fmt: skip
    yield from _assigned(candidates)


def _assigned(candidates: dict[str, list[_Candidate]]) -> Iterator[Value]:
    """Assign to each field its best candidate, the surest field first; an amount is the value of one field."""
    taken: set[tuple[int, int]] = set()
    while candidates:
        best = {name: max(all_, key=lambda one: one.rank, default=None) for name, all_ in candidates.items()}
        name, first = max(best.items(), key=lambda one: one[1].rank if one[1] else (-1.0, 0.0))
        rivals = candidates.pop(name)
        if first is None:
            continue
        others = [one for one in rivals if one.value != first.value and one.score > first.score - _MARGIN
                  and one.sentence is not first.sentence and not one.why and not first.why]  # fmt: skip
        for one in (first, *others) if others else ():
            page, span = one.sentence.page.number, one.sentence.span
            yield Value(name, one.value, one.unit, page, span, one.score, is_disputed=True)
        if not others:
            page, span = first.sentence.page.number, first.sentence.span
            is_doubtful = bool(first.why)
            yield Value(name, first.value, first.unit, page, span, first.score, is_disputed=is_doubtful, why=first.why)
            if first.at >= 0:
                taken.add((page, first.at))
        for other, all_ in candidates.items():
            candidates[other] = [one for one in all_ if (one.sentence.page.number, one.at) not in taken]


def _sentences(pages: Sequence[Page], amounts: Amounts) -> Iterator[_Sentence]:
    section, is_title, title = "", True, ""
    for page in pages:
        for block in page.blocks:
            if block.kind == "heading":
                # a title tells nothing of a single sentence
                section = "" if is_title or _GENERAL.fullmatch(page.of(block.span)) else page.of(block.span)
                title = page.of(block.span) if is_title else title
                is_title = False
            elif block.kind != "margin" and not block.rows:
                for span in sentences(page.text, block.span):
                    found = tuple(amounts.within(page, span))
                    every = bare = frozenset((*words(page.of(span)), *words(section)))
                    if found:
                        bare = frozenset((*words(_without(page.of(span), found, span.begin)), *words(section)))
                    yield _Sentence(page, span, section, every, bare, found, title)


_GENERAL = re.compile(
    r"[\d.§\s]*(?:(?:general|further|other)\s+)?(?:terms|conditions|terms and conditions|provisions)\W*", re.IGNORECASE
)


def _without(text: str, found: Sequence[Quantity], begin: int) -> str:
    """A text without its amounts: the hours of `within 48 hours` tell nothing of weekly hours."""
    for one in reversed(found):
        text = f"{text[: one.start - begin]} {text[one.end - begin :]}"
    return text


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A candidate value in a sentence: an amount, or a choice."""

    sentence: _Sentence
    value: Scalar
    unit: str
    score: float
    share: float = 0.0
    """Share of the field's words in its clause, which decides between amounts of one sentence."""
    at: int = -1
    """Start of the amount."""
    why: str = ""
    """The reason for a doubtful amount: `it is a range`."""

    @property
    def rank(self) -> tuple[float, float]:
        return self.score, self.share


_BOUND = 0.3
"""Score for an amount right beside the words of its field: `a notice period of 90 days`."""
_TOPIC = 0.1
"""Score for a sentence that begins with the words."""


def _candidates(one: Wanted, sentence: _Sentence, asked: Sequence[set[str]], known: Vocabulary) -> Iterator[_Candidate]:
    described = {*words(one.description)} - _TIMES if one.choices or not one.options else set()
    said = sentence.words if one.type == "date" or one.options else sentence.bare
    score = max(_likeness(phrase, said, known) for phrase in asked)
    score = max(score, _likeness(described, sentence.words, known))
    if one.options:
        if MARKED.search(sentence.page.text, *sentence.span):
            return
        text = " ".join(sentence.page.of(sentence.span).split())
        chosen = choice_in(one, text)
        # several common words are hardly ambiguous
        named = any(" " in each and each.lower() in text.lower() for each in one.options.get(chosen or "", ()))
        score = max(score, _PROSE) if named else score
        if chosen is not None and score >= _PROSE:
            yield _Candidate(sentence, chosen, one.unit, score)
        return
    if score < _PROSE or (one.type in ("money", "duration") and not _is_about(one, sentence, asked)):
        return
    fitting = _fitting(one, sentence, [*asked, described] if described else asked)
    text, begin = sentence.page.text, sentence.span.begin
    opening = sentence.said(text[begin : begin + 60])
    for at, (amount, value, why) in enumerate(fitting):
        stop = fitting[at + 1][0].start if at + 1 < len(fitting) else sentence.span.end
        end = _end_of_clause(text, amount.end, stop)
        clause = frozenset(sentence.said(text[begin:end]))
        share = max(_likeness(phrase, clause, known) for phrase in asked) + _likeness(described, clause, known)
        bound = max((len(phrase) for phrase in asked if _is_bound(phrase, amount, sentence)), default=0)
        more = _BOUND + 0.1 * bound if bound else 0.0
        if not bound and any(_is_bound({word}, amount, sentence) for word in described):
            more = _TOPIC
        if any({*opening[: len(phrase)]} == phrase for phrase in asked):
            more += _TOPIC
        begin = end
        own = {*sentence.said(_own_clause(text, amount, sentence.span.begin, end))}
        part = _CLAUSES.split(text[sentence.span.begin : amount.start])[-1] + text[amount.start : end]
        if one.type in TYPES_OF_CLAUSES and is_foreign(one, part, sentence.section, sentence.title):
            continue
        if sentence.kind:
            more -= _MARGIN
            is_length = any(each and each <= _ALONE for each in asked)
            bound = bound if is_length or one.type == "date" else 0
            several = [phrase for phrase in asked if len(phrase) > 1 and phrase <= sentence.words]
            is_meant = any(
                phrase <= own or any(_is_bound({word}, amount, sentence) for word in phrase) for phrase in several
            )
        else:
            is_meant = one.type not in ("duration", "number") or {*sentence.said(sentence.section)} in asked
            is_meant = is_meant or any(own & each for each in (*asked, described))
        if bound or (is_meant and (one.type != "number" or one.unit)):
            unit = amount.unit if amount.kind == "money" else one.unit
            yield _Candidate(sentence, value, unit or one.unit, score + more, share, amount.start, why)


TYPES_OF_CLAUSES = frozenset(("date", "duration", "money"))
"""Types of fields whose values are in clauses that differ in their topic alone."""


def _is_about(one: Wanted, sentence: _Sentence, asked: Sequence[set[str]]) -> bool:
    """Whether a sentence has more of a field than a noun of many clauses: a `notice`, but to terminate."""
    said = sentence.words
    if any(phrase & said - _GENERIC or (len(phrase) > 1 and phrase <= said) for phrase in asked):
        return True
    return says_more(one, f"{sentence.page.of(sentence.span)} {sentence.section}")


def says_more(one: Wanted, text: str) -> bool:
    """Whether a text has one of the words that say which notice or limit a field means, if it has such words."""
    qualifiers = _qualifiers(" ".join((*one.phrases, one.description)), one.type)
    return not qualifiers or not qualifiers.isdisjoint(words(in_common_words(text, one.type)))


@lru_cache(maxsize=1_024)
def _qualifiers(text: str, kind: str) -> frozenset[str]:
    return frozenset(words(in_common_words(text, kind))) - _GENERIC


_GENERIC = frozenset(words("notice limit cap ceiling period amount samenotice samelimit samelength"))
"""Words that tell nothing of a clause: there are notices of defects and limits of a warranty."""


def _fitting(one: Wanted, sentence: _Sentence, named: Sequence[set[str]]) -> list[tuple[Quantity, Scalar, str]]:
    """Return the amounts of a sentence that can be the value, each with why it is none."""
    held = current(sentence.page.text, sentence.amounts)
    return [
        (amount, value, why)
        for at, amount in enumerate(held)
        if (one.type != "money" or amount.kind == "money")
        and (value := amount_value(one, amount)) is not None
        and not _is_of_another_clause(amount, sentence, named)
        and not ((why := doubt_of(one, sentence.page.text, held, at)) == RANGE and one.limit)  # it is the other end
    ]


_DELAYS = frozenset(words("within after"))
_ALONE = frozenset(words("samelength samepayment"))
"""Common words of durations that suffice without another word of the field's name."""
_TIMES = frozenset(words("day week month year hour minute"))
"""Words that only repeat the unit in a description."""
_LINKS = frozenset(
    words("up least most not less more than exceed amount limit shall must about approximately fix under")
)
_LINKS |= frozenset(words("beträgt auf est fixé nicht mehr als written paid prior rated made ist von sous"))


def _is_bound(phrase: set[str], amount: Quantity, sentence: _Sentence) -> bool:
    """Whether nothing but small words is between an amount and a phrase."""
    text, count = sentence.page.text, len(phrase)
    left = list(sentence.said(re.split(r"[;.,]\s|\(|\band\b", text[sentence.span.begin : amount.start])[-1]))
    while left:
        if {*left[-count:]} == phrase:
            return True
        if (word := left.pop()) not in _LINKS and not (sentence.kind and word in _DELAYS):
            break
    right = sentence.said(text[amount.end : _end_of_clause(text, amount.end, sentence.span.end)])
    skipped = next((at for at, word in enumerate(right) if word not in _LINKS), len(right))
    return {*right[skipped : skipped + count]} == phrase


def _said_to_be(one: Wanted, said: Sequence[_Sentence]) -> Iterator[Value]:
    """Yield true or false for a property by a clause with its name; nothing if two clauses disagree."""
    phrases = [set(words(phrase)) for phrase in one.phrases]
    found = [
        (so, sentence)
        for sentence in said
        for part in re.split(";", sentence.page.of(sentence.span))
        if any(phrase <= {*words(part)} for phrase in phrases) and (so := polarity(part)) is not None
    ]
    if adjective := re.fullmatch(r"is_([a-z]+)", one.name):
        form = re.compile(
            rf"\b(?:is|are) (not )?(?:an? |the )?(?:[\w-]+ )?(in|un|non-?)?{adjective[1]}\b", re.IGNORECASE
        )
        stated = ((form.search(" ".join(each.page.of(each.span).split())), each) for each in said)
        found += [(not (match[1] or match[2]), each) for match, each in stated if match]
    if found and len({so for so, _ in found}) == 1:
        so, sentence = found[0]
        yield Value(one.name, so, "", sentence.page.number, sentence.span, _PROSE)


_CLAUSES = re.compile(r";|,\s+(?:and|but)\b")


def clause_of(text: str, amount: Quantity) -> str:
    """The part of a sentence that an amount stands in."""
    begin = max((one.end() for one in ends_in(_EDGES, text[: amount.start])), default=0)
    edge = next(ends_in(_EDGES, text, amount.end), None)
    return text[begin : edge.start() if edge else len(text)]


_EDGES = re.compile(rf"[.!?]\s|\n\s*\n|{_CLAUSES.pattern}")


def _is_of_another_clause(amount: Quantity, sentence: _Sentence, named: Sequence[set[str]]) -> bool:
    """Whether the words of a field stand in another clause than an amount: `The hire lasts five years, and at its end
    the hirer may buy her for EUR 1,900,000.`"""
    text = sentence.page.of(sentence.span)
    edges = [0, *(one.start() for one in _CLAUSES.finditer(text)), len(text)]
    clauses = [text[begin:end] for begin, end in pairwise(edges)]
    own = bisect_right(edges, amount.start - sentence.span.begin) - 1
    having = [any(phrase & {*sentence.said(clause)} for phrase in named) for clause in clauses]
    return any(having) and not having[min(own, len(having) - 1)]


def _own_clause(text: str, amount: Quantity, begin: int, end: int) -> str:
    """Return the words around an amount, up to the nearest comma or `and` before it."""
    before = text[begin : amount.start]
    return re.split(r"[,;:]\s|\band\b", before)[-1] + " " + text[amount.end : end]


def _end_of_clause(text: str, begin: int, end: int) -> int:
    found = re.compile(r"[,;:]|\band\b").search(text, begin, end)
    return found.start() if found else end


def _likeness(asked: set[str], said: frozenset[str], known: Vocabulary) -> float:
    """Return the weighted share of `asked` words in `said`; several common words count more than a single one."""
    found = asked & said
    share = sum(map(known.weight, found)) / (sum(map(known.weight, asked)) or 1.0)
    return share * (0.7 + 0.1 * min(3, len(found)))


NAME = (
    r"(?!(?:Between|Entre|Zwischen|And|This|The|By|To|From|Of)\b)[^\W\d_a-z][\w&.'’-]*"
    r"(?:\s+(?:(?:&|and|of|de|du|des|la|le|van|von|der)\s+){0,2}[^\W\d_a-z][\w&.'’-]*){0,6}"
    r"(?:\s+(?:plc|mbH|e\.\s?V\.|a\.s\.|ehf\.))?"
)
_NO_NAME = re.compile(r".*\b(?:Between|Entre|Zwischen)\s+|^(?:[a-zà-ÿ]+\s+)+", re.DOTALL)
_IN_ADDRESS = re.compile(r"\d\w?\s+(?:[^\W\d_a-z]\w*\s+)*$")


def _name_of(page: Page, match: re.Match[str]) -> str:
    """Return the matched name without the rest of the sentence, or without the street of an address."""
    said = match["value"].split("\n\n")[0]
    first = next(sentences(said, Span(0, len(said))))
    name = " ".join(said[: first.end].split())
    for _ in range(2):
        name = _NO_NAME.sub("", name)
    name = name if ends_with_abbreviation(name) else name.rstrip(".,")
    is_street = _IN_ADDRESS.search(page.text[max(match.start() - 40, 0) : match.start()])
    is_none = is_street or len(name) < 2 or not name[0].isupper() or currency_of(name) or name.endswith(("'s", "’s"))
    return "" if is_none or page.text[: match.start()].endswith("\n\n") else name


_LAW = re.compile(
    r"\b(?P<value>[A-Z][a-z]{2,}(?:[ -][A-Z][a-z]+)?) law\b"
    r"(?: (?:applies|governs|shall)\b|(?<=(?:ish|ian|ots|ese) law)[.,])"
)


def beside_names(one: Wanted, pages: Sequence[Page]) -> Iterator[Value]:
    """Return the name right after the field's name: `the vessel Sea Otter`, `governed by the laws of Norway`."""
    phrases = [words(phrase) for phrase in one.phrases]
    found: dict[str, tuple[Page, re.Match[str]]] = {}
    of_law = is_called(one, "law")
    for page in pages:
        for match in re.finditer(_LAW, page.text) if of_law else ():
            found.setdefault(match["value"], (page, match))
        for match in re.finditer(rf"(?<=[a-z][ \n])(?P<value>{NAME})", page.text):
            before = re.split(r"[,.;:()]\s", page.text[max(match.start() - 60, 0) : match.start()])[-1]
            said = words(before)
            if any(
                said[-len(phrase) :] == phrase or {*said[-len(phrase) :]} == {*phrase}
                or (of_law and said[-1:] == phrase[-1:] and before.endswith((" of ", " of the ")))
                for phrase in phrases
            ):  # fmt: skip
                last = re.search(r"([^\W\d_]\S*)\s+(?:(?:of|is|the|named|called|for|de|du|des)\s+)*$", before)
                name = _name_of(page, match)
                if name and last and (last[1][0].islower() or re.search(r"\b(?:of|is)\b", last[0])):
                    found.setdefault(name, (page, match))
    if len(found) == 1 or one.is_list:
        for name, (page, match) in found.items():
            yield Value(one.name, name, "", page.number, Span(*match.span()), _PROSE)
