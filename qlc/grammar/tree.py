"""The syntax tree: frozen, typed, as written; its names, and functions that walk it. Names are not resolved here.

Spans do not take part in equality, so that `parse(print(tree)) == tree`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field, fields, replace
from typing import Any, Literal, TypeVar

from qlc.base.diagnostics import NO_SPAN, Span, Spanned
from qlc.base.frozen import unguarded_dataclass


@unguarded_dataclass(frozen=True, slots=True)
class Node(Spanned):
    """Base of all nodes of the tree."""


# --- names and paths -------------------------------------------------------------------------------------------------


@unguarded_dataclass(frozen=True, slots=True)
class Name(Node):
    """A name, NFC-normalized, without backticks."""

    text: str


@unguarded_dataclass(frozen=True, slots=True)
class Segment(Node):
    """A name in a path. Brackets restrict a nested list: `shares[who = "Dana"]`, `attributes["stage"]` by a key."""

    name: Name
    narrowed: Condition | String | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Path(Node):
    """`folder.creator`, `systemAttributes.checksum`, `shares[who = "Dana"].role`."""

    segments: tuple[Segment, ...]


# --- values ----------------------------------------------------------------------------------------------------------


@unguarded_dataclass(frozen=True, slots=True)
class String(Node):
    value: str


@unguarded_dataclass(frozen=True, slots=True)
class Number(Node):
    """A number with its unit as written, if any. `text` is the canonical spelling of the number (`5`, `1.5`, `1e6`)."""

    value: int | float
    text: str
    unit: str | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Boolean(Node):
    value: bool


@unguarded_dataclass(frozen=True, slots=True)
class DateLiteral(Node):
    """`2024-Q2`, `2024-03`, `2024-W10`, `2024-03-05`, `2024-03-05T15:00:30Z`; validated. A bare year is a `Number`."""

    text: str


@unguarded_dataclass(frozen=True, slots=True)
class Now(Node):
    pass


@unguarded_dataclass(frozen=True, slots=True)
class Day(Node):
    """`yesterday`, `today`, `tomorrow`."""

    which: Literal["yesterday", "today", "tomorrow"]


CalendarUnit = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]


@unguarded_dataclass(frozen=True, slots=True)
class RelativePeriod(Node):
    """`this week`, `last month` (count None: calendar unit), `last 30 days`, `next 2 weeks` (count: rolling)."""

    which: Literal["this", "last", "next"]
    unit: CalendarUnit
    count: int | None = None


@unguarded_dataclass(frozen=True, slots=True)
class PeriodOf(Node):
    """`month(v)`: the calendar period that holds the date value v."""

    unit: CalendarUnit
    value: Value


@unguarded_dataclass(frozen=True, slots=True)
class EntityLookup(Node):
    """`document("NAME")`, `document($x)`."""

    entity: Name
    name: String | Parameter


@unguarded_dataclass(frozen=True, slots=True)
class Subquery(Node):
    """`(find ...)`, `(count ... by ...)`, `(avg(f) of ...)`: a statement in brackets."""

    statement: Find | Aggregate


@unguarded_dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`$name`; `name` without the dollar sign."""

    name: str


@unguarded_dataclass(frozen=True, slots=True)
class NameValue(Node):
    """A bare name (or dotted names) on the right: a `let` binding, a constant of the field's type, or a field."""

    path: Path


