"""Derive other words for values: a short form of a name, a country, its adjective."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from qlc.base.deadline import checkpoint
from qlc.base.words.countries import forms_of, is_of_a_country
from qlc.base.words.languages import languages
from qlc.mapping.schema import Field, Schema
from qlc.translator.rules.lexicon.field_names import said_for
from qlc.translator.rules.lexicon.lexemes import FieldRef, Lexeme, NameWord, Payload, ValueWord
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import spaced, stem, words
from qlc.translator.rules.words.tokens import name_key

SHORTEST_BEGINNING = 4
"""Letters of the shortest word that stands for a longer name: `San` and `New` begin too many of them."""
_LONGEST_OF_A_VALUE = 5  # words of the longest value that is a name; longer ones are sentences
_OF_THE_LANGUAGE = english.COMMON_WORDS.union(
    english.ORDINALS, english.NUMBERS, english.SUPERLATIVES, english.MORE_ADJECTIVES, english.LESS_ADJECTIVES,
    english.MOST_ADJECTIVES, english.CALENDAR, english.MONTHS, english.PLACES,
)  # fmt: skip
"""Words that mean themselves: `largest ones first` is not of the First Harbor Bank."""
LONGEST_CODE = 4  # letters of the longest word that may be a code
_OF_COUNTRIES = words("country countries nation nationality origin citizenship homeland")
_LANGUAGES = frozenset(one.casefold() for names in languages().values() for one in names)


def without_apostrophe(value: str) -> str | None:
    """`Trader Joes` for `Trader Joe's`."""
    spelled = re.sub(r"['’](?=s\b)", "", value)
    return spelled if spelled != value else None


def without_initials(value: str) -> str | None:
    """`bogota` for `Bogota D.C.`; None where nothing is left out."""
    parts = name_key(value)
    whole = [one for one in parts if len(one) > 1]
    ends_so = len(parts) > 1 and len(parts[-1]) == 1 and parts[-1].isalpha()
    return " ".join(whole) if ends_so and whole and len(whole[0]) > LONGEST_CODE else None


def beginnings(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield beginnings of names that only one value has: (`acme`, `Acme Corp`); not `women` of `women's shoes`."""
    beginning: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for value in values:
        key = name_key(value)
        for length in range(1, len(key) + 1):
            beginning[key[:length]].append(value)
    for part, sharing in beginning.items():
        whole = name_key(sharing[0])
        if part[0] in _OF_THE_LANGUAGE:
            continue
        is_name = len(part) < len(whole) <= _LONGEST_OF_A_VALUE and sharing[0].istitle() and whole[-1] != "'s"
        if len(sharing) == 1 and is_name and len(part[0]) >= SHORTEST_BEGINNING and all(w.isalpha() for w in part):
            yield " ".join(part), sharing[0]


def parts(values_of: Mapping[FieldRef, Iterable[str]]) -> Iterator[tuple[str, FieldRef, str]]:
    """Words inside of only one value of all fields, with the field and the value: `hip replacement` of `Total hip
    replacement`.

    One word alone is where a name begins (`craniotomy` of `Craniotomy for tumour`), or what somebody is called (`Byron`
    and `Dr Byron` of `Dr Ada Byron`): a last word may be what all things of the kind are called.
    """
    known = [(ref, value) for ref, values in values_of.items() for value in dict.fromkeys(values)]
    having: dict[tuple[str, ...], int] = {}  # the place of the only value; a field is slow to hash
    for at, (_, value) in enumerate(known):
        title, key = _titled(name_key(value)[:_LONGEST_READ])
        inside = {key[start:end] for start, end in combinations(range(len(key) + 1), 2)}
        for part in {*inside, (title, key[-1])} if title else inside:
            having[part] = _OF_SEVERAL if part in having else at
    for part, at in having.items():
        if at == _OF_SEVERAL:
            continue
        ref, stored = known[at]
        title, whole = _titled(name_key(stored))
        if not stored[:1].isupper() or not 1 < len(whole) <= _LONGEST_OF_A_VALUE or whole[-1] == "'s":
            continue
        alone = part == whole[:1] or (part == whole[-1:] and (bool(title) or names_people(ref.field)))
        if len(part) < len(name_key(stored)) and (len(part) > 1 or alone) and _is_distinct(part):
            yield " ".join(part), ref, stored


_OF_SEVERAL = -1
_LONGEST_READ = 8  # words of a value that are read: longer ones are sentences


