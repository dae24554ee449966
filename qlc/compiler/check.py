"""The checker: tree and schema -> typed query, or all diagnostics at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from qlc.base.diagnostics import Diagnostic, Span
from qlc.base.errors import RequestFailed
from qlc.base.limits import MOST_FINDINGS, MOST_LEVELS
from qlc.compiler import typed
from qlc.compiler.arithmetic import Calculation, computed_field, formula
from qlc.compiler.catalog_conditions import show_path
from qlc.compiler.columns import check_having, check_kept_apart, check_measures, check_row_sort
from qlc.compiler.conditions import calculated, check_condition, narrowed_readings, resolve_path, resolve_term
from qlc.compiler.context import (
    Context,
    EnoughFound,
    Refused,
    Scope,
    SubqueryChecks,
    UsedLiteral,
    kind_of,
    list_of_elements,
)
from qlc.compiler.groups import check_groups, check_top
from qlc.compiler.names import Target, check_values, resolve_entity
from qlc.compiler.sources import follow, id_field, is_one_entity, lookup
from qlc.compiler.values import expand
from qlc.compiler.walk import SOURCES, levels, typed_parts
from qlc.grammar import SyntaxProblem, parse, print_path, print_program, tree
from qlc.grammar.fixes import Edit, edited, parses
from qlc.grammar.printer import print_computed, print_term
from qlc.grammar.tree import children, rebuilt
from qlc.mapping.fields import NO_EXACT_VALUES, FieldKind
from qlc.mapping.names import find_entity, find_field
from qlc.mapping.schema import Entity, Field, NestedList, Schema

_BOUNDS = (typed.Compare, typed.CompareDate, typed.InPeriod)


def check_find(context: Context, node: tree.Find, *, top_level: bool) -> typed.Find:
    where: typed.Condition
    if isinstance(node.entity, tree.EntityLookup):
        origin = lookup(context, node.entity)
        assert origin.entity is not None
        entity = origin.entity
        if entity.virtual:
            resolve_entity(context, node.entity.entity)
        where = typed.Equals(id_field(entity), (typed.Taken(origin.source, span=node.entity.span),))
        if node.where is not None:
            where = typed.And((where, _where(context, node.where, entity)))
    else:
        entity = resolve_entity(context, node.entity)
        where = _where(context, node.where, entity) if node.where is not None else typed.All()
        if top_level and node.where is None and node.limit is None and node.top_per is None and not node.every:
            context.report(Refused("asks-for-everything", f"this asks for all {entity.plural}", node.span,
                                   hint="add 'where ...' or 'limit 10', or write 'find all'"))
    _check_slice(context, node)
    sort = _sorted_by(context, node.sort, entity)
    if node.top_per is not None and _ranked(where):
        context.report(Refused("about-not-here", "'about' ranks a whole list, and not the hits of each group",
                               node.top_per.span, hint="use 'mentions' or 'matches', or leave 'top' out"))
    if node.top_per is not None and (first := check_top(context, node, entity, where, sort)) is not None:
        where = first if isinstance(where, typed.All) else typed.And((where, first))
    show = tuple([item for path in node.show if (item := context.tried(_resolved, context, path, entity)) is not None])
    if not sort and not _ranked(where) and entity.default_sort:
        sort = default_sort(context, entity)
    if not node.show and top_level:
        show = _default_show(context, entity)
        show = show or _with_asked(entity, where, sort if node.sort else ())
    if node.ties and not sort:
        offset = f" offset {node.offset}" if node.offset is not None else ""
        context.report(Refused("ties-need-sort", "without 'sort' all hits are equal, so 'with ties' would list all",
                               node.limit_span, hint="add 'sort FIELD', or leave 'with ties' out",
                               replacement=f"limit {node.limit}{offset}"))
    return typed.Find(entity, where, sort, node.limit, node.offset or 0, show, node.ties)


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
    """Return the catalog's `show` of an entity if it has paths to other documents or into lists (`show: [shelf.name]`).

    Empty if it names only the entity's own fields, which every hit shows. Fields that the caller may not see are left
    out.
    """
    if not any("." in name and name not in entity.fields and name not in entity.lists for name in entity.show):
        return ()
    shown: list[typed.Shown] = []
    for name in entity.show:
        own = entity.fields.get(name) or entity.lists.get(name)
        if own is not None:
            is_of_elements = isinstance(own, typed.ComputedField) and own.element is not None
            shown += [] if own.sensitive or is_of_elements else [own]
            continue
        try:
            shown.append(_resolved(context, show_path(name), entity))
        except (Refused, SyntaxProblem):
            continue
    return tuple(shown)


def _with_asked(entity: Entity, where: typed.Condition, sort: tuple[typed.Sort, ...]) -> tuple[typed.Shown, ...]:
    """Add the fields that have a bound or make the order to the entity's shown fields: `overtime > 30 sort pay` shows
    `overtime` and `pay` as well. Empty if all of them are already shown."""
    bounds = [one for one in typed_parts(where, closed=SOURCES) if isinstance(one, _BOUNDS)]
    fields = [entity.fields.get(one.name) for one in sort] + [
        one.field for one in bounds if entity.fields.get(one.field.name) is one.field]  # fmt: skip
    unseen = tuple(one for one in fields if one and not one.sensitive and one not in (*entity.shown, *entity.names))
    return (*entity.shown, *dict.fromkeys(unseen)) if entity.shown and unseen else ()


def default_sort(context: Context, entity: Entity) -> tuple[typed.Sort, ...]:
    """The catalog's order of an entity's hits, written as in the language: `created desc, name`."""
    assert entity.default_sort is not None
    quiet = Context(context.schema, CHECKS)
    return _sorted_by(quiet, _sort_keys(entity.default_sort), entity)


@lru_cache(maxsize=1024)
def _sort_keys(text: str) -> tuple[tree.SortKey, ...]:
    statement = parse(f"find x where y sort {text}").statement
    assert isinstance(statement, tree.Find)
    return statement.sort


def _sorted_by(context: Context, keys: Sequence[tree.SortKey], entity: Entity) -> tuple[typed.Sort, ...]:
    return tuple([key for item in keys if (key := context.tried(_sort_key, context, item, entity)) is not None])


def _sort_key(context: Context, node: tree.SortKey, entity: Entity) -> typed.Sort:
    if isinstance(node.key, tree.Measure | tree.Group):
        raise Refused("not-sortable", "hits are sorted by fields, not by groups or measures", node.span,
                      hint="name a field")
    target = resolve_term(context, node.key, Scope(entity))
    check_values(target, node.key.span)
    name = print_term(node.key)
    if isinstance(target.item, typed.ComputedField) and target.element is not None:
        raise Refused("not-sortable", f"'{name}' has a value for each element of a list", node.span,
                      hint="sort by a field, or by a calculation of fields of the entity")
    field = sort_field(target, name, node.key.span)
    return typed.Sort(name, field, node.descending, target.element, target.narrowed)


def sort_field(target: Target, name: str, span: Span) -> Field:
    """Return the field to sort by: the path's field, or the name stored beside a reference. Raises Refused."""
    item = target.item
    if target.through:
        raise Refused("chain-not-sortable", f"'{name}' is in another document, so it cannot be sorted by", span,
                      hint="sort by a field of the entity itself")
    if isinstance(item, NestedList):
        raise list_of_elements(item, "sort by", name, f"{name}.", span)
    if item.kind in NO_EXACT_VALUES:
        raise Refused("not-sortable", f"'{name}' is {kind_of(item)}, which has no order", span,
                      hint="sort by a number, a date or a name")
    if item.reference is not None:
        if item.reference.name_at is None:
            raise Refused("no-name-beside", f"'{name}' holds ids, and no name is stored beside them to sort by",
                          span, hint="sort by another field")
        item = replace(item, name=f"{item.name}.name", mapped=item.reference.name_at, kind=FieldKind.KEYWORD)
    if item.mapped.path == "_id" or not item.mapped.doc_values:
        raise Refused("not-sortable", f"'{name}' has no doc values in this index, so it cannot be sorted by", span,
                      hint="sort by another field")
    return item


