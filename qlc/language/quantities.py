"""Read quantities: dates, money, numbers with a unit and plain numbers, each with its place in the text.

`pays EUR 1.2 million within thirty (30) days` -> money 1200000 EUR, measure 30 d.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest

from .compounds import MINOR, MINOR_AMOUNT, joined
from .dates import DateStyle, date_style, dates
from .numbers import (
    NUMBER,
    NUMBER_IN_WORDS,
    SCALES,
    NumberStyle,
    number_style,
    parse_number,
    parse_words,
    values_of,
)
from .quantity import Kind as Kind
from .quantity import Quantity as Quantity
from .units import UNIT, WORKING_DAYS, unit_of


@dataclass(frozen=True, slots=True)
class Style:
    """How a document writes numbers and dates."""

    numbers: NumberStyle = field(default_factory=NumberStyle)
    dates: DateStyle = field(default_factory=DateStyle)


def style_of(texts: Iterable[str]) -> Style:
    """Return the style of a document, decided by what has one reading only."""
    held = list(texts)
    return Style(number_style(held), date_style(held))


# --- currencies ------------------------------------------------------------------------------------------------------

_CODES = (
    "EUR|USD|GBP|CHF|CAD|AUD|NZD|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|ILS|AED|TWD|THB"
)
_SIGNS = {
    "€": "EUR", "£": "GBP", "US$": "USD", "C$": "CAD", "CA$": "CAD", "CAN$": "CAD", "A$": "AUD", "AU$": "AUD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "MX$": "MXN", "NT$": "TWD", "$": "USD", "¥": "JPY",
    "円": "JPY", "RMB": "CNY", "₹": "INR", "zł": "PLN", "Kč": "CZK", "Euro": "EUR", "euro": "EUR", "euros": "EUR",
    "dollars": "USD", "US dollars": "USD", "US Dollars": "USD", "SFr.": "CHF", "Fr.": "CHF", "Rs.": "INR", "Rs": "INR",
}  # fmt: skip
_NAMES = {
    "EUR": "euros?", "CAD": "Canadian dollars?", "AUD": "Australian dollars?", "USD": "(?:US )?dollars?",
    "GBP": "(?:British )?pounds?(?: sterling)?",
    "CHF": "(?:Swiss )?francs?", "SEK": "Swedish (?:kronor|krona|crowns?)", "NOK": "Norwegian (?:kroner|krone|crowns?)",
    "DKK": "Danish (?:kroner|krone|crowns?)", "JPY": "yen", "PLN": "zlotys?", "CZK": "Czech (?:koruna|crowns?)",
    "INR": "rupees?", "CNY": "yuan", "KRW": "won",
}  # fmt: skip
_OF_SIGNS = "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
CURRENCY = rf"(?:(?:(?<![A-Za-z])|(?<=\b[TkKM]))(?:{_CODES})(?![A-Za-z])|{_OF_SIGNS})"
"""The code or the sign of a currency, as a regular expression without groups."""


def currency_of(text: str) -> str:
    """Return the code of a currency: `€` -> `EUR`; an empty text for anything else."""
    return text if re.fullmatch(f"{_CODES}|COP|CLP|ARS", text) else _SIGNS.get(text, "")


@lru_cache(maxsize=4_096)
def named_currency(text: str) -> tuple[str, str] | None:
    """Return the first currency that a text names by code or name, and the words: `in Swiss francs` -> CHF."""
    if found := re.search(rf"\b(?:{_CODES})\b", text):
        return found[0], found[0]
    for code, form in _NAMES.items():
        if found := re.search(rf"\b{form}\b", text, re.IGNORECASE):
            return code, found[0]
    return None


# --- units of labels -------------------------------------------------------------------------------------------------

_UNIT_OF_HEAD = re.compile(
    r"(?:(?<!dB)[(\[]([^()\[\]]{1,12})[)\]]|(?:,\s*|\bin\s+)([^,\s]{1,8})"
    r"|(?:\s|^)([A-Z]{3}|[€$£¥]|[^\W\d_]{4,7}))\s*$"
)


def unit_of_label(label: str) -> str:
    """Return the unit at the end of a label: `Weight (kg)`, `Power in kW`, `Total EUR`, `nitrate_mg_l`; an empty text
    for none."""
    found = _UNIT_OF_HEAD.search(label)
    unit = (found[1] or found[2] or found[3]).strip() if found else "/".join(label.split("_")[1:][-2:])
    return currency_of(unit) or (unit if unit_of(unit) else "")


def named_unit(label: str) -> str:
    """Return the first unit among the words of a label: `Lux at 5 m`, `Wattage`; an empty text for none."""
    words = re.findall(r"[^\W\d_]{3,}", label.lower().replace("wattage", "watt"))
    return next((unit for word in words if (unit := unit_of(word))), "")


def unit_as_written(value: object, unit: str, quote: str) -> str:
    """Return the unit of a value that is kept in days: `working days` if its quote counts these."""
    units = {one.unit for one in quantities(quote, Style()) if one.number == value and one.unit in ("d", *WORKING_DAYS)}
    return units.pop() if unit_of(unit) == "d" and len(units) == 1 and not units <= {"d"} else unit


# --- scales of money -------------------------------------------------------------------------------------------------

_SCALES = {
    **SCALES, "t": 1000, "tsd": 1000, "tausend": 1000, "millier": 1000, "000": 1000, "万": 10**4, "lakh": 10**5,
    "lac": 10**5, "mm": 10**6, "mln": 10**6, "millionen": 10**6, "millone": 10**6, "millón": 10**6, "milhõe": 10**6,
    "milhão": 10**6, "milioni": 10**6, "crore": 10**7, "億": 10**8, "b": 10**9, "md": 10**9, "mrd": 10**9,
    "milliard": 10**9, "milliarden": 10**9, "tn": 10**12, "兆": 10**12,
}  # fmt: skip
_WORD_OF_SCALE = (
    r"(?:thousands?|millions?|billions?|trillions?|[Mm]io\b\.?|[Mm]rd\b\.?|[Tt]sd\b\.?|Millionen|Milliarden|Tausend"
    "|millones|millón|milhões|milhão|milioni|milliers?|milliards?|lakhs?|lacs?|crores?)"
)
_IN_FRONT = r"(?<![^\W\d_])(?:[TkKM]|Md|Mio\.?\s?|Mrd\.?\s?)"
"""A scale in front of its currency: `TEUR`, `k€`."""
_SCALE = rf"(?:{_WORD_OF_SCALE}|mln|mn|bn|tn|Mds?|[kKmMB](?![^\W\d_])|[TkKM](?=EUR|USD|CHF|GBP|€|£)|[万億兆])"
_STATED = (
    re.compile(rf"\b(?:in|en)\s+(?:{CURRENCY}\s+)?({_WORD_OF_SCALE})(?![^\W\d_])", re.IGNORECASE),
    re.compile(rf"{CURRENCY}\s?(?:in\s)?['’]?({_WORD_OF_SCALE}|000)(?=s?\b)"),
    re.compile(r"(?<!\w)(?<!\d )(Mio|Mrd|Tsd)\.?\s?(?=(?:EUR|€|CHF)(?!\w))", re.IGNORECASE),
    re.compile(r"(?<!\w)(T|[kK]|M|Md)(?=(?:€|£|EUR|USD|CHF|GBP)(?!\w))"),
)


def stated_scale(text: str) -> tuple[int, str]:
    """Return the scale that a label or a heading states, and its currency: `(EUR in thousands)` -> 1000, EUR."""
    found = next((match for form in _STATED if (match := form.search(text))), None)
    if found is None:
        return 1, ""
    named = named_currency(text)
    sign = re.search(CURRENCY, text)
    return _factor(found[1]), named[0] if named else currency_of(sign[0]) if sign else ""


def _factor(scale: str) -> int:
    word = scale.strip().lower().rstrip(".")
    return _SCALES.get(word) or _SCALES[word.removesuffix("s")]


# --- quantities ------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(rf"(?=[-\u2212+\u2013±\d])(?<!\d)(?<!\d[.,'’])(?:{NUMBER})")
_LEFT = re.compile(
    rf"(?P<sign>(?<![\w-])[-\u2212\u2013]|\bminus\s)?(?P<scale>{_IN_FRONT})?(?P<currency>{CURRENCY})(?:\s?\$)?"
    r"(?P<space>\s?)(?P<open>\()?$"
)
_FARTHEST = 24
"""Most characters of a sign and a currency before a number."""
_LAST_OF_CURRENCIES = frozenset(one[-1] for one in (*_CODES.split("|"), *_SIGNS))
_TAIL = re.compile(
    rf"(?:(?P<whole>[.,][-–—]{{1,2}}(?!\d)|\.?/-)|(?P<minus>[-\u2212])(?!\w|\s?\d))?(?:[\s-]?(?P<scale>{_SCALE}))?"
)
_AFTER = re.compile(
    rf"\s?(?:de\s|d['’])?(?P<scale>{_IN_FRONT})?(?P<currency>{CURRENCY})(?![A-Za-z])"
    rf"(?:(?<=uro|ros|ars)|(?![ \u00a0]?\(?[-\u2212]?\d(?![\d.,]*[^\S\n]?(?:{CURRENCY}|{MINOR_AMOUNT}))))"
)
_OF_DOLLARS = re.compile(r"\s?\(?(?P<currency>USD|CAD|AUD|NZD|SGD|HKD|TWD|MXN|COP|CLP|ARS)(?![A-Za-z]|\s?\d)\)?")
"""A code behind `$ 5`."""
_COMPOUND = ("億", "万", "兆", "crore", "crores", "lakh", "lakhs")
"""Scales between the parts of one amount: `1億2,000万円`."""
_IN_WORDS = re.compile(rf"(?<!\w)(?i:({NUMBER_IN_WORDS}))(?:\s*\(({NUMBER})\))?(?:[\s-]+|\s*\(?)({UNIT})")
_TO = re.compile(rf"(?<!\w)({NUMBER_IN_WORDS})\s+to\s+$", re.IGNORECASE)
_UNIT_AFTER = re.compile(rf"(?P<power>[eE][-+]?\d{{1,2}}(?!\d)|\s?[½¼¾])?[\s-]?(?P<unit>{UNIT})")
_A = re.compile(
    r"\b(?:an?|one)\s+(day|week|month|year|fortnight)"
    r"(?=(?:['’]s)?\s+(?:notice|warning|before|beforehand|ahead|in advance))",
    re.IGNORECASE,
)
_SCALED_AFTER = re.compile(rf"\s({_WORD_OF_SCALE})(?!\w)", re.IGNORECASE)
_MINOR_AFTER = re.compile(rf"\s?({MINOR_AMOUNT})")
_ALONE_AFTER = re.compile(r"(?![\w/]|-\w)")
_DIGIT = re.compile(r"\d")
_TOO_LARGE = Decimal(10) ** 100
"""A larger number is noise; an index cannot hold it."""
_MOST_KEPT = 300
"""Characters of the longest text whose quantities are cached: labels, values and cells are read several times."""
_WIDE = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, ord("￥"): ord("¥"), ord("￡"): ord("£")}
"""Wide characters of Japanese texts, such as `１`."""


def quantities(text: str, style: Style, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Return the quantities of a part of a text, in order. Of two that overlap, the more specific kind is kept."""
    if end is None and not start and len(text) <= _MOST_KEPT:
        return [*_cached(text, style)]
    return _quantities(text, style, start, len(text) if end is None else end)


