"""Checks a language model's claims about a document against the document.

Each value comes with a page and a quote. The quote must be on that page, up to white space and hyphenation, and the
value must follow from it by the readers that rules use. Otherwise the value is dropped and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from qlc.language.quantities import CURRENCY, Quantity, Style, currency_of, quantities
from qlc.language.units import UNIT, unit_of

from ..pages import Page, Span
from ..passages import tokens
from .fields import Scalar, Value, Wanted, amount_value, typed
from .labels import words

MOST_CLAIMS = 1_000
"""Most claims about one document; the rest is dropped."""
_LONGEST = 1_500
"""Most characters of a quote, or a value."""
_PART = 1_500
"""Characters of the parts into which a long document is cut, to select those with words of the fields."""
_AROUND = 60
"""Characters around a quote that can change its meaning: `million` after `USD 1.5`, a sign before a number."""
_MOST_PLACES = 50

ValueWithUnit: TypeAlias = tuple[Scalar, str]
"""A value and its unit; for money, the currency."""


# --- what is sent ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a page: its text, and its start in the text of the page."""

    page: int
    begin: int
    text: str


@dataclass(frozen=True, slots=True)
class ForModel:
    """The part of a document that a model is sent."""

    excerpts: tuple[Excerpt, ...]
    style: Style
    is_whole: bool


def excerpts(pages: Sequence[Page], wanted: Sequence[Wanted], style: Style, most: int) -> ForModel:
    """Select parts of a document up to `most` tokens: its beginning, and the parts with words of most fields."""
    if sum(tokens(page.text) for page in pages) <= most:
        return ForModel(tuple(Excerpt(page.number, 0, page.text) for page in pages if page.text), style, True)
    parts = [part for page in pages for part in _parts(page)]
    said = [{*words(part.text)} for part in parts]
    fields = [field for one in wanted for field in (one, *one.columns)]
    asked = [{*words(text)} for one in fields for text in (*one.phrases, one.description) if text]
    shares = [[len(some & its) / len(some) if some else 0.0 for some in asked] for its in said]
    order = sorted(range(len(parts)), key=lambda at: (at > 0, -sum(share**2 for share in shares[at]), at))
    chosen, left = [], most
    for at in order:
        left -= tokens(parts[at].text)
        if left < 0:
            break
        chosen.append(at)
    return ForModel(tuple(_joined([parts[at] for at in sorted(chosen)])), style, False)


def _parts(page: Page) -> Iterator[Excerpt]:
    """Cut a page at line ends, or between words if it has none."""
    for found in re.finditer(rf"\S(?s:.{{0,{_PART}}})(?=\n|\Z)|\S(?s:.{{0,{_PART}}})(?=\s)|\S{{1,{_PART}}}", page.text):
        yield Excerpt(page.number, found.start(), found[0])


def _joined(parts: Sequence[Excerpt]) -> list[Excerpt]:
    """Join adjacent parts of a page, up to white space between them."""
    joined: list[Excerpt] = []
    for part in parts:
        last = joined[-1] if joined else None
        gap = part.begin - last.begin - len(last.text) if last is not None else 0
        if last is not None and last.page == part.page and gap <= 2:
            joined[-1] = replace(last, text=last.text + "\n" * gap + part.text)
        else:
            joined.append(part)
    return joined


# --- what came back --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Checked:
    """The verified values, each with the text of its span, and the number of dropped ones."""

    values: list[tuple[Value, str]] = field(default_factory=list)
    dropped: int = 0


def checked(said: Mapping[str, Any], wanted: Sequence[Wanted], sent: ForModel) -> Checked:
    """Verify a model's output `said`, which fits the schema of its tool but may be false.

    It has `values`, each with field, value, page and quote, and `rows`, each with field, page, quote and its cells.
    """
    found = Checked()
    by_name = {one.name: one for one in wanted}
    pages: dict[int, list[_Text]] = {}
    for excerpt in sent.excerpts:
        pages.setdefault(excerpt.page, []).append(_Text(excerpt))
    claims = [(kind, claim) for kind in ("values", "rows") for claim in said.get(kind, ())]
    taken: set[tuple[str, int, int]] = set()
    for number, (kind, claim) in enumerate(claims):
        one = by_name.get(claim["field"])
        places = [*_places(claim, pages)][:_MOST_PLACES]
        if one is None or number >= MOST_CLAIMS or not places or (one.type == "rows") != (kind == "rows"):
            found.dropped += max(1, len(claim.get("cells", ())))
        elif kind == "rows":
            free = [place for place in places if (one.name, place[0].page, place[1].begin) not in taken]
            if free:  # a row that is said twice stands there twice, or is one
                taken.add((one.name, free[0][0].page, free[0][1].begin))
                _add_row(found, one, claim, free[0], sent.style, number)
        else:
            _add(found, one, claim, places, sent.style)
    _mark_disputes(found, by_name)
    return found


