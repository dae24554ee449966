"""The declared fields of a document, filled from labelled values and, where there are none, from sentences.

Each field takes the value whose label is most like its name, its labels and its description, and whose type fits. Where
two different values are as likely the field stays empty: a missing value is better than a wrong one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from typing import Literal, TypeAlias

from ..pages import Page, Span
from ..sentences import ends_with_abbreviation, sentences
from .labelled import Labelled
from .labels import Vocabulary, coverage, likeness, vocabulary, words
from .quantities import Amount, Style, amounts
from .units import convert, unit_of

FieldType: TypeAlias = Literal["text", "name", "number", "money", "date", "duration", "boolean", "choice", "rows"]
_OF_TEXT = ("text", "name", "choice", "boolean")
Scalar: TypeAlias = str | Decimal | date | bool

_LABELLED = 0.5
"""How like a label has to be."""
_SURE = 0.75
"""From here on a sentence cannot say better what a field is than a label does."""
_CALLED = 0.9
"""From here on a text is a field's name, not its value."""
_PROSE = 0.35
_MARGIN = 0.08
"""By how much the best has to be better than the second, where their values differ."""


@dataclass(frozen=True)
class Wanted:
    """A field that a bucket declares."""

    name: str
    type: FieldType
    unit: str = ""
    labels: tuple[str, ...] = ()
    description: str = ""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a choice: the values, each with its other spellings."""
    patterns: tuple[str, ...] = ()
    """Texts with `{value}` where the value is."""
    columns: tuple[Wanted, ...] = ()
    """Of rows: the fields of each."""
    is_list: bool = False
    from_heading: bool = False
    """Whether the first heading of a document is its value, where no label leads to one."""

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """What the field is called: its labels, and its name without the unit at its end."""
        spoken = self.name.replace("_", " ")
        head, _, last = spoken.rpartition(" ")
        of_unit = head and last.lower() in {
            self.unit.lower(),
            "days",
            "months",
            "years",
            "pct",
            "c",
            "f",
            "eur",
            "usd",
            "gbp",
        }
        return (*self.labels, head if of_unit else spoken)

    @cached_property
    def is_short(self) -> bool:
        """Whether its name says less than a label: `speed`, where that is `download speed`."""
        return any({*words(self.phrases[-1])} < {*words(one)} for one in self.labels)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a field, with where it is written."""

    field: str
    value: Scalar
    unit: str
    page: int
    span: Span
    """The quote: with the label, where there is one."""
    trust: float
    row: int = -1
    is_disputed: bool = False
    """Whether another place says something else, as likely or with more trust: then this is no value of the field."""
    by: Literal["rules", "model"] = "rules"


def field_values(
    wanted: Sequence[Wanted], pages: Sequence[Page], labelled: Sequence[Labelled], style: Style
) -> list[Value]:
    """What the fields of a document are, as far as the rules can tell."""
    known = vocabulary([*(one.label for one in labelled), *(phrase for one in wanted for phrase in one.phrases)])
    found = [*_by_patterns(wanted, pages, style)]
    filled = {value.field for value in found}
    items = [value for one in wanted if one.type == "rows" for value in _rows(one, labelled, style, known)]
    in_items = _Places(items)
    free = [one for one in labelled if one.row >= 0 or not in_items.around(one.page, one.value_span.begin)]
    found += _by_labels([one for one in wanted if one.name not in filled], free, style, known)
    found += items
    sure = {value.field for value in found if value.trust >= _SURE or value.is_disputed}
    for other in _by_sentences([one for one in wanted if one.name not in sure], pages, style, labelled, found):
        if all(value.trust < other.trust for value in found if value.field == other.field):
            found = [*(value for value in found if value.field != other.field), other]
    filled = {value.field for value in found}
    rest = [one for one in wanted if one.name not in filled]
    found += [
        value for one in rest if (value := _from_heading(one, pages) or _only_one(one, wanted, pages, labelled, style))
    ]
    return found


class _Places:
    """The spans of values, page by page, to be looked up."""

    def __init__(self, values: Iterable[Value | Labelled]) -> None:
        self._spans: dict[int, list[Span]] = {}
        for page, span in sorted({(one.page, one.span) for one in values}):
            self._spans.setdefault(page, []).append(span)

    def around(self, page: int, at: int) -> bool:
        """Whether a place is in the last span that begins before it."""
        spans = self._spans.get(page, [])
        place = bisect_right(spans, at, key=lambda one: one.begin)
        return place > 0 and at < spans[place - 1].end

    def within(self, page: int, span: Span) -> int:
        """How many begin in a span."""
        spans = self._spans.get(page, [])
        first, last = (bisect_left(spans, edge, key=lambda one: one.begin) for edge in span)
        return last - first


