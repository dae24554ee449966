"""The `term` suggester: for each word of a text the terms of a field that are few edits away.

Source: org.apache.lucene.search.spell.DirectSpellChecker and org.elasticsearch.search.suggest.term.TermSuggester.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.analysis.analyzers import Token
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.mapping import Field
from qlc_engine.queries.base import printed_score
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.fuzzy import near_terms
from qlc_engine.queries.params import Params
from qlc_engine.terms import encode_term
from qlc_engine.time_limit import timed
from qlc_engine.value_parsers import utf16_length

_MODES = ("missing", "popular", "always")
_SORTS = ("score", "frequency")
_DISTANCES = ("internal", "damerau_levenshtein", "levenshtein")
_OTHER_DISTANCES = ("jaro_winkler", "ngram")


@dataclass(frozen=True, slots=True)
class TermSuggester:
    """`min_doc_freq` and `max_term_freq` are numbers of documents from 1 on, and parts of all documents below."""

    path: str
    #: None: none was given
    text: str | None
    analyzer: str | None
    size: int
    shard_size: int
    mode: str
    sort: str
    accuracy: float
    max_edits: int
    max_inspections: int
    max_term_freq: float
    min_doc_freq: float
    min_word_length: int
    prefix_length: int
    distance: str


@dataclass(frozen=True, slots=True)
class Option:
    text: str
    score: float
    freq: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What is suggested for one word; `offset` and `length` count the text in UTF-16."""

    text: str
    offset: int
    length: int
    options: tuple[Option, ...]

    def shown(self, size: int) -> dict[str, Any]:
        options = [
            {"text": option.text, "score": printed_score(option.score), "freq": option.freq}
            for option in self.options[:size]
        ]
        return {"text": self.text, "offset": self.offset, "length": self.length, "options": options}


def parse_term_suggester(params: Params, text: str | None) -> TermSuggester:
    path = params.take("field")
    if isinstance(path, dict | list):
        raise parsing_error("suggester[term] parsing failed on [field]")
    analyzer = params.take("analyzer")
    size, shard_size = _positive(params, "size", 5), params.take("shard_size")
    mode = _one_of(_MODES, str(params.take("suggest_mode", "missing")).lower(), "suggest_mode")
    sort = _one_of(_SORTS, str(params.take("sort", "score")).lower(), "sort")
    distance = str(params.take("string_distance", "internal")).lower()
    if distance in _OTHER_DISTANCES:
        raise not_implemented(f"[string_distance] [{distance}] of the suggester [term]")
    if distance not in _DISTANCES:
        raise illegal_argument(f"Illegal distance option {distance}")
    accuracy = params.number("accuracy", 0.5)
    if not 0 <= accuracy <= 1:
        raise illegal_argument("accuracy must be between 0 and 1")
    max_edits = params.integer("max_edits", 2)
    if max_edits not in (1, 2):
        raise illegal_argument("maxEdits must be between 1 and 2")
    found = TermSuggester(
        path=str(path),
        text=text,
        analyzer=None if analyzer is None else str(analyzer),
        size=size,
        shard_size=max(size, 5) if shard_size is None else int(shard_size),
        mode=mode,
        sort=sort,
        accuracy=accuracy,
        max_edits=max_edits,
        max_inspections=_positive(params, "max_inspections", 5),
        max_term_freq=_frequency(params, "max_term_freq", 0.01),
        min_doc_freq=_frequency(params, "min_doc_freq", 0.0),
        min_word_length=_positive(params, "min_word_length", 4),
        prefix_length=params.integer("prefix_length", 1),
        distance=distance,
    )
    params.finish()
    if found.prefix_length < 0:
        raise illegal_argument("prefixLength must be positive")
    if path is None:
        raise EngineError("parse_exception", "the required field option [field] is missing")
    return found


def _positive(params: Params, key: str, default: int) -> int:
    number = params.integer(key, default)
    if number < 1:
        raise illegal_argument(f"{key} must be positive")
    return number


def _frequency(params: Params, key: str, default: float) -> float:
    number = params.number(key, default)
    if number < 0:
        raise illegal_argument(f"{key} must be positive")
    if number > 1 and number != math.floor(number):
        raise illegal_argument(f"if {key} is greater than 1, it must not be a fraction")
    return number


def _one_of(known: Sequence[str], given: str, key: str) -> str:
    if given not in known:
        raise illegal_argument(f"No enum constant for [{key}]: [{given}]")
    return given


def suggest_terms(suggester: TermSuggester, context: QueryContext) -> list[Entry]:
    """What one shard suggests for each word, the best first. Raises EngineError."""
    check_suggester(suggester, context)
    field, text = context.field(suggester.path), suggester.text
    assert field is not None
    assert text is not None
    checker = _Checker(suggester, field.path, context)
    entries: list[Entry] = []
    for token in timed(_tokens(suggester, text, field, context)):
        offset = utf16_length(text[: token.start])
        length = utf16_length(text[token.start : token.end])
        entries.append(Entry(token.term, offset, length, tuple(checker.near(token.term))))
    return entries


def check_suggester(suggester: TermSuggester, context: QueryContext) -> None:
    """Raises EngineError for what does not fit the mapping."""
    field = context.field(suggester.path)
    if suggester.text is None:
        raise illegal_argument("The required text option is missing", on_shard=True)
    if field is None:
        raise illegal_argument(f"no mapping found for field [{suggester.path}]", on_shard=True)
    if suggester.shard_size < 1:
        raise illegal_argument(f"ShardSize must be positive but was: {suggester.shard_size}", on_shard=True)
    if not (field.is_text or field.type == "keyword"):
        raise not_implemented(f"suggester [term] on a field of type [{field.type}]")
    if suggester.analyzer is not None and context.analysis.analyzer(suggester.analyzer) is None:
        raise illegal_argument(f"analyzer [{suggester.analyzer}] doesn't exists", on_shard=True)


