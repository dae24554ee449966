"""Groups: by which values, periods and ranges documents are counted and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf

from qlc.compiler import typed
from qlc.compiler.conditions import resolve_term
from qlc.compiler.context import Context, Refused, Scope, kind_of, list_of_elements, quoted
from qlc.compiler.literals import in_stored_unit
from qlc.compiler.names import CALENDAR, Target, check_values
from qlc.compiler.sources import id_field
from qlc.grammar import print_group, print_value, tree
from qlc.grammar.printer import print_term, print_top
from qlc.mapping.fields import NO_EXACT_VALUES, NUMERIC, FieldKind
from qlc.mapping.schema import Entity, Field, NestedList, Schema

MAX_GROUPS = 5


def check_groups(context: Context, node: tree.Aggregate, entity: Entity) -> tuple[typed.Group, ...]:
    """The typed groups; those that are wrong are left out after their diagnostics were recorded."""
    if len(node.groups) > MAX_GROUPS:
        context.report(Refused("too-many-groups", f"rows can have at most {MAX_GROUPS} groups", node.groups[-1].span,
                               hint="leave some out"))
    checked = [(item, context.tried(group_of, context, item, entity)) for item in node.groups]
    found = [(item, group) for item, group in checked if group is not None]
    if len(found) == len(checked):
        _check_empty(context, node, [group for _, group in found])
    names = [group.name for _, group in found]
    # Two groups of one name are called by their whole text.
    return tuple(
        group if names.count(group.name) == 1 else replace(group, name=print_group(without_empty(item)))
        for item, group in found
    )


MOST_PER_GROUP = 99
"""Most hits of one group: a server returns 100 (`index.max_inner_result_window`), of which the last shows a tie."""


def check_top(
    context: Context, node: tree.Find, entity: Entity, where: typed.Condition, sort: tuple[typed.Sort, ...]
) -> typed.Condition | None:
    """Return the condition for the first hits of each group of `top N per ...`; None if it is wrong."""
    top = node.top_per
    assert top is not None
    if not 1 <= top.count <= MOST_PER_GROUP:
        context.report(Refused("top-out-of-range", f"'top' takes 1 to {MOST_PER_GROUP} hits of each group", top.span,
                               hint="write top 3 per FIELD"))
    if not node.sort:
        context.report(Refused("top-needs-sort", f"nothing says which come first in '{print_top(top)}'", top.span,
                               hint="add 'sort FIELD desc'"))
    if len(top.groups) > MAX_GROUPS:
        context.report(Refused("too-many-groups", f"there can be at most {MAX_GROUPS} groups", top.groups[-1].span,
                               hint="leave some out"))
    groups = [context.tried(_group_of_hits, context, item, entity) for item in top.groups]
    if context.failed or not node.sort:
        return None
    found = typed.Top(entity, where, top.count, tuple(one for one in groups if one is not None), sort, span=top.span)
    return typed.Equals(id_field(entity), (typed.Taken(found, one=False),))


def _group_of_hits(context: Context, node: tree.Group, entity: Entity) -> typed.Group:
    """Check a group of hits: each hit is in at most one. Raises Refused."""
    group = group_of(context, node, entity)
    name = print_group(node)
    if group.through or group.element is not None or group.field.many:
        what = "a field of another document" if group.through else "a list, so a hit could be in several groups"
        raise Refused("top-not-per", f"'{name}' is {what}", node.span,
                      hint="write 'per' and a field with one value, or ask for rows: max(FIELD) of ... by ...")
    if group.function in ("weekday", "hour_of_day"):
        raise Refused("top-not-per", f"hits cannot be taken per {group.function}", node.span,
                      hint="write 'per' and a field or a period, such as month(FIELD)")
    return group


def without_empty(node: tree.Group) -> tree.Group:
    return replace(node, top=None, empty=False)


def empty_ones(group: typed.Group, schema: Schema) -> Entity | None:
    """Return the entity that a group refers to, if its documents have ids, so that those without a row can be read."""
    reference = group.field.reference
    if reference is None or group.function is not None or group.through:
        return None
    entity = schema.entity(reference.entity)
    return entity if entity.id is not None and entity.id.mapped.path != "_id" and not entity.virtual else None


def _check_empty(context: Context, node: tree.Aggregate, groups: Sequence[typed.Group]) -> None:
    if context.access and any(one.empty for one in node.groups):
        context.report(Refused("empty-needs-reference", "'including empty' has no place in an access rule", node.span,
                               hint="leave it out"))
    for written, group in zip(node.groups, groups, strict=False):
        if not written.empty:
            continue
        name = print_group(without_empty(written))
        if empty_ones(group, context.schema) is None:
            message = f"'{name}' is not a reference to documents with an id, so 'including empty' has none to add"
            context.report(Refused("empty-needs-reference", message, written.span, hint="leave 'including empty' out",
                                   replacement=print_group(replace(written, empty=False))))
        elif len(node.groups) > 1:
            context.report(Refused("empty-needs-one-group", "'including empty' takes a statement with one group",
                                   written.span, hint="leave the other groups out, or 'including empty'",
                                   replacement=print_group(replace(written, empty=False))))


def group_of(context: Context, node: tree.Group, entity: Entity) -> typed.Group:
    target = resolve_term(context, node.path, Scope(entity))
    check_values(target, node.path.span)
    if isinstance(target.item, typed.ComputedField) and node.function not in ("step", "bins"):
        step = 0.1 if target.item.unit == "fraction" else 10
        raise Refused("wrong-type", f"'{target.name}' is calculated, and its values are grouped in steps or bins",
                      node.span, hint=f"write step({target.name}, {step}) or bins({target.name}, {step}, {step * 5:g})")
    field = _group_field(node, target)
    _check_function(node, field)
    if node.top == 0:
        raise Refused("empty-limit", "'top 0' returns nothing", node.span, hint="give at least 1")
    return typed.Group(
        name=node.function if node.function in CALENDAR else target.name,
        field=field,
        function=node.function,
        arguments=_edges(node, field),
        top=node.top,
        element=target.element,
        narrowed=target.narrowed,
        through=target.through,
        empty=node.empty,
    )


def _group_field(node: tree.Group, target: Target) -> Field:
    name, item = print_term(node.path), target.item
    if isinstance(item, NestedList):
        raise list_of_elements(item, "group by", name, f"{name}.", node.path.span)
    if item.kind is FieldKind.TEXT:
        fields = target.scope.entity.fields.values()
        exact = [f.name for f in fields if f.kind is FieldKind.KEYWORD and not f.is_id and not f.sensitive]
        raise Refused("group-by-text", f"'{name}' is full text, which cannot be grouped by", node.path.span,
                      hint=f"group by a field with exact values, such as {quoted(exact[:3])}")
    if item.kind in NO_EXACT_VALUES or not item.mapped.doc_values:
        why = f"is {kind_of(item)}, which" if item.kind in NO_EXACT_VALUES else "has no doc values in this index, so it"
        raise Refused("not-groupable", f"'{name}' {why} cannot be grouped by", node.path.span,
                      hint="group by a field with exact values")
    if item.mapped.path == "_id":
        raise Refused("not-groupable", "each document has an id of its own, which cannot be grouped by", node.path.span,
                      hint="group by a field that documents share")
    return item


def _check_function(node: tree.Group, field: Field) -> None:
    if node.function is None:
        return
    if node.function in CALENDAR and field.kind is not FieldKind.DATE:
        raise Refused("wrong-type", f"'{field.name}' is {kind_of(field)}, so it has no {node.function}", node.span,
                      hint=f"{node.function}(...) takes a date field")
    if node.function in ("bins", "step") and field.kind not in NUMERIC:
        raise Refused("wrong-type", f"'{field.name}' is {kind_of(field)}, so {node.function}(...) does not apply",
                      node.span, hint=f"{node.function}(...) takes a number field")


def _edges(node: tree.Group, field: Field) -> tuple[float, ...]:
    edges = tuple(_edge(node, number, field) for number in node.arguments)
    if node.function == "bins" and (not edges or any(a >= b for a, b in pairwise(edges))):
        raise Refused("wrong-bins", "the edges of bins must increase", node.span, hint="write bins(f, 100, 200, 300)")
    if node.function == "step" and (len(edges) != 1 or edges[0] <= 0):
        raise Refused("wrong-step", "a step is one number above zero", node.span, hint="write step(f, 100)")
    return edges


def _edge(node: tree.Group, number: tree.Number, field: Field) -> float:
    """Return an edge as a float, as rows are cut. Raises Refused for a whole number that no float equals."""
    exact = in_stored_unit(number, field)
    try:
        edge = float(exact)
    except OverflowError:
        edge = inf
    if isinstance(exact, int) and edge != exact:
        raise Refused("wrong-step" if node.function == "step" else "wrong-bins",
                      f"groups cannot be divided exactly at {print_value(number)}: numbers are exact up to 2^53",
                      number.span, hint="write a smaller number, or a round one")
    return edge


def note_on_empty(aggregate: typed.Aggregate, schema: Schema) -> Entity | None:
    """Return the entity whose documents without a row are counted in a note: for rows in the order of a count, smallest
    first, and rows with a `having`. None if they are in the rows."""
    if len(aggregate.groups) != 1 or aggregate.groups[0].empty or aggregate.entity.in_access:
        return None
    measures = {one.name: one for one in aggregate.measures}
    first = measures.get(aggregate.sort[0].name) if aggregate.sort and not aggregate.sort[0].descending else None
    begins_with_fewest = first is not None and first.function in ("count", "distinct") and not first.total
    if not begins_with_fewest and aggregate.having is None:
        return None
    return empty_ones(aggregate.groups[0], schema)
