"""Analysers and normalizers by name: the built-in ones and those of an index's `settings.analysis`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qlc_engine.analysis.analyzers import (
    ENGLISH_STOP_WORDS,
    Analyzer,
    TokenFilter,
    Tokenizer,
    ascii_folding,
    english_possessive,
    lowercase,
    porter_stem,
    stop_filter,
    trim,
    uppercase,
)
from qlc_engine.analysis.word_break import MAX_TOKEN_LENGTH
from qlc_engine.errors import illegal_argument, not_implemented

_TOKENIZERS = frozenset({"standard", "whitespace", "letter", "keyword"})

_FILTERS: dict[str, TokenFilter] = {
    "lowercase": lowercase,
    "uppercase": uppercase,
    "asciifolding": ascii_folding,
    "porter_stem": porter_stem,
    "stop": stop_filter(ENGLISH_STOP_WORDS),
    "trim": trim,
}


def _built_in() -> dict[str, Analyzer]:
    standard = Tokenizer("standard")
    stop = stop_filter(ENGLISH_STOP_WORDS)
    plain = Analyzer(standard, [lowercase])
    return {
        "default": plain,
        "standard": plain,
        "simple": Analyzer(Tokenizer("letter"), [lowercase]),
        "stop": Analyzer(Tokenizer("letter"), [lowercase, stop]),
        "whitespace": Analyzer(Tokenizer("whitespace"), []),
        "keyword": Analyzer(Tokenizer("keyword"), []),
        "english": Analyzer(standard, [english_possessive, lowercase, stop, porter_stem]),
    }


_BUILT_IN = _built_in()
_NORMALIZERS: dict[str, tuple[TokenFilter, ...]] = {"lowercase": (lowercase,)}


def built_in_analysis() -> dict[str, list[str]]:
    """The names that need no settings, for the documentation."""
    return {
        "analyzers": sorted(_BUILT_IN),
        "tokenizers": sorted(_TOKENIZERS),
        "token filters": sorted([*_FILTERS, "stemmer"]),
        "normalizers": sorted(_NORMALIZERS),
    }


class AnalysisRegistry:
    """The analysers and normalizers of one index by name. `analysis` is `settings.index.analysis`."""

    def __init__(self, analysis: Mapping[str, Any] | None = None) -> None:
        analysis = analysis or {}
        unknown = set(analysis) - {"analyzer", "normalizer", "filter", "tokenizer"}
        if unknown:
            raise not_implemented(f"analysis component [{min(unknown)}]")
        self._tokenizers = {name: _tokenizer(name, spec) for name, spec in analysis.get("tokenizer", {}).items()}
        self._filters = {name: _filter(name, spec) for name, spec in analysis.get("filter", {}).items()}
        self._analyzers = dict(_BUILT_IN)
        for name, spec in analysis.get("analyzer", {}).items():
            self._analyzers[name] = self._custom_analyzer(name, spec)
        self._normalizers = dict(_NORMALIZERS)
        for name, spec in analysis.get("normalizer", {}).items():
            self._normalizers[name] = self._custom_normalizer(name, spec)

    def analyzer(self, name: str) -> Analyzer | None:
        return self._analyzers.get(name)

    def has_normalizer(self, name: str) -> bool:
        return name in self._normalizers

    def normalize(self, name: str | None, text: str) -> str:
        """A keyword's value under its normalizer (None: as it is)."""
        if name is not None:
            for token_filter in self._normalizers[name]:
                text = token_filter(text) or ""
        return text

    def _custom_analyzer(self, name: str, spec: Mapping[str, Any]) -> Analyzer:
        kind = spec.get("type", "custom")
        if kind == "custom":
            _only(spec, {"type", "tokenizer", "filter", "position_increment_gap"}, f"analyzer [{name}]")
            if "tokenizer" not in spec:
                raise illegal_argument(f"analyzer [{name}] must specify either an analyzer type, or a tokenizer")
            tokenizer = self._find_tokenizer(name, str(spec["tokenizer"]))
            gap = int(spec.get("position_increment_gap", 100))
            return Analyzer(tokenizer, [self._find_filter(name, part) for part in _names(spec.get("filter"))], gap)
        if kind in ("standard", "stop", "english"):
            allowed = {"type", "stopwords"} | ({"max_token_length"} if kind == "standard" else set())
            _only(spec, allowed, f"analyzer [{name}]")
            words = _stop_words(spec.get("stopwords", "_none_" if kind == "standard" else "_english_"))
            filters: list[TokenFilter] = [lowercase, stop_filter(words)] if words else [lowercase]
            if kind == "english":
                filters = [english_possessive, *filters, porter_stem]
            longest = int(spec.get("max_token_length", MAX_TOKEN_LENGTH))
            return Analyzer(Tokenizer("letter" if kind == "stop" else "standard", longest), filters)
        if kind in _BUILT_IN and kind != "default":
            _only(spec, {"type"}, f"analyzer [{name}]")
            return _BUILT_IN[kind]
        raise illegal_argument(f"Unknown analyzer type [{kind}] for [{name}]")

    def _custom_normalizer(self, name: str, spec: Mapping[str, Any]) -> tuple[TokenFilter, ...]:
        _only(spec, {"type", "filter"}, f"normalizer [{name}]")
        if spec.get("type", "custom") != "custom":
            raise illegal_argument(f"Unknown normalizer type [{spec['type']}] for [{name}]")
        return tuple(self._find_filter(name, part) for part in _names(spec.get("filter")))

    def _find_tokenizer(self, owner: str, name: str) -> Tokenizer:
        if name in self._tokenizers:
            return self._tokenizers[name]
        if name not in _TOKENIZERS:
            raise illegal_argument(f"Custom Analyzer [{owner}] failed to find tokenizer under name [{name}]")
        return Tokenizer(name)

    def _find_filter(self, owner: str, name: str) -> TokenFilter:
        found = self._filters.get(name) or _FILTERS.get(name)
        if found is None:
            raise illegal_argument(f"Custom Analyzer [{owner}] failed to find filter under name [{name}]")
        return found


