"""The typed query: the checker's output, with all names resolved. Nodes are frozen, hashable and compare without spans.

Relations are lowered: a reference compared with a name holds a `Lookup`, a field behind a reference a `Search` over the
other entity. Equal sources compare equal, so that the planner does each lookup once. Negated operators are `Not` of the
positive one, so that `not` is the exact complement by construction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as Choice

from qlc.base.diagnostics import Spanned
from qlc.base.frozen import HashedOnce, unguarded_dataclass
from qlc.grammar.tree import CalendarUnit, CyclicUnit, GroupFunction, MeasureFunction, Ranking, SpatialRelation
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Entity, Field, KeyOf, NestedList

# --- values ----------------------------------------------------------------------------------------------------------

Scalar = str | int | float | bool


@unguarded_dataclass(frozen=True, slots=True)
class Literal:
    """A value as stored (units converted, spellings of closed values resolved). `exact`: the case of a text counts."""

    value: Scalar
    exact: bool = False

    def __eq__(self, other: object) -> bool:
        """Compare with types: `True` is not `1`, which Elasticsearch treats differently."""
        return isinstance(other, Literal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[type, Scalar, bool]:
        return type(self.value), self.value, self.exact


@unguarded_dataclass(frozen=True, slots=True)
class Param(Spanned):
    """A value that the caller binds, or with `context` one from the access context.

    `one`: a single value is needed; otherwise a list may be bound. `exact`: the case of texts counts.
    """

    name: str
    context: bool = False
    one: bool = True
    exact: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class DatePeriod(Spanned):
    """An absolute date literal: a year, quarter, month, ISO week, day, or a time down to the second."""

    text: str


@unguarded_dataclass(frozen=True, slots=True)
class RelativePeriod(Spanned):
    """`this`/`last`/`next` and a unit; `count` makes it rolling. `today` is this day, `yesterday` the last one."""

    which: Choice["this", "last", "next"]
    unit: CalendarUnit
    count: int | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Now:
    """The current instant."""


@unguarded_dataclass(frozen=True, slots=True)
class PeriodAround:
    """The calendar period that holds a date: `month(document("X").created)`."""

    unit: CalendarUnit
    value: DateValue


@unguarded_dataclass(frozen=True, slots=True)
class Lookup(Spanned):
    """The one entity of this name (id, name or path; see the steps of name resolution)."""

    entity: Entity
    name: str | Param


@unguarded_dataclass(frozen=True, slots=True)
class Search(Spanned):
    """The entities that a `find` finds."""

    find: Find

    def __post_init__(self) -> None:
        hash(self.find)  # from the inside out: the first one of a long chain of references would go through all of it


@unguarded_dataclass(frozen=True, slots=True)
class Rows(Spanned):
    """The rows of a measure or a group; `column` names the group or measure whose values are taken."""

    aggregate: Aggregate
    column: str


@unguarded_dataclass(frozen=True, slots=True)
class Pairs(Spanned):
    """The values that two fields of one document share ignoring case, needed to compile `a = b`.

    `rest`: other conditions on the documents, which keep the values few.
    """

    entity: Entity
    left: Field
    right: Field
    rest: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Extent(Spanned):
    """The first and last value of a date field, needed to compile `weekday(f)`.

    `rest`: other conditions on the documents, which keep the two close together.
    """

    entity: Entity
    field: Field
    rest: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Descendants(Spanned):
    """The ids of everything below the given ones, level by level: `under` where no ancestors are stored."""

    entity: Entity
    parent: Field
    above: tuple[Value, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Nearest(Spanned):
    """Documents nearest in meaning to a text, by their best passage. `vector`: of the passages, None if they have none.

    `rest`: other conditions on the documents; only the passages of these are searched.
    """

    entity: Entity
    passages: Entity
    vector: Field | None
    text: Literal | Param
    by: Ranking | None
    rest: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Top(Spanned):
    """The ids of the first `count` documents of each group, in the order of `sort`: `top 1 per customer`."""

    entity: Entity
    where: Condition
    count: int
    groups: tuple[Group, ...]
    sort: tuple[Sort, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Keys(Spanned):
    """The keys of a key/value list that a text means: the key itself, its synonyms, else keys with its words."""

    entity: Entity
    list: NestedList
    key: Field
    text: str


Source = Lookup | Search | Rows | Pairs | Extent | Descendants | Nearest | Keys | Top


@unguarded_dataclass(frozen=True, slots=True)
class Taken(Spanned):
    """Values taken from a source: its key (`field` None) or a field. They are compared exactly as stored.

    `one`: exactly one distinct value is needed; several lead to a clarification, unless they are the `list` of one
    entity. `needs_entity`: constants such as `root` are not accepted.
    """

    source: Lookup | Search | Rows | Keys | Top
    field: Field | None = None
    one: bool = True
    needs_entity: bool = False
    list: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Formula(Spanned):
    """A calculation without fields of the document: `now - 30 days`, `2 * person("Ada").budget`."""

    expression: Expression
    gives_date: bool = False



@unguarded_dataclass(frozen=True, slots=True)
class MonthsLater:
    """The same day and time `months` later, or the last day of a shorter month: `now - 3 months`."""

    value: DateValue
    months: int


DateValue = DatePeriod | RelativePeriod | Now | PeriodAround | MonthsLater | Taken | Param | Formula
Value = Literal | Param | DatePeriod | RelativePeriod | Now | PeriodAround | MonthsLater | Taken | Formula

# --- calculations ----------------------------------------------------------------------------------------------------


@unguarded_dataclass(frozen=True, slots=True)
class FieldValue:
    """The one value of a field of the document; dates as milliseconds."""

    field: Field


@unguarded_dataclass(frozen=True, slots=True)
class Constant:
    """A value that is the same for all documents: a number, a moment, one value taken from elsewhere.

    `beside`: the date field from which a moment is subtracted, or which is subtracted from it.
    """

    value: Value
    is_date: bool = False
    beside: Field | None = None


@unguarded_dataclass(frozen=True, slots=True)
class MeasureValue:
    """The value of another measure of the row, by its name."""

    name: str


@unguarded_dataclass(frozen=True, slots=True)
class Operation:
    operator: Choice["+", "-", "*", "/"]
    left: Expression
    right: Expression


@unguarded_dataclass(frozen=True, slots=True)
class Function:
    """`digits` belong to `round`. The arguments of `length` and `size` are a `FieldValue`."""

    name: Choice["negative", "abs", "round", "length", "size"]
    argument: Expression
    digits: int = 0


Expression = FieldValue | Constant | MeasureValue | Operation | Function
_NOTHING = Constant(Literal(0))


@dataclass(frozen=True, slots=True, eq=False)
class ComputedField(Field):
    """A field that no document stores: its values are calculated from other fields of the same document or element.

    Its path in the mapping is its text, so that it has a name in notes. `is_whole`: all its values are whole numbers.
    `units`: as of a quantity (`qlc.compiler.arithmetic`). `element`: the list whose elements have the values.
    `meanings`: of a field of the catalog, its name with its text, and those of the computed fields in it.
    """

    expression: Expression = _NOTHING
    is_whole: bool = False
    units: tuple[tuple[str, int], ...] = ()
    element: NestedList | None = None
    meanings: tuple[tuple[str, str], ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComputedField) and (self.name, self.expression) == (other.name, other.expression)

    def __hash__(self) -> int:
        return hash((self.name, self.expression))


NO_FIELD = MappedField("", "double", FieldKind.NUMBER)
"""In place of the mapping of a number that no document stores."""
AnyField = Field | ComputedField
"""As a field is written where it can be a computed one, so that a walk goes into it."""

# --- conditions ------------------------------------------------------------------------------------------------------


@unguarded_dataclass(frozen=True, slots=True)
class All:
    """Every document of the entity."""


@unguarded_dataclass(frozen=True, slots=True)
class And(HashedOnce):
    items: tuple[Condition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Or(HashedOnce):
    items: tuple[Condition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Not:
    item: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Equals(HashedOnce):
    """One value of the field is one of `values`: up to Unicode case for literals of a `folded` comparison."""

    field: AnyField
    values: tuple[Value, ...]
    folded: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class HasAll:
    """The list holds every one of the values.

    Of a nested `element`'s field: for each value there is an element that has it, and meets `narrowed`.
    """

    field: Field
    values: tuple[Value, ...]
    folded: bool = False
    element: NestedList | None = None
    narrowed: Condition | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Outside(HashedOnce):
    """One value of the field is none of `values`; these are compared as in `Equals`."""

    field: Field
    values: tuple[Value, ...]
    folded: bool = False


RangeOperator = Choice["<", "<=", ">", ">="]


@unguarded_dataclass(frozen=True, slots=True)
class Compare:
    """One and the same value of the field meets all bounds."""

    field: AnyField
    bounds: tuple[tuple[RangeOperator, Value], ...]


@unguarded_dataclass(frozen=True, slots=True)
class InPeriod:
    """A date lies inside a period (half-open)."""

    field: AnyField
    period: DateValue


@unguarded_dataclass(frozen=True, slots=True)
class CompareDate:
    """One and the same date meets all bounds: `<` before a period starts, `>` after it ends, `<= >=` include it."""

    field: AnyField
    bounds: tuple[tuple[RangeOperator, DateValue], ...]


@unguarded_dataclass(frozen=True, slots=True)
class Pattern:
    """`contains`, `starts with`, `ends with`, `like` ignoring case."""

    field: Field
    operator: Choice["contains", "starts with", "ends with", "like"]
    text: Literal | Param


Words = Choice["all", "any", "prefix", "roughly"]
_WILD = re.compile(r"\w\*|\*\w|\w\?\w")


def looks_wild(text: str) -> bool:
    """Whether a text of words has `*` or `?` as a pattern has them: `secret*`, `wom?n`, not `who?`."""
    return _WILD.search(text) is not None


@unguarded_dataclass(frozen=True, slots=True)
class Matches:
    """Words of the text occur in the field: all, any, all and the last of them begun, or all roughly spelled."""

    field: Field
    text: Literal | Param
    words: Words = "all"


@unguarded_dataclass(frozen=True, slots=True)
class Mentions:
    """The words of the text are adjacent and in order in one of the fields, or moved by at most `within` places."""

    fields: tuple[Field, ...]
    text: Literal | Param
    within: int = 0


@unguarded_dataclass(frozen=True, slots=True)
class About:
    """Ranked full text over the fields, and nearest vectors if there are any. The only condition that scores.

    `by` None: by both if vectors and an embedder exist, else by words. `nearest` belongs to an entity whose documents
    are ranked by their best passage.
    """

    fields: tuple[Field, ...]
    text: Literal | Param
    vector: Field | None = None
    by: Ranking | None = None
    nearest: Nearest | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Exists:
    field: AnyField


@unguarded_dataclass(frozen=True, slots=True)
class Element:
    """One element of the nested list meets the condition."""

    list: NestedList
    condition: Condition


@unguarded_dataclass(frozen=True, slots=True)
class Under:
    """The reference is one of `values` or lies anywhere below one.

    `ancestors` is the field with the ids of everything above; without it, `below` finds everything below.
    """

    field: Field
    ancestors: MappedField | None
    values: tuple[Value, ...]
    below: Descendants | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Circle:
    metres: float
    latitude: float
    longitude: float


@unguarded_dataclass(frozen=True, slots=True)
class Box:
    """In degrees. A box whose left side is further east than its right side crosses longitude 180."""

    top: float
    left: float
    bottom: float
    right: float


@unguarded_dataclass(frozen=True, slots=True)
class Polygon:
    """Latitude and longitude of each corner, in order; the last one is joined to the first."""

    points: tuple[tuple[float, float], ...]


Area = Circle | Box | Polygon


@unguarded_dataclass(frozen=True, slots=True)
class Spatial:
    """A place lies within an area; all of a shape lies within it, some of it, or none of it (`disjoint`)."""

    field: Field
    relation: SpatialRelation
    area: Area


@unguarded_dataclass(frozen=True, slots=True)
class RangeTest:
    """A range that the field holds contains all from `low` to `high`, or overlaps with it.

    `element` is the field of single values with the type of the ends. Both ends are equal for one value: a number, a
    period, an address, a block of addresses.
    """

    field: Field
    element: Field
    relation: Choice["contains", "overlaps"]
    low: Value
    high: Value


@unguarded_dataclass(frozen=True, slots=True)
class OnCycle:
    """The weekday (by its English name) or the hour of day of a date is one of `values`, or meets all `bounds`."""

    field: Field
    unit: CyclicUnit
    values: tuple[Value, ...]
    bounds: tuple[tuple[RangeOperator, Value], ...]
    extent: Extent


@unguarded_dataclass(frozen=True, slots=True)
class SameValue:
    """Two fields of one document are equal up to case."""

    pairs: Pairs


Condition = (
    All | And | Or | Not | Equals | HasAll | Outside | Compare | InPeriod | CompareDate | Pattern | Matches | Mentions
    | About | Exists | Element | Under | Spatial | RangeTest | OnCycle | SameValue
)  # fmt: skip


def unnegated(condition: Condition) -> Condition:
    return condition.item if isinstance(condition, Not) else condition


def has_key(one: KeyOf) -> Equals:
    """Return the condition on elements for the value of one key of a key/value list."""
    return Equals(one.field, (Literal(one.key),), folded=True)


# --- statements ------------------------------------------------------------------------------------------------------


@unguarded_dataclass(frozen=True, slots=True)
class Sort:
    """A sort key of hits. `field` is the field sorted by (for a reference the name beside it).

    `element` is the nested list whose elements are sorted by, `narrowed` the condition that they must meet.
    """

    name: str
    field: AnyField
    descending: bool = False
    element: NestedList | None = None
    narrowed: Condition | None = None


@unguarded_dataclass(frozen=True, slots=True)
class Chain:
    """A shown field of the document that references lead to, labelled by `name`."""

    name: str
    through: tuple[Field, ...]
    item: Field | NestedList


Shown = Field | NestedList | Chain


@unguarded_dataclass(frozen=True, slots=True)
class Find(HashedOnce):
    entity: Entity
    where: Condition = All()
    sort: tuple[Sort, ...] = ()
    limit: int | None = None
    offset: int = 0
    show: tuple[Shown, ...] = ()
    ties: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Measure:
    """A measure. `name` is its name in rows and sort keys; `hidden` if only `having`, `sort` or others use it.

    A `calculation` has an `expression` of other measures, and a `field` only for its unit. `is_named`: the program
    or the catalog gave the name; `label` is that of the catalog. `total`: over the documents of all rows, the same in
    each row.
    """

    name: str
    function: MeasureFunction
    field: AnyField | None = None
    argument: float | None = None
    condition: Condition | None = None
    element: NestedList | None = None
    narrowed: Condition | None = None
    hidden: bool = False
    expression: Expression | None = None
    is_named: bool = False
    total: bool = False
    label: str = ""

    @property
    def word(self) -> str:
        """The short name of its column."""
        return "total" if self.total else self.function


@unguarded_dataclass(frozen=True, slots=True)
class Group:
    """One grouping of rows. `through`: the references before `field`; grouped by their key, looked up, folded.
    `empty`: with rows for documents that the reference `field` could lead to, and that none leads to."""

    name: str
    field: AnyField
    function: GroupFunction | None = None
    arguments: tuple[float, ...] = ()
    top: int | None = None
    element: NestedList | None = None
    narrowed: Condition | None = None
    through: tuple[Field, ...] = ()
    empty: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class RowCompare:
    """A condition of `having` on a measure or a group of the row, by name. `field` is of the column's type."""

    name: str
    operator: Choice["=", "<", "<=", ">", ">=", "in"]
    values: tuple[Value, ...]
    field: Field


