"""Range fields: what one range is, how it is written in a document, and how it is kept.

Source: org.elasticsearch.index.mapper.RangeType. A range is kept as one text: both ends, included, as hex digits of
one width in their order.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np

from qlc_engine.dates import date_format, parse_date
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.ip import encode_ip, format_ip, network_range

RANGE_TYPES = frozenset({"integer_range", "long_range", "float_range", "double_range", "date_range", "ip_range"})

_LONG = (-(2**63), 2**63 - 1)
_WHOLE = {"integer_range": (-(2**31), 2**31 - 1), "long_range": _LONG, "date_range": _LONG}
_KEYS = ("gt", "gte", "lt", "lte", "from", "to", "include_lower", "include_upper")
_SPAN = {"ip_range": 32}
_LAST_ADDRESS = 2**128 - 1


def parse_bound(
    kind: str,
    value: Any,
    format: str,
    *,
    now_ms: int = 0,
    round_up: bool = False,
    zone: str | None = None,
    exact: bool = False,
) -> Any:
    """One end as a number (addresses as their 128 bits); `exact` refuses decimals of whole numbers.

    Raises EngineError or ValueError.
    """
    if kind == "date_range":
        text = value if isinstance(value, str) else str(value)
        return parse_date(text, format, now_ms=now_ms, round_up=round_up, tz=zone)
    if kind == "ip_range":
        return int(encode_ip(str(value)), 16)
    try:
        if kind in _WHOLE:
            number = float(value) if isinstance(value, str) and not value.lstrip("+-").isdigit() else value
            whole = int(number)
            if exact and whole != number:
                raise illegal_argument(f"Value [{value}] has a decimal part")
            low, high = _WHOLE[kind]
            if not low <= whole <= high:
                raise illegal_argument(f"Value [{value}] is out of range for an {kind.removesuffix('_range')}")
            return whole
        return float(value)
    except (TypeError, ValueError):
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None


def beside(kind: str, bound: Any, *, above: bool) -> Any:
    """The next value of the type, for an end that is not included."""
    if kind in ("float_range", "double_range"):
        towards = math.inf if above else -math.inf
        if kind == "float_range":
            return float(np.nextafter(np.float32(bound), np.float32(towards)))
        return math.nextafter(bound, towards)
    return bound + (1 if above else -1)


def least(kind: str) -> Any:
    if kind in _WHOLE:
        return _WHOLE[kind][0]
    return 0 if kind == "ip_range" else -math.inf


def greatest(kind: str) -> Any:
    if kind in _WHOLE:
        return _WHOLE[kind][1]
    return _LAST_ADDRESS if kind == "ip_range" else math.inf


def range_of(kind: str, value: Any, format: str) -> tuple[Any, Any]:
    """Both ends, included, of a range as a document has it. Raises EngineError or ValueError."""
    if kind == "ip_range" and isinstance(value, str):
        if "/" not in value:
            raise illegal_argument(f"Expected [ip/prefix] but was [{value}]")
        first, last = network_range(value)
        return int(first, 16), int(last, 16)
    if not isinstance(value, dict):
        told = f"error parsing field, expected an object but got {value}"
        raise EngineError("document_parsing_exception", told)
    low, high = least(kind), greatest(kind)
    for key, end in value.items():
        if key not in _KEYS:
            raise EngineError("document_parsing_exception", f"error parsing field, with unknown parameter [{key}]")
        if end is None or key.startswith("include"):
            continue
        if key in ("gt", "gte", "from"):
            low = parse_bound(kind, end, format, round_up=key == "gt")
            low = beside(kind, low, above=True) if key == "gt" or value.get("include_lower") is False else low
        else:
            high = parse_bound(kind, end, format, round_up=key != "lt")
            high = beside(kind, high, above=False) if key == "lt" or value.get("include_upper") is False else high
    if kind == "float_range":
        low, high = float(np.float32(low)), float(np.float32(high))
    if low > high:
        raise illegal_argument(f"min value ({low}) is greater than max value ({high})")
    return low, high


def encode_range(kind: str, low: Any, high: Any) -> str:
    return _encode(kind, low) + _encode(kind, high)


def decode_range(kind: str, term: str) -> tuple[Any, Any]:
    width = _SPAN.get(kind, 16)
    return _decode(kind, term[:width]), _decode(kind, term[width:])


def _encode(kind: str, bound: Any) -> str:
    if kind == "ip_range":
        return f"{bound:032x}"
    if kind in _WHOLE:
        return f"{bound + 2**63:016x}"
    (bits,) = struct.unpack(">q", struct.pack(">d", float(bound)))
    return f"{(bits ^ (bits >> 63 & (2**63 - 1))) + 2**63:016x}"


def _decode(kind: str, text: str) -> Any:
    number = int(text, 16)
    if kind == "ip_range":
        return number
    number -= 2**63
    if kind in _WHOLE:
        return number
    bits = number ^ (number >> 63 & (2**63 - 1))
    return struct.unpack(">d", struct.pack(">q", bits))[0]


def shown_range(kind: str, value: Any, format: str, printed: str | None) -> Any:
    """A range of a document as `fields` print it, dates in the format `printed`. Raises ValueError for open ends."""
    if not isinstance(value, dict):
        first, _, length = str(value).partition("/")
        return f"{format_ip(encode_ip(first))}/{length or (128 if ':' in first else 32)}"
    out: dict[str, Any] = {}
    for key, end in value.items():
        if end is None:
            raise ValueError("an end that is not there")
        bound = parse_bound(kind, end, format)
        if kind == "date_range":
            bound = date_format(printed or format).format(bound)
        elif kind == "ip_range":
            bound = format_ip(f"{bound:032x}")
        out[key] = bound
    return out
