"""The columns of rows, groups and measures, and the names by which `having`, `sort` and sub-queries refer to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from qlc.base.diagnostics import NO_SPAN, Span
from qlc.base.limits import MOST_PARTS
from qlc.compiler import typed
from qlc.compiler.arithmetic import Calculation, Quantity, computed_field, in_unit, is_part
from qlc.compiler.context import Context, Refused, Scope, quoted
from qlc.compiler.cycles import cycle_field, is_cycle
from qlc.compiler.groups import group_of, without_empty
from qlc.compiler.measures import by_its_name, column_name, expanded, is_calculation, measured
from qlc.compiler.names import Target, placed
from qlc.compiler.sources import COUNT_FIELD
from qlc.compiler.values import one_of, several
from qlc.grammar import print_group, print_measure, print_path, tree
from qlc.grammar.printer import print_computed, print_term
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Computed, Entity, Field

Measures = tuple[typed.Measure, ...]
Groups = tuple[typed.Group, ...]


def check_measures(context: Context, node: tree.Aggregate, entity: Entity) -> tuple[typed.Measure, ...]:
    named = [context.tried(by_its_name, context, one, entity) for one in node.measures]
    measures = [one for one in named if one is not None]
    words = Counter([one.word for one in measures])
    names = [column_name(one, words) for one in measures]
    for total in [one for one in measures if one.total and not node.groups]:
        own = print_measure(replace(total, total=False))
        message = "'total' is over all rows, and without 'by' there is only one number"
        context.report(Refused("total-needs-group", message, total.span, hint=f"add 'by FIELD', or write {own}",
                               replacement=own))
    if twice := [one for one, name in zip(measures, names, strict=True) if names.count(name) > 1 and one.alias]:
        raise Refused("bound-twice", f"two measures are called '{print_measure(twice[0])}'", twice[0].span,
                      hint="give one of them another name")
    found: dict[int, typed.Measure | None] = {}
    columns = _Columns(context, entity, node, [], ())
    for is_later in (False, True):  # calculations are of measures, which come first
        for one, name in zip(measures, names, strict=True):
            if is_calculation(one, entity) is is_later:
                found[id(one)] = context.tried(columns.made, one, name)
        columns.measures += [one for one in found.values() if one is not None and not is_later]
    asked = [replace(made, is_named=one.alias is not None or made.is_named) for one in measures
             if (made := found[id(one)]) is not None]  # fmt: skip
    return (*asked, *(one for one in columns.measures if one.hidden))


def check_kept_apart(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Sequence[typed.Measure],
    groups: Sequence[typed.Group],
) -> None:
    """Refuse measures of elements by groups of other elements if the index merges elements: each row would cover all
    elements of its documents."""
    if len(groups) != len(node.groups):
        return
    for measure in measures:
        many, field = measure.element, measure.field
        if many is None or many.tied or field is None or measure.total:
            continue
        for written, group in zip(node.groups, groups, strict=True):
            if group.field.mapped.path.startswith(f"{many.path}."):
                context.report(Refused(
                    "elements-not-kept", f"'{many.name}' is not mapped as nested in this index, so it is not "
                    f"known which '{field.name}' belongs to which '{group.name}'", written.span,
                    hint=f"measure a field of {entity.plural}, count them, or have '{many.name}' mapped as nested"))
                return
    _check_one_level(context, node, measures, groups)


def _check_one_level(
    context: Context, node: tree.Aggregate, measures: Sequence[typed.Measure], groups: Sequence[typed.Group]
) -> None:
    """Refuse a list together with a list inside its elements: each row would cover all elements of its documents."""
    grouped = [(group.field, written.span) for written, group in zip(node.groups, groups, strict=True)
               if not group.through]  # fmt: skip
    measured = [(one.field, NO_SPAN) for one in measures if one.field is not None and not one.total]
    for (field, span), (other, _) in product(grouped, (*grouped, *measured)):
        outer, inner = sorted((field.mapped.nested, other.mapped.nested), key=len)
        if outer and outer != inner and inner[: len(outer)] == outer:
            context.report(Refused(
                "list-in-list", f"'{inner[-1]}' is a list inside the elements of '{outer[-1]}', and rows do not keep "
                f"which '{other.name}' belongs to which '{field.name}'", span,
                hint=f"use fields of '{outer[-1]}' alone, or of '{inner[-1]}' alone"))
            return


def check_having(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Measures, groups: Groups
) -> tuple[typed.RowCondition | None, Measures]:
    """The condition on rows, and the measures with those added that only it needs."""
    if node.having is None:
        return None, measures
    columns = _Columns(context, entity, node, list(measures), groups)
    condition = context.tried(columns.condition, node.having)
    return condition, tuple(columns.measures)


def check_row_sort(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Measures, groups: Groups
) -> tuple[tuple[typed.RowSort, ...], Measures]:
    columns = _Columns(context, entity, node, list(measures), groups)
    named = [(context.tried(columns.named, item.key), item.descending) for item in node.sort] if node.groups else []
    keys = tuple(typed.RowSort(name, descending) for name, descending in named if name is not None)
    return keys, tuple(columns.measures)


@dataclass
class _Columns:
    """The columns of the rows by name. A measure that is not shown is added, hidden."""

    context: Context
    entity: Entity
    node: tree.Aggregate
    measures: list[typed.Measure]
    groups: Groups

    @cached_property
    def by_meaning(self) -> dict[typed.Measure, str]:
        found: dict[typed.Measure, str] = {}
        for measure in self.measures:
            found.setdefault(replace(measure, name="", hidden=True, is_named=False, label=""), measure.name)
        return found

    def made(self, node: tree.Measure, name: str, *, hidden: bool = False) -> typed.Measure:
        """Check a measure that goes by its own name. Raises Refused."""
        if node.function == "named":
            return self._of_catalog(node, name, hidden=hidden)
        if node.expression is not None:
            return self.calculation(node.expression, name, hidden=hidden)
        return measured(self.context, node, self.entity, name, hidden=hidden)

    def _of_catalog(self, node: tree.Measure, name: str, *, hidden: bool) -> typed.Measure:
        """Check what a measure of the catalog stands for, as if it stood here. Raises Refused."""
        node = by_its_name(self.context, node, self.entity)
        assert isinstance(node.path, tree.Path)
        one = self.entity.computed[node.path.segments[0].name.text]
        self.context.computed[one.name] = one.text
        try:
            with self.context.inside(f"measure '{one.name}'"):
                found = self.made(expanded(node, self.entity), name, hidden=hidden)
        except Refused as problem:
            raise placed(problem, node.span) from None
        return _as_declared(found, one, node.span)

    def named(self, key: tree.Left | tree.Group) -> str:
        match key:
            case tree.Arithmetic() | tree.Call():
                return self._added(self.calculation(key, print_computed(key), hidden=True))
            case tree.Measure():
                return self._measure(key)
            case tree.Path():
                return self._by_name(key)
            case tree.Group():
                return self._group(key)
            case tree.Cyclic():
                return self._group(tree.Group(key.path, key.unit, span=key.span))

    def _group(self, key: tree.Group) -> str:
        """Return the name of the group with this text, `month(created)`, also for synonyms from the catalog."""
        wanted = group_of(self.context, without_empty(key), self.entity)
        for group in self.groups:
            if replace(group, name="", top=None, empty=False) == replace(wanted, name=""):
                return group.name
        raise self._unknown(print_group(key), key.span)

    def _measure(self, key: tree.Measure) -> str:
        key = by_its_name(self.context, key, self.entity)
        if is_calculation(key, self.entity):
            return self._added(self.made(key, print_measure(key), hidden=True))
        wanted = replace(self.made(key, "", hidden=True), is_named=False, label="")
        if wanted not in self.by_meaning:
            if len(self.measures) >= MOST_PARTS:
                raise Refused("too-long", f"rows have at most {MOST_PARTS} measures", key.span,
                              hint="ask for fewer at a time")
            is_inside = key.function == "named" and self.context.expanding
            name = print_measure(expanded(key, self.entity) if is_inside else key)
            self.measures.append(replace(wanted, name=name))
            self.by_meaning[wanted] = self.measures[-1].name
        return self.by_meaning[wanted]

    def _added(self, made: typed.Measure) -> str:
        for one in self.measures:
            if one.expression == made.expression:
                return one.name
        self.measures.append(made)
        return made.name

    def calculation(self, node: tree.Computed, name: str, *, hidden: bool = False) -> typed.Measure:
        """Check a calculation with measures: `sum(cost) / count`. Raises Refused."""
        found = Calculation(self.context, self._no_field, self._operand).quantity(node)
        if found.is_date:
            raise Refused("wrong-type", f"'{name}' is a date, and rows measure numbers", node.span,
                          hint="take the difference of two dates")
        field = replace(computed_field(found, name), expression=typed.Constant(typed.Literal(0)))
        return typed.Measure(name, "calculation", field, hidden=hidden, expression=found.expression)

    def _operand(self, node: tree.Operand) -> Quantity | None:
        """Return a measure of the row as an operand of a calculation."""
        if isinstance(node, tree.Path | tree.NameValue):
            path = node.path if isinstance(node, tree.NameValue) else node
            if path.segments[0].name.text in self.context.lets:
                return None
            if self._is_of_catalog(path):
                return self._operand(tree.Measure("named", path, span=node.span))
            name = self._by_name(path)
        elif isinstance(node, tree.Measure):
            own = by_its_name(self.context, node, self.entity)
            if is_calculation(own, self.entity):
                made = self.made(own, print_measure(own), hidden=True)
                assert made.expression is not None
                return replace(_as_quantity(made, node.span), expression=made.expression)
            name = self._measure(own)
        else:
            return None
        measure = next((one for one in self.measures if one.name == name), None)
        if measure is None:
            raise Refused("wrong-type", f"'{name}' is a group, and calculations of rows are of measures", node.span,
                          hint="calculate with measures, such as sum(...) or count")
        return _as_quantity(measure, node.span)

    def _is_of_catalog(self, path: tree.Path) -> bool:
        """Whether a name is of a measure of the catalog, and of no column. The columns of a program mean nothing inside
        the catalog."""
        name = print_path(path)
        if self.context.expanding:
            return name != "count"
        columns = [*(one.name for one in self.groups), *(one.name for one in self.measures)]
        return self.entity.measure(name) is not None and name not in columns

    def _no_field(self, path: tree.Path) -> Target:
        raise self._unknown(print_path(path), path.span)

    def _by_name(self, path: tree.Path) -> str:
        """Return the column for a path: by its last word, as in the catalog or as written, or the group with this
        path."""
        text = print_path(path)
        names = [g.name for g in self.groups] + [m.name for m in self.measures if not m.hidden]
        if text in names:
            return text
        for node, group in zip(self.node.groups, self.groups, strict=False):
            written = node.path.segments[-1].name.text if isinstance(node.path, tree.Path) else ""
            if text == print_term(node.path) or (len(path.segments) == 1 and path.segments[0].name.text == written):
                column = tree.Segment(tree.Name(group.name, span=path.span), span=path.span)
                self.context.rewrites[path.span] = replace(path, segments=(column,))
                return group.name
        functions = [m for m in self.measures if m.word == text]
        if len(functions) > 1:
            raise Refused("ambiguous-column", f"there are several measures '{text}'", path.span,
                          hint=f"name it in full: {quoted([m.name for m in functions])}")
        if text == "count":
            return self._measure(tree.Measure("count"))
        if len(path.segments) == 1 and self.entity.measure(text) is not None:
            return self._measure(tree.Measure("named", path, span=path.span))
        raise self._unknown(text, path.span)

    def _unknown(self, text: str, span: Span) -> Refused:
        names = [g.name for g in self.groups] + [m.name for m in self.measures if not m.hidden]
        return Refused("unknown-column", f"the rows have no column '{text}'", span,
                       hint=f"there are {quoted(names, conjunction='and')}" if names else "",
                       suggestions=tuple(names))

    def condition(self, node: tree.Condition) -> typed.RowCondition:
        match node:
            case tree.And():
                return typed.RowAnd(tuple(self.condition(item) for item in node.items))
            case tree.Or():
                return typed.RowOr(tuple(self.condition(item) for item in node.items))
            case tree.Not():
                return typed.RowNot(self.condition(node.item))
            case tree.Between():
                name = self.named(node.left)
                low, high = self.context.each(lambda end: self._values(name, end), (node.low, node.high))
                field = self._column_field(name)
                return typed.RowAnd((
                    typed.RowCompare(name, ">=", low, field), typed.RowCompare(name, "<=", high, field)
                ))
            case tree.Comparison():
                return self._comparison(node)
            case _:
                raise Refused("having-compares", "'having' compares measures and groups of a row", node.span,
                              hint="write, for example, having count >= 10")

    def _comparison(self, node: tree.Comparison) -> typed.RowCondition:
        name = self.named(node.left)
        field = self._column_field(name)
        if node.operator in ("in", "not in"):
            values = several(self.context, node.right, field, Scope(self.entity), None)
            found = typed.RowCompare(name, "in", values, field)
            return typed.RowNot(found) if node.operator == "not in" else found
        if node.operator in ("=", "!="):
            found = typed.RowCompare(name, "=", self._values(name, node.right), field)
            return typed.RowNot(found) if node.operator == "!=" else found
        if node.operator in ("<", "<=", ">", ">="):
            return typed.RowCompare(name, node.operator, self._values(name, node.right), field)
        raise Refused("wrong-operator", f"'{node.operator}' does not apply to a column of rows", node.operator_span,
                      hint="it has =, !=, <, <=, >, >=, between and in")

    def _values(self, name: str, node: tree.Value) -> tuple[typed.Value, ...]:
        return one_of(self.context, node, self._column_field(name), Scope(self.entity), None)

    def _column_field(self, name: str) -> Field:
        """Return a field of the column's type, against which its values are checked."""
        for measure in self.measures:
            if measure.name == name:
                return _measure_type(measure)
        group = next(group for group in self.groups if group.name == name)
        if is_cycle(group.function):
            return cycle_field(group.function, group.field)
        if group.function in ("step", "bins"):
            return replace(group.field, kind=FieldKind.NUMBER)
        return group.field


