"""From the rules of the grammar to the tree: one function per rule or alias of qlc.lark, called with span and children.

Other spellings end here: `is not null` becomes `exists`, `f not has x` becomes `not f has x`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar, cast

from qlc.diagnostics import Span
from qlc.grammar import tree
from qlc.grammar.lexer import Token
from qlc.grammar.literals import date as date_text
from qlc.grammar.literals import number as number_value
from qlc.grammar.literals import unquoted, whole
from qlc.grammar.names import normal
from qlc.grammar.problem import refuse
from qlc.grammar.units import find_unit
from qlc.limits import MOST_PARTS

BUILDERS: dict[str, Callable[..., Any]] = {}
"""By the name of the rule or alias."""

F = TypeVar("F", bound=Callable[..., Any])


def _rule(function: F) -> F:
    BUILDERS[function.__name__.rstrip("_")] = function
    return function


# --- programs and statements -----------------------------------------------------------------------------------------


@_rule
def start(span: Span, *parts: Any) -> tree.Program:
    return tree.Program(parts[:-1], parts[-1], span=span)


@_rule
def let(span: Span, name: tree.Name, equal: Token, value: tree.Value) -> tree.Let:
    return tree.Let(name, value, span=span)


def _few(parts: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    """The parts of a clause, as many as one may have."""
    if len(parts) > MOST_PARTS:
        span = parts[MOST_PARTS].span
        refuse("too-long", f"a program has at most {MOST_PARTS} {what} in one place", span, "ask for fewer at a time")
    return parts


class Clause(NamedTuple):
    """One clause of a statement, by the name of the attribute that takes its value."""

    name: str
    value: Any
    span: Span


@_rule
def find(span: Span, entity: tree.Name | tree.EntityLookup, *clauses: Clause) -> tree.Find:
    return tree.Find(entity, **_attributes(clauses), span=span)


@_rule
def count_of(span: Span, entity: tree.Name, *clauses: Clause) -> tree.Aggregate:
    counted = tree.Measure("count", span=Span(span.start, span.start + len("count")))
    return _aggregate(span, (counted,), entity, clauses)


@_rule
def measures_of(span: Span, *parts: Any) -> tree.Aggregate:
    place = next(place for place, part in enumerate(parts) if isinstance(part, tree.Name))
    return _aggregate(span, _few(parts[:place], "measures"), parts[place], parts[place + 1 :])


def _aggregate(
    span: Span, measures: tuple[tree.Measure, ...], entity: tree.Name, clauses: tuple[Clause, ...]
) -> tree.Aggregate:
    attributes = _attributes(clauses)
    if "groups" not in attributes:
        for clause in clauses:
            if clause.name != "where":
                refuse(
                    "clause-needs-groups",
                    f"'{_word(clause)}' needs rows, and without 'by' there is one number",
                    clause.span,
                    f"add 'by ...', or leave out '{_word(clause)}'",
                )
    return tree.Aggregate(measures, entity, **attributes, span=span)


def _attributes(clauses: tuple[Clause, ...]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for clause in clauses:
        if clause.name in attributes:
            hint = "join the conditions with 'and'" if clause.name in ("where", "having") else "keep one of the two"
            refuse("repeated-clause", f"'{_word(clause)}' stands here twice", clause.span, hint)
        attributes[clause.name] = clause.value
        if clause.name == "limit":
            attributes["limit_span"] = clause.span
    if "limit" in attributes:
        attributes["limit"], attributes["offset"] = attributes["limit"]
    return attributes


def _word(clause: Clause) -> str:
    return "by" if clause.name == "groups" else clause.name


@_rule
def get(span: Span, *items: tree.Member | tree.Path) -> tree.Get:
    return tree.Get(_few(items, "values"), span=span)


@_rule
def where(span: Span, condition: tree.Condition) -> Clause:
    return Clause("where", condition, span)


@_rule
def having(span: Span, condition: tree.Condition) -> Clause:
    return Clause("having", condition, span)


@_rule
def by(span: Span, *groups: tree.Group) -> Clause:
    return Clause("groups", _few(groups, "groups"), span)


@_rule
def sort(span: Span, *keys: tree.SortKey) -> Clause:
    return Clause("sort", _few(keys, "keys"), span)


@_rule
def show(span: Span, *paths: tree.Path) -> Clause:
    return Clause("show", _few(paths, "fields"), span)


@_rule
def limit(span: Span, count: Token, offset: Token | None = None) -> Clause:
    return Clause("limit", (_whole(count, "limit"), _whole(offset, "offset") if offset else None), span)


def _whole(token: Token, word: str) -> int:
    return whole(token.text, Span(token.start, token.end), word)


# --- measures, groups, sort keys -------------------------------------------------------------------------------------


@_rule
def count(span: Span, word: Token | None = None) -> tree.Measure:
    return tree.Measure("count", span=span)


@_rule
def count_all(span: Span, word: Token) -> tree.Path:
    """`count(*)` where rows are named: the measure goes by the name `count` there."""
    return tree.Path((tree.Segment(tree.Name("count", span=span), span=span),), span=span)


@_rule
def measured(span: Span, word: Token, path: tree.Path, argument: tree.Number | None = None) -> tree.Measure:
    return tree.Measure(cast(tree.MeasureFunction, word.text.lower()), path, argument, span=span)


@_rule
def share(span: Span, word: Token, condition: tree.Condition) -> tree.Measure:
    return tree.Measure("share", condition=condition, span=span)


@_rule
def group(span: Span, key: tree.Path | tree.Group, top: Token | None = None) -> tree.Group:
    first = _whole(top, "top") if top else None
    if isinstance(key, tree.Path):
        return tree.Group(key, top=first, span=span)
    return tree.Group(key.path, key.function, key.arguments, first, span=span)


@_rule
def function(span: Span, word: Token, path: tree.Path, *arguments: tree.Number) -> tree.Group:
    edges = _few(arguments, "edges")
    return tree.Group(path, cast(tree.GroupFunction, word.text.lower()), edges, span=span)


@_rule
def sort_key(span: Span, key: tree.Path | tree.Measure | tree.Group) -> tree.SortKey:
    return tree.SortKey(key, span=span)


@_rule
def falling(span: Span, key: tree.Path | tree.Measure | tree.Group) -> tree.SortKey:
    return tree.SortKey(key, descending=True, span=span)


# --- conditions ------------------------------------------------------------------------------------------------------


@_rule
def condition(span: Span, *items: tree.Condition) -> tree.Or:
    return tree.Or(_flat(tree.Or, items), span=span)


@_rule
def conjunction(span: Span, *items: tree.Condition) -> tree.And:
    return tree.And(_flat(tree.And, items), span=span)


def _flat(kind: type[tree.And | tree.Or], items: tuple[tree.Condition, ...]) -> tuple[tree.Condition, ...]:
    """Brackets around an `and` inside an `and` say nothing."""
    if kind not in map(type, items):
        return items
    flat: list[tree.Condition] = []
    for item in items:
        flat += item.items if isinstance(item, tree.And | tree.Or) and isinstance(item, kind) else (item,)
    return tuple(flat)


@_rule
def negated(span: Span, item: tree.Condition) -> tree.Not:
    return tree.Not(item, span=span)


@_rule
def bare(span: Span, path: tree.Path) -> tree.Bare:
    return tree.Bare(path, span=span)


@_rule
def cyclic(span: Span, word: Token, path: tree.Path) -> tree.Cyclic:
    return tree.Cyclic(cast(tree.CyclicUnit, word.text.lower()), path, span=span)


@_rule
def entity_text(span: Span, word: Token, text: tree.String | tree.Parameter) -> tree.EntityText:
    return tree.EntityText(cast(Literal["mentions", "about"], word.text.lower()), text, span=span)


class Tail(NamedTuple):
    """What stands behind the left side of a condition. Only `between` has two values, and presence none."""

    operator: str
    span: Span
    values: tuple[Any, ...] = ()
    negated: bool = False


@_rule
def compared(span: Span, left: tree.Path | tree.Cyclic | tree.Measure, tail: Tail) -> tree.Condition:
    negated = tail.negated
    if negated and tail.operator in _OPPOSITES:
        tail, negated = tail._replace(operator=_OPPOSITES[tail.operator]), False
    condition = _condition(span, left, tail)
    return tree.Not(condition, span=span) if negated else condition


_OPPOSITES = {"in": "not in", "missing": "exists", "exists": "missing"}


def _condition(span: Span, left: tree.Path | tree.Cyclic | tree.Measure, tail: Tail) -> tree.Condition:
    operator, operator_span, values, _ = tail
    if operator == "between":
        return tree.Between(left, *values, span=span)
    if operator in ("missing", "exists", "within"):
        if not isinstance(left, tree.Path):
            refuse("field-needed", f"'{operator}' speaks of a field, not of what is computed from one", left.span,
                   "write the field alone")
        if operator == "within":
            return tree.Within(left, *values, span=span)
        return tree.Presence(left, operator == "missing", span=span)
    named = cast(tree.ComparisonOperator, operator)
    return tree.Comparison(left, named, values[0], operator_span=operator_span, span=span)


@_rule
def operator(span: Span, *words: Token) -> Tail:
    text = words[0].text.lower() if len(words) == 1 else " ".join([word.text.lower() for word in words])
    return Tail(_OTHER_OPERATORS.get(text, text), span)


set_operator = BUILDERS["set_operator"] = operator

_OTHER_OPERATORS = {
    "==": "=",
    "<>": "!=",
    "contains any": "has any",
    "contains all": "has all",
    "starts_with": "starts with",
    "ends_with": "ends with",
}


@_rule
def plain_tail(span: Span, operator: Tail, value: tree.Value) -> Tail:
    return Tail(operator.operator, operator.span, (value,))


@_rule
def tail_not(span: Span, tail: Tail) -> Tail:
    return tail._replace(negated=True)


@_rule
def equals(span: Span, value: tree.Value) -> Tail:
    return Tail("=", Span(span.start, span.start + len("is")), (value,))


@_rule
def differs(span: Span, value: tree.Value) -> Tail:
    return Tail("!=", Span(span.start, span.start + len("is")), (value,))


@_rule
def missing(span: Span, *equal: Token) -> Tail:
    return Tail("missing", span)


@_rule
def exists(span: Span, *unequal: Token) -> Tail:
    return Tail("exists", span)


@_rule
def between(span: Span, low: tree.Value, high: tree.Value) -> Tail:
    return Tail("between", span, (low, high))


@_rule
def within(span: Span, distance: tree.Number, point: tree.GeoPoint) -> Tail:
    return Tail("within", span, (distance, point))


@_rule
def point(span: Span, latitude: tree.Number, longitude: tree.Number) -> tree.GeoPoint:
    return tree.GeoPoint(latitude, longitude, span=span)


# --- values ----------------------------------------------------------------------------------------------------------


@_rule
def string(span: Span, token: Token) -> tree.String:
    return tree.String(unquoted(token.text, token.start), span=span)


@_rule
def number(span: Span, token: Token, unit: Token | None = None) -> tree.Number:
    value, text = number_value(token.text, Span(token.start, token.end))
    if unit is None:
        return tree.Number(value, text, span=span)
    found = find_unit(unit.text)
    assert found is not None, "the words that can be units were taken from the list of units"
    return tree.Number(value, text, found.name, span=span)


@_rule
def true(span: Span) -> tree.Boolean:
    return tree.Boolean(True, span=span)


@_rule
def false(span: Span) -> tree.Boolean:
    return tree.Boolean(False, span=span)


@_rule
def date(span: Span, token: Token) -> tree.DateLiteral:
    return tree.DateLiteral(date_text(token.text, span), span=span)


@_rule
def now(span: Span) -> tree.Now:
    return tree.Now(span=span)


@_rule
def day(span: Span, word: Token) -> tree.Day:
    return tree.Day(cast(Literal["yesterday", "today", "tomorrow"], word.text.lower()), span=span)


@_rule
def relative(span: Span, which: Token, *rest: Token) -> tree.RelativePeriod:
    word = cast(Literal["this", "last", "next"], which.text.lower())
    unit = cast(tree.CalendarUnit, rest[-1].text.lower().removesuffix("s"))
    return tree.RelativePeriod(word, unit, _whole(rest[0], word) if len(rest) > 1 else None, span=span)


@_rule
def period_of(span: Span, word: Token, value: tree.Value) -> tree.PeriodOf:
    return tree.PeriodOf(cast(tree.CalendarUnit, word.text.lower()), value, span=span)


@_rule
def list_(span: Span, *items: tree.Value) -> tree.ListValue:
    return tree.ListValue(items, span=span)


@_rule
def lookup(span: Span, entity: Token, text: tree.String | tree.Parameter) -> tree.EntityLookup:
    return tree.EntityLookup(name(Span(entity.start, entity.end), entity), text, span=span)


@_rule
def subquery(span: Span, statement: tree.Find | tree.Aggregate) -> tree.Subquery:
    return tree.Subquery(statement, span=span)


@_rule
def parameter(span: Span, token: Token) -> tree.Parameter:
    return tree.Parameter(normal(token.text[1:]), span=span)


@_rule
def member(
    span: Span, base: tree.EntityLookup | tree.Subquery | tree.Parameter, names: tuple[tree.Name, ...]
) -> tree.Member:
    return tree.Member(base, names, span=span)


@_rule
def fields(span: Span, *names: tree.Name) -> tuple[tree.Name, ...]:
    return names


# --- names -----------------------------------------------------------------------------------------------------------


@_rule
def name(span: Span, token: Token) -> tree.Name:
    return tree.Name(normal(token.text.strip("`")), span=span)


@_rule
def segment(span: Span, name: tree.Name, narrowed: tree.Condition | None = None) -> tree.Segment:
    return tree.Segment(name, narrowed, span=span)


@_rule
def path(span: Span, *segments: tree.Segment) -> tree.Path:
    return tree.Path(segments, span=span)


@_rule
def dotted(span: Span, *names: tree.Name) -> tree.Path:
    return tree.Path(tuple(tree.Segment(name, span=name.span) for name in names), span=span)


@_rule
def name_value(span: Span, path: tree.Path) -> tree.NameValue:
    return tree.NameValue(path, span=span)
