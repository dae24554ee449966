"""Measures: a function of a field, a share, or one of the catalog, with the unit in which its numbers are told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from qlc.base.diagnostics import Span
from qlc.base.words.spelling import did_you_mean, nearest
from qlc.compiler import typed
from qlc.compiler.catalog_conditions import measure_at
from qlc.compiler.conditions import check_condition, resolve_term
from qlc.compiler.context import Context, Refused, Scope, confidential, kind_of, list_of_elements
from qlc.compiler.names import Target, check_values
from qlc.grammar import print_measure, tree
from qlc.grammar.printer import print_term
from qlc.grammar.tree import mapped
from qlc.mapping.fields import NO_EXACT_VALUES, NUMERIC, FieldKind
from qlc.mapping.names import find_own
from qlc.mapping.schema import Computed, Entity, Field, NestedList


def by_its_name(context: Context, node: tree.Measure, entity: Entity) -> tree.Measure:
    """Return a measure of the catalog under its own name, which the program may call by a synonym. Raises Refused."""
    if node.function != "named":
        return node
    assert isinstance(node.path, tree.Path)
    name = node.path.segments[0].name
    found = _measure(entity, name)
    if not context.permits(found.guards):
        raise confidential(found.name, node.span)
    if found.name == name.text:
        return node
    path = replace(node.path, segments=(tree.Segment(replace(name, text=found.name), span=name.span),))
    context.rewrites[node.path.span] = path
    return replace(node, path=path)


def _measure(entity: Entity, name: tree.Name) -> Computed:
    if (found := entity.measure(name.text)) is not None:
        return found
    if (own := find_own(entity, name.text)) is not None:
        hint = f"write what of it: sum({own.name}), avg({own.name}) or distinct({own.name})"
        raise Refused("unknown-measure", f"'{own.name}' is a field of each {entity.name}, not a measure", name.span,
                      hint=hint)
    near = nearest(name.text, [one.name for one in entity.measures if not one.guards])
    hint = did_you_mean(near) or "write count, or a function of a field, such as sum(...) or avg(...)"
    raise Refused("unknown-measure", f"{entity.plural} have no measure '{name.text}'", name.span, hint=hint,
                  suggestions=tuple(near), replacement=near[0] if len(near) == 1 else None)


def is_calculation(node: tree.Measure, entity: Entity) -> bool:
    """Whether a measure is calculated from others: `sum(cost) / count`, or one of the catalog that is."""
    while node.function == "named":
        node = expanded(node, entity)
    return node.expression is not None


def expanded(node: tree.Measure, entity: Entity) -> tree.Measure:
    """Return the tree that a measure of the catalog stands for; `total` is of each measure in it. Raises Refused."""
    assert isinstance(node.path, tree.Path)
    name = node.path.segments[0].name
    meant = measure_at(_measure(entity, name).text, node.span)
    return _totals(meant) if node.total else meant


def _totals(measure: tree.Measure) -> tree.Measure:
    """Return a measure over all rows: `sum(a) / count` -> `total(sum(a)) / total(count)`."""

    def total(node: tree.Node) -> tree.Node | None:
        if isinstance(node, tree.Measure) and node.expression is None:
            return replace(node, total=True)
        if isinstance(node, tree.NameValue | tree.Path):
            path = node.path if isinstance(node, tree.NameValue) else node
            is_count = path.segments[0].name.text == "count"
            found = tree.Measure("count") if is_count else tree.Measure("named", path)
            return replace(found, total=True, span=node.span)
        return None

    return mapped(measure, total)


def column_name(measure: tree.Measure, words: Counter[str]) -> str:
    """Return the name of a measure's column: as given, its function if no other has the same, else its text."""
    if measure.alias is not None:
        return measure.alias.text
    is_alone = words[measure.word] == 1 and measure.expression is None
    return measure.word if is_alone else print_measure(measure)


