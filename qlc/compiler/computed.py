"""Computed fields and measures of a catalog: their texts are read once, and become fields of their entity.

    margin: {is: "(revenue - cost) / revenue"}  ->  a `ComputedField`, which programs use as any field
    revenue: {measure: "sum(quantity * unit_price)"}  ->  checked here; a program's `revenue` is expanded to its tree
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from qlc.compiler import typed
from qlc.compiler.arithmetic import Calculation, declared, is_part, target_of
from qlc.compiler.check import CHECKS, check_aggregate
from qlc.compiler.conditions import resolve_path
from qlc.compiler.context import Context, EnoughFound, Refused, Scope
from qlc.grammar import print_path, tree
from qlc.grammar.tree import walked
from qlc.mapping.catalog_texts import parse_calculation
from qlc.mapping.guards import NOBODY, Names
from qlc.mapping.names import find_field
from qlc.mapping.schema import Computed, Entity, Schema

LARGEST = 500
"""Most operands and operators of a calculation, with those of the names in it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error in a computed field or measure of an entity."""

    entity: str
    name: str
    problem: Refused


def with_computed(schema: Schema) -> tuple[Schema, list[Wrong]]:
    """Return the schema with the computed fields of its entities, and the errors; entries with errors are left out."""
    wrong: list[Wrong] = []
    if not any(one.computed for one in schema.entities.values()):
        return schema, wrong
    entities = dict(schema.entities)
    for add in (_with_field, _with_measure):  # conditions inside of measures can ask about any entity
        schema = replace(schema, entities=entities)
        for name, entity in schema.entities.items():
            entities[name] = _with_all(schema, entity, add, wrong)
    return replace(schema, entities=entities), wrong


Add = Callable[[Schema, Entity, str], Entity]


def _with_all(schema: Schema, entity: Entity, add: Add, wrong: list[Wrong]) -> Entity:
    """Add the computed fields of an entity, or its measures. What names a wrong one is left out without an error of its
    own."""
    written, is_measure = entity, add is _with_measure
    unfit = {one.name: one.problem for one in wrong if one.entity == entity.name} if is_measure else _unfit(entity)
    if not is_measure:
        wrong += (Wrong(entity.name, name, problem) for name, problem in unfit.items())
    for name in _in_order(written):
        inside = _names_in(parse_calculation(written.computed[name].text), written)
        if name in unfit or not unfit.keys().isdisjoint(inside):
            unfit.setdefault(name, Refused("", ""))
        elif written.computed[name].is_measure is is_measure:
            try:
                entity = add(schema, entity, name)
            except Refused as problem:
                unfit[name] = problem
                wrong.append(Wrong(entity.name, name, problem))
    known = {name: one for name, one in entity.computed.items() if name not in unfit}
    return entity if len(known) == len(entity.computed) else replace(entity, computed=known)


def _with_field(schema: Schema, entity: Entity, name: str) -> Entity:
    """Add a computed field to its entity. Raises Refused."""
    one = entity.computed[name]
    node = parse_calculation(one.text)
    _check_parts(node, entity)
    assert not isinstance(node, tree.Path | tree.Measure)
    context, scope = _context(schema, entity), Scope(entity)
    found = Calculation(context, lambda path: resolve_path(context, path, scope)).quantity(node)
    target = target_of(declared(found, one.unit, node.span), name, scope, node.span)
    assert isinstance(target.item, typed.ComputedField)
    guards = _guards(context)
    unit = "fraction" if is_part(one.unit) else target.item.unit
    adds_up = one.adds_up and unit != "fraction"
    inner = (entity.fields[each] for each in _names_in(node, entity))
    meanings = {name: one.text} | dict(each for field in inner if isinstance(field, typed.ComputedField)
                                       for each in field.meanings)  # fmt: skip
    field = replace(target.item, calculation=one.text, meanings=tuple(meanings.items()), name=name, unit=unit,
                    guards=guards, label=one.label, words=one.words,
                    description=one.description, adds_up=adds_up, from_catalog=True, element=target.element)
    number = None if guards and entity.default_number == name else entity.default_number
    return replace(entity, fields={**entity.fields, name: field}, computed=_guarded(entity, name, guards),
                   default_number=number)


def _with_measure(schema: Schema, entity: Entity, name: str) -> Entity:
    """Check a measure like one of a program, and add its guards and its unit. Raises Refused."""
    if any(isinstance(part, tree.Parameter) for part in walked(parse_calculation(entity.computed[name].text))):
        raise Refused("wrong-type", "a measure of the catalog has no parameters", hint="write the value itself")
    measure = tree.Measure("named", tree.Path((tree.Segment(tree.Name(name)),)))
    context = _context(schema, entity)
    found: tuple[typed.Measure, ...] = ()
    with suppress(EnoughFound):
        found = check_aggregate(context, tree.Aggregate((measure,), tree.Name(entity.plural))).measures
    errors = [one for one in context.diagnostics if one.severity == "error"]
    if errors:
        raise Refused(errors[0].code, errors[0].message.partition(" of the catalog: ")[2] or errors[0].message)
    known = _guarded(entity, name, _guards(context))
    unit = next((one.field.shown_unit for one in found if one.field is not None and one.function != "distinct"), None)
    adds_up = bool(found) and _adds_up(typed.MeasureValue(found[0].name), {one.name: one for one in found})
    one = replace(known[name], unit=unit or known[name].unit, adds_up=adds_up)
    return replace(entity, computed={**known, name: one})


def _adds_up(node: typed.Expression, measures: Mapping[str, typed.Measure]) -> bool:
    """Whether the values of groups sum to the value over all documents: `sum` and `count` do, averages and rates do
    not."""
    match node:
        case typed.MeasureValue(name):
            inside = measures[name].expression
            return measures[name].function in ("sum", "count") if inside is None else _adds_up(inside, measures)
        case typed.Operation("+" | "-", left, right):
            return _adds_up(left, measures) and _adds_up(right, measures)
        case typed.Operation("*" | "/", left, typed.Constant()) | typed.Function("negative", left):
            return _adds_up(left, measures)
        case _:
            return False


def _context(schema: Schema, entity: Entity) -> Context:
    known = replace(schema, entities={**schema.entities, entity.name: entity})
    return Context(known, CHECKS, sensitive=None)


def _guards(context: Context) -> Names:
    """Return the sensitive fields that a caller must be permitted to see everything that a check used."""
    return NOBODY.union(*(one.guards for one in context.fields.values()))


def _guarded(entity: Entity, name: str, guards: Names) -> Mapping[str, Computed]:
    return {**entity.computed, name: replace(entity.computed[name], guards=guards)}


# --- what may be in a calculation, and which comes first -------------------------------------------------------------

_OF_FIELDS = (tree.Arithmetic, tree.Call, tree.Number, tree.DateLiteral, tree.Now, tree.Day, tree.Path, tree.NameValue,
              tree.Segment, tree.Name)  # fmt: skip


def _check_parts(node: tree.Node, entity: Entity) -> None:
    """Check that a computed field is calculated from fields, numbers and dates alone. Raises Refused."""
    if isinstance(node, tree.Path):
        raise Refused("field-needed", f"'{print_path(node)}' is a field itself", node.span,
                      hint="give that field the name as one of its 'words'")
    for part in walked(node):
        if isinstance(part, tree.Measure):
            raise Refused("measure-in-where", "a measure is of several documents, and a field of one", part.span,
                          hint="write 'measure' in place of 'is'")
        if not isinstance(part, _OF_FIELDS):
            raise Refused("wrong-type", "a computed field is calculated from fields of its document, numbers and dates",
                          node.span, hint="leave out lookups, sub-queries, parameters and brackets of lists")


def _unfit(entity: Entity) -> dict[str, Refused]:
    """Return the entries that are in themselves, or too large, with the reasons."""
    found: dict[str, Refused] = {}
    sizes: dict[str, int] = {}
    for name in entity.computed:
        _size(entity, name, (), sizes, found)
    return found


def _size(
    entity: Entity, name: str, within: tuple[str, ...], sizes: dict[str, int], unfit: dict[str, Refused]
) -> int:
    """Return the number of parts of a calculation, with those of the names in it."""
    if name in within:
        circle = " -> ".join((*within[within.index(name) :], name))
        for one in within[within.index(name) :]:
            unfit.setdefault(one, Refused("endless-condition", f"it is calculated from itself: {circle}",
                                          hint="calculate it from stored fields"))
        return 1
    if name not in sizes:
        node = parse_calculation(entity.computed[name].text)
        inner = sum(_size(entity, one, (*within, name), sizes, unfit) for one in _names_in(node, entity))
        sizes[name] = sum(1 for _ in walked(node)) + inner
        if sizes[name] > LARGEST and name not in unfit:
            unfit[name] = Refused("too-long", f"it has more than {LARGEST} parts, with those of the names in it",
                                  hint="calculate it from stored fields, or from fewer names")
            sizes[name] = 1
    return sizes[name]


def _names_in(node: tree.Node, entity: Entity) -> Iterator[str]:
    """Yield the computed fields and measures that a calculation names, each as often as it does."""
    for part in walked(node):
        if isinstance(part, tree.Path) and len(part.segments) == 1:
            name = part.segments[0].name.text
            found = entity.computed.get(name) or entity.measure(name)
            if found is None and find_field(entity, (name,)) is None:
                found = next((one for one in entity.computed.values() if name in one.words), None)
            if found is not None:
                yield found.name


def _in_order(entity: Entity) -> list[str]:
    """Sort names by dependency: `margin`, which uses `profit`, comes after `profit`."""
    found: dict[str, None] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name not in begun:
            begun.add(name)
            for one in _names_in(parse_calculation(entity.computed[name].text), entity):
                add(one)
            found[name] = None

    for name in entity.computed:
        add(name)
    return list(found)

