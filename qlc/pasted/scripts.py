"""Reads the scripts that qlc itself makes back to calculations. All others are refused.

What is read here is only a guess: it counts if the compiler makes the very same script of it, by the caller's rights.
What is sent is the compiler's own: `{"c0": 3}` is not the 3.0 of a double.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Literal, NoReturn

from qlc.base.units import convert, find_unit
from qlc.compiler import typed
from qlc.compiler.arithmetic import DAY
from qlc.compiler.check import check
from qlc.compiler.codegen import RunBindings, condition_clause
from qlc.compiler.periods import InvalidDate
from qlc.compiler.request import CannotAnswer
from qlc.compiler.walk import typed_parts
from qlc.grammar import SyntaxProblem, parse, print_program, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.pasted.clauses import Clause, RequestContext, Script
from qlc.pasted.conditions import element_of
from qlc.pasted.date_ranges import instant_text
from qlc.pasted.json_tree import Member, Object, plain
from qlc.pasted.problems import Rejected
from qlc.pasted.reach import FieldUse
from qlc.pasted.saying import CannotSay, Saying, number
from qlc.resolver.hits import sort_clauses

LONGEST = 5_000
"""Most characters of a script."""
MAX_SCRIPTS, MAX_FIELDS, DEEPEST = 20, 20, 40
"""Most scripts of a request, fields of a script, and brackets inside of each other."""


def script_query(one: Member, body: Object, reading: RequestContext) -> Clause:
    """Read a `script` query. Raises Rejected for one that qlc does not make; it is reported with the other scripts."""
    code, params, uses = _parts(one, body.get("script"), reading)
    query, listed = {one.key: plain(body)}, reading.nested[-1] if reading.nested else ""
    said: dict[str, tree.Condition] = {}
    made: typed.Find | None = None
    for entity in reading.reach.within:
        saying = Saying(entity, reading.clock)
        try:
            around = None
            if listed:
                saying.element, around = element_of(listed, saying)
            for way in _ways(params, uses, saying):
                condition = way.condition(code)
                where = condition if around is None else around(condition)
                found = _checked(tree.Find(tree.Name(entity.plural), where), reading)
                if found is not None and (same := _query(found, listed, reading)) == query:
                    said[entity.name], made, query = condition, found, same
                    break
        except CannotSay:
            continue
    return Clause(one.key, params=query[one.key], script=_accepted(one, said, made, reading))  # type: ignore[arg-type]


def script_sort(one: Member, body: Object, reading: RequestContext) -> tuple[Script, bool, dict[str, Any]]:
    """Return what a `_script` sort key says, whether it is descending, and its body. Raises Rejected."""
    code, params, uses = _parts(one, body.get("script"), reading)
    order = body.get("order")
    key, descending = {one.key: plain(body)}, order is not None and plain(order.value) == "desc"
    said: dict[str, tree.Computed] = {}
    made: typed.Find | None = None
    for entity in reading.reach.within:
        try:
            for way in _ways(params, uses, Saying(entity, reading.clock)):
                by = way.sorted(code)
                keys = (tree.SortKey(by, descending),)
                found = _checked(tree.Find(tree.Name(entity.plural), None, keys, every=True), reading)
                if found is not None and (same := _sort(found, reading)) == key:
                    said[entity.name], made, key = by, found, same
                    break
        except CannotSay:
            continue
    return _accepted(one, said, made, reading), descending, key


Parts = tuple[str, Mapping[str, float], Mapping[str, FieldUse]]


def _parts(one: Member, script: Member | None, reading: RequestContext) -> Parts:
    """Return the text of a script, its parameters, and its fields by their paths. Raises Rejected."""
    match plain(script.value) if script is not None else None:
        case {"source": str(code), "params": dict(params)} if len(code) <= LONGEST:
            pass
        case _:
            raise Rejected
    paths = dict.fromkeys(re.findall(r"doc\['([^']+)'\]", code))
    are_numbers = all(type(value) in (int, float) and abs(value) <= sys.float_info.max for value in params.values())
    if len(reading.scripts) >= MAX_SCRIPTS or not 0 < len(paths) <= MAX_FIELDS or not are_numbers:
        raise Rejected
    reading.scripts[one.key_span] = False
    uses: dict[str, FieldUse] = {}
    for path in paths:
        # What may not be used is not told apart from another script.
        found = reading.reach.field(path, one.key_span)
        used = reading.used(path, one.key_span) if isinstance(found, FieldUse) else None
        if used is None:
            raise Rejected
        uses[path] = used
    return code, params, uses


def _accepted(one: Member, said: Mapping[str, Any], made: typed.Find | None, reading: RequestContext) -> Script:
    """Accept a script that the compiler makes for an entity. Raises Rejected."""
    if made is None:
        raise Rejected
    reading.scripts[one.key_span] = True
    calculated = (part for part in typed_parts(made) if isinstance(part, typed.ComputedField))
    reading.reach.calculated |= dict.fromkeys(calculated)
    return Script(said)


# --- the compiler's own ----------------------------------------------------------------------------------------------


def _checked(find: tree.Find, reading: RequestContext) -> typed.Find | None:
    """Check a guess as the program that a user would write. None if it is wrong."""
    text = print_program(tree.Program((), find))
    try:
        found = check(parse(text), reading.schema, text, {}, reading.reach.permitted).statement
    except SyntaxProblem:
        return None
    return found if isinstance(found, typed.Find) else None


def _query(found: typed.Find, listed: str, reading: RequestContext) -> dict[str, Any] | None:
    """Return the query of a guess, as it is inside of its nested list."""
    try:
        made: dict[str, Any] = condition_clause(found.where, RunBindings(reading.schema, reading.clock)).to_dict()
    except (CannotAnswer, InvalidDate):
        return None
    if not listed:
        return made
    nested = made.get("nested", {})
    return nested.get("query") if nested.get("path") == listed else None


def _sort(found: typed.Find, reading: RequestContext) -> Any:
    try:
        return sort_clauses(found, RunBindings(reading.schema, reading.clock))[0]
    except (CannotAnswer, InvalidDate):
        return None


# --- reading ---------------------------------------------------------------------------------------------------------


def _ways(params: Mapping[str, float], uses: Mapping[str, FieldUse], saying: Saying) -> Iterator[_Way]:
    """Yield the ways to read a script of one entity. Raises CannotSay for a field that it does not have."""
    fields = {path: saying.field(used) for path, used in uses.items()}
    for has_factors in (False, True):
        yield _Way(params, fields, has_factors)


_VALUE = re.compile(r"\(double\) doc\['([^']+)'\]\.(value(?:\.toInstant\(\)\.toEpochMilli\(\)|\.length\(\))?|size\(\))")
_PARAM = re.compile(r"params\.(c[0-9]+)")
_SORTED = re.compile(r"(?:if \([^{}]*\) \{ return params\.c[0-9]+; \} )?return ([^;]+);")
_COMPARED = re.compile(
    r"(?:if \([^{}]*\) \{ return false; \} )?double x = ([^;]+); (?:double s = [^;]+; )?return ([^;]+);"
)
_TEST = re.compile(r"x (<|<=|>|>=|==) params\.(c[0-9]+)(?: [+-] s)?|Math\.abs\(x - params\.(c[0-9]+)\) <= s")


@dataclass(slots=True)
class _Way:
    """One way to read a script of an entity with these fields, by their paths in the index.

    `has_factors`: factors between units are no part of the calculation: `discount / 100` is the percentage itself, and
    the days between two dates are their difference.
    """

    params: Mapping[str, float]
    fields: Mapping[str, tuple[Field, tree.Path]]
    has_factors: bool
    code: str = ""
    at: int = 0
    depth: int = 0

    def condition(self, code: str) -> tree.Condition:
        """Return the comparison of a script. Raises CannotSay."""
        parts = _COMPARED.fullmatch(code) or _fail()
        left = self._computed(parts[1])
        alternatives = [one.removeprefix("(").removesuffix(")").split(" && ") for one in parts[2].split(" || ")]
        match [[self._bound(left, test) for test in one] for one in alternatives]:
            case [[("==", end)]]:
                return tree.Comparison(left, "=", end)
            case [[(sign, end)]]:
                return tree.Comparison(left, sign, end)  # type: ignore[arg-type]
            case [[(">=", low), ("<=", high)]]:
                return tree.Between(left, low, high)
            case [*ends] if all(len(one) == 1 and one[0][0] == "==" for one in ends):
                return tree.Comparison(left, "in", tree.ListValue(tuple(one[0][1] for one in ends)))
        return _fail()

    def _bound(self, left: tree.Computed, test: str) -> tuple[str, tree.Value]:
        found = _TEST.fullmatch(test) or _fail()
        return found[1] or "==", self._end(left, found[2] or found[3])

    def sorted(self, code: str) -> tree.Computed:
        """Return the calculation of a script to sort by. Raises CannotSay."""
        return self._computed((_SORTED.fullmatch(code) or _fail())[1])

    def _computed(self, code: str) -> tree.Computed:
        self.code, self.at = code, 0
        found = self._operand()
        return found if self.at == len(code) and isinstance(found, tree.Arithmetic | tree.Call) else _fail()

    def _end(self, left: tree.Operand, name: str) -> tree.Value:
        value = self._number(name)
        if self._is_date(left):
            return _moment(value)
        return replace(value, unit="days") if self.has_factors and value.value and self._unit(left) == "days" else value

    # --- operands ----------------------------------------------------------------------------------------------------

    def _takes(self, text: str) -> bool:
        if self.code.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def _must(self, *texts: str) -> str:
        return next((text for text in texts if self._takes(text)), None) or _fail()

    def _matches(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if (found := pattern.match(self.code, self.at)) is not None:
            self.at = found.end()
        return found

    def _operand(self) -> tree.Operand:
        self.depth += 1
        if self.depth > DEEPEST:
            _fail()
        found = self._read()
        self.depth -= 1
        return found

    def _read(self) -> tree.Operand:
        if (value := self._matches(_VALUE)) is not None:
            path = self.fields[value[1]][1]
            function: Literal["length", "size"] | None = {"value.length()": "length", "size()": "size"}.get(value[2])  # type: ignore[assignment]
            return path if function is None else tree.Call(function, path)
        if (param := self._matches(_PARAM)) is not None:
            return self._number(param[1])
        if self._takes("Math.abs("):
            inside = self._operand()
            self._must(")")
            return tree.Call("abs", inside)
        if self._takes("(Math.signum("):
            return self._rounded()
        if self._takes("(-"):
            inside = self._operand()
            self._must(")")
            return tree.Call("negative", inside)
        self._must("(")
        left = self._operand()
        operator: Any = self._must(" + ", " - ", " * ", " / ").strip()
        right = self._operand()
        self._must(")")
        return self._combined(operator, left, right) if self.has_factors else tree.Arithmetic(operator, left, right)

    def _rounded(self) -> tree.Operand:
        inside = self._operand()
        self._must(") * Math.floor(Math.abs(")
        if self._operand() != inside:  # else a short text could be one that the compiler doubles many times
            _fail()
        self._must(") * ")
        power = self._matches(_PARAM) or _fail()
        for sign in (" * ", " + "):
            self._must(sign)
            if self._matches(_PARAM) is None:
                _fail()
        self._must(") / ")
        if self._matches(_PARAM) is None:
            _fail()
        self._must(")")
        ten = self.params.get(power[1], 0)
        return tree.Call("round", inside, round(math.log10(ten))) if 1 <= ten <= 1e15 else _fail()

    def _number(self, name: str) -> tree.Number:
        return number(self.params[name]) if name in self.params else _fail()

    # --- factors between units ---------------------------------------------------------------------------------------

    def _combined(self, operator: Any, left: tree.Operand, right: tree.Operand) -> tree.Operand:
        """Join two operands, without the factor of a unit: `discount / 100`."""
        if operator in "*/" and isinstance(right, tree.Number):
            if self._is_factor(left, self._fraction(operator, right)):
                return left
            match left:
                case tree.Arithmetic("*", of, tree.Number() as above) if operator == "/":
                    if self._is_factor(of, self._fraction("*", above) * self._fraction("/", right)):
                        return of
        if operator in "+-" and self._is_date(left) != self._is_date(right):
            left, right = self._beside_date(operator, left), self._beside_date(operator, right)
        return tree.Arithmetic(operator, left, right)

    def _beside_date(self, operator: str, node: tree.Operand) -> tree.Operand:
        """Return what is added to a date as a duration, and what has a difference from it as a date."""
        match node:
            case tree.Arithmetic("*", tree.Number() as count, tree.Number(value=factor)):
                unit = next((one for one in _DURATIONS if convert(one, "ms") == factor), None)
                return node if unit is None else replace(count, unit=unit)
            case tree.Number() if operator == "-":
                return _moment(node)
        return node

    def _fraction(self, operator: str, factor: tree.Number) -> Fraction:
        exact = Fraction(repr(factor.value))
        return exact if operator == "*" else 1 / exact if exact else exact

    def _is_factor(self, node: tree.Operand, factor: Fraction) -> bool:
        """Whether a factor only converts an operand to another unit."""
        if factor == Fraction(1, DAY) and isinstance(node, tree.Arithmetic) and node.operator == "-":
            return self._is_date(node.left) and self._is_date(node.right)
        unit = self._unit(node)
        known = find_unit(unit) if unit is not None else None
        if unit is None or known is None:
            return False
        if known.dimension == "part":
            return isinstance(node, tree.Path) and factor == Fraction(known.numerator, known.denominator)
        others = {one.unit for one, _ in self.fields.values() if one.unit is not None} | {"days", "ms"}
        alike = [one for one in others if getattr(find_unit(one), "dimension", None) == known.dimension]
        return any(convert(unit, one) == factor for one in alike)

    def _unit(self, node: tree.Operand) -> str | None:
        match node:
            case tree.Path():
                return self._field(node).unit
            case tree.Arithmetic("-", left, right) if self._is_date(left) and self._is_date(right):
                return "days"
            case tree.Arithmetic("*", tree.Number(), right):
                return self._unit(right)
            case tree.Arithmetic("*" | "/", left, tree.Number()):
                return self._unit(left)
            case tree.Arithmetic("+" | "-", left, right):
                return self._unit(left) or self._unit(right)
            case tree.Call("abs" | "negative" | "round", argument):
                return self._unit(argument)
        return None

    def _is_date(self, node: tree.Operand) -> bool:
        match node:
            case tree.Path():
                return self._field(node).kind is FieldKind.DATE
            case tree.Arithmetic("+" | "-", left, right):
                return self._is_date(left) != self._is_date(right)
        return isinstance(node, tree.DateLiteral)

    def _field(self, path: tree.Path) -> Field:
        return next(field for field, named in self.fields.values() if named == path)


_DURATIONS = ("weeks", "days", "hours", "minutes", "seconds")


def _moment(value: tree.Number) -> tree.DateLiteral:
    """Return milliseconds as a date. Raises CannotSay."""
    try:
        return tree.DateLiteral(instant_text(datetime.fromtimestamp(value.value / 1000, UTC)))
    except (OverflowError, ValueError, OSError):
        return _fail()


def _fail() -> NoReturn:
    raise CannotSay("a script that is not made here")