@lru_cache(maxsize=4_096)
def _cached(text: str, style: Style) -> list[Quantity]:
    if found := _IN_PARENTHESES.fullmatch(text):  # bookkeepers write -5 as (5)
        inner = _quantities(f"{found[1]} {found[2]} {found[3]}", style, 0, len(text))
        is_negative = len(inner) == 1 and inner[0].kind != "date" and inner[0].unit not in _TIMES
        if is_negative and len(" ".join((found[1], found[2], found[3])).strip()) <= inner[0].end - inner[0].start + 2:
            return [replace(inner[0], start=0, end=len(text), number=-abs(inner[0].number))]
    return _quantities(text, style, 0, len(text))


_IN_PARENTHESES = re.compile(r"([^()\w]{0,3}|[^\W\d_]{3}\s?|)\(([^()]*\d[^()]*)\)(\s?[^()\d\s]{0,4})")
_TIMES = ("s", "min", "h", "d", "week", "month", "year", *WORKING_DAYS)


def _quantities(text: str, style: Style, start: int, stop: int) -> list[Quantity]:
    if _HAS_WIDE.search(text, start, stop):
        text = text.translate(_WIDE)
    taken: list[Quantity] = []  # ordered, without overlaps
    for found in _candidates(text, style, start, stop):
        at = bisect_right(taken, found.start, key=lambda one: one.start)
        is_after = at == 0 or taken[at - 1].end <= found.start
        if is_after and (at == len(taken) or found.end <= taken[at].start):
            taken.insert(at, found)
    return joined(text, (one for one in taken if abs(one.number) < _TOO_LARGE))


