"""Printing: tree to canonical text on one line, with `parse(print_program(t)) == t`. formatting.py breaks lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import RESERVED, is_plain

Words = Collection[str]
_PARTS = ("all", "any", "only")
_CLASHING: Mapping[str, Words] = {"has": _PARTS, "contains": _PARTS, "matches": ("any", "prefix", "roughly"),
                                  "under": ("in",), "let": ("find", "count"), "count": ("of", "as"),
                                  "sort": ("by",), "measure": tree.NO_MEASURES}  # fmt: skip
"""Keywords that clash with a name after each word. There a name of this spelling needs backticks."""
_CALLS = frozenset({
    "find", "count", "sum", "avg", "min", "max", "median", "distinct", "percentile", "share", "total", "minute", "hour",
    "day", "week", "month", "quarter", "year", "abs", "round", "length", "size",
})  # fmt: skip
"""Words that call a function before a bracket: `month("x")` is a period, so an entity named `month` needs backticks."""


# --- names -----------------------------------------------------------------------------------------------------------


def print_name(name: tree.Name, clashing: Words = (), *, head: bool = True) -> str:
    """Print a name, in backticks if needed: signs of units (`m²`), reserved and clashing words at the head."""
    text, word = name.text, name.text.lower()
    is_sign = not text.isascii() and not text.isidentifier() and find_unit(text) is not None
    return f"`{text}`" if not is_plain(text) or is_sign or (head and (word in RESERVED or word in clashing)) else text


def print_path(path: tree.Path, clashing: Words = ()) -> str:
    parts = []
    for place, segment in enumerate(path.segments):
        name = print_name(segment.name, clashing, head=place == 0)
        parts.append(name if segment.narrowed is None else f"{name}[{_print_narrowed(segment.narrowed)}]")
    return ".".join(parts)


def _print_narrowed(narrowed: tree.Condition | tree.String) -> str:
    return print_string(narrowed.value) if isinstance(narrowed, tree.String) else print_condition(narrowed)


# --- values ----------------------------------------------------------------------------------------------------------

_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def print_string(text: str) -> str:
    return '"' + _SPECIAL.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text) + '"'


def print_number(number: tree.Number) -> str:
    if number.unit is None:
        return number.text
    unit = find_unit(number.unit)
    return f"{number.text} {unit.one if unit and unit.one and number.text == '1' else number.unit}"


def print_value(value: tree.Value, clashing: Words = ()) -> str:
    match value:
        case tree.String(text):
            return print_string(text)
        case tree.Number():
            return print_number(value)
        case tree.Boolean(truth):
            return "true" if truth else "false"
        case tree.DateLiteral() | tree.Day() | tree.Now() | tree.RelativePeriod() | tree.PeriodOf():
            return print_time(value)
        case tree.EntityLookup(entity, named):
            return f"{print_name(entity, _CALLS)}({print_value(named)})"
        case tree.Subquery(statement):
            return f"({print_statement(statement)})"
        case tree.Parameter(word):
            return f"${word}"
        case tree.NameValue(path):
            return print_path(path, clashing)
        case tree.Member(base, names):
            return ".".join([print_value(base), *(print_name(name, head=False) for name in names)])
        case tree.Exactly(text):
            return f"exactly {print_value(text)}"
        case tree.ListValue(items):
            return "[" + ", ".join(map(print_value, items)) + "]"
        case tree.Arithmetic() | tree.Call():
            return print_computed(value, clashing)


def print_time(value: tree.DateLiteral | tree.Day | tree.Now | tree.RelativePeriod | tree.PeriodOf) -> str:
    """Print a date or a period: `2026-03-01`, `last 3 months`, `month(2026-03-01)`."""
    match value:
        case tree.DateLiteral(text) | tree.Day(text):
            return text
        case tree.Now():
            return "now"
        case tree.RelativePeriod(which, unit, count):
            return f"{which} {unit}" if count is None else f"{which} {count} {unit}{'' if count == 1 else 's'}"
        case tree.PeriodOf(unit, inside):
            return f"{unit}({print_value(inside)})"


# --- arithmetic ------------------------------------------------------------------------------------------------------

_SUMS, _PRODUCTS, _ONE = range(3)


def print_computed(node: tree.Computed, clashing: Words = ()) -> str:
    """Print a calculation with the brackets that it needs: `a - (b - c)`, `(a + b) * c`."""
    match node:
        case tree.Arithmetic(operator, left, right):
            binds = _binds(node)
            first = _print_operand(left, binds, clashing)
            return f"{first} {operator} {_print_operand(right, binds + 1)}"
        case tree.Call("negative", argument):
            inside = _print_operand(argument, _ONE)
            is_apart = inside[0] in "-0123456789"  # `-5` is a number, and `--` begins a comment
            return f"- {inside}" if is_apart else f"-{inside}"
        case tree.Call(function, argument, digits):
            inside = _print_operand(argument, _SUMS)
            return f"{function}({inside})" if digits is None else f"{function}({inside}, {digits})"


def _binds(node: tree.Operand) -> int:
    if isinstance(node, tree.Arithmetic):
        return _SUMS if node.operator in "+-" else _PRODUCTS
    return _ONE


def _print_operand(node: tree.Operand, least: int, clashing: Words = ()) -> str:
    match node:
        case tree.Path():
            return print_path(node, clashing)
        case tree.Measure():
            return print_measure(node)
        case _:
            text = print_value(node, clashing)
            return f"({text})" if _binds(node) < least else text


def print_calculated(node: tree.Calculated) -> str:
    return print_computed(node.expression) + _print_alias(node.alias)


def _print_alias(alias: tree.Name | None) -> str:
    return "" if alias is None else f" as {print_name(alias)}"


# --- conditions ------------------------------------------------------------------------------------------------------


def print_condition(condition: tree.Condition) -> str:
    match condition:
        case tree.Or(items):
            return " or ".join(map(print_condition, items))
        case tree.And(items):
            return " and ".join(print_inside(item, (tree.Or,)) for item in items)
        case tree.Not(item):
            return f"not {print_inside(item, (tree.Or, tree.And))}"
        case tree.Comparison():
            value = print_value(condition.right, _CLASHING.get(condition.operator, ()))
            return f"{comparison_head(condition)} {value}{_print_within(condition.within)}"
        case tree.Between(left, low, high):
            return f"{print_left(left)} between {print_value(low)} and {print_value(high)}"
        case tree.Presence(left, missing):
            return f"{print_path(left)} {'missing' if missing else 'exists'}"
        case tree.Spatial(left, relation, area):
            return f"{print_path(left)} {relation} {print_area(area)}"
        case tree.Overlaps(left, low, high):
            to = f" to {print_value(high)}" if high is not None else ""
            return f"{print_path(left)} overlaps {print_value(low)}{to}"
        case tree.Bare(path):
            return print_path(path)
        case tree.EntityText(operator, text, by, within):
            return f"{operator} {print_value(text)}{f' by {by}' if by else ''}{_print_within(within)}"


def print_area(area: tree.Area) -> str:
    match area:
        case tree.Circle(distance, center):
            return f"{print_number(distance)} of {print_point(center)}"
        case tree.Box(top_left, bottom_right):
            return f"box {print_point(top_left)} to {print_point(bottom_right)}"
        case tree.Polygon(points):
            return f"polygon [{', '.join(map(print_point, points))}]"


def print_point(point: tree.GeoPoint) -> str:
    return f"({print_number(point.latitude)}, {print_number(point.longitude)})"


def _print_within(places: int | None) -> str:
    return "" if places is None else f" within {places}"


def print_inside(condition: tree.Condition, looser: tuple[type[tree.Node], ...]) -> str:
    """Print a part of a condition, in brackets if it binds looser than the condition around it."""
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, looser) else text


def comparison_head(condition: tree.Comparison) -> str:
    return f"{print_left(condition.left)} {condition.operator}"


def print_left(left: tree.Left) -> str:
    match left:
        case tree.Path():
            return print_path(left)
        case tree.Cyclic():
            return f"{left.unit}({print_path(left.path)})"
        case tree.Measure():
            return print_measure(left)
        case tree.Arithmetic() | tree.Call():
            return print_computed(left)


# --- statements ------------------------------------------------------------------------------------------------------


def print_measure(measure: tree.Measure) -> str:
    return _print_unnamed(measure) + _print_alias(measure.alias)


def _print_unnamed(measure: tree.Measure) -> str:
    if measure.total:
        return f"total({_print_unnamed(replace(measure, total=False))})"
    if measure.expression is not None:
        return print_computed(measure.expression)
    if measure.condition is not None:
        return f"{measure.function}({print_condition(measure.condition)})"
    if measure.path is None:
        return measure.function
    if measure.function == "named":
        return print_term(measure.path, _CLASHING["measure"])
    argument = f", {print_number(measure.argument)}" if measure.argument is not None else ""
    return f"{measure.function}({print_term(measure.path)}{argument})"


def print_term(term: tree.Path | tree.Computed, clashing: Words = ()) -> str:
    return print_path(term, clashing) if isinstance(term, tree.Path) else print_computed(term)


def print_group(group: tree.Group) -> str:
    text = print_term(group.path)
    if group.function is not None:
        text = f"{group.function}({', '.join([text, *map(print_number, group.arguments)])})"
    text = f"{text} including empty" if group.empty else text
    return text if group.top is None else f"{text} top {group.top}"


def print_top(top: tree.Top) -> str:
    return f"top {top.count} per {', '.join(map(print_group, top.groups))}"


def print_sort_key(key: tree.SortKey, clashing: Words = ()) -> str:
    match key.key:
        case tree.Path():
            text = print_path(key.key, clashing)
        case tree.Measure():
            text = print_measure(key.key)
        case tree.Group():
            text = print_group(key.key)
        case tree.Arithmetic() | tree.Call():
            text = print_computed(key.key, clashing)
    return f"{text} desc" if key.descending else text


def print_statement(statement: tree.Statement) -> str:
    return " ".join([statement_head(statement), *(text for _, text in statement_clauses(statement))])


def statement_head(statement: tree.Statement) -> str:
    """Print a statement without its clauses."""
    match statement:
        case tree.Find():
            entity = statement.entity
            is_all = statement.where is None and statement.limit is None and statement.top_per is None
            every = "all " if statement.every and is_all else ""
            return f"find {every}{print_name(entity) if isinstance(entity, tree.Name) else print_value(entity)}"
        case tree.Aggregate():
            if statement.counted:
                return f"count groups of ({print_statement(replace(statement, counted=False))})"
            if statement.measures == (tree.Measure("count"),):
                return f"count {print_name(statement.entity, _CLASHING['count'])}"
            measures = ", ".join(map(_print_asked, statement.measures))
            return f"{measures} of {print_name(statement.entity)}"
        case tree.Get():
            return "get " + ", ".join(map(_print_item, statement.items))


def _print_asked(measure: tree.Measure) -> str:
    """Print a measure before `of`: a calculation that begins with a number or a name is in brackets."""
    first: tree.Operand | None = measure.expression
    while isinstance(first, tree.Arithmetic):
        first = first.left
    is_count = isinstance(first, tree.Path | tree.NameValue) and _print_operand(first, _ONE) == "count"
    plain = first is None or is_count or isinstance(first, tree.Measure | tree.Call)
    return print_measure(measure) if plain else f"({_print_unnamed(measure)}){_print_alias(measure.alias)}"


def _print_item(item: tree.Member | tree.Path | tree.Calculated) -> str:
    match item:
        case tree.Path():
            return print_path(item)
        case tree.Calculated():
            return print_calculated(item)
        case tree.Member():
            return print_value(item)


def statement_clauses(statement: tree.Statement) -> list[tuple[str, str]]:
    """Return the clauses in canonical order: the attribute of the tree that each prints, and its text."""
    if isinstance(statement, tree.Get) or (isinstance(statement, tree.Aggregate) and statement.counted):
        return []
    clauses = []
    if statement.where is not None:
        clauses.append(("where", f"where {print_condition(statement.where)}"))
    if isinstance(statement, tree.Aggregate):
        if statement.groups:
            clauses.append(("groups", "by " + ", ".join(print_group(group) for group in statement.groups)))
        if statement.having is not None:
            clauses.append(("having", f"having {print_condition(statement.having)}"))
    if isinstance(statement, tree.Find) and statement.top_per is not None:
        clauses.append(("top_per", print_top(statement.top_per)))
    if statement.sort:
        first, *rest = statement.sort
        keys = [print_sort_key(first, _CLASHING["sort"]), *map(print_sort_key, rest)]
        clauses.append(("sort", "sort " + ", ".join(keys)))
    if statement.limit is not None:
        offset = f" offset {statement.offset}" if statement.offset is not None else ""
        ties = " with ties" if statement.ties else ""
        clauses.append(("limit", f"limit {statement.limit}{ties}{offset}"))
    if isinstance(statement, tree.Find) and statement.show:
        clauses.append(("show", "show " + ", ".join(map(_print_item, statement.show))))
    return clauses


def print_let(let: tree.Let) -> str:
    return f"let {print_name(let.name)} = {print_value(let.value, _CLASHING['let'])}"


def print_program(program: tree.Program) -> str:
    """Print a program as canonical text on one line."""
    statement = print_statement(program.statement)
    lets = " ".join(map(print_let, program.lets))
    return f"{lets}{separator(statement) if lets else ''}{statement}"


_OPENING = re.compile(r"\(|(?:abs|round|length|size)\(")


def separator(statement: str) -> str:
    """Return what stands between a `let` and a statement: a name before a bracket would be a lookup."""
    return "; " if _OPENING.match(statement) else " "
