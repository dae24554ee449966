"""Declared fields, their values, and conversion of texts to values of a field's type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.language.numbers import NOTE_MARKS
from qlc.language.qualifiers import Qualifier, is_range, qualifier
from qlc.language.quantities import Quantity, Style, current, is_scaled, quantities, why_unread
from qlc.language.units import WORKING_DAYS, convert, unit_of

from ..pages import Span
from ..sentences import sentences
from .boxes import MARKED, Unsure, ticked_in
from .labels import words
from .rests import is_one_of_several, misread, taken_back
from .synonyms import ROLES, in_common_words, is_called

FieldType: TypeAlias = Literal["text", "name", "number", "money", "date", "duration", "boolean", "choice", "rows"]
Scalar: TypeAlias = str | Decimal | date | bool


LIMITS = {
    "upper": re.compile(r"\b(?:max|maximum|maximal|highest|largest|longest|most|up to|upper)\b", re.IGNORECASE),
    "lower": re.compile(r"\b(?:min|minimum|minimal|lowest|least|smallest|shortest|lower)\b", re.IGNORECASE),
}


_BOUNDS = {
    "upper": re.compile(r"\b(?:caps?|ceiling|limit(?:s|ed|ation)?|budget|deadline|due|capacity)\b", re.IGNORECASE),
    "lower": re.compile(r"\b(?:notice|thresholds?)\b", re.IGNORECASE),
}
"""Words of fields whose values are bounds in themselves."""
_LAST_WORDS = frozenset({"days", "months", "years", "pct", "c", "f", "eur", "usd", "gbp"})
"""Last words of field names that are units."""


@dataclass(frozen=True)
class Wanted:
    """A field that a bucket declares."""

    name: str
    type: FieldType
    unit: str = ""
    labels: tuple[str, ...] = ()
    description: str = ""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a choice: the values, each with its other spellings."""
    patterns: tuple[str, ...] = ()
    """Texts with `{value}` in place of the value."""
    columns: tuple[Wanted, ...] = ()
    """For rows: the fields of each."""
    is_series: bool = False
    """Whether its rows are the amounts of a field in several periods."""
    is_list: bool = False
    from_heading: bool = False
    """Whether the first heading of a document is the default value."""
    keeper: str = ""
    """Name and description of the corpus: its keeper is not the other party of a document."""

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Names of the field: its labels, an enumeration in its description, `rent, fee or rate`, and its name without
        a unit at the end."""
        spoken = self.name.replace("_", " ")
        head, _, last = spoken.rpartition(" ")
        of_unit = head and last.lower() in {self.unit.lower(), *_LAST_WORDS}
        listed = self._listed(4) if self.type not in ("name", "text", "choice", "boolean") else ()
        return (*self.labels, *listed, head if of_unit else spoken)

    def _listed(self, most: int) -> tuple[str, ...]:
        """Return the items of a description that is an enumeration: `camera, lens or lamp`; each has a few words at
        most."""
        listed = re.split(r",\s*(?:or\s+)?|\s+or\s+", self.description.strip(" ."))
        is_list = len(listed) > 1 and all(re.fullmatch(r"[^\W_][\w./ -]*", each) for each in listed)
        return tuple(listed) if is_list and all(len(each.split()) <= most for each in listed) else ()

    @cached_property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """The values of a choice, or those that a description enumerates: `camera, lens or lamp`."""
        if self.choices or self.type not in ("name", "text"):
            return self.choices
        listed = self._listed(2)
        is_name = {in_common_words(each, "name") for each in listed} & {in_common_words(self.name, "name")}
        return {} if is_name else dict.fromkeys(listed, ())

    @cached_property
    def limit(self) -> str:
        """The end of a range that the field means: `lower`, `upper`; empty for most fields."""
        if self.type == "date":
            return "upper" if is_called(self, "end") else "lower" if is_called(self, "start") else ""
        found = {each for each, form in LIMITS.items() if form.search(" ".join((*self.phrases, self.description)))}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def bounds(self) -> frozenset[str]:
        """The bounds that are values of the field: a cap of `up to EUR 9,000`, a notice of `at least 30 days`."""
        said = " ".join((*self.phrases, self.description))
        return frozenset((self.limit, *(each for each, form in _BOUNDS.items() if form.search(said)))) - {""}

    @cached_property
    def is_number(self) -> bool:
        """Whether it is an identifying number, written as text with a digit."""
        return self.type in ("text", "name") and "number" in words(self.name.replace("_", " "))

    @cached_property
    def is_short(self) -> bool:
        """Whether its name is less specific than a label: `speed` for `download speed`."""
        return any({*words(self.phrases[-1])} < {*words(one)} for one in self.labels)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a field and its place."""

    field: str
    value: Scalar
    unit: str
    page: int
    span: Span
    """Span of the quote, with the label if there is one."""
    trust: float
    row: int = -1
    is_disputed: bool = False
    """Whether another place has a different value with the same or more trust, so that the field has none."""
    by: Literal["rules", "meaning", "model"] = "rules"
    why: str = ""
    """Reason of a disputed value, if no other place disagrees: `it is a range`."""


