"""Fills the declared fields of a document from labelled values, else from sentences.

Each field takes the value of a fitting type whose label is most similar to its name, labels and description. If two
different values are equally likely the field stays empty: a missing value is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.language.quantities import Style, currency_of, named_unit, quantities

from ..pages import Page, Span
from .amounts import Amounts
from .boxes import Unsure
from .by_meaning import by_meaning
from .labelled import Labelled
from .labels import Vocabulary, coverage, is_turned, is_turned_in, likeness, vocabulary, words
from .prose import Places, beside_names, by_patterns, by_sentences, clause_of
from .rows import rows_of
from .series import series_values
from .synonyms import KINDS_OF_PAPERS, in_common_words, is_called
from .topics import is_foreign
from .typed import (
    LIMITS,
    NOT_READ,
    FieldType,
    Scalar,
    Value,
    Wanted,
    amount_value,
    polarity,
    typed,
    unit_in,
    value_or_doubt,
)
from .whole import first_heading, of_whole, papers_of

_OF_TEXT = ("text", "name", "choice", "boolean")

_LABELLED = 0.5
"""Least similarity of a label."""
_SURE = 0.75
"""Similarity of a label above which sentences are not considered."""
_CALLED = 0.9
"""Similarity above which a text is a field's name, not its value."""
_SHORT = 4
"""Most words of a value that only says yes or no: `not covered`."""
_MARGIN = 0.08
"""Least lead of the best value over the second, if they differ."""


def field_values(
    wanted: Sequence[Wanted], pages: Sequence[Page], labelled: Sequence[Labelled], style: Style, file: str = ""
) -> list[Value]:
    """Return the values of a document's fields that the rules find. `file` is its file name."""
    known = vocabulary([*(one.label for one in labelled), *(phrase for one in wanted for phrase in one.phrases)])
    found = [*by_patterns(wanted, pages, style)]
    filled = {value.field for value in found}
    items = [value for one in wanted if one.type == "rows" and not one.is_series
             for value in rows_of(one, pages, labelled, style, known)]  # fmt: skip
    items += series_values([one for one in wanted if one.is_series], pages, known)
    in_items = Places(items)
    free = [one for one in labelled if one.row >= 0 or not in_items.around(one.page, one.value_span.begin)]
    found += _by_labels([one for one in wanted if one.name not in filled], free, style, known, papers_of(pages),
                        first_heading(pages))  # fmt: skip
    found += items
    every = Amounts(pages, style)
    sure = {value.field for value in found if value.trust >= _SURE or value.is_disputed}
    disagreeing: list[Value] = []
    for other in by_sentences([one for one in wanted if one.name not in sure], pages, every, labelled, found):
        if other.is_disputed and not other.why:
            disagreeing.append(other)
        elif other.is_disputed:
            found += [] if any(value.field == other.field for value in found) else [other]
        elif all(value.trust < other.trust for value in found if value.field == other.field):
            found = [*(value for value in found if value.field != other.field), other]
    readers: tuple[Callable[[Wanted], Iterable[Value]], ...] = (
        lambda one: beside_names(one, pages) if _is_name(one) else (),
        lambda one: of_whole(one, pages, labelled, style, file),
        lambda one: _only_one(one, wanted, every, labelled),
    )
    for read in readers:
        filled = {value.field for value in found}
        found += [value for one in wanted if one.name not in filled for value in read(one)]
    filled = {value.field for value in found}
    found += by_meaning([one for one in wanted if one.name not in filled], wanted, pages, labelled, every, found)
    filled = {value.field for value in found}
    found += [value for value in disagreeing if value.field not in filled]
    found = [*_without_turned(found, wanted, pages)]
    currencies = {amount.unit for _, amount in every if amount.kind == "money"}
    currencies |= {one.unit for one in labelled if currency_of(one.unit)}
    if len(currencies) == 1:
        money = {one.name for one in wanted if one.type == "money"}
        found = [replace(one, unit=min(currencies)) if one.field in money and not one.unit else one for one in found]
    return found


def _without_turned(found: Sequence[Value], wanted: Sequence[Wanted], pages: Sequence[Page]) -> Iterator[Value]:
    """Yield values without those of another thing that has a field's name: `the former tenant Ivo Pell`."""
    of_field, of_page = {one.name: one for one in wanted}, {page.number: page for page in pages}
    for value in found:
        one, page = of_field.get(value.field), of_page.get(value.page)
        text = page.text[max(0, value.span.begin - _FARTHEST_NAME) : value.span.end] if page else ""
        if one is None or not is_turned_in(text, one.phrases, is_money=one.type == "money"):
            yield value


