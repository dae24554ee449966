"""Completion: the syntax that is possible at a cursor, filled with the catalog's names and closed values.

Names of documents (`folder = "Tax`) are in the index, which the compiler cannot read. `Completions.names_of` says of
which entity they are needed, and the caller reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from qlc.base.diagnostics import an
from qlc.compiler.check import check
from qlc.compiler.cycles import CYCLES, is_cycle
from qlc.compiler.operators import operators_of
from qlc.grammar import SyntaxProblem, parse, print_value, tree
from qlc.grammar import complete as complete_syntax
from qlc.grammar.completion import Completion
from qlc.mapping.fields import FieldKind
from qlc.mapping.guards import permits
from qlc.mapping.names import find_element, find_entity, find_field
from qlc.mapping.schema import Computed, Entity, Field, NestedList, Schema

Kind = Literal[
    "keyword", "entity", "field", "list", "value", "operator", "condition", "measure", "constant", "binding", "name",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """`text` replaces the text from the offset `start` to the cursor. `detail` says in a few words what it is."""

    text: str
    kind: Kind
    detail: str = ""
    start: int = 0


@dataclass(frozen=True, slots=True)
class Completions:
    """`start`: the beginning of the word that a candidate replaces. `names_of`: the entity whose names fit at the
    cursor."""

    start: int
    word: str
    candidates: tuple[Candidate, ...]
    names_of: Entity | None = None

    def with_names(self, names: Sequence[str]) -> list[Candidate]:
        """All candidates, each with its place, the names of the index first."""
        kind = self.names_of.name if self.names_of is not None else ""
        named = [Candidate(print_value(tree.String(name)), "name", kind) for name in names]
        return [replace(one, start=self.start) for one in (*named, *self.candidates)]


def open_conditions(
    entity: Entity, schema: Schema, sensitive: frozenset[str] | None = frozenset()
) -> Mapping[str, str]:
    """Return the named conditions of an entity that use no sensitive field which the caller may not see."""
    if not any(one.guards.secrets for one in schema.entities.values()):
        return entity.conditions
    return {name: text for name, text in entity.conditions.items() if _is_open(text, entity, schema, sensitive)}


def open_measures(entity: Entity, sensitive: frozenset[str] | None = frozenset()) -> list[Computed]:
    """Return the measures of the catalog that use no sensitive field which the caller may not see."""
    return [one for one in entity.measures if permits(one.guards, sensitive)]


def _is_open(condition: str, entity: Entity, schema: Schema, sensitive: frozenset[str] | None) -> bool:
    source = f"count {entity.plural} where {condition}"
    try:
        found = check(parse(source), schema, source, {}, sensitive).diagnostics
    except SyntaxProblem:
        return False
    return all(one.severity != "error" for one in found)


def complete(
    source: str, cursor: int, schema: Schema, sensitive: frozenset[str] | None = frozenset()
) -> Completions:
    """Return candidates for the cursor, names before keywords, also in text that does not parse yet.

    `sensitive` lists the sensitive fields that may be shown; None means all.
    """
    at = complete_syntax(source, cursor)
    place = _Place(at, schema, sensitive, source[: at.start])
    begun = at.word.casefold()
    found = [one for one in place.candidates() if one.text.lstrip('"`').casefold().startswith(begun)]
    found += [Candidate(unit, "keyword", "unit") for unit in at.units]
    found += _operators(at, place)
    return Completions(at.start, at.word, tuple(dict.fromkeys(found)), place.entity_looked_up())


def _operators(at: Completion, place: _Place) -> list[Candidate]:
    """Return keywords and operators, without operators that do not apply to the field on the left."""
    possible = place.operators()
    words = [*at.keywords, *at.signs]
    if not (isinstance(place.field, Field) and place.field.folds):
        words = [word for word in words if word != "exactly"]
    if possible is not None:
        words = [word for word in words if word not in _OPERATORS or word in possible]
    return [Candidate(word, "operator" if word in _OPERATORS else "keyword") for word in words]


_OPERATORS = frozenset({
    *get_args(tree.ComparisonOperator), *get_args(tree.SpatialRelation), "overlaps", "between", "missing", "exists",
})


_PATH_AT_END = re.compile(r"(?<![\w.])[^\W\d]\w*(\.[^\W\d]\w*)*\s+$")
"""A path at the end. It starts only where a name can: trying each character would take quadratic time in long texts."""


class _Place:
    """The cursor's surroundings resolved against the schema."""

    def __init__(self, at: Completion, schema: Schema, sensitive: frozenset[str] | None, before: str) -> None:
        self.at = at
        self.before = before
        self.schema = schema
        self.sensitive = sensitive
        around = at.around
        self.entity = find_entity(schema, around.entity) if around.entity else None
        if around.of is not None:
            self.entity = find_entity(schema, around.of)
        self.field = self._resolved(around.field) if around.field else None

    def _resolved(self, names: tuple[str, ...]) -> Field | NestedList | None:
        """The field that names lead to, from the statement's entity or from the list whose brackets are open."""
        entity, around = self.entity, self.at.around
        if around.lists and entity is not None:
            within = self._from(entity, around.lists)
            if isinstance(within, NestedList):
                found = find_element(entity, within, names)
                return found.found if found is not None else None
        return self._from(entity, names)

    def _from(self, entity: Entity | None, names: tuple[str, ...]) -> Field | NestedList | None:
        while entity is not None:
            found = find_field(entity, names)
            if found is None:
                return None
            names = names[found.consumed :]
            if not names or isinstance(found.found, NestedList) or found.found.reference is None:
                return found.found if not names else None
            entity = self.schema.entity(found.found.reference.entity)
        return None

    def operators(self) -> frozenset[str] | None:
        """The operators of the field before the cursor; None if they are not known."""
        written = _PATH_AT_END.search(self.before)
        field = self._resolved(tuple(written[0].strip().split("."))) if written is not None else None
        return frozenset(operators_of(field)) if isinstance(field, Field) else None

    def entity_looked_up(self) -> Entity | None:
        """Return the entity whose names are being typed: `document("...`, or the value of a reference."""
        around = self.at.around
        if around.lookup is not None:
            return find_entity(self.schema, around.lookup)
        field = self.field
        if self.at.quote and isinstance(field, Field) and self._may_see(field) and "value" in self.at.kinds:
            if field.reference is not None:
                return self.schema.entity(field.reference.entity)
            return self.entity if field.is_id else None
        return None

    def _may_see(self, item: Field | NestedList) -> bool:
        return permits(item.guards, self.sensitive)

    def candidates(self) -> Iterator[Candidate]:
        kinds, quoted = self.at.kinds, bool(self.at.quote) and self.at.quote != "`"
        if self.at.around.path and not quoted:
            yield from self._after_dot()
            return
        if "value" in kinds or "text" in kinds:
            yield from self._values()
        if quoted:
            return
        if "field" in kinds:
            yield from self._fields()
        if "measure" in kinds:
            yield from self._measures()
        entities = self.schema.entities.values()
        if "entity" in kinds:
            yield from (Candidate(e.plural, "entity", e.description) for e in entities if not e.virtual)
        if "lookup" in kinds:
            yield from (Candidate(f"{e.name}(", "entity", f"{an(e.name)} by name") for e in entities if e.names)
        if "value" in kinds:
            yield from (Candidate(name, "binding") for name in self.at.around.lets)

    def _after_dot(self) -> Iterator[Candidate]:
        """Fields of what the path before the dot refers to, elements of a list, or the rest of a mapping path."""
        path = self.at.around.path
        item = self._resolved(path)
        if isinstance(item, NestedList):
            yield from self._elements(item)
        elif item is not None and item.reference is not None:
            yield from self._fields_of(self.schema.entity(item.reference.entity))
        elif self.entity is not None and item is None and self.entity.open_paths:
            yield from self._below(self.entity, ".".join(path) + ".")

    def _below(self, entity: Entity, prefix: str) -> Iterator[Candidate]:
        """Yield the next name of each mapping path with this prefix, once; paths to sensitive fields are left out."""
        names: dict[str, str] = {}
        for path in entity.mapping.fields:
            if path.startswith(prefix):
                found = self._from(entity, tuple(path.split(".")))
                if found is not None and self._may_see(found):
                    names.setdefault(path[len(prefix) :].split(".")[0], path)
        yield from (Candidate(name, "field", path) for name, path in names.items())

    def _fields(self) -> Iterator[Candidate]:
        if self.entity is None:
            return
        if self.at.around.lists:
            item = self._from(self.entity, self.at.around.lists)
            if isinstance(item, NestedList):
                yield from self._elements(item)
            return
        yield from self._fields_of(self.entity)
        conditions = open_conditions(self.entity, self.schema, self.sensitive)
        yield from (Candidate(name, "condition", text) for name, text in conditions.items())

    def _measures(self) -> Iterator[Candidate]:
        """Yield the measures of the catalog: of the statement's entity, or of all before it is known."""
        entities = [self.entity] if self.entity is not None else self.schema.entities.values()
        for entity in entities:
            for one in open_measures(entity, self.sensitive):
                text = one.text + (f": {one.description}" if one.description else "")
                yield Candidate(one.name, "measure", text)

    def _fields_of(self, entity: Entity) -> Iterator[Candidate]:
        for field in entity.fields.values():
            if self._may_see(field):
                yield Candidate(field.name, "field", _detail(field))
        for item in entity.lists.values():
            if self._may_see(item):
                yield Candidate(item.name, "list", item.description or "list of elements")

    def _elements(self, item: NestedList) -> Iterator[Candidate]:
        for name, field in item.fields.items():
            if self._may_see(field):
                yield Candidate(name, "field", _detail(field))

    def _values(self) -> Iterator[Candidate]:
        """Yield closed values, constants, weekdays and months, which need no request."""
        field, function = self.field, self.at.around.function
        if is_cycle(function) and function in ("weekday", "month_of_year"):
            yield from (Candidate(f'"{name}"', "value") for name in CYCLES[function])
            return
        if not isinstance(field, Field) or not self._may_see(field):
            return
        if field.values is not None:
            shown = (*field.values.display, *field.values.group_names)
            yield from (Candidate(print_value(tree.String(value)), "value", field.name) for value in shown)
        if field.reference is not None and not self.at.quote:
            yield from (Candidate(name, "constant", field.name) for name in field.reference.constants)


def _detail(field: Field) -> str:
    """The type in a few words, then the description: `number in bytes`, `reference to folder`."""
    if field.reference is not None:
        kind = f"reference to {field.reference.entity}"
    elif field.kind is FieldKind.KEYWORD:
        kind = "one of a list of values" if field.values is not None else "text"
    else:
        kind = field.kind.value
    kind = f"list of {kind}" if field.many else kind
    unit = f" in {field.unit}" if field.unit else ""
    unit += f" = {field.calculation}" if field.calculation else ""
    return f"{kind}{unit}" + (f": {field.description}" if field.description else "")