_HAS_WIDE = re.compile("[\uff01-\uff5e\uffe5]")


def _candidates(text: str, style: Style, start: int, end: int) -> Iterator[Quantity]:
    """Yield everything that looks like a quantity, the most specific kind first."""
    has_digits = _DIGIT.search(text, start, end) is not None
    if has_digits:
        for day in dates(text, style.dates, start, end):
            yield Quantity("date", day.start, day.end, date=day.value)
    tokens = [*_TOKEN.finditer(text, start, end)] if has_digits else []
    unread: set[int] = set()
    yield from _sums_of_money(text, tokens, style, start, end, unread)
    tokens = [token for token in tokens if token.start() not in unread]
    yield from _scaled(text, tokens, style, end)
    yield from _in_words(text, style, start, end)
    for token in tokens:
        found = _UNIT_AFTER.match(text, token.end(), end)
        if found and _is_free(text, token) and not _is_preposition(text, found.end(), found["unit"], end):
            number = _with_power(token[0], (found["power"] or "").strip(), style)
            if number is not None:
                yield Quantity("measure", token.start(), found.end(), number, unit_of(found["unit"]) or "")
    for token in tokens:
        if _ALONE_AFTER.match(text, token.end(), end) and _is_free(text, token, "-"):
            tail = _TAIL.match(text, token.end(), end)
            number = _read(token[0], tail, "", style) if tail else None
            if number is not None:
                yield Quantity("number", *token.span(), number)


