"""Name resolution: names to entities and fields. A dotted path walks objects, list elements and references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, get_args

from qlc.base.diagnostics import Span, an
from qlc.base.words.spelling import normal_form
from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope, UsedLiteral, confidential, list_of_elements, quoted
from qlc.compiler.copies import of_copies
from qlc.compiler.walk import typed_parts
from qlc.grammar import print_value, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.guards import permits
from qlc.mapping.names import (
    Resolved,
    find_element,
    find_entity,
    find_field,
    find_inner_list,
    find_own,
    nearest_element_names,
    nearest_entities,
    nearest_names,
    surely_meant,
    surely_meant_entity,
    whole_record,
)
from qlc.mapping.schema import Entity, Field, KeyOf, NestedList


@dataclass(slots=True)
class Target:
    """The result of resolving a path. `through` are the references walked, `scope` the scope of the last name.

    `element` is the list to whose element the field belongs (None inside the brackets of that list), `narrowed` the
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


MAX_SEGMENTS = 100
"""Most names in a path: longer ones match no mapping, and would be walked for nothing."""

Item = TypeVar("Item", Field, NestedList, Field | NestedList)

Segments = Sequence[tree.Segment]
Narrow = Callable[[Context, tree.Condition, Scope], typed.Condition]


def resolve_entity(context: Context, name: tree.Name, *, statement: bool = True) -> Entity:
    """The entity of a statement (plural) or a lookup (singular). Raises Refused."""
    entity = find_entity(context.schema, name.text)
    if entity is None:
        near = nearest_entities(context.schema, name.text, 3)
        singular = {e.plural: e.name for e in context.schema.entities.values()}
        names = list(singular if statement else singular.values())
        meant = surely_meant_entity(context.schema, name.text)
        near = near if statement else [singular.get(name, name) for name in near]
        hint = f"did you mean {quoted(near)}?" if near else f"there are {quoted(names, conjunction='and')}"
        if not statement and name.text.casefold() in ("date", "datetime", "timestamp", "to_date", "time"):
            hint = "write a date without quotes and brackets, as in 2024-03-05"
        raise Refused("unknown-entity", f"there is nothing called '{name.text}' here", name.span,
                      hint=hint, suggestions=tuple(near),
                      replacement=None if meant is None else meant.plural if statement else meant.name)
    if statement and entity.virtual:
        fields = (field for one in context.schema.entities.values() for field in one.fields.values())
        referring = (one.name for one in fields if one.reference is not None and one.reference.entity == entity.name)
        holders = quoted(tuple(dict.fromkeys(referring)))
        raise Refused("no-documents", f"{entity.plural} are not documents of their own, so they cannot be listed",
                      name.span, hint=f"group or filter by the fields that hold them: {holders}")
    canonical = entity.plural if statement else entity.name
    if name.text != canonical:
        context.rewrites[name.span] = replace(name, text=canonical)
    return entity


def resolve(context: Context, path: tree.Path, scope: Scope, narrow: Narrow) -> Target:
    """Walk a path from `scope`. `narrow` checks the condition in a segment's brackets. Raises Refused."""
    segments = path.segments
    if len(segments) == 1 and segments[0].narrowed is None and scope.element is None:
        own = find_own(scope.entity, segments[0].name.text)
        if isinstance(own, Field):  # as most paths are: one name of the entity's own
            own = _note_used(context, own, segments)
            return Target(own, scope, own.name.rsplit(".", 1)[-1], element=_element_of(own))
    if len(segments) > MAX_SEGMENTS:
        raise Refused("unknown-field", f"no field is {len(segments)} levels deep", path.span,
                      hint=f"a path has at most {MAX_SEGMENTS} names")
    # `documents.size`: the entity before its own field says nothing new; a path may begin with the same word.
    if len(segments) > 1 and scope.element is None and segments[0].narrowed is None:
        first = segments[0].name.text
        names = tuple([segment.name.text for segment in segments])
        is_path = any(find_field(scope.entity, part) is not None for part in (names[:1], names))
        if not is_path and find_entity(context.schema, first) is scope.entity:
            segments = segments[1:]
            context.rewrites[path.span] = replace(path, segments=segments)
    return _walk(context, segments, Target(_NOTHING, scope, ""), narrow)


_NOTHING = NestedList(name="", path="", fields={})