def _tokens(suggester: TermSuggester, text: str, field: Field, context: QueryContext) -> list[Token]:
    if suggester.analyzer is None and not field.is_text:
        term = context.analysis.normalize(field.normalizer, text)
        return [Token(term, 0, len(text), "word", 0)]
    analyzer = context.analyzer(suggester.analyzer) if suggester.analyzer else context.search_analyzer(field)
    return analyzer.tokens(text)


class _Checker:
    """The terms of one field of one shard."""

    def __init__(self, suggester: TermSuggester, path: str, context: QueryContext) -> None:
        self._suggester = suggester
        self._path = path
        self._statistics = context.statistics

    def near(self, term: str) -> list[Option]:
        asked = self._suggester
        if len(term) < asked.min_word_length:
            return []
        documents = sum(leaf.n_places for leaf in self._statistics.leaves(None))
        freq = self._statistics.doc_freq(self._path, encode_term(term))
        if asked.mode == "missing" and freq > 0:
            return []
        if asked.max_term_freq >= 1 and freq > asked.max_term_freq:
            return []
        if freq > math.ceil(float(np.float32(asked.max_term_freq) * np.float32(documents))):
            return []
        beyond = freq if asked.mode == "popular" else 0
        if asked.min_doc_freq >= 1:
            beyond = max(beyond, int(asked.min_doc_freq))
        elif asked.min_doc_freq > 0:
            beyond = max(beyond, int(np.float32(asked.min_doc_freq) * np.float32(documents)) - 1)
        inspected = asked.shard_size * asked.max_inspections
        found = self._best(term, 1, inspected, beyond)
        if asked.max_edits > 1 and len(found) < inspected:
            found |= self._best(term, asked.max_edits, inspected, beyond)
        options = [Option(text, score, freq) for text, (score, freq) in found.items()]
        return sorted(options, key=_order(asked.sort))[: asked.shard_size]

    def _best(self, term: str, edits: int, count: int, beyond: int) -> dict[str, tuple[float, int]]:
        """The closest `count` terms within some edits that more than `beyond` documents have, with their scores.

        The dictionary is gone through in its order, and once enough is found only what is closer is looked at: with
        a distance of its own that may leave out what would have been among the best.
        """
        asked, accuracy = self._suggester, np.float32(self._suggester.accuracy)
        prefix = max(asked.prefix_length, edits - 1)
        # the worst of the best comes first: the lowest score, of these the last term
        best: list[tuple[np.float32, _Reversed, int]] = []
        bottom = seen = np.float32(-np.inf)
        is_lowered = True
        for encoded, away in self._candidates(term, edits, prefix):
            if not is_lowered:
                while edits > 0 and seen >= np.float32(1) - np.float32(edits) / np.float32(len(term)):
                    edits -= 1
                is_lowered = True
            if away > edits:
                continue
            if bottom != seen:
                seen, is_lowered = bottom, False
            candidate = encoded.decode("utf-8", "surrogatepass")
            score = _closeness(away, min(len(candidate), len(term)))
            if (len(best) >= count and score <= best[0][0]) or away == 0:
                continue
            freq = self._statistics.doc_freq(self._path, encoded)
            if freq <= beyond:
                continue
            if asked.distance == "levenshtein":
                score = _levenshtein(term, candidate)
            if score < accuracy:
                continue
            heapq.heappush(best, (score, _Reversed(encoded), freq))
            if len(best) > count:
                heapq.heappop(best)
            bottom = best[0][0] if len(best) >= count else np.float32(-np.inf)
        return {place.term.decode("utf-8", "surrogatepass"): (float(score), freq) for score, place, freq in best}

    def _candidates(self, term: str, edits: int, prefix: int) -> list[tuple[bytes, int]]:
        found: dict[bytes, int] = {}
        for part in self._statistics.postings(self._path):
            near = near_terms(term, part.terms.as_bytes(), edits, prefix)
            found.update((text.encode("utf-8", "surrogatepass"), away) for text, away in near)
        return sorted(found.items())


@dataclass(frozen=True, slots=True)
class _Reversed:
    term: bytes

    def __lt__(self, other: _Reversed) -> bool:
        return self.term > other.term


def _closeness(edits: int, length: int) -> np.float32:
    return np.float32(1) if edits == 0 else np.float32(1) - np.float32(edits) / np.float32(length)


def _levenshtein(term: str, other: str) -> np.float32:
    from rapidfuzz.distance import Levenshtein  # seldom needed, and slow to import

    length = max(len(term), len(other))
    return np.float32(1) - np.float32(Levenshtein.distance(term, other)) / np.float32(length)


def _order(sort: str) -> Any:
    if sort == "score":
        return lambda option: (-option.score, -option.freq, option.text)
    return lambda option: (-option.freq, -option.score, option.text)


def merged(per_shard: Sequence[list[Entry]], suggester: TermSuggester) -> list[Entry]:
    """The entries of all shards: one option for each word, with the documents of all shards."""
    if len(per_shard) == 1:
        return per_shard[0]
    out: dict[tuple[str, int, int], dict[str, Option]] = {}
    for entries in per_shard:
        for entry in entries:
            options = out.setdefault((entry.text, entry.offset, entry.length), {})
            for option in entry.options:
                known = options.get(option.text)
                freq = option.freq + (0 if known is None else known.freq)
                options[option.text] = dataclasses.replace(known or option, freq=freq)
    return [Entry(*key, tuple(sorted(options.values(), key=_order(suggester.sort)))) for key, options in out.items()]