def _scaled(text: str, tokens: Sequence[re.Match[str]], style: Style, end: int) -> Iterator[Quantity]:
    """Yield numbers with what multiplies them after them: `50 cents`, `2 million`."""
    for token in tokens:
        if (found := _MINOR_AFTER.match(text, token.end(), end)) and _is_free(text, token):
            number = parse_number(token[0], style.numbers)
            if number is not None:
                yield Quantity("money", token.start(), found.end(), number / 100, MINOR[found[1].lower()])
        if (found := _SCALED_AFTER.match(text, token.end(), end)) and _is_free(text, token):
            number = parse_number(token[0], style.numbers)
            if number is not None:
                yield Quantity("number", token.start(), found.end(), number * _factor(found[1]))


def _in_words(text: str, style: Style, start: int, end: int) -> Iterator[Quantity]:
    """Yield numbers in words before a unit: `between two and five days`, `a fortnight`."""
    for found in _IN_WORDS.finditer(text, start, end):
        *others, last = parse_words(found[1])
        for one in (one for one in others if not one.is_ordinal):
            yield Quantity("number", found.start() + one.start, found.start() + one.end, Decimal(one.value))
        number = parse_number(found[2], style.numbers) if found[2] else None
        number = Decimal(last.value) if number is None else number
        yield Quantity("measure", found.start() + last.start, found.end(), number, unit_of(found[3]) or "")
        if other := _TO.search(text, max(start, found.start() - 40), found.start()):  # `from two to five days`
            yield Quantity("number", *other.span(1), Decimal(parse_words(other[1])[-1].value))
    for found in _A.finditer(text, start, end):
        count, unit = (2, "week") if found[1].lower() == "fortnight" else (1, found[1])
        yield Quantity("measure", *found.span(), Decimal(count), unit_of(unit) or "")


