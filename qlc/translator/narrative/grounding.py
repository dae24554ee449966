"""Whether a text says only what answers say: every number, date and name in it, and none of the answers left out.

It is decided by the text alone, by nobody's judgement: what cannot be found in the answers is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Any

from qlc.base.units import find_unit
from qlc.compiler.numbers import is_number
from qlc.language.dates import MONTHS, WEEKDAYS
from qlc.language.mentions import DateMention, NumberMention, dates_in, numbers_in
from qlc.language.nouns import singular
from qlc.language.numbers import CARDINALS
from qlc.translator.protocol import Fact
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import fold

MOST_LEAVES = 8  # values of an answer that a text has to name, each of them. Of more, it is a list, and shown as one.
_OF_CONDITIONS = words(
    "in from since before after over under above below than least most between until till through during on "
    "exceeding of by to and year years"
)
"""Words before a number that a question had: `over 5 MB`, `in 2024`. Any other number is one of an answer."""
_COUNTED = words("of by to and")
"""Number words that also come before a counted noun: they need a second one before them, or a date."""
_STARTS = words(
    "additionally altogether also currently overall meanwhile moreover furthermore finally lastly here however besides "
    "yes no as both according respectively regarding concerning within across among and but so while whereas its "
    "their his her it they he she there this that these those"
)
"""Words that begin a sentence with a capital letter without being names."""
NEVER_SAID = words(
    "half halves twice thrice double triple dozens dozen hundreds thousands millions billions couple majority minority "
    "both"
)
"""Amounts that a reader would have to work out: no answer has them."""
NOTHING = words("no none zero neither nobody nothing nowhere nil")
_RELATIVE = {"today": 0, "yesterday": -1, "tomorrow": 1}
_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_TITLED = re.compile(r"[^\W\d_]*[A-ZÀ-ÖØ-Þ][^\s,;:!?()\[\]\"“”]*(?:\s+[A-ZÀ-ÖØ-Þ&][^\s,;:!?()\[\]\"“”]*)*")
_ODD = re.compile(
    r"[^\s,;:!?()\"“”]*"
    r"(?:[@_/\\]|[^\W\d_]\d|\d[^\W\d_]|[^\W_\0]?\.[a-zA-Z0-9]{2,5}(?=[\s,;:!?()\"“”.]|$))"
    r"[^\s,;:!?()\"“”]*"
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]|(?<!\w)['‘]([^'’‘]+)['’](?!\w)")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?")


def instant_of(text: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the instant that a whole text is, in a zone; None for other texts."""
    if not _INSTANT.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.astimezone(zone) if found.tzinfo is not None and zone is not None else found


def unfounded(text: str, facts: Sequence[Fact], now: datetime, zone: tzinfo) -> tuple[str, ...]:
    """Return sentences about errors of a text over some answers; empty if it states all of them and nothing else."""
    known = _Known.of(facts, zone)
    stated = _Stated.of(text, known, now.astimezone(zone))
    return (*stated.wrong, *(f"the text does not say: {one}" for one in _left_out(facts, stated, known)))


# --- what the answers say --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """`numbers` are exact values in the base of their dimension; `shown` those of the answers' sentences, as rounded
    there; `asked` those of the questions' conditions. `texts` are values that are texts, `said` all words of both."""

    numbers: frozenset[tuple[float, str]]
    shown: tuple[NumberMention, ...]
    asked: tuple[NumberMention, ...]
    instants: tuple[datetime, ...]
    dates_asked: tuple[DateMention, ...]
    texts: tuple[str, ...]
    said: str
    empty: bool
    affirmed: bool
    negated: bool

    @classmethod
    def of(cls, facts: Sequence[Fact], zone: tzinfo) -> _Known:
        leaves = [leaf for fact in facts for leaf in fact.leaves()]
        values = [value for _, value, _ in leaves]
        instants = [one for value in values if isinstance(value, str) and (one := instant_of(value, zone)) is not None]
        texts = {str(value) for value in values if isinstance(value, str) and instant_of(value) is None}
        numbers = {(float(value) * _factor(unit), _dimension(unit)) for _, value, unit in leaves if is_number(value)}
        numbers |= {(float(value), "") for _, value, _ in leaves if is_number(value)}
        shown, asked, dates = [], [], []
        for fact in facts:
            bare = _without(fact.answer, texts)
            inside = _flat(dates_in(bare))
            shown += [one for one in numbers_in(bare) if not _overlaps(one, inside)]
            programs = _without(fact.query, ())
            inside = _flat(dates_in(programs))
            dates += inside
            asked += [one for one in numbers_in(programs) if not _overlaps(one, inside)]
        literals = [one for fact in facts for one in _literals(fact.query)]
        said = [*(fact.words for fact in facts), *(fact.answer for fact in facts), *literals, *texts]
        empty = any(value in (None, 0, False) or value == [] for value in values)
        negated = any(english.NEGATIONS & set(fold(fact.words).split()) or "n't" in fold(fact.words) for fact in facts)
        return cls(
            frozenset(numbers), tuple(shown), tuple(asked), tuple(instants), tuple(dates),
            tuple(sorted({*texts, *literals}, key=len, reverse=True)), _spaced(" | ".join(said)), empty,
            any(value is True for value in values), negated,
        )  # fmt: skip


