"""Find what words of a question can mean: names of the catalog, values and names of the index.

All knowledge of a domain enters here. Entries are found by the stems of their words, so that `invoices` finds the value
`Invoice`, and `uploading` the field word `uploaded`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
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
from qlc.translator.rules.lexicon.values import LONGEST_NAME, cost_of_a_part, is_code, values_with_marks, without_marks
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_deed_for_things, is_participle, is_still_done, stem, stems, words
from qlc.translator.rules.words.tokens import Token, TokenKind, name_key, spans, without_articles

SHORTEST_NOUN = 3
_FEW_WORDS = 4  # A catalog has words of users where one of so many fields has
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
        """Return what can begin at each token; kept for the last tokens, which catalog help and rules both read."""
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
                for one in dict.fromkeys((said := english.SYNONYMS.get(spoken, spoken), without_articles(said))):
                    found[start] += self._schema_lexemes(start, end, one, token.raw)
                found[start] += self._written_apart(start, end, spoken)
                found[start] += self._names.lexemes(start, end, spoken)
            found[start] = [one for one in found[start] if _fits_quotes(one, tokens)]
            if token.kind is TokenKind.QUOTED:  # a name before it is a value: `documents in "Legal"`
                found[start] = [replace(one, cost=one.cost + PART) for one in found[start]]
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
        return tuple(one for one in (*own, *(one for many in lists for one in many.fields.values()))
                     if one.sensitive and not self._permitted(one))

    @cached_property
    def has_words_of_users(self) -> bool:
        """Return whether enough fields have words of users, so that an unknown word tells that the data lacks it."""
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
        things = (w for e in self.schema.entities.values() for one in (e.name, e.plural, *e.words)
                  for w in name_key(one))
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


_BETWEEN = english.ARTICLES | english.COPULAS | words("which")
_MOST_BETWEEN = 2
_LONGEST = 4
PARTED = 0.1  # cost of separating the words of one phrase


def parted(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Lexeme[FieldWord]]:
    """Dates and flags whose words have an article or a verb between them: `whose inspection is due`."""
    for start, first in enumerate(tokens):
        if first.kind is not TokenKind.WORD or first.text in _BETWEEN | english.PREPOSITIONS:
            continue
        said, between = [first.text], 0
        for at in range(start + 1, len(tokens)):
            if tokens[at].kind not in (TokenKind.WORD, TokenKind.CLITIC) or len(said) == _LONGEST:
                break
            if tokens[at].text in _BETWEEN:
                between += 1
                if between > _MOST_BETWEEN:
                    break
                continue
            said.append(tokens[at].text)
            for ref in lexicon.called(tuple(said)) if between else ():
                if ref.kind in (FieldKind.DATE, FieldKind.BOOLEAN) and ref.within is None:
                    yield Lexeme(start, at + 1, FieldWord(ref), PARTED)


def marked(text: str, tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Lexeme[ValueWord]]:
    """Values that begin or end with a mark, as they are written: `A+`, `C++`, `.NET`."""
    folded = text.casefold()
    for value, words_for in lexicon.with_marks.items():
        at = folded.find(value)
        while at >= 0:
            end = at + len(value)
            apart = not (folded[at - 1 : at].isalnum() and at) and not folded[end : end + 1].isalnum()
            first = next((i for i, one in enumerate(tokens) if one.start == at), None)
            last = next((i for i, one in enumerate(tokens) if one.end == end), None)
            if apart and first is not None and last is not None and tokens[first].kind is not TokenKind.QUOTED:
                for word in words_for:
                    yield Lexeme(first, last + 1, word)
            at = folded.find(value, end)


SHORTER = 0.2  # cost of each word that a shorter match leaves out, as words said together belong together
PART = 0.3  # additional cost of a part of a name if the words mean something as a whole


def phrasal(tokens: tuple[Token, ...], lexicon: Lexicon, table: Mapping[tuple[str, str], str]) -> tuple[Token, ...]:
    """`took off` as one word, unless the catalog speaks of it so."""
    joined: list[Token] = []
    for at, one in enumerate(tokens):
        verb = table.get((joined[-1].text, one.text)) if joined else None
        bound = verb in english.NEGATIONS and at + 1 < len(tokens) and tokens[at + 1].text == "than"
        if verb is not None and not bound and not lexicon.knows_together(joined[-1].text, one.text):
            joined[-1] = replace(joined[-1], text=verb, end=one.end)
        else:
            joined.append(one)
    return tuple(joined)


def longest_first(row: list[Lexeme[Payload]], text: tuple[Token, ...]) -> list[Lexeme[Payload]]:
    ends = {one.end for one in row if not isinstance(one.payload, NameWord)}
    longest = max(ends, default=0)
    things = {one.end for one in row if isinstance(one.payload, EntityWord)}
    called = {one.end for one in row if isinstance(one.payload, FieldWord)
              and one.payload.ref.kind is FieldKind.KEYWORD}
    exact = {one.end for one in row if isinstance(one.payload, ValueWord) and one.cost < INFLECTED}
    listed = {one.end for one in row if isinstance(one.payload, ListWord)}
    fields = {one.end: one.payload.ref.kind for one in row if isinstance(one.payload, FieldWord) and one.cost == 0}
    ranked = []
    for one in row:
        plain = not is_participle(text[one.end - 1].text)
        if one.end in listed and isinstance(one.payload, FieldWord) and one.cost >= INFLECTED and plain:
            continue  # `shares` are not the field of `sharing`
        if one.end in listed and isinstance(one.payload, ValueWord):
            ranked.append(replace(one, cost=one.cost + 2 * PART))  # `comments` are not what a commenter may do
        elif isinstance(one.payload, FieldWord) and one.cost > 0 and one.end in things | exact:
            # an `order` is not when it was `ordered`, nor is `open` when it was `opened`
            ranked.append(replace(one, cost=one.cost + PART))
        elif one.cost >= INFLECTED and fields.get(one.end) is FieldKind.DATE and not (
            plain or isinstance(one.payload, FieldWord)
        ):
            continue  # what `left` is no leave, where a date is called so, nor is what was `opened` open
        elif isinstance(one.payload, FieldWord) and one.cost >= INFLECTED and one.end in fields:
            ranked.append(replace(one, cost=one.cost + INFLECTED))  # a `rating` is a rating before it is a rate
        elif isinstance(one.payload, ValueWord) and one.cost >= INFLECTED and _is_named(row, one.end, text):
            ranked.append(replace(one, cost=one.cost + PART))  # `Archive` is a folder before it is one of the archives
        elif isinstance(one.payload, ValueWord) and one.cost >= INFLECTED and one.end in called:
            ranked.append(replace(one, cost=one.cost + PART))  # `carriers` are carriers before they are carrier delays
        elif isinstance(one.payload, ValueWord) and one.end in things:
            ranked.append(replace(one, cost=one.cost + PART))  # a `port` is a port before it is a function
        elif isinstance(one.payload, NameWord):
            part = not one.payload.whole and one.end in ends
            # In small letters a word of the catalog is hardly a name.
            plain = one.payload.whole and one.end in ends and text[one.start].raw.islower()
            ranked.append(replace(one, cost=one.cost + PART) if part or plain else one)
        else:
            left_out = longest - one.end - any(text[i].text in english.POSSESSIVES for i in range(one.end, longest))
            ranked.append(replace(one, cost=one.cost + SHORTER * min(2, left_out)))
    return ranked


def _is_named(row: list[Lexeme[Payload]], end: int, text: tuple[Token, ...]) -> bool:
    """Whether words written with a capital are the whole name of something."""
    names = (one for one in row if isinstance(one.payload, NameWord) and one.payload.whole and one.end == end)
    return any(one.start > 0 and text[one.start].raw[:1].isupper() and text[one.start].raw.isalpha() for one in names)
