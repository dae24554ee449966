"""Names to entities and fields: a dotted path walks objects, elements of lists and references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope, quoted
from qlc.diagnostics import Span
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.lookup import find_element_field, find_entity, find_field, nearest_entities, nearest_names
from qlc.mapping.schema import Entity, Field, NestedList


@dataclass(frozen=True, slots=True)
class Target:
    """What a path names. `through` are the references walked, `scope` where the target stands.

    `element` is the list whose element the field belongs to (None inside the brackets of that list), `narrowed` the
    condition that the path puts on that element.
    """

    item: Field | NestedList
    scope: Scope
    name: str
    through: tuple[Field, ...] = ()
    element: NestedList | None = None
    narrowed: typed.Condition | None = None

    @property
    def field(self) -> Field | None:
        return self.item if isinstance(self.item, Field) else None


Narrow = Callable[[tree.Condition, Scope], typed.Condition]


def resolve_entity(context: Context, name: tree.Name, *, statement: bool = True) -> Entity:
    """The entity of a statement (plural) or a look-up (singular). Raises Refused."""
    entity = find_entity(context.schema, name.text)
    if entity is None:
        near = nearest_entities(context.schema, name.text, 3)
        names = [e.plural if statement else e.name for e in context.schema.entities.values()]
        hint = f"did you mean {quoted(near)}?" if near else f"there are {quoted(names, conjunction='and')}"
        raise Refused("unknown-entity", f"there is nothing called '{name.text}' here", name.span,
                      hint=hint, suggestions=tuple(near))  # fmt: skip
    if statement and entity.virtual:
        holders = quoted(tuple(dict.fromkeys(_referring(context, entity))))
        raise Refused("no-documents", f"{entity.plural} are no documents of their own, so they cannot be listed",
                      name.span, hint=f"group or filter by the fields that hold them: {holders}")  # fmt: skip
    canonical = entity.plural if statement else entity.name
    if name.text != canonical:
        context.rewrites[name.span] = replace(name, text=canonical)
    return entity


def _referring(context: Context, target: Entity) -> list[str]:
    return [
        field.name
        for entity in context.schema.entities.values()
        for field in entity.fields.values()
        if field.reference is not None and field.reference.entity == target.name
    ]


def resolve(context: Context, path: tree.Path, scope: Scope, narrow: Narrow) -> Target:
    """Walk a path from `scope`. `narrow` checks the condition in a segment's brackets. Raises Refused."""
    segments = list(path.segments)
    # `documents.size`: the entity before its own field says nothing new.
    if len(segments) > 1 and scope.element is None and segments[0].narrowed is None:
        first = segments[0].name.text
        named = find_entity(context.schema, first) if find_field(scope.entity, (first,)) is None else None
        if named is scope.entity:
            segments = segments[1:]
            context.rewrites[path.span] = replace(path, segments=tuple(segments))
    return _walk(context, segments, Target(_NOTHING, scope, ""), narrow)


_NOTHING = NestedList(name="", path="", fields={})


def _walk(context: Context, segments: list[tree.Segment], at: Target, narrow: Narrow) -> Target:
    names = tuple(segment.name.text for segment in segments)
    if at.scope.element is not None:
        found = find_element_field(at.scope.element, names)
        if found is None and at.scope.element.key and len(names) == 1:
            return _key_value(at.scope.element, segments[0].name, at, inside=True)
        if found is None:
            raise _unknown_element_field(at.scope.element, segments[0])
    else:
        found = find_field(at.scope.entity, names)
        if found is None:
            raise _unknown_field(at.scope.entity, segments)
    item, used, rest = found.item, segments[: found.consumed], segments[found.consumed :]
    _canonical(context, item, used)
    context.fields.setdefault(item.path if isinstance(item, NestedList) else item.mapped.path, item)
    name = used[-1].name.text if found.consumed > 1 else item.name.rsplit(".", 1)[-1]
    for segment in used:
        if segment.narrowed is not None and (segment is not used[-1] or isinstance(item, Field)):
            raise Refused("not-a-list", f"'{segment.name.text}' is no list of elements, so brackets cannot narrow it",
                          segment.span, hint="only nested lists take a condition in brackets")  # fmt: skip
    if isinstance(item, NestedList):
        return _into_list(context, item, used[-1], rest, replace(at, name=name), narrow)
    target = replace(at, item=item, name=name, element=at.element or _enclosing(at.scope, item))
    return _through(context, item, rest, target, narrow) if rest else target


def _enclosing(scope: Scope, field: Field) -> NestedList | None:
    """The list that a field reached by its mapping path lies in."""
    path = field.mapped.nested_path
    if path is None or (scope.element is not None and scope.element.path == path):
        return None
    for candidate in scope.entity.lists.values():
        if candidate.path == path:
            return candidate
    return NestedList(name=path, path=path, fields={})