_Place: TypeAlias = "tuple[_Text, Span]"


def _places(claim: Mapping[str, Any], pages: Mapping[int, list[_Text]]) -> Iterator[_Place]:
    """Yield the places of a claim's quote on its page."""
    if len(claim["quote"]) <= _LONGEST:
        for text in pages.get(claim["page"], ()):
            yield from ((text, span) for span in text.places(claim["quote"]))


def _add(found: Checked, one: Wanted, claim: Mapping[str, Any], places: Sequence[_Place], style: Style) -> None:
    for place in places:
        reading = _follows(one, claim["value"], place, style)
        if reading is not None:
            value = _value(one.name, reading, place)
            known = {(other.field, other.value, other.unit) for other, _ in found.values}
            if (value.field, value.value, value.unit) not in known:
                found.values.append((value, place[0].of(place[1])))
            return
    found.dropped += 1


def _add_row(found: Checked, rows: Wanted, claim: Mapping[str, Any], place: _Place, style: Style, number: int) -> None:
    """Add a row, unless it lacks its first column or half of its columns, as for rules."""
    columns = {column.name: column for column in rows.columns}
    cells: dict[str, Value] = {}
    said = claim["cells"]
    for cell in said:
        column = columns.get(cell["column"])
        reading = _follows(column, cell["value"], place, style, column.unit) if column is not None else None
        if column is not None and reading is not None and column.name not in cells:
            cells[column.name] = replace(_value(f"{rows.name}.{column.name}", reading, place), row=number)
    is_row = rows.columns[0].name in cells and len(cells) * 2 > len(columns)
    found.dropped += len(said) - (len(cells) if is_row else 0)
    if is_row:
        found.values += [(cells[name], place[0].of(place[1])) for name in columns if name in cells]


def _value(name: str, reading: ValueWithUnit, place: _Place) -> Value:
    text, span = place
    return Value(name, *reading, text.page, span.moved(text.begin), 1.0, by="model")


def _mark_disputes(found: Checked, by_name: Mapping[str, Wanted]) -> None:
    """Mark fields with two different values as disputed, whoever read them."""
    several: dict[str, int] = {}
    for value, _ in found.values:
        several[value.field] = several.get(value.field, 0) + 1
    found.values = [
        (replace(value, is_disputed=several[value.field] > 1 and not by_name[value.field].is_list), quote)
        if value.field in by_name
        else (value, quote)
        for value, quote in found.values
    ]


# --- whether a value follows from a quote ----------------------------------------------------------------------------


def _follows(one: Wanted, said: Scalar, place: _Place, style: Style, unit: str = "") -> ValueWithUnit | None:
    """Return the value in a quote by the readers of its type, if it equals the claimed one."""
    if isinstance(said, bool):
        said = "yes" if said else "no"
    text = str(said)
    if not text.strip() or len(text) > _LONGEST:
        return None
    quote = place[0].of(place[1])
    if one.type in ("text", "name"):
        value = typed(one, text, style)
        stands = any(True for _ in _Text(Excerpt(0, 0, quote)).places(text))
        return (value, "") if value is not None and stands else None
    if one.type == "choice":
        value = typed(one, text, style)
        return (value, one.unit) if value is not None and value == typed(one, quote, style) else None
    if one.type == "boolean":
        answers = {typed(one, part, style) for part in re.split(r"[:\t\n]", quote)} - {None}
        value = typed(one, text, style)
        return (value, one.unit) if value is not None and answers == {value} else None
    text_of, span = place[0].text, place[1]
    alone = [*_units_alone(quote), unit]
    read = {*_readings(one, text_of, span, style, alone)}
    own = [amount.unit for amount in _inside(text_of, span, style)]  # a bare number is one of those of the quote
    claimed = {
        reading for way in (style, Style()) for reading in _readings(one, text, Span(0, len(text)), way, [*alone, *own])
    }
    both = read & claimed
    return both.pop() if len(both) == 1 else None


