"""What it takes to say a query in the query language: its entity and fields by their names, and what would differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Literal

from qlc.compiler.caseless import has_case, needs_regexp
from qlc.compiler.periods import Clock
from qlc.grammar import tree
from qlc.mapping.names import find_element, find_field
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.pasted.reach import FieldUse

Nature = Literal["order", "wider", "empty", "documents"]
"""What a difference changes: only the order; or the program finds the same documents or more; or it has no rows where
nothing is; or it finds others."""


NOTHING = "a query that nothing can meet"


class CannotSay(Exception):
    """A part of a request that the query language has no words for; the message names it."""


@dataclass(slots=True)
class Saying:
    """What is said in conditions about one entity. `patterns` are what ids of each entity look like.

    `differences` are where a condition asks nearly the same.
    """

    entity: Entity
    clock: Clock
    patterns: Mapping[str, str] = attribute(default_factory=dict)
    differences: dict[str, Nature] = attribute(default_factory=dict)
    element: NestedList | None = None
    negations: int = 0

    def differ(self, what: str, nature: Nature = "documents") -> None:
        self.differences.setdefault(what, nature)

    def in_any_case(self, text: str, field: Field) -> None:
        """The language compares ignoring case, the request with it. After a `not`, more becomes less."""
        self.differ(f"upper and lower case in {text!r}, which '{field.name}' is compared without regard to",
                    "documents" if self.negations else "wider")

    def compared(self, text: str, field: Field, *, folded: bool) -> None:
        """How the letters of a text are compared here, `folded` or not, and by the language."""
        if not folded and has_case(text) and field.mapped.normalizer is None:
            self.in_any_case(text, field)
        if folded and needs_regexp(text):
            self.differ(f"letters beyond ASCII in {text!r}, of which only '{field.name}' here tells the case")

    # --- fields ------------------------------------------------------------------------------------------------------

    def field(self, used: FieldUse) -> tuple[Field, tree.Path]:
        """The field of the language that holds what is at a path, and how it is called. Raises CannotSay."""
        found = next(iter(self.fields(used)), None)
        if found is None:
            raise CannotSay(f"the field '{used.path}' of {self.entity.plural}")
        return found

    def fields(self, used: FieldUse) -> Iterator[tuple[Field, tree.Path]]:
        """As `field`, every one: a catalog may give a path several names, which mean different things."""
        own = self.entity if self.element is None else self.element
        path = used.path if self.element is None else used.path.removeprefix(self.element.path + ".")
        parts = tuple(path.split("."))
        for names in (*((name,) for name, one in own.fields.items() if _is_at(used, one)), parts, parts[:-1] or parts):
            found = (find_element(self.entity, self.element, names) if self.element is not None
                     else find_field(self.entity, names))
            field = found.found if found is not None and found.consumed == len(names) else None
            if isinstance(field, Field) and _is_at(used, field):
                yield field, path_of(names)


def _is_at(used: FieldUse, field: Field) -> bool:
    """Whether a path is one of those of a field."""
    return used.path in (field.mapped.path, field.mapped.exact, field.mapped.analysed)


def path_of(names: Iterable[str]) -> tree.Path:
    return tree.Path(tuple(tree.Segment(tree.Name(name)) for name in names))
