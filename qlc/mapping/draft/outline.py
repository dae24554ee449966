"""Collects the content of a draft for one source: fields without doubles, names, lists, references and kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from qlc.language.nouns import snake
from qlc.mapping.draft.doubles import Double, find_doubles, names_of_ids
from qlc.mapping.draft.equal_names import distinguishing
from qlc.mapping.draft.guesses import (
    COUNTRY_WORDS,
    Siblings,
    holds_country_codes,
    is_private,
    only_mark,
)
from qlc.mapping.draft.kinds import Kind, Kinds, is_own
from qlc.mapping.draft.naming import (
    KIND_WORDS,
    NAME_WORDS,
    named_by_kind,
    names_beside,
    noun_in_an_id,
    own_names,
    short_names,
    without_id,
    words_of,
)
from qlc.mapping.draft.objects import objects_of_some
from qlc.mapping.draft.references import References, Referred
from qlc.mapping.draft.things import Thing, find_things
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField

_TELLING = (FieldKind.KEYWORD, FieldKind.DATE)
"""Kinds of fields that tell equal names apart, the best first."""

_FOR_MACHINES = frozenset(
    ["checksum", "hash", "md5", "sha", "sha1", "sha256", "etag", "uuid", "guid", "token", "version"]
)  # fmt: skip
"""Words of fields that tell documents apart, but say nothing to people."""


@dataclass(frozen=True)
class Outline:
    """The outline of the draft of one source. Unless it is `alone`, each entity lists all its fields: entities of
    several indices share none. `ambiguous` are words that entities of several sources could have, `paths` the parts
    of the paths of all of their fields."""

    mapping: IndexMapping
    kinds: Kinds
    references: References
    alone: bool = True
    in_memory: bool = False
    ambiguous: frozenset[str] = frozenset()
    shows_all: bool = False
    paths: frozenset[str] = frozenset()
    _labelled: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def _one(self) -> Kind | None:
        """Return the kind of an index with a single one."""
        return None if self.kinds.kind_field else self.kinds.kinds[0]

    @cached_property
    def _drafted(self) -> dict[str, MappedField]:
        """Return the fields that can be asked for and that a document fills, without aliases."""
        filled = self.kinds.filled
        empty_index = not any(kind.sample.total for kind in self.kinds.kinds)
        return {
            path: mapped
            for path, mapped in self.mapping.fields.items()
            if mapped.kind is not FieldKind.UNSUPPORTED and not mapped.conflict
            if path == mapped.path and (path in filled or empty_index) and path != self._says_its_kind
        }

    @cached_property
    def _says_its_kind(self) -> str | None:
        """Return the field whose only value is the name of the documents, so that it distinguishes none of them."""
        kind = self._one
        if kind is None or not self.alone:
            return None
        called = {kind.name, kind.plural}
        said = (path for path, values in kind.sample.terms.items() if len(values) == 1 and snake(values[0]) in called)
        return next((path for path in said if KIND_WORDS & set(words_of(path))), None)

    @cached_property
    def _needed(self) -> set[str]:
        """Return the fields that must be kept: ids, references, and the field of kinds."""
        identities = {kind.identity for kind in self.kinds.kinds}
        return {str(path) for path in (*identities, self.kinds.kind_field, *(path for _, path in self._own_references))}

    @cached_property
    def _untied(self) -> frozenset[str | None]:
        """Return the lists whose conditions cannot be tied to one element."""
        return frozenset(self.kinds.object_lists - self.mapping.nested)

    @cached_property
    def _doubles(self) -> dict[str, Double]:
        """Return the fields that are redundant in each kind that has them."""
        found: list[tuple[Kind, dict[str, Double]]] = []
        for kind in self.kinds.kinds:
            own = {path: one for path, one in self._drafted.items() if self._has(kind, path) and not one.is_added}
            found.append((kind, find_doubles(own, kind.sample, self._untied, self._needed)))
        return {
            path: one
            for _, doubles in found
            for path, one in doubles.items()
            if all(other.get(path, one).of == one.of and (path in other or not self._has(kind, path))
                   for kind, other in found)
        }  # fmt: skip

    @cached_property
    def _kept(self) -> dict[str, MappedField]:
        """Return the fields of the draft: without redundant ones, and without names that a reference has beside its
        ids."""
        names = {name for kind in self.kinds.kinds for name in self._labels(kind).values()}
        return {path: one for path, one in self._drafted.items() if path not in self._doubles and path not in names}

    def _labels(self, kind: Kind) -> Mapping[str, str]:
        """Return the paths of names beside ids of a kind, if each id has only one name."""
        if kind.name not in self._labelled:
            fields = [
                path
                for path in self._drafted
                if self._has(kind, path) and path not in self._doubles and self._list_around(path) not in self._untied
            ]
            beside = {
                path: name
                for path, name in names_beside(fields).items()
                if path != kind.identity and self._drafted[path].exact and self._drafted[name].exact
            }
            self._labelled[kind.name] = names_of_ids(beside, kind.sample)
        return self._labelled[kind.name]

    def _target(self, kind: Kind, path: str) -> str | None:
        """Return the entity that a field refers to: one with documents, or one with only ids and names."""
        referred = self._referred(kind, path)
        if referred is not None:
            return "_or_".join(target.name for target in referred.targets)
        return self._virtual.get(path) if path in self._labels(kind) else None

    def _referred(self, kind: Kind, path: str) -> Referred | None:
        return self.references.get((kind.name, path))

    @cached_property
    def _things(self) -> list[Thing]:
        """Return entities without documents, found by ids with names in these documents."""
        labelled = {
            path: (name, kind.sample)
            for kind in self.kinds.kinds
            for path, name in self._labels(kind).items()
            if not self.references.get((kind.name, path))
        }
        return find_things(labelled, {kind.name for kind in self.kinds.kinds})

    @cached_property
    def _virtual(self) -> dict[str, str]:
        return {path: one.name for one in self._things for path in one.paths}

    @cached_property
    def _lists(self) -> list[str]:
        return sorted(self.mapping.nested | self.kinds.object_lists)

    def _list_around(self, path: str) -> str | None:
        around = [one for one in self._lists if path.startswith(one + ".")]
        return max(around, key=len, default=None)

    @cached_property
    def _fields(self) -> dict[str, MappedField]:
        """Return the fields of the documents themselves, outside lists."""
        return {path: mapped for path, mapped in self._kept.items() if self._list_around(path) is None}

    @cached_property
    def _names(self) -> dict[str, str]:
        """Return the names of fields and lists, equal in all kinds."""
        identities = [kind.identity for kind in self.kinds.kinds if kind.identity is not None]
        own = {path for kind in self.kinds.kinds for path in self._own_names(kind)}
        others = [path for path in self._fields if words_of(path)[0] in NAME_WORDS and path not in own]
        others += [path for path in own if not NAME_WORDS & set(words_of(path))]
        names = short_names([*self._fields, *self._lists], identities[0] if identities else None, others)
        referring = [path for _, path in self._own_references if path in self._fields]
        referring += [path for path in self._virtual if path in self._fields]
        labels = {path: name for kind in self.kinds.kinds for path, name in self._labels(kind).items()}
        names = without_id(names, dict.fromkeys(referring), labels)
        names = {path: self._renamed_by_values(path, name, names) for path, name in names.items()}
        return named_by_kind(names, self._fields)

    def _renamed_by_values(self, path: str, name: str, names: Mapping[str, str]) -> str:
        """Adapt a name to its values: `geo.src` with countries, `country_iso_code` -> `country`."""
        values = [value for kind in self.kinds.kinds for value in kind.sample.at(path).values]
        if path not in self._fields or not holds_country_codes(path, values):
            return name
        words = name.split("_")
        kept = words[: next((at + 1 for at, word in enumerate(words) if word in COUNTRY_WORDS), len(words))]
        said = "_".join(kept if COUNTRY_WORDS & set(kept) else [*kept, "country"])
        return name if said in names.values() else said

    @cached_property
    def _own_references(self) -> References:
        """Return the references of these kinds."""
        names = {kind.name for kind in self.kinds.kinds}
        return {(name, path): referred for (name, path), referred in self.references.items() if name in names}

    def _has(self, kind: Kind, path: str) -> bool:
        return self._one is not None or path in kind.sample.filled

    def _siblings(self, kind: Kind) -> Siblings:
        return Siblings(self._own_fields(kind), self._names, self._labels(kind), shows_all=self.shows_all)

    def _called_by_id(self, kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
        if not is_own(kind.identity, kind.sample) or not self._one:
            return ()
        values = (value for several in kind.sample.terms.values() for value in several)
        return noun_in_an_id(kind.identity, names, self._fields, values)

    def _parent_reference(self, kind: Kind) -> str | None:
        """Return the reference to the parent of a document, if its targets have one to each other too."""
        for path in self._siblings(kind).fields if self.alone else ():
            referred = self._referred(kind, path)
            targets = referred.targets if referred is not None else ()
            above = (self._referred(one, path) for one in targets)
            nests = all(one is not None and one.targets == targets for one in above)
            if len(targets) == 1 and nests and "parent" in words_of(path):
                return path
        return None

    def _objects(self, kind: Kind) -> Mapping[str, str]:
        """Return the objects that only some documents of an index have, each with a field that is always in it."""
        if not self._one or not self.alone:
            return {}
        fields = {path: one for path, one in self._siblings(kind).fields.items() if not is_private(path)}
        values = (value for several in kind.sample.terms.values() for value in several)
        called = [word for path in fields for word in (self._names[path], words_of(path)[-1])]
        called += [kind.name, kind.plural, *self._lists, *(one.name for one in self._things)]
        return objects_of_some(fields, kind.sample, [*called, *values])

    def _own_names(self, kind: Kind) -> list[str]:
        """Return the paths of the names of a kind, if needed those of another kind with the same fields, since folders
        can have equal names."""
        found = [(one, self._own_fields(one)) for one in (kind, *self.kinds.kinds)]
        named = (
            own_names(one.name, one.identity, fields, one.sample) or only_mark(one.identity, fields, one.sample)
            for one, fields in found
        )
        return next((names for names in named if set(names) & found[0][1].keys()), [])

    def _own_fields(self, kind: Kind) -> dict[str, MappedField]:
        return {path: mapped for path, mapped in self._fields.items() if self._has(kind, path)}

    def _naming(self, kind: Kind, fields: Mapping[str, MappedField]) -> list[str]:
        return [self._names[path] for path in self._own_names(kind) if path in fields]

    def _telling_apart(self, kind: Kind, fields: Mapping[str, MappedField]) -> list[str]:
        """Return the fields that distinguish documents of one name: texts first, then dates."""
        named = [path for path in self._own_names(kind) if path in fields]
        if not named:
            return []
        plain = [
            path
            for path, one in fields.items()
            if one.exact and one.kind in _TELLING and path not in (kind.identity, *named) and not is_private(path)
            if not _FOR_MACHINES & set(words_of(path))
            if kind.sample.at(path).per_document == 1 and self._target(kind, path) is None
        ]
        plain.sort(key=lambda path: _TELLING.index(fields[path].kind))
        return [self._names[path] for path in distinguishing(named[0], plain, kind.sample)]

    @cached_property
    def _unions(self) -> dict[tuple[str, ...], tuple[Kind, ...]]:
        """Return the sets of kinds that a single reference points at, by their names."""
        several = (one.targets for one in self._own_references.values() if len(one.targets) > 1)
        return {tuple(kind.name for kind in targets): targets for targets in several}

    def _elements(self, kind: Kind, around: str) -> dict[str, MappedField]:
        """Return the fields of the elements of a list."""
        inside = ((path, one) for path, one in self._kept.items() if self._list_around(path) == around)
        return {path: mapped for path, mapped in inside if self._has(kind, path)}
