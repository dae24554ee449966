"""What a case is: a program of the language and the answer that plain Python finds for it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from . import model
from .model import NOW, Row

Test = Callable[[Row], Any]
Key = Any
Table = list[tuple[Key, Any]]


@dataclass(frozen=True)
class Hits:
    ids: Callable[[], list[str]]
    ordered: bool = False
    cut: bool = False  # the program has a limit: the total is not compared


@dataclass(frozen=True)
class Value:
    """A number, or what `get` answers with: a scalar, a tuple of several, `Ref(id)` for an entity, None for none."""

    of: Callable[[], Any]
    near: float = 1e-9


@dataclass(frozen=True, order=True)
class Ref:
    id: str


@dataclass(frozen=True)
class Bin:
    """The key of a bin: from low (None: no lower end) to under high (None: and more)."""

    low: float | None
    high: float | None


@dataclass(frozen=True)
class Rows:
    of: Callable[[], Table]
    ordered: bool = True
    near: float = 1e-9


@dataclass(frozen=True)
class Clarify:
    ids: Callable[[], list[str]]


@dataclass(frozen=True)
class NotFound:
    names: str  # a part of what is said to be missing


@dataclass(frozen=True)
class Invalid:
    mistake: str  # one of the kinds of mistake in compare.MISTAKES


@dataclass(frozen=True)
class Case:
    id: str
    program: str
    expect: Hits | Value | Rows | Clarify | NotFound | Invalid
    data: str = "drive"
    now: str = NOW
    timezone: str = "UTC"
    told: bool = False  # something must be said beside the answer
    open_to_reading: bool = False
    why: str = ""
    tags: tuple[str, ...] = field(default=())


# ---- the kinds of row in a case file -------------------------------------------------------------------------------


Order = Test | list[tuple[Test, bool]]  # one key, or several of (key, falling)


def pick(
    rows: Iterable[Row], test: Test, *, sort: Order | None, desc: bool, limit: int | None, offset: int
) -> list[str]:
    found = [row for row in rows if test(row)]
    keys = sort if isinstance(sort, list) else [] if sort is None else [(sort, desc)]
    for key, falling in reversed(keys):
        have = [row for row in found if key(row) is not None]
        have.sort(key=key, reverse=falling)
        found = have + [row for row in found if key(row) is None]
    return [row["_id"] for row in found[offset : None if limit is None else offset + limit]]


def hits(
    rows: Callable[[], Sequence[Row]],
    id: str,
    program: str,
    test: Test,
    *,
    sort: Order | None = None,
    desc: bool = False,
    limit: int | None = None,
    offset: int = 0,
    **more: Any,
) -> Case:
    def ids() -> list[str]:
        return pick(rows(), test, sort=sort, desc=desc, limit=limit, offset=offset)

    return Case(id, program, Hits(ids, ordered=sort is not None, cut=limit is not None), **more)


def docs(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(model.documents, id, program, test, **more)


def folders(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(model.folders, id, program, test, **more)


def entries(id: str, program: str, test: Test, **more: Any) -> Case:
    return hits(model.entries, id, program, test, **more)


def count(id: str, program: str, test: Test, rows: Callable[[], Sequence[Row]] = model.documents, **more: Any) -> Case:
    return Case(id, program, Value(lambda: sum(1 for row in rows() if test(row))), **more)


def value(id: str, program: str, of: Callable[[], Any], near: float = 1e-9, **more: Any) -> Case:
    return Case(id, program, Value(of, near), **more)


def rows(
    id: str, program: str, of: Callable[[], Table], *, ordered: bool = True, near: float = 1e-9, **more: Any
) -> Case:
    return Case(id, program, Rows(of, ordered, near), **more)


def asks(id: str, program: str, ids: Callable[[], list[str]], **more: Any) -> Case:
    return Case(id, program, Clarify(ids), **more)


def missing(id: str, program: str, names: str, **more: Any) -> Case:
    return Case(id, program, NotFound(names), **more)


def refused(id: str, program: str, mistake: str, **more: Any) -> Case:
    return Case(id, program, Invalid(mistake), **more)


def on_data(data: str, cases: list[Case]) -> list[Case]:
    return [replace(case, data=data) for case in cases]


# ---- tables of groups ----------------------------------------------------------------------------------------------


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
    from math import fsum

    def measure(rows: Iterable[Row]) -> Any:
        found = numbers(rows, field)
        return sum(found) if all(isinstance(number, int) for number in found) else fsum(found)

    return measure


def mean(field: str) -> Callable[[Iterable[Row]], Any]:
    from math import fsum

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