def _into_list(
    context: Context, item: NestedList, segment: tree.Segment, rest: list[tree.Segment], at: Target, narrow: Narrow
) -> Target:
    inside = Scope(at.scope.entity, element=item)
    condition = narrow(segment.narrowed, inside) if segment.narrowed is not None else None
    if not rest:
        return replace(at, item=item, narrowed=condition)
    names = tuple(s.name.text for s in rest)
    found = find_element_field(item, names)
    if found is None and item.key is not None:
        target = _key_value(item, rest[0].name, replace(at, name=rest[0].name.text), inside=False)
        if len(rest) > 1:
            raise _no_fields(rest[1], rest[0].name.text)
        extra = target.narrowed
        both = extra if condition is None or extra is None else typed.And((condition, extra))
        return replace(target, narrowed=both)
    if found is None:
        raise _unknown_element_field(item, rest[0])
    field, used, further = found.item, rest[: found.consumed], rest[found.consumed :]
    _canonical(context, field, used)
    name = used[-1].name.text if found.consumed > 1 else field.name.rsplit(".", 1)[-1]
    if isinstance(field, NestedList):
        # A list in a list is reached in one step: Elasticsearch's nested paths name the inner one from the root.
        return _into_list(context, field, used[-1], further, replace(at, name=name), narrow)
    context.fields.setdefault(field.mapped.path, field)
    target = replace(at, item=field, name=name, element=item, narrowed=condition)
    return _through(context, field, further, target, narrow) if further else target


def _key_value(item: NestedList, key: tree.Name, at: Target, *, inside: bool) -> Target:
    """`attributes.stage`: the value of the element whose key is `stage`."""
    if item.key is None or item.value is None:
        raise _unknown_element_field(item, tree.Segment(key, span=key.span))
    has_key = typed.Equals(item.fields[item.key], (typed.Literal(key.text),), folded=True)
    value = item.fields[item.value]
    return replace(at, item=value, name=key.text, element=None if inside else item, narrowed=has_key)


def _through(context: Context, field: Field, rest: list[tree.Segment], at: Target, narrow: Narrow) -> Target:
    """Go on from a reference to a field of what it refers to."""
    reference = field.reference
    if reference is None:
        raise _no_fields(rest[0], field.name)
    entity = context.schema.entity(reference.entity)
    if entity.virtual:
        return replace(at, item=_virtual_field(entity, field, rest), name=rest[0].name.text)
    if at.element is not None or at.scope.element is not None:
        raise Refused("chain-in-list", f"a field of the {entity.name} behind '{field.name}' cannot be asked for here",
                      rest[0].span, hint=f"use {field.name} in (find {entity.plural} where ...)")  # fmt: skip
    onward = Target(_NOTHING, Scope(entity), "", through=(*at.through, field))
    return _walk(context, rest, onward, narrow)


def _virtual_field(entity: Entity, field: Field, rest: list[tree.Segment]) -> Field:
    """A virtual entity has an id and a name, both stored beside the reference."""
    word = rest[0].name.text
    if len(rest) > 1:
        raise _no_fields(rest[1], word)
    if word == "id":
        return replace(field, reference=None, name=f"{field.name}.id")
    name_at = field.reference.name_at if field.reference else None
    if word == "name" and name_at is not None:
        return replace(field, reference=None, name=f"{field.name}.name", mapped=name_at, kind=FieldKind.KEYWORD)
    raise Refused("unknown-field", f"a {entity.name} has no field '{word}' here", rest[0].span,
                  hint="only 'id' and 'name' are stored", suggestions=("id", "name"))  # fmt: skip


def _canonical(context: Context, item: Field | NestedList, used: list[tree.Segment]) -> None:
    """Record the catalog's name where the program says another word."""
    if len(used) != 1:
        return
    segment = used[0]
    name = item.name.rsplit(".", 1)[-1] if "." in item.name and "." not in segment.name.text else item.name
    if isinstance(item, Field) and not item.from_catalog:
        return
    if segment.name.text != name and segment.name.span.start >= 0:
        context.rewrites[segment.name.span] = replace(segment.name, text=name)


def _unknown_field(entity: Entity, segments: list[tree.Segment]) -> Refused:
    wrong = ".".join(segment.name.text for segment in segments)
    near = tuple(nearest_names(entity, wrong, 3))
    span = Span(segments[0].span.start, segments[-1].span.end)
    hint = f"did you mean {' or '.join(_described(entity, name) for name in near)}?" if near else ""
    if not hint:
        hint = f"its fields are {quoted(tuple(entity.fields), conjunction='and')}"
    return Refused("unknown-field", f"{entity.plural} have no field '{wrong}'", span, hint=hint, suggestions=near,
                   replacement=near[0] if len(near) == 1 else None)  # fmt: skip


def _described(entity: Entity, name: str) -> str:
    field = entity.fields.get(name)
    if field is not None and field.reference is not None:
        return f"'{name}' (reference to {field.reference.entity})"
    return f"'{name}'"


def _unknown_element_field(item: NestedList, segment: tree.Segment) -> Refused:
    near = tuple(nearest_names(item, segment.name.text, 3))
    known = quoted(tuple(item.fields), conjunction="and")
    return Refused("unknown-field", f"an element of '{item.name}' has no field '{segment.name.text}'", segment.span,
                   hint=f"did you mean {quoted(near)}?" if near else f"its fields are {known}",
                   suggestions=near)  # fmt: skip


def _no_fields(segment: tree.Segment, owner: str) -> Refused:
    return Refused("unknown-field", f"'{owner}' has no fields of its own, so '.{segment.name.text}' cannot be asked",
                   segment.span, hint=f"use '{owner}' alone, or a reference to another entity")  # fmt: skip