def _readings(one: Wanted, text: str, span: Span, style: Style, units: Sequence[str]) -> Iterator[ValueWithUnit]:
    """Yield amounts in a part of a text that fit a field; `units` are possible units of a number without one."""
    for amount in _inside(text, span, style):
        if one.type == "money":
            currencies = [amount.unit] if amount.kind == "money" else [*filter(None, map(currency_of, units))] or [""]
            if (value := amount_value(one, amount)) is not None:
                yield from ((value, currency) for currency in currencies)
            continue
        for unit in ("", *units):
            if (value := amount_value(one, amount, unit)) is not None:
                yield value, one.unit


def _inside(text: str, span: Span, style: Style) -> Iterator[Quantity]:
    """The amounts in a part of a text. One that goes on beyond that part is none of it."""
    begin, end = max(0, span.begin - _AROUND), min(len(text), span.end + _AROUND)
    found = quantities(text, style, begin, end)
    return (amount for amount in found if span.begin <= amount.start and amount.end <= span.end)


def _units_alone(quote: str) -> Iterator[str]:
    """Yield units and currencies without a number before them: in brackets, or in a cell of their own."""
    for found in re.finditer(rf"(?:[(\[]|^|[\t\n])\s*({UNIT}|{CURRENCY})\s*(?:[)\]]|$|(?=[\t\n]))", quote):
        yield unit_of(found[1]) or found[1]


# --- texts that are compared -----------------------------------------------------------------------------------------

_ALIKE = str.maketrans("‘’‚“”„–—−‐‑‹›", "'''\"\"\"-----<>")
"""Variants of characters. `‹` is replaced by `<`, which could end the document in a prompt."""
_GAP = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])|\u00ad\s*|\s+")


class _Text:
    """An excerpt in which quotes are found regardless of white space and hyphens."""

    def __init__(self, excerpt: Excerpt) -> None:
        self.page, self.begin, self.text = excerpt.page, excerpt.begin, excerpt.text
        self._plain, self._at = _plain(self.text)

    def of(self, span: Span) -> str:
        return self.text[span.begin : span.end]

    def places(self, quote: str) -> Iterator[Span]:
        """Yield places of a quote as whole words and numbers: `234` is not found in `1,234`, nor `NX54` in `NX54-A`."""
        sought = _plain(quote)[0].strip()
        if not re.search(r"\w", sought):
            return
        before = r"(?<!\w)(?<!\d[.,])(?<!\w[-/])" if re.match(r"\w", sought) else ""
        after = r"(?!\w)(?![.,]\d)(?![-/]\w)" if re.match(r"\w", sought[-1]) else ""
        for found in re.finditer(before + re.escape(sought) + after, self._plain):
            yield Span(self._at[found.start()], self._at[found.end() - 1] + 1)


def _plain(text: str) -> tuple[str, list[int]]:
    """Normalize white space and remove hyphens in words; also return the original place of each character."""
    alike = text.translate(_ALIKE)
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for gap in _GAP.finditer(alike):
        parts.append(alike[at : gap.start()])
        places += range(at, gap.start())
        if gap[0].isspace():
            parts.append(" ")
            places.append(gap.start())
        at = gap.end()
    parts.append(alike[at:])
    places += range(at, len(alike))
    return "".join(parts), places


# --- beside what rules read ------------------------------------------------------------------------------------------


def merged(rules: Sequence[tuple[Value, str]], model: Sequence[tuple[Value, str]]) -> list[tuple[Value, str]]:
    """Merge values with their quotes; a model's values override those of rules.

    Different values of rules are kept as disputed, so that people see them.
    """
    named = {_root(value) for value, _ in model}
    said = {(value.field, value.value, value.unit) for value, _ in model if value.row < 0}
    rows = [*_rows(model).values()]
    of_rules = _rows(rules)
    found = [*model]
    for value, quote in rules:
        if _root(value) not in named:
            found.append((value, quote))
        elif value.row >= 0:
            its = of_rules[_root(value), value.row]
            if not any(its <= other for other in rows):
                found.append((replace(value, is_disputed=True), quote))
        elif (value.field, value.value, value.unit) not in said and not value.why:
            found.append((replace(value, is_disputed=True), quote))
    return found


def _root(value: Value) -> str:
    return value.field.partition(".")[0]


def _rows(values: Sequence[tuple[Value, str]]) -> dict[tuple[str, int], set[tuple[str, Scalar]]]:
    found: dict[tuple[str, int], set[tuple[str, Scalar]]] = {}
    for value, _ in values:
        if value.row >= 0:
            found.setdefault((_root(value), value.row), set()).add((value.field, value.value))
    return found
