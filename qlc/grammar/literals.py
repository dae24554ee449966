"""Literals: the values of strings, numbers and dates from their spelling."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Span
from qlc.grammar.problem import refuse

_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "n": "\n", "t": "\t"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_SURROGATES = re.compile("[\ud800-\udfff]")
_BOTH_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
DATE = re.compile(
    r"""(?P<year>[0-9]{4})
    (?: -Q(?P<quarter>[1-4])
      | -W(?P<week>[0-9]{2})
      | -(?P<month>[0-9]{2})
        (?: -(?P<day>[0-9]{2})
          (?: [T ](?P<hour>[0-9]{2})
            (?: :(?P<minute>[0-9]{2})
              (?: :(?P<second>[0-9]{2}) (?: \.(?P<fraction>[0-9]{1,9}) )? )?
            )?
            (?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?
          )?
        )?
    )?""",
    re.VERBOSE | re.IGNORECASE,
)
"""The form of a date. In quotes there may be a space before the time; a bare year is a number of the grammar."""
_LONGEST = 330
"""Most characters of a number, enough for any double; Python refuses to read longer whole numbers."""
_DATE_FORMS = "dates are written 2024, 2024-Q2, 2024-03, 2024-W10, 2024-03-05 or 2024-03-05T15:00"


def unquoted(text: str, start: int) -> str:
    """Return the value of a quoted string, with either kind of quotes."""
    body = text[1:-1]
    if "\\" in body:
        body = _ESCAPE.sub(lambda match: _character(match, start + 1), body)
        if _BOTH_HALVES.search(body):
            body = body.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not body.isascii() and (half := _SURROGATES.search(body)):
        refuse("half-character", f"\\u{ord(half[0]):04x} is an unpaired surrogate", Span(start, start + len(text)),
               "write the character itself, or both halves of it")
    return body


def _character(match: re.Match[str], start: int) -> str:
    if match[1] is not None:
        return chr(int(match[1], 16))
    if match[2] not in _ESCAPES:
        span = Span(start + match.start(), start + match.end())
        refuse("unknown-escape", f"'\\{match[2]}' means nothing in a string", span,
               'write \\\\ for a backslash; others are \\" \\n \\t \\uXXXX')
    return _ESCAPES[match[2]]


def number(text: str, span: Span) -> tuple[int | float, str]:
    """Return the value and the canonical spelling of a number: `5.0` -> `5`, `+.5` -> `0.5`; whole numbers are ints."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    sign, digits = "-" if whole[:1] == "-" else "", whole.lstrip("+-") or "0"
    if len(digits) > 1 and digits[0] == "0":
        refuse("leading-zero", f"'{text}' begins with a zero", span, "put it in quotes if it is a name or an id")
    fraction = fraction.rstrip("0")
    canonical = sign + digits + (f".{fraction}" if fraction else "")
    if len(canonical) > _LONGEST or len(exponent.lstrip("+-0")) > 3:
        refuse("number-out-of-range", "this number is out of range", span, "write a number below 1e308")
    if exponent:
        canonical += f"e{int(exponent)}"
    value = float(canonical)
    if value in (float("inf"), float("-inf")):
        refuse("number-out-of-range", "this number is out of range", span, "write a number below 1e308")
    if canonical == "-0":
        return 0, "0"
    return (int(canonical), canonical) if not exponent and not fraction else (value, canonical)


def whole(text: str, span: Span, what: str) -> int:
    """Return the count after `limit`, `offset`, `top` or `last`."""
    if text.isdecimal() and len(text) > 18:
        refuse("whole-number", f"the number after '{what}' is too large", span, f"write {what} 10")
    if not text.isdecimal():
        refuse("whole-number", f"'{what}' takes a whole number, not {text}", span, f"write {what} 10")
    return int(text)


def date(text: str, span: Span) -> str:
    """Return the canonical spelling of a date literal."""
    canonical = text.upper()
    match = DATE.fullmatch(canonical)
    if match is None:
        refuse("invalid-date", f"'{text}' is not a date", span, f"{_DATE_FORMS}; anything else goes in quotes")
    year, month, day = int(match["year"]), int(match["month"] or 1), int(match["day"] or 1)
    if year == 0:
        refuse("invalid-date", "there is no year 0", span, "years are 0001 to 9998")
    if match["week"] and not _is_in_calendar(year, week=int(match["week"])):
        hint = "weeks are 01 to 52, and 53 in some years"
        refuse("invalid-date", f"{match['year']} has no week {match['week']}", span, hint)
    if not 1 <= month <= 12:
        refuse("invalid-date", f"there is no month {match['month']}", span, "months are 01 to 12")
    if not 1 <= day <= 28:  # every month has the days up to 28
        _check_day(match, year, month, day, span)
    if match["hour"]:
        _check_time(match, text, span)
    return canonical


def _check_day(match: re.Match[str], year: int, month: int, day: int, span: Span) -> None:
    if not _is_in_calendar(year, month, day):
        hint = "write a day of that month, or the month alone"
        refuse("invalid-date", f"{match['year']}-{match['month']} has no day {match['day']}", span, hint)


def _check_time(match: re.Match[str], text: str, span: Span) -> None:
    if int(match["hour"]) > 23 or int(match["minute"] or 0) > 59 or int(match["second"] or 0) > 59:
        refuse("invalid-date", f"'{text}' has an invalid time of day", span, "times are 00:00 to 23:59:59")
    zone = (match["zone"] or "Z").replace(":", "")
    if zone != "Z" and (int(zone[1:3]) > 18 or int(zone[3:]) > 59):
        refuse("invalid-date", f"'{text}' has an invalid offset from UTC", span, "write Z, or an offset such as +02:00")


def _is_in_calendar(year: int, month: int = 1, day: int = 1, *, week: int = 1) -> bool:
    from datetime import date

    try:
        date(year, month, day)
        date.fromisocalendar(year, week, 1)
    except ValueError:
        return False
    return True
