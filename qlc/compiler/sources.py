"""Sources of values that are not literals: lookups, sub-queries, and fields of the entities that these find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from qlc.base.diagnostics import an
from qlc.compiler import typed
from qlc.compiler.context import AlreadyReported, Context, Refused, Scope, list_of_elements, quoted
from qlc.compiler.names import resolve, resolve_entity
from qlc.grammar import tree
from qlc.mapping.fields import ID_FIELD, FieldKind, MappedField
from qlc.mapping.schema import Entity, Field, NestedList


@dataclass(frozen=True, slots=True)
class Origin:
    """A source and the values taken from it. `entity`: the entity that these values identify, if any."""

    source: typed.Lookup | typed.Search | typed.Rows
    kind: FieldKind
    field: Field | None = None
    entity: Entity | None = None
    unit: str | None = None


def lookup(context: Context, node: tree.EntityLookup) -> Origin:
    entity = resolve_entity(context, node.entity, statement=False)
    if isinstance(node.name, tree.Parameter):
        return Origin(param_source(context, entity, node.name), FieldKind.KEYWORD, entity=entity)
    if not node.name.value.strip():
        raise Refused("empty-text", f"{an(entity.name)} has a name, and this text is empty", node.name.span,
                      hint=f'write a name or an id: {entity.name}("...")')
    return Origin(typed.Lookup(entity, node.name.value, span=node.span), FieldKind.KEYWORD, entity=entity)


def param_source(context: Context, entity: Entity, node: tree.Parameter, *, one: bool = True) -> typed.Lookup:
    """Return the lookup of the name that the caller bound, or in an access rule of the name in the caller's context."""
    return typed.Lookup(entity, typed.Param(node.name, context.access, one, span=node.span), span=node.span)


def subquery(context: Context, node: tree.Subquery) -> Origin:
    """Check a sub-query without `.field`: entities, or the number of one row with one measure. Raises Refused."""
    if isinstance(node.statement, tree.Find):
        statement = node.statement
        find = context.once(statement, lambda: context.checks.find(context, statement))
        assert isinstance(find, typed.Find)
        return Origin(typed.Search(find, span=node.span), FieldKind.KEYWORD, entity=find.entity)
    aggregate = _checked_aggregate(context, node.statement)
    shown = [measure for measure in aggregate.measures if not measure.hidden]
    if not _is_whole(node.statement, aggregate):
        raise AlreadyReported(node.span)
    if aggregate.counted:
        return Origin(typed.Rows(aggregate, "count", span=node.span), FieldKind.NUMBER)
    if aggregate.groups or len(shown) != 1:
        columns = [group.name for group in aggregate.groups] + [measure.name for measure in shown]
        raise Refused("column-needed", "the sub-query returns rows, and one value is needed", node.span,
                      hint=f"name the column after it: {quoted([f'.{c}' for c in columns])}")
    return _measure_origin(aggregate, shown[0], node)


def _checked_aggregate(context: Context, node: tree.Aggregate) -> typed.Aggregate:
    aggregate = context.once(node, lambda: context.checks.aggregate(context, node))
    assert isinstance(aggregate, typed.Aggregate)
    return aggregate


def _is_whole(rows: tree.Aggregate, aggregate: typed.Aggregate) -> bool:
    """Whether all groups and measures passed their checks."""
    shown = [measure for measure in aggregate.measures if not measure.hidden]
    return len(aggregate.groups) == len(rows.groups) and len(shown) == len(rows.measures)


def _measure_origin(aggregate: typed.Aggregate, measure: typed.Measure, node: tree.Node) -> Origin:
    same_type = measure.function in ("min", "max", "calculation") and measure.field is not None
    kind = measure.field.kind if same_type and measure.field is not None else FieldKind.NUMBER
    keeps_unit = measure.function not in ("count", "distinct", "share") and measure.field is not None
    unit = measure.field.shown_unit if keeps_unit and measure.field is not None else None
    return Origin(typed.Rows(aggregate, measure.name, span=node.span), kind, unit=unit)


