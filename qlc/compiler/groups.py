"""Groups and measures: the columns of rows, and the names by which `having`, `sort` and sub-queries refer to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf

from qlc.base.diagnostics import Span
from qlc.base.limits import MOST_PARTS
from qlc.base.words.spelling import did_you_mean, nearest
from qlc.compiler import typed
from qlc.compiler.arithmetic import Calculation, Quantity, computed_field, in_unit, is_part
from qlc.compiler.catalog_conditions import measure_at
from qlc.compiler.conditions import check_condition, resolve_term
from qlc.compiler.context import Context, Refused, Scope, confidential, kind_of, list_of_elements, quoted
from qlc.compiler.cycles import cycle_field, is_cycle
from qlc.compiler.literals import in_stored_unit
from qlc.compiler.names import CALENDAR, Target, check_values, placed
from qlc.compiler.sources import COUNT_FIELD, id_field
from qlc.compiler.values import one_of, several
from qlc.grammar import print_group, print_measure, print_path, print_value, tree
from qlc.grammar.printer import print_computed, print_term, print_top
from qlc.grammar.tree import mapped
from qlc.mapping.fields import NO_EXACT_VALUES, NUMERIC, FieldKind
from qlc.mapping.names import find_own
from qlc.mapping.schema import Computed, Entity, Field, NestedList, Schema

MAX_GROUPS = 5

# --- groups ----------------------------------------------------------------------------------------------------------


def check_groups(context: Context, node: tree.Aggregate, entity: Entity) -> tuple[typed.Group, ...]:
    """The typed groups; those that are wrong are left out after their diagnostics were recorded."""
    if len(node.groups) > MAX_GROUPS:
        context.report(Refused("too-many-groups", f"rows can have at most {MAX_GROUPS} groups", node.groups[-1].span,
                               hint="leave some out"))
    checked = [(item, context.tried(_group, context, item, entity)) for item in node.groups]
    found = [(item, group) for item, group in checked if group is not None]
    if len(found) == len(checked):
        _check_empty(context, node, [group for _, group in found])
    names = [group.name for _, group in found]
    # Two groups of one name are called by their whole text.
    return tuple(
        group if names.count(group.name) == 1 else replace(group, name=print_group(_plain(item)))
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
    group = _group(context, node, entity)
    name = print_group(node)
    if group.through or group.element is not None or group.field.many:
        what = "a field of another document" if group.through else "a list, so a hit could be in several groups"
        raise Refused("top-not-per", f"'{name}' is {what}", node.span,
                      hint="write 'per' and a field with one value, or ask for rows: max(FIELD) of ... by ...")
    if group.function in ("weekday", "hour_of_day"):
        raise Refused("top-not-per", f"hits cannot be taken per {group.function}", node.span,
                      hint="write 'per' and a field or a period, such as month(FIELD)")
    return group


def _plain(node: tree.Group) -> tree.Group:
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
        name = print_group(_plain(written))
        if empty_ones(group, context.schema) is None:
            message = f"'{name}' is not a reference to documents with an id, so 'including empty' has none to add"
            context.report(Refused("empty-needs-reference", message, written.span, hint="leave 'including empty' out",
                                   replacement=print_group(replace(written, empty=False))))
        elif len(node.groups) > 1:
            context.report(Refused("empty-needs-one-group", "'including empty' takes a statement with one group",
                                   written.span, hint="leave the other groups out, or 'including empty'",
                                   replacement=print_group(replace(written, empty=False))))


def _group(context: Context, node: tree.Group, entity: Entity) -> typed.Group:
    target = resolve_term(context, node.path, Scope(entity))
    check_values(target, node.path.span)
    if isinstance(target.item, typed.ComputedField) and node.function not in ("step", "bins"):
        step = 0.1 if target.item.unit == "fraction" else 10
        raise Refused("wrong-type", f"'{target.name}' is calculated, and its values are grouped in steps or bins",
                      node.span, hint=f"write step({target.name}, {step}) or bins({target.name}, {step}, {step * 5:g})")
    field = _group_field(node, target)
    _check_function(node, field)
    return typed.Group(
        name=node.function if node.function in CALENDAR else target.name,
        field=field,
        function=node.function,
        arguments=_edges(node, field),
        top=_top(node),
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
        raise Refused("not-groupable", f"'{name}' is {kind_of(item)}, which cannot be grouped by", node.path.span,
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


def _top(node: tree.Group) -> int | None:
    if node.top == 0:
        raise Refused("empty-limit", "'top 0' returns nothing", node.span, hint="give at least 1")
    return node.top


# --- measures --------------------------------------------------------------------------------------------------------


def check_measures(context: Context, node: tree.Aggregate, entity: Entity) -> tuple[typed.Measure, ...]:
    named = [context.tried(_by_its_name, context, one, entity) for one in node.measures]
    measures = [one for one in named if one is not None]
    words = Counter([one.word for one in measures])
    names = [_column_name(one, words) for one in measures]
    for total in [one for one in measures if one.total and not node.groups]:
        own = print_measure(replace(total, total=False))
        message = "'total' is over all rows, and without 'by' there is only one number"
        context.report(Refused("total-needs-group", message, total.span, hint=f"add 'by FIELD', or write {own}",
                               replacement=own))
    if twice := [one for one, name in zip(measures, names, strict=True) if names.count(name) > 1 and one.alias]:
        raise Refused("bound-twice", f"two measures are called '{print_measure(twice[0])}'", twice[0].span,
                      hint="give one of them another name")
    found: dict[int, typed.Measure | None] = {}
    columns = _Columns(context, entity, node, [], ())
    for is_later in (False, True):  # calculations are of measures, which come first
        for one, name in zip(measures, names, strict=True):
            if _is_calculation(one, entity) is is_later:
                found[id(one)] = context.tried(columns.made, one, name)
        columns.measures += [one for one in found.values() if one is not None and not is_later]
    asked = [replace(made, is_named=one.alias is not None or made.is_named) for one in measures
             if (made := found[id(one)]) is not None]  # fmt: skip
    return (*asked, *(one for one in columns.measures if one.hidden))


def _by_its_name(context: Context, node: tree.Measure, entity: Entity) -> tree.Measure:
    """Return a measure of the catalog under its own name, which the program may call by a synonym. Raises Refused."""
    if node.function != "named":
        return node
    assert isinstance(node.path, tree.Path)
    name = node.path.segments[0].name
    found = entity.measure(name.text)
    if found is None:
        raise _no_measure(entity, name)
    if not context.permits(found.guards):
        raise confidential(found.name, node.span)
    if found.name == name.text:
        return node
    path = replace(node.path, segments=(tree.Segment(replace(name, text=found.name), span=name.span),))
    context.rewrites[node.path.span] = path
    return replace(node, path=path)


def _no_measure(entity: Entity, name: tree.Name) -> Refused:
    own = find_own(entity, name.text)
    if own is not None:
        hint = f"write what of it: sum({own.name}), avg({own.name}) or distinct({own.name})"
        return Refused("unknown-measure", f"'{own.name}' is a field of each {entity.name}, not a measure", name.span,
                       hint=hint)
    near = nearest(name.text, [one.name for one in entity.measures if not one.guards])
    hint = did_you_mean(near) or "write count, or a function of a field, such as sum(...) or avg(...)"
    return Refused("unknown-measure", f"{entity.plural} have no measure '{name.text}'", name.span, hint=hint,
                   suggestions=tuple(near), replacement=near[0] if len(near) == 1 else None)


def _is_calculation(node: tree.Measure, entity: Entity) -> bool:
    """Whether a measure is calculated from others: `sum(cost) / count`, or one of the catalog that is."""
    while node.function == "named":
        node = _expanded(node, entity)
    return node.expression is not None


def _expanded(node: tree.Measure, entity: Entity) -> tree.Measure:
    """Return the tree that a measure of the catalog stands for; `total` is of each measure in it. Raises Refused."""
    assert isinstance(node.path, tree.Path)
    name = node.path.segments[0].name
    found = entity.measure(name.text)
    if found is None:
        raise _no_measure(entity, name)
    meant = measure_at(found.text, node.span)
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


def _column_name(measure: tree.Measure, words: Counter[str]) -> str:
    """Return the name of a measure's column: as given, its function if no other has the same, else its text."""
    if measure.alias is not None:
        return measure.alias.text
    is_alone = words[measure.word] == 1 and measure.expression is None
    return measure.word if is_alone else print_measure(measure)


