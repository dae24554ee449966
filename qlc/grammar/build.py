"""Text to tree, where the text is a program: what each rule or alias of qlc.lark makes, of its span and children.

Other spellings end here: `is not null` becomes `exists`, `f not has x` becomes `not f has x`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, cast

from qlc.diagnostics import Span
from qlc.grammar import tree
from qlc.grammar.literals import date as date_text
from qlc.grammar.literals import number as number_value
from qlc.grammar.literals import unquoted, whole
from qlc.grammar.machine import Build, Machine, Token, TooDeep, TooLong, Unexpected, Unreadable, tokens
from qlc.grammar.problem import refuse
from qlc.grammar.tree import normal
from qlc.grammar.units import find_unit
from qlc.limits import MOST_PARTS


class Clause(NamedTuple):
    """One clause of a statement, by the name of the attribute that takes its value."""

    name: str
    value: Any
    span: Span


class Tail(NamedTuple):
    """What comes after the left side of a condition. Only `between` has two values, and presence none."""

    operator: str
    span: Span
    values: tuple[Any, ...] = ()
    negated: bool = False


# --- programs and statements -----------------------------------------------------------------------------------------


def _few(parts: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    """The parts of a clause, as many as one may have."""
    if len(parts) > MOST_PARTS:
        span = parts[MOST_PARTS].span
        refuse("too-long", f"a program has at most {MOST_PARTS} {what} in one place", span, "ask for fewer at a time")
    return parts


def _find(span: Span, entity: tree.Name | tree.EntityLookup, *clauses: Clause) -> tree.Find:
    return tree.Find(entity, **_attributes(clauses), span=span)


def _find_all(span: Span, entity: tree.Name, *clauses: Clause) -> tree.Find:
    """`all` says that every one is wanted, where nothing else says which."""
    found = _find(span, entity, *clauses)
    return found if found.where is not None or found.limit is not None else replace(found, every=True)


def _count_of(span: Span, entity: tree.Name, *clauses: Clause) -> tree.Aggregate:
    counted = tree.Measure("count", span=Span(span.start, span.start + len("count")))
    return _aggregate(span, (counted,), entity, clauses)


def _measures_of(span: Span, *parts: Any) -> tree.Aggregate:
    place = next(place for place, part in enumerate(parts) if isinstance(part, tree.Name))
    return _aggregate(span, _few(parts[:place], "measures"), parts[place], parts[place + 1 :])


def _aggregate(
    span: Span, measures: tuple[tree.Measure, ...], entity: tree.Name, clauses: tuple[Clause, ...]
) -> tree.Aggregate:
    attributes = _attributes(clauses)
    if "groups" not in attributes:
        for clause in clauses:
            if clause.name != "where":
                message = f"'{_word(clause)}' needs rows, and without 'by' there is one number"
                refuse("clause-needs-groups", message, clause.span, f"add 'by ...', or leave out '{_word(clause)}'")
    return tree.Aggregate(measures, entity, **attributes, span=span)


def _attributes(clauses: tuple[Clause, ...]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for clause in clauses:
        if clause.name in attributes:
            hint = "join the conditions with 'and'" if clause.name in ("where", "having") else "keep one of the two"
            refuse("repeated-clause", f"'{_word(clause)}' occurs twice here", clause.span, hint)
        attributes[clause.name] = clause.value
        if clause.name == "limit":
            attributes["limit_span"] = clause.span
    if "limit" in attributes:
        attributes["limit"], attributes["offset"] = attributes["limit"]
    return attributes


def _word(clause: Clause) -> str:
    return "by" if clause.name == "groups" else clause.name


def _whole(token: Token, word: str) -> int:
    return whole(token.text, token.span, word)


# --- measures, groups, conditions ------------------------------------------------------------------------------------


def _group(span: Span, key: tree.Path | tree.Group, top: Token | None = None) -> tree.Group:
    first = _whole(top, "top") if top else None
    if isinstance(key, tree.Path):
        return tree.Group(key, top=first, span=span)
    return tree.Group(key.path, key.function, key.arguments, first, span=span)


def _flat(kind: type[tree.And | tree.Or], items: tuple[tree.Condition, ...]) -> tuple[tree.Condition, ...]:
    """Brackets around an `and` inside an `and` say nothing."""
    if kind not in map(type, items):
        return items
    flat: list[tree.Condition] = []
    for item in items:
        flat += item.items if isinstance(item, tree.And | tree.Or) and isinstance(item, kind) else (item,)
    return tuple(flat)


def _compared(span: Span, left: tree.Path | tree.Cyclic | tree.Measure, tail: Tail) -> tree.Condition:
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
            refuse(
                "field-needed",
                f"'{operator}' applies to a field, not to a value computed from one",
                left.span,
                "write the field alone",
            )
        if operator == "within":
            return tree.Within(left, *values, span=span)
        return tree.Presence(left, operator == "missing", span=span)
    named = cast(tree.ComparisonOperator, operator)
    return tree.Comparison(left, named, values[0], operator_span=operator_span, span=span)


def _operator(span: Span, *words: Token) -> Tail:
    return Tail(_named(" ".join([word.text.lower() for word in words])), span)


def _named(operator: str) -> tree.ComparisonOperator:
    return _OTHER_OPERATORS.get(operator, operator)  # type: ignore[return-value]


_OTHER_OPERATORS = {
    "==": "=", "<>": "!=", "contains any": "has any", "contains all": "has all", "starts_with": "starts with",
    "ends_with": "ends with",
}  # fmt: skip


def _is(operator: str, span: Span, value: tree.Value) -> Tail:
    """`is x`, `is not x`."""
    return Tail(operator, Span(span.start, span.start + len("is")), (value,))


# --- values and names ------------------------------------------------------------------------------------------------


def _number(span: Span, token: Token, unit: Token | None = None) -> tree.Number:
    value, text = number_value(token.text, token.span)
    if unit is None:
        return tree.Number(value, text, span=span)
    found = find_unit(unit.text) or find_unit(unit.text.upper())  # `a` is no unit, and after a number it is A
    assert found is not None, "the words that can be units were taken from the list of units"
    return tree.Number(value, text, found.name, span=span)


def _relative(span: Span, which: Token, *rest: Token) -> tree.RelativePeriod:
    word = cast(Literal["this", "last", "next"], which.text.lower())
    unit = cast(tree.CalendarUnit, rest[-1].text.lower().removesuffix("s"))
    return tree.RelativePeriod(word, unit, _whole(rest[0], word) if len(rest) > 1 else None, span=span)


def _name(span: Span, token: Token) -> tree.Name:
    return tree.Name(normal(token.text.strip("`")), span=span)


def _segment(span: Span, token: Token, narrowed: tree.Condition | tree.String | None = None) -> tree.Segment:
    return tree.Segment(_name(token.span, token), narrowed, span=span)


def _plain_path(span: Span, token: Token) -> tree.Path:
    return tree.Path((tree.Segment(_name(span, token), span=span),), span=span)


def _segments(names: tuple[tree.Name, ...]) -> tuple[tree.Segment, ...]:
    return tuple([tree.Segment(name, span=name.span) for name in names])


BUILDERS: dict[str, Callable[..., Any]] = {
    # programs and statements
    "start": lambda span, *parts: tree.Program(parts[:-1], parts[-1], span=span),
    "let": lambda span, name, equal, value: tree.Let(name, value, span=span),
    "find": _find,
    "find_all": _find_all,
    "count_of": _count_of,
    "measures_of": _measures_of,
    "get": lambda span, *items: tree.Get(_few(items, "values"), span=span),
    "where": lambda span, condition: Clause("where", condition, span),
    "having": lambda span, condition: Clause("having", condition, span),
    "by": lambda span, *groups: Clause("groups", _few(groups, "groups"), span),
    "sort": lambda span, *keys: Clause("sort", _few(keys, "keys"), span),
    "show": lambda span, *paths: Clause("show", _few(paths, "fields"), span),
    "limit": lambda span, count, offset=None: Clause(
        "limit", (_whole(count, "limit"), _whole(offset, "offset") if offset else None), span
    ),
    # measures, groups, sort keys
    "count": lambda span, *word: tree.Measure("count", span=span),
    # `count(*)` where rows are named: the measure goes by the name `count` there
    "count_all": lambda span, word: tree.Path(_segments((tree.Name("count", span=span),)), span=span),
    "measured": lambda span, word, path, argument=None: tree.Measure(word.text.lower(), path, argument, span=span),
    "share": lambda span, word, condition: tree.Measure("share", condition=condition, span=span),
    "group": _group,
    "function": lambda span, word, path, *arguments: tree.Group(
        path, word.text.lower(), _few(arguments, "edges"), span=span
    ),
    "sort_key": lambda span, key: tree.SortKey(key, span=span),
    "falling": lambda span, key: tree.SortKey(key, descending=True, span=span),
    # conditions
    "condition": lambda span, *items: tree.Or(_flat(tree.Or, items), span=span),
    "conjunction": lambda span, *items: tree.And(_flat(tree.And, items), span=span),
    "negated": lambda span, item: tree.Not(item, span=span),
    "bare": lambda span, path: tree.Bare(path, span=span),
    "cyclic": lambda span, word, path: tree.Cyclic(word.text.lower(), path, span=span),
    "entity_text": lambda span, word, text, by=None: tree.EntityText(
        word.text.lower(), text, by and by.text.lower(), span=span
    ),
    "compared": _compared,
    "comparison": lambda span, left, word, value: tree.Comparison(
        left, _named(word.text.lower()), value, operator_span=word.span, span=span
    ),
    "operator": _operator,
    "two_words": _operator,
    "set_operator": _operator,
    "with_value": lambda span, operator, value: Tail(operator.operator, operator.span, (value,)),
    "tail_not": lambda span, tail: tail._replace(negated=True),
    "equals": partial(_is, "="),
    "differs": partial(_is, "!="),
    "missing": lambda span, *equal: Tail("missing", span),
    "exists": lambda span, *unequal: Tail("exists", span),
    "between": lambda span, low, high: Tail("between", span, (low, high)),
    "within": lambda span, distance, point: Tail("within", span, (distance, point)),
    "point": lambda span, latitude, longitude: tree.GeoPoint(latitude, longitude, span=span),
    # values
    "string": lambda span, token: tree.String(unquoted(token.text, token.start), span=span),
    "number": _number,
    "true": lambda span: tree.Boolean(True, span=span),
    "false": lambda span: tree.Boolean(False, span=span),
    "date": lambda span, token: tree.DateLiteral(date_text(token.text, span), span=span),
    "now": lambda span: tree.Now(span=span),
    "day": lambda span, word: tree.Day(word.text.lower(), span=span),
    "relative": _relative,
    "period_of": lambda span, word, value: tree.PeriodOf(word.text.lower(), value, span=span),
    "list": lambda span, *items: tree.ListValue(items, span=span),
    "lookup": lambda span, entity, text: tree.EntityLookup(_name(entity.span, entity), text, span=span),
    "subquery": lambda span, statement: tree.Subquery(statement, span=span),
    "parameter": lambda span, token: tree.Parameter(normal(token.text[1:]), span=span),
    "member": lambda span, base, names: tree.Member(base, names, span=span),
    "fields": lambda span, *names: names,
    # names
    "name": _name,
    "plain_path": _plain_path,
    "narrowed_path": lambda span, name, narrowed: tree.Path((_segment(span, name, narrowed),), span=span),
    "segment": _segment,
    "path": lambda span, *segments: tree.Path(segments, span=span),
    "dotted": lambda span, *names: tree.Path(_segments(names), span=span),
    "name_value": lambda span, path: tree.NameValue(path, span=span),
}
"""By the name of the rule or alias."""

STOPS = (Unexpected, Unreadable, TooDeep, TooLong)
"""What reading ends with where the text is no program."""


def read(source: str, builders: Mapping[str, Build] = BUILDERS) -> tree.Program:
    """The tree of a program. Raises one of STOPS, which tell where reading ended, and SyntaxProblem for a literal that
    is none; RequestFailed where the deadline that is set has passed (qlc/deadline.py)."""
    machine, comments = Machine(builders), list[tree.Comment]()
    machine.read(tokens(source, machine.states, comments))
    program = machine.values[0]
    assert isinstance(program, tree.Program)
    return replace(program, comments=tuple(comments)) if comments else program
