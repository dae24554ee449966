"""Builders of the syntax tree: one per rule or alias of qlc.lark, called with its span and children while Lark parses.

Alternative spellings are normalized here: `is not null` -> `exists`, `f not has x` -> `not f has x`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, cast, get_args

from lark import Token, Transformer

from qlc.base.currencies import CURRENCIES
from qlc.base.diagnostics import Span
from qlc.base.limits import MOST_PARTS
from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.literals import date as date_text
from qlc.grammar.literals import number as number_value
from qlc.grammar.literals import unquoted, whole
from qlc.grammar.problem import refuse
from qlc.grammar.tree import normal


class Clause(NamedTuple):
    """One clause of a statement, by the name of the attribute that takes its value; also the fields of a member."""

    name: str
    value: Any
    span: Span


class Tail(NamedTuple):
    """The right side of a condition. Only `between` has two values; `exists` and `missing` have none."""

    operator: str
    operator_span: Span
    span: Span
    values: tuple[Any, ...] = ()
    negated: bool = False


class Range(NamedTuple):
    """`500..599` after `in`."""

    low: tree.Value
    high: tree.Value
    span: Span


class Bracketed(NamedTuple):
    """A condition in brackets. The span of an enclosing `and` or `or` includes the brackets, its own span does not."""

    item: tree.Condition
    span: Span


# --- programs and statements -----------------------------------------------------------------------------------------


def _few(parts: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    """Check that a clause has no more parts than are allowed, and return them."""
    if len(parts) > MOST_PARTS:
        span = parts[MOST_PARTS].span
        refuse("too-long", f"a program has at most {MOST_PARTS} {what} in one place", span, "ask for fewer at a time")
    return parts


def _find(span: Span, entity: tree.Name | tree.EntityLookup, *clauses: Clause) -> tree.Find:
    return tree.Find(entity, **_attributes(clauses), span=span)


def _find_all(span: Span, entity: tree.Name, *clauses: Clause) -> tree.Find:
    """Build `find all E`: every document is asked for only if neither a condition nor a limit says otherwise."""
    found = _find(span, entity, *clauses)
    is_all = found.where is None and found.limit is None and found.top_per is None
    return replace(found, every=True) if is_all else found


def _count_of(span: Span, entity: tree.Name, *clauses: Clause) -> tree.Aggregate:
    counted = tree.Measure("count", span=Span(span.start, span.start + len("count")))
    return _aggregate(span, (counted,), entity, clauses)


def _measures_of(span: Span, *parts: Any) -> tree.Aggregate:
    place = next(place for place, part in enumerate(parts) if isinstance(part, tree.Name))
    return _aggregate(span, _few(parts[:place], "measures"), parts[place], parts[place + 1 :])


def _groups_of(span: Span, rows: tree.Aggregate) -> tree.Aggregate:
    if not rows.groups or rows.counted:
        hint = "add 'by ...' inside the brackets"
        refuse("clause-needs-groups", "'count groups of' counts rows, and without 'by' there are none", span, hint)
    return replace(rows, counted=True, clauses=(), span=span)


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
    attributes: dict[str, Any] = {"clauses": tuple([(clause.name, clause.span.start) for clause in clauses])}
    for clause in clauses:
        if clause.name in attributes:
            hint = "join the conditions with 'and'" if clause.name in ("where", "having") else "keep one of the two"
            refuse("repeated-clause", f"'{_word(clause)}' occurs twice here", clause.span, hint)
        attributes[clause.name] = clause.value
        if clause.name == "limit":
            attributes["limit_span"] = clause.span
    if "limit" in attributes:
        attributes["limit"], attributes["ties"], attributes["offset"] = attributes["limit"]
    return attributes


def _limit(count: Token, *rest: Token | Clause) -> tuple[int, bool, int | None]:
    """Return the limit, whether it is `with ties`, and the offset."""
    ties = bool(rest) and isinstance(rest[0], Clause)
    offset = next((one for one in rest if isinstance(one, Token)), None)
    return _whole(count, "limit"), ties, _whole(offset, "offset") if offset is not None else None


def _word(clause: Clause) -> str:
    return {"groups": "by", "top_per": "top"}.get(clause.name, clause.name)


def _whole(token: Token, word: str) -> int:
    return whole(token.value, _span(token), word)


def _span(token: Token) -> Span:
    return Span(token.start_pos or 0, token.end_pos or 0)


# --- measures, groups, conditions ------------------------------------------------------------------------------------


def _call(span: Span, word: Token, argument: tree.Operand, digits: Token | None = None) -> tree.Call:
    function = cast(Literal["abs", "round", "length", "size"], word.lower())
    return tree.Call(function, argument, _whole(digits, word) if digits else None, span=span)


def _group(span: Span, key: tree.Path | tree.Group, *rest: Token | Clause) -> tree.Group:
    group = tree.Group(key) if isinstance(key, tree.Path) else key
    empty = bool(rest) and isinstance(rest[0], Clause)
    top = next((_whole(one, "top") for one in rest if isinstance(one, Token)), None)
    return replace(group, top=top, empty=empty, span=span)


def _flat(kind: type[tree.And | tree.Or], items: tuple[tree.Condition, ...]) -> tuple[tree.Condition, ...]:
    """Flatten nested conditions of one kind: `(a and b) and c` -> `a and b and c`."""
    if kind not in map(type, items):
        return items
    flat: list[tree.Condition] = []
    for item in items:
        flat += item.items if isinstance(item, tree.And | tree.Or) and isinstance(item, kind) else (item,)
    return tuple(flat)


def _compared(span: Span, left: tree.Left, tail: Tail) -> tree.Condition:
    negated = tail.negated
    if negated and tail.operator in _OPPOSITES:
        tail, negated = tail._replace(operator=_OPPOSITES[tail.operator]), False
    condition = _condition(span, left, tail)
    return tree.Not(condition, span=span) if negated else condition


_OPPOSITES = {"in": "not in", "missing": "exists", "exists": "missing"}


def _condition(span: Span, left: tree.Left, tail: Tail) -> tree.Condition:
    operator, operator_span, _, values, _ = tail
    if operator == "between":
        return tree.Between(left, *values, span=span)
    if operator in ("missing", "exists", "overlaps", *get_args(tree.SpatialRelation)):
        if not isinstance(left, tree.Path):
            message = f"'{operator}' applies to a field, not to a value computed from one"
            refuse("field-needed", message, left.span, "write the field alone")
        if operator == "overlaps":
            return tree.Overlaps(left, *values, operator_span=operator_span, span=span)
        if values:
            relation = cast(tree.SpatialRelation, operator)
            return tree.Spatial(left, relation, *values, operator_span=operator_span, span=span)
        return tree.Presence(left, operator == "missing", span=span)
    named = cast(tree.ComparisonOperator, operator)
    return tree.Comparison(left, named, *values, operator_span=operator_span, span=span)


def _comparison(
    span: Span, left: tree.Path | tree.Cyclic | tree.Measure, word: Token, value: tree.Value, *within: Token
) -> tree.Comparison:
    if within:
        _with_value(span, _operator(_span(word), word), value, *within)
    return tree.Comparison(
        left, _named(word.lower()), value, *map(_places, within), operator_span=_span(word), span=span
    )


def _turned(span: Span, value: tree.Value, operator: Token, left: tree.Path | tree.Cyclic | tree.Measure) -> Any:
    """Build a comparison with its value on the left: `8 < n` -> `n > 8`."""
    named = _named(_TURNED.get(operator.value, operator.value))
    return tree.Comparison(left, named, value, operator_span=_span(operator), span=span)


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _places(number: Token | None) -> int | None:
    """Return the number after `mentions "..." within`."""
    return None if number is None else _whole(number, "within")


def _with_value(span: Span, operator: Tail, value: Any, within: Token | None = None) -> Tail:
    if within is not None:
        if operator.operator != "mentions":
            message = f"a number of words after 'within' belongs to 'mentions', not to '{operator.operator}'"
            refuse("unexpected", message, _span(within), "leave it out")
        return Tail(operator.operator, operator.span, span, (value, _places(within)))
    if not isinstance(value, Range):
        return Tail(operator.operator, operator.span, span, (value,))
    if operator.operator != "in":
        message = f"'{operator.operator}' takes a list, and a range comes after 'in'"
        refuse("list-brackets", message, value.span, "write 'between ... and ...', or a list: [1, 2, 3]")
    return Tail("between", span, span, (value.low, value.high))


def _operator(span: Span, *words: Token) -> Tail:
    return Tail(_named(" ".join([word.lower() for word in words])), span, span)


def _named(operator: str) -> tree.ComparisonOperator:
    return _OTHER_OPERATORS.get(operator, operator)  # type: ignore[return-value]


_OTHER_OPERATORS = {
    "==": "=", "<>": "!=", "contains any": "has any", "contains all": "has all",
    "contains only": "has only", "starts_with": "starts with",
    "ends_with": "ends with",
}  # fmt: skip


def _is(operator: str, span: Span, value: tree.Value) -> Tail:
    """Build the right side `is x` or `is not x`."""
    return Tail(operator, Span(span.start, span.start + len("is")), span, (value,))


def _spatial(relation: str, span: Span, area: tree.Area) -> Tail:
    return Tail(relation, Span(span.start, span.start + len(relation)), span, (area,))


def _overlaps(span: Span, low: tree.Value | Range, high: tree.Value | None = None) -> Tail:
    """Build the right side `overlaps 5 to 10`, `overlaps 5..10` or `overlaps last month`."""
    values = (low.low, low.high) if isinstance(low, Range) else (low, high)
    return Tail("overlaps", Span(span.start, span.start + len("overlaps")), span, values)


# --- values and names ------------------------------------------------------------------------------------------------


def _number(span: Span, token: Token, unit: Token | None = None) -> tree.Number:
    value, text = number_value(token.value, _span(token))
    if unit is None:
        return tree.Number(value, text, span=span)
    if unit.value in CURRENCIES:
        return tree.Number(value, text, unit.value, span=span)
    found = find_unit(unit.value) or find_unit(unit.upper())  # `a` is no unit, and after a number it is A
    assert found is not None, "the words that can be units were taken from the list of units"
    return tree.Number(value, text, found.name, span=span)


def _relative(span: Span, which: Token, *rest: Token) -> tree.RelativePeriod:
    word = cast(Literal["this", "last", "next"], which.lower())
    unit = cast(tree.CalendarUnit, rest[-1].lower().removesuffix("s"))
    return tree.RelativePeriod(word, unit, _whole(rest[0], word) if len(rest) > 1 else None, span=span)


def _name(span: Span, token: Token) -> tree.Name:
    return tree.Name(normal(token.value.strip("`")), span=span)


def _segment(span: Span, token: Token, narrowed: tree.Condition | tree.String | None = None) -> tree.Segment:
    return tree.Segment(_name(_span(token), token), narrowed, span=span)


def _plain_path(span: Span, token: Token) -> tree.Path:
    return tree.Path((tree.Segment(_name(span, token), span=span),), span=span)


def _segments(names: tuple[tree.Name, ...]) -> tuple[tree.Segment, ...]:
    return tuple([tree.Segment(name, span=name.span) for name in names])


def _opened(build: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a builder so that it receives conditions in brackets without the brackets."""
    return lambda span, *parts: build(span, *[part.item if part.__class__ is Bracketed else part for part in parts])


