"""Date formats: Elasticsearch's named ones, patterns, alternatives joined by `||`, and the epoch formats.

What a text leaves out is filled as Elasticsearch measured does: month and day 01; the time 00:00, or 23:59:59.999 when
rounding up (`gt` and `lte`). The stored texts of a document are never rounded up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from qlc_engine.dates.calendar import (
    MS_PER_DAY,
    days_from_civil,
    days_from_week,
    days_in_month,
    first_local_week,
    is_leap,
)
from qlc_engine.dates.patterns import MONTHS, Pattern, compile_pattern, instant
from qlc_engine.dates.zones import UTC_ZONE, Zone
from qlc_engine.errors import EngineError, illegal_argument

_TIME = "HH:mm:ss"
_ISO_PRINTER = "uuuu-MM-dd'T'HH:mm:ss{nano_fraction}XXX"

#: name -> (printer, parser) of the formats that are no plain pair of a strict and a lenient spelling
_ISO_FAMILY = {
    "strict_date_optional_time": (
        _ISO_PRINTER,
        "{year}[-MM[-dd['T'[HH[:mm[:ss[{comma_fraction}]]][{zone}]]]]]",
    ),
    "strict_date_optional_time_nanos": (
        _ISO_PRINTER,
        "{year}[-MM[-dd['T'HH:mm:ss[{comma_fraction}][{zone}]]]]",
    ),
    "iso8601": (_ISO_PRINTER, "{year}[-MM[-dd['T'[HH[:mm[:ss[{comma_fraction}]]][{zone}]]]]]"),
    "date_optional_time": (
        _ISO_PRINTER,
        "u[-M[-d['T'[H[:m[:s[{comma_fraction}]]][{zone}]]]]]",
    ),
    "strict_date": ("uuuu-MM-dd", "{year}-MM-dd"),
    "date": ("uuuu-MM-dd", "u[-M[-d]]"),
    "strict_year_month_day": ("uuuu-MM-dd", "{year}[-MM[-dd]]"),
    "year_month_day": ("uuuu-MM-dd", "u-M-d"),
    "strict_date_time": (_ISO_PRINTER, "{year}-MM-dd'T'HH:mm:ss[{comma_fraction}]{zone}"),
    "date_time": (_ISO_PRINTER, "u-M-d'T'H:m:s{fraction}{zone}"),
    "strict_date_time_no_millis": ("uuuu-MM-dd'T'HH:mm:ssXXX", "uuuu-MM-dd'T'HH:mm:ss{zone}"),
    "date_time_no_millis": ("uuuu-MM-dd'T'HH:mm:ssXXX", "u-M-d'T'H:m[:s][{zone}]"),
}

_BASIC = {
    "basic_date": "uuuuMMdd",
    "basic_date_time": "uuuuMMdd'T'HHmmss{fraction}{zone}",
    "basic_date_time_no_millis": "uuuuMMdd'T'HHmmss{zone}",
    "basic_ordinal_date": "uuuuDDD",
    "basic_ordinal_date_time": "uuuuDDD'T'HHmmss{fraction}{zone}",
    "basic_ordinal_date_time_no_millis": "uuuuDDD'T'HHmmss{zone}",
    "basic_time": "HHmmss{fraction}{zone}",
    "basic_time_no_millis": "HHmmss{zone}",
    "basic_t_time": "'T'HHmmss{fraction}{zone}",
    "basic_t_time_no_millis": "'T'HHmmss{zone}",
    "basic_week_date": "YYYY'W'wwe",
    "basic_week_date_time": "YYYY'W'wwe'T'HHmmss{fraction}{zone}",
    "basic_week_date_time_no_millis": "YYYY'W'wwe'T'HHmmss{zone}",
    "strict_basic_week_date": "YYYY'W'wwe",
    "strict_basic_week_date_time": "YYYY'W'wwe'T'HHmmss{fraction}{zone}",
    "strict_basic_week_date_time_no_millis": "YYYY'W'wwe'T'HHmmss{zone}",
}

#: in two spellings: `strict_` with these widths, without it with any number of digits
_STRICT = {
    "date_hour": "uuuu-MM-dd'T'HH",
    "date_hour_minute": "uuuu-MM-dd'T'HH:mm",
    "date_hour_minute_second": f"uuuu-MM-dd'T'{_TIME}",
    "date_hour_minute_second_fraction": f"uuuu-MM-dd'T'{_TIME}{{fraction}}",
    "date_hour_minute_second_millis": f"uuuu-MM-dd'T'{_TIME}{{fraction}}",
    "hour": "HH",
    "hour_minute": "HH:mm",
    "hour_minute_second": _TIME,
    "hour_minute_second_fraction": f"{_TIME}{{fraction}}",
    "hour_minute_second_millis": f"{_TIME}{{fraction}}",
    "ordinal_date": "uuuu-DDD",
    "ordinal_date_time": f"uuuu-DDD'T'{_TIME}{{fraction}}{{zone}}",
    "ordinal_date_time_no_millis": f"uuuu-DDD'T'{_TIME}{{zone}}",
    "time": f"{_TIME}{{fraction}}{{zone}}",
    "time_no_millis": f"{_TIME}{{zone}}",
    "t_time": f"'T'{_TIME}{{fraction}}{{zone}}",
    "t_time_no_millis": f"'T'{_TIME}{{zone}}",
    "week_date": "YYYY-'W'ww-e",
    "week_date_time": f"YYYY-'W'ww-e'T'{_TIME}{{fraction}}{{zone}}",
    "week_date_time_no_millis": f"YYYY-'W'ww-e'T'{_TIME}{{zone}}",
    "weekyear": "YYYY",
    "weekyear_week": "YYYY-'W'ww",
    "weekyear_week_day": "YYYY-'W'ww-e",
    "year": "uuuu",
    "year_month": "uuuu-MM",
}


def _printer_of(parser: str) -> str:
    return parser.replace("{fraction}", ".SSS").replace("{zone}", "XXX")


def _lenient(parser: str) -> str:
    """The same pattern taking fields of any width."""
    return re.sub(r"'[^']*'|\{\w+\}|([A-Za-z])\1+", lambda m: m.group(1) or m.group(), parser)


def _named_formats() -> dict[str, tuple[str, str]]:
    named = dict(_ISO_FAMILY)
    for name, pattern in _BASIC.items():
        named[name] = (_printer_of(pattern), pattern)
    for name, pattern in _STRICT.items():
        named[f"strict_{name}"] = (_printer_of(pattern), pattern)
        named[name] = (_printer_of(pattern), _lenient(pattern))
    return named


NAMED_FORMATS: Mapping[str, tuple[str, str]] = _named_formats()

#: ms per unit of the epoch formats
_EPOCH_FORMATS = {"epoch_millis": 1, "epoch_second": 1_000}
_EPOCH_NUMBER = re.compile(r"(-?)(\d{1,19})(?:\.(\d*))?\Z", re.ASCII)


def named_formats() -> list[str]:
    """The formats that have names, for the documentation."""
    return sorted([*NAMED_FORMATS, *_EPOCH_FORMATS])


@dataclass(frozen=True, slots=True)
class _Alternative:
    """One of the formats joined by `||`. `epoch_unit_ms` is set for the epoch formats, which have no patterns.

    `clips_day`: rounding up reads 30 February as the month's last day (all but the formats with Elasticsearch's own
    ISO parser).
    """

    parser: Pattern | None
    printer: Pattern | None
    epoch_unit_ms: int = 0
    clips_day: bool = True


class DateFormat:
    """A format of a mapping or a request. The first alternative prints; all are tried in turn to parse."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._alternatives = [_alternative(name.strip()) for name in source.split("||")]

    def parse(self, text: str, *, zone: Zone | None = None, round_up: bool = False) -> int:
        """Epoch ms of a text without date math. `zone` is that of a text that names none (None: UTC).

        Raises `EngineError` of type `parse_exception` if no alternative fits or the date does not exist.
        """
        return self.parse_nanos(text, zone=zone, round_up=round_up)[0]

    def parse_nanos(self, text: str, *, zone: Zone | None = None, round_up: bool = False) -> tuple[int, int]:
        """Epoch ms as `parse` gives them, and the nanoseconds beyond."""
        failure = f"failed to parse date field [{text}] with format [{self.source}]"
        for alternative in self._alternatives:
            if alternative.epoch_unit_ms:
                epoch = _parse_epoch(text, alternative.epoch_unit_ms, round_up=round_up)
                if epoch is not None:
                    return epoch, 999_999 if round_up and "." not in text else 0
                continue
            assert alternative.parser is not None
            try:
                fields = alternative.parser.parse(text)
                if fields is None or not _in_range(fields.numbers):
                    continue
                clip = round_up and alternative.clips_day
                local_ms = _resolve_days(fields.numbers, clip_day=clip) * MS_PER_DAY + _resolve_ms_of_day(
                    fields.numbers, _ROUND_UP if round_up else _ROUND_DOWN
                )
            except EngineError as error:
                failure = error.reason or failure
                continue
            beyond = fields.numbers.get("nano", 999_999 if round_up else 0) % 1_000_000
            return (fields.zone or zone or UTC_ZONE).to_utc(local_ms), beyond
        raise EngineError(
            "parse_exception",
            f"failed to parse date field [{text}] with format [{self.source}]: [{failure}]",
            caused_by=illegal_argument(failure),
        )

    def format(self, utc_ms: int, zone: Zone = UTC_ZONE, nanos: int = 0) -> str:
        """The text of an instant as it is in `key_as_string`, sort values and `docvalue_fields`.

        `nanos` are those beyond the milliseconds.
        """
        first = self._alternatives[0]
        if first.epoch_unit_ms:
            return _format_epoch(utc_ms, first.epoch_unit_ms) + (f".{nanos:06d}".rstrip("0") if nanos else "")
        assert first.printer is not None
        return first.printer.format(instant(utc_ms, zone, nanos))


