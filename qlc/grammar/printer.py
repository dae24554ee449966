"""Printing: tree to canonical text on one line, with `parse(print_program(t)) == t`. formatting.py breaks lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import RESERVED, is_plain

Words = Collection[str]
_CLASHING: Mapping[str, Words] = {"has": ("all", "any", "only"), "matches": ("any", "prefix", "roughly"),
                                  "under": ("in",), "let": ("find", "count"), "count": ("of",),
                                  "sort": ("by",)}  # fmt: skip
"""Keywords that clash with a name after each word. There a name of this spelling needs backticks."""
_CALLS = frozenset({
    "find", "count", "sum", "avg", "min", "max", "median", "distinct", "percentile", "share", "minute", "hour", "day",
    "week", "month", "quarter", "year",
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
        case tree.DateLiteral(text) | tree.Day(text):
            return text
        case tree.Now():
            return "now"
        case tree.RelativePeriod(which, unit, count):
            return f"{which} {unit}" if count is None else f"{which} {count} {unit}{'' if count == 1 else 's'}"
        case tree.PeriodOf(unit, inside):
            return f"{unit}({print_value(inside)})"
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
        case tree.Within(left, distance, point):
            place = f"({print_number(point.latitude)}, {print_number(point.longitude)})"
            return f"{print_path(left)} within {print_number(distance)} of {place}"
        case tree.Bare(path):
            return print_path(path)
        case tree.EntityText(operator, text, by, within):
            return f"{operator} {print_value(text)}{f' by {by}' if by else ''}{_print_within(within)}"


def _print_within(places: int | None) -> str:
    return "" if places is None else f" within {places}"


def print_inside(condition: tree.Condition, looser: tuple[type[tree.Node], ...]) -> str:
    """Print a part of a condition, in brackets if it binds looser than the condition around it."""
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, looser) else text


def comparison_head(condition: tree.Comparison) -> str:
    return f"{print_left(condition.left)} {condition.operator}"


def print_left(left: tree.Path | tree.Cyclic | tree.Measure) -> str:
    match left:
        case tree.Path():
            return print_path(left)
        case tree.Cyclic():
            return f"{left.unit}({print_path(left.path)})"
        case tree.Measure():
            return print_measure(left)


# --- statements ------------------------------------------------------------------------------------------------------


def print_measure(measure: tree.Measure) -> str:
    if measure.condition is not None:
        return f"{measure.function}({print_condition(measure.condition)})"
    if measure.path is None:
        return measure.function
    argument = f", {print_number(measure.argument)}" if measure.argument is not None else ""
    return f"{measure.function}({print_path(measure.path)}{argument})"


def print_group(group: tree.Group) -> str:
    text = print_path(group.path)
    if group.function is not None:
        text = f"{group.function}({', '.join([text, *map(print_number, group.arguments)])})"
    return text if group.top is None else f"{text} top {group.top}"


def print_sort_key(key: tree.SortKey, clashing: Words = ()) -> str:
    match key.key:
        case tree.Path():
            text = print_path(key.key, clashing)
        case tree.Measure():
            text = print_measure(key.key)
        case tree.Group():
            text = print_group(key.key)
    return f"{text} desc" if key.descending else text


def print_statement(statement: tree.Statement) -> str:
    return " ".join([statement_head(statement), *(text for _, text in statement_clauses(statement))])


def statement_head(statement: tree.Statement) -> str:
    """Print a statement without its clauses."""
    match statement:
        case tree.Find():
            entity = statement.entity
            every = "all " if statement.every and statement.where is None and statement.limit is None else ""
            return f"find {every}{print_name(entity) if isinstance(entity, tree.Name) else print_value(entity)}"
        case tree.Aggregate():
            if statement.measures == (tree.Measure("count"),):
                return f"count {print_name(statement.entity, _CLASHING['count'])}"
            measures = ", ".join(print_measure(measure) for measure in statement.measures)
            return f"{measures} of {print_name(statement.entity)}"
        case tree.Get():
            return "get " + ", ".join(
                print_path(item) if isinstance(item, tree.Path) else print_value(item) for item in statement.items
            )


def statement_clauses(statement: tree.Statement) -> list[tuple[str, str]]:
    """Return the clauses in canonical order: the attribute of the tree that each prints, and its text."""
    if isinstance(statement, tree.Get):
        return []
    clauses = []
    if statement.where is not None:
        clauses.append(("where", f"where {print_condition(statement.where)}"))
    if isinstance(statement, tree.Aggregate):
        if statement.groups:
            clauses.append(("groups", "by " + ", ".join(print_group(group) for group in statement.groups)))
        if statement.having is not None:
            clauses.append(("having", f"having {print_condition(statement.having)}"))
    if statement.sort:
        first, *rest = statement.sort
        keys = [print_sort_key(first, _CLASHING["sort"]), *map(print_sort_key, rest)]
        clauses.append(("sort", "sort " + ", ".join(keys)))
    if statement.limit is not None:
        offset = f" offset {statement.offset}" if statement.offset is not None else ""
        clauses.append(("limit", f"limit {statement.limit}{offset}"))
    if isinstance(statement, tree.Find) and statement.show:
        clauses.append(("show", "show " + ", ".join(map(print_path, statement.show))))
    return clauses


def print_let(let: tree.Let) -> str:
    return f"let {print_name(let.name)} = {print_value(let.value, _CLASHING['let'])}"


def print_program(program: tree.Program) -> str:
    """Print a program as canonical text on one line."""
    return " ".join([*map(print_let, program.lets), print_statement(program.statement)])
