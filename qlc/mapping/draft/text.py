"""Writes a draft catalog of a live index: its mapping with better names, and guesses from its documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from qlc.base.texts import one_line
from qlc.language.field_words import usual_dates
from qlc.language.nouns import last_nouns
from qlc.mapping.build import WITHOUT_CATALOG
from qlc.mapping.draft.guesses import (
    Siblings,
    guessed,
    has_prose,
    is_of_money,
    is_private,
)
from qlc.mapping.draft.kinds import Kind
from qlc.mapping.draft.lines import apart, head, left_out, pattern
from qlc.mapping.draft.naming import (
    ID_WORDS,
    folded,
    forms_in_an_id,
    listed,
    other_nouns,
    says_what_is_in_it,
    scalar,
    short_names,
    without_id,
    words_of,
)
from qlc.mapping.draft.other_words import STATES
from qlc.mapping.draft.outline import Outline
from qlc.mapping.draft.products import proposed
from qlc.mapping.draft.references import References, find_references
from qlc.mapping.draft.sources import Source, Tell, find_sources, untold
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_SHOWN = 6
_NEARLY_ALL = 0.95
"""Share of the fullest date that another one needs: what is still to happen to some things is not when they are."""

_NO_AMOUNTS = frozenset({"year", "lat", "lon", "latitude", "longitude", "id", "code", "version"})
"""Names of numbers that a bare amount in a question does not mean."""


def draft_catalog(
    client: Elasticsearch, index: str, *, in_memory: bool = False, shows_all: bool = False, tell: Tell = untold
) -> str:
    """Return the YAML text of a draft for an index, alias, pattern or comma-separated list; it passes the check as it
    is.

    Each source has entities of its own. A guess is marked by `# ?` with its reason; a guess that is too unsure is a
    comment that begins so. `in_memory`: documents of a single kind stay entries, as without a catalog.
    `shows_all`: nothing is confidential by its name. `tell` is called with a sentence before each step. Raises
    MappingError if there is no such index, and what the client raises.
    """
    sources = find_sources(client, index, tell)
    return draft_of(index, sources, find_references(client, sources, tell), in_memory=in_memory, shows_all=shows_all)


def draft_of(
    index: str, sources: Sequence[Source], references: References, *, in_memory: bool = False, shows_all: bool = False
) -> str:
    """Return the YAML text of a draft for some sources."""
    alone = len(sources) == 1
    words = _ambiguous_words(sources)
    paths = frozenset(part for source in sources for path in source.mapping.fields for part in path.split("."))
    drafts = [_Draft(source.mapping, source.kinds, references, alone, in_memory, words, shows_all, paths)
              for source in sources]  # fmt: skip
    lines = drafts[0].lines() if len(drafts) == 1 else _of_several(index, sources, drafts)
    # Names and values in comments are those of documents, and could end the comment; elsewhere they are escaped.
    return "\n".join([*map(one_line, lines), ""])


def _ambiguous_words(sources: Sequence[Source]) -> frozenset[str]:
    """Return the words for documents of several sources: `orders` beside `web_orders`, whose last noun it is, or beside
    rows with the id `order`."""
    called = [{word for kind in one.kinds.kinds for word in _words_of(kind)} for one in sources]
    counts = Counter(word for words in called for word in words)
    return frozenset(word for word, count in counts.items() if count > 1)


def _words_of(kind: Kind) -> tuple[str, ...]:
    by_id = forms_in_an_id(kind.identity) if kind.identity is not None else ()
    return (kind.name, kind.plural, *(last_nouns((kind.name, kind.plural)) or ()), *kind.also, *by_id)


def _of_several(index: str, sources: Sequence[Source], drafts: Sequence[_Draft]) -> list[str]:
    entities = [entity for draft in drafts for entity in draft.entities()]
    lines = [*head(index, [source.kinds for source in sources]), "", "entities:", *apart(entities)]
    without = (left_out(draft.mapping, draft.kinds, draft._doubles) for draft in drafts)
    return [*lines, *(line for several in without for line in several)]


class _Draft(Outline):
    """Writes the draft of one source."""

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

    @cached_property
    def _common_identity(self) -> str | None:
        """Return the field that identifies documents of every kind; None if each kind has its own, or there is only
        one."""
        identities = {kind.identity for kind in self.kinds.kinds if kind.identity is not None}
        common = min(identities, default=None) if len(identities) == 1 else None
        return common if common in self._shared and not self._one else None

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

    def _entity(self, kind: Kind) -> Iterator[str]:
        guessed_name = self._one is not None and self.alone
        said = "named after the index" if says_what_is_in_it(self.mapping.index) else "what one document is called"
        yield f"  {kind.name}:" + (f"  # ? {said}" if guessed_name else "")
        if guessed_name or kind.plural != f"{kind.name}s":
            yield f"    plural: {kind.plural}"
        # `position` and `positions` for the documents of the index `ais_positions`
        last: tuple[str, ...] = (last_nouns((kind.name, kind.plural)) or ()) if self._one else ()
        if self._one and (kind.also or not last):
            paths = self._fields if self.alone else self.paths
            last += (*kind.also, *other_nouns(kind.also[0] if kind.also else kind.name, paths))
        if self.in_memory and self._one and self.alone and kind.name != WITHOUT_CATALOG[0]:
            last += WITHOUT_CATALOG
        last = tuple(one for one in last if one not in self.ambiguous)
        by_id = self._called_by_id(kind, (kind.name, kind.plural, *last))
        by_id = by_id if self.ambiguous.isdisjoint(by_id) else ()
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
        most = max((kind.sample.at(path).filled for path in dates), default=0)
        full = [path for path in dates if kind.sample.at(path).filled >= _NEARLY_ALL * most]
        usual = usual_dates({path: words_of(path) for path in full}, words_of(f"{kind.name}_{kind.plural}"))
        often = full if 2 * most >= kind.sample.read else []
        newest = max(often, key=lambda path: (path in usual, kind.sample.at(path).filled), default=None)
        shown = self._shown(kind, fields, named, newest)
        if shown:
            yield f"    show: {listed(shown)}"
        if newest is not None:
            yield f"    sort: {self._names[newest]} desc"
            mark = "" if usual == [newest] or len(dates) == 1 else "# ? "
            yield f"    {mark}date: {self._names[newest]}  # what 'from 2024' is about where no date is named"
        yield from self._number(kind, fields)
        objects = self._objects(kind)
        if objects:
            yield "    conditions:"
        for name, path in objects.items():
            yield f"      {name}: {self._names[path]} exists  # ? only some have one"
        computed = [] if self.in_memory else list(self._computed(kind))
        if computed:
            yield "    computed:"
        yield from (f"      {line}" for line in computed)

    def _computed(self, kind: Kind) -> Iterator[str]:
        """Yield the fields that can be calculated from others."""
        beside = self._siblings(kind)
        lines = {path: guessed(kind, path, beside, self._target(kind, path), self._referred(kind, path))
                 for path in beside.fields}  # fmt: skip
        names = {*self.mapping.fields, *self.mapping.objects, *beside.names.values(), kind.name, kind.plural}
        words = {word for one in lines.values() for fact in one.facts if fact.startswith("words:")
                 for word in words_of(fact)}  # fmt: skip
        return proposed(beside, lines, frozenset(names | words))

    def _number(self, kind: Kind, fields: Mapping[str, MappedField]) -> Iterator[str]:
        """Yield the default number: the only number or amount of money that most documents have. A year does not
        count."""
        often = [
            path
            for path, one in fields.items()
            if one.kind in NUMERIC and path != kind.identity and not _NO_AMOUNTS & set(words_of(path))
            if not one.is_added
            if (kind.name, path) not in self.references and not is_private(path)
            if 2 * kind.sample.at(path).filled >= kind.sample.read
        ]
        amounts = [path for path in often if is_of_money(path)]
        for path in often if len(often) == 1 else amounts if len(amounts) == 1 else ():
            mark = "" if len(often) == 1 else "# ? "
            yield f"    {mark}number: {self._names[path]}  # what 'over 500' is about where no number is named"

    def _shown(
        self, kind: Kind, fields: Mapping[str, MappedField], named: Iterable[str], newest: str | None
    ) -> list[str]:
        """Return the shown fields: names, then fields that most documents have, and the field of the order last.

        States and amounts of money are shown before others if there are many, ids come last; without names, the own id
        is the name.
        """
        often = [
            path
            for path, mapped in fields.items()
            if mapped.exact and path != self.kinds.kind_field and mapped.es_type != "flattened"
            if not mapped.is_added
            if mapped.kind is FieldKind.BOOLEAN or not is_private(path)
            if 2 * kind.sample.at(path).filled >= kind.sample.read
        ]

        def place(path: str) -> int:
            words = set(words_of(path))
            is_id = path == kind.identity or (ID_WORDS & words and (kind.name, path) not in self.references)
            return 1 if STATES & words or is_of_money(path) else 3 if is_id else 2

        last = [] if newest is None else [self._names[newest]]
        head = [*named] or [self._names[path] for path in often if path == kind.identity]
        head = [one for one in dict.fromkeys(head) if one not in last][: _SHOWN - len(last)]
        others = [path for path in often if self._names[path] not in (*head, *last)]
        most = {*sorted(others, key=place)[: _SHOWN - len(head) - len(last)]}
        if not self.in_memory:  # the columns of a table keep their order
            others.sort(key=lambda path: place(path) == 3)
        return [*head, *(self._names[path] for path in others if path in most), *last]

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
        beside = Siblings(elements, without_id(names, referring, self._labels(kind)), self._labels(kind), around,
                          self.shows_all)  # fmt: skip
        for path in elements:
            yield from self._field(kind, path, beside, f"{indent}    ")
