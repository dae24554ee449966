"""Derive other words for values: a short form of a name, a country, its adjective."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from qlc.base.words.countries import forms_of, is_of_a_country
from qlc.base.words.languages import languages
from qlc.mapping.schema import Field
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import spaced
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key

SHORTEST_BEGINNING = 4
"""Letters of the shortest word that stands for a longer name: `San` and `New` begin too many of them."""

LONGEST_NAME = 5
"""Words of the longest value that is a name; longer ones are sentences."""

_OF_THE_LANGUAGE = frozenset(
    english.COMMON_WORDS | english.ORDINALS.keys() | english.NUMBERS.keys() | english.SUPERLATIVES.keys()
    | english.MORE_ADJECTIVES.keys()
    | english.LESS_ADJECTIVES.keys()
    | english.MOST_ADJECTIVES.keys()
    | english.CALENDAR.keys()
    | english.MONTHS.keys()
    | english.PLACES
)
"""Words that mean themselves: `largest ones first` is not of the First Harbor Bank."""

LONGEST_CODE = 4
"""Letters of the longest word that may be a code."""
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
    """Yield beginnings that only one value of a field has: (`acme`, `Acme Corp`).

    Only names have them: `women` does not stand for `women's shoes`.
    """
    beginning: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for value in values:
        key = name_key(value)
        for length in range(1, len(key) + 1):
            beginning[key[:length]].append(value)
    for part, sharing in beginning.items():
        whole = name_key(sharing[0])
        if part[0] in _OF_THE_LANGUAGE:
            continue
        is_name = len(part) < len(whole) <= LONGEST_NAME and sharing[0].istitle() and whole[-1] != "'s"
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
        if not stored[:1].isupper() or not 1 < len(whole) <= LONGEST_NAME or whole[-1] == "'s":
            continue
        alone = part == whole[:1] or (part == whole[-1:] and (bool(title) or names_people(ref.field)))
        if len(part) < len(name_key(stored)) and (len(part) > 1 or alone) and _is_distinct(part):
            yield " ".join(part), ref, stored


_OF_SEVERAL = -1
_LONGEST_READ = 8
"""Words of a value that are read: longer ones are sentences."""


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
    """A name is written as one: in small letters, or where any word has a capital, it is hardly meant by one word.
    Nouns are not: a `craniotomy`, of `Craniotomy for tumour`."""
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