@unguarded_dataclass(frozen=True, slots=True)
class Member(Node):
    """`base.field.field` after a lookup, a sub-query or a parameter (a let binding's is a `NameValue`)."""

    base: EntityLookup | Subquery | Parameter
    names: tuple[Name, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Exactly(Node):
    """`exactly "Co"`: a text whose case counts."""

    text: String | Parameter


@unguarded_dataclass(frozen=True, slots=True)
class ListValue(Node):
    items: tuple[Value, ...]


@unguarded_dataclass(frozen=True, slots=True)
class GeoPoint(Node):
    """`(41.9, 12.5)`: latitude, longitude in degrees."""

    latitude: Number
    longitude: Number


@unguarded_dataclass(frozen=True, slots=True)
class Circle(Node):
    """`40 km of (41.9, 12.5)`."""

    distance: Number
    center: GeoPoint


@unguarded_dataclass(frozen=True, slots=True)
class Box(Node):
    """`box (42, 12) to (41, 13)`: the top left corner, the bottom right one."""

    top_left: GeoPoint
    bottom_right: GeoPoint


@unguarded_dataclass(frozen=True, slots=True)
class Polygon(Node):
    """`polygon [(42, 12), (41, 13), (41, 11)]`; the last corner is joined to the first."""

    points: tuple[GeoPoint, ...]


Area = Circle | Box | Polygon


# --- arithmetic ------------------------------------------------------------------------------------------------------

ArithmeticOperator = Literal["+", "-", "*", "/"]


@unguarded_dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`quantity * unit_price`, `shipped - ordered`, `sum(cost) / count`."""

    operator: ArithmeticOperator
    left: Operand
    right: Operand


@unguarded_dataclass(frozen=True, slots=True)
class Call(Node):
    """`abs(x)`, `round(x, 2)` (digits 2), `length(name)`, `size(tags)`; `negative`: the sign in `a * -b`."""

    function: Literal["negative", "abs", "round", "length", "size"]
    argument: Operand
    digits: int | None = None


Computed = Arithmetic | Call


@unguarded_dataclass(frozen=True, slots=True)
class Calculated(Node):
    """A calculation that is shown, or an item of `get`; `alias` is its name after `as`."""

    expression: Computed
    alias: Name | None = None


Value = (
    String | Number | Boolean | DateLiteral | Now | Day | RelativePeriod | PeriodOf | EntityLookup | Subquery
    | Parameter | NameValue | Member | Exactly | ListValue | Arithmetic | Call
)  # fmt: skip


# --- conditions ------------------------------------------------------------------------------------------------------

CyclicUnit = Literal["weekday", "hour_of_day", "day_of_month", "month_of_year"]
ComparisonOperator = Literal[
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "has", "has all", "has any", "has only", "contains", "starts with",
    "ends with", "like", "matches", "matches any", "matches prefix", "matches roughly", "mentions", "under", "under in",
]  # fmt: skip


SpatialRelation = Literal["within", "intersects", "disjoint"]


@unguarded_dataclass(frozen=True, slots=True)
class Cyclic(Node):
    """`weekday(f)`, `hour_of_day(f)`, `day_of_month(f)`, `month_of_year(f)` on the left of a condition."""

    unit: CyclicUnit
    path: Path


@unguarded_dataclass(frozen=True, slots=True)
class And(Node):
    """Two or more conditions, none of them an `And`."""

    items: tuple[Condition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Or(Node):
    """Two or more conditions, none of them an `Or`."""

    items: tuple[Condition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Not(Node):
    item: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`left OP right`; a measure on the left only in `having`. `under` takes one value, `under in` a list or set.

    `within`: of `mentions`, by how many places its words may be moved.
    """

    left: Left
    operator: ComparisonOperator
    right: Value
    within: int | None = None
    operator_span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@unguarded_dataclass(frozen=True, slots=True)
class Between(Node):
    left: Left
    low: Value
    high: Value


@unguarded_dataclass(frozen=True, slots=True)
class Presence(Node):
    """`f missing` (missing=True), `f exists`."""

    left: Path
    missing: bool


@unguarded_dataclass(frozen=True, slots=True)
class Spatial(Node):
    """`f within 40 km of (41.9, 12.5)`, `f intersects box (42, 12) to (41, 13)`."""

    left: Path
    relation: SpatialRelation
    area: Area
    operator_span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@unguarded_dataclass(frozen=True, slots=True)
class Overlaps(Node):
    """`f overlaps 5 to 10` of a field of ranges; `f overlaps last month` has no second end."""

    left: Path
    low: Value
    high: Value | None = None
    operator_span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@unguarded_dataclass(frozen=True, slots=True)
class Bare(Node):
    """A boolean field, a condition that the catalog names, or `list[C]` (a path whose last segment is narrowed)."""

    path: Path


Ranking = Literal["words", "meaning", "both"]


@unguarded_dataclass(frozen=True, slots=True)
class EntityText(Node):
    """`mentions "phrase"`, `about "words"` without a field. `by`: how `about` ranks; None leaves it to the catalog.

    `within`: as of a comparison.
    """

    operator: Literal["mentions", "about"]
    text: String | Parameter
    by: Ranking | None = None
    within: int | None = None


Condition = And | Or | Not | Comparison | Between | Presence | Spatial | Overlaps | Bare | EntityText


# --- statements ------------------------------------------------------------------------------------------------------

MeasureFunction = Literal[
    "count", "sum", "avg", "min", "max", "median", "percentile", "distinct", "share", "calculation",
    "named",
]  # fmt: skip
GroupFunction = Literal["year", "quarter", "month", "week", "day", "hour", CyclicUnit, "bins", "step"]


@unguarded_dataclass(frozen=True, slots=True)
class Measure(Node):
    """`count`, `sum(f)`, `percentile(f, 95)` (argument 95), `share(C)` (condition C); `total(M)`, over all rows.

    `calculation`: `sum(f) / count`, whose `expression` is of measures. `alias` is the name after `as`.
    `named`: a measure of the catalog, `revenue`; its name is the `path`.
    """

    function: MeasureFunction
    path: Path | Computed | None = None
    argument: Number | None = None
    condition: Condition | None = None
    expression: Computed | None = None
    alias: Name | None = None
    total: bool = False

    @property
    def word(self) -> str:
        """The short name of its column."""
        if self.function == "named" and isinstance(self.path, Path) and not self.total:
            return self.path.segments[0].name.text
        return "total" if self.total else self.function


@unguarded_dataclass(frozen=True, slots=True)
class Group(Node):
    """`f`, `month(f)`, `bins(f, 300, 600)`, `step(f, 100)`, each perhaps with `top N`.

    `empty`: `f including empty`, with rows for referred things that have none."""

    path: Path | Computed
    function: GroupFunction | None = None
    arguments: tuple[Number, ...] = ()
    top: int | None = None
    empty: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Top(Node):
    """`top 3 per customer, month(ordered)` of a `find`: the first hits of each group."""

    count: int
    groups: tuple[Group, ...]


@unguarded_dataclass(frozen=True, slots=True)
class SortKey(Node):
    """A field, a row's group or a measure. `asc` is not printed."""

    key: Path | Measure | Group | Computed
    descending: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Find(Node):
    """`find documents ...`; `entity` is an `EntityLookup` in `find document("x")`. `every`: `find all documents`.
    `ties`: `limit N with ties`."""

    entity: Name | EntityLookup
    where: Condition | None = None
    sort: tuple[SortKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    show: tuple[Path | Calculated, ...] = ()
    every: bool = False
    ties: bool = False
    top_per: Top | None = None
    limit_span: Span = field(default=NO_SPAN, compare=False, repr=False)
    clauses: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)
    """The name and the start of each clause."""


@unguarded_dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count E ...`, `MEASURE, ... of E ...`; rows where `groups` is not empty. `counted`: `count groups of (...)`."""

    measures: tuple[Measure, ...]
    entity: Name
    where: Condition | None = None
    groups: tuple[Group, ...] = ()
    having: Condition | None = None
    sort: tuple[SortKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    ties: bool = False
    counted: bool = False
    limit_span: Span = field(default=NO_SPAN, compare=False, repr=False)
    clauses: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)


@unguarded_dataclass(frozen=True, slots=True)
class Get(Node):
    """`get VALUE.FIELD, FIELD, ...`: a bare path takes the field of the value before it."""

    items: tuple[Member | Path | Calculated, ...]


Statement = Find | Aggregate | Get
Left = Path | Cyclic | Measure | Computed
"""The left side of a condition."""
Operand = Value | Path | Measure
"""An operand of a calculation. A field is a `NameValue` on the right of a condition, elsewhere a `Path`."""


@unguarded_dataclass(frozen=True, slots=True)
class Let(Node):
    name: Name
    value: Value


@unguarded_dataclass(frozen=True, slots=True)
class Comment(Node):
    """A comment with its dashes. `alone` if nothing precedes it on its line."""

    text: str
    alone: bool


@unguarded_dataclass(frozen=True, slots=True)
class Program(Node):
    lets: tuple[Let, ...]
    statement: Statement
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)


# --- names: which need no quotes, and their one normal form ----------------------------------------------------------


RESERVED = frozenset(
    ["and", "or", "not", "true", "false", "null", "now", "today", "yesterday", "tomorrow", "this", "last", "next"]
)
"""Never the first word of a name without back-quotes. After a dot every word is a name."""

NO_MEASURES = frozenset(
    ["find", "count", "get", "let", "sum", "avg", "average", "min", "max", "median", "distinct", "percentile", "share",
     "total", "number", "which"]
)
"""Never a measure of the catalog without back-quotes: words that begin statements, or questions (`sum of prices`)."""

_PLAIN = re.compile(r"[^\W\d]\w*|@\w*")


def normal(name: str) -> str:
    """Normalize a name to NFC, since an accented letter can be written in two ways. Strings are not changed."""
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", name)


def name_end(source: str, end: int, most: int) -> int:
    """Return the end of the name that matched up to `end`, past at most `most` combining marks, which Python does not
    count as letters."""
    from unicodedata import category

    last = min(len(source), end + most)
    while end < last and (source[end].isalnum() or source[end] == "_" or category(source[end])[0] == "M"):
        end += 1
    return end


def is_plain(name: str) -> bool:
    """Whether the name can be written without back-quotes, keywords aside."""
    match = _PLAIN.match(name)
    if match is None:
        return False
    end = match.end()
    return end == len(name) or (name[end] > "\u02ff" and name_end(name, end, len(name)) == len(name))


# --- going through trees: what is in a node, all that is in it, the tree with other nodes ----------------------------

N = TypeVar("N", bound=Node)


_ATTRIBUTES: dict[type[Node], tuple[str, ...]] = {}


def _attributes(kind: type[Node]) -> tuple[str, ...]:
    """Return the attributes that define a node. Equal trees may differ in spans and comments."""
    if kind not in _ATTRIBUTES:
        _ATTRIBUTES[kind] = tuple(one.name for one in fields(kind) if one.compare)
    return _ATTRIBUTES[kind]


def children(node: Node) -> Iterator[Node]:
    """The direct children of a node."""
    for name in _attributes(type(node)):
        value = getattr(node, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Node):
                yield one


def walked(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, parents first."""
    yield node
    for one in children(node):
        yield from walked(one)


def rebuilt(node: Any, change: Callable[[Node], Node]) -> Any:
    """Return the tree with each node changed, parents first."""
    if isinstance(node, tuple):
        return tuple(rebuilt(one, change) for one in node)
    if not isinstance(node, Node):
        return node
    node = change(node)
    inside = {name: getattr(node, name) for name in _attributes(type(node))}
    new = {name: rebuilt(one, change) for name, one in inside.items() if isinstance(one, Node | tuple)}
    return replace(node, **new) if new else node


def mapped(node: N, change: Callable[[Node], Node | None]) -> N:
    """Return the tree with the replacements that `change` gives; a replacement is not walked again."""
    changed = change(node)
    if changed is not None:
        return changed  # type: ignore[return-value]
    new: dict[str, Any] = {}
    for name in _attributes(type(node)):
        value = one = getattr(node, name)
        if isinstance(value, Node):
            one = mapped(value, change)
        elif isinstance(value, tuple):
            one = tuple(mapped(item, change) if isinstance(item, Node) else item for item in value)
        if one != value:
            new[name] = one
    return replace(node, **new) if new else node
