"""Writes a draft catalog of a live index: its mapping with better names, and guesses from its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from qlc.base.texts import one_line
from qlc.language.nouns import last_nouns, snake
from qlc.mapping.build import WITHOUT_CATALOG
from qlc.mapping.draft.doubles import Double, find_doubles, names_of_ids
from qlc.mapping.draft.equal_names import distinguishing
from qlc.mapping.draft.guesses import (
    COUNTRY_WORDS,
    Siblings,
    guessed,
    has_prose,
    holds_country_codes,
    is_creation,
    is_entered_ahead,
    is_of_money,
    is_private,
    only_mark,
)
from qlc.mapping.draft.kinds import Kind, Kinds, is_own
from qlc.mapping.draft.lines import apart, head, left_out, pattern
from qlc.mapping.draft.naming import (
    KIND_WORDS,
    NAME_WORDS,
    folded,
    listed,
    named_by_kind,
    names_beside,
    noun_in_an_id,
    other_nouns,
    own_names,
    says_what_is_in_it,
    scalar,
    short_names,
    without_id,
    words_of,
)
from qlc.mapping.draft.objects import objects_of_some
from qlc.mapping.draft.references import References, Referred, find_references
from qlc.mapping.draft.sources import Source, find_sources
from qlc.mapping.draft.things import Thing, find_things
from qlc.mapping.fields import NUMERIC, FieldKind, IndexMapping, MappedField

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_SHOWN = 6

_TELLING = (FieldKind.KEYWORD, FieldKind.DATE)
"""Kinds of fields that tell equal names apart, the best first."""

_FOR_MACHINES = frozenset(
    ["checksum", "hash", "md5", "sha", "sha1", "sha256", "etag", "uuid", "guid", "token", "version"]
)  # fmt: skip
"""Words of fields that tell documents apart, but say nothing to people."""

_NO_AMOUNTS = frozenset({"year", "lat", "lon", "latitude", "longitude", "id", "code", "version"})
"""Names of numbers that a bare amount in a question does not mean."""


def draft_catalog(client: Elasticsearch, index: str, *, in_memory: bool = False) -> str:
    """Return the YAML text of a draft for an index, alias, pattern or comma-separated list; it passes the check as it
    is.

    Each source has entities of its own. A guess is marked by `# ?` with its reason; a guess that is too unsure is a
    comment that begins so. `in_memory`: documents of a single kind stay entries, as without a catalog. Raises
    MappingError if there is no such index, and what the client raises.
    """
    sources = find_sources(client, index)
    return draft_of(index, sources, find_references(client, sources), in_memory=in_memory)


def draft_of(index: str, sources: Sequence[Source], references: References, *, in_memory: bool = False) -> str:
    """Return the YAML text of a draft for some sources."""
    alone = len(sources) == 1
    drafts = [_Draft(source.mapping, source.kinds, references, alone, in_memory) for source in sources]
    lines = drafts[0].lines() if len(drafts) == 1 else _of_several(index, sources, drafts)
    # Names and values in comments are those of documents, and could end the comment; elsewhere they are escaped.
    return "\n".join([*map(one_line, lines), ""])


def _of_several(index: str, sources: Sequence[Source], drafts: Sequence[_Draft]) -> list[str]:
    entities = [entity for draft in drafts for entity in draft.entities()]
    lines = [*head(index, [source.kinds for source in sources]), "", "entities:", *apart(entities)]
    without = (left_out(draft.mapping, draft.kinds, draft._doubles) for draft in drafts)
    return [*lines, *(line for several in without for line in several)]


@dataclass(frozen=True)
class _Draft:
    """The draft of one source. Unless it is `alone`, each entity lists all its fields: entities of several indices
    share none."""

    mapping: IndexMapping
    kinds: Kinds
    references: References
    alone: bool = True
    in_memory: bool = False
    _labelled: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        lines = head(self.mapping.index, [self.kinds])
        if self._common_identity is not None:
            lines += ["", "defaults:", f"  id: {self._names[self._common_identity]}"]
        lines += ["", "entities:", *apart(self.entities())]
        if not self._one:
            union = "entry: {plural: entries}  # all of these together, with the fields that they share"
            lines += ["", f"  {union}" if self.in_memory and self.alone else f"  # ? {union}"]
        shared = [line for path in self._fields if path in self._shared for line in self._shared[path]]
        if shared:
            lines += ["", "fields:", *shared]
        if self._lists and self._one:
            lines += ["", "lists:"]
            for around in self._lists:
                lines += self._list(self._one, around, "  ")
        return [*lines, *left_out(self.mapping, self.kinds, self._doubles)]

    def entities(self) -> list[list[str]]:
        """Return the lines of each entity."""
        kinds = [list(self._entity(kind)) for kind in self.kinds.kinds]
        things = []  # with only ids and names in other documents
        for one in self._things:
            plural = [] if one.plural == f"{one.name}s" else [f"    plural: {one.plural}"]
            things.append([f"  {one.name}:  # ? each id has one name: {', '.join(one.paths)}", *plural,
                           "    virtual: true"])
        return [*kinds, *(list(self._union(together)) for together in self._unions), *things]

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
            own = {path: one for path, one in self._drafted.items() if self._has(kind, path)}
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

    @cached_property
    def _common_identity(self) -> str | None:
        """Return the field that identifies documents of every kind; None if each kind has its own, or there is only
        one."""
        identities = {kind.identity for kind in self.kinds.kinds if kind.identity is not None}
        common = min(identities, default=None) if len(identities) == 1 else None
        return common if common in self._shared and not self._one else None

    def _has(self, kind: Kind, path: str) -> bool:
        return self._one is not None or path in kind.sample.filled

    @cached_property
    def _shared(self) -> dict[str, list[str]]:
        """Return the lines of fields that every kind fills, if they are equal for all kinds."""
        shared: dict[str, list[str]] = {}
        if not self.alone:
            return shared
        for path in self._fields:
            if all(self._has(kind, path) for kind in self.kinds.kinds):
                first, *others = (self._field(kind, path, self._siblings(kind), "  ") for kind in self.kinds.kinds)
                if all(lines == first for lines in others):
                    shared[path] = first
        return shared

    def _siblings(self, kind: Kind) -> Siblings:
        return Siblings(self._own_fields(kind), self._names, self._labels(kind))

    def _entity(self, kind: Kind) -> Iterator[str]:
        guessed_name = self._one is not None and self.alone
        said = "named after the index" if says_what_is_in_it(self.mapping.index) else "what one document is called"
        yield f"  {kind.name}:" + (f"  # ? {said}" if guessed_name else "")
        if guessed_name or kind.plural != f"{kind.name}s":
            yield f"    plural: {kind.plural}"
        # `position` and `positions` for the documents of the index `ais_positions`
        last: tuple[str, ...] = (last_nouns((kind.name, kind.plural)) or ()) if self._one else ()
        last = last or (other_nouns(kind.name, self._fields) if guessed_name else ())
        if self.in_memory and self._one and self.alone and kind.name != WITHOUT_CATALOG[0]:
            last += WITHOUT_CATALOG
        by_id = self._called_by_id(kind, (kind.name, kind.plural, *last))
        why = "? as its id is called" if by_id else "what else users call it, in singular and plural"
        yield f"    words: {listed((*last, *by_id))}  # {why}"
        if not self.alone:
            yield f"    index: {scalar(self.mapping.index)}"
        if self.kinds.kind_field is None and self.alone:
            yield "    # ? where: {some.path: VALUE}  # where only some documents are meant; an entity for each kind"
        elif self.kinds.kind_field is not None:
            yield f"    where: {{{scalar(self.kinds.kind_field)}: {scalar(str(kind.value))}}}"
        if kind.identity is not None and self._common_identity is None:
            yield f"    id: {self._names[kind.identity]}"
        yield from pattern(self.mapping, kind)
        around = self._parent_reference(kind)
        if around is not None:
            yield f"    parent: {self._names[around]}  # ? what it is in"
        yield from self._settings(kind)
        if self._one and self.alone:
            return
        own = {path: mapped for path, mapped in self._siblings(kind).fields.items() if path not in self._shared}
        if own:
            yield "    fields:"
        for path in own:
            yield from self._field(kind, path, self._siblings(kind), "      ")
        lists = [around for around in self._lists if self._elements(kind, around)]
        if lists:
            yield "    lists:"
        for around in lists:
            yield from self._list(kind, around, "      ")

    def _called_by_id(self, kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
        if not is_own(kind.identity, kind.sample) or not self._one or not self.alone:
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

    def _settings(self, kind: Kind) -> Iterator[str]:
        """Yield the settings of a kind: its names, text, order and shown fields."""
        fields = self._siblings(kind).fields
        named = self._naming(kind, fields)
        if named:
            yield f"    names: {listed(named)}"
        apart = self._telling_apart(kind, fields)
        if apart:
            yield f"    tell_apart: {listed(apart)}  # ? in these, documents of one name differ"
        analysed = [(path, mapped) for path, mapped in fields.items() if mapped.analysed and not is_private(path)]
        texts = [
            self._names[path] for path, one in analysed if self._names[path] in named or has_prose(kind, path, one)
        ]
        if texts:
            yield f"    text: {listed(texts)}"
        dates = [
            path
            for path, one in fields.items()
            if one.kind is FieldKind.DATE and one.doc_values and not is_private(path)
        ]
        often = [path for path in dates if 2 * kind.sample.at(path).filled >= kind.sample.read]
        newest = max(often, key=lambda path: (kind.sample.at(path).filled, is_creation(path)), default=None)
        shown = self._shown(kind, fields, named, newest)
        if shown:
            yield f"    show: {listed(shown)}"
        if newest is not None:
            yield f"    sort: {self._names[newest]} desc"
            certain = len(dates) == 1 or (is_creation(newest) and not is_entered_ahead(newest, often))
            mark = "" if certain else "# ? "
            yield f"    {mark}date: {self._names[newest]}  # what 'from 2024' is about where no date is named"
        yield from self._number(kind, fields)
        objects = self._objects(kind)
        if objects:
            yield "    conditions:"
        for name, path in objects.items():
            yield f"      {name}: {self._names[path]} exists  # ? only some have one"

    def _objects(self, kind: Kind) -> Mapping[str, str]:
        """Return the objects that only some documents of an index have, each with a field that is always in it."""
        if not self._one or not self.alone:
            return {}
        fields = {path: one for path, one in self._siblings(kind).fields.items() if not is_private(path)}
        values = (value for several in kind.sample.terms.values() for value in several)
        called = [word for path in fields for word in (self._names[path], words_of(path)[-1])]
        called += [kind.name, kind.plural, *self._lists, *(one.name for one in self._things)]
        return objects_of_some(fields, kind.sample, [*called, *values])

    def _number(self, kind: Kind, fields: Mapping[str, MappedField]) -> Iterator[str]:
        """Yield the default number: the only number or amount of money that most documents have. A year does not
        count."""
        often = [
            path
            for path, one in fields.items()
            if one.kind in NUMERIC and path != kind.identity and not _NO_AMOUNTS & set(words_of(path))
            if (kind.name, path) not in self.references and not is_private(path)
            if 2 * kind.sample.at(path).filled >= kind.sample.read
        ]
        amounts = [path for path in often if is_of_money(path)]
        for path in often if len(often) == 1 else amounts if len(amounts) == 1 else ():
            mark = "" if len(often) == 1 else "# ? "
            yield f"    {mark}number: {self._names[path]}  # what 'over 500' is about where no number is named"

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

    def _shown(
        self, kind: Kind, fields: Mapping[str, MappedField], named: Iterable[str], newest: str | None
    ) -> list[str]:
        """Return the shown fields: names, then fields that most documents have, and the field of the order last."""
        often = [
            self._names[path]
            for path, mapped in fields.items()
            if mapped.exact and path != self.kinds.kind_field and mapped.es_type != "flattened"
            if mapped.kind is FieldKind.BOOLEAN or not is_private(path)
            if 2 * kind.sample.at(path).filled >= kind.sample.read
        ]
        last = [] if newest is None else [self._names[newest]]
        first = [one for one in dict.fromkeys([*named, *often]) if one not in last]
        return [*first[: _SHOWN - len(last)], *last]

    @cached_property
    def _unions(self) -> dict[tuple[str, ...], tuple[Kind, ...]]:
        """Return the sets of kinds that a single reference points at, by their names."""
        several = (one.targets for one in self._own_references.values() if len(one.targets) > 1)
        return {tuple(kind.name for kind in targets): targets for targets in several}

    def _union(self, names: tuple[str, ...]) -> Iterator[str]:
        """Yield the entity for several kinds that one reference points at, with their common fields."""
        together = self._unions[names]
        name = "_or_".join(names)
        yield f"  {name}:  # ? what one of these is called"
        yield f"    plural: {'_or_'.join(kind.plural for kind in together)}"
        if not self.alone:
            yield f"    index: {scalar(self.mapping.index)}"
        yield f"    where: {{{scalar(str(self.kinds.kind_field))}: {listed(str(kind.value) for kind in together)}}}"
        identities = {kind.identity for kind in together}
        if self._common_identity is None and len(identities) == 1:
            yield f"    id: {self._names[str(identities.pop())]}"
        fields = {path: one for path, one in self._fields.items() if all(self._has(kind, path) for kind in together)}
        named = self._naming(together[0], fields)
        if named:
            yield f"    names: {listed(named)}"
        own = [path for path in fields if path not in self._shared]
        if own:
            yield "    fields:"
        for path in own:
            yield f"      {self._names[path]}: {scalar(path)}"

    def _field(self, kind: Kind, path: str, beside: Siblings, indent: str) -> list[str]:
        """Return the lines of one field of a kind."""
        found = guessed(kind, path, beside, self._target(kind, path), self._referred(kind, path))
        name = beside.names[path]
        own_path = scalar(path.removeprefix(beside.within + ".") if beside.within else path)
        count = kind.sample.left_out.get(path, 0)
        left = f"  # {count:,} with a value that the index left out, too long or malformed" if count else ""
        if not found.facts and not found.doubts:
            return [f"{indent}{name}: {own_path}{left}"]
        return [
            f"{indent}{name}:",
            f"{indent}  path: {own_path}{left}",
            *(line for fact in found.facts for line in folded(fact, f"{indent}  ")),
            *(f"{indent}  # ? {doubt}" for doubt in found.doubts),
        ]

    def _elements(self, kind: Kind, around: str) -> dict[str, MappedField]:
        """Return the fields of the elements of a list."""
        inside = ((path, one) for path, one in self._kept.items() if self._list_around(path) == around)
        return {path: mapped for path, mapped in inside if self._has(kind, path)}

    def _list(self, kind: Kind, around: str, indent: str) -> Iterator[str]:
        yield f"{indent}{self._names[around]}:"
        yield f"{indent}  path: {scalar(around)}"
        if around not in self.mapping.nested:
            yield f"{indent}  # not nested in the mapping: two conditions cannot apply to the same element"
        elements = self._elements(kind, around)
        if not elements:
            return
        yield f"{indent}  fields:"
        prefix = around + "."
        inner = short_names(path.removeprefix(prefix) for path in elements)
        names = {path: inner[path.removeprefix(prefix)] for path in elements}
        referring = [path for path in elements if self._target(kind, path)]
        beside = Siblings(elements, without_id(names, referring, self._labels(kind)), self._labels(kind), around)
        for path in elements:
            yield from self._field(kind, path, beside, f"{indent}    ")