@unguarded_dataclass(frozen=True, slots=True)
class RowAnd:
    items: tuple[RowCondition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class RowOr:
    items: tuple[RowCondition, ...]


@unguarded_dataclass(frozen=True, slots=True)
class RowNot:
    item: RowCondition


RowCondition = RowCompare | RowAnd | RowOr | RowNot


@unguarded_dataclass(frozen=True, slots=True)
class RowSort:
    """A sort key of rows: the name of a group or a measure."""

    name: str
    descending: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Aggregate(HashedOnce):
    entity: Entity
    measures: tuple[Measure, ...]
    where: Condition = All()
    groups: tuple[Group, ...] = ()
    having: RowCondition | None = None
    sort: tuple[RowSort, ...] = ()
    limit: int | None = None
    offset: int = 0
    ties: bool = False
    counted: bool = False


@unguarded_dataclass(frozen=True, slots=True)
class Item:
    """One item of `get`: `name` labels it. A reference is followed to the entity found (`entity` set).

    `computed` is the type of a calculation.
    """

    name: str
    value: Taken | Formula
    entity: Entity | None = None
    computed: Field | None = None

    @property
    def field(self) -> Field | None:
        """The field whose values are shown."""
        return self.value.field if isinstance(self.value, Taken) else self.computed


@unguarded_dataclass(frozen=True, slots=True)
class Get:
    items: tuple[Item, ...]


Statement = Find | Aggregate | Get
