"""Computes the rows of a group-by in plain Python, by the rules of the language, over awkward little documents.

A document has single values and lists (with repeats, gaps and nothing in them) and two nested lists. Each group and
each measure stands here beside the text by which a program asks for it.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import fsum
from typing import Any
from zoneinfo import ZoneInfo

from tests.rows.world import mapping_of

MAPPING = mapping_of(
    k="keyword", one="keyword", n="long", x="double", b="boolean", t="date", ts="date",
    e={"w": "keyword", "v": "long", "d": "date"}, c={"y": "keyword", "z": "double"},
)  # fmt: skip

Document = dict[str, Any]
Part = Mapping[str, Any]
"""A document, or an element of one of its lists."""


def documents(seed: int, size: int) -> list[Document]:
    chance = random.Random(seed)
    return [_document(chance) for _ in range(size)]


def _document(chance: random.Random) -> Document:
    def some(make: Callable[[], Any], most: int = 3) -> Any:
        count = chance.choice([0, 1, 1, 1, 2, most])
        made = [make() for _ in range(count)]
        return made[0] if len(made) == 1 and chance.random() < 0.5 else made

    def element() -> Document:
        return _filled(w=some(lambda: chance.choice("ABC"), 2), v=some(lambda: chance.randint(-3, 6)), d=some(day))

    def day() -> str:
        base = datetime(2024, 3, 29, 22, 30, tzinfo=UTC) + timedelta(hours=chance.randint(-60, 60))
        return _iso(base if chance.random() < 0.7 else base + timedelta(days=chance.randint(-400, 220)))

    return _filled(
        k=some(lambda: chance.choice(["a", "b", "B", "é", ""])),
        one=chance.choice(["p", "q", "r", None]),
        n=some(lambda: chance.randint(-12, 12)),
        x=some(lambda: chance.choice([0.1, 0.3, 0.7, -0.3, 0.30000000000000004, 1.1, 2.5, 1e3])),
        b=some(lambda: chance.choice([True, False]), 2),
        t=day() if chance.random() < 0.9 else None,
        ts=some(day),
        e=[element() for _ in range(chance.choice([0, 1, 2, 4]))],
        c=[
            _filled(y=some(lambda: chance.choice("yz")), z=some(lambda: chance.choice([0.5, 2, -1.25])))
            for _ in range(2)
        ],
    )


def _filled(**values: Any) -> Document:
    return {name: value for name, value in values.items() if value is not None}


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def values(part: Part, name: str) -> list[Any]:
    found = part.get(name)
    return found if isinstance(found, list) else [] if found is None else [found]


def elements(document: Document, path: str) -> list[Document]:
    return list(document.get(path, []))


# ---- groups --------------------------------------------------------------------------------------------------------

Ranked = tuple[Any, str]
"""A key: its place in the order, and its label."""


@dataclass(frozen=True)
class GroupBy:
    """`text` in a program; `path` of a nested list and `narrowed` (its text and test) or None; the keys of one part."""

    text: str
    keys: Callable[[Part, ZoneInfo], Iterable[Ranked]]
    path: str | None = None
    narrowed: str | None = None
    own_order: bool = False

    @property
    def scope(self) -> tuple[str | None, str | None]:
        return self.path, self.narrowed


NARROWINGS: dict[str, Callable[[Part], bool]] = {
    'w = "A"': lambda part: "A" in values(part, "w"),
    "v >= 2": lambda part: any(v >= 2 for v in values(part, "v")),
}


def plain(name: str) -> Callable[[Part, ZoneInfo], list[Ranked]]:
    def label(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")

    return lambda part, zone: [(value, label(value)) for value in values(part, name)]


def dated(name: str, start: Callable[[datetime], tuple[Any, str]]) -> Callable[[Part, ZoneInfo], list[Ranked]]:
    def keys(part: Part, zone: ZoneInfo) -> list[Ranked]:
        return [start(datetime.fromisoformat(value).astimezone(zone)) for value in values(part, name)]

    return keys


def _week(at: datetime) -> Ranked:
    year, week, _ = at.isocalendar()
    return (year, week), f"{year}-W{week:02}"


UNITS: dict[str, Callable[[datetime], Ranked]] = {
    "year": lambda at: (at.year, f"{at.year}"),
    "quarter": lambda at: ((at.year, (at.month + 2) // 3), f"{at.year}-Q{(at.month + 2) // 3}"),
    "month": lambda at: ((at.year, at.month), f"{at:%Y-%m}"),
    "week": _week,
    "day": lambda at: (at.date(), f"{at:%Y-%m-%d}"),
    "weekday": lambda at: (at.weekday(), f"{at:%A}"),
    "hour_of_day": lambda at: (at.hour, str(at.hour)),
    "day_of_month": lambda at: (at.day, str(at.day)),
    "month_of_year": lambda at: (at.month, f"{at:%B}"),
}


def stepped(name: str, width: str) -> Callable[[Part, ZoneInfo], list[Ranked]]:
    def start(value: float) -> Ranked:
        lower = (Fraction(repr(value)) / Fraction(width)).__floor__() * Decimal(width)
        return float(lower), f"{lower.normalize():f}" if lower else "0"

    return lambda part, zone: [start(value) for value in values(part, name)]


def binned(name: str, *edges: int) -> Callable[[Part, ZoneInfo], list[Ranked]]:
    labels = [f"under {edges[0]}", *(f"{a} to under {b}" for a, b in pairwise(edges))]
    labels.append(f"{edges[-1]} and more")

    def at(value: float) -> Ranked:
        position = sum(edge <= value for edge in edges)
        return position, labels[position]

    return lambda part, zone: [at(value) for value in values(part, name)]


GROUPS = [
    *(GroupBy(name, plain(name)) for name in ("k", "one", "n", "x", "b")),
    *(
        GroupBy(f"{unit}({name})", dated(name, at), own_order=True)
        for unit, at in UNITS.items()
        for name in ("t", "ts")
    ),
    GroupBy("ts", dated("ts", lambda at: (at, f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"))),
    GroupBy("step(n, 5)", stepped("n", "5"), own_order=True),
    GroupBy("step(x, 0.1)", stepped("x", "0.1"), own_order=True),
    GroupBy("bins(n, -5, 0, 5)", binned("n", -5, 0, 5), own_order=True),
    GroupBy("e.w", plain("w"), "e"),
    GroupBy("e.v", plain("v"), "e"),
    GroupBy("month(e.d)", dated("d", UNITS["month"]), "e", own_order=True),
    GroupBy("weekday(e.d)", dated("d", UNITS["weekday"]), "e", own_order=True),
    GroupBy("bins(e.v, 1)", binned("v", 1), "e", own_order=True),
    *(GroupBy(f"e[{text}].w", plain("w"), "e", text) for text in NARROWINGS),
    GroupBy("e[v >= 2].v", plain("v"), "e", "v >= 2"),
    GroupBy("c.y", plain("y"), "c"),
]

# ---- measures ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasureOf:
    """`of` computes it from the parts measured: the documents of the row, or elements of a list."""

    text: str
    of: Callable[[list[Part]], Any]
    path: str | None = None
    narrowed: str | None = None


def _numbers(name: str) -> Callable[[list[Part]], list[Any]]:
    return lambda parts: [value for part in parts for value in values(part, name)]


def _moments(name: str) -> Callable[[list[Part]], list[datetime]]:
    return lambda parts: [datetime.fromisoformat(value) for part in parts for value in values(part, name)]


def _mean(numbers: list[Any]) -> float | None:
    return fsum(numbers) / len(numbers) if numbers else None


def _sum(numbers: list[Any]) -> int | float | None:
    return (fsum if any(isinstance(one, float) for one in numbers) else sum)(numbers) if numbers else None


MEASURES = [
    MeasureOf("count", len),
    MeasureOf("sum(n)", lambda parts: _sum(_numbers("n")(parts))),
    MeasureOf("sum(x)", lambda parts: _sum(_numbers("x")(parts))),
    MeasureOf("avg(n)", lambda parts: _mean(_numbers("n")(parts))),
    MeasureOf("min(ts)", lambda parts: min(_moments("ts")(parts), default=None)),
    MeasureOf("max(x)", lambda parts: max(_numbers("x")(parts), default=None)),
    MeasureOf("distinct(k)", lambda parts: len(set(_numbers("k")(parts)))),
    MeasureOf("distinct(b)", lambda parts: len(set(_numbers("b")(parts)))),
    MeasureOf("distinct(ts)", lambda parts: len(set(_numbers("ts")(parts)))),
    MeasureOf("share(b = true)", lambda parts: _mean([True in values(part, "b") for part in parts])),
    MeasureOf("sum(e.v)", lambda parts: _sum(_numbers("v")(parts)), "e"),
    MeasureOf("avg(e[v >= 2].v)", lambda parts: _mean(_numbers("v")(parts)), "e", "v >= 2"),
    MeasureOf("distinct(e.w)", lambda parts: len(set(_numbers("w")(parts))), "e"),
    MeasureOf('distinct(e[w = "A"].v)', lambda parts: len(set(_numbers("v")(parts))), "e", 'w = "A"'),
    MeasureOf("max(c.z)", lambda parts: max(_numbers("z")(parts), default=None), "c"),
]

# ---- rows ----------------------------------------------------------------------------------------------------------

Scope = tuple[str | None, str | None]


def parts_of(document: Document, scope: Scope) -> list[Part]:
    """The document itself, or its elements that meet the scope's condition."""
    path, narrowed = scope
    found: list[Part] = [document] if path is None else list(elements(document, path))
    return [part for part in found if narrowed is None or NARROWINGS[narrowed](part)]


