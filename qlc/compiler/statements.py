"""Statements: `find`, `count` and measures, `get`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from qlc.compiler import typed
from qlc.compiler.catalog_conditions import show_path
from qlc.compiler.conditions import check_condition, identifies, narrowed_readings, resolve_path
from qlc.compiler.context import Context, Refused, Scope, SubqueryChecks, kind_of, list_of_elements
from qlc.compiler.groups import check_groups, check_having, check_kept_apart, check_measures, check_row_sort
from qlc.compiler.names import Target, resolve_entity
from qlc.compiler.sources import follow, lookup
from qlc.compiler.targets import check_tied
from qlc.compiler.values import expand
from qlc.grammar import SyntaxProblem, parse, print_path, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity, find_field
from qlc.mapping.schema import Entity, Field, NestedList, Schema


def check_find(context: Context, node: tree.Find, *, top_level: bool) -> typed.Find:
    where: typed.Condition
    if isinstance(node.entity, tree.EntityLookup):
        origin = lookup(context, node.entity)
        assert origin.entity is not None
        entity = origin.entity
        if entity.virtual:
            resolve_entity(context, node.entity.entity)
        where = identifies(entity, typed.Taken(origin.source, span=node.entity.span))
        if node.where is not None:
            where = typed.And((where, _where(context, node.where, entity)))
    else:
        entity = resolve_entity(context, node.entity)
        where = _where(context, node.where, entity) if node.where is not None else typed.All()
        if top_level and node.where is None and node.limit is None:
            context.report(Refused("asks-for-everything", f"this asks for all {entity.plural}", node.span,
                                   hint="add 'where ...' or 'limit 10'"))
    _check_slice(context, node)
    sort = tuple(key for item in node.sort if (key := _sort_key(context, item, entity)) is not None)
    show = tuple(item for path in node.show if (item := _shown(context, path, entity)) is not None)
    if not sort and not _ranked(where) and entity.default_sort:
        sort = default_sort(context, entity)
    if not node.show and top_level:
        show = _default_show(context, entity)
        if not show and node.sort:
            show = _with_order(entity, sort)
    return typed.Find(entity, where, sort, node.limit, node.offset or 0, show)


def _where(context: Context, node: tree.Condition, entity: Entity) -> typed.Condition:
    return narrowed_readings(check_condition(context, node, Scope(entity, ranked_allowed=True)))


def _ranked(condition: typed.Condition) -> bool:
    if isinstance(condition, typed.And):
        return any(_ranked(item) for item in condition.items)
    return isinstance(condition, typed.About)


def _check_slice(context: Context, node: tree.Find | tree.Aggregate) -> None:
    if node.limit == 0:
        context.report(Refused("empty-limit", "'limit 0' returns nothing", node.limit_span, hint="give at least 1"))


def _default_show(context: Context, entity: Entity) -> tuple[typed.Shown, ...]:
    """What the catalog shows of an entity, where that leads to other documents or into lists (`show: [shelf.name]`);
    nothing where it names the entity's own fields alone, which a hit shows anyhow. What may not be seen is left out."""
    if not any("." in name and name not in entity.fields and name not in entity.lists for name in entity.show):
        return ()
    shown: list[typed.Shown] = []
    for name in entity.show:
        own = entity.fields.get(name) or entity.lists.get(name)
        if own is not None:
            shown += [] if own.sensitive else [own]
            continue
        try:
            shown.append(_resolved(context, show_path(name), entity))
        except (Refused, SyntaxProblem):
            continue
    return tuple(shown)


def _with_order(entity: Entity, sort: tuple[typed.Sort, ...]) -> tuple[typed.Shown, ...]:
    """What is shown of an entity, with the fields of the order that was asked for; nothing where they are among it."""
    listed = [entity.fields.get(name) or entity.lists.get(name) for name in entity.show]
    shown = tuple(one for one in listed if one is not None and not one.sensitive)
    fields = (entity.fields.get(key.name) for key in sort)
    unseen = tuple(one for one in fields if one and not one.sensitive and one not in (*shown, *entity.names))
    return (*shown, *dict.fromkeys(unseen)) if shown and unseen else ()


