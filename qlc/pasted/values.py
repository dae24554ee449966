"""Checks for the values of a request's parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from qlc.compiler.numbers import is_number
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.pasted.dates import is_date
from qlc.pasted.json_tree import Member, Node, Object, Scalar, items_of, plain
from qlc.pasted.problems import Findings, Rejected
from qlc.pasted.reach import FieldUse

Check = Callable[[Findings, Member], Any]
"""Returns the value of a member; None if it is dropped. Raises Rejected, with the problem recorded."""

LONGEST_TEXT = 10_000
MOST_FIELDS = 200
"""Most names and patterns of fields in one list."""


def kept_apart(findings: Findings, one: Member) -> Any:
    """Accept a parameter that is read elsewhere, or that we decide: the form of the response."""


def silent(check: Check) -> Check:
    """Check a value that changes no answer, then drop it."""

    def checked(findings: Findings, one: Member) -> Any:
        check(findings, one)

    return checked


def scalar(findings: Findings, one: Member) -> Any:
    value = one.value.value if isinstance(one.value, Scalar) else None
    if value is None:
        raise _wrong(findings, one, "a text, a number, true or false")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise findings.reject("too_large", f"the text of '{one.key}' is longer than {LONGEST_TEXT:,} characters",
                              one.value.span, "use a shorter one")
    return value


def text(findings: Findings, one: Member) -> Any:
    value = scalar(findings, one)
    return value if isinstance(value, str) else str(value).lower()


def positive(findings: Findings, one: Member) -> Any:
    value = number(findings, one)
    if value < 0:
        raise _wrong(findings, one, "a number of 0 or more")
    return value


def whole(least: int = 0, most: int = 10_000) -> Check:
    def check(findings: Findings, one: Member) -> Any:
        value = plain(one.value)
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(findings, one, "a whole number")
        if value < least:
            raise _wrong(findings, one, f"a whole number of {least} or more")
        if value > most:
            raise findings.reject("too_large", f"'{one.key}' is at most {most:,}, and is {value:,}", one.value.span,
                                  f"write {most} or less")
        return value

    return check


def accepted(accept: Callable[[Any], Any], message: str, hint: str = "") -> Check:
    """Return a check that converts a value by `accept`; None is reported with the message."""

    def check(findings: Findings, one: Member) -> Any:
        given = plain(one.value)
        made = accept(given)
        if made is None:
            raise _mistyped(findings, one, message.format(key=one.key, given=given), hint)
        return made

    return check


def _expected(accept: Callable[[Any], Any], expected: str) -> Check:
    return accepted(accept, f"'{{key}}' takes {expected}", f"write {expected}")


def one_of(*choices: str) -> Check:
    return _expected(lambda value: value.lower() if isinstance(value, str) and value.lower() in choices else None,
                     " or ".join(choices))


boolean = _expected(lambda value: value in (True, "true") if isinstance(value, bool) or value in ("true", "false")
                    else None, "true or false")


def _short(value: Any) -> Any:
    good = isinstance(value, str | int | float) and not isinstance(value, bool) and len(str(value)) <= LONGEST_TEXT
    return value if good else None


def regexp(findings: Findings, one: Member) -> Any:
    value = text(findings, one)
    if len(value) > 1000:
        raise findings.reject("too_large", "a regular expression has at most 1,000 characters", one.value.span)
    return value


def _number(value: Any) -> Any:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return value if is_number(value) and value == value else None


def _minimum(value: Any) -> Any:
    """Accept `minimum_should_match`: a number, a percentage, or several conditions of them."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*(?:-?\d+%?|(?:\d+<-?\d+%?\s*)+)\s*", value):
        return int(value) if re.fullmatch(r"-?\d+", value.strip()) else value
    return None


def _fuzziness(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"(?i)auto(?::\d+,\d+)?", value):
        return value
    return value if value in (0, 1, 2, "0", "1", "2") and not isinstance(value, bool) else None


def _numbers(value: Any) -> Any:
    found = value if isinstance(value, list) else [value]
    good = all(map(is_number, found))
    return found if good and 0 < len(found) <= 100 else None


text_or_number = _expected(_short, "a text or a number")
number = _expected(_number, "a number")
minimum = _expected(_minimum, 'a number or a percentage, such as 2 or "75%"')
fuzziness = _expected(_fuzziness, '"AUTO", 0, 1 or 2')
numbers = _expected(_numbers, "a list of numbers")


def texts(findings: Findings, one: Member) -> Any:
    """Accept a text or a list of texts."""
    found = [item.value if isinstance(item, Scalar) else None for item in items_of(one.value)]
    if len(found) > MOST_FIELDS:
        raise findings.reject("too_large", f"'{one.key}' names more than {MOST_FIELDS} fields", one.value.span,
                              "name fewer")
    if not all(isinstance(item, str) for item in found):
        raise _wrong(findings, one, "a text, or a list of texts")
    return found


def _wrong(findings: Findings, one: Member, expected: str) -> Rejected:
    return _mistyped(findings, one, f"'{one.key}' takes {expected}", f"write {expected}")


def _mistyped(findings: Findings, one: Member, message: str, hint: str) -> Rejected:
    if isinstance(one.value, Object) and {"script", "source", "inline"} & set(one.value.keys()):
        return Rejected()  # reported where scripts are looked for
    return findings.reject("wrong_type", message, one.value.span, hint, what=one.key)


def fits(findings: Findings, used: FieldUse, value: Any, node: Node, date_format: str | None = None) -> bool:
    """Whether a field can have such a value; otherwise Elasticsearch refuses the whole search."""
    if used.kind in NUMERIC and not _reads_as_number(value):
        holds, hint = "holds numbers, and {} is not one", "write a number"
    elif used.kind is FieldKind.DATE and not is_date(value, date_format or used.mapped.date_format):
        holds = "holds dates, and {} is not one that it can read"
        hint = "write it like 2024-03-05 or 2024-03-05T15:00:00Z"
    elif used.kind is FieldKind.BOOLEAN and value not in ("true", "false") and not isinstance(value, bool):
        holds, hint = "is true or false, and {} is neither", "write true or false"
    else:
        return True
    described = holds.format(repr(plain(node)))
    findings.reject("wrong_type", f"'{used.path}' {described}", node.span, hint, what=used.path)
    return False


def _reads_as_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and abs(float(value)) < 1e300
    except (ValueError, OverflowError):
        return False
