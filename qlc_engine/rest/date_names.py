"""Names of indices with date math: `<logs-{now/d{yyyy.MM|+02:00}}>`."""

from __future__ import annotations

import re
import time

from qlc_engine.dates import date_format, parse_date, parse_zone
from qlc_engine.errors import EngineError

_DEFAULT_FORMAT = "uuuu.MM.dd"
_PART = re.compile(r"\\(.)|\{((?:[^{}]|\{[^{}]*\})*)\}|([^{}\\])", re.DOTALL)
_MATH = re.compile(r"([^{}]+)(?:\{([^{}]*)\})?")


def resolved(expression: str) -> str:
    """A comma list with the names that date math stands for. Raises EngineError for what is malformed."""
    if "<" not in expression:
        return expression
    return ",".join(_name(part) for part in expression.split(","))


def _name(part: str) -> str:
    sign, bare = ("-", part[1:]) if part.startswith("-<") else ("", part)
    if not (bare.startswith("<") and bare.endswith(">")):
        return part
    out: list[str] = []
    at = 1
    while at < len(bare) - 1:
        found = _PART.match(bare, at, len(bare) - 1)
        if found is None:
            reason = f"invalid dynamic name expression [{bare}]. date math placeholder is open ended"
            raise EngineError("parse_exception", reason)
        escaped, math, plain = found.groups()
        out.append(_date(bare, math) if math is not None else escaped or plain)
        at = found.end()
    return sign + "".join(out)


def _date(name: str, text: str) -> str:
    found = _MATH.fullmatch(text)
    if found is None:
        raise EngineError("parse_exception", f"invalid dynamic name expression [{name}]. missing date format")
    math, format = found.groups()
    pattern, _, zone = (format or _DEFAULT_FORMAT).partition("|")
    at = parse_date(math, pattern, now_ms=int(time.time() * 1000), tz=zone or None)
    return date_format(pattern).format(at, parse_zone(zone or "UTC"))