BUILDERS: dict[str, Callable[..., Any]] = {
    # programs and statements
    "start": lambda span, *parts: tree.Program(parts[:-1], parts[-1], span=span),
    "let": lambda span, name, equal, value: tree.Let(name, value, span=span),
    "find": _find,
    "find_all": _find_all,
    "count_of": _count_of,
    "measures_of": _measures_of,
    "groups_of": _groups_of,
    "get": lambda span, *items: tree.Get(_few(items, "values"), span=span),
    "where": _opened(lambda span, condition: Clause("where", condition, span)),
    "top_per": lambda span, count, *groups: Clause(
        "top_per", tree.Top(_whole(count, "top"), _few(groups, "groups"), span=span), span
    ),
    "group_key": _group,
    "having": _opened(lambda span, condition: Clause("having", condition, span)),
    "by": lambda span, *groups: Clause("groups", _few(groups, "groups"), span),
    "sort": lambda span, *keys: Clause("sort", _few(keys, "keys"), span),
    "show": lambda span, *paths: Clause("show", _few(paths, "fields"), span),
    "limit": lambda span, count, *rest: Clause("limit", _limit(count, *rest), span),
    "with_ties": lambda span, word: Clause("ties", True, span),
    # measures, groups, sort keys
    "count": lambda span, *word: tree.Measure("count", span=span),
    "named": lambda span, measure, alias: replace(measure, alias=alias, span=span),
    "calculation": lambda span, expression, alias=None: tree.Measure(
        "calculation", expression=expression, alias=alias, span=span
    ),
    "calculated": lambda span, expression, alias=None: tree.Calculated(expression, alias, span=span),
    # `count(*)` where rows are named: the measure goes by the name `count` there
    "count_all": lambda span, *word: tree.Path(_segments((tree.Name("count", span=span),)), span=span),
    "measured": lambda span, word, path, argument=None: tree.Measure(word.lower(), path, argument, span=span),
    "own_measure": lambda span, name: tree.Measure("named", _plain_path(span, name), span=span),
    "share": _opened(lambda span, word, condition: tree.Measure("share", condition=condition, span=span)),
    "total": lambda span, measure: replace(measure, total=True, span=span),
    "group": _group,
    "including_empty": lambda span: Clause("empty", True, span),
    "function": lambda span, word, path, *edges: tree.Group(path, word.lower(), _few(edges, "edges"), span=span),
    "sort_key": lambda span, key: tree.SortKey(key, span=span),
    "falling": lambda span, key: tree.SortKey(key, descending=True, span=span),
    # conditions
    "condition": _opened(lambda span, *items: tree.Or(_flat(tree.Or, items), span=span)),
    "conjunction": _opened(lambda span, *items: tree.And(_flat(tree.And, items), span=span)),
    "negated": _opened(lambda span, item: tree.Not(item, span=span)),
    "test": _opened(lambda span, item: Bracketed(item, span)),
    "bare": lambda span, path: tree.Bare(path, span=span),
    "cyclic": lambda span, word, path: tree.Cyclic(word.lower(), path, span=span),
    "entity_mentions": lambda span, word, text, within=None: tree.EntityText(
        word.lower(), text, within=_places(within), span=span
    ),
    "entity_text": lambda span, word, text, by="": tree.EntityText(word.lower(), text, by.lower() or None, span=span),
    "compared": _compared,
    "comparison": _comparison,
    "operator": _operator,
    "two_words": _operator,
    "set_operator": _operator,
    "turned": _turned,
    "with_value": _with_value,
    "tail": lambda span, tail: tail,
    "tail_not": lambda span, tail: tail._replace(negated=True),
    "equals": partial(_is, "="),
    "differs": partial(_is, "!="),
    "missing": lambda span, *equal: Tail("missing", span, span),
    "exists": lambda span, *unequal: Tail("exists", span, span),
    "between": lambda span, low, high: Tail("between", span, span, (low, high)),
    "within": partial(_spatial, "within"),
    "intersects": partial(_spatial, "intersects"),
    "disjoint": partial(_spatial, "disjoint"),
    "overlaps": _overlaps,
    "circle": lambda span, distance, center: tree.Circle(distance, center, span=span),
    "box": lambda span, top_left, bottom_right: tree.Box(top_left, bottom_right, span=span),
    "polygon": lambda span, *points: tree.Polygon(_few(points, "points"), span=span),
    "range": lambda span, low, high: Range(low, high, span),
    "point": lambda span, latitude, longitude: tree.GeoPoint(latitude, longitude, span=span),
    # arithmetic
    "arithmetic": lambda span, left, sign, right: tree.Arithmetic(sign.value, left, right, span=span),
    "negative": lambda span, sign, argument: tree.Call("negative", argument, span=span),
    "bracketed": lambda span, inside: replace(inside, span=span),
    "call": _call,
    "sized": _call,
    "counting": lambda span, word: tree.NameValue(
        tree.Path(_segments((tree.Name("count", span=span),)), span=span), span=span
    ),
    # values
    "string": lambda span, token: tree.String(unquoted(token.value, token.start_pos), span=span),
    "number": _number,
    "true": lambda span: tree.Boolean(True, span=span),
    "false": lambda span: tree.Boolean(False, span=span),
    "date": lambda span, token: tree.DateLiteral(date_text(token.value, span), span=span),
    "now": lambda span: tree.Now(span=span),
    "day": lambda span, word: tree.Day(word.lower(), span=span),
    "relative": _relative,
    "period_of": lambda span, word, value: tree.PeriodOf(word.lower(), value, span=span),
    "exactly": lambda span, text: tree.Exactly(text, span=span),
    "list": lambda span, *items: tree.ListValue(items, span=span),
    "lookup": lambda span, entity, text: tree.EntityLookup(_name(_span(entity), entity), text, span=span),
    "subquery": lambda span, statement: tree.Subquery(statement, span=span),
    "parameter": lambda span, token: tree.Parameter(normal(token.value[1:]), span=span),
    "member": lambda span, base, fields: tree.Member(base, fields.value, span=span),
    "fields": lambda span, *names: Clause("fields", names, span),
    # names
    "name": _name,
    "plain_path": _plain_path,
    "narrowed_path": _opened(lambda span, name, inside: tree.Path((_segment(span, name, inside),), span=span)),
    "segment": _opened(_segment),
    "path": lambda span, *segments: tree.Path(segments, span=span),
    "dotted": lambda span, *names: tree.Path(_segments(names), span=span),
    "name_value": lambda span, path: tree.NameValue(path, span=span),
}
"""The builder of each rule or alias, by its name."""