def _resolved(context: Context, path: tree.Path | tree.Calculated, entity: Entity) -> typed.Shown:
    if isinstance(path, tree.Calculated):
        return _calculated(context, path, entity)
    target = resolve_path(context, path, Scope(entity))
    if isinstance(target.item, typed.ComputedField) and (target.through or target.element is not None):
        where = "is calculated in another document" if target.through else "has a value for each element of a list"
        raise Refused("one-value-needed", f"'{print_path(path)}' {where}, so a hit does not show it", path.span,
                      hint="show the fields that it is calculated from, or measure it")
    of_key = target.item.of_key if isinstance(target.item, Field) else None
    if target.narrowed is not None and (of_key is None or target.narrowed != typed.has_key(of_key)):
        whole = ".".join(segment.name.text for segment in path.segments)
        raise Refused("brackets-not-here", "'show' cannot filter the elements of a list", path.span,
                      hint=f"show {whole}, and put the condition after 'where'")
    name = ".".join(one.name for one in (*target.through, target.item))
    return typed.Chain(name, target.through, target.item) if target.through else target.item


def _calculated(context: Context, node: tree.Calculated, entity: Entity) -> typed.Shown:
    target = calculated(context, node.expression, Scope(entity))
    if target.element is not None:
        raise Refused("one-value-needed", f"'{target.name}' has a value for each element of a list", node.span,
                      hint="show the list, or measure it: sum(...) of ...")
    assert isinstance(target.item, Field)
    return replace(target.item, name=node.alias.text) if node.alias is not None else target.item


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
    if node.counted and (node.sort or node.limit is not None):
        message = "'count groups of' counts all groups, so 'sort' and 'limit' have no place in it"
        context.report(Refused("order-not-here", message, node.sort[0].span if node.sort else node.limit_span,
                               hint="leave it out, or ask for the rows themselves"))
    check_kept_apart(context, node, entity, measures, groups)
    if node.groups:
        _check_limit(context, node, groups)
    else:
        _check_ungrouped(context, node)
    return typed.Aggregate(entity, measures, where, groups, having, sort, node.limit, node.offset or 0, node.ties,
                           node.counted)


