"""How values of a field appear in an answer: as JSON numbers or texts, and as `..._as_string`."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import Any

from qlc_engine.dates import UTC_ZONE, DateFormat, Zone, date_format
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.mapping import Field
from qlc_engine.value_parsers import format_float


@dataclass(frozen=True, slots=True)
class ValueFormat:
    """Numbers without a format: no text beside them."""

    def as_string(self, value: float) -> str | None:
        return None

    def as_strings(self, values: Sequence[float]) -> list[str | None]:
        return [self.as_string(value) for value in values]

    def text(self, value: Any) -> str:
        """The value as it is in keys of JSON objects and in order paths."""
        found = self.as_string(value)
        return format_float(float(value)) if found is None else found


@dataclass(frozen=True, slots=True)
class DateValueFormat(ValueFormat):
    format: DateFormat
    zone: Zone = UTC_ZONE

    def as_string(self, value: float) -> str | None:
        return self.as_strings([value])[0]

    def as_strings(self, values: Sequence[float]) -> list[str | None]:
        known = _printed(self.format, self.zone)
        found: list[str | None] = []
        for value in values:
            at = math.floor(value)
            text = known.get(at)
            if text is None:
                if len(known) >= _PRINTED_DATES:
                    known.clear()
                text = known[at] = self.format.format(at, self.zone)
            found.append(text)
        return found


#: Dates that are remembered as texts at most, of one format and zone.
_PRINTED_DATES = 4_096


@functools.lru_cache(maxsize=16)
def _printed(date_format: DateFormat, zone: Zone) -> dict[int, str]:
    """Texts by epoch milliseconds: the begin of a month or a day comes again in the next answer."""
    return {}


@dataclass(frozen=True, slots=True)
class BooleanValueFormat(ValueFormat):
    def as_string(self, value: float) -> str | None:
        return "false" if value == 0 else "true"


@dataclass(frozen=True, slots=True)
class DecimalValueFormat(ValueFormat):
    """A `DecimalFormat` pattern of Java with `#`, `0`, `,`, `.`, `%` and literal text around."""

    prefix: str
    suffix: str
    min_integer: int
    min_fraction: int
    max_fraction: int
    grouping: int

    def as_string(self, value: float) -> str | None:
        if not math.isfinite(value):
            return {math.inf: "∞", -math.inf: "-∞"}.get(value, "NaN")
        rounded = _rounded(value, 100 if "%" in self.prefix + self.suffix else 1, self.max_fraction)
        whole, _, fraction = f"{abs(rounded):f}".partition(".")
        fraction = fraction.rstrip("0").ljust(self.min_fraction, "0")
        whole = whole.lstrip("0").rjust(self.min_integer, "0")
        if not whole and not fraction:
            whole = "0"
        if self.grouping:
            head = len(whole) % self.grouping
            parts = [whole[:head]] if head else []
            parts += [whole[i : i + self.grouping] for i in range(head, len(whole), self.grouping)]
            whole = ",".join(parts)
        sign = "-" if rounded < 0 or (rounded == 0 and math.copysign(1, value) < 0) else ""
        return f"{sign}{self.prefix}{whole}{'.' + fraction if fraction else ''}{self.suffix}"


def _rounded(value: float, factor: int, places: int) -> Decimal:
    """By the exact value, except that digits beyond those which tell the number from its neighbours are zeros."""
    shortest = Decimal(repr(value)) * factor
    if -int(shortest.as_tuple().exponent) <= places:
        return shortest
    with localcontext(prec=_DIGITS):
        return (Decimal(value) * factor).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


#: more than any double has
_DIGITS = 1_200


def decimal_format(pattern: str) -> DecimalValueFormat:
    """Raises `illegal_argument_exception` for what this reading of `DecimalFormat` does not know."""
    if any(special in pattern for special in ";'"):
        raise not_implemented(f"number format [{pattern}]")
    core = pattern.strip("".join(sorted(set(pattern) - set("#0,."))))
    start = pattern.find(core) if core else -1
    if start < 0:
        raise illegal_argument(f"Malformed pattern [{pattern}]")
    if "E" in core or pattern[start + len(core) :].startswith("E"):
        raise not_implemented(f"number format [{pattern}]")
    whole, _, fraction = core.partition(".")
    if set(core) - set("#0,.") or "," in fraction or "." in fraction:
        raise illegal_argument(f"Malformed pattern [{pattern}]")
    grouping = len(whole) - whole.rfind(",") - 1 if "," in whole else 0
    return DecimalValueFormat(
        pattern[:start], pattern[start + len(core) :], whole.count("0"), fraction.count("0"), len(fraction), grouping
    )


def value_format(found: Field | None, pattern: str | None, zone: Zone | None) -> ValueFormat:
    """The format of a field's values, or the one that a request asks for."""
    if found is not None and found.type in ("date", "date_nanos", "date_range"):
        return date_value_format(pattern or found.format, zone)
    is_boolean = found is not None and found.type == "boolean"
    if found is not None and is_boolean and pattern is not None:
        raise _unsupported(found, "formats")
    if found is not None and (is_boolean or found.is_numeric) and zone is not None:
        raise _unsupported(found, "time zones")
    if is_boolean:
        return BooleanValueFormat()
    if pattern is not None:
        return decimal_format(pattern)
    return ValueFormat()


def date_value_format(pattern: str | None, zone: Zone | None) -> DateValueFormat:
    try:
        return DateValueFormat(date_format(pattern or "strict_date_optional_time||epoch_millis"), zone or UTC_ZONE)
    except EngineError as error:
        raise illegal_argument(str(error)) from error


def _unsupported(found: Field, what: str) -> EngineError:
    reason = f"Field [{found.path}] of type [{found.type}] does not support custom {what}"
    return illegal_argument(reason)


def json_number(value: float) -> float | str:
    """Return a number for JSON, or a text for values that JSON lacks: NaN (the sampling variance of one value),
    infinity."""
    return value if math.isfinite(value) else format_float(value)
