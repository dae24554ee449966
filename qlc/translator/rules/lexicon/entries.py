"""Phrases that stand for something in a schema and its index: the entries that a lexicon is searched by."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from qlc.base.deadline import checkpoint
from qlc.compiler.completion import open_measures
from qlc.language.nouns import plural_of as plural
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.guards import permits
from qlc.mapping.schema import Computed, Entity, Field, Schema
from qlc.translator.rules.lexicon import field_names
from qlc.translator.rules.lexicon.lexemes import (
    LAST_WORD,
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    ListWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.lexicon.values import (
    COMMON,
    NameIndex,
    also_called,
    beginnings,
    cost_as_a_reason,
    holds_countries,
    parts,
    without_apostrophe,
    without_initials,
)
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, spaced, stem, stems
from qlc.translator.rules.words.tokens import name_key

LONGEST = 9  # words of the longest phrase that is looked up
_DEEDS = "deeds"  # the group of phrases for what somebody did: `owned by`


@dataclass(frozen=True, slots=True)
class Entry:
    words: tuple[str, ...]
    payload: Payload
    cost: float = 0.0


class Entries:
    """Entries for the phrases of a schema and of the values that a caller may see, by the stems of their words."""

    def __init__(
        self, schema: Schema, values: IndexValues, sensitive: frozenset[str] | None = frozenset(),
        now: datetime | None = None,
    ) -> None:  # fmt: skip
        self._now = now or datetime.now(UTC)
        self.schema = field_names.with_lists(field_names.as_filled(schema, values.filled), values.several)
        self.values = values
        self._sensitive = sensitive
        # What makes a document one of its kind is said by the word for the entity.
        self._making_entities = {terms.field.path for e in schema.entities.values() for terms in e.filter}
        self._phrases: defaultdict[tuple[str, ...], list[Entry]] = defaultdict(list)
        self._names = NameIndex(self.schema, values.names, self.fields())
        for entity in self.schema.entities.values():
            self._add_entity(entity)
        self._add_key_values()
        self._add_index_values()
        self._add_countries()
        self._add_shorter_names()
        self._add_last_words()
        self._add_priced_nouns()
        self._add_beginnings_of_values()

    def _add(self, phrase: str, payload: Payload, cost: float = 0.0) -> None:
        checkpoint()
        words = name_key(phrase.replace("_", " "))
        if words and len(words) <= LONGEST:
            entries = self._phrases[stems(words)]
            # Each way to write a value is one of its own; a condition is called as it is written.
            spelled = isinstance(payload, ValueWord | ConditionWord)
            if all(one.payload != payload or (spelled and one.words != words) for one in entries):
                entries.append(Entry(words, payload, cost))

    def _add_entity(self, entity: Entity) -> None:
        for word in (entity.name, entity.plural, *entity.words):
            self._add(word, EntityWord(entity.name))
        self._add_conditions(entity)
        for ref in FieldRef.own(entity):
            if self._permitted(ref.field):
                self._add_field(ref)
        for measure in self.measures(entity):
            self._add_field(FieldRef.of_measure(measure))
        for many in entity.lists.values():
            if many.sensitive:
                continue
            for word in (many.name, *many.words):
                self._add(word, ListWord(many.name, _tail(word)))
            if many.key is None:
                for key, one in many.fields.items():
                    if self._permitted(one):
                        self._add_values(FieldRef((many.name, key), one, many))

    def _add_conditions(self, entity: Entity) -> None:
        for condition in entity.conditions:
            for word in (condition, *entity.condition_words.get(condition, ())):
                self._add(word, ConditionWord(condition))
                if word.isalpha() and not is_participle(word) and word not in english.PRONOUNS:
                    self._add(plural(word), ConditionWord(condition))  # `the copies`; others have no plural
                first, _, rest = spaced(word).partition(" ")
                if rest and first in english.PREPOSITIONS:
                    self._add(f"{first} the {rest}", ConditionWord(condition))
                for turned in field_names.in_other_orders(word):
                    self._add(turned, ConditionWord(condition), 0.05)

    @cached_property
    def _last_parts(self) -> Counter[str]:
        """How many fields have a name of several parts with this last one, or this name."""
        names = {one.name for entity in self.schema.entities.values() for one in entity.fields.values()}
        return Counter(name.rsplit(".", 1)[-1] for name in names)

    def _permitted(self, one: Field) -> bool:
        """Whether words speak of a field, as far as its caller may see."""
        if one.mapped.is_added:
            return False
        return not one.sensitive or permits(one.guards, self._sensitive)

    def _add_field(self, ref: FieldRef) -> None:
        spoken = (*field_names.said_for(ref.field.name), *ref.field.words)
        for word in spoken:
            self._add(word, FieldWord(ref, _tail(word)))
        for word in spoken:
            self._add_turned(word, ref)
            if (joined := field_names.written_as_one(word)) and (stem(joined),) not in self._phrases:
                self._add(joined, FieldWord(ref), 0.05)
        for verb, nouns in english.VERBS_OF_AMOUNTS.items() if ref.kind in NUMERIC else ():
            if nouns & {name_key(word)[-1] for word in spoken if name_key(word)}:
                self._add(verb, FieldWord(ref), 0.05)
        last = ref.field.name.rsplit(".", 1)[-1]
        if last != ref.field.name and self._last_parts[last] == 1:
            self._add(spaced(last), FieldWord(ref), 0.05)
        if ref.kind is FieldKind.DATE and (verb := spaced(last).removesuffix(" at").removesuffix(" on")) != last:
            self._add(verb, FieldWord(ref), 0.05)
        self._add_values(ref)

    def _add_shorter_names(self) -> None:
        """`ticket price` for `AvgTicketPrice`, where no other field of that kind is called so."""
        for entity in self.schema.entities.values():
            derived: defaultdict[tuple[str, str], dict[str, FieldRef]] = defaultdict(dict)
            for one in entity.fields.values():
                if self._permitted(one):
                    flag = one.kind is FieldKind.BOOLEAN
                    for phrase in field_names.shorter(one.name, entity.name, entity.fields, flag=flag):
                        derived[phrase, field_names.kind_group(one)][one.name] = FieldRef((one.name,), one)
                    if one.kind is FieldKind.KEYWORD and (deed := field_names.done_by(one.name)):
                        derived[deed, _DEEDS][one.name] = FieldRef((one.name,), one)
                    for done in field_names.done_on(one.name) if self._is_past(entity, one) else ():
                        derived[done, _DEEDS][one.name] = FieldRef((one.name,), one)
            for (phrase, group), same in derived.items():
                refs = field_names.the_name_of(same)
                known = [entry.payload for entry in self._phrases.get(stems(name_key(phrase)), ())]
                others = (group is not _DEEDS and field_names.of_others(word, group, entity) for word in known)
                if len(refs) == 1 and all(others):  # an invoice is no `invoice_number`
                    tail = _tail(phrase) if group is _DEEDS else ""
                    self._add(phrase, FieldWord(next(iter(refs.values())), tail), 0.1)

    def _is_past(self, entity: Entity, one: Field) -> bool:
        """Whether a field is a date, and no thing has one that is still to come: what has it was done."""
        latest = self.values.latest(entity.name, one.name) if one.kind is FieldKind.DATE else None
        return latest is not None and latest <= 1_000 * self._now.timestamp()

    def _add_last_words(self) -> None:
        """`statements` for bank statements, where no other kind of things is called so."""
        for ref in self.fields():
            kinds = ref.within is None and english.KINDS & {ref.field.name.rpartition("_")[2], *ref.field.words}
            for word, stored in field_names.last_words(ref.field.values.display) if kinds and ref.field.values else ():
                if (stem(word),) not in self._phrases:
                    self._add(plural(word), ValueWord(ref, stored, whole=False), LAST_WORD)

    def _add_priced_nouns(self) -> None:
        """Add the priced noun as a word for its entity: `tickets` for flights with a `ticket price`."""
        for entity in self.schema.entities.values():
            for one in entity.fields.values() if not entity.virtual else ():
                for phrase in (one.name, *one.words) if self._permitted(one) else ():
                    *before, last = name_key(spaced(phrase)) or ("",)
                    priced = len(before) == 1 and last in english.NOUNS_OF_DEGREE["money"]
                    said = priced and (stem(before[0]) in self._said_of_all or stems(tuple(before)) in self._phrases)
                    if priced and not said:
                        self._add(before[0], EntityWord(entity.name), 0.1)

    @cached_property
    def _said_of_all(self) -> frozenset[str]:
        """The stems of function words, of words for kinds of things, and of measures."""
        measures = {word for sequence in english.MEASURES for word in sequence}
        return frozenset(stem(one) for one in COMMON | measures | english.PLACES | english.SUPERLATIVES.keys())

    def _add_turned(self, phrase: str, ref: FieldRef) -> None:
        """`delay type` is also the type of delay; what has `visitors allowed` allows visitors."""
        parts = name_key(spaced(phrase))
        if len(parts) != 2 or set(parts) & (COMMON | english.COPULAS):
            return
        self._add(f"{parts[1]} of {parts[0]}", FieldWord(ref), 0.05)
        if ref.kind is FieldKind.BOOLEAN and is_participle(parts[1]):
            self._add(f"{parts[1]} {parts[0]}", FieldWord(ref), 0.0)

    def _add_values(self, ref: FieldRef) -> None:
        for alias, stored in ref.field.aliases.items():
            self._add(alias, ValueWord(ref, stored, closed=False))
        closed = ref.field.values
        if closed is None or ref.field.mapped.path in self._making_entities:
            return
        for spelling, stored in closed.spellings.items():
            self._add(spelling, ValueWord(ref, closed.label(stored)), cost_as_a_reason(ref.field, spelling))
        for group, title in zip(closed.groups, closed.group_names or tuple(closed.groups), strict=False):
            self._add(group, ValueWord(ref, title))

    def _add_key_values(self) -> None:
        for entity in self.schema.entities.values():
            for many in entity.lists.values():
                if many.key is None or many.value is None or many.sensitive:
                    continue
                value = many.fields[many.value]
                for key, values in self.values.keys.get(many.name, {}).items():
                    ref = FieldRef((many.name, key), value, many)
                    for said in (key, field_names.written_as_one(key)):
                        self._add(said, FieldWord(ref))
                    for one in values:
                        self._add(one, ValueWord(ref, one, closed=False), 0.1)
                    if (what := field_names.what_is_named(key)) and (stem(what),) not in self._phrases:
                        self._add(what, FieldWord(ref), 0.1)  # `project ATLAS`

    def _add_index_values(self) -> None:
        for ref in self.fields():
            for one in self.values.values.get(ref.path, ()):
                self._add(one, ValueWord(ref, one, closed=False), 0.05)
                for short in (without_initials(one), without_apostrophe(one)):
                    if short is not None:
                        self._add(short, ValueWord(ref, one, closed=False), 0.1)

    def _add_beginnings_of_values(self) -> None:
        """`Northwind` for the vendor `Northwind Traders`, where the word stands for nothing else."""
        values = {ref: self.stored_values(ref) for ref in self.fields()}
        beginning = ((part, ref, whole) for ref, stored in values.items() for part, whole in beginnings(stored))
        found = [
            (part, ValueWord(ref, whole, closed=False, whole=False))
            for part, ref, whole in (*beginning, *parts(values))
            if not (stems(name_key(part)) in self._phrases or self._names.called(name_key(part)))
        ]
        for part, word in found:
            self._add(part, word)

    def _add_countries(self) -> None:
        """`from Sweden`, of artists whose nationality is `Swedish`, and `French customers`, of those in `FR`."""
        for ref in self.fields():
            closed = ref.field.values
            if not holds_countries(ref.field) or ref.field.mapped.path in self._making_entities:
                continue
            for stored in self.stored_values(ref):
                word = ValueWord(ref, stored, closed=closed is not None)
                for form in also_called(stored):
                    known = [one.payload for one in self._phrases.get(stems(name_key(form)), ())]
                    values = [one for one in known if isinstance(one, ValueWord)]
                    if all(one.ref.path != ref.path for one in values):
                        self._add(form, word, 0.25 if values else 0.05)  # Singapore is rather the port of that name

    def measures(self, entity: Entity) -> list[Computed]:
        """Return the measures of the catalog that the caller may see."""
        return open_measures(entity, self._sensitive)

    def stored_values(self, ref: FieldRef) -> tuple[str, ...]:
        """The values of a field that are known: all that a closed one can have, else those that were read."""
        closed = ref.field.values
        return closed.display if closed is not None else self.values.values.get(ref.path, ())

    def fields(self) -> tuple[FieldRef, ...]:
        """Every field of the catalog's entities once, elements of lists included."""
        return self._fields

    @cached_property
    def _fields(self) -> tuple[FieldRef, ...]:
        all_fields = (ref for entity in self.schema.entities.values() for ref in FieldRef.all_of(entity))
        return tuple({ref.path: ref for ref in all_fields if self._permitted(ref.field)}.values())


def _tail(phrase: str) -> str:
    last = phrase.replace("_", " ").casefold().split()[-1:]
    return last[0] if last and last[0] in english.PREPOSITIONS and " " in phrase.replace("_", " ").strip() else ""
