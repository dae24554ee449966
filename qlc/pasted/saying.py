"""What it takes to say a query in the query language: its entity and fields by their names, and what would differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Literal

from qlc.compiler.periods import Clock
from qlc.grammar import tree
from qlc.mapping.names import find_element, find_field
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.pasted.reach import FieldUse

Nature = Literal["order", "wider", "empty", "documents"]
"""What a difference changes: only the order; or the program finds the same documents or more; or it has no rows where
nothing is; or it finds others."""


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
        """The language compares without regard to case, the request with it. Behind a `not`, more becomes less."""
        self.differ(f"upper and lower case in {text!r}, which '{field.name}' is compared without regard to",
                    "documents" if self.negations else "wider")

    # --- fields ------------------------------------------------------------------------------------------------------

    def field(self, used: FieldUse) -> tuple[Field, tree.Path]:
        """The field of the language that holds what stands at a path, and how it is called. Raises CannotSay."""
        found = next(iter(self.fields(used)), None)
        if found is None:
            raise CannotSay(f"the field '{used.path}' of {self.entity.plural}")
        return found

    def fields(self, used: FieldUse) -> Iterator[tuple[Field, tree.Path]]:
        """As `field`, every one: a catalog may give a path several names, which mean different things."""
        for names in self._names(used):
            found = (find_element(self.entity, self.element, names) if self.element is not None
                     else find_field(self.entity, names))
            if found is None or found.consumed != len(names) or not isinstance(found.found, Field):
                continue
            if used.path in (found.found.mapped.path, found.found.mapped.exact, found.found.mapped.analysed):
                yield found.found, path_of(names)

    def _names(self, used: FieldUse) -> Iterable[tuple[str, ...]]:
        if self.element is not None:
            for name, one in self.element.fields.items():
                if used.path in (one.mapped.path, one.mapped.exact, one.mapped.analysed):
                    yield (name,)
            inside = used.path.removeprefix(self.element.path + ".").split(".")
            yield tuple(inside)
            yield tuple(inside[:-1] or inside)
            return
        for one in self.entity.fields.values():
            if used.path in (one.mapped.path, one.mapped.exact, one.mapped.analysed):
                yield (one.name,)
        yield tuple(used.path.split("."))
        yield tuple(used.path.rpartition(".")[0].split(".")) if "." in used.path else (used.path,)


def path_of(names: Iterable[str]) -> tree.Path:
    return tree.Path(tuple(tree.Segment(tree.Name(name)) for name in names))
