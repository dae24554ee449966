"""Keys of a key/value list by their meaning: `annotations["panel width"]` -> documents with `Width (W)`.

A key means the text if both are equal ignoring case, accents, plurals and the order of words, inside or outside its
brackets, or if the catalog lists them as synonyms. Without such a key, keys are taken that have some of the words and
no others, or all of the words and some others; the answer says which.

Documents define symbols: if one writes `Collector-emitter voltage (Vceo)`, either form finds keys of the other. If
words lead to no key, keys are taken that abbreviate the text, or are abbreviated by it. Keys with a similar meaning are
named, but not taken: on held-out labels, the nearest by all-MiniLM-L6-v2 was right for 14 of 23 at a cosine of 0.5 or
more, which is not enough for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Any
from weakref import WeakKeyDictionary

from elasticsearch.dsl.aggs import Filter, Nested, Terms
from elasticsearch.dsl.query import Match, MatchAll

from qlc.base.deadline import timed
from qlc.base.words.folding import fold
from qlc.compiler import typed
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Reading, SearchRequest, on
from qlc.resolver.rows import filtered_body

_MOST_KEYS = 1_000
_MOST_SHOWN = 6
_SMALL = frozenset({"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "per", "the", "to", "with"})

Words = frozenset[str]


def read_keys(source: typed.Keys, env: Bindings) -> Reading[tuple[tuple[str, ...], str]]:
    """Return the stored keys, and a note if they differ from the text."""
    groups = [group for group in source.list.similar or () if _asked([source.text]) & _asked(group)]
    texts = [source.text, *(text for group in groups for text in group)]
    stored = yield from _stored(source, env, texts)
    if source.key.mapped.analysed is not None and (others := symbols(texts, stored)):
        more = yield from _stored(source, env, [*texts, *others])
        stored = [*dict.fromkeys((*stored, *more))]
        texts += symbols(texts, stored, stored)
    same, near = chosen(source.text, texts, stored)
    what = f"{source.list.name} called"
    if not same and not near:
        stored = yield from _stored(source, env, ())
        same = [key for key in stored if abbreviates(key, source.text) or abbreviates(source.text, key)]
    if not same and not near:
        if env.embed is None:
            return (), f"No {what} '{source.text}' were found by their words."
        named = _nearest(source.text, stored[:_MOST_EMBEDDED], env)
        nearest = f" The nearest in meaning are {_listed(named)}: name one of them if it is meant." if named else ""
        return (), f"No {what} '{source.text}' were found.{nearest}"
    if not same:
        return tuple(near), f"'{source.text}' was taken for the {what} {_listed(near)}."
    notes = []
    if any(fold(key) != fold(source.text) for key in same):
        notes.append(f"'{source.text}' was taken for the {what} {_listed(same)}.")
    if near:
        notes.append(f"There are also {what} {_listed(near)}.")
    return tuple(same), " ".join(notes)


def _stored(source: typed.Keys, env: Bindings, texts: Sequence[str]) -> Reading[list[str]]:
    """Return the keys with a word of the texts, the most frequent first; without texts, all keys."""
    analysed = source.key.mapped.analysed if texts else None
    narrowed = on(Match, analysed, {"query": " ".join(texts)}) if analysed is not None else MatchAll()
    keys = Terms(field=source.key.mapped.path, size=_MOST_KEYS)
    elements = Nested(path=source.list.path, aggs={"some": Filter(filter=narrowed, aggs={"keys": keys})})
    body = filtered_body(env.scope(source.entity), {"elements": elements})
    response = yield SearchRequest(source.entity.index, body, f"the keys of {source.list.name}")
    return [str(bucket["key"]) for bucket in response["aggregations"]["elements"]["some"]["keys"]["buckets"]]


# --- symbols and abbreviations ---------------------------------------------------------------------------------------

_SYMBOL = re.compile(r"[^\W\d_]\w{1,11}")


def symbols(texts: Iterable[str], stored: Iterable[str], alone: Iterable[str] | None = None) -> list[str]:
    """Return the texts that documents write in brackets after one of `texts`, or before one in brackets, or that
    abbreviate one.

    Brackets after several different names are a unit or a limit, not a symbol. With `alone`, only texts that are also
    keys by themselves count.
    """
    asked = _asked(texts)
    own = None if alone is None else {_words(key) for key in alone}
    names: dict[Words, dict[Words, str]] = {}
    spelled: dict[Words, str] = {}
    for key in stored:
        for name, symbol in _pairs(key):
            names.setdefault(_words(symbol), {})[_words(name)] = name
            spelled[_words(symbol)] = symbol
    found: list[str] = []
    for short, its in names.items():
        if len(its) != 1:
            continue
        ((whole, text),) = its.items()
        for one, other, spelling in ((short, whole, text), (whole, short, spelled[short])):
            if one in asked and other not in asked and (own is None or other in own):
                found.append(spelling)
    return found[:_MOST_SHOWN]


def _pairs(key: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of name and symbol: `Junction temperature (Tj)`, or `Junction temperature Tj` from two table
    columns."""
    found = re.fullmatch(r"(.*\S)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]\s*", key)
    if found is not None and _SYMBOL.fullmatch(found[2]):
        yield found[1], found[2]
    name, _, last = key.rpartition(" ")
    if name and abbreviates(last, name):
        yield name, last


