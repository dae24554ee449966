"""`minimum_should_match`: how many of the optional clauses have to match."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import EngineError


def minimum_should_match(given: Any, clauses: int) -> int:
    """A number, a percentage, or conditions such as `3<75% 9<-2`."""
    text = str(given).strip()
    if "<" in text:
        found = clauses
        for part in text.split():
            bound, _, rest = part.partition("<")
            if clauses <= _whole(bound):
                return found
            found = minimum_should_match(rest, clauses)
        return found
    if text.endswith("%"):
        percent = _whole(text[:-1])
        share = int(clauses * percent / 100)
        minimum = clauses + share if percent < 0 else share
    else:
        number = _whole(text)
        minimum = clauses + number if number < 0 else number
    return max(0, minimum)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{text}"') from None
