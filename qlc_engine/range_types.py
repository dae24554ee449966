"""Range fields: what one range is, as a document has it, and as the term that stands for it.

Source: org.elasticsearch.index.mapper.RangeType.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.dates import parse_date
from qlc_engine.errors import EngineError, illegal_argument, query_shard_error
from qlc_engine.ip import encode_ip, network_range

RANGE_TYPES = frozenset({"integer_range", "long_range", "float_range", "double_range", "date_range", "ip_range"})

_LONG = (-(2**63), 2**63 - 1)
_WHOLE = {"integer_range": (-(2**31), 2**31 - 1), "long_range": _LONG, "date_range": _LONG}
_ENDS = {**_WHOLE, "ip_range": (0, 2**128 - 1)}
_KEYS = ("gt", "gte", "lt", "lte", "from", "to", "include_lower", "include_upper")


def _bound(kind: str, value: Any, format: str, *, round_up: bool) -> Any:
    """One end as a number (addresses as their 128 bits). Raises EngineError or ValueError."""
    if kind == "date_range":
        text = value if isinstance(value, str) else str(value)
        return parse_date(text, format, now_ms=0, round_up=round_up)
    if kind == "ip_range":
        return int(encode_ip(str(value)), 16)
    try:
        if kind in _WHOLE:
            number = float(value) if isinstance(value, str) and not value.lstrip("+-").isdigit() else value
            whole = int(number)
            low, high = _WHOLE[kind]
            if not low <= whole <= high:
                raise illegal_argument(f"Value [{value}] is out of range for an {kind.removesuffix('_range')}")
            return whole
        return float(value)
    except (TypeError, ValueError):
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None


def _beside(kind: str, bound: Any, *, above: bool) -> Any:
    """The next value of the type, for an end that is not included."""
    if kind in ("float_range", "double_range"):
        towards = math.inf if above else -math.inf
        if kind == "float_range":
            return float(np.nextafter(np.float32(bound), np.float32(towards)))
        return math.nextafter(bound, towards)
    return bound + (1 if above else -1)


def range_of(kind: str, value: Any, format: str) -> tuple[Any, Any]:
    """Both ends, included, of a range. Raises EngineError or ValueError."""
    if kind == "ip_range" and isinstance(value, str):
        if "/" not in value:
            raise illegal_argument(f"Expected [ip/prefix] but was [{value}]")
        first, last = network_range(value)
        return int(first, 16), int(last, 16)
    if not isinstance(value, dict):
        message = f"error parsing field, expected an object but got {value}"
        raise EngineError("document_parsing_exception", message)
    low, high = _ENDS.get(kind, (-math.inf, math.inf))
    for key, end in value.items():
        if key not in _KEYS:
            raise EngineError("document_parsing_exception", f"error parsing field, with unknown parameter [{key}]")
        if end is None or key.startswith("include"):
            continue
        if key in ("gt", "gte", "from"):
            low = _bound(kind, end, format, round_up=key == "gt")
            low = _beside(kind, low, above=True) if key == "gt" or value.get("include_lower") is False else low
        else:
            high = _bound(kind, end, format, round_up=key != "lt")
            high = _beside(kind, high, above=False) if key == "lt" or value.get("include_upper") is False else high
    if kind == "float_range":
        low, high = float(np.float32(low)), float(np.float32(high))
    if low > high:
        raise illegal_argument(f"min value ({low}) is greater than max value ({high})")
    return low, high


def as_term(low: Any, high: Any) -> str:
    """Return the term of a range: `5-10`."""
    return f"{low}-{high}"


_NUMBER = r"(-?(?:inf|[0-9.]+(?:e[+-]?[0-9]+)?))"
_TERM = re.compile(f"{_NUMBER}-{_NUMBER}")


def ends_of(kind: str, terms: Iterable[str]) -> NDArray[Any]:
    """Return the ends of ranges from their terms: a row of low ends, a row of high ones."""
    dtype, number = (np.float64, float) if kind in ("float_range", "double_range") else (np.int64, int)
    found = [match.groups() for match in map(_TERM.fullmatch, terms) if match is not None]
    # addresses have more bits than an array of numbers
    ends = np.empty((2, len(found)), object if kind == "ip_range" else dtype)
    for place, (low, high) in enumerate(found):
        ends[0, place], ends[1, place] = number(low), number(high)
    return ends


def searched_end(kind: str, value: Any, default: Any, *, included: bool, above: bool) -> Any:
    """Return one end of a searched range, as a document would have it. Raises EngineError."""
    if value is None:
        return default
    if kind in _WHOLE and isinstance(value, int | float | str) and float(value) != math.floor(float(value)):
        raise query_shard_error(f"failed to create query: Value [{value}] has a decimal part")
    try:
        end = _bound(kind, value, "", round_up=False)
    except ValueError as error:
        raise illegal_argument(str(error)) from None
    end = end if included else _beside(kind, end, above=above)
    return float(np.float32(end)) if kind == "float_range" else end


def whole_line(kind: str) -> tuple[Any, Any]:
    """Return the ends of the widest range of a type."""
    return _ENDS.get(kind, (-math.inf, math.inf))