_FARTHEST_NAME = 40
"""Characters before a value in which it is named."""


def _is_name(one: Wanted) -> bool:
    return (one.type == "name" and not one.is_number) or (one.type == "text" and is_called(one, "law"))


# --- labels -----------------------------------------------------------------------------------------------------------


def _by_labels(
    wanted: Sequence[Wanted],
    labelled: Sequence[Labelled],
    style: Style,
    known: Vocabulary,
    papers: frozenset[str] = frozenset(),
    title: str = "",
) -> Iterator[Value]:
    """Assign to each field the value with the best label, unless another field's label fits the value better."""
    scores = _scores_of_labels(wanted, labelled, style, known, papers)
    phrases = [phrase for one in wanted for phrase in one.phrases]

    def is_label(text: str) -> bool:
        """Whether a value is actually a field's name, so that it is the neighbouring label."""
        return any(likeness(text, phrase, known) > _CALLED for phrase in phrases)

    best_of_label: dict[int, float] = {}
    for (place, at), score in scores.items():
        column = labelled[at].column  # `Speed` below `Max.` is the maximum speed, if that is a field
        of_another = wanted[place].type == "date" and _is_money(labelled[at], style)  # the `Total due` is no due date
        of_another |= bool(column) and _limit(" ".join(wanted[place].phrases)) != _limit(column)
        best_of_label[at] = max(0.0 if of_another else score, best_of_label.get(at, 0.0))
    for place, one in enumerate(wanted):
        candidates = []
        doubts: list[tuple[float, Labelled, str]] = []
        for at, other in enumerate(labelled):
            score = scores.get((place, at), 0.0)
            is_free = not other.is_amount or not (one.type in _OF_TEXT or is_foreign(one, other.label, "", title))
            if not (score and score >= best_of_label[at] - 1e-9 and is_free):
                continue
            value = _value_at(one, other, style)
            if isinstance(value, Unsure):
                doubts.append((score, other, value.why))
            elif value is not None and not (isinstance(value, str) and is_label(value)):
                candidates.append((score, other, value))
        chosen = [*_chosen(one, _of_limit(one, candidates), style)]
        own = [each for each in doubts if max(likeness(each[1].label, name, known) for name in one.phrases) >= _SURE]
        doubtful = [*_doubtful(one, [each for each in own if not is_label(each[1].value)], style)]
        is_surer = bool(chosen and doubtful) and doubtful[0].trust > chosen[0].trust + _MARGIN
        is_surer = is_surer and re.search(r"\d", str(doubtful[0].value)) is not None
        yield from doubtful if is_surer else chosen or doubtful


def _value_at(one: Wanted, other: Labelled, style: Style) -> Any:
    """Return the value beside a label as a field's type; `Unsure` if it cannot be read for sure, None if it is none."""
    value = value_or_doubt(one, other.value, style, other.unit, other.scale)
    if isinstance(value, Unsure) and one.type == "number" and one.unit:  # no other unit can be meant
        again = typed(one, other.value, style, "%" if one.unit == "%" else named_unit(other.label))
        value = value if again is None else again
    if value is None and one.type == "boolean" and len(other.value.split()) <= _SHORT:
        value = polarity(other.value)
    return value


def _scores_of_labels(
    wanted: Sequence[Wanted], labelled: Sequence[Labelled], style: Style, known: Vocabulary, papers: frozenset[str]
) -> dict[tuple[int, int], float]:
    """Return the scores of labels that fit a field, by (place of the field, place of the label)."""
    scores: dict[tuple[int, int], float] = {}
    for place, one in enumerate(wanted):
        score_of: dict[tuple[str, str], float] = {}  # a report has the same label in many rows
        for at, other in enumerate(labelled):
            if other.row < 0 and one.type != "rows":
                said = other.label, other.value if one.type == "date" or one.is_number else ""
                if said not in score_of:
                    score_of[said] = label_score(one, other, known, papers)
                if score_of[said] >= _LABELLED:
                    scores[place, at] = score_of[said]
    for at in {*range(len(labelled))} - {at for _, at in scores}:
        if labelled[at].row < 0 and _SYMBOL.fullmatch(labelled[at].label):
            fitting = [
                place for place, one in enumerate(wanted)
                if one.type == "number" and one.unit
                and typed(one, labelled[at].value, style, labelled[at].unit) is not None
            ]  # fmt: skip
            if len(fitting) == 1:  # the only field that is measured so
                scores[fitting[0], at] = _LABELLED
    return scores


