"""Singular and plural of English nouns, also in the names of indices: `orders-v2` -> `order`, `orders`."""

from __future__ import annotations

import re
from functools import lru_cache

from qlc.language.field_words import word_set

_NUMBERED = re.compile(r"v?\d+")
"""End of an index name that only counts indices: `orders-v2`, `logs-2026.11.22`, `cases-000001`."""


def snake(part: str) -> str:
    """`sizeInBytes` is `size_in_bytes`, `@timestamp` is `timestamp`, `2fa` is `n2fa`, `Größe (m)` is `größe_m`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", part)
    name = re.sub(r"[\W_]+", "_", spaced.lower()).strip("_")
    return name if name[:1].isalpha() else f"n{name}"


def index_words(index: str) -> tuple[str, ...]:
    """The words of the name of an index, without what says which of several it is."""
    parts = snake(re.split(r"[*,]", index)[0]).split("_")
    while len(parts) > 1 and _NUMBERED.fullmatch(parts[-1]):
        parts.pop()
    return tuple(parts)


def index_nouns(index: str) -> tuple[str, str] | None:
    """Return the nouns for one document of an index and for several: `flights` -> `flight`, `flights`; None without a
    plural."""
    return nouns_of(index_words(index))


def nouns_of(words: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the singular and the plural of words that end with a plural; None if the last word is not one."""
    singular = singular_of(words[-1])
    return None if singular is None else ("_".join([*words[:-1], singular]), "_".join(words))


def last_nouns(names: tuple[str, str]) -> tuple[str, str] | None:
    """`position` and `positions` of `ais_position` and `ais_positions`; None where a name is one word."""
    singular, plural = (name.rpartition("_") for name in names)
    return (singular[2], plural[2]) if singular[0] else None


_IRREGULAR = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "ox": "oxen", "criterion": "criteria", "phenomenon": "phenomena",
    "index": "indices", "vertex": "vertices", "matrix": "matrices", "analysis": "analyses",
    "crisis": "crises", "diagnosis": "diagnoses", "thesis": "theses", "hypothesis": "hypotheses", "quiz": "quizzes",
    "bus": "buses", "gas": "gases", "lens": "lenses", "alias": "aliases", "atlas": "atlases", "virus": "viruses",
    "status": "statuses", "campus": "campuses", "bonus": "bonuses", "census": "censuses", "iris": "irises",
    "shelf": "shelves", "half": "halves", "wolf": "wolves", "calf": "calves", "loaf": "loaves",
    "thief": "thieves", "knife": "knives", "life": "lives", "wife": "wives", "scarf": "scarves",
    "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes", "cargo": "cargoes", "volcano": "volcanoes",
    "cache": "caches", "ache": "aches", "headache": "headaches", "niche": "niches",
}  # fmt: skip
"""Nouns whose plural or singular the rules below do not find."""
_COLLECTIVE = frozenset({"staff", "personnel", "equipment", "furniture", "luggage"})
"""Nouns for several that have no plural."""
_SINGULAR = {several: one for one, several in _IRREGULAR.items()}
UNCHANGED = frozenset({"series", "species", "means", "headquarters", "crossroads", "aircraft", "sheep", "fish"})
"""Nouns with one form: one series, two series."""
_ON_IE = word_set(
    "movie cookie zombie calorie tie pie lie die necktie magpie brownie selfie rookie hippie genie pixie birdie bookie "
    "goalie hoodie smoothie veggie prairie collie foodie newbie indie caddie auntie sortie budgie junkie freebie "
    "roadie reverie brasserie patisserie rotisserie boogie eyrie talkie cutie groupie lassie laddie dearie oldie bogie "
    "townie yuppie"
)
"""Nouns that end with `ie`: other plurals on `ies` are of nouns on `y`."""


def singular_of(plural: str) -> str | None:
    """Return the singular of a plural, `movies` -> `movie`; None for a word that does not look like a plural."""
    if plural in _SINGULAR or plural in UNCHANGED:
        return _SINGULAR.get(plural, plural)
    if plural[:-1] in _ON_IE:
        return plural[:-1]
    if re.search(r"[a-z]{2,}ies$", plural):
        return plural[:-3] + "y"
    if re.search(r"[a-z](x|ch|sh|ss)es$", plural):
        return plural[:-2]
    return plural[:-1] if re.search(r"[a-z]{2}[^siu_]s$|(^|_)[aeou][^siu_]s$", plural) else None


def plural_of(singular: str) -> str:
    """Return the plural of a noun: `company` -> `companies`."""
    if singular in _IRREGULAR or singular in UNCHANGED:
        return _IRREGULAR.get(singular, singular)
    if not singular[-1:].isascii() or singular in _COLLECTIVE:
        return singular  # of a language without these endings
    if re.search(r"[^aeiou]y$", singular):
        return singular[:-1] + "ies"
    return singular + ("es" if re.search(r"(s|x|z|ch|sh)$", singular) else "s")


@lru_cache(maxsize=16_384)
def singular(word: str) -> str:
    """Return a form that is the same for one and several: `movies` -> `movie`, `ids` -> `id`, `status` -> `status`."""
    if word in _IRREGULAR or word in UNCHANGED:
        return word
    found = singular_of(word)
    if found is None and len(word) > 2 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return found or word
