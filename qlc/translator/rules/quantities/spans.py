"""Parts of a period: the first week of May, the second half of 2026, the last 10 days of this month.

A part without a beginning and an end, as mid March, is no period: a sentence asks for the days.
"""

from __future__ import annotations

from datetime import date, timedelta

from qlc.translator.rules.words.phrases import words

Span = tuple[date, date]
"""The first and the last day."""
VAGUE = words("early mid late")
_YEAR, _MONTH = len("2026"), len("2026-03")


def _months(first: date, many: int) -> Span:
    return (first, first - timedelta(days=1))
