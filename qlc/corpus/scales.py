"""The scale of amounts: thousands or millions that a label, the head of a column or a line above a table states."""

from __future__ import annotations

import re
from functools import lru_cache

from qlc.language.quantities import CURRENCY, currency_of, named_currency, stated_scale

NOT_SCALED = re.compile(
    r"\bper\b(?! ?cent)|\bpro\b|%|\bpercent(?:age)?\b|\bratio\b|\brate\b|\bmargin\b|\bemployees\b|\bheadcount\b|"
    r"\bnumber of\b|\bdays\b|\bmultiple\b|\btimes\b",
    re.IGNORECASE,
)
"""Labels of rows to which the scale of a table does not apply."""
COUNTED = re.compile(r"\b(?:shares|units)\b(?! of)", re.IGNORECASE)
"""Labels of rows that count something. Whether the scale of a table applies to them is often not said."""
_BARE = re.compile(
    r"^\W*(?:amounts? |figures |dollars? |data )?(?:in )?(thousands|millions|billions)\b"
    r"|\((thousands|millions|billions)\)",
    re.IGNORECASE,
)
_FACTORS = {"thousands": 10**3, "millions": 10**6, "billions": 10**9}
_ALONE = re.compile(rf"\W*(?:(?:amounts |figures )?in )?(?:{CURRENCY})\W*", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def stated(line: str) -> tuple[int, str]:
    """Return the factor and the currency that a line states for a table: `(Millions, except per share)` -> 1,000,000.

    Any of its cells can state it: that above the labels often does. A currency alone counts as well: `(EUR)`.
    """
    scale = next((one for cell in (*re.split(r"[\t(]", line), line) if (one := _factor(cell)) != 1), 1)
    if scale == 1 and not _ALONE.fullmatch(line.split("\t")[0]):
        return 1, ""
    named, sign = named_currency(line), re.search(CURRENCY, line)
    return scale, named[0] if named else currency_of(sign[0]) if sign else ""


def _factor(text: str) -> int:
    found = _BARE.search(text)
    return _FACTORS[(found[1] or found[2]).lower()] if found else stated_scale(text)[0]


def scale_of(*lines: str) -> tuple[int, str]:
    """Return the factor and the currency of the first line that states a factor: labels come first, then the lines
    above a table, the nearest first."""
    return next((found for one in lines if (found := stated(one))[0] != 1), (1, ""))
