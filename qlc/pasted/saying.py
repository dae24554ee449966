"""State of translating a query: names of the entity and its fields, values as literals, and differences in meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, Literal

from qlc.compiler.caseless import has_case, needs_regexp
from qlc.compiler.periods import Clock
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.names import find_element, find_field
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.pasted.reach import FieldUse

Nature = Literal["order", "wider", "empty", "documents"]
"""Effects of a difference: only the order changes; the program finds the same documents or more; it lacks rows for
empty buckets; it finds other documents."""


NOTHING = "a query that nothing can meet"


class CannotSay(Exception):
    """Raised for a part of a request that the query language cannot express; the message names it."""


@dataclass(slots=True)
class Saying:
    """A translation to conditions on one entity. `patterns`: the id patterns of each entity.

    `differences`: where a condition has almost the same meaning.
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
        """Record that the language ignores case here, unlike the request. Inside `not`, matching more means finding
        less."""
        self.differ(f"upper and lower case in {text!r}, which '{field.name}' is compared without regard to",
                    "documents" if self.negations else "wider")

    def compared(self, text: str, field: Field, *, folded: bool) -> None:
        """Record a difference between how the request compares letters, `folded` or not, and how the language does."""
        if not folded and has_case(text) and field.folds and field.mapped.normalizer is None:
            self.in_any_case(text, field)
        if folded and needs_regexp(text):
            self.differ(f"letters beyond ASCII in {text!r}, of which only '{field.name}' here tells the case")

    # --- fields ------------------------------------------------------------------------------------------------------

    def field(self, used: FieldUse) -> tuple[Field, tree.Path]:
        """Return the field for a path, and its name in the language. Raises CannotSay."""
        found = next(iter(self.fields(used)), None)
        if found is None:
            raise CannotSay(f"the field '{used.path}' of {self.entity.plural}")
        return found

    def fields(self, used: FieldUse) -> Iterator[tuple[Field, tree.Path]]:
        """Yield all fields for a path: a catalog can have several, with different meanings."""
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
    """Whether a path is one of a field's paths."""
    return used.path in (field.mapped.path, field.mapped.exact, field.mapped.analysed)


def path_of(names: Iterable[str]) -> tree.Path:
    return tree.Path(tuple(tree.Segment(tree.Name(name)) for name in names))


# --- values ----------------------------------------------------------------------------------------------------------


def literal(value: Any, field: Field, saying: Saying, *, folded: bool) -> tree.Value:
    """Return a value as a literal. Raises CannotSay if no literal means exactly it."""
    match field.kind:
        case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER:
            return number(value)
        case FieldKind.BOOLEAN:
            return tree.Boolean(value in (True, "true"))
        case FieldKind.KEYWORD:
            return _text(str(value).lower() if isinstance(value, bool) else str(value), field, saying, folded=folded)
        case FieldKind.IP if re.fullmatch(r"[0-9a-fA-F.:]+", str(value)):
            return tree.String(str(value))
        case _:
            raise CannotSay(f"the value {value!r} of '{field.name}'")


def number(value: Any) -> tree.Number:
    """Return a number as a literal. Raises CannotSay."""
    try:
        read = float(value) if not isinstance(value, int) else value
    except (TypeError, ValueError):
        read = math.nan
    if isinstance(read, float) and (not math.isfinite(read)):
        raise CannotSay(f"the number {value}")
    if isinstance(read, float) and read.is_integer() and abs(read) < 2**53:
        read = int(read)
    text = repr(read)
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        text = f"{mantissa}e{int(exponent)}"
    return tree.Number(read, text)


def _text(text: str, field: Field, saying: Saying, *, folded: bool) -> tree.Value:
    if field.reference is not None:
        constant = next((name for name, stored in field.reference.constants.items() if stored == text), None)
        if constant is not None:
            return tree.NameValue(path_of([constant]))
        _looked_up(text, field.reference.entity, saying)
        return tree.String(text)
    if field.is_id:
        _looked_up(text, saying.entity.name, saying)
        return tree.String(text)
    if field.values is not None:
        spelled = text if field.exact_case else text.casefold()
        if field.values.spellings.get(spelled) == text and spelled not in field.values.groups:
            return tree.String(text)
        raise CannotSay(f"the value {text!r}, which '{field.name}' does not have by the catalog")
    if not folded and has_case(text) and field.folds and field.mapped.normalizer is None:
        return tree.Exactly(tree.String(text))
    saying.compared(text, field, folded=folded)
    return tree.String(text)


def _looked_up(text: str, entity: str, saying: Saying) -> None:
    """Check that an id is looked up as an id: a text that does not look like one could be found as a name. Raises
    CannotSay."""
    pattern = saying.patterns.get(entity)
    if pattern is None or not id_pattern(pattern).fullmatch(text):
        saying.differ(f"{text!r}, which is looked up as a name too")