def _titled(key: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The title that a name of somebody begins with, if any, and the rest."""
    return (key[0], key[1:]) if len(key) > 2 and key[0] in english.TITLES else ("", key)


def _is_distinct(part: tuple[str, ...]) -> bool:
    """Whether words may stand for a longer name: each is a word, and neither end says anything by itself."""
    ends = {part[0], part[-1]} & _OF_THE_LANGUAGE
    plain = all(word.isalnum() for word in part) and max(map(len, part)) >= SHORTEST_BEGINNING
    return plain and not ends and part[-1].isalpha() and (len(part) > 1 or part[0] not in _SAYING_LITTLE)


_SAYING_LITTLE = words(
    "general total main central normal standard special basic common mixed other various small medium large great "
    "short long high right left open free full good best same new old internal external private public"
)
"""First words of names that are adjectives of anything."""


def cost_of_a_part(key: tuple[str, ...], whole: str, written: str, at: int) -> float:
    """Return the cost of a part as a whole value: a name has a capital, `craniotomy` of a noun needs none."""
    if not written[:1].isupper() and len(key) == 1 and whole.istitle():
        return 0.35
    return 0.1 if at else 0.15


def values_with_marks(fields: Iterable[tuple[FieldRef, Iterable[str]]]) -> dict[str, list[ValueWord]]:
    """Values of a word or a code that begin or end with a mark, in small letters: `a+`, `c++`, `.net`."""
    found: defaultdict[str, list[ValueWord]] = defaultdict(list)
    for ref, values in fields:
        for value in values:
            edges = value[:1] + value[-1:]
            if " " not in value and not edges.isalnum() and any(one.isalnum() for one in value):
                found[value.casefold()].append(ValueWord(ref, value, closed=ref.field.values is not None))
    return dict(found)


def is_code(text: str) -> bool:
    """Whether a value is a code in capitals, which looks like a word in small letters."""
    return text.isupper() and len(text) <= LONGEST_CODE


def without_marks(word: ValueWord) -> bool:
    """Whether a value neither begins nor ends with a mark."""
    return (word.text[:1] + word.text[-1:]).isalnum()


def holds_countries(field: Field) -> bool:
    """Return whether a field's name or words tell that it holds the countries where something is."""
    phrases = (field.name, field.mapped.path.rsplit(".", 1)[-1], *field.words)
    return any(_OF_COUNTRIES & set(spaced(one).casefold().split()) for one in phrases)


def also_called(value: str) -> tuple[str, ...]:
    """`Swedish` and `Sweden` for each other, and both for `SE`; nothing for what is no country."""
    return tuple(one for one in forms_of(value) if one.casefold() != value.casefold())


def cost_as_a_reason(field: Field, value: str) -> float:
    """Return the cost of `late` as a reason of a complaint: a flight that is late is rather delayed."""
    return 1.0 if value in _OF_TIME and _REASONS & set(spaced(field.name).split()) else 0.0


_OF_TIME = words("late overdue delayed early")
_REASONS = words("reason reasons cause causes ground grounds")


def names_people(field: Field) -> bool:
    """Whether a field is called after what somebody does: `technician`, `reported_by`, `case officer`."""
    last = spaced(field.name.rpartition(".")[2]).split()[-1:]
    return any(one in _PEOPLE or (one.endswith(_DOERS) and one not in _COMPANIES) for one in last)


_DOERS = ("er", "or", "ist", "ian", "ant")
_PEOPLE = words("by tech lead nurse coach agent rep clerk assignee trainee contact staff employee")
_COMPANIES = words(
    "supplier manufacturer producer maker vendor carrier dealer retailer wholesaler publisher provider distributor "
    "contractor operator exporter importer plant order number letter offer folder color floor door power restaurant"
)
"""Nouns that end as those for what somebody does, of companies and of things."""


def names_a_language(text: str) -> bool:
    """Return whether a word names a language or the adjective of a country: `Spanish`."""
    return text.casefold() in _LANGUAGES or is_of_a_country(text)


MOST_SHARING = 4  # names that may share a word for it to stand for them: a first name does, `Airport` does not
LONGEST_NAME = 15  # words of the longest name that is looked up
COMMON = frozenset(english.ARTICLES | english.PREPOSITIONS | english.MONTHS.keys() | english.PRONOUNS)
WHOLE, SHORT = 0.1, 0.25  # how unsure it is that a name is meant, said in full or in short
LIKE_A_YEAR = 0.3  # how much less sure a name that is a number alone is
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