def _as_declared(measure: typed.Measure, one: Computed, span: Span) -> typed.Measure:
    """Return a measure with the unit and the label that the catalog gives it. Raises Refused."""
    field, unit = measure.field, one.unit
    own = field.shown_unit if field is not None and measure.function != "distinct" else None
    is_part_already = is_part(unit) and (measure.function == "share" or is_part(own))
    if unit is not None and not is_part_already and own != unit:
        if field is None or measure.function == "distinct" or own is not None or field.kind is FieldKind.DATE:
            what = f"in {own}" if own is not None else "without a unit"
            raise Refused("wrong-unit", f"'{one.name}' is {what}, and its unit is {unit}", span,
                          hint="leave the unit out")
        field = replace(field, unit="fraction" if is_part(unit) else unit)
    return replace(measure, field=field, label=one.label, is_named=True)


def _as_quantity(measure: typed.Measure, span: Span) -> Quantity:
    """Return a measure as an operand: a sum in the unit of its field, a count as a plain number. Raises Refused."""
    value, field = typed.MeasureValue(measure.name), measure.field
    if field is None or measure.function == "distinct":
        return Quantity(value, is_whole=measure.function in ("count", "distinct"))
    if field.unit_field is not None or field.base_units is not None:
        raise Refused("wrong-unit", f"'{measure.name}' can mix amounts of different units, which cannot be calculated "
                      "with", span, hint="ask for it alone, with a group for each unit")
    if field.kind is FieldKind.DATE:
        return Quantity(value, is_date=True)
    unit = field.unit or field.currency
    whole = field.kind is FieldKind.WHOLE_NUMBER and measure.function in ("sum", "min", "max", "calculation")
    return in_unit(value, unit, is_whole=whole) if unit is not None else Quantity(value, is_whole=whole)


def _measure_type(measure: typed.Measure) -> Field:
    if measure.field is None or measure.function == "distinct":
        return replace(COUNT_FIELD, name=measure.name, unit="fraction" if measure.function == "share" else None)
    kind = measure.field.kind if measure.field.kind is FieldKind.DATE else FieldKind.NUMBER
    return replace(measure.field, name=measure.name, kind=kind, values=None, reference=None)
