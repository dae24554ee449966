"""Catalog and mapping joined: entities, fields and references as the compiler sees them. Frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from qlc.base.words.spelling import normal_form
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.guards import NOBODY, NOTHING_GUARDED, Guards, Names


@dataclass(frozen=True, slots=True)
class ClosedValues:
    """The values that a closed field can have.

    `spellings` maps each accepted spelling, folded by `str.casefold`, to the stored value (stored values are spellings
    of themselves). `groups` maps a named group, folded, to its stored values. `display` lists the values in the
    catalog's order: stored texts, and for numbers their names. `labels` are the names of numbers.
    """

    display: tuple[str, ...]
    spellings: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    group_names: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, stored: str) -> str:
        """Return the name of a stored value: `tanker` for the number 80; a text is its own name."""
        return self.labels.get(stored, stored)


@dataclass(frozen=True, slots=True)
class Reference:
    """A field that holds the key of another entity.

    `entity` is the singular name of the target. `name_at` is the field beside it with the target's name. `constants`
    maps names such as `root` to stored values. `ancestors` is the field of the *referring* document with the ids of
    everything above it (`under` in one step); None: level by level. A name that needs more permissions than the id is
    in `guarded_name` instead of `name_at`; `name_guards` are these permissions.
    """

    entity: str
    name_at: MappedField | None = None
    constants: Mapping[str, str] = field(default_factory=dict)
    ancestors: MappedField | None = None
    guarded_name: MappedField | None = None
    name_guards: Names = NOBODY


@dataclass(frozen=True, slots=True)
class KeyOf:
    """One key of a key/value list: `field` holds the keys, `key` is the key, ignoring case."""

    field: Field
    key: str


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field by its name in the language (`size`, `shares.who`, `systemAttributes.checksum`).

    `many`: True for a list, False for at most one value, None where nobody said. `unit` is the stored unit by its
    canonical name in `qlc.base.units` (or a unit of the catalog's own); `currency` the ISO code where the unit is
    one: nothing is converted into it, or from it. `unit_field` is the name of the field that
    holds the unit of each amount (a currency); `base_units` is that field where each amount is kept in the base unit of
    what it measures. `of_key` restricts the values of a key/value list to those of one key.
    `exact_case`: values that differ by case only are different. `any_case`: they are the same, also as ids.
    `adds_up` is False for numbers without a sum: years, rates.
    `aliases` maps other spellings of values that are not listed, folded, to the stored ones.
    `guards` are the sensitive fields that a caller must be permitted to see this one (`qlc.mapping.guards`).
    `label` is what people read in place of the name: the header of a column as it was written; or empty.
    `calculation` is the text of a computed field of the catalog, which no document stores; or empty.
    """

    name: str
    mapped: MappedField
    kind: FieldKind
    many: bool | None = None
    unit: str | None = None
    currency: str | None = None
    unit_field: str | None = None
    base_units: Field | None = None
    values: ClosedValues | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    whole_days: bool = False
    exact_case: bool = False
    any_case: bool = False
    adds_up: bool = True
    reference: Reference | None = None
    is_id: bool = False
    guards: Names = NOBODY
    label: str = ""
    words: tuple[str, ...] = ()
    description: str = ""
    from_catalog: bool = True
    of_key: KeyOf | None = None
    calculation: str = ""

    @property
    def sensitive(self) -> bool:
        """Whether some callers may not see the field."""
        return bool(self.guards)

    @property
    def folds(self) -> bool:
        """Whether equality ignores case: of texts, unless the catalog says otherwise; references are compared as
        stored, and so are ids that are not of `any_case`."""
        is_text = self.kind is FieldKind.KEYWORD and self.reference is None
        return is_text and not self.exact_case and (self.any_case or not self.is_id)

    @property
    def title(self) -> str:
        """The field as a sentence for people calls it."""
        return self.label or self.name

    @property
    def shown_unit(self) -> str | None:
        """The unit or currency shown beside the numbers."""
        return self.unit or self.currency

    def __eq__(self, other: object) -> bool:
        """Compare by name and path, since a schema has one field of each; this keeps typed queries cheap to hash."""
        return isinstance(other, Field) and self.name == other.name and self.mapped.path == other.mapped.path

    def __hash__(self) -> int:
        return hash((self.name, self.mapped.path))