def default_sort(context: Context, entity: Entity) -> tuple[typed.Sort, ...]:
    """The catalog's order of an entity's hits, written as in the language: `created desc, name`."""
    assert entity.default_sort is not None
    quiet = Context(context.schema, CHECKS)
    keys = _sort_keys(entity.default_sort)
    return tuple(key for item in keys if (key := _sort_key(quiet, item, entity)) is not None)


@lru_cache(maxsize=1024)
def _sort_keys(text: str) -> tuple[tree.SortKey, ...]:
    statement = parse(f"find x where y sort {text}").statement
    assert isinstance(statement, tree.Find)
    return statement.sort


def _sort_key(context: Context, node: tree.SortKey, entity: Entity) -> typed.Sort | None:
    try:
        if not isinstance(node.key, tree.Path):
            raise Refused("not-sortable", "hits are sorted by fields, not by groups or measures", node.span,
                          hint="name a field")
        target = resolve_path(context, node.key, Scope(entity))
        check_tied(target, node.key.span)
        field = sort_field(target, node.key)
        return typed.Sort(print_path(node.key), field, node.descending, target.element, target.narrowed)
    except Refused as problem:
        context.report(problem)
        return None


def sort_field(target: Target, path: tree.Path) -> Field:
    """Where the order comes from: the field itself, or the name stored beside a reference. Raises Refused."""
    name, item = print_path(path), target.item
    if target.through:
        raise Refused("chain-not-sortable", f"'{name}' is in another document, so it cannot be sorted by", path.span,
                      hint="sort by a field of the entity itself")
    if isinstance(item, NestedList):
        raise list_of_elements(item, "sort by", name, f"{name}.", path.span)
    if item.kind in (FieldKind.TEXT, FieldKind.GEO_POINT, FieldKind.VECTOR, FieldKind.UNSUPPORTED):
        raise Refused("not-sortable", f"'{name}' is {kind_of(item)}, which has no order", path.span,
                      hint="sort by a number, a date or a name")
    if item.reference is not None:
        if item.reference.name_at is None:
            raise Refused("no-name-beside", f"'{name}' holds ids, and no name is stored beside them to sort by",
                          path.span, hint="sort by another field")
        item = replace(item, name=f"{item.name}.name", mapped=item.reference.name_at, kind=FieldKind.KEYWORD)
    if item.mapped.path == "_id" or not item.mapped.doc_values:
        raise Refused("not-sortable", f"the index keeps no order of '{name}'", path.span,
                      hint="sort by another field")
    return item


def _shown(context: Context, path: tree.Path, entity: Entity) -> typed.Shown | None:
    try:
        return _resolved(context, path, entity)
    except Refused as problem:
        context.report(problem)
        return None


def _resolved(context: Context, path: tree.Path, entity: Entity) -> typed.Shown:
    target = resolve_path(context, path, Scope(entity))
    of_key = target.item.of_key if isinstance(target.item, Field) else None
    if target.narrowed is not None and (of_key is None or target.narrowed != typed.has_key(of_key)):
        whole = ".".join(segment.name.text for segment in path.segments)
        raise Refused("brackets-not-here", "'show' cannot filter the elements of a list", path.span,
                      hint=f"show {whole}, and put the condition after 'where'")
    return typed.Chain(_chain_name(target), target.through, target.item) if target.through else target.item


def _chain_name(target: Target) -> str:
    return ".".join([*(reference.name for reference in target.through), target.item.name])