def _factor(unit: str | None) -> float:
    known = find_unit(unit) if unit else None
    return known.numerator / known.denominator if known is not None else 1.0


def _dimension(unit: str | None) -> str:
    known = find_unit(unit) if unit else None
    return known.dimension if known is not None else ""


_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def _literals(program: str) -> list[str]:
    return [one.replace('\\"', '"').replace("\\\\", "\\") for one in _LITERAL.findall(program)]


def _without(text: str, texts: Iterable[str]) -> str:
    """The text without the literals of a program and without some texts: their numbers are parts of names."""
    bare = _LITERAL.sub(lambda one: " " * len(one[0]), text)
    return _masked(bare, sorted(texts, key=len, reverse=True))[0]


def _masked(text: str, texts: Sequence[str]) -> tuple[str, set[str]]:
    """The text with blanks for each whole occurrence of the others (an extension may be missing); which occurred."""
    seen = set()
    for one in texts:
        for form in dict.fromkeys((one, re.sub(r"\.\w{2,5}$", "", one))):
            if not form.strip():
                continue
            pattern = r"\s+".join(map(re.escape, form.split()))
            pattern = rf"(?<!\w){pattern}(?!\w)"
            text, count = re.subn(pattern, lambda found: "\0" * len(found[0]), text, flags=re.IGNORECASE)
            if count:
                seen.add(one)
    return text, seen


def _flat(found: Iterable[tuple[DateMention, ...]]) -> list[DateMention]:
    return [one for each in found for one in each]


def _overlaps(one: NumberMention, others: Iterable[DateMention]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)


def _spaced(text: str) -> str:
    """Words in lower case with one blank around each, to look for sequences of words in."""
    found = re.findall(r"[^_\W]+|[|]", fold(text))
    return f" {' '.join(map(singular, found))} "


# --- what the text says ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Stated:
    """`seen` are the texts of the answers that it names, `amounts` and `moments` those of its that are theirs."""

    wrong: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    amounts: list[NumberMention] = field(default_factory=list)
    moments: list[DateMention] = field(default_factory=list)
    says_no: bool = False

    @classmethod
    def of(cls, text: str, known: _Known, now: datetime) -> _Stated:
        stated = cls()
        bare, stated.seen = _masked(text, known.texts)
        stated._read_dates(bare, known)
        stated._read_numbers(bare, known)
        stated._read_words(bare, known, now)
        stated._read_names(bare, known)
        return stated

    def _read_dates(self, bare: str, known: _Known) -> None:
        for readings in dates_in(bare):
            true = [one for one in readings if any(one.is_of(instant) for instant in known.instants)]
            self.moments += true
            if not true and not any(one.is_part_of(other.parts) for one in readings for other in known.dates_asked):
                self._unknown(bare, readings[0].start, readings[0].end)

    def _read_numbers(self, bare: str, known: _Known) -> None:
        dates = _flat(dates_in(bare))
        for one in numbers_in(bare):
            if _overlaps(one, dates):
                continue
            if _is_answer(one, known):
                self.amounts.append(one)
            elif not (_is_asked(one, known) or _is_year(one, known)):
                self._unknown(bare, one.start, one.end)

    def _read_words(self, bare: str, known: _Known, now: datetime) -> None:
        for match in _WORD.finditer(bare):
            word = fold(match[0])
            if word in NEVER_SAID:
                self._unknown(bare, *match.span())
            elif word in _RELATIVE:
                day = (now + timedelta(days=_RELATIVE[word])).date()
                if f" {word} " not in known.said and all(one.date() != day for one in known.instants):
                    self._unknown(bare, *match.span())
            elif word in NOTHING or word in english.NEGATIONS or word.endswith(("n't", "n’t")) or word == "without":
                self.says_no = True
                if not known.empty and not (known.negated and word not in NOTHING):
                    self._unknown(bare, *match.span())
            elif word == "yes" and not known.affirmed:
                self._unknown(bare, *match.span())

    def _read_names(self, bare: str, known: _Known) -> None:
        for match in _QUOTED.finditer(bare):
            if not _occurs(match[1] or match[2], known):
                self._unknown(bare, *match.span())
        for match in _ODD.finditer(bare):
            if not _is_amount(match, bare) and not _occurs(match[0].replace("\0", "\0 "), known):
                self._unknown(bare, *match.span())
        for match in _TITLED.finditer(bare):
            if not _is_known_name(match[0].strip("\0"), known, begins=_begins(bare, match.start())):
                self._unknown(bare, *match.span())

    def _unknown(self, bare: str, start: int, end: int) -> None:
        said = bare[start:end].replace("\0", " ").strip()
        finding = f"'{said}' is in no answer"
        if said and finding not in self.wrong:
            self.wrong.append(finding)


