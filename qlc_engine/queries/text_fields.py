"""Fields in which the parts of a query string are looked for, and what each kind of part means in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, not_implemented
from qlc_engine.mapping import Field
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.by_type import (
    check_pattern_length,
    exists_query,
    prefix_query,
    range_query,
    regexp_query,
    search_text,
    wildcard_query,
)
from qlc_engine.queries.compound import ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.fuzzy import Fuzzy, auto_edits
from qlc_engine.queries.parse_fulltext import MatchOptions, analyzed, match_query, of_words, phrase_query
from qlc_engine.queries.parse_multi_match import WeightedFields, best_of, boosted, of_kind, weighted_fields
from qlc_engine.queries.terms import Term
from qlc_engine.terms import encode_term


@dataclass(frozen=True)
class TextFields:
    """Fields with their boosts. What fails in a field is reported, or with `lenient` matches nothing there."""

    fields: WeightedFields
    context: QueryContext
    options: MatchOptions
    #: how much fields beside the best one count, for words and for all else
    words_tie: float = 0.0
    other_tie: float = 0.0
    phrase_tie: float = 0.0
    time_zone: str | None = None
    #: how words are looked for in several fields: a type of `multi_match`
    kind: str = "best_fields"
    #: of what is in quotes
    quote_analyzer: str | None = None
    #: whether a prefix is analysed as words are (`analyze_wildcard`), instead of normalized only
    analyzes_prefixes: bool = False

    def of(self, pattern: str) -> TextFields:
        """The same for the fields that a pattern names."""
        return dataclasses.replace(self, fields=weighted_fields([pattern], self.context))

    def _each(self, make: Callable[[str], Query], tie: float) -> Query:
        return best_of([boosted(self._in(path, make), boost) for path, boost in self.fields], tie)

    def _has_words(self, text: str) -> bool:
        """Whether there is anything to look for in any field once the text is analysed."""
        fields = [field for path, _ in self.fields if (field := self.context.field(path)) is not None]
        if len(fields) < len(self.fields) or not fields:
            return True
        return any(
            bool(analyzed(field, text, self.options, self.context))
            if field.is_text or self.options.analyzer is not None
            else True
            for field in fields
        )

    def _in(self, path: str, make: Callable[[str], Query]) -> Query:
        try:
            return make(path)
        except EngineError:
            if self.options.lenient:
                return MatchNone()
            raise

    def words(self, text: str) -> Query | None:
        """Return the query for words; None if analysis leaves none, such as for stop words only."""
        if not self._has_words(text):
            return None

        def made(path: str) -> Query:
            field = self.context.field(path)
            if field is not None and field.type == "date" and self.time_zone is not None:
                return range_query(field, self.context, text, text, True, True, None, self.time_zone)
            return match_query(path, text, self.options, self.context)

        if self.kind != "best_fields":
            return of_kind(self.kind, self.fields, text, self.options, self.words_tie, self.context)
        return self._each(made, self.words_tie)

    def phrase(self, text: str, slop: int) -> Query | None:
        """Return the query for a phrase; None as for `words`."""
        options = dataclasses.replace(self.options, slop=slop, analyzer=self.quote_analyzer or self.options.analyzer)
        quoted = dataclasses.replace(self, options=options)
        if not quoted._has_words(text):
            return None
        return quoted._each(lambda path: phrase_query(path, text, options, self.context), self.phrase_tie)

    def prefix(self, text: str) -> Query:
        if self.analyzes_prefixes:
            return self._each(lambda path: self._analyzed_prefix(path, text), self.other_tie)
        return self._pattern(text, prefix_query)

    def _analyzed_prefix(self, path: str, text: str) -> Query:
        """Return the query for a prefix of several tokens: `quick-bro*` -> the term `quick` and the prefix `bro`."""
        field = self.context.field(path)
        if field is None:
            return MatchNone()
        if not field.is_text:
            return ConstantScore(prefix_query(field, text, self.context, case_insensitive=False))
        tokens = analyzed(field, text, self.options, self.context)
        if len({position for _, position in tokens}) < len(tokens):
            raise not_implemented("[analyze_wildcard] with several tokens at one position")
        if not tokens:
            return MatchNone()
        *before, last = [term for term, _ in tokens]
        terms: list[Query] = [Term(field.path, encode_term(term)) for term in before]
        prefix = ConstantScore(prefix_query(field, last, self.context, case_insensitive=False))
        return of_words([*terms, prefix], MatchOptions(operator=self.options.operator))

    def wildcard(self, text: str) -> Query:
        return self._pattern(text, wildcard_query)

    def regexp(self, text: str) -> Query:
        check_pattern_length("regex", "query_string", text, self.context)

        def made(path: str) -> Query:
            field = self.context.field(path)
            if field is None:
                return MatchNone()
            return ConstantScore(regexp_query(field, text, self.context, case_insensitive=False))

        return self._each(made, self.other_tie)

    def _pattern(self, text: str, make: Callable[..., Query]) -> Query:
        def made(path: str) -> Query:
            field = self.context.field(path)
            if field is None:
                return MatchNone()
            normalized = self._normalized(field, text)
            return ConstantScore(make(field, normalized, self.context, case_insensitive=False))

        return self._each(made, self.other_tie)

    def _normalized(self, field: Field, text: str) -> str:
        return self.context.search_analyzer(field).normalize(text) if field.is_text else text

    def fuzzy(self, text: str, fuzziness: str, options: MatchOptions) -> Query:
        def made(path: str) -> Query:
            field = self.context.field(path)
            if field is None:
                return MatchNone()
            term = self._normalized(field, text) if field.is_text else search_text(field, text, self.context)
            edits = auto_edits(fuzziness, term)
            return Fuzzy(path, term, edits, options.prefix_length, options.max_expansions, options.transpositions)

        return self._each(made, self.other_tie)

    def range(self, low: Any, high: Any, include_low: bool, include_high: bool) -> Query:
        def made(path: str) -> Query:
            field = self.context.field(path)
            if field is None:
                return MatchNone()
            ends = [None if end is None or not field.is_text else self._normalized(field, end) for end in (low, high)]
            low_end, high_end = ends if field.is_text else (low, high)
            if low is None and high is None:
                return exists_query(path, self.context)
            zone = self.time_zone if field.type == "date" else None
            return ConstantScore(
                range_query(field, self.context, low_end, high_end, include_low, include_high, None, zone)
            )

        return self._each(made, self.other_tie)