def _tokenizer(name: str, spec: Mapping[str, Any]) -> Tokenizer:
    _only(spec, {"type"}, f"tokenizer [{name}]")
    if spec.get("type") not in _TOKENIZERS:
        raise illegal_argument(f"Unknown tokenizer type [{spec.get('type')}] for [{name}]")
    return Tokenizer(str(spec["type"]))


def _filter(name: str, spec: Mapping[str, Any]) -> TokenFilter:
    kind = str(spec.get("type"))
    if kind == "stop":
        _only(spec, {"type", "stopwords", "ignore_case"}, f"filter [{name}]")
        return stop_filter(_stop_words(spec.get("stopwords", "_english_")), bool(spec.get("ignore_case", False)))
    if kind == "stemmer":
        _only(spec, {"type", "language", "name"}, f"filter [{name}]")
        language = spec.get("language", spec.get("name", "porter"))
        if language in ("english", "porter"):
            return porter_stem
        if language == "possessive_english":
            return english_possessive
        raise not_implemented(f"stemmer language [{language}]")
    _only(spec, {"type"}, f"filter [{name}]")
    if kind not in _FILTERS:
        raise illegal_argument(f"Unknown filter type [{kind}] for [{name}]")
    return _FILTERS[kind]


def _stop_words(given: Any) -> frozenset[str]:
    if given == "_none_":
        return frozenset()
    if given == "_english_":
        return ENGLISH_STOP_WORDS
    return frozenset(_names(given))


def _names(given: Any) -> list[str]:
    if given is None:
        return []
    return [str(part) for part in given] if isinstance(given, list) else [str(given)]


def _only(spec: Mapping[str, Any], allowed: set[str], owner: str) -> None:
    unknown = set(spec) - allowed
    if unknown:
        raise illegal_argument(f"{owner} has unknown parameter [{min(unknown)}]")
