"""Find the literals of a program, and return the program with other values in their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from qlc.compiler.check import CHECKS
from qlc.compiler.conditions import resolve_path
from qlc.compiler.context import Context, Refused, Scope
from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, NestedList, Schema

Kind = Literal["name", "value", "text", "date", "number", "count"]
"""A name is looked up, a value is one of a field, a text is searched for; a count is how many are asked for."""
LIMIT = "limit"
_TEXTS = frozenset([
    "contains", "starts with", "ends with", "like", "matches", "matches any", "matches prefix", "matches roughly",
    "mentions",
])  # fmt: skip
LITERALS = (tree.String, tree.Number, tree.DateLiteral, tree.Day, tree.RelativePeriod)
_FITTING: Mapping[str, tuple[type[tree.Node], ...]] = {
    "name": (tree.String,), "value": (tree.String,), "text": (tree.String,), "number": (tree.Number,),
    "date": (tree.Number, tree.DateLiteral, tree.Day, tree.RelativePeriod),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A literal or a parameter of a program. Without a `kind` it can only be what it is.

    `of` is the entity of a name, or entity and field of a value, date or number. `entity` and `field` are the same as
    the schema has them. `alone`: it is equal to the whole of what is compared.
    """

    node: tree.Node
    kind: Kind | None = None
    of: str = ""
    entity: Entity | None = None
    field: Field | None = None
    alone: bool = False

    @property
    def is_closed(self) -> bool:
        return self.field is not None and self.field.values is not None


def places(program: tree.Program, schema: Schema) -> list[Place]:
    """Every literal and parameter of a program that the checker accepts, in the order in which they stand."""
    return [*_Walk(schema).inside(program, None)]


def filled(program: tree.Program, values: Mapping[str, tree.Value]) -> tree.Program:
    """The program with a value for each of its parameters that has one, and for its limit."""

    def changed(node: tree.Node) -> tree.Node | None:
        return values.get(node.name) if isinstance(node, tree.Parameter) else None

    found = tree.mapped(program, changed)
    limit, statement = values.get(LIMIT), found.statement
    if isinstance(limit, tree.Number) and isinstance(statement, tree.Find | tree.Aggregate):
        found = replace(found, statement=replace(statement, limit=int(limit.value)))
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    schema: Schema

    def inside(self, node: tree.Node, scope: Scope | None) -> Iterator[Place]:
        match node:
            case tree.Find() | tree.Aggregate():
                name = node.entity.entity if isinstance(node.entity, tree.EntityLookup) else node.entity
                entity = find_entity(self.schema, name.text)
                yield from self._children(node, Scope(entity) if entity is not None else None)
            case tree.Path():
                for at, segment in enumerate(node.segments):
                    if segment.narrowed is not None:
                        yield from self.inside(segment.narrowed, self._elements(node.segments[: at + 1], scope))
            case tree.Comparison():
                yield from self.inside(node.left, scope)
                yield from self._value(node.right, self._compared(node.left, node.operator, scope), scope)
            case tree.Between():
                yield from self.inside(node.left, scope)
                for value in (node.low, node.high):
                    yield from self._value(value, self._compared(node.left, "between", scope), scope)
            case tree.EntityText():
                yield Place(node.text, "text")
            case tree.EntityLookup():
                entity = find_entity(self.schema, node.entity.text)
                yield Place(node.name, "name", entity.name if entity is not None else "", entity)
            case tree.Parameter():
                yield Place(node)
            case _ if isinstance(node, LITERALS):
                yield Place(node)
            case _:
                yield from self._children(node, scope)

    def _children(self, node: tree.Node, scope: Scope | None) -> Iterator[Place]:
        for one in tree.children(node):
            yield from self.inside(one, scope)

    def _value(self, node: tree.Node, place: Place, scope: Scope | None) -> Iterator[Place]:
        if isinstance(node, tree.ListValue):
            for one in node.items:
                yield from self._value(one, place, scope)
        elif isinstance(node, tree.PeriodOf):
            yield from self._value(node.value, replace(place, alone=False), scope)
        elif isinstance(node, tree.Parameter):
            yield replace(place, node=node)
        elif isinstance(node, LITERALS):
            fits = place.kind is not None and isinstance(node, _FITTING[place.kind])
            yield replace(place, node=node) if fits else Place(node)
        else:
            yield from self.inside(node, scope)

    def _compared(self, left: tree.Node, operator: str, scope: Scope | None) -> Place:
        """Return the place on the right side of a comparison: its type, field and entity."""
        if isinstance(left, tree.Measure):
            if left.path is None or left.function in ("count", "distinct", "share"):
                return Place(left, "number")
            left = left.path
        field = self._field(left, scope) if isinstance(left, tree.Path) else None
        if field is None or scope is None:
            return Place(left)
        of = f"{scope.entity.name}.{field.name}"
        if operator in _TEXTS:
            return Place(left, "text", of, field=field)
        if field.reference is not None:
            entity = self.schema.entities[field.reference.entity]
            return Place(left, "name", entity.name, entity, field)
        if field.kind is FieldKind.DATE:
            return Place(left, "date", of, field=field, alone=operator == "=")
        if field.kind in NUMERIC and field.values is None:
            return Place(left, "number", of, field=field)
        if field.values is not None or field.kind in (FieldKind.KEYWORD, FieldKind.IP):
            return Place(left, "value", of, field=field)
        return Place(left)

    def _field(self, path: tree.Path, scope: Scope | None) -> Field | None:
        item = self._item(path, scope)
        return item if isinstance(item, Field) else None

    def _item(self, path: tree.Path, scope: Scope | None) -> Field | NestedList | None:
        if scope is None:
            return None
        try:
            return resolve_path(Context(self.schema, CHECKS, sensitive=None), path, scope).item
        except Refused:
            return None

    def _elements(self, segments: tuple[tree.Segment, ...], scope: Scope | None) -> Scope | None:
        bare = tree.Path(tuple(replace(one, narrowed=None) for one in segments))
        item = self._item(bare, scope)
        return replace(scope, element=item) if scope is not None and isinstance(item, NestedList) else None