def rows(
    found: list[Document], groups: list[GroupBy], measures: list[MeasureOf], zone: ZoneInfo
) -> list[tuple[tuple[Ranked, ...], tuple[Any, ...]]]:
    """Keys and measures of each row, in the order of rows without `sort`."""
    scopes = list(dict.fromkeys(group.scope for group in groups))
    members: dict[tuple[Ranked, ...], list[tuple[Document, dict[Scope, list[Part]]]]] = {}
    for document in found:
        placed: dict[tuple[Ranked, ...], dict[Scope, list[Part]]] = {}
        choices = [[(scope, keys, part) for part in parts_of(document, scope)
                    for keys in set(product(*(set(g.keys(part, zone)) for g in groups if g.scope == scope)))]
                   for scope in scopes]  # fmt: skip
        for combination in product(*choices):
            by_scope = {scope: iter(keys) for scope, keys, _ in combination}
            row = tuple(next(by_scope[group.scope]) for group in groups)
            inside = placed.setdefault(row, {scope: [] for scope in scopes})
            for scope, _, part in combination:
                if not any(part is other for other in inside[scope]):
                    inside[scope].append(part)
        for row, inside in placed.items():
            members.setdefault(row, []).append((document, inside))
    if not groups:
        members[()] = [(document, {}) for document in found]
    table = [(row, tuple(_measure(measure, inside, scopes) for measure in measures)) for row, inside in members.items()]
    own = [number for number, group in enumerate(groups) if group.own_order]

    def order(row: tuple[tuple[Ranked, ...], tuple[Any, ...]]) -> Any:
        first = row[1][0]
        falling = (1, 0) if first is None else (0, -(first.timestamp() if isinstance(first, datetime) else first))
        return tuple(row[0][n][0] for n in own), falling, tuple(key[0] for key in row[0])

    return sorted(table, key=order)


def _measure(measure: MeasureOf, members: list[tuple[Document, dict[Scope, list[Part]]]], scopes: list[Scope]) -> Any:
    wanted: Scope = (measure.path, measure.narrowed)
    fitting = [scope for scope in scopes if measure.path is not None and scope[0] == measure.path
               and (measure.narrowed is None or scope[1] in (None, measure.narrowed))]  # fmt: skip
    home = wanted if wanted in fitting else fitting[0] if fitting else None
    parts: list[Part] = []
    for document, inside in members:
        if home is None:
            parts += parts_of(document, wanted)
        else:
            test = NARROWINGS[measure.narrowed] if measure.narrowed else lambda part: True
            parts += [part for part in inside[home] if test(part)]
    return measure.of(parts)