def measured(context: Context, node: tree.Measure, entity: Entity, name: str, *, hidden: bool = False) -> typed.Measure:
    if node.total:
        own = replace(node, total=False)
        return replace(measured(context, own, entity, name, hidden=hidden), total=True)
    if node.function == "count":
        return typed.Measure(name, "count", hidden=hidden)
    if node.function == "share":
        assert node.condition is not None
        condition = check_condition(context, node.condition, Scope(entity))
        return typed.Measure(name, "share", condition=condition, hidden=hidden)
    assert node.path is not None
    target = resolve_term(context, node.path, Scope(entity))
    check_values(target, node.path.span)
    field = _with_visible_unit(context, _measured_field(node, target), target, entity, node.path.span)
    argument = _percent(node)
    return typed.Measure(name, node.function, field, argument, None, target.element, target.narrowed, hidden)


def _with_visible_unit(context: Context, field: Field, target: Target, entity: Entity, span: Span) -> Field:
    """Hide the unit field from a caller who may not see it; its units would be reported for mixed amounts."""
    beside = target.element.fields if target.element is not None else {}
    unit = beside.get(field.unit_field or "") or entity.fields.get(field.unit_field or "")
    if unit is None or context.permits(unit.guards):
        return field
    context.warn("not-permitted", f"the units of '{field.name}' are confidential: amounts of different ones are mixed "
                 "where there are any", span)
    return replace(field, unit_field=None)


def _measured_field(node: tree.Measure, target: Target) -> Field:
    assert node.path is not None
    name, item, function = print_term(node.path), target.item, node.function
    if target.through:
        raise Refused("chain-not-measured", f"'{name}' is in another document, so it cannot be measured here",
                      node.path.span, hint="measure a field of the entity itself")
    if isinstance(item, NestedList):
        raise list_of_elements(item, "measure", name, f"{name}.", node.path.span)
    if item.kind not in NO_EXACT_VALUES and isinstance(item, Field) and not item.mapped.doc_values:
        raise Refused("not-groupable", f"'{name}' has no doc values in this index, so it cannot be measured",
                      node.path.span, hint="measure another field")
    if function == "distinct":
        if isinstance(item, typed.ComputedField):
            raise Refused("wrong-type", f"'{name}' is calculated, and its different values cannot be counted",
                          node.path.span, hint="group by step(...) of it")
        if item.kind in NO_EXACT_VALUES:
            raise Refused("not-groupable", f"'{name}' is {kind_of(item)}, whose values cannot be counted",
                          node.path.span, hint="count a field with exact values")
        if item.mapped.path == "_id":
            raise Refused("not-groupable", "each document has an id of its own", node.path.span,
                          hint=f"'count' is the number of {target.scope.entity.plural}", replacement="count")
        return item
    fits = NUMERIC if function in ("sum", "avg") else (*NUMERIC, FieldKind.DATE)
    if item.kind not in fits:
        what = "numbers" if function in ("sum", "avg") else "numbers and dates"
        kind = kind_of(item)
        raise Refused("wrong-type", f"'{name}' is {kind}, so it has no {function}", node.path.span,
                      hint=f"{function}(...) takes {what}; 'distinct({name})' counts different values"
                           if item.kind is FieldKind.KEYWORD else f"{function}(...) takes {what}")
    if function == "sum" and not item.adds_up:
        raise Refused("wrong-type", f"the numbers of '{name}' do not add up to anything, so it has no sum",
                      node.path.span, hint=f"ask for avg({name}), min({name}) or max({name})")
    return item


def _percent(node: tree.Measure) -> float | None:
    if node.function != "percentile":
        return None
    number = node.argument
    if number is None or not 0 <= number.value <= 100 or number.unit not in (None, "%"):
        raise Refused("wrong-percentile", "a percentile is a number from 0 to 100", node.span,
                      hint=f"write percentile({print_term(node.path)}, 95)" if node.path else "")
    return float(number.value)