def _is_answer(one: NumberMention, known: _Known) -> bool:
    """Whether a number is one of the answers, written in full or rounded as people round."""
    for value, step in one.values:
        for exact, dimension in known.numbers:
            if dimension != one.dimension:
                continue
            plain = one.whole and not one.dimension
            if plain and exact == int(exact):
                if value == exact:
                    return True
            elif abs(exact - value) <= step / 2 * (1 + 1e-9):
                return True
        for shown in known.shown:
            if shown.dimension == one.dimension and any(abs(value - v) <= 1e-9 * abs(v) for v, _ in shown.values):
                return True
    return False


def _is_asked(one: NumberMention, known: _Known) -> bool:
    """Whether a number is repeated from the conditions of a question, as a condition: `over 5 MB`."""
    if not _as_condition(one.before):
        return False
    return any(
        other.dimension == one.dimension and abs(value - v) <= 1e-9 * abs(v)
        for other in known.asked for v, _ in other.values for value, _ in one.values
    )  # fmt: skip


def _is_year(one: NumberMention, known: _Known) -> bool:
    """A year without day and month: of a date in an answer, or one that was asked for."""
    if one.dimension or not one.whole or not one.before or one.before[-1] not in _OF_CONDITIONS:
        return False
    years = {instant.year for instant in known.instants} | {date.year for date in known.dates_asked}
    return any(value in years for value, _ in one.values)


def _as_condition(before: Sequence[str]) -> bool:
    if not before or before[-1] not in _OF_CONDITIONS:
        return False
    return before[-1] not in _COUNTED or bool(_OF_CONDITIONS & set(before[:-1]))


def _is_amount(match: re.Match[str], bare: str) -> bool:
    """Whether something with letters and digits is an amount: `5MB`, `3rd`, `2k`; or a date: `10:30am`."""
    found: list[tuple[int, int]] = [(one.start, one.end) for one in numbers_in(bare)]
    found += [(one.start, one.end) for one in _flat(dates_in(bare))]
    start, end = match.start(), match.start() + len(match[0].rstrip(".-–—"))
    return any(a <= start and end <= b for a, b in found)


def _occurs(text: str, known: _Known) -> bool:
    """Whether words occur in the answers or the questions, in this order."""
    return _spaced(text).strip() == "" or _spaced(text) in known.said


def _is_known_name(text: str, known: _Known, *, begins: bool) -> bool:
    """Whether words with capitals occur anywhere; the first one of a sentence has one anyway."""
    bare = (re.sub(r"['’]s?$", "", one.strip(".-–—…*")) for one in re.split(r"[\s\0]+", text))
    names = [one for one in bare if re.search(r"[^\W\d_]", one)]
    if not names or _occurs(" ".join(names), known) or _is_calendar(names) or _is_unit(names) or names == ["I"]:
        return True
    first = fold(names[0])
    if begins and (first in FUNCTION_WORDS or first in _STARTS or first in CARDINALS or _occurs(first, known)):
        return len(names) == 1 or _is_known_name(" ".join(names[1:]), known, begins=False)
    return False


def _is_calendar(names: Sequence[str]) -> bool:
    """Months and weekdays, which are judged as dates, and zones."""
    return all(fold(word) in MONTHS["en"] or fold(word).removesuffix("s") in WEEKDAYS or word in ("UTC", "AM", "PM")
               or re.fullmatch(r"\d+(?:st|nd|rd|th)?", word) for word in names)  # fmt: skip


def _is_unit(names: Sequence[str]) -> bool:
    return all(find_unit(word) is not None or re.fullmatch(r"\d+[a-zA-Z]+", word) for word in names)


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins here."""
    before = text[:at].rstrip(" \"'“‘(*\n-–—•")
    return not before or before[-1] in ".!?:;\n" or "\n" in text[len(before) : at]


# --- what it leaves out ----------------------------------------------------------------------------------------------


def _left_out(facts: Sequence[Fact], stated: _Stated, known: _Known) -> Iterator[str]:
    for fact in facts:
        for name, value, unit in fact.leaves():
            if not _is_stated(value, unit, stated, known):
                yield f"{name}: {value}" if name else str(value)


def _is_stated(value: Any, unit: str | None, stated: _Stated, known: _Known) -> bool:
    if value is None or value is False:
        return stated.says_no
    if value is True:
        return True
    if isinstance(value, str):
        instant = instant_of(value, known.instants[0].tzinfo if known.instants else None)
        if instant is not None:
            return any(one.is_of(instant) for one in stated.moments)
        return value in stated.seen or not re.search(r"\w", value)
    if value == 0 and stated.says_no:
        return True
    alone = _Known(frozenset({(float(value) * _factor(unit), _dimension(unit)), (float(value), "")}), (), (), (), (),
                   (), "", False, False, False)  # fmt: skip
    return any(_is_answer(one, alone) for one in stated.amounts)
