"""Find what words of a question can mean: names of the catalog, values and names of the index.

All knowledge of a domain enters here. Entries are found by the stems of their words, so that `invoices` finds the value
`Invoice`, and `uploading` the field word `uploaded`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property

from qlc.base.deadline import checkpoint
from qlc.language.nouns import plural_of as plural
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.rules.lexicon import field_names
from qlc.translator.rules.lexicon.entries import Entries
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    LAST_WORD,
    Chain,
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
    chains,
)
from qlc.translator.rules.lexicon.name_index import LONGEST_NAME
from qlc.translator.rules.lexicon.values import cost_of_a_part, is_code, values_with_marks, without_marks
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_deed_for_things, is_participle, is_still_done, stem, stems
from qlc.translator.rules.words.tokens import Token, TokenKind, name_key, spans, without_articles

SHORTEST_NOUN = 3
_FEW_WORDS = 4
"""A catalog has words of users where one of so many fields has."""
_VERBAL = ("ed", "ing")


class Lexicon(Entries):
    """Built once for a schema and what an access context may see of the index; shared by all questions."""

    def __init__(
        self, schema: Schema, values: IndexValues, sensitive: frozenset[str] | None = frozenset(),
        now: datetime | None = None,
    ) -> None:  # fmt: skip
        super().__init__(schema, values, sensitive, now)
        self._chains: dict[str, Mapping[str, Chain]] = {}
        self._ends: dict[tuple[str, ...], frozenset[str]] = {}
        self._last: tuple[tuple[Token, ...], list[list[Lexeme[Payload]]]] = (), []
        self.occurring: dict[str, dict[str, float] | None] = {}
        """Share of documents that have a field, by kind, as far as it was read (`occurrence`)."""

    def lexemes(self, tokens: tuple[Token, ...]) -> list[list[Lexeme[Payload]]]:
        """For each token, what can begin there. Those of the last tokens are kept: catalog help and rules read the same
        question one after the other."""
        last, found = self._last
        if last != tokens:
            found = self._lexemes(tokens)
            self._last = tokens, found
        return [[*row] for row in found]

    def _lexemes(self, tokens: tuple[Token, ...]) -> list[list[Lexeme[Payload]]]:
        found: list[list[Lexeme[Payload]]] = [[] for _ in tokens]
        for start, token in enumerate(tokens):
            checkpoint()
            if token.kind is TokenKind.MARK:
                continue
            for end, spoken in spans(tokens, start, LONGEST_NAME):
                for words in dict.fromkeys((said := english.SYNONYMS.get(spoken, spoken), without_articles(said))):
                    found[start] += self._schema_lexemes(start, end, words, token.raw)
                found[start] += self._written_apart(start, end, spoken)
                found[start] += self._names.lexemes(start, end, spoken)
            found[start] = [one for one in found[start] if _fits_quotes(one, tokens)]
        return found

    def chains(self, entity: Entity) -> Mapping[str, Chain]:
        """Return the paths from an entity through other entities to their references."""
        known = self._chains.get(entity.name)
        if known is None:
            known = self._chains[entity.name] = chains(self.schema, entity)
        return known

    def counting(self, noun: str) -> list[FieldRef]:
        """The fields that are called the number of something: `number of documents`, `document count`."""
        return list(dict.fromkeys((*self.called(("number", "of", noun)), *self.called((noun, "count")))))

    def called(self, words: tuple[str, ...]) -> list[FieldRef]:
        """The fields that are called by some words."""
        entries = self._phrases.get(stems(words), ())
        return list(dict.fromkeys(one.payload.ref for one in entries if isinstance(one.payload, FieldWord)))

    def values_called(self, ref: FieldRef, words: tuple[str, ...]) -> list[ValueWord]:
        """The whole values of a field that some words stand for."""
        entries = (one.payload for one in self._phrases.get(stems(words), ()))
        return [one for one in entries if isinstance(one, ValueWord) and one.whole and one.ref.path == ref.path]

    def participles(self, base: str) -> list[Payload]:
        """Return the entries of a verb's participle: `cancel` or `cancell` -> `cancelled`."""
        keys = {(stem(base),), (stem(base + "ed"),)}
        entries = (one for key in keys for one in self._phrases.get(key, ()))
        return list(dict.fromkeys(one.payload for one in entries if is_participle(one.words[-1])))

    def named(self, text: str) -> list[NameWord]:
        """Return the entities with this name, as far as names were read."""
        return [word for word in self._names.called(name_key(text)) if word.whole]

    def ends_a_value(self, ref: FieldRef, word: str) -> bool:
        """Whether a stored value of a field ends with a word as it is: `Human Resources` is no plural."""
        return word in self._endings(ref)

    def _endings(self, ref: FieldRef) -> frozenset[str]:
        known = self._ends.get(ref.path)
        if known is None:
            stored = self.stored_values(ref)
            known = self._ends[ref.path] = frozenset(name_key(one)[-1] for one in stored if name_key(one))
        return known

    def knows(self, word: str) -> bool:
        """Whether a word is in any phrase of the catalog or value of the index."""
        return stem(word) in self.vocabulary or stem(word) in self._hidden

    def knows_together(self, *words: str) -> bool:
        """Whether words are side by side in a phrase of the catalog or a value."""
        wanted = tuple(map(stem, words))
        size = len(wanted)
        return any(key[at : at + size] == wanted for key in self._phrases for at in range(len(key) - size + 1))

    def knows_alone(self, word: str) -> bool:
        """Whether a word is a phrase of the catalog or a value by itself, or a part of a phrase for a field."""
        return (stem(word),) in self._phrases or stem(word) in self._spoken

    def is_spoken_with(self, word: str) -> bool:
        """Whether entities, fields or lists are spoken of with a word, and not their values alone."""
        return stem(word) in self._spoken

    @cached_property
    def closed_fields(self) -> tuple[Field, ...]:
        """The confidential fields that whoever asks must not see."""
        lists = (many for entity in self.schema.entities.values() for many in entity.lists.values())
        own = (one for entity in self.schema.entities.values() for one in entity.fields.values())
        return tuple(
            one for one in (*own, *(one for many in lists for one in many.fields.values()))
            if one.sensitive and not self._permitted(one)
        )

    @cached_property
    def has_words_of_users(self) -> bool:
        """Whether the catalog says what users call its fields: where it hardly does, an unknown word tells nothing of
        what the data has."""
        return _FEW_WORDS * sum(bool(ref.field.words) for ref in self.fields()) >= len(self.fields())

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The stems of the words that entities and fields are spoken of with."""
        kinds = (FieldWord, EntityWord, ListWord)
        entries = ((key, one) for key, entries in self._phrases.items() for one in entries)
        return frozenset(word for key, one in entries if isinstance(one.payload, kinds) for word in key)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words of the catalog and of the values."""
        return frozenset(one for key in self._phrases for one in key)

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """The stems of words for what the data has and words cannot ask for: sensitive fields, those of elements."""
        hidden = [*self.closed_fields]
        lists = (many for entity in self.schema.entities.values() for many in entity.lists.values())
        hidden += [one for many in lists for one in many.fields.values()]
        phrases = (phrase for one in hidden for phrase in (one.name.replace(".", " "), *one.words))
        return frozenset(stem(word) for phrase in phrases for word in name_key(phrase.replace("_", " ")))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the catalog and of the values as they are spelled, and in the plural, for spelling repair."""
        said = {w for entries in self._phrases.values() for one in entries for w in one.words if w.isalpha()}
        things = (
            w for e in self.schema.entities.values() for one in (e.name, e.plural, *e.words) for w in name_key(one)
        )
        return tuple(said | set(things) | {plural(w) for w in said if len(w) > SHORTEST_NOUN})

    def _schema_lexemes(self, start: int, end: int, words: tuple[str, ...], written: str) -> Iterator[Lexeme[Payload]]:
        entries = sorted(self._phrases.get(stems(words), ()), key=lambda one: one.words != words)
        values = (one.payload for one in entries if isinstance(one.payload, ValueWord))
        plain = {one.ref.path for one in values if without_marks(one)}
        for at, entry in enumerate(entries):
            word = entry.payload
            if isinstance(word, ValueWord) and word.ref.path in plain and not without_marks(word):
                continue  # `A` is not `A+`
            inflected = 0.0 if entry.words == words else INFLECTED
            if (inflected and entry.cost == LAST_WORD) or any(entry.payload == one.payload for one in entries[:at]):
                continue  # as it is spelled, before other forms of it
            said, known = words[-1], entry.words[-1]
            other = is_deed_for_things(said, known) or is_still_done(said, known)
            part = isinstance(entry.payload, ValueWord) and not entry.payload.whole
            if inflected and part and plural(known) != said:
                continue  # no `project` is a `Projecting sign`
            if inflected and isinstance(entry.payload, ValueWord) and other:
                continue  # what was archived is no archive, and what is installing not installed
            if inflected and isinstance(entry.payload, ValueWord) and words[-1].endswith(_VERBAL):
                inflected = 0.6  # what was viewed is not the role of a viewer
            if isinstance(entry.payload, ValueWord) and not entry.payload.closed and is_code(entry.payload.text):
                inflected += 1.0 if written.islower() else 0.0  # `old` is hardly the code OLD
            if isinstance(entry.payload, ValueWord) and part and entry.cost != LAST_WORD:
                inflected += cost_of_a_part(words, entry.payload.text, written, start)
            common = end == start + 1 and words[0] in english.COMMON_WORDS and not written.isupper()
            if common and isinstance(entry.payload, ValueWord):
                inflected += 1.0  # `in` is hardly India, and `us` hardly the United States
            if inflected and isinstance(entry.payload, ConditionWord):
                continue  # `sharing` is not `shared`
            yield Lexeme(start, end, entry.payload, entry.cost + inflected)

    def _written_apart(self, start: int, end: int, words: tuple[str, ...]) -> Iterator[Lexeme[Payload]]:
        """`host name`, where a field is called `hostname`; `work orders` of an index of `workorders`."""
        joined = "".join(words) if len(words) == 2 and end == start + 2 else ""
        for entry in self._phrases.get((stem(joined),), ()) if joined.isalpha() else ():
            named = isinstance(entry.payload, FieldWord) and entry.words == (joined,)
            if (named or isinstance(entry.payload, EntityWord)) and stems(words) not in self._phrases:
                yield Lexeme(start, end, entry.payload, entry.cost + INFLECTED)

    def fields_of_verb(self, word: str) -> frozenset[tuple[str, ...]]:
        """Return the dates, flags and references that a word speaks of, as `created` and `created by`."""
        return self._fields_of_verbs.get(stem(word), frozenset())

    @cached_property
    def _fields_of_verbs(self) -> dict[str, frozenset[tuple[str, ...]]]:
        found: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        for key, entries in self._phrases.items():
            verb = key[1] if key[0] == "last" and len(key) > 1 else key[0]
            alone = len(key) == 1 or key[0] == "last" or key[1] in english.PREPOSITIONS
            for one in entries if alone else ():
                ref = one.payload.ref if isinstance(one.payload, FieldWord) else None
                if ref is not None and (ref.kind in (FieldKind.DATE, FieldKind.BOOLEAN) or ref.target is not None):
                    found[verb].add(ref.path)
        return {verb: frozenset(paths) for verb, paths in found.items()}

    @cached_property
    def flags(self) -> tuple[tuple[FieldRef, tuple[str, ...], str], ...]:
        """The flags that are named after a noun and its predicate, each with the stems of both."""
        found = ((ref, *field_names.flag_parts(ref.field.name)) for ref in self.fields()
                 if ref.kind is FieldKind.BOOLEAN and ref.within is None)
        return tuple((ref, tuple(map(stem, noun)), stem(said)) for ref, noun, said in found if noun)

    @cached_property
    def with_marks(self) -> dict[str, list[ValueWord]]:
        """Values that begin or end with a mark, as they are written in small letters."""
        return values_with_marks((ref, self.stored_values(ref)) for ref in self.fields())


def _fits_quotes(one: Lexeme[Payload], tokens: tuple[Token, ...]) -> bool:
    """Return whether the quotes around a lexeme are around a whole value, or are its own: `Hall "West" 2`."""
    quoted = any(token.kind is TokenKind.QUOTED for token in tokens[one.start : one.end])
    if not quoted or '"' in getattr(one.payload, "text", ""):
        return True
    word = one.payload
    return isinstance(word, ValueWord) and word.whole and name_key(word.text) == name_key(tokens[one.start].raw)