def _is_free(text: str, token: re.Match[str], more: str = "") -> bool:
    """Whether a number stands alone: not in a word, a path or a code."""
    before = text[token.start() - 1 : token.start()] if token.start() else ""
    return not before or not (before.isalnum() or before in "_.,/'’" + more)


def _with_power(digits: str, power: str, style: Style) -> Decimal | None:
    """Return a number with an exponent or a fraction after it: `1.5e3`, `5½`."""
    number = parse_number(digits, style.numbers)
    if number is None or not power:
        return number
    return number * Decimal(10) ** int(power[1:]) if power[0] in "eE" else number + _FRACTIONS[power]


_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}


def _is_preposition(text: str, at: int, unit: str, end: int) -> bool:
    """Return whether `in` or another unit is an English word here: `14 in total`, `over 300 in March`."""
    return unit in ("in", "at", "a") and _AFTER_PREPOSITION.match(text[at:end]) is not None


_AFTER_PREPOSITION = re.compile(
    r"\s+(?:[a-z]|(?:19|20)\d\d\b|[QH][1-4]\b|FY|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b)"
)


def _sums_of_money(
    text: str, tokens: Sequence[re.Match[str]], style: Style, start: int, end: int, unread: set[int]
) -> Iterator[Quantity]:
    """Yield the numbers with a currency before or after them, and their signs and scales: `(1,234.00) USD`. `unread`
    gets the places of those that cannot be read."""
    floor, part, begin = start, Decimal(0), -1
    for token in tokens:
        first, last = token.span()
        before = text[max(floor, first - _FARTHEST) : first].rstrip("(").rstrip()
        is_currency = before[-1:] in _LAST_OF_CURRENCIES
        left = _LEFT.search(text, max(floor, first - _FARTHEST), first) if is_currency else None
        in_brackets = text[first - 1 : first] == "(" and text[last : last + 1] == ")"
        is_negative = False
        if left and left["open"]:
            is_negative = in_brackets and (not left["space"] or _begins(text, left.start()))
            left = left if is_negative else None
        elif in_brackets and _begins(text, first - 1) and _AFTER.match(text, last + 1, end):
            is_negative, first = True, first - 1
        tail = _TAIL.match(text, last + is_negative, end)
        assert tail is not None  # it can be empty
        if left and left["currency"].endswith(("uro", "ros", "ars")) and left.start() < floor + 2 and floor > start:
            left = None  # `2 euros 50`
        own = left["currency"] if left else ""
        right = _OF_DOLLARS.match(text, tail.end(), end) if own.endswith("$") else None
        if not own:
            right = _AFTER.match(text, tail.end(), end)
            right = right if _is_free(text, token) or is_negative or begin >= 0 else None
        if not own and right is None:
            next_to = re.compile(r"\s?\d").match(text, tail.end(), end)
            if tail["scale"] in _COMPOUND and next_to and (number := parse_number(token[0], style.numbers, True)):
                part, begin = part + number * _factor(tail["scale"]), begin if begin >= 0 else first
            continue
        floor = right.end() if right else tail.end()
        scales = [each["scale"] for each in (tail, left, right) if each and "scale" in each.re.groupindex]
        currency = currency_of(right["currency"] if right else own)
        number = _read(token[0], tail, currency, style)
        if number is None:
            unread.add(token.start())
        else:
            number = part + number * next((_factor(each) for each in scales if each), 1)
            at = left.start() if left else begin if begin >= 0 else first
            is_negative = is_negative or bool(left and left["sign"]) or _has_minus(text, at)
            yield Quantity("money", at, floor, -number if is_negative else number, currency)
        part, begin = Decimal(0), -1