def check_kept_apart(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Sequence[typed.Measure],
    groups: Sequence[typed.Group],
) -> None:
    """Refuse measures of elements by groups of other elements if the index merges elements: each row would cover all
    elements of its documents."""
    if len(groups) != len(node.groups):
        return
    for measure in measures:
        many, field = measure.element, measure.field
        if many is None or many.tied or field is None or measure.total:
            continue
        for written, group in zip(node.groups, groups, strict=True):
            if group.field.mapped.path.startswith(f"{many.path}."):
                context.report(Refused(
                    "elements-not-kept", f"'{many.name}' is not mapped as nested in this index, so it is not "
                    f"known which '{field.name}' belongs to which '{group.name}'", written.span,
                    hint=f"measure a field of {entity.plural}, count them, or have '{many.name}' mapped as nested"))
                return


def _measure(context: Context, node: tree.Measure, entity: Entity, name: str, *, hidden: bool = False) -> typed.Measure:
    if node.total:
        own = replace(node, total=False)
        return replace(_measure(context, own, entity, name, hidden=hidden), total=True)
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
    if function == "distinct":
        if isinstance(item, typed.ComputedField):
            raise Refused("wrong-type", f"'{name}' is calculated, and its different values cannot be counted",
                          node.path.span, hint="group by step(...) of it")
        if item.kind in NO_EXACT_VALUES:
            raise Refused("not-groupable", f"'{name}' is {kind_of(item)}, whose values cannot be counted",
                          node.path.span, hint="count a field with exact values")
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