_KEPT = frozenset({
    "NAME", "STRING", "NUMBER", "UNIT", "DATE", "DAY", "PARAMETER", "PERIOD", "THIS", "LAST", "NEXT", "MEASURE",
    "MEASURE_NAME", "PERCENTILE", "SHARE", "COUNT_ALL", "CALENDAR", "MINUTE", "CYCLE", "BINS", "STEP",
    "MENTIONS_ALONE", "ABOUT_ALONE",
    "RANKING", "EQUAL", "UNEQUAL", "COMPARE", "HAS", "CONTAINS", "STARTS_WITH", "ENDS_WITH", "LIKE", "MATCHES",
    "MENTIONS", "UNDER", "STARTS", "ENDS", "WITH", "IN", "ALL", "ANY", "ONLY", "PREFIX", "ROUGHLY",
    "TURNED_STRING", "TURNED_NUMBER", "TURNED_DATE",
    "FIRST_NUMBER", "FIRST_DATE", "FIRST_DAY", "FIRST_YEAR", "COUNT_FIRST", "PLUS", "MINUS", "TIMES", "DIVIDED",
    "ABS", "ROUND", "SIZE",
})  # fmt: skip
"""Tokens that are passed to builders. All others only mark the form: `where`, commas, brackets."""


class TreeBuilder(Transformer[Token, tree.Program]):
    """Lark's callbacks. Lark calls one for each completed rule or alias, with all of its tokens and nodes."""

    def __getattr__(self, name: str) -> Callable[[list[Any]], Any]:
        if name not in BUILDERS:
            raise AttributeError(name)
        build = BUILDERS[name]

        def callback(children: list[Any]) -> Any:
            first, last = children[0], children[-1]
            start = first.start_pos if first.__class__ is Token else first.span[0]
            end = last.end_pos if last.__class__ is Token else last.span[1]
            kept = [child for child in children if child.__class__ is not Token or child.type in _KEPT]
            return build(_span_of((start, end)), *kept)

        return callback


_span_of: Callable[[tuple[Any, Any]], Span] = partial(tuple.__new__, Span)
"""Faster equivalent of `Span(start, end)`: a parse makes more spans than anything else."""
