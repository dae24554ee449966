"""Looks up names of a program: an entity, a field, a list, a field of elements, a mapping path.

The dictionaries are built once per entity, at its first lookup; a lookup reads one or two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from qlc.base.frozen import unguarded_dataclass
from qlc.base.words.spelling import nearest_spellings, nearest_targets, normal_form, typo_of
from qlc.mapping.build import mapped_field, mapped_list
from qlc.mapping.fields import ID_FIELD, FieldKind
from qlc.mapping.guards import Names as Guarded
from qlc.mapping.guards import is_in, permits
from qlc.mapping.schema import Entity, Field, NestedList, Schema

Names = tuple[str, ...]


@unguarded_dataclass(frozen=True, slots=True)
class Resolved:
    """The result for the first `consumed` names; the rest of the path goes on from it.

    `within` is the innermost list whose element the field belongs to: `shares.who` is the field `who` of the list
    `shares`, and `carts.lines.sku` belongs to the list `carts.lines` if both lists are nested.
    """

    found: Field | NestedList
    consumed: int
    within: NestedList | None = None


def find_entity(schema: Schema, word: str) -> Entity | None:
    """Return the entity with this singular, plural or synonym, ignoring case."""
    if not schema.names_cache:
        schema.names_cache.update(_entity_names(schema))
    name = schema.names_cache.get(word) or schema.names_cache.get(normal_form(word))
    return None if name is None else schema.entities[name]


def find_own(entity: Entity, name: str) -> Field | NestedList | None:
    """Return the field or list of an entity with this name or synonym."""
    return _names_of(entity).find(name)


def find_field(entity: Entity, names: Names) -> Resolved | None:
    """Look up dotted names in an entity.

    The order is: the catalog's names, its synonyms, then mapping paths if the entity's paths are open. A reference
    consumes one name; the rest belong to its target.
    """
    known = _names_of(entity)
    first = known.find(names[0])
    if first is not None:
        if len(names) == 1 or (isinstance(first, Field) and first.reference is not None):
            return Resolved(first, 1)
        if isinstance(first, NestedList):
            element = find_element(entity, first, names[1:])
            if element is not None:
                return Resolved(element.found, element.consumed + 1, element.within)
    by_path = known.find_path(names)
    if first is not None and (by_path is None or by_path.consumed == 1):
        return Resolved(first, 1)
    return by_path


def find_element(entity: Entity, within: NestedList, names: Names) -> Resolved | None:
    """Look up dotted names inside the brackets of a list: a field of its elements, by name, synonym or path."""
    elements = _names_of(entity).elements(within)
    for count in range(len(names), 0, -1):
        found = elements.find(".".join(names[:count]))
        if isinstance(found, Field):
            return Resolved(found, count, _names_of(entity).innermost_list(found, within))
    return None


def find_inner_list(entity: Entity, within: NestedList, names: Names) -> Resolved | None:
    """Look up a list inside the elements of another one, by its path there: `items` in `parcels[items[sku = "x"]]`."""
    known = _names_of(entity)
    for count in range(min(len(names), DEEPEST), 0, -1):
        found = known.at_path(".".join((within.path, *names[:count])))
        if isinstance(found, NestedList):
            return Resolved(found, count)
    return None


def nearest_names(entity: Entity, wrong: str, n: int = 3) -> dict[str, str]:
    """Return names similar to `wrong`, best first, each with its most similar spelling: the name itself, a synonym or a
    path."""
    known = _names_of(entity)
    found = nearest_spellings(wrong, _by_spelling(known.paths()), n, least=_SAME_PATH) if "." in wrong else {}
    return found or nearest_spellings(wrong, _by_spelling(known.spellings()), n)


DEEPEST = 100
"""Most names of a path that is looked up; no index maps anything so deep."""
_SAME_PATH = 90.0
"""Least similarity in percent of two whole paths, which often share their beginnings."""


def nearest_element_names(entity: Entity, within: NestedList, wrong: str, n: int = 3) -> list[str]:
    """Return similar names among the fields of a list's elements."""
    return nearest_targets(wrong, _by_spelling(_names_of(entity).elements(within).spellings()), n)