def typed(one: Wanted, text: str, style: Style, unit: str = "") -> Scalar | None:
    """A text as a value of a field's type, in the field's unit; None where it is none."""
    value = value_or_doubt(one, text, style, unit)
    return None if isinstance(value, Unsure) else value


def value_or_doubt(one: Wanted, text: str, style: Style, unit: str = "", scale: int = 1) -> Scalar | Unsure | None:
    """Return a text as a value of a field's type, or why it has none. `scale` is that of amounts without their own."""
    text = " ".join(_STRUCK.sub(" ", text).split())
    if not text:
        return Unsure("it is struck out")
    if one.type not in ("text", "name") or NOTE_MARKS.sub("", text).isdecimal():
        text = NOTE_MARKS.sub("", text)
    if one.type in ("text", "name"):
        return _words(one, text.strip(" ,;:"), style)
    if one.type == "choice":
        return _option(one, text)
    return _yes_or_no(text) if one.type == "boolean" else _amount(one, text, style, unit, scale)


def _words(one: Wanted, text: str, style: Style) -> Scalar | Unsure | None:
    """A text as a `text` or a `name`."""
    if one.type == "name":
        if is_amount(text, style) or re.fullmatch(r"\S+@\S+", text):
            return None
        first = next(sentences(text, Span(0, len(text))), Span(0, 0))
        text = text[first.begin : first.end]
        if _REFERS.match(text):
            return Unsure("it refers to another place")
        if text.lower().removeprefix("the ") in ROLES and not one.options:
            return None  # it says which party, and not who
    if one.is_number and not re.search(r"\d", text):
        return None
    if one.options:
        return _option(one, text)
    if isinstance(ticked := ticked_in(text), Unsure):
        return ticked
    text = _ADDRESS_OF_MAIL.sub("", ticked)
    return (text if ends_with_abbreviation(text) else text.rstrip(" .")) or None


def _yes_or_no(text: str) -> bool | Unsure | None:
    if _NO_ANSWER.match(text):
        return None
    ticked = ticked_in(text)
    if isinstance(ticked, Unsure):
        return ticked
    answer = _ANSWER.match(ticked)
    other = _ANSWER.match(ticked, answer.end()) if answer else None
    if answer and other and bool(answer[1]) != bool(other[1]):
        return Unsure("it has both answers, and no mark shows which is meant")
    return bool(answer[1]) if answer else None


_REFERS = re.compile(
    r"(?:please )?(?:see|refer to|cf\.?|as (?:per|in|above|below|before|stated)|siehe|wie (?:oben|unten|in)|voir)\b"
    r"(?=.*\b(?:annex|appendix|schedule|attach|above|below|overleaf|page|section|clause|list|anlage|anhang|oben|unten"
    r"|seite|annexe|ci-|before|stated|per|in)\w*)", re.IGNORECASE
)  # fmt: skip
_NO_ANSWER = re.compile(
    r"\s*(?:n\s*/\s*a|n\.\s*a|not (?:known|applicable|available|stated)|no (?:data|information|answer|longer)|"
    r"no\.?\s*\d+)\b",
    re.IGNORECASE,
)
"""Texts that say neither yes nor no: `N/A`, `no data`, `No. 4711`, `no longer ...`."""
_ANSWER = re.compile(
    r"[\s/|,]*(?:(?:or|oder|ou)\s+)?(?:(yes|true|ja|oui|y|x|✓)|(no|false|nein|non|n))\b", re.IGNORECASE
)


