"""Tests on a row and keys of it that every data set has; `both_of` joins them by `and`."""

import functools
from statistics import median
from typing import Any

from tests.reference.model import Row
from tests.reference.periods import bucket, last, span
from tests.reference.tables import Test


def both_of(*tests: Test) -> Test:
    return lambda row: all(test(row) for test in tests)


def either(*tests: Test) -> Test:
    return lambda row: any(test(row) for test in tests)


def neg(test: Test) -> Test:
    return lambda row: not test(row)


@functools.cache
def eq(field: str, *values: Any) -> Test:
    return lambda row: row[field] in values


def gt(field: str, bound: Any) -> Test:
    return lambda row: row[field] is not None and row[field] > bound


def lt(field: str, bound: Any) -> Test:
    return lambda row: row[field] is not None and row[field] < bound


def ge(field: str, bound: Any) -> Test:
    return lambda row: row[field] is not None and row[field] >= bound


def between(field: str, low: Any, high: Any) -> Test:
    return lambda row: row[field] is not None and low <= row[field] <= high


def lacks(*fields: str) -> Test:
    return lambda row: all(row[field] in (None, []) for field in fields)


def has(*fields: str) -> Test:
    return lambda row: all(row[field] not in (None, []) for field in fields)


def during(text: str, field: str = "created") -> Test:
    """The date lies in the year, quarter, month, week or day."""
    period = span(text)
    return lambda row: row[field] in period


def since(text: str, field: str = "created") -> Test:
    """From the beginning of the period on."""
    return ge(field, span(text).start)


def after(text: str, field: str = "created") -> Test:
    """After the end of the period."""
    return ge(field, span(text).end)


def before(text: str, field: str = "created") -> Test:
    return lt(field, span(text).start)


def within(number: int, unit: str, field: str = "created") -> Test:
    """In the rolling time up to now."""
    period = last(number, unit)
    return lambda row: row[field] in period


def days(first: str, final: str, field: str = "created") -> Test:
    """From the first day to the last, both included."""
    return lambda row: row[field] is not None and first <= row[field].strftime("%Y-%m-%d") <= final


def element(field: str, test: Test) -> Test:
    """One element of the list passes."""
    return lambda row: any(test(item) for item in row[field])


def anything(_: Row) -> bool:
    return True


def by(field: str) -> Test:
    """A key to sort by."""
    return lambda row: row[field]


def calendar_of(unit: str, field: str = "created") -> Test:
    return lambda row: bucket(row[field], unit)


def median_of(rows: list[Row], field: str) -> float:
    """The middle of the values, or between the two middle ones."""
    return float(median(row[field] for row in rows if row[field] is not None))
