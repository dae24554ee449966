"""Collect the contents of a program: names, texts, numbers and kinds of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import get_args

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.programs import named_condition
from qlc.translator.rules.build import name_of
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.tokens import fold, name_key

_TIMES = (tree.DateLiteral, tree.Now, tree.Day, tree.RelativePeriod, tree.PeriodOf, tree.Cyclic)


class Said:
    """Contents of a program: its names, texts, numbers and kinds of nodes."""

    def __init__(self, statement: tree.Statement, schema: Schema) -> None:
        self.statement = statement
        self.schema = schema
        nodes = list(tree.walked(statement))
        self.said_itself = frozenset(nodes)
        nodes += [inside for one in nodes if isinstance(one, tree.Bare) for inside in _meant_by(one, schema)]
        self.names = {fold(one.text) for one in nodes if isinstance(one, tree.Name)}
        self.texts = {fold(one.value) for one in nodes if isinstance(one, tree.String)}
        self.numbers = {abs(float(one.value)) for one in nodes if isinstance(one, tree.Number)}
        self.numbers |= {float(one.count) for one in nodes if isinstance(one, tree.RelativePeriod) and one.count}
        self.kinds = {type(one) for one in nodes}
        self.operators: set[str] = {one.operator for one in nodes if isinstance(one, tree.Comparison)}
        self.functions: set[str] = {one.function for one in nodes if isinstance(one, tree.Measure)}
        self.leaves_out_a_day = any(
            one.operator == "!=" and isinstance(one.right, tree.DateLiteral | tree.Day)
            for one in nodes
            if isinstance(one, tree.Comparison)
        )
        self.denies = any(isinstance(one, tree.Boolean) and not one.value for one in nodes)
        self.is_cut = self.is_sorted = False
        for one in nodes:
            if isinstance(one, tree.Find | tree.Aggregate):
                self.numbers |= {float(each) for each in (one.limit, one.offset) if each is not None}
                self.is_cut |= one.limit is not None
                self.is_sorted |= bool(one.sort)
            elif isinstance(one, tree.Group) and one.top is not None:
                self.numbers.add(float(one.top))
                self.is_cut = self.is_sorted = True
        self.is_timed = bool(self.kinds & {*_TIMES}) or any(
            isinstance(one, tree.Group) and one.function is not None for one in nodes
        )

    @property
    def has_condition(self) -> bool:
        """Whether anything is left out, or cut off."""
        conditions = {*get_args(tree.Condition)} - {tree.And, tree.Or, tree.Not}
        return self.is_cut or bool(self.kinds & {*conditions, tree.EntityLookup})

    @cached_property
    def fields(self) -> list[FieldRef]:
        """The fields that a program may speak of: those of the names in it."""
        return [
            ref
            for entity in self.schema.entities.values()
            for ref in FieldRef.all_of(entity)
            if fold(ref.path[-1]) in self.names
        ]

    @cached_property
    def entities(self) -> list[Entity]:
        """The entities that a program speaks of: those that it names, and those that its fields refer to."""
        targets = {ref.target for ref in self.fields}
        return [
            one
            for one in self.schema.entities.values()
            if one.name in targets or {fold(one.name), fold(one.plural)} & self.names
        ]

    @cached_property
    def stems(self) -> set[str]:
        """The words for what a program speaks of."""
        said = [*self.texts, *self.names]
        for ref in self.fields:
            said += [" ".join(phrase) for phrase in ref.phrases]
        for entity in self.entities:
            said += [entity.name, entity.plural, *entity.words]
        for entity in self.schema.entities.values():
            for name, several in entity.condition_words.items():
                said += several if fold(name) in self.names else ()
            for name, many in entity.lists.items():
                said += many.words if fold(name) in self.names else ()
        return {stem(word) for one in said for word in name_key(one.replace("_", " "))}

    def has(self, payload: Payload) -> bool:
        """Whether what words stand for is in the program."""
        match payload:
            case EntityWord(entity=name):
                return any(one.name == name for one in self.entities)
            case FieldWord(ref=ref):
                return fold(ref.path[-1]) in self.names
            case ListWord(name=name) | ConditionWord(name=name):
                return fold(name) in self.names
            case ValueWord(ref=ref):
                return self.names.issuperset(map(fold, ref.path[-1:])) and self._has_value(ref, payload.text)
            case NameWord(text=text):
                return any(fold(text) in one or one in fold(text) for one in self.texts)
            case _:
                return True

    def _has_value(self, ref: FieldRef, text: str) -> bool:
        same, closed = {fold(text)}, ref.field.values
        if closed is not None:
            same.add(fold(closed.spellings.get(text.casefold(), text)))
            same |= {fold(said) for said, stored in closed.spellings.items() if fold(stored) in same}
        return ref.kind is FieldKind.BOOLEAN or bool(same & (self.texts | self.names))

    def has_number(self, text: str) -> bool:
        value: float | None = english.NUMBERS.get(text)
        digits = "".join(c for c in text if c.isdecimal() or c == ".").strip(".")
        if value is None and digits.replace(".", "", 1).isdecimal():
            value = float(digits)
        if value is None or any(text in one for one in self.texts):
            return True
        return not self.numbers.isdisjoint(value * scale for scale in (1, 0.01, 100, 1_000, 1_000_000))


def _meant_by(condition: tree.Bare, schema: Schema) -> Iterator[tree.Node]:
    """Yield the nodes of the condition that a named condition stands for."""
    for entity in schema.entities.values():
        inside = named_condition(entity.conditions.get(name_of(condition.path), ""))
        if inside is not None:
            yield from tree.walked(inside)