# --- types -----------------------------------------------------------------------------------------------------------


def typed(one: Wanted, text: str, style: Style, unit: str = "", found: Sequence[Amount] | None = None) -> Scalar | None:
    """A text as a value of a field's type, in the field's unit; None where it is none."""
    text = " ".join(text.split())
    if one.type in ("text", "name"):
        text = text.strip(" ,;:")
        if one.type == "name" and _is_amount(text, style):
            return None
        return (text if ends_with_abbreviation(text) else text.rstrip(" .")) or None
    if one.type == "choice":
        return _choice(one, text)
    if one.type == "boolean":
        answer = re.match(r"(?:(yes|true|ja|oui|y|x|✓)|(no|false|nein|non|n))\b", text, re.IGNORECASE)
        return bool(answer[1]) if answer else None
    for amount in amounts(text, style) if found is None else found:
        value = amount_value(one, amount, unit)
        if value is not None:
            return value
    return None


def _is_amount(text: str, style: Style) -> bool:
    """Whether a text is a date or a sum of money and nothing else."""
    found = amounts(text, style)
    return len(found) == 1 and found[0].kind in ("date", "money") and found[0].end - found[0].begin == len(text)


def amount_value(one: Wanted, amount: Amount, unit: str = "") -> Scalar | None:
    """An amount as a value of a field; None where it is of another kind or dimension."""
    if one.type == "date":
        return amount.date
    if one.type == "money":
        return amount.number if amount.kind == "money" or amount.kind == "number" else None
    target = unit_of(one.unit) if one.unit else None
    if one.type == "duration":
        target = target or "d"
    number = None
    if target is None:
        number = amount.number if amount.kind in ("number", "measure") else None
    elif amount.kind == "measure":
        number = convert(amount.number, amount.unit, target)
    elif amount.kind == "number" and unit and (source := unit_of(unit)):
        number = convert(amount.number, source, target)
    if number is not None and number < 0 and re.search(r"\b(?:max|maximum|highest|largest)\b", one.description, re.I):
        return -number  # the limit of what is negative is told by its magnitude
    return number


def _choice(one: Wanted, text: str) -> str | None:
    """The value one of whose spellings is in a text; the longest spelling counts, and none where two values are."""
    found = [
        (len(spelling), value)
        for value, spellings in one.choices.items()
        for spelling in (value, *spellings)
        if re.search(rf"(?<!\w){re.escape(spelling)}(?!\w)", text, re.IGNORECASE)
    ]
    if not found:
        return None
    longest = max(length for length, _ in found)
    values = {value for length, value in found if length == longest}
    return values.pop() if len(values) == 1 else None


# --- labels ----------------------------------------------------------------------------------------------------------


def _by_labels(
    wanted: Sequence[Wanted], labelled: Sequence[Labelled], style: Style, known: Vocabulary
) -> Iterator[Value]:
    """Each field takes the value with the best label; a value that another field's label fits better is not taken."""
    scores = {
        (place, at): score
        for place, one in enumerate(wanted)
        if one.type != "rows"
        for at, other in enumerate(labelled)
        if other.row < 0 and (score := label_score(one, other, known)) >= _LABELLED
    }
    best_of_label: dict[int, float] = {}
    for (_, at), score in scores.items():
        best_of_label[at] = max(score, best_of_label.get(at, 0.0))
    for place, one in enumerate(wanted):
        candidates = []
        for at, other in enumerate(labelled):
            score = scores.get((place, at), 0.0)
            if score and score >= best_of_label[at] - 1e-9 and not (other.is_amount and one.type in _OF_TEXT):
                value = typed(one, other.value, style, other.unit)
                if value is not None and not (isinstance(value, str) and _is_label(value, wanted, known)):
                    candidates.append((score, other, value))
        yield from _chosen(one, candidates, style)


def label_score(one: Wanted, other: Labelled, known: Vocabulary) -> float:
    """How much the label of a value is like what a field is called."""
    phrases = one.phrases
    if one.is_short and not {*words(other.label)[:1]} & {*words(phrases[-1])}:
        phrases = one.labels  # an upload speed is another one
    named = max(likeness(other.label, phrase, known) for phrase in phrases)
    return max(named, coverage(other.label, one.description, known))


def _is_label(text: str, wanted: Sequence[Wanted], known: Vocabulary) -> bool:
    """Whether what is taken for a value is what a field is called: then it is the label beside."""
    return any(likeness(text, phrase, known) > _CALLED for one in wanted for phrase in one.phrases)


