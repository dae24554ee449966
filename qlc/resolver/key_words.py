"""The keys of a key/value list that a text means: `annotations["panel width"]` where documents have `Width (W)`.

A key means the text if it is the same up to case, accents, plurals and the order of words, in its brackets or without
them, or if the catalog says that two mean the same. Only where there is no such key are those taken that have some of
its words and no others, or all of its words and some others; which these are is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from qlc.compiler import typed
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Reading, SearchRequest
from qlc.resolver.rows import body_of
from qlc.words.folding import fold

_MOST_KEYS = 1_000
_MOST_TOLD = 6
_SMALL = frozenset({"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "per", "the", "to", "with"})

Words = frozenset[str]


def read_keys(source: typed.Keys, env: Bindings) -> Reading[tuple[tuple[str, ...], str]]:
    """The stored keys, and a note where they are not the text itself."""
    groups = [group for group in source.list.similar or () if _asked([source.text]) & _asked(group)]
    texts = [source.text, *(text for group in groups for text in group)]
    path = source.key.mapped.path
    analysed = source.key.mapped.analysed
    narrowed = {"match": {analysed: {"query": " ".join(texts)}}} if analysed is not None else {"match_all": {}}
    keys = {"terms": {"field": path, "size": _MOST_KEYS}}
    body = body_of([*env.scope(source.entity)], aggs={
        "elements": {"nested": {"path": source.list.path}, "aggs": {"some": {"filter": narrowed,
        "aggs": {"keys": keys}}}},
    })  # fmt: skip
    response = yield SearchRequest(source.entity.index, body, f"the keys of {source.list.name}")
    buckets = response["aggregations"]["elements"]["some"]["keys"]["buckets"]
    stored = [str(bucket["key"]) for bucket in buckets]
    same, near = chosen(source.text, texts, stored)
    what = f"{source.list.name} called"
    if not same and not near:
        return (), f"No {what} '{source.text}' were found."
    if not same:
        return tuple(near), f"'{source.text}' was taken for the {what} {_listed(near)}."
    notes = []
    if any(fold(key) != fold(source.text) for key in same):
        notes.append(f"'{source.text}' was taken for the {what} {_listed(same)}.")
    if near:
        notes.append(f"There are also {what} {_listed(near)}.")
    return tuple(same), " ".join(notes)


def _listed(keys: list[str]) -> str:
    return ", ".join(f"'{key}'" for key in keys[:_MOST_TOLD]) + (" and others" if len(keys) > _MOST_TOLD else "")


def chosen(text: str, texts: Iterable[str], stored: Iterable[str]) -> tuple[list[str], list[str]]:
    """Of the stored keys those that mean the same as a text, and those that have some of its words and no others, else
    all of its words and others. `texts` are the text and what means the same."""
    forms = {key: _forms(key) for key in stored}
    wanted, words = _asked(texts), _words(_outside(text))
    same = [key for key, its in forms.items() if its & wanted]
    rest = {key: its for key, its in forms.items() if key not in same}
    inside = [key for key, its in rest.items() if any(form < words for form in its)]
    return same, inside or [key for key, its in rest.items() if any(words and words < form for form in its)]


def _asked(texts: Iterable[str]) -> set[Words]:
    return {words for text in texts for part in (text, _outside(text)) if (words := _words(part))}


def _forms(key: str) -> set[Words]:
    """The words of a key, those outside of its brackets, and those inside of each: of `Width (W)`."""
    inside = [part for pair in re.findall(r"\(([^()]*)\)|\[([^\[\]]*)\]", key) for part in pair]
    return {words for part in (key, _outside(key), *inside) if (words := _words(part))}


def _outside(text: str) -> str:
    return re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", text)


def _words(text: str) -> Words:
    return frozenset(_singular(word) for word in re.findall(r"\w+", fold(text)) if word not in _SMALL)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
