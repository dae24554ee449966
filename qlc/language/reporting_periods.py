"""Read the periods that statements report on: `Three months ended March 31, 2022`, `FY 2023`, `Q4 2021`, `2022`.

A heading often has a part only (`Year ended December 31,` over `2022`), so parts can be merged, and two periods fit if
no part that both have differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache

from .dates import MONTH, MONTH_NAMES
from .numbers import ORDINALS


@dataclass(frozen=True, slots=True)
class ReportingPeriod:
    """A period or a balance sheet date, as far as a text gives it; 0 for a part that it does not give."""

    start: int
    end: int
    year: int = 0
    month: int = 0
    day: int = 0
    quarter: int = 0
    months: int = 0
    """Its length: 12 for a year, 3 for a quarter."""
    is_fiscal: bool = False
    """Whether it is said to be a fiscal year, which may begin in another month than January."""

    @property
    def parts(self) -> tuple[int, int, int, int, int]:
        return self.year, self.month, self.day, self.quarter, self.months

    def fits(self, other: ReportingPeriod) -> bool:
        """Return whether no part that both have differs: `2022` fits `December 31, 2022`."""
        return all(one == two for one, two in zip(self.parts, other.parts, strict=True) if one and two)


_YEAR = r"(?:19|20)\d\d"
_MONTH = rf"(?:{MONTH_NAMES})\.?"
_ORDINAL = "|".join(word for word, number in ORDINALS.items() if number < 5)
_LENGTHS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12, "thirteen": 3, "13": 3, "14": 3,
    "twenty-six": 6, "26": 6, "thirty-nine": 9, "39": 9, "fifty-two": 12, "52": 12, "53": 12,
}  # fmt: skip
_DATE = (
    rf"(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s*(?P<year>{_YEAR})(?!\d)|,)?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<month2>{_MONTH})(?:,?\s+(?P<year2>{_YEAR})(?!\d))?"
    rf"|(?P<month3>{_MONTH}),?\s+(?P<year3>{_YEAR})(?!\d)"
    rf"|(?P<year4>{_YEAR})-(?P<month4>\d\d)-(?P<day4>\d\d)(?!\d)"
    rf"|(?P<day5>\d\d?)\.\s?(?P<month5>\d\d?)\.\s?(?P<year5>{_YEAR})(?!\d)"
)
_LENGTH = (
    rf"(?P<count>{'|'.join(sorted(_LENGTHS, key=len, reverse=True))})[\s-](?:months?|weeks?)(?:\s+(?:then\s+)?"
    r"(?:ended|ending|to))?|(?P<span>(?:(?:full|fiscal|financial)\s+)*years?|quarters?)\s+(?:then\s+)?(?:ended|ending)"
)
_FORMS = tuple(
    re.compile(rf"(?<![\w.,/$€£-])(?:{form})(?!\w)", re.IGNORECASE)
    for form in (
        rf"(?:{_LENGTH})(?:\s*(?:on\s+)?(?:{_DATE}|(?P<year6>{_YEAR})))?",
        (rf"(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q|(?P<q3>{_ORDINAL})[\s-](?:fiscal\s)?quarter)"
        rf"(?:(?:\s+(?:of|in|for))?(?:\s+(?:the\s+)?(?:fiscal|financial|FY)(?:\s+year)?)?[\s,'’/-]*"
        rf"(?:FY\s?)?(?P<year>{_YEAR}|(?<=['’Q/-])\d\d))?"),
        rf"(?P<year>{_YEAR})[\s/-]?Q(?P<q>[1-4])",
        rf"(?:H(?P<half>[12])|(?P<half2>first|second)\s+half)(?:\s+of)?[\s'’/-]*(?P<year>{_YEAR})",
        (rf"(?P<fiscal>FY|(?:fiscal|financial)(?:\s+years?)?|Geschäftsjahr|exercice)\s?['’]?(?P<year>{_YEAR}|\d\d)"
        rf"|(?P<year2>{_YEAR})\s+(?P<fiscal2>fiscal|financial)\s+year"),
        rf"(?:{_DATE})",
        rf"(?P<full>(?:full|whole|calendar)\s+year\s+)?(?P<year>{_YEAR})(?![.,]\d)[AEF*]?",
    )
)


@lru_cache(maxsize=2_048)
def reporting_periods(text: str) -> tuple[ReportingPeriod, ...]:
    """Return the periods of a text, in order: `rose in FY 2022 and 2021` -> two years."""
    found: list[ReportingPeriod] = []
    for form in _FORMS:
        for match in form.finditer(text):
            if all(match.end() <= one.start or one.end <= match.start() for one in found):
                found += [one] if (one := _period(match)) is not None else []
    return tuple(sorted(found, key=lambda one: one.start))


def _period(match: re.Match[str]) -> ReportingPeriod | None:
    given = {name.rstrip("23456"): text for name, text in match.groupdict().items() if text}
    name = given.get("month", "")
    if name[:1].isalpha() and not name[0].isupper():
        return None  # `may`
    year = int(given.get("year", 0))
    year += 2000 if 0 < year < 100 else 0
    month = MONTH.get(name.lower().rstrip("."), 0) if not name.isdecimal() else int(name)
    day = int(given.get("day", 0))
    if month > 12 or day > 31:
        return None
    quarter = int(given["q"]) if given.get("q", "").isdecimal() else ORDINALS.get(given.get("q", "").lower(), 0)
    months = 3 if quarter else 12 if "fiscal" in given or "full" in given else 0
    if "count" in given:
        months = _LENGTHS[given["count"].lower()]
    elif "span" in given:
        months = 3 if given["span"].lower().startswith("quarter") else 12
    elif "half" in given:
        months, month = 6, {"1": 6, "first": 6}.get(given["half"].lower(), 12)
    is_fiscal = "fiscal" in given or given.get("span", "").lower().startswith(("fiscal", "financial"))
    return ReportingPeriod(*match.span(), year, month, day, quarter, months, is_fiscal)


def merged(texts: Iterable[str]) -> ReportingPeriod | None:
    """Return the one period that heads above each other name: `Year ended December 31,`, `2022`; None if they name
    none, or several, as `2022 versus 2021` does."""
    known: dict[str, int] = {}
    for one in (period for text in texts for period in reporting_periods(text)):
        for name in _PARTS:
            value = getattr(one, name)
            if value and known.setdefault(name, value) != value:
                return None
    return ReportingPeriod(0, 0, **known) if known else None  # type: ignore[arg-type]


_PARTS = tuple(one.name for one in fields(ReportingPeriod) if one.name not in ("start", "end", "is_fiscal"))


def without_periods(text: str) -> str:
    """Return a text with blanks in the places of its periods."""
    for one in reporting_periods(text):
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


def year_items(text: str) -> Iterator[str]:
    """Yield the heads that one cell holds: `Year ended June 30, 2022 2021` -> one for each year, with what stands
    before the first."""
    found = [one for one in reporting_periods(text) if one.year]
    rest = re.sub(r"[^\W\d_]+", " ", without_periods(text)).strip(" *,;()&")
    if len(found) < 2 or re.search(r"[^\W_]", rest) or re.search(r"[^\W\d_]", without_periods(text)):
        yield text
        return
    first = found[0]
    before = text[: first.end].rpartition(str(first.year))[0].strip(" ,")
    for one in found:
        own = text[one.start : one.end].strip()
        yield own if one.month or one is first else f"{before} {own}".strip()
