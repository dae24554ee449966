"""Generated entities of a document store: skewed names, types, owners, tags, dates, paths, texts, nested attributes.

The same seed gives the same entities, block by block, so that none of them has to be kept.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEED = 20_260_101
BLOCK = 1_000

_KEYWORD = {"type": "keyword"}
_NAMED = {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 512}}}
MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "properties": {
        "id": _KEYWORD,
        "kind": _KEYWORD,
        "type": _KEYWORD,
        "name": _NAMED,
        "parentId": _KEYWORD,
        "path": _KEYWORD,
        "pathIds": _KEYWORD,
        "owner": {"properties": {"id": _KEYWORD, "name": _NAMED}},
        "tags": _KEYWORD,
        "created": {"type": "date"},
        "modified": {"type": "date"},
        "size": {"type": "long"},
        "amount": {"type": "double"},
        "text": {"type": "text"},
        "attributes": {"type": "nested", "properties": {"key": _KEYWORD, "value": _KEYWORD}},
    },
}

_START = int(datetime(2014, 1, 1, tzinfo=UTC).timestamp())
_END = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
_STARTS = ("b", "d", "f", "gr", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "z")
_SYLLABLES = [start + vowel for start in _STARTS for vowel in "aeiou"]
_EXTENSIONS = ("pdf", "docx", "xlsx", "png", "eml", "csv", "txt")


class _Choice:
    """Draws numbers below `n`, the smaller ones more often: Zipf's law with an exponent."""

    def __init__(self, n: int, exponent: float) -> None:
        weights = np.arange(1, n + 1) ** -exponent
        self._bounds = np.cumsum(weights / weights.sum())

    def draw(self, chance: np.random.Generator, count: int) -> list[int]:
        drawn: list[int] = np.minimum(
            np.searchsorted(self._bounds, chance.random(count)), len(self._bounds) - 1
        ).tolist()
        return drawn


@functools.cache
def _words(count: int, seed: int) -> list[str]:
    chance = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = chance.integers(0, len(_SYLLABLES), int(chance.integers(2, 6)))
        found["".join(_SYLLABLES[at] for at in syllables)] = None
    return list(found)


@functools.cache
def _folders(count: int) -> list[tuple[str, str, list[str]]]:
    """(id, path, ids of itself and those above) of each folder; each is below an earlier one or the root."""
    chance = np.random.default_rng(SEED + 1)
    names = _words(count, SEED + 2)
    found: list[tuple[str, str, list[str]]] = []
    for number in range(count):
        at = int(number * chance.random() ** 2)
        above = ("root", "root", ["root"]) if number < 12 or len(found[at][2]) > 6 else found[at]
        folder_id = f"f{number:06d}"
        found.append((folder_id, f"{above[1]}/{names[number].title()}", [*above[2], folder_id]))
    return found


_TYPE = _Choice(60, 1.0)
_OWNER = _Choice(5_000, 0.8)
_TAG = _Choice(400, 1.0)
_WORD = _Choice(30_000, 1.0)
_FOLDER = _Choice(40_000, 0.6)
_COMPANY = _Choice(8_000, 0.7)
_KEY = _Choice(20, 0.8)
_VALUE = _Choice(2_000, 0.9)


def entities(first: int, last: int) -> Iterator[dict[str, Any]]:
    """The entities [first, last)."""
    for block in range(first // BLOCK, -(-last // BLOCK)):
        for number, entity in enumerate(_block(block), block * BLOCK):
            if first <= number < last:
                yield entity


def entity(number: int) -> dict[str, Any]:
    return _block(number // BLOCK)[number % BLOCK]


@functools.lru_cache(maxsize=4)
def _block(block: int) -> list[dict[str, Any]]:
    chance = np.random.default_rng((SEED, block))
    n = BLOCK
    types, owners, folders = _TYPE.draw(chance, n), _OWNER.draw(chance, n), _FOLDER.draw(chance, n)
    companies, serials = _COMPANY.draw(chance, n), chance.integers(1, 4_000, n).tolist()
    # more of late than long ago
    created = (_START + (_END - _START) * np.sqrt(chance.random(n))).astype(np.int64)
    modified = created + (chance.exponential(90 * 86_400, n)).astype(np.int64)
    sizes = chance.lognormal(11, 2, n).astype(np.int64).tolist()
    amounts = np.round(chance.lognormal(6, 1.5, n), 2).tolist()
    n_tags, n_words = _lengths(chance.poisson(2, n)), _lengths(chance.integers(8, 40, n))
    n_attributes = _lengths(chance.poisson(2, n))
    tags, words = _TAG.draw(chance, n_tags[-1]), _WORD.draw(chance, n_words[-1])
    keys, values = _KEY.draw(chance, n_attributes[-1]), _VALUE.draw(chance, n_attributes[-1])
    forms, kinds = chance.integers(0, 4, n).tolist(), chance.random(n).tolist()
    type_names, company_names, vocabulary = _words(60, SEED + 3), _words(8_000, SEED + 4), _words(30_000, SEED + 5)
    tag_names, value_names, owner_names = _words(400, SEED + 6), _words(2_000, SEED + 7), _words(5_000, SEED + 8)
    out: list[dict[str, Any]] = []
    for at in range(n):
        folder_id, path, path_ids = _folders(40_000)[folders[at]]
        type_name, company = type_names[types[at]].title(), company_names[companies[at]].title()
        number = block * BLOCK + at
        out.append(
            {
                "id": f"e{number:08d}",
                "kind": "FOLDER" if kinds[at] < 0.04 else "DOCUMENT",
                "type": type_name,
                "name": _name(forms[at], type_name, company, serials[at], int(created[at])),
                "parentId": folder_id,
                "path": path,
                "pathIds": path_ids,
                "owner": {
                    "id": f"u{owners[at]:05d}",
                    "name": f"{owner_names[owners[at]].title()} {company_names[owners[at]].title()}",
                },
                "tags": [tag_names[tag] for tag in tags[n_tags[at] : n_tags[at + 1]]],
                "created": _iso(int(created[at])),
                "modified": _iso(int(modified[at])),
                "size": sizes[at],
                **({"amount": amounts[at]} if types[at] % 3 == 0 else {}),
                "text": " ".join([vocabulary[word] for word in words[n_words[at] : n_words[at + 1]]]),
                "attributes": [
                    {"key": f"key{keys[each]}", "value": value_names[values[each]]}
                    for each in range(n_attributes[at], n_attributes[at + 1])
                ],
            }
        )
    return out


def _lengths(counts: NDArray[np.int64]) -> list[int]:
    """Where the run of each entity begins."""
    starts: list[int] = [0, *np.cumsum(counts).tolist()]
    return starts


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _name(form: int, type_name: str, company: str, serial: int, created: int) -> str:
    year = datetime.fromtimestamp(created, UTC).year
    extension = _EXTENSIONS[serial % len(_EXTENSIONS)]
    if form == 0:
        return f"{type_name}_{year}_{company}.{extension}"
    if form == 1:
        return f"{type_name} {company} {serial:04d}.{extension}"
    if form == 2:
        return f"{company} - {type_name} {year}"
    return f"{company.lower()}-{type_name.lower()}-{serial}.{extension}"