def _amount(one: Wanted, text: str, style: Style, unit: str, scale: int) -> Scalar | Unsure | None:
    text = _TOLERANCE.sub("", text)
    text = re.sub(r"^\(([^()]*)\)", r"\1", text) if one.type == "number" and one.unit not in ("", "%") else text
    if one.type == "money" and not style.numbers.groups:  # money seldom has three decimals: 1,250 is a whole number
        style = replace(style, numbers=replace(style.numbers, groups=","))
    every = quantities(text, style)
    held = current(text, every)
    if every and not held:
        return Unsure("it is no longer in force")
    if held and (why := taken_back(text)):
        return Unsure(why)
    if len(held) > 1 and one.limit and is_range(text, *held[:2]):
        held = [replace(held[0], kind=held[1].kind, unit=held[0].unit or held[1].unit), *held[1:]]
        held = held[1:] if one.limit == "upper" else held
    has_currency = one.type == "money" and any(amount.kind == "money" for amount in held)
    for at, amount in enumerate(held):
        value = None if has_currency and amount.kind != "money" else amount_value(one, amount, unit)
        if value is None:
            continue
        why = doubt_of(one, text, held, at) or misread(one, text, every, held, at) or _among(one, text, held, at)
        if why:
            return Unsure(why)
        is_bare = one.type == "money" and scale != 1 and not is_scaled(text[amount.start : amount.end])
        return value * scale if is_bare and isinstance(value, Decimal) else value
    if one.type == "date" and _SLASHED.search(text):
        return Unsure(f"'{text[:60]}' can have the day or the month first, or is not a date")
    return Unsure(why_unread(text, style) or f"'{text[:60]}' {NOT_READ} a {_CALLED.get(one.type, one.type)}")


NOT_READ = "is not read as"
_CALLED = {"money": "sum of money"}
_SLASHED = re.compile(r"\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b")
_TOLERANCE = re.compile(
    r"\s*(?:(?:±|\+/?\s?[-\u2212\u2013])\s*[\d.,]+(?:\s?%)?|\+[\d.,]+\s*/\s*[-\u2212\u2013][\d.,]+)"
)
"""A tolerance behind a number: `5 ± 0.2 kg`."""
_CHANGED = re.compile(
    r"\b(?:raised|changed|increased|lowered|reduced|decreased|extended|rises?|rose|falls?|fell|grows?|grew|goes|went|moved)"
    r"\s+from\b[^;]*$",
    re.IGNORECASE,
)
_OR = re.compile(
    r"\s*(?:,|/|;|\||\bor\b|\boder\b|\bou\b|\band\b|\bund\b|)\s*((?:max|min)(?:imum)?\.?\s*)?", re.IGNORECASE
)
_FARTHEST = 30


_STRUCK = re.compile("~{4,}")
"""A text that is struck out, as `without_struck` leaves it."""
RANGE = "it is a range"
_REASONS: dict[Qualifier, str] = {
    "lower end": RANGE, "upper end": RANGE,
    "product": "it is a product of numbers", "sum": "it is a sum or a difference",
    "relative": "it is counted from another day",
    "since": "it is counted from another day",
    "upper": "it is a bound only", "lower": "it is a bound only", "approximate": "it is approximate",
    "credit": "it is a credit or a debit, and nothing shows its sign", "identifier": "it names something",
    "several": "it has several values",
}  # fmt: skip


def doubt_of(one: Wanted, text: str, held: Sequence[Quantity], at: int) -> str:
    """Return why an amount of a text is not the value of a field: `it is a range`; empty for a value."""
    amount = held[at]
    other = held[at + 1] if at + 1 < len(held) else None
    said = qualifier(text, held, at)
    is_changed = said == "upper end" and _CHANGED.search(text, max(0, amount.start - 2 * _FARTHEST), amount.start)
    is_meant = said in one.bounds or said == f"{one.limit} end" or (one.limit == "lower" and said == "since")
    if said and not is_changed and not is_meant:
        return _REASONS[said]
    between = text[amount.end : other.start] if other else ""
    if other and other.kind == amount.kind and (found := _OR.fullmatch(between)) and not (one.limit and found[1]):
        return _several(one, text, amount, other)
    return ""


def _among(one: Wanted, text: str, held: Sequence[Quantity], at: int) -> str:
    """Return whether another amount of a value can be meant as well."""
    others = (other for other in held[at + 1 :] if other.kind == held[at].kind)
    is_free = not one.limit and not one.is_list
    return next((why for other in others if is_free and is_one_of_several(text, held[at], other)
                 and (why := _several(one, text, held[at], other))), "")  # fmt: skip


