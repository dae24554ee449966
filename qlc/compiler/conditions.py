"""Conditions: each form is checked against the type of its field and lowered to a typed condition."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from qlc.base.diagnostics import Span, an
from qlc.base.units import base_of
from qlc.compiler import typed
from qlc.compiler.areas import area_of, spatial
from qlc.compiler.arithmetic import Calculation, Quantity, combined, computed_target, target_of
from qlc.compiler.catalog_conditions import condition_at
from qlc.compiler.context import (
    CATALOG_HINT,
    Check,
    Context,
    Refused,
    Scope,
    UsedLiteral,
    confidential,
    kind_of,
    list_of_elements,
)
from qlc.compiler.cycles import Bounds, cycle_condition
from qlc.compiler.names import Target, about_target, conflicting_types, in_element, placed, resolve, through, untied
from qlc.compiler.operators import has_gaps, no_operator
from qlc.compiler.ordering import between, ordered
from qlc.compiler.range_fields import contains, overlaps
from qlc.compiler.sources import id_field
from qlc.compiler.values import expand, one_of, referred, several, text_value
from qlc.grammar import SyntaxProblem, print_path, tree
from qlc.grammar.printer import print_computed, print_string
from qlc.mapping.fields import EXTENDED, NUMERIC, RANGES, FieldKind, MappedField
from qlc.mapping.schema import Field, NestedList

PATTERNS = ("contains", "starts with", "ends with", "like")


def check_condition(context: Context, node: tree.Condition, scope: Scope) -> typed.Condition:
    """Check a condition. All errors are recorded in the context; a wrong part becomes `All`."""
    check = _CHECKS.get(type(node))
    if check is not None:
        return context.attempt(check, node, scope)
    if isinstance(node, tree.And):
        return typed.And(tuple([check_condition(context, item, scope) for item in node.items]))
    if isinstance(node, tree.Or):
        return typed.Or(tuple([check_condition(context, item, scope.inner()) for item in node.items]))
    assert isinstance(node, tree.Not)
    return typed.Not(check_condition(context, node.item, scope.inner()))


def resolve_path(context: Context, path: tree.Path, scope: Scope) -> Target:
    return resolve(context, path, scope, check_condition)


def resolve_term(context: Context, term: tree.Path | tree.Computed, scope: Scope) -> Target:
    """Return what a path names, or a calculation as a computed field. Raises Refused."""
    return resolve_path(context, term, scope) if isinstance(term, tree.Path) else calculated(context, term, scope)


def calculated(context: Context, node: tree.Computed, scope: Scope) -> Target:
    return computed_target(context, node, scope, lambda path: resolve_path(context, path, scope))


def narrowed_readings(condition: typed.Condition) -> typed.Condition:
    """Pass the other conditions of a conjunction to each `a = b`, `weekday(f)` and `about` in it, so that these read
    fewer documents."""
    if not isinstance(condition, typed.And):
        return condition
    rest = tuple([part for part in condition.items if not isinstance(typed.unnegated(part), _COMPILED_OVER_DATA)])
    if not rest or len(rest) == len(condition.items):
        return condition
    others = rest[0] if len(rest) == 1 else typed.And(rest)
    return typed.And(tuple(_with_rest(part, others) for part in condition.items))


_COMPILED_OVER_DATA = (typed.SameValue, typed.OnCycle, typed.About)


def _with_rest(part: typed.Condition, rest: typed.Condition) -> typed.Condition:
    match part:
        case typed.Not(item=typed.SameValue() | typed.OnCycle() as item):
            return typed.Not(_with_rest(item, rest))
        case typed.SameValue():
            return typed.SameValue(replace(part.pairs, rest=rest))
        case typed.OnCycle():
            return replace(part, extent=replace(part.extent, rest=rest))
        case typed.About(nearest=typed.Nearest() as nearest):
            return replace(part, nearest=replace(nearest, rest=rest))
        case _:
            return part


def _left(context: Context, path: tree.Left, scope: Scope) -> Target:
    if isinstance(path, tree.Arithmetic | tree.Call):
        return calculated(context, path, scope)
    if isinstance(path, tree.Measure):
        raise Refused("measure-in-where", "a measure can only be compared in 'having'", path.span,
                      hint="'where' filters documents; 'having' filters the rows of a group")
    target = resolve_path(context, path.path if isinstance(path, tree.Cyclic) else path, scope)
    if isinstance(target.item, Field):
        _check_usable(target.item, path.span)
    return target


def _check_usable(field: Field, span: Span) -> None:
    if field.mapped.conflict:
        raise conflicting_types(field, span)
    if field.kind in (FieldKind.UNSUPPORTED, FieldKind.VECTOR) and not field.mapped.is_only_stored:
        raise Refused("unsupported-type", f"'{field.name}' is {an(field.mapped.es_type)}, which cannot be searched",
                      span, hint="only 'exists' and 'missing' work on it")
    if not field.mapped.indexed and not field.mapped.doc_values:
        raise Refused("not-searchable", f"'{field.name}' is stored but not indexed, so it cannot be searched", span,
                      hint="use another field")


def _comparison(context: Context, node: tree.Comparison, scope: Scope) -> typed.Condition:
    if isinstance(node.left, tree.Path | tree.Arithmetic | tree.Call):
        by_difference = _by_difference(context, node, node.left, scope)
        if by_difference is not None:
            return by_difference
    target = _left(context, node.left, scope)
    if isinstance(node.left, tree.Path) and isinstance(target.item, Field):
        _check_area_or_range(target.item, node)
    if isinstance(node.left, tree.Cyclic):
        unit = node.left.unit
        build = lambda field: cycle_condition(context, unit, field, node, target.scope)  # noqa: E731
    else:
        build = lambda field: _compare(context, field, node, target)  # noqa: E731
    try:
        if node.operator == "has all" and isinstance(node.left, tree.Path):
            return through(context, target, _has_all(context, node, target))
        if isinstance(node.left, tree.Path) and _is_of_a_whole_list(context, node, target):
            found = through(context, target, _has_only(context, node, target))
            return typed.Not(found) if node.operator == "!=" else found
        condition = about_target(context, target, build)
    except Refused as problem:
        raise placed(problem, node.left.span) from None
    return typed.Not(condition) if node.operator in ("!=", "not in") else condition


def _check_area_or_range(field: Field, node: tree.Comparison) -> None:
    """Refuse a comparison with a place, a shape or a range, but `contains` of a range."""
    if field.kind in EXTENDED and (field.kind not in RANGES or node.operator != "contains"):
        raise no_operator(field, node.operator, node.operator_span)


def _by_difference(
    context: Context, node: tree.Comparison, left: tree.Path | tree.Computed, scope: Scope
) -> typed.Condition | None:
    """Compare what two sides calculate from fields, by their difference: `shipped > ordered + 3 days`.

    None for a right side without fields of numbers or dates.
    """
    right = expand(context, node.right) if isinstance(node.right, tree.NameValue) else node.right
    if isinstance(right, tree.NameValue):
        other = _other_field(context, right, Target(_NO_ITEM, scope, ""))
        if other is None or other.kind not in (*NUMERIC, FieldKind.DATE):
            return None
    elif not isinstance(right, tree.Arithmetic | tree.Call):
        return None
    elif isinstance(left, tree.Path):
        _check_is_no_text(context, resolve_path(context, left, scope), right)
    calculation = Calculation(context, lambda path: resolve_path(context, path, scope))
    second = calculation.quantity(right)
    if not second.fields:
        return None
    first = calculation.quantity(left)
    apart = tree.Arithmetic("-", left, right, span=node.span)
    target = target_of(combined("-", first, second, apart), print_computed(apart), scope, node.span)
    zero = (typed.Literal(0),)
    bounds = _bounds_of_days(node.operator, first, second)
    if bounds:
        condition = about_target(context, target, lambda field: typed.Compare(field, bounds))
        return typed.Not(condition) if node.operator == "!=" else condition
    if node.operator in ("=", "!="):
        same = about_target(context, target, lambda field: typed.Equals(field, zero))
        return typed.Not(same) if node.operator == "!=" else same
    if node.operator not in ("<", "<=", ">", ">="):
        raise Refused("wrong-operator", f"'{node.operator}' does not compare calculations", node.operator_span,
                      hint="write =, !=, <, <=, > or >=")
    operator: typed.RangeOperator = node.operator
    return about_target(context, target, lambda field: typed.Compare(field, ((operator, zero[0]),)))


def _bounds_of_days(operator: str, left: Quantity, right: Quantity) -> Bounds:
    """Return how `left - right` in days compares where one side is a field of whole days and the other a moment.

    A day is a period here, as in `shipped > 2026-03-13`: later than it is after its end. Empty where both sides are
    moments, or days, or the day is calculated with.
    """
    if _is_day(left) == _is_day(right) or not (left.is_date and right.is_date):
        return ()
    begins, ends = typed.Literal(0), typed.Literal(-1 if _is_day(left) else 1)
    named: dict[str, Bounds] = {
        ">": ((">=", ends),), "<=": (("<", ends),), "=": ((">=", begins), ("<", ends)),
    } if _is_day(right) else {
        "<": (("<=", ends),), ">=": ((">", ends),), "=": ((">", ends), ("<=", begins)),
    }  # fmt: skip
    return named.get("=" if operator == "!=" else operator, ())


def _is_day(side: Quantity) -> bool:
    return isinstance(side.expression, typed.FieldValue) and side.expression.field.whole_days


def _check_is_no_text(context: Context, target: Target, right: tree.Computed) -> None:
    """Refuse a calculation that is compared with a text: `name = foo-bar` has no quotes."""
    if not isinstance(target.item, Field) or target.item.kind not in (FieldKind.KEYWORD, FieldKind.TEXT):
        return
    text = context.source[right.span.start : right.span.end] or print_computed(right)
    raise Refused("unquoted-text", f"'{target.name}' holds texts, and {text} would be calculated: a text has quotes",
                  right.span, hint=f'write "{text}"', replacement=f'"{text}"')


_NO_ITEM = Field("", typed.NO_FIELD, typed.NO_FIELD.kind)


def _compare(context: Context, field: Field, node: tree.Comparison, target: Target) -> typed.Condition:
    return _in_its_unit(context, field, _compared(context, field, node, target), target, node.right)


def _in_its_unit(
    context: Context, field: Field, condition: typed.Condition, target: Target, *values: tree.Value
) -> typed.Condition:
    """Restrict a comparison to amounts of the same measure, if the field holds several: `weight > 5 kg` skips litres,
    `amount > 5 EUR` dollars. Raises Refused where the caller may not see the units."""
    if field.base_units is None and field.unit_field is None:
        return condition
    parts = [part for value in values for part in (value.items if isinstance(value, tree.ListValue) else (value,))]
    units = {part.unit for part in parts if isinstance(part, tree.Number) and part.unit is not None}
    if not units:
        return condition
    if field.base_units is None:
        beside = target.element.fields if target.element is not None else {}
        unit = beside.get(field.unit_field or "") or target.scope.entity.fields.get(field.unit_field or "")
        if unit is None or not context.permits(unit.guards):
            raise confidential(field.unit_field or field.name, values[0].span)
        return typed.And((condition, equality(unit, tuple(typed.Literal(one) for one in sorted(units)))))
    bases = tuple(sorted(map(base_of, units)))
    return typed.And((condition, typed.Equals(field.base_units, tuple(map(typed.Literal, bases)))))


def _compared(context: Context, field: Field, node: tree.Comparison, target: Target) -> typed.Condition:
    operator, scope = node.operator, target.scope
    if operator in ("has", "has any") and field.many is False and target.element is None:
        instead = "=" if operator == "has" else "in"
        raise Refused("wrong-operator", f"'{field.name}' holds one value, and '{operator}' is for lists",
                      node.operator_span, hint=f"write '{instead}'", replacement=instead)
    if operator in ("=", "!=", "has"):
        return _equals(context, field, node, target)
    if operator in ("in", "not in", "has any"):
        _check_exact(field, node)
        return equality(field, several(context, node.right, field, scope))
    if operator in ("<", "<=", ">", ">="):
        return ordered(context, field, node, scope)
    if field.kind in RANGES:
        return contains(context, field, node, scope)
    if operator in PATTERNS:
        return _pattern(context, field, node, scope)
    if operator == "mentions" or operator in _WORDS:
        return _full_text(context, field, node)
    return _under(context, field, node, scope)


def _has_all(context: Context, node: tree.Comparison, target: Target) -> typed.Condition:
    field = target.item
    if isinstance(field, NestedList):
        raise list_of_elements(field, "compare", field.name, f"{field.name}.")
    if field.many is False and target.element is None:
        raise Refused("wrong-operator", f"'{field.name}' holds one value, so it cannot have all of several",
                      node.operator_span, hint="write 'in' if one of them is enough")
    _check_exact(field, node)
    right = expand(context, node.right)
    if isinstance(right, tree.ListValue) and len(right.items) > 1:
        # One of each: a named group stands for any of its values.
        each = context.each(lambda item: equality(field, one_of(context, item, field, target.scope)), right.items)
        return typed.And(tuple(in_element(target, part) for part in each))
    values = several(context, right, field, target.scope)
    element = target.element if target.element is not None and target.element.tied else None
    return typed.HasAll(field, values, field.folds, element, target.narrowed)


def _is_of_a_whole_list(context: Context, node: tree.Comparison, target: Target) -> bool:
    """Whether a comparison is on all values of a list: `has only [..]`, `tags = ["a", "b"]`."""
    if node.operator == "has only":
        return True
    if node.operator not in ("=", "!=") or not isinstance(target.item, Field):
        return False
    right = expand(context, node.right)
    is_list = target.item.many or target.element is not None  # else 'in' may have been meant
    return bool(is_list) and has_gaps(target.item) and isinstance(right, tree.ListValue) and bool(right.items)


def _has_only(context: Context, node: tree.Comparison, target: Target) -> typed.Condition:
    """Check `has only [..]`: a value is one of these, and none is another. `= [..]`: it has each of them, too."""
    field = target.item
    if isinstance(field, NestedList):
        raise list_of_elements(field, "compare", field.name, f"{field.name}.")
    if field.many is False and target.element is None:
        raise Refused("wrong-operator", f"'{field.name}' holds one value, and '{node.operator}' is for lists",
                      node.operator_span, hint="write 'in'", replacement="in")
    _check_exact(field, node)
    if not has_gaps(field) or (target.element is not None and not target.element.tied):
        raise no_operator(field, node.operator, node.operator_span)
    values = several(context, node.right, field, target.scope)
    has = equality(field, values) if node.operator == "has only" else None
    some = in_element(target, has) if has is not None else _has_all(context, node, target)
    return typed.And((some, typed.Not(in_element(target, typed.Outside(field, values, field.folds)))))


def equality(field: Field, values: tuple[typed.Value, ...]) -> typed.Condition:
    if field.kind is not FieldKind.DATE:
        return typed.Equals(field, values, field.folds)
    periods = tuple(typed.InPeriod(field, value) for value in values if not isinstance(value, typed.Literal))
    return periods[0] if len(periods) == 1 else typed.Or(periods)


def _check_exact(field: Field, node: tree.Comparison) -> None:
    if field.kind is FieldKind.TEXT:
        raise Refused("no-exact-value", f"'{field.name}' is full text and has no exact value to compare with",
                      node.operator_span,
                      hint=f"write 'not {field.name} mentions ...'" if node.operator in ("!=", "not in") else
                      "write 'mentions' for a phrase, 'matches' for words")


def _equals(context: Context, field: Field, node: tree.Comparison, target: Target) -> typed.Condition:
    _check_exact(field, node)
    other = _other_field(context, node.right, target)
    if other is not None:
        return _same_value(field, other, target, node.right.span)
    return equality(field, one_of(context, node.right, field, target.scope))


def _other_field(context: Context, value: tree.Value, target: Target) -> Field | None:
    """Return the other field in `a = b`, if the bare name `b` is neither a binding nor a constant."""
    if not isinstance(value, tree.NameValue) or value.path.segments[0].name.text in context.lets:
        return None
    name = value.path.segments[0].name.text
    reference = target.field.reference if target.field is not None else None
    if reference is not None and name in reference.constants:
        return None
    try:
        other = resolve_path(context, value.path, target.scope)
    except Refused:
        return None
    if other.through or other.element is not None or isinstance(other.item, NestedList):
        raise Refused("not-comparable", "only two fields of the same entity can be compared", value.span,
                      hint="compare with a value, or with (find ...).field")
    return other.item


def _same_value(left: Field, right: Field, target: Target, span: Span) -> typed.Condition:
    both = (left, right)
    if target.through or target.element is not None or target.scope.element is not None:
        raise Refused("not-comparable", "two fields can be compared only if both belong to the entity itself", span,
                      hint="compare with a value, or with (find ...).field")
    if {f.kind for f in both} not in ({FieldKind.KEYWORD}, {FieldKind.BOOLEAN}):
        raise Refused("not-comparable", f"'{left.name}' and '{right.name}' cannot be compared with each other", span,
                      hint="only two keyword fields or two booleans can")
    if any(f.many for f in both):
        raise Refused("not-comparable", "a list cannot be compared with another field", span,
                      hint="only fields with one value can")
    return typed.SameValue(typed.Pairs(target.scope.entity, left, right, typed.All(), span=span))


def _pattern(context: Context, field: Field, node: tree.Comparison, scope: Scope) -> typed.Condition:
    operator = node.operator
    if field.kind is FieldKind.TEXT and operator == "contains":
        return typed.Mentions((field,), text_value(context, node.right, operator))
    if field.kind is not FieldKind.KEYWORD:
        raise no_operator(field, operator, node.operator_span)
    if field.mapped.es_type == "flattened" and operator != "starts with":
        # Elasticsearch has no wildcard query on a key of a flattened field.
        raise no_operator(field, operator, node.operator_span, "only its beginning: 'starts with'")
    text = text_value(context, node.right, operator, blank=True)
    field = _by_name(context, field)
    if isinstance(text, typed.Literal) and not context.expanding and _looks_wild(operator, str(text.value)):
        plain: Any = operator
        context.literals.append(UsedLiteral(scope.entity, field, str(text.value), node.right.span, plain))
    return typed.Pattern(field, operator, text)  # type: ignore[arg-type]


def _looks_wild(operator: str, text: str) -> bool:
    """Whether a text has `*` or `?`, which are wildcards for other operators but not for this one."""
    wild = any(character in text for character in "*?")
    return "%" in text and not wild if operator == "like" else wild


def _by_name(context: Context, field: Field) -> Field:
    """Return the field of the name stored beside a reference, which patterns match. Raises Refused if there is none."""
    if field.reference is None:
        return field
    if field.reference.name_at is None:
        entity = context.schema.entity(field.reference.entity)
        raise Refused("no-name-beside", f"'{field.name}' holds ids, so a part of a name cannot be found in it",
                      hint=f"use {field.name} in (find {entity.plural} where name contains ...)")
    return replace(field, name=f"{field.name}.name", mapped=field.reference.name_at, reference=None)


def _full_text(context: Context, field: Field, node: tree.Comparison) -> typed.Condition:
    field = _by_name(context, field)
    if field.mapped.analysed is None:
        hint = "use 'contains' for a part of the value" if field.kind is FieldKind.KEYWORD else ""
        raise no_operator(field, node.operator, node.operator_span, hint)
    text = text_value(context, node.right, node.operator)
    _check_wild(text, node, field)
    if node.operator == "mentions":
        return typed.Mentions((field,), text, node.within or 0)
    return typed.Matches(field, text, _WORDS[node.operator])


_WORDS: dict[str, typed.Words] = {
    "matches": "all", "matches any": "any", "matches prefix": "prefix", "matches roughly": "roughly",
}  # fmt: skip
"""The words of a text that a document must have, by operator."""
_BEGINNING = re.compile(r"(\w+)\*")


def _check_wild(
    text: typed.Literal | typed.Param, node: tree.Comparison | tree.EntityText, field: Field | None
) -> None:
    """Refuse `*` and `?` of a pattern, which the index drops from words: `matches "secret*"`."""
    if not isinstance(text, typed.Literal) or not typed.looks_wild(str(text.value)):
        return
    begun = _BEGINNING.fullmatch(str(text.value))
    if isinstance(node, tree.Comparison) and begun and field is not None:
        span, fixed = Span(node.operator_span.start, node.span.end), f"matches prefix {print_string(begun[1])}"
        raise Refused("no-wildcards", f"'{node.operator}' looks for whole words, and '*' is in none of them", span,
                      hint=f"write {fixed}", replacement=fixed)
    hint = "write 'matches prefix' for the beginning of a word, and a space in place of a plain sign"
    if field is not None and field.kind is FieldKind.KEYWORD:
        hint = f"write {field.name} like {print_string(str(text.value))} for a pattern of the whole value"
    raise Refused("no-wildcards", f"'{node.operator}' looks for whole words, and '*' and '?' are in none of them",
                  node.span, hint=hint)


def _under(context: Context, field: Field, node: tree.Comparison, scope: Scope) -> typed.Condition:
    entity = referred(context, field, scope)
    parent = entity.fields.get(entity.parent) if entity is not None and entity.parent else None
    if entity is None or parent is None or parent.reference is None:
        raise no_operator(field, node.operator, node.operator_span)
    if scope.element is not None:
        raise Refused("wrong-operator", "'under' does not apply to an element of a list", node.operator_span,
                      hint=f"write '{field.name} in (find {entity.plural} where ...)'")
    reads = several if node.operator == "under in" else one_of
    if isinstance(node.right, tree.NameValue) and node.right.path.segments[0].name.text in parent.reference.constants:
        return typed.All()
    values = reads(context, node.right, field, scope)
    if field.reference is None or field.reference.ancestors is not None or field is parent:
        stored = (field.reference or parent.reference).ancestors
        below = None if stored is not None else typed.Descendants(entity, parent, values, span=node.span)
        return typed.Under(field, stored, values, below)
    # A reference that keeps no ancestors of its own: what it refers to lies below, which its entity knows.
    stored = parent.reference.ancestors
    below = None if stored is not None else typed.Descendants(entity, parent, values, span=node.span)
    inside = typed.Under(id_field(entity), stored, values, below)
    return typed.Equals(field, (typed.Taken(typed.Search(typed.Find(entity, inside)), one=False),))


def _between(context: Context, node: tree.Between, scope: Scope) -> typed.Condition:
    target = _left(context, node.left, scope)
    try:
        if isinstance(node.left, tree.Cyclic):
            unit = node.left.unit
            return about_target(context, target, lambda f: cycle_condition(context, unit, f, node, target.scope))
        return about_target(
            context, target, lambda f: _in_its_unit(
                context, f, between(context, f, node, target.scope), target, node.low, node.high)
        )
    except Refused as problem:
        raise placed(problem, node.left.span) from None


def _presence(context: Context, node: tree.Presence, scope: Scope) -> typed.Condition:
    target = resolve_path(context, node.left, scope)
    item = target.item
    if isinstance(item, NestedList):
        found: typed.Condition = typed.Element(item, target.narrowed or typed.All())
        if not item.tied:
            # A list of plain objects exists where one of its fields does.
            whole = Field(item.name, MappedField(item.path, "object", FieldKind.UNSUPPORTED), FieldKind.UNSUPPORTED)
            open_to_all = context.permits(scope.entity.guards.of(item.path, scope.entity.mapping))
            asked = [whole] if open_to_all else [one for one in item.fields.values() if context.permits(one.guards)]
            if not asked:
                raise confidential(item.name, node.left.span)
            found = typed.Exists(asked[0]) if len(asked) == 1 else typed.Or(tuple(map(typed.Exists, asked)))
        condition = through(context, target, found)
    else:
        if item.mapped.is_only_stored:
            _check_usable(item, node.left.span)
        constants = item.reference.constants if item.reference is not None else {}
        if node.missing and constants and not target.through:
            name = next(iter(constants))
            raise Refused("constant-not-missing", f"'{item.name}' is never missing: it holds {name} instead", node.span,
                          hint=f"write {print_path(node.left)} = {name}",
                          replacement=f"{print_path(node.left)} = {name}")
        condition = about_target(context, target, typed.Exists)
    return typed.Not(condition) if node.missing else condition


def _spatial(context: Context, node: tree.Spatial, scope: Scope) -> typed.Condition:
    target = _left(context, node.left, scope)
    area = area_of(node.area)
    return about_target(context, target, lambda field: spatial(field, node, area))


def _overlaps(context: Context, node: tree.Overlaps, scope: Scope) -> typed.Condition:
    target = _left(context, node.left, scope)
    return about_target(context, target, lambda field: overlaps(context, field, node, target.scope))


def _bare(context: Context, node: tree.Bare, scope: Scope) -> typed.Condition:
    segments = node.path.segments
    name = segments[0].name.text
    if len(segments) == 1 and segments[0].narrowed is None and scope.element is None:
        named = scope.entity.conditions.get(name)
        if named is not None:
            return named_condition(context, scope, name, named, node.span)
    target = resolve_path(context, node.path, scope)
    item = target.item
    if isinstance(item, NestedList):
        if target.narrowed is None:
            raise Refused("not-a-condition", f"'{item.name}' is a list of elements, not a condition", node.span,
                          hint=f"write '{item.name} exists' or '{item.name}[...]'")
        if not item.tied:
            if isinstance(target.narrowed, typed.And | typed.Or | typed.Not):
                raise placed(untied(item), node.span)
            return through(context, target, target.narrowed)
        return through(context, target, typed.Element(item, target.narrowed))
    if item.kind is not FieldKind.BOOLEAN:
        raise Refused("not-a-condition", f"'{print_path(node.path)}' is {kind_of(item)}, not a condition", node.span,
                      hint=f"compare it with a value, or write '{print_path(node.path)} exists'")
    return about_target(context, target, lambda field: typed.Equals(field, (typed.Literal(True),)))


def named_condition(context: Context, scope: Scope, name: str, text: str, span: Span) -> typed.Condition:
    """Check a named condition of the catalog as if its text stood here in brackets."""
    kept = context.named.get((scope.entity.name, name))
    if kept is not None:
        return kept
    found = len(context.diagnostics)
    try:
        with context.inside(f"condition '{name}'"):
            condition = check_condition(context, condition_at(text, span), scope.inner())
        if len(context.diagnostics) == found:  # else each place is reported
            context.named[scope.entity.name, name] = condition
        return condition
    except Refused as problem:
        raise placed(problem, span) from None
    except SyntaxProblem as problem:
        message = f"the condition '{name}' of the catalog cannot be read: {problem.diagnostic.message}"
        raise Refused(problem.diagnostic.code, message, span,
                      hint=CATALOG_HINT) from None


def _entity_text(context: Context, node: tree.EntityText, scope: Scope) -> typed.Condition:
    text = text_value(context, node.text, node.operator)
    if scope.element is not None:
        elements = scope.element.fields.values()
        fields = tuple(f for f in elements if f.mapped.analysed is not None and context.permits(f.guards))
    else:
        fields = scope.entity.text
    if not fields and not (scope.element is not None and node.operator == "about"):
        what = scope.entity.plural if scope.element is None else f"elements of '{scope.element.name}'"
        raise Refused("no-text-fields", f"{what} have no text to search", node.span, hint="use 'contains' on a field")
    if node.operator == "mentions":
        _check_wild(text, node, None)
        return typed.Mentions(fields, text, node.within or 0)
    if not scope.ranked_allowed:
        raise Refused("about-not-here", "'about' ranks the whole answer, so it is used once, at the top of 'find'",
                      node.span, hint="join it to the other conditions with 'and', or use 'mentions'")
    entity = scope.entity
    passages = context.schema.entity(entity.passages.entity) if entity.passages is not None else None
    vector = (passages or entity).vector
    nearest = None
    if passages is not None:
        nearest = typed.Nearest(entity, passages, vector, text, node.by, typed.All(), span=node.span)
    if node.by in ("meaning", "both") and vector is None:
        raise Refused("no-vectors", f"{entity.plural} have no vectors, so they cannot be ranked by meaning", node.span,
                      hint="write 'by words', or leave it out")
    return typed.About(fields, text, vector, node.by, nearest)


_CHECKS: dict[type, Check] = {
    tree.Comparison: _comparison,
    tree.Between: _between,
    tree.Presence: _presence,
    tree.Spatial: _spatial,
    tree.Overlaps: _overlaps,
    tree.Bare: _bare,
    tree.EntityText: _entity_text,
}
"""The check of each condition that contains no other conditions."""

