"""The declared fields of a document, filled from labelled values and, where there are none, from sentences.

Each field takes the value whose label is most like its name, its labels and its description, and whose type fits. Where
two different values are as likely the field stays empty: a missing value is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..pages import Page, Span
from ..sentences import ends_with_abbreviation
from .labelled import Labelled
from .labels import Vocabulary, coverage, likeness, vocabulary, words
from .prose import Places, by_patterns, by_sentences, clause_of, in_roles
from .quantities import Style, amounts
from .typed import FieldType, Scalar, Value, Wanted, amount_value, polarity, typed, unit_in

_OF_TEXT = ("text", "name", "choice", "boolean")

_LABELLED = 0.5
"""How like a label has to be."""
_SURE = 0.75
"""From here on a sentence cannot say better what a field is than a label does."""
_CALLED = 0.9
"""From here on a text is a field's name, not its value."""
_SHORT = 4
"""Words of a value that says no more than that something is so: `not covered`."""
_MARGIN = 0.08
"""By how much the best has to be better than the second, where their values differ."""


def field_values(
    wanted: Sequence[Wanted], pages: Sequence[Page], labelled: Sequence[Labelled], style: Style
) -> list[Value]:
    """What the fields of a document are, as far as the rules can tell."""
    known = vocabulary([*(one.label for one in labelled), *(phrase for one in wanted for phrase in one.phrases)])
    found = [*by_patterns(wanted, pages, style)]
    filled = {value.field for value in found}
    items = [value for one in wanted if one.type == "rows" for value in _rows(one, labelled, style, known)]
    in_items = Places(items)
    free = [one for one in labelled if one.row >= 0 or not in_items.around(one.page, one.value_span.begin)]
    found += _by_labels([one for one in wanted if one.name not in filled], free, style, known)
    found += items
    sure = {value.field for value in found if value.trust >= _SURE or value.is_disputed}
    for other in by_sentences([one for one in wanted if one.name not in sure], pages, style, labelled, found):
        if all(value.trust < other.trust for value in found if value.field == other.field):
            found = [*(value for value in found if value.field != other.field), other]
    filled = {value.field for value in found}
    rest = [one for one in wanted if one.name not in filled]
    found += [value for one in rest if one.type == "name" and not one.is_number for value in in_roles(one, pages)]
    filled = {value.field for value in found}
    rest = [one for one in rest if one.name not in filled]
    found += [
        value for one in rest if (value := _from_heading(one, pages) or _only_one(one, wanted, pages, labelled, style))
    ]
    return found


# --- labels -----------------------------------------------------------------------------------------------------------


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
                if value is None and one.type == "boolean" and len(other.value.split()) <= _SHORT:
                    value = polarity(other.value)
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


# --- rows -------------------------------------------------------------------------------------------------------------


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


# --- where no label leads to a value ----------------------------------------------------------------------------------


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
    """The only value of its type in the document, for the only field of its type; of money, where its clause speaks of
    the field."""
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
    named = {word for phrase in (*one.phrases, one.description) for word in words(phrase)}
    speaking = [
        (page, amount) for page, amount in found
        if one.type == "date" or named & {*words(clause_of(page.text, amount))}
    ]  # fmt: skip
    if not speaking:
        return None
    page, amount = speaking[0]
    value = amount_value(one, amount)
    return (
        None if value is None else Value(one.name, value, amount.unit, page.number, Span(amount.begin, amount.end), 0.5)
    )


__all__ = ["FieldType", "Scalar", "Value", "Wanted", "amount_value", "field_values", "label_score", "typed", "unit_in"]