def _check_limit(context: Context, node: tree.Aggregate, groups: tuple[typed.Group, ...]) -> None:
    """Check that `limit` has an order. Groups that have their own order (months) need a statement of which come
    first."""
    own = [group for group in groups if group.function not in (None, "step")]
    if node.limit is not None and not node.sort and own:
        first = "count" if any(m.function == "count" for m in node.measures) else node.measures[0].word
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
        if isinstance(item, tree.Calculated):
            made = context.tried(_calculated_item, context, item)
            items += [] if made is None else [made]
            continue
        member = context.tried(_member, context, item, base)
        if member is not None:
            base = member.base
            checked = context.tried(_item, context, member)
            items += [] if checked is None else [checked]
    return typed.Get(tuple(items))


def _calculated_item(context: Context, node: tree.Calculated) -> typed.Item:
    """Check a calculation of `get`, with values that are taken from documents or rows. Raises Refused."""
    found = Calculation(context, _no_field).quantity(node.expression)
    name = node.alias.text if node.alias is not None else print_computed(node.expression)
    value = typed.Formula(found.expression, found.is_date, span=node.span)
    return typed.Item(name, value, computed=computed_field(found, name))


def _no_field(path: tree.Path) -> Target:
    raise Refused("value-needed", f"'{print_path(path)}' has no owner: 'get' needs to know whose it is", path.span,
                  hint="write, for example, get city(\"Bonn\").population - city(\"Trier\").population")


def _member(
    context: Context, item: tree.Member | tree.Path, base: tree.EntityLookup | tree.Subquery | tree.Parameter | None
) -> tree.Member:
    """Complete an item of `get`: a bare path is a field of the previous item's base, unless it starts with a
    binding."""
    if isinstance(item, tree.Member):
        return item
    value = expand(context, tree.NameValue(item, span=item.span))
    if isinstance(value, tree.Member):
        return value
    names = tuple(segment.name for segment in item.segments)
    if base is None:
        raise Refused("value-needed", f"'{print_path(item)}' has no owner: 'get' needs to know whose it is", item.span,
                      hint=_whose(context.schema, tuple(name.text for name in names)))
    return tree.Member(base, names, span=item.span)


