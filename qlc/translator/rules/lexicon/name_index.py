"""The names of things in the index, by the words that they can be called: whole, and in short where that is plain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from qlc.base.deadline import checkpoint
from qlc.mapping.schema import Schema
from qlc.translator.rules.lexicon.field_names import said_for
from qlc.translator.rules.lexicon.lexemes import FieldRef, Lexeme, NameWord, Payload
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.tokens import name_key

MOST_SHARING = 4
"""Names that may share a word for it to stand for them: a first name does, `Airport` does not."""

LONGEST_NAME = 15
"""Words of the longest name that is looked up."""

COMMON = frozenset(english.ARTICLES | english.PREPOSITIONS | english.MONTHS.keys() | english.PRONOUNS)

WHOLE, SHORT = 0.1, 0.25
"""How unsure it is that a name is meant, said in full or in short."""
LIKE_A_YEAR = 0.3
"""How much less sure a name that is a number alone is."""
_JOINING = frozenset("-'’")


class NameIndex:
    """Built once from the names by entity (None: too many were there to be read). `fields` are all of the catalog."""

    def __init__(self, schema: Schema, names: Mapping[str, tuple[str, ...] | None], fields: Sequence[FieldRef]) -> None:
        self._schema = schema
        self._names: defaultdict[tuple[str, ...], list[NameWord]] = defaultdict(list)
        nouns = (said for ref in fields if ref.target is None for said in said_for(ref.field.name))
        self._no_name = COMMON.union(*(name_key(one.replace("_", " "))[-1:] for one in nouns))
        """The words that alone are hardly a part of a name: common ones, and nouns of the fields, as `city`."""
        entities_of: defaultdict[str, list[str]] = defaultdict(list)
        for entity, known in names.items():
            found = schema.entities.get(entity)  # None: the mapping was read again while the question waited
            if found is None or (found.kinds and not found.virtual):
                continue  # its kinds have the same names
            for one in known or ():
                entities_of[one].append(entity)
        virtual = {e.name for e in schema.entities.values() if e.virtual}
        people = [one for one, entities in entities_of.items() if virtual & set(entities)]
        self._sharing = Counter(part for one in people for part in _parts(one))
        for one, entities in entities_of.items():
            checkpoint()
            key = name_key(one)
            if key and len(key) <= LONGEST_NAME:
                word = NameWord(tuple(entities), one)
                self._names[key].append(word)
                self._add_short_names(word, key)

    def called(self, words: tuple[str, ...]) -> Sequence[NameWord]:
        """Return the entries with this name, in full or in short."""
        return self._names.get(words, ())

    def lexemes(self, start: int, end: int, words: tuple[str, ...]) -> Iterator[Lexeme[Payload]]:
        """Yield a lexeme for each name that the words between two positions can be."""
        for entry in self.called(words):
            like_a_year = LIKE_A_YEAR if len(words) == 1 and words[0].isdecimal() else 0.0
            yield Lexeme(start, end, entry, (WHOLE if entry.whole else SHORT) + like_a_year)

    def _add_short_names(self, word: NameWord, key: tuple[str, ...]) -> None:
        """A file's name without its extension; a person's first or last name."""
        people = tuple(e for e in word.entities if self._schema.entities[e].virtual)
        if people and len(key) > 1:
            for part, said in _parts(word.text).items():
                if len("".join(part)) > 2 and part[-1] not in self._no_name and self._sharing[part] <= MOST_SHARING:
                    self._add(part, NameWord(people, said, whole=False))
            self._add_titled(people, key)
        if len(key) > 2 and stem(key[-1]) in self._nouns_of(word.entities):
            self._names[key[:-1]].append(NameWord(word.entities, word.text, whole=False))  # `London Heathrow`
        elif not people and len(key) > 1 and "." in word.text[-6:] and len(key[-1]) <= 5:
            self._names[key[:-1]].append(NameWord(word.entities, word.text, whole=False))

    def _add_titled(self, people: tuple[str, ...], key: tuple[str, ...]) -> None:
        """`Dr Petrov` and `Ivan Petrov` of `Dr. Ivan Petrov`."""
        if key[0] in english.TITLES and len(key) > 2:
            for short in (key[1:], (key[0], key[-1])):
                self._add(short, NameWord(people, " ".join(key[1:] if short == key[1:] else short), whole=False))

    def _add(self, key: tuple[str, ...], word: NameWord) -> None:
        if word not in self._names[key]:
            self._names[key].append(word)

    def _nouns_of(self, entities: tuple[str, ...]) -> frozenset[str]:
        """The stems of the words for some entities, of one word each."""
        of = (self._schema.entities[one] for one in entities)
        return frozenset(stem(word) for e in of for word in (e.name, *e.words) if word.isalpha())


def _parts(name: str) -> dict[tuple[str, ...], str]:
    """Return the short forms of a name: each of its words, and joined ones (`Anne-Marie`, `D'Arcy`) together."""
    parts: dict[tuple[str, ...], str] = {(word,): word.capitalize() for word in name_key(name)}
    joined = {name_key(one): one for one in name.split() if not _JOINING.isdisjoint(one)}
    return {**parts, **{key: one for key, one in joined.items() if 1 < len(key) < len(name_key(name))}}
