"""Sort values as they are printed in hits, and read again in `search_after`."""

from __future__ import annotations

import math
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.ip import encode_ip, format_ip
from qlc_engine.queries.base import printed_score
from qlc_engine.search.sort_spec import SCORE, SortKey
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import round_to_type

LONG_MAX, LONG_MIN = 2**63 - 1, -(2**63)
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)


def decode_after(key: SortKey, given: Any) -> Any:
    """A value of `search_after` as the raw sort value that it was printed from."""
    if key.kind in (SCORE, "double") or key.cast == "double":
        if given is None:
            raise _null_after(key)
        try:
            number = float(given)
        except (TypeError, ValueError):
            raise _bad_after(key) from None
        kind = key.field.type if key.field is not None else ""
        if key.kind == SCORE:
            kind = "float"
        return round_to_type(number, kind) if kind in ("float", "half_float") and math.isfinite(number) else number
    if key.kind in ("keyword", "ip"):
        if given is None:
            return None
        return encode_term(encode_ip(str(given)) if key.kind == "ip" else str(given))
    if given is None:
        raise _null_after(key)
    try:
        number = int(given)
    except (TypeError, ValueError):
        raise _bad_after(key) from None
    offset = stored_offset(key)
    if offset and not 0 <= number < 2 * offset:
        raise _bad_after(key)
    # a sort of small whole numbers reads its values as such
    return max(INT_MIN, min(INT_MAX, number)) if key.kind == "int" and key.cast is None else number - offset


def stored_offset(key: SortKey) -> int:
    """Return the number to add to a raw sort value that is a whole number."""
    return 0 if key.field is None or key.kind != "long" or key.cast == "double" else key.field.stored_offset


def in_nanos(key: SortKey) -> bool:
    kind = key.cast or (key.field.type if key.field is not None else "")
    return kind == "date_nanos"


def _null_after(key: SortKey) -> EngineError:
    reason = f"[search_after] value cannot be null for sort field [{key.path}] of type [{key.kind.upper()}]."
    return illegal_argument(reason)


def _bad_after(key: SortKey) -> EngineError:
    return illegal_argument(f"Failed to parse search_after value for field [{key.path}].")


def printed(key: SortKey, value: Any) -> Any:
    """A raw sort value as it is in a hit's `sort`."""
    if isinstance(value, bytes):
        return format_ip(value.decode()) if key.kind == "ip" else value.decode()
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    if key.kind == SCORE:
        return printed_score(value)
    offset = stored_offset(key)
    return value + offset if offset else value