@dataclass(frozen=True, slots=True, eq=False)
class NestedList:
    """A list of elements (`shares`). `key` and `value` name the two fields of a key/value list. Where `similar` is not
    None, keys are found by their words too; each of its tuples has keys that mean the same.

    `tied` is False for an object list that is not nested: conditions cannot be tied to one element. `guards` are as of
    a field, for the whole list; each field of its elements has its own.
    """

    name: str
    path: str
    fields: Mapping[str, Field]
    key: str | None = None
    value: str | None = None
    similar: tuple[tuple[str, ...], ...] | None = None
    tied: bool = True
    guards: Names = NOBODY
    words: tuple[str, ...] = ()
    description: str = ""

    @property
    def sensitive(self) -> bool:
        """Whether some callers may not see the list."""
        return bool(self.guards)


@dataclass(frozen=True, slots=True)
class Computed:
    """A field or a measure that the catalog defines by a calculation, `text`.

    `unit` is as in the catalog, `adds_up` as of a field. `guards` are the sensitive fields in the calculation, as of a
    field; the compiler adds them when it has read the text (`qlc.compiler.computed`).
    """

    name: str
    text: str
    is_measure: bool
    unit: str | None = None
    label: str = ""
    words: tuple[str, ...] = ()
    description: str = ""
    adds_up: bool = True
    guards: Names = NOBODY


@dataclass(frozen=True, slots=True)
class NameSource:
    """A pair of fields with ids and names of a virtual entity, and the entities whose documents have it."""

    entity: str
    key: MappedField
    name: MappedField


@dataclass(frozen=True, slots=True)
class Terms:
    """A filter: the field holds one of the values, exactly as stored."""

    field: MappedField
    values: tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class MatchSwitches:
    """The steps of name resolution after id and exact name, all on by default."""

    folded: bool = True
    extension: bool = True
    words: bool = True
    near: bool = True


