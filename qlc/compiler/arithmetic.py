"""Arithmetic: calculations of a program, checked by the types and the units of their operands.

`quantity * unit_price` is a field computed in EUR, `shipped - ordered` one in days; `price + weight` is refused. A
percentage is a number of hundredths, so that `price * (1 - discount)` is the price after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from qlc.base.currencies import CURRENCIES
from qlc.base.diagnostics import Span
from qlc.base.units import convert, find_unit
from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope, kind_of, list_of_elements
from qlc.compiler.literals import date_literal
from qlc.compiler.names import Target, check_values
from qlc.compiler.scripts import can_be_named
from qlc.compiler.sources import Origin, follow, lookup, subquery
from qlc.compiler.values import expand
from qlc.grammar import print_measure, print_path, print_value, tree
from qlc.grammar.printer import print_computed
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField
from qlc.mapping.schema import Field, NestedList

Units = tuple[tuple[str, int], ...]
"""Units with their powers, by name: EUR/kg is `(("EUR", 1), ("kg", -1))`."""

DAY = 86_400_000
"""In milliseconds."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A checked operand. Dates are in milliseconds, durations between dates in days.

    `is_bare`: a number as written, without a unit: it is in the unit of what it is added to. `fields` are those that
    it is calculated from.
    """

    expression: typed.Expression
    units: Units = ()
    is_date: bool = False
    is_whole: bool = False
    is_bare: bool = False
    fields: tuple[Target, ...] = ()

    @property
    def unit(self) -> str | None:
        """The unit in words: `EUR`, `EUR/kg`, `m*m`; None for a plain number."""
        above = [name for name, power in self.units for _ in range(power)]
        below = [name for name, power in self.units for _ in range(-power)]
        return "/".join(["*".join(above) or "1", *below]) if self.units else None


OwnOperand = Callable[[tree.Operand], Quantity | None]
"""Reads an operand that only its place knows, such as a measure of rows; None leaves it to the general rules."""
Resolve = Callable[[tree.Path], Target]


@dataclass(frozen=True, slots=True)
class Calculation:
    """The check of one calculation: where its names are looked up."""

    context: Context
    resolve: Resolve
    own: OwnOperand = lambda node: None

    def quantity(self, node: tree.Operand) -> Quantity:
        """Check an operand or a calculation. Raises Refused."""
        found = self.own(node)
        if found is not None:
            return found
        if isinstance(node, tree.NameValue | tree.Path):
            named = node if isinstance(node, tree.NameValue) else tree.NameValue(node, span=node.span)
            bound = expand(self.context, named)
            return self._of_field(named.path) if bound is named else self.quantity(bound)
        match node:
            case tree.Arithmetic(operator, left, right):
                first, second = self.context.each(self.quantity, (left, self._unit_after(node) or right))
                return combined(operator, first, second, node)
            case tree.Call():
                return self._called(node)
            case tree.Number(value=value, unit=unit):
                literal = typed.Constant(typed.Literal(value))
                if unit is None:
                    return Quantity(literal, is_whole=isinstance(value, int), is_bare=True)
                return in_unit(literal, unit, is_whole=False)
            case tree.DateLiteral() | tree.Now() | tree.Day():
                return self._moment(node)
            case tree.PeriodOf(unit="year"):
                return self._year(node)
            case tree.Parameter():
                constant = typed.Constant(typed.Param(node.name, self.context.access, span=node.span))
                return Quantity(constant, is_bare=True)
            case tree.EntityLookup() | tree.Member() | tree.Subquery():
                return self._taken(node)
            case tree.Measure():
                raise Refused("measure-in-where", f"'{print_measure(node)}' measures several documents, and this is "
                              "calculated for each one", node.span, hint="calculate with measures before 'of', in "
                              "'having' or in 'sort' of rows")
            case _:
                raise Refused("wrong-type", f"{print_value(node)} is nothing to calculate with", node.span,
                              hint="calculate with numbers, amounts and dates")

    def _unit_after(self, node: tree.Arithmetic) -> tree.Number | None:
        """Return 1 kg for the name of another unit after an amount: `2 EUR/kg`. A field of that name comes first."""
        left, right = node.left, node.right
        if not (isinstance(left, tree.Number) and left.unit and node.operator in ("*", "/")):
            return None
        path = right.path if isinstance(right, tree.NameValue) else right
        name = path.segments[0].name.text if isinstance(path, tree.Path) and len(path.segments) == 1 else ""
        unit = find_unit(name)
        if (unit is None and name not in CURRENCIES) or name in self.context.lets:
            return None
        if unit is not None and unit.dimension == getattr(find_unit(left.unit), "dimension", ""):
            return None  # `now-30d/d` of Elasticsearch
        try:
            self.resolve(path)  # type: ignore[arg-type]
        except Refused:
            return tree.Number(1, "1", name, span=right.span)
        return None

    def _of_field(self, path: tree.Path) -> Quantity:
        target = self._target(path)
        item = target.item
        assert isinstance(item, Field)
        if isinstance(item, typed.ComputedField):
            return Quantity(item.expression, item.units, item.kind is FieldKind.DATE, item.is_whole, fields=(target,))
        name = print_path(path)
        if item.kind is FieldKind.DATE:
            return Quantity(typed.FieldValue(item), is_date=True, is_whole=True, fields=(target,))
        if item.kind not in NUMERIC or item.values is not None or item.mapped.es_type == "unsigned_long":
            raise Refused("wrong-type", f"'{name}' is {kind_of(item)}, which cannot be calculated with here", path.span,
                          hint="calculate with fields of numbers or dates")
        if item.unit_field is not None or item.base_units is not None:
            raise Refused("wrong-unit", f"'{name}' has amounts of different units, which cannot be calculated with",
                          path.span, hint=f"measure it alone, or group by '{item.unit_field or 'unit'}'")
        unit = item.unit or item.currency
        whole = item.kind is FieldKind.WHOLE_NUMBER
        found = Quantity(typed.FieldValue(item), is_whole=whole) if unit is None else in_unit(
            typed.FieldValue(item), unit, is_whole=whole)  # fmt: skip
        return replace(found, fields=(target,))

    def _target(self, path: tree.Path) -> Target:
        """Return what a path names: a field with at most one value, of the documents themselves or of elements."""
        target, name = self.resolve(path), print_path(path)
        check_values(target, path.span)
        item = target.item
        if isinstance(item, NestedList):
            raise list_of_elements(item, "calculate with", name, f"{name}.", path.span)
        if target.through:
            raise Refused("chain-not-measured", f"'{name}' is in another document, so it cannot be calculated with",
                          path.span, hint="calculate with fields of the entity itself")
        if item.many and target.element is None:
            raise Refused("one-value-needed", f"'{name}' is a list, and a calculation needs one value", path.span,
                          hint=f"size({name}) is the number of its values")
        if isinstance(item, typed.ComputedField):
            return target
        path_in_index = item.mapped.term_path
        if not item.mapped.doc_values or item.mapped.conflict or not can_be_named(path_in_index):
            raise Refused("not-searchable", f"'{name}' is stored in a way that cannot be calculated with", path.span,
                          hint="use another field")
        return target

    def _called(self, node: tree.Call) -> Quantity:
        if node.function in ("length", "size"):
            return self._counted(node)
        inside = self.quantity(node.argument)
        if inside.is_date:
            raise Refused("wrong-type", f"'{node.function}' takes a number, and this is a date", node.span,
                          hint="take the difference of two dates")
        expression = typed.Function(node.function, inside.expression, node.digits or 0)
        return replace(inside, expression=expression)

    def _counted(self, node: tree.Call) -> Quantity:
        """`length(name)`: characters of a text; `size(tags)`: different values of a list."""
        path = node.argument
        assert isinstance(path, tree.Path)
        name = print_path(path)
        target = self.resolve(path)
        item = target.item
        fits = isinstance(item, Field) and item.mapped.doc_values and can_be_named(item.mapped.term_path)
        if isinstance(item, NestedList):
            raise Refused("wrong-type", f"the elements of '{name}' cannot be counted in each document", path.span,
                          hint=f"write '{name} exists', or '{name}[...]' for a condition on one of them")
        if not fits or target.through or not isinstance(item, Field) or item.kind is not FieldKind.KEYWORD:
            what = "the length of a text" if node.function == "length" else "the number of texts in a list"
            raise Refused("wrong-type", f"'{node.function}' is {what}, and '{name}' holds none that can be counted",
                          path.span, hint="use a field of texts with exact values")
        if node.function == "length":
            self._target(path)
        expression = typed.Function(node.function, typed.FieldValue(item))
        return Quantity(expression, is_whole=True, fields=(target,))

    def _moment(self, node: tree.DateLiteral | tree.Now | tree.Day) -> Quantity:
        value = date_literal(self.context, node, _A_DATE, lambda value: typed.Now())
        if isinstance(value, typed.DatePeriod) and len(value.text) < len("2024-03-05"):
            raise Refused("wrong-type", f"{print_value(node)} is a period, and a calculation needs a day or a time",
                          node.span, hint=f"write a day, such as {value.text[:4]}-01-01")
        return Quantity(typed.Constant(value, is_date=True), is_date=True, is_whole=True)

    def _year(self, node: tree.PeriodOf) -> Quantity:
        """`year(now)`, `year(person("Ada").born)`: the number of the year."""
        inside = self.quantity(node.value)
        if not isinstance(inside.expression, typed.Constant) or not inside.is_date:
            raise Refused("wrong-type", f"{print_value(node)} is not the year of one date", node.span,
                          hint="write, for example, year(now); a date of each document has a difference to another one")
        value: typed.DateValue = inside.expression.value  # type: ignore[assignment]
        return Quantity(typed.Constant(typed.PeriodAround("year", value)), is_whole=True)

    def _taken(self, node: tree.EntityLookup | tree.Member | tree.Subquery) -> Quantity:
        origin = self._origin(node)
        if isinstance(origin.field, typed.ComputedField):
            computed = origin.field
            expression = taken_expression(origin.source, computed.expression, node.span)
            return Quantity(expression, computed.units, computed.kind is FieldKind.DATE, computed.is_whole)
        taken = typed.Taken(origin.source, origin.field, span=node.span)
        is_date = origin.kind is FieldKind.DATE
        if not is_date and (origin.kind not in NUMERIC or (origin.field is not None and origin.field.values)):
            raise Refused("wrong-type", f"{print_value(node)} is neither a number nor a date", node.span,
                          hint="take a field of numbers or dates, or a count or another measure in brackets")
        constant = typed.Constant(taken, is_date)
        unit = origin.unit
        if is_date or unit is None:
            return Quantity(constant, is_date=is_date, is_whole=is_date)
        return in_unit(constant, unit, is_whole=False)

    def _origin(self, node: tree.EntityLookup | tree.Member | tree.Subquery) -> Origin:
        match node:
            case tree.EntityLookup():
                return lookup(self.context, node)
            case tree.Subquery():
                return subquery(self.context, node)
            case tree.Member():
                return follow(self.context, node)


def taken_expression(source: typed.Lookup | typed.Search | typed.Rows, node: typed.Expression, span: Span
                     ) -> typed.Expression:
    """Return a calculation of fields with the values that documents elsewhere have there: `sale("lamp").margin`."""
    match node:
        case typed.FieldValue(field):
            assert not isinstance(source, typed.Rows), "rows have no computed fields"
            return typed.Constant(typed.Taken(source, field, span=span), field.kind is FieldKind.DATE)
        case typed.Operation(_, left, right):
            return replace(node, left=taken_expression(source, left, span), right=taken_expression(source, right, span))
        case typed.Function(_, argument):
            return replace(node, argument=taken_expression(source, argument, span))
        case _:
            return node


_A_DATE = Field("this", MappedField("", "date", FieldKind.DATE), FieldKind.DATE)


# --- units -----------------------------------------------------------------------------------------------------------


def in_unit(expression: typed.Expression, unit: str, *, is_whole: bool) -> Quantity:
    """Return a quantity of a unit; a percentage becomes a plain number of hundredths."""
    known = find_unit(unit)
    if known is not None and known.dimension == "part":
        return Quantity(_times(expression, Fraction(known.numerator, known.denominator)))
    return Quantity(expression, ((unit, 1),), is_whole=is_whole)


def _times(expression: typed.Expression, factor: Fraction) -> typed.Expression:
    """Multiply by an exact factor: by its numerator, then divided by its denominator."""
    if factor.numerator != 1:
        expression = typed.Operation("*", expression, typed.Constant(typed.Literal(factor.numerator)))
    if factor.denominator != 1:
        expression = typed.Operation("/", expression, typed.Constant(typed.Literal(factor.denominator)))
    return expression


def combined(
    operator: tree.ArithmeticOperator, left: Quantity, right: Quantity, node: tree.Arithmetic
) -> Quantity:
    fields = (*left.fields, *right.fields)
    if left.is_date or right.is_date:
        return replace(_of_dates(operator, left, right, node), fields=fields)
    is_bare = left.is_bare and right.is_bare
    if operator in ("+", "-"):
        left, right = (_alike(left, right, node), right) if left.is_bare else (left, _alike(right, left, node))
        whole = left.is_whole and right.is_whole
        return Quantity(typed.Operation(operator, left.expression, right.expression), left.units, is_whole=whole,
                        is_bare=is_bare, fields=fields)  # fmt: skip
    right = _in_units_of(right, left)
    sign = 1 if operator == "*" else -1
    powers = dict(left.units)
    for name, power in right.units:
        powers[name] = powers.get(name, 0) + sign * power
    units = tuple(sorted((name, power) for name, power in powers.items() if power))
    whole = operator == "*" and left.is_whole and right.is_whole
    return Quantity(typed.Operation(operator, left.expression, right.expression), units, is_whole=whole,
                    is_bare=is_bare, fields=fields)  # fmt: skip


def _alike(one: Quantity, other: Quantity, node: tree.Arithmetic) -> Quantity:
    """Return a summand in the units of the other one. A bare number already is. Raises Refused."""
    if one.is_bare:
        return replace(one, units=other.units)
    if other.is_bare or one.units == other.units:
        return one
    converted = _in_units_of(one, other)
    if converted.units != other.units:
        units = f"{one.unit or 'no unit'} and {other.unit or 'no unit'}"
        raise Refused("wrong-unit", f"{print_computed(node)} adds up amounts of different units: {units}", node.span,
                      hint=_way_out(one, other))
    return converted


def _way_out(one: Quantity, other: Quantity) -> str:
    if one.unit is None or other.unit is None:
        return "give both fields a unit in the catalog"
    known = find_unit(one.unit), find_unit(other.unit)
    return "nothing is converted between currencies: ask for each on its own" if known == (None, None) else (
        "add up amounts of one kind")


def _in_units_of(one: Quantity, other: Quantity) -> Quantity:
    """Return a quantity with each unit that can be converted in that of the other: 500 g beside kg are 0.5 kg."""
    expression, powers, whole = one.expression, dict(one.units), one.is_whole
    for name, power in one.units:
        for wanted, _ in other.units:
            factor = _factor(name, wanted) if wanted != name else None
            if factor is not None:
                expression = _times(expression, factor**power)
                powers[wanted] = powers.get(wanted, 0) + powers.pop(name)
                whole = False
                break
    return replace(one, expression=expression, units=tuple(sorted(powers.items())), is_whole=whole)


def _factor(unit: str, wanted: str) -> Fraction | None:
    """Return the exact factor between two units of one dimension: none between months and days, which vary."""
    one, other = find_unit(unit), find_unit(wanted)
    if one is None or other is None or one.dimension != other.dimension or {one.name, other.name} & _WITH_ZERO:
        return None
    return convert(unit, wanted)


_WITH_ZERO = frozenset({"\u00b0C", "\u00b0F", "kelvin"})
"""Units whose zero is somewhere else: their amounts are not converted in calculations."""


def _of_dates(operator: tree.ArithmeticOperator, left: Quantity, right: Quantity, node: tree.Arithmetic) -> Quantity:
    """`date - date` is in days; `date + 30 days` a date. Raises Refused."""
    if left.is_date and right.is_date and operator == "-":
        left, right = _beside(left, right), _beside(right, left)
        apart = typed.Operation("-", left.expression, right.expression)
        return Quantity(typed.Operation("/", apart, typed.Constant(typed.Literal(DAY))), (("days", 1),))
    first, second = (left, right) if left.is_date else (right, left)
    if second.is_date or operator not in ("+", "-") or (operator == "-" and not left.is_date):
        raise Refused("wrong-type", f"{print_computed(node)} cannot be calculated: one side is a date", node.span,
                      hint="two dates have a difference; a duration is added to a date or subtracted from it")
    if (moved := _months_later(first, second, operator)) is not None:
        return moved
    (unit, power), *others = second.units or (("", 0),)
    factor = convert(unit, "ms") if power == 1 and not others and find_unit(unit) is not None else None
    if getattr(find_unit(unit), "dimension", "") == "calendar":
        raise Refused("wrong-unit", "months and years differ in length, so only whole numbers of them can be added, to "
                      f"one date and before days: {print_computed(node)}", node.span,
                      hint="write, for example, f < now - 3 months, or count in days")
    if factor is None:
        raise Refused("wrong-unit", f"only a duration can be added to a date: {print_computed(node)}", node.span,
                      hint=f"write {_as_day(node.right) or 'a number with a unit, such as 30 days'}")
    return Quantity(typed.Operation(operator, first.expression, _times(second.expression, factor)), is_date=True)


def _months_later(first: Quantity, second: Quantity, operator: str) -> Quantity | None:
    """Return one date plus or minus months or years, by the calendar; None for anything else."""
    match first.expression, second.expression, second.units:
        case typed.Constant(value, True), typed.Constant(typed.Literal(int() as number)), ((unit, 1),):
            months = convert(unit, "months") if getattr(find_unit(unit), "dimension", "") == "calendar" else None
            if months is not None:
                later = typed.MonthsLater(value, int(number * months) * (1 if operator == "+" else -1))  # type: ignore[arg-type]
                return replace(first, expression=replace(first.expression, value=later))
    return None


def _as_day(node: tree.Operand) -> str:
    """Return the first day of a year that is written where a day is needed; empty for anything else."""
    is_year = isinstance(node, tree.Number) and node.unit is None and 1900 <= node.value <= 2100
    return f"{print_value(node)}-01-01 for the day, or 30 days" if is_year and isinstance(node, tree.Number) else ""


def _beside(one: Quantity, other: Quantity) -> Quantity:
    """Return a moment as the date field beside it stores dates: whole days begin at midnight in UTC."""
    dates = [target.item for target in other.fields if isinstance(target.item, Field)]
    field = next((one for one in dates if one.kind is FieldKind.DATE), None)
    return one if field is None else replace(one, expression=_placed(one.expression, field))


def _placed(node: typed.Expression, field: Field) -> typed.Expression:
    match node:
        case typed.Constant(is_date=True):
            return replace(node, beside=field)
        case typed.Operation():
            return replace(node, left=_placed(node.left, field), right=_placed(node.right, field))
        case _:
            return node


def is_part(unit: str | None) -> bool:
    """Whether a unit is of parts of a whole, `%`: these are calculated with as plain numbers, 0.25 for 25%."""
    known = find_unit(unit) if unit is not None else None
    return known is not None and known.dimension == "part"


def declared(found: Quantity, unit: str | None, span: Span) -> Quantity:
    """Return a calculation in the unit that the catalog gives it: days as hours. Raises Refused."""
    if unit is None or found.unit == unit:
        return found
    if not found.units and not found.is_date:
        return found if is_part(unit) else replace(found, units=((unit, 1),))
    fits = not found.is_date and not is_part(unit)
    converted = _in_units_of(found, Quantity(found.expression, ((unit, 1),))) if fits else found
    if converted.unit != unit:
        own = "a date" if found.is_date else f"in {found.unit}"
        raise Refused("wrong-unit", f"it is {own}, and its unit is {unit}", span, hint="leave the unit out")
    return converted


# --- computed fields -------------------------------------------------------------------------------------------------


def computed_target(context: Context, node: tree.Computed, scope: Scope, resolve: Resolve) -> Target:
    """Return a calculation as a field of the documents or of the elements of one list. Raises Refused."""
    return target_of(Calculation(context, resolve).quantity(node), print_computed(node), scope, node.span)


def target_of(found: Quantity, name: str, scope: Scope, span: Span) -> Target:
    if not found.fields:
        raise Refused("field-needed", f"'{name}' is the same for every document", span, hint="calculate with a field")
    first, *others = found.fields
    if any((one.element, one.narrowed) != (first.element, first.narrowed) for one in others):
        raise Refused("not-comparable", f"'{name}' mixes fields of the entity with those of elements, or of different "
                      "lists", span, hint="calculate with fields of one list, or with those of the entity")
    field = computed_field(found, name)
    item = first.item
    assert isinstance(item, Field)
    nested = replace(field.mapped, nested=item.mapped.nested)
    return replace(first, item=replace(field, mapped=nested), name=name)


def computed_field(found: Quantity, name: str) -> typed.ComputedField:
    number = FieldKind.WHOLE_NUMBER if found.is_whole else FieldKind.NUMBER
    kind = FieldKind.DATE if found.is_date else number
    return typed.ComputedField(
        name, MappedField(name, "computed", kind), kind, many=False, unit=found.unit, from_catalog=False,
        expression=found.expression, is_whole=found.is_whole, units=found.units,
    )  # fmt: skip


def formula(context: Context, node: tree.Operand, field: Field, resolve: Resolve) -> typed.Formula:
    """Return a calculation without fields as a value to compare a field with, in the field's unit. Raises Refused."""
    return formula_of(Calculation(context, resolve).quantity(node), field, node)


