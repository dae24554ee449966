"""Sort values as they are printed in hits, and read again in `search_after`."""

from __future__ import annotations

import contextlib
import math
from typing import Any

from qlc_engine.dates import NANOS_PER_MS, date_format, parse_date, parse_date_nanos
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.ip import encode_ip, format_ip
from qlc_engine.mapping import DEFAULT_DATE_FORMAT
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
    if key.kind == "unmapped":
        return None if given is None else given
    if given is None:
        raise _null_after(key)
    if isinstance(given, str) and key.field is not None and key.field.is_date:
        return _moment_after(key, given)
    try:
        number = int(given)
    except (TypeError, ValueError):
        raise _bad_after(key) from None
    # a sort of small whole numbers reads its values as such
    return max(INT_MIN, min(INT_MAX, number)) if key.kind == "int" and key.cast is None else number


def _moment_after(key: SortKey, given: str) -> int:
    """A date as it was printed: by the format of the sort, or as a number."""
    read = parse_date_nanos if in_nanos(key) else parse_date
    own_format = DEFAULT_DATE_FORMAT if key.field is None else key.field.format
    try:
        if key.format is not None:
            return read(given, key.format, now_ms=0)
        with contextlib.suppress(ValueError):
            return int(given)
        return read(given, own_format, now_ms=0)
    except EngineError as error:
        error.on_shard = True
        raise


def in_nanos(key: SortKey) -> bool:
    kind = key.cast or (key.field.type if key.field is not None else "")
    return kind == "date_nanos"


def _null_after(key: SortKey) -> EngineError:
    reason = f"[search_after] value cannot be null for sort field [{key.path}] of type [{key.kind.upper()}]."
    return illegal_argument(reason, on_shard=True)


def _bad_after(key: SortKey) -> EngineError:
    return illegal_argument(f"Failed to parse search_after value for field [{key.path}].", on_shard=True)


def printed(key: SortKey, value: Any) -> Any:
    """A raw sort value as it stands in a hit's `sort`."""
    if isinstance(value, bytes):
        return format_ip(value.decode()) if key.kind == "ip" else value.decode()
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    if key.kind == SCORE:
        return printed_score(value)
    if key.format is not None and isinstance(value, int):
        if value in (LONG_MIN, LONG_MAX):
            return None
        millis, beyond = divmod(value, NANOS_PER_MS) if in_nanos(key) else (value, 0)
        return date_format(key.format).format(millis, nanos=beyond)
    return value