def _chosen(one: Wanted, candidates: list[tuple[float, Labelled, Scalar]], style: Style) -> Iterator[Value]:
    if not candidates:
        return
    best = max(score for score, _, _ in candidates)
    likely = [candidate for candidate in candidates if candidate[0] > best - _MARGIN]
    first = max(likely, key=lambda candidate: candidate[0])
    is_disputed = not one.is_list and any(its != first[2] for _, _, its in likely)
    for score, other, value in likely if one.is_list or is_disputed else [first]:
        for each in _elements(value) if one.is_list and isinstance(value, str) else [value]:
            yield replace(_value(one, other, each, score, style), is_disputed=is_disputed)


def _elements(text: str) -> list[str]:
    """`Fire, theft and flood`: the parts of an enumeration; `Acme, Inc.` is one."""
    parts: list[str] = []
    for part in re.split(r"\s*;\s*" if ";" in text else r",\s+(?:and\s+|or\s+)?|\s+•\s+", text):
        if parts and ends_with_abbreviation(part):
            parts[-1] += f", {part}"
        elif part:
            parts.append(part)
    return parts


def _value(one: Wanted, other: Labelled, value: Scalar, score: float, style: Style) -> Value:
    return Value(
        one.name, value, unit_in(one, other.value, other.unit, style), other.page, other.span, score, other.row
    )


def unit_in(one: Wanted, text: str, unit: str = "", style: Style = Style()) -> str:  # noqa: B008  it is frozen
    """The unit of a value in a text: of money its currency, else the unit of the field."""
    if one.type == "money":
        found = [amount.unit for amount in amounts(text, style) if amount.kind == "money"]
        return found[0] if found else unit if re.fullmatch("[A-Z]{3}", unit) else ""
    return one.unit


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(rows: Wanted, labelled: Sequence[Labelled], style: Style, known: Vocabulary) -> Iterator[Value]:
    """The rows of tables whose heads are like the columns of a field; a row without its first column is none."""
    by_row: dict[int, list[Labelled]] = {}
    for one in labelled:
        if one.row >= 0:
            by_row.setdefault(one.row, []).append(one)
    for number, cells in by_row.items():
        found = [value for column in rows.columns if (value := _cell(rows, column, cells, style, known))]
        if found and found[0].field.endswith(f".{rows.columns[0].name}") and len(found) * 2 > len(rows.columns):
            yield from (Value(v.field, v.value, v.unit, v.page, v.span, v.trust, number) for v in found)


def _cell(rows: Wanted, column: Wanted, cells: list[Labelled], style: Style, known: Vocabulary) -> Value | None:
    scored = [(max(likeness(cell.label, phrase, known) for phrase in column.phrases), cell) for cell in cells]
    score, cell = max(scored, key=lambda one: one[0])
    value = typed(column, cell.value, style, cell.unit or column.unit) if score >= _LABELLED else None
    if value is None:
        return None
    return Value(
        f"{rows.name}.{column.name}", value, unit_in(column, cell.value, cell.unit, style), cell.page, cell.span, score
    )


# --- sentences -------------------------------------------------------------------------------------------------------