def _is_money(one: Labelled, style: Style) -> bool:
    found = quantities(one.value, style)
    return len(found) == 1 and found[0].kind == "money"


def _doubtful(one: Wanted, doubts: Sequence[tuple[float, Labelled, str]], style: Style) -> Iterator[Value]:
    """Yield what stands beside a field's own label, if it is short and cannot be read: the field is left out, and no
    other date or sum of the document takes its place. An amount of another kind says nothing: `VAT 20 %`."""
    short = [
        each for each in doubts
        if NOT_READ not in each[2] or (
            (one.type == "date" or len(each[1].value.split()) <= _SHORT)
            and all(amount.kind == "number" for amount in quantities(each[1].value, style))
        )
    ]  # fmt: skip
    if short:
        score, other, why = max(short, key=lambda each: each[0])
        text = " ".join(other.value.split())[:_LONGEST_SHOWN]
        yield Value(one.name, text, "", other.page, other.span, score, is_disputed=True, why=why)


_LONGEST_SHOWN = 80


def _limit(text: str) -> str:
    return next((name for name, form in LIMITS.items() if form.search(text)), "")


def _of_limit(one: Wanted, candidates: list[tuple[float, Labelled, Scalar]]) -> list[tuple[float, Labelled, Scalar]]:
    """Select the minimum, typical value or maximum of a row, as the field asks for."""
    asked = _limit(" ".join((*one.phrases, one.description)))
    fitting = [each for each in candidates if not each[1].column or _limit(each[1].column) == asked]
    return fitting or candidates


_SYMBOL = re.compile(r"(?:(?:[a-z]{1,2}\d?|nominal|nom|rated|rating|max|min|size)[. ]*){1,3}", re.IGNORECASE)
"""A label that says no more than its unit does: `P2`, `Q nominal`, `p max`."""


def label_score(one: Wanted, other: Labelled, known: Vocabulary, papers: frozenset[str] = frozenset()) -> float:
    """Return the similarity of a value's label to the field."""
    phrases = one.phrases
    if is_turned(other.label, (*phrases, one.description), is_money=one.type == "money"):
        return 0.0
    if one.is_short and not {*words(other.label)[:1]} & {*words(phrases[-1])}:
        phrases = one.labels  # an upload speed is another one
    label = _in_common(other.label, one.type)
    common = [text for phrase in phrases if "same" in (text := in_common_words(phrase, one.type))]
    if label.strip() == "samedate":  # of what, it does not say
        common = [text for text in common if text.strip() == "samedate"]
    if one.type == "money" and re.search(r"\btotal\b|sametotal", label, re.IGNORECASE):  # a total price is no price
        common = [text for text in common if "sametotal" in text]
        phrases = phrases if common or "(" not in label else one.labels
    alike = max((likeness(label, phrase, known) for phrase in common), default=0.0)
    named = max((likeness(other.label, phrase, known) for phrase in phrases), default=0.0)
    if "," in other.label:
        head = other.label.split(",")[0]  # `Limit, any one event`
        named = max(named, _SAME_SENSE * max(likeness(head, phrase, known) for phrase in phrases))
    if one.type == "date" and (is_called(one, "start") or is_called(one, "end")) and _RANGE.search(other.value):
        alike = max(alike, float({*words(other.label)} <= _OF_RANGES))
    if one.is_number and {*words(other.label)} <= papers and _ONE_WORD.fullmatch(other.value):
        alike = 1.0  # `Our invoice: HV-871`
    score = max(named, _SAME_SENSE * alike, coverage(other.label, one.description, known))
    is_free = one.type == "money" or (one.type in ("name", "text") and not one.options)
    if score < _SURE and is_free and not one.labels and _is_of_another(label, one, papers):
        return 0.0
    return score


def _is_of_another(label: str, one: Wanted, papers: frozenset[str]) -> bool:
    """Whether a label with one common word has others that change its meaning: a `shipping price` is not a price, and
    the `insured` are not an insurance class."""
    said = words(label)
    for phrase in one.phrases:
        asked = words(in_common_words(phrase, one.type))
        common = {*asked} & {*said}
        if common and len(asked) == 1 and (one.is_number or (one.type == "money" and said[-1] in common)):
            if {*said} - common - _NEUTRAL - papers:
                continue
            return False
        if common and (one.type == "money" or asked[-1] in common or asked[-1] in _LIGHT):
            return False
    return True


