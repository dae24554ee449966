"""The fields that a model may know, and those of a large mapping that a question seems to need."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_field
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from qlc.translator.model.hints import IP, hinted
from qlc.translator.model.ranking import Ranking, terms

MOST_FIELDS = 250  # A schema of more fields is not described whole: those that a question needs are retrieved
RETRIEVED = 120  # how many fields of a large schema a question comes with
MOST_OUTLINED = 1_000  # number of fields of a large schema that every question describes by name, highest levels first
COPY = 0.7  # factor for each further field with the same last name
BESIDE, OTHERWISE = 0.3, 0.3
"""Factors for siblings of a better field: for any of them, and further if it describes the object poorly."""
CENTRAL = 4  # one in so many of the fields is of those that most questions need
TELLING = frozenset(["name", "id", "code", "type", "status", "title", "category"])  # fields that tell what a thing is
_UNASKABLE = frozenset({FieldKind.UNSUPPORTED, FieldKind.VECTOR})


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """A field as a program writes it, with the entities that have it. `within`: the list whose element has it."""

    name: str
    field: Field
    entities: tuple[str, ...]
    within: NestedList | None = None


class Fields:
    """All fields of a schema that a model may see: none that is sensitive, whoever asks."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.offered = tuple(_offered(schema))

    @property
    def are_many(self) -> bool:
        return len(self.offered) > MOST_FIELDS

    @cached_property
    def outline(self) -> tuple[Offered, ...]:
        """The fields down to the depth at which there are not too many of them."""
        by_depth: defaultdict[int, list[Offered]] = defaultdict(list)
        for one in self.offered:
            by_depth[one.name.count(".")].append(one)
        found: list[Offered] = []
        for depth in sorted(by_depth):
            if len(found) + len(by_depth[depth]) > MOST_OUTLINED:
                break
            found += by_depth[depth]
        return tuple(found)

    def needed(self, question: str, valued: Collection[str] = (), most: int = RETRIEVED,
               empty: Collection[str] = ()) -> tuple[Offered, ...]:
        """The fields that a question seems to need, in the order of the schema.

        `valued` are names of fields that hold a value which the question has; they come first, then what an entity
        has for every question (its names, its dates), then the best by name, other words, description and values, and
        what stands beside those; then what most questions of such data need. `empty` are fields that no document has:
        they come last.
        """
        chosen = {n for n, one in enumerate(self.offered) if one.name in valued} | self._always
        said = terms(question)
        wanted: dict[str, float] = {}
        for term, worth in chain(hinted(question), ((one, 1.0) for one in said)):
            wanted[term] = max(worth, wanted.get(term, 0.0))
        wanted |= {one + other: 1.0 for one, other in pairwise(said)}
        best = self._ranked(wanted)
        order = (*best[: most - most // CENTRAL], *self._central, *best)
        for number in sorted(order, key=lambda n: self.offered[n].name in empty):
            if len(chosen) >= most:
                break
            chosen.add(number)
        return tuple(one for n, one in enumerate(self.offered) if n in chosen)

    def _ranked(self, wanted: Mapping[str, float]) -> list[int]:
        """Return the fields by fit, with what stands beside the best; of equal ends the highest, others count less."""
        scores = self._ranking.scores(wanted)
        best: dict[str, float] = {}
        for number, score in scores.items():
            head = self._heads[number]
            best[head] = max(score, best.get(head, 0.0))
        for head, score in best.items():
            for number in self._beside[head]:
                scores[number] = scores.get(number, 0.0) + BESIDE * self._salience[number] * score
        copies: Counter[str] = Counter()
        worth: list[tuple[float, int]] = []
        for number in sorted(scores, key=lambda n: (self.offered[n].name.count("."), -scores[n])):
            ending = self._suffix(number)
            worth.append((-scores[number] * COPY ** copies[ending], number))
            copies[ending] += 1
        return [number for _, number in sorted(worth)]

    @cached_property
    def _heads(self) -> tuple[str, ...]:
        """The object that each field stands in."""
        return tuple(one.name.rpartition(".")[0] for one in self.offered)

    @cached_property
    def _beside(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, head in enumerate(self._heads):
            found[head].append(number)
        return found

    @cached_property
    def _salience(self) -> tuple[float, ...]:
        """How much a field tells of the object that it stands in: its name more than its other properties."""
        return tuple(1.0 if one.name.rpartition(".")[2] in TELLING else OTHERWISE for one in self.offered)

    @cached_property
    def _central(self) -> tuple[int, ...]:
        """Return the highest fields, first what tells most of its object: what most things have to do with."""
        repeated = Counter(map(self._suffix, range(len(self.offered))))

        def order(number: int) -> tuple[float, ...]:
            depth = self.offered[number].name.count(".")
            return depth > 1, self._salience[number] < 1, -repeated[self._suffix(number)], depth, number

        return tuple(sorted(range(len(self.offered)), key=order))

    def _suffix(self, number: int) -> str:
        return ".".join(self.offered[number].name.split(".")[-2:])

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking([_weights(one) for one in self.offered])

    @cached_property
    def _always(self) -> frozenset[int]:
        return frozenset(n for n, one in enumerate(self.offered) if self._is_basic(one))

    def _is_basic(self, one: Offered) -> bool:
        if one.within is not None:
            return False
        if one.field.kind is FieldKind.DATE and "." not in one.field.mapped.path:
            return True
        entities = [self.schema.entities[name] for name in one.entities]
        return any(one.name in (entity.default_date, entity.default_number, *(own.name for own in entity.names))
                   for entity in entities)


def _offered(schema: Schema) -> Iterator[Offered]:
    declared = {(entity.index, path) for entity in schema.entities.values() for path in _declared(entity)}
    found: dict[Hashable, tuple[str, Field, NestedList | None, list[str]]] = {}
    for entity in schema.entities.values():
        if entity.virtual:
            continue
        for name, one, within in _of_entity(entity, {path for index, path in declared if index == entity.index}):
            if not one.sensitive and one.kind not in _UNASKABLE:
                found.setdefault(_as_described(name, one), (name, one, within, []))[3].append(entity.name)
    for name, one, within, entities in found.values():
        yield Offered(name, one, tuple(entities), within)


def _as_described(name: str, one: Field) -> Hashable:
    """Return a key that is equal for fields of two entities that can share one description."""
    values = one.values.spellings.items() if one.values is not None else ()
    to = (one.reference.entity, *one.reference.constants) if one.reference is not None else None
    numbers = (one.shown_unit, one.unit_field, one.adds_up)
    described = (one.kind, one.many, numbers, one.whole_days, one.words, one.description, one.calculation)
    return name, one.mapped.path, to, described, tuple(sorted(values))


def _declared(entity: Entity) -> Iterator[str]:
    """The paths that the catalog says something of: in other entities of the index nobody needs them."""
    for one in entity.all_fields:
        if one.from_catalog:
            yield one.mapped.path
            if one.reference is not None and one.reference.name_at is not None:
                yield one.reference.name_at.path


def _of_entity(entity: Entity, declared: Collection[str]) -> Iterator[tuple[str, Field, NestedList | None]]:
    known = set(declared)
    for name, one in entity.fields.items():
        known.add(one.mapped.path)
        yield name, one, None
    for many in entity.lists.values():
        for inner, one in many.fields.items():
            known.add(one.mapped.path)
            if not many.sensitive:
                yield f"{many.name}.{inner}", one, many
    if not entity.open_paths:
        return
    for path, mapped in entity.mapping.fields.items():
        if path in known or mapped.nested:
            continue
        resolved = find_field(entity, tuple(path.split(".")))
        found = resolved.found if resolved is not None and resolved.within is None else None
        # A path may also be a word for another field of the entity.
        if isinstance(found, Field) and found.mapped.path == path:
            yield path, found, None


def _weights(one: Offered) -> dict[str, float]:
    """Return the search terms of a field with their weights: `vendor` -> `{"vendor": 3.0}`."""
    found: dict[str, float] = {}

    def add(text: str, weight: float) -> None:
        for term in terms(text):
            found[term] = max(found.get(term, 0.0), weight) + 0.1 * weight * (term in found)

    *before, last = one.name.split(".")
    add(last, 3.0)
    for part in before:
        add(part, 2.0)
    for word in one.field.words:
        add(word, 3.0)
    if one.within is not None:
        for word in one.within.words:
            add(word, 1.5)
    if one.field.reference is not None:
        add(one.field.reference.entity, 1.5)
    add(one.field.description, 0.5)
    if one.field.values is not None:
        for spelling in (*one.field.values.spellings, *one.field.values.groups):
            add(spelling, 1.5)
    if one.field.kind is FieldKind.IP:
        found[IP] = 1.0
    return found