# --- having and sort -------------------------------------------------------------------------------------------------

Measures = tuple[typed.Measure, ...]
Groups = tuple[typed.Group, ...]


def check_having(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Measures, groups: Groups
) -> tuple[typed.RowCondition | None, Measures]:
    """The condition on rows, and the measures with those added that only it needs."""
    if node.having is None:
        return None, measures
    columns = _Columns(context, entity, node, list(measures), groups)
    condition = context.tried(columns.condition, node.having)
    return condition, tuple(columns.measures)


def check_row_sort(
    context: Context, node: tree.Aggregate, entity: Entity, measures: Measures, groups: Groups
) -> tuple[tuple[typed.RowSort, ...], Measures]:
    columns = _Columns(context, entity, node, list(measures), groups)
    named = [(context.tried(columns.named, item.key), item.descending) for item in node.sort] if node.groups else []
    keys = tuple(typed.RowSort(name, descending) for name, descending in named if name is not None)
    return keys, tuple(columns.measures)


@dataclass
class _Columns:
    """The columns of the rows by name. A measure that is not shown is added, hidden."""

    context: Context
    entity: Entity
    node: tree.Aggregate
    measures: list[typed.Measure]
    groups: Groups

    @cached_property
    def by_meaning(self) -> dict[typed.Measure, str]:
        found: dict[typed.Measure, str] = {}
        for measure in self.measures:
            found.setdefault(replace(measure, name="", hidden=True, is_named=False, label=""), measure.name)
        return found

    def made(self, node: tree.Measure, name: str, *, hidden: bool = False) -> typed.Measure:
        """Check a measure that goes by its own name. Raises Refused."""
        if node.function == "named":
            return self._of_catalog(node, name, hidden=hidden)
        if node.expression is not None:
            return self.calculation(node.expression, name, hidden=hidden)
        return _measure(self.context, node, self.entity, name, hidden=hidden)

    def _of_catalog(self, node: tree.Measure, name: str, *, hidden: bool) -> typed.Measure:
        """Check what a measure of the catalog stands for, as if it stood here. Raises Refused."""
        node = _by_its_name(self.context, node, self.entity)
        assert isinstance(node.path, tree.Path)
        one = self.entity.computed[node.path.segments[0].name.text]
        self.context.computed[one.name] = one.text
        try:
            with self.context.inside(f"measure '{one.name}'"):
                found = self.made(_expanded(node, self.entity), name, hidden=hidden)
        except Refused as problem:
            raise placed(problem, node.span) from None
        return _as_declared(found, one, node.span)

    def named(self, key: tree.Left | tree.Group) -> str:
        match key:
            case tree.Arithmetic() | tree.Call():
                return self._hidden_calculation(key)
            case tree.Measure():
                return self._measure(key)
            case tree.Path():
                return self._by_name(key)
            case tree.Group():
                return self._group(key)
            case tree.Cyclic():
                return self._group(tree.Group(key.path, key.unit, span=key.span))

    def _group(self, key: tree.Group) -> str:
        """Return the name of the group with this text, `month(created)`, also for synonyms from the catalog."""
        wanted = _group(self.context, _plain(key), self.entity)
        for group in self.groups:
            if replace(group, name="", top=None, empty=False) == replace(wanted, name=""):
                return group.name
        raise self._unknown(print_group(key), key.span)

    def _measure(self, key: tree.Measure) -> str:
        key = _by_its_name(self.context, key, self.entity)
        if _is_calculation(key, self.entity):
            return self._added(self.made(key, print_measure(key), hidden=True))
        wanted = replace(self.made(key, "", hidden=True), is_named=False, label="")
        if wanted not in self.by_meaning:
            if len(self.measures) >= MOST_PARTS:
                raise Refused("too-long", f"rows have at most {MOST_PARTS} measures", key.span,
                              hint="ask for fewer at a time")
            is_inside = key.function == "named" and self.context.expanding
            name = print_measure(_expanded(key, self.entity) if is_inside else key)
            self.measures.append(replace(wanted, name=name))
            self.by_meaning[wanted] = self.measures[-1].name
        return self.by_meaning[wanted]

    def _hidden_calculation(self, key: tree.Computed) -> str:
        """Return the name of the column of a calculation, which is added if no measure is it."""
        return self._added(self.calculation(key, print_computed(key), hidden=True))

    def _added(self, made: typed.Measure) -> str:
        for one in self.measures:
            if one.expression == made.expression:
                return one.name
        self.measures.append(made)
        return made.name

    def calculation(self, node: tree.Computed, name: str, *, hidden: bool = False) -> typed.Measure:
        """Check a calculation with measures: `sum(cost) / count`. Raises Refused."""
        found = Calculation(self.context, self._no_field, self._operand).quantity(node)
        if found.is_date:
            raise Refused("wrong-type", f"'{name}' is a date, and rows measure numbers", node.span,
                          hint="take the difference of two dates")
        field = replace(computed_field(found, name), expression=typed.Constant(typed.Literal(0)))
        return typed.Measure(name, "calculation", field, hidden=hidden, expression=found.expression)

    def _operand(self, node: tree.Operand) -> Quantity | None:
        """Return a measure of the row as an operand of a calculation."""
        if isinstance(node, tree.Path | tree.NameValue):
            path = node.path if isinstance(node, tree.NameValue) else node
            if path.segments[0].name.text in self.context.lets:
                return None
            if self._is_of_catalog(path):
                return self._operand(tree.Measure("named", path, span=node.span))
            name = self._by_name(path)
        elif isinstance(node, tree.Measure):
            own = _by_its_name(self.context, node, self.entity)
            if _is_calculation(own, self.entity):
                made = self.made(own, print_measure(own), hidden=True)
                assert made.expression is not None
                return replace(_as_quantity(made, node.span), expression=made.expression)
            name = self._measure(own)
        else:
            return None
        measure = next((one for one in self.measures if one.name == name), None)
        if measure is None:
            raise Refused("wrong-type", f"'{name}' is a group, and calculations of rows are of measures", node.span,
                          hint="calculate with measures, such as sum(...) or count")
        return _as_quantity(measure, node.span)

    def _is_of_catalog(self, path: tree.Path) -> bool:
        """Whether a name is of a measure of the catalog, and of no column. The columns of a program mean nothing inside
        the catalog."""
        name = print_path(path)
        if self.context.expanding:
            return name != "count"
        columns = [*(one.name for one in self.groups), *(one.name for one in self.measures)]
        return self.entity.measure(name) is not None and name not in columns

    def _no_field(self, path: tree.Path) -> Target:
        raise self._unknown(print_path(path), path.span)

    def _by_name(self, path: tree.Path) -> str:
        """Return the column for a path: by its last word, as in the catalog or as written, or the group with this
        path."""
        text = print_path(path)
        names = [g.name for g in self.groups] + [m.name for m in self.measures if not m.hidden]
        if text in names:
            return text
        for node, group in zip(self.node.groups, self.groups, strict=False):
            written = node.path.segments[-1].name.text if isinstance(node.path, tree.Path) else ""
            if text == print_term(node.path) or (len(path.segments) == 1 and path.segments[0].name.text == written):
                self._rewrite(path, group.name)
                return group.name
        functions = [m for m in self.measures if m.word == text]
        if len(functions) > 1:
            raise Refused("ambiguous-column", f"there are several measures '{text}'", path.span,
                          hint=f"name it in full: {quoted([m.name for m in functions])}")
        if text == "count":
            return self._measure(tree.Measure("count"))
        if len(path.segments) == 1 and self.entity.measure(text) is not None:
            return self._measure(tree.Measure("named", path, span=path.span))
        raise self._unknown(text, path.span)

    def _rewrite(self, path: tree.Path, name: str) -> None:
        """Use the catalog's name of the group in the canonical text."""
        column = tree.Segment(tree.Name(name, span=path.span), span=path.span)
        self.context.rewrites[path.span] = replace(path, segments=(column,))

    def _unknown(self, text: str, span: Span) -> Refused:
        names = [g.name for g in self.groups] + [m.name for m in self.measures if not m.hidden]
        return Refused("unknown-column", f"the rows have no column '{text}'", span,
                       hint=f"there are {quoted(names, conjunction='and')}" if names else "",
                       suggestions=tuple(names))

    def condition(self, node: tree.Condition) -> typed.RowCondition:
        match node:
            case tree.And():
                return typed.RowAnd(tuple(self.condition(item) for item in node.items))
            case tree.Or():
                return typed.RowOr(tuple(self.condition(item) for item in node.items))
            case tree.Not():
                return typed.RowNot(self.condition(node.item))
            case tree.Between():
                name = self.named(node.left)
                low, high = self.context.each(lambda end: self._values(name, end), (node.low, node.high))
                field = self._column_field(name)
                return typed.RowAnd((
                    typed.RowCompare(name, ">=", low, field), typed.RowCompare(name, "<=", high, field)
                ))
            case tree.Comparison():
                return self._comparison(node)
            case _:
                raise Refused("having-compares", "'having' compares measures and groups of a row", node.span,
                              hint="write, for example, having count >= 10")

    def _comparison(self, node: tree.Comparison) -> typed.RowCondition:
        name = self.named(node.left)
        field = self._column_field(name)
        if node.operator in ("in", "not in"):
            values = several(self.context, node.right, field, Scope(self.entity), None)
            found = typed.RowCompare(name, "in", values, field)
            return typed.RowNot(found) if node.operator == "not in" else found
        if node.operator in ("=", "!="):
            found = typed.RowCompare(name, "=", self._values(name, node.right), field)
            return typed.RowNot(found) if node.operator == "!=" else found
        if node.operator in ("<", "<=", ">", ">="):
            return typed.RowCompare(name, node.operator, self._values(name, node.right), field)
        raise Refused("wrong-operator", f"'{node.operator}' does not apply to a column of rows", node.operator_span,
                      hint="it has =, !=, <, <=, >, >=, between and in")

    def _values(self, name: str, node: tree.Value) -> tuple[typed.Value, ...]:
        return one_of(self.context, node, self._column_field(name), Scope(self.entity), None)

    def _column_field(self, name: str) -> Field:
        """Return a field of the column's type, against which its values are checked."""
        for measure in self.measures:
            if measure.name == name:
                return _measure_type(measure)
        group = next(group for group in self.groups if group.name == name)
        if is_cycle(group.function):
            return cycle_field(group.function, group.field)
        if group.function in ("step", "bins"):
            return replace(group.field, kind=FieldKind.NUMBER)
        return group.field