def _several(one: Wanted, text: str, amount: Quantity, other: Quantity) -> str:
    first, second = amount_value(one, amount), amount_value(one, other)
    is_converted = one.type == "money" and amount.unit != other.unit and "/" in text[amount.end : other.start]
    is_other = first is not None and second is not None and not is_converted and not _is_near(first, second)
    return _REASONS["several"] if is_other else ""


def _is_near(first: Scalar, second: Scalar) -> bool:
    """Whether two amounts are equal, as far as their units can show: `5 kg / 11 lb`."""
    if isinstance(first, Decimal) and isinstance(second, Decimal):
        return abs(first - second) <= abs(second) / 50
    return first == second


_ADDRESS_OF_MAIL = re.compile(r"(?<=\w)\s*<[^<>\s]+@[^<>\s]+>")
_DENIES = re.compile(
    r"\b(?:no|not|none|never|neither|without|cannot|exclude[sd]?|excluding|prohibit(?:s|ed)|forbid(?:s|den)|refused|denied"
    r"|declined|waived|barred|banned|disallowed|unavailable|unlimited)\b|n['’]t\b",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    r"\b(?:may be|included?|includes|covered|covers|allowed|permitted|welcome|granted|available|accepted|required"
    r"|provided|agreed|automatic(?:ally)?|fitted|present|applies|signed|insured)\b",
    re.IGNORECASE,
)
def _option(one: Wanted, text: str) -> str | Unsure | None:
    ticked = ticked_in(text)
    if isinstance(ticked, Unsure):
        return ticked
    found = choices_in(one, ticked)
    return found.pop() if len(found) == 1 else Unsure("it has several of the choices") if found else None


_BOTH = re.compile(r"\byes\W{1,6}no\b|\bja\W{1,6}nein\b|\boui\W{1,6}non\b", re.IGNORECASE)
_DEPENDS = re.compile(r"\b(?:unless|except|only|subject to|if|provided that|other than)\b", re.IGNORECASE)


def polarity(text: str) -> bool | None:
    """Return whether a text affirms or denies something; None for neither, both, or a condition.

    Check boxes name both answers: `☒ yes ☐ no`.
    """
    denied = len(_DENIES.findall(text))
    if denied > 1 or _DEPENDS.search(text) or MARKED.search(text) or _BOTH.search(text):
        return None
    return False if denied else True if _AFFIRMS.search(text) else None


def is_amount(text: str, style: Style) -> bool:
    """Whether a text is a date or a sum of money and nothing else."""
    found = quantities(text, style)
    return len(found) == 1 and found[0].kind in ("date", "money") and found[0].end - found[0].start == len(text)


def amount_value(one: Wanted, amount: Quantity, unit: str = "") -> Scalar | None:
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
    elif source := amount.unit if amount.kind == "measure" else unit_of(unit):
        source = "d" if source in WORKING_DAYS and target == "d" else source
        number = convert(amount.number, source, target)
    if number is not None and number < 0 and re.search(r"\b(?:max|maximum|highest|largest)\b", one.description, re.I):
        return -number  # the limit of what is negative is told by its magnitude
    return number


def choice_in(one: Wanted, text: str) -> str | None:
    """Return the value that a text has a spelling of; None for none or for two."""
    found = choices_in(one, text)
    return found.pop() if len(found) == 1 else None


def choices_in(one: Wanted, text: str) -> set[str]:
    """Return the values that a text has spellings of, the longest where one contains another."""
    found = sorted(
        (-(match.end() - match.start()), match.start(), match.end(), value)
        for value, spellings in one.options.items()
        for spelling in (value, *spellings)
        for match in re.finditer(rf"(?<!\w){re.escape(spelling)}(?:(?:al)?ly)?(?!\w)", text, re.IGNORECASE)
    )
    kept: list[tuple[int, int, str]] = []
    for _, begin, end, value in found:
        if not any(begin < other_end and other_begin < end for other_begin, other_end, _ in kept):
            kept.append((begin, end, value))
    return {value for _, _, value in kept}


def unit_in(one: Wanted, text: str, unit: str = "", style: Style = Style()) -> str:  # noqa: B008  it is frozen
    """Return the unit of a value in a text: for money the currency, else the unit of the field."""
    if one.type == "money":
        found = [amount.unit for amount in quantities(NOTE_MARKS.sub("", text), style) if amount.kind == "money"]
        return found[0] if found else unit if re.fullmatch("[A-Z]{3}", unit) else ""
    return one.unit