def _whose(schema: Schema, names: tuple[str, ...]) -> str:
    """Return a hint for asking one thing for the field: of the entity that is named, or of one that has the field."""
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
    """Check one item of `get`. Several values of a list are one answer, so they need not be a single value."""
    origin = follow(context, member)
    name = ".".join(n.text for n in member.names)
    if isinstance(origin.field, typed.ComputedField):
        found = Calculation(context, _no_field).quantity(member)
        value = typed.Formula(found.expression, found.is_date, span=member.span)
        return typed.Item(name, value, computed=origin.field)
    one = not isinstance(origin.source, typed.Lookup)
    is_list = one and origin.field is not None and origin.field.many is not False and is_one_entity(origin.source)
    taken = typed.Taken(origin.source, origin.field, one, list=is_list, span=member.span)
    return typed.Item(name, taken, origin.entity if origin.field is None or not origin.field.is_id else None)


def _formula(context: Context, node: tree.Operand, field: Field, scope: Scope) -> typed.Formula:
    return formula(context, node, field, lambda path: resolve_path(context, path, scope))


CHECKS = SubqueryChecks(lambda context, node: check_find(context, node, top_level=False), check_aggregate, _formula)
"""The checks of statements inside of values."""


MOST_FIXES = 4
"""Most rounds of fixes: a fixed name can reveal that its value was misspelled too."""


@dataclass(frozen=True)
class Checked:
    """A program that was checked.

    `statement` is None where a diagnostic is an error. `text` is the canonical text with the catalog's names. `fields`
    are the mapping paths that the program uses, `literals` the texts compared with open fields, `places` the spans of
    its conditions, `parts` all nodes of the statement, `computed` what its names of computed fields and measures stand
    for.
    """

    statement: typed.Statement | None
    tree: tree.Program
    diagnostics: tuple[Diagnostic, ...]
    fields: tuple[str, ...] = ()
    literals: tuple[UsedLiteral, ...] = ()
    places: tuple[tuple[typed.Condition, Span], ...] = ()
    parts: Sequence[Any] = field(default=(), compare=False, repr=False)
    computed: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def text(self) -> str:
        return print_program(self.tree)


def check(
    program: tree.Program,
    schema: Schema,
    source: str = "",
    parameters: Mapping[str, object] | None = None,
    sensitive: frozenset[str] | None = frozenset(),
) -> Checked:
    """Check a program against a schema. Never raises for what the program says."""
    checked, fixes = _checked(program, schema, source, parameters or {}, sensitive)
    if not fixes:
        return checked

    def again(text: str) -> tuple[Checked, Fixes]:
        return _checked(parse(text), schema, text, parameters or {}, sensitive)

    try:
        text = _fixed(checked, fixes, source, again)
    except RequestFailed:  # no time is left: what is wrong is reported without a fix
        text = None
    found = (replace(one, fixed=text) if one in fixes else one for one in checked.diagnostics)
    return replace(checked, diagnostics=tuple(found))


Fixes = Mapping[Diagnostic, Edit]


def _fixed(
    checked: Checked, fixes: Fixes, source: str, check_again: Callable[[str], tuple[Checked, Fixes]]
) -> str | None:
    """Return the program with all errors fixed, since fixing one of several would leave an invalid text.

    Errors of the result are fixed in turn; None if this does not end in a program without errors.
    """
    for _ in range(MOST_FIXES):
        errors = [found for found in checked.diagnostics if found.severity == "error"]
        if not errors:
            return source
        if not all(found in fixes for found in errors):
            return None
        edits = sorted({fixes[found] for found in errors})
        if any(one.span.end > other.span.start for one, other in pairwise(edits)):
            return None
        source = edited(source, *edits)
        if not parses(source):
            return None
        checked, fixes = check_again(source)
    return None