def _begins(text: str, at: int) -> bool:
    """Whether a value begins here: at the beginning of a text, a line or a cell, or after a colon."""
    before = text[max(0, at - 2) : at].strip(" ")
    return not before or before[-1] in ":|\t\n"


def _has_minus(text: str, at: int) -> bool:
    """Whether a minus with a space after it begins the value: `- 45,00 EUR`, but no item of a list."""
    is_alone = text[max(0, at - 4) : at].strip() in tuple("-\u2212\u2013") and text[at - 1 : at] == " "
    return is_alone and (at < 4 or text[at - 4 : at - 2] == ": ") and len(text) <= _MOST_KEPT and "\n" not in text


def _read(digits: str, tail: re.Match[str], currency: str, style: Style) -> Decimal | None:
    """Return an amount with what stands behind its digits: `1.500,-` has no cents, `45,00-` is below zero."""
    is_point = {",": True, ".": False}.get((tail["whole"] or " ")[0])
    numbers = style.numbers if is_point is None else NumberStyle(is_point)
    number = parse_number(digits, numbers, bool(currency))
    if number is None or not tail["minus"] or currency == "JPY":
        return number
    return -number if number.as_tuple().exponent == -2 else None


def is_scaled(amount: str) -> bool:
    """Whether an amount has a scale of its own: `1.2 million`, `TEUR 5`."""
    return _OWN_SCALE.search(amount) is not None


_OWN_SCALE = re.compile(rf"\d\s?{_SCALE}|{_IN_FRONT}{CURRENCY}")


def why_unread(text: str, style: Style) -> str:
    """Return why a number in a text was not read: it can be two numbers, or it is none; an empty text otherwise."""
    for found in re.finditer(r"\d(?:[\d.,'’]*\d)?", text):
        values = values_of(found[0])
        if len(values) > 1 and parse_number(found[0], style.numbers) is None:
            one, other = sorted(values)
            return f"'{found[0]}' can be {one} or {other:,}, and nothing in the document shows which"
        if not values and not re.fullmatch(r"[\d.]+", found[0]):
            return f"'{found[0]}' is not a number"
    return ""


# --- quantities that hold --------------------------------------------------------------------------------------------

_OLD = re.compile(
    r"(?:\b(?:in place of|instead of|rather than|replac(?:es|ing)|formerly|previously|originally|initially|last year"
    r"|no longer|hitherto|not|nicht|statt|anstatt|anstelle von|vormals|bisher|früher|ursprünglich|au lieu de"
    r"|anciennement|auparavant|en lugar de)"
    r"|(?:^|[(,;:])\s*(?:was|were|had been|before|prior|old|war|zuvor|avant|antes)):?\s+$",
    re.IGNORECASE,
)
_BECOMES = re.compile(
    r"[\s,(]*(?:becomes|rises to|changes to|increases to|goes up to|now"
    r"|(?:which )?(?:date )?(?:(?:is|are|was|were|has been|have been) )?(?:hereby )?"
    r"(?:(?:raised|increased|changed|lowered|reduced|extended|moved|postponed|rescheduled|deferred|corrected) to"
    r"|(?:replaced|superseded) by|now))\s+(?:a sum of )?$",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:first|second|third|last)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)


def current(text: str, found: Iterable[Quantity]) -> list[Quantity]:
    """Return the quantities that are in force.

    `in place of 5 EUR`, `rises from 5 EUR to 6 EUR`, `not 5 EUR but 6 EUR` -> 6 EUR.
    """
    held = list(found)
    return [
        one
        for one, other in zip_longest(held, held[1:])
        if not _OLD.search(text, max(one.start - 30, 0), one.start)
        and not _FIRST.match(text, one.start)
        and not (other and _BECOMES.match(text[one.end : other.start]))
        and not (
            one.kind != "date"
            and other
            and _FROM.search(text[max(one.start - 8, 0) : one.start])
            and re.fullmatch(r"\s+to\s+", text[one.end : other.start])
        )
    ]
