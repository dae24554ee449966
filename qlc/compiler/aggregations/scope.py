"""Whose values a group or a measure reads: the documents', or those of the elements of a nested list."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.compiler.request import CannotAnswer
from qlc.compiler.typed import Condition
from qlc.mapping.schema import Field, NestedList


@dataclass(frozen=True, slots=True)
class Scope:
    """`path` is a nested path of the mapping, None for the documents; `narrowed` a condition on its elements.

    Groups of equal scope are about one and the same element.
    """

    path: str | None = None
    narrowed: Condition | None = None


DOCUMENTS = Scope()


def scope_of(field: Field, element: NestedList | None, narrowed: Condition | None) -> Scope:
    """Raises CannotAnswer where a condition is to hold for elements that the index does not keep apart."""
    path = field.mapped.nested_path
    if path is None and narrowed is not None:
        name = element.name if element is not None else field.name
        raise CannotAnswer(
            "elements-not-kept",
            f"'{name}' is not mapped as nested in this index, so a condition cannot apply to one of its elements",
            "leave the brackets out, or have the list mapped as nested",
        )
    return Scope(path, narrowed)


def measured_in_bucket(measured: Scope, grouped: Scope) -> bool:
    """Whether a measure of elements is over the elements of a group's bucket, not over all of the row's documents.

    It is where both speak of the same list, unless each narrows it in its own way: `attributes.cost` by
    `attributes.stage` are values of two different elements.
    """
    if measured.path is None or measured.path != grouped.path:
        return False
    return measured.narrowed is None or grouped.narrowed is None or measured.narrowed == grouped.narrowed