def nearest_entities(schema: Schema, wrong: str, n: int = 3) -> list[str]:
    """Return plurals of entities similar to `wrong`, best first."""
    return nearest_targets(wrong, _plurals(schema), n)


def surely_meant_entity(schema: Schema, wrong: str) -> Entity | None:
    """Return the entity with a name that `wrong` misspells, if only one comes close."""
    plural = typo_of(wrong, _plurals(schema))
    return None if plural is None else find_entity(schema, plural)


def _plurals(schema: Schema) -> dict[str, str]:
    return {word: one.plural for one in schema.entities.values() for word in (one.name, one.plural, *one.words)}


def surely_meant(entity: Entity, wrong: str, within: NestedList | None = None) -> str | None:
    """Return the name in the entity, or in the list's elements, that `wrong` misspells."""
    names = _names_of(entity)
    return typo_of(wrong, _by_spelling((names if within is None else names.elements(within)).spellings()))


def _by_spelling(spellings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Map each spelling to its name; if several have it, to the first."""
    found: dict[str, str] = {}
    for spelling, name in spellings:
        found.setdefault(spelling, name)
    return found


NameTable = dict[str, Field | NestedList]


@dataclass(slots=True)
class _Names:
    """Names as written, and by their normal form."""

    exact: NameTable
    loose: NameTable

    def find(self, name: str) -> Field | NestedList | None:
        return self.exact.get(name) or self.loose.get(normal_form(name))


@dataclass(slots=True)
class ElementNames(_Names):
    """The names of the fields of one list's elements."""

    def spellings(self) -> Iterator[tuple[str, str]]:
        """Yield every spelling to compare a wrong name with, and its name in the catalog. Sensitive fields are left
        out."""
        by_path: dict[str, str] = {}
        for name, one in self.exact.items():
            for path in _paths_of(one):
                by_path.setdefault(path, name)
        for name, one in self.exact.items():
            if not one.sensitive:
                shown = by_path.get(one.path if isinstance(one, NestedList) else one.mapped.path, name)
                yield name, shown
                yield from ((word, shown) for word in one.words)


@dataclass(slots=True)
class EntityNames(_Names):
    """The names of one entity. Fields that only the mapping knows are created on demand and cached."""

    entity: Entity
    by_path: NameTable
    by_list: dict[str, ElementNames] = field(default_factory=dict)

    def find_path(self, names: Names) -> Resolved | None:
        """Find the longest prefix of the names that is a mapping path."""
        for count in range(min(len(names), DEEPEST), 0, -1):
            found = self.at_path(".".join(names[:count]))
            if found is not None:
                return Resolved(found, count, self._list_around(found))
        return None

    def at_path(self, path: str) -> Field | NestedList | None:
        """Return the field at a mapping path: the catalog's, or one that only the mapping has."""
        found = self.by_path.get(path)
        if found is not None or not self.entity.open_paths:
            return found
        made: Field | NestedList | None = None
        mapping, guards = self.entity.mapping, self.entity.guards
        if path in mapping.nested:
            made = mapped_list(path, mapping, guards)
        else:
            mapped = mapping.at(path)
            if mapped is not None:
                made = mapped_field(path, mapped, mapping, guards, path)
        if made is not None and (path in mapping.fields or path in mapping.nested):
            return self.by_path.setdefault(path, made)
        return made  # a flattened field has as many keys as anybody can write: they are not kept

    def _is_guarded(self, path: str) -> bool:
        return bool(self.entity.guards.of(path, self.entity.mapping))

    def _list_around(self, found: Field | NestedList) -> NestedList | None:
        if isinstance(found, NestedList) or not found.mapped.nested:
            return None
        around = self.at_path(found.mapped.nested[-1])
        return around if isinstance(around, NestedList) else None

    def innermost_list(self, found: Field, within: NestedList) -> NestedList:
        """Return the innermost nested list around a field that was reached through `within`.

        `carts.lines.sku` reached through `carts` -> `carts.lines`. A condition on it needs the path of that one.
        """
        path = found.mapped.nested_path
        if path is None or path == within.path:
            return within
        return self._list_around(found) or mapped_list(path, self.entity.mapping, self.entity.guards)

    def elements(self, within: NestedList) -> ElementNames:
        known = self.by_list.get(within.name)
        if known is None:
            exact: NameTable = dict(within.fields)
            loose = _loose_names(exact)
            for name, one in self._open_elements(within):
                exact.setdefault(name, one)
            known = self.by_list[within.name] = ElementNames(exact, loose)
        return known

    def _open_elements(self, within: NestedList) -> Iterator[tuple[str, Field]]:
        """Yield the other fields of elements by their paths inside the element; fields of the catalog also by path."""
        prefix = within.path + "."
        for path in self.entity.mapping.fields:
            if path.startswith(prefix):
                found = self.at_path(path)
                if isinstance(found, Field):
                    yield path.removeprefix(prefix), found

    def record(self, permitted: Guarded | None) -> Iterator[Field | NestedList]:
        """Yield every field and list that a caller may see, each once: those that the catalog shows first, then its
        others, then those that only the mapping has. Vectors and what the language cannot show are left out."""
        entity = self.entity
        first = [one for name in entity.show if (one := entity.fields.get(name) or entity.lists.get(name)) is not None]
        known = dict.fromkeys((*first, *entity.fields.values(), *entity.lists.values()))
        yield from (one for one in known if _is_shown(one) and permits(one.guards, permitted))
        covered = {path for one in known for path in _paths_of(one)}
        lists = [one.path for one in known if isinstance(one, NestedList)]
        mapping = entity.mapping
        for path in (*mapping.fields, *mapping.nested) if entity.open_paths else ():
            around = [outer for outer in (*lists, *mapping.nested) if path != outer and is_in(path, outer)]
            found = None if path in covered or around else self.at_path(path)
            if found is None or not set(_paths_of(found)) <= {path}:  # of a copy, a sub-field, an alias, a list
                continue
            if _is_shown(found) and permits(found.guards, permitted):
                yield found

    def spellings(self) -> Iterator[tuple[str, str]]:
        """Yield spellings as for elements: names first, then synonyms, then ends of paths."""
        shown = {name: one for name, one in self.exact.items() if not one.sensitive}
        yield from ((name, name) for name in (*shown, *self.entity.conditions))
        for name, one in shown.items():
            yield from ((word, name) for word in one.words)
        beside: set[str] = set()
        for name, one in shown.items():
            parts = [(name, one)]
            if isinstance(one, NestedList):
                yield one.path.rsplit(".", 1)[-1], name
                parts = [(f"{name}.{inner}", part) for inner, part in one.fields.items() if not part.sensitive]
                yield from ((full.rsplit(".", 1)[-1], full) for full, _ in parts)
            for full, part in parts:
                for path in _paths_of(part):
                    beside.add(path)
                    yield path.rsplit(".", 1)[-1], full
        if self.entity.open_paths:
            for path in self.entity.mapping.fields:
                if path not in beside and not self._is_guarded(path):
                    yield path.rsplit(".", 1)[-1], path

    def paths(self) -> Iterator[tuple[str, str]]:
        """Yield the whole mapping path of each name in `spellings`."""
        for name, one in self.exact.items():
            if not one.sensitive:
                yield from ((path, name) for path in _paths_of(one))
        if self.entity.open_paths:
            yield from ((path, path) for path in self.entity.mapping.fields if not self._is_guarded(path))


def _is_shown(one: Field | NestedList) -> bool:
    if isinstance(one, NestedList):
        return True
    is_of_elements = bool(one.calculation and one.mapped.nested)
    return not is_of_elements and one.kind not in (FieldKind.VECTOR, FieldKind.UNSUPPORTED)


def whole_record(entity: Entity, permitted: Guarded | None) -> tuple[Field | NestedList, ...]:
    """Return the fields and lists of a document that a caller may see. `permitted`: as in `guards.permits`."""
    return tuple(_names_of(entity).record(permitted))


def _names_of(entity: Entity) -> EntityNames:
    if not entity.names_cache:
        entity.names_cache.append(_entity_field_names(entity))
    known = entity.names_cache[0]
    assert isinstance(known, EntityNames)
    return known


def _entity_field_names(entity: Entity) -> EntityNames:
    exact: NameTable = {**entity.fields, **entity.lists}
    loose = _loose_names(exact)
    identity = entity.id
    if identity is None and entity.open_paths:
        identity = Field("_id", ID_FIELD, FieldKind.KEYWORD, many=False, is_id=True, from_catalog=False)
    if identity is not None:
        exact.setdefault(identity.name, identity)
        loose.setdefault("id", identity)
    by_path: NameTable = {}
    for one in exact.values():
        # `name.keyword` is how the index compares the field `name`.
        paths = (one.path,) if isinstance(one, NestedList) else (one.mapped.path, one.mapped.term_path)
        for path in paths:
            by_path.setdefault(path, one)
    for nested in entity.lists.values():
        for element in nested.fields.values():
            by_path.setdefault(element.mapped.path, element)
    return EntityNames(exact, loose, entity, by_path)


def _paths_of(one: Field | NestedList) -> Iterator[str]:
    """Yield the mapping paths of a field or list; for a reference also that of the name beside it."""
    if isinstance(one, NestedList):
        yield one.path
        return
    yield one.mapped.path
    if one.reference is not None:
        yield from (beside.path for beside in (one.reference.name_at, one.reference.ancestors) if beside is not None)


def _loose_names(exact: NameTable) -> NameTable:
    """Return names by normal form: names first, then synonyms. A form of two different names is left out."""
    loose: NameTable = {}
    names = [(name, one) for name, one in exact.items()]
    for pairs in (names, [(word, one) for one in exact.values() for word in one.words]):
        seen: dict[str, Field | NestedList | None] = {}
        for word, one in pairs:
            form = normal_form(word)
            seen[form] = one if seen.get(form, one) is one else None
        loose = {form: one for form, one in seen.items() if one is not None} | loose
    return loose


def _entity_names(schema: Schema) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in schema.entities.values():
        for word in (one.name, one.plural):
            found.setdefault(word, one.name)
            found.setdefault(normal_form(word), one.name)
    for one in schema.entities.values():
        for word in one.words:
            found.setdefault(normal_form(word), one.name)
    return found


# --- what tells entities of one name apart ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Label:
    """A field under its name in `tell_apart`.

    If the name leads through a reference (`shelf.name`), `field` is the reference, and `after` the rest of the name.
    """

    name: str
    field: Field
    after: tuple[str, ...] = ()


def label_of(entity: Entity, name: str) -> Label | None:
    """Return the label for a name; None if it is neither a field of a document nor leads to one through a reference."""
    parts = tuple(name.split("."))
    found = find_field(entity, parts)
    if found is None or not isinstance(found.found, Field):
        return None
    after = parts[found.consumed :]
    return None if after and found.found.reference is None else Label(name, found.found, after)


def field_after(schema: Schema, label: Label) -> tuple[Entity, Field] | None:
    """Return the entity and the field at the end of a label; None if they are more than one reference away."""
    reference = label.field.reference
    target = schema.entities.get(reference.entity) if reference is not None else None
    if target is None or target.virtual or not label.after:
        return None
    found = find_field(target, label.after)
    if found is None or found.consumed < len(label.after) or not isinstance(found.found, Field):
        return None
    return target, found.found