@dataclass(frozen=True, slots=True)
class Passages:
    """The entity whose documents are parts of another's text, and its field with the id of the whole."""

    entity: str
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Entity:
    """An entity of the catalog, or the one entity `entry` of an index without a catalog.

    - `filter`: the terms that its documents have.
    - `access`: the text of a condition that every search carries, with `$parameters` from the caller's context.
    - `id`: None if only `_id` identifies a document.
    - `names`: the fields that names are looked up in; `normalized_name`: one with a normalizer, for the folded step.
    - `path`: the field with the readable path; `parent`: the name of the hierarchical reference to the entity above.
    - `default_date`, `default_number`: the fields meant by questions that name none.
    - `condition_words`: synonyms of the named conditions.
    - `computed`: the calculations of the catalog; the compiler adds its fields to `fields`.
    - `sources`: set for a virtual entity, which has no documents of its own.
    - `guards`: the confidential paths of its documents.
    - `same_documents`: other entities of the index that can share documents; `kept_apart`: those distinguished from it
      by another value of one field.
    - `in_access`: as access rules use it, with only its own rule.
    """

    name: str
    plural: str
    mapping: IndexMapping
    fields: Mapping[str, Field]
    lists: Mapping[str, NestedList] = field(default_factory=dict)
    index: str = ""
    filter: tuple[Terms, ...] = ()
    access: str | None = None
    id: Field | None = None
    id_pattern: str | None = None
    names: tuple[Field, ...] = ()
    normalized_name: MappedField | None = None
    path: Field | None = None
    path_separator: str = "/"
    parent: str | None = None
    kinds: tuple[str, ...] = ()
    text: tuple[Field, ...] = ()
    vector: Field | None = None
    passages: Passages | None = None
    default_sort: str | None = None
    default_date: str | None = None
    default_number: str | None = None
    show: tuple[str, ...] = ()
    tell_apart: tuple[str, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict)
    condition_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    computed: Mapping[str, Computed] = field(default_factory=dict)
    match_steps: MatchSwitches = MatchSwitches()
    sources: tuple[NameSource, ...] = ()
    open_paths: bool = True
    words: tuple[str, ...] = ()
    description: str = ""
    guards: Guards = NOTHING_GUARDED
    same_documents: tuple[str, ...] = ()
    kept_apart: tuple[str, ...] = ()
    in_access: bool = False
    names_cache: list[object] = field(default_factory=list, init=False, repr=False)
    """Cache of `qlc.mapping.names`, filled at the first lookup."""

    @property
    def virtual(self) -> bool:
        return bool(self.sources)

    def has_filter_of(self, wide: Entity) -> bool:
        """Whether the entity's filter keeps every term of the other's, so that its documents are among the other's."""
        kept = {terms.field.path: set(terms.values) for terms in self.filter}
        return all(
            terms.field.path in kept and kept[terms.field.path] <= set(terms.values) for terms in wide.filter
        )

    @property
    def measures(self) -> tuple[Computed, ...]:
        """The measures that the catalog defines."""
        return tuple(one for one in self.computed.values() if one.is_measure)

    def measure(self, word: str) -> Computed | None:
        """Return the measure of the catalog with this name or synonym."""
        form = normal_form(word)
        by_word = (one for one in self.measures if form in map(normal_form, (one.name, *one.words)))
        exact = self.computed.get(word)
        return exact if exact is not None and exact.is_measure else next(by_word, None)

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """All fields, including those of the elements of its lists."""
        return (*self.fields.values(), *(one for many in self.lists.values() for one in many.fields.values()))

    @property
    def shown(self) -> tuple[Field | NestedList, ...]:
        """The fields that the catalog shows, without sensitive ones."""
        listed = (self.fields.get(name) or self.lists.get(name) for name in self.show)
        return tuple(one for one in listed if one is not None and not one.sensitive)

    def unit_of(self, field: Field) -> Field | None:
        """Return the field with the unit of each amount in one of the entity's fields, unless it is sensitive."""
        if field.unit_field is None:
            return None
        unit = self.fields.get(field.unit_field)
        return unit if unit is not None and not unit.sensitive and self.fields.get(field.name) == field else None

    @property
    def rule_key(self) -> str:
        """The key of the access rule among those of the schema (`qlc.compiler.access`)."""
        return f"{self.name} in access rules" if self.in_access else self.name


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of cost: a query above one of them is refused, never truncated.

    All are counts: `set_size` ids or values taken from a sub-query, `names` read for the folded and near steps, `rows`
    of a group, `depth` levels of a hierarchy walked without stored ancestors, `pairs` of `a = b`, `ranges` of days or
    hours of a cyclic condition, or of a set of dates, `scripts` documents for which a server calculates something.
    """

    set_size: int = 100_000
    names: int = 100_000
    rows: int = 100_000
    depth: int = 50
    pairs: int = 10_000
    ranges: int = 10_000
    scripts: int = 10_000_000


@dataclass(frozen=True, slots=True)
class Example:
    """A question in words and its query: shown to a language model, and read as a taught form."""

    words: str
    query: str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Schema:
    """Everything that a program is checked against. `version` is a hash of catalog and mapping, for caches. `zone` is
    the time zone of access rules."""

    entities: Mapping[str, Entity]
    version: str
    bounds: Bounds = Bounds()
    week_start: int = 0
    zone: tzinfo = UTC
    index: str = ""
    description: str = ""
    examples: tuple[Example, ...] = ()
    names_cache: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    """Cache of `qlc.mapping.names`, filled at the first lookup."""

    def entity(self, name: str) -> Entity:
        return self.entities[name]