def _walk(context: Context, segments: Segments, at: Target, narrow: Narrow) -> Target:
    element, entity = at.scope.element, at.scope.entity
    names = tuple([segment.name.text for segment in segments])
    if element is not None:
        found = find_element(entity, element, names) or find_inner_list(entity, element, names)
        if found is None and element.key is not None and len(names) == 1:
            return _key_value(context, entity, element, segments[0].name, at, inside=True)
        if found is None:
            raise _unknown_element_field(entity, element, segments[0])
    else:
        found = find_field(entity, names)
        if found is None or found.within is not None:
            found = _find_list(entity, names) or found or _object_list(entity, segments)
        if found is None:
            raise _unknown_field(entity, segments)
    item, used, rest = found.found, segments[: found.consumed], segments[found.consumed :]
    if element is not None:
        item = _of_element(element, item)
    item = _note_used(context, item, used)
    for count, segment in enumerate(used, 1):
        if segment.narrowed is not None and (segment is not used[-1] or isinstance(item, Field)):
            outer = find_field(entity, names[:count]) if element is None else None
            if outer is not None and isinstance(outer.found, NestedList) and isinstance(item, NestedList):
                raise _list_after_brackets(outer.found, item, segment.span)
            raise Refused("not-a-list", f"'{segment.name.text}' is not a list of elements; brackets cannot narrow it",
                          segment.span, hint="only nested lists take a condition in brackets")
    name = _last_word(item, used)
    if isinstance(item, NestedList):
        return _into_list(context, item, used[-1], rest, replace(at, name=name), narrow)
    inside = _element_of(item) if found.within is element else found.within
    target = Target(item, at.scope, name, at.through, at.element or inside, at.narrowed)
    return _through(context, item, rest, target, narrow) if rest else target


def _element_of(item: Field) -> NestedList | None:
    """Return the list whose elements have the values of a computed field."""
    return item.element if isinstance(item, typed.ComputedField) else None


def _find_list(entity: Entity, names: tuple[str, ...]) -> Resolved | None:
    """Find a list at the beginning of the names, so that its brackets and its elements can be distinguished."""
    for count in range(1, len(names) + 1):
        found = find_field(entity, names[:count])
        if found is not None and found.consumed == count:
            return found if isinstance(found.found, NestedList) else None
    return None


def _list_after_brackets(outer: NestedList, inner: NestedList, at: Span) -> Refused:
    """Return the refusal for `carts[shop = "A"].lines.sku`: brackets on `carts` do not restrict elements of
    `carts.lines`."""
    path = inner.path.removeprefix(f"{outer.path}.")
    return Refused("chain-in-list", f"'{path}' is a list inside '{outer.name}', and cannot follow its brackets", at,
                   hint=f"in 'where', put both conditions into one pair: '{outer.name}[... and {path}.FIELD = VALUE]'")


def _object_list(entity: Entity, segments: Segments) -> Resolved | None:
    """Find a list of plain objects to which brackets can apply, although no catalog declares it as a list."""
    for count, segment in enumerate(segments, 1):
        path = ".".join(part.name.text for part in segments[:count])
        if segment.narrowed is not None and entity.open_paths and path in entity.mapping.objects:
            return Resolved(NestedList(name=path, path=path, fields={}, tied=False), count)
    return None


def _last_word(item: Field | NestedList, used: Segments) -> str:
    return used[-1].name.text if len(used) > 1 else item.name.rsplit(".", 1)[-1]


def _note_used(context: Context, item: Item, used: Segments) -> Item:
    """Record a used field, and the catalog's name if the program uses a synonym. Raises Refused.

    The item is returned as the caller may see it.
    """
    item = _permitted(context, item, used[0].name.span)
    if len(used) != 1 or (isinstance(item, Field) and not item.from_catalog):
        return item
    segment, name = used[0], item.name.rsplit(".", 1)[-1] if "." not in used[0].name.text else item.name
    if segment.name.text != name and segment.name.span.start >= 0 and not context.expanding:
        context.rewrites[segment.name.span] = replace(segment.name, text=name)
    return item


def _permitted(context: Context, item: Item, span: Span) -> Item:
    """Return the item, with the name stored beside it only for callers who may see it. Raises Refused."""
    if not context.permits(item.guards):
        raise confidential(item.name, span)
    if isinstance(item, typed.ComputedField):
        context.computed.update(item.meanings)
    for one in stored_fields(item) if isinstance(item, typed.ComputedField) else (item,):
        context.fields.setdefault(one.path if isinstance(one, NestedList) else one.mapped.path, one)
    return _with_name(item, context.permits)


