"""Write sentences about the catalog: its entities, their fields, what a word means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qlc.base.texts import with_capital
from qlc.base.words.sentences import listed
from qlc.grammar import print_value, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from qlc.translator.in_words import condition_in_words, spaced
from qlc.translator.programs import named_condition
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    ListWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.lexicon.lexicon import Lexicon

MOST_FIELDS = 60  # fields that are named in one answer
FEW = 8
MOST_VALUES = 20
MOST_DESCRIBED = 12
MOST_SUGGESTED = 4
_KINDS = {
    FieldKind.KEYWORD: "a text",
    FieldKind.TEXT: "a text that is searched by its words",
    FieldKind.WHOLE_NUMBER: "a whole number",
    FieldKind.NUMBER: "a number",
    FieldKind.DATE: "a date",
    FieldKind.BOOLEAN: "yes or no",
    FieldKind.GEO_POINT: "a place",
    FieldKind.GEO_SHAPE: "an area",
    FieldKind.NUMBER_RANGE: "a range of numbers",
    FieldKind.DATE_RANGE: "a range of dates",
    FieldKind.IP_RANGE: "a range of IP addresses",
    FieldKind.IP: "an IP address",
    FieldKind.VECTOR: "a vector",
    FieldKind.UNSUPPORTED: "of a kind that cannot be asked for",
}


@dataclass(frozen=True, slots=True)
class Help:
    """A sentence, what is under it, and questions or queries that can be asked next."""

    message: str
    notes: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


PAGES = Help(
    "A list is shown page by page: in a conversation say 'show more', 'next 20', 'the rest', 'page 3' or 'previous "
    "page'; '5 at a time' says how many are on a page."
)


class Handbook:
    """Answers about a schema, without the fields that the caller may not see."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._schema: Schema = lexicon.schema

    def overview(self) -> Help:
        entities = list(self._schema.entities.values())
        things = listed([spaced(one.plural) for one in entities])
        about = f" {_sentence(self._schema.description)}" if self._schema.description else ""
        notes = [f"{with_capital(spaced(one.plural))}: {self._summary(one)}" for one in entities]
        return Help(f"You can ask about {things}.{about}", tuple(notes), self._examples(entities[0]))

    def fields_of(self, thing: EntityWord | ValueWord | ListWord | None, filled: frozenset[str] | None = None) -> Help:
        """The fields of a kind of thing. `filled`: the names of those that some document of it has."""
        if isinstance(thing, ListWord):
            return self._fields_of_list(*self._list(thing.name))
        entity = self._entity_of(thing)
        names = [one.name for one in self._fields(entity) if filled is None or one.name in filled]
        names += [one.name for one in self._lists(entity) if filled is None or one.name in filled]
        ordered = list(dict.fromkeys([name for name in entity.show if name in names] + names))
        what = spaced(entity.plural)
        if isinstance(thing, ValueWord):
            what = f"{what} with {spaced('.'.join(thing.ref.path))} '{thing.text}'"
        message = f"{with_capital(what)} have {len(ordered)} fields: {_some(ordered, MOST_FIELDS)}."
        measures = [spaced(one.name) for one in self._lexicon.measures(entity)]
        notes = [f"Measures of {spaced(entity.plural)}: {listed(measures)}."] if measures else []
        notes += [f"{spaced(one.name)}: {one.description}" for one in self._described(entity) if one.name in ordered]
        return Help(message, tuple(notes[:MOST_DESCRIBED]), self._examples(entity))

    def meaning_of(self, thing: Payload) -> Help:
        match thing:
            case EntityWord(entity=name):
                entity = self._schema.entities[name]
                said = _sentence(entity.description or f"One of the {spaced(entity.plural)} in the index")
                return Help(f"{with_capital(spaced(name))}: {said}", (self._by(entity),), self._examples(entity))
            case ListWord(name=name):
                return self._fields_of_list(*self._list(name))
            case ConditionWord(name=name):
                entity = next(one for one in self._schema.entities.values() if name in one.conditions)
                means = _in_words(entity.conditions[name])
                query = f"count {entity.plural} where {name}"
                return Help(f"{spaced(name)}: short for {spaced(entity.plural)} where {means}.", (), (query,))
            case ValueWord(ref=ref, text=text):
                help_ = self._meaning_of_field(ref)
                query = f"count {self._owner(ref).plural} where {self.where(ref, text)}"
                return Help(f"'{text}' is a value of {_path(ref)}. {help_.message}", help_.notes, (query,))
            case FieldWord(ref=ref):
                return self._meaning_of_field(ref)
            case _:
                raise AssertionError("names of documents are no words of the catalog")

    def asks_what_is_filled(self, thing: ValueWord) -> tuple[Entity, dict[str, str]]:
        """The entity of a value, and for each of its fields a measure of how much of that kind has it."""
        entity = self._entity_of(thing)
        names = [*(one.name for one in self._fields(entity)), *(one.name for one in self._lists(entity))]
        return entity, {name: f"share({name} exists)" for name in names}

    def _meaning_of_field(self, ref: FieldRef) -> Help:
        of = self._owner(ref)
        described = f": {_sentence(ref.field.description)}" if ref.field.description else "."
        said = f"{_path(ref)} is a {'measure' if ref.is_measure else 'field'} of {spaced(of.plural)}{described}"
        called = [word for word in ref.field.words if spaced(ref.field.name) != word][:6]
        notes = (f"Also called: {', '.join(called)}.",) if called else ()
        return Help(" ".join((said, self._type(ref.field), *_values(ref.field))), notes, self._queries(ref))

    def _type(self, field: Field) -> str:
        if field.reference is not None:
            target = self._schema.entities[field.reference.entity]
            return f"It refers to {'some' if field.many else 'one'} of the {spaced(target.plural)}."
        unit = f" in {field.shown_unit}" if field.shown_unit else ""
        if field.many:
            return f"It is a list; each value is {_KINDS[field.kind]}{unit}."
        calculated = f", calculated: {field.calculation}" if field.calculation else ""
        return f"It is {_KINDS[field.kind]}{unit}{calculated}."

    def _queries(self, ref: FieldRef) -> tuple[str, ...]:
        of, name = self._owner(ref).plural, ".".join(ref.path)
        if ref.is_measure:
            return (f"{name} of {of}",)
        if ref.field.values is not None and ref.field.values.display:
            first = self.where(ref, ref.field.values.display[0])
            return (f"count {of} where {first}", f"count {of} by {name}")
        match ref.kind:
            case FieldKind.DATE:
                return (f"count {of} where {name} in this year",)
            case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER:
                return (f"min({name}), avg({name}), max({name}) of {of}",)
            case FieldKind.KEYWORD | FieldKind.BOOLEAN | FieldKind.IP if not ref.field.is_id:
                return (f"count {of} by {name} limit 10",)
            case _:
                return (f"count {of} where {name} exists",)

    def where(self, ref: FieldRef, value: str) -> str:
        """The condition that a field has a value."""
        operator = "has" if ref.many and ref.within is None else "="
        return f"{'.'.join(ref.path)} {operator} {print_value(tree.String(value))}"

    def _owner(self, ref: FieldRef) -> Entity:
        def holds(one: Entity) -> bool:
            return ref.path[0] in one.lists if ref.within is not None else ref.belongs_to(one)

        real = [one for one in self._schema.entities.values() if not one.virtual and holds(one)]
        return real[0] if real else next(one for one in self._schema.entities.values() if holds(one))

    def _entity_of(self, thing: EntityWord | ValueWord | None) -> Entity:
        if isinstance(thing, EntityWord):
            return self._schema.entities[thing.entity]
        return self._owner(thing.ref) if thing is not None else next(iter(self._schema.entities.values()))

    def _fields(self, entity: Entity) -> Iterator[Field]:
        called = [one for one in entity.fields.values() if one.from_catalog] or list(entity.fields.values())
        shown = {ref.path for ref in self._lexicon.fields()}
        return (one for one in called if (one.name,) in shown and one.kind is not FieldKind.UNSUPPORTED)

    def _lists(self, entity: Entity) -> Iterator[NestedList]:
        return (one for one in entity.lists.values() if not one.sensitive)

    def _described(self, entity: Entity) -> Iterator[Field | NestedList]:
        parts: list[Field | NestedList] = [*self._fields(entity), *self._lists(entity)]
        first = {name: at for at, name in enumerate(entity.show)}
        return (one for one in sorted(parts, key=lambda one: first.get(one.name, len(first))) if one.description)

    def _summary(self, entity: Entity) -> str:
        described = _sentence(entity.description) + " " if entity.description else ""
        return described + self._by(entity)

    def _by(self, entity: Entity) -> str:
        names = [one.name for one in self._fields(entity) if not one.is_id]
        ordered = list(dict.fromkeys([name for name in entity.show if name in names] + names))
        if entity.virtual or not ordered:
            return f"Ask for {spaced(entity.plural)} by name."
        return f"Ask for {spaced(entity.plural)} by {_some(ordered, FEW)}."

    def _list(self, name: str) -> tuple[Entity, NestedList]:
        return next((one, one.lists[name]) for one in self._schema.entities.values() if name in one.lists)

    def _fields_of_list(self, entity: Entity, many: NestedList) -> Help:
        described = f": {_sentence(many.description)}" if many.description else "."
        parts = [f"{spaced(many.name)} are a list of {spaced(entity.plural)}{described}"]
        if many.key is not None:
            keys = sorted(self._lexicon.values.keys.get(many.name, {}))
            parts.append(f"Its keys are {listed(keys[:MOST_VALUES])}." if keys else "It holds pairs of key and value.")
        else:
            parts.append(f"Each element has {listed([spaced(one) for one in many.fields])}.")
        return Help(" ".join(parts), (), (f"count {entity.plural} where {many.name} exists",))

    def _examples(self, entity: Entity) -> tuple[str, ...]:
        shown = [one for one in self._fields(entity) if one.values is not None or one.name in entity.show]
        queries = [query for one in shown if not one.is_id for query in self._queries(FieldRef((one.name,), one))[:1]]
        return tuple(queries[:MOST_SUGGESTED])


def _values(field: Field) -> Iterator[str]:
    if field.values is not None and field.values.display:
        yield f"Its values are {_some(field.values.display, MOST_VALUES)}."


def _in_words(condition: str) -> str:
    where = named_condition(condition)
    return condition if where is None else condition_in_words(where)


def _path(ref: FieldRef) -> str:
    return spaced(".".join(ref.path))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _some(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many there are beyond."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(spaced(name) for name in names[:most]) + more
