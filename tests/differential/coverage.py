"""The coverage table: node of the typed language x type of field x how its values stand x kind of time zone.

What a program covers is read off its typed query. Which cells can occur is not written down anywhere: each way to use a
field is tried on fields of every type and shape there is, and what the checker lets through can occur.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from qlc.compiler import typed
from qlc.compiler.operators import operators_of
from qlc.grammar.tree import GroupFunction, MeasureFunction
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, NestedList
from tests.differential.dates import ZONES, zone_class

ENOUGH = 20
"""Programs with an answer that is not empty, in each cell that can occur."""


class Cell(NamedTuple):
    """A combination to cover. `zone` is empty for fields other than dates."""

    node: str
    type: str
    shape: str
    zone: str = ""


Shapes = Callable[[Entity, Field, "NestedList | None"], frozenset[str]]


def type_of(field: Field) -> str:
    """The type of a field as far as the language tells them apart."""
    if field.is_id:
        return "id"
    if field.reference is not None:
        return "hierarchy" if "under" in operators_of(field) else "reference"
    if field.values is not None:
        return "closed"
    return "whole days" if field.whole_days else field.kind.value


@dataclass(frozen=True)
class Met:
    """A node that stands in a typed query, and the field that it is about."""

    node: str
    entity: Entity
    field: Field
    element: NestedList | None


class Walk:
    """Every node of a typed query, those of its sub-queries and lookups included."""

    def __init__(self) -> None:
        self.met: list[Met] = []
        self.plain: list[str] = []

    def statement(self, node: typed.Statement) -> None:
        match node:
            case typed.Find():
                self.condition(node.where, node.entity)
                for key in node.sort:
                    self._of(f"sort {'desc' if key.descending else 'asc'}", node.entity, key.field, key.element)
                for item in node.show:
                    if isinstance(item, Field):
                        self._of("show", node.entity, item, _list_of(node.entity, item))
                    else:
                        self.plain.append("show list")
            case typed.Aggregate():
                self.aggregate(node)
            case typed.Get():
                for item in node.items:
                    self.plain.append("get")
                    if item.value.field is not None:
                        entity = _searched(item.value.source)
                        self._of("get", entity, item.value.field, _list_of(entity, item.value.field))
                    self.value(item.value, None, None, None)

    def aggregate(self, node: typed.Aggregate) -> None:
        self.condition(node.where, node.entity)
        for measure in node.measures:
            if measure.expression is not None:
                self.plain.append("calculation")
            elif measure.field is not None:
                self._of(measure.function, node.entity, measure.field, measure.element)
            if measure.condition is not None:
                self.plain.append("share")
                self.condition(measure.condition, node.entity)
            if measure.function == "count":
                self.plain.append("count")
            if measure.narrowed is not None:
                self.condition(measure.narrowed, node.entity, measure.element)
        for group in node.groups:
            first = group.through[0] if group.through else group.field
            name = f"by {group.function}" if group.function else "by"
            self._of(f"{name} through" if group.through else name, node.entity, first, group.element)
            if group.narrowed is not None:
                self.plain.append("by narrowed")
                self.condition(group.narrowed, node.entity, group.element)
            if group.top is not None:
                self.plain.append("top")
        if node.having is not None:
            self.row_condition(node.having)
        if node.sort:
            self.plain.append("RowSort")

    def row_condition(self, node: typed.RowCondition) -> None:
        self.plain.append(type(node).__name__)
        if isinstance(node, typed.RowNot):
            self.row_condition(node.item)
        elif isinstance(node, typed.RowAnd | typed.RowOr):
            for item in node.items:
                self.row_condition(item)

    def condition(
        self, node: typed.Condition, entity: Entity, element: NestedList | None = None, *, negated: bool = False
    ) -> None:
        before = len(self.met)
        match node:
            case typed.All():
                self.plain.append("All")
            case typed.And() | typed.Or():
                self.plain.append(type(node).__name__)
                for item in node.items:
                    self.condition(item, entity, element, negated=negated)
                return
            case typed.Not():
                self.condition(node.item, entity, element, negated=not negated)
                return
            case typed.Element():
                self.plain.append("Element")
                self.condition(node.condition, entity, node.list, negated=negated)
                return
            case typed.Equals() | typed.HasAll():
                inside = node.element if isinstance(node, typed.HasAll) else None
                self._of(type(node).__name__, entity, node.field, inside or element)
                if isinstance(node, typed.HasAll) and node.narrowed is not None:
                    self.condition(node.narrowed, entity, inside)
                for value in node.values:
                    self.value(value, entity, node.field, inside or element)
            case typed.Compare() | typed.CompareDate():
                for operator, bound in node.bounds:
                    self._of(f"{type(node).__name__} {operator}", entity, node.field, element)
                    self.value(bound, entity, node.field, element)
            case typed.InPeriod():
                self._of("InPeriod", entity, node.field, element)
                self.value(node.period, entity, node.field, element)
            case typed.Pattern():
                self._of(f"Pattern {node.operator}", entity, node.field, element)
            case typed.Mentions() | typed.About():
                for field in node.fields:
                    self._of(type(node).__name__, entity, field, element)
            case typed.OnCycle():
                self._of(f"OnCycle {node.unit}", entity, node.field, element)
            case typed.SameValue():
                self._of("SameValue", entity, node.pairs.left, None)
            case typed.Under():
                self._of("Under" if node.ancestors is not None else "Under level by level", entity, node.field, element)
                for value in node.values:
                    self.value(value, entity, node.field, element)
            case _:
                self._of(type(node).__name__, entity, node.field, element)
        if negated:
            found = self.met[before:]
            own = [one for one in found if one.entity is entity and not one.node.startswith(("Not ", "= "))]
            self.met += [Met(f"Not {one.node}", one.entity, one.field, one.element) for one in own]

    def value(self, node: typed.Value, entity: Entity | None, field: Field | None, element: NestedList | None) -> None:
        name = type(node).__name__
        if isinstance(node, typed.Taken):
            name = f"Taken {type(node.source).__name__}"
        if entity is not None and field is not None:
            self._of(f"= {name}", entity, field, element)
        match node:
            case typed.PeriodAround() | typed.Formula(expression=typed.Constant()):
                inside = node.value if isinstance(node, typed.PeriodAround) else node.expression.value
                self.value(inside, entity, field, element)
            case typed.Taken(source=typed.Search() as source):
                self.statement(source.find)
            case typed.Taken(source=typed.Rows() as source):
                self.aggregate(source.aggregate)
            case _:
                pass

    def _of(self, node: str, entity: Entity, field: Field, element: NestedList | None) -> None:
        self.met.append(Met(node, entity, field, element or _list_of(entity, field)))


def _list_of(entity: Entity, field: Field) -> NestedList | None:
    return next((one for one in entity.lists.values() if field in one.fields.values()), None)


def _searched(source: typed.Source) -> Entity:
    match source:
        case typed.Lookup():
            return source.entity
        case typed.Search():
            return source.find.entity
        case typed.Rows():
            return source.aggregate.entity
        case _:
            return source.entity


def cells_of(statement: typed.Statement, zone: str, shapes: Shapes) -> set[Cell]:
    """The cells that a program stands in; nodes about no field have no type and no shape."""
    walk = Walk()
    walk.statement(statement)
    found = {Cell(node, "", "") for node in walk.plain}
    for one in walk.met:
        dated = zone_class(zone) if one.field.kind is FieldKind.DATE else ""
        found |= {
            Cell(one.node, type_of(one.field), shape, dated) for shape in shapes(one.entity, one.field, one.element)
        }
    return found


def in_every_zone(cells: Iterable[Cell]) -> set[Cell]:
    """The cells with those of the other kinds of time zones."""
    return {cell._replace(zone=zone) for cell in cells for zone in (ZONES if cell.zone else ("",))}


def node_names() -> set[str]:
    """The nodes of the typed language, by the unions that define it: each has to be met in some cell."""
    conditions = {one.__name__ for one in get_args(typed.Condition)} - {"Not"}
    values = {one.__name__ for one in get_args(typed.Value)} | {one.__name__ for one in get_args(typed.RowCondition)}
    # A measure of the catalog is `named` in the text only: the check puts in what the catalog says.
    functions = {*get_args(MeasureFunction), *(f"by {one}" for one in get_args(GroupFunction))} - {"named"}
    return conditions | values | functions


def has_node(name: str, cells: Iterable[Cell]) -> bool:
    return any(name == cell.node or name in cell.node.split() for cell in cells)


# --- the table ------------------------------------------------------------------------------------------------------


def table(counts: Mapping[Cell, int], possible: Iterable[Cell]) -> Iterator[str]:
    """A line for each node, type and zone; a column for each shape: programs with an answer, `-` what cannot occur."""
    rows: dict[tuple[str, str, str], dict[str, int]] = {}
    for cell in sorted(possible):
        rows.setdefault((cell.node, cell.type, cell.zone), {})[cell.shape] = counts.get(cell, 0)
    shapes = ("", "single", "null", "list", "nested")
    yield f"{'node':26} {'type':13} {'zone':12}" + "".join(f"{shape or 'any':>8}" for shape in shapes)
    for (node, type_, zone), row in rows.items():
        yield f"{node:26} {type_:13} {zone:12}" + "".join(f"{row.get(shape, '-'):>8}" for shape in shapes)


def lacking(counts: Mapping[Cell, int], possible: Iterable[Cell], enough: int = ENOUGH) -> dict[Cell, int]:
    """Return how many programs each cell still lacks."""
    return {cell: enough - counts.get(cell, 0) for cell in sorted(possible) if counts.get(cell, 0) < enough}


def is_answered(outcome: Mapping[str, Any]) -> bool:
    """Whether the answer is not empty."""
    match outcome["kind"]:
        case "hits" | "count":
            return bool(outcome.get("total") or outcome.get("value"))
        case "aggregate":
            return bool(outcome["rows"])
        case "value":
            value = outcome["value"]
            return any(one is not None for one in value.values()) if isinstance(value, dict) else value is not None
        case _:
            return False