def stored_fields(computed: typed.ComputedField) -> list[Field]:
    """Return the fields that a computed field is calculated from."""
    return [part.field for part in typed_parts(computed.expression) if isinstance(part, typed.FieldValue)]


def _with_name(item: Item, may_see: Callable[[frozenset[str]], bool]) -> Item:
    """Return the item, a reference with the name stored beside it if the caller may see that."""
    beside = item.reference if isinstance(item, Field) else None
    if isinstance(item, Field) and beside is not None and beside.guarded_name and may_see(beside.name_guards):
        return replace(item, reference=replace(beside, name_at=beside.guarded_name))
    return item


def with_all_columns(find: typed.Find, permitted: frozenset[str] | None) -> typed.Find:
    """Return a list that shows every field that the caller may see. `permitted`: as in `guards.permits`."""
    shown = whole_record(find.entity, permitted)
    return replace(find, show=tuple(_with_name(one, partial(permits, permitted=permitted)) for one in shown))


def _into_list(
    context: Context, item: NestedList, segment: tree.Segment, rest: Segments, at: Target, narrow: Narrow
) -> Target:
    entity = at.scope.entity
    if isinstance(segment.narrowed, tree.String):
        condition: typed.Condition | None = _of_key(context, entity, item, segment.narrowed)
        if not rest:
            value = _permitted(context, item.fields[item.value or ""], segment.span)
            return replace(at, item=value, element=item, narrowed=condition)
    else:
        inside = Scope(entity, element=item)
        condition = narrow(context, segment.narrowed, inside) if segment.narrowed is not None else None
        if not rest:
            return replace(at, item=item, narrowed=condition)
    found = find_element(entity, item, tuple(s.name.text for s in rest))
    if found is None and item.key is not None:
        named = replace(at, name=rest[0].name.text)
        target = _key_value(context, entity, item, rest[0].name, named, inside=False)
        if len(rest) > 1:
            raise _no_fields(rest[1], rest[0].name.text)
        extra = target.narrowed
        both = extra if condition is None or extra is None else typed.And((condition, extra))
        return replace(target, narrowed=both)
    if found is None:
        raise _unknown_element_field(entity, item, rest[0])
    field, used, further = _of_element(item, found.found), rest[: found.consumed], rest[found.consumed :]
    field = _note_used(context, field, used)
    named = replace(at, name=_last_word(field, used))
    if isinstance(field, NestedList):
        # A list in a list is reached in one step: Elasticsearch's nested paths name the inner one from the root.
        return _into_list(context, field, used[-1], further, named, narrow)
    around = found.within or item
    if around is not item and condition is not None:
        raise _list_after_brackets(item, around, rest[0].span)
    target = replace(named, item=field, element=around, narrowed=condition)
    return _through(context, field, further, target, narrow) if further else target


def _of_key(context: Context, entity: Entity, item: NestedList, text: tree.String) -> typed.Condition:
    """`attributes["stage"]`: the elements with a key. Raises Refused."""
    if item.key is None or item.value is None:
        raise Refused("not-a-key-list", f"'{item.name}' has no keys", text.span,
                      hint=f"write a condition on an element: '{item.name}[FIELD = {print_value(text)}]'")
    key = _permitted(context, item.fields[item.key], text.span)
    if item.similar is None:
        context.literals.append(UsedLiteral(entity, key, text.value, text.span, "key"))
        return typed.has_key(KeyOf(key, text.value))
    keys = typed.Keys(entity, item, key, text.value, span=text.span)
    return typed.Equals(key, (typed.Taken(keys, one=False),))


def _of_element(within: NestedList, item: Field | NestedList) -> Field | NestedList:
    """Mark a field as multi-valued for a list whose elements the index merges: a document has one value per element."""
    return replace(item, many=None) if isinstance(item, Field) and not within.tied else item


def _key_value(
    context: Context, entity: Entity, item: NestedList, key: tree.Name, at: Target, *, inside: bool
) -> Target:
    """`attributes.stage`: the value of the element whose key is `stage`."""
    if item.key is None or item.value is None:
        raise _unknown_element_field(entity, item, tree.Segment(key, span=key.span))
    value = _permitted(context, item.fields[item.value], key.span)
    _permitted(context, item.fields[item.key], key.span)
    context.literals.append(UsedLiteral(entity, item.fields[item.key], key.text, key.span, "key"))
    of_key = KeyOf(item.fields[item.key], key.text)
    value = replace(value, name=f"{item.name}.{key.text}", of_key=of_key)
    return replace(at, item=value, name=key.text, element=None if inside else item, narrowed=typed.has_key(of_key))