def _as_declared(measure: typed.Measure, one: Computed, span: Span) -> typed.Measure:
    """Return a measure with the unit and the label that the catalog gives it. Raises Refused."""
    field, unit = measure.field, one.unit
    own = field.shown_unit if field is not None and measure.function != "distinct" else None
    is_part_already = is_part(unit) and (measure.function == "share" or is_part(own))
    if unit is not None and not is_part_already and own != unit:
        if field is None or measure.function == "distinct" or own is not None or field.kind is FieldKind.DATE:
            what = f"in {own}" if own is not None else "without a unit"
            raise Refused("wrong-unit", f"'{one.name}' is {what}, and its unit is {unit}", span,
                          hint="leave the unit out")
        field = replace(field, unit="fraction" if is_part(unit) else unit)
    return replace(measure, field=field, label=one.label, is_named=True)


def _as_quantity(measure: typed.Measure, span: Span) -> Quantity:
    """Return a measure as an operand: a sum in the unit of its field, a count as a plain number. Raises Refused."""
    value, field = typed.MeasureValue(measure.name), measure.field
    if field is None or measure.function == "distinct":
        return Quantity(value, is_whole=measure.function in ("count", "distinct"))
    if field.unit_field is not None or field.base_units is not None:
        raise Refused("wrong-unit", f"'{measure.name}' can mix amounts of different units, which cannot be calculated "
                      "with", span, hint="ask for it alone, with a group for each unit")
    if field.kind is FieldKind.DATE:
        return Quantity(value, is_date=True)
    unit = field.unit or field.currency
    whole = field.kind is FieldKind.WHOLE_NUMBER and measure.function in ("sum", "min", "max", "calculation")
    return in_unit(value, unit, is_whole=whole) if unit is not None else Quantity(value, is_whole=whole)


def _measure_type(measure: typed.Measure) -> Field:
    if measure.field is None or measure.function == "distinct":
        return replace(COUNT_FIELD, name=measure.name, unit="fraction" if measure.function == "share" else None)
    kind = measure.field.kind if measure.field.kind is FieldKind.DATE else FieldKind.NUMBER
    return replace(measure.field, name=measure.name, kind=kind, values=None, reference=None)