def _by_patterns(wanted: Sequence[Wanted], pages: Sequence[Page], style: Style) -> Iterator[Value]:
    for one in wanted:
        matches = (
            (page, match)
            for pattern in one.patterns
            for page in pages
            for match in _expression(pattern).finditer(page.text)
        )
        for page, match in matches:
            value = typed(one, match["value"], style)
            if value is not None:
                unit = unit_in(one, match["value"], "", style)
                yield Value(one.name, value, unit, page.number, Span(*match.span()), 1.0)
                if not one.is_list:
                    break


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """A text with `{value}` as a regular expression: white space is any, a value is at most 80 characters of a
    paragraph.
    """
    before, _, after = (re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(part)) for part in pattern.partition("{value}"))
    value = r"(?P<value>(?:[^\n]|\n(?!\n)){1,80}?)"
    return re.compile(before + value + (after or r"(?=[.;]\s|\n\n|$)"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sentence:
    page: Page
    span: Span
    section: str
    words: frozenset[str]
    """Those of its section, too."""
    bare: frozenset[str]
    """Without those of its amounts."""
    amounts: tuple[Amount, ...]


def _by_sentences(
    wanted: Sequence[Wanted], pages: Sequence[Page], style: Style, labelled: Sequence[Labelled], found: Sequence[Value]
) -> Iterator[Value]:
    """What sentences say. A list of labelled values is none, nor is what another field has as its value."""
    if not wanted:
        return
    places, told = _Places(labelled), _Places(one for one in labelled if not one.is_amount)
    said = [
        one
        for one in _sentences(pages, style)
        if places.within(one.page.number, one.span) < 2 and not told.within(one.page.number, one.span)
    ]
    known = vocabulary(" ".join(one.words) for one in said)
    for one in wanted:
        if one.type in ("date", "money", "duration", "number", "choice") and (one.type != "number" or one.unit):
            others = _Places(value for value in found if value.field != one.name)
            free = [each for each in said if not others.within(each.page.number, each.span)]
            yield from _best_sentence(one, free, known, style)


def _sentences(pages: Sequence[Page], style: Style) -> Iterator[_Sentence]:
    section, is_title = "", True
    for page in pages:
        for block in page.blocks:
            if block.kind == "heading":
                section = "" if is_title else page.of(block.span)  # a title tells nothing of a single sentence
                is_title = False
            elif block.kind != "margin" and not block.rows:
                for span in sentences(page.text, block.span):
                    found = tuple(amounts(page.text, style, *span))
                    every, bare = (
                        frozenset((*words(text), *words(section)))
                        for text in (page.of(span), _without(page.of(span), found, span.begin))
                    )
                    yield _Sentence(page, span, section, every, bare, found)


def _without(text: str, found: Sequence[Amount], begin: int) -> str:
    """A text without its amounts: the hours of `within 48 hours` tell nothing of weekly hours."""
    for one in reversed(found):
        text = f"{text[: one.begin - begin]} {text[one.end - begin :]}"
    return text


def _best_sentence(one: Wanted, said: Sequence[_Sentence], known: Vocabulary, style: Style) -> Iterator[Value]:
    asked = [set(words(phrase)) for phrase in one.phrases]
    described = set(words(one.description))
    scored: list[tuple[float, _Sentence, Scalar, str]] = []
    for sentence in said:
        score = max(_likeness(words, sentence.bare, known) for words in asked)
        score = max(score, _likeness(described, sentence.words, known))
        if one.type == "choice":
            value, unit, named = _choice_of(one, sentence)
            score = max(score, _PROSE) if named else score
        else:
            value, unit = _amount_of(one, sentence)
        if value is not None and score >= _PROSE:
            scored.append((score, sentence, value, unit))
    if scored:
        best, sentence, value, unit = max(scored, key=lambda candidate: candidate[0])
        if all(other == value or score <= best - _MARGIN for score, _, other, _ in scored):
            yield Value(one.name, value, unit or one.unit, sentence.page.number, sentence.span, best)


def _amount_of(one: Wanted, sentence: _Sentence) -> tuple[Scalar | None, str]:
    for amount in sentence.amounts:
        if one.type == "money" and amount.kind != "money":
            continue
        value = amount_value(one, amount)
        if value is not None:
            return value, amount.unit if amount.kind == "money" else one.unit
    return None, ""


def _choice_of(one: Wanted, sentence: _Sentence) -> tuple[Scalar | None, str, bool]:
    """The value that a sentence has; and whether it is said in several words, which hardly mean anything else."""
    text = " ".join(sentence.page.of(sentence.span).split())
    value = _choice(one, text)
    spellings = one.choices.get(value, ()) if value else ()
    return value, "", any(" " in each and each.lower() in text.lower() for each in spellings)


def _likeness(asked: set[str], said: frozenset[str], known: Vocabulary) -> float:
    """How much of what is asked is said, by weight; several words that are there say more than a single one."""
    found = asked & said
    share = sum(map(known.weight, found)) / (sum(map(known.weight, asked)) or 1.0)
    return share * (0.7 + 0.1 * min(3, len(found)))


# --- where no label leads to a value ---------------------------------------------------------------------------------


def _from_heading(one: Wanted, pages: Sequence[Page]) -> Value | None:
    if one.from_heading:
        for page in pages:
            for block in page.blocks:
                if block.kind == "heading":
                    return Value(one.name, " ".join(page.of(block.span).split()), "", page.number, block.span, 0.6)
    return None


def _only_one(
    one: Wanted, wanted: Sequence[Wanted], pages: Sequence[Page], labelled: Sequence[Labelled], style: Style
) -> Value | None:
    """The only value of its type in the document, for the only field of its type."""
    if one.type not in ("date", "money") or sum(other.type == one.type for other in wanted) > 1:
        return None
    found = [(page, amount) for page in pages for amount in amounts(page.text, style) if amount.kind == one.type]
    if any(  # its label is of something else
        page.number == other.page and other.value_span.begin <= amount.begin < other.value_span.end
        for page, amount in found
        for other in labelled
    ):
        return None
    if len({(amount.date, amount.number, amount.unit) for _, amount in found}) != 1:
        return None
    page, amount = found[0]
    value = amount_value(one, amount)
    return (
        None if value is None else Value(one.name, value, amount.unit, page.number, Span(amount.begin, amount.end), 0.5)
    )
