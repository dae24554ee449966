"""What codes stand for, where the texts of the documents say so: those of `DEMO` speak of a demolition; else by what
such codes are usually short for."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from qlc.mapping.draft.naming import words_of
from qlc.mapping.draft.other_words import short_for
from qlc.mapping.draft.sample import Place, Sample

_CODE = re.compile(r"[A-Z][A-Z0-9]{0,6}")
_WORD = re.compile(r"[^\W\d_]{4,}")

_LEAST = 5
"""So many documents have to have a word."""

_OWN = 0.97
"""Such a part of the documents with a word have the code that it tells of."""

_SHORTEST = 3
"""Letters of a code that a word may be shortened to."""


def words_of_codes(sample: Sample, path: str, fields: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The words for each code of a closed field: those that it is short for, else the one that all of its documents
    have. Hardly any other document has them, and no field is called so. Empty where the values are no codes."""
    codes = sample.terms.get(path, ())
    if not codes or not all(map(_CODE.fullmatch, codes)):
        return {}
    code_of = {place: str(values[0]) for place, values in sample.at(path).by_place.items()}
    documents = Counter(code_of.values())
    named = {word for one in fields for word in words_of(one)} | {code.lower() for code in codes}
    short: defaultdict[str, set[str]] = defaultdict(set)
    always: defaultdict[str, set[str]] = defaultdict(set)
    for one in fields:
        for word, counts in _said(sample, one, code_of) if one != path else ():
            code, count = counts.most_common(1)[0]
            if word in named or count < max(_LEAST, _OWN * counts.total()):
                continue
            if _is_short_for(code.lower(), word):
                short[code].add(word)
            elif count >= _OWN * documents[code]:
                always[code].add(word)
    known = short_for(codes, words_of(path))
    found = {}
    for code in codes:
        texts = short[code] or (always[code] if len(always[code]) == 1 and len(code) > 1 else set())
        found[code] = tuple(sorted(texts.union(known.get(code, ()))))
    return found if any(found.values()) else {}


def _said(sample: Sample, path: str, code_of: Mapping[Place, str]) -> Iterator[tuple[str, Counter[str]]]:
    """The words of the texts in a field, each with how many documents of each code have it there."""
    having: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for place, values in sample.at(path).by_place.items():
        texts = (value for value in values if isinstance(value, str) and " " in value)
        for word in {word.lower() for text in texts for word in _WORD.findall(text)} if place in code_of else ():
            having[word][code_of[place]] += 1
    yield from having.items()


def _is_short_for(code: str, word: str) -> bool:
    """Whether a code has letters of a word in their order, from the first one on."""
    rest = iter(word)
    return len(code) >= _SHORTEST and word.startswith(code[0]) and all(letter in rest for letter in code)