def follow(context: Context, node: tree.Member) -> Origin:
    """`.field.field` after a lookup, a sub-query or a parameter. Raises Refused."""
    base = node.base
    if isinstance(base, tree.Subquery) and isinstance(base.statement, tree.Aggregate):
        return _column(context, base.statement, _checked_aggregate(context, base.statement), node)
    if isinstance(base, tree.Parameter):
        entity = _bound_entity(context, base)
        return follow_fields(context, param_source(context, entity, base), entity, node.names)
    origin = lookup(context, base) if isinstance(base, tree.EntityLookup) else subquery(context, base)
    assert origin.entity is not None
    return follow_fields(context, origin.source, origin.entity, node.names)


def _bound_entity(context: Context, node: tree.Parameter) -> Entity:
    """The entity that the caller bound to a parameter: a mapping with `entity` and `id`. Raises Refused."""
    value = context.parameters.get(node.name)
    named = value.get("entity") if isinstance(value, Mapping) else None
    if isinstance(named, str) and named in context.schema.entities:
        return context.schema.entity(named)
    example = next((e.name for e in context.schema.entities.values() if e.names), "entry")
    hint = f"bind it to {{'entity': '{example}', 'id': ...}}, or write {example}(${node.name})"
    message = f"${node.name} is not bound to an entity, so it has no fields"
    raise Refused("parameter-needs-entity", message, node.span, hint=hint)


def follow_fields(
    context: Context, source: typed.Lookup | typed.Search | typed.Rows, entity: Entity, names: tuple[tree.Name, ...]
) -> Origin:
    """A chain of fields from entities that a source finds: one search for each reference on the way. Raises Refused."""
    path = tree.Path(tuple(tree.Segment(name, span=name.span) for name in names))
    if entity.virtual:
        if len(names) == 1 and names[0].text == "id":
            return Origin(source, FieldKind.KEYWORD, None, entity)
        raise Refused("unknown-field", f"{an(entity.name)} has no field '{names[0].text}' here", names[0].span,
                      hint="only its id can be taken", suggestions=("id",))
    target = resolve(context, path, Scope(entity), _no_brackets)
    one = isinstance(source, typed.Lookup)
    for reference in target.through:
        assert reference.reference is not None
        onward = context.schema.entity(reference.reference.entity)
        key = typed.Taken(source, reference, one, needs_entity=one)
        source = typed.Search(typed.Find(onward, typed.Equals(id_field(onward), (key,))))
    field = target.item
    if isinstance(field, typed.ComputedField) and target.element is not None:
        raise Refused("one-value-needed", f"'{field.name}' has a value for each element of a list", names[-1].span,
                      hint="measure it: sum(...) of ...")
    if isinstance(field, NestedList):
        raise list_of_elements(field, "take", field.name, ".", names[-1].span)
    if field.kind is FieldKind.UNSUPPORTED:
        raise Refused("unsupported-type", f"'{field.name}' is of a type that cannot be compared", names[-1].span,
                      hint="use another field")
    identified = context.schema.entity(field.reference.entity) if field.reference else None
    return Origin(source, field.kind, field, target.scope.entity if field.is_id else identified, field.shown_unit)


