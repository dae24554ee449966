"""Calendar keys of groups (`2026-04`, `2026-Q2`, `2026-W10`) as places on an axis of time, and in words."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date
from typing import Any

LONGEST = 13
"""Characters of the longest key, an hour: `2026-04-13T15`."""
_QUARTERS = frozenset(f"-Q{n}" for n in range(1, 5))
_MONTHS = frozenset(f"-{n:02}" for n in range(1, 13))
UNITS = ("year", "quarter", "month", "week", "day", "hour")


def place(unit: str, key: Any) -> int | None:
    """Return the number of a period; the next one has the next number. None for a key that is no period of the unit.

    `"month", "2026-04"` -> 24316; `"month", "2026-05"` -> 24317
    """
    if unit == "year" and type(key) is int and 0 < key < 10_000:
        return key
    if not isinstance(key, str) or len(key) > LONGEST:
        return None
    try:
        match unit:
            case "year":
                return int(key)
            case "quarter" if key[4:] in _QUARTERS:
                return 4 * int(key[:4]) + int(key[6:])
            case "month" if key[4:] in _MONTHS:
                return 12 * int(key[:4]) + int(key[5:])
            case "week":
                return date.fromisoformat(key).toordinal() // 7  # `2026-W10` is a date of the ISO format too
            case "day":
                return date.fromisoformat(key).toordinal()
            case "hour":  # an hour with an offset is one of two at the end of summer time
                return 24 * date.fromisoformat(key[:10]).toordinal() + int(key[11:])
    except ValueError:
        pass
    return None


def places(unit: str, keys: Sequence[Any]) -> list[int] | None:
    """Return the places of keys that are in the order of time; None for others."""
    found = [place(unit, key) for key in keys]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) and known == sorted(known) else None


def in_words(unit: str, key: str) -> str:
    """Return a period as people say it: `April 2026` for the month `2026-04`; others unchanged."""
    return f"{calendar.month_name[int(key[5:])]} {key[:4]}" if unit == "month" and place(unit, key) else key
