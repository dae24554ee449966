"""Meanings of words: entities, fields, values, names. `Lexicon` finds them, rules read them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Generic, TypeVar

from qlc.base.currencies import CURRENCIES
from qlc.base.frozen import unguarded_dataclass
from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField
from qlc.mapping.schema import Computed, Entity, Field, NestedList, Schema
from qlc.translator.rules.build import name_of, path
from qlc.translator.rules.words.phrases import spaced, stem

INFLECTED = 0.1  # cost of words in another inflection than the catalog's
LAST_WORD = 0.25  # cost of a value's last word in the plural as the value
_MEASURE = MappedField("", "measure", FieldKind.NUMBER)  # in place of the mapping of a measure
FARTHEST = 3
"""References between two things that are still said in one breath: the customer of the building of the lift."""


@unguarded_dataclass(frozen=True, slots=True)
class FieldRef:
    """A field by its path in the language: `size`, `shares.who`, a key of a key/value list `attributes.risk`."""

    path: tuple[str, ...]
    field: Field = dataclasses.field(compare=False)
    within: NestedList | None = dataclasses.field(default=None, compare=False)

    @property
    def kind(self) -> FieldKind:
        return self.field.kind

    @property
    def target(self) -> str | None:
        """The entity that the field refers to."""
        return self.field.reference.entity if self.field.reference is not None else None

    @property
    def many(self) -> bool:
        return self.within is not None or self.field.many is True

    @property
    def is_number(self) -> bool:
        """Whether a field holds quantities; numbers with names are codes."""
        return self.field.kind in NUMERIC and self.field.values is None

    @property
    def is_measure(self) -> bool:
        """Whether it stands for a measure of the catalog: its sum is the measure (`qlc.translator.rules.programs`)."""
        return self.field.mapped is _MEASURE

    @property
    def left(self) -> tree.Path:
        """The left side of a condition on it."""
        return path(*self.path)

    def compared(self, operator: tree.ComparisonOperator, right: tree.Value) -> tree.Condition:
        return tree.Comparison(self.left, operator, right)

    def equals(self, right: tree.Value) -> tree.Condition:
        return tree.Comparison(self.left, "=", right)

    @property
    def phrases(self) -> tuple[tuple[str, ...], ...]:
        """Return the phrases for the field, each as its words."""
        return phrases_of(self.field)

    @property
    def parts(self) -> set[str]:
        """The words that its phrases are made of."""
        return {part for phrase in self.phrases for part in phrase}

    @property
    def stems(self) -> set[str]:
        return set(map(stem, self.parts))

    def belongs_to(self, entity: Entity) -> bool:
        """Whether an entity has it, and is not distinguished by it from others."""
        if self.within is not None:
            return self.path[0] in entity.lists
        if any(terms.field.path == self.field.mapped.path for terms in entity.filter):
            return False  # what makes it one of its kind is said by the word for the entity
        return self.path[0] in (entity.computed if self.is_measure else entity.fields)

    @staticmethod
    @lru_cache(maxsize=256)
    def own(entity: Entity) -> tuple[FieldRef, ...]:
        """The fields of an entity itself that words speak of: all but the place of a row in its file."""
        return tuple(FieldRef((one.name,), one) for one in entity.fields.values() if not one.mapped.is_added)

    @staticmethod
    @lru_cache(maxsize=256)
    def all_of(entity: Entity) -> tuple[FieldRef, ...]:
        """The fields of an entity, and those of the elements of its lists."""
        lists = (many for many in entity.lists.values() if many.key is None)
        inner = (FieldRef((many.name, key), one, many) for many in lists for key, one in many.fields.items())
        return (*FieldRef.own(entity), *inner)

    @staticmethod
    def of_measure(one: Computed) -> FieldRef:
        """A measure of the catalog as a number that words speak of."""
        currency = one.unit if one.unit in CURRENCIES else None
        unit = None if currency else one.unit
        field = Field(one.name, _MEASURE, FieldKind.NUMBER, unit=unit, currency=currency, words=one.words,
                      description=one.description, calculation=one.text, adds_up=one.adds_up)  # fmt: skip
        return FieldRef((one.name,), field)

    @staticmethod
    def at(entity: Entity | None, left: object) -> FieldRef | None:
        """The field of an entity itself that a path begins with; None for another side of a condition."""
        field = entity.fields.get(name_of(left)) if entity is not None and isinstance(left, tree.Path) else None
        return FieldRef((field.name,), field) if field is not None else None


def phrases_of(field: Field) -> tuple[tuple[str, ...], ...]:
    return _phrases(field.name.rpartition(".")[2], field.words)


@lru_cache(maxsize=4096)
def _phrases(name: str, further: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    said = (spaced(name), *(one.casefold().replace("_", " ") for one in further))
    return tuple(tuple(one.split()) for one in said)


@unguarded_dataclass(frozen=True, slots=True)
class EntityWord:
    entity: str


@unguarded_dataclass(frozen=True, slots=True)
class FieldWord:
    """`tail` is the preposition that the phrase ends with: `by` of `owned by`."""

    ref: FieldRef
    tail: str = ""


@unguarded_dataclass(frozen=True, slots=True)
class ListWord:
    name: str
    tail: str = ""


@unguarded_dataclass(frozen=True, slots=True)
class ValueWord:
    """A value as programs say it; not `whole` for a beginning: `Northwind` for `Northwind Traders`."""

    ref: FieldRef
    text: str
    closed: bool = True
    whole: bool = True


@unguarded_dataclass(frozen=True, slots=True)
class ConditionWord:
    name: str


@unguarded_dataclass(frozen=True, slots=True)
class NameWord:
    """A name, or a part of one that people go by, of entities."""

    entities: tuple[str, ...]
    text: str
    whole: bool = True


@unguarded_dataclass(frozen=True, slots=True)
class ThingWord:
    """Words for one thing that was spoken of before (`it`, `the first one`): `text` is its id or name."""

    entities: tuple[str, ...]
    text: str


@unguarded_dataclass(frozen=True, slots=True)
class ThoseWord:
    """Words for the things that were spoken of before: `those`, `the ones`."""

    entity: str


Payload = EntityWord | FieldWord | ListWord | ValueWord | ConditionWord | NameWord | ThingWord | ThoseWord
K = TypeVar("K", bound=Payload, covariant=True)


@unguarded_dataclass(frozen=True, slots=True)
class Lexeme(Generic[K]):
    """Tokens `start` to `end` may stand for `payload`; `cost` grows with how far the words are from it."""

    start: int
    end: int
    payload: K
    cost: float = 0.0


Chain = tuple[FieldRef, ...]


def chains(schema: Schema, entity: Entity) -> Mapping[str, Chain]:
    """Return the one shortest way from an entity to each that it refers to through others, if it has no own one."""
    found: dict[str, Chain] = {}
    seen = {entity.name} | {ref.target for ref in FieldRef.all_of(entity) if ref.target is not None}
    ways = _further(schema, entity, ())
    for _ in range(FARTHEST - 1):
        reached: defaultdict[str, list[Chain]] = defaultdict(list)
        for way in ways:
            for longer in _further(schema, schema.entities[way[-1].target or ""], way):
                reached[longer[-1].target or ""].append(longer)
        alone = {target: several[0] for target, several in reached.items() if len(several) == 1 and target not in seen}
        found |= alone
        seen |= reached.keys()
        ways = [*alone.values()]
    return found


def _further(schema: Schema, entity: Entity, way: Chain) -> list[Chain]:
    refs = [ref for ref in FieldRef.own(entity) if ref.target is not None]
    if entity.virtual or entity.kinds or any(ref.path == (entity.parent,) for ref in refs):
        return []
    targets = [ref.target for ref in refs]
    alone = [ref for ref in refs if targets.count(ref.target) == 1 and ref.target != entity.name]
    return [(*way, ref) for ref in alone if not ref.field.sensitive and _is_a_thing(schema, ref)]


def _is_a_thing(schema: Schema, ref: FieldRef) -> bool:
    target = schema.entities[ref.target or ""]
    return not target.virtual and not target.kinds and all(one.name != target.parent for one in target.fields.values())


def steps(way: Chain) -> tuple[str, ...]:
    """A chain as the path of the language."""
    return tuple(part for ref in way for part in ref.path)