def check_aggregate(context: Context, node: tree.Aggregate) -> typed.Aggregate:
    entity = resolve_entity(context, node.entity)
    where: typed.Condition = typed.All()
    if node.where is not None:
        where = narrowed_readings(check_condition(context, node.where, Scope(entity)))
    groups = check_groups(context, node, entity)
    measures = check_measures(context, node, entity)
    having, measures = check_having(context, node, entity, measures, groups)
    sort, measures = check_row_sort(context, node, entity, measures, groups)
    _check_slice(context, node)
    check_kept_apart(context, node, entity, measures, groups)
    if node.groups:
        _check_limit(context, node, groups)
    else:
        _check_ungrouped(context, node)
    return typed.Aggregate(entity, measures, where, groups, having, sort, node.limit, node.offset or 0)


def _check_limit(context: Context, node: tree.Aggregate, groups: tuple[typed.Group, ...]) -> None:
    """First of what? A group with an order of its own (months) needs a statement of what the first ones are."""
    own = [group for group in groups if group.function not in (None, "step")]
    if node.limit is not None and not node.sort and own:
        first = "count" if any(m.function == "count" for m in node.measures) else node.measures[0].function
        message = f"'{own[0].name}' has an order of its own, so 'limit' needs a 'sort'"
        hint = f"write sort {first} desc, or sort {own[0].name}"
        context.report(Refused("limit-needs-sort", message, node.limit_span, hint=hint))


def _check_ungrouped(context: Context, node: tree.Aggregate) -> None:
    clauses = {"having": node.having, "sort": node.sort, "limit": node.limit, "offset": node.offset}
    for clause, present in clauses.items():
        if present:
            context.report(Refused("needs-group", f"'{clause}' works on rows, and without 'by' there is only one",
                                   node.span, hint=f"add 'by FIELD', or leave '{clause}' out"))


def check_get(context: Context, node: tree.Get) -> typed.Get:
    items: list[typed.Item] = []
    base: tree.EntityLookup | tree.Subquery | tree.Parameter | None = None
    for item in node.items:
        try:
            member = _member(context, item, base)
            base = member.base
            items.append(_item(context, member))
        except Refused as problem:
            context.report(problem)
    return typed.Get(tuple(items))


def _member(
    context: Context, item: tree.Member | tree.Path, base: tree.EntityLookup | tree.Subquery | tree.Parameter | None
) -> tree.Member:
    """A bare path is a field of the value before it, unless it begins with a binding."""
    if isinstance(item, tree.Member):
        return item
    value = expand(context, tree.NameValue(item, span=item.span))
    if isinstance(value, tree.Member):
        return value
    names = tuple(segment.name for segment in item.segments)
    if base is None:
        raise Refused("value-needed", f"'{print_path(item)}' is of nothing: 'get' needs to know whose field", item.span,
                      hint=_whose(context.schema, tuple(name.text for name in names)))
    return tree.Member(base, names, span=item.span)


def _whose(schema: Schema, names: tuple[str, ...]) -> str:
    """How the field is asked of one thing: of the entity that is named, or of one that has it."""
    named = find_entity(schema, names[0])
    names = names[1:] if named is not None else names
    able = [named] if named is not None else [e for e in schema.entities.values() if e.names or e.id]
    having = next((e for e in able if names and find_field(e, names) is not None), None)
    entity = having or next(iter(able), None)
    if entity is None or entity.virtual:
        return "write get (find ENTITIES where ... limit 1).FIELD"
    first = next((field.name for field in entity.fields.values() if not field.sensitive), "FIELD")
    field = ".".join(names) if having is not None else first
    if entity.names:
        return f'write get {entity.name}("NAME").{field}'
    return f"write get (find {entity.plural} where ... limit 1).{field}"


def _item(context: Context, member: tree.Member) -> typed.Item:
    """One thing to get. Several values of a list are one answer, so the distinct value is not asked for."""
    origin = follow(context, member)
    name = ".".join(n.text for n in member.names)
    one = not isinstance(origin.source, typed.Lookup)
    taken = typed.Taken(origin.source, origin.field, one, span=member.span)
    return typed.Item(name, taken, origin.entity if origin.field is None or not origin.field.is_id else None)


CHECKS = SubqueryChecks(lambda context, node: check_find(context, node, top_level=False), check_aggregate)
"""Of queries inside queries."""