@lru_cache(maxsize=1024)
def date_format(source: str) -> DateFormat:
    """The compiled format. Raises `illegal_argument_exception` for an unknown pattern letter."""
    if not source:
        raise illegal_argument("No date pattern provided")
    return DateFormat(source)


def _alternative(name: str) -> _Alternative:
    if not name:
        raise illegal_argument("Cannot have empty element in multi date format pattern: ")
    if name in _EPOCH_FORMATS:
        return _Alternative(None, None, _EPOCH_FORMATS[name])
    if name in NAMED_FORMATS:
        printer, parser = NAMED_FORMATS[name]
        clips_day = "{year}" not in parser
        return _Alternative(
            compile_pattern(parser, internal=True), compile_pattern(printer, internal=True), clips_day=clips_day
        )
    pattern = compile_pattern(name)
    return _Alternative(pattern, pattern)


def _parse_epoch(text: str, unit_ms: int, *, round_up: bool) -> int | None:
    match = _EPOCH_NUMBER.match(text)
    if match is None:
        return None
    sign, whole, digits = match.groups()
    value = int(whole) * unit_ms
    fraction = int((digits or "").ljust(9, "0")[:9]) * unit_ms
    if unit_ms > 1 and round_up and digits is None:
        fraction = 999_999_999_999
    if sign:
        return -value - -(-fraction // 1_000_000_000)
    return value + fraction // 1_000_000_000


def _format_epoch(utc_ms: int, unit_ms: int) -> str:
    if unit_ms == 1:
        return str(utc_ms)
    sign = "-" if utc_ms < 0 else ""
    whole, rest = divmod(abs(utc_ms), unit_ms)
    return f"{sign}{whole}" + (f".{rest:03d}".rstrip("0") if rest else "")


#: (hour, minute, second, nanosecond) of what a text leaves out
_ROUND_DOWN = (0, 0, 0, 0)
_ROUND_UP = (23, 59, 59, 999_999_999)

_MAX_YEAR = 999_999_999
_RANGES = {
    "hour": (0, 23), "clock_hour": (1, 24), "hour_of_ampm": (0, 11), "clock_hour_of_ampm": (1, 12),
    "minute": (0, 59), "second": (0, 59), "week": (1, 53), "day_of_week": (1, 7), "month": (0, 12), "day": (0, 31),
    "day_of_year": (1, 366), "year": (-_MAX_YEAR, _MAX_YEAR), "year_of_era": (1, _MAX_YEAR),
    "week_year": (-_MAX_YEAR, _MAX_YEAR), "local_week_year": (-_MAX_YEAR, _MAX_YEAR), "local_week": (1, 53),
    "local_day_of_week": (1, 7),
}  # fmt: skip


def _in_range(numbers: Mapping[str, int]) -> bool:
    return all(low <= numbers.get(name, low) <= high for name, (low, high) in _RANGES.items())


def _resolve_days(numbers: Mapping[str, int], *, clip_day: bool) -> int:
    """Days since 1970 of parsed fields, by the first complete way to name a date.

    `clip_day` reads a day that the month has not as its last one.
    """
    if "local_week_year" in numbers:
        first = first_local_week(numbers["local_week_year"])
        return first + (numbers.get("local_week", 1) - 1) * 7 + numbers.get("local_day_of_week", 1) - 1
    if "week_year" in numbers:
        return days_from_week(numbers["week_year"], numbers.get("week", 1), numbers.get("day_of_week", 1))
    year = numbers.get("year")
    if year is None:
        year = numbers.get("year_of_era")
        if year is not None and numbers.get("era") == 0:
            year = 1 - year
    if year is None:
        if "month" not in numbers and any(name in numbers for name in ("day", "day_of_week", "local_day_of_week")):
            found = ", ".join(f"{name}={value}" for name, value in numbers.items())
            raise illegal_argument(f"temporal accessor [{{{found}}},ISO] cannot be converted to zoned date time")
        year = 1970
    if "day_of_year" in numbers:
        if numbers["day_of_year"] > (366 if is_leap(year) else 365):
            raise illegal_argument(f"Invalid date 'DayOfYear 366' as '{year}' is not a leap year")
        return days_from_civil(year, 1, 1) + numbers["day_of_year"] - 1
    month = numbers.get("month", 1)
    day = numbers.get("day", 1)
    if month == 0:
        raise illegal_argument("Invalid value for MonthOfYear (valid values 1 - 12): 0")
    if day == 0:
        raise illegal_argument("Invalid value for DayOfMonth (valid values 1 - 28/31): 0")
    if day > days_in_month(year, month):
        if clip_day:
            return days_from_civil(year, month, days_in_month(year, month))
        if day == 29:
            raise illegal_argument(f"Invalid date 'February 29' as '{year}' is not a leap year")
        raise illegal_argument(f"Invalid date '{MONTHS[month - 1].upper()} {day}'")
    return days_from_civil(year, month, day)


def _resolve_ms_of_day(numbers: Mapping[str, int], defaults: tuple[int, int, int, int]) -> int:
    if "ms_of_day" in numbers:
        return numbers["ms_of_day"]
    if "nano_of_day" in numbers:
        return numbers["nano_of_day"] // 1_000_000
    hour, minute, second, nano = defaults
    if "hour" in numbers:
        hour = numbers["hour"]
    elif "clock_hour" in numbers:
        hour = numbers["clock_hour"] % 24
    elif "clock_hour_of_ampm" in numbers or "hour_of_ampm" in numbers:
        of_ampm = numbers.get("hour_of_ampm", numbers.get("clock_hour_of_ampm", 0) % 12)
        hour = of_ampm + 12 * (1 if numbers.get("ampm", 0) > 0 else 0)
    minute = numbers.get("minute", minute)
    second = numbers.get("second", second)
    nano = numbers.get("nano", nano)
    return ((hour * 60 + minute) * 60 + second) * 1_000 + nano // 1_000_000
