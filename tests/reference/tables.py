"""Measures over rows, and tables of groups of them, in plain Python."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum
from typing import Any

from .model import Row

Test = Callable[[Row], Any]
Key = Any
Table = list[tuple[Key, Any]]


@dataclass(frozen=True, order=True)
class Ref:
    """An entity, by its id."""

    id: str


@dataclass(frozen=True)
class Bin:
    """The key of a bin: from low (None: no lower end) to under high (None: and more)."""

    low: float | None
    high: float | None


def many(key: Any) -> list[Any]:
    """The keys one document falls under: each value of a list once, none when missing."""
    if key is None:
        return []
    return list(dict.fromkeys(key)) if isinstance(key, (list, set)) else [key]


def groups(rows: Iterable[Row], *keys: Test) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for row in rows:
        for parts in product(*(many(key(row)) for key in keys)):
            found.setdefault(parts[0] if len(parts) == 1 else parts, []).append(row)
    return found


def table(
    rows: Iterable[Row],
    *keys: Test,
    measure: Callable[[list[Row]], Any] = len,
    by: str = "value",
    desc: bool | None = None,
    having: Callable[[list[Row]], bool] = bool,
    limit: int | None = None,
) -> Table:
    """Rows of (key, value): by the first measure falling (ties by key), or by key rising."""
    found = [(key, measure(group)) for key, group in groups(rows, *keys).items() if having(group)]
    if by == "key":
        found.sort(key=lambda row: row[0], reverse=bool(desc))
    else:
        found.sort(key=lambda row: row[0])
        found.sort(key=first_value, reverse=desc is None or desc)
    return found[:limit]


def first_value(row: tuple[Key, Any]) -> Any:
    return row[1][0] if isinstance(row[1], tuple) else row[1]


def numbers(rows: Iterable[Row], field: str) -> list[Any]:
    return [row[field] for row in rows if row[field] is not None]


def total(field: str) -> Callable[[Iterable[Row]], Any]:
    def measure(rows: Iterable[Row]) -> Any:
        found = numbers(rows, field)
        whole = all(isinstance(number, int) for number in found)
        return None if not found else sum(found) if whole else fsum(found)

    return measure


def mean(field: str) -> Callable[[Iterable[Row]], Any]:
    def measure(rows: Iterable[Row]) -> Any:
        found = numbers(rows, field)
        return fsum(found) / len(found) if found else None

    return measure


def lowest(field: str) -> Callable[[Iterable[Row]], Any]:
    return lambda rows: min(numbers(rows, field), default=None)


def highest(field: str) -> Callable[[Iterable[Row]], Any]:
    return lambda rows: max(numbers(rows, field), default=None)


def distinct(field: str) -> Callable[[Iterable[Row]], int]:
    return lambda rows: len({item for row in rows for item in many(row[field])})


def percentile(field: str, percent: float) -> Callable[[Iterable[Row]], Any]:
    def measure(rows: Iterable[Row]) -> Any:
        found = sorted(numbers(rows, field))
        if not found:
            return None
        place = (len(found) - 1) * percent / 100
        low = int(place)
        high = min(low + 1, len(found) - 1)
        return found[low] + (found[high] - found[low]) * (place - low)

    return measure


def median(field: str) -> Callable[[Iterable[Row]], Any]:
    return percentile(field, 50)


def share(test: Test) -> Callable[[Sequence[Row]], Any]:
    return lambda rows: sum(1 for row in rows if test(row)) / len(rows) if rows else None


def several(*measures: Callable[[list[Row]], Any]) -> Callable[[list[Row]], tuple[Any, ...]]:
    return lambda rows: tuple(measure(rows) for measure in measures)


def where(rows: Iterable[Row], test: Test) -> list[Row]:
    return [row for row in rows if test(row)]


def top_per_parent(found: Table, limit: int) -> Table:
    """The first `limit` rows of each parent (all parts of the key but the last), in the order given."""
    seen: dict[Key, int] = {}
    kept: Table = []
    for key, amount in found:
        parent = key[:-1]
        seen[parent] = seen.get(parent, 0) + 1
        if seen[parent] <= limit:
            kept.append((key, amount))
    return kept


def bins(field: str, *edges: float) -> Test:
    def key(row: Row) -> Bin | None:
        number = row[field]
        if number is None:
            return None
        low = max((edge for edge in edges if edge <= number), default=None)
        high = min((edge for edge in edges if edge > number), default=None)
        return Bin(low, high)

    return key


def bin_table(rows: Iterable[Row], field: str, *edges: float, measure: Callable[[list[Row]], Any] = len) -> Table:
    """Rows of bins, in the order of the edges."""
    found = [(key, measure(group)) for key, group in groups(rows, bins(field, *edges)).items()]
    return sorted(found, key=lambda row: float("-inf") if row[0].low is None else row[0].low)


def step(field: str, width: float) -> Test:
    return lambda row: None if row[field] is None else row[field] // width * width