def _through(context: Context, field: Field, rest: Segments, at: Target, narrow: Narrow) -> Target:
    """Resolve the rest of a path in the entity that a reference points to."""
    reference = field.reference
    if reference is None:
        raise _no_fields(rest[0], field.name)
    entity = context.schema.entity(reference.entity)
    if entity.virtual:
        return replace(at, item=_virtual_field(entity, field, rest), name=rest[0].name.text)
    if at.element is not None or at.scope.element is not None:
        raise Refused("chain-in-list", f"a field of the {entity.name} after '{field.name}' cannot be used here",
                      rest[0].span, hint=f"use {field.name} in (find {entity.plural} where ...)")
    onward = Target(_NOTHING, Scope(entity), "", through=(*at.through, field))
    return _walk(context, rest, onward, narrow)


def _virtual_field(entity: Entity, field: Field, rest: Segments) -> Field:
    """Return the id or the name of a virtual entity; both are stored beside the reference."""
    word = rest[0].name.text
    if len(rest) > 1:
        raise _no_fields(rest[1], word)
    if word == "id":
        return replace(field, reference=None, name=f"{field.name}.id")
    name_at = field.reference.name_at if field.reference else None
    if word == "name" and name_at is not None:
        return replace(field, reference=None, name=f"{field.name}.name", mapped=name_at, kind=FieldKind.KEYWORD)
    if word == "name" and field.reference is not None and field.reference.guarded_name is not None:
        raise confidential(f"{field.name}.name", rest[0].span)
    raise Refused("unknown-field", f"{an(entity.name)} has no field '{word}' here", rest[0].span,
                  hint="only 'id' and 'name' are stored", suggestions=("id", "name"))


def _unknown_field(entity: Entity, segments: Segments) -> Refused:
    wrong = ".".join(segment.name.text for segment in segments)
    words = nearest_names(entity, wrong, 3)
    near = tuple(words)
    span = Span(segments[0].span.start, segments[-1].span.end)
    offered = " or ".join(_described(entity, name, word) for name, word in words.items())
    hint = f"did you mean {offered}?" if near else ""
    hint = f"{_not_a_field(entity, wrong)} {hint}".strip()
    if not hint:
        visible = [name for name, field in entity.fields.items() if not field.sensitive]
        hint = f"its fields are {quoted(visible, conjunction='and')}"
    return Refused("unknown-field", f"{entity.plural} have no field '{wrong}'", span, hint=hint, suggestions=near,
                   replacement=surely_meant(entity, wrong))


_CYCLES: tuple[tree.GroupFunction, ...] = get_args(tree.CyclicUnit)
CALENDAR: tuple[tree.GroupFunction, ...] = ("year", "quarter", "month", "week", "day", "hour", *_CYCLES)


def _not_a_field(entity: Entity, word: str) -> str:
    """Return a hint for a word of rows in place of a field: `by year`, `where count > 5`."""
    own = entity.measure(word)
    if own is not None and not own.guards:
        return f"'{own.name}' is a measure of several {entity.plural}: write '{own.name} of {entity.plural} ...'."
    if word in CALENDAR:
        dates = [f"{word}({name})" for name, field in entity.fields.items()
                 if field.kind is FieldKind.DATE and not field.sensitive]  # fmt: skip
        if not dates:
            return ""
        return f"as a group, write {quoted(dates, limit=3)}; in 'where' compare the date with a period."
    if word in ("count", "sum", "avg", "min", "max", "median"):
        measure = word if word == "count" else f"{word}(FIELD)"
        return f"measures are compared in 'having', as in 'by FIELD having {measure} > 5'."
    return ""


def _described(entity: Entity, name: str, word: str) -> str:
    """The name as it is offered; where another word for it is what is near, that word."""
    field = entity.fields.get(name)
    if field is not None and field.reference is not None:
        return f"'{name}' (reference to {field.reference.entity})"
    if "." in word:
        return f"'{name}'" if word == name else f"'{name}' ('{word}')"
    if normal_form(word) in normal_form(name) or normal_form(name) in normal_form(word):
        return f"'{name}'"
    return f"'{name}' (also called '{word}')"