def _column(context: Context, rows: tree.Aggregate, aggregate: typed.Aggregate, node: tree.Member) -> Origin:
    """A column of a sub-query's rows: a group by its last word, or a measure. Raises Refused."""
    name = node.names[0].text
    if rows.counted:
        raise Refused("unknown-column", f"the sub-query is one number, so '.{name}' does not exist", node.names[0].span,
                      hint=f"leave '.{name}' out")
    # A group that was refused is missing here; its diagnostic has been recorded.
    for written, group in zip(rows.groups, aggregate.groups, strict=False):
        if name == group.name or (isinstance(written.path, tree.Path) and name == written.path.segments[-1].name.text):
            if name != group.name:
                context.rewrites[node.names[0].span] = replace(node.names[0], text=group.name)
            name = group.name
            numbered = group.function in ("step", "bins", "hour_of_day", "day_of_month")
            kind = FieldKind.NUMBER if numbered else group.field.kind
            if group.function in ("weekday", "month_of_year"):
                kind = FieldKind.KEYWORD
            reference = group.field.reference if group.function is None else None
            entity = context.schema.entity(reference.entity) if reference else None
            unit = group.field.shown_unit if kind is group.field.kind else None
            column = Origin(typed.Rows(aggregate, name, span=node.span), kind, entity=entity, unit=unit)
            return _column_after(context, column, node) if len(node.names) > 1 else column
    for measure in aggregate.measures:
        if measure.name == name and not measure.hidden:
            column = _measure_origin(aggregate, measure, node)
            return _column_after(context, column, node) if len(node.names) > 1 else column
    if not _is_whole(rows, aggregate):
        raise AlreadyReported(node.span)
    columns = [g.name for g in aggregate.groups] + [m.name for m in aggregate.measures if not m.hidden]
    raise Refused("unknown-column", f"the rows have no column '{name}'", node.names[0].span,
                  hint=f"there are {quoted(columns, conjunction='and')}", suggestions=tuple(columns))


def _column_after(context: Context, column: Origin, node: tree.Member) -> Origin:
    """Take a field of the entities that a column of rows refers to. Raises Refused."""
    first, second, *_ = node.names
    entity = column.entity
    if entity is None:
        raise Refused("unknown-field", f"'{first.text}' has no fields of its own, so '.{second.text}' does not exist",
                      second.span, hint=f"use '.{first.text}' alone")
    if entity.virtual:
        raise Refused("unknown-field", f"{an(entity.name)} has no field '{second.text}' here", second.span,
                      hint=f"'.{first.text}' alone gives the id and the name")
    key = typed.Taken(column.source, one=False)
    source = typed.Search(typed.Find(entity, typed.Equals(id_field(entity), (key,))), span=node.span)
    return follow_fields(context, source, entity, node.names[1:])


def is_one_entity(source: typed.Source) -> bool:
    """Whether a source is at most one entity: a name, `(find ... limit 1)`, or what a single reference of one leads
    to."""
    if not isinstance(source, typed.Search):
        return isinstance(source, typed.Lookup)
    find = source.find
    if find.limit == 1:
        return not find.ties
    key = find.where.values[0] if isinstance(find.where, typed.Equals) and len(find.where.values) == 1 else None
    if not isinstance(find.where, typed.Equals) or not find.where.field.is_id or not isinstance(key, typed.Taken):
        return False
    return key.field is not None and key.field.many is False and is_one_entity(key.source)


def taken_field(taken: typed.Taken) -> Field | None:
    """Return the field whose values are taken: for a column of rows its group's field; None for entities."""
    source = taken.source
    if not isinstance(source, typed.Rows):
        return taken.field
    plain = (group.field for group in source.aggregate.groups if (group.name, group.function) == (source.column, None))
    return next(plain, None)


def id_field(entity: Entity) -> Field:
    """Return the field that identifies the entity's documents; `_id` if the catalog names none."""

    return entity.id or Field(name="_id", mapped=ID_FIELD, kind=FieldKind.KEYWORD, many=False, is_id=True)


def _no_brackets(context: Context, condition: tree.Condition, scope: Scope) -> typed.Condition:
    raise Refused("brackets-not-here", "a condition in brackets cannot follow a value", condition.span,
                  hint="use a sub-query with 'where'")


COUNT_FIELD = Field(
    name="count", mapped=MappedField(path="", es_type="long", kind=FieldKind.NUMBER), kind=FieldKind.NUMBER, many=False
)
"""The field that a count is compared as: a plain number."""