_NEUTRAL = frozenset(
    words("month week day year annual hour agreed base basic full final overall current each standard")
)
_LIGHT = frozenset(words("number person company")) | {"sameperson", "sameplac"}
"""Last words of a name that can be ignored: a `contact person` is a contact."""


_RANGE = re.compile(r"\d\s*(?:[-–—]|to|until|till|up to|bis)\s+\D{0,12}\d")
_OF_RANGES = frozenset(words("date days valid validity period term duration from when"))
_SAME_SENSE = 0.85
"""Similarity of labels with the same meaning in other words."""
_ONE_WORD = re.compile(r"(?=\S*\d)\S+")


def _in_common(label: str, kind: str) -> str:
    """Return the label in common words, without the kind of document whose date or total it is."""
    text = in_common_words(label, kind)
    rest = [word for word in text.split() if word.lower() not in KINDS_OF_PAPERS]
    return " ".join(rest) if "same" in text and rest else text


def _chosen(one: Wanted, candidates: list[tuple[float, Labelled, Scalar]], style: Style) -> Iterator[Value]:
    if not candidates:
        return
    best = max(score for score, _, _ in candidates)
    likely = [candidate for candidate in candidates if candidate[0] > best - _MARGIN]
    first = max(likely, key=lambda candidate: candidate[0])
    is_disputed = not one.is_list and not all(_agree(each, first) for each in likely)
    for score, other, value in likely if one.is_list or is_disputed else [first]:
        for each in _elements(value) if one.is_list and isinstance(value, str) else [value]:
            unit = unit_in(one, other.value, other.unit, style)
            yield Value(one.name, each, unit, other.page, other.span, score, other.row, is_disputed)


def _agree(one: tuple[float, Labelled, Scalar], other: tuple[float, Labelled, Scalar]) -> bool:
    """Whether two values are equal, or one row has the value in two units: `25 mm | 1 in`."""
    (_, first, its), (_, second, another) = one, other
    is_row = first.page == second.page and first.span.begin == second.span.begin and bool(first.column)
    if is_row and isinstance(its, Decimal) and isinstance(another, Decimal):
        return abs(its - another) <= abs(another) / 50
    return its == another


def _elements(text: str) -> list[str]:
    """Split an enumeration: `Fire, theft and flood`; `Acme, Inc.` is one element."""
    parts: list[str] = []
    for part in re.split(r"\s*;\s*" if ";" in text else r",\s+(?:and\s+|or\s+)?|\s+•\s+", text):
        if parts and ends_with_abbreviation(part):
            parts[-1] += f", {part}"
        elif part:
            parts.append(part)
    return parts


# --- where no label leads to a value ----------------------------------------------------------------------------------


def _section(page: Page, at: int) -> str:
    """Return the last heading before a place on its page."""
    heads = [page.of(each.span) for each in page.blocks if each.kind == "heading" and each.span.begin < at]
    return heads[-1] if heads else ""


def _only_one(
    one: Wanted, wanted: Sequence[Wanted], every: Amounts, labelled: Sequence[Labelled]
) -> Iterator[Value]:
    """Yield the only value of its type in the document for the only field of its type; for money, if its clause
    mentions the field."""
    if one.type not in ("date", "money") or sum(other.type == one.type for other in wanted) > 1:
        return
    found = [(page, amount) for page, amount in every if amount.kind == one.type]
    if any(  # its label is of something else
        page.number == other.page and other.value_span.begin <= amount.start < other.value_span.end
        for page, amount in found
        for other in labelled
        if one.type != "date" or in_common_words(other.label, "date").strip() != "samedate"
    ):
        return
    if len({(amount.date, amount.number, amount.unit) for _, amount in found}) != 1:
        return
    named = {word for phrase in (*one.phrases, one.description) for word in words(phrase)}
    title = first_heading([page for page, _ in every])
    speaking = [
        (page, amount) for page, amount in found
        if (one.type == "date" or named & {*words(clause_of(page.text, amount))})
        and not is_foreign(one, clause_of(page.text, amount), _section(page, amount.start), title)
    ]  # fmt: skip
    if not speaking:
        return
    page, amount = speaking[0]
    value = amount_value(one, amount)
    if value is not None:
        yield Value(one.name, value, amount.unit, page.number, Span(amount.start, amount.end), 0.5)


__all__ = ["FieldType", "Scalar", "Value", "Wanted", "amount_value", "field_values", "label_score", "typed", "unit_in"]
