"""Scripts: calculations inside a search, in Painless, made of the typed tree alone.

Nothing that a caller or a model wrote is in the text of a script: numbers go in as parameters, fields by their path in
the mapping. A document without a value, with several values, or with a division by zero has no result.

Numbers are doubles. A comparison takes two numbers as equal that differ by less than 1e-14 of what they were calculated
from, since 3 * 9.99 is 29.970000000000002 as a double.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from elasticsearch.dsl import query as dsl

from qlc.compiler import typed
from qlc.compiler.environment import Bindings
from qlc.compiler.evaluation import DivisionByZero, Operand, evaluate
from qlc.compiler.request import CannotAnswer, Clause, disjunction, on
from qlc.compiler.walk import typed_parts
from qlc.mapping.fields import FieldKind

ScriptText = dict[str, Any]
"""`{"lang": "painless", "source": ..., "params": {...}}`"""

NEARLY = 1e-14
"""Relative to what is calculated with, the largest difference of two equal numbers: some 50 roundings of a double."""

_LONGEST = 65_000
"""Most characters of a script: servers refuse more than `script.max_size_in_bytes`, by default 65,535."""
_NEARLY_STORED = {"float": 2.0**-22, "half_float": 2.0**-9}
"""The same for fields whose values are rounded when they are stored, in the binary formats of IEEE 754."""
_PATH = re.compile(r"[\w.@-]+")
Bound = tuple[typed.RangeOperator | str, float]


def value_script(computed: typed.ComputedField, env: Bindings, missing: str = "null") -> ScriptText:
    """Return the script that gives the value of a computed field. `missing`: what it gives without a value."""
    script = _Script(env)
    value = script.number(computed.expression)
    return script.text([f"return {value};"], missing)


def grouped_script(computed: typed.ComputedField, env: Bindings) -> ScriptText:
    """Return the script of the values for steps and bins: a number that is a hair below an edge lies on it."""
    script = _Script(env)
    value = script.number(computed.expression)
    if not computed.is_whole:
        size = script.number(computed.expression, sizes=True)
        value = f"({value} + {script.param(_nearly(computed))} * ({size}))"
    return script.text([f"return {value};"], "null")


def has_value(computed: typed.ComputedField, env: Bindings) -> Clause:
    """Return the query for documents with a value of a computed field."""
    script = _Script(env)
    script.number(computed.expression)
    return dsl.Script(script=script.text(["return true;"], "false"))


def divides_by_zero(computed: typed.ComputedField, env: Bindings) -> Clause | None:
    """Return the query for documents in which a calculation divides by zero; None if it never does."""
    script = _Script(env)
    script.number(computed.expression)
    zeros = [one for one in script.guards if one in script.zeros]
    script.guards = {one: None for one in script.guards if one not in script.zeros}
    if not zeros:
        return None
    found = dsl.Script(script=script.text([f"return {' || '.join(zeros)};"], "false"))
    lists = {part.field.mapped.nested_path for part in typed_parts(computed) if isinstance(part, typed.FieldValue)}
    return dsl.Nested(path=path, query=found) if (path := next(iter(lists))) is not None else found


def is_scripted(field: typed.AnyField, env: Bindings) -> bool:
    """Whether comparing a field takes a script: not if the calculation can be solved for its only field."""
    return isinstance(field, typed.ComputedField) and solved(field, (), env) is None


def sort_script(computed: typed.ComputedField, env: Bindings, *, descending: bool) -> ScriptText:
    """Return the script to sort by: documents without a value come last."""
    script = _Script(env)
    value = script.number(computed.expression)
    last = script.param(-1.7976931348623157e308 if descending else 1.7976931348623157e308)
    return script.text([f"return {value};"], last)


def compared(
    computed: typed.ComputedField, alternatives: Sequence[Sequence[Bound]], env: Bindings
) -> Clause:
    """Return the query for values that meet all bounds of one alternative: `[(">", 3)]`; "=" is a bound too."""
    plain = [solved(computed, one, env) for one in alternatives]
    if plain and all(plain):
        return disjunction([_plain(*one, env) for one in plain if one is not None])
    script = _Script(env)
    value = script.number(computed.expression)
    if computed.is_whole:
        lines = [f"double x = {value};"]
        tests = [[f"x {'==' if operator == '=' else operator} {script.param(end)}" for operator, end in one]
                 for one in alternatives]  # fmt: skip
    else:
        size = script.number(computed.expression, sizes=True)
        lines = [f"double x = {value};", f"double s = {script.param(_nearly(computed))} * ({size});"]
        tests = [[script.nearly(operator, end) for operator, end in one] for one in alternatives]
    met = " || ".join(" && ".join(one) if len(one) == 1 else f"({' && '.join(one)})" for one in tests)
    return dsl.Script(script=script.text([*lines, f"return {met or 'false'};"], "false"))


def _nearly(computed: typed.ComputedField) -> float:
    stored = (part.field.mapped.es_type for part in typed_parts(computed) if isinstance(part, typed.FieldValue))
    return max((_NEARLY_STORED.get(one, NEARLY) for one in stored), default=NEARLY)


@dataclass(slots=True)
class _Script:
    """A script in the making: its parameters, and the tests for documents without a result."""

    env: Bindings
    params: dict[str, float] = field(default_factory=dict)
    guards: dict[str, None] = field(default_factory=dict)
    zeros: set[str] = field(default_factory=set)
    """The guards against division by zero."""

    def text(self, lines: Iterable[str], missing: str) -> ScriptText:
        guard = f"if ({' || '.join(self.guards)}) {{ return {missing}; }} " if self.guards else ""
        return {"lang": "painless", "source": _checked(guard + " ".join(lines)), "params": self.params}

    def param(self, number: float) -> str:
        name = next((one for one, value in self.params.items() if value == number), f"c{len(self.params)}")
        self.params[name] = float(number)
        return f"params.{name}"

    def nearly(self, operator: str, end: float) -> str:
        """Return a comparison of x, whose rounding errors are below s."""
        limit = self.param(end)
        if operator == "=":
            return f"Math.abs(x - {limit}) <= s"
        sign = "-" if operator in (">=", "<") else "+"
        return f"x {operator} {limit} {sign} s"

    def number(self, node: typed.Expression, *, sizes: bool = False) -> str:
        """Return the code of a calculation; with `sizes` of the sum of the sizes of its parts, without cancellation."""
        match node:
            case typed.Operation(operator, left, right):
                first, second = self.number(left, sizes=sizes), self.number(right, sizes=sizes)
                if operator == "/":
                    plain = self.number(right) if sizes else second
                    if not isinstance(right, typed.Constant):
                        self.guards[f"{plain} == 0"] = None
                        self.zeros.add(f"{plain} == 0")
                    elif self.env.constant(right) == 0:
                        raise CannotAnswer("division-by-zero", "a calculation of this query divides by zero",
                                           "divide by another value")
                    # The error of a divisor counts as much as its own size is above its value.
                    return f"({first} * {second} / ({plain} * {plain}))" if sizes else f"({first} / {plain})"
                return f"({first} {'+' if sizes and operator == '-' else operator} {second})"
            case typed.Function("negative", argument):
                return self.number(argument, sizes=True) if sizes else f"(-{self.number(argument)})"
            case typed.Function("abs", argument):
                return self.number(argument, sizes=True) if sizes else f"Math.abs({self.number(argument)})"
            case typed.Function("round", argument, digits):
                return self._rounded(argument, digits, sizes=sizes)
            case typed.Function("length", typed.FieldValue(of)):
                return f"(double) {self._only_value(of)}.length()"
            case typed.Function("size", typed.FieldValue(of)):
                return f"(double) doc['{_path(of)}'].size()"
            case typed.Constant():
                return self.param(abs(self.env.constant(node)) if sizes else self.env.constant(node))
            case typed.FieldValue(of):
                value = self._only_value(of)
                code = f"{value}.toInstant().toEpochMilli()" if of.kind is FieldKind.DATE else value
                return f"Math.abs((double) {code})" if sizes else f"(double) {code}"
            case _:
                raise TypeError(f"no operand of a search: {node!r}")

    def _rounded(self, argument: typed.Expression, digits: int, *, sizes: bool) -> str:
        """Round half away from zero; a half that is a little less as a double is a half."""
        if sizes:
            return self.number(argument, sizes=True)
        power, nearly, inside = self.param(10.0**digits), self.param(1 + NEARLY), self.number(argument)
        size = f"Math.floor(Math.abs({inside}) * {power} * {nearly} + {self.param(0.5)}) / {power}"
        return _checked(f"(Math.signum({inside}) * {size})")

    def _only_value(self, of: typed.AnyField) -> str:
        path = _path(of)
        self.guards[f"doc['{path}'].size() != 1"] = None
        return f"doc['{path}'].value"


def _checked(source: str) -> str:
    """Check that a server takes a script of this length. Raises CannotAnswer."""
    if len(source) > _LONGEST:
        raise CannotAnswer("calculation-too-long", "a calculation of this query is too long for a search",
                           "calculate in fewer steps, above all with 'round' in 'round'")
    return source


def can_be_named(path: str) -> bool:
    """Whether the path of a field can stand in a script as it is: names of fields can have any signs."""
    return _PATH.fullmatch(path) is not None and path != "_id"


def _path(of: typed.AnyField) -> str:
    path = of.mapped.term_path
    assert can_be_named(path), "other fields are refused by the check"
    return path


# --- without a script ------------------------------------------------------------------------------------------------


def solved(
    computed: typed.ComputedField, bounds: Sequence[Bound], env: Bindings
) -> tuple[typed.AnyField, list[tuple[str, Fraction]]] | None:
    """Return a field and its own bounds, if the calculation has only this one field and constants: `now - ordered > 3
    days` is `ordered` before three days ago. None for all else."""
    node, ends = computed.expression, [(operator, Fraction(repr(end))) for operator, end in bounds]
    while not isinstance(node, typed.FieldValue):
        step = _undone(node, env)
        if step is None:
            return None
        node, change, falls = step
        ends = [(_TURNED[operator] if falls else operator, change(end)) for operator, end in ends]
    return node.field, ends


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
Undone = tuple[typed.Expression, Callable[[Fraction], Fraction], bool]


def _undone(node: typed.Expression, env: Bindings) -> Undone | None:
    """Return the operand with a field, the bound for it, and whether it falls where the whole rises."""
    if isinstance(node, typed.Function) and node.name == "negative":
        return node.argument, lambda end: -end, True
    if not isinstance(node, typed.Operation):
        return None
    first, second = _constant(node.left, env), _constant(node.right, env)
    match node.operator, first, second:
        case "+", None, Fraction():
            return node.left, lambda end: end - second, False
        case "+", Fraction(), None:
            return node.right, lambda end: end - first, False
        case "-", None, Fraction():
            return node.left, lambda end: end + second, False
        case "-", Fraction(), None:
            return node.right, lambda end: first - end, True
        case "*", None, Fraction() if second:
            return node.left, lambda end: end / second, second < 0
        case "*", Fraction(), None if first:
            return node.right, lambda end: end / first, first < 0
        case "/", None, Fraction() if second:
            return node.left, lambda end: end * second, second < 0
    return None


def _constant(node: typed.Expression, env: Bindings) -> Fraction | None:
    """Return the value of a calculation without fields; None for one with fields, and for a division by zero."""

    def value(operand: Operand) -> int | float:
        if not isinstance(operand, typed.Constant):
            raise _HasField
        return env.constant(operand)

    try:
        found = evaluate(node, value)
    except (_HasField, DivisionByZero):
        return None
    return Fraction(repr(found)) if found is not None else None


class _HasField(Exception):
    """Raised where a calculation has a field."""


def _plain(of: typed.AnyField, bounds: Sequence[tuple[str, Fraction]], env: Bindings) -> Clause:
    if of.kind is FieldKind.DATE:
        return _date_range(of, bounds)
    # The lower bound first: a calculation that falls where its field rises has turned them round.
    ends = [(operator, typed.Literal(_number(end))) for operator, end in sorted(bounds, key=_is_upper)]
    if any(operator == "=" for operator, _ in ends):
        return env.query(typed.Equals(of, tuple(end for _, end in ends)))
    return env.query(typed.Compare(of, tuple(ends)))  # type: ignore[arg-type]


def _is_upper(bound: tuple[str, Fraction]) -> bool:
    return bound[0].startswith("<")


def _number(exact: Fraction) -> int | float:
    return int(exact) if exact.denominator == 1 else float(exact)


def _date_range(of: typed.AnyField, bounds: Iterable[tuple[str, Fraction]]) -> Clause:
    """Return the range of a date field, which holds whole milliseconds."""
    ends: dict[str, Any] = {}
    for operator, moment in bounds:
        for each in (">=", "<=") if operator == "=" else (operator,):
            ends[_RANGE[each]] = math.floor(moment) if each in (">", "<=") else math.ceil(moment)
    return on(dsl.Range, of.mapped.path, {**ends, "format": "epoch_millis"})


_RANGE = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