def abbreviates(symbol: str, name: str) -> bool:
    """Whether a symbol consists of beginnings of a name's words in any order: `Tj` of junction temperature, `Ptot` of
    total power dissipation. All words must take part, unless one gives three letters; the last of four letters is free,
    as in `Vceo`."""
    letters = fold(symbol).strip()
    words = [word for word in re.findall(r"[^\W\d_]+", fold(_outside(name))) if word not in _SMALL]
    if not re.fullmatch(r"[^\W\d_]{2,6}", letters) or not 2 <= len(words) <= 6:
        return False
    return _is_made_of(letters, words, 0) or (len(letters) >= 4 and _is_made_of(letters[:-1], words, 0, whole=True))


def _is_made_of(letters: str, words: Sequence[str], longest: int, *, whole: bool = False) -> bool:
    if not letters:
        return not words or (longest >= 3 and not whole)
    return any(
        _is_made_of(letters[length:], [*words[:at], *words[at + 1 :]], max(longest, length), whole=whole)
        for at, word in enumerate(words)
        for length in range(1, len(letters) + 1)
        if len(word) > length and word.startswith(letters[:length])
    )


# --- meaning ---------------------------------------------------------------------------------------------------------

_MOST_EMBEDDED = 200
"""Most frequent keys that are embedded; each takes some milliseconds, once."""
_NEAR = 0.45
"""Least cosine of keys that are named. On held-out labels the right one was named for 18 of 33; for 6 of 28 without a
right one, some were named."""
_MOST_NAMED = 3
_MOST_KEPT = 2_000
_vectors: WeakKeyDictionary[Any, dict[str, list[float]]] = WeakKeyDictionary()
"""Vectors of keys, by embedder."""


def _nearest(text: str, keys: Iterable[str], env: Bindings) -> list[str]:
    """Return the keys nearest in meaning. Raises RequestFailed when the deadline has passed."""
    try:
        known = _vectors.setdefault(env.embed, {})
    except TypeError:  # it cannot be referred to weakly
        known = {}
    if len(known) > _MOST_KEPT:
        known.clear()
    scored = []
    for key in timed(keys):
        if key not in known:
            known[key] = [float(number) for number in env.embed(key)]
        scored.append((cosine(known[key], env.vector(text)), key))
    best = sorted(((score, key) for score, key in scored if score >= _NEAR), key=lambda one: (-one[0], one[1]))
    return [key for _, key in best[:_MOST_NAMED]]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how alike two vectors are; 0 if one has no length."""
    return sum(a * b for a, b in zip(one, other, strict=True)) / ((hypot(*one) * hypot(*other)) or 1.0)


# --- words -----------------------------------------------------------------------------------------------------------


def _listed(keys: list[str]) -> str:
    return ", ".join(f"'{key}'" for key in keys[:_MOST_SHOWN]) + (" and others" if len(keys) > _MOST_SHOWN else "")


def chosen(text: str, texts: Iterable[str], stored: Iterable[str]) -> tuple[list[str], list[str]]:
    """Select stored keys: those with the meaning of the text, and those with some of its words and no others, else
    those with all of its words and others. `texts` are the text and its synonyms."""
    forms = {key: _forms(key) for key in stored}
    wanted, words = _asked(texts), _words(_outside(text))
    same = [key for key, its in forms.items() if its & wanted]
    rest = {key: its for key, its in forms.items() if key not in same}
    inside = [key for key, its in rest.items() if any(form < words for form in its)]
    return same, inside or [key for key, its in rest.items() if any(words and words < form for form in its)]


def _asked(texts: Iterable[str]) -> set[Words]:
    return {words for text in texts for part in (text, _outside(text)) if (words := _words(part))}


def _forms(key: str) -> set[Words]:
    """Return the word sets of a key: outside its brackets, and inside each pair: `Width (W)` -> {width}, {w}."""
    inside = [part for pair in re.findall(r"\(([^()]*)\)|\[([^\[\]]*)\]", key) for part in pair]
    return {words for part in (key, _outside(key), *inside) if (words := _words(part))}


def _outside(text: str) -> str:
    return re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", text)


def _words(text: str) -> Words:
    return frozenset(_singular(word) for word in re.findall(r"\w+", fold(text)) if word not in _SMALL)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