def _checked(
    program: tree.Program,
    schema: Schema,
    source: str,
    parameters: Mapping[str, object],
    sensitive: frozenset[str] | None,
) -> tuple[Checked, Fixes]:
    context = Context(schema, CHECKS, source, parameters=parameters, sensitive=sensitive)
    statement: typed.Statement | None = None
    try:
        statement = _statement(context, program)
    except EnoughFound:
        end = program.statement.span.end
        message = f"the check ends here, after {MOST_FINDINGS} errors"
        context.diagnostics.append(
            Diagnostic("too-many-errors", message, Span(end, end), "fix these, and the others are reported")
        )
    parts = typed_parts(statement) if statement is not None and not context.failed else []
    # Most have not even so many sources.
    if len(parts) > MOST_LEVELS and sum(isinstance(part, SOURCES) for part in parts) > MOST_LEVELS < levels(statement):
        context.report(Refused("too-deep", f"more than {MOST_LEVELS} lookups and sub-queries each need the one before",
                               program.statement.span, hint="ask in several steps: what is found first, then the rest"))
    canonical = _rewritten(program, context.rewrites) if context.rewrites else program
    checked = Checked(
        statement=None if context.failed else statement,
        tree=canonical,
        diagnostics=tuple(sorted(context.diagnostics, key=lambda d: d.span)),
        fields=tuple(sorted(context.fields)),
        literals=tuple(context.literals),
        places=tuple(context.places),
        parts=parts,
        computed=context.computed,
    )
    return checked, context.fixes


def _statement(context: Context, program: tree.Program) -> typed.Statement | None:
    """Check the bindings and the statement. Raises EnoughFound."""
    for place, let in enumerate(program.lets):
        _declare(context, let, {later.name.text for later in program.lets[place:]})
    statement: typed.Statement | None = None
    try:
        match program.statement:
            case tree.Find():
                statement = check_find(context, program.statement, top_level=True)
            case tree.Aggregate():
                statement = check_aggregate(context, program.statement)
            case tree.Get():
                statement = check_get(context, program.statement)
    except Refused as problem:
        context.report(problem)
    for let in program.lets:
        if let.name.text not in context.used_lets and let.name.text not in context.broken_lets:
            message = f"'{let.name.text}' is bound and never used"
            context.warn("unused-binding", message, let.name.span, "leave the 'let' out")
    _check_about_once(context, program)
    return statement


def _declare(context: Context, let: tree.Let, not_yet: set[str]) -> None:
    """Bind a name; its value may use the bindings before it, not itself and none of those `not_yet` bound."""
    if let.name.text in context.lets:
        context.report(Refused("bound-twice", f"'{let.name.text}' is bound twice", let.name.span,
                               hint="give the second one another name"))
        return
    if not_yet & _bare_names(let.value):
        # Reported once here, and where the name is used, which adds nothing to it.
        problem = Refused("bound-by-itself", f"'{let.name.text}' is bound by itself", let.name.span,
                          hint="bind it to a value, a lookup or a sub-query")
        context.report(problem)
        context.broken_lets[let.name.text] = problem
        return
    context.lets[let.name.text] = let


def _bare_names(node: tree.Node) -> set[str]:
    """Return the first words of bare names inside a value: each may be a binding."""
    if isinstance(node, tree.NameValue):
        return {node.path.segments[0].name.text}
    return {name for one in children(node) for name in _bare_names(one)}


def _check_about_once(context: Context, program: tree.Program) -> None:
    statement = program.statement
    if not isinstance(statement, tree.Find) or not isinstance(statement.where, tree.And):
        return
    ranked = [i for i in statement.where.items if isinstance(i, tree.EntityText) and i.operator == "about"]
    if len(ranked) > 1:
        context.report(Refused("about-twice", "'about' ranks the whole answer, so it can be used only once",
                               ranked[1].span, hint="put all the words into one 'about'"))


def _rewritten(program: tree.Program, rewrites: Mapping[Span, tree.Node]) -> tree.Program:
    """Return the tree with the program's words replaced by the catalog's names."""

    def named(node: tree.Node) -> tree.Node:
        replacement = rewrites.get(node.span)
        return replacement if replacement is not None and type(replacement) is type(node) else node

    found: tree.Program = rebuilt(program, named)
    return found
