"""The fields of an index that a pasted request may use, by every path that leads to them.

A request covers all documents in the index, not one entity. So a field is confidential if any entity says so, and a
path that only some entities open restricts the request to their documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from dataclasses import field as attribute
from fnmatch import fnmatchcase

from qlc.base.diagnostics import Span
from qlc.base.words.spelling import nearest_targets, normal_form, typo_of
from qlc.compiler.typed import ComputedField
from qlc.mapping.fields import ID_FIELD, FieldKind, IndexMapping, MappedField
from qlc.mapping.guards import NOTHING_GUARDED, Guards, permits, value_paths
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from qlc.resolver.field_notes import Use


@dataclass(frozen=True, slots=True)
class FieldUse:
    """A path that may be used, with its mapping and, if the catalog names it, its field."""

    path: str
    mapped: MappedField
    span: Span

    @property
    def kind(self) -> FieldKind:
        """The kind of the values at this path: a text field with a keyword beside it counts as full text."""
        if self.mapped.analysed == self.path and self.mapped.exact != self.path:
            return FieldKind.TEXT
        return self.mapped.kind


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a path cannot be used. `confidential`: it exists, but the caller may not see it. `nearest`: similar paths."""

    confidential: bool
    nearest: tuple[str, ...] = ()


@dataclass(slots=True)
class Reach:
    """The fields of one index for one caller. `permitted` are the visible sensitive fields; None: all.

    `entities` have documents in the index; `within` shrinks to those that allow every path used so far. `misplaced` is
    a field used outside of its nested list, `uses` are all searched fields, `calculated` what scripts calculate.
    """

    entities: tuple[Entity, ...]
    permitted: frozenset[str] | None
    within: tuple[Entity, ...] = ()
    misplaced: str = ""
    uses: dict[tuple[str, bool, bool], Use] = attribute(default_factory=dict)
    calculated: dict[ComputedField, None] = attribute(default_factory=dict)
    _guards: Guards = NOTHING_GUARDED
    _known: dict[str, set[str]] = attribute(default_factory=dict)

    def __post_init__(self) -> None:
        self.within = self.entities
        self._guards = Guards(tuple(dict.fromkeys(one for entity in self.entities for one in entity.guards.secrets)))

    @property
    def mapping(self) -> IndexMapping:
        return self.entities[0].mapping

    # --- fields ------------------------------------------------------------------------------------------------------

    def field(self, path: str, span: Span) -> FieldUse | Withheld:
        """Return a leaf field, or for an unknown path the nearest ones."""
        if path == "_id":
            return FieldUse(path, ID_FIELD, span)
        mapped = self.mapping.at(path)
        if mapped is None or not self._askable(path, mapped):
            return Withheld(confidential=False)
        if self.guarded(path) or self.guarded(mapped.path):
            return Withheld(confidential=True)
        self._keep(path, mapped)
        return FieldUse(path, mapped, span)

    def inner(self, path: str, span: Span) -> FieldUse | Withheld:
        """Return an object or a nested list for `exists`, which searches every field in it."""
        if path not in self.mapping.objects | self.mapping.nested:
            return self.field(path, span)
        below = [one for one in self.mapping.fields if one.startswith(path + ".")]
        lists = sorted(one for one in self.mapping.nested if path == one or path.startswith(f"{one}."))
        mapped = MappedField(path, "object", FieldKind.UNSUPPORTED, nested=tuple(lists))
        if self.guarded(path) or any(self.guarded(one) for one in below):
            return Withheld(confidential=True)
        if not below or not all(self._askable(one, self.mapping.fields[one]) for one in below):
            return Withheld(confidential=False)
        for one in below:
            self._keep(one, self.mapping.fields[one])
        return FieldUse(path, mapped, span)

    def nested(self, path: str) -> Withheld | None:
        """Return why a nested list may not be searched; None if it may."""
        if path not in self.mapping.nested or not any(self._lets_list(one, path) for one in self.entities):
            found = nearest_targets(path, {one: one for one in self.lists()}, 3)
            return Withheld(confidential=False, nearest=tuple(found))
        if self._guarded_from_above(path):
            return Withheld(confidential=True)
        self.within = tuple(one for one in self.within if self._lets_list(one, path))
        return None

    def note_of_list(self, used: FieldUse, scope: str) -> str:
        """Return a note on a field without values at its place; empty if it has some.

        `scope` is the nested list at this place, "" for the documents: `jobs.title` has values in "jobs", `name` has
        values in "". A list can also be indexed with the document around it (`include_in_parent`).
        """
        own, path = used.mapped.nested, used.path
        inner = [one for one in own if one != scope and (not scope or one.startswith(f"{scope}."))]
        if (own[-1] if own else "") == scope or path == "_id" or (inner and self.mapping.included.issuperset(inner)):
            return ""
        if not scope or inner:
            return (f"'{path}' is in the nested list '{own[-1]}': outside of a 'nested' query or aggregation it "
                    "matches nothing.")
        return (f"'{path}' is not in the nested list '{scope}': inside of a 'nested' query or aggregation of that list "
                "it matches nothing.")

    def uses_values(self, used: FieldUse, *, by_order: bool = False, is_added: bool = False) -> None:
        """Record that the request uses values at a path, their order, or their sum."""
        mapped = self.mapping.sub_fields.get(used.path) or used.mapped
        if used.path == mapped.term_path and mapped.kind is not FieldKind.UNSUPPORTED:
            self.uses[used.path, by_order, is_added] = Use(used.path, used.path, mapped, by_order, is_added)

    def lists(self) -> list[str]:
        return [path for path in sorted(self.mapping.nested)
                if not self._guarded_from_above(path) and any(self._lets_list(one, path) for one in self.entities)]

    def matching(self, pattern: str, texts_in: str | None = None) -> Iterator[str]:
        """Yield the usable leaf fields that a pattern with `*` matches. `texts_in`: only texts, of the elements of this
        nested list ("": of the documents)."""
        for path, mapped in self.mapping.fields.items():
            if not matches(path, pattern) or self.guarded(path) or self.guarded(mapped.path):
                continue
            if texts_in is not None and (mapped.kind not in (FieldKind.TEXT, FieldKind.KEYWORD) or not mapped.indexed
                                         or (mapped.nested_path or "") != texts_in):
                continue
            if all(self._lets(one, path, mapped) for one in self.within):
                yield path

    def hides(self, pattern: str) -> bool:
        """Whether a pattern also matches a confidential field."""
        return any(matches(path, pattern) and (self.guarded(path) or self.guarded(mapped.path))
                   for path, mapped in self.mapping.fields.items())

    def guarded(self, path: str) -> bool:
        """Whether a path leads to a confidential field: at it, around it or in it."""
        return not permits(self._guards.of(path, self.mapping), self.permitted)

    def _guarded_from_above(self, path: str) -> bool:
        return not permits(self._guards.around(path), self.permitted)

    # --- what the entities let be asked ------------------------------------------------------------------------------

    def _askable(self, path: str, mapped: MappedField) -> bool:
        return any(self._lets(one, path, mapped) for one in self.entities)

    def _keep(self, path: str, mapped: MappedField) -> None:
        self.within = tuple(one for one in self.within if self._lets(one, path, mapped))

    def _lets(self, entity: Entity, path: str, mapped: MappedField) -> bool:
        if entity.open_paths:
            return True
        known = self._known.get(entity.name)
        if known is None:
            own: tuple[Field | NestedList, ...] = (*entity.lists.values(), *entity.all_fields)
            known = {found for one in own for found in _paths(one, self.mapping)}
            known |= {terms.field.path for terms in entity.filter}
            self._known[entity.name] = known
        return path in known or mapped.path in known

    def _lets_list(self, entity: Entity, path: str) -> bool:
        return entity.open_paths or any(one.path == path for one in entity.lists.values())

    def nearest(self, path: str) -> tuple[tuple[str, ...], str | None]:
        """Return the usable paths nearest to an unknown one, and the one it misspells. Names and synonyms of the
        catalog stand for their paths."""
        spellings: dict[str, str] = {}
        for leaf, mapped in (*self.mapping.fields.items(), *self.mapping.sub_fields.items()):
            if self.guarded(leaf) or self.guarded(mapped.path) or not self._askable(leaf, mapped):
                continue
            spellings.setdefault(leaf, leaf)
            spellings.setdefault(leaf.rsplit(".", 1)[-1], leaf)
        by_name: dict[str, str] = {}
        for entity in self.entities:
            for one in entity.all_fields:
                target = one.mapped.term_path
                if target in spellings:
                    for word in (one.name, *one.words):
                        by_name.setdefault(normal_form(word), target)
        without = path.removesuffix(".keyword").removesuffix(".raw")
        first: list[str] = []
        surely = typo_of(path, {leaf: leaf for leaf in spellings.values()})
        if without != path and without in spellings and spellings[without] == without:
            mapped_at = self.mapping.at(without)
            first = [without]
            if mapped_at is not None and mapped_at.exact == without:
                surely = without
        named = by_name.get(normal_form(path.rsplit(".", 1)[-1])) or by_name.get(normal_form(path))
        if named is not None:
            first = [named, *first]
            if any(path in (one.name for one in entity.all_fields) for entity in self.entities):
                surely = surely or named  # the catalog's own name of the field
        near = dict.fromkeys([*first, *nearest_targets(path, spellings, 3)])
        return tuple(near)[:3], surely


def entities_of(schema: Schema, index: str) -> tuple[Entity, ...]:
    """Return the entities with documents in an index of the catalog."""
    return tuple(one for one in schema.entities.values() if not one.virtual and one.index == index)


def matches(name: str, pattern: str) -> bool:
    """Whether a name matches a pattern, in which `*` is any text and nothing else is special."""
    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def covers(entity: Entity, others: Iterable[Entity]) -> bool:
    """Whether every document of the other entities belongs to this one."""

    def holds(other: Entity) -> bool:
        kept = {terms.field.path: set(terms.values) for terms in other.filter}
        return all(kept.get(terms.field.path, set(terms.values) | {""}) <= set(terms.values) for terms in entity.filter)

    return all(other.name == entity.name or holds(other) for other in others)


def _paths(one: Field | NestedList, mapping: IndexMapping) -> Iterator[str]:
    """Yield every path that reveals values of a field or list."""
    if isinstance(one, NestedList):
        yield one.path
        return
    to = one.reference
    beside = (to.name_at, to.guarded_name, to.ancestors) if to is not None else ()
    for mapped in (one.mapped, *(other for other in beside if other is not None)):
        yield from value_paths(mapped, mapping)
