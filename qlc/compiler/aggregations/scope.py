"""The scope of a group or a measure: the documents, or the elements of a nested list."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.compiler.request import CannotAnswer
from qlc.compiler.typed import Condition
from qlc.mapping.schema import Field, NestedList


@dataclass(frozen=True, slots=True)
class Scope:
    """`path` is a nested path of the mapping, None for documents; `narrowed` is a condition on its elements.

    Groups of equal scope read the same element.
    """

    path: str | None = None
    narrowed: Condition | None = None


DOCUMENTS = Scope()


def scope_of(field: Field, element: NestedList | None, narrowed: Condition | None) -> Scope:
    """Return the scope of a field. Raises CannotAnswer for a condition on elements that the index stores merged
    together."""
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
    """Whether a measure covers only the elements in a group's bucket, rather than all elements of the row's documents.

    It does if both use the same list with the same condition. `attributes.cost` by `attributes.stage` differ in theirs,
    so they read two different elements.
    """
    if measured.path is None or measured.path != grouped.path:
        return False
    return measured.narrowed is None or grouped.narrowed is None or measured.narrowed == grouped.narrowed