def formula_of(found: Quantity, field: Field, node: tree.Operand) -> typed.Formula:
    is_date = field.kind is FieldKind.DATE
    if is_date != found.is_date or (not is_date and field.kind not in NUMERIC):
        what = "a date" if found.is_date else "a number"
        raise Refused("wrong-type", f"'{field.name}' is {kind_of(field)}, and this is {what}", node.span,
                      hint="compare values of the same type")
    unit = field.unit or field.currency
    if not is_date and not found.is_bare and (found.units or unit):
        wanted = Quantity(found.expression, _units_in(unit) if unit else ())
        converted = _in_units_of(found, wanted) if unit not in ("%", "fraction") else _as_part(found, unit or "")
        if converted.unit != unit and not (converted.units == () and unit in (None, "%", "fraction")):
            raise Refused("wrong-unit", f"'{field.name}' is in {unit or 'no unit'}, and this is in "
                          f"{found.unit or 'no unit'}", node.span, hint="compare amounts of one kind")
        found = converted
    return typed.Formula(found.expression, is_date, span=node.span)


def _units_in(unit: str) -> Units:
    """Return the units of a computed field from their words, as `Quantity.unit` has them: `EUR/kg`."""
    if find_unit(unit) is not None:
        return ((unit, 1),)
    above, *below = unit.split("/")
    powers = Counter(name for name in above.split("*") if name != "1")
    powers.subtract(below)
    return tuple(sorted(powers.items()))


def _as_part(found: Quantity, unit: str) -> Quantity:
    return replace(found, expression=_times(found.expression, Fraction(100))) if unit == "%" else found
