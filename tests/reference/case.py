"""A case is a program of the language and the answer that plain Python finds for it; they stand in `cases/`, by topic.

Beside its `program` a case has one of these, as Python over the model, the periods, the tables and the vocabulary:

- `documents`, `folders`, `entries`: a condition on a row `d`; the hits are the rows that meet it. `sort` is a key of a
  row, or a list of such, each falling where `desc` says so; `limit` and `offset` cut.
- `count`: a condition; how many rows meet it. `of` are the rows, unless all of the data set (drive: all documents).
- `value`: a number, or what `get` answers with: a scalar, a tuple of several, `Ref(id)` for an entity, None for none.
- `rows`: pairs of (key, value), in order unless `ordered` is false.
- `asks`: the ids that are offered. `missing`: a part of what is said to be missing. `refused`: the kind of mistake.

`near` is a relative tolerance. `told`: something must be said beside the answer. `now` and `timezone` are the caller's.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from . import model, periods, tables, vocabulary
from .expressions import Expressions, read_yaml
from .model import NOW, Row
from .tables import Table, Test


@dataclass(frozen=True)
class Hits:
    ids: Callable[[], list[str]]
    ordered: bool
    cut: bool  # the program has a limit: the total is not compared


@dataclass(frozen=True)
class Value:
    of: Callable[[], Any]
    near: float


@dataclass(frozen=True)
class Rows:
    of: Callable[[], Table]
    ordered: bool
    near: float


@dataclass(frozen=True)
class Clarify:
    ids: Callable[[], list[str]]


@dataclass(frozen=True)
class NotFound:
    names: str


@dataclass(frozen=True)
class Invalid:
    mistake: str  # one of the kinds of mistake in compare.MISTAKES


Expectation = Hits | Value | Rows | Clarify | NotFound | Invalid


@dataclass(frozen=True)
class Case:
    id: str
    data: str
    program: str
    expect: Expectation
    now: str = NOW
    timezone: str = "UTC"
    told: bool = False


PYTHON = Expressions(model, periods, tables, vocabulary)


def topic(path: Path) -> list[Case]:
    """The cases of a file, which is named after its data set and topic."""
    data = path.stem.split("_")[0]
    name = path.stem.removeprefix("drive_")
    return [read(f"{name}/{id}", data, dict(row)) for id, row in read_yaml(path).items()]


def read(id: str, data: str, row: dict[str, Any]) -> Case:
    options = {name: row.pop(name) for name in ("now", "timezone", "told") if name in row}
    return Case(id, data, row.pop("program"), expectation(data, **row), **options)


def expectation(data: str, *, near: float = 1e-9, ordered: bool = True, of: str = "", **row: Any) -> Expectation:
    kind = next(iter(row))
    text = row.pop(kind)
    if kind in ("documents", "folders", "entries"):
        rows = getattr(model, kind) if data == "drive" else partial(model.plain, data)
        return Hits(partial(pick, rows, text, **row), ordered="sort" in row, cut="limit" in row)
    if row:
        raise ValueError(f"not of {kind}: {', '.join(row)}")
    match kind:
        case "count":
            of = of or ("documents()" if data == "drive" else f"plain({data!r})")
            return Value(lambda: sum(map(bool, map(PYTHON.test(text), PYTHON.value(of)))), near)
        case "value":
            return Value(partial(PYTHON.value, text), near)
        case "rows":
            return Rows(partial(PYTHON.value, text), ordered, near)
        case "asks":
            return Clarify(partial(PYTHON.value, text))
        case "missing":
            return NotFound(text)
        case "refused":
            return Invalid(text)
    raise ValueError(f"{kind} is no kind of expectation")


def pick(
    rows: Callable[[], Iterable[Row]],
    condition: str,
    sort: str | list[str] = (),
    desc: bool | list[bool] = False,
    limit: int | None = None,
    offset: int = 0,
) -> list[str]:
    test = PYTHON.test(condition)
    found = [row for row in rows() if test(row)]
    keys = [sort] if isinstance(sort, str) else sort
    falling = desc if isinstance(desc, list) else [desc] * len(keys)
    for key, down in reversed([*zip(map(PYTHON.test, keys), falling, strict=True)]):
        found = in_order(found, key, down)
    return [row["_id"] for row in found[offset : None if limit is None else offset + limit]]


def in_order(rows: list[Row], key: Test, desc: bool) -> list[Row]:
    """Rows that lack the key are last."""
    have = sorted((row for row in rows if key(row) is not None), key=key, reverse=desc)
    return have + [row for row in rows if key(row) is None]


CASES = [case for path in sorted(Path(__file__).with_name("cases").glob("*.yaml")) for case in topic(path)]
