"""A condition on what a path names: inside the element of its list, and through the references before it."""

from __future__ import annotations

from collections.abc import Callable

from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, list_of_elements
from qlc.compiler.copies import of_copies
from qlc.compiler.names import Target
from qlc.diagnostics import Span
from qlc.mapping.schema import Entity, Field, NestedList


def about_target(context: Context, target: Target, build: Callable[[Field], typed.Condition]) -> typed.Condition:
    """A condition on the field that a path names: inside its element, and through the references before it."""
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
    """A semi-join for each reference walked: the reference is one of the entities that meet the condition. A passage is
    asked for its own copies of its document's fields, where it has them and all may be seen."""
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
    """The passages that a reference leads from to their documents; None where it is another one, or where an access
    rule says which of these may be seen."""
    if whole.passages is None:
        return None
    passages = context.schema.entity(whole.passages.entity)
    same = passages.fields[whole.passages.field].mapped.path == reference.mapped.path
    own = any(field is reference for field in passages.fields.values())
    entities = context.schema.entities.values()
    return (
        passages if same and own and not any(one.access for one in entities if one.mapping is whole.mapping) else None
    )


def check_tied(target: Target, span: Span) -> None:
    """Refuse brackets on a list that does not keep its elements apart: whose value would be meant?"""
    if target.narrowed is not None and target.element is not None and not target.element.tied:
        raise placed(untied(target.element), span)


def untied(item: NestedList) -> Refused:
    return Refused("elements-not-kept", f"'{item.name}' does not keep its elements apart in this index, so several "
                   "conditions cannot be tied to one element",
                   hint=f"use one condition on '{item.name}', or have it mapped as nested")


def placed(problem: Refused, span: Span) -> Refused:
    if problem.span.start < 0:
        problem.span = span
    return problem