def _unknown_element_field(entity: Entity, item: NestedList, segment: tree.Segment) -> Refused:
    wrong = segment.name.text
    near = tuple(nearest_element_names(entity, item, wrong, 3))
    known = quoted([f.name.rsplit(".", 1)[-1] for f in item.fields.values() if not f.sensitive], conjunction="and")
    outside = find_own(entity, wrong)
    if outside is not None and not outside.sensitive:
        known = f"{known}; '{wrong}' is a field of the {entity.name}: write it outside of the brackets"
    return Refused("unknown-field", f"an element of '{item.name}' has no field '{wrong}'", segment.name.span,
                   hint=f"did you mean {quoted(near)}?" if near else f"its fields are {known}",
                   suggestions=near, replacement=surely_meant(entity, wrong, item))


def _no_fields(segment: tree.Segment, owner: str) -> Refused:
    return Refused("unknown-field", f"'{owner}' has no fields of its own, so '.{segment.name.text}' does not exist",
                   segment.span, hint=f"use '{owner}' alone, or a reference to another entity")


# --- a condition on what a path names --------------------------------------------------------------------------------


def about_target(context: Context, target: Target, build: Callable[[Field], typed.Condition]) -> typed.Condition:
    """Build a condition on the field of a path, inside its element and through the references before it."""
    field = target.item
    if isinstance(field, NestedList):
        raise list_of_elements(field, "compare", field.name, f"{field.name}.")
    return through(context, target, in_element(target, build(field)))


def in_element(target: Target, condition: typed.Condition) -> typed.Condition:
    both = condition if target.narrowed is None else typed.And((target.narrowed, condition))
    if target.element is None:
        return both
    if target.element.tied:
        return typed.Element(target.element, both)
    if target.narrowed is not None:
        raise untied(target.element)
    return both


def through(context: Context, target: Target, condition: typed.Condition) -> typed.Condition:
    """Wrap a condition in a semi-join for each reference walked: `folder.owner = x` -> folder in (folders with owner
    x).

    Passages are filtered by their own copies of document fields, if they have all and the caller may see them.
    """
    for reference in target.through[::-1]:
        assert reference.reference is not None
        entity = context.schema.entity(reference.reference.entity)
        holder = _passages(context, entity, reference)
        if holder is not None:
            copied = of_copies(condition, entity, holder)
            if copied is not None:
                condition = copied
                continue
        found = typed.Taken(typed.Search(typed.Find(entity, condition)), one=False)
        condition = typed.Equals(reference, (found,))
    return condition


def _passages(context: Context, whole: Entity, reference: Field) -> Entity | None:
    """Return the passages whose reference points to their documents; None for other references, and if an access rule
    restricts the documents."""
    if whole.passages is None:
        return None
    passages = context.schema.entity(whole.passages.entity)
    same = passages.fields[whole.passages.field].mapped.path == reference.mapped.path
    own = any(field is reference for field in passages.fields.values())
    entities = context.schema.entities.values()
    return (
        passages if same and own and not any(one.access for one in entities if one.mapping is whole.mapping) else None
    )


def check_values(target: Target, span: Span) -> None:
    """Refuse a group, a measure or an order whose values would not be those of the documents.

    - Brackets on a list whose elements are merged in the index: the condition cannot select a value.
    - A field that is a text in one index and a keyword in another: the values of one index would be missing.
    """
    if target.narrowed is not None and target.element is not None and not target.element.tied:
        raise placed(untied(target.element), span)
    if isinstance(target.item, Field) and target.item.mapped.is_mixed:
        raise conflicting_types(target.item, span)


def conflicting_types(field: Field, span: Span) -> Refused:
    types = ", ".join(f"{kind} in {index}" for index, kind in field.mapped.conflict)
    return Refused("conflicting-types", f"'{field.name}' has different types over the indices: {types}", span,
                   hint="ask one index, or have the mapping fixed")


def untied(item: NestedList) -> Refused:
    return Refused("elements-not-kept", f"'{item.name}' is not mapped as nested in this index, so several "
                   "conditions cannot apply to one element",
                   hint=f"use one condition on '{item.name}', or have it mapped as nested")


def placed(problem: Refused, span: Span) -> Refused:
    if problem.span.start < 0:
        problem.span = span
    return problem
